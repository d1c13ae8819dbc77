"""commit.lua: the packed commit is all or nothing."""

from typing import Any

import pytest

from fairdeal.wire import Keys
from fairdeal_rules.store import Batch, GameWrites
from fairdeal_worker import PositionMoved, Settings

SETTINGS = Settings(replies_ttl_s=100, stray_receipts_ttl_s=50)


def batch(first: str, last: str, *games: GameWrites, count: int = 1) -> Batch:
    made = Batch(first, last, count)
    made.games = {writes.game: writes for writes in games}
    return made


def writes(
    game: str, before: int, commits: int = 0, deadline: int | None = None, **receipts: Any
) -> GameWrites:
    made = GameWrites(game, before)
    for number in range(before + 1, before + commits + 1):
        made.commits += [f'{{"version":{number}}}', f"{number:064x}"]
    for command, receipt in receipts.items():
        made.receipts += [command, receipt]
    made.deadline = deadline
    return made


async def everything(redis: Any, namespace: str) -> dict[bytes, bytes]:
    """Every key of a namespace with its contents, to see that nothing has changed."""
    return {key: await redis.dump(key) async for key in redis.scan_iter(match=f"{{{namespace}:*")}


async def test_everything_of_a_batch_is_written_in_one_step(redis_client: Any, namespace: str) -> None:
    keys = Keys(namespace, 3)
    made = batch(
        "0-0",
        "17-0",
        writes("g1", 0, 2, deadline=1796040000123, c1=1, c2=2),
        writes("g2", 0, 1, d=1),
        count=5,
    )
    made.replies = ["shop", '{"command":"c1"}']
    made.dead = [[b"__data__", b"\xff\x00", "reason", "malformed"], ["entry", "9-0"]]
    await made.write(redis_client, keys, SETTINGS)

    assert await redis_client.xrange(keys.log("g1")) == [
        (b"1-0", {b"c": b'{"version":1}', b"h": b"%064x" % 1}),
        (b"2-0", {b"c": b'{"version":2}', b"h": b"%064x" % 2}),
    ]
    assert await redis_client.hgetall(keys.receipts("g1")) == {b"c1": b"1", b"c2": b"2"}
    assert [fields for _, fields in await redis_client.xrange(keys.doorbell)] == [
        {b"g": b"g1", b"v": b"2"},
        {b"g": b"g2", b"v": b"1"},
    ]
    assert await redis_client.zrange(keys.deadlines, 0, -1, withscores=True) == [(b"g1", 1796040000123.0)]
    assert [fields for _, fields in await redis_client.xrange(keys.replies("shop"))] == [
        {b"__data__": b'{"command":"c1"}'}
    ]
    assert 0 < await redis_client.ttl(keys.replies("shop")) <= 100
    assert [fields for _, fields in await redis_client.xrange(keys.dead)] == [
        {b"__data__": b"\xff\x00", b"reason": b"malformed"},
        {b"entry": b"9-0"},
    ]
    assert await redis_client.hgetall(keys.position("rules")) == {
        b"entry": b"17-0",
        b"count": b"5",
        b"attempts": b"0",
    }


async def test_refused_when_the_position_stands_elsewhere(redis_client: Any, namespace: str) -> None:
    keys = Keys(namespace, 0)
    await batch("0-0", "5-0", writes("g", 0, 1)).write(redis_client, keys, SETTINGS)
    before = await everything(redis_client, namespace)
    with pytest.raises(PositionMoved, match="stands at 5-0"):
        await batch("0-0", "6-0", writes("g", 1, 1, c=2)).write(redis_client, keys, SETTINGS)
    assert await everything(redis_client, namespace) == before


@pytest.mark.parametrize("believed", [0, 2, 7])
async def test_refused_whole_when_one_log_is_not_what_was_believed(
    redis_client: Any, namespace: str, believed: int
) -> None:
    keys = Keys(namespace, 0)
    await batch("0-0", "5-0", writes("g", 0, 1)).write(redis_client, keys, SETTINGS)
    before = await everything(redis_client, namespace)
    made = batch("5-0", "6-0", writes("fine", 0, 1, a=1), writes("g", believed, 1, c=2))
    made.replies = ["shop", "{}"]
    with pytest.raises(PositionMoved, match="log of g is at version 1"):
        await made.write(redis_client, keys, SETTINGS)
    assert await everything(redis_client, namespace) == before


async def test_the_same_batch_written_twice_has_one_effect(redis_client: Any, namespace: str) -> None:
    keys = Keys(namespace, 0)
    made = batch("0-0", "5-0", writes("g", 0, 1, c=1))
    await made.write(redis_client, keys, SETTINGS)
    before = await everything(redis_client, namespace)
    with pytest.raises(PositionMoved):
        await made.write(redis_client, keys, SETTINGS)
    assert await everything(redis_client, namespace) == before


async def test_nothing_is_written_to_a_full_redis(redis_client: Any, namespace: str) -> None:
    keys = Keys(namespace, 0)
    await batch("0-0", "5-0", writes("g", 0, 1)).write(redis_client, keys, SETTINGS)
    before = await everything(redis_client, namespace)
    await redis_client.config_set("maxmemory", "1")
    try:
        with pytest.raises(Exception, match=r"(?i)OOM|maxmemory"):
            await batch("5-0", "6-0", writes("g", 1, 1, c=2)).write(redis_client, keys, SETTINGS)
    finally:
        await redis_client.config_set("maxmemory", "0")
    assert await everything(redis_client, namespace) == before


async def test_a_deadline_stays_with_refused_commands_and_goes_with_the_next_commit(
    redis_client: Any, namespace: str
) -> None:
    keys = Keys(namespace, 0)
    await batch("0-0", "1-0", writes("g", 0, 1, deadline=99)).write(redis_client, keys, SETTINGS)
    await batch("1-0", "2-0", writes("g", 1, 0, c='{"status":"rejected"}')).write(
        redis_client, keys, SETTINGS
    )
    assert await redis_client.zscore(keys.deadlines, "g") == 99
    await batch("2-0", "3-0", writes("g", 1, 1)).write(redis_client, keys, SETTINGS)
    assert await redis_client.zscore(keys.deadlines, "g") is None


async def test_receipts_of_a_game_that_does_not_exist_expire_until_it_does(
    redis_client: Any, namespace: str
) -> None:
    keys = Keys(namespace, 0)
    await batch("0-0", "1-0", writes("g", 0, 0, c='{"code":"unknown_game"}')).write(
        redis_client, keys, SETTINGS
    )
    assert 0 < await redis_client.ttl(keys.receipts("g")) <= 50
    await batch("1-0", "2-0", writes("g", 0, 1, d=1)).write(redis_client, keys, SETTINGS)
    assert await redis_client.ttl(keys.receipts("g")) == -1
    assert await redis_client.hkeys(keys.receipts("g")) == [b"c", b"d"]
