"""The server: one process, one event loop, bounded in every direction that a stranger can push."""

import asyncio
import gc
import logging
import os
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fairdeal.connect import without_password
from fairdeal_gateway.app import make_app
from fairdeal_gateway.events import ABORT, STALL_S
from fairdeal_gateway.files import allow_many_files
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.settings import GatewaySettings
from fairdeal_worker.settings import Settings, bring_decks

MOST_HEADER_BYTES: Final = 16 * 1024
"""The most that the line and the headers of one request may hold."""

HEADERS_S: Final = 10.0
"""How long a connection may take to say what it wants."""

LEAST_TAKEN: Final = 10
"""What part of an answer whoever asked for it must take every `STALL_S` seconds: one over this."""

STOP_S: Final = 10
"""How long requests that are under way may take when the gateway is told to stop."""

BACKLOG: Final = 4096


class _Http(HttpToolsProtocol):
    """The server's own, with bounds on headers and patience, and a way to cut a connection.

    What was answered and is not taken stays in memory: who takes too little of it is cut off.
    """

    _stall: asyncio.TimerHandle | None = None
    _patience: asyncio.TimerHandle | None = None
    _in_headers = True
    _size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_taking()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # Also what is small, or is closed after it was written: nothing else would ever look at it again.
        if self._stall is None:
            self._watch_taking()

    def _watch_taking(self) -> None:
        self._taken()
        waiting = self.transport.get_write_buffer_size()
        if waiting:
            most = waiting - max(1, waiting // LEAST_TAKEN)
            self._stall = self.loop.call_later(STALL_S, self._look_at_taking, waiting, most)

    def _look_at_taking(self, whole: int, most: int) -> None:
        waiting = self.transport.get_write_buffer_size()
        self._stall = None
        if waiting > most:
            self.transport.abort()
        elif waiting:
            most = waiting - max(1, whole // LEAST_TAKEN)
            self._stall = self.loop.call_later(STALL_S, self._look_at_taking, whole, most)

    def _taken(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEADERS_S, self.transport.abort)

    def _heard(self) -> None:
        self._in_headers = False
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # The parser tells of a header when it is whole: one without an end would grow in there unseen.
        if self._in_headers and not self.transport.is_closing():
            self._size += len(data)
            if self._size > MOST_HEADER_BYTES:
                self.send_400_response("The headers are too large.")

    def on_message_begin(self) -> None:
        self._in_headers, self._size = True, 0
        self._wait()
        if not self.flow.write_paused:
            self._taken()  # its answer comes into the same buffer, and is looked at then
        super().on_message_begin()
        self.scope[ABORT] = self.transport.abort  # type: ignore[typeddict-unknown-key]

    def on_headers_complete(self) -> None:
        self._heard()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEADER_BYTES:
            raise ValueError("the headers are too large")  # the parser makes its own error of it: 400
        super().on_headers_complete()


class _WebSocket(WebSocketsSansIOProtocol):
    """The server's own, with a way to cut a connection."""

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            # The answers to whoever reads none would pile up; RFC 6455 §5.5.3 lets all but the last be left out.
            self.conn.data_to_send()

    async def run_asgi(self) -> None:
        self.scope[ABORT] = self.transport.abort  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()


class _Server(uvicorn.Server):
    """Ends all streams before it waits for what is under way: each can be resumed."""

    def __init__(self, config: uvicorn.Config, gateway: Gateway, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._gateway = gateway
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                self._ready(listening.getsockname()[1])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._gateway.watching.stop()
        await asyncio.sleep(0)
        await super().shutdown(sockets)


async def serve(settings: Settings, own: GatewaySettings) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises `BadAddress`, `BadSettings`, SystemExit when it cannot listen."""
    bring_decks(settings)
    allow_many_files()
    # A full pass visits everything that belongs to any stream: seldom, for nearly all of it lives long.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    await server_of(Gateway(settings, own)).serve()


def server_of(gateway: Gateway, ready: Callable[[int], None] = lambda port: None) -> uvicorn.Server:
    """The server of a gateway; `ready` is told the port once it listens. `should_exit` ends it in good order."""
    settings, own = gateway.settings, gateway.own
    # Its own lines would hold whole addresses, with whatever somebody wrote into their query.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)

    def listening(port: int) -> None:
        gateway.log.info(
            "listening",
            host=own.http_host,
            port=port,
            redis=without_password(settings.redis_url),
            namespace=settings.namespace,
            pid=os.getpid(),
        )
        ready(port)

    config = uvicorn.Config(
        make_app(gateway),
        host=own.http_host,
        port=own.http_port,
        http=_Http,
        ws=_WebSocket,
        ws_max_size=2 * settings.max_body,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=STOP_S,
        lifespan="on",
    )
    return _Server(config, gateway, listening)
