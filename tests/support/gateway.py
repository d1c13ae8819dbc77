"""A real gateway in the test's own event loop, on a free port, over the shared Redis."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

import httpx
import redis.asyncio
import websockets

from fairdeal.wire import Keys, deployment_key, partition_of
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.serve import server_of
from fairdeal_gateway.settings import GatewaySettings
from fairdeal_gateway.tokens import Minted, TokenRequest
from fairdeal_local import Table
from fairdeal_worker.settings import Settings

TOKEN_SECRET = "a secret for the tokens of tests, long enough"
BOUND_S = 20.0
"""How long a test waits for anything at all."""


class Door:
    """A gateway that runs, and what a test does with it."""

    def __init__(self, gateway: Gateway, port: int) -> None:
        self.gateway = gateway
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.http = httpx.AsyncClient(base_url=self.base, timeout=BOUND_S)

    def mint(self, scope: str, game: str | None = None, **more: Any) -> Minted:
        return self.gateway.mint.mint(TokenRequest(scope, game, **more))  # type: ignore[arg-type]

    def auth(self, scope: str, game: str | None = None, **more: Any) -> dict[str, str]:
        """The header of a new token."""
        return bearer(self.mint(scope, game, **more).token)

    @asynccontextmanager
    async def events(
        self, game: str, headers: dict[str, str], **query: Any
    ) -> AsyncIterator[AsyncGenerator[dict[str, Any], None]]:
        """The messages of an event stream, one at a time: `event`, `id`, `data`, and `raw`."""
        path = f"/games/{game}/events"
        async with self.http.stream("GET", path, headers=headers, params=query) as answer:
            assert answer.status_code == 200, (await answer.aread(), answer.status_code)
            async with aclosing(_messages(answer)) as messages:
                yield messages

    @asynccontextmanager
    async def socket(self, game: str, token: str, **more: Any) -> AsyncIterator[websockets.ClientConnection]:
        """A WebSocket that has said who it is."""
        async with websockets.connect(f"ws://127.0.0.1:{self.port}/games/{game}/ws", max_size=None) as socket:
            await socket.send(json.dumps({"type": "auth", "token": token, **more}))
            yield socket


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def soon(what: str, awaitable: Any) -> Any:
    """The result, within the bound. Fails saying what it waited for."""
    try:
        return await asyncio.wait_for(awaitable, BOUND_S)
    except TimeoutError:
        raise AssertionError(f"waited {BOUND_S} s in vain for {what}") from None


async def next_of(
    messages: AsyncGenerator[dict[str, Any], None], what: str = "the next message"
) -> dict[str, Any]:
    """The next message of a stream."""
    message: dict[str, Any] = await soon(what, anext(messages))
    return message


async def _messages(answer: httpx.Response) -> AsyncGenerator[dict[str, Any], None]:
    rest = ""
    async for text in answer.aiter_text():
        rest += text
        while "\n\n" in rest:
            raw, _, rest = rest.partition("\n\n")
            if raw.startswith(":"):
                continue
            fields = dict(line.split(": ", 1) for line in raw.split("\n"))
            yield {
                "event": fields["event"],
                "id": fields.get("id"),
                "data": json.loads(fields["data"]),
                "raw": raw,
            }


@asynccontextmanager
async def open_door(
    url: str, namespace: str, port: int = 0, settings: dict[str, Any] | None = None, **own: Any
) -> AsyncIterator[Door]:
    """A gateway until the end of the block, stopped in good order."""
    of_all = Settings(redis_url=url, namespace=namespace, **settings or {})
    given = {"token_secret": TOKEN_SECRET, "rate": 10_000, "rate_burst": 10_000} | own
    gateway = Gateway(of_all, GatewaySettings(http_port=port, **given))
    listening: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    server = server_of(gateway, listening.set_result)
    running = asyncio.create_task(server.serve())
    door: Door | None = None
    try:
        await asyncio.wait([running, listening], timeout=BOUND_S, return_when=asyncio.FIRST_COMPLETED)
        assert listening.done(), "the gateway does not listen"
        door = Door(gateway, listening.result())
        yield door
    finally:
        server.should_exit = True
        if door is not None:
            await door.http.aclose()
        with suppress(SystemExit):
            await asyncio.wait_for(running, BOUND_S)


class Stage:
    """A deployment without workers: logs, views and updates are written as the workers would, from local tables."""

    def __init__(self, client: redis.asyncio.Redis, namespace: str, partitions: int = 4) -> None:
        self.redis = client
        self.namespace = namespace
        self.partitions = partitions

    async def open(self) -> "Stage":
        await self.redis.hset(
            deployment_key(self.namespace), mapping={"partitions": self.partitions, "created_at": 1}
        )
        return self

    def keys(self, game: str) -> Keys:
        return Keys(self.namespace, partition_of(game, self.partitions))

    async def show(self, table: Table, upto: int | None = None, *, ring: bool = True) -> None:
        """Append what the log does not have yet; store the views when they are those of the log's end; ring."""
        game = table.log[0].game
        keys = self.keys(game)
        there = await self.redis.xlen(keys.log(game))
        pipeline = self.redis.pipeline(transaction=True)
        for written in table.written[there:upto]:
            fields = {"c": written.body, "h": written.hash.hex()}
            pipeline.xadd(keys.log(game), fields, id=f"{written.commit.version}-0")
        if upto is None or upto >= table.version:
            parts = {"version": str(table.version), "fold": "x", **table.encoded()}
            pipeline.hset(keys.view(game), mapping=parts)
        if ring:
            pipeline.xadd(keys.updates, {"g": game, "v": min(upto or table.version, table.version)})
        await pipeline.execute()
