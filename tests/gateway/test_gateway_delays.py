"""Delays: no frame, view or replay that is newer than a watcher's token allows, and everything once it does."""

import asyncio
import json
import time

import msgspec
import pytest

from fairdeal.commit import GENESIS, chain
from fairdeal_gateway.delay import Delay, Horizon, horizon_of
from support.following import played, reseat, waiting_table
from support.gateway import Door, Stage, next_of


async def write_at(stage: Stage, game: str, times_ms: list[int]) -> None:
    """A game whose commits have these times, appended to what there is."""
    keys = stage.keys(game)
    table = reseat(waiting_table(game), len(times_ms) + await stage.redis.xlen(keys.log(game)) - 1)
    there = await stage.redis.xlen(keys.log(game))
    hash = GENESIS
    for written in table.written:
        version = written.commit.version
        commit = msgspec.json.decode(written.body)
        if version > there:
            commit["entry"] = f"{times_ms[version - there - 1]}-0"
            body = msgspec.json.encode(commit)
            await stage.redis.xadd(
                keys.log(game), {"c": body, "h": chain(hash, body).hex()}, id=f"{version}-0"
            )
    await stage.redis.xadd(keys.updates, {"g": game, "v": table.version})


async def now_ms(stage: Stage) -> int:
    seconds, micros = await stage.redis.time()
    return int(seconds) * 1000 + int(micros) // 1000


async def test_a_delay_in_commits_holds_back_the_newest(door: Door, stage: Stage) -> None:
    table = reseat(waiting_table("g"), 9)
    await stage.show(table)
    headers = door.auth("watch", "g", delay_commits=3)
    view = await door.http.get("/games/g/view", headers=headers)
    assert view.json()["version"] == 7
    replay = (await door.http.get("/games/g/replay", headers=headers)).json()
    assert ([frame["version"] for frame in replay["frames"]], replay["head"]) == (list(range(1, 8)), 7)
    async with door.events("g", headers) as messages:
        assert (await next_of(messages))["id"] == "7"
        for version in (8, 9):
            reseat(table)
            await stage.show(table)
            assert (await next_of(messages))["id"] == str(version)
    token = door.mint("watch", "g", delay_commits=3).token
    async with door.socket("g", token, after=5) as socket:
        assert [json.loads(await socket.recv())["version"] for _ in range(4)] == [6, 7, 8, 9]


@pytest.mark.parametrize("after", [8, 11, 10_000])
async def test_resuming_does_not_get_around_a_delay(door: Door, stage: Stage, after: int) -> None:
    table = reseat(waiting_table("g"), 9)
    await stage.show(table)
    async with door.events("g", door.auth("watch", "g", delay_commits=3), after=after) as messages:
        waiting = asyncio.ensure_future(anext(messages))
        for _ in range(2):
            reseat(table)
            await stage.show(table)
        async with door.events("g", door.auth("watch", "g", delay_commits=3)) as others:
            assert (await next_of(others))["id"] == "9"
        if after == 8:
            assert (await waiting)["id"] == "9"
        else:
            assert not waiting.done()
            waiting.cancel()
            await asyncio.wait([waiting])


async def test_a_finished_game_keeps_its_delay_in_commits(door: Door, stage: Stage) -> None:
    table = played("g")
    await stage.show(table)
    headers = door.auth("watch", "g", delay_commits=2)
    view = (await door.http.get("/games/g/view", headers=headers)).json()
    assert (view["version"], view["outcome"]) == (table.version - 2, None)
    replay = (await door.http.get("/games/g/replay", headers=headers)).json()
    assert replay["head"] == table.version - 2
    assert "seed" not in json.dumps(replay)


async def test_a_delay_in_seconds_is_by_redis_s_time(door: Door, stage: Stage) -> None:
    now = await now_ms(stage)
    await write_at(stage, "g", [now - 100_000, now - 61_000, now - 59_000, now])
    headers = door.auth("watch", "g", delay_s=60)
    assert (await door.http.get("/games/g/view", headers=headers)).json()["version"] == 2
    replay = (await door.http.get("/games/g/replay", headers=headers)).json()
    assert ([frame["version"] for frame in replay["frames"]], replay["head"]) == ([1, 2], 2)
    async with door.events("g", headers) as messages:
        first = await next_of(messages)
        assert first["id"] == "2"
        assert first["data"]["at"] == now - 61_000


async def test_a_commit_is_shown_as_soon_as_its_delay_is_over(door: Door, stage: Stage) -> None:
    now = await now_ms(stage)
    await write_at(stage, "g", [now - 5000, now - 400])
    async with door.events("g", door.auth("watch", "g", delay_s=1)) as messages:
        assert (await next_of(messages))["id"] == "1"
        second = await next_of(messages)
        assert second["id"] == "2"
        assert await now_ms(stage) >= second["data"]["at"] + 1000
        await write_at(stage, "g", [await now_ms(stage)])
        third = await next_of(messages)
        assert await now_ms(stage) >= third["data"]["at"] + 1000


async def test_before_anything_may_be_seen_there_is_no_view_and_the_stream_waits(
    door: Door, stage: Stage
) -> None:
    table = waiting_table("g")
    await stage.show(table)
    headers = door.auth("watch", "g", delay_commits=2)
    view = await door.http.get("/games/g/view", headers=headers)
    assert (view.status_code, view.json()["code"]) == (404, "unknown_game")
    replay = (await door.http.get("/games/g/replay", headers=headers)).json()
    assert replay == {"frames": [], "head": 0, "next": None}
    async with door.events("g", headers) as messages:
        waiting = asyncio.ensure_future(anext(messages))
        reseat(table, 2)
        await stage.show(table)
        first = await asyncio.wait_for(waiting, 20)
        assert (first["id"], len(first["data"]["events"])) == ("1", 1)


async def test_two_watchers_with_other_delays_do_not_share_what_they_see(door: Door, stage: Stage) -> None:
    table = reseat(waiting_table("g"), 9)
    await stage.show(table)
    async with (
        door.events("g", door.auth("watch", "g")) as open_,
        door.events("g", door.auth("watch", "g", delay_commits=1)) as one,
        door.events("g", door.auth("watch", "g", delay_commits=5)) as five,
    ):
        assert [(await next_of(stream))["id"] for stream in (open_, one, five)] == ["10", "9", "5"]
        reseat(table)
        await stage.show(table)
        assert [(await next_of(stream))["id"] for stream in (open_, one, five)] == ["11", "10", "6"]


async def test_the_horizon_is_the_stricter_of_both(stage: Stage) -> None:
    await stage.show(reseat(waiting_table("g"), 9))
    before = int(time.time() * 1000)
    horizon = await horizon_of(stage.redis, stage.keys("g"), "g", Delay(2, 30))
    assert horizon.version == 8
    assert horizon.at is not None
    assert abs(horizon.at - (before - 30_000)) < 5000
    assert Horizon(8, 1000).shows(8, 1000)
    assert not Horizon(8, 1000).shows(9, 1000)
    assert not Horizon(8, 1000).shows(8, 1001)
