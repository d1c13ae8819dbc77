"""Faults that other implementations of Perudo had; this one has none of them. One test for each, by number."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Cancel, Finished, Resign, Resigned
from fairdeal.games.perudo import (
    FACES,
    BidPlaced,
    Calza,
    CalzaCalled,
    Declare,
    DiceRevealed,
    DieLost,
    DieRegained,
    Dudo,
    DudoCalled,
    DudoOffer,
    NoDieRegained,
    PalaficoDeclared,
    PlayerEliminated,
    RoundStarted,
)
from fairdeal_local import Scripted, Table
from support.harness import play_random
from support.perudo import ALL_BIDS, at, bid, round_10, talkative
from support.scenario import Scenario, given

A, B, C = (6, 1, 2, 3, 3), (6, 6, 4, 5, 2), (5, 4, 2)
FIVE = (2, 3, 4, 5, 6)


def table_of(*hands: Any, options: dict[str, Any] | None = None, **position: Any) -> Scenario:
    return given("perudo", *at(*hands, **position), players=len(hands), options=options)


def legal_after(standing: str) -> set[tuple[int, int]]:
    (offer, _dudo) = table_of(*[FIVE] * 6, bids=[standing]).views.offers(1)
    return {(b.quantity, b.face) for b in ALL_BIDS if offer.admits(b)}


def test_p1_the_documented_order_of_bids_is_the_one_played() -> None:
    legal = legal_after("7x4")
    assert (8, 2) in legal
    assert (6, 6) not in legal
    numbers = {(q, f) for q in range(1, 31) for f in FACES if f > 1 and (q > 7 or (q == 7 and f > 4))}
    assert legal == numbers | {(q, 1) for q in range(4, 31)}


def test_p2_more_dice_of_a_lower_face_raise() -> None:
    table_of(FIVE, FIVE, bids=["7x4"]).when(1, bid("8x2")).then(BidPlaced(seat=1, quantity=8, face=2))


@pytest.mark.parametrize(("standing", "loser"), [("4x6", 1), ("5x6", 0)])
def test_p3_the_winner_of_a_doubt_keeps_the_dice(standing: str, loser: int) -> None:
    scenario = table_of(A, B, (5, 5, 4, 2, 2), bids=[standing]).when(1, Dudo())
    assert scenario.happened(DieLost) == DieLost(seat=loser, lost=1, left=4)


def test_p4_each_dudo_takes_one_die_from_the_right_seat() -> None:
    table = play_random(Table.open("perudo", 4, dealer=4), Random(4), weigh=talkative)
    for commit in table.log:
        if any(isinstance(event, DudoCalled) for event in commit.events):
            (lost,) = (event for event in commit.events if isinstance(event, DieLost))
            assert lost.lost == 1
    assert sum(table.view().table.dice) + table.view().table.bag == 20


def test_p5_the_commit_that_is_told_holds_the_final_state() -> None:
    scenario = table_of((6,), (2,), bids=["1x6"]).when(1, Dudo())
    assert isinstance(scenario.events[-1], Finished)
    shown = scenario.view()
    assert shown.outcome is not None
    assert (shown.phase, shown.table.dice, shown.table.bag, shown.table.eliminated) == (
        "finished",
        [1, 0],
        9,
        [1],
    )
    assert shown.table.last_reveal.changes == {1: -1}
    assert shown.outcome.winners == (0,)


@pytest.mark.parametrize("seat", [0, 2, 3, 4, 5])
def test_p6_every_eligible_seat_may_call_calza(seat: int) -> None:
    scenario = table_of(*[FIVE] * 6, bids=["3x6"], options={"calza": True})
    assert scenario.when(seat, Calza()).events[0] == CalzaCalled(seat=seat)


@pytest.mark.parametrize("quantity", [0, -1, -(10**9)])
def test_p7_a_bid_is_for_at_least_one_die(quantity: int) -> None:
    table_of(FIVE, FIVE).when(0, bid(f"{quantity}x5")).refused("quantity_out_of_range")


def test_p8_aces_are_counted_once_and_are_no_jokers_in_a_palafico_round() -> None:
    assert table_of(A, B, C, bids=[(0, "1x1")]).when(1, Dudo()).happened(DiceRevealed).count == 1
    exact = table_of(A, B, C, bids=[(0, "1x1")], options={"calza": True}).when(2, Calza())
    assert exact.happened(DieRegained).seat == 2
    palafico = table_of((6,), A, B, kind="palafico", starter=0, bids=["4x6"]).when(1, Dudo())
    assert palafico.happened(DiceRevealed).count == 4
    assert palafico.view().table.last_reveal.wild is False
    table_of((6,), A, B, kind="palafico", bids=["4x6"], options={"calza": True}).when(2, Calza()).refused(
        "calza_in_palafico"
    )


def test_p10_without_a_legal_raise_there_is_only_dudo() -> None:
    in_palafico = table_of((2,), FIVE, FIVE, kind="palafico", bids=["11x3"])
    on_aces = table_of(FIVE, FIVE, bids=["10x1"])
    for scenario in (in_palafico, on_aces):
        assert scenario.views.offers(1) == (DudoOffer(),)
        assert scenario.when(1, Dudo()).events[0] == DudoCalled(seat=1)


def test_p11_a_fresh_roll_is_shown_to_its_own_seat_only() -> None:
    scenario = table_of(A, B, C, bids=["4x6"]).when(1, Dudo())
    table = scenario.view().table
    assert table.last_reveal.hands == (A, B, C)
    assert table.bids == []
    for seat in range(3):
        hand: Any = scenario.view(seat).hand
        assert hand.dice == scenario.game.state.hands[seat]
    assert scenario.view("table").hand is None


def test_p13_a_palafico_bid_must_rise_and_two_players_have_no_palafico_round() -> None:
    opened = table_of(FIVE, (3,), C, kind="palafico", starter=1, bids=["2x3"])
    for lower in ("2x3", "1x3"):
        opened.when(2, bid(lower)).refused("bid_not_higher")
    two = table_of((2, 3), C, bids=["5x6"])
    assert two.when(1, Dudo()).happened(RoundStarted, "table") == round_10("standard", 0)


def test_p15_only_the_seat_on_turn_bids_and_doubts_and_the_loser_starts() -> None:
    scenario = table_of(FIVE, FIVE, FIVE, bids=["3x3"])
    for seat in (0, 2):
        scenario.when(seat, bid("4x3")).refused("not_your_turn")
        scenario.when(seat, Dudo()).refused("not_your_turn")
    scenario.when(1, bid("4x3")).when(2, bid("15x3")).when(0, Dudo())
    assert scenario.happened(DieLost).seat == scenario.happened(RoundStarted).starter == 2
    assert scenario.view().to_act == (2,)


def test_p16_every_command_ends() -> None:
    table_of(FIVE, FIVE).when(0, bid("1x2")).then(BidPlaced(seat=0, quantity=1, face=2))
    table_of(FIVE, FIVE, bids=["1x2"]).when(1, Dudo()).then(DudoCalled(seat=1), ...)
    table_of(A, B, C, bids=["1x2"], options={"calza": True}).when(2, Calza()).then(CalzaCalled(seat=2), ...)
    table_of(FIVE, FIVE).when(0, Resign()).then(Resigned(seat=0), ...)
    declared = table_of((2, 3), B, C, bids=["10x6"], options={"palafico_declared": True})
    declared.when(1, Dudo()).when(0, Declare(palafico=True)).then(
        PalaficoDeclared(seat=0, palafico=True), ...
    )


@pytest.mark.parametrize("bids", [[], ["2x3"], ["2x3", "2x4"]], ids=["opening", "one bid", "two bids"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_p17_p23_resigning_in_any_phase_moves_the_game_on(bids: list[str], seat: int) -> None:
    scenario = table_of(FIVE, FIVE, FIVE, bids=bids).when(seat, Resign())
    turn = len(bids)
    starter = turn if turn != seat else (seat + 1) % 3
    scenario.then(
        Resigned(seat=seat),
        PlayerEliminated(seat=seat, place=3),
        round_10("standard", starter),
        viewer="table",
    )
    assert scenario.view().to_act == (starter,)
    assert scenario.view().table.dice[seat] == 0
    assert scenario.view().table.bag == 5
    scenario.when(seat, bid("1x2")).refused("eliminated")
    scenario.when(seat, Resign()).refused("eliminated")


def test_p17_a_game_can_be_called_off_in_any_phase() -> None:
    for moves in range(6):
        table = Table.open("perudo", 3, dealer=moves)
        for _ in range(moves):
            seat = table.view().to_act[0]
            table.act(seat, table.view(seat).offers[0].sample(Random(moves)))
        table.host(Cancel(reason="the power went out"))
        assert table.finished
        assert table.outcome is not None
        assert table.outcome.winners == ()
        assert table.view(0).offers == ()


@pytest.mark.parametrize(
    ("seat", "quits", "follows"),
    [
        pytest.param(1, False, round_10("palafico", 1), id="another seat quits"),
        pytest.param(1, True, round_10("standard", 2), id="the Palafico player quits"),
    ],
)
def test_p23_a_void_palafico_round_is_repeated_by_its_player(
    seat: int, quits: bool, follows: RoundStarted
) -> None:
    scenario = table_of(FIVE, (3,), FIVE, FIVE, kind="palafico", starter=seat, bids=["2x3"])
    assert scenario.when(seat if quits else 3, Resign()).happened(RoundStarted, "table") == follows


def test_p23_a_void_palafico_round_with_two_left_becomes_a_standard_round() -> None:
    scenario = table_of(FIVE, (3,), FIVE, kind="palafico", starter=1, bids=["2x3"]).when(0, Resign())
    assert scenario.happened(RoundStarted, "table") == round_10("standard", 2)


def test_p20_calza_counts_jokers_and_gives_no_sixth_die() -> None:
    right = table_of(A, B, C, bids=["4x6"], options={"calza": True}).when(2, Calza())
    assert right.happened(DieRegained) == DieRegained(seat=2, gained=1, left=4)
    full = table_of(A, B, C, bids=["1x6", "4x6"], options={"calza": True}).when(0, Calza())
    assert full.happened(NoDieRegained).seat == 0
    reveal = full.view().table.last_reveal
    assert (reveal.caller, reveal.bid.seat, reveal.count, reveal.changes) == (0, 1, 4, {0: 0})
    assert full.view().table.dice == [5, 5, 3]


def test_p21_no_dice_are_shown_during_the_bidding() -> None:
    table = Table.open("perudo", 3, {"dice_per_player": 3}, dealer=21)
    shown = table.view().table
    assert shown.last_reveal is None
    for seat in range(3):
        hand: Any = table.view(seat).hand
        assert hand.dice == table.state.hands[seat]
        for event in table.log[0].events:
            assert getattr(event, "hands", None) is None


def test_p26_aces_convert_and_do_not_open() -> None:
    assert {f for _, f in legal_after("8x6")} == set(FACES)
    assert min(q for q, f in legal_after("8x6") if f == 1) == 4
    assert min(q for q, f in legal_after("4x1") if f > 1) == 9
    table_of(FIVE, FIVE).when(0, bid("3x1")).refused("opening_aces_forbidden")


def test_p27_what_a_viewer_holds_says_nothing_about_later_dice() -> None:
    """Two dealers that agreed so far and part now: every view so far is the same to the byte."""
    opening = [6, 1, 1, *(2, 3), *(4, 5), *(6, 6)]
    tables = [
        Table.open("perudo", 3, {"dice_per_player": 2}, Scripted([*opening, *later]))
        for later in ([1, 1, 1, 1, 1], [6, 5, 4, 3, 2])
    ]
    for table in tables:
        table.act(0, bid("3x6"))
    assert tables[0].encoded() == tables[1].encoded()
    for table in tables:
        table.act(1, Dudo())
    assert tables[0].encoded() != tables[1].encoded()


def test_p28_every_round_is_finite() -> None:
    """The lowest legal bid again and again: the round ends when nothing but a doubt is left."""
    for options in ({}, {"ace_half_rounding": "down", "ace_return": "double"}):
        table = Table.open("perudo", 2, options, dealer=28)
        for bids in range(6 * 10 + 1):
            seat = table.view().to_act[0]
            offers = [offer for offer in table.view(seat).offers if hasattr(offer, "quantities")]
            if not offers:
                assert bids > 10
                break
            face, (lowest, _) = min(offers[0].quantities.items(), key=lambda item: item[1])
            table.act(seat, bid(f"{lowest}x{face}"))
        else:
            raise AssertionError("the round went on and on")


def test_p29_the_printed_rules_are_the_default_and_the_variants_are_options() -> None:
    table_of(A, B, C, bids=["4x6"]).when(2, Calza()).refused("calza_disabled")
    table_of(A, B, C, bids=["4x6"], options={"calza": True}).when(1, Calza()).refused("calza_player_in_turn")
    lax = {"calza": True, "calza_by_player_in_turn": True, "calza_two_players": True}
    assert table_of(A, B, bids=["4x6"], options=lax).when(1, Calza()).rejected is None
    two = table_of((2, 3), B, bids=["7x6"], options={"palafico_two_players": True}).when(1, Dudo())
    assert two.happened(RoundStarted, "table") == round_10("palafico", 0)
