"""Every operation of the gateway, in words and records, for the OpenAPI document."""

from typing import Any, Final, get_args

import msgspec

from fairdeal.directory import Page
from fairdeal.receipt import Receipt
from fairdeal.schema.records import Schema
from fairdeal_audit import Report
from fairdeal_gateway.operations import Operations
from fairdeal_gateway.records import (
    Health,
    NewCommand,
    NewGame,
    NewToken,
    Opened,
    Replay,
    RulesetInfo,
    TokenInfo,
)
from fairdeal_gateway.tokens import Minted, Scope


class Operation(msgspec.Struct, frozen=True):
    """One operation. `answer` is its record, or (media type, schema); `problems` besides those of every route."""

    method: str
    path: str
    id: str
    summary: str
    text: str
    scopes: tuple[Scope, ...] = ()
    parameters: tuple[str, ...] = ()
    body: Any = None
    status: int = 200
    answer: Any = None
    problems: tuple[int, ...] = ()


_ALL: Final = get_args(Scope)
_TEXT: Final[Schema] = {"type": "string"}
_STREAM: Final[Schema] = {
    "type": "object",
    "description": "Messages: `frame` with the version as `id` and a SeenFrame as `data`; `end` when the game is over; "
    '`dropped` with `{"code": …}` when the stream ends for another reason. Comments show that it lives.',
    "properties": {
        "event": {"enum": ["frame", "end", "dropped"]},
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}

OPERATIONS: Final = (
    Operation(
        "post", "/games", "create_game", "Create a game",
        "The Idempotency-Key is the command's id: repeated, it creates nothing more. A game without an id gets one "
        "that is made of the key.",
        ("host",), ("Idempotency-Key",), NewGame, 201, Opened, (409, 413, 422, 503),
    ),
    Operation(
        "get", "/games", "list_games", "A page of games, newest first",
        "`before` is the `next` of the page before.",
        ("host", "audit"), ("status", "ruleset", "player", "limit", "before"), None, 200, Page, (503,),
    ),
    Operation(
        "post", "/games/{game}/commands", "send_command", "Play an action",
        "A seat's token acts for its seat, a host's for the host. Send it again with the same Idempotency-Key when the "
        "answer got lost: it takes effect once. Choose keys that nobody can guess.",
        ("seat", "host"), ("game", "Idempotency-Key"), NewCommand, 200, Receipt, (404, 409, 413, 422, 503),
    ),
    Operation(
        "get", "/games/{game}/view", "view", "What a viewer sees now",
        "Enough to render the table and to act.",
        _ALL, ("game", "as"), None, 200, "view", (404, 503),
    ),
    Operation(
        "get", "/games/{game}/events", "events", "Every frame as it comes",
        "Server-sent events. First the newest frame without its events; after a `Last-Event-ID`, or `after`, every "
        "frame that followed it, each once and in order.",
        _ALL, ("game", "as", "after", "Last-Event-ID"), None, 200, ("text/event-stream", _STREAM), (404, 503),
    ),
    Operation(
        "get", "/games/{game}/replay", "replay", "A game step by step",
        "At most 500 frames a page; `next` is the `from` of the next one.",
        _ALL, ("game", "from", "to", "as"), None, 200, Replay, (404, 503),
    ),
    Operation(
        "get", "/games/{game}/audit", "audit", "Prove a game",
        "Whether it was altered, was dealt fairly and kept the rules.",
        ("audit",), ("game",), None, 200, Report, (404, 503),
    ),
    Operation(
        "get", "/games/{game}/export", "export", "A game as one file",
        "NDJSON with all commits and hashes: `fairdeal audit` checks it anywhere.",
        ("audit",), ("game",), None, 200, ("application/x-ndjson", _TEXT), (404, 503),
    ),
    Operation(
        "post", "/tokens", "mint_token", "A token for a player, a spectator or an auditor",
        "Never put a token into a URL's path or query.",
        ("host",), (), NewToken, 201, Minted, (413, 422, 503),
    ),
    Operation(
        "delete", "/tokens/{id}", "revoke_token", "Take a token back",
        "Its streams end within seconds.",
        ("host",), ("id",), None, 204, None, (503,),
    ),
    Operation(
        "get", "/token", "token", "What this token is for", "Its scope, game, seat, end and delay.",
        _ALL, (), None, 200, TokenInfo, (503,),
    ),
    Operation(
        "get", "/rulesets", "rulesets", "What can be played", "With each ruleset's options as a JSON Schema.",
        (), (), None, 200, list[RulesetInfo],
    ),
    Operation(
        "get", "/operations", "operations", "How the deployment stands",
        "Workers, positions and lag; rates since the last look; this gateway's latencies; the newest dead letters.",
        ("host",), (), None, 200, Operations, (503,),
    ),
    Operation("get", "/health/live", "live", "Whether this process answers", "Always 200.", (), (), None, 200, Health),
    Operation(
        "get", "/health/ready", "ready", "Whether it reaches its deployment", "200, or 503.",
        (), (), None, 200, Health, (503,),
    ),
)  # fmt: skip
