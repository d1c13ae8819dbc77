"""The printed cases of Perekupai: every example and answer of its rulebook, and the golden cases (perekupai.md §14)."""

from typing import Any

import pytest

from fairdeal.games.perekupai import (
    AbandonSale,
    ActionStarted,
    Breakdown,
    Buy,
    BuyerDismissed,
    BuyerRevealed,
    BuyersReshuffled,
    CardsDrawn,
    CarSold,
    CashChanged,
    Choose,
    ChooseBuyer,
    DeclineBuy,
    DieRolled,
    Discard,
    EndTriggered,
    EndTurn,
    Inspect,
    ModDestroyed,
    Pass,
    PlayScam,
    Repair,
    RollResolved,
    SaleAbandoned,
    Scrap,
    Scrapped,
    StartBuy,
    StartSale,
    SurpriseRevealed,
    SurprisesRepaired,
    SurpriseUnnoticed,
    Work,
    Worked,
)
from fairdeal.visibility import redact
from fairdeal_local import Scripted, Table
from support.perekupai import CARDS, kinds, passes, play, say, scene
from support.scenario import Scenario

AUSTEJA, ONA = 0, 1
PAULIUS = ILONA = 0

DELFINA = "B01 B02 B07"
"""Delfina Birzgulytė (attentiveness 2, haggling 4) is buyer `b1`."""

SALE_OPEN = ATT_WINDOW = HAG_WINDOW = FINAL_WINDOW = passes(0, 1)


def sell(
    car: str,
    *dice: int,
    buyer: str = "B01",
    draws: tuple[str, ...] = ("A10", "A11", "A12", "A13"),
    **position: Any,
) -> Scenario:
    """Sell this car of seat 0 to this buyer, all seats passing, by these dice; two seats."""
    scenario = scene(
        "",
        "",
        cars={0: [car]},
        buyers=f"{buyer} B02 B07",
        draws=(*dice, "B03", *draws),
        **position,
    )
    say(scenario, (0, StartSale("c1", "b1")))
    while scenario.view().phase != "gap":
        say(scenario, (scenario.view().to_act[0], Pass()))
    return scenario


# The rulebook: setting up


def opening_script(levels: str, *again: str) -> list[Any]:
    """What is drawn at the start of a game of two: market, buyers by level, dealers, hands, the first seat."""
    of_level = {
        level: [kind for kind, entry in CARDS.buyers.items() if entry.level == int(level)] for level in "123"
    }
    buyers = [of_level[level].pop(0) for level in levels]
    later = [kind for text in again for kind in text.split()]
    market = ["C05", "C10", "C20", "C30", "C40"]
    return [
        *market,
        *buyers,
        *later,
        "D1",
        "D2",
        *["A01", "A02", "A03", "A04", "A05", "A06", "A07", "A08"],
        1,
    ]


def test_g1_a_game_never_starts_with_three_buyers_of_level_3() -> None:
    dealer = Scripted(opening_script("333", "B15 B16 B20", "B15 B16 B01"))
    table = Table.open("perekupai", 2, dealer=dealer)
    assert dealer.left == 0
    shuffled = [e for e in table.log[0].events if isinstance(e, BuyersReshuffled)]
    assert [(event.revealed, event.count) for event in shuffled] == [(True, 20), (True, 20)]
    view = table.view().table
    assert [buyer.level for buyer in view.buyers] == [3, 3, 1]
    assert view.buyer_deck == 17


def test_setup_of_the_rulebook() -> None:
    table = Table.open("perekupai", 2, dealer=Scripted(opening_script("123")))
    view = table.view().table
    assert [car.front.model for car in view.market] == [
        "Pupelė",
        "Traktoriukas",
        "Akula",
        "Žaibas",
        "Titanikas",
    ]
    assert [len(table.view(seat).hand.cards) for seat in (0, 1)] == [4, 4]
    assert view.cash == [1000, 1000]
    assert view.bank == 42000
    assert (view.car_deck, view.buyer_deck, view.surprise_deck, view.card_deck) == (43, 17, 40, 36)
    assert [dealer.name for dealer in view.dealers] == ["Algimantas Kalpokas", "Bronislovas Liežuvis"]
    assert view.turn == view.first == 1
    assert table.view().to_act == (1,)


# The rulebook: buying


def test_g2_example_paulius_buys_guolis() -> None:
    scenario = scene("", "", market="C02 C10 C20 C30 C40", draws=["C01", "S01", "S13"])
    say(
        scenario,
        (PAULIUS, StartBuy()),
        (PAULIUS, Inspect(0)),
        (PAULIUS, Inspect(1)),
        (PAULIUS, Inspect(4)),
        (PAULIUS, Buy(0)),
    )
    assert kinds(scenario) == ["CarBought", "CashChanged", "MarketRefilled", "SurprisesDrawn"]
    view = scenario.view(PAULIUS)
    assert view.table.cash == [500, 1000]
    assert view.table.bank == 42500
    (car,) = view.table.cars[PAULIUS]
    assert (car.front.model, car.hidden) == ("Guolis", ["s1"])
    assert [(mod.name, mod.value) for mod in car.mods] == [("Gera magė", 100)]
    assert view.hand.surprises["s1"].name == "Granata kala"
    assert scenario.view(1).hand.surprises == {}
    assert view.table.market[0].front.model == "Kliuška"
    assert view.table.actions_left == 1


def test_g16_a_player_may_not_own_more_than_two_cars() -> None:
    scenario = scene("", "", cars={0: ["C05", "C10"]}, market="C02 C01 C20 C30 C40")
    say(scenario, (0, StartBuy()), (0, Inspect(0)))
    scenario.when(0, Buy(0)).refused("car_limit")
    say(scenario, (0, DeclineBuy()))


def test_g17_inspecting_and_buying_nothing_uses_the_action_up() -> None:
    scenario = scene("", "")
    before = scenario.view().table
    say(scenario, (0, StartBuy()), *((0, Inspect(slot)) for slot in (1, 2, 3)))
    scenario.when(0, Inspect(4)).refused("inspect_limit")
    scenario.when(0, Inspect(1)).refused("already_inspected")
    say(scenario, (0, DeclineBuy()))
    after = scenario.view().table
    assert after.actions_left == before.actions_left - 1
    after.actions_left, after.actions_done, after.moves = 2, 0, before.moves
    assert after == before


def test_the_technical_side_is_seen_by_who_inspects_and_by_all_after_buying() -> None:
    scenario = scene("", "", market="C02 C10 C20 C30 C40", draws=["C01", "S01", "S04"])
    say(scenario, (0, StartBuy()), (0, Inspect(0)))
    assert scenario.view(0).hand.techs["c1"].sale == 850
    assert scenario.view(1).hand.techs == {}
    say(scenario, (0, Buy(0)))
    assert scenario.view(0).hand.techs == {}
    assert scenario.view("table").table.cars[0][0].tech.sale == 850


def test_an_uninspected_car_may_be_bought() -> None:
    say(scene("", "", market="C06 C10 C20 C30 C40", draws=["C01"]), (0, StartBuy()), (0, Buy(0)))


# The rulebook: repairing


def test_g3_example_ilona_repairs_two_of_three_surprises() -> None:
    scenario = scene("", "", cars={0: ["C17 S02 S03 S04"]}, draws=["A01", "A02"], cash={0: 300})
    say(scenario, (ILONA, Repair("c1", ("s3", "s1"))))
    repaired = scenario.happened(SurprisesRepaired)
    assert [(s.name, s.value) for s in repaired.surprises] == [
        ("Kondiškė neveikia", -200),
        ("Trūkusi galva", -400),
    ]
    assert repaired.cost == 300
    assert scenario.happened(CardsDrawn).count == 2
    view = scenario.view(ILONA)
    assert view.table.cash[ILONA] == 0
    assert view.table.cars[ILONA][0].hidden == ["s2"]
    assert view.hand.surprises["s2"].value == -300
    assert view.table.used_surprises == {"S04": 1, "S02": 1}
    assert view.table.actions_left == 1
    scenario.when(ILONA, Repair("c1", ("s2",))).refused("too_poor")


# The rulebook: selling


@pytest.mark.parametrize(
    ("buyer", "car", "takes"),
    [
        *(("B01", "C01", True), ("B01", "C17", False), ("B01", "C33", False)),
        *(("B07", "C01", True), ("B07", "C17", True), ("B07", "C33", False)),
        *(("B15", "C01", False), ("B15", "C17", True), ("B15", "C33", True)),
    ],
)
def test_g13_which_buyer_takes_which_car(buyer: str, car: str, takes: bool) -> None:
    scenario = scene("", "", cars={0: [car]}, buyers=f"{buyer} B02 B08")
    scenario.when(0, StartSale("c1", "b1"))
    if not takes:
        scenario.refused("level_mismatch")
    assert (scenario.rejected is None) == takes


def test_g15_a_car_bought_in_the_same_turn_is_not_sold() -> None:
    scenario = scene("", "", fresh={0: ["C06"]})
    scenario.when(0, StartSale("c1", "b1")).refused("bought_this_turn")
    say(scenario, (0, EndTurn()), (1, EndTurn()), (0, StartSale("c1", "b1")))


def test_g4_example_austeja_hangs_the_noodles() -> None:
    """Delfina notices on a 1; Kabinti makaronus makes it a 2, and the surprise stays face-down."""
    scenario = scene("A01", "", cars={0: ["C01 S01"]}, buyers=DELFINA, draws=[1, 3])
    say(scenario, (AUSTEJA, StartSale("c1", "b1")), *SALE_OPEN)
    rolled = scenario.happened(DieRolled)
    assert (rolled.test, rolled.die, rolled.total, rolled.target) == ("attentiveness", 1, 1, 2)
    say(scenario, (AUSTEJA, play("h1")), (ONA, Pass()), *ATT_WINDOW)
    assert RollResolved(test="attentiveness", won=True) in scenario.events
    assert SurpriseUnnoticed(car="c1", surprise="s1") in scenario.events
    assert scenario.view().table.cars[AUSTEJA][0].hidden == ["s1"]
    assert scenario.view().table.used_cards == {"A01": 1}


def test_g4_without_the_noodles_delfina_sees_it() -> None:
    scenario = sell("C01 S01", 1, 5)
    sold = scenario.happened(CarSold)
    assert (sold.price.defects, sold.draws) == (-200, 1)


@pytest.mark.parametrize("die", range(1, 11))
def test_g5_example_austeja_haggles_with_delfina(die: int) -> None:
    """She wins with 4, 5, 6, 7, 8, 9 or 0; the 0 is a ten."""
    price = sell("C06", die).happened(CarSold).price
    assert price.haggle == (50 if die >= 4 else -50)


def test_g6_example_austeja_is_paid_850() -> None:
    """…and X6a: one card for the sale and one for the surprise that went unnoticed."""
    scenario = sell("C01 S01", 2, 3)
    sold = scenario.happened(CarSold)
    assert sold.price == Breakdown(
        sale=900,
        defects=0,
        surprise_mods=0,
        scam_mods=0,
        haggle=-50,
        preferences=0,
        sale_bonus=0,
        deltas=0,
        final=850,
    )
    assert scenario.view().table.cash[AUSTEJA] == 1850
    assert sold.draws == scenario.happened(CardsDrawn).count == 2


def test_x6a_the_draws_of_g6() -> None:
    assert sell("C01 S01", 2, 3).happened(CarSold).draws == 2


@pytest.mark.parametrize(
    ("car", "dice", "draws"),
    [
        pytest.param("C02 S01 S04", (9, 9, 9), 3, id="G7 two surprises, none noticed"),
        pytest.param("C03 S01 S04 S06", (1, 9, 1, 9), 2, id="G8 three surprises, two noticed"),
        pytest.param("C06", (9,), 1, id="G9 no surprises"),
    ],
)
def test_g7_g8_g9_examples_of_what_paulius_draws(car: str, dice: tuple[int, ...], draws: int) -> None:
    scenario = sell(car, *dice)
    assert scenario.happened(CarSold).draws == draws
    assert scenario.happened(CardsDrawn).count == draws
    assert scenario.view().table.hands[PAULIUS] == draws


def test_g9_without_surprises_nobody_rolls_for_attentiveness() -> None:
    scenario = scene("", "", cars={0: ["C06"]}, buyers=DELFINA, draws=[9])
    say(scenario, (0, StartSale("c1", "b1")), *SALE_OPEN)
    assert scenario.happened(DieRolled).test == "haggling"


@pytest.mark.parametrize(
    ("car", "buyer", "amount"),
    [("C06", "B01", 50), ("C06", "B07", 50), ("C21", "B07", 100), ("C21", "B15", 100), ("C37", "B15", 150)],
)
def test_g14_haggling_amounts_go_by_the_car(car: str, buyer: str, amount: int) -> None:
    assert sell(car, 10, buyer=buyer).happened(CarSold).price.haggle == amount
    assert sell(car, 1, buyer=buyer).happened(CarSold).price.haggle == -amount


def test_g29_two_identical_surprises_are_two() -> None:
    scenario = sell("C02 S01 S01", 1, 9, 9)
    sold = scenario.happened(CarSold)
    assert (sold.price.defects, sold.draws) == (-200, 2)


def test_example_the_final_price_counts_everything() -> None:
    """Green price, noticed surprises, modifications of both kinds, likes, haggling, cards."""
    scenario = sell(
        "C01 S01 S13 A02", 1, 9, buyer="B02", permanents={0: "A22"}
    )  # Studentas Matas likes Bembas by 100
    assert scenario.happened(CarSold).price == Breakdown(
        sale=900,
        defects=-200,
        surprise_mods=100,
        scam_mods=200,
        haggle=50,
        preferences=100,
        sale_bonus=50,
        deltas=0,
        final=1200,
    )


def test_likes_of_maker_and_model_add_up() -> None:
    scenario = sell("C12", 9, buyer="B04")  # Opaliukas +50
    assert scenario.happened(CarSold).price.preferences == 50
    scenario = sell("C46 S01 S01", 9, 9, 9, buyer="B19")  # Oligarchas -200
    assert scenario.happened(CarSold).price.preferences == -200


def test_after_a_sale_car_buyer_surprises_and_modifications_lie_on_their_piles() -> None:
    scenario = sell("C02 S01 S04 S13 A02", 1, 9, 9)
    view = scenario.view().table
    assert view.used_cars == ["Guolis"]
    assert view.used_buyers == ["Delfina Birzgulytė"]
    assert view.used_surprises == {"S01": 1, "S13": 1}
    assert view.used_surprises_unseen == 1
    assert view.used_cards == {"A02": 1}
    assert view.buyers[0].name == "Močiutė Bronė"
    assert view.cars[0] == []


def test_trace_of_g4_to_g6() -> None:
    """perekupai.md §18, step by step."""
    draws = [1, 3, "B03", "A10", "A11"]
    scenario = scene("A01", "", cars={0: ["C01 S01"]}, buyers=DELFINA, draws=draws)
    seen: list[str] = []

    def step(seat: int, action: Any) -> None:
        say(scenario, (seat, action))
        seen.extend(f"{scenario.view().phase}: {kind}" for kind in kinds(scenario))

    step(AUSTEJA, StartSale("c1", "b1"))
    assert scenario.view().table.actions_left == 1
    for seat, action in [*SALE_OPEN, (AUSTEJA, play("h1")), (ONA, Pass()), *ATT_WINDOW]:
        step(seat, action)
    for seat, action in [*HAG_WINDOW, *FINAL_WINDOW]:
        step(seat, action)
    assert seen == [
        "sale_open: ActionStarted",
        "sale_open: SaleStarted",
        "sale_open: WindowOpened",
        "sale_open: Passed",
        "att_window: Passed",
        "att_window: DieRolled",
        "att_window: WindowOpened",
        "react: AcquisitionPlayed",
        "react: WindowOpened",
        "att_window: Passed",
        "att_window: EffectApplied",
        "att_window: RollModified",
        "att_window: AcquisitionResolved",
        "att_window: WindowOpened",
        "att_window: Passed",
        "hag_window: Passed",
        "hag_window: RollResolved",
        "hag_window: SurpriseUnnoticed",
        "hag_window: DieRolled",
        "hag_window: WindowOpened",
        "hag_window: Passed",
        "final_window: Passed",
        "final_window: RollResolved",
        "final_window: WindowOpened",
        "final_window: Passed",
        "gap: Passed",
        "gap: CarSold",
        "gap: CashChanged",
        "gap: BuyerRevealed",
        "gap: CardsDrawn",
    ]
    assert scenario.happened(CarSold).price.final == 850
    assert scenario.happened(CashChanged) == CashChanged(seat=AUSTEJA, delta=850, total=1850)


# The rulebook: the loader and the scrap heap


def test_g12_work() -> None:
    scenario = scene("", "", draws=["A05"])
    scenario.when(0, Work()).then(
        ActionStarted(seat=0, action="work"),
        Worked(seat=0, amount=150),
        CashChanged(seat=0, delta=150, total=1150),
        ...,
    )
    assert scenario.happened(CardsDrawn).count == 1


@pytest.mark.parametrize(
    ("car", "printed", "paid"), [("C26", 1150, 550), ("C24", 1050, 500), ("C01", 650, 300)]
)
def test_g10_g11_scrap_pays_half_rounded_down(car: str, printed: int, paid: int) -> None:
    scenario = scene("", "", cars={0: [f"{car} S01 A02"]})
    assert CARDS.cars[car].purchase == printed
    scenario.when(0, Scrap("c1")).then(
        ActionStarted(seat=0, action="scrap"),
        Scrapped(seat=0, car="c1", amount=paid),
        CashChanged(seat=0, delta=paid, total=1000 + paid),
    )
    view = scenario.view().table
    assert (view.used_surprises_unseen, view.used_cards) == (1, {"A02": 1})


def test_a_car_may_be_scrapped_in_the_turn_in_which_it_was_bought() -> None:
    say(scene("", "", fresh={0: ["C01 S01"]}), (0, Scrap("c1")))


# The rulebook: cards


def test_example_stukacius_is_played_in_an_opponents_sale() -> None:
    """The opponent turns a hidden defect face-up; it counts, is not tested and brings no card."""
    draws = [9, 9, "B03", "A10", "A11"]
    scenario = scene("", "A02", cars={0: ["C02 S01 S06"]}, buyers=DELFINA, draws=draws)
    say(scenario, (0, StartSale("c1", "b1")), (0, Pass()), (1, play("h1")), (0, Pass()))
    assert scenario.view().phase == "pick"
    assert scenario.view().to_act == (0,)
    choose = scenario.view(0).offer(Choose)
    assert (choose.what, choose.cards, choose.count) == ("reveal", ("s1", "s2"), 1)
    say(scenario, (0, Choose(("s2",))))
    assert scenario.happened(SurpriseRevealed).surprise.id == "s2"
    say(scenario, *SALE_OPEN, *ATT_WINDOW, *HAG_WINDOW, *FINAL_WINDOW)
    sold = scenario.happened(CarSold)
    assert (sold.price.defects, sold.draws) == (-200, 2)


def test_example_the_scam_half_of_stukacius_is_a_modification_of_200() -> None:
    scenario = scene("A02", "", cars={0: ["C01"]})
    say(scenario, (0, PlayScam("h1", car="c1")))
    (mod,) = scenario.view().table.cars[0][0].mods
    assert (mod.name, mod.value, mod.source) == ("Didelis spoileris", 200, "scam")


def test_g26_no_two_permanents_of_a_type_and_no_fourth() -> None:
    scenario = scene("A01 A03 A05 A07 A01", "", permanents={0: "A09"})
    say(scenario, (0, PlayScam("h1")))
    scenario.when(0, PlayScam("h5")).refused("same_type")
    say(scenario, (0, PlayScam("h2")))
    scenario.when(0, PlayScam("h3")).refused("permanent_limit")
    scenario.when(0, PlayScam("h5", replace="m1")).refused("same_type")
    say(scenario, (0, PlayScam("h3", replace="m1")))
    view = scenario.view().table
    assert [permanent.kind for permanent in view.permanents[0]] == ["A01", "A03", "A05"]
    assert view.used_cards == {"A09": 1}
    assert view.actions_left == 2


def test_g27_a_seventh_card_has_to_go_before_anything_else() -> None:
    scenario = scene("A01 A02 A03 A04 A05 A06", "", draws=["A07"])
    say(scenario, (0, Work()))
    assert scenario.view().phase == "discard_down"
    scenario.when(0, Work()).refused("wrong_phase")
    scenario.when(0, Discard(("h1", "h2"))).refused("wrong_count")
    scenario.when(1, Discard(("h1",))).refused("not_your_turn")
    say(scenario, (0, Discard(("h2",))))
    discarded = scenario.events[0]
    assert [card.id for card in redact(discarded, "table").cards] == ["A02"]  # type: ignore[attr-defined]
    assert scenario.view().phase == "gap"
    assert scenario.view().table.used_cards == {"A02": 1}


# The rulebook: questions and answers


@pytest.mark.parametrize("scams", ["A03", "A01", "A03 A01"])
def test_g18_faq_p_derastke_and_cepa_do_not_count_until_the_end(scams: str) -> None:
    """With 4600 and P*derastkė or Cepa in play, or both, nothing is triggered."""
    scenario = scene("", "", cash={0: 4450}, permanents={0: scams}, draws=["A10"])
    say(scenario, (0, Work()))
    assert scenario.view().table.cash[0] == 4600
    assert scenario.view().table.trigger is None


def test_g18_faq_at_the_end_cepa_is_added_too() -> None:
    scenario = scene("", "", cash={0: 4600, 1: 5000}, permanents={0: "A03 A01"}, turn=1)
    say(scenario, (1, EndTurn()), (0, EndTurn()), (1, EndTurn()))
    scores = scenario.view().table.scores
    assert [(score.end_bonus, score.total) for score in scores] == [(700, 5300), (0, 5000)]
    assert scenario.view().outcome.winners == (0,)


def test_g18_faq_at_the_end_the_400_are_added() -> None:
    draws = ["A10", "A11", "A12"]
    scenario = scene("", "", cash={0: 4600, 1: 4850}, permanents={0: "A03"}, turn=1, draws=draws)
    say(scenario, (1, Work()), (1, EndTurn()))
    assert scenario.view().table.trigger.reason == "money"
    say(scenario, (0, EndTurn()), (1, EndTurn()))
    scores = scenario.view().table.scores
    assert [(score.cash, score.end_bonus, score.total) for score in scores] == [
        (4600, 400, 5000),
        (5000, 0, 5000),
    ]
    outcome = scenario.view().outcome
    assert outcome.winners == (0, 1)
    assert outcome.places == (1, 1)


@pytest.mark.parametrize("rule", ["general", "seed_only"])
def test_g19_faq_all_buyers_are_shuffled_when_none_can_buy(rule: str) -> None:
    """Buyers of level 1 alone, no car of level 1 with anybody or on the market: all 20 are shuffled together."""
    scenario = scene(
        "",
        "",
        cars={0: ["C17"]},
        market="C18 C20 C30 C33 C40",
        buyers="B01 B02 B03",
        options={"stalemate": rule},
        draws=["B01", "B07", "B15"],
    )
    say(scenario, (0, EndTurn()))
    shuffled = scenario.happened(BuyersReshuffled)
    assert (shuffled.revealed, shuffled.count) == (True, 20)
    assert [buyer.level for buyer in scenario.view().table.buyers] == [1, 2, 3]


def test_g19_there_is_no_stalemate_while_a_car_of_level_1_can_be_bought() -> None:
    scenario = scene("", "", cars={0: ["C17"]}, market="C18 C20 C30 C33 C01", buyers="B01 B02 B03")
    say(scenario, (0, EndTurn()))
    assert BuyersReshuffled not in map(type, scenario.events)


def test_g20_faq_a_knocked_away_buyer_costs_no_action_if_another_takes_the_car() -> None:
    """…and, the next answer, a new third buyer is turned up."""
    scenario = scene("", "A03", cars={0: ["C17"]}, buyers="B07 B15 B01", draws=["B08", 9])
    say(scenario, (0, StartSale("c1", "b1")), (0, Pass()), (1, play("h1")), (0, Pass()))
    assert BuyerDismissed(buyer="b1", sale=True) in scenario.events
    assert scenario.happened(BuyerRevealed).buyer.name == "Taksistas Genadijus"
    assert scenario.view().phase == "sale_pick_buyer"
    assert scenario.view().to_act == (0,)
    assert [buyer.id for buyer in scenario.view().table.buyers] == ["b4", "b2", "b3"]
    scenario.when(0, ChooseBuyer("b3")).refused("level_mismatch")
    scenario.when(0, ChooseBuyer("b1")).refused("no_such_buyer")
    say(scenario, (0, ChooseBuyer("b4")))
    assert scenario.view().phase == "sale_open"
    say(scenario, *SALE_OPEN)
    assert scenario.view().table.actions_left == 1


def test_g20_faq_the_action_is_lost_if_no_buyer_takes_the_car() -> None:
    scenario = scene("", "A03", cars={0: ["C17"]}, buyers="B07 B01 B02", draws=["B03"])
    say(scenario, (0, StartSale("c1", "b1")), (0, Pass()), (1, play("h1")), (0, Pass()))
    scenario.when(0, ChooseBuyer("b2")).refused("level_mismatch")
    say(scenario, (0, AbandonSale()))
    assert scenario.events == (SaleAbandoned(seat=0),)
    assert scenario.view().table.actions_left == 1
    assert scenario.view().table.cars[0][0].front.model == "Delfinas"


@pytest.mark.parametrize(("seller", "noticed"), [(0, False), (1, True)])
def test_g22_faq_algimantas_adds_one_to_his_own_tests_alone(seller: int, noticed: bool) -> None:
    """Target 5, die 4: unnoticed when Algimantas sells, noticed when somebody else does."""
    dealers = {0: "D1", 1: "D3"}
    scenario = scene(
        "",
        "",
        cars={seller: ["C01 S01"]},
        buyers="B04 B02 B07",
        dealers=dealers,
        turn=seller,
        draws=[4, 9],
    )
    other = 1 - seller
    say(scenario, (seller, StartSale("c1", "b1")), *passes(seller, other))
    rolled = scenario.happened(DieRolled)
    assert (rolled.die, rolled.bonus, rolled.total, rolled.target) == (4, int(not noticed), 5 - noticed, 5)
    say(scenario, *passes(seller, other))
    assert (SurpriseRevealed in map(type, scenario.events)) == noticed


def test_g23_faq_bachuriukas_breaks_a_scam_modification_for_good() -> None:
    """Nobody gets the card: it goes to the pile of used ones."""
    scenario = scene("A04", "", cars={1: ["C01 A02"]})
    say(scenario, (0, play("h1", "m1")), (1, Pass()))
    assert scenario.happened(ModDestroyed) == ModDestroyed(owner=1, car="c1", mod="m1")
    view = scenario.view().table
    assert view.cars[1][0].mods == []
    assert view.used_cards == {"A02": 1, "A04": 1}
    assert view.hands == [0, 0]


def test_g23_faq_bachuriukas_breaks_a_surprise_modification_for_good() -> None:
    scenario = scene("A04", "", cars={1: ["C01 S13"]})
    say(scenario, (0, play("h1", "s1")), (1, Pass()))
    assert scenario.view().table.used_surprises == {"S13": 1}
    assert scenario.view().table.used_cards == {"A04": 1}


# The end


@pytest.mark.parametrize(("agreed", "triggers"), [(False, False), (True, True)])
@pytest.mark.parametrize("seats", [5, 6])
def test_x30_five_or_six_may_agree_on_4000(seats: int, agreed: bool, triggers: bool) -> None:
    options = {"target_5_6_agreed": agreed}
    scenario = scene(*[""] * seats, cash={0: 3850}, options=options, draws=["A10"])
    say(scenario, (0, Work()))
    assert (EndTriggered in map(type, scenario.events)) == triggers


def test_x30_the_agreement_is_for_five_and_six_alone() -> None:
    scenario = scene(*[""] * 4, cash={0: 3850}, options={"target_5_6_agreed": True}, draws=["A10"])
    say(scenario, (0, Work()))
    assert scenario.view().table.trigger is None


def test_the_round_is_completed_and_one_more_played() -> None:
    draws = ["A10", "A11"]
    scenario = scene("", "", "", cash={1: 4850}, turn=1, first=2, round=7, draws=draws)
    say(scenario, (1, Work()))
    assert scenario.happened(EndTriggered) == EndTriggered(seat=1, reason="money", round=7)
    turns = []
    for _ in range(10):
        (seat,) = scenario.view().to_act
        turns.append((scenario.view().table.round, seat))
        say(scenario, (seat, EndTurn()))
        if scenario.view().outcome:
            break
    # Seat 2 began the round, so seat 1 ends it.
    assert turns == [(7, 1), (8, 2), (8, 0), (8, 1)]
    assert scenario.view().outcome.reason == "final_round"


def test_losing_the_money_again_changes_nothing() -> None:
    scenario = scene("", "A10", cash={0: 4850}, draws=["A11"])
    say(scenario, (0, Work()), (0, EndTurn()), (1, play("h1", 0)), (0, Pass()))
    view = scenario.view().table
    assert view.cash[0] == 4850
    assert view.trigger is not None


def test_money_that_was_taken_ends_the_game_at_once() -> None:
    scenario = scene("A10", "", cash={0: 4900, 1: 500})
    say(scenario, (0, play("h1", 1)), (1, Pass()))
    assert scenario.happened(EndTriggered).seat == 0


@pytest.mark.parametrize(
    ("rule", "market", "left", "triggers"),
    [
        ("market_empty", "C06 - - - -", 0, True),
        ("market_empty", "C06 C01 - - -", 0, False),
        ("deck_empty", "C06 C01 - - -", 0, True),
        ("deck_empty", "C06 C01 C05 C10 C20", 1, True),
        ("deck_empty", "C06 C01 C05 C10 C20", 2, False),
    ],
)
def test_buying_the_last_car_ends_the_game(rule: str, market: str, left: int, triggers: bool) -> None:
    shown = set(market.split())
    others = [kind for kind in CARDS.cars if kind not in shown]
    # All others were sold before: each came onto the market and went.
    scenario = scene(
        "",
        "",
        market=market,
        options={"last_car": rule},
        gone=others[: len(others) - left],
        draws=others[len(others) - left :],
    )
    say(scenario, (0, StartBuy()), (0, Buy(0)))
    found = [event for event in scenario.events if isinstance(event, EndTriggered)]
    assert [event.reason for event in found] == (["last_car"] if triggers else [])


def test_unsold_cars_count_their_printed_purchase_price() -> None:
    scenario = scene("", "", cars={0: ["C17 S02 S13 A02"]}, cash={1: 5000}, draws=["A10"])
    say(scenario, (0, EndTurn()), (1, Work()), (1, EndTurn()), (0, EndTurn()), (1, EndTurn()))
    assert scenario.view().table.scores[0].cars == 1200
    assert scenario.view().outcome.scores == (2200, 5150)
    assert scenario.view().outcome.winners == (1,)
