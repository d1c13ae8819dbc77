"""Scripts run by their hash."""

from typing import Any

import pytest
from redis.exceptions import ResponseError

from fairdeal_rules.clock import due_games


async def test_a_script_that_fails_says_why(redis_client: Any, namespace: str) -> None:
    await redis_client.set(f"{namespace}:text", "not a sorted set")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await due_games(redis_client, [f"{namespace}:text"], [0, 10])


async def test_a_script_that_the_server_has_forgotten_is_sent_again(redis_client: Any) -> None:
    await redis_client.script_flush()
    _, due, coming = await due_games(redis_client, ["none"], [0, 10])
    assert (due, coming) == ([], b"")
