"""The golden cases of perudo.md §13, by id."""

from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.games.perudo import (
    BidPlaced,
    Calza,
    CalzaCalled,
    DiceRevealed,
    DieLost,
    DieRegained,
    Dudo,
    DudoCalled,
    NoDieRegained,
    PlayerEliminated,
    RoundStarted,
)
from fairdeal_local import Scripted, Table
from support.perudo import at, bid, round_10
from support.scenario import Scenario, given

LEGAL = None
FIVE = (2, 3, 4, 5, 6)
SIX_SEATS = (FIVE,) * 6


def cases(*rows: tuple[str, str, dict[str, str | None]]) -> list[Any]:
    """One test for each id, standing bid and attempt."""
    return [
        pytest.param(standing, attempt, code, id=f"{id} {standing or 'none'} to {attempt}")
        for id, standing, attempts in rows
        for attempt, code in attempts.items()
    ]


def judge(scenario: Scenario, code: str | None) -> None:
    if code is None:
        assert scenario.rejected is None, scenario.rejected
    else:
        scenario.refused(code)


# 13.1, 13.2: bids in a standard round, 30 dice


@pytest.mark.parametrize(
    ("standing", "attempt", "code"),
    cases(
        ("P-01", "7x4", {"7x5": LEGAL}),
        ("P-02", "7x4", {"8x2": LEGAL}),
        ("P-03", "7x4", {"6x6": "bid_not_higher"}),
        ("P-04", "7x4", {"7x2": "bid_not_higher"}),
        ("P-05", "8x6", {"4x1": LEGAL, "5x1": LEGAL, "3x1": "aces_below_half"}),
        ("P-06", "11x3", {"6x1": LEGAL, "7x1": LEGAL, "5x1": "aces_below_half"}),
        ("P-07", "4x1", {"5x1": LEGAL, "9x2": LEGAL, "9x3": LEGAL, "9x4": LEGAL, "9x5": LEGAL, "9x6": LEGAL}),
        ("P-07", "4x1", {"8x6": "numbers_below_double_plus_one", "4x1": "bid_not_higher"}),
        ("P-08", "", {f"{quantity}x1": "opening_aces_forbidden" for quantity in (1, 2, 15, 30)}),
        ("P-11", "7x4", {"9x3": LEGAL}),
        ("P-12", "7x4", {"7x4": "bid_not_higher"}),
        ("P-13", "7x4", {"4x1": LEGAL, "3x1": "aces_below_half"}),
        ("P-14", "1x2", {"1x1": LEGAL}),
        ("P-15", "1x1", {"3x2": LEGAL, "2x6": "numbers_below_double_plus_one"}),
        ("P-16", "30x6", {"15x1": LEGAL, "14x1": "aces_below_half", "31x2": "quantity_out_of_range"}),
        ("P-17", "15x1", {"30x6": "numbers_below_double_plus_one", "16x1": LEGAL}),
        (
            "P-19",
            "7x4",
            {"0x5": "quantity_out_of_range", "8x7": "face_out_of_range", "8x0": "face_out_of_range"},
        ),
    ),
)
def test_bid_in_a_standard_round(standing: str, attempt: str, code: str | None) -> None:
    bids = [standing] if standing else []
    judge(given("perudo", *at(*SIX_SEATS, bids=bids), players=6).when(len(bids), bid(attempt)), code)


def test_p09_the_palafico_player_may_open_with_aces() -> None:
    position = at(FIVE, [3], FIVE, kind="palafico", starter=1)
    given("perudo", *position, players=3).when(1, bid("2x1")).then(BidPlaced(seat=1, quantity=2, face=1))


def test_p10_two_players_with_one_die_each_may_not_open_with_aces() -> None:
    given("perudo", *at([1], [1])).when(0, bid("1x1")).refused("opening_aces_forbidden")


@pytest.mark.parametrize("action", [bid("8x4"), Dudo()], ids=["bid", "dudo"])
@pytest.mark.parametrize("bids", [[], ["7x4"], ["7x4", "4x1"]], ids=["opening", "number", "aces"])
def test_p20_a_seat_that_is_not_on_turn(bids: list[str], action: Action) -> None:
    scenario = given("perudo", *at(*SIX_SEATS, bids=bids), players=6)
    for seat in range(6):
        if seat != len(bids):
            scenario.when(seat, action).refused("not_your_turn")


def test_p21_there_is_nothing_to_doubt() -> None:
    given("perudo", *at(FIVE, FIVE)).when(0, Dudo()).refused("no_bid")


# 13.4: counting and dudo

A = (6, 1, 2, 3, 3)
B = (6, 6, 4, 5, 2)
C = (5, 5, 4, 2, 2)


@pytest.mark.parametrize(
    ("standing", "count", "wild", "loser"),
    [
        pytest.param("4x6", 4, True, 1, id="C-01 exact: the doubter loses"),
        pytest.param("5x6", 4, True, 0, id="C-02 the bidder loses"),
        pytest.param("1x1", 1, False, 1, id="C-03 an ace is counted once"),
        pytest.param("2x1", 1, False, 0, id="C-04 the bidder loses on aces"),
    ],
)
def test_dudo_counts(standing: str, count: int, wild: bool, loser: int) -> None:
    bids = [(0, "1x2"), (0, standing)]
    scenario = given("perudo", *at(A, B, C, bids=bids), players=3).when(1, Dudo())
    scenario.then(
        DudoCalled(seat=1),
        DiceRevealed(hands=(A, B, C), count=count),
        DieLost(seat=loser, lost=1, left=4),
        round_10("standard", loser),
        viewer="table",
    )
    reveal = scenario.view().table.last_reveal
    assert (reveal.order, reveal.wild, reveal.count) == ((1, 2, 0), wild, count)


# 13.5: Palafico. A has 3 dice, B is the Palafico player, C has 3, D has one and had its own round before.

OPENED_TWO_THREES = ((1, "2x3"),)
D_WENT_TO_FOURS = ((1, "2x3"), (3, "2x4"))
A_RAISED = (*D_WENT_TO_FOURS, (0, "3x4"))


def palafico_round(*bids: tuple[int, str], options: dict[str, Any] | None = None) -> Scenario:
    position = at([2, 3, 4], [3], [4, 4, 5], [6], kind="palafico", starter=1, done=[3], bids=bids)
    return given("perudo", *position, players=4, options=options)


@pytest.mark.parametrize(
    ("bids", "seat", "attempt", "code"),
    [
        pytest.param(bids, seat, attempt, code, id=f"{id} {attempt}")
        for id, bids, seat, attempts in (
            ("L-01", OPENED_TWO_THREES, 2, {"2x4": "palafico_face_locked", "3x4": "palafico_face_locked"}),
            ("L-01", OPENED_TWO_THREES, 2, {"2x3": "bid_not_higher", "3x3": LEGAL}),
            ("L-02", (*OPENED_TWO_THREES, (2, "2x3")), 3, {"2x4": LEGAL, "3x4": LEGAL, "3x3": LEGAL}),
            ("L-02", (*OPENED_TWO_THREES, (2, "3x3")), 3, {"4x2": "palafico_value_not_raised"}),
            ("L-02", (*OPENED_TWO_THREES, (2, "3x3")), 3, {"2x4": "bid_not_higher"}),
            ("L-03", D_WENT_TO_FOURS, 0, {"3x4": LEGAL, "3x3": "palafico_face_locked"}),
            ("L-03", D_WENT_TO_FOURS, 0, {"2x5": "palafico_face_locked", "3x5": "palafico_face_locked"}),
            ("L-04", A_RAISED, 1, {"4x4": LEGAL, "3x5": "palafico_face_locked"}),
            ("L-07", ((1, "2x1"),), 2, {"3x1": LEGAL, "5x2": "palafico_face_locked"}),
        )
        for attempt, code in attempts.items()
    ],
)
def test_bid_in_a_palafico_round(
    bids: tuple[tuple[int, str], ...], seat: int, attempt: str, code: str | None
) -> None:
    judge(palafico_round(*bids).when(seat, bid(attempt)), code)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("bids", [(), OPENED_TWO_THREES, A_RAISED], ids=["opening", "one bid", "three bids"])
def test_l08_no_calza_in_a_palafico_round(bids: tuple[tuple[int, str], ...], seat: int) -> None:
    palafico_round(*bids, options={"calza": True}).when(seat, Calza()).refused("calza_in_palafico")


def lose_as_bidder(*hands: tuple[int, ...], done: tuple[int, ...] = ()) -> RoundStarted:
    """The round that follows when seat 0's bid is doubted by seat 1 and wrong."""
    position = at(*hands, bids=["4x6"], done=done)
    scenario = given("perudo", *position, players=len(hands)).when(1, Dudo())
    assert scenario.happened(DieLost).seat == 0
    started: RoundStarted = scenario.happened(RoundStarted, "table")
    return started


def test_l09_the_drop_to_one_die_brings_a_palafico_round() -> None:
    assert lose_as_bidder((2, 3), FIVE, FIVE) == round_10("palafico", 0)


def test_l10_no_palafico_round_with_two_players() -> None:
    assert lose_as_bidder((2, 3), (2, 3, 4)) == round_10("standard", 0)
    assert lose_as_bidder((2, 3), (2, 3, 4), ()) == round_10("standard", 0)


def test_l11_no_second_palafico_round() -> None:
    assert lose_as_bidder((2, 3), FIVE, FIVE, done=(0,)) == round_10("standard", 0)


def test_l12_having_one_die_is_no_drop_to_one() -> None:
    assert lose_as_bidder((2, 3, 4, 5), (4,), FIVE) == round_10("standard", 0)


# 13.6: calza. A and B have five dice, C three; four sixes with the ace, one ace.

C3 = (5, 4, 2)


def with_calza(*bids: str, **options: Any) -> Scenario:
    return given("perudo", *at(A, B, C3, bids=bids), players=3, options={"calza": True, **options})


def test_z01_a_right_calza_regains_a_die() -> None:
    scenario = with_calza("4x6").when(2, Calza())
    scenario.then(
        CalzaCalled(seat=2),
        DiceRevealed(hands=(A, B, C3), count=4),
        DieRegained(seat=2, gained=1, left=4),
        round_10("standard", 2),
        viewer="table",
    )
    reveal = scenario.view().table.last_reveal
    assert (reveal.order, reveal.wild, reveal.changes) == ((2, 0, 1), True, {2: 1})


def test_z02_a_wrong_calza_costs_a_die() -> None:
    with_calza("3x6").when(2, Calza()).then(
        CalzaCalled(seat=2),
        DiceRevealed(hands=(A, B, C3), count=4),
        DieLost(seat=2, lost=1, left=2),
        round_10("standard", 2),
        viewer="table",
    )


def test_z03_not_by_the_player_in_turn() -> None:
    with_calza("4x6").when(1, Calza()).refused("calza_player_in_turn")


def test_z04_a_caller_with_all_dice_regains_none() -> None:
    with_calza("1x6", "4x6").when(0, Calza()).then(
        CalzaCalled(seat=0),
        DiceRevealed(hands=(A, B, C3), count=4),
        NoDieRegained(seat=0),
        round_10("standard", 0),
        viewer="table",
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_z07_not_with_two_players(seat: int) -> None:
    position = at(A, B, (), bids=["4x6"])
    given("perudo", *position, players=3, options={"calza": True}).when(seat, Calza()).refused(
        "calza_two_players"
    )


def test_z08_not_before_a_bid() -> None:
    for seat in range(3):
        with_calza().when(seat, Calza()).refused("no_bid")


def test_z09_not_where_the_option_is_off() -> None:
    for seat in range(3):
        with_calza("4x6", calza=False).when(seat, Calza()).refused("calza_disabled")


def test_z10_a_late_calza_never_meets_a_newer_bid() -> None:
    scenario = with_calza("3x6")
    seen = scenario.views.version
    scenario.when(1, bid("4x6")).when(2, Calza(), expect=seen).refused("stale")
    assert scenario.view().table.bid == scenario.views.table.bids[-1]
    assert scenario.view().to_act == (2,)


def test_z12_the_bidder_may_call_on_the_own_bid() -> None:
    with_calza("4x6").when(0, Calza()).then(CalzaCalled(seat=0), ...)
    with_calza("4x6", calza_by_bidder=False).when(0, Calza()).refused("calza_own_bid")


# 13.7: start and order


def started(rolls: list[int]) -> Table:
    return Table.open("perudo", 3, {"dice_per_player": 1}, Scripted([*rolls, 2, 2, 2]))


def test_o01_the_highest_roll_starts() -> None:
    assert started([3, 6, 2]).view().table.starter == 1


def test_o02_only_the_tied_highest_roll_again() -> None:
    table = started([6, 2, 6, 4, 5])
    assert table.view().table.starter == 2
    assert [attempt.seats for attempt in table.view().table.roll_off] == [(0, 1, 2), (0, 2)]


def test_o04_the_last_with_dice_wins() -> None:
    scenario = given("perudo", *at([6], [2], bids=["1x6"])).when(1, Dudo())
    assert scenario.events[2:4] == (DieLost(seat=1, lost=1, left=0), PlayerEliminated(seat=1, place=2))
    assert scenario.game.finished
    assert scenario.view().outcome == scenario.game.outcome
    assert scenario.game.outcome is not None
    assert (scenario.game.outcome.winners, scenario.game.outcome.places) == ((0,), (1, 2))
    scenario.when(0, bid("1x2")).refused("finished")
