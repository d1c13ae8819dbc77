"""Redis Cluster: the partitions spread over its nodes, and client and workers behave as on one server."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import redis
import redis.asyncio

from fairdeal import Client, SyncClient
from fairdeal.connect import connect
from fairdeal.game import Cancel, Reseat
from redis_server import RedisServer
from support.stand_in import StandIn
from support.three_nodes import redis_cluster
from support.workers import Worker, eventually

PLAYERS = ["ann", "bob"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[list[RedisServer]]:
    with redis_cluster() as nodes:
        yield nodes


@pytest.fixture
def url(nodes: list[RedisServer]) -> str:
    return nodes[0].url.replace("redis://", "redis+cluster://")


def keys_on(node: RedisServer, pattern: str) -> list[bytes]:
    with redis.Redis(port=node.port) as client:
        return list(client.scan_iter(pattern))


async def test_games_are_played_and_watched_on_all_nodes(
    nodes: list[RedisServer], url: str, namespace: str
) -> None:
    async with (
        StandIn(nodes[0].url, namespace, partitions=8, cluster=True),
        Client(url, namespace=namespace) as client,
    ):
        created = await asyncio.gather(*(client.create("perudo", PLAYERS, timeout=30) for _ in range(60)))

        async def watch(game: str) -> list[int]:
            return [view.version async for view in client.watch(game, 1)]

        watchers = [asyncio.create_task(watch(one.game)) for one in created]
        moves = [Reseat(seat=0, player="cy"), Cancel(reason="enough")]
        for move in moves:
            await asyncio.gather(*(client.host(one.game, move, timeout=30) for one in created))
        for versions in await asyncio.wait_for(asyncio.gather(*watchers), 30):
            assert versions == sorted(set(versions))
            assert versions[-1] == 3
        frames = [frame.version async for frame in client.replay(created[0].game)]
        assert frames == [1, 2, 3]
        logs = [len(keys_on(node, f"{{{namespace}:*}}:log:*")) for node in nodes]
        assert sum(logs) == 60
        assert all(logs), f"every node has logs: {logs}"


async def test_a_node_that_restarts_is_found_again(
    nodes: list[RedisServer], url: str, namespace: str
) -> None:
    async with (
        StandIn(nodes[0].url, namespace, partitions=8, cluster=True),
        Client(url, namespace=namespace) as client,
    ):
        created = await asyncio.gather(*(client.create("perudo", PLAYERS, timeout=30) for _ in range(30)))
        await asyncio.to_thread(nodes[1].kill)
        sent = [
            asyncio.create_task(client.host(one.game, Cancel(reason="enough"), timeout=60)) for one in created
        ]
        await asyncio.sleep(0.5)
        await asyncio.to_thread(nodes[1].start)
        assert {receipt.version for receipt in await asyncio.gather(*sent)} == {2}


async def test_real_workers_play_bots_on_a_cluster(url: str, namespace: str) -> None:
    with Worker(url, namespace, "rules", "views", "replays", "bots", partitions=4) as worker:
        redis = connect(url)

        async def there() -> bool:
            assert worker.alive, worker.said
            return bool(await redis.exists(f"{namespace}:deployment"))

        await eventually("the deployment", there, 40)
        await redis.aclose()
        async with Client(url, namespace=namespace) as client:
            players = ["bot:odds", "bot:random"]
            created = await asyncio.gather(*(client.create("perudo", players, timeout=30) for _ in range(6)))

            async def end(game: str) -> Any:
                return [view async for view in client.watch(game)][-1]

            ends = await asyncio.wait_for(asyncio.gather(*(end(one.game) for one in created)), 60)
            assert {view.outcome.reason for view in ends} == {"last_with_dice"}

            async def all_listed() -> bool:
                return len((await client.games("finished")).games) == 6

            await eventually("six finished games in the directory", all_listed)


def test_the_sync_client_of_a_cluster(url: str, namespace: str, nodes: list[RedisServer]) -> None:
    with (
        Worker(url, namespace, "rules", partitions=2),
        SyncClient(url, namespace=namespace, partitions=2) as client,
    ):
        assert client.create("perudo", PLAYERS, timeout=40).version == 1
