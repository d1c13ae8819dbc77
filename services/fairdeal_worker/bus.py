"""FastStream, and the only module that knows it: reading a stream in batches from a position.

Group-less batch subscribers with a raw parser: FastStream's own would parse each body as JSON, dump the list
and parse it again. There is nothing to acknowledge, because the position moves in the handler's own script.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from faststream import AckPolicy
from faststream.redis import RedisBroker, RedisClusterBroker, StreamSub
from faststream.redis.message import RedisBatchStreamMessage

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


async def _parse(message: dict[str, Any], _original: Any = None) -> RedisBatchStreamMessage:
    return RedisBatchStreamMessage(
        raw_message=message,
        body=b"",
        consumer=None,  # type: ignore[arg-type]
        group=None,
        message_id="",
        correlation_id="",
    )


async def _decode(message: RedisBatchStreamMessage, _original: Any = None) -> Any:
    raw = message.raw_message
    return list(map(Entry, [entry.decode() for entry in raw["message_ids"]], raw["data"]))


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
            parser=_parse,
            decoder=_decode,
            ack_policy=AckPolicy.MANUAL,
            no_reply=True,
            persistent=False,
        )
        # FastStream copies the whole StreamSub, deeply, to name the stream in a log line that is never written.
        self._subscriber.get_log_context = lambda message: {"channel": stream}  # type: ignore[method-assign]
        self._subscriber(self._consume)

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

    async def _consume(self, entries: list[Entry]) -> None:
        if self.ended.is_set():
            return
        try:
            await self._on_batch(entries)
        except Exception as failure:
            self.failure = failure
            self.ended.set()
