"""Perekupai's decks: what is printed on the cards, the house deck, and a deployment's own (perekupai.md §1).

An own deck is one TOML file with the tables of the house's five; a table that it leaves out is the house's.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec

from fairdeal.decks import read_tables
from fairdeal.decks.own import BadDeck, Shelf, convert_deck
from fairdeal.games.perekupai_effects import (
    CarMod,
    Money,
    OneTime,
    PositiveMoney,
    Some,
    Standing,
    Timing,
    usable,
)

Level = Literal[1, 2, 3]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,24}$")]
Words = Annotated[str, msgspec.Meta(max_length=300)]
Target = Annotated[int, msgspec.Meta(ge=-20, le=30)]

ACCEPTS: Final[dict[int, frozenset[int]]] = {1: frozenset((1,)), 2: frozenset((1, 2)), 3: frozenset((2, 3))}
"""By the buyer's level: the levels of the cars that such a buyer takes (§7.3)."""

HAGGLE: Final[dict[int, int]] = {1: 50, 2: 100, 3: 150}
"""By the car's level: what the haggling test wins or loses."""


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of a table. `copies` say how many such cards there are."""


class CarEntry(_Entry, frozen=True):
    """A car: maker, model, level and purchase price on its front, the rest on its technical side."""

    id: Key
    maker: Name
    model: Name
    level: Level
    purchase: PositiveMoney
    sale: PositiveMoney
    surprises: Annotated[int, msgspec.Meta(ge=0, le=10)]
    defects: tuple[Name, ...] = ()
    copies: Some = 1


class Preference(_Entry, frozen=True):
    """What a buyer adds to the price of every car of a maker, or of a model."""

    amount: Money
    maker: Name | None = None
    model: Name | None = None


class BuyerEntry(_Entry, frozen=True):
    """A buyer: what has to be rolled, and what this buyer likes and dislikes."""

    id: Key
    name: Name
    level: Level
    attentiveness: Target
    haggling: Target
    prefs: tuple[Preference, ...] = ()
    copies: Some = 1


class SurpriseEntry(_Entry, frozen=True):
    """A surprise: a defect of negative value, or a modification of positive value."""

    id: Key
    name: Name
    kind: Literal["defect", "car_mod"]
    value: Money
    english: Name | None = None
    copies: Some = 1


class Acquisition(_Entry, frozen=True):
    """The half of a card that is played for what it does once."""

    name: Name
    timing: Annotated[tuple[Timing, ...], msgspec.Meta(min_length=1)]
    effects: Annotated[tuple[OneTime, ...], msgspec.Meta(min_length=1)]
    text: Words
    english: Name | None = None


class Permanent(_Entry, frozen=True, tag_field="type", tag="permanent"):
    """The half of a card that stays beside the dealer."""

    name: Name
    effects: Annotated[tuple[Standing, ...], msgspec.Meta(min_length=1)]
    text: Words
    english: Name | None = None


class Modification(_Entry, frozen=True, tag_field="type", tag="car_mod"):
    """The half of a card that is put on a car and adds to its price."""

    name: Name
    effects: Annotated[tuple[CarMod, ...], msgspec.Meta(min_length=1)]
    text: Words
    english: Name | None = None

    @property
    def value(self) -> int:
        """What it adds to the price."""
        return sum([effect.amount for effect in self.effects])


Scam = Permanent | Modification


class CardEntry(_Entry, frozen=True):
    """An acquisition/scam card with its two halves."""

    id: Key
    acquisition: Acquisition
    scam: Scam
    copies: Some = 1


class DealerEntry(_Entry, frozen=True):
    """A dealer with standing effects."""

    id: Key
    name: Name
    text: Words
    effects: tuple[Standing, ...]


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All cards of a game by id, each table in its canonical order: that of the file."""

    car: tuple[CarEntry, ...]
    buyer: tuple[BuyerEntry, ...]
    surprise: tuple[SurpriseEntry, ...]
    card: tuple[CardEntry, ...]
    dealer: tuple[DealerEntry, ...]


TABLES: Final[dict[str, str]] = {
    "car": "perekupai_cars",
    "buyer": "perekupai_buyers",
    "surprise": "perekupai_surprises",
    "card": "perekupai_acquisitions",
    "dealer": "perekupai_dealers",
}
"""The house's file of each table."""


def read_deck(file: str, tables: Mapping[str, Any]) -> Deck:
    """A deck from the tables of a file. Raises `BadDeck` that names file, card and field."""
    deck = convert_deck(file, {**_house_tables(), **tables}, Deck)
    fault = next(_faults(deck), None)
    if fault is not None:
        table, entry, field, message = fault
        raise BadDeck(file, f"{table} {entry}".strip(), field, message)
    return deck


def _house_tables() -> dict[str, Any]:
    return {table: read_tables(name)[table] for table, name in TABLES.items()}


def _faults(deck: Deck) -> Iterator[tuple[str, str, str, str]]:
    """What is wrong with a deck whose fields are right, each as (table, entry, field, message)."""
    for table in TABLES:
        ids = Counter(entry.id for entry in getattr(deck, table))
        yield from ((table, id, "id", "Another entry has this id too") for id, n in ids.items() if n > 1)
        if not ids:
            yield table, "", "", "A game needs at least one"
    yield from _buyer_faults(deck)
    for surprise in deck.surprise:
        if not surprise.value or (surprise.value < 0) != (surprise.kind == "defect"):
            yield "surprise", surprise.id, "value", "A defect's value is below 0, a car_mod's above"
    for card in deck.card:
        for number, effect in enumerate(card.acquisition.effects):
            never = [timing for timing in card.acquisition.timing if timing not in usable(effect)]
            if never:
                op = effect.__struct_config__.tag
                can = ", ".join(sorted(usable(effect)))
                where = f"acquisition.effects[{number}]"
                yield "card", card.id, where, f"{op} cannot be played in {never[0]}, only in {can}"


def _buyer_faults(deck: Deck) -> Iterator[tuple[str, str, str, str]]:
    makers, models = {car.maker for car in deck.car}, {car.model for car in deck.car}
    for buyer in deck.buyer:
        for number, pref in enumerate(buyer.prefs):
            where = f"prefs[{number}]"
            if (pref.maker is None) == (pref.model is None):
                yield "buyer", buyer.id, where, "Name a maker or a model, one of the two"
            elif pref.maker is not None and pref.maker not in makers:
                yield "buyer", buyer.id, f"{where}.maker", f"No car is made by {pref.maker}"
            elif pref.model is not None and pref.model not in models:
                yield "buyer", buyer.id, f"{where}.model", f"No car is called {pref.model}"
    if all(buyer.level == 3 for buyer in deck.buyer):
        yield "buyer", "", "level", "No game begins with buyers of level 3 alone, and here are no others"


HOUSE: Final = "house"
DECKS: Final[Shelf[Deck]] = Shelf("perekupai", read_deck, HOUSE, read_deck("house", {}))
"""The decks that a game can be opened with: the house's, and those that the process found at its start."""
