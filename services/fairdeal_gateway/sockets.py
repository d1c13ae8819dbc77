"""The WebSocket of a game: the same frames as the event stream, and commands with their receipts."""

import asyncio
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from fairdeal.client.tasks import end
from fairdeal.codec import encode_json
from fairdeal.envelope import AnyAction, CommandId
from fairdeal.receipt import Receipt, Rejected
from fairdeal.visibility import Viewer
from fairdeal_gateway.access import ALL, TheGateway, allow
from fairdeal_gateway.events import BEAT_S, STALL_S, abort_of
from fairdeal_gateway.feed import Feed, Stream
from fairdeal_gateway.gateway import COMMAND_S, Gateway
from fairdeal_gateway.problems import Refused, decoded, malformed, refused_for
from fairdeal_gateway.tokens import Grant
from fairdeal_gateway.viewers import check_seat, viewer_of

HELLO_S: Final = 10.0
"""How long whoever connects may take to say who it is."""

CODES: Final = {
    400: 4400,
    401: 4401,
    403: 4403,
    404: 4404,
    408: 4408,
    422: 4400,
    429: 4429,
    500: 1011,
    503: 1013,
}
"""The close code for a problem's status."""

_ENDINGS: Final = {
    "finished": 1000,
    "stopping": 1012,
    "slow_reader": 4408,
    "expired_token": 4401,
    "revoked_token": 4401,
    "failed": 1011,
}

Socket = WebSocket[Any, Any, Any]


class Hello(msgspec.Struct, frozen=True, tag="auth", forbid_unknown_fields=True):
    """The first message: the token, whose eyes, and after which version to go on."""

    token: str
    viewer: str | None = msgspec.field(name="as", default=None)
    after: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class Say(msgspec.Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A command."""

    id: CommandId
    action: AnyAction
    expect: Annotated[int, msgspec.Meta(ge=0)] | None = None


_hello: Final = msgspec.json.Decoder(Hello)
_say: Final = msgspec.json.Decoder(Say)


@websocket("/games/{game:str}/ws")
async def game_socket(socket: Socket, gateway: TheGateway, game: FromPath[str]) -> None:
    """Every frame as it comes, and commands."""
    await socket.accept()
    try:
        hello = await _first_words(socket)
        grant = await gateway.check(hello.token)
        gateway.limits.take(grant.jti)
        allow(grant, ALL, game)
        viewer = viewer_of(grant, hello.viewer)
        async with (
            gateway.watching.stream(grant, game, abort_of(socket.scope)) as stream,
            gateway.hub.feed(game, grant.delay) as feed,
        ):
            check_seat(feed.fold, viewer)
            await _Conversation(socket, gateway, grant, feed, stream).hold(viewer, hello.after)
    except WebSocketDisconnect:
        pass
    except TimeoutError:
        abort_of(socket.scope)()
    except Exception as error:
        refused = refused_for(error, "socket_failed", gateway.log)
        await socket.send_text(_problem(refused))
        await socket.close(CODES.get(refused.problem.status, 4400), refused.problem.code)


async def _first_words(socket: Socket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_S):
            text = await socket.receive_text()
    except TimeoutError:
        raise Refused(408, "no_token", f"No token came within {HELLO_S:g} s") from None
    except (KeyError, UnicodeError):
        raise malformed("The first message must be a text") from None
    hello: Hello = decoded(_hello, text.encode())
    return hello


def _problem(refused: Refused, command: str | None = None) -> str:
    about = b"" if command is None else b'"command":%b,' % encode_json(command)
    return (b'{"type":"problem",%b"problem":%b}' % (about, refused.body)).decode()


def _receipt(receipt: Receipt) -> str:
    return '{"type":"receipt",' + encode_json(receipt)[1:].decode()


class _Conversation:
    """One connection, once it is known who is there."""

    def __init__(self, socket: Socket, gateway: Gateway, grant: Grant, feed: Feed, stream: Stream) -> None:
        self._socket = socket
        self._gateway = gateway
        self._grant = grant
        self._feed = feed
        self._stream = stream
        self._at_work = asyncio.Lock()
        """Held while a command waits for its receipt."""

    async def hold(self, viewer: Viewer, after: int | None) -> None:
        """Send frames and answer commands until one side has enough. Raises TimeoutError when it takes nothing."""
        listening = asyncio.create_task(self._listen())
        try:
            frames = self._gateway.hub.frames(self._feed, viewer, after, self._stream, BEAT_S)
            async with aclosing(frames) as source:
                async for batch in source:
                    for frame in batch:
                        await self._send(frame.text)
            await self._say_goodbye()
        finally:
            await end([listening])

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(STALL_S):
            await self._socket.send_text(text)

    async def _say_goodbye(self) -> None:
        ending = self._stream.ending
        if ending is None or ending == "gone":
            return
        if ending == "finished":
            # The move that ended the game may still wait for its receipt.
            async with asyncio.timeout(COMMAND_S + 2), self._at_work:
                pass
            await self._send('{"type":"end"}')
        elif ending != "stopping":
            await self._send(encode_json({"type": "dropped", "code": ending}).decode())
        await self._socket.close(_ENDINGS[ending], ending)

    async def _listen(self) -> None:
        try:
            while True:
                text = await self._socket.receive_text()
                async with self._at_work:
                    await self._send(await self._answer(text))
        except (WebSocketDisconnect, TimeoutError):
            self._stream.end("gone")

    async def _answer(self, text: str) -> str:
        command: str | None = None
        try:
            self._gateway.limits.take(self._grant.jti)
            said: Say = decoded(_say, text.encode())
            command = said.id
            allow(self._grant, ("seat", "host"), self._feed.game)
            return _receipt(
                await self._gateway.send(self._grant, self._feed.game, said.action, said.expect, said.id)
            )
        except Rejected as rejected:
            return (
                _receipt(rejected.receipt)
                if rejected.receipt
                else _problem(refused_for(rejected, "socket_failed", self._gateway.log))
            )
        except Exception as error:
            return _problem(refused_for(error, "socket_failed", self._gateway.log), command)
