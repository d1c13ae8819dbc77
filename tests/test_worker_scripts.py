"""Scripts that several partitions of one worker run in one round trip."""

import asyncio
from typing import Any

import pytest
from redis.exceptions import ConnectionError, ResponseError

from fairdeal_rules.clock import due_games
from fairdeal_worker.scripts import SharedTrips


async def reads_of(redis_client: Any) -> int:
    """How often the server has read from its clients so far."""
    stats = await redis_client.info("stats")
    return int(stats["total_reads_processed"])


@pytest.fixture
async def loaded(redis_client: Any) -> Any:
    await redis_client.script_load(due_games.source)
    return redis_client


async def test_calls_of_one_moment_go_together_and_each_gets_its_own_answer(loaded: Any) -> None:
    trips = SharedTrips(loaded)
    for number in range(20):
        await loaded.zadd(f"due:{number}", {f"game-{number}": 1})
    before = await reads_of(loaded)
    answers = await asyncio.gather(*(trips(due_games, [f"due:{n}"], [0, 10]) for n in range(20)))
    reads = await reads_of(loaded) - before
    assert [due for _, due, _ in answers] == [[f"game-{n}".encode(), b"1"] for n in range(20)]
    assert reads < 10, "twenty round trips would be twenty reads of the server"
    await loaded.delete(*(f"due:{number}" for number in range(20)))


async def test_a_script_that_fails_fails_for_its_caller_alone(loaded: Any) -> None:
    trips = SharedTrips(loaded)
    await loaded.set("text", "not a sorted set")
    good, bad, last = await asyncio.gather(
        trips(due_games, ["none"], [0, 10]),
        trips(due_games, ["text"], [0, 10]),
        trips(due_games, ["none"], [0, 10]),
        return_exceptions=True,
    )
    await loaded.delete("text")
    assert good[1] == last[1] == []
    assert isinstance(bad, ResponseError)
    assert "WRONGTYPE" in str(bad)


async def test_scripts_that_the_server_has_forgotten_are_sent_again(redis_client: Any) -> None:
    trips = SharedTrips(redis_client)
    await redis_client.script_flush()
    answers = await asyncio.gather(*(trips(due_games, ["none"], [0, 10]) for _ in range(3)))
    assert [due for _, due, _ in answers] == [[], [], []]


async def test_a_lost_connection_is_told_to_everybody_on_the_trip_and_the_next_trip_goes(
    loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips = SharedTrips(loaded)

    async def lost(*args: Any, **options: Any) -> None:
        raise ConnectionError("gone")

    with monkeypatch.context() as patch:
        patch.setattr("redis.asyncio.client.Pipeline.execute", lost)
        told = await asyncio.gather(
            *(trips(due_games, ["none"], [0, 10]) for _ in range(3)), return_exceptions=True
        )
    assert [type(error) for error in told] == [ConnectionError] * 3
    assert (await trips(due_games, ["none"], [0, 10]))[1] == []


async def test_a_caller_that_gives_up_takes_nobody_with_it(loaded: Any) -> None:
    trips = SharedTrips(loaded)
    leaving = asyncio.create_task(trips(due_games, ["none"], [0, 10]))
    staying = asyncio.create_task(trips(due_games, ["none"], [0, 10]))
    await asyncio.sleep(0)
    leaving.cancel()
    async with asyncio.timeout(10):
        assert (await staying)[1] == []
    with pytest.raises(asyncio.CancelledError):
        await leaving
