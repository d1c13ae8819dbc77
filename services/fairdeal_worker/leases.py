"""Leases: which worker serves which partition, shared evenly and taken over when a worker dies.

A lease saves two workers from wasting each other's work; safety does not rest on it but on the position,
which every commit checks. Workers register in `ns:workers:<role>` with the time of their last heartbeat by
Redis's own clock; each takes its even share of the partitions, gives up what is over it, and takes what
nobody holds. One beat is a third of the lease's time, a second at the most, so a dead worker's partitions
are served again after at most one lease and one beat.
"""

from collections.abc import Iterable
from typing import Any

from fairdeal.wire import Keys, workers_key
from fairdeal_worker.scripts import Script

renew = Script("fairdeal_worker", "lease_renew.lua")
release = Script("fairdeal_worker", "lease_release.lua")


def fair_share(worker: str, workers: Iterable[str], partitions: int) -> int:
    """How many partitions this worker should serve: all shares differ by one at the most and sum to all."""
    everybody = sorted({worker, *workers})
    each, rest = divmod(partitions, len(everybody))
    return each + (everybody.index(worker) < rest)


def preferred(worker: str, workers: Iterable[str], partitions: int) -> list[int]:
    """All partitions, in the order in which this worker tries for them: each worker begins elsewhere."""
    everybody = sorted({worker, *workers})
    start = everybody.index(worker) * partitions // len(everybody)
    return [(start + step) % partitions for step in range(partitions)]


class Leases:
    """The leases of one worker in one role."""

    def __init__(
        self, redis: Any, namespace: str, role: str, partitions: int, worker: str, lease_ms: int
    ) -> None:
        self._redis = redis
        self._role = role
        self._workers_key = workers_key(namespace, role)
        self._keys = [Keys(namespace, partition) for partition in range(partitions)]
        self._worker = worker
        self._lease_ms = lease_ms
        self.held: set[int] = set()

    async def beat(self) -> tuple[set[int], set[int]]:
        """Register, renew, and take up to the fair share.

        Returns (partitions that are this worker's now, those among them that are over its share and should
        be given up by `release` once their work is done). Raises redis.exceptions.RedisError.
        """
        workers = await self._register()
        for partition in sorted(self.held):
            if not await renew(
                self._redis, [self._keys[partition].lease(self._role)], [self._worker, self._lease_ms]
            ):
                self.held.discard(partition)
        share = fair_share(self._worker, workers, len(self._keys))
        for partition in preferred(self._worker, workers, len(self._keys)):
            if len(self.held) >= share:
                break
            if partition not in self.held and await self._acquire(partition):
                self.held.add(partition)
        surplus = sorted(self.held)[share:]
        return set(self.held), set(surplus)

    async def _register(self) -> list[str]:
        seconds, micros = await self._redis.time()
        now = seconds * 1000 + micros // 1000
        await self._redis.zadd(self._workers_key, {self._worker: now})
        await self._redis.zremrangebyscore(self._workers_key, "-inf", now - self._lease_ms)
        return [name.decode() for name in await self._redis.zrange(self._workers_key, 0, -1)]

    async def _acquire(self, partition: int) -> bool:
        key = self._keys[partition].lease(self._role)
        return bool(await self._redis.set(key, self._worker, nx=True, px=self._lease_ms))

    async def release(self, partition: int) -> None:
        """Give a partition up, so that another worker may have it at once."""
        self.held.discard(partition)
        keys = self._keys[partition]
        await release(self._redis, [keys.lease(self._role), keys.position(self._role)], [self._worker])

    async def leave(self) -> None:
        """Give everything up and sign off."""
        for partition in sorted(self.held):
            await self.release(partition)
        await self._redis.zrem(self._workers_key, self._worker)
