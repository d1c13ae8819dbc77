"""Perekupai: what is seen (perekupai.md §11). The table is folded by `fairdeal.games.perekupai_fold`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from fairdeal.games import perekupai
from fairdeal.games.perekupai import (
    AcquisitionPlayed,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CardStolen,
    CarInspected,
    CarSold,
    Choice,
    DefectRemoved,
    Options,
    ScamPlayed,
    Scrapped,
    SeatLeft,
    SurpriseRevealed,
    SurprisesDrawn,
    SurprisesPeeked,
    SurprisesRepaired,
)
from fairdeal.games.perekupai_fold import fold, open_table
from fairdeal.games.perekupai_legal import (
    choices,
    defects,
    inspect_limit,
    loader_pay,
    places,
    price,
    repair_cost,
    repair_discount,
    scrap_pay,
    takes,
    timing,
    waiting,
)
from fairdeal.games.perekupai_table import Car, Hand, Table
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.projection import Projection


class Seen(Projection[Table, Hand]):
    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> Table:
        return open_table(players, options, msgspec.convert(options, Options))

    def open_hand(self, seat: int, options: dict[str, Any]) -> Hand:
        return Hand()

    def fold_table(self, table: Table, event: Event) -> None:
        fold(table, event)

    def fold_hand(self, hand: Hand, table: Table, event: Event, seat: int) -> None:
        change = _HAND_FOLDS.get(type(event))
        if change is not None:
            change(hand, event, seat)
        if hand.surprises and type(event) in _LAID_OPEN:
            _forget_what_is_gone(hand, table)

    def offers(self, table: Table, hand: Hand, seat: int) -> Sequence[Offer]:
        if table.turn is None or seat in table.out:
            return ()
        others = tuple([other for other in range(len(table.cash)) if other != seat])
        asks = perekupai.AskMoneyOffer(seats=others)
        options = msgspec.convert(table.options, Options)
        waited_for, now = waiting(table, options)
        if seat != waited_for:
            return (asks,)
        return [*_OFFERS[now](table, hand, seat, options), asks]

    def phase(self, table: Table) -> str:
        return waiting(table, msgspec.convert(table.options, Options))[1]

    def to_act(self, table: Table) -> Sequence[int]:
        seat, _ = waiting(table, msgspec.convert(table.options, Options))
        return () if seat is None else (seat,)

    def deadline_for(self, table: Table) -> object:
        return table.moves


# The hand


def _own_draw(hand: Hand, event: CardsDrawn, seat: int) -> None:
    hand.cards += event.cards or ()


def _own_discard(hand: Hand, event: CardsDiscarded, seat: int) -> None:
    _take_out(hand, event.ids or ())


def _take_out(hand: Hand, ids: Sequence[str | None]) -> None:
    hand.cards = [held for held in hand.cards if held.id not in ids]


def _own_card_played(hand: Hand, event: AcquisitionPlayed | ScamPlayed, seat: int) -> None:
    _take_out(hand, (event.id,))


def _own_theft(hand: Hand, event: CardStolen, seat: int) -> None:
    if event.lost is not None:
        _take_out(hand, (event.lost,))
    if event.card is not None:
        hand.cards.append(event.card)


def _own_look(hand: Hand, event: CarInspected, seat: int) -> None:
    if event.tech is not None:
        hand.techs[event.car] = event.tech


def _bought(hand: Hand, event: CarBought, seat: int) -> None:
    hand.techs.pop(event.car, None)


def _own_surprises(hand: Hand, event: SurprisesDrawn, seat: int) -> None:
    for surprise in event.defects or ():
        hand.surprises[surprise.id] = surprise


def _own_peek(hand: Hand, event: SurprisesPeeked, seat: int) -> None:
    for surprise in event.surprises or ():
        hand.surprises[surprise.id] = surprise


def _own_leave(hand: Hand, event: SeatLeft, seat: int) -> None:
    if event.seat == seat:
        hand.cards = []


_HAND_FOLDS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    CardsDrawn: _own_draw,
    CardsDiscarded: _own_discard,
    AcquisitionPlayed: _own_card_played,
    ScamPlayed: _own_card_played,
    CardStolen: _own_theft,
    CarInspected: _own_look,
    CarBought: _bought,
    SurprisesDrawn: _own_surprises,
    SurprisesPeeked: _own_peek,
    SeatLeft: _own_leave,
}


_LAID_OPEN: Final = (SurpriseRevealed, SurprisesRepaired, DefectRemoved, CarSold, Scrapped, SeatLeft)


def _forget_what_is_gone(hand: Hand, table: Table) -> None:
    """What lies face-down no longer is seen by all, or is gone."""
    hidden = {id for cars in table.cars for car in cars for id in car.hidden}
    if not hand.surprises.keys() <= hidden:
        hand.surprises = {id: surprise for id, surprise in hand.surprises.items() if id in hidden}


# Offers


def _gap(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    offers: list[Offer] = [perekupai.WorkOffer(amount=loader_pay(table, seat))]
    cars = table.cars[seat]
    if any(table.market):
        offers.append(perekupai.StartBuyOffer())
    repairs = {car.id: _costs(table, hand, seat, car) for car in cars if car.hidden or car.shown}
    cash = table.cash[seat]
    repairs = {id: costs for id, costs in repairs.items() if min(costs.values()) <= cash}
    if repairs:
        offers.append(perekupai.RepairOffer(cars=repairs, cash=cash))
    sales = {car.id: _buyers(table, car) for car in cars if car.bought_in != table.turn_number}
    sales = {id: buyers for id, buyers in sales.items() if buyers}
    if sales:
        offers.append(perekupai.StartSaleOffer(cars=sales))
    if cars:
        offers.append(perekupai.ScrapOffer(cars={car.id: scrap_pay(table, seat, car) for car in cars}))
    scams = {held.id: places(table, options, seat, held.card.id, held.card.scam) for held in hand.cards}
    where = {id: place for id, place in scams.items() if place is not None}
    if where:
        offers.append(perekupai.PlayScamOffer(cards=where))
    if options.end_early:
        offers.append(perekupai.EndTurnOffer())
    return [*offers, *_acquisitions(table, hand, seat)]


def _costs(table: Table, hand: Hand, seat: int, car: Car) -> dict[str, int]:
    discount = repair_discount(table, seat)
    shown = {surprise.id: surprise for surprise in car.shown}
    known = hand.surprises | shown
    return {id: repair_cost(known[id].value, discount) for id in defects(car)}


def _buyers(table: Table, car: Car) -> tuple[str, ...]:
    return tuple([b.id for b in table.buyers if b is not None and takes(b, car.front.level)])


def _acquisitions(table: Table, hand: Hand, seat: int) -> list[Offer]:
    now = timing(table, seat)
    playable: dict[str, tuple[Choice, ...]] = {}
    for held in hand.cards:
        acquisition = held.card.acquisition
        if now is not None and now in acquisition.timing:
            wanted = choices(table, seat, acquisition, now)
            if wanted is not None:
                playable[held.id] = wanted
    return [perekupai.PlayAcquisitionOffer(cards=playable)] if playable else []


def _buy(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    assert table.buying is not None
    offers: list[Offer] = [perekupai.DeclineBuyOffer()]
    inspected = table.buying.inspected
    slots = tuple([slot for slot, car in enumerate(table.market) if car and slot not in inspected])
    if slots and len(inspected) < inspect_limit(table, options, seat):
        offers.append(perekupai.InspectOffer(slots=slots))
    prices = {slot: price(table, seat, car) for slot, car in enumerate(table.market) if car}
    prices = {slot: cost for slot, cost in prices.items() if cost <= table.cash[seat]}
    if prices and len(table.cars[seat]) < options.car_limit:
        offers.append(perekupai.BuyOffer(prices=prices))
    return [*offers, *_acquisitions(table, hand, seat)]


def _pick_buyer(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    assert table.sale is not None
    car = table.car_of(seat, table.sale.car)
    assert car is not None
    buyers = _buyers(table, car)
    chooses = [perekupai.ChooseBuyerOffer(buyers=buyers)] if buyers else []
    return [*chooses, perekupai.AbandonSaleOffer()]


def _window(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    return [perekupai.PassOffer(), *_acquisitions(table, hand, seat)]


def _pick(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    pick = table.picks[0]
    among = pick.cards if pick.what == "reveal" else tuple([held.id for held in hand.cards])
    return [perekupai.ChooseOffer(what=pick.what, cards=among, count=pick.count)]


def _discard_down(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    excess = len(hand.cards) - options.hand_limit
    return [perekupai.DiscardOffer(cards=tuple([held.id for held in hand.cards]), count=excess)]


_OFFERS: Final[Mapping[str, Callable[[Table, Hand, int, Options], list[Offer]]]] = {
    "gap": _gap,
    "buy": _buy,
    "sale_open": _window,
    "sale_pick_buyer": _pick_buyer,
    "att_window": _window,
    "hag_window": _window,
    "final_window": _window,
    "react": _window,
    "pick": _pick,
    "discard_down": _discard_down,
}
