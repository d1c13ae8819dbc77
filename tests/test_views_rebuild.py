"""Rebuilding views beside the live ones: every outcome, and that nothing is replaced without reason."""

from typing import Any

import pytest

from fairdeal_views import rebuild as rebuilding
from fairdeal_views.handler import ViewsHandler
from fairdeal_views.projection import projection_for
from fairdeal_views.rebuild import Rebuilt, Report, rebuild
from support.following import Desk, expected, played, reseat, waiting_table


@pytest.fixture
async def desk(redis_client: Any, namespace: str) -> Desk:
    desk = Desk(redis_client, namespace, ViewsHandler)
    await desk.start()
    return desk


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release whose projection of Perudo has a later version."""
    monkeypatch.setattr(type(projection_for("perudo@1")), "version", 2)


async def run(desk: Desk, game: str | None = None) -> Report:
    return await rebuild(desk.redis, desk.settings.namespace, 1, game)


async def live(desk: Desk, name: str = "g") -> Any:
    table = played(name, moves=4)
    await desk.write(table)
    await desk.run()
    return table


async def test_a_sound_view_is_the_same(desk: Desk) -> None:
    table = await live(desk)
    updates = await desk.redis.xlen(desk.keys.updates)
    assert (await run(desk)).games == [Rebuilt("g", "same", table.version)]
    assert await desk.view("g") == expected(table)
    assert await desk.redis.xlen(desk.keys.updates) == updates


async def test_views_are_compared_at_the_version_that_is_stored(desk: Desk) -> None:
    """The log may be ahead, because the workers go on meanwhile."""
    table = await live(desk)
    version = table.version
    reseat(table, 3)
    await desk.write(table)
    assert (await run(desk)).games == [Rebuilt("g", "same", version)]
    assert (await desk.view("g"))["version"] == str(version)


async def test_a_view_that_differs_is_left_and_told(desk: Desk) -> None:
    table = await live(desk)
    await desk.redis.hset(desk.keys.view("g"), mapping={"seat:1": "forged", "seat:9": "more"})
    report = await run(desk)
    (rebuilt,) = report.games
    assert (rebuilt.outcome, rebuilt.version) == ("differs", table.version)
    assert rebuilt.error == "seat:1, seat:9: not what perudo@1/1 makes of the log"
    assert not report.sound
    assert (await desk.view("g"))["seat:1"] == "forged"


async def test_a_view_that_is_ahead_of_the_log_differs(desk: Desk) -> None:
    await live(desk)
    await desk.redis.xdel(desk.keys.log("g"), "5-0")
    (rebuilt,) = (await run(desk)).games
    assert (rebuilt.outcome, rebuilt.error) == ("differs", "the view is at version 5, the log ends at 4")


@pytest.mark.usefixtures("newer")
async def test_a_newer_projection_replaces_the_view_and_tells_the_watchers(desk: Desk) -> None:
    table = await live(desk)
    await desk.redis.hset(
        desk.keys.view("g"), mapping={"fold": "perudo@1/1", "seat:0": "old", "seat:9": "old"}
    )
    assert (await run(desk)).games == [Rebuilt("g", "swapped", table.version)]
    assert await desk.view("g") == {**expected(table), "fold": "perudo@1/2"}
    last = (await desk.redis.xrevrange(desk.keys.updates, count=1))[0][1]
    assert last == {b"g": b"g", b"v": str(table.version).encode()}
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == {**expected(table), "fold": "perudo@1/2"}


async def test_an_older_projection_replaces_nothing(desk: Desk) -> None:
    await live(desk)
    await desk.redis.hset(desk.keys.view("g"), mapping={"fold": "perudo@1/2", "seat:0": "newer"})
    (rebuilt,) = (await run(desk)).games
    assert rebuilt.outcome == "differs"
    assert (await desk.view("g"))["seat:0"] == "newer"


async def test_a_missing_view_is_written(desk: Desk) -> None:
    table = await live(desk)
    await desk.redis.delete(desk.keys.view("g"))
    assert (await run(desk)).games == [Rebuilt("g", "missing", table.version)]
    assert await desk.view("g") == expected(table)


async def test_a_parked_game_is_unparked_once_it_folds_again_and_the_worker_goes_on(desk: Desk) -> None:
    table = await live(desk)
    await desk.redis.hset(desk.keys.parked("views"), "g", "{}")
    await desk.start()
    reseat(table, 2)
    await desk.write(table)
    await desk.run()
    assert (await run(desk)).games == [Rebuilt("g", "unparked", table.version)]
    assert await desk.view("g") == expected(table)
    assert not await desk.redis.exists(desk.keys.parked("views"))
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert await desk.view("g") == expected(table)


async def test_a_parked_game_without_a_view_is_unparked(desk: Desk) -> None:
    table = waiting_table("g")
    await desk.write(table)
    await desk.redis.hset(desk.keys.parked("views"), "g", "{}")
    assert (await run(desk, "g")).games == [Rebuilt("g", "unparked", 1)]
    assert await desk.view("g") == expected(table)


async def test_a_parked_game_whose_view_was_wrong_stays_parked(desk: Desk) -> None:
    await live(desk)
    await desk.redis.hset(desk.keys.parked("views"), "g", "{}")
    await desk.redis.hset(desk.keys.view("g"), "table", "forged")
    (rebuilt,) = (await run(desk)).games
    assert rebuilt.outcome == "differs"
    assert await desk.redis.hexists(desk.keys.parked("views"), "g")


async def test_a_game_that_still_crashes_fails_and_stays_parked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await live(desk, "g")
    fine = await live(desk, "fine")
    await desk.redis.hset(desk.keys.parked("views"), "g", "{}")
    await desk.redis.xadd(desk.keys.log("g"), {"c": "{}", "h": ""}, id="6-0")
    report = await run(desk)
    by_name = {rebuilt.game: rebuilt for rebuilt in report.games}
    assert by_name["g"].outcome == "failed"
    assert by_name["g"].error is not None
    assert by_name["g"].error.startswith("commit 6: ValidationError: ")
    assert by_name["fine"] == Rebuilt("fine", "same", fine.version)
    assert await desk.redis.hexists(desk.keys.parked("views"), "g")
    assert not report.sound
    assert report.count("same") == 1


async def test_a_view_that_moves_on_meanwhile_is_compared_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await live(desk)
    await desk.redis.delete(desk.keys.view("g"))
    swap, tried = rebuilding.swap, []

    async def late(*args: Any) -> Any:
        if not tried:
            await desk.redis.hset(desk.keys.view("g"), mapping=expected(table))
        tried.append(args)
        return await swap(*args)

    monkeypatch.setattr(rebuilding, "swap", late)
    assert (await run(desk)).games == [Rebuilt("g", "same", table.version)]
    assert len(tried) == 1


async def test_all_games_of_all_partitions_are_rebuilt_and_told_one_by_one(
    redis_client: Any, namespace: str
) -> None:
    desk = Desk(redis_client, namespace, ViewsHandler)
    names = [f"g{n}" for n in range(40)]
    for name in names:
        await desk.write(waiting_table(name))
    told: list[Rebuilt] = []
    report = await rebuild(redis_client, namespace, 1, progress=told.append)
    assert sorted(rebuilt.game for rebuilt in report.games) == sorted(names)
    assert told == report.games
    assert report.count("missing") == 40
    assert report.sound


async def test_a_game_that_does_not_exist_cannot_be_rebuilt(desk: Desk) -> None:
    with pytest.raises(LookupError, match="no log of 'nobody'"):
        await run(desk, "nobody")
