"""Which failures are the commands' and which are the server's."""

import pytest
from redis import exceptions

from fairdeal_worker.server import is_redis_trouble


@pytest.mark.parametrize(
    "error",
    [
        exceptions.ConnectionError("refused"),
        exceptions.OutOfMemoryError("OOM command not allowed"),
        exceptions.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        exceptions.ResponseError(
            "OOM command not allowed when used memory > 'maxmemory'. script: x, on line 1"
        ),
        exceptions.ResponseError("BUSY Redis is busy running a script"),
        exceptions.RedisClusterException("no node"),
        TimeoutError(),
    ],
)
def test_trouble_with_the_server_is_no_attempt_at_a_command(error: Exception) -> None:
    assert is_redis_trouble(error)


@pytest.mark.parametrize(
    "error",
    [exceptions.ResponseError("WRONGTYPE Operation against a key"), ValueError("a bug"), KeyError("x")],
)
def test_what_a_command_or_its_game_causes_is(error: Exception) -> None:
    assert not is_redis_trouble(error)
