"""The audit of a game in Redis: its log in bounded pages, and its stored views."""

from typing import Any

import msgspec

from fairdeal.wire import Keys, is_game_id, partition_of
from fairdeal_audit.audit import audit_log
from fairdeal_audit.chain import Record
from fairdeal_audit.report import AuditImpossible, Finding, Report, quote

PAGE = 500
"""Commits read at a time."""


async def audit_game(redis: Any, namespace: str, partitions: int, game: str) -> Report:
    """Audit a game where it is kept. `redis` is a redis.asyncio client that answers in bytes.

    Raises `AuditImpossible` when there is no such game, redis.exceptions.RedisError.
    """
    return (await read_game(redis, namespace, partitions, game)).audit()


class Stored(msgspec.Struct, frozen=True):
    """A game as it is kept: all that an audit of it needs."""

    game: str
    records: list[Record]
    faults: list[Finding]
    views: dict[str, bytes]

    def audit(self) -> Report:
        """The report on it; without waiting for anything, so that it may be done in a thread."""
        return audit_log(self.records, self.views, game=self.game, faults=self.faults)


async def read_game(redis: Any, namespace: str, partitions: int, game: str) -> Stored:
    """Read a game to be audited. Raises what `audit_game` raises."""
    if not is_game_id(game):
        raise AuditImpossible(f"{quote(game)} is no game's id: 1 to 64 of A-Z a-z 0-9 _ - are one")
    keys = Keys(namespace, partition_of(game, partitions))
    # The views first: they are never ahead of the log, and a game that is being played moves on meanwhile.
    stored = await redis.hgetall(keys.view(game))
    records, faults = await _read(redis, keys.log(game))
    if not records and not faults:
        raise AuditImpossible(
            f"There is no game {game} in {namespace} with {partitions} partitions. "
            "If it has moved to the archive, audit its export instead"
        )
    return Stored(
        game, records, faults, {name.decode(errors="replace"): part for name, part in stored.items()}
    )


async def _read(redis: Any, key: str) -> tuple[list[Record], list[Finding]]:
    records: list[Record] = []
    faults: list[Finding] = []
    start = "-"
    while page := await redis.xrange(key, start, "+", count=PAGE):
        for entry, fields in page:
            version, _, sequence = entry.decode().partition("-")
            if sequence != "0" or fields.keys() != {b"c", b"h"}:
                faults.append(
                    Finding(
                        "chain",
                        int(version),
                        f"the log's entry {entry.decode()} is not as commits are written",
                    )
                )
            else:
                hash = fields[b"h"].decode(errors="backslashreplace")
                records.append(Record(int(version), hash, fields[b"c"]))
        start = "(" + page[-1][0].decode()
    return records, faults
