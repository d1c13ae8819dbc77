"""FastStream, and the only module that knows it: reading a stream in batches from a position.

Group-less batch subscribers whose batches come to the handler as they were read: FastStream's own way there
parses each body as JSON, dumps the list and parses it again, and even with a raw parser its stack of contexts
costs a third of a small batch. There is nothing to acknowledge, because the position moves in the handler's
own script.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from faststream import AckPolicy
from faststream.redis import RedisBroker, RedisClusterBroker, StreamSub
from faststream.redis.message import BatchStreamMessage

from fairdeal_worker.role import Entry
from fairdeal_worker.settings import Settings

CLUSTER_SCHEMES = ("redis+cluster://", "rediss+cluster://")

OnBatch = Callable[[Sequence[Entry]], Awaitable[None]]


def make_broker(settings: Settings) -> RedisBroker:
    """The broker for a Redis URL, plain or Cluster. Every subscription holds one connection of its own."""
    library = logging.getLogger("faststream")
    library.handlers.clear()  # it brings a coloured one; its warnings belong among our own lines
    library.setLevel(logging.WARNING)
    library.propagate = True
    options: dict[str, Any] = {
        "apply_types": False,
        "logger": library,
        "log_level": logging.DEBUG,
        "graceful_timeout": 10.0,
        "socket_connect_timeout": 5.0,
        # A read blocks for `poll_ms` at the server: only beyond that is the connection at fault.
        "socket_timeout": settings.poll_ms / 1000 + 5.0,
    }
    url = settings.redis_url
    if url.startswith(CLUSTER_SCHEMES):
        return RedisClusterBroker(url.replace("+cluster", "", 1), **options)
    return RedisBroker(url, **options)


class Subscription:
    """One stream read from a position on, batch by batch, until stopped or failed.

    The first exception of the handler ends it: FastStream itself would go on with the next batch, past the
    one that was not done.
    """

    def __init__(
        self, broker: RedisBroker, settings: Settings, stream: str, after: str, on_batch: OnBatch
    ) -> None:
        self.failure: Exception | None = None
        self.ended = asyncio.Event()
        self._on_batch = on_batch
        self._subscriber = broker.subscriber(
            stream=StreamSub(
                stream,
                last_id=after,
                batch=True,
                max_records=settings.batch,
                polling_interval=settings.poll_ms,
            ),
            ack_policy=AckPolicy.MANUAL,
            no_reply=True,
            persistent=False,
        )
        self._subscriber(self._consume)
        self._subscriber.consume_one = self._take  # type: ignore[method-assign,assignment]

    async def start(self) -> None:
        """Begin to read. Raises redis.exceptions.RedisError, TimeoutError."""
        await self._subscriber.start()

    async def stop(self) -> None:
        """End reading once the batch in hand is done. Its last read may stay blocked at the server for a while."""
        with contextlib.suppress(Exception):
            await self._subscriber.stop()

    @property
    def running(self) -> bool:
        """Whether it still reads: a subscriber that stopped by itself does not raise."""
        return self._subscriber.running and not self.ended.is_set()

    async def _take(self, batch: BatchStreamMessage) -> None:
        with self._subscriber.lock:  # what `stop` waits for
            await self._consume(list(map(Entry, [id.decode() for id in batch["message_ids"]], batch["data"])))

    async def _consume(self, entries: list[Entry]) -> None:
        if self.ended.is_set():
            return
        try:
            await self._on_batch(entries)
        except Exception as failure:
            self.failure = failure
            self.ended.set()
