"""A stage without workers and a gateway before it, for the files that do not say otherwise."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from support.gateway import Door, Stage, open_door


@pytest.fixture
async def stage(redis_client: Any, namespace: str) -> Stage:
    return await Stage(redis_client, namespace).open()


@pytest.fixture
async def door(redis_url: str, namespace: str, stage: Stage) -> AsyncIterator[Door]:
    async with open_door(redis_url, namespace) as door:
        yield door
