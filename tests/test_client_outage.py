"""Redis goes away and comes back under the client: commands and watchers go on where they were."""

import asyncio
import os
import signal
from typing import Any

import pytest

from fairdeal import Client, NoReceipt, Unreachable
from fairdeal.client import deployment, watching
from fairdeal.game import Cancel, Reseat
from redis_server import RedisServer
from support.stand_in import StandIn

PLAYERS = ["ann", "bob"]


@pytest.fixture
def server() -> Any:
    with RedisServer(appendonly=True) as server:
        yield server


async def test_commands_and_watchers_live_through_a_restart(server: RedisServer, namespace: str) -> None:
    async with StandIn(server.url, namespace) as service, Client(server.url, namespace=namespace) as client:
        await client.create("perudo", PLAYERS, game="g")
        versions: list[int] = []

        async def watch() -> None:
            versions.extend([view.version async for view in client.watch("g")])

        watcher = asyncio.create_task(watch())
        await client.host("g", Reseat(seat=0, player="cy"))
        await asyncio.to_thread(server.kill)
        sent = [
            asyncio.create_task(
                client.host("g", Reseat(seat=0, player=f"p{n}"), command_id=f"c{n}", timeout=60)
            )
            for n in range(20)
        ]
        await asyncio.sleep(2)
        assert not any(task.done() for task in sent)
        await asyncio.to_thread(server.start)
        receipts = await asyncio.gather(*sent)
        assert sorted(receipt.version or 0 for receipt in receipts) == list(range(3, 23))
        assert set(service.handled) >= {f"c{n}" for n in range(20)}
        await client.host("g", Cancel(reason="enough"), timeout=30)
        await asyncio.wait_for(watcher, 30)
        assert versions == sorted(set(versions))
        assert versions[-1] == 23


async def test_a_command_lost_with_the_memory_of_redis_is_sent_again(namespace: str) -> None:
    with RedisServer() as server:
        async with (
            StandIn(server.url, namespace) as service,
            Client(server.url, namespace=namespace) as client,
        ):
            await client.create("perudo", PLAYERS, game="first")
            service.working.clear()
            waiting = asyncio.create_task(client.create("perudo", PLAYERS, game="g", timeout=60))
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            service.working.set()
            assert (await waiting).version == 1


async def test_without_redis_a_command_ends_in_time_and_says_why(server: RedisServer, namespace: str) -> None:
    async with StandIn(server.url, namespace), Client(server.url, namespace=namespace) as client:
        await client.create("perudo", PLAYERS, game="g")
        await asyncio.to_thread(server.kill)
        with pytest.raises(NoReceipt, match="nobody knows whether it arrived"):
            await asyncio.wait_for(client.host("g", Cancel(reason="enough"), timeout=3), 20)
        with pytest.raises(Unreachable, match="did not answer"):
            await asyncio.wait_for(client.view("g"), 20)


async def test_a_server_that_hangs_does_not_hold_a_caller_longer_than_asked(
    server: RedisServer, namespace: str
) -> None:
    async with StandIn(server.url, namespace), Client(server.url, namespace=namespace) as client:
        await client.create("perudo", PLAYERS, game="g")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(NoReceipt, match="Redis did not answer"):
                await asyncio.wait_for(client.host("g", Reseat(seat=0, player="cy"), timeout=0.5), 20)
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert (await client.host("g", Cancel(reason="enough"), timeout=30)).version == 3


async def test_watchers_give_up_an_outage_that_does_not_end(
    server: RedisServer, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "OUTAGE_S", 1.0)
    monkeypatch.setattr(watching, "RECHECK_S", 0.2)
    async with StandIn(server.url, namespace), Client(server.url, namespace=namespace) as client:
        await client.create("perudo", PLAYERS, game="g")
        views = client.watch("g")
        await anext(views)
        await asyncio.to_thread(server.kill)
        with pytest.raises(Unreachable):
            await asyncio.wait_for(anext(views), 30)


async def test_a_redis_that_was_never_there_is_told(namespace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deployment, "WAIT_S", 0.3)
    server = RedisServer()
    async with Client(server.url, namespace=namespace) as client:
        with pytest.raises(Unreachable, match=str(server.port)):
            await asyncio.wait_for(client.create("perudo", PLAYERS), 20)
    server.remove()
