"""The dealer: the only source of chance, and what anybody needs to check it.

The seed is committed to before the first draw and revealed at the end, so every draw can be recomputed:

    key    = HMAC-SHA256(seed, entropy)                 entropy: each seat's `<bytes>:<text>`, in seat order
    block i = HMAC-SHA256(key, "fairdeal/draw/1|" + i as 8 bytes big-endian), read as 32-bit words
    below n: take a word w; while w >= floor(2**32 / n) * n take the next; w mod n

No deck is ever shuffled ahead: a card is drawn when it is needed, so neither the log nor the memory of a
running game holds the future.
"""

import hashlib
import hmac
import struct
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

C = TypeVar("C")

_unpack_words = struct.Struct(">8I").unpack

WORDS: Final = 2**32
"""How many values a word of the stream has: no draw chooses among more."""

Pool = Mapping[C, int] | Sequence[C]
"""A multiset of cards: how often each is there, in the ruleset's canonical order; or simply all of them."""


class Seed:
    """The seed of one game (32 bytes), and the commitment to it."""

    __slots__ = ("commitment", "value")

    def __init__(self, value: bytes) -> None:
        self.value = value
        self.commitment = hashlib.sha256(value).hexdigest()
        """What is published before the first draw: SHA-256 of the seed, lower-case hex."""

    def __repr__(self) -> str:
        return f"Seed(commitment={self.commitment!r})"

    @property
    def revealed(self) -> str:
        """The seed in lower-case hex, as the end of the game publishes it."""
        return self.value.hex()


class SealedSeed(Seed):
    """A seed of which only the commitment is known, as in the log of a game that still runs."""

    __slots__ = ()

    def __init__(self, commitment: str) -> None:
        self.value = b""
        self.commitment = commitment


def make_seed(secret: bytes, namespace: str, game: str, entry: str) -> Seed:
    """The seed of the game that the command at stream entry `entry` created."""
    return Seed(hmac.digest(secret, f"fairdeal/seed/1|{namespace}|{game}|{entry}".encode(), "sha256"))


def join_entropy(contributions: Iterable[str | None]) -> bytes:
    """The players' contributions in seat order, each as `<length in UTF-8 bytes>:<text>`, none as `0:`."""
    texts = ((text or "").encode() for text in contributions)
    return b"".join(str(len(text)).encode() + b":" + text for text in texts)


class Dealer:
    """The interface that rules draw from. Subclasses supply `below`."""

    __slots__ = ()

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others. Raises ValueError for n not 1 to 2**32."""
        raise NotImplementedError

    def die(self, sides: int = 6) -> int:
        """One die: 1 to `sides`."""
        return 1 + self.below(sides)

    def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """`count` dice, left to right."""
        return tuple(self.die(sides) for _ in range(count))

    def card(self, pool: Pool[C]) -> C:
        """One card from a pool that is not empty; the pool itself is left as it is."""
        if isinstance(pool, Mapping):
            return card_at(pool, self.below(sum(pool.values())))
        return pool[self.below(len(pool))]

    def cards(self, pool: Mapping[C, int], count: int) -> tuple[C, ...]:
        """`count` cards, one after another without putting them back; the pool itself is left as it is."""
        left = dict(pool)
        drawn = []
        for _ in range(count):
            card = self.card(left)
            left[card] -= 1
            drawn.append(card)
        return tuple(drawn)


def card_at(pool: Mapping[C, int], index: int) -> C:
    """The card at `index` when the pool's cards are laid out in order, each as often as it is there."""
    for card, count in pool.items():
        if index < count:
            return card
        index -= count
    raise IndexError("the pool holds fewer cards than that")


class Seeded(Dealer):
    """The real dealer: the stream of a seed and the players' entropy, from word number `word` on."""

    __slots__ = ("_block", "_inner", "_outer", "_words", "word")

    def __init__(self, seed: bytes, entropy: bytes = b"", word: int = 0) -> None:
        key = hmac.digest(seed, entropy, "sha256").ljust(64, b"\0")
        # HMAC by its definition (RFC 2104): copying the two keyed states costs a third of hmac.digest.
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))
        self._block = -1
        self._words: tuple[int, ...] = ()
        self.word = word
        """The number of the next word: what was drawn so far."""

    def _next(self) -> int:
        word = self.word
        if word >> 3 != self._block:
            self._block = word >> 3
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(b"fairdeal/draw/1|" + self._block.to_bytes(8, "big"))
            outer.update(inner.digest())
            self._words = _unpack_words(outer.digest())
        self.word = word + 1
        return self._words[word & 7]

    def below(self, n: int) -> int:
        if not 1 <= n <= WORDS:
            raise ValueError(f"nothing can be drawn out of {n}: a draw chooses among 1 to {WORDS}")
        limit = WORDS - WORDS % n
        word = self._next()
        while word >= limit:
            word = self._next()
        return word % n


class ImpossibleOutcome(Exception):
    """A scripted dealer was asked for something that its next outcome cannot be, or has run out."""


class Scripted(Dealer):
    """A dealer that gives the listed outcomes one by one: die values, card keys, indexes.

    Raises `ImpossibleOutcome` when the next one cannot be (a 7 on a six-sided die, a card that is not in
    the pool) or when the list has run out.
    """

    __slots__ = ("_outcomes", "_taken", "requests")

    def __init__(self, outcomes: Iterable[Any] = ()) -> None:
        self._outcomes = list(outcomes)
        self._taken = 0
        self.requests: list[tuple[int, Container[int]]] = []
        """What was asked so far: (n, the numbers below n that give the scripted outcome)."""

    @property
    def word(self) -> int:
        """How many outcomes were taken."""
        return self._taken

    @property
    def left(self) -> int:
        """How many outcomes nobody has asked for yet."""
        return len(self._outcomes) - self._taken

    def extend(self, outcomes: Iterable[Any]) -> None:
        """Append outcomes to the list."""
        self._outcomes.extend(outcomes)

    def _take(self, asked: str) -> Any:
        if self._taken == len(self._outcomes):
            raise ImpossibleOutcome(f"the script has run out: {asked} was asked after {self._taken} outcomes")
        outcome = self._outcomes[self._taken]
        self._taken += 1
        return outcome

    def _refuse(self, outcome: Any, asked: str) -> ImpossibleOutcome:
        return ImpossibleOutcome(f"outcome {self._taken} of the script, {outcome!r}, cannot be {asked}")

    def below(self, n: int) -> int:
        asked = f"a number below {n}"
        outcome = self._take(asked)
        if type(outcome) is not int or not 0 <= outcome < n:
            raise self._refuse(outcome, asked)
        self.requests.append((n, (outcome,)))
        return outcome

    def die(self, sides: int = 6) -> int:
        asked = f"a die of {sides} sides"
        outcome = self._take(asked)
        if type(outcome) is not int or not 1 <= outcome <= sides:
            raise self._refuse(outcome, asked)
        self.requests.append((sides, (outcome - 1,)))
        return outcome

    def card(self, pool: Pool[C]) -> C:
        asked = "a card of the pool"
        outcome = self._take(asked)
        below = 0
        if isinstance(pool, Mapping):
            total = sum(pool.values())
            for card, count in pool.items():
                if count and card == outcome:
                    self.requests.append((total, range(below, below + count)))
                    return card
                below += count
        elif outcome in pool:
            indexes = [index for index, card in enumerate(pool) if card == outcome]
            self.requests.append((len(pool), indexes))
            return pool[indexes[0]]
        raise self._refuse(outcome, asked)
