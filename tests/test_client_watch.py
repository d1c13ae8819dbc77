"""Views, watching and replays through the client: each newer than the one before, to the end, whatever is lost."""

import asyncio
import itertools
from typing import Any

import pytest

from fairdeal import Client, NoReplays, UnknownGame, ViewBehind
from fairdeal.client import logs, watching
from fairdeal.directory import BadCursor
from fairdeal.game import Cancel, Reseat
from fairdeal.games import perudo
from fairdeal.view import View
from support.stand_in import StandIn
from support.workers import Worker, eventually

PLAYERS = ["ann", "bob"]


@pytest.fixture
async def service(redis_url: str, namespace: str) -> Any:
    async with StandIn(redis_url, namespace) as stand_in:
        yield stand_in


@pytest.fixture
async def client(service: StandIn, redis_url: str, namespace: str) -> Any:
    async with Client(redis_url, namespace=namespace) as client:
        yield client


_numbers = itertools.count()


async def reseat(client: Client, game: str, times: int) -> None:
    """Move a game on by so many versions."""
    for _ in range(times):
        await client.host(game, Reseat(seat=0, player=f"player{next(_numbers)}"))


async def collect(views: Any) -> list[View[Any, Any]]:
    return [view async for view in views]


async def test_a_view_is_typed_and_of_one_viewer(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    mine = await client.view(created.game, 0)
    assert isinstance(mine.table, perudo.Table)
    assert isinstance(mine.hand, perudo.Hand)
    table = await client.view(created.game)
    assert (table.seat, table.hand, table.offers) == (None, None, ())
    on_turn = await client.view(created.game, table.to_act[0])
    assert on_turn.admits(perudo.Bid(quantity=1, face=6))


async def test_who_is_not_there_has_no_view(client: Client) -> None:
    with pytest.raises(UnknownGame, match="no game 'nowhere'"):
        await client.view("nowhere")
    with pytest.raises(UnknownGame):
        await anext(client.watch("nowhere"))
    with pytest.raises(UnknownGame):
        await anext(client.replay("nowhere"))
    created = await client.create("perudo", PLAYERS)
    with pytest.raises(IndexError, match="no seat 2"):
        await client.view(created.game, 2)
    with pytest.raises(IndexError, match="no seat 2"):
        await anext(client.watch(created.game, 2))


async def test_the_first_view_of_a_new_game_is_waited_for(service: StandIn, client: Client) -> None:
    service.views_lag.clear()
    created = await client.create("perudo", PLAYERS)
    waiting = asyncio.create_task(client.view(created.game))
    watched = asyncio.ensure_future(anext(client.watch(created.game)))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    service.views_lag.set()
    assert (await waiting).version == 1
    assert (await watched).version == 1


async def test_a_view_of_the_receipts_version_is_waited_for(service: StandIn, client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    await client.view(created.game)
    service.views_lag.clear()
    moved = await client.host(created.game, Reseat(seat=0, player="cy"))
    assert (await client.view(created.game)).version == 1
    with pytest.raises(ViewBehind, match="at version 2: it stood at version 1") as behind:
        await client.view(created.game, at_least=moved.version or 0, timeout=0.2)
    assert isinstance(behind.value, TimeoutError)
    waiting = asyncio.create_task(client.view(created.game, at_least=2))
    service.views_lag.set()
    assert (await waiting).table.players[0] == "cy"


async def test_a_version_after_the_end_never_comes(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    await client.host(created.game, Cancel(reason="enough"))
    assert (await client.view(created.game, at_least=2)).phase == "finished"
    with pytest.raises(ViewBehind):
        await client.view(created.game, at_least=3)


async def test_watching_gives_the_view_now_each_newer_one_and_ends(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    await client.view(created.game)
    seen: list[int] = []

    async def watch() -> None:
        async for view in client.watch(created.game, 0):
            assert view.seat == 0
            seen.append(view.version)

    watching = asyncio.create_task(watch())
    for version in range(1, 6):

        async def reached(version: int = version) -> bool:
            return bool(seen) and seen[-1] == version

        await eventually(f"the view of version {version}", reached)
        await reseat(client, created.game, 1)
    await client.host(created.game, Cancel(reason="enough"))
    await asyncio.wait_for(watching, 10)
    assert seen == sorted(set(seen))
    assert seen[-1] == 7


async def test_watching_goes_on_after_a_version(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    await reseat(client, created.game, 2)
    await client.view(created.game, at_least=3)
    views = client.watch(created.game, from_version=3)
    waiting = asyncio.ensure_future(anext(views))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await client.host(created.game, Cancel(reason="enough"))
    assert (await waiting).version == 4
    assert await collect(views) == []
    assert await collect(client.watch(created.game, from_version=4)) == []
    assert [view.version for view in await collect(client.watch(created.game))] == [4]


async def test_who_is_slow_gets_the_newest_and_nothing_piles_up(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    views = client.watch(created.game)
    assert (await anext(views)).version == 1
    await reseat(client, created.game, 30)
    await client.view(created.game, at_least=31)
    assert (await anext(views)).version == 31
    await client.host(created.game, Cancel(reason="enough"))
    assert [view.version for view in await collect(views)] == [32]


async def test_a_lost_update_is_harmless(
    service: StandIn, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "RECHECK_S", 0.2)
    service.drop_updates = True
    created = await client.create("perudo", PLAYERS)
    views = client.watch(created.game)
    assert (await anext(views)).version == 1
    await client.host(created.game, Cancel(reason="enough"))
    assert [view.version for view in await asyncio.wait_for(collect(views), 10)] == [2]


async def test_any_number_of_watchers_share_one_reader(
    redis_client: Any, service: StandIn, client: Client
) -> None:
    created = [await client.create("perudo", PLAYERS) for _ in range(5)]
    watchers = [
        asyncio.create_task(collect(client.watch(one.game, viewer)))
        for one in created
        for viewer in ("table", 0, 1)
        for _ in range(10)
    ]
    await asyncio.sleep(0.3)
    prefix = f"{service.namespace}:"
    reading = [one for one in await redis_client.client_list() if one["cmd"] == "xread"]
    assert len(client._watching._bells) == 5
    assert len(client._tail._readers) == 1
    assert len(reading) <= 2 + len(service.keys), f"readers of {prefix}: {reading}"
    for one in created:
        await client.host(one.game, Cancel(reason="enough"))
    ends = await asyncio.wait_for(asyncio.gather(*watchers), 20)
    assert {views[-1].phase for views in ends} == {"finished"}
    assert not client._watching._bells
    followed = {keys.updates for keys in service.keys} & set(client._tail._at)
    assert not followed, "nobody watches any more"


async def test_a_watcher_that_is_left_leaves_nothing_behind(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    async for view in client.watch(created.game):
        assert view.version == 1
        break
    views = client.watch(created.game)
    await anext(views)
    await views.aclose()

    async def gone() -> bool:
        return not client._watching._bells

    await eventually("the end of both watchers", gone)


async def test_a_replay_shows_each_viewer_its_own(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    seat = (await client.view(created.game)).to_act[0]
    await client.act(created.game, seat, perudo.Bid(quantity=1, face=4))
    await client.host(created.game, Cancel(reason="enough"))
    frames = {viewer: await collect(client.replay(created.game, viewer)) for viewer in ("table", 0, "audit")}
    assert [frame.version for frame in frames["table"]] == [1, 2, 3]
    for viewer, dice in (
        ("table", []),
        (0, [True, False]),
        ("audit", [True, True]),
    ):
        (started,) = (e for e in frames[viewer][0].events if isinstance(e, perudo.RoundStarted))
        assert [rolled is not None for rolled in started.dice or ()] == dice
    assert [frame.version for frame in await collect(client.replay(created.game, from_version=2))] == [2, 3]
    assert [frame.version for frame in await collect(client.replay(created.game, to_version=2))] == [1, 2]
    assert await collect(client.replay(created.game, from_version=4)) == []
    assert await collect(client.replay(created.game, to_version=0)) == []


async def test_without_the_replay_code_a_replay_says_what_to_install(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await client.create("perudo", PLAYERS)
    monkeypatch.setattr(logs, "entry_points", lambda **_: ())
    logs.frames_function.cache_clear()
    with pytest.raises(NoReplays, match=r"fairdeal\.replay"):
        await anext(client.replay(created.game))
    logs.frames_function.cache_clear()


async def test_the_client_and_real_workers(redis_client: Any, redis_url: str, namespace: str) -> None:
    with Worker(redis_url, namespace, "rules", "views", "replays", partitions=2):

        async def there() -> bool:
            return bool(await redis_client.exists(f"{namespace}:deployment"))

        await eventually("the deployment", there)
        async with Client(redis_url, namespace=namespace) as client:
            game = (await client.create("perudo", PLAYERS, timeout=20)).game
            async for view in client.watch(game):
                if not view.to_act:
                    break
                seat = view.to_act[0]
                standing = view.table.bid
                action: Any = perudo.Bid(quantity=1, face=2) if standing is None else perudo.Dudo()
                await client.act(game, seat, action, expect=view.version)
            final = await client.view(game)
            assert final.outcome is not None
            assert final.outcome.reason == "last_with_dice"
            replay = await collect(client.replay(game))
            assert [frame.version for frame in replay] == list(range(1, final.version + 1))

            async def listed() -> bool:
                page = await client.games("finished", "perudo", "ann")
                return [summary.game for summary in page.games] == [game]

            await eventually("the finished game in the directory", listed)
            assert (await client.games("playing")).games == ()
            with pytest.raises(BadCursor):
                await client.games(before="?")
            with pytest.raises(ValueError, match="limit"):
                await client.games(limit=0)
