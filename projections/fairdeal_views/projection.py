"""The seam of a game's views: what every `fairdeal_views.games.<ruleset>.Seen` supplies."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from fairdeal.games import RULESETS
from fairdeal.view import Offer, Table
from fairdeal.visibility import Event

T = TypeVar("T", bound=Table)
H = TypeVar("H", bound=msgspec.Struct)


class Projection(Generic[T, H]):
    """How one game is seen. Folds events that were redacted first, so this code never holds a secret."""

    version: ClassVar[int] = 1
    """Rises when the same log gives other views than before; a rebuild may then replace stored ones."""

    hand_events: ClassVar[frozenset[type[Event]] | None] = None
    """The events that may change a hand, where most do not: no other reaches `fold_hand`. None: any may."""

    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> T:
        """The table before anything happened. `options` are resolved, as `game.created` carries them."""
        raise NotImplementedError

    def open_hand(self, seat: int, options: dict[str, Any]) -> H:
        """A seat's hand before anything happened."""
        raise NotImplementedError

    def fold_table(self, table: T, event: Event) -> None:
        """Change the table by an event as the viewer `table` sees it. Ignores events it has no use for."""
        raise NotImplementedError

    def fold_hand(self, hand: H, table: T, event: Event, seat: int) -> None:
        """Change a seat's hand by an event as this seat sees it. `table` has this event folded in."""
        raise NotImplementedError

    def offers(self, table: T, hand: H, seat: int) -> Sequence[Offer]:
        """The moves that the rules would accept of this seat now, all of them and no other."""
        raise NotImplementedError

    def phase(self, table: T) -> str:
        """The ruleset's word for what is going on, while the game is played."""
        raise NotImplementedError

    def to_act(self, table: T) -> Sequence[int]:
        """The seats that are waited for, while the game is played."""
        raise NotImplementedError

    def allowance(self, table: T, turn_ms: int | None) -> int | None:
        """The same as the ruleset's `allowance`, from what everybody sees."""
        return turn_ms

    def deadline_for(self, table: T) -> object:
        """The same as the ruleset's `deadline_for`, from what everybody sees."""
        return None


_projections: dict[str, Projection[Any, Any]] = {}


def projection_for(ruleset: str) -> Projection[Any, Any]:
    """The views of `perudo` or `perudo@1`. Raises KeyError for a ruleset that this release does not know."""
    projection = _projections.get(ruleset)
    if projection is None:
        name = ruleset.partition("@")[0]
        if name not in RULESETS:
            raise KeyError(f"There is no ruleset {name!r} in this release")
        module = import_module(f"fairdeal_views.games.{name}")
        projection = _projections[ruleset] = cast("Projection[Any, Any]", module.Seen())
    return projection
