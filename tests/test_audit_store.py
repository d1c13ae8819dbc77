"""The audit of a game in Redis."""

from typing import Any

import pytest

from fairdeal.wire import Keys, partition_of
from fairdeal_audit import AuditImpossible, Report, audit_game, store
from fairdeal_local import Table
from support.logs import played, records_of, views_of
from support.logs import store as put

PARTITIONS = 3


@pytest.fixture(scope="module")
def table() -> Table:
    return played(seed=2)


def failed(report: Report) -> dict[str, int | None]:
    return {check.name: check.version for check in report.checks if check.verdict == "failed"}


def keys_in(namespace: str) -> Keys:
    return Keys(namespace, partition_of("local", PARTITIONS))


@pytest.mark.parametrize("page", [1, 7, 500])
async def test_a_game_in_redis_is_audited_page_by_page(
    redis_client: Any, namespace: str, table: Table, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PAGE", page)
    await put(redis_client, keys_in(namespace), "local", records_of(table), views_of(table))
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert {check.name: check.verdict for check in report.checks} == dict.fromkeys(
        ("chain", "seed", "draws", "execution", "conservation", "views"), "ok"
    )
    assert (report.game, report.commits, report.finished) == ("local", table.version, True)


async def test_a_game_that_runs_has_views_behind_its_log_or_none(
    redis_client: Any, namespace: str, table: Table
) -> None:
    keys = keys_in(namespace)
    await put(redis_client, keys, "local", records_of(table)[:9], {})
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert report.clean
    assert report.check("views").verdict == "skipped"
    await redis_client.hset(keys.view("local"), mapping=views_of(played(seed=2, most=6)))
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert report.check("views").verdict == "ok"


async def test_views_that_were_changed_in_redis_are_found(
    redis_client: Any, namespace: str, table: Table
) -> None:
    views = {**views_of(table), "seat:1": b'{"seat":1,"hand":{"dice":[6,6,6]},"offers":[]}'}
    await put(redis_client, keys_in(namespace), "local", records_of(table), views)
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert failed(report) == {"views": table.version}


async def test_a_commit_that_was_changed_or_deleted_in_redis_is_found(
    redis_client: Any, namespace: str, table: Table
) -> None:
    records = records_of(table)
    altered = [r._replace(body=r.body + b" ") if r.version == 8 else r for r in records]
    await put(redis_client, keys_in(namespace), "local", altered, views_of(table))
    assert failed(await audit_game(redis_client, namespace, PARTITIONS, "local")) == {
        "chain": 8,
        "execution": 8,
    }
    await redis_client.xdel(keys_in(namespace).log("local"), "8-0")
    assert failed(await audit_game(redis_client, namespace, PARTITIONS, "local")) == {"chain": 8}


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ("5-1", None),
        ("5-0", {b"c": b"{}"}),
        ("5-0", {b"h": b"0" * 64}),
        ("5-0", {b"x": b"y"}),
        ("5-0", {b"c": b"\xff\x00", b"h": b"\xff\x00"}),
    ],
)
async def test_entries_that_are_no_commits_are_found(
    redis_client: Any, namespace: str, table: Table, entry: str, fields: dict[bytes, bytes] | None
) -> None:
    key = keys_in(namespace).log("local")
    records = records_of(table)
    await put(redis_client, keys_in(namespace), "local", records[:4], {})
    await redis_client.xadd(key, fields or {b"c": records[4].body, b"h": records[4].hash}, id=entry)
    await put(redis_client, keys_in(namespace), "local", records[5:], {})
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert failed(report) == {"chain": 5}


async def test_a_log_of_nothing_but_rubbish_is_a_finding(redis_client: Any, namespace: str) -> None:
    await redis_client.xadd(keys_in(namespace).log("local"), {b"x": b"y"}, id="1-0")
    report = await audit_game(redis_client, namespace, PARTITIONS, "local")
    assert failed(report) == {"chain": 1}


@pytest.mark.parametrize("game", ["nobody", "", "a b", "x" * 65, "local\n"])
async def test_a_game_that_is_not_there_cannot_be_audited(
    redis_client: Any, namespace: str, game: str
) -> None:
    with pytest.raises(AuditImpossible, match=r"There is no game nobody in|is no game's id"):
        await audit_game(redis_client, namespace, PARTITIONS, game)


async def test_the_audit_of_a_game_leaves_redis_as_it_was(
    redis_client: Any, namespace: str, table: Table
) -> None:
    keys = keys_in(namespace)
    await put(redis_client, keys, "local", records_of(table), views_of(table))
    before = [await redis_client.dump(key) for key in (keys.log("local"), keys.view("local"))]
    assert (await audit_game(redis_client, namespace, PARTITIONS, "local")).clean
    assert [await redis_client.dump(key) for key in (keys.log("local"), keys.view("local"))] == before
