"""What a role keeps of each game: the part of a follower that is different for each."""

from typing import Any, ClassVar, Generic, TypeVar

from fairdeal_views.logs import Body
from fairdeal_worker.scripts import Script

S = TypeVar("S")


class Keeper(Generic[S]):
    """How a game is read, folded and stored in one role.

    `S` is what is kept in memory of one game: its fold, and what was last stored of it. Whatever raises here
    is the game's own trouble: it is parked, and the others go on.
    """

    role: ClassVar[str]
    script: ClassVar[Script]
    """Stores a batch and moves the position. `store.lua` shows what it is given and what it answers."""

    def ask(self, pipeline: Any, game: str) -> None:
        """Add the one command that tells what is stored of a game."""
        raise NotImplementedError

    def open(self, game: str, answer: Any) -> S:
        """A game as it is before any commit that is not stored, from the answer to `ask`."""
        raise NotImplementedError

    def ask_version(self, pipeline: Any, game: str) -> None:
        """Add the one command that tells up to which version a game is stored."""
        raise NotImplementedError

    def version_in(self, answer: Any) -> int:
        """The version in the answer to `ask_version`; 0 when nothing is stored."""
        raise NotImplementedError

    def version(self, state: S) -> int:
        """The version that a game was folded up to."""
        raise NotImplementedError

    def apply(self, state: S, commit: Body) -> None:
        """Fold the next commit."""
        raise NotImplementedError

    def script_needs(self) -> tuple[str, list[Any]]:
        """The script's own key, the third, and what it is told besides."""
        raise NotImplementedError

    def write(self, state: S) -> list[Any] | None:
        """What the script takes to store the game, its id first; None when all of it is stored."""
        raise NotImplementedError

    def stored(self, state: S) -> None:
        """What `write` gave is stored now."""
        raise NotImplementedError
