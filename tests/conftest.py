"""What all tests share: one real Redis for the session, and a namespace of its own for each test."""

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis.asyncio

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
def namespace() -> str:
    """A namespace that no other test uses."""
    return f"t{os.getpid()}-{next(_numbers)}"


@pytest.fixture
async def redis_client(redis_url: str) -> AsyncIterator[Any]:
    """An asyncio client of the shared server that answers in bytes."""
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        yield client
