"""Leases: even shares, hand-over and take-over."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairdeal.wire import Keys
from fairdeal_worker.leases import Leases, fair_share, preferred

LEASE_MS = 600


def leases(redis: Any, namespace: str, worker: str, partitions: int = 8) -> Leases:
    return Leases(redis, namespace, "rules", partitions, worker, LEASE_MS)


async def settle(*workers: Leases) -> None:
    """A few beats of every worker, each giving up what is over its share."""
    for _ in range(4):
        for worker in workers:
            _, surplus = await worker.beat()
            for partition in surplus:
                await worker.release(partition)


@given(st.sets(st.text("abc", min_size=1), min_size=1, max_size=9), st.integers(1, 64))
def test_shares_sum_to_all_partitions_and_differ_by_one(names: set[str], partitions: int) -> None:
    shares = [fair_share(name, names, partitions) for name in names]
    assert sum(shares) == partitions
    assert max(shares) - min(shares) <= 1
    for name in names:
        assert sorted(preferred(name, names, partitions)) == list(range(partitions))


async def test_one_worker_takes_everything(redis_client: Any, namespace: str) -> None:
    held, surplus = await leases(redis_client, namespace, "a").beat()
    assert (held, surplus) == (set(range(8)), set())


async def test_a_second_worker_gets_its_share_and_nothing_is_served_twice(
    redis_client: Any, namespace: str
) -> None:
    first, second, third = (leases(redis_client, namespace, name) for name in "abc")
    await settle(first)
    await settle(first, second)
    assert (len(first.held), len(second.held)) == (4, 4)
    assert first.held | second.held == set(range(8))
    await settle(first, second, third)
    assert sorted(map(len, (first.held, second.held, third.held))) == [2, 3, 3]
    assert first.held | second.held | third.held == set(range(8))


async def test_a_clean_stop_hands_over_at_once(redis_client: Any, namespace: str) -> None:
    first, second = leases(redis_client, namespace, "a"), leases(redis_client, namespace, "b")
    await settle(first, second)
    await first.leave()
    held, _ = await second.beat()
    assert held == set(range(8))


async def test_a_dead_workers_partitions_are_taken_over_when_its_lease_runs_out(
    redis_client: Any, namespace: str
) -> None:
    dead, alive = leases(redis_client, namespace, "a"), leases(redis_client, namespace, "b")
    await settle(dead, alive)
    taken: set[int] = set()
    for _ in range(50):
        await asyncio.sleep(LEASE_MS / 3000)
        taken, _ = await alive.beat()
        if len(taken) == 8:
            break
    assert taken == set(range(8)), "a dead worker's leases were not taken over within 50 beats"


async def test_a_worker_that_slept_past_its_lease_learns_that_another_has_it(
    redis_client: Any, namespace: str
) -> None:
    sleeper = leases(redis_client, namespace, "a")
    await sleeper.beat()
    for partition in range(8):
        await redis_client.set(Keys(namespace, partition).lease("rules"), "b")
    held, _ = await sleeper.beat()
    assert held == set()


async def test_a_lease_that_ran_out_unclaimed_is_taken_back(redis_client: Any, namespace: str) -> None:
    worker = leases(redis_client, namespace, "a", partitions=1)
    await worker.beat()
    await redis_client.delete(Keys(namespace, 0).lease("rules"))
    held, _ = await worker.beat()
    assert held == {0}


async def test_release_leaves_anothers_lease_alone(redis_client: Any, namespace: str) -> None:
    worker = leases(redis_client, namespace, "a", partitions=1)
    await worker.beat()
    keys = Keys(namespace, 0)
    await redis_client.set(keys.lease("rules"), "b")
    await redis_client.hset(keys.position("rules"), mapping={"entry": "5-0", "attempts": 2})
    await worker.release(0)
    assert await redis_client.get(keys.lease("rules")) == b"b"
    assert await redis_client.hget(keys.position("rules"), "attempts") == b"2"


async def test_a_clean_release_is_no_failed_attempt(redis_client: Any, namespace: str) -> None:
    worker = leases(redis_client, namespace, "a", partitions=1)
    await worker.beat()
    keys = Keys(namespace, 0)
    await redis_client.hset(keys.position("rules"), mapping={"entry": "5-0", "attempts": 2})
    await worker.release(0)
    assert await redis_client.get(keys.lease("rules")) is None
    assert await redis_client.hget(keys.position("rules"), "attempts") == b"0"
