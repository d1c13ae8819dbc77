"""Finished games move to a folder, whole, and leave nothing behind but a summary and a marker."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairdeal.codec import decode_commit
from fairdeal.directory import decode_summary, list_games
from fairdeal.wire import ARCHIVED, ENDED
from fairdeal_audit.export import audit_export, read_export
from fairdeal_local import Table
from fairdeal_replays import archive, frames
from fairdeal_replays.archive import NotArchived, keep
from fairdeal_replays.export import archived_name
from fairdeal_replays.handler import ReplaysHandler
from fairdeal_views.handler import ViewsHandler
from support.following import Desk, played, waiting_table

LONG_AGO = 1
"""Local tables play in 2023, so a second is long enough."""


@pytest.fixture
async def desk(redis_client: Any, namespace: str, tmp_path: Path) -> Desk:
    return Desk(redis_client, namespace, ReplaysHandler, archive=str(tmp_path), archive_after_s=LONG_AGO)


async def project(desk: Desk, *tables: Table) -> Desk:
    """Both projections are up to date with these; the views' desk."""
    views = Desk(desk.redis, desk.settings.namespace, ViewsHandler)
    for table in tables:
        await desk.write(table)
    for one in (views, desk):
        await one.start()
        await one.run()
    return views


def file_of(desk: Desk, game: str) -> Path:
    return Path(desk.settings.archive, archived_name(desk.settings.namespace, 1, game))


async def left_of(desk: Desk, game: str) -> set[str]:
    keys = desk.keys
    named = {"log": keys.log(game), "view": keys.view(game), "receipts": keys.receipts(game)}
    return {name for name, key in named.items() if await desk.redis.exists(key)}


async def test_a_finished_game_moves_to_the_archive_whole(desk: Desk) -> None:
    table = played("g", seed=5)
    views = await project(desk, table)
    shown = await views.view("g")
    await desk.redis.hset(desk.keys.receipts("g"), "c1", "1")
    await desk.handler.tick()

    assert await left_of(desk, "g") == {"receipts"}
    assert await desk.redis.hgetall(desk.keys.receipts("g")) == {ARCHIVED.encode(): b"archived"}
    summary = decode_summary(await desk.redis.hget(desk.keys.directory, "g"))
    assert summary.archived
    assert (summary.status, summary.version) == ("finished", table.version)
    assert await desk.redis.zscore(desk.keys.directory_index(ENDED), "g") is None
    page = await list_games(desk.redis, desk.settings.namespace, 1, status="finished")
    assert page.games == (summary,)

    export = read_export(file_of(desk, "g"))
    assert not export.faults
    assert export.views == shown
    log = [decode_commit(record.body) for record in export.records]
    assert log == table.log
    assert [f.view for f in frames(log, 0)] == [f.view for f in frames(table.log, 0)]
    report = audit_export(file_of(desk, "g"))
    assert report.clean, report.checks
    assert [path.name for path in file_of(desk, "g").parent.iterdir()] == ["g.ndjson"]


async def test_only_games_that_ended_long_enough_ago_move(
    redis_client: Any, namespace: str, tmp_path: Path
) -> None:
    desk = Desk(redis_client, namespace, ReplaysHandler, archive=str(tmp_path), archive_after_s=10**9)
    await project(desk, played("g"))
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}
    desk = Desk(redis_client, namespace, ReplaysHandler, archive_after_s=LONG_AGO)
    await desk.start()
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}


async def test_games_in_play_stay(desk: Desk) -> None:
    cancelled = waiting_table("cancelled")
    cancelled.host({"type": "game.cancel", "reason": "no time"})
    await project(desk, played("playing", moves=3), waiting_table("waiting"), cancelled)
    await desk.handler.tick()
    assert await left_of(desk, "playing") == {"log", "view"}
    assert await left_of(desk, "waiting") == {"log", "view"}
    assert await left_of(desk, "cancelled") == {"receipts"}


async def test_many_games_move_some_at_a_tick(desk: Desk) -> None:
    tables = [waiting_table(f"g{n}") for n in range(2 * archive.AT_ONCE + 1)]
    for table in tables:
        table.host({"type": "game.cancel", "reason": "no time"})
    await project(desk, *tables)
    counts = []
    for _ in range(4):
        await desk.handler.tick()
        counts.append(await desk.redis.zcard(desk.keys.directory_index(ENDED)))
    assert counts == [archive.AT_ONCE + 1, 1, 0, 0]


async def test_a_game_whose_views_are_behind_or_parked_stays_and_others_move(desk: Desk) -> None:
    behind, parked, fine = (played(name) for name in ("behind", "parked", "fine"))
    await project(desk, behind, parked, fine)
    await desk.redis.hset(desk.keys.view("behind"), "version", "2")
    await desk.redis.hset(desk.keys.parked("views"), "parked", "{}")
    for _ in range(3):
        await desk.handler.tick()
    assert await left_of(desk, "behind") == {"log", "view"}
    assert await left_of(desk, "parked") == {"log", "view"}
    assert await left_of(desk, "fine") == {"receipts"}
    reasons = {line["game"]: line["reason"] for line in desk.logged("not_archived")}
    assert reasons == {
        "behind": f"its view is at version 2, the log at {behind.version}",
        "parked": "its projection is parked; rebuild it first",
    }
    assert len(desk.logged("not_archived")) == 2, "they are put off, not tried at every tick"
    assert not file_of(desk, "behind").exists()


async def test_nothing_is_removed_when_the_game_changed_after_it_was_exported(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played("g")
    await project(desk, table)
    script = archive.remove_script

    async def late(*args: Any) -> Any:
        await desk.redis.xadd(desk.keys.log("g"), {"c": "{}", "h": ""}, id=f"{table.version + 1}-0")
        return await script(*args)

    monkeypatch.setattr(archive, "remove_script", late)
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}
    assert desk.logged("not_archived")[0]["reason"] == "it changed while it was exported"
    assert not decode_summary(await desk.redis.hget(desk.keys.directory, "g")).archived


async def test_a_damaged_log_stays_where_its_bytes_are(desk: Desk) -> None:
    await project(desk, played("g"))
    await desk.redis.xtrim(desk.keys.log("g"), minid="2-0", approximate=False)
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}
    assert "damaged" in desk.logged("not_archived")[0]["reason"]
    assert not file_of(desk, "g").exists()


async def test_a_folder_that_cannot_be_written_keeps_the_game_in_redis(
    redis_client: Any, namespace: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    desk = Desk(redis_client, namespace, ReplaysHandler, archive=str(tmp_path / "file"), archive_after_s=1)
    await project(desk, played("g"))
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}
    assert "Not a directory" in desk.logged("not_archived")[0]["reason"]


async def test_a_late_doorbell_and_a_sweep_leave_an_archived_game_alone(desk: Desk) -> None:
    table = played("g")
    views = await project(desk, table)
    await desk.handler.tick()
    await desk.redis.xadd(desk.keys.doorbell, {"g": "g", "v": table.version})
    for one in (views, desk):
        await one.start()
        await one.run()
        await one.handler.tick()
    assert await left_of(desk, "g") == {"receipts"}
    assert decode_summary(await desk.redis.hget(desk.keys.directory, "g")).archived
    assert not await desk.redis.exists(desk.keys.parked("views"), desk.keys.parked("replays"))


def export_of(*commits: str) -> bytes:
    return b"".join(
        json.dumps({"version": 1, "c": c}, separators=(",", ":")).encode() + b"\n" for c in commits
    )


def test_a_file_is_replaced_by_the_same_game_only(tmp_path: Path) -> None:
    """A crash between writing and removing leaves a file; another game of that name is nobody's to replace."""
    path = tmp_path / "ns" / "0" / "g.ndjson"
    keep(path, b'{"exported_at":1}\n' + export_of("a"))
    keep(path, b'{"exported_at":2}\n' + export_of("a"))
    assert path.read_bytes().startswith(b'{"exported_at":2}')
    with pytest.raises(NotArchived, match="another game of that name"):
        keep(path, export_of("b"))
    assert path.read_bytes().endswith(export_of("a"))
    assert [file.name for file in path.parent.iterdir()] == ["g.ndjson"]


async def test_a_game_whose_name_is_taken_in_the_archive_stays(desk: Desk) -> None:
    file_of(desk, "g").parent.mkdir(parents=True)
    file_of(desk, "g").write_bytes(export_of("another game"))
    await project(desk, played("g"))
    await desk.handler.tick()
    assert await left_of(desk, "g") == {"log", "view"}
    assert "another game of that name" in desk.logged("not_archived")[0]["reason"]
