"""Perekupai: a game's state, secrets and all, and how events change it (perekupai.md §3).

What lies open is the table that everybody sees; beside it the state holds what is hidden and what is left to draw.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

import msgspec

from fairdeal.games.perekupai import (
    AcquisitionCancelled,
    AcquisitionPlayed,
    AcquisitionResolved,
    BuyerDismissed,
    BuyerRevealed,
    BuyersReshuffled,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CardsReshuffled,
    CardStolen,
    CarSold,
    DefectRemoved,
    MarketCycled,
    MarketRefilled,
    ModDestroyed,
    Options,
    PermanentReplaced,
    PlayEnded,
    ScamPlayed,
    Scrapped,
    SeatLeft,
    SurpriseRevealed,
    SurprisesDrawn,
    SurprisesRepaired,
    SurprisesReshuffled,
)
from fairdeal.games.perekupai_deck import (
    DECKS,
    BuyerEntry,
    CardEntry,
    CarEntry,
    DealerEntry,
    Deck,
    SurpriseEntry,
)
from fairdeal.games.perekupai_fold import fold, open_table
from fairdeal.games.perekupai_legal import target_of
from fairdeal.games.perekupai_table import Car, HeldCard, Played, Surprise
from fairdeal.visibility import Event

Pool = dict[str, int]
"""How many there are of each card, in the deck's canonical order and with zeros: nobody holds an order."""


class Printed:
    """The cards of a deck by id, each table in its canonical order."""

    def __init__(self, deck: Deck) -> None:
        self.dealers: dict[str, DealerEntry] = {entry.id: entry for entry in deck.dealer}
        self.cars: dict[str, CarEntry] = {entry.id: entry for entry in deck.car}
        self.buyers: dict[str, BuyerEntry] = {entry.id: entry for entry in deck.buyer}
        self.surprises: dict[str, SurpriseEntry] = {entry.id: entry for entry in deck.surprise}
        self.cards: dict[str, CardEntry] = {
            entry.id: msgspec.structs.replace(entry, copies=1) for entry in deck.card
        }
        """Cards as they are shown: one of each."""
        self.copies = {entry.id: entry.copies for entry in deck.card}


@cache
def printed(sha256: str) -> Printed:
    """What is printed on the cards of the deck that holds this. Raises `UnknownDeck`."""
    return Printed(DECKS.holding(sha256))


class State:
    """A game of Perekupai. Only `evolve` changes it."""

    __slots__ = (
        "buyers",
        "cards",
        "cars",
        "given",
        "hands",
        "kinds",
        "options",
        "reason",
        "surprises",
        "table",
        "target",
        "under",
        "used_buyers",
        "used_cards",
        "used_surprises",
    )

    def __init__(self, options: Options, seats: int) -> None:
        self.options = options
        self.target = target_of(options, seats)
        self.table = open_table([""] * seats, {}, options)
        """What everybody sees; the players' names and the options as shown are the views' own."""
        deck = self.printed
        self.cars: Pool = {id: entry.copies for id, entry in deck.cars.items()}
        self.buyers: Pool = {id: entry.copies for id, entry in deck.buyers.items()}
        self.surprises: Pool = {id: entry.copies for id, entry in deck.surprises.items()}
        self.cards: Pool = dict(deck.copies)
        self.used_buyers: Pool = dict.fromkeys(self.buyers, 0)
        self.used_surprises: Pool = dict.fromkeys(self.surprises, 0)
        self.used_cards: Pool = dict.fromkeys(self.cards, 0)
        self.under: list[tuple[str, str]] = []
        """The cars that were put under the deck, in order, with their kinds: the deck's only known cards."""
        self.kinds: dict[str, str] = {}
        """What each car on the market and each hidden surprise is, by its id."""
        self.hands: list[dict[str, str]] = [{} for _ in range(seats)]
        """Each hand's cards: id → kind, as they came."""
        self.given = dict.fromkeys(("car", "buyer", "surprise", "mod", "played", *map(str, range(seats))), 0)
        """How many ids were given: of each sort, and to the hand cards of each seat."""
        self.reason = ""

    @property
    def printed(self) -> Printed:
        """What is printed on the cards of this game's deck."""
        return printed(self.options.deck_sha256)

    @property
    def seats(self) -> int:
        return len(self.hands)

    def surprise(self, id: str, kind: str) -> Surprise:
        """A surprise as it is shown."""
        entry = self.printed.surprises[kind]
        return Surprise(id, kind, entry.name, entry.value)

    def hidden(self, car: Car) -> list[Surprise]:
        """The face-down surprises of a car, in the order in which they were drawn."""
        return [self.surprise(id, self.kinds[id]) for id in car.hidden]

    def held(self, seat: int, kinds: Iterable[str]) -> tuple[HeldCard, ...]:
        """Cards that are about to come into a hand, with the seat's next ids."""
        number, cards = self.given[str(seat)], self.printed.cards
        return tuple([HeldCard(f"h{number + n}", cards[kind]) for n, kind in enumerate(kinds, 1)])

    def next_id(self, sort: str, ahead: int = 1) -> str:
        """The id of the next car, buyer, surprise, mod or played acquisition."""
        return f"{_LETTERS[sort]}{self.given[sort] + ahead}"


_LETTERS: Final = {"car": "c", "buyer": "b", "surprise": "s", "mod": "m", "played": "p"}


def evolve(state: State, event: Event) -> None:
    """Change the state by an event: first what is hidden, while the table still shows where it lay."""
    change = _FOLDS.get(type(event))
    if change is not None:
        change(state, event)
    fold(state.table, event)


def _market_refilled(state: State, event: MarketRefilled) -> None:
    if event.drawn is None:
        _, kind = state.under.pop(0)
    else:
        kind = event.drawn
        state.cars[kind] -= 1
        state.given["car"] += 1
    state.kinds[event.car.id] = kind


def _market_cycled(state: State, event: MarketCycled) -> None:
    state.under += [(id, state.kinds.pop(id)) for id in event.cars]


def _buyer_revealed(state: State, event: BuyerRevealed) -> None:
    state.buyers[event.drawn] -= 1
    state.given["buyer"] += 1


def _buyer_dismissed(state: State, event: BuyerDismissed) -> None:
    _buyer_gone(state, event.buyer)


def _buyer_gone(state: State, id: str) -> None:
    buyer = state.table.buyer_of(id)
    assert buyer is not None
    state.used_buyers[buyer.kind] += 1


def _buyers_reshuffled(state: State, event: BuyersReshuffled) -> None:
    if event.revealed:
        for buyer in state.table.buyers:
            if buyer is not None:
                state.buyers[buyer.kind] += 1
    _shuffle(state.used_buyers, state.buyers)


def _shuffle(used: Pool, deck: Pool) -> None:
    for kind, count in used.items():
        deck[kind] += count
        used[kind] = 0


def _surprises_reshuffled(state: State, event: SurprisesReshuffled) -> None:
    _shuffle(state.used_surprises, state.surprises)


def _cards_reshuffled(state: State, event: CardsReshuffled) -> None:
    _shuffle(state.used_cards, state.cards)


def _cards_drawn(state: State, event: CardsDrawn) -> None:
    assert event.cards is not None
    for held in event.cards:
        state.cards[held.card.id] -= 1
        _into_hand(state, event.seat, held)


def _into_hand(state: State, seat: int, held: HeldCard) -> None:
    state.hands[seat][held.id] = held.card.id
    state.given[str(seat)] += 1


def _cards_discarded(state: State, event: CardsDiscarded) -> None:
    assert event.ids is not None
    for id in event.ids:
        state.used_cards[state.hands[event.seat].pop(id)] += 1


def _card_stolen(state: State, event: CardStolen) -> None:
    assert event.lost is not None
    assert event.card is not None
    del state.hands[event.source][event.lost]
    _into_hand(state, event.seat, event.card)


def _car_bought(state: State, event: CarBought) -> None:
    del state.kinds[event.car]


def _surprises_drawn(state: State, event: SurprisesDrawn) -> None:
    assert event.drawn is not None
    mods = {mod.id for mod in event.mods}
    state.given["surprise"] += len(event.ids)
    for id, kind in zip(event.ids, event.drawn, strict=True):
        state.surprises[kind] -= 1
        if id not in mods:
            state.kinds[id] = kind


def _surprises_repaired(state: State, event: SurprisesRepaired) -> None:
    for surprise in event.surprises:
        _defect_gone(state, surprise.id, surprise.kind)


def _defect_removed(state: State, event: DefectRemoved) -> None:
    _defect_gone(state, event.surprise.id, event.surprise.kind)


def _defect_gone(state: State, id: str, kind: str) -> None:
    state.kinds.pop(id, None)
    state.used_surprises[kind] += 1


def _surprise_revealed(state: State, event: SurpriseRevealed) -> None:
    del state.kinds[event.surprise.id]


def _car_gone(state: State, event: CarSold | Scrapped) -> None:
    car = state.table.car_of(event.seat, event.car)
    assert car is not None
    _empty_car(state, car)
    if isinstance(event, CarSold):
        _buyer_gone(state, event.buyer)


def _empty_car(state: State, car: Car) -> None:
    for surprise in car.shown:
        state.used_surprises[surprise.kind] += 1
    for id in car.hidden:
        state.used_surprises[state.kinds.pop(id)] += 1
    for mod in car.mods:
        (state.used_surprises if mod.source == "surprise" else state.used_cards)[mod.kind] += 1


def _scam_played(state: State, event: ScamPlayed) -> None:
    assert event.id is not None
    del state.hands[event.seat][event.id]
    state.given["mod"] += 1


def _permanent_replaced(state: State, event: PermanentReplaced) -> None:
    own = state.table.permanents[event.seat]
    gone = next(permanent for permanent in own if permanent.id == event.permanent)
    state.used_cards[gone.kind] += 1


def _mod_destroyed(state: State, event: ModDestroyed) -> None:
    car = state.table.car_of(event.owner, event.car)
    assert car is not None
    mod = next(mod for mod in car.mods if mod.id == event.mod)
    (state.used_surprises if mod.source == "surprise" else state.used_cards)[mod.kind] += 1


def _acquisition_played(state: State, event: AcquisitionPlayed) -> None:
    assert event.id is not None
    del state.hands[event.seat][event.id]
    state.given["played"] += 1


def _acquisition_over(state: State, event: AcquisitionResolved | AcquisitionCancelled) -> None:
    _unstack(state, [played for played in state.table.stack if played.id == event.played])


def _unstack(state: State, gone: Iterable[Played]) -> None:
    for played in gone:
        state.used_cards[played.kind] += 1


def _seat_left(state: State, event: SeatLeft) -> None:
    seat, table = event.seat, state.table
    for car in table.cars[seat]:
        _empty_car(state, car)
    for permanent in table.permanents[seat]:
        state.used_cards[permanent.kind] += 1
    _unstack(state, [played for played in table.stack if seat in (played.seat, table.turn)])
    for kind in state.hands[seat].values():
        state.used_cards[kind] += 1
    state.hands[seat] = {}


def _play_ended(state: State, event: PlayEnded) -> None:
    state.reason = event.reason


_FOLDS: Final[dict[type, Callable[[State, Any], None]]] = {
    MarketRefilled: _market_refilled,
    MarketCycled: _market_cycled,
    BuyerRevealed: _buyer_revealed,
    BuyerDismissed: _buyer_dismissed,
    BuyersReshuffled: _buyers_reshuffled,
    SurprisesReshuffled: _surprises_reshuffled,
    CardsReshuffled: _cards_reshuffled,
    CardsDrawn: _cards_drawn,
    CardsDiscarded: _cards_discarded,
    CardStolen: _card_stolen,
    CarBought: _car_bought,
    SurprisesDrawn: _surprises_drawn,
    SurprisesRepaired: _surprises_repaired,
    DefectRemoved: _defect_removed,
    SurpriseRevealed: _surprise_revealed,
    CarSold: _car_gone,
    Scrapped: _car_gone,
    ScamPlayed: _scam_played,
    PermanentReplaced: _permanent_replaced,
    ModDestroyed: _mod_destroyed,
    AcquisitionPlayed: _acquisition_played,
    AcquisitionResolved: _acquisition_over,
    AcquisitionCancelled: _acquisition_over,
    SeatLeft: _seat_left,
    PlayEnded: _play_ended,
}
