"""Real or Fake's cards, its board and what collections are worth: data and arithmetic that rules and views share.

Cards of one series are equal: cards are a multiset, series to count. Nothing here changes one: sums and
differences are new ones, in the canonical order of the series and without zero counts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from fairdeal.decks import read_deck

Series = Literal[
    "art", "wines", "rugs", "gemstones", "antiques", "art_glass", "cars", "toys", "vintage_clothes"
]
Insider = Series | Literal["blank"]
"""An insider card: it marks a series as fake or is blank."""
Square = Literal["start", "new_acquisition", "trade", "tax_raid", "auction", "auction_object", "insider"]
InsiderDeck = Literal["9+27", "18+49", "36+94"]

Cards = dict[Series, int]
"""Object cards: how many of each series."""

BLANK: Final[Insider] = "blank"


class _Series(msgspec.Struct, frozen=True):
    id: Series
    name: str
    swedish: str
    cards: int


class _Value(msgspec.Struct, frozen=True):
    cards: int
    euro: int


class _Square(msgspec.Struct, frozen=True):
    index: int
    kind: Square


class _InsiderDeck(msgspec.Struct, frozen=True):
    id: InsiderDeck
    marked_each: int
    blank: int


class _Deck(msgspec.Struct):
    hand_size: int
    start_money: int
    tax_per_hand_card: int
    auction_house_size: int
    insider_placed: int
    cards_per_draw: int
    dice: int
    dice_sides: int
    series: tuple[_Series, ...]
    insider_deck: tuple[_InsiderDeck, ...]
    value: tuple[_Value, ...]
    square: tuple[_Square, ...]


DECK: Final = read_deck("real_or_fake", _Deck)

SERIES: Final[tuple[Series, ...]] = tuple(series.id for series in DECK.series)
"""All series in canonical order."""
NAMES: Final[dict[Series, str]] = {series.id: series.name for series in DECK.series}
IN_SERIES: Final = DECK.series[0].cards
"""How many cards each series has."""
HOUSE_BOARD: Final[tuple[Square, ...]] = tuple(square.kind for square in DECK.square)
"""The 28 squares clockwise from the start (real_or_fake.md §8)."""
VALUES: Final[tuple[int, ...]] = tuple(value.euro for value in DECK.value)
"""What 0, 1, 2 … 12 cards of a genuine series are worth (real_or_fake.md §2.1)."""
_INSIDER_DECKS: Final = {deck.id: deck for deck in DECK.insider_deck}


def all_objects() -> Cards:
    """All object cards of a game."""
    return {series.id: series.cards for series in DECK.series}


def insider_pool(deck: InsiderDeck) -> dict[Insider, int]:
    """All cards of an insider deck in canonical order: each series' marked ones, then the blanks."""
    chosen = _INSIDER_DECKS[deck]
    pool: dict[Insider, int] = dict.fromkeys(SERIES, chosen.marked_each)
    return pool | {BLANK: chosen.blank}


def count_of(cards: Iterable[Series]) -> Cards:
    """Cards that were named one by one, as a multiset."""
    named = list(cards)
    return {series: n for series in SERIES if (n := named.count(series))}


def plus(cards: Mapping[Series, int], other: Mapping[Series, int]) -> Cards:
    """Two multisets put together."""
    return {series: n for series in SERIES if (n := cards.get(series, 0) + other.get(series, 0))}


def minus(cards: Mapping[Series, int], other: Mapping[Series, int]) -> Cards:
    """Cards without others, all of which are among them."""
    return {series: n for series in SERIES if (n := cards.get(series, 0) - other.get(series, 0))}


def size(cards: Mapping[Series, int]) -> int:
    """How many cards these are."""
    return sum(cards.values())


def holds(cards: Mapping[Series, int], wanted: Mapping[Series, int]) -> bool:
    """Whether all that is wanted, at least one of each series that is named, is among the cards."""
    return all(0 < count <= cards.get(series, 0) for series, count in wanted.items())


def worth(cards: Mapping[Series, int], values: Sequence[int], fakes: Collection[Series]) -> int:
    """What all cards of one owner are worth by a value table; fake series are worth nothing (§5.5)."""
    return sum([values[cards.get(series, 0)] for series in SERIES if series not in fakes])
