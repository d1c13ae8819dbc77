"""Feeds: one game that is watched, folded once; its frames handed to all who watch, each kind encoded once."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Literal

from fairdeal.visibility import Viewer
from fairdeal.wire import Keys
from fairdeal_gateway.delay import Delay
from fairdeal_gateway.frames import Shown, Sight
from fairdeal_gateway.history import Walk
from fairdeal_views.fold import Fold, Happened

RECENT: Final = 32
"""How many of the newest frames are kept for those who come back after a short break."""

Ending = Literal["finished", "slow_reader", "stopping", "gone", "expired_token", "revoked_token", "failed"]


class Stream:
    """One watcher's frames on their way: a bounded queue, and why it ends."""

    __slots__ = ("_most", "_on_slow", "_queue", "_waiter", "after", "ending", "jti")

    def __init__(self, jti: str, most: int, on_slow: Callable[[], None]) -> None:
        """`on_slow` is called when the watcher was more than `most` frames behind and is dropped."""
        self.jti = jti
        self.after = 0
        """Up to which version the watcher has everything, or says so."""
        self.ending: Ending | None = None
        self._most = most
        self._on_slow = on_slow
        self._queue: deque[Shown] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def push(self, frame: Shown) -> None:
        """Add a frame; never waits."""
        if self.ending is not None or frame.version <= self.after:
            return
        if len(self._queue) >= self._most:
            self.end("slow_reader")
            self._on_slow()
            return
        self._queue.append(frame)
        self._wake()

    def end(self, ending: Ending) -> None:
        """There will be no more frames. Those that wait are still sent when the game is over, else not."""
        if self.ending is None:
            self.ending = ending
            if ending != "finished":
                self._queue.clear()
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self, within_s: float) -> list[Shown] | None:
        """The frames that have come, at least one; empty after so many seconds without any, None at the end."""
        if not self._queue and self.ending is None:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(within_s, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None
        if self._queue:
            frames = list(self._queue)
            self._queue.clear()
            return frames
        return None if self.ending is not None else []


class Feed:
    """One game as those see it who are held back by the same delay.

    `loaded` is done when the fold has reached the log's end; its exception is why it could not.
    """

    def __init__(self, redis: object, keys: Keys, game: str, delay: Delay) -> None:
        self.keys = keys
        self.game = game
        self.delay = delay
        self.walk = Walk(redis, keys, game)
        self.loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.watchers = 0
        self.failed = False
        self.timer: asyncio.TimerHandle | None = None
        """When a delay in seconds shows the next commit."""
        self._channels: dict[Viewer, set[Stream]] = {}
        self._recent: dict[Viewer, deque[Shown]] = {}
        self._newest: dict[Viewer, Shown] = {}

    @property
    def fold(self) -> Fold:
        return self.walk.fold

    @property
    def version(self) -> int:
        """Up to which commit everybody has been told."""
        return self.walk.fold.version

    @property
    def finished(self) -> bool:
        return self.walk.fold.status == "finished"

    @property
    def live(self) -> bool:
        """Whether it takes what is new."""
        return self.loaded.done() and not self.failed and not self.finished

    def tell(self, sight: Sight, happened: Happened) -> None:
        """Hand the frame of the commit that was just folded to all who watch."""
        self._newest.clear()
        for viewer, streams in self._channels.items():
            frame = sight.frame(viewer, happened.events)
            self._recent[viewer].append(frame)
            for stream in streams:
                stream.push(frame)
        if self.finished:
            self.end("finished")

    def end(self, ending: Ending) -> None:
        """End all streams."""
        for streams in self._channels.values():
            for stream in tuple(streams):
                stream.end(ending)

    def newest(self, viewer: Viewer) -> Shown | None:
        """The newest frame, without its events; None while nothing may be seen. Raises IndexError for a seat."""
        if not self.version:
            return None
        frame = self._newest.get(viewer)
        if frame is None:
            frame = self._newest[viewer] = Sight(self.fold).frame(viewer, ())
        return frame

    def recent(self, viewer: Viewer, after: int) -> list[Shown] | None:
        """Every frame after a version, if all of them are still kept."""
        if after >= self.version:
            return []
        kept = self._recent.get(viewer)
        if not kept or kept[0].version > after + 1:
            return None
        return [frame for frame in kept if frame.version > after]

    def join(self, viewer: Viewer, stream: Stream) -> None:
        """Let a stream have every frame from now on."""
        self._recent.setdefault(viewer, deque(maxlen=RECENT))
        self._channels.setdefault(viewer, set()).add(stream)
        if self.failed:
            stream.end("failed")
        elif self.finished:
            stream.end("finished")

    def leave(self, viewer: Viewer, stream: Stream) -> None:
        """Let it have no more."""
        streams = self._channels.get(viewer)
        if streams is not None:
            streams.discard(stream)
            if not streams:
                del self._channels[viewer]
                self._recent.pop(viewer, None)
                self._newest.pop(viewer, None)
