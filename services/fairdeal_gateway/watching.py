"""The streams that are open here: bounded in number, ended when their token's time is over or it is revoked."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import time
from typing import TYPE_CHECKING, Final

from redis.exceptions import RedisError

from fairdeal.client.errors import ClientError
from fairdeal_gateway.feed import Ending, Stream
from fairdeal_gateway.problems import RETRY_S, Refused
from fairdeal_gateway.tokens import Grant, Revocations

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

REVOKED_S: Final = 2.0
"""How often the open streams' tokens are looked up among the revoked ones."""

MOST_OF_A_SEAT: Final = 16
"""How many streams one seat's token may have open, so that no player takes the places of all others."""

GRACE_S: Final = 5.0
"""How long a watcher that is too slow has to take the word that it is dropped; then the connection is cut."""


class Watching:
    """All streams of this process."""

    def __init__(self, most: int, queue: int, revocations: Revocations, log: "FilteringBoundLogger") -> None:
        self._most = most
        self._queue = queue
        self._revocations = revocations
        self._log = log
        self._open: dict[str, set[Stream]] = {}
        self._stopping = False
        self.count = 0

    @asynccontextmanager
    async def stream(self, grant: Grant, game: str, abort: Callable[[], None]) -> AsyncIterator[Stream]:
        """A new stream; `abort` cuts its connection. Raises `Refused` when there are too many."""
        if self._stopping:
            raise Refused(503, "stopping", "This gateway is stopping: connect again")
        if self.count >= self._most:
            raise Refused(
                503, "busy", f"This gateway serves {self._most} streams and takes no more: try again later"
            )
        if grant.scope == "seat" and len(self._open.get(grant.jti, ())) >= MOST_OF_A_SEAT:
            raise Refused(
                429,
                "too_many_requests",
                f"A seat's token may have {MOST_OF_A_SEAT} streams open at once: close one",
                retry_s=RETRY_S,
            )
        loop = asyncio.get_running_loop()
        cutting: list[asyncio.TimerHandle] = []

        def on_slow() -> None:
            self._log.warning("slow_reader_dropped", game=game, token_id=grant.jti)
            cutting.append(loop.call_later(GRACE_S, abort))

        stream = Stream(grant.jti, self._queue, on_slow)
        expiring = loop.call_later(max(0.0, grant.exp - time()), stream.end, "expired_token")
        self._open.setdefault(grant.jti, set()).add(stream)
        self.count += 1
        try:
            yield stream
        finally:
            self.count -= 1
            expiring.cancel()
            for timer in cutting:
                timer.cancel()
            streams = self._open[grant.jti]
            streams.discard(stream)
            if not streams:
                del self._open[grant.jti]

    def end_token(self, jti: str, ending: Ending) -> None:
        """End all streams of one token."""
        for stream in tuple(self._open.get(jti, ())):
            stream.end(ending)

    def stop(self) -> None:
        """End all streams; they can be resumed elsewhere."""
        self._stopping = True
        for jti in tuple(self._open):
            self.end_token(jti, "stopping")

    async def run(self) -> None:
        """End the streams of tokens that are revoked anywhere, for ever."""
        while True:
            await asyncio.sleep(REVOKED_S)
            if not self._open:
                continue
            try:
                revoked = await self._revocations.all()
            except (ClientError, RedisError) as error:
                self._log.warning("revocations_unknown", error=str(error))
                continue
            for jti in revoked & self._open.keys():
                self.end_token(jti, "revoked_token")
