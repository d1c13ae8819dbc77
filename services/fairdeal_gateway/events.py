"""Server-sent events: the frames of a game as they come, resumable by their version."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from fairdeal.codec import encode_json
from fairdeal.visibility import Viewer
from fairdeal_gateway.feed import Feed, Stream
from fairdeal_gateway.hub import Hub
from fairdeal_gateway.tokens import Grant
from fairdeal_gateway.viewers import check_seat
from fairdeal_gateway.watching import Watching

if TYPE_CHECKING:
    from litestar.types import Receive, Scope, Send

BEAT_S: Final = 15.0
"""How often a stream without news shows that it lives."""

STALL_S: Final = 30.0
"""How long a watcher may take nothing at all of what is sent; then its connection is cut."""

ABORT: Final = "fairdeal.abort"
"""Where a scope has the function that cuts its connection."""

_BEAT: Final = b": still here\n\n"
_END: Final = b"event: end\ndata: {}\n\n"

_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


def abort_of(scope: Any) -> Callable[[], None]:
    """The function that cuts a connection, where the server has one."""
    abort: Callable[[], None] = scope.get(ABORT, _nothing)
    return abort


def _nothing() -> None:
    pass


class EventStream:
    """An answer, as an ASGI application: everything that one watcher of one game gets."""

    def __init__(
        self, hub: Hub, watching: Watching, grant: Grant, game: str, viewer: Viewer, after: int | None
    ):
        self._hub = hub
        self._watching = watching
        self._grant = grant
        self._game = game
        self._viewer = viewer
        self._after = after

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        grant = self._grant
        async with (
            self._watching.stream(grant, self._game, abort_of(scope)) as stream,
            self._hub.feed(self._game, grant.delay) as feed,
        ):
            check_seat(feed.fold, self._viewer)
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            leaving = asyncio.create_task(_until_gone(receive, stream))
            try:
                await self._send_all(feed, stream, send)
            except TimeoutError:
                abort_of(scope)()
            finally:
                leaving.cancel()

    async def _send_all(self, feed: Feed, stream: Stream, send: "Send") -> None:
        """Raises TimeoutError when the watcher takes nothing any more."""
        async with aclosing(self._hub.frames(feed, self._viewer, self._after, stream, BEAT_S)) as source:
            async for frames in source:
                body = b"".join(frame.event for frame in frames) if frames else _BEAT
                await _send(send, body, more=True)
        await _send(send, last_words(stream), more=False)


async def _send(send: "Send", body: bytes, *, more: bool) -> None:
    async with asyncio.timeout(STALL_S):
        await send({"type": "http.response.body", "body": body, "more_body": more})


def last_words(stream: Stream) -> bytes:
    """How a stream ends: `end` when the game is over, nothing when the gateway stops, else `dropped` with a code."""
    match stream.ending:
        case "finished":
            return _END
        case "stopping" | "gone" | None:
            return b""
        case code:
            return b"event: dropped\ndata: %b\n\n" % encode_json({"code": code})


async def _until_gone(receive: "Receive", stream: Stream) -> None:
    with suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass
        stream.end("gone")
