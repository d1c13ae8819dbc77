"""Foreign goods: the tokens of Demoludy, with which the Bazaar of Pan tu nie stał! is played too.

25 tokens that are told apart, of the values 1 to 5 in each of five colours (demoludy.md §1,
pan_tu_nie_stal.md §1). A token travels as its id, `G-red-3`.
"""

from typing import Final, Literal

import msgspec

from fairdeal.decks import read_deck

Colour = Literal["red", "purple", "blue", "yellow", "green"]


class Country(msgspec.Struct, frozen=True):
    """Where the goods of a colour come from."""

    id: Colour
    country: str


class Good(msgspec.Struct, frozen=True):
    """A token: its id, its country's colour, its value from 1 to 5, and what is pictured on it."""

    id: str
    colour: Colour
    value: int
    name: str


class _Deck(msgspec.Struct):
    colour: tuple[Country, ...]
    good: tuple[Good, ...]


_deck: Final = read_deck("demoludy", _Deck)

COUNTRIES: Final[dict[Colour, str]] = {country.id: country.country for country in _deck.colour}
"""The country of each colour, in the canonical order of colours."""

COLOURS: Final[tuple[Colour, ...]] = tuple(COUNTRIES)

GOODS: Final[dict[str, Good]] = {good.id: good for good in _deck.good}
"""All tokens by id, in their canonical order: by colour, each colour's values ascending."""
