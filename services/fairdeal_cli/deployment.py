"""A connection to the deployment that a command is about."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fairdeal.connect import connect
from fairdeal_views.survey import Deployment, read_deployment
from fairdeal_worker.settings import Settings


@asynccontextmanager
async def redis_of(settings: Settings) -> AsyncIterator[Any]:
    """An asyncio client of the Redis that the settings name, which answers in bytes."""
    redis = connect(settings.redis_url)
    try:
        yield redis
    finally:
        await redis.aclose()


@asynccontextmanager
async def deployment_of(settings: Settings) -> AsyncIterator[tuple[Any, Deployment]]:
    """The client and the deployment; how many partitions it has is read from it. Raises `Problem`."""
    async with redis_of(settings) as redis:
        yield redis, await read_deployment(redis, settings.namespace)
