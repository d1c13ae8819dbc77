"""A game whose folding crashes, or ends the process, is set aside; all others go on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from fairdeal import game
from fairdeal_views.handler import ViewsHandler
from fairdeal_views.parking import Parked, unpark
from fairdeal_views.projection import projection_for
from support.following import Desk, expected, reseat, waiting_table

PLAYER = "guest2"
"""Who is seated by the commit that crashes; it is version 3 of a table that `reseat` made."""


@pytest.fixture
def desk(redis_client: Any, namespace: str) -> Desk:
    return Desk(redis_client, namespace, ViewsHandler)


class ProcessEnds(BaseException):
    """Stands for what ends the process: nothing catches it."""


@contextmanager
def broken(error: type[BaseException], name: str = "bad") -> Iterator[list[str]]:
    """While this lasts, folding the third commit of the games whose first player is `name` goes wrong."""
    kind = type(projection_for("perudo@1"))
    fold, crashed = kind.fold_table, []

    def crash(self: Any, table: Any, event: Any) -> None:
        fold(self, table, event)
        if isinstance(event, game.Reseated) and event.player == PLAYER and name in table.players:
            crashed.append(name)
            raise error("the projection is broken")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "fold_table", crash)
        yield crashed


async def parked(desk: Desk) -> dict[str, Parked]:
    stored = await desk.redis.hgetall(desk.keys.parked("views"))
    return {name.decode(): msgspec.json.decode(text, type=Parked) for name, text in stored.items()}


async def test_a_game_that_crashes_is_parked_with_an_incident_and_the_others_go_on(desk: Desk) -> None:
    good = reseat(waiting_table("good", "ann", "bob"), 3)
    bad = reseat(waiting_table("bad", "ann", "bad"), 3)
    await desk.start()
    with broken(ZeroDivisionError):
        for upto in (2, 3, 4):
            await desk.write(bad, upto)
            await desk.write(good, upto)
            await desk.run()
    assert await desk.view("good") == expected(good)
    assert (await desk.view("bad"))["version"] == "2"
    assert not await desk.waiting()
    why = (await parked(desk))["bad"]
    assert (why.version, why.error) == (3, "ZeroDivisionError: the projection is broken")
    (line,) = desk.logged("game_parked")
    assert (line["incident"], line["game"], line["version"]) == (why.incident, "bad", 3)
    assert isinstance(line["exc_info"], ZeroDivisionError)


async def test_a_commit_that_cannot_be_read_parks_its_game(desk: Desk) -> None:
    good = waiting_table("good", "ann", "bob")
    await desk.write(good)
    fields = {"c": b'{"game":"bad","version":1,"entry":"1-0","events":[{"type":"no.such"}]}', "h": "00"}
    await desk.redis.xadd(desk.keys.log("bad"), fields, id="1-0")
    await desk.redis.xadd(desk.keys.log("gap"), {"c": good.written[0].body, "h": "00"}, id="1-0")
    await desk.redis.xadd(desk.keys.log("gap"), {"c": good.written[0].body, "h": "00"}, id="3-0")
    await desk.redis.hset(desk.keys.view("odd"), "version", "many")
    await desk.redis.set(desk.keys.view("wrong"), "a text")
    for name in ("bad", "gap", "odd", "wrong"):
        await desk.redis.xadd(desk.keys.doorbell, {"g": name, "v": 9})
    await desk.start()
    await desk.run()
    assert await desk.view("good") == expected(good)
    assert set(await parked(desk)) == {"bad", "gap", "odd", "wrong"}
    assert "no.such" in (await parked(desk))["bad"].error
    assert not await desk.waiting()


async def test_a_parked_game_is_skipped_until_it_is_unparked(desk: Desk) -> None:
    bad = reseat(waiting_table("bad", "ann", "bad"), 5)
    await desk.write(bad, 3)
    await desk.start()
    with broken(ZeroDivisionError) as crashed:
        await desk.run()
        await desk.write(bad, 4)
        await desk.run()
        await desk.start(worker="another")
        await desk.write(bad, 5)
        await desk.run()
        await desk.handler.tick()
    assert len(crashed) == 1
    assert await desk.view("bad") == {}
    assert await unpark(desk.redis, desk.settings.namespace, 1, "views", "bad")
    assert not await unpark(desk.redis, desk.settings.namespace, 1, "views", "bad")
    await desk.run()
    assert (await desk.view("bad"))["version"] == "5"
    await desk.write(bad)
    await desk.run()
    assert await desk.view("bad") == expected(bad)


# What ends the process


async def die(desk: Desk, attempts: int, worker: str) -> None:
    await desk.start(attempts, worker)
    with pytest.raises(ProcessEnds):
        await desk.run()


async def test_a_game_that_ends_the_process_is_found_and_parked(desk: Desk) -> None:
    """Its neighbours in the batch are served before it is found, and after."""
    before, after = waiting_table("before"), waiting_table("after")
    bad = reseat(waiting_table("bad", "ann", "bad"), 2)
    for table in (before, bad, after):
        reseat(table, 2)
        await desk.write(table)
    with broken(ProcessEnds):
        await die(desk, 1, "one")
        await die(desk, 2, "two")
        assert await desk.view("before") == {}
        await die(desk, 3, "three")
        assert await desk.view("before") == expected(before)
        assert await desk.view("bad") == {}
        await die(desk, 1, "four")
        await die(desk, 2, "five")
        assert not await parked(desk)
        await desk.start(1, "six")
        await desk.run()
    assert await desk.view("after") == expected(after)
    assert set(await parked(desk)) == {"bad"}
    assert "the worker ended" in (await parked(desk))["bad"].error
    assert not await desk.waiting()
    assert await desk.redis.hget(desk.keys.position("views"), "trying") is None


async def test_a_game_in_hand_when_an_operator_ends_the_worker_is_not_convicted(desk: Desk) -> None:
    good = waiting_table("good")
    for ended in range(6):
        reseat(good)
        await desk.write(good)
        await desk.redis.hset(desk.keys.position("views"), "trying", f"gone{ended} 2 good")
        await desk.start(1, "worker")
        await desk.run()
        assert await desk.view("good") == expected(good)
    assert not await parked(desk)


async def test_a_worker_that_lost_redis_while_careful_convicts_nobody(desk: Desk) -> None:
    good = waiting_table("good")
    await desk.write(good)
    await desk.redis.hset(desk.keys.position("views"), "trying", "worker 2 good")
    await desk.start(attempts=3)
    await desk.run()
    assert await desk.view("good") == expected(good)
    assert not await parked(desk)


async def test_a_game_that_crashes_the_handler_itself_is_parked_in_the_end(desk: Desk) -> None:
    """The script cannot store it; alone in hand at the third start, it is parked at the fourth."""
    good, bad = waiting_table("good"), waiting_table("bad")
    await desk.write(bad)
    await desk.write(good)
    await desk.redis.hset(desk.keys.position("views"), "trying", "worker 1 bad")
    await desk.start(attempts=4)
    await desk.run()
    assert await desk.view("good") == expected(good)
    assert set(await parked(desk)) == {"bad"}


async def test_a_game_that_ends_the_process_in_a_sweep_is_found_too(desk: Desk) -> None:
    good = waiting_table("good")
    bad = reseat(waiting_table("bad", "ann", "bad"), 2)
    await desk.write(good, ring=False)
    await desk.write(bad, ring=False)
    with broken(ProcessEnds):
        for worker in ("one", "two", "three", "four"):
            await desk.start(1, worker)
            with pytest.raises(ProcessEnds):
                await desk.handler.tick()
        await desk.start(1, "five")
        await desk.handler.tick()
    assert await desk.view("good") == expected(good)
    assert set(await parked(desk)) == {"bad"}
