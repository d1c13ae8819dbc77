"""given / when / then: put a game into a state by events, play one action, say what must follow.

    (
        given("perudo", *at(hands=[[6, 1, 2], [5, 5, 4]], bids=["2x6"]), players=2)
        .when(1, Dudo())
        .then(DudoCalled(seat=1), ...)
    )

Whatever is given is folded by the rules and by the views alike, as the log of a running game would be, and
each action that is tried must be offered by the seat's view exactly if the rules accept it.
"""

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Self

from fairdeal import game
from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.dealer import Dealer, Seed, Seeded
from fairdeal.envelope import Command
from fairdeal.receipt import Rejected
from fairdeal.view import View
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_rules.game import Game
from fairdeal_views.fold import Fold

_SEED = Seed(bytes(32))
_ENTRY = "1700000000000-0"


class Scenario:
    """A game in a given state; `when` moves it on, `then` and `refused` judge the last `when`."""

    def __init__(
        self, ruleset: str, events: Sequence[Event], players: int, options: dict[str, Any], dealer: Dealer
    ) -> None:
        self.game = Game("scenario", lambda _game, _entry: _SEED, lambda *_: dealer)
        self.views = Fold("scenario")
        self.events: tuple[Event, ...] = ()
        """What the last `when` brought about; empty if it was refused."""
        self.rejected: Rejected | None = None
        seated = tuple(game.Player(id=f"player{seat}") for seat in range(players))
        created = game.Create(ruleset=ruleset, players=seated, options=options, start="when_ready")
        opening = self.game.play(Command(id="create", game="scenario", action=created), _ENTRY).commit
        self.views.apply(opening)
        command = Command(id="given", game="scenario", seat=0, action=game.Ready())
        given = Commit("scenario", 2, _ENTRY, command, (game.Started(), *events))
        self.game.replay(given, bytes(32))
        self.views.apply(given)

    def view(self, viewer: int | str = "table") -> View[Any, Any]:
        """What a seat, or `table`, sees now."""
        return self.views.view(viewer)  # type: ignore[arg-type]

    def when(self, seat: int, action: Action, *, expect: int | None = None) -> Self:
        """Play an action of a seat, or find it refused."""
        offered = not self.game.finished and any(offer.admits(action) for offer in self.views.offers(seat))
        command = Command(id="when", game="scenario", seat=seat, expect=expect, action=action)
        self.events, self.rejected = (), None
        try:
            commit = self.game.play(command, _ENTRY).commit
        except Rejected as rejected:
            self.rejected = rejected
        else:
            self.events = commit.events
            self.views.apply(commit)
        if type(action) is not game.Resign and expect is None:
            assert offered == (self.rejected is None), (
                f"offered: {offered}, the rules: {self.rejected or 'yes'}"
            )
        return self

    def then(self, *events: "Event | EllipsisType", viewer: Viewer = "audit") -> Self:
        """Exactly these events followed, as `viewer` sees them; after `...` as the last one any others may."""
        assert self.rejected is None, f"refused with {self.rejected}"
        open_end = events[-1:] == (...,)
        wanted = events[:-1] if open_end else events
        seen = tuple(redact(event, viewer) for event in self.events)
        assert (seen[: len(wanted)] if open_end else seen) == wanted
        return self

    def refused(self, code: str) -> Self:
        """The action was refused with this code and a sentence that says why."""
        assert self.rejected is not None, f"accepted, should be refused with {code}"
        assert self.rejected.code == code
        assert self.rejected.message
        return self

    def happened(self, kind: type[Event], viewer: Viewer = "audit") -> Any:
        """The one event of this kind that followed, as `viewer` sees it."""
        (event,) = (event for event in self.events if type(event) is kind)
        return redact(event, viewer)


def given(
    ruleset: str,
    *events: Event,
    players: int = 2,
    options: dict[str, Any] | None = None,
    dealer: Dealer | None = None,
) -> Scenario:
    """A game in which these events happened. Chance comes from `dealer`, by default a fixed seed."""
    return Scenario(ruleset, events, players, options or {}, dealer or Seeded(bytes(32)))
