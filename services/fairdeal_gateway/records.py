"""The bodies of requests and answers that are the gateway's own."""

from typing import Annotated, Any, Literal

import msgspec

from fairdeal.envelope import AnyAction, GameId
from fairdeal.game import Clock, Player, Start
from fairdeal.receipt import Receipt
from fairdeal_gateway.tokens import Commits, Life, Scope, Seat, Seconds


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game to be created; its id is made up when it is left out."""

    ruleset: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    players: Annotated[tuple[Player, ...], msgspec.Meta(max_length=64)]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    clock: Clock | None = None
    start: Start = "at_once"
    game: GameId | None = None


class NewCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat or the host wants to do; `expect` is the version that they saw."""

    action: AnyAction
    expect: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Opened(msgspec.Struct, frozen=True):
    """A game that was created."""

    game: str
    receipt: Receipt


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The token that a host wants for somebody. A seat's names its game and seat; a delay is for `watch` alone."""

    scope: Literal["seat", "watch", "audit"]
    game: GameId | None = None
    seat: Seat | None = None
    expires_s: Life | None = None
    delay_commits: Commits = 0
    delay_s: Seconds = 0


class TokenInfo(msgspec.Struct, frozen=True):
    """What a token is for. Without a game it is for all; `expires_at` is in epoch milliseconds."""

    scope: Scope
    game: str | None
    seat: int | None
    expires_at: int
    delay_commits: int
    delay_s: int


class SeenFrame(msgspec.Struct, frozen=True):
    """One commit as a viewer sees it: when, the redacted events, and the view after it."""

    version: int
    at: int
    events: list[dict[str, Any]]
    view: dict[str, Any]


class Replay(msgspec.Struct, frozen=True):
    """A page of a replay. `head` is the newest version that may be seen, `next` the version to go on with."""

    frames: list[SeenFrame]
    head: int
    next: int | None


class RulesetInfo(msgspec.Struct, frozen=True):
    """What can be agreed on in a ruleset: seats from–to, options as a JSON Schema, presets; and which bots play it."""

    name: str
    version: int
    seats: tuple[int, int]
    options: dict[str, Any]
    presets: dict[str, dict[str, Any]]
    bots: list[str]


class Health(msgspec.Struct, frozen=True):
    """How this gateway does."""

    status: str
    streams: int
    games: int
