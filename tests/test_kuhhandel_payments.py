"""Payments, heaps and stakes against brute force (kuhhandel.md §6.3, §7.1, known faults K22 and K25)."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from fairdeal.games.kuhhandel import VALUES, Options, Pay, PayOffer
from fairdeal.games.kuhhandel_money import (
    MONEY,
    WORTH,
    Heap,
    PaymentRule,
    least_payment,
    least_total,
    minus,
    payment_fault,
    payments,
    plus,
    size,
    total,
)
from fairdeal_rules.games.kuhhandel_state import State, incomplete, stakes

RULES: tuple[PaymentRule, ...] = ("irreducible", "exact_if_possible", "any")


def subsets(hand: Heap) -> Iterator[Heap]:
    for counts in product(*(range(n + 1) for n in hand.values())):
        yield {name: n for name, n in zip(hand, counts, strict=True) if n}


def oracle(hand: Heap, price: int, rule: PaymentRule) -> list[Heap]:
    """Every payment that the rule allows, by trying every subset of the hand and every card taken back."""
    enough = [paid for paid in subsets(hand) if worth(paid) >= price]
    if rule == "any":
        return enough
    needed = [paid for paid in enough if all(worth(paid) - int(name) < price for name in paid)]
    exact = [paid for paid in needed if worth(paid) == price]
    return exact if exact and rule == "exact_if_possible" else needed


def worth(heap: Heap) -> int:
    return sum(int(name) * n for name, n in heap.items())


def key(heap: Heap) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(heap.items()))


def some_hand(random: Random, most: int) -> Heap:
    counts = {name: random.randrange(most + 1) for name in WORTH}
    return {name: n for name, n in counts.items() if n}


def some_price(random: Random, hand: Heap) -> int:
    """Anything that the hand can pay; every other time a multiple of ten."""
    step = random.choice((1, 10))
    return step * random.randrange(1, worth(hand) // step + 1)


@pytest.mark.parametrize("rule", RULES)
def test_what_is_found_and_what_is_admitted_is_what_brute_force_finds(rule: PaymentRule) -> None:
    random = Random(rule)
    for _ in range(60):
        hand = some_hand(random, 3)
        if not worth(hand):
            continue
        price = some_price(random, hand)
        allowed = {key(paid) for paid in oracle(hand, price, rule)}
        found = [key(paid) for paid in payments(hand, price, rule)]
        assert len(found) == len(set(found))
        if rule == "any":
            assert set(found) == {key(paid) for paid in oracle(hand, price, "irreducible")} <= allowed
        else:
            assert set(found) == allowed
        offer = PayOffer(price=price, rule=rule, cards=hand)
        for paid in subsets(hand):
            assert (payment_fault(hand, price, paid, rule) is None) == (key(paid) in allowed)
            assert offer.admits(Pay(cards=paid)) == (key(paid) in allowed)
        assert offer.admits(offer.sample(random))


def test_the_least_payment_is_the_least_of_all() -> None:
    random = Random(1)
    for _ in range(60):
        hand = some_hand(random, 3)
        if not worth(hand):
            continue
        price = some_price(random, hand)
        every = oracle(hand, price, "irreducible")
        least = least_payment(hand, price)
        assert key(least) in map(key, every)
        assert total(least) == least_total(hand, price) == min(map(worth, every))
        assert size(least) == min(size(paid) for paid in every if worth(paid) == total(least))


@pytest.mark.parametrize("box", MONEY)
def test_a_whole_box_in_one_hand_is_still_paid_from_quickly(box: str) -> None:
    hand = MONEY[box].box
    for price in range(10, worth(hand) + 1, 370):
        found = list(payments(hand, price))
        assert 0 < len(found) < 5000
        assert len({key(paid) for paid in found}) == len(found)
        for paid in found:
            assert worth(paid) >= price > worth(paid) - min(int(name) for name in paid)


def test_a_hand_that_falls_short_has_no_payment() -> None:
    hand = {"0": 3, "10": 2, "50": 1}
    assert list(payments(hand, 80)) == []
    assert payment_fault(hand, 80, hand, "any") == "underpaid"
    assert payment_fault(hand, 80, {}, "irreducible") == "underpaid"


def test_heaps_are_never_changed_in_place() -> None:
    one, other = {"10": 2, "50": 1}, {"10": 1}
    assert plus(one, other) == {"10": 3, "50": 1}
    assert minus(one, other) == {"10": 1, "50": 1}
    assert minus(one, one) == {}
    assert (one, other) == ({"10": 2, "50": 1}, {"10": 1})


def test_the_bank_can_always_pay_four_donkeys() -> None:
    for money, seats in product(MONEY.values(), (3, 4, 5)):
        assert all(money.box.get(name, 0) >= seats * n for name, n in money.start.items())
        left = minus(money.box, {name: seats * n for name, n in money.start.items()})
        assert all(left.get(name, 0) >= seats for name in ("50", "100", "200", "500"))


@pytest.mark.parametrize(
    ("money", "cards", "value"), [("classic", 55, 4700), ("first_edition", 55, 4500), ("master", 66, 5700)]
)
def test_what_is_in_a_box(money: str, cards: int, value: int) -> None:
    assert size(MONEY[money].box) == cards
    assert total(MONEY[money].box) == value
    assert sum(VALUES.values()) == 3850


def test_stakes_against_brute_force() -> None:
    """Two animals exactly if both own two, otherwise one; whoever is incomplete can trade when the deck is empty."""
    random = Random(2)
    for _ in range(200):
        seats = random.choice((3, 4, 5))
        state = State(Options(), seats)
        for species in VALUES:
            for _ in range(4):
                state.animals[random.randrange(seats)][species] += 1
        for seat, other in product(range(seats), repeat=2):
            if seat != other:
                mine, theirs = state.animals[seat], state.animals[other]
                both = [species for species in VALUES if mine[species] and theirs[species]]
                expected = {species: 2 if mine[species] == theirs[species] == 2 else 1 for species in both}
                assert stakes(state, seat, other) == expected
        for seat in range(seats):
            can_trade = any(stakes(state, seat, other) for other in range(seats) if other != seat)
            assert incomplete(state, seat) == can_trade
