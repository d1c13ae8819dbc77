"""The hub: one reader of updates in each process, and the feeds of all games that are watched here.

An update only says that a game moved on. The hub reads the new commits of the logs, many games in one round
trip, and looks at all feeds from time to time without having been told to, so that a lost update is harmless.
A game that nobody watches costs nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from redis.exceptions import RedisClusterException, RedisError

from fairdeal.client.deployment import Deployment
from fairdeal.client.errors import ClientError, UnknownGame
from fairdeal.client.pipe import Pipe
from fairdeal.client.tail import Entries, Tail
from fairdeal.client.tasks import drop_error, end
from fairdeal.visibility import Viewer
from fairdeal.wire import Keys
from fairdeal_gateway.delay import OPEN, Delay, Horizon, horizon_of
from fairdeal_gateway.feed import Ending, Feed, Stream
from fairdeal_gateway.frames import Shown
from fairdeal_gateway.history import PAGE, Walk, walk_bodies
from fairdeal_gateway.pace import Pace
from fairdeal_gateway.viewers import check_seat
from fairdeal_views.fold import decode_happened
from fairdeal_views.logs import Body, read_logs
from fairdeal_views.survey import redis_now

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

LOOK_S: Final = 5.0
"""How often all feeds are looked at without an update."""

GAMES: Final = 200
"""The most games whose logs are read in one round trip."""

LOADS: Final = 8
"""How many games are loaded at the same time."""

BATCH: Final = 32
"""The most frames of the past that are sent at once."""

_PAUSE_S: Final = 0.5

TROUBLE: Final = (RedisError, RedisClusterException, ClientError, OSError)
"""Redis's, and over some time."""


class Hub:
    """Feeds by game and delay. It belongs to one event loop; `run` must run beside it."""

    def __init__(self, pipe: Pipe, tail: Tail, deployment: Deployment, log: "FilteringBoundLogger") -> None:
        self._pipe = pipe
        self._tail = tail
        self._deployment = deployment
        self._log = log
        self._feeds: dict[tuple[str, Delay], Feed] = {}
        self._by_game: dict[bytes, set[Feed]] = {}
        self._followed: dict[str, int] = {}
        self._due: dict[Feed, None] = {}
        self._bell = asyncio.Event()
        self._loads = asyncio.Semaphore(LOADS)
        self._loading: set[asyncio.Task[None]] = set()

    @property
    def games(self) -> int:
        """How many games are watched here."""
        return len(self._by_game)

    async def run(self) -> None:
        """Read what is new, for ever."""
        looking = asyncio.create_task(self._look())
        try:
            while True:
                await self._bell.wait()
                self._bell.clear()
                due, self._due = list(self._due), {}
                try:
                    await self._serve(due)
                except TROUBLE as trouble:
                    self._log.warning(
                        "feeds_wait", error=f"{type(trouble).__name__}: {trouble}", retry_s=_PAUSE_S
                    )
                    await asyncio.sleep(_PAUSE_S)
                    for feed in due:
                        self._ring(feed)
        finally:
            await end([looking, *self._loading])

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            for feed in self._feeds.values():
                self._ring(feed)

    def end(self, ending: Ending) -> None:
        """End all streams."""
        for feed in self._feeds.values():
            feed.end(ending)

    # Feeds that come and go

    @asynccontextmanager
    async def feed(self, game: str, delay: Delay) -> AsyncIterator[Feed]:
        """The feed of a game, loaded. Raises `UnknownGame`, what folding raises, and redis's errors."""
        keys = await self._deployment.keys_of(game)
        feed = self._feeds.get((game, delay)) or self._open(keys, game, delay)
        feed.watchers += 1
        try:
            await asyncio.shield(feed.loaded)
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                self._close(feed)

    def _open(self, keys: Keys, game: str, delay: Delay) -> Feed:
        feed = self._feeds[game, delay] = Feed(self._pipe.redis, keys, game, delay)
        feed.loaded.add_done_callback(drop_error)
        self._by_game.setdefault(game.encode(), set()).add(feed)
        self._followed[keys.updates] = self._followed.get(keys.updates, 0) + 1
        task = asyncio.create_task(self._load(feed))
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)
        return feed

    def _close(self, feed: Feed) -> None:
        if self._feeds.get((feed.game, feed.delay)) is not feed:
            return
        del self._feeds[feed.game, feed.delay]
        feeds = self._by_game[feed.game.encode()]
        feeds.discard(feed)
        if not feeds:
            del self._by_game[feed.game.encode()]
        if feed.timer is not None:
            feed.timer.cancel()
        self._followed[feed.keys.updates] -= 1
        if not self._followed[feed.keys.updates]:
            del self._followed[feed.keys.updates]
            self._tail.leave(feed.keys.updates)

    async def _load(self, feed: Feed) -> None:
        try:
            async with self._loads:
                # First, so that no update is lost between the reading and the following.
                await self._tail.follow(feed.keys.updates, self._take)
                horizon = await horizon_of(self._pipe.redis, feed.keys, feed.game, feed.delay)
                await feed.walk.to_end(horizon)
                if not feed.version and not await self._pipe.redis.exists(feed.keys.log(feed.game)):
                    raise UnknownGame(feed.game)
        except BaseException as error:
            self._close(feed)
            if not feed.loaded.done():
                feed.loaded.set_exception(error if isinstance(error, Exception) else UnknownGame(feed.game))
            if not isinstance(error, Exception):
                raise
        else:
            feed.loaded.set_result(None)
            self._ring(feed)

    # What is new

    def _take(self, entries: Entries) -> None:
        for _, fields in entries:
            for feed in self._by_game.get(fields.get(b"g", b""), ()):
                self._ring(feed)

    def _ring(self, feed: Feed) -> None:
        self._due[feed] = None
        self._bell.set()

    async def _serve(self, due: Iterable[Feed]) -> None:
        partitions: dict[int, list[Feed]] = {}
        for feed in due:
            if not feed.live or not feed.watchers:
                continue
            if feed.delay:
                await self._serve_delayed(feed)
            else:
                partitions.setdefault(feed.keys.partition, []).append(feed)
        for feeds in partitions.values():
            for start in range(0, len(feeds), GAMES):
                await self._serve_partition(feeds[start : start + GAMES])

    async def _serve_partition(self, feeds: Sequence[Feed]) -> None:
        after = {feed.game: feed.version for feed in feeds}
        found = await read_logs(self._pipe.redis, feeds[0].keys, after, PAGE)
        pace = Pace()
        for feed in feeds:
            bodies = found.get(feed.game)
            if bodies:
                await self._tell(feed, bodies, OPEN)
                await pace.breathe()
                if len(bodies) == PAGE:
                    self._ring(feed)

    async def _serve_delayed(self, feed: Feed) -> None:
        horizon = await horizon_of(self._pipe.redis, feed.keys, feed.game, feed.delay)
        while True:
            found = await read_logs(self._pipe.redis, feed.keys, {feed.game: feed.version}, PAGE)
            bodies = found.get(feed.game, [])
            await self._tell(feed, bodies, horizon)
            hidden = [body for version, body, _ in bodies if version > feed.version]
            if hidden or not bodies:
                break
        if hidden and feed.delay.seconds and feed.live:
            at = decode_happened(hidden[0]).at + feed.delay.seconds * 1000
            wait_ms = max(0, at - await redis_now(self._pipe.redis))
            if feed.timer is not None:
                feed.timer.cancel()
            # Until a commit that a delay in commits hides as well is due, only the log tells.
            feed.timer = asyncio.get_running_loop().call_later(wait_ms / 1000 + 0.005, self._ring, feed)

    async def _tell(self, feed: Feed, bodies: Sequence[Body], horizon: Horizon) -> None:
        try:
            async for sight, happened in walk_bodies(feed.fold, bodies, horizon):
                feed.tell(sight, happened)
        except Exception as error:
            feed.failed = True
            incident = uuid4().hex
            self._log.error(
                "feed_failed", game=feed.game, version=feed.version + 1, incident=incident, exc_info=error
            )
            feed.end("failed")

    # One stream

    async def frames(
        self, feed: Feed, viewer: Viewer, after: int | None, stream: Stream, beat_s: float
    ) -> AsyncGenerator[list[Shown], None]:
        """What one watcher gets: the newest frame, or every frame after a version; then each new one.

        An empty list says that nothing has happened for `beat_s` seconds. It ends when the stream does;
        `stream.ending` says why. Raises `Refused` for a seat that is not there.
        """
        check_seat(feed.fold, viewer)
        try:
            if after is None:
                first = feed.newest(viewer)
                feed.join(viewer, stream)
                if first is not None:
                    yield [first]
            else:
                async for frames in self._catch_up(feed, viewer, after, stream):
                    yield frames
            while (more := await stream.next(beat_s)) is not None:
                yield more
        finally:
            feed.leave(viewer, stream)

    async def _catch_up(
        self, feed: Feed, viewer: Viewer, after: int, stream: Stream
    ) -> AsyncGenerator[list[Shown], None]:
        """Every frame after a version, up to where the feed stands at the moment when the stream joins it."""
        walk: Walk | None = None
        stream.after = after
        while stream.ending is None:
            recent = feed.recent(viewer, after)
            if recent is not None:
                feed.join(viewer, stream)
                if recent:
                    yield recent
                return
            walk = walk or Walk(self._pipe.redis, feed.keys, feed.game)
            stood = walk.fold.version
            async for frames in _batches(walk, viewer, after, Horizon(version=feed.version)):
                after = frames[-1].version
                yield frames
                if stream.ending is not None:
                    return
            if walk.fold.version == stood:
                # The log has gone to the archive meanwhile: what it held does not come any more.
                stream.end("failed")


async def _batches(
    walk: Walk, viewer: Viewer, after: int, horizon: Horizon
) -> AsyncGenerator[list[Shown], None]:
    batch: list[Shown] = []
    async for sight, happened in walk.on(horizon):
        if happened.version > after:
            batch.append(sight.frame(viewer, happened.events))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
