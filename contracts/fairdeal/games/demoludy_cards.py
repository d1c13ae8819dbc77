"""Demoludy's cards, and what a card on the table can do and suffer: arithmetic that rules and views share.

Equal cards are not told apart: a card is its id, `P-red-3`, `USD10` or `policeman`. A seat's row is its
face-up cards on the table in the order in which they were played; face-down cards have no order.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from fairdeal.decks import read_deck
from fairdeal.games.foreign_goods import Colour


class Product(msgspec.Struct, frozen=True):
    """A product card: it bids `value` for the goods of its colour only."""

    id: str
    colour: Colour
    value: int
    name: str
    vodka: bool
    copies: int


class Dollar(msgspec.Struct, frozen=True):
    """A dollar card: it bids `value` for any goods."""

    id: str
    value: int
    copies: int


class ActionCard(msgspec.Struct, frozen=True):
    """A card of Variant 2, played for what it does."""

    id: str
    name: str
    copies: int


class _Deck(msgspec.Struct):
    product: tuple[Product, ...]
    dollar: tuple[Dollar, ...]
    action: tuple[ActionCard, ...]


_deck: Final = read_deck("demoludy", _Deck)

PRODUCTS: Final[dict[str, Product]] = {card.id: card for card in _deck.product}
DOLLARS: Final[dict[str, Dollar]] = {card.id: card for card in _deck.dollar}
ACTION_CARDS: Final[dict[str, ActionCard]] = {card.id: card for card in _deck.action}
VALUES: Final[dict[str, int]] = {card.id: card.value for card in _deck.product} | {
    card.id: card.value for card in _deck.dollar
}
"""What a face-up card bids; action cards bid nothing."""
VODKA: Final = frozenset(card.id for card in _deck.product if card.vodka)
TEN: Final = "USD10"

POLICEMAN: Final = "policeman"
CUSTOMS_OFFICER: Final = "customs_officer"
CAR_TROUBLE: Final = "car_trouble"
PETROL_STATION: Final = "petrol_station"
BAZAAR: Final = "bazaar"
MONEY_CHANGER: Final = "money_changer"
BROTHERHOOD: Final = "brotherhood"


def pack(actions: bool) -> dict[str, int]:
    """All cards of a game and how often each is there, in canonical order; with or without action cards."""
    cards = {card.id: card.copies for card in _deck.product} | {card.id: card.copies for card in _deck.dollar}
    return cards | {card.id: card.copies for card in _deck.action} if actions else cards


def fits(card: str, colour: Colour) -> bool:
    """Whether a card may lie face-up in an auction for goods of this colour (demoludy.md §5)."""
    product = PRODUCTS.get(card)
    return product.colour == colour if product is not None else card in DOLLARS


def worth(cards: Iterable[str], hidden: int) -> int:
    """What face-up cards and a number of face-down ones bid together."""
    return sum([VALUES[card] for card in cards]) + hidden


def add(cards: dict[str, int], card: str, count: int = 1) -> None:
    """Put so many of a card to others, of which `cards` counts each."""
    cards[card] = cards.get(card, 0) + count


def remove(cards: dict[str, int], card: str, count: int = 1) -> None:
    """Take so many of a card away; a card of which none is left is left out."""
    left = cards[card] - count
    if left:
        cards[card] = left
    else:
        del cards[card]


def left_of(seats: Sequence[int], seat: int) -> int:
    """The first of these seats to the left of `seat`; they ascend, and there is one."""
    return next((other for other in seats if other > seat), seats[0])


class Front:
    """All cards on the table as everybody sees them: what the action cards work on (demoludy.md §7).

    `rows` and `hidden` are each seat's face-up cards and number of face-down ones, `hands` the sizes of the
    hands, `bidders` the seats in the auction. `hidden_count`: whether face-down cards save the last face-up
    one. The lists may be the live ones of a state or a view.
    """

    __slots__ = ("bidders", "hands", "hidden", "hidden_count", "rows")

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        hidden: Sequence[int],
        hands: Sequence[int],
        bidders: Sequence[int],
        hidden_count: bool,
    ) -> None:
        self.rows = rows
        self.hidden = hidden
        self.hands = hands
        self.bidders = bidders
        self.hidden_count = hidden_count

    def can_lose(self, seat: int) -> bool:
        """Whether a seat has a face-up card that is not its last card on the table."""
        row = self.rows[seat]
        return bool(row) and len(row) + (self.hidden[seat] if self.hidden_count else 0) >= 2

    def lost_vodka(self, seat: int) -> tuple[int, ...]:
        """The places of the vodka cards in a seat's row that Brotherhood discards.

        All of them, but the earliest played one stays if nothing else would.
        """
        row = self.rows[seat]
        vodka = tuple(place for place, card in enumerate(row) if card in VODKA)
        others = len(row) - len(vodka) + (self.hidden[seat] if self.hidden_count else 0)
        return vodka if others else vodka[1:]

    def targets(self, card: str, seat: int) -> tuple[dict[int, int], int] | None:
        """What an action card may be played on by a seat; None if its action cannot be carried out.

        First the seats of which one is to be named, each with how many of its face-up cards may be named (0:
        none is named), empty if no seat is named. Then how many own face-up cards may be named (0: none is).
        """
        rows = self.rows
        seats: dict[int, int] = {}
        own = 0
        if card in (POLICEMAN, MONEY_CHANGER):
            seats = {other: 0 for other, count in enumerate(self.hands) if count and other != seat}
            possible = bool(seats)
        elif card == CUSTOMS_OFFICER:
            possible = any(self.can_lose(other) for other in self.bidders if other != seat)
        elif card == CAR_TROUBLE:
            seats = {s: len(rows[s]) for s in self.bidders if s != seat and self.can_lose(s)}
            possible = bool(seats)
        elif card == PETROL_STATION:
            own = len(rows[seat])
            possible = self.can_lose(seat)
        elif card == BAZAAR:
            own = len(rows[seat])
            seats = {s: len(rows[s]) for s in self.bidders if s != seat and rows[s]}
            possible = bool(own and seats)
        else:
            assert card == BROTHERHOOD
            possible = any(self.lost_vodka(other) for other in self.bidders)
        return (seats, own) if possible else None
