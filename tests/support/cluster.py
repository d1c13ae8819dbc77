"""A Redis Cluster of one node: enough to show that every command and script goes to its slot."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import redis.asyncio

from redis_server import RedisServer, free_port


@asynccontextmanager
async def cluster_of_one() -> AsyncIterator[Any]:
    """A client of a fresh cluster that holds all slots; the server ends with it."""
    with RedisServer(cluster_enabled="yes", cluster_port=str(free_port())) as server:
        async with redis.asyncio.Redis.from_url(server.url) as node:
            await node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            deadline = time.monotonic() + 15
            while b"cluster_state:ok" not in await node.execute_command("CLUSTER", "INFO"):
                assert time.monotonic() < deadline, "the cluster's one node is not ready after 15 s"
                await asyncio.sleep(0.02)
        async with redis.asyncio.RedisCluster.from_url(server.url, protocol=2) as client:
            yield client
