"""Kuhhandel's money: heaps of cards, their totals, and the payments that a price allows (kuhhandel.md §6.3).

A heap is a multiset of money cards, denomination to count. Nothing here changes a heap: sums and differences
are new ones, in the order of denominations and without zero counts.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

Heap = dict[str, int]
"""Money cards: how many of each denomination."""

PaymentRule = Literal["irreducible", "exact_if_possible", "any"]

WORTH: Final[dict[str, int]] = {"0": 0, "10": 10, "20": 20, "50": 50, "100": 100, "200": 200, "500": 500}
"""What a card of each denomination is worth, in rising order. The 20 exists in Kuhhandel Master only."""


class MoneySet(NamedTuple):
    """The money of a box, and what each seat gets of it at the start."""

    box: Heap
    start: Heap


MONEY: Final[dict[str, MoneySet]] = {
    "classic": MoneySet(
        {"0": 10, "10": 20, "50": 10, "100": 5, "200": 5, "500": 5}, {"0": 2, "10": 4, "50": 1}
    ),
    "first_edition": MoneySet({"0": 10, "10": 25, "50": 5, "100": 5, "200": 5, "500": 5}, {"0": 2, "10": 5}),
    "master": MoneySet(
        {"0": 12, "10": 18, "20": 6, "50": 12, "100": 6, "200": 6, "500": 6},
        {"0": 2, "10": 3, "20": 1, "50": 1},
    ),
}
"""Money by the option `money_set` (kuhhandel.md §1, §2, §15)."""

UNIT: Final = 10
"""Every denomination is a multiple of this."""

_FALLING: Final = tuple((name, worth) for name, worth in reversed(WORTH.items()) if worth)


def total(heap: Mapping[str, int]) -> int:
    """What a heap is worth."""
    return sum(WORTH[name] * count for name, count in heap.items())


def size(heap: Mapping[str, int]) -> int:
    """How many cards a heap has."""
    return sum(heap.values())


def plus(heap: Mapping[str, int], other: Mapping[str, int]) -> Heap:
    """Two heaps put together."""
    return {name: n for name in WORTH if (n := heap.get(name, 0) + other.get(name, 0))}


def minus(heap: Mapping[str, int], other: Mapping[str, int]) -> Heap:
    """A heap without the cards of another one, all of which it holds."""
    return {name: n for name in WORTH if (n := heap.get(name, 0) - other.get(name, 0))}


def well_formed(cards: Mapping[str, int]) -> bool:
    """Whether all names are denominations and no count is negative."""
    return all(name in WORTH and type(count) is int and count >= 0 for name, count in cards.items())


def holds(heap: Mapping[str, int], cards: Mapping[str, int]) -> bool:
    """Whether a heap has all these cards."""
    return all(count <= heap.get(name, 0) for name, count in cards.items())


def payment_fault(
    hand: Mapping[str, int], price: int, cards: Mapping[str, int], rule: PaymentRule
) -> Literal["cards_not_owned", "underpaid", "superfluous_cards"] | None:
    """Why well-formed `cards` are no payment of a price out of a hand; None if they are one.

    Irreducible: no card can be taken back, so there is no 0-card and even the smallest card is needed.
    """
    if not holds(hand, cards):
        return "cards_not_owned"
    paid = total(cards)
    if paid < price:
        return "underpaid"
    if rule == "any":
        return None
    needless = paid - min(WORTH[name] for name, count in cards.items() if count) >= price
    if needless or (rule == "exact_if_possible" and paid > price == least_total(hand, price)):
        return "superfluous_cards"
    return None


def least_total(hand: Mapping[str, int], price: int) -> int:
    """The smallest total of cards out of a hand that is worth the price; the hand must be worth that much."""
    sums = 1  # bit n is set when n × UNIT can be laid exactly
    for name, worth in _FALLING:
        for _ in range(hand.get(name, 0)):
            sums |= sums << worth // UNIT
    least = -(-price // UNIT)
    enough = sums >> least
    return (least + (enough & -enough).bit_length() - 1) * UNIT


def payments(hand: Mapping[str, int], price: int, rule: PaymentRule = "irreducible") -> Iterator[Heap]:
    """Every irreducible payment of a price out of a hand, big cards first; none if the hand falls short.

    Under `exact_if_possible` only the exact ones when there are any. Under `any` more is allowed than these.
    """
    found = _irreducible(hand, price, 0, total(hand))
    if rule == "exact_if_possible" and least_total(hand, price) == price:
        return (paid for paid in found if total(paid) == price)
    return found


def _irreducible(hand: Mapping[str, int], price: int, at: int, left: int) -> Iterator[Heap]:
    """The irreducible payments with the denominations from number `at` on, which are worth `left` in this hand."""
    if left < price:
        return
    name, worth = _FALLING[at]
    held = hand.get(name, 0)
    needed = -(-price // worth)
    if held >= needed:
        yield {name: needed}
    left -= held * worth
    for count in range(min(held, needed - 1), -1, -1):
        for rest in _irreducible(hand, price - count * worth, at + 1, left):
            yield {**rest, name: count} if count else rest


def least_payment(hand: Mapping[str, int], price: int) -> Heap:
    """The payment of the smallest total, and among these the one of the fewest cards, then of the biggest."""
    least = least_total(hand, price)
    return min((paid for paid in payments(hand, price) if total(paid) == least), key=size)


def least_offer(cards: Heap, allow_empty: bool) -> Heap:
    """The heap that a seat which does not choose offers: nothing or, where that is not allowed, its smallest card."""
    if allow_empty or not cards:
        return {}
    return {next(name for name in WORTH if name in cards): 1}
