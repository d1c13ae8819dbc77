"""What doorbells did not tell: missed ones, trimmed ones, flushed ones."""

from typing import Any

import pytest

from fairdeal.wire import Keys
from fairdeal_views import follower as machinery
from fairdeal_views.handler import ViewsHandler
from fairdeal_worker import PositionMoved
from support.following import Desk, expected, played, reseat, waiting_table


@pytest.fixture
def desk(redis_client: Any, namespace: str) -> Desk:
    return Desk(redis_client, namespace, ViewsHandler)


async def lag(desk: Desk) -> int:
    """As a dashboard reckons it."""
    facts = await desk.redis.xinfo_stream(desk.keys.doorbell)
    return int(facts["entries-added"]) - (await desk.position()).count


async def test_a_sweep_finds_games_that_never_rang(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machinery, "SWEEP_KEYS", 2)
    monkeypatch.setattr(machinery, "SWEEP_SLICES", 1000)
    tables = [waiting_table(f"g{n}") for n in range(12)]
    for table in tables:
        await desk.write(table, ring=False)
    other = Keys(desk.settings.namespace, 1)
    await desk.redis.xadd(other.log("theirs"), {"c": b"{}", "h": "00"}, id="1-0")
    await desk.start()
    await desk.handler.tick()
    for table in tables:
        assert await desk.view(table.log[0].game) == expected(table)
    assert not await desk.redis.exists(other.view("theirs"))


async def test_a_sweep_goes_on_where_the_last_tick_left_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machinery, "SWEEP_KEYS", 1)
    monkeypatch.setattr(machinery, "SWEEP_SLICES", 1)
    tables = [waiting_table(f"g{n}") for n in range(8)]
    for table in tables:
        await desk.write(table, ring=False)
    await desk.start()
    caught_up = 0
    for _ in range(20 * await desk.redis.dbsize()):
        await desk.handler.tick()
        caught_up = sum([await desk.redis.exists(desk.keys.view(t.log[0].game)) for t in tables])
        if caught_up == len(tables):
            break
    assert caught_up == len(tables)


async def test_a_sweep_catches_up_a_view_that_is_behind_and_one_that_is_gone(desk: Desk) -> None:
    behind, gone, fine = played("behind", moves=2), played("gone", moves=2), played("fine", moves=2)
    for table in (behind, gone, fine):
        await desk.write(table)
    await desk.start()
    await desk.run()
    reseat(behind)
    await desk.write(behind, ring=False)
    await desk.redis.delete(desk.keys.view("gone"))
    await desk.handler.tick()
    for table in (behind, gone, fine):
        assert await desk.view(table.log[0].game) == expected(table)
    assert [line["games"] for line in desk.logged("behind")] == [2]


async def test_a_sweep_is_not_due_again_before_its_time(desk: Desk) -> None:
    await desk.start()
    await desk.handler.tick()
    await desk.write(waiting_table("late"), ring=False)
    await desk.handler.tick()
    assert await desk.view("late") == {}


async def test_a_sweep_of_a_worker_that_was_overtaken_is_refused(desk: Desk) -> None:
    await desk.write(waiting_table("g"), ring=False)
    await desk.start()
    await desk.redis.hset(desk.keys.position("views"), "entry", "5-0")
    with pytest.raises(PositionMoved):
        await desk.handler.tick()
    assert await desk.view("g") == {}


async def test_a_sweep_leaves_the_position_and_its_attempts_alone(desk: Desk) -> None:
    await desk.write(waiting_table("g"), ring=False)
    await desk.redis.hset(desk.keys.position("views"), mapping={"entry": "0-0", "attempts": 2})
    await desk.start(attempts=2)
    await desk.handler.tick()
    assert await desk.redis.hgetall(desk.keys.position("views")) == {b"entry": b"0-0", b"attempts": b"2"}
    assert await desk.view("g") != {}


async def test_trimmed_doorbells_are_reported_as_a_gap_and_made_up_for(desk: Desk) -> None:
    first, second, third = (waiting_table(name) for name in ("first", "second", "third"))
    await desk.write(first)
    await desk.start()
    await desk.run()
    await desk.write(reseat(second, 4))
    await desk.write(third)
    await desk.redis.xtrim(desk.keys.doorbell, maxlen=1, approximate=False)
    await desk.start()
    (gap,) = desk.logged("gap")
    assert gap["missing"] == 5
    await desk.handler.tick()
    await desk.run()
    for table in (first, second, third):
        assert await desk.view(table.log[0].game) == expected(table)
    assert await lag(desk) == 0
    await desk.start()
    assert len(desk.logged("gap")) == 1


async def test_a_flushed_doorbell_is_reported_and_counted_anew(desk: Desk) -> None:
    table = reseat(waiting_table("g"), 3)
    await desk.write(table, 3)
    await desk.start()
    await desk.run()
    await desk.redis.delete(desk.keys.doorbell)
    await desk.write(table)
    await desk.start()
    (gap,) = desk.logged("gap")
    assert gap["missing"] == "unknown"
    await desk.run()
    assert await desk.view("g") == expected(table)
    assert await lag(desk) == 0


async def test_who_has_never_run_reports_no_gap(desk: Desk) -> None:
    table = reseat(waiting_table("g"), 3)
    await desk.write(table)
    await desk.redis.xtrim(desk.keys.doorbell, maxlen=1, approximate=False)
    await desk.start()
    await desk.run()
    assert not desk.logged("gap")
    assert await desk.view("g") == expected(table)
    assert await lag(desk) == 0
