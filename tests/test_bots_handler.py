"""The bots worker: each update answered once, lost ones made up for, one bad bot nobody else's trouble."""

from random import Random
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture

from fairdeal import Client
from fairdeal.codec import decode_command, encode_json
from fairdeal.envelope import Command
from fairdeal.game import Reseat
from fairdeal.receipt import Receipt
from fairdeal.wire import BODY, Keys
from fairdeal_bots import bot_for, handler, move_of
from fairdeal_bots.handler import BotsHandler
from fairdeal_local import Table
from fairdeal_worker import Entry, Partition, Position, PositionMoved, Settings
from fairdeal_worker.role import ORIGIN
from support.workers import Worker, eventually


class Desk:
    """One partition with stored views, and handlers that are fed its updates."""

    def __init__(self, redis: Any, namespace: str) -> None:
        self.redis = redis
        self.settings = Settings(namespace=namespace, partitions=1)
        self.keys = Keys(namespace, 0)
        self.lines = LogCapture()
        self.handler: BotsHandler

    async def start(self) -> BotsHandler:
        """Take over at the stored position, as a worker of its own."""
        log: Any = structlog.wrap_logger(None, processors=[self.lines])
        made = BotsHandler(Partition(self.keys, self.redis, self.settings, log, "worker", {}))
        await made.start(await self.position())
        self.handler = made
        return made

    async def position(self) -> Position:
        entry, count = await self.redis.hmget(self.keys.position("bots"), ["entry", "count"])
        return Position(entry.decode() if entry else ORIGIN, int(count or 0), 1)

    async def show(self, table: Table, *, tell: bool = True) -> None:
        """Store a table's views as the views worker would, list it as in play, and ring."""
        game = table.log[0].game
        await self.redis.hset(self.keys.view(game), mapping={"version": table.version, **table.encoded()})
        await self.redis.zadd(self.keys.directory_index("status:playing"), {game: 1})
        if tell:
            await self.redis.xadd(self.keys.updates, {"g": game, "v": table.version})

    async def waiting(self) -> list[Entry]:
        at = (await self.position()).entry
        return [
            Entry(id.decode(), fields)
            for id, fields in await self.redis.xrange(self.keys.updates, min=f"({at}")
        ]

    async def sent(self) -> list[Command]:
        return [decode_command(f[BODY.encode()]) for _, f in await self.redis.xrange(self.keys.commands)]

    def logged(self, event: str) -> list[Any]:
        return [line for line in self.lines.entries if line["event"] == event]


@pytest.fixture
async def desk(redis_client: Any, namespace: str) -> Desk:
    desk = Desk(redis_client, namespace)
    await desk.start()
    return desk


def table_of(*players: str, name: str = "g", **given: Any) -> Table:
    return Table.open("perudo", players, dealer=3, name=name, **given)


async def test_the_bot_on_turn_moves_by_its_own_view(desk: Desk) -> None:
    table = table_of("bot:odds", "bot:random", "bot:random:2")
    await desk.show(table)
    await desk.handler.handle(await desk.waiting())
    seat = table.view().to_act[0]
    assert await desk.sent() == [
        Command(
            f"bot-{seat}-1",
            "g",
            move_of(bot_for("perudo", table.players[seat]), table.view(seat)),  # type: ignore[arg-type]
            seat=seat,
            expect=1,
        )
    ]
    position = await desk.position()
    ((entry, _),) = await desk.redis.xrange(desk.keys.updates)
    assert (position.entry, position.count) == (entry.decode(), 1)


async def test_people_and_finished_games_are_left_alone(desk: Desk) -> None:
    await desk.show(table_of("ann", "bob"))
    await desk.show(table_of("bottle", 'robot "bot:odds"', name="h"))
    over = table_of("bot:odds", "bot:random", name="i")
    over.host({"type": "game.cancel", "reason": "enough"})
    await desk.show(over)
    await desk.redis.xadd(desk.keys.updates, {"g": "gone", "v": 1})
    await desk.redis.xadd(desk.keys.updates, {"other": 1})
    await desk.handler.handle(await desk.waiting())
    assert await desk.sent() == []
    assert (await desk.position()).count == 5


async def test_a_game_told_of_twice_in_a_batch_is_looked_at_once(desk: Desk) -> None:
    table = table_of("bot:odds", "bot:random")
    await desk.show(table)
    await desk.show(table)
    await desk.handler.handle(await desk.waiting())
    assert len(await desk.sent()) == 1


async def test_a_seat_given_to_a_bot_later_is_played(desk: Desk) -> None:
    table = table_of("ann", "bob")
    for player in ("bot:odds", "bot:random"):
        await desk.show(table)
        await desk.handler.handle(await desk.waiting())
        assert await desk.sent() == []
        table.host(Reseat(seat=table.view().to_act[0] ^ (player == "bot:odds"), player=player))
    await desk.show(table)
    await desk.handler.handle(await desk.waiting())
    assert [command.expect for command in await desk.sent()] == [3]


async def test_two_workers_at_one_position_do_the_work_once(desk: Desk) -> None:
    await desk.show(table_of("bot:odds", "bot:random"))
    entries = await desk.waiting()
    other = await desk.start()
    late = await desk.start()
    await other.handle(entries)
    with pytest.raises(PositionMoved):
        await late.handle(entries)
    assert len(await desk.sent()) == 1


async def test_two_workers_choose_alike(desk: Desk) -> None:
    await desk.show(table_of("bot:random", "bot:random:2", "bot:random:3"))
    entries = await desk.waiting()
    for _ in range(2):
        await desk.redis.delete(desk.keys.position("bots"))
        await (await desk.start()).handle(entries)
    one, other = await desk.sent()
    assert one == other


async def test_bots_say_that_they_are_there(desk: Desk) -> None:
    await desk.show(table_of("bot:odds", "ann", "bot:random", start="when_ready"))
    await desk.handler.handle(await desk.waiting())
    assert [(c.id, c.action.__class__.__name__) for c in await desk.sent()] == [
        ("bot-0-1", "Ready"),
        ("bot-2-1", "Ready"),
    ]


async def test_an_unknown_bot_is_told_once_and_its_neighbours_play(desk: Desk) -> None:
    table = table_of("bot:chess", "bot:chess:2", name="bad")
    for _ in range(3):
        await desk.show(table)
        await desk.handler.handle(await desk.waiting())
    (line,) = desk.logged("unknown_bot")
    assert line["game"] == "bad"
    assert "bot:odds" in line["error"]
    assert "game.reseat" in line["next"]
    await desk.show(table)
    await desk.show(table_of("bot:odds", "bot:random", name="good"))
    await desk.handler.handle(await desk.waiting())
    assert {command.game for command in await desk.sent()} == {"good"}


async def test_a_bot_that_crashes_or_cheats_and_a_view_that_cannot_be_read_stop_nobody(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crashes:
        def choose(self, view: Any, random: Random) -> Any:
            raise ZeroDivisionError

    known = handler.bot_for
    monkeypatch.setattr(
        handler, "bot_for", lambda ruleset, player: Crashes() if ":x" in player else known(ruleset, player)
    )
    await desk.show(table_of("bot:odds:x1", "bot:odds:x2", name="bad"))
    await desk.show(table_of("bot:odds", "bot:random", name="broken"))
    await desk.redis.hset(desk.keys.view("broken"), "seat:0", "{")
    await desk.redis.hset(desk.keys.view("broken"), "seat:1", '{"seat":1}')
    await desk.show(table_of("bot:odds", "bot:random", name="torn"))
    await desk.redis.hset(desk.keys.view("torn"), "table", '{"bot:odds":')
    await desk.show(table_of("bot:odds", "bot:random", name="good"))
    await desk.handler.handle(await desk.waiting())
    assert {command.game for command in await desk.sent()} == {"good"}
    assert {line["game"] for line in desk.logged("bot_failed")} == {"bad", "broken"}


async def sweep(desk: Desk, times: int) -> None:
    """Look through all games so many times."""
    for _ in range(times):
        desk.handler._next_sweep = 0.0
        await desk.handler.tick()
        while desk.handler._places:
            await desk.handler.tick()


async def test_a_lost_update_is_made_up_for_ever_more_seldom(desk: Desk) -> None:
    await desk.show(table_of("bot:odds", "bot:random"), tell=False)
    await sweep(desk, 1)
    assert await desk.sent() == [], "it may only just have come"
    await sweep(desk, 1)
    (command,) = await desk.sent()
    assert command.expect == 1
    await sweep(desk, 62)
    again = await desk.sent()
    assert set(map(repr, again)) == {repr(command)}
    assert len(again) == 6, "at the visits 2, 3, 5, 9, 17, 33"
    assert (await desk.position()).entry == ORIGIN


async def test_what_was_answered_is_not_sent_again_and_a_refusal_is_told(desk: Desk) -> None:
    tables = {name: table_of("bot:odds", "bot:random", name=name) for name in ("done", "stale", "refused")}
    for name, table in tables.items():
        await desk.show(table)
        seat = table.view().to_act[0]
        receipt: Any = 2
        if name != "done":
            code = "stale" if name == "stale" else "bid_not_higher"
            receipt = encode_json(Receipt(f"bot-{seat}-1", name, "rejected", code=code, message="no"))
        await desk.redis.hset(desk.keys.receipts(name), f"bot-{seat}-1", receipt)
    await sweep(desk, 5)
    assert await desk.sent() == []
    (line,) = desk.logged("bot_refused")
    assert line["game"] == "refused"
    assert "bid_not_higher" in line["receipt"]


async def test_many_games_are_swept_page_by_page(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "SWEEP_GAMES", 50)
    table = table_of("bot:odds", "bot:random")
    stored = {"version": table.version, **table.encoded()}
    for number in range(400):
        await desk.redis.hset(desk.keys.view(f"g{number}"), mapping=stored)
        await desk.redis.zadd(desk.keys.directory_index("status:playing"), {f"g{number}": number})
    sizes = []
    push = desk.handler._push

    async def counted(games: list[str]) -> None:
        sizes.append(len(games))
        await push(games)

    monkeypatch.setattr(desk.handler, "_push", counted)
    await sweep(desk, 1)
    assert sum(sizes) >= 400
    assert max(sizes) < 200


async def test_updates_that_were_trimmed_unread_count_as_done(desk: Desk) -> None:
    table = table_of("bot:odds", "bot:random")
    for _ in range(5):
        await desk.show(table)
    await desk.redis.xtrim(desk.keys.updates, maxlen=2, approximate=False)
    await desk.start()
    await desk.handler.handle(await desk.waiting())
    assert (await desk.position()).count == 5
    await desk.redis.delete(desk.keys.updates)
    await desk.show(table)
    await desk.start()
    await desk.handler.handle([Entry("9999999999999-0", {b"g": b"g", b"v": b"1"})])
    assert (await desk.position()).count == 1


async def test_bots_play_games_on_real_workers(redis_client: Any, redis_url: str, namespace: str) -> None:
    with Worker(redis_url, namespace, "rules", "views", "replays", "bots", partitions=2) as worker:

        async def there() -> bool:
            assert worker.alive, worker.said
            return bool(await redis_client.exists(f"{namespace}:deployment"))

        await eventually("the deployment", there, 40)
        async with Client(redis_url, namespace=namespace) as client:
            players = ["bot:odds", "bot:random", "bot:random:2"]
            games = [
                (await client.create("perudo", players, {"calza": True}, start=start, timeout=30)).game
                for start in ("at_once", "when_ready")
            ]
            for game in games:
                last = [view async for view in client.watch(game)][-1]
                assert last.outcome is not None
                assert last.outcome.reason == "last_with_dice"
        assert '"level": "error"' not in worker.said, worker.said
