"""The views worker against a real Redis: what it stores, and what it leaves alone."""

from typing import Any

import pytest
from redis.exceptions import ResponseError

from fairdeal_local import Table
from fairdeal_views import ROLE
from fairdeal_views import follower as machinery
from fairdeal_views.handler import ViewsHandler
from fairdeal_worker import PositionMoved
from support.following import Desk, expected, played, reseat, waiting_table


@pytest.fixture
def desk(redis_client: Any, namespace: str) -> Desk:
    return Desk(redis_client, namespace, ViewsHandler, updates_kept=1000)


async def updates(desk: Desk) -> list[tuple[str, int]]:
    return [(f[b"g"].decode(), int(f[b"v"])) for _, f in await desk.redis.xrange(desk.keys.updates)]


def test_the_role_reads_the_doorbell(desk: Desk) -> None:
    assert (ROLE.name, ROLE.stream(desk.keys), ROLE.handler) == ("views", desk.keys.doorbell, ViewsHandler)


async def test_views_are_what_the_log_folds_to_at_every_step(desk: Desk) -> None:
    table = played("g", seed=7)
    await desk.start()
    shown = Table.open("perudo", players=3, name="g", dealer=7)
    for commit in table.log:
        if commit.command.seat is not None:
            shown.act(commit.command.seat, commit.command.action)
        await desk.write(table, upto=commit.version)
        await desk.run()
        assert await desk.view("g") == expected(shown)
    assert await updates(desk) == [("g", version) for version in range(1, table.version + 1)]


async def test_a_batch_is_collapsed_into_one_write_and_one_update_a_game(desk: Desk) -> None:
    tables = [played(f"g{seed}", seed) for seed in range(5)]
    for table in tables:
        await desk.write(table)
    await desk.start()
    await desk.run()
    for table in tables:
        assert await desk.view(table.log[0].game) == expected(table)
    assert sorted(await updates(desk)) == sorted((t.log[0].game, t.version) for t in tables)
    position = await desk.redis.hgetall(desk.keys.position("views"))
    last = (await desk.redis.xrevrange(desk.keys.doorbell, count=1))[0][0]
    commits = sum(table.version for table in tables)
    assert position == {b"entry": last, b"count": str(commits).encode(), b"attempts": b"0"}


async def test_a_log_longer_than_a_page_is_read_to_its_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machinery, "PAGE", 3)
    monkeypatch.setattr(machinery, "GAMES", 2)
    tables = [reseat(waiting_table(f"g{n}"), times=n) for n in range(10)]
    for table in tables:
        await desk.write(table)
    await desk.start()
    await desk.run()
    for table in tables:
        assert await desk.view(table.log[0].game) == expected(table)


async def test_only_the_parts_that_changed_are_stored(desk: Desk) -> None:
    table = played("g", moves=1)
    await desk.write(table)
    await desk.start()
    await desk.run()
    for part in ("seat:0", "fold"):
        await desk.redis.hset(desk.keys.view("g"), part, "perudo@1/1" if part == "fold" else "untouched")
    before = table.encoded()
    reseat(table)
    assert table.encoded()["seat:0"] == before["seat:0"]
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == {**expected(table), "seat:0": "untouched"}


async def test_a_handler_that_starts_takes_over_what_is_stored(desk: Desk) -> None:
    table = played("g", moves=2)
    await desk.write(table)
    await desk.start()
    await desk.run()
    await desk.start(worker="another")
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == expected(table)
    assert not desk.logged("written_by_others")


async def test_doorbells_that_say_nothing_new_do_nothing_but_move_the_position(desk: Desk) -> None:
    table = played("g", moves=3)
    await desk.write(table)
    await desk.start()
    await desk.run()
    told = await updates(desk)
    for fields in (
        {"g": "g", "v": 1},
        {"g": "nowhere", "v": 9},
        {"x": "y"},
        {"g": "sp ace", "v": 1},
        {"g": "g", "v": "z"},
    ):
        await desk.redis.xadd(desk.keys.doorbell, fields)
    await desk.run()
    assert await updates(desk) == told
    assert not await desk.waiting()
    assert len(desk.logged("bad_doorbell")) == 3


async def test_a_moved_position_is_refused_and_nothing_is_written(desk: Desk) -> None:
    await desk.write(played("g", moves=3))
    await desk.start()
    entries = await desk.waiting()
    await desk.redis.hset(desk.keys.position("views"), mapping={"entry": entries[0].id, "count": 1})
    with pytest.raises(PositionMoved, match=entries[0].id):
        await desk.handler.handle(entries)
    assert await desk.view("g") == {}
    assert not await updates(desk)


async def test_two_handlers_cannot_both_write_a_batch(desk: Desk) -> None:
    table = played("g", moves=5)
    await desk.write(table)
    first, second = desk.make("one", {}), desk.make("two", {})
    for handler in (first, second):
        await handler.start(await desk.position())
    entries = await desk.waiting()
    await first.handle(entries)
    with pytest.raises(PositionMoved):
        await second.handle(entries)
    assert await desk.view("g") == expected(table)
    assert await updates(desk) == [("g", table.version)]
    assert (await desk.position()).count == table.version


async def test_a_view_that_another_brought_farther_is_left_alone(desk: Desk) -> None:
    table = played("g", moves=2)
    await desk.write(table)
    await desk.start()
    await desk.run()
    reseat(table)
    await desk.write(table)
    await desk.redis.hset(desk.keys.view("g"), mapping={"version": "99", "table": "farther"})
    await desk.run()
    assert (await desk.view("g"))["table"] == "farther"
    assert not await desk.waiting()


async def test_a_view_that_is_not_what_the_handler_believes_is_read_again(desk: Desk) -> None:
    table = played("g", moves=2)
    await desk.write(table)
    await desk.start()
    await desk.run()
    await desk.redis.delete(desk.keys.view("g"))
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == expected(table)
    assert [line["games"] for line in desk.logged("written_by_others")] == [["g"]]


async def test_a_view_of_another_projection_is_not_mixed_with_ones_own(desk: Desk) -> None:
    table = played("g", moves=2)
    await desk.write(table)
    await desk.start()
    await desk.run()
    await desk.redis.hset(desk.keys.view("g"), mapping={"fold": "perudo@1/0", "seat:0": "older"})
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == expected(table)


async def test_the_cache_is_bounded_and_shared(redis_client: Any, namespace: str) -> None:
    desk = Desk(redis_client, namespace, ViewsHandler, cache_games=2)
    tables = [waiting_table(f"g{n}") for n in range(6)]
    await desk.start()
    for _ in range(3):
        for table in tables:
            reseat(table)
            await desk.write(table)
        await desk.run()
    assert len(desk.shared["cache"]) == 2
    for table in tables:
        assert await desk.view(table.log[0].game) == expected(table)


@pytest.mark.parametrize("key", ["updates", "parked", "position"])
async def test_a_key_of_another_type_stops_the_whole_batch(desk: Desk, key: str) -> None:
    """All or nothing: what would fail half-way is found before anything is written."""
    await desk.write(played("g", moves=3))
    await desk.start()
    entries = await desk.waiting()
    where = {
        "updates": desk.keys.updates,
        "parked": desk.keys.parked("views"),
        "position": desk.keys.position("views"),
    }[key]
    await desk.redis.set(where, "a text")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await desk.handler.handle(entries)
    assert await desk.view("g") == {}
    if key != "position":
        assert (await desk.position()).entry == "0-0"
