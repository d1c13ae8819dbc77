"""The AsyncAPI 3.0 document: the streams of one partition, what goes over them and how to find them."""

from typing import Any, Final

from msgspec.inspect import type_info

from fairdeal.codec import MAX_BODY
from fairdeal.commit import Commit
from fairdeal.envelope import Command
from fairdeal.receipt import Receipt
from fairdeal.schema.messages import GAME, messages
from fairdeal.schema.records import Definitions
from fairdeal.wire import DEFAULT_NAMESPACE, DEFAULT_PARTITIONS, GAME_ID, Keys, partition_of

VERSION: Final = "0.1.0"
"""The release of fairdeal in which this contract last changed."""

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
of length and the text; the body, up to the end. By default a body is at most {MAX_BODY} bytes.

**Once.** A command takes effect exactly once, however often it is sent: its `id` is the key, unique within
its game, and sending it again brings the same receipt.

**Views.** What a viewer sees is not a message. When an update says that a game is at a version, read
`HMGET {{hashtag}}:view:<game> table seat:<n>`: two JSON objects, whose fields together are a view of
`schema/<ruleset>/view.json`; everybody may see `table`, only the seat's player `seat:<n>`.
"""


def asyncapi() -> dict[str, Any]:
    """The document, as plain data."""
    definitions = Definitions()
    for record in (Command, Receipt, Commit):
        definitions.of(type_info(record))
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
            "messages": messages(),
            "parameters": _parameters(),
            "schemas": draft7(definitions.named),
        },
    }


def draft7(part: Any) -> Any:
    """Schemas in AsyncAPI's own dialect, which is draft 7's: tuples and references are said otherwise."""
    if isinstance(part, list):
        return [draft7(item) for item in part]
    if not isinstance(part, dict):
        return part
    turned = {key: draft7(value) for key, value in part.items()}
    if "prefixItems" in turned:
        turned["items"], turned["additionalItems"] = turned.pop("prefixItems"), False
    if isinstance(turned.get("$ref"), str):
        turned["$ref"] = turned["$ref"].replace("#/$defs/", "#/components/schemas/")
    return turned


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
