"""What Perekupai's cards do: each effect by the house's card that has it, and cards composed by data alone (§12)."""

from typing import Any

import pytest

from fairdeal.games.perekupai import (
    AcquisitionCancelled,
    AcquisitionPlayed,
    AcquisitionResolved,
    Buy,
    BuyerRevealed,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CardStolen,
    CarSold,
    CashChanged,
    Choose,
    DeclineBuy,
    DieRolled,
    Discard,
    EffectApplied,
    EndTriggered,
    EndTurn,
    Inspect,
    MarketCycled,
    MarketRefilled,
    ModDestroyed,
    Pass,
    PlayScam,
    Repair,
    RollModified,
    Scrap,
    StartBuy,
    StartSale,
    SurpriseRevealed,
    SurprisesPeeked,
    SurprisesRepaired,
    TurnEnded,
    WindowOpened,
    Work,
    Worked,
)
from fairdeal.visibility import redact
from support.perekupai import card, kinds, passes, play, say, scene, shelved
from support.scenario import Scenario

SOLD = ["B03", "A20", "A21", "A13", "A14"]
"""What is drawn after a sale: a buyer, then cards."""


def in_window(
    *hands: str, phase: str, car: str = "C01 S01", dice: tuple[int, ...] = (5, 5, 5), **more: Any
) -> Scenario:
    """A sale of seat 0 to Delfina (attentiveness 2, haggling 4) that has come to this window, nobody having played."""
    position = {"cars": {0: [car]}, "buyers": "B01 B02 B07", "draws": (*dice, *SOLD), **more}
    scenario = scene(*hands, **position)
    say(scenario, (0, StartSale("c1", "b1")))
    seats = range(len(hands))
    while scenario.view().phase != phase:
        say(scenario, *passes(*seats))
    return scenario


def finish(scenario: Scenario) -> CarSold:
    """Let everybody pass until the car is sold."""
    while True:
        say(scenario, (scenario.view().to_act[0], Pass()))
        sold = [event for event in scenario.events if isinstance(event, CarSold)]
        if sold:
            return sold[0]


# Rolls


def test_mod_roll_adds_to_the_own_test_and_any_number_may_be_played() -> None:
    scenario = in_window("A01 A01 A05", "", phase="att_window", dice=(1, 5))
    scenario.when(0, play("h3")).refused("wrong_timing")
    say(scenario, (0, play("h1")), (1, Pass()), (0, play("h2")), (1, Pass()))
    assert scenario.view().table.sale.rolled.total == 3
    assert finish(scenario).draws == 2


def test_mod_roll_of_an_opponent_takes_away_and_a_total_may_leave_the_die() -> None:
    scenario = in_window("", "A07 A07", phase="att_window", dice=(1, 5))
    say(scenario, (0, Pass()), (1, play("h1")), (0, Pass()), (0, Pass()), (1, play("h2")), (0, Pass()))
    assert scenario.view().table.sale.rolled.total == -3
    assert finish(scenario).price.defects == -200


def test_an_own_card_is_not_for_an_opponents_roll_nor_the_other_way_round() -> None:
    scenario = in_window("A07", "A01", phase="att_window")
    scenario.when(0, play("h1")).refused("wrong_timing")
    say(scenario, (0, Pass()))
    scenario.when(1, play("h1")).refused("wrong_timing")


def test_mod_roll_for_haggling() -> None:
    scenario = in_window("A05", "A08", phase="hag_window", car="C06", dice=(3,))
    say(scenario, (0, play("h1")), (1, Pass()))
    assert scenario.view().table.sale.rolled.total == 5
    say(scenario, (0, Pass()), (1, play("h1")), (0, Pass()))
    assert scenario.view().table.sale.rolled.total == 2
    assert finish(scenario).price.haggle == -50


def test_reroll_replaces_the_die_and_keeps_what_was_added() -> None:
    scenario = in_window("A01 A06", "", phase="att_window", dice=(1, 8, 5), dealers={0: "D1"})
    say(scenario, (0, play("h1")), (1, Pass()), (0, play("h2")), (1, Pass()))
    rolled = scenario.happened(DieRolled)
    assert (rolled.die, rolled.bonus, rolled.deltas, rolled.total, rolled.surprise) == (8, 1, 1, 10, "s1")


# A sale


def test_reveal_needs_an_untested_hidden_surprise() -> None:
    scenario = in_window("", "A02", phase="sale_open", car="C06")
    say(scenario, (0, Pass()))
    scenario.when(1, play("h1")).refused("no_effect")


def test_skip_test_hides_a_surprise_from_the_test_and_it_counts_as_unnoticed() -> None:
    scenario = in_window("A15", "A02", phase="sale_open", car="C02 S01 S02", dice=(5,))
    scenario.when(0, play("h1")).refused("bad_target")
    scenario.when(0, play("h1", ("s1", "s2"))).refused("bad_target")
    scenario.when(0, play("h1", "s9")).refused("bad_target")
    say(scenario, (0, play("h1", "s2")), (1, Pass()), (0, Pass()), (1, play("h1")), (0, Pass()))
    # What is skipped is decided: the informer can be shown the other one only.
    assert scenario.view(0).offer(Choose).cards == ("s1",)
    say(scenario, (0, Choose(("s1",))), *passes(0, 1))
    assert scenario.happened(DieRolled).test == "haggling"
    sold = finish(scenario)
    assert (sold.draws, sold.price.defects) == (2, -200)


def test_dismiss_buyer_outside_a_sale() -> None:
    scenario = scene("A14", "", draws=["B02"])
    scenario.when(0, play("h1", "b9")).refused("bad_target")
    say(scenario, (0, play("h1", "b3")), (1, Pass()))
    assert scenario.happened(BuyerRevealed).slot == 2
    assert scenario.view().table.used_buyers == ["Advokatas Gintaras"]
    assert scenario.view().phase == "gap"


def test_atmust_pirkeja_is_for_an_opponents_sale_before_the_tests() -> None:
    scenario = in_window("", "A03", phase="att_window")
    say(scenario, (0, Pass()))
    scenario.when(1, play("h1")).refused("wrong_timing")


def test_bachuriukas_breaks_any_opponents_modification_in_the_own_turn() -> None:
    scenario = scene("A04", "", "", cars={0: ["C01 A02"], 1: ["C02 S13"], 2: ["C05 A06 A08"]})
    assert scenario.view(0).offers[-2].cards["h1"][0].groups == (("s1", "m2", "m3"),)
    scenario.when(0, play("h1", "m1")).refused("bad_target")
    say(scenario, (0, play("h1", "m3")), *passes(1, 2))
    assert scenario.happened(ModDestroyed).owner == 2


def test_bachuriukas_breaks_a_modification_of_the_car_on_sale_in_a_sale() -> None:
    hands = ("", "A04", "")
    scenario = in_window(*hands, phase="sale_open", dice=(5, 5), cars={0: ["C01 S01 A02"], 2: ["C05 A06"]})
    say(scenario, (0, Pass()))
    scenario.when(1, play("h1", "m2")).refused("bad_target")
    say(scenario, (1, play("h1", "m1")), *passes(2, 0))
    assert finish(scenario).price.scam_mods == 0


def test_price_delta_up_and_down() -> None:
    scenario = in_window("A22", "A19", phase="final_window", car="C06", dice=(5,))
    say(scenario, (0, play("h1")), (1, Pass()), (0, Pass()), (1, play("h1")), (0, Pass()))
    price = finish(scenario).price
    assert (price.deltas, price.final) == (50, 550 + 50 + 50)


def test_a_price_is_never_below_the_floor() -> None:
    worst = "C04 S11 S11"
    scenario = in_window("", "A19 A19", phase="att_window", car=worst, dice=(1, 1, 1))
    price = finish(scenario).price
    assert (price.defects, price.final) == (-1000, 0)
    assert scenario.view().table.cash == [1000, 1000]
    assert CashChanged not in map(type, scenario.events)


# The own turn


def test_take_money_takes_no_more_than_there_is() -> None:
    scenario = scene("A10 A10", "", "", cash={1: 100, 2: 0})
    scenario.when(0, play("h1", 2)).refused("bad_target")
    scenario.when(0, play("h1", 0)).refused("bad_target")
    say(scenario, (0, play("h1", 1)), *passes(1, 2))
    assert scenario.view().table.cash == [1100, 0, 0]
    scenario.when(0, play("h2", 1)).refused("no_effect")


def test_draw_and_the_hand_limit() -> None:
    scenario = scene("A11 A01 A02 A03 A04 A05", "", draws=["A06", "A07"])
    say(scenario, (0, play("h1")), (1, Pass()))
    assert scenario.view().phase == "discard_down"
    assert scenario.view(0).offer(Discard).count == 1
    say(scenario, (0, Discard(("h8",))))
    assert kinds(scenario) == ["CardsDiscarded", "AcquisitionResolved"]


def test_steal_card_goes_by_chance_and_only_the_two_know_it() -> None:
    scenario = scene("A12 A01", "A05 A09 A05", "", draws=["A05"])
    scenario.when(0, play("h1", 2)).refused("bad_target")
    say(scenario, (0, play("h1", 1)), *passes(1, 2))
    stolen = scenario.happened(CardStolen)
    assert stolen.lost == "h1"
    assert (stolen.card.id, stolen.card.card.id) == ("h3", "A05")
    assert [held.id for held in scenario.view(1).hand.cards] == ["h2", "h3"]
    assert [held.card.id for held in scenario.view(0).hand.cards] == ["A01", "A05"]
    for viewer, seen in ((0, (True, False, True)), (1, (True, True, False)), (2, (False,) * 3)):
        shown = redact(stolen, viewer)
        assert tuple(field is not None for field in (shown.drawn, shown.lost, shown.card)) == seen


def test_discard_cards_lets_each_opponent_choose_in_turn() -> None:
    scenario = scene("A20", "A01 A02", "", "A03")
    say(scenario, (0, play("h1")), *passes(1, 2, 3))
    assert (scenario.view().phase, scenario.view().to_act) == ("pick", (1,))
    scenario.when(3, Choose(("h1",))).refused("not_your_turn")
    scenario.when(1, Choose(("h1", "h2"))).refused("wrong_count")
    scenario.when(1, Choose(("h3",))).refused("not_offered")
    say(scenario, (1, Choose(("h2",))))
    assert scenario.happened(CardsDiscarded).cards[0].acquisition.name == "Stukačius"
    assert scenario.view().to_act == (3,)
    say(scenario, (3, Choose(("h1",))))
    assert scenario.view().phase == "gap"
    assert scenario.view().table.used_cards == {"A02": 1, "A03": 1, "A20": 1}


def test_free_repair_costs_nothing_and_brings_no_card() -> None:
    scenario = scene("A09", "", cars={0: ["C02 S01 S02"]})
    say(scenario, (0, play("h1", "s2")), (1, Pass()))
    view = scenario.view().table
    assert (view.cash[0], view.hands[0], view.cars[0][0].hidden) == (1000, 0, ["s1"])
    assert view.used_surprises == {"S02": 1}
    assert view.actions_left == 2


def test_peek_shows_all_hidden_surprises_of_a_car_to_one_seat() -> None:
    scenario = scene("A16 A16", "", "", cars={1: ["C02 S01 S02", "C06"], 2: ["C01 S13"]})
    scenario.when(0, play("h1", "c2")).refused("bad_target")
    say(scenario, (0, play("h1", "c1")), *passes(1, 2))
    assert scenario.happened(SurprisesPeeked).count == 2
    assert {s.kind for s in scenario.view(0).hand.surprises.values()} == {"S01", "S02"}
    assert scenario.view(2).hand.surprises == {}
    assert all(value is None for value in [redact(scenario.happened(SurprisesPeeked), 1).surprises])


def test_what_was_peeked_at_is_forgotten_when_it_is_gone() -> None:
    scenario = scene("A16", "", cars={1: ["C02 S01 S02"]}, draws=["A20"])
    say(scenario, (0, play("h1", "c1")), (1, Pass()), (0, EndTurn()), (1, Repair("c1", ("s1",))))
    assert set(scenario.view(0).hand.surprises) == {"s2"}
    say(scenario, (1, Scrap("c1")))
    assert scenario.view(0).hand.surprises == {}


def test_cycle_market_puts_cars_under_the_deck_and_they_come_back_last() -> None:
    shown = ["C05", "C10", "C20", "C30", "C40"]
    others = [f"C{n:02}" for n in range(1, 49) if f"C{n:02}" not in shown]
    scenario = scene("A13 A09", "", gone=others[1:], draws=[others[0]])
    first = len(others)  # the market's first car after all that came and went
    cars = [car.id for car in scenario.view().table.market]
    assert cars[0] == f"c{first}"
    say(scenario, (0, StartBuy()), (0, Inspect(0)), (0, DeclineBuy()))
    scenario.when(0, play("h1", (cars[0], cars[0]))).refused("bad_target")
    scenario.when(0, play("h1", tuple(cars[:3]))).refused("bad_target")
    say(scenario, (0, play("h1", (cars[2], cars[0]))), (1, Pass()))
    assert scenario.happened(MarketCycled).cars == (cars[2], cars[0])
    refilled = [event for event in scenario.events if isinstance(event, MarketRefilled)]
    # One car was left in the deck, then the first that was put under it comes back.
    assert [(event.slot, event.drawn) for event in refilled] == [(0, others[0]), (2, None)]
    assert refilled[1].car.id == cars[2]
    assert scenario.view().table.car_deck == 1
    # Who looked at the car that lies under the deck still knows it.
    assert set(scenario.view(0).hand.techs) == {cars[0]}


def test_cycle_market_needs_a_card_in_the_deck() -> None:
    shown = ["C05", "C10", "C20", "C30", "C40"]
    others = [f"C{n:02}" for n in range(1, 49) if f"C{n:02}" not in shown]
    scenario = scene("A13", "", gone=others)
    scenario.when(0, play("h1", scenario.view().table.market[0].id)).refused("no_effect")


def test_purchase_discount_once_lasts_for_this_action() -> None:
    scenario = scene("A17 A17", "", market="C06 C10 C20 C30 C40", draws=["C01", "S01"], cash={0: 500})
    scenario.when(0, play("h1")).refused("wrong_timing")
    say(scenario, (0, StartBuy()), (0, play("h1")), (1, Pass()))
    assert scenario.view(0).offer(Buy).prices == {0: 250, 1: 350}
    say(scenario, (0, play("h2")), (1, Pass()), (0, Buy(0)))
    assert scenario.happened(CarBought).price == 100
    say(scenario, (0, StartBuy()))
    assert scenario.view(0).offer(Buy) is None


def test_extra_action_once_a_turn() -> None:
    scenario = scene("A21 A21", "", draws=["A01", "A02", "A03"])
    say(scenario, (0, play("h1")), (1, Pass()))
    scenario.when(0, play("h2")).refused("no_effect")
    say(scenario, (0, Work()), (0, Work()))
    assert scenario.view().table.turn == 0
    say(scenario, (0, Work()))
    assert TurnEnded(seat=0) in scenario.events
    assert scenario.view().table.actions_done == 0


# Cancelling


def test_cancel_makes_an_acquisition_do_nothing() -> None:
    scenario = scene("A10", "A18", "")
    say(scenario, (0, play("h1", 1)), (1, play("h1")), *passes(2, 0))
    assert kinds(scenario) == [
        "Passed",
        "EffectApplied",
        "AcquisitionCancelled",
        "AcquisitionResolved",
    ]
    assert scenario.view().table.cash == [1000, 1000, 1000]
    assert scenario.view().table.used_cards == {"A10": 1, "A18": 1}
    assert scenario.view().phase == "gap"


def test_a_cancel_can_be_cancelled_and_the_first_may_then_be_cancelled_again() -> None:
    scenario = scene("A10 A18", "A18", "A18")
    say(scenario, (0, play("h1", 1)), (1, play("h1")))
    assert scenario.view().to_act == (2,)
    say(scenario, (2, Pass()), (0, play("h2")), *passes(1, 2))
    # The cancel is gone, the money is still to be taken: those who may answer that are asked anew.
    assert AcquisitionCancelled(played="p2") in scenario.events
    assert [played.id for played in scenario.view().table.stack] == ["p1"]
    assert scenario.view().to_act == (1,)
    say(scenario, (1, Pass()), (2, play("h1")), *passes(0, 1))
    assert scenario.view().table.cash == [1000, 1000, 1000]
    assert scenario.view().table.used_cards == {"A10": 1, "A18": 3}


def test_a_cancelled_cancel_lets_the_card_do_what_it_does() -> None:
    scenario = scene("A10 A18", "A18")
    say(scenario, (0, play("h1", 1)), (1, play("h1")), (0, play("h2")), (1, Pass()))
    assert scenario.view().phase == "react"
    say(scenario, (1, Pass()))
    assert scenario.view().table.cash == [1150, 850]


def test_nobody_answers_the_own_card_and_a_cancel_is_for_answers_alone() -> None:
    scenario = scene("A10 A18", "A18")
    scenario.when(0, play("h2")).refused("wrong_timing")
    say(scenario, (0, play("h1", 1)))
    scenario.when(0, play("h2")).refused("not_your_turn")


def test_a_target_that_is_gone_when_the_card_resolves_makes_it_do_nothing() -> None:
    """The one card that was to be stolen was played in answer, in vain."""
    scenario = scene("A12 A18", "A18")
    say(scenario, (0, play("h1", 1)), (1, play("h1")), (0, play("h2")), *passes(1, 1))
    assert EffectApplied(played="p1", op="steal_card", done=False) in scenario.events
    assert AcquisitionResolved(played="p1") in scenario.events


# Windows


def test_every_seat_is_asked_in_every_window_from_the_seller_on() -> None:
    scenario = scene("", "", "", cars={1: ["C01 S01"]}, turn=1, buyers="B01 B02 B07", draws=[5, 5, *SOLD])
    say(scenario, (1, StartSale("c1", "b1")))
    asked = []
    while scenario.view().phase != "gap":
        asked.append((scenario.view().phase, scenario.view().to_act[0]))
        say(scenario, (asked[-1][1], Pass()))
    windows = ("sale_open", "att_window", "hag_window", "final_window")
    assert asked == [(window, seat) for window in windows for seat in (1, 2, 0)]


def test_after_a_card_all_seats_are_asked_again() -> None:
    scenario = in_window("", "", "A07", phase="att_window")
    say(scenario, *passes(0, 1), (2, play("h1")), *passes(0, 1))
    assert scenario.events[-1] == WindowOpened(window="att_window", asked=0)
    say(scenario, *passes(0, 1, 2))
    assert scenario.view().phase == "hag_window"


def test_a_window_is_closed_to_seats_that_are_not_asked() -> None:
    scenario = in_window("A01", "A07", phase="att_window")
    scenario.when(1, Pass()).refused("not_your_turn")
    scenario.when(1, play("h1")).refused("not_your_turn")
    scenario.when(0, EndTurn()).refused("wrong_phase")
    scenario.when(0, PlayScam("h1")).refused("wrong_phase")


def test_scams_and_own_turn_cards_are_for_before_an_action_alone() -> None:
    scenario = scene("A10 A01", "", draws=["A05", "A06"])
    say(scenario, (0, Work()), (0, play("h1", 1)), (1, Pass()), (0, PlayScam("h2")))
    say(scenario, (0, Work()))
    assert TurnEnded(seat=0) in scenario.events, "nothing of this kind comes after the last action"


# Standing effects


def test_roll_bonus_is_for_the_own_tests_of_its_kind() -> None:
    scenario = in_window(
        "",
        "",
        phase="hag_window",
        car="C06",
        dice=(1,),
        dealers={0: "D2", 1: "D1"},
        permanents={0: "A05 A15"},
    )
    rolled = scenario.view().table.sale.rolled
    assert (rolled.bonus, rolled.total) == (3, 4)
    assert finish(scenario).price.haggle == 50


def test_repair_discounts_add_up_and_never_go_below_nothing() -> None:
    scenario = scene(
        "", "", cars={0: ["C02 S02 S09"]}, dealers={0: "D3"}, permanents={0: "A09"}, draws=["A20", "A21"]
    )
    say(scenario, (0, Repair("c1", ("s1", "s2"))))
    assert scenario.happened(SurprisesRepaired).cost == (200 - 100) + 0


def test_loader_bonuses_add_up() -> None:
    scenario = scene("", "", dealers={0: "D4"}, permanents={0: "A07"}, draws=["A20"])
    say(scenario, (0, Work()))
    assert scenario.happened(Worked).amount == 250


def test_sale_draw_bonus() -> None:
    scenario = in_window("", "", phase="final_window", car="C06", dice=(5,), permanents={0: "A11"})
    assert finish(scenario).draws == 2


def test_inspect_limits_do_not_add_up() -> None:
    scenario = scene(
        "",
        "",
        dealers={0: "D5"},
        permanents={0: "A13"},
        options={"market_size": 7},
        market="C05 C10 C20 C30 C40 C01 C02",
    )
    say(scenario, (0, StartBuy()), *((0, Inspect(slot)) for slot in range(5)))
    scenario.when(0, Inspect(5)).refused("inspect_limit")


def test_purchase_discounts_add_up_and_never_go_below_nothing() -> None:
    scenario = scene(
        "A17 A17",
        "",
        dealers={0: "D6"},
        permanents={0: "A17"},
        market="C03 C10 C20 C30 C40",
        draws=["C01", "S01", "S01", "S01"],
    )
    say(scenario, (0, StartBuy()))
    assert scenario.view(0).offer(Buy).prices[0] == 200
    say(scenario, (0, play("h1")), (1, Pass()), (0, play("h2")), (1, Pass()), (0, Buy(0)))
    assert scenario.happened(CarBought).price == 0
    assert CashChanged not in map(type, scenario.events)


def test_scrap_bonus() -> None:
    scenario = scene("", "", cars={0: ["C24"]}, permanents={0: "A19"})
    say(scenario, (0, Scrap("c1")))
    assert scenario.view().table.cash[0] == 1000 + 500 + 100


def test_end_bonuses_count_at_the_end_alone_and_only_of_permanents_in_play() -> None:
    scenario = scene("A21", "", cash={0: 4850}, permanents={0: "A01 A03"}, draws=["A20"])
    say(
        scenario,
        (0, Work()),
        (0, PlayScam("h1", replace="m1")),
        *[(seat, EndTurn()) for seat in (0, 1, 0, 1)],
    )
    assert scenario.view().table.scores[0].end_bonus == 400 + 200


# Cards composed by data


DRAW = {"op": "draw", "count": 1}
TAKE = {"op": "take_money", "amount": 100}
STEAL = {"op": "steal_card", "count": 1}


def test_a_new_card_of_known_effects_is_data_alone() -> None:
    deck = shelved(
        "composed", card=[card("X1", "own_turn", TAKE, DRAW, STEAL), card("A20", "own_turn", DRAW, copies=9)]
    )
    scenario = scene("X1 A20", "A20", "", deck=deck, draws=["A20", "A20"])
    (steal_from, take_from) = (1, 2)
    scenario.when(0, play("h1", take_from)).refused("bad_target")
    scenario.when(0, play("h1", steal_from, take_from)).refused("bad_target")
    say(scenario, (0, play("h1", take_from, steal_from)), *passes(1, 2))
    applied = [event.op for event in scenario.events if isinstance(event, EffectApplied)]
    assert applied == ["take_money", "draw", "steal_card"]
    assert scenario.view().table.cash == [1100, 1000, 900]
    assert scenario.view().table.hands == [3, 0, 0]


def test_an_effect_that_can_do_nothing_takes_no_target_and_the_others_work() -> None:
    deck = shelved(
        "composed_2", card=[card("X1", "own_turn", TAKE, DRAW), card("A20", "own_turn", DRAW, copies=9)]
    )
    scenario = scene("X1", "", deck=deck, cash={1: 0}, draws=["A20"])
    scenario.when(0, play("h1", 1)).refused("bad_target")
    say(scenario, (0, play("h1")), (1, Pass()))
    assert [e.done for e in scenario.events if isinstance(e, EffectApplied)] == [False, True]
    assert scenario.view().table.hands == [1, 0]


def test_a_reaction_may_do_more_than_cancel_and_money_of_a_seat_out_of_turn_ends_the_game() -> None:
    deck = shelved(
        "reacting",
        card=[
            card("X1", "react", {"op": "cancel_acquisition"}, TAKE),
            card("A20", "own_turn", DRAW, copies=9),
        ],
    )
    scenario = scene("A20 A20", "X1", deck=deck, cash={1: 4900})
    say(scenario, (0, play("h1")), (1, play("h1", 0)), (0, Pass()))
    assert kinds(scenario) == [
        "Passed",
        "EffectApplied",
        "AcquisitionCancelled",
        "EffectApplied",
        "CashChanged",
        "CashChanged",
        "EndTriggered",
        "AcquisitionResolved",
    ]
    assert scenario.happened(EndTriggered).seat == 1


def test_the_end_is_announced_when_nobody_has_to_discard_any_more() -> None:
    """perekupai.md §19: 7. discarding, 8. the end."""
    scenario = scene("A01 A02 A03 A04 A05 A06", "", cash={0: 4900}, draws=["A20"])
    say(scenario, (0, Work()))
    assert EndTriggered not in map(type, scenario.events)
    say(scenario, (0, Discard(("h1",))))
    assert kinds(scenario) == ["CardsDiscarded", "EndTriggered"]


def test_an_opponents_reveal_in_the_middle_of_tests_leaves_the_tested_one_alone() -> None:
    reveal = {"op": "reveal_surprise", "count": 2, "chooser": "seller"}
    deck = shelved(
        "nosy", card=[card("X1", "opp_attentiveness", reveal), card("A20", "own_turn", DRAW, copies=9)]
    )
    scenario = in_window("", "X1", phase="att_window", car="C03 S01 S02 S03", deck=deck, dice=(9, 9))
    say(scenario, (0, Pass()), (1, play("h1")), (0, Pass()))
    assert scenario.view(0).offer(Choose).cards == ("s2", "s3")
    say(scenario, (0, Choose(("s3", "s2"))))
    assert [e.surprise.id for e in scenario.events if isinstance(e, SurpriseRevealed)] == ["s3", "s2"]
    say(scenario, *passes(0, 1))
    assert scenario.happened(DieRolled).test == "haggling"


def test_a_car_modification_may_come_of_several_effects() -> None:
    mod = {"op": "car_mod", "value": 100}
    entry = {
        **card("X1", "own_turn", DRAW, copies=9),
        "scam": {"type": "car_mod", "name": "Twice", "effects": [mod, mod], "text": ""},
    }
    scenario = scene("X1", "", cars={0: ["C01"]}, deck=shelved("twice", card=[entry]))
    say(scenario, (0, PlayScam("h1", car="c1")))
    assert scenario.view().table.cars[0][0].mods[0].value == 200


@pytest.mark.parametrize("cards", ["A01 A02", ""])
def test_a_deck_that_runs_out_is_made_of_the_used_cards(cards: str) -> None:
    """…and when both are empty nobody draws."""
    deck = shelved(
        f"short_{len(cards)}",
        card=[card("A01", "own_turn", DRAW, copies=1), card("A02", "own_turn", DRAW, copies=1)],
    )
    scenario = scene("" if cards else "A01", "" if cards else "A02", deck=deck, used=cards, draws=["A02"])
    say(scenario, (0, Work()))
    drawn = [event.count for event in scenario.events if isinstance(event, CardsDrawn)]
    assert drawn == ([1] if cards else [])
    assert ("CardsReshuffled" in kinds(scenario)) == bool(cards)


def test_the_played_card_itself_is_not_yet_used_when_the_deck_runs_out() -> None:
    deck = shelved("lonely", card=[card("A01", "own_turn", DRAW, copies=1)])
    scenario = scene("A01", "", deck=deck)
    say(scenario, (0, play("h1")), (1, Pass()))
    assert scenario.view().table.hands == [0, 0]
    assert scenario.view().table.used_cards == {"A01": 1}


def test_a_played_acquisition_is_public_with_its_targets_and_the_hand_card_s_id_is_not() -> None:
    scenario = scene("A10", "")
    say(scenario, (0, play("h1", 1)))
    played = scenario.happened(AcquisitionPlayed)
    for viewer in (1, "table"):
        assert redact(played, viewer).id is None  # type: ignore[type-var]
    assert played.targets[0].seat == 1
    assert RollModified not in map(type, scenario.events)


def test_a_surprise_deck_that_runs_out_is_made_of_the_used_ones() -> None:
    few = [{"id": "S01", "name": "Granata kala", "kind": "defect", "value": -200, "copies": 3}]
    deck = shelved("few_surprises", surprise=few)
    position: dict[str, Any] = {"cars": {0: ["C02 S01 S01"]}, "market": "C05 C10 C20 C30 C40", "deck": deck}
    scenario = scene("", "", **position, draws=["A20", "A21", "C01", "S01", "S01"])
    say(scenario, (0, Repair("c1", ("s1", "s2"))), (0, StartBuy()), (0, Buy(0)))
    assert kinds(scenario)[:6] == [
        "CarBought",
        "CashChanged",
        "MarketRefilled",
        "SurprisesDrawn",
        "SurprisesReshuffled",
        "SurprisesDrawn",
    ]
    assert scenario.view().table.cars[0][1].hidden == ["s3", "s4"]
    assert scenario.view().table.surprise_deck == 1


def test_with_no_surprise_left_a_car_comes_with_what_there_is() -> None:
    few = [{"id": "S01", "name": "Granata kala", "kind": "defect", "value": -200, "copies": 2}]
    deck = shelved("fewer_surprises", surprise=few)
    market = "C07 C10 C20 C30 C40"
    scenario = scene("", "", cars={0: ["C01 S01"]}, market=market, deck=deck, draws=["C02", "S01"])
    say(scenario, (0, StartBuy()), (0, Buy(0)))
    assert scenario.view().table.cars[0][1].hidden == ["s2"]


def test_a_seat_out_of_turn_may_have_to_discard_before_the_game_goes_on() -> None:
    """Two seats are over the limit one after the other; each discards before what was interrupted goes on."""
    deck = shelved(
        "greedy",
        card=[
            card("X1", "react", {"op": "draw", "count": 2}),
            card("A20", "own_turn", {"op": "draw", "count": 2}, copies=20),
        ],
    )
    six = "A20 A20 A20 A20 A20"
    scenario = scene(f"A20 {six}", f"X1 {six}", deck=deck, draws=["A20"] * 4)
    say(scenario, (0, play("h1")), (1, play("h1")), (0, Pass()))
    assert (scenario.view().phase, scenario.view().to_act) == ("discard_down", (1,))
    scenario.when(0, Pass()).refused("wrong_phase")
    scenario.when(0, Discard(("h2",))).refused("not_your_turn")
    say(scenario, (1, Discard(("h8",))))
    # The reaction is done; the card that it answered may be answered anew.
    assert (scenario.view().phase, scenario.view().to_act) == ("react", (1,))
    say(scenario, (1, Pass()))
    assert (scenario.view().phase, scenario.view().to_act) == ("discard_down", (0,))
    say(scenario, (0, Discard(("h2",))))
    assert scenario.view().phase == "gap"
    assert scenario.view().table.hands == [6, 6]
