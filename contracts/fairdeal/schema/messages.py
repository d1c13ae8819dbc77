"""The messages of the AsyncAPI document: what an entry of each stream holds, with examples."""

from typing import Any, Final

import msgspec

from fairdeal import game
from fairdeal.codec import encode_json
from fairdeal.commit import GENESIS, Commit, chain
from fairdeal.dealer import make_seed
from fairdeal.envelope import Command
from fairdeal.games import RULESETS
from fairdeal.receipt import Receipt
from fairdeal.schema.records import Schema
from fairdeal.wire import BODY, DEFAULT_NAMESPACE

ENTRY: Final = "1796040000123-0"
GAME: Final = "g42"


def messages() -> dict[str, Any]:
    """Every message of the channels by name, as AsyncAPI describes it."""
    return {
        "command": {
            "summary": "An action in its envelope.",
            "payload": {"$ref": "#/components/schemas/Command"},
            "correlationId": {"location": "$message.payload#/id"},
            "x-field": BODY,
            "examples": [_example(*example) for example in _commands()],
        },
        "receipt": {
            "summary": "The lasting answer to one command.",
            "payload": {"$ref": "#/components/schemas/Receipt"},
            "correlationId": {"location": "$message.payload#/command"},
            "x-field": BODY,
            "examples": [_example(*example) for example in _receipts()],
        },
        "commit": {
            "summary": "One accepted command with its events.",
            "description": "`h` is SHA-256 of the former commit's `h` as 32 raw bytes (32 zero bytes before "
            "the first) followed by the bytes of `c` as they stand: never encode them anew.",
            "payload": {"$ref": "#/components/schemas/Commit"},
            "headers": _fields(h="The chain hash, 64 lower-case hex digits."),
            "x-field": "c",
            "examples": [_commit()],
        },
        "bell": {
            "summary": "A game moved on.",
            "payload": _fields(g="The game.", v="Its version."),
            "examples": [{"payload": {"g": GAME, "v": "18"}}],
        },
        "update": {
            "summary": "The views of a game were stored.",
            "payload": _fields(g="The game.", v="The version of its views."),
            "examples": [{"payload": {"g": GAME, "v": "18"}}],
        },
        "dead_letter": {
            "summary": "An entry that could not be processed: its own fields, cut if long, and what was wrong.",
            "payload": _fields(
                entry="The entry's id on the stream of commands.",
                reason="`crashed`, `killed_worker`, or the code of what was wrong with it.",
                incident="What to look for in the workers' logs; empty when the sender's own fault says all.",
                error="What was wrong, in words.",
            ),
            "examples": [{"payload": _dead_letter()}],
        },
    }


def _fields(**descriptions: str) -> Schema:
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": text} for name, text in descriptions.items()},
        "required": sorted(descriptions),
    }


def _example(name: str, record: msgspec.Struct) -> dict[str, Any]:
    return {"name": name, "payload": msgspec.to_builtins(record)}


def _commands() -> list[tuple[str, Command]]:
    players = (game.Player(id="ann", entropy="a word of hers"), game.Player(id="bob"), game.Player(id="cy"))
    create = game.Create(ruleset=RULESETS[0], players=players, clock=game.Clock(turn_ms=60_000))
    return [
        ("create", Command(id="01JC", game=GAME, action=create, reply_to="shop-7")),
        ("seat", Command(id="01JD", game=GAME, action=game.Resign(), seat=1, expect=17, reply_to="shop-7")),
        ("cancel", Command(id="01JE", game=GAME, action=game.Cancel(reason="the players left"))),
    ]


def _receipts() -> list[tuple[str, Receipt]]:
    return [
        ("accepted", Receipt("01JD", GAME, "accepted", version=18)),
        (
            "rejected",
            Receipt(
                "01JE",
                GAME,
                "rejected",
                version=18,
                code="stale",
                message="The game has moved on from version 17",
                details={"version": 18},
            ),
        ),
        (
            "invalid",
            Receipt(
                "01JF", GAME, "invalid", code="malformed", path="$.seat", message="Expected `int`, got `str`"
            ),
        ),
        (
            "failed",
            Receipt(
                "01JG", GAME, "failed", code="internal", message="The rules broke down", incident="6f1c2a"
            ),
        ),
    ]


def _commit() -> dict[str, Any]:
    command = _commands()[0][1]
    create = command.action
    assert isinstance(create, game.Create)
    created = game.Created(
        ruleset=f"{create.ruleset}@1",
        players=tuple(player.id for player in create.players),
        entropy=tuple(player.entropy for player in create.players),
        options={},
        clock=create.clock,
        start="when_ready",
        commitment=make_seed(b"the secret of an example", DEFAULT_NAMESPACE, GAME, ENTRY).commitment,
    )
    commit = Commit(game=GAME, version=1, entry=ENTRY, command=command, events=(created,))
    return {
        "name": "created",
        "payload": msgspec.to_builtins(commit),
        "headers": {"h": chain(GENESIS, encode_json(commit)).hex()},
    }


def _dead_letter() -> dict[str, str]:
    return {
        BODY: '{"id":',
        "entry": ENTRY,
        "reason": "malformed",
        "incident": "",
        "error": "malformed at $: Input data was truncated",
    }
