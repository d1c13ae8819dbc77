"""The dealer: its stream against a second reading of its definition, its fairness, its scripted twin."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.dealer import (
    WORDS,
    Dealer,
    ImpossibleOutcome,
    Pool,
    Scripted,
    SealedSeed,
    Seed,
    Seeded,
    card_at,
    join_entropy,
    make_seed,
)

SEED = bytes(range(32))


def stream_word(seed: bytes, entropy: bytes, number: int) -> int:
    """Word `number` of a stream, written anew from DESIGN's words with `hmac.new`, one word at a time."""
    key = hmac.new(seed, entropy, hashlib.sha256).digest()
    block = hmac.new(key, b"fairdeal/draw/1|" + (number // 8).to_bytes(8, "big"), hashlib.sha256).digest()
    return int.from_bytes(block[number % 8 * 4 : number % 8 * 4 + 4], "big")


def drawn_below(seed: bytes, entropy: bytes, number: int, n: int) -> tuple[int, int]:
    """A number below `n` and the number of the next word."""
    while stream_word(seed, entropy, number) >= WORDS // n * n:
        number += 1
    return stream_word(seed, entropy, number) % n, number + 1


class Words(Seeded):
    """The real dealer over words of our choice."""

    def __init__(self, *words: int) -> None:
        super().__init__(SEED)
        self._given = words

    def _next(self) -> int:
        self.word += 1
        return self._given[self.word - 1]


@given(
    seed=st.binary(min_size=32, max_size=32),
    entropy=st.binary(max_size=40),
    asked=st.lists(st.integers(1, WORDS), max_size=30),
    start=st.integers(0, 1000),
)
@settings(max_examples=100, deadline=None)
def test_the_stream_is_what_its_definition_says(
    seed: bytes, entropy: bytes, asked: list[int], start: int
) -> None:
    dealer = Seeded(seed, entropy, start)
    word = start
    for n in asked:
        number, word = drawn_below(seed, entropy, word, n)
        assert dealer.below(n) == number
        assert dealer.word == word


def test_a_known_game_deals_these_dice_for_ever() -> None:
    assert Seeded(SEED, b"3:ann0:").dice(12) == (4, 4, 2, 6, 4, 3, 1, 5, 5, 2, 5, 4)
    assert Seed(SEED).commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_dealer_may_start_at_any_word() -> None:
    whole = Seeded(SEED).dice(40)
    for start in range(40):
        assert Seeded(SEED, word=start).dice(40 - start) == whole[start:]


@pytest.mark.parametrize("n", [6, 5, 7, 2, 3, 12, 37, 100])
def test_each_number_comes_as_often_as_the_others(n: int) -> None:
    draws = 4000
    dealer = Seeded(SEED, str(n).encode())
    counts = Counter(dealer.below(n) for _ in range(draws))
    expected = draws / n
    chi_square = sum((counts[number] - expected) ** 2 / expected for number in range(n))
    # The mean of chi-square is n - 1, its variance 2(n - 1): five standard deviations, and the seed is fixed.
    assert chi_square < (n - 1) + 5 * (2 * (n - 1)) ** 0.5
    assert set(counts) == set(range(n))


def test_words_past_the_last_full_turn_are_thrown_away() -> None:
    n = 2**31 + 1
    dealer = Words(n, WORDS - 1, n - 1, 7)
    assert dealer.below(n) == n - 1
    assert dealer.word == 3
    assert dealer.below(n) == 7


@pytest.mark.parametrize("n", [3, 6, 7, 2**31 + 1, WORDS - 1])
def test_rejection_begins_exactly_at_the_last_multiple(n: int) -> None:
    limit = WORDS // n * n
    assert Words(limit - 1).below(n) == n - 1
    assert Words(limit, 5).below(n) == 5 % n


@pytest.mark.parametrize("n", [1, 2, 256, 2**31, WORDS])
def test_a_power_of_two_throws_no_word_away(n: int) -> None:
    assert Words(WORDS - 1).below(n) == n - 1


@pytest.mark.parametrize("n", [0, -1, -6, WORDS + 1, 10**40])
def test_nothing_is_drawn_out_of_nothing_or_of_too_much(n: int) -> None:
    with pytest.raises(ValueError, match="nothing can be drawn out of"):
        Seeded(SEED).below(n)


def test_a_pool_without_cards_gives_none() -> None:
    pools: list[Pool[str]] = [{}, {"a": 0}, []]
    for pool in pools:
        with pytest.raises(ValueError, match="out of 0"):
            Seeded(SEED).card(pool)


# Cards


POOLS = st.dictionaries(st.text(max_size=3), st.integers(0, 5), min_size=1).filter(lambda p: any(p.values()))


@given(pool=POOLS, entropy=st.binary(max_size=4))
@settings(max_examples=100, deadline=None)
def test_a_card_is_the_one_at_its_number_in_the_laid_out_pool(pool: dict[str, int], entropy: bytes) -> None:
    laid_out = [card for card, count in pool.items() for _ in range(count)]
    assert [card_at(pool, index) for index in range(len(laid_out))] == laid_out
    number = Seeded(SEED, entropy).below(len(laid_out))
    assert Seeded(SEED, entropy).card(pool) == laid_out[number] == Seeded(SEED, entropy).card(laid_out)
    with pytest.raises(IndexError):
        card_at(pool, len(laid_out))


@given(pool=POOLS)
@settings(max_examples=60, deadline=None)
def test_all_cards_of_a_pool_come_out_once_each_and_the_pool_stays(pool: dict[str, int]) -> None:
    before = dict(pool)
    size = sum(pool.values())
    drawn = Seeded(SEED).cards(pool, size)
    assert Counter(drawn) == Counter({card: count for card, count in pool.items() if count})
    assert pool == before
    with pytest.raises(ValueError, match="out of 0"):
        Seeded(SEED).cards(pool, size + 1)


# Seeds and entropy


def test_entropy_is_joined_by_length_in_bytes() -> None:
    assert join_entropy([]) == b""
    assert join_entropy([None, ""]) == b"0:0:"
    assert join_entropy(["ann", None, "żółw"]) == "3:ann0:7:żółw".encode()


@given(
    st.lists(st.one_of(st.none(), st.text(max_size=5)), max_size=5), st.lists(st.text(max_size=5), max_size=5)
)
@settings(max_examples=200, deadline=None)
def test_no_two_lists_of_contributions_join_alike(one: list[str | None], other: list[str | None]) -> None:
    same = [text or "" for text in one] == [text or "" for text in other]
    assert (join_entropy(one) == join_entropy(other)) == same


def test_entropy_changes_every_draw() -> None:
    assert len({Seeded(SEED, join_entropy([text])).dice(10) for text in ("", "a", "b", "1:a")}) == 4


def test_a_seed_belongs_to_one_create_of_one_game() -> None:
    message = b"fairdeal/seed/1|fairdeal|g42|1796040000123-0"
    seed = make_seed(b"secret", "fairdeal", "g42", "1796040000123-0")
    assert seed.value == hmac.new(b"secret", message, hashlib.sha256).digest()
    assert seed.commitment == hashlib.sha256(seed.value).hexdigest()
    assert bytes.fromhex(seed.revealed) == seed.value
    others = [
        make_seed(b"Secret", "fairdeal", "g42", "1796040000123-0"),
        make_seed(b"secret", "other", "g42", "1796040000123-0"),
        make_seed(b"secret", "fairdeal", "g43", "1796040000123-0"),
        make_seed(b"secret", "fairdeal", "g42", "1796040000123-1"),
    ]
    assert len({seed.value, *(other.value for other in others)}) == 5


def test_no_seed_shows_in_a_printed_one() -> None:
    seed = Seed(SEED)
    assert seed.revealed not in repr(seed)
    assert SealedSeed(seed.commitment).commitment == seed.commitment
    assert SealedSeed(seed.commitment).revealed == ""


# Scripted


def test_a_scripted_dealer_gives_what_it_is_told() -> None:
    dealer = Scripted([3, 6, 0, "fox", "hen", "hen"])
    assert (dealer.die(), dealer.die(), dealer.below(4)) == (3, 6, 0)
    assert dealer.left == 3
    assert dealer.card({"cow": 2, "fox": 1, "hen": 3}) == "fox"
    assert dealer.cards({"cow": 0, "hen": 2}, 2) == ("hen", "hen")
    assert (dealer.word, dealer.left) == (6, 0)
    dealer.extend([1])
    assert dealer.die() == 1


@pytest.mark.parametrize(
    ("outcome", "ask"),
    [
        (7, lambda d: d.die()),
        (0, lambda d: d.die()),
        (5, lambda d: d.die(4)),
        ("3", lambda d: d.die()),
        (True, lambda d: d.die()),
        (2.0, lambda d: d.die()),
        (None, lambda d: d.die()),
        (4, lambda d: d.below(4)),
        (-1, lambda d: d.below(4)),
        (False, lambda d: d.below(4)),
        ("owl", lambda d: d.card({"fox": 1})),
        ("fox", lambda d: d.card({"fox": 0, "hen": 1})),
        ("owl", lambda d: d.card(["fox", "hen"])),
        ("fox", lambda d: d.card([])),
    ],
)
def test_a_scripted_dealer_refuses_what_cannot_be(outcome: object, ask: Callable[[Dealer], object]) -> None:
    dealer = Scripted([outcome])
    with pytest.raises(ImpossibleOutcome, match="outcome 1 of the script"):
        ask(dealer)
    assert dealer.requests == []


def test_a_script_that_has_run_out_says_so() -> None:
    dealer = Scripted([3])
    dealer.die()
    with pytest.raises(ImpossibleOutcome, match="run out: a die of 6 sides was asked after 1 outcomes"):
        dealer.die()
    with pytest.raises(ImpossibleOutcome, match="run out"):
        Scripted().card({"fox": 1})


ASKS = st.lists(
    st.one_of(
        st.integers(1, 20).map(lambda n: ("below", n)),
        st.integers(1, 20).map(lambda n: ("die", n)),
        POOLS.map(lambda pool: ("card", pool)),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(lambda pool: ("card", pool)),
    ),
    max_size=12,
)


@given(asks=ASKS, entropy=st.binary(max_size=4))
@settings(max_examples=200, deadline=None)
def test_what_the_real_dealer_gave_a_scripted_one_gives_again(
    asks: list[tuple[str, object]], entropy: bytes
) -> None:
    """And its `requests` say exactly which numbers of the stream would have given the same outcomes."""

    def ask(dealer: Dealer) -> list[object]:
        return [getattr(dealer, name)(argument) for name, argument in asks]

    outcomes = ask(Seeded(SEED, entropy))
    scripted = Scripted(outcomes)
    assert ask(scripted) == outcomes
    again = Seeded(SEED, entropy)
    for (n, numbers), (name, argument), outcome in zip(scripted.requests, asks, outcomes, strict=True):
        assert again.below(n) in numbers
        for number in range(n):
            replayed = getattr(Words(number), name)(argument)
            assert (number in numbers) == (replayed == outcome)
