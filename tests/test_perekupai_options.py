"""Perekupai's house rules one by one (perekupai.md §16)."""

from typing import Any

import pytest

from fairdeal.games.perekupai import (
    Buy,
    BuyersReshuffled,
    CardsDrawn,
    CarSold,
    Discard,
    EndTurn,
    FirstSeatDrawn,
    Inspect,
    Options,
    Pass,
    PlayScam,
    StartBuy,
    StartSale,
    TurnStarted,
    WindowOpened,
    Work,
)
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from support.perekupai import SETS, passes, play, say, scene

DEFAULTS = {
    "target": 5000,
    "target_5_6_agreed": False,
    "start_money": 1000,
    "start_hand": 4,
    "actions_per_turn": 2,
    "hand_limit": 6,
    "car_limit": 2,
    "permanent_limit": 3,
    "inspect_count": 3,
    "market_size": 5,
    "buyer_count": 3,
    "first_seat": "random",
    "window_mode": "always",
    "stalemate": "general",
    "last_car": "market_empty",
    "hand_overflow": "discard_down",
    "unsold_cars": "purchase_price",
    "price_floor": 0,
    "end_early": True,
    "reactions": True,
    "show_unnoticed": False,
}


def test_the_defaults_are_the_rules_file_s() -> None:
    table = Table.open("perekupai", 2, dealer=1)
    options = dict(table.view().table.options)
    assert options.pop("deck") == "house"
    assert len(options.pop("deck_sha256")) == 64
    assert options.pop("cash_claims") == []
    assert options == DEFAULTS


def test_the_option_sets_have_every_option_off_its_default() -> None:
    changed = {name for options in SETS.values() for name in options}
    assert changed == DEFAULTS.keys()
    assert {*DEFAULTS, "deck", "deck_sha256", "cash_claims"} == set(Options.__struct_fields__)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"target": 4999}, "target"),
        ({"start_money": 5000}, "start_money"),
        ({"start_money": 4000, "target_5_6_agreed": True}, "start_money"),
        ({"start_hand": 7}, "start_hand"),
        ({"buyer_count": 21}, "buyer_count"),
        ({"buyer_count": 0}, "buyer_count"),
        ({"first_seat": "richest_claim"}, "cash_claims"),
        ({"first_seat": "richest_claim", "cash_claims": [1, 2]}, "cash_claims"),
        ({"cash_claims": [1, 2, 3, 4, 5]}, "cash_claims"),
        ({"window_mode": "never"}, "window_mode"),
        ({"deck_sha256": "0"}, "deck_sha256"),
        ({"deck": "../house"}, "deck"),
        ({"price_floor": -50}, "price_floor"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], path: str) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("perekupai", 5, options)
    assert refused.value.code == "bad_options"
    assert refused.value.details == {"path": f"$.action.options.{path}"}


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_play(seats: int) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("perekupai", seats)
    assert refused.value.code == "bad_players"


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_number_of_seats_is_dealt(seats: int) -> None:
    view = Table.open("perekupai", seats, dealer=seats).view().table
    assert view.hands == [4] * seats
    assert view.bank == 44000 - 1000 * seats
    assert len({dealer.id for dealer in view.dealers}) == seats


def test_target_ends_the_game() -> None:
    scenario = scene("", "", options={"target": 1150}, draws=["A20"])
    say(scenario, (0, Work()))
    assert scenario.view().table.trigger is not None


def test_start_money_start_hand_market_and_buyers() -> None:
    options = {"start_money": 500, "start_hand": 2, "market_size": 3, "buyer_count": 2}
    view = Table.open("perekupai", 2, options, dealer=1).view().table
    assert (view.cash, view.bank, view.hands) == ([500, 500], 43000, [2, 2])
    assert (len(view.market), len(view.buyers)) == (3, 2)


def test_actions_per_turn() -> None:
    scenario = scene("", "", options={"actions_per_turn": 1}, actions=1, draws=["A20", "A21"])
    say(scenario, (0, Work()))
    assert scenario.happened(TurnStarted) == TurnStarted(seat=1, turn=10, actions=1)


def test_hand_limit() -> None:
    scenario = scene("A01 A02", "", options={"hand_limit": 2, "start_hand": 0}, draws=["A20"])
    say(scenario, (0, Work()))
    assert scenario.view(0).offer(Discard).count == 1


def test_car_limit() -> None:
    scenario = scene("", "", cars={0: ["C06"]}, options={"car_limit": 1})
    say(scenario, (0, StartBuy()))
    scenario.when(0, Buy(0)).refused("car_limit")


def test_permanent_limit() -> None:
    scenario = scene("A01 A03", "", options={"permanent_limit": 1})
    say(scenario, (0, PlayScam("h1")))
    scenario.when(0, PlayScam("h2")).refused("permanent_limit")
    none = scene("A01", "", options={"permanent_limit": 0})
    none.when(0, PlayScam("h1")).refused("permanent_limit")


def test_inspect_count() -> None:
    scenario = scene("", "", options={"inspect_count": 1})
    say(scenario, (0, StartBuy()), (0, Inspect(0)))
    scenario.when(0, Inspect(1)).refused("inspect_limit")


def first_seat(options: dict[str, Any], *draws: Any) -> tuple[int, list[Any]]:
    """Who begins a game of three, and what was drawn for it."""
    market, buyers = ["C05", "C10", "C20", "C30", "C40"], ["B01", "B07", "B15"]
    cards = [f"A{n:02}" for n in range(1, 13)]
    dealer = Scripted([*market, *buyers, "D1", "D2", "D3", *cards, *draws])
    table = Table.open("perekupai", 3, options, dealer)
    assert dealer.left == 0
    drawn = [event.seat for event in table.log[0].events if isinstance(event, FirstSeatDrawn)]
    (turn,) = table.view().to_act
    return turn, drawn


def test_first_seat_by_lot_by_the_host_or_by_the_richest_claim() -> None:
    assert first_seat({}, 2) == (2, [2])
    assert first_seat({"first_seat": "host"}) == (0, [])
    assert first_seat({"first_seat": "richest_claim", "cash_claims": [5, 20, 10]}, 1) == (1, [1])
    assert first_seat({"first_seat": "richest_claim", "cash_claims": [20, 5, 20]}, 2) == (2, [2])


def test_windows_only_for_who_could_play() -> None:
    options = {"window_mode": "only_if_playable"}
    scenario = scene(
        "A10",
        "A07",
        "A08 A01",
        cars={0: ["C01 S01"]},
        buyers="B01 B02 B07",
        options=options,
        draws=[5, 5, "B03", "A20", "A21"],
    )
    say(scenario, (0, StartSale("c1", "b1")))
    opened = [event for event in scenario.events if isinstance(event, WindowOpened)]
    assert [(event.window, event.asked) for event in opened] == [("sale_open", None), ("att_window", 1)]
    say(scenario, (1, play("h1")))
    # Nobody could answer, and nobody else could play on the roll.
    opened = [event for event in scenario.events if isinstance(event, WindowOpened)]
    assert [(event.window, event.asked) for event in opened] == [
        ("react", None),
        ("att_window", None),
        ("hag_window", 2),
    ]
    say(scenario, (2, Pass()))
    assert scenario.happened(CarSold).draws == 2


def test_stalemate_general_looks_at_every_level() -> None:
    """Buyers of level 3 and cars of level 1 alone: the seed says nothing, the house reveals anew."""
    position: dict[str, Any] = {"market": "C01 C02 C05 C10 C06", "buyers": "B15 B16 B17"}
    say(scene("", "", **position, draws=["B15", "B16", "B17", "B15", "B16", "B01"]), (0, EndTurn()))
    strict = scene("", "", **position, options={"stalemate": "seed_only"})
    say(strict, (0, EndTurn()))
    assert BuyersReshuffled not in map(type, strict.events)


def test_stalemate_general_reveals_until_one_takes_a_car_in_play() -> None:
    scenario = scene(
        "",
        "",
        market="C33 C34 C35 C36 C37",
        buyers="B01 B02 B03",
        draws=["B01", "B02", "B07", "B04", "B05", "B15"],
    )
    say(scenario, (0, EndTurn()))
    assert [type(event) for event in scenario.events].count(BuyersReshuffled) == 2


def test_stalemate_with_no_car_in_play_reveals_once_and_goes_on() -> None:
    others = [f"C{n:02}" for n in range(1, 49)]
    scenario = scene("", "", market="- - - - -", gone=others, draws=["B01", "B02", "B03"])
    say(scenario, (0, EndTurn()))
    assert [type(event) for event in scenario.events].count(BuyersReshuffled) == 1


def test_stop_drawing_at_the_hand_limit() -> None:
    options = {"hand_overflow": "stop_drawing"}
    scenario = scene("A11 A01 A02 A03 A04 A05", "", options=options, draws=["A20"])
    say(scenario, (0, play("h1")), (1, Pass()))
    assert scenario.happened(CardsDrawn).count == 1
    assert scenario.view().phase == "gap"
    say(scenario, (0, Work()))
    assert CardsDrawn not in map(type, scenario.events)


def test_unsold_cars_may_count_nothing() -> None:
    scenario = scene(
        "", "", cars={0: ["C17"]}, cash={1: 4900}, options={"unsold_cars": "nothing"}, draws=["A20"]
    )
    say(scenario, (0, EndTurn()), (1, Work()), (1, EndTurn()), (0, EndTurn()), (1, EndTurn()))
    assert scenario.view().outcome.scores == (1000, 5050)


def test_price_floor() -> None:
    scenario = scene(
        "",
        "",
        cars={0: ["C04 S11 S11"]},
        buyers="B01 B02 B07",
        options={"price_floor": 100},
        draws=[1, 1, 1, "B03", "A20"],
    )
    say(scenario, (0, StartSale("c1", "b1")), *passes(*[0, 1] * 5))
    price = scenario.happened(CarSold).price
    assert (price.defects, price.final) == (-1000, 100)


def test_every_action_may_have_to_be_used() -> None:
    scenario = scene("", "", options={"end_early": False}, draws=["A20", "A21"])
    scenario.when(0, EndTurn()).refused("actions_left")
    say(scenario, (0, Work()), (0, Work()))
    assert scenario.view().to_act == (1,)


def test_a_friendly_game_has_no_reactions_and_asks_the_seller_alone() -> None:
    options = {"reactions": False}
    scenario = scene(
        "A01 A10",
        "A02 A18",
        cars={0: ["C01 S01"]},
        buyers="B01 B02 B07",
        options=options,
        draws=[1, 5, "B03", "A20", "A21"],
    )
    say(scenario, (0, play("h2", 1)))
    assert scenario.view().phase == "gap"
    assert scenario.view().table.cash == [1150, 850]
    say(scenario, (0, StartSale("c1", "b1")), (0, Pass()), (0, play("h1")))
    assert scenario.view().phase == "att_window"
    assert scenario.view().to_act == (0,)
    say(scenario, (0, Pass()), (0, Pass()), (0, Pass()))
    assert scenario.happened(CarSold).draws == 2


@pytest.mark.parametrize("shown", [False, True])
def test_unnoticed_surprises_may_be_shown(shown: bool) -> None:
    scenario = scene(
        "",
        "",
        cars={0: ["C01 S01"]},
        buyers="B01 B02 B07",
        options={"show_unnoticed": shown},
        draws=[5, 5, "B03", "A20", "A21"],
    )
    say(scenario, (0, StartSale("c1", "b1")), *passes(*[0, 1] * 4))
    sold = scenario.happened(CarSold)
    assert (sold.unnoticed is not None) == shown
    view = scenario.view().table
    assert (view.used_surprises, view.used_surprises_unseen) == (({"S01": 1}, 0) if shown else ({}, 1))
