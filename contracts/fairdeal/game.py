"""What all games share: the host's and the seats' common actions, and the common events."""

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.visibility import Event, Public

PlayerId = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
Entropy = Annotated[str, msgspec.Meta(max_length=256)]
Start = Literal["at_once", "when_ready"]


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits on a seat: the backend's own opaque id, and what they add to the dealer's entropy."""

    id: PlayerId
    entropy: Entropy | None = None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the awaited seats may take after each commit, in milliseconds."""

    turn_ms: Annotated[int, msgspec.Meta(ge=100, le=30 * 24 * 3600 * 1000)]


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. `places[seat]` is 1 for the best and equal for ties; `scores[seat]` or null."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str


class Create(Action):
    """The host opens a game. Refused: `game_exists`, `unknown_ruleset`, `bad_options`, `bad_players`."""

    ruleset: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    players: Annotated[tuple[Player, ...], msgspec.Meta(max_length=64)]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    clock: Clock | None = None
    start: Start = "at_once"


class Ready(Action):
    """A seat is there; only with `start: when_ready`. The game starts when all are."""

    entropy: Entropy | None = None


class Resign(Action):
    """A seat gives up."""


class Cancel(Action):
    """The host ends a game without a winner."""

    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]


class Reseat(Action):
    """The host gives a seat to another player."""

    seat: Annotated[int, msgspec.Meta(ge=0)]
    player: PlayerId


class Created(Event):
    """A game was opened. The commitment is SHA-256 of the seed, before the first draw."""

    ruleset: Public[str]
    players: Public[tuple[str, ...]]
    entropy: Public[tuple[str | None, ...]]
    options: Public[dict[str, Any]]
    clock: Public[Clock | None]
    start: Public[Start]
    commitment: Public[str]


class Readied(Event):
    """A seat said that it is there."""

    seat: Public[int]
    entropy: Public[str | None]


class Started(Event):
    """All seats are there; the first draw comes next."""


class Resigned(Event):
    """A seat gave up. The ruleset's own events say what follows."""

    seat: Public[int]


class Reseated(Event):
    """A seat was given to another player."""

    seat: Public[int]
    player: Public[str]


class Cancelled(Event):
    """The host ended the game, or nobody came."""

    reason: Public[str]


class Finished(Event):
    """The end: how it went, and the seed (hex) that proves every draw."""

    outcome: Public[Outcome]
    seed: Public[str]
