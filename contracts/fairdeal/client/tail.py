"""Streams that are followed: one blocking read for all of them, however many tasks wait for their entries."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from fairdeal.client.pipe import Pipe
from fairdeal.client.tasks import drop_error, end
from fairdeal.connect import connect, split_cluster

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

    def __init__(self, url: str, pipe: Pipe) -> None:
        """Raises `BadAddress`. Connects when the first stream is followed."""
        # Not the pipe's: redis-py closes all connections of a Cluster client when one of its nodes fails.
        self._redis = connect(url)
        _, self._cluster = split_cluster(url)
        self._pipe = pipe
        self._at: dict[str, bytes] = {}
        self._handlers: dict[str, Callable[[Entries], None]] = {}
        self._joining: dict[str, asyncio.Task[None]] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._all_readers: set[asyncio.Task[None]] = set()
        """Those as well that were cancelled and have not ended yet."""
        self._restarting = False

    def follows(self, stream: str) -> bool:
        """Whether entries added from now on will be handed out."""
        return stream in self._at

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
            joining.add_done_callback(drop_error)
        await asyncio.shield(joining)

    async def _join(self, stream: str, handler: Callable[[Entries], None]) -> None:
        newest = await self._pipe.call("XREVRANGE", stream, "+", "-", "COUNT", 1)
        self._at[stream] = newest[0][0] if newest else b"0-0"
        self._handlers[stream] = handler
        if self._cluster:
            self._start(stream, [stream])
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
            self._start("", list(self._at))

    def _start(self, name: str, streams: list[str]) -> None:
        reader = self._readers[name] = asyncio.create_task(self._read(name, streams))
        self._all_readers.add(reader)
        reader.add_done_callback(self._all_readers.discard)

    async def _read(self, name: str, streams: list[str]) -> None:
        me = asyncio.current_task()
        pause = _FIRST_PAUSE_S
        # Asked each time, because a cancellation may get lost (see `tasks.end`).
        while self._readers.get(name) is me:
            try:
                answer = await self._next(streams)
                pause = _FIRST_PAUSE_S
            except Exception as error:
                if pause == _FIRST_PAUSE_S:
                    _log.warning("a read of %d streams failed, trying again: %r", len(streams), error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)
                continue
            if self._readers.get(name) is me:
                self._hand_out(answer or ())

    def _hand_out(self, answer: Iterable[tuple[bytes, Entries]]) -> None:
        for name, entries in answer:
            stream = name.decode()
            if stream in self._at:
                self._at[stream] = entries[-1][0]
                self._handlers[stream](entries)

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
        """End all reads and disconnect. Close the pipe first: whoever is about to follow a stream fails with it."""
        if self._joining:
            await asyncio.wait(self._joining.values())
        self._readers.clear()
        await end(tuple(self._all_readers))
        await self._redis.aclose()
