"""Pan tu nie stał!: the cards, the goods, and what a queue is worth to whom. Rules and views share it.

Equal cards are not told apart: a card is its id, `regular` or `brawler`. Goods are: a token of the shops is `T01`,
one of the Bazaar is Demoludy's, `G-red-3`.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from fairdeal.decks import read_deck
from fairdeal.games.foreign_goods import GOODS as FOREIGN


class QueueCard(msgspec.Struct, frozen=True):
    """A kind of card: what it counts in a queue, its effect, and how many each seat has of it."""

    id: str
    name: str
    value: int
    copies: int
    effect: Literal["none", "escalating", "level_to_one", "free_play", "cover"]


class ShopTile(msgspec.Struct, frozen=True):
    """A shop at which one queues."""

    id: str
    name: str


class Good(msgspec.Struct, frozen=True):
    """A token of the shops: its id, its value from 1 to 8, and what is pictured on it."""

    id: str
    value: int
    name: str


class _Queues(msgspec.Struct):
    players: int
    queues: int


class _Deck(msgspec.Struct):
    hand_size: int
    shops_by_players: tuple[_Queues, ...]
    queue_card: tuple[QueueCard, ...]
    shop: tuple[ShopTile, ...]
    good: tuple[Good, ...]


_deck: Final = read_deck("pan_tu_nie_stal", _Deck)

HAND_SIZE: Final = _deck.hand_size
QUEUES: Final[dict[int, int]] = {entry.players: entry.queues for entry in _deck.shops_by_players}
"""How many queues there are, by the number of seats; the Bazaar takes the place of one shop."""
CARDS: Final[dict[str, QueueCard]] = {card.id: card for card in _deck.queue_card}
"""All kinds of cards by id, in their canonical order."""
SHOPS: Final = tuple(shop.name for shop in _deck.shop)
GOODS: Final[dict[str, Good]] = {good.id: good for good in _deck.good}
"""All tokens of the shops by id, in their canonical order: values ascending."""
VALUES: Final[dict[str, int]] = {token.id: token.value for token in GOODS.values()} | {
    token.id: token.value for token in FOREIGN.values()
}
"""What each token is worth, of the shops and of the Bazaar."""

REGULAR: Final = "regular"
COLLEAGUES: Final = "colleagues"
MOTHER: Final = "mother"
RUNNER: Final = "runner"
BRAWLER: Final = "brawler"
_BASE: Final = {card.id: card.value for card in CARDS.values()}


def pack(deck_size: int, specials: Sequence[int]) -> dict[str, int]:
    """A seat's own cards and how often each is there, in canonical order (pan_tu_nie_stal.md §1).

    `specials` are how many colleagues, mothers, runners and brawlers there are; of 21 cards one more is regular.
    """
    cards = {card.id: card.copies for card in CARDS.values()}
    cards |= dict(zip((COLLEAGUES, MOTHER, RUNNER, BRAWLER), specials, strict=True))
    cards[REGULAR] += deck_size - 20
    return cards


class Standing(msgspec.Struct, omit_defaults=True):
    """A card in a queue and the seat whose it is.

    `covered_by` is the position of the brawler that lies on it. `levelled`: a mother made it count 1 for good
    (`mother_duration: on_play`).
    """

    card: str
    seat: int
    covered_by: int | None = None
    levelled: bool = False


class Holding(msgspec.Struct, frozen=True):
    """A token and the seat that it belongs to."""

    seat: int
    token: str


class Queue(msgspec.Struct):
    """A shop or the Bazaar: its goods, and the line of cards before it, the earliest first.

    `claim` is the good that lies on a seat's cards there and is subtracted. `totals` are what the queue counts
    for each seat, and `leader` is the one with the advantage, if there is one. Without goods it is closed.
    """

    kind: Literal["shop", "bazaar"]
    totals: list[int]
    goods: list[str] = []
    line: list[Standing] = []
    claim: Holding | None = None
    leader: int | None = None


def lay(queue: Queue, seat: int, cards: Sequence[str], covers: Sequence[int], levels: bool) -> None:
    """Put cards at the end of the line, the first ones on the cards at the positions `covers`.

    With `levels` a mother among them makes all cards that lie there now count 1 for good.
    """
    line = queue.line
    end = len(line)
    line += [Standing(card, seat) for card in cards]
    for place, covered in enumerate(covers):
        line[covered].covered_by = end + place
    if levels and MOTHER in cards:
        for standing in line:
            if standing.covered_by is None:
                standing.levelled = True


def counts(line: Sequence[Standing], standing_mothers: bool) -> list[int]:
    """What each card of a line counts for its owner (pan_tu_nie_stal.md §4); 0 for a covered one.

    With `standing_mothers` everything counts 1 as long as a mother lies uncovered.
    """
    level = standing_mothers and any(s.card == MOTHER and s.covered_by is None for s in line)
    colleagues: dict[int, int] = {}
    found = []
    for standing in line:
        if standing.covered_by is not None:
            found.append(0)
            continue
        value = _BASE[standing.card]
        if standing.card == COLLEAGUES:
            value = colleagues[standing.seat] = colleagues.get(standing.seat, 0) + 1
        found.append(1 if level or standing.levelled else value)
    return found


def recount(queue: Queue, standing_mothers: bool, absent_counts_zero: bool) -> None:
    """Reckon totals and advantage anew, after the line or the claim has changed."""
    totals = [0] * len(queue.totals)
    for standing, value in zip(queue.line, counts(queue.line, standing_mothers), strict=True):
        totals[standing.seat] += value
    here = totals.copy()
    if queue.claim is not None:
        totals[queue.claim.seat] -= VALUES[queue.claim.token]
    queue.leader = _sole_first(totals, here, absent_counts_zero)
    queue.totals = totals


def _sole_first(totals: list[int], here: list[int], absent_counts_zero: bool) -> int | None:
    """The seat with the most, if no other has as much: of all seats, or of those that have a card `here`."""
    if absent_counts_zero:
        most = max(totals)
        return totals.index(most) if most > 0 and totals.count(most) == 1 else None
    present = [seat for seat, value in enumerate(here) if value]
    if not present:
        return None
    most = max([totals[seat] for seat in present])
    first = [seat for seat in present if totals[seat] == most]
    return first[0] if len(first) == 1 else None


def score(won: Sequence[str], foreign: Sequence[str]) -> int:
    """The points of a seat: all values, and one for each colour among the foreign goods (pan_tu_nie_stal.md §9)."""
    colours = {FOREIGN[token].colour for token in foreign}
    return sum([VALUES[token] for token in won]) + sum([VALUES[token] for token in foreign]) + len(colours)
