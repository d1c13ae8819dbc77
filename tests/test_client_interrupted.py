"""A client that is given up at any instant of a call ends at once."""

import asyncio

import pytest

from fairdeal import Client

BOUND_S = 10.0


@pytest.mark.parametrize("turns", range(12))
async def test_a_call_that_is_cancelled_ends_with_its_client(
    turns: int, redis_url: str, namespace: str
) -> None:
    async def call() -> None:
        async with Client(redis_url, namespace=namespace, partitions=2) as client:
            await client.create("perudo", ["ann", "bob"], timeout=60)

    task = asyncio.create_task(call())
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=BOUND_S)
    assert done, f"{BOUND_S:.0f} s after it was cancelled the call had not ended"
    assert task.cancelled()
