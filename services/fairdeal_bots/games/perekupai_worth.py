"""What things are worth to a seat in Perekupai, in money: estimates of cars, sales and cards, from its view alone."""

from collections.abc import Iterable
from typing import Final

from fairdeal.games.perekupai import Hand, Table
from fairdeal.games.perekupai_deck import CardEntry, Modification
from fairdeal.games.perekupai_effects import (
    Draw,
    EndBonus,
    ExtraAction,
    FreeRepair,
    InspectLimit,
    LoaderBonus,
    PriceDelta,
    PurchaseDiscount,
    PurchaseDiscountOnce,
    RepairDiscount,
    RollBonus,
    SaleBonus,
    SaleDrawBonus,
    ScrapBonus,
    Standing,
    TakeMoney,
    Test,
)
from fairdeal.games.perekupai_legal import preference, repair_cost, repair_discount, standing
from fairdeal.games.perekupai_table import Buyer, Car, Front, Tech
from fairdeal.view import View

SteadyView = View[Table, Hand]

CARD: Final = 60
"""What a card in the hand is worth, roughly."""
ACTION: Final = 150 + CARD
"""What an action brings that is used to work."""
DEFECT: Final = 250
"""What a surprise takes from a price, if it is noticed: the average."""
MARGIN: Final[dict[int, int]] = {1: 300, 2: 450, 3: 680}
"""What a car sells for above its purchase price, by its level, before surprises: the average."""
SURPRISES: Final = 1.7
"""How many come with a car: the average."""
NOTICED: Final = 0.4
"""How often a surprise is noticed: the average."""
TURNS: Final = 12
"""How many turns a seat has in a game, about; each has a sale in every other action."""

PER_TURN: Final[dict[type[Standing], float]] = {
    LoaderBonus: 0.4,
    PurchaseDiscount: 0.6,
    SaleBonus: 0.6,
    RepairDiscount: 0.2,
    ScrapBonus: 0.05,
}
"""How often in a turn the amount of a standing effect is got."""


def seat_of(view: SteadyView) -> int:
    """The own seat."""
    assert view.seat is not None
    return view.seat


def card_of(view: SteadyView, id: str) -> CardEntry:
    """A card in the own hand."""
    assert view.hand is not None
    return next(held.card for held in view.hand.cards if held.id == id)


def market_gain(front: Front, tech: Tech | None, cost: int) -> float:
    """What buying a car for `cost` and selling it brings; `tech` if it was inspected."""
    sale = front.purchase + MARGIN[front.level] if tech is None else tech.sale
    surprises = SURPRISES if tech is None else tech.surprises
    return sale - cost - surprises * (NOTICED * DEFECT - (1 - NOTICED) * CARD)


def won(table: Table, seat: int, test: Test, target: int) -> float:
    """The chance that a seat wins a test before anything is rolled (perekupai.md §18)."""
    bonus = standing(table, seat, RollBonus, test)
    return min(1.0, max(0.0, (11 - target + bonus) / 10))


def sale_price(view: SteadyView, car: Car, buyer: Buyer) -> float:
    """What this buyer pays for an own car on average, with what the cards bring that are drawn for it."""
    table, seat = view.table, seat_of(view)
    assert view.hand is not None
    unnoticed = won(table, seat, "attentiveness", buyer.attentiveness)
    haggles = won(table, seat, "haggling", buyer.haggling)
    price = float(car.tech.sale + preference(buyer, car) + standing(table, seat, SaleBonus))
    price += sum(mod.value for mod in car.mods) + sum(surprise.value for surprise in car.shown)
    price += (2 * haggles - 1) * car.tech.haggle
    for id in car.hidden:
        price += (1 - unnoticed) * view.hand.surprises[id].value + unnoticed * CARD
    return price


def repair_gain(view: SteadyView, car: Car, buyer: Buyer, named: Iterable[str]) -> float:
    """What repairing these defects changes: the price that this buyer pays, the costs, a card for each."""
    table, seat = view.table, seat_of(view)
    assert view.hand is not None
    noticed = 1 - won(table, seat, "attentiveness", buyer.attentiveness)
    known = view.hand.surprises | {surprise.id: surprise for surprise in car.shown}
    gain, discount = 0.0, repair_discount(table, seat)
    for id in named:
        value = -known[id].value
        gain += (noticed if id in car.hidden else 1) * (value + CARD) - repair_cost(-value, discount)
    return gain


def turns_left(table: Table) -> float:
    """How many turns a seat still has, by the money of the richest."""
    if table.trigger is not None:
        return 0.5 if table.final else 1.5
    target: int = table.options["target"]
    return max(1.0, TURNS * (target - max(table.cash)) / target)


def scam_worth(table: Table, card: CardEntry) -> float:
    """What a card's scam brings if it is played now."""
    if isinstance(card.scam, Modification):
        return card.scam.value
    return sum(standing_worth(effect, turns_left(table)) for effect in card.scam.effects)


def standing_worth(effect: Standing, turns: float) -> float:
    """What a standing effect brings in so many turns."""
    if isinstance(effect, EndBonus):
        return effect.amount
    if isinstance(effect, RollBonus):
        return effect.amount * turns * (20 if effect.test == "attentiveness" else 12)
    if isinstance(effect, SaleDrawBonus):
        return effect.amount * turns * 0.6 * CARD
    if isinstance(effect, InspectLimit):
        return 10 * turns
    return effect.amount * turns * PER_TURN[type(effect)]


def acquisition_worth(card: CardEntry) -> float:
    """What a card's acquisition brings when its time comes, roughly."""
    worth = 0.0
    for effect in card.acquisition.effects:
        match effect:
            case TakeMoney() | PurchaseDiscountOnce():
                worth += 0.8 * effect.amount
            case PriceDelta():
                worth += 0.8 * abs(effect.amount)
            case Draw():
                worth += effect.count * CARD
            case ExtraAction():
                worth += effect.count * ACTION
            case FreeRepair():
                worth += 100
            case _:
                worth += 50
    return worth


def card_worth(table: Table, card: CardEntry) -> float:
    """What a card in the hand is worth: that of its better half."""
    return max(scam_worth(table, card), acquisition_worth(card))
