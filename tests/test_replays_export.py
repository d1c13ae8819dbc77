"""A game as one file, and back."""

import hashlib
import json
from typing import Any

import pytest

from fairdeal.codec import decode_commit
from fairdeal.commit import GENESIS, chain
from fairdeal.wire import ARCHIVED
from fairdeal_audit.export import audit_export, read_export
from fairdeal_local import Table
from fairdeal_replays.export import export_game, write_export
from fairdeal_views.handler import ViewsHandler
from support.following import Desk, played


def commits(table: Table) -> list[tuple[int, str, bytes]]:
    return [(w.commit.version, w.hash.hex(), w.body) for w in table.written]


def test_an_export_has_a_header_the_commits_verbatim_the_views_and_an_end() -> None:
    table = played("g", moves=2)
    views = {"seat:10": "c", "seat:2": "b", "table": "a", "fold": "perudo@1/1", "version": "3"}
    text = write_export("ns", "g", commits(table), views, 123)
    header, *lines, shown, end = text.splitlines(keepends=True)
    assert json.loads(header) == {
        "fairdeal_export": 1,
        "namespace": "ns",
        "game": "g",
        "ruleset": "perudo@1",
        "commits": 3,
        "exported_at": 123,
    }
    for line, written in zip(lines, table.written, strict=True):
        commit = json.loads(line)
        assert list(commit) == ["version", "h", "c"]
        assert (commit["version"], commit["h"]) == (written.commit.version, written.hash.hex())
        assert commit["c"].encode() == written.body
    assert list(json.loads(shown)["views"]) == ["version", "fold", "table", "seat:2", "seat:10"]
    assert json.loads(end) == {"end": True, "sha256": hashlib.sha256(text[: -len(end)]).hexdigest()}


def test_equal_arguments_give_equal_bytes() -> None:
    table = played("g", moves=5)
    views = {name: part.decode() for name, part in table.encoded().items()}
    backwards = dict(reversed(views.items()))
    assert write_export("ns", "g", commits(table), views, 1) == write_export(
        "ns", "g", commits(table), backwards, 1
    )
    assert b'{"views"' not in write_export("ns", "g", commits(table), None, 1)


def test_what_cannot_be_read_is_exported_all_the_same() -> None:
    """A damaged log is what audits are for."""
    export = read_export(write_export("ns", "g", [(1, "00", b"\xff not JSON")], None, 1))
    assert export.header is not None
    assert export.header.ruleset == ""
    assert export.records[0].body == "\ufffd not JSON".encode()
    assert b'"ruleset":""' in write_export("ns", "g", [(1, "00", b'{"events":[]}')], None, 1)


async def test_a_game_in_redis_is_exported_with_its_views_and_passes_the_audit(
    redis_client: Any, namespace: str
) -> None:
    desk = Desk(redis_client, namespace, ViewsHandler)
    table = played("g", seed=5)
    await desk.write(table)
    await desk.start()
    await desk.run()
    text = await export_game(redis_client, namespace, 1, "g")
    export = read_export(text)
    assert not export.faults
    assert export.views == await desk.view("g")
    hash = GENESIS
    for record, commit in zip(export.records, table.log, strict=True):
        assert decode_commit(record.body) == commit
        hash = chain(hash, record.body)
        assert record.hash == hash.hex()
    report = audit_export(text)
    assert report.clean, report.checks


async def test_a_game_that_is_not_there_cannot_be_exported(redis_client: Any, namespace: str) -> None:
    desk = Desk(redis_client, namespace, ViewsHandler)
    with pytest.raises(LookupError, match="There is no game 'g'"):
        await export_game(redis_client, namespace, 1, "g")
    await redis_client.hset(desk.keys.receipts("g"), ARCHIVED, "archived")
    with pytest.raises(LookupError, match=f"in the archive: take {namespace}/0/g.ndjson"):
        await export_game(redis_client, namespace, 1, "g")
