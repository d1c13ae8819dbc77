"""The data model in Redis: partitions and the name of every key.

`partition = crc32(game id in UTF-8) mod P` with zlib's CRC-32. The braces put all keys of one partition
into one Redis Cluster slot, so that one script may change them in one atomic step.

| key                            | type       | holds |
|--------------------------------|------------|-------|
| `{ns:p}:commands`              | stream     | commands in |
| `{ns:p}:replies:<client>`      | stream     | receipts for the commands that named `reply_to`; capped, expires when idle |
| `{ns:p}:log:<game>`            | stream     | commits; entry id `<version>-0`; `c` the commit's JSON bytes, `h` its chain hash |
| `{ns:p}:receipts:<game>`       | hash       | command id → version (accepted) or the receipt's JSON (any other) |
| `{ns:p}:doorbell`              | stream     | `g` game, `v` version: that a game moved on, never what happened |
| `{ns:p}:position:<role>`       | hash       | `entry` done up to here, `count` done, `attempts` starts from here, `trying` in hand |
| `{ns:p}:view:<game>`           | hash       | `version`, `table`, `seat:0` … (JSON each), `fold` (the projection that made them) |
| `{ns:p}:updates`               | stream     | `g`, `v`: views of that game are now at that version; capped |
| `{ns:p}:deadlines`             | sorted set | game → epoch ms |
| `{ns:p}:dead`                  | stream     | what could not be processed: original fields, reason, incident; capped |
| `{ns:p}:parked:<role>`         | hash       | game → incident: projections of a game that crashed |
| `{ns:p}:lease:<role>`          | string     | token of the worker that serves this partition in that role |
| `{ns:p}:directory`             | hash       | game → its summary (JSON) |
| `{ns:p}:directory:<index>`     | sorted set | games by created ms: `all`, `status:<s>`, `ruleset:<r>`, `player:<id>` |
| `{ns:p}:directory:ended`       | sorted set | games that are over and not archived, by the ms of their last commit |
| `ns:deployment`                | hash       | `partitions`, `created_at`, `secret` (a fingerprint) |
| `ns:workers:<role>`            | sorted set | worker → Redis ms of its last heartbeat |
| `ns:revoked`                   | sorted set | ids of the gateway's tokens that were taken back, by when they may be forgotten (s) |
"""

import re
from zlib import crc32

DEFAULT_NAMESPACE = "fairdeal"
DEFAULT_PARTITIONS = 8

BODY = "__data__"
"""The one field of an entry on `commands` and `replies`: FastStream's own name for a body."""

DOORBELL_ROLES = ("views", "replays")
"""The roles that read the doorbell; it is trimmed behind the slowest of those that have a position."""

ARCHIVED = ""
"""The field of `receipts:<game>` that is all that is left there once the game has moved to the archive.

It is no command's id. A late command to such a game is answered `finished`, a second `game.create`
`game_exists`."""

ENDED = "ended"
"""The index of the directory that says which games may move to the archive, and since when."""

GAME_ID = r"^[A-Za-z0-9_-]{1,64}(?![\s\S])"
"""A game's id, also a client's name. `(?![\\s\\S])` is the end of the text in every dialect; `$` is not."""

COMMAND_ID = r"^[ -~]{1,64}(?![\s\S])"
"""A command's id: printable ASCII."""

_game_id = re.compile(GAME_ID)
_command_id = re.compile(COMMAND_ID)


def is_game_id(text: str) -> bool:
    """Whether `text` may name a game or a client."""
    return _game_id.match(text) is not None


def is_command_id(text: str) -> bool:
    """Whether `text` may name a command."""
    return _command_id.match(text) is not None


def partition_of(game: str, partitions: int) -> int:
    """The partition that a game belongs to, for ever."""
    return crc32(game.encode()) % partitions


class Keys:
    """The keys of one partition of one deployment."""

    __slots__ = (
        "commands",
        "dead",
        "deadlines",
        "directory",
        "doorbell",
        "namespace",
        "partition",
        "prefix",
        "updates",
    )

    def __init__(self, namespace: str, partition: int) -> None:
        self.namespace = namespace
        self.partition = partition
        self.prefix = f"{{{namespace}:{partition}}}:"
        self.commands = self.prefix + "commands"
        self.doorbell = self.prefix + "doorbell"
        self.updates = self.prefix + "updates"
        self.deadlines = self.prefix + "deadlines"
        self.dead = self.prefix + "dead"
        self.directory = self.prefix + "directory"

    def replies(self, client: str) -> str:
        return f"{self.prefix}replies:{client}"

    def log(self, game: str) -> str:
        return f"{self.prefix}log:{game}"

    def receipts(self, game: str) -> str:
        return f"{self.prefix}receipts:{game}"

    def view(self, game: str) -> str:
        return f"{self.prefix}view:{game}"

    def position(self, role: str) -> str:
        return f"{self.prefix}position:{role}"

    def lease(self, role: str) -> str:
        return f"{self.prefix}lease:{role}"

    def parked(self, role: str) -> str:
        return f"{self.prefix}parked:{role}"

    def directory_index(self, index: str) -> str:
        """The games of one index, `all`, `status:<s>`, `ruleset:<r>` or `player:<id>`, by created ms."""
        return f"{self.prefix}directory:{index}"


def deployment_key(namespace: str) -> str:
    return f"{namespace}:deployment"


def workers_key(namespace: str, role: str) -> str:
    return f"{namespace}:workers:{role}"


def revoked_key(namespace: str) -> str:
    return f"{namespace}:revoked"
