"""Event streams and WebSockets: every version once and in order, over reconnects, restarts and slow readers."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest
import websockets

import fairdeal_gateway.hub
import fairdeal_gateway.serve
import fairdeal_gateway.watching
from fairdeal.codec import encode_json
from fairdeal.connect import connect
from fairdeal_local import Table
from redis_server import RedisServer, free_port
from support.following import played, reseat, waiting_table
from support.gateway import BOUND_S, Door, Stage, bearer, next_of, open_door, soon
from support.workers import eventually


def move(table: Table, seed: int = 5) -> None:
    """One more move by chance."""
    seat = table.view().to_act[0]
    table.act(seat, Random(seed).choice(table.view(seat).offers).sample(Random(seed)))


async def test_a_stream_begins_with_the_newest_frame_and_goes_on(door: Door, stage: Stage) -> None:
    table = played("g", moves=4)
    await stage.show(table)
    async with door.events("g", door.auth("seat", "g", seat=1)) as messages:
        first = await next_of(messages)
        assert (first["event"], first["id"]) == ("frame", str(table.version))
        assert first["data"]["events"] == []
        assert first["data"]["view"]["seat"] == 1
        move(table)
        await stage.show(table)
        second = await next_of(messages)
        assert second["data"]["version"] == table.version
        assert second["data"]["events"]


async def test_live_resumed_and_replayed_frames_are_the_same_bytes(door: Door, stage: Stage) -> None:
    table = played("g", moves=3)
    await stage.show(table)
    for viewer, headers in (("seat:0", door.auth("seat", "g", seat=0)), ("table", door.auth("watch", "g"))):
        live = []
        async with door.events("g", headers) as messages:
            await next_of(messages)
            for _ in range(4):
                move(table)
                await stage.show(table)
                live.append((await next_of(messages))["raw"])
        async with door.events("g", headers | {"Last-Event-ID": str(table.version - 4)}) as messages:
            assert [(await next_of(messages))["raw"] for _ in range(4)] == live
        replay = await door.http.get(
            "/games/g/replay", headers=headers, params={"from": table.version - 3, "as": viewer}
        )
        frames = [raw.partition("data: ")[2] for raw in live]
        assert replay.text == f'{{"frames":[{",".join(frames)}],"head":{table.version},"next":null}}'
        view = await door.http.get("/games/g/view", headers=headers)
        assert json.loads(frames[-1])["view"] == view.json()
        assert view.text in frames[-1]


@pytest.mark.parametrize("after", [0, 1, 17, 300, 699, 700])
async def test_a_resumed_stream_has_every_version_once_and_in_order(
    door: Door, stage: Stage, after: int
) -> None:
    table = reseat(waiting_table("g"), 699)
    await stage.show(table)
    async with door.events("g", door.auth("watch", "g"), after=after) as messages:
        seen = [int((await next_of(messages))["id"] or 0) for _ in range(700 - after)]
        reseat(table)
        await stage.show(table)
        seen.append(int((await next_of(messages))["id"] or 0))
    assert seen == list(range(after + 1, 702))


async def test_nothing_is_lost_or_doubled_while_a_long_past_is_caught_up_with(
    door: Door, stage: Stage
) -> None:
    table = reseat(waiting_table("g"), 499)
    await stage.show(table)

    async def go_on() -> None:
        for _ in range(200):
            reseat(table)
            await stage.show(table)

    async def watch(after: int) -> list[int]:
        async with door.events("g", door.auth("watch", "g"), after=after) as messages:
            return [int((await next_of(messages))["id"] or 0) for _ in range(700 - after)]

    *seen, _ = await asyncio.gather(*(watch(after) for after in (0, 3, 100, 400, 499)), go_on())
    for after, versions in zip((0, 3, 100, 400, 499), seen, strict=True):
        assert versions == list(range(after + 1, 701))


async def test_streams_go_on_exactly_once_over_reconnects_and_a_restart_of_the_gateway(
    redis_url: str, namespace: str, stage: Stage
) -> None:
    table = reseat(waiting_table("g"), 9)
    await stage.show(table)
    port, seen, last = free_port(), list[int](), 0

    async def a_while(door: Door, frames: int) -> None:
        nonlocal last
        headers = door.auth("watch", "g") | ({"Last-Event-ID": str(last)} if last else {"Last-Event-ID": "0"})
        async with door.events("g", headers) as messages:
            for _ in range(frames):
                last = int((await next_of(messages))["id"] or 0)
                seen.append(last)

    async with open_door(redis_url, namespace, port) as door:
        await a_while(door, 4)
        await a_while(door, 6)
    reseat(table, 5)  # while nobody serves
    await stage.show(table)
    async with open_door(redis_url, namespace, port) as door:
        await a_while(door, 5)
        going = asyncio.create_task(a_while(door, 3))
        for _ in range(3):
            reseat(table)
            await stage.show(table)
        await soon("the frames after the restart", going)
    assert seen == list(range(1, 19))


async def test_a_gateway_that_stops_ends_its_streams_without_a_word(
    redis_url: str, namespace: str, stage: Stage
) -> None:
    await stage.show(waiting_table("g"))
    async with open_door(redis_url, namespace) as door:
        token = door.mint("watch", "g").token
        async with door.events("g", bearer(token)) as messages, door.socket("g", token) as socket:
            await next_of(messages)
            await soon("the first frame", socket.recv())
            door.gateway.watching.stop()
            assert [message async for message in messages] == []
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await soon("the close", socket.recv())
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012


async def test_a_finished_game_ends_its_streams(door: Door, stage: Stage) -> None:
    table = played("g")
    await stage.show(table, table.version - 1)
    token = door.mint("seat", "g", seat=0).token
    async with door.events("g", bearer(token)) as messages, door.socket("g", token) as socket:
        assert (await next_of(messages))["id"] == str(table.version - 1)
        await soon("the first frame", socket.recv())
        await stage.show(table)
        last = await next_of(messages)
        assert last["data"]["view"]["phase"] == "finished"
        assert (await next_of(messages))["event"] == "end"
        assert json.loads(await soon("the frame", socket.recv()))["view"]["phase"] == "finished"
        assert json.loads(await soon("the end", socket.recv())) == {"type": "end"}
    async with door.events("g", bearer(token)) as messages:
        assert [message["event"] async for message in messages] == ["frame", "end"]
    async with door.events("g", bearer(token), after=table.version) as messages:
        assert [message["event"] async for message in messages] == ["end"]


async def test_the_socket_says_what_the_stream_says(door: Door, stage: Stage) -> None:
    table = played("g", moves=6)
    await stage.show(table)
    token = door.mint("seat", "g", seat=0).token
    async with (
        door.events("g", bearer(token), after=2) as messages,
        door.socket("g", token, after=2) as socket,
    ):
        for version in range(3, table.version + 1):
            event, said = await next_of(messages), json.loads(await soon("a frame", socket.recv()))
            assert said.pop("type") == "frame"
            assert said == event["data"]
            assert said["version"] == version


async def test_a_lost_update_is_made_up_for(
    door: Door, stage: Stage, monkeypatch: pytest.MonkeyPatch, redis_url: str, namespace: str
) -> None:
    monkeypatch.setattr(fairdeal_gateway.hub, "LOOK_S", 0.05)
    table = waiting_table("g")
    await stage.show(table)
    async with (
        open_door(redis_url, namespace) as eager,
        eager.events("g", eager.auth("watch", "g")) as messages,
    ):
        await next_of(messages)
        reseat(table, 3)
        await stage.show(table, ring=False)
        assert [(await next_of(messages))["id"] for _ in range(3)] == ["2", "3", "4"]


async def test_one_frame_is_encoded_once_for_all_who_see_the_same(
    door: Door, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[Any, int]] = []
    plain = fairdeal_gateway.feed.Sight.frame

    def counted(self: Any, viewer: Any, events: Any) -> Any:
        made.append((viewer, len(events)))
        return plain(self, viewer, events)

    monkeypatch.setattr("fairdeal_gateway.frames.Sight.frame", counted)
    table = waiting_table("g")
    await stage.show(table)
    headers = door.auth("watch", "g")
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(door.events("g", headers)) for _ in range(20)]
        for stream in streams:
            await next_of(stream)
        made.clear()
        reseat(table)
        await stage.show(table)
        frames = {(await next_of(stream))["raw"] for stream in streams}
    assert len(frames) == 1
    assert made == [("table", 1)]


async def test_a_game_that_nobody_watches_any_more_costs_nothing(door: Door, stage: Stage) -> None:
    await stage.show(waiting_table("g"))
    async with door.events("g", door.auth("watch", "g")) as messages:
        await next_of(messages)
        assert (door.gateway.hub.games, door.gateway.watching.count) == (1, 1)

    async def quiet() -> bool:
        return (door.gateway.hub.games, door.gateway.watching.count) == (0, 0)

    await eventually("the feed to be closed", quiet)


async def test_a_slow_reader_is_dropped_with_a_code_and_resumes_and_nobody_else_waits(
    redis_url: str, namespace: str, stage: Stage
) -> None:
    table = waiting_table("g")
    await stage.show(table)
    async with open_door(redis_url, namespace, stream_queue=8) as door:
        headers = door.auth("watch", "g")
        slow = await _silent_reader(door, headers["Authorization"])
        async with door.events("g", headers) as messages:
            await next_of(messages)
            seen = 1
            while door.gateway.watching.count == 2 and seen < 8000:
                # Few at a time: who reads is never as many frames behind.
                reseat(table, 4)
                await stage.show(table)
                for _ in range(4):
                    seen += 1
                    assert (await next_of(messages, f"frame {seen} beside a slow reader"))["id"] == str(seen)
                if _dropped(door):
                    break
            assert _dropped(door), "the slow reader was never dropped"
        got = await soon("the end of the slow stream", asyncio.to_thread(_read_all, slow))
        assert b'event: dropped\ndata: {"code":"slow_reader"}' in got
        ids = [int(line[4:]) for line in got.split(b"\n") if line.startswith(b"id: ")]
        assert ids == list(range(1, len(ids) + 1))
        async with door.events("g", headers | {"Last-Event-ID": str(ids[-1])}) as messages:
            rest = [int((await next_of(messages))["id"] or 0) for _ in range(table.version - ids[-1])]
        assert rest == list(range(ids[-1] + 1, table.version + 1))


def _dropped(door: Door) -> bool:
    streams = [stream for streams in door.gateway.watching._open.values() for stream in streams]
    return any(stream.ending == "slow_reader" for stream in streams) or len(streams) < 2


async def _silent_reader(door: Door, authorization: str) -> socket.socket:
    """A connection that asks for the events and then reads nothing."""
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.settimeout(BOUND_S)
    loop = asyncio.get_running_loop()
    slow.setblocking(False)
    await loop.sock_connect(slow, ("127.0.0.1", door.port))
    ask = f"GET /games/g/events?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\n\r\n"
    await loop.sock_sendall(slow, ask.encode())

    async def joined() -> bool:
        return door.gateway.watching.count == 1

    await eventually("the slow reader's stream", joined)
    return slow


def _read_all(slow: socket.socket) -> bytes:
    """What is left for a reader that wakes up at last, without the chunks' sizes."""
    slow.setblocking(True)
    slow.settimeout(BOUND_S)
    raw = b""
    while not raw.endswith(b"\r\n0\r\n\r\n"):
        part = slow.recv(65536)
        if not part:
            break
        raw += part
    slow.close()
    body = raw.partition(b"\r\n\r\n")[2]
    text = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        text += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return text


async def test_a_reader_that_never_wakes_is_cut_off(
    redis_url: str, namespace: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairdeal_gateway.watching, "GRACE_S", 0.05)
    table = waiting_table("g")
    await stage.show(table)
    async with open_door(redis_url, namespace, stream_queue=8) as door:
        slow = await _silent_reader(door, door.auth("watch", "g")["Authorization"])
        while door.gateway.watching.count and table.version < 8000:
            reseat(table, 50)
            await stage.show(table)
            await asyncio.sleep(0.01)

        async def gone() -> bool:
            return door.gateway.watching.count == 0

        await eventually("the connection to be cut", gone)
        slow.close()


async def test_an_answer_that_nobody_takes_is_not_kept(
    door: Door, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[bool] = []
    losing = fairdeal_gateway.serve._Http.connection_lost

    def connection_lost(protocol: Any, error: Exception | None) -> None:
        lost.append(True)
        losing(protocol, error)

    monkeypatch.setattr(fairdeal_gateway.serve._Http, "connection_lost", connection_lost)
    monkeypatch.setattr(fairdeal_gateway.serve, "STALL_S", 0.2)
    table = waiting_table("g")
    reseat(table, 400)
    await stage.show(table)
    slow = await _connected(door)
    token = door.auth("watch", "g")["Authorization"]
    ask = f"GET /games/g/replay HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n"
    await asyncio.get_running_loop().sock_sendall(slow, ask.encode() * 20)

    async def cut() -> bool:
        return bool(lost)

    await eventually("the connection of who takes no answer to be cut", cut)
    slow.close()


async def test_pings_of_who_does_not_read_are_not_answered_for_ever(door: Door) -> None:
    slow = await _connected(door)
    loop = asyncio.get_running_loop()
    ask = (
        "GET /games/g/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    kept: list[int] = []
    answer = fairdeal_gateway.serve._WebSocket.handle_ping

    def measured(protocol: Any) -> None:
        answer(protocol)
        kept.append(protocol.transport.get_write_buffer_size())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairdeal_gateway.serve._WebSocket, "handle_ping", measured)
        await loop.sock_sendall(slow, ask.encode())
        assert (await soon("the handshake", loop.sock_recv(slow, 2048))).startswith(b"HTTP/1.1 101")
        pings = (b"\x89\xfd\0\0\0\0" + b"p" * 125) * 1000
        for _ in range(100):
            await soon("the gateway to take pings", loop.sock_sendall(slow, pings))
        slow.close()
    assert kept
    assert max(kept) < 2**20


async def _connected(door: Door) -> socket.socket:
    """A connection with little room for what is sent to it."""
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    await asyncio.get_running_loop().sock_connect(slow, ("127.0.0.1", door.port))
    return slow


async def test_a_past_that_has_gone_to_the_archive_ends_a_resumed_stream(door: Door, stage: Stage) -> None:
    table = waiting_table("g")
    reseat(table, 80)
    await stage.show(table)
    late = door.auth("watch", "g", delay_commits=2)
    async with door.events("g", late) as watching:
        await next_of(watching)
        await stage.redis.delete(stage.keys("g").log("g"))
        async with door.events("g", late, after=1) as resumed:
            assert (await next_of(resumed))["data"] == {"code": "failed"}


async def test_streams_outlive_a_restart_of_redis() -> None:
    with RedisServer(appendonly=True) as server:
        client = connect(server.url)
        stage = await Stage(client, "kept").open()
        table = waiting_table("g")
        await stage.show(table)
        async with (
            open_door(server.url, "kept") as door,
            door.events("g", door.auth("watch", "g")) as messages,
        ):
            await next_of(messages)
            server.stop()
            server.start()
            for version in range(2, 6):
                reseat(table)
                await stage.show(table)
                assert (await next_of(messages))["id"] == str(version)
        await client.aclose()


async def test_a_broken_log_ends_the_stream_with_an_incident(door: Door, stage: Stage) -> None:
    table = waiting_table("g")
    await stage.show(table)
    keys = stage.keys("g")
    async with door.events("g", door.auth("watch", "g")) as messages:
        await next_of(messages)
        await stage.redis.xadd(keys.log("g"), {"c": b"{}", "h": b""}, id="2-0")
        await stage.redis.xadd(keys.updates, {"g": "g", "v": 2})
        last = await next_of(messages)
        assert (last["event"], last["data"]) == ("dropped", {"code": "failed"})


@pytest.mark.parametrize(
    ("first", "code", "problem"),
    [
        (b"nothing", 4400, "malformed"),
        (encode_json({"type": "auth"}), 4400, "malformed"),
        (encode_json({"type": "auth", "token": "x.y.z"}), 4401, "bad_token"),
        (encode_json({"type": "hello", "token": "x"}), 4400, "malformed"),
    ],
)
async def test_a_socket_that_does_not_say_who_it_is_is_closed(
    door: Door, stage: Stage, first: bytes, code: int, problem: str
) -> None:
    await stage.show(waiting_table("g"))
    async with websockets.connect(f"ws://127.0.0.1:{door.port}/games/g/ws") as socket_:
        await socket_.send(first.decode())
        said = json.loads(await soon("the problem", socket_.recv()))
        assert (said["type"], said["problem"]["code"]) == ("problem", problem)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await soon("the close", socket_.recv())
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


async def test_a_socket_that_says_nothing_is_closed(
    door: Door, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal_gateway.sockets.HELLO_S", 0.05)
    async with websockets.connect(f"ws://127.0.0.1:{door.port}/games/g/ws") as silent:
        await soon("the problem", silent.recv())
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await soon("the close", silent.recv())
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4408
