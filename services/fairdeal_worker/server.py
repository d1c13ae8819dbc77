"""Serving one partition in one role: read from the stored position, handle, start anew after a failure."""

import asyncio
import contextlib
from collections.abc import Sequence
from time import monotonic

from faststream.redis import RedisBroker
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,
)

from fairdeal_worker.bus import Subscription
from fairdeal_worker.role import ORIGIN, Entry, Handler, Partition, Position, PositionMoved, Role

TICK_S = 1.0
FIRST_BACKOFF_S = 0.05
LAST_BACKOFF_S = 2.0

REDIS_TROUBLE = (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,
    OSError,
)
"""Not the commands' fault: retried for as long as it lasts, and no attempt is counted."""

OPERATORS_TROUBLE = (
    "BUSY",
    "MASTERDOWN",
    "MISCONF",
    "NOAUTH",
    "NOPERM",
    "NOREPLICAS",
    "OOM",
    "TRYAGAIN",
    "WRONGPASS",
)
"""How answers of the server begin that are not the commands' fault either."""


def is_redis_trouble(error: BaseException) -> bool:
    """Whether an error is about the server and not about what it was asked to do."""
    return isinstance(error, REDIS_TROUBLE) or (
        isinstance(error, ResponseError) and str(error).startswith(OPERATORS_TROUBLE)
    )


class PartitionServer:
    """One partition in one role at one worker, from `start` until `stop`."""

    def __init__(self, broker: RedisBroker, role: Role, partition: Partition) -> None:
        self._broker = broker
        self._role = role
        self._partition = partition
        self._log = partition.log
        self._stop = asyncio.Event()
        self._restart = asyncio.Event()
        self._busy = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._count_attempt = True
        self._next_tick = 0.0
        self.busy_since: float | None = None

    def start(self) -> None:
        """Begin to serve, in a task of its own."""
        self._task = asyncio.create_task(self._serve())

    async def stop(self) -> None:
        """Finish the batch in hand and end."""
        self._stop.set()
        if self._task is not None:
            await self._task

    def restart(self) -> None:
        """Drop everything held in memory and start again from the stored position."""
        self._restart.set()

    async def _serve(self) -> None:
        backoff = FIRST_BACKOFF_S
        while not self._stop.is_set():
            began = monotonic()
            try:
                await self._serve_once()
            except PositionMoved as moved:
                self._log.warning("position_moved", reason=str(moved))
            except REDIS_TROUBLE as trouble:
                self._log.warning(
                    "redis_trouble", error=f"{type(trouble).__name__}: {trouble}", retry_s=backoff
                )
            except Exception as error:
                self._count_attempt = True
                self._log.error("handler_failed", error=str(error), retry_s=backoff, exc_info=error)
            else:
                continue
            if monotonic() - began > LAST_BACKOFF_S * 2:
                backoff = FIRST_BACKOFF_S
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._stop.wait(), backoff)
            backoff = min(backoff * 2, LAST_BACKOFF_S)

    async def _serve_once(self) -> None:
        """Serve until asked to stop or restart, or until something fails; that is raised."""
        self._restart.clear()
        position = await self._stored_position()
        handler = self._role.handler(self._partition)
        await handler.start(position)
        self._log.info("serving", position=position.entry, attempts=position.attempts)

        async def on_batch(entries: Sequence[Entry]) -> None:
            async with self._busy:
                self.busy_since = monotonic()
                try:
                    if self._count_attempt:
                        await self._write_attempt()
                    await handler.handle(entries)
                finally:
                    self.busy_since = None

        stream = self._role.stream(self._partition.keys)
        subscription = Subscription(self._broker, self._partition.settings, stream, position.entry, on_batch)
        try:
            await subscription.start()
            await self._watch(handler, subscription)
        finally:
            await subscription.stop()
        if subscription.failure is not None:
            raise subscription.failure
        if self._stop.is_set():
            await handler.stop()

    async def _watch(self, handler: Handler, subscription: Subscription) -> None:
        self._next_tick = monotonic()
        while subscription.running and not self._restart.is_set() and not self._stop.is_set():
            if monotonic() >= self._next_tick:
                async with self._busy if handler.ticks_alone else contextlib.nullcontext():
                    if not subscription.running:
                        return
                    wait = await handler.tick()
                self._next_tick = monotonic() + (TICK_S if wait is None else min(wait, TICK_S))
            waiters = [
                asyncio.ensure_future(event.wait())
                for event in (subscription.ended, self._restart, self._stop)
            ]
            timeout = max(0.0, self._next_tick - monotonic())
            _, pending = await asyncio.wait(waiters, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            for waiter in pending:
                waiter.cancel()

    async def _stored_position(self) -> Position:
        key = self._partition.keys.position(self._role.name)
        entry, count, attempts = await self._partition.redis.hmget(key, ["entry", "count", "attempts"])
        return Position(
            entry.decode() if entry else ORIGIN,
            int(count or 0),
            int(attempts or 0) + self._count_attempt,
        )

    async def _write_attempt(self) -> None:
        """Count this start before anything is handled: so a batch that kills the process is known by it.

        Only a start that has work counts: a worker that dies idle is no sign of a bad command.
        """
        await self._partition.redis.hincrby(self._partition.keys.position(self._role.name), "attempts", 1)
        self._count_attempt = False
