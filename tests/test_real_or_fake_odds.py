"""How many series are fake: the printed odds, exactly and over seeded games (real_or_fake.md §2.2).

`FAIRDEAL_DRAWS` says how many games the sample has.
"""

import os
from collections import Counter
from hashlib import sha256
from math import comb, floor, log10, sqrt
from typing import get_args

import msgspec
import pytest

from fairdeal.dealer import Seeded
from fairdeal.decks import read_deck
from fairdeal.games.real_or_fake import InsiderTaken, Options, Roll
from fairdeal.games.real_or_fake_cards import BLANK, SERIES, Insider, InsiderDeck, insider_pool
from fairdeal.visibility import Event
from fairdeal_rules.games.real_or_fake import Rules
from fairdeal_rules.games.real_or_fake_state import State
from support.real_or_fake import at, before

DRAWS = int(os.environ.get("FAIRDEAL_DRAWS", "50000"))
PLACED = 10


class _Printed(msgspec.Struct):
    fakes: int
    percent_printed: float


class _Odds(msgspec.Struct):
    fake_probability: tuple[_Printed, ...]


PRINTED = {row.fakes: row.percent_printed for row in read_deck("real_or_fake", _Odds).fake_probability}


def ways(fakes: int, deck: InsiderDeck) -> int:
    """In how many ways ten cards of a deck mark exactly so many series: inclusion and exclusion."""
    pool = insider_pool(deck)
    each, blank = pool["art"], pool[BLANK]
    of_these = sum(
        (-1) ** none * comb(fakes, none) * comb(each * (fakes - none) + blank, PLACED)
        for none in range(fakes + 1)
    )
    return comb(len(SERIES), fakes) * of_these


def odds(fakes: int, deck: InsiderDeck = "9+27") -> float:
    return ways(fakes, deck) / comb(sum(insider_pool(deck).values()), PLACED)


def as_printed(percent: float) -> float:
    """Whole percent from 1 % up, one significant digit below."""
    return float(f"{percent:.0f}") if percent >= 1 else float(f"{percent:.0e}")


def seeded(number: int) -> Seeded:
    return Seeded(sha256(b"insider odds %d" % number).digest())


def fakes_among(cards: tuple[Insider, ...]) -> int:
    return len({card for card in cards if card != BLANK})


def test_g7_the_exact_numbers_of_ways() -> None:
    counted = [8436285, 42181425, 79922700, 74594520, 37297260, 10171980, 1474200, 105300, 3159, 27]
    assert [ways(fakes, "9+27") for fakes in range(10)] == counted
    assert sum(counted) == comb(36, 10) == 254_186_856
    assert [comb(9, fakes) * comb(27, 10 - fakes) for fakes in range(10)] == counted
    assert sum(fakes * odds(fakes) for fakes in range(10)) == pytest.approx(2.5)


@pytest.mark.parametrize("deck", get_args(InsiderDeck))
def test_g7_all_ten_printed_odds(deck: InsiderDeck) -> None:
    assert sum(odds(fakes, deck) for fakes in range(10)) == pytest.approx(1)
    assert {fakes: as_printed(100 * odds(fakes, deck)) for fakes in range(10)} == PRINTED


@pytest.fixture(scope="module")
def sample() -> Counter[int]:
    """How many of the seeded games have how many fakes among the ten cards that are placed."""
    pool = insider_pool("9+27")
    return Counter(fakes_among(seeded(number).cards(pool, PLACED)) for number in range(DRAWS))


def test_seeded_games_have_the_printed_odds(sample: Counter[int]) -> None:
    """Each share is off its exact one by less than five standard deviations (and one game, where it is tiny)."""
    assert sample.total() == DRAWS
    for fakes in range(10):
        exact = odds(fakes)
        deviation = sqrt(DRAWS * exact * (1 - exact))
        off = abs(sample[fakes] - DRAWS * exact)
        assert off <= 5 * deviation + 1, f"{sample[fakes]} of {DRAWS} games have {fakes} fakes"


def test_seeded_games_agree_with_the_printed_table(sample: Counter[int]) -> None:
    """Within the rounding of the print and five standard deviations of the sample."""
    for fakes, percent in PRINTED.items():
        rounding = 0.5 if percent >= 1 else 0.5 * 10 ** floor(log10(percent))
        deviation = 100 * sqrt(odds(fakes) * (1 - odds(fakes)) / DRAWS)
        share = 100 * sample[fakes] / DRAWS
        assert abs(share - percent) <= rounding + 5 * deviation + 100 / DRAWS


def test_the_whole_distribution_is_the_exact_one(sample: Counter[int]) -> None:
    """Chi square with rare counts put together: 22.5 is exceeded by one honest sample in a thousand of 6 degrees."""
    counts = [sample[fakes] for fakes in range(6)] + [sum(sample[fakes] for fakes in range(6, 10))]
    exact = [odds(fakes) for fakes in range(6)] + [sum(odds(fakes) for fakes in range(6, 10))]
    square = sum(
        (count - DRAWS * share) ** 2 / (DRAWS * share) for count, share in zip(counts, exact, strict=True)
    )
    assert square < 22.5
    mean = sum(fakes * count for fakes, count in sample.items()) / DRAWS
    variance = sum((fakes - 2.5) ** 2 * odds(fakes) for fakes in range(10))
    assert abs(mean - 2.5) < 5 * sqrt(variance / DRAWS)


def test_cards_sold_two_by_two_are_the_ten_that_would_have_been_placed() -> None:
    """No card is told apart before it is sold, and yet the ten are those of one draw of ten."""
    rules = Rules()
    for number in range(200):
        dealer = seeded(number)
        state = rules.open(Options(), 3)
        for event in at("", "", "", cash=dict.fromkeys(range(3), 0), squares={0: before("insider", 7)}):
            rules.evolve(state, event)
        taken: list[Insider] = []
        while state.insider_left:
            _sell(rules, state, dealer, taken)
        assert tuple(taken) == seeded(number).cards(insider_pool("9+27"), PLACED)


def _sell(rules: Rules, state: State, dealer: Seeded, taken: list[Insider]) -> None:
    """Have the seat on turn come to an insider square where nobody has money: the cards are free."""

    class Loaded(Seeded):
        """Dice that lead there; cards by the dealer."""

        __slots__ = ()

        def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
            return (3, 4)

        def below(self, n: int) -> int:
            return dealer.below(n)

    events: list[Event] = []

    def emit(event: Event) -> None:
        events.append(event)
        rules.evolve(state, event)

    state.positions = [before("insider", 7)] * 3
    rules.decide(state, state.turn, Roll(), Loaded(bytes(32)), emit)
    (sold,) = (event for event in events if isinstance(event, InsiderTaken))
    assert sold.price == 0
    taken += sold.cards or ()
