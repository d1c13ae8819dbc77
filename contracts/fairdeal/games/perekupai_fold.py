"""Perekupai: how each event changes what lies open on the table.

The views fold redacted events with this, and the rules keep the same table beside their secrets: it looks at public
fields alone.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec

from fairdeal.games.perekupai import (
    AcquisitionCancelled,
    AcquisitionPlayed,
    AcquisitionResolved,
    ActionStarted,
    BuyDeclined,
    BuyerChosen,
    BuyerDismissed,
    BuyerRevealed,
    BuyersReshuffled,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CardsReshuffled,
    CardStolen,
    CarInspected,
    CarSold,
    CashChanged,
    ChoiceAsked,
    Chosen,
    DealerDrawn,
    DecksLaid,
    DefectRemoved,
    DieRolled,
    DiscountGranted,
    EffectApplied,
    EndTriggered,
    ExtraActionGranted,
    FirstSeatDrawn,
    MarketCycled,
    MarketRefilled,
    ModDestroyed,
    Options,
    Passed,
    PermanentReplaced,
    PlayEnded,
    PriceChanged,
    RollModified,
    RollResolved,
    RoundStarted,
    SaleAbandoned,
    SaleStarted,
    ScamPlayed,
    Scrapped,
    SeatLeft,
    SurpriseRevealed,
    SurprisesDrawn,
    SurpriseSkipped,
    SurprisesRepaired,
    SurprisesReshuffled,
    SurpriseUnnoticed,
    TurnEnded,
    TurnStarted,
    WindowOpened,
)
from fairdeal.games.perekupai_deck import HAGGLE
from fairdeal.games.perekupai_table import Buying, Car, Played, Rolled, Sale, Surprise, Table, Trigger, Window
from fairdeal.visibility import Event

MONEY: Final = 44_000
"""All the money of the box."""


def open_table(players: Sequence[str], shown: dict[str, Any], options: Options) -> Table:
    """The table before anything happened. `shown` are the options as a view shows them."""
    seats = len(players)
    return Table(
        players=list(players),
        options=shown,
        cash=[options.start_money] * seats,
        bank=MONEY - options.start_money * seats,
        hands=[0] * seats,
        dealers=[None] * seats,
        permanents=[[] for _ in players],
        cars=[[] for _ in players],
        market=[None] * options.market_size,
        buyers=[None] * options.buyer_count,
    )


def fold(table: Table, event: Event) -> None:
    """Change the table by an event; the service's own events leave it as it is."""
    change = _FOLDS.get(type(event))
    if change is not None:
        change(table, event)
        table.moves += 1


# The turn


def _decks_laid(table: Table, event: DecksLaid) -> None:
    table.car_deck = event.cars
    table.buyer_deck = event.buyers
    table.surprise_deck = event.surprises
    table.card_deck = event.cards


def _dealer_drawn(table: Table, event: DealerDrawn) -> None:
    table.dealers[event.seat] = event.dealer


def _first_seat_drawn(table: Table, event: FirstSeatDrawn) -> None:
    table.first = event.seat


def _round_started(table: Table, event: RoundStarted) -> None:
    table.round = event.round
    table.final = event.final


def _turn_started(table: Table, event: TurnStarted) -> None:
    table.turn = event.seat
    table.turn_number = event.turn
    table.actions_left = event.actions
    table.actions_done = 0
    table.extra_used = False
    table.phase = "gap"


def _action_started(table: Table, event: ActionStarted) -> None:
    table.actions_left -= 1
    table.actions_done += 1
    if event.action == "buy":
        table.phase = "buy"
        table.buying = Buying()


def _turn_ended(table: Table, event: TurnEnded) -> None:
    table.phase = "turn_end"


def _cash_changed(table: Table, event: CashChanged) -> None:
    table.cash[event.seat] = event.total
    table.bank -= event.delta


def _end_triggered(table: Table, event: EndTriggered) -> None:
    table.trigger = Trigger(event.seat, event.reason, event.round)


# Decks


def _market_refilled(table: Table, event: MarketRefilled) -> None:
    table.market[event.slot] = event.car
    table.car_deck = event.deck_left


def _buyer_revealed(table: Table, event: BuyerRevealed) -> None:
    table.buyers[event.slot] = event.buyer
    table.buyer_deck = event.deck_left


def _buyers_reshuffled(table: Table, event: BuyersReshuffled) -> None:
    if event.revealed:
        table.buyers = [None] * len(table.buyers)
    table.used_buyers = []
    table.buyer_deck = event.count


def _surprises_reshuffled(table: Table, event: SurprisesReshuffled) -> None:
    table.used_surprises = {}
    table.used_surprises_unseen = 0
    table.surprise_deck = event.count


def _cards_reshuffled(table: Table, event: CardsReshuffled) -> None:
    table.used_cards = {}
    table.used_cards_unseen = 0
    table.card_deck = event.count


def _cards_drawn(table: Table, event: CardsDrawn) -> None:
    table.hands[event.seat] += event.count
    table.card_deck = event.deck_left


def _cards_discarded(table: Table, event: CardsDiscarded) -> None:
    table.hands[event.seat] -= len(event.cards)
    for card in event.cards:
        _used_card(table, card.id)


def _used_card(table: Table, kind: str) -> None:
    table.used_cards[kind] = table.used_cards.get(kind, 0) + 1


def _used_surprise(table: Table, kind: str) -> None:
    table.used_surprises[kind] = table.used_surprises.get(kind, 0) + 1


# Buying, repairing, scrapping


def _car_inspected(table: Table, event: CarInspected) -> None:
    assert table.buying is not None
    table.buying.inspected.append(event.slot)


def _discount_granted(table: Table, event: DiscountGranted) -> None:
    assert table.buying is not None
    table.buying.discount += event.amount


def _buy_declined(table: Table, event: BuyDeclined) -> None:
    _buying_over(table)


def _buying_over(table: Table) -> None:
    table.buying = None
    table.phase = "gap"


def _car_bought(table: Table, event: CarBought) -> None:
    bought = table.market[event.slot]
    assert bought is not None
    table.market[event.slot] = None
    table.cars[event.seat].append(Car(bought.id, bought.front, event.tech, table.turn_number))
    _buying_over(table)


def _surprises_drawn(table: Table, event: SurprisesDrawn) -> None:
    car = _car(table, event.car)
    mods = {mod.id for mod in event.mods}
    car.hidden += [id for id in event.ids if id not in mods]
    car.mods += event.mods
    table.surprise_deck = event.deck_left


def _car(table: Table, id: str) -> Car:
    return next(car for cars in table.cars for car in cars if car.id == id)


def _surprises_repaired(table: Table, event: SurprisesRepaired) -> None:
    for surprise in event.surprises:
        _remove_defect(table, event.car, surprise)


def _defect_removed(table: Table, event: DefectRemoved) -> None:
    _remove_defect(table, event.car, event.surprise)


def _remove_defect(table: Table, car_id: str, surprise: Surprise) -> None:
    car = _car(table, car_id)
    if surprise.id in car.hidden:
        car.hidden.remove(surprise.id)
    else:
        car.shown.remove(surprise)
    _used_surprise(table, surprise.kind)


def _scrapped(table: Table, event: Scrapped) -> None:
    _car_gone(table, event.seat, event.car)


def _car_gone(table: Table, seat: int, id: str, unseen: bool = True) -> None:
    """A car goes to the used pile with all that is on it; its hidden surprises face-down if they are `unseen`."""
    car = _car(table, id)
    table.cars[seat].remove(car)
    table.used_cars.append(car.front.model)
    for surprise in car.shown:
        _used_surprise(table, surprise.kind)
    for mod in car.mods:
        (_used_surprise if mod.source == "surprise" else _used_card)(table, mod.kind)
    if unseen:
        table.used_surprises_unseen += len(car.hidden)


# Selling


def _sale_started(table: Table, event: SaleStarted) -> None:
    table.sale = Sale(event.car, event.buyer)
    table.phase = "sale_open"
    table.window = None


def _buyer_dismissed(table: Table, event: BuyerDismissed) -> None:
    _buyer_gone(table, event.buyer)
    if event.sale:
        assert table.sale is not None
        table.sale.buyer = None
        table.phase = "sale_pick_buyer"
        table.window = None


def _buyer_gone(table: Table, id: str) -> None:
    for slot, buyer in enumerate(table.buyers):
        if buyer is not None and buyer.id == id:
            table.buyers[slot] = None
            table.used_buyers.append(buyer.name)


def _buyer_chosen(table: Table, event: BuyerChosen) -> None:
    _sale(table).buyer = event.buyer
    table.phase = "sale_open"
    table.window = None


def _sale(table: Table) -> Sale:
    assert table.sale is not None
    return table.sale


def _sale_abandoned(table: Table, event: SaleAbandoned) -> None:
    _sale_over(table)


def _sale_over(table: Table) -> None:
    table.sale = None
    table.window = None
    table.phase = "gap"


def _die_rolled(table: Table, event: DieRolled) -> None:
    _sale(table).rolled = Rolled(
        event.test, event.surprise, event.die, event.bonus, event.deltas, event.total, event.target
    )
    phase: Literal["att_window", "hag_window"] = (
        "att_window" if event.test == "attentiveness" else "hag_window"
    )
    table.phase = phase
    table.window = None


def _roll_modified(table: Table, event: RollModified) -> None:
    sale = _sale(table)
    assert sale.rolled is not None
    deltas = sale.rolled.deltas + event.delta
    sale.rolled = msgspec.structs.replace(sale.rolled, deltas=deltas, total=event.total)


def _roll_resolved(table: Table, event: RollResolved) -> None:
    sale = _sale(table)
    sale.rolled = None
    if event.test == "haggling":
        amount = HAGGLE[_car(table, sale.car).front.level]
        sale.haggle = amount if event.won else -amount
        table.phase = "final_window"
        table.window = None


def _surprise_revealed(table: Table, event: SurpriseRevealed) -> None:
    car = _car(table, event.car)
    car.hidden.remove(event.surprise.id)
    car.shown.append(event.surprise)


def _surprise_unnoticed(table: Table, event: SurpriseUnnoticed) -> None:
    _sale(table).unnoticed.append(event.surprise)


def _surprise_skipped(table: Table, event: SurpriseSkipped) -> None:
    _sale(table).skipped.append(event.surprise)


def _price_changed(table: Table, event: PriceChanged) -> None:
    _sale(table).delta += event.delta


def _car_sold(table: Table, event: CarSold) -> None:
    _car_gone(table, event.seat, event.car, unseen=event.unnoticed is None)
    for surprise in event.unnoticed or ():
        _used_surprise(table, surprise.kind)
    _buyer_gone(table, event.buyer)
    _sale_over(table)


# Scams and acquisitions


def _scam_played(table: Table, event: ScamPlayed) -> None:
    table.hands[event.seat] -= 1
    if event.mod is not None:
        assert event.car is not None
        _car(table, event.car).mods.append(event.mod)
    if event.permanent is not None:
        table.permanents[event.seat].append(event.permanent)


def _permanent_replaced(table: Table, event: PermanentReplaced) -> None:
    permanents = table.permanents[event.seat]
    gone = next(permanent for permanent in permanents if permanent.id == event.permanent)
    permanents.remove(gone)
    _used_card(table, gone.kind)


def _window_opened(table: Table, event: WindowOpened) -> None:
    _set_window(table, event.asked)


def _passed(table: Table, event: Passed) -> None:
    _set_window(table, event.asked)


def _set_window(table: Table, asked: int | None) -> None:
    """The topmost acquisition's window if one was played, else the phase's."""
    (table.stack[-1] if table.stack else table).window = Window(asked)


def _acquisition_played(table: Table, event: AcquisitionPlayed) -> None:
    table.hands[event.seat] -= 1
    table.stack.append(
        Played(
            event.played,
            event.seat,
            event.kind,
            event.acquisition,
            event.timing,
            event.targets,
            event.answers,
        )
    )


def _effect_applied(table: Table, event: EffectApplied) -> None:
    table.stack[-1].done += 1


def _acquisition_over(table: Table, event: AcquisitionResolved | AcquisitionCancelled) -> None:
    """The window that it interrupted starts again from its first seat."""
    _unstack(table, next(played for played in table.stack if played.id == event.played))


def _unstack(table: Table, played: Played) -> None:
    was_top = table.stack[-1] is played
    table.stack = [other for other in table.stack if other is not played]
    _used_card(table, played.kind)
    if was_top:
        (table.stack[-1] if table.stack else table).window = None


def _choice_asked(table: Table, event: ChoiceAsked) -> None:
    table.picks.append(event.pick)


def _chosen(table: Table, event: Chosen) -> None:
    table.picks.pop(0)


def _mod_destroyed(table: Table, event: ModDestroyed) -> None:
    car = _car(table, event.car)
    gone = next(mod for mod in car.mods if mod.id == event.mod)
    car.mods.remove(gone)
    (_used_surprise if gone.source == "surprise" else _used_card)(table, gone.kind)


def _card_stolen(table: Table, event: CardStolen) -> None:
    table.hands[event.source] -= 1
    table.hands[event.seat] += 1


def _market_cycled(table: Table, event: MarketCycled) -> None:
    table.market = [None if car is not None and car.id in event.cars else car for car in table.market]
    table.car_deck += len(event.cars)


def _extra_action_granted(table: Table, event: ExtraActionGranted) -> None:
    table.actions_left += event.count
    table.extra_used = True


# The end


def _seat_left(table: Table, event: SeatLeft) -> None:
    seat = event.seat
    for car in tuple(table.cars[seat]):
        _car_gone(table, seat, car.id)
    for permanent in table.permanents[seat]:
        _used_card(table, permanent.kind)
    table.permanents[seat] = []
    for played in [played for played in table.stack if played.seat == seat]:
        _unstack(table, played)
    table.picks = [pick for pick in table.picks if pick.seat != seat]
    table.used_cards_unseen += event.cards
    table.hands[seat] = 0
    table.bank += event.cash
    table.cash[seat] = 0
    table.out.append(seat)
    if seat == table.turn:
        for played in tuple(table.stack):
            _unstack(table, played)
        table.picks = []
        table.buying = None
        _sale_over(table)
        table.phase = "turn_end"


def _play_ended(table: Table, event: PlayEnded) -> None:
    table.turn = None
    table.scores = list(event.scores)


def _nothing(table: Table, event: Event) -> None:
    """The event moves the game on and is told by others what it changes."""


_FOLDS: Final[dict[type, Callable[[Table, Any], None]]] = {
    DecksLaid: _decks_laid,
    DealerDrawn: _dealer_drawn,
    FirstSeatDrawn: _first_seat_drawn,
    RoundStarted: _round_started,
    TurnStarted: _turn_started,
    ActionStarted: _action_started,
    TurnEnded: _turn_ended,
    CashChanged: _cash_changed,
    EndTriggered: _end_triggered,
    MarketRefilled: _market_refilled,
    BuyerRevealed: _buyer_revealed,
    BuyersReshuffled: _buyers_reshuffled,
    SurprisesReshuffled: _surprises_reshuffled,
    CardsReshuffled: _cards_reshuffled,
    CardsDrawn: _cards_drawn,
    CardsDiscarded: _cards_discarded,
    CarInspected: _car_inspected,
    BuyDeclined: _buy_declined,
    CarBought: _car_bought,
    SurprisesDrawn: _surprises_drawn,
    SurprisesRepaired: _surprises_repaired,
    Scrapped: _scrapped,
    SaleStarted: _sale_started,
    BuyerDismissed: _buyer_dismissed,
    BuyerChosen: _buyer_chosen,
    SaleAbandoned: _sale_abandoned,
    DieRolled: _die_rolled,
    RollModified: _roll_modified,
    RollResolved: _roll_resolved,
    SurpriseRevealed: _surprise_revealed,
    SurpriseUnnoticed: _surprise_unnoticed,
    SurpriseSkipped: _surprise_skipped,
    PriceChanged: _price_changed,
    CarSold: _car_sold,
    ScamPlayed: _scam_played,
    PermanentReplaced: _permanent_replaced,
    WindowOpened: _window_opened,
    Passed: _passed,
    AcquisitionPlayed: _acquisition_played,
    EffectApplied: _effect_applied,
    AcquisitionResolved: _acquisition_over,
    AcquisitionCancelled: _acquisition_over,
    ChoiceAsked: _choice_asked,
    Chosen: _chosen,
    ModDestroyed: _mod_destroyed,
    CardStolen: _card_stolen,
    DefectRemoved: _defect_removed,
    MarketCycled: _market_cycled,
    DiscountGranted: _discount_granted,
    ExtraActionGranted: _extra_action_granted,
    SeatLeft: _seat_left,
    PlayEnded: _play_ended,
}
