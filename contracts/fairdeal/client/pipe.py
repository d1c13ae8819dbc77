"""Redis commands of many tasks, sent together.

A round trip of its own for each command would cost a connection and some 200 µs of redis-py; in a pipeline
it is some 30 µs. All commands that gather while one pipeline is under way travel in the next.
"""

import asyncio
from typing import Any, Final

from redis.exceptions import (
    ClusterError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,
)

from fairdeal.client.errors import Busy, ClientClosed, Unreachable
from fairdeal.client.tasks import end
from fairdeal.connect import connect, split_cluster, without_password

LARGEST: Final = 1000
"""The most commands in one pipeline: a bound on how long the next ones wait."""

_AWAY: Final = (ConnectionError, TimeoutError, ReadOnlyError, ClusterError, RedisClusterException, OSError)


class Pipe:
    """Sends commands in the order in which they are called. It belongs to one event loop."""

    def __init__(self, url: str) -> None:
        """Raises `BadAddress`. Connects at the first call."""
        self.redis = connect(url)
        """The asyncio client, for what is no single command."""
        self._place = without_password(url)
        _, self._cluster = split_cluster(url)
        self._queue: list[tuple[tuple[Any, ...], asyncio.Future[Any]]] = []
        self._flusher: asyncio.Task[None] | None = None
        self._closed = False

    def call(self, *command: Any) -> asyncio.Future[Any]:
        """The answer of one command. It may be carried out twice when the connection breaks.

        The future raises `Unreachable`, `Busy` when Redis is full, `ClientClosed`, and
        redis.exceptions.ResponseError for a command that Redis refuses.
        """
        future = asyncio.get_running_loop().create_future()
        if self._closed:
            future.set_exception(ClientClosed())
            return future
        self._queue.append((command, future))
        if self._flusher is None:
            self._flusher = asyncio.create_task(self._flush())
        return future

    async def _flush(self) -> None:
        batch: list[tuple[tuple[Any, ...], asyncio.Future[Any]]] = []
        try:
            await asyncio.sleep(0)  # the other tasks that are about to call
            while self._queue:
                batch, self._queue = self._queue[:LARGEST], self._queue[LARGEST:]
                await self._send(batch)
        finally:
            self._flusher = None
            for _, future in batch + self._queue:
                if not future.done():
                    future.set_exception(ClientClosed())

    async def _send(self, batch: list[tuple[tuple[Any, ...], asyncio.Future[Any]]]) -> None:
        batch = [call for call in batch if not call[1].done()]  # nobody waits for the others any more
        pipeline = self.redis.pipeline(transaction=False)
        for command, _ in batch:
            pipeline.execute_command(*command)
        try:
            answers = await pipeline.execute(raise_on_error=False)
        except Exception as error:
            answers = [error] * len(batch)
        if self._cluster and any(isinstance(answer, _AWAY) for answer in answers):
            # redis-py leaves the map of the nodes as it is when a pipeline fails in part.
            await self.redis.aclose()
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, Exception):
                future.set_exception(self.translate(answer))
            else:
                future.set_result(answer)

    def translate(self, error: Exception) -> Exception:
        """The client's own error for one of Redis's; the same error where there is none."""
        if isinstance(error, OutOfMemoryError):
            return Busy(
                f"Redis at {self._place} is full and took nothing. Try again with the same command id; its "
                "operator must raise maxmemory or let finished games move to the archive"
            )
        if isinstance(error, _AWAY):
            return Unreachable(f"Redis at {self._place} did not answer: {error}")
        return error

    async def close(self) -> None:
        """Disconnect, refuse further calls and fail those that are under way with `ClientClosed`."""
        self._closed = True
        if self._flusher is not None:
            await end([self._flusher])
        await self.redis.aclose()
        # A flusher that was cancelled before its first step has failed nobody.
        for _, future in self._queue:
            if not future.done():
                future.set_exception(ClientClosed())
