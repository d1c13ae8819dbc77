"""Every option of perudo.md §14, each away from its default, and the presets."""

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from fairdeal.action import Action
from fairdeal.game import Resign, Resigned
from fairdeal.games.perudo import (
    MAX_QUANTITY,
    PRESETS,
    BidPlaced,
    Calza,
    CalzaCalled,
    Declare,
    DiceRevealed,
    DieLost,
    DieRegained,
    Dudo,
    DudoCalled,
    NoDieRegained,
    Options,
    PalaficoDeclared,
    PalaficoEarned,
    PlayerEliminated,
    RoundStarted,
    StarterDrawn,
    StartRolled,
)
from fairdeal.receipt import Rejected
from fairdeal_local import Scripted, Table
from support.harness import accepts, offers_equal_acceptance, play_random
from support.perudo import CANDIDATES, at, bid, round_10, talkative
from support.scenario import Scenario, given

FIVE = (2, 3, 4, 5, 6)


def other_values() -> Iterator[Any]:
    """Each option with each value that is not its default."""
    hints = get_type_hints(Options)
    for option, default in zip(Options.__struct_fields__, Options.__struct_defaults__, strict=True):
        if option == "dice_per_player":
            values: tuple[Any, ...] = (1, 2, 3, 4)
        elif get_origin(hints[option]) is Literal:
            values = get_args(hints[option])
        else:
            values = (0.5, 1.0) if hints[option] is float else (True, False)
        for value in values:
            if value != default:
                yield pytest.param({"calza": option != "calza", option: value}, id=f"{option} {value}")


@pytest.mark.parametrize(
    "options", [*other_values(), *(pytest.param({"preset": preset}, id=preset) for preset in PRESETS)]
)
def test_games_are_lawful_and_offers_exact(options: dict[str, Any]) -> None:
    for seed in range(3):

        def each(table: Table, few: tuple[Action, ...] = CANDIDATES[seed::3]) -> None:
            offers_equal_acceptance(table, few)

        table = Table.open("perudo", 2 + seed, {"dice_per_player": 3, **options}, dealer=seed)
        play_random(table, Random(seed), weigh=talkative, each=each)


def test_everything_loose_at_once() -> None:
    """House rules that interact: conversions in both kinds of round, and ace counts that come again."""
    loose = {
        "calza": True,
        "calza_by_player_in_turn": True,
        "calza_two_players": True,
        "palafico_two_players": True,
        "palafico_exempt": "any_one_die",
        "palafico_exempt_scope": "any_raise",
        "palafico_opener_may_raise_value": True,
        "palafico_lock_lifts_after_circle": True,
        "palafico_ace_conversion": True,
        "palafico_declared": True,
        "ace_half_rounding": "down",
        "ace_return": "double",
        "opening_aces": True,
        "lost_die_goes_to": "opponent",
        "loss_amount": "difference",
    }
    for seed in range(8):
        options = {**loose, "raise_style": ("free", "one_thing")[seed % 2], "dice_per_player": 2 + seed % 4}
        table = Table.open("perudo", 2 + seed % 5, options, dealer=seed)
        play_random(
            table,
            Random(seed),
            weigh=talkative,
            each=lambda table: offers_equal_acceptance(table, CANDIDATES[::2]),
        )


def round_with(*hands: Any, options: dict[str, Any], **position: Any) -> Scenario:
    full = options.get("dice_per_player", 5)
    return given("perudo", *at(*hands, full=full, **position), players=len(hands), options=options)


def verdicts(scenario: Scenario, seat: int, *actions: Action) -> list[str]:
    """What becomes of each action if it is the next: `legal` or the code of its refusal. Nothing changes."""
    found = []
    for action in actions:
        state = pickle.loads(pickle.dumps(scenario.game.state))
        if accepts(scenario.game.rules, state, seat, action):
            assert any(offer.admits(action) for offer in scenario.views.offers(seat))
            found.append("legal")
        else:
            rejected = scenario.when(seat, action).rejected
            assert rejected is not None
            found.append(rejected.code)
    return found


# The start


def test_dice_per_player() -> None:
    table = Table.open("perudo", 3, {"dice_per_player": 2}, dealer=1)
    assert table.view().table.dice == [2, 2, 2]
    for wrong in (0, 6, True, "5", 2.5):
        with pytest.raises(Rejected, match="bad_options"):
            Table.open("perudo", 3, {"dice_per_player": wrong})


def test_start_rule_two_dice() -> None:
    table = Table.open(
        "perudo",
        3,
        {"dice_per_player": 1, "start_rule": "two_dice_sum_tied_reroll"},
        Scripted([1, 6, 4, 3, 3, 3, 2, 2, 5, 6, 1, 1, 1]),
    )
    rolled = [event for event in table.log[0].events if isinstance(event, StartRolled)]
    assert rolled == [
        StartRolled(seats=(0, 1, 2), rolls=((1, 6), (4, 3), (3, 3))),
        StartRolled(seats=(0, 1), rolls=((2, 2), (5, 6))),
    ]
    assert table.view().table.starter == 1


def test_start_rule_random() -> None:
    table = Table.open("perudo", 3, {"dice_per_player": 1, "start_rule": "random"}, Scripted([2, 1, 1, 1]))
    assert StarterDrawn(seat=2) in table.log[0].events
    assert table.view().table.starter == 2


def test_start_rule_seat_0() -> None:
    table = Table.open("perudo", 3, {"dice_per_player": 1, "start_rule": "seat_0"}, Scripted([1, 1, 1]))
    assert table.view().table.starter == 0
    assert table.log[0].draws == (0, 3)


# Calza. A and B have five dice, C three; four sixes with the ace.

A, B, C = (6, 1, 2, 3, 3), (6, 6, 4, 5, 2), (5, 4, 2)


def with_calza(*bids: str, hands: Any = (A, B, C), **options: Any) -> Scenario:
    return round_with(*hands, options={"calza": True, **options}, bids=bids)


def test_calza_by_bidder() -> None:
    assert with_calza("4x6").when(0, Calza()).rejected is None
    with_calza("4x6", calza_by_bidder=False).when(0, Calza()).refused("calza_own_bid")


def test_calza_by_player_in_turn() -> None:
    with_calza("4x6", calza_by_player_in_turn=True).when(1, Calza()).then(CalzaCalled(seat=1), ...)


def test_calza_requires_missing_die() -> None:
    with_calza("1x6", "4x6", calza_requires_missing_die=True).when(0, Calza()).refused("calza_no_die_missing")
    with_calza("4x6", calza_requires_missing_die=True).when(2, Calza()).then(CalzaCalled(seat=2), ...)


@pytest.mark.parametrize(("starter", "opens"), [("caller", 2), ("bidder", 0), ("player_in_turn", 1)])
def test_calza_success_starter(starter: str, opens: int) -> None:
    scenario = with_calza("4x6", calza_success_starter=starter).when(2, Calza())
    assert scenario.happened(RoundStarted).starter == opens


def test_calza_success_effect_bidder_loses() -> None:
    with_calza("4x6", calza_success_effect="bidder_loses").when(2, Calza()).then(
        CalzaCalled(seat=2),
        DiceRevealed(hands=(A, B, C), count=4),
        DieLost(seat=0, lost=1, left=4),
        round_10("standard", 2),
        viewer="table",
    )


def test_a_bidder_who_is_exact_loses_nothing_to_itself() -> None:
    scenario = with_calza("4x6", calza_success_effect="bidder_loses").when(0, Calza())
    assert not any(isinstance(event, DieLost | NoDieRegained) for event in scenario.events)


def test_calza_success_effect_others_lose() -> None:
    """Several at once: both dropped seats lose, the first to the caller's left has the Palafico round."""
    hands = ((6, 1), (6, 2), C, (6,))
    scenario = with_calza("4x6", hands=hands, calza_success_effect="others_lose").when(2, Calza())
    scenario.then(
        CalzaCalled(seat=2),
        DiceRevealed(hands=hands, count=4),
        DieLost(seat=3, lost=1, left=0),
        DieLost(seat=0, lost=1, left=1),
        DieLost(seat=1, lost=1, left=1),
        PlayerEliminated(seat=3, place=4),
        round_10("palafico", 0),
        viewer="table",
    )
    assert scenario.view().table.last_reveal.order == (2, 3, 0, 1)
    assert scenario.view().table.palafico_done == [0]


def test_seats_that_drop_out_at_once_share_a_place() -> None:
    scenario = with_calza("3x6", hands=((6,), (6,), (6,)), calza_success_effect="others_lose").when(
        2, Calza()
    )
    assert scenario.game.outcome is not None
    assert scenario.game.outcome.places == (2, 2, 1)


def test_calza_two_players() -> None:
    hands = (A, B, ())
    with_calza("4x6", hands=hands).when(0, Calza()).refused("calza_two_players")
    with_calza("4x6", hands=hands, calza_two_players=True).when(0, Calza()).then(CalzaCalled(seat=0), ...)


def test_calza_min_dice_fraction() -> None:
    half = {"calza_min_dice_fraction": 0.5, "dice_per_player": 4}
    with_calza("1x6", hands=((6, 2), (5, 3), (4, 2)), **half).when(2, Calza()).then(CalzaCalled(seat=2), ...)
    with_calza("1x6", hands=((6, 2), (5, 3), (4,)), **half).when(2, Calza()).refused("calza_too_few_dice")


# Palafico


def next_round(*hands: Any, **options: Any) -> RoundStarted:
    """The round after seat 0's wrong bid cost it a die."""
    scenario = round_with(*hands, options=options, bids=["9x6"]).when(1, Dudo())
    started: RoundStarted = scenario.happened(RoundStarted)
    return started


def test_palafico() -> None:
    assert next_round((2, 3), FIVE, FIVE).kind == "palafico"
    assert next_round((2, 3), FIVE, FIVE, palafico=False).kind == "standard"


def test_palafico_two_players() -> None:
    assert next_round((2, 3), FIVE, ()).kind == "standard"
    assert next_round((2, 3), FIVE, (), palafico_two_players=True).kind == "palafico"


def test_palafico_off_when_three_single_dice() -> None:
    hands = ((2, 3), (4,), (5,))
    options: dict[str, Any] = {"cap_bid_to_dice": False}
    assert next_round(*hands, **options).kind == "palafico"
    assert next_round(*hands, palafico_off_when_three_single_dice=True, **options).kind == "standard"
    assert next_round((2, 3), (4,), FIVE, palafico_off_when_three_single_dice=True).kind == "palafico"


# The Palafico player is seat 1 and opened with three threes; seat 2 has one die and no Palafico round behind
# it, seat 3 one die and its Palafico round behind it, seat 0 has three dice.

LATER = ((1, "2x2"), (2, "2x3"), (3, "3x3"), (0, "4x3"))


def palafico_round(*bids: tuple[int, str], **options: Any) -> Scenario:
    return round_with(
        (2, 3, 4), (3,), (4,), (6,), kind="palafico", starter=1, done=[3], bids=bids, options=options
    )


LOCKED = "palafico_face_locked"


@pytest.mark.parametrize(
    ("exempt", "seat_2", "seat_3"),
    [("done_and_one_die", LOCKED, "legal"), ("any_one_die", "legal", "legal"), ("nobody", LOCKED, LOCKED)],
)
def test_palafico_exempt(exempt: str, seat_2: str, seat_3: str) -> None:
    assert verdicts(palafico_round((1, "3x3"), palafico_exempt=exempt), 2, bid("3x4")) == [seat_2]
    assert verdicts(palafico_round((2, "3x3"), palafico_exempt=exempt), 3, bid("3x4")) == [seat_3]
    assert verdicts(palafico_round((3, "3x3"), palafico_exempt=exempt), 0, bid("3x4")) == [LOCKED]


def test_palafico_exempt_scope() -> None:
    tries = [bid("3x2"), bid("4x2"), bid("4x1"), bid("2x4")]
    strict = ["palafico_value_not_raised"] * 3 + ["bid_not_higher"]
    assert verdicts(palafico_round((2, "3x3")), 3, *tries) == strict
    lax = palafico_round((2, "3x3"), palafico_exempt_scope="any_raise")
    assert verdicts(lax, 3, *tries) == ["bid_not_higher", "legal", "legal", "bid_not_higher"]


def test_palafico_opener_may_raise_value() -> None:
    assert verdicts(palafico_round(*LATER), 1, bid("4x4"), bid("5x3")) == [LOCKED, "legal"]
    freed = palafico_round(*LATER, palafico_opener_may_raise_value=True)
    assert verdicts(freed, 1, bid("4x4"), bid("5x2")) == ["legal", "palafico_value_not_raised"]


def test_palafico_lock_lifts_after_circle() -> None:
    lifted = {"palafico_lock_lifts_after_circle": True}
    assert verdicts(palafico_round(*LATER[:3], **lifted), 0, bid("3x4")) == [LOCKED]
    scenario = palafico_round(*LATER, **lifted)
    assert verdicts(scenario, 1, bid("4x4")) == ["legal"]
    scenario.when(1, bid("4x4"))
    assert verdicts(scenario, 2, bid("4x5")) == ["legal"]


def test_palafico_ace_conversion() -> None:
    converts = {"palafico_ace_conversion": True}
    to_aces = palafico_round((2, "3x3"), **converts)
    assert verdicts(to_aces, 3, bid("2x1"), bid("1x1")) == ["legal", "aces_below_half"]
    back = palafico_round((2, "2x1"), **converts)
    assert verdicts(back, 3, bid("5x2"), bid("4x6")) == ["legal", "numbers_below_double_plus_one"]
    assert verdicts(palafico_round((1, "3x3"), **converts), 2, bid("2x1")) == [LOCKED]
    counted = palafico_round((2, "3x1"), **converts).when(3, Dudo())
    assert counted.happened(DiceRevealed).count == 0
    assert counted.view().table.last_reveal.wild is False


def declaring(hands: Any = ((2, 3), FIVE, FIVE, FIVE)) -> Scenario:
    options = {"palafico_declared": True, "calza": True}
    return round_with(*hands, options=options, bids=["19x6" if len(hands) > 3 else "9x6"]).when(1, Dudo())


def test_palafico_declared() -> None:
    asked = declaring()
    assert asked.events[-1] == PalaficoEarned(seat=0, starter=0)
    assert (asked.view().phase, asked.view().to_act) == ("declaring", (0,))
    assert (
        verdicts(asked, 0, Declare(palafico=True), bid("1x2"), Dudo(), Calza())
        == ["legal"] + ["wrong_phase"] * 3
    )
    assert verdicts(asked, 1, Declare(palafico=True)) == ["not_your_turn"]
    asked.when(0, Declare(palafico=True)).then(
        PalaficoDeclared(seat=0, palafico=True), round_10("palafico", 0), viewer="table"
    )
    assert asked.view().table.palafico_done == [0]


def test_palafico_declined() -> None:
    declined = declaring().when(0, Declare(palafico=False))
    declined.then(PalaficoDeclared(seat=0, palafico=False), round_10("standard", 0), viewer="table")
    assert declined.view().table.palafico_done == []
    declined.when(0, Declare(palafico=True)).refused("wrong_phase")


def test_who_cannot_have_a_palafico_round_is_not_asked() -> None:
    assert declaring(hands=((2, 3), FIVE)).happened(RoundStarted).kind == "standard"


def test_resigning_while_declaring() -> None:
    asked = declaring().when(2, Resign())
    asked.then(Resigned(seat=2), PlayerEliminated(seat=2, place=4))
    assert asked.view().to_act == (0,)
    asked.when(0, Resign()).then(
        Resigned(seat=0),
        PlayerEliminated(seat=0, place=3),
        round_10("standard", 1),
        viewer="table",
    )


def test_declaring_ends_when_only_two_are_left() -> None:
    asked = declaring(hands=((2, 3), FIVE, FIVE)).when(2, Resign())
    assert asked.happened(RoundStarted, "table") == round_10("standard", 0)


# Bids


def standard_round(*bids: str, **options: Any) -> Scenario:
    return round_with(FIVE, FIVE, FIVE, options=options, bids=bids)


def test_raise_style() -> None:
    tries = [bid("5x4"), bid("4x5"), bid("5x5"), bid("5x3"), bid("4x3"), bid("2x1")]
    free = ["legal", "legal", "legal", "legal", "bid_not_higher", "legal"]
    assert verdicts(standard_round("4x4"), 1, *tries) == free
    one = ["legal", "legal", "bid_changes_both", "bid_changes_both", "bid_not_higher", "legal"]
    assert verdicts(standard_round("4x4", raise_style="one_thing"), 1, *tries) == one
    assert (
        verdicts(standard_round("2x1", raise_style="one_thing"), 1, bid("6x2"), bid("3x1")) == ["legal"] * 2
    )


def test_opening_aces() -> None:
    assert verdicts(standard_round(opening_aces=True), 0, bid("2x1")) == ["legal"]


def test_ace_half_rounding() -> None:
    down = standard_round("7x4", ace_half_rounding="down")
    assert verdicts(down, 1, bid("3x1"), bid("2x1")) == ["legal", "aces_below_half"]
    assert verdicts(standard_round("1x4", ace_half_rounding="down"), 1, bid("1x1")) == ["legal"]


def test_ace_counts_come_only_once_a_round() -> None:
    """Live where the conversion is weakened: four aces, nine twos, and half of nine rounded down is four."""
    again = standard_round("4x1", "9x2", ace_half_rounding="down", opening_aces=True)
    assert verdicts(again, 2, bid("4x1"), bid("5x1")) == ["ace_count_repeated", "legal"]
    double = standard_round("4x1", "8x6", ace_return="double", opening_aces=True)
    assert verdicts(double, 2, bid("4x1"), bid("5x1")) == ["ace_count_repeated", "legal"]


def test_ace_return() -> None:
    double = standard_round("4x1", ace_return="double")
    assert verdicts(double, 1, bid("8x2"), bid("7x6")) == ["legal", "numbers_below_double_plus_one"]


def test_cap_bid_to_dice() -> None:
    tries = [bid("15x6"), bid("16x6"), bid(f"{MAX_QUANTITY}x2"), bid(f"{MAX_QUANTITY + 1}x2")]
    capped = ["legal", *["quantity_out_of_range"] * 3]
    assert verdicts(standard_round("4x4"), 1, *tries) == capped
    uncapped = ["legal", "legal", "legal", "quantity_out_of_range"]
    assert verdicts(standard_round("4x4", cap_bid_to_dice=False), 1, *tries) == uncapped


# Losses


@pytest.mark.parametrize(("rule", "loser"), [("doubter", 1), ("bidder", 0)])
def test_exact_dudo_loser(rule: str, loser: int) -> None:
    exact = round_with(A, B, C, options={"exact_dudo_loser": rule}, bids=["4x6"]).when(1, Dudo())
    assert exact.happened(DieLost).seat == loser
    high = round_with(A, B, C, options={"exact_dudo_loser": rule}, bids=["3x6"]).when(1, Dudo())
    assert high.happened(DieLost).seat == 1


@pytest.mark.parametrize(
    ("standing", "seat", "lost"), [("7x6", 0, 3), ("2x6", 1, 2), ("4x6", 1, 1), ("13x6", 0, 5)]
)
def test_loss_amount_difference(standing: str, seat: int, lost: int) -> None:
    """Four sixes: the difference, one for an exact bid, and never more than the seat has."""
    scenario = round_with(A, B, C, options={"loss_amount": "difference"}, bids=[standing]).when(1, Dudo())
    assert scenario.happened(DieLost) == DieLost(seat=seat, lost=lost, left=5 - lost)


def test_a_loss_of_several_dice_that_leaves_one_is_a_drop_to_the_last_die() -> None:
    scenario = round_with(A, B, C, options={"loss_amount": "difference"}, bids=["8x6"]).when(1, Dudo())
    assert scenario.happened(RoundStarted, "table") == round_10("palafico", 0)


def test_lost_die_goes_to_opponent() -> None:
    options: dict[str, Any] = {"lost_die_goes_to": "opponent"}
    given_away = round_with(C, A, B, options=options, bids=["3x6"]).when(1, Dudo())
    given_away.then(
        DudoCalled(seat=1),
        DiceRevealed(hands=(C, A, B), count=4),
        DieLost(seat=1, lost=1, left=4),
        DieRegained(seat=0, gained=1, left=4),
        round_10("standard", 1),
        viewer="table",
    )
    assert (given_away.view().table.dice, given_away.view().table.bag) == ([4, 4, 5], 2)
    kept = round_with(A, B, C, options=options, bids=["3x6"]).when(1, Dudo())
    assert not any(isinstance(event, DieRegained) for event in kept.events)
    assert kept.view().table.bag == 3


# Hidden counts


def test_hidden_counts_are_in_no_view() -> None:
    table = Table.open("perudo", 3, {"show_dice_counts": False, "calza": True}, dealer=3)
    counted = {"dice": None, "bag": None}

    def each(table: Table) -> None:
        shown = table.view().table
        assert {"dice": shown.dice, "bag": shown.bag} == counted
        for event in table.log[-1].events:
            for field in ("count", "left"):
                if not isinstance(event, DiceRevealed):
                    assert getattr(event, field, None) is None
        for seat in range(3):
            hand: Any = table.view(seat).hand
            assert len(hand.dice) in (table.state.dice[seat], 0)

    play_random(table, Random(3), weigh=talkative, each=each)


def test_hidden_counts_leave_bids_open_up_to_the_dice_at_the_start() -> None:
    few, many = (
        round_with(*hands, options={"show_dice_counts": False}, bids=["2x4"])
        for hands in (((2,), (3, 4), (4,)), (FIVE, (3, 4), FIVE))
    )
    assert few.views.offers(1) == many.views.offers(1)
    assert verdicts(few, 1, bid("15x6"), bid("16x6")) == ["legal", "quantity_out_of_range"]
    few.when(1, bid("15x6")).then(BidPlaced(seat=1, quantity=15, face=6))


def test_options_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(Rejected, match="calza_min_dice_fraction") as refused:
        Table.open("perudo", 3, {"show_dice_counts": False, "calza_min_dice_fraction": 0.5})
    assert refused.value.code == "bad_options"


# Presets


def test_presets_are_what_the_rules_say() -> None:
    def agreed(preset: str) -> dict[str, Any]:
        options = Table.open("perudo", 3, {"preset": preset}).view().table.options
        defaults = Table.open("perudo", 3).view().table.options
        return {name: value for name, value in options.items() if value != defaults[name]}

    assert agreed("pressman_2008") == {}
    assert agreed("pressman_2008_calza") == {"calza": True}
    assert agreed("asmodee") == {
        "start_rule": "random",
        "raise_style": "one_thing",
        "palafico_exempt": "nobody",
        "palafico_two_players": True,
    }
    assert agreed("dudo") == {
        "palafico_exempt": "nobody",
        "calza": True,
        "calza_success_effect": "bidder_loses",
    }


def test_a_preset_stands_for_its_options_plus_what_differs() -> None:
    table = Table.open("perudo", 3, {"preset": "asmodee", "calza": True, "start_rule": "seat_0"})
    options = table.view().table.options
    assert (options["raise_style"], options["calza"], options["start_rule"]) == ("one_thing", True, "seat_0")
    with pytest.raises(Rejected, match="no preset"):
        Table.open("perudo", 3, {"preset": "pressman"})
    with pytest.raises(Rejected, match="bad_options"):
        Table.open("perudo", 3, {"calsa": True})
