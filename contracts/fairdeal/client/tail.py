"""Streams that are followed: one blocking read for all of them, however many tasks wait for their entries."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import RedisError

from fairdeal.client.pipe import Pipe

BLOCK_MS: Final = 2000
"""How long one read blocks at the server; new entries wake it at once."""

MOST: Final = 1000
"""The most entries of one stream in one read."""

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0

Entries = list[tuple[bytes, dict[bytes, bytes]]]

_log = logging.getLogger("fairdeal.client")


class Tail:
    """Hands the new entries of streams to their handlers, and goes on after every kind of outage.

    On Redis Cluster each stream has a read of its own, since one read may name keys of one slot only.
    """

    def __init__(self, redis: Any, pipe: Pipe, *, cluster: bool) -> None:
        self._redis = redis
        self._pipe = pipe
        self._cluster = cluster
        self._at: dict[str, bytes] = {}
        self._handlers: dict[str, Callable[[Entries], None]] = {}
        self._joining: dict[str, asyncio.Task[None]] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._restarting = False

    async def follow(self, stream: str, handler: Callable[[Entries], None]) -> None:
        """Hand every entry that is added after this call has returned to `handler`, which must not raise.

        A stream that is followed already keeps its handler. Raises what `Pipe.call` raises.
        """
        if stream in self._at:
            return
        joining = self._joining.get(stream)
        if joining is None:
            joining = self._joining[stream] = asyncio.create_task(self._join(stream, handler))
            joining.add_done_callback(lambda _: self._joining.pop(stream, None))
        await asyncio.shield(joining)

    async def _join(self, stream: str, handler: Callable[[Entries], None]) -> None:
        newest = await self._pipe.call("XREVRANGE", stream, "+", "-", "COUNT", 1)
        self._at[stream] = newest[0][0] if newest else b"0-0"
        self._handlers[stream] = handler
        if self._cluster:
            self._readers[stream] = asyncio.create_task(self._read([stream]))
        else:
            self._restart_soon()

    def leave(self, stream: str) -> None:
        """Follow a stream no longer."""
        self._at.pop(stream, None)
        self._handlers.pop(stream, None)
        if self._cluster:
            reader = self._readers.pop(stream, None)
            if reader is not None:
                reader.cancel()
        else:
            self._restart_soon()

    def _restart_soon(self) -> None:
        """Begin a new read that names all streams, once for all that come and go in this turn of the loop."""
        if not self._restarting:
            self._restarting = True
            asyncio.get_running_loop().call_soon(self._restart)

    def _restart(self) -> None:
        self._restarting = False
        reader = self._readers.pop("", None)
        if reader is not None:
            reader.cancel()
        if self._at:
            self._readers[""] = asyncio.create_task(self._read(list(self._at)))

    async def _read(self, streams: list[str]) -> None:
        pause = _FIRST_PAUSE_S
        while not self._at.keys().isdisjoint(streams):
            try:
                answer = await self._next(streams)
                pause = _FIRST_PAUSE_S
            except (RedisError, OSError) as error:
                if pause == _FIRST_PAUSE_S:
                    _log.warning("a read of %d streams failed, trying again: %s", len(streams), error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)
                continue
            for name, entries in answer or ():
                stream = name.decode()
                handler = self._handlers.get(stream)
                if handler is not None:
                    self._at[stream] = entries[-1][0]
                    handler(entries)

    async def _next(self, streams: list[str]) -> Any:
        options: dict[str, Any] = {}
        if self._cluster:
            # Named, because redis-py would ask the server which of the arguments are keys each time.
            await self._redis.initialize()
            options["target_nodes"] = self._redis.get_node_from_key(streams[0])
        here = [stream for stream in streams if stream in self._at]
        positions = [self._at[stream] for stream in here]
        return await self._redis.execute_command(
            *("XREAD", "COUNT", MOST, "BLOCK", BLOCK_MS, "STREAMS"), *here, *positions, **options
        )

    async def close(self) -> None:
        """End all reads."""
        tasks = [*self._joining.values(), *self._readers.values()]
        self._at.clear()
        self._readers.clear()
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
