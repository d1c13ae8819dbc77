"""The replays worker keeps the directory: summaries and their indexes, in step with the logs."""

from typing import Any

import pytest
from redis.exceptions import ResponseError

from fairdeal.codec import encode_json
from fairdeal.directory import Summary, decode_summary, list_games
from fairdeal.games import perudo
from fairdeal_local import Scripted, Table
from fairdeal_replays import ROLE
from fairdeal_replays import summary as folding
from fairdeal_replays.handler import ReplaysHandler
from fairdeal_views.parking import unpark
from fairdeal_worker import PositionMoved
from support.following import Desk, played, reseat, waiting_table


@pytest.fixture
async def desk(redis_client: Any, namespace: str) -> Desk:
    desk = Desk(redis_client, namespace, ReplaysHandler)
    await desk.start()
    return desk


async def listed(desk: Desk, game: str = "g") -> Summary:
    body = await desk.redis.hget(desk.keys.directory, game)
    assert body is not None, f"{game} is not in the directory"
    return decode_summary(body)


async def indexed(desk: Desk, game: str = "g") -> dict[str, int]:
    """The indexes that a game is in, with its score."""
    prefix = desk.keys.directory_index("")
    found = {}
    for key in await desk.redis.keys(f"{prefix}*"):
        score = await desk.redis.zscore(key, game)
        if score is not None:
            found[key.decode().removeprefix(prefix)] = int(score)
    return found


def at(table: Table, version: int) -> int:
    return table.log[version - 1].at


def test_the_role_reads_the_doorbell(redis_client: Any) -> None:
    assert (ROLE.name, ROLE.handler) == ("replays", ReplaysHandler)


async def test_a_game_is_listed_from_its_first_commit_to_its_last(desk: Desk) -> None:
    table = waiting_table("g", "ann", "bob")
    await desk.write(table)
    await desk.run()
    created = at(table, 1)
    assert await listed(desk) == Summary(
        game="g",
        version=1,
        ruleset="perudo@1",
        status="waiting",
        players=("ann", "bob"),
        created_at=created,
        updated_at=created,
    )
    common = {"all": created, "ruleset:perudo": created}
    players = {"player:ann": created, "player:bob": created}
    assert await indexed(desk) == {**common, **players, "status:waiting": created}

    for seat in (0, 1):
        table.act(seat, {"type": "game.ready"})
    await desk.write(table)
    await desk.run()
    playing = await listed(desk)
    assert (playing.status, playing.started_at, playing.finished_at) == ("playing", at(table, 3), None)
    assert await indexed(desk) == {**common, **players, "status:playing": created}

    table.act(0, {"type": "game.resign"})
    assert table.finished
    await desk.write(table)
    await desk.run()
    done = await listed(desk)
    assert (done.status, done.version, done.updated_at) == ("finished", 4, at(table, 4))
    assert (done.winners, done.finished_at) == ((1,), at(table, 4))
    assert done.reason == table.outcome.reason if table.outcome else None
    ended = {"status:finished": created, "ended": at(table, 4)}
    assert await indexed(desk) == {**common, **players, **ended}


async def test_a_cancelled_game_says_so(desk: Desk) -> None:
    table = waiting_table("g")
    table.host({"type": "game.cancel", "reason": "no time"})
    await desk.write(table)
    await desk.run()
    done = await listed(desk)
    assert (done.status, done.winners, done.finished_at) == ("cancelled", (), at(table, 2))
    assert (await indexed(desk))["status:cancelled"] == at(table, 1)


async def test_a_player_who_left_the_seat_no_longer_finds_the_game(desk: Desk) -> None:
    table = waiting_table("g", "ann", "bob")
    await desk.write(table)
    await desk.run()
    table.host({"type": "game.reseat", "seat": 0, "player": "cy"})
    await desk.write(table)
    await desk.run()
    assert (await listed(desk)).players == ("cy", "bob")
    assert {index for index in await indexed(desk) if index.startswith("player:")} == {
        "player:cy",
        "player:bob",
    }


async def test_moves_are_not_decoded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []
    decode = folding.decode_commit

    def counting(body: bytes) -> Any:
        decoded.append(body)
        return decode(body)

    monkeypatch.setattr(folding, "decode_commit", counting)
    table = Table.open("perudo", players=2, name="g", dealer=Scripted([6, 2, *[3] * 10]))
    for quantity in (1, 2, 3):
        table.act(table.view().to_act[0], perudo.Bid(quantity=quantity, face=4))
    await desk.write(table)
    await desk.run()
    assert len(decoded) == 1
    assert ((await listed(desk)).version, (await listed(desk)).updated_at) == (4, at(table, 4))


async def test_the_directory_is_the_same_whatever_the_batches(redis_client: Any, namespace: str) -> None:
    """Commit by commit, all at once, or swept up by a handler that starts anew each time."""
    tables = [played(f"g{seed}", seed) for seed in range(4)]
    found = []
    for way, step in (("a", 1), ("b", 1000), ("c", 7)):
        desk = Desk(redis_client, f"{namespace}{way}", ReplaysHandler)
        for upto in range(step, max(table.version for table in tables) + step, step):
            for table in tables:
                await desk.write(table, upto, ring=way != "c")
            await desk.start()
            await (desk.handler.tick() if way == "c" else desk.run())
        found.append(
            [(await listed(desk, t.log[0].game), await indexed(desk, t.log[0].game)) for t in tables]
        )
    assert found[0] == found[1] == found[2]
    assert all(entry.status == "finished" for entry, _ in found[0])


async def test_two_handlers_cannot_both_write(desk: Desk) -> None:
    table = waiting_table("g")
    await desk.write(table)
    second = desk.make("two", {})
    await second.start(await desk.position())
    entries = await desk.waiting()
    await desk.handler.handle(entries)
    with pytest.raises(PositionMoved):
        await second.handle(entries)
    assert (await desk.position()).count == 1


async def test_an_overtaken_sweep_takes_nothing_back(desk: Desk) -> None:
    """Two handlers at one position: the slower one's older summary is not written over the newer."""
    table = waiting_table("g", "ann", "bob")
    await desk.write(table, ring=False)
    slow = desk.make("slow", {})
    await slow.start(await desk.position())
    states, _ = await slow._fold({"g": 1})
    table.host({"type": "game.cancel", "reason": "no time"})
    await desk.write(table, ring=False)
    await desk.handler.tick()
    assert await slow._store(states, {}, "0-0", 0)
    assert (await listed(desk)).status == "cancelled"
    assert "status:waiting" not in await indexed(desk)


async def test_a_summary_that_another_changed_is_read_again(desk: Desk) -> None:
    table = waiting_table("g", "ann", "bob")
    await desk.write(table)
    await desk.run()
    await desk.redis.hdel(desk.keys.directory, "g")
    reseat(table)
    await desk.write(table)
    await desk.run()
    assert (await listed(desk)).version == 2
    assert len(desk.logged("written_by_others")) == 1


async def test_a_log_that_cannot_be_read_is_parked_and_taken_up_again(desk: Desk) -> None:
    good, bad = waiting_table("good"), waiting_table("bad")
    await desk.write(good)
    await desk.redis.xadd(desk.keys.log("bad"), {"c": '{"events":[{"type":"game.no"}]}', "h": ""}, id="1-0")
    await desk.redis.xadd(desk.keys.doorbell, {"g": "bad", "v": 1})
    await desk.run()
    assert (await listed(desk, "good")).status == "waiting"
    assert await desk.redis.hexists(desk.keys.parked("replays"), "bad")
    await desk.redis.delete(desk.keys.log("bad"))
    await desk.write(bad)
    assert await unpark(desk.redis, desk.settings.namespace, 1, "replays", "bad")
    await desk.run()
    assert (await listed(desk, "bad")).status == "waiting"


async def test_what_the_worker_writes_is_what_pages_read(desk: Desk) -> None:
    tables = [waiting_table(f"g{n}", f"player{n}", "host") for n in range(5)]
    for table in tables:
        await desk.write(table)
    await desk.run()
    page = await list_games(desk.redis, desk.settings.namespace, 1, status="waiting", player="host", limit=3)
    assert [entry.game for entry in page.games] == ["g4", "g3", "g2"]
    rest = await list_games(desk.redis, desk.settings.namespace, 1, player="host", before=page.next)
    assert [entry.game for entry in rest.games] == ["g1", "g0"]


async def test_a_summary_says_nothing_that_the_table_does_not_see(desk: Desk) -> None:
    """The same game with other dice under the cups is listed the same, to the byte."""
    bodies = []
    for dice in ([1, 2, 3, 4, 5, 6, 6, 6, 6, 6], [5, 4, 3, 2, 1, 2, 2, 3, 3, 4]):
        table = Table.open("perudo", players=2, name="g", dealer=Scripted([6, 2, *dice]))
        await desk.write(table)
        await desk.run()
        bodies.append(encode_json(await listed(desk)))
        await desk.redis.delete(desk.keys.log("g"), desk.keys.directory)
        await desk.start()
    assert bodies[0] == bodies[1]


async def test_an_index_of_another_type_stops_the_whole_batch(desk: Desk) -> None:
    """All or nothing: what would fail half-way is found before anything is written."""
    await desk.write(waiting_table("g", "ann", "bob"))
    await desk.redis.set(desk.keys.directory_index("player:bob"), "a text")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await desk.run()
    assert not await desk.redis.exists(desk.keys.directory, desk.keys.directory_index("all"))
    assert (await desk.position()).entry == "0-0"
