"""Whole games as logs and as export files, and the ways to forge them."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from fairdeal.commit import GENESIS, chain
from fairdeal.wire import Keys
from fairdeal_audit import Record
from fairdeal_local import Table

Edit = Callable[[dict[str, Any]], None]
"""Changes a commit's JSON in place."""


def play_on(table: Table, random: Random, most: int = 2000) -> Table:
    """Let every awaited seat take one of its offers by chance, until the end or version `most`."""
    while not table.finished and table.version < most:
        seat = random.choice(table.view("table").to_act)
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    return table


def played(seed: int = 1, players: Any = 3, *, most: int = 2000, **opening: Any) -> Table:
    """A game of Perudo from a seed, to the end unless `most` versions come first."""
    return play_on(Table.open("perudo", players, dealer=seed, **opening), Random(seed), most)


def records_of(table: Table) -> list[Record]:
    """A table's log as it would stand in Redis."""
    return [Record(w.commit.version, w.hash.hex(), w.body) for w in table.written]


def views_of(table: Table) -> dict[str, bytes]:
    """A table's views as they would stand in Redis."""
    ruleset = table.view("table").ruleset
    return {"version": b"%d" % table.version, "fold": f"{ruleset}/1".encode(), **table.encoded()}


def chained(bodies: Iterable[bytes]) -> list[Record]:
    """A log of these bodies whose chain holds: what a forger who knows the format makes."""
    records: list[Record] = []
    hash = GENESIS
    for version, body in enumerate(bodies, 1):
        hash = chain(hash, body)
        records.append(Record(version, hash.hex(), body))
    return records


def forged(records: Sequence[Record], edits: dict[int, Edit]) -> list[Record]:
    """The log with the commits of these versions edited and the whole chain computed anew."""
    return chained(edited(r.body, edits[r.version]) if r.version in edits else r.body for r in records)


def edited(body: bytes, edit: Edit) -> bytes:
    """The body with one edit and not a byte of difference besides."""
    commit = json.loads(body)
    assert to_json(commit) == body
    edit(commit)
    changed = to_json(commit)
    assert changed != body, "the edit changes nothing"
    return changed


def to_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def event_of(commit: dict[str, Any], type: str) -> dict[str, Any]:
    """The first event of a type in a commit's JSON."""
    return next(event for event in commit["events"] if event["type"] == type)


def versions_with(records: Iterable[Record], type: str) -> list[int]:
    """The versions whose commit has an event of this type."""
    return [r.version for r in records if any(e["type"] == type for e in json.loads(r.body)["events"])]


def export_of(records: Sequence[Record], views: dict[str, bytes] | None = None, **header: Any) -> bytes:
    """An export file, its own hash right whatever it holds. `header` fields replace the true ones."""
    first = json.loads(records[0].body)
    lines: list[Any] = [
        {
            "fairdeal_export": 1,
            "namespace": "fairdeal",
            "game": first["game"],
            "ruleset": first["events"][0]["ruleset"],
            "commits": len(records),
            "exported_at": 1_796_040_000_123,
            **header,
        },
        *({"version": r.version, "h": r.hash, "c": r.body.decode()} for r in records),
    ]
    if views is not None:
        lines.append({"views": {name: part.decode() for name, part in views.items()}})
    return sealed(b"".join(to_json(line) + b"\n" for line in lines))


def sealed(lines: bytes) -> bytes:
    """The lines of an export with the end line that is right for them."""
    return lines + to_json({"end": True, "sha256": hashlib.sha256(lines).hexdigest()}) + b"\n"


async def store(
    redis: Any, keys: Keys, game: str, records: Iterable[Record], views: dict[str, bytes]
) -> None:
    """Put a log and its views into Redis."""
    for record in records:
        await redis.xadd(keys.log(game), {"c": record.body, "h": record.hash}, id=f"{record.version}-0")
    if views:
        await redis.hset(keys.view(game), mapping=views)
