"""The witness: a dealer that deals what the log says was drawn, and watches what the real stream gives."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from fairdeal.dealer import C, ImpossibleOutcome, Pool, Scripted, Seeded

D = TypeVar("D")


class Witness(Scripted):
    """Deals the logged outcomes of one commit after another to the rules.

    With a `seed` it draws along from the game's real stream: `mismatch` says where that gives something else.
    Without one it only deals. It reports the words that the log says, whatever was drawn, so that the
    re-executed commit differs from the logged one by nothing but what the rules themselves did.
    """

    __slots__ = ("_end", "_real", "_seed", "_start", "mismatch")

    def __init__(self, seed: bytes | None) -> None:
        super().__init__()
        self._seed = seed
        self._real: Seeded | None = None
        self._start = 0
        self._end = 0
        self.mismatch: str | None = None
        """Where the stream gives something else than the log says, for the first such draw of the commit."""

    def __deepcopy__(self, memo: object) -> "Witness":
        return self

    def sit_down(self, entropy: bytes) -> "Witness":
        """Take the place of the dealer of a game with this entropy."""
        if self._seed is not None:
            self._real = Seeded(self._seed, entropy, self._start)
        return self

    def expect(self, outcomes: Iterable[Any], start: int, end: int) -> None:
        """Get ready for a commit: what it drew, the first word that is its own, the `word` to report after it."""
        Scripted.__init__(self, outcomes)
        self.mismatch = None
        self._start = start
        self._end = end
        if self._real is not None:
            self._real.word = start

    @property
    def word(self) -> int:
        return self._end

    @property
    def next_word(self) -> int | None:
        """The number of the word after all that was drawn; None when the seed is not known."""
        if self._seed is None:
            return None
        return self._start if self._real is None else self._real.word

    def below(self, n: int) -> int:
        return self._compare(lambda: Scripted.below(self, n), lambda real: real.below(n))

    def die(self, sides: int = 6) -> int:
        return self._compare(lambda: Scripted.die(self, sides), lambda real: real.die(sides))

    def card(self, pool: Pool[C]) -> C:
        return self._compare(lambda: Scripted.card(self, pool), lambda real: real.card(pool))

    def _compare(self, deal: Callable[[], D], draw: Callable[[Seeded], D]) -> D:
        try:
            outcome = deal()
        except ImpossibleOutcome as error:
            self.mismatch = self.mismatch or str(error)
            raise
        if self._real is not None:
            given = draw(self._real)
            if given != outcome and self.mismatch is None:
                self.mismatch = (
                    f"draw {self._taken} is {outcome!r}, the dealer's stream gives {given!r} there"
                )
        return outcome
