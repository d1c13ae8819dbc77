"""What all tests share: one real Redis for the session, and a namespace of its own for each test."""

import itertools
import logging
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis
import redis.asyncio
import structlog

from redis_server import RedisServer

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A running server that the tests of this session share; nothing in it is kept."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    return redis_server.url


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> Iterator[str]:
    """A namespace that no other test uses; what was stored in it is gone after the test.

    Whoever scans the server, as a sweep does, would else meet everything that former tests have left.
    """
    name = f"t{os.getpid()}-{next(_numbers)}"
    yield name
    if "redis_server" in request.fixturenames:
        with redis.Redis.from_url(request.getfixturevalue("redis_server").url) as client:
            for pattern in (f"{{{name}:*", f"{name}:*"):
                for key in client.scan_iter(pattern, count=10_000):
                    client.unlink(key)


@pytest.fixture(autouse=True)
def _logs_stay_as_they_were() -> Iterator[None]:
    """A command that a test runs in this process sends the logs where it wants; the next test must not feel it."""
    root = logging.getLogger()
    handlers, level, config = list(root.handlers), root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


@pytest.fixture
async def redis_client(redis_url: str) -> AsyncIterator[Any]:
    """An asyncio client of the shared server that answers in bytes."""
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        yield client
