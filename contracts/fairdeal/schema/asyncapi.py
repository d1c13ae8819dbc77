"""The AsyncAPI 3.0 document: the streams of one partition, what goes over them and how to find them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fairdeal import game
from fairdeal.codec import MAX_BODY, encode_json
from fairdeal.commit import GENESIS, Commit, chain
from fairdeal.dealer import make_seed
from fairdeal.envelope import Command
from fairdeal.games import RULESETS
from fairdeal.receipt import Receipt
from fairdeal.schema.records import Schema
from fairdeal.wire import BODY, DEFAULT_NAMESPACE, DEFAULT_PARTITIONS, GAME_ID, Keys, partition_of

VERSION: Final = "0.1.0"
"""The release of fairdeal in which this contract last changed."""

ENTRY: Final = "1796040000123-0"
GAME: Final = "g42"

DESCRIPTION: Final = f"""\
fairdeal hosts games of bluffing, bidding and haggling. This document is written from the seat of a backend
that uses it: `send` is what the backend sends, `receive` what it may read.

**Streams.** Every channel is one Redis stream in each partition: XADD to send, XREAD to receive. A message
is one entry. Its payload is the JSON text in the field that the message's `x-field` names; a message without
`x-field` is the entry's fields themselves, and all their values are text.

**Partitions.** `partition = crc32(game id in UTF-8) mod P`, with zlib's CRC-32, unsigned. `P` and the
namespace are fixed for a deployment; the hash `<namespace>:deployment` holds `partitions`. By default the
namespace is `{DEFAULT_NAMESPACE}` and P is {DEFAULT_PARTITIONS}; so game `{GAME}` is of partition
{partition_of(GAME, DEFAULT_PARTITIONS)}.

**Addresses.** `{{hashtag}}` stands for `{{<namespace>:<partition>}}`, braces included: they are part of the
key, and put all keys of a partition into one slot of a Redis Cluster. The commands of partition 3 go to
`{Keys(DEFAULT_NAMESPACE, 3).commands}`.

**Envelope.** The body of a command is bare JSON or FastStream's binary envelope around it, so that a
FastStream application's `publish(..., stream=...)` works as it is. The envelope, all numbers big-endian: the
8 bytes `89 42 49 4E 0D 0A 1A 0A`; the version as 2 bytes, 1; where the headers start, 4 bytes; where the body
starts, 4 bytes; the headers: their number as 2 bytes, then for each its name and its value, either as 2 bytes
of length and the text; the body, up to the end. A body is at most {MAX_BODY} bytes.

**Once.** A command takes effect exactly once, however often it is sent: its `id` is the key, unique within
its game, and sending it again brings the same receipt.

**Views.** What a viewer sees is not a message. When an update says that a game is at a version, read
`HMGET {{hashtag}}:view:<game> table seat:<n>`: two JSON objects, whose fields together are a view of
`schema/<ruleset>/view.json`; everybody may see `table`, only the seat's player `seat:<n>`.
"""


def asyncapi(schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """The document. `schemas` are the JSON Schemas by name; `command`, `receipt` and `commit` are used."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "fairdeal",
            "version": VERSION,
            "description": DESCRIPTION,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "redis": {
                "host": "127.0.0.1:6379",
                "protocol": "redis",
                "protocolVersion": "7.0",
                "description": "The Redis, or the Redis Cluster, of your deployment.",
            }
        },
        "channels": _channels(),
        "operations": _operations(),
        "components": {
            "messages": _messages(),
            "parameters": _parameters(),
            "schemas": {name: draft7(schemas[name], name) for name in ("command", "receipt", "commit")},
        },
    }


def draft7(schema: Schema, name: str) -> Any:
    """A JSON Schema in AsyncAPI's own dialect, which is draft 7's, at `#/components/schemas/<name>`."""

    def turned(part: Any) -> Any:
        if isinstance(part, list):
            return [turned(item) for item in part]
        if not isinstance(part, dict):
            return part
        part = {key: turned(value) for key, value in part.items() if key != "$schema"}
        if "$defs" in part:
            part["definitions"] = part.pop("$defs")
        if "prefixItems" in part:
            part["items"], part["additionalItems"] = part.pop("prefixItems"), False
        if isinstance(part.get("$ref"), str):
            part["$ref"] = part["$ref"].replace("#/$defs/", f"#/components/schemas/{name}/definitions/")
        return part

    return turned(schema)


def _parameters() -> dict[str, Any]:
    text = f"1 to 64 characters of A-Z, a-z, 0-9, `_` and `-`; as a pattern: `{GAME_ID}`"
    return {
        "hashtag": {
            "description": "`{<namespace>:<partition>}`, braces included.",
            "examples": [Keys(DEFAULT_NAMESPACE, partition).prefix[:-1] for partition in (0, 3)],
        },
        "client": {
            "description": f"The name that the command gave as `reply_to`: {text}.",
            "examples": ["shop-7"],
        },
        "game": {"description": f"The game's id: {text}.", "examples": [GAME]},
    }


_CHANNELS: Final = {
    "commands": (
        "{hashtag}:commands",
        "command",
        "Commands in. They take effect in the order in which they arrive. Never cap this stream when you add "
        "to it: fairdeal trims it behind its readers.",
    ),
    "replies": (
        "{hashtag}:replies:{client}",
        "receipt",
        "Receipts for the commands that named this client. Capped, and it expires when it is idle: a receipt "
        "that was missed is had again by sending the same command once more.",
    ),
    "log": (
        "{hashtag}:log:{game}",
        "commit",
        "All commits of a game, oldest first; an entry's id is `<version>-0`. It holds the game's secrets: "
        "keep it from players.",
    ),
    "doorbell": (
        "{hashtag}:doorbell",
        "bell",
        "That a game moved on, never what happened. Trimmed behind fairdeal's own readers.",
    ),
    "updates": ("{hashtag}:updates", "update", "Views of a game are now at a version. Capped."),
    "dead": ("{hashtag}:dead", "dead_letter", "What could not be processed, with the reason. Capped."),
}
"""Name → address, message, description."""

_OPERATIONS: Final = {
    "sendCommand": ("send", "commands", "Send a command; with `reply_to`, its receipt comes over `replies`."),
    "receiveReply": ("receive", "replies", "Read the receipts of your commands."),
    "receiveUpdates": ("receive", "updates", "Learn that a game's views have changed, then read them."),
    "hearDoorbell": ("receive", "doorbell", "Learn that a game's log has grown."),
    "readLog": ("receive", "log", "Read a game's commits, to audit or to fold them."),
    "readDeadLetters": ("receive", "dead", "See what could not be processed, and why."),
}
"""Name → action, channel, summary."""


def _channels() -> dict[str, Any]:
    return {
        name: {
            "address": address,
            "description": description,
            "servers": [{"$ref": "#/servers/redis"}],
            "messages": {message: {"$ref": f"#/components/messages/{message}"}},
            "parameters": {
                parameter: {"$ref": f"#/components/parameters/{parameter}"}
                for parameter in _parameters()
                if "{" + parameter + "}" in address
            },
        }
        for name, (address, message, description) in _CHANNELS.items()
    }


def _operations() -> dict[str, Any]:
    operations: dict[str, Any] = {
        name: {
            "action": action,
            "summary": summary,
            "channel": {"$ref": f"#/channels/{channel}"},
            "messages": [{"$ref": f"#/channels/{channel}/messages/{_CHANNELS[channel][1]}"}],
        }
        for name, (action, channel, summary) in _OPERATIONS.items()
    }
    operations["sendCommand"]["reply"] = {
        "channel": {"$ref": "#/channels/replies"},
        "messages": [{"$ref": "#/channels/replies/messages/receipt"}],
    }
    return operations


def _messages() -> dict[str, Any]:
    return {
        "command": {
            "summary": "An action in its envelope.",
            "payload": {"$ref": "#/components/schemas/command"},
            "correlationId": {"location": "$message.payload#/id"},
            "x-field": BODY,
            "examples": [_example(*example) for example in _commands()],
        },
        "receipt": {
            "summary": "The lasting answer to one command.",
            "payload": {"$ref": "#/components/schemas/receipt"},
            "correlationId": {"location": "$message.payload#/command"},
            "x-field": BODY,
            "examples": [_example(*example) for example in _receipts()],
        },
        "commit": {
            "summary": "One accepted command with its events.",
            "description": "`h` is SHA-256 of the former commit's `h` as 32 raw bytes (32 zero bytes before "
            "the first) followed by the bytes of `c` as they stand: never encode them anew.",
            "payload": {"$ref": "#/components/schemas/commit"},
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
            "summary": "An entry that could not be processed: its own fields, and what was wrong with it.",
            "payload": _fields(reason="What was wrong.", incident="What to look for in the logs."),
            "examples": [{"payload": {BODY: "{", "reason": "malformed", "incident": "01JG"}}],
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
