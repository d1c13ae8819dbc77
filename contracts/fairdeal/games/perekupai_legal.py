"""Perekupai: who is waited for, what things cost, and what may be played on what (perekupai.md §5 to §7, §12).

It follows from what everybody sees, so that the rules and the views share it.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from fairdeal.games.perekupai import Choice, Options, ScamPlaces
from fairdeal.games.perekupai_deck import ACCEPTS, Acquisition, Modification, Scam
from fairdeal.games.perekupai_effects import (
    STEP,
    CancelAcquisition,
    CycleMarket,
    DestroyMod,
    DiscardCards,
    DismissBuyer,
    Draw,
    Effect,
    ExtraAction,
    FreeRepair,
    InspectLimit,
    LoaderBonus,
    ModRoll,
    PeekSurprises,
    PriceDelta,
    PurchaseDiscount,
    PurchaseDiscountOnce,
    RepairDiscount,
    Reroll,
    RevealSurprise,
    ScrapBonus,
    SkipTest,
    Standing,
    StealCard,
    TakeMoney,
    Test,
    Timing,
    strength,
)
from fairdeal.games.perekupai_table import Buyer, Car, MarketCar, Nested, Phase, Table

# Who is waited for


def discarder(table: Table, options: Options) -> int | None:
    """The seat that has to discard first: the active one, then clockwise (§19)."""
    if max(table.hands) <= options.hand_limit or table.turn is None:
        return None
    return next(seat for seat in clockwise(table, table.turn) if table.hands[seat] > options.hand_limit)


def clockwise(table: Table, seat: int) -> list[int]:
    """The seats that play, from this one on."""
    playing = table.playing()
    return [other for other in playing if other >= seat] + [other for other in playing if other < seat]


def waiting(table: Table, options: Options) -> tuple[int | None, Phase | Nested]:
    """The one seat that is waited for, and for what: in a phase, or in what interrupts it.

    No seat after the end, nor while the server goes on by itself.
    """
    if table.turn is None:
        return None, table.phase
    discards = discarder(table, options)
    if discards is not None:
        return discards, "discard_down"
    if table.picks:
        return table.picks[0].seat, "pick"
    if table.stack:
        window = table.stack[-1].window
        return (None if window is None else window.asked), "react"
    if table.window is not None:
        return table.window.asked, table.phase
    acts = table.phase in _ACTIVE and (table.actions_left > 0 or table.phase != "gap")
    return (table.turn if acts else None), table.phase


_ACTIVE: Final[frozenset[Phase]] = frozenset(("gap", "buy", "sale_pick_buyer"))
WINDOWS: Final[dict[Phase, str]] = {
    "sale_open": "sale_open",
    "att_window": "attentiveness",
    "hag_window": "haggling",
    "final_window": "sale_final",
}
"""The phases that are windows, and what the cards call them after `own_` and `opp_`."""


def window_order(table: Table, options: Options) -> list[int]:
    """Who may play in the window that is due, in order (§5): a reaction's from the left, a sale's from the seller."""
    assert table.turn is not None
    if table.stack:
        return [seat for seat in clockwise(table, table.stack[-1].seat) if seat != table.stack[-1].seat]
    return clockwise(table, table.turn) if options.reactions else [table.turn]


def timing(table: Table, seat: int) -> Timing | None:
    """Which acquisitions the seat that is waited for may play in this phase, not counting what interrupts it."""
    if table.stack:
        return "react"
    if table.phase in ("gap", "buy"):
        return "own_turn" if table.phase == "gap" else "own_buy"
    window = WINDOWS.get(table.phase)
    side = "own" if seat == table.turn else "opp"
    return None if window is None else _TIMINGS[side, window]


_TIMINGS: Final[dict[tuple[str, str], Timing]] = {
    ("own", "sale_open"): "own_sale_open",
    ("opp", "sale_open"): "opp_sale_open",
    ("own", "attentiveness"): "own_attentiveness",
    ("opp", "attentiveness"): "opp_attentiveness",
    ("own", "haggling"): "own_haggling",
    ("opp", "haggling"): "opp_haggling",
    ("own", "sale_final"): "own_sale_final",
    ("opp", "sale_final"): "opp_sale_final",
}


# What things cost


def target_of(options: Options, seats: int) -> int:
    """The money that ends the game (§9)."""
    return 4000 if options.target_5_6_agreed and seats >= 5 else options.target


def standing(table: Table, seat: int, kind: type[Standing], test: Test | None = None) -> int:
    """What a seat's standing effects of a kind come to: those of its dealer and its permanent scams (§12)."""
    dealer = table.dealers[seat]
    effects = list(dealer.effects) if dealer is not None else []
    for permanent in table.permanents[seat]:
        effects += permanent.scam.effects
    return strength(effects, kind, test)


def inspect_limit(table: Table, options: Options, seat: int) -> int:
    """How many cars a seat may inspect in a buying action (§7.1)."""
    return max(options.inspect_count, standing(table, seat, InspectLimit))


def price(table: Table, seat: int, car: MarketCar) -> int:
    """What a seat pays for a car on the market in this buying action (§7.1)."""
    assert table.buying is not None
    off = standing(table, seat, PurchaseDiscount) + table.buying.discount
    return max(0, car.front.purchase - off)


def repair_cost(value: int, discount: int) -> int:
    """What the repair of a defect of this value costs (§7.2)."""
    return max(0, half(-value) - discount)


def repair_discount(table: Table, seat: int) -> int:
    """What a seat pays less for each repair."""
    return standing(table, seat, RepairDiscount)


def half(amount: int) -> int:
    """Half of an amount, rounded down to a multiple of 50 (§7.2, §7.5)."""
    return amount // 2 // STEP * STEP


def loader_pay(table: Table, seat: int) -> int:
    """What a seat gets for work (§7.4)."""
    return 150 + standing(table, seat, LoaderBonus)


def scrap_pay(table: Table, seat: int, car: Car) -> int:
    """What the scrap heap pays a seat for a car (§7.5)."""
    return half(car.front.purchase) + standing(table, seat, ScrapBonus)


def takes(buyer: Buyer, level: int) -> bool:
    """Whether a buyer takes cars of this level (§7.3)."""
    return level in ACCEPTS[buyer.level]


def preference(buyer: Buyer, car: Car) -> int:
    """What the buyer's likes and dislikes add to the price; several may match (§7.3)."""
    front = car.front
    return sum([p.amount for p in buyer.prefs if p.maker == front.maker or p.model == front.model])


# What an acquisition may be played on


def choices(table: Table, seat: int, acquisition: Acquisition, now: Timing) -> tuple[Choice, ...] | None:
    """The choices for the targets that an acquisition takes if a seat plays it now; None if it would do nothing.

    Each effect that can do something now and takes a target has one, in their order.
    """
    possible = [can(table, seat, effect, now) for effect in acquisition.effects]
    if not any(possible):
        return None
    return tuple([choice for choice in possible if isinstance(choice, Choice)])


def can(table: Table, seat: int, effect: Effect, now: Timing) -> Choice | bool:
    """What an effect can be played on: the choices for its target, or whether it does anything without one."""
    return _CAN[type(effect)](table, seat, effect, now)


def untested(table: Table) -> list[str]:
    """The hidden surprises of the car on sale of which nothing is decided and that are not being tested."""
    sale = table.sale
    car = None if sale is None or table.turn is None else table.car_of(table.turn, sale.car)
    if sale is None or car is None:
        return []
    decided = {*sale.skipped, *sale.unnoticed, sale.rolled.surprise if sale.rolled else None}
    return [id for id in car.hidden if id not in decided]


def _always(table: Table, seat: int, effect: Effect, now: Timing) -> bool:
    return True


def _roll(table: Table, seat: int, effect: ModRoll | Reroll, now: Timing) -> bool:
    return table.sale is not None and table.sale.rolled is not None


def _reveal(table: Table, seat: int, effect: RevealSurprise, now: Timing) -> bool:
    return bool(untested(table))


def _skip(table: Table, seat: int, effect: SkipTest, now: Timing) -> Choice | bool:
    return _of_one_group([untested(table)], effect.count)


def _of_one_group(groups: list[list[str]], most: int = 1) -> Choice | bool:
    some = tuple([tuple(group) for group in groups if group])
    return Choice(groups=some, most=most) if some else False


def _dismiss(table: Table, seat: int, effect: DismissBuyer, now: Timing) -> Choice | bool:
    if effect.scope == "sale":
        return table.phase == "sale_open" and table.sale is not None and table.sale.buyer is not None
    return _of_one_group([[buyer.id for buyer in table.buyers if buyer is not None]])


def _destroy(table: Table, seat: int, effect: DestroyMod, now: Timing) -> Choice | bool:
    on_sale = None if now == "own_turn" or table.sale is None else table.sale.car
    cars = [car for car in _opponents_cars(table, seat) if on_sale is None or car.id == on_sale]
    return _of_one_group([[mod.id for car in cars for mod in car.mods]])


def _opponents_cars(table: Table, seat: int) -> Iterator[Car]:
    return (car for owner, cars in enumerate(table.cars) if owner != seat for car in cars)


def _selling(table: Table, seat: int, effect: PriceDelta, now: Timing) -> bool:
    return table.sale is not None


def _take(table: Table, seat: int, effect: TakeMoney, now: Timing) -> Choice | bool:
    return _one_seat(table, seat, table.cash)


def _one_seat(table: Table, seat: int, amounts: list[int]) -> Choice | bool:
    """One of the opponents who have any."""
    seats = tuple([other for other in table.playing() if other != seat and amounts[other] > 0])
    return Choice(seats=seats) if seats else False


def _steal(table: Table, seat: int, effect: StealCard, now: Timing) -> Choice | bool:
    return _one_seat(table, seat, table.hands)


def _discard(table: Table, seat: int, effect: DiscardCards, now: Timing) -> bool:
    return bool(_one_seat(table, seat, table.hands))


def _repair(table: Table, seat: int, effect: FreeRepair, now: Timing) -> Choice | bool:
    return _of_one_group([defects(car) for car in table.cars[seat]], effect.count)


def defects(car: Car) -> list[str]:
    """The ids of a car's defects, face-down and face-up."""
    return [*car.hidden, *(surprise.id for surprise in car.shown)]


def _peek(table: Table, seat: int, effect: PeekSurprises, now: Timing) -> Choice | bool:
    return _of_one_group([[car.id for car in _opponents_cars(table, seat) if car.hidden]])


def _cycle(table: Table, seat: int, effect: CycleMarket, now: Timing) -> Choice | bool:
    if not table.car_deck:
        return False
    return _of_one_group([[car.id for car in table.market if car is not None]], effect.count)


def _discount(table: Table, seat: int, effect: PurchaseDiscountOnce, now: Timing) -> bool:
    return table.buying is not None


def _extra(table: Table, seat: int, effect: ExtraAction, now: Timing) -> bool:
    return seat == table.turn and not table.extra_used


def _cancel(table: Table, seat: int, effect: CancelAcquisition, now: Timing) -> bool:
    return bool(table.stack)


_CAN: Final[dict[type[Effect], Callable[[Table, int, Any, Timing], Choice | bool]]] = {
    ModRoll: _roll,
    Reroll: _roll,
    RevealSurprise: _reveal,
    SkipTest: _skip,
    DismissBuyer: _dismiss,
    DestroyMod: _destroy,
    PriceDelta: _selling,
    TakeMoney: _take,
    Draw: _always,
    StealCard: _steal,
    DiscardCards: _discard,
    FreeRepair: _repair,
    PeekSurprises: _peek,
    CycleMarket: _cycle,
    PurchaseDiscountOnce: _discount,
    ExtraAction: _extra,
    CancelAcquisition: _cancel,
}
"""What each one-time effect can be played on; the windows it fits are in `USABLE`."""


# Where a scam may be put


def places(table: Table, options: Options, seat: int, kind: str, scam: Scam) -> ScamPlaces | None:
    """Where a seat may put a scam; None if nowhere (§7.6)."""
    if isinstance(scam, Modification):
        cars = tuple([car.id for car in table.cars[seat]])
        return ScamPlaces(cars=cars) if cars else None
    own = table.permanents[seat]
    same = tuple([permanent.id for permanent in own if permanent.kind == kind])
    replace = same or tuple([permanent.id for permanent in own])
    beside = not same and len(own) < options.permanent_limit
    return ScamPlaces(beside=beside, replace=replace) if beside or replace else None
