"""The gateway with real workers: every request, its answer, and every way in which it is refused."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairdeal_audit import audit_export
from fairdeal_replays.export import archived_name, export_game
from redis_server import RedisServer
from support.following import played, reseat, waiting_table
from support.gateway import Door, Stage, next_of, open_door
from support.readme import ROOT, same_snippets
from support.workers import Worker, eventually, serving

NAMESPACE = "gateway-http"


@pytest.fixture(scope="module")
def workers(redis_server: RedisServer) -> Iterator[None]:
    with Worker(redis_server.url, NAMESPACE, "rules", "views", "replays"):
        yield


@pytest.fixture
async def door(redis_url: str, redis_client: Any, workers: None) -> AsyncIterator[Door]:
    await serving(redis_client, NAMESPACE, "replays")
    async with open_door(redis_url, NAMESPACE) as door:
        yield door


@pytest.fixture
async def quiet(redis_url: str, namespace: str, stage: Stage) -> AsyncIterator[Door]:
    """A gateway without workers: nobody answers commands."""
    async with open_door(redis_url, namespace) as door:
        yield door


def perudo(**more: Any) -> dict[str, Any]:
    return {"ruleset": "perudo", "players": [{"id": "ann"}, {"id": "bob"}]} | more


async def created(door: Door, game: str, **more: Any) -> None:
    answer = await door.http.post("/games", json=perudo(game=game, **more), headers=door.auth("host"))
    assert answer.status_code == 201, answer.text


async def legal(door: Door, game: str) -> tuple[int, dict[str, Any]]:
    """A seat whose turn it is, and an opening bid."""

    async def view() -> Any:
        answer = await door.http.get(f"/games/{game}/view", headers=door.auth("watch", game))
        return answer.json() if answer.status_code == 200 else None

    seen = await eventually("the first view", view)
    return seen["to_act"][0], {"type": "perudo.bid", "quantity": 1, "face": 3}


# Creating and playing


async def test_a_game_is_created_played_and_seen(door: Door) -> None:
    key = {"Idempotency-Key": "create-1"}
    answer = await door.http.post("/games", json=perudo(), headers=door.auth("host") | key)
    assert answer.status_code == 201
    game = answer.json()["game"]
    assert answer.json()["receipt"] == {
        "command": "create-1",
        "game": game,
        "status": "accepted",
        "version": 1,
    }
    seat, bid = await legal(door, game)
    headers = door.auth("seat", game, seat=seat)
    async with door.events(game, headers) as messages:
        assert (await next_of(messages))["data"]["view"]["offers"]
        body = {"action": bid, "expect": 1}
        answer = await door.http.post(
            f"/games/{game}/commands", json=body, headers=headers | {"Idempotency-Key": "bid-1"}
        )
        assert answer.json() == {"command": "bid-1", "game": game, "status": "accepted", "version": 2}
        frame = await next_of(messages)
        assert [event["type"] for event in frame["data"]["events"]] == ["perudo.bid_placed"]


async def test_the_same_key_takes_effect_once(door: Door, redis_client: Any) -> None:
    key = {"Idempotency-Key": "create-twice"}
    first, second = [
        await door.http.post("/games", json=perudo(), headers=door.auth("host") | key) for _ in range(2)
    ]
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    game = first.json()["game"]
    seat, bid = await legal(door, game)
    headers = door.auth("seat", game, seat=seat) | {"Idempotency-Key": "one bid"}
    answers = await asyncio.gather(
        *(door.http.post(f"/games/{game}/commands", json={"action": bid}, headers=headers) for _ in range(8))
    )
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    assert answers[0].json()["version"] == 2
    other = await door.http.post("/games", json=perudo(), headers=door.auth("host"))
    assert other.json()["game"] != game


async def test_the_idempotency_key_is_the_command_s_id(door: Door, redis_client: Any) -> None:
    await created(door, "keyed")
    seat, bid = await legal(door, "keyed")
    headers = door.auth("seat", "keyed", seat=seat) | {"Idempotency-Key": "my very own key"}
    await door.http.post("/games/keyed/commands", json={"action": bid}, headers=headers)
    export = await door.http.get("/games/keyed/export", headers=door.auth("audit"))
    commits = [json.loads(json.loads(line)["c"]) for line in export.text.splitlines() if '"c":' in line]
    assert commits[1]["command"]["id"] == "my very own key"
    assert commits[1]["command"]["seat"] == seat


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"game": "taken"}, 409, "game_exists"),
        ({"ruleset": "chess"}, 422, "unknown_ruleset"),
        ({"options": {"dice_per_player": 99}}, 422, "bad_options"),
        ({"options": {"preset": "nobody's"}}, 422, "bad_options"),
        ({"players": [{"id": "alone"}]}, 422, "bad_players"),
        ({"players": []}, 422, "bad_players"),
        ({"players": [{"id": ""}, {"id": "b"}]}, 400, "malformed"),
        ({"game": "no id"}, 400, "malformed"),
        ({"nonsense": 1}, 400, "malformed"),
        ({"clock": {"turn_ms": 1}}, 400, "malformed"),
    ],
)
async def test_what_cannot_be_created_is_refused(door: Door, change: Any, status: int, code: str) -> None:
    if code == "game_exists":
        await created(door, "taken")
    answer = await door.http.post("/games", json=perudo() | change, headers=door.auth("host"))
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:fairdeal:{code}"
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]


async def test_refused_commands_say_why(door: Door) -> None:
    await created(door, "refusals")
    seat, bid = await legal(door, "refusals")

    async def refused(who: int, body: Any, game: str = "refusals") -> tuple[int, str, Any]:
        answer = await door.http.post(
            f"/games/{game}/commands", json=body, headers=door.auth("seat", game, seat=who)
        )
        problem = answer.json()
        return answer.status_code, problem["code"], problem.get("path")

    assert await refused(1 - seat, {"action": bid}) == (409, "not_your_turn", None)
    assert await refused(seat, {"action": bid, "expect": 7}) == (409, "stale", None)
    assert await refused(seat, {"action": bid | {"quantity": 40}}) == (409, "quantity_out_of_range", None)
    assert await refused(5, {"action": bid}) == (409, "not_seated", None)
    assert await refused(0, {"action": bid}, "nowhere") == (404, "unknown_game", None)
    assert await refused(seat, {"action": bid | {"face": "x"}}) == (400, "malformed", "$.action.face")
    assert await refused(seat, {"action": {"type": "perudo.cheat"}}) == (
        422,
        "unknown_action",
        "$.action.type",
    )
    assert await refused(seat, {}) == (400, "malformed", "$")
    assert await refused(seat, {"action": bid, "seat": 0}) == (400, "malformed", "$")


async def test_the_host_plays_the_host_s_actions_and_no_seat_s(door: Door) -> None:
    await created(door, "hosted")
    _, bid = await legal(door, "hosted")
    answer = await door.http.post("/games/hosted/commands", json={"action": bid}, headers=door.auth("host"))
    assert answer.status_code == 409
    body = {"action": {"type": "game.cancel", "reason": "rain"}}
    by_seat = await door.http.post(
        "/games/hosted/commands", json=body, headers=door.auth("seat", "hosted", seat=0)
    )
    assert by_seat.status_code == 409
    answer = await door.http.post("/games/hosted/commands", json=body, headers=door.auth("host"))
    assert answer.status_code == 200


async def test_commands_over_the_socket_get_their_receipts(door: Door) -> None:
    await created(door, "socketed")
    seat, bid = await legal(door, "socketed")
    async with door.socket("socketed", door.mint("seat", "socketed", seat=seat).token) as socket:

        async def said() -> Any:
            return json.loads(await asyncio.wait_for(socket.recv(), 20))

        assert (await said())["type"] == "frame"
        for id, action in (("a", bid), ("a", bid), ("b", bid | {"quantity": 90}), ("c", {"type": "no"})):
            await socket.send(json.dumps({"type": "command", "id": id, "action": action}))
        answers = [await said() for _ in range(5)]
        receipts = [answer for answer in answers if answer["type"] == "receipt"]
        assert [(r["command"], r["status"]) for r in receipts] == [
            ("a", "accepted"),
            ("a", "accepted"),
            ("b", "rejected"),
        ]
        assert receipts[0] == receipts[1]
        assert [a["problem"]["code"] for a in answers if a["type"] == "problem"] == ["unknown_action"]
        assert [a["version"] for a in answers if a["type"] == "frame"] == [2]
        await socket.send(json.dumps({"type": "command", "id": "d", "action": {"type": "game.resign"}}))
        last = [await said() for _ in range(3)]
        assert {message["type"] for message in last} == {"receipt", "frame", "end"}


# Bodies


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed"),
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"[" * 60_000, 400, "malformed"),
        (b'{"options":' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400, "malformed"),
        (b'{"players":' + b"9" * 5000 + b"}", 400, "malformed"),
        (b" " * 70_000, 413, "too_large"),
    ],
)
async def test_bodies_that_are_none_are_refused(quiet: Door, body: bytes, status: int, code: str) -> None:
    for path, scope in (("/games", "host"), ("/tokens", "host"), ("/games/g/commands", "host")):
        answer = await quiet.http.post(path, content=body, headers=quiet.auth(scope))
        assert (answer.status_code, answer.json()["code"]) == (status, code), path


async def test_a_body_without_an_end_is_cut_off_at_its_bound(quiet: Door) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b" " * 10_000

    answer = await quiet.http.post("/games", content=endless(), headers=quiet.auth("host"))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_a_body_that_never_comes_is_not_waited_for(
    quiet: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal_gateway.access.BODY_S", 0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", quiet.port)
    token = quiet.auth("host")["Authorization"]
    writer.write(
        f"POST /games HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nContent-Length: 10\r\n\r\n".encode()
    )
    said = await asyncio.wait_for(reader.readuntil(b"}"), 20)
    assert said.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in said
    writer.close()


async def test_headers_without_an_end_are_refused(quiet: Door) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", quiet.port)
    writer.write(b"GET /token HTTP/1.1\r\n" + b"X: " + b"y" * 40_000)
    assert (await asyncio.wait_for(reader.read(), 20)).startswith(b"HTTP/1.1 400")
    writer.close()


@pytest.mark.parametrize("key", ["k" * 65, "caf\u00e9", ""])
async def test_a_key_that_can_be_no_command_s_id_is_refused(quiet: Door, key: str) -> None:
    headers = quiet.auth("host") | {"Idempotency-Key": key.encode()}  # type: ignore[dict-item]
    answer = await quiet.http.post("/games", json=perudo(), headers=headers)
    assert (answer.status_code, answer.json()["path"]) == (400, "Idempotency-Key")


# Reading


async def test_the_directory_is_filtered_and_paged(door: Door) -> None:
    players = [{"id": "zed"}, {"id": "yan"}]
    for number in range(5):
        await created(door, f"listed{number}", players=players)

    async def listed() -> bool:
        answer = await door.http.get("/games", params={"player": "zed"}, headers=door.auth("host"))
        return len(answer.json()["games"]) == 5

    await eventually("the directory", listed)
    first = (
        await door.http.get("/games", params={"player": "zed", "limit": 3}, headers=door.auth("audit"))
    ).json()
    query = {"player": "zed", "limit": 3, "before": first["next"]}
    rest = (await door.http.get("/games", params=query, headers=door.auth("host"))).json()
    names = [summary["game"] for summary in first["games"] + rest["games"]]
    assert names == [f"listed{number}" for number in (4, 3, 2, 1, 0)]
    assert rest["next"] is None
    for query, path in (
        ({"before": "x"}, "before"),
        ({"limit": 501}, "limit"),
        ({"status": "odd"}, "status"),
    ):
        answer = await door.http.get("/games", params=query, headers=door.auth("host"))
        assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_a_replay_comes_in_pages(quiet: Door, stage: Stage) -> None:
    table = reseat(waiting_table("g"), 1200)
    await stage.show(table)
    headers, start, seen = quiet.auth("watch", "g"), 1, []
    while start is not None:
        page = (await quiet.http.get("/games/g/replay", params={"from": start}, headers=headers)).json()
        assert page["head"] == 1201
        assert len(page["frames"]) <= 500
        seen += [frame["version"] for frame in page["frames"]]
        start = page["next"]
    assert seen == list(range(1, 1202))
    part = (await quiet.http.get("/games/g/replay", params={"from": 7, "to": 9}, headers=headers)).json()
    assert [frame["version"] for frame in part["frames"]] == [7, 8, 9]
    assert (part["head"], part["next"]) == (1201, None)


async def test_audit_and_export_speak_of_the_same_game(quiet: Door, stage: Stage) -> None:
    table = played("g")
    await stage.show(table)
    report = (await quiet.http.get("/games/g/audit", headers=quiet.auth("audit"))).json()
    assert (report["game"], report["finished"], report["commits"]) == ("g", True, table.version)
    export = await quiet.http.get("/games/g/export", headers=quiet.auth("audit"))
    assert export.headers["content-disposition"] == 'attachment; filename="g.ndjson"'
    assert audit_export(export.content).head == report["head"]


async def test_an_archived_game_is_replayed_audited_and_exported(
    redis_url: str, redis_client: Any, namespace: str, stage: Stage, tmp_path: Path
) -> None:
    table = played("g")
    await stage.show(table)
    export = await export_game(redis_client, namespace, stage.partitions, "g")
    file = tmp_path / archived_name(namespace, stage.partitions, "g")
    file.parent.mkdir(parents=True)
    file.write_bytes(export)
    async with open_door(redis_url, namespace, settings={"archive": str(tmp_path)}) as door:
        before = await door.http.get("/games/g/replay", headers=door.auth("seat", "g", seat=1))
        await redis_client.delete(stage.keys("g").log("g"), stage.keys("g").view("g"))
        after = await door.http.get("/games/g/replay", headers=door.auth("seat", "g", seat=1))
        assert after.content == before.content
        held = await door.http.get("/games/g/replay", headers=door.auth("watch", "g", delay_commits=4))
        assert held.json()["head"] == table.version - 4
        assert (await door.http.get("/games/g/export", headers=door.auth("audit"))).content == export
        assert (await door.http.get("/games/g/audit", headers=door.auth("audit"))).json()["finished"]
        for path in ("view", "events"):
            gone = await door.http.get(f"/games/g/{path}", headers=door.auth("audit"))
            assert (gone.status_code, gone.json()["code"]) == (404, "unknown_game")


async def test_views_are_the_stored_ones_and_the_log_s_when_none_is_stored(quiet: Door, stage: Stage) -> None:
    table = played("g", moves=5)
    await stage.show(table)
    path = "/games/g/view"
    stored = {
        viewer: (await quiet.http.get(path, params={"as": viewer}, headers=quiet.auth("audit"))).content
        for viewer in ("table", "seat:0", "seat:1", "seat:2")
    }
    await stage.redis.delete(stage.keys("g").view("g"))
    for viewer, body in stored.items():
        answer = await quiet.http.get(path, params={"as": viewer}, headers=quiet.auth("audit"))
        assert answer.content == body
    assert json.loads(stored["seat:2"])["hand"] == json.loads(json.dumps(_plain(table.view(2).hand)))


def _plain(value: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


@pytest.mark.parametrize("path", ["view", "events", "replay", "audit", "export"])
async def test_a_game_that_is_not_there(quiet: Door, path: str) -> None:
    for game in ("nowhere", "no%20id", "x" * 65):
        answer = await quiet.http.get(f"/games/{game}/{path}", headers=quiet.auth("audit"))
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_game")


@pytest.mark.parametrize("path", ["view", "events", "replay"])
async def test_seats_and_viewers_that_are_not_there(quiet: Door, stage: Stage, path: str) -> None:
    await stage.show(waiting_table("g"))
    for viewer, status, code in (
        ("seat:9", 404, "not_seated"),
        ("me", 400, "malformed"),
        ("seat:-1", 400, "malformed"),
    ):
        answer = await quiet.http.get(f"/games/g/{path}", params={"as": viewer}, headers=quiet.auth("audit"))
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    answer = await quiet.http.get(f"/games/g/{path}", headers=quiet.auth("seat", "g", seat=9))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_seated")


async def test_bad_places_to_go_on_from(quiet: Door, stage: Stage) -> None:
    await stage.show(waiting_table("g"))
    for bad in ("x", "-1", "1.5", "9" * 30):
        headers = quiet.auth("watch", "g") | {"Last-Event-ID": bad}
        answer = await quiet.http.get("/games/g/events", headers=headers)
        assert (answer.status_code, answer.json()["path"]) == (400, "Last-Event-ID")


# What anybody may ask, and the service behind


async def test_rulesets_say_what_a_form_needs(quiet: Door) -> None:
    rulesets = {one["name"]: one for one in (await quiet.http.get("/rulesets")).json()}
    assert rulesets["perudo"]["seats"] == [2, 6]
    assert rulesets["perudo"]["options"]["properties"]["dice_per_player"]["type"] == "integer"
    assert {"random", "steady"} & set(rulesets["perudo"]["bots"])


async def test_health_tells_a_live_gateway_from_a_ready_one() -> None:
    with RedisServer() as server:
        async with open_door(server.url, "fresh") as door:
            assert (await door.http.get("/health/live")).status_code == 200
            await Stage(_client(server), "fresh").open()
            assert (await door.http.get("/health/ready")).json()["status"] == "ok"
            server.stop()
            answer = await door.http.get("/health/ready")
            assert (answer.status_code, answer.json()["code"]) == (503, "unreachable")
            assert answer.headers["retry-after"]
            assert (await door.http.get("/health/live")).status_code == 200
            # Without Redis nobody knows whether a token was revoked: no token is good.
            assert (await door.http.get("/token", headers=door.auth("host"))).status_code == 503
            server.start()

            async def ready() -> bool:
                return (await door.http.get("/health/ready")).status_code == 200

            await eventually("the gateway to be ready again", ready)
            assert (await door.http.get("/token", headers=door.auth("host"))).status_code == 200


def _client(server: RedisServer) -> Any:
    import redis.asyncio

    return redis.asyncio.Redis.from_url(server.url)


async def test_a_service_that_does_not_answer_is_said_to_be_slow(
    quiet: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal_gateway.gateway.COMMAND_S", 0.2)
    answer = await quiet.http.post("/games", json=perudo(), headers=quiet.auth("host"))
    assert (answer.status_code, answer.json()["code"]) == (503, "timeout")
    assert "Idempotency-Key" in answer.json()["detail"]


async def test_operations_show_the_deployment(door: Door, redis_client: Any) -> None:
    await created(door, "operated")
    look = (await door.http.get("/operations", headers=door.auth("host"))).json()
    assert look["deployment"]["namespace"] == NAMESPACE
    assert len(look["partitions"]) == 8
    assert sum(sample["count"] for sample in look["latency"]) >= 1
    assert look["latency"][-1].keys() == {"at", "p50", "p90", "p99", "count"}
    again = (await door.http.get("/operations", headers=door.auth("host"))).json()
    assert [rate["partition"] for rate in again["rates"]] == list(range(8))
    text = json.dumps(look)
    assert "secret for tests" not in text
    assert "token" not in text


async def test_dead_letters_are_shown_without_what_they_said(quiet: Door, stage: Stage) -> None:
    body = b'{"id":"c","game":"g","seat":0,"action":{"type":"perudo.bid","quantity":3,"face":5}}'
    fields = {"__data__": body, "entry": "5-0", "reason": "crashed", "incident": "abc", "error": "hidden"}
    await stage.redis.xadd(stage.keys("g").dead, fields)
    look = await quiet.http.get("/operations", headers=quiet.auth("host"))
    (letter,) = look.json()["dead"]
    assert (letter["game"], letter["entry"], letter["reason"], letter["incident"]) == (
        "g",
        "5-0",
        "crashed",
        "abc",
    )
    assert "hidden" not in look.text
    assert "quantity" not in look.text


async def test_other_addresses_and_methods(quiet: Door) -> None:
    nothing = await quiet.http.get("/nothing")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "not_found")
    wrong = await quiet.http.put("/games")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method_not_allowed")
    assert set(wrong.headers["allow"].split(", ")) >= {"GET", "POST"}


# Pages and headers


async def test_the_page_is_served_with_tags_and_compressed(quiet: Door) -> None:
    plain = await quiet.http.get("/", headers={"Accept-Encoding": "identity"})
    assert plain.headers["content-type"].startswith("text/html")
    for coding in ("br", "gzip"):
        packed = await quiet.http.get("/", headers={"Accept-Encoding": coding})
        assert packed.headers["content-encoding"] == coding
        assert packed.headers["etag"] != plain.headers["etag"]
    again = await quiet.http.get(
        "/", headers={"If-None-Match": plain.headers["etag"], "Accept-Encoding": "identity"}
    )
    assert (again.status_code, again.content) == (304, b"")
    style = await quiet.http.get("/web/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert style.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/web/../pages.py",
        "/web/%2e%2e/pages.py",
        "/web/..%2fpages.py",
        "/web/",
        "/web/x",
        "/web/%00.js",
        f"/web/{'a' * 300}.js",
    ],
)
async def test_nothing_but_the_page_s_files_is_served(quiet: Door, path: str) -> None:
    answer = await quiet.http.get(path)
    assert answer.status_code == 404


async def test_the_page_may_be_asked_for_without_its_content(quiet: Door) -> None:
    for path in ("/", "/web/main.js"):
        whole, head = await quiet.http.get(path), await quiet.http.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == whole.headers["etag"]
        assert head.headers["content-length"] == whole.headers["content-length"]


async def test_a_coding_that_is_refused_is_not_sent(quiet: Door) -> None:
    answer = await quiet.http.get("/", headers={"Accept-Encoding": "br; q=0, gzip;q=0.0, identity"})
    assert "content-encoding" not in answer.headers
    answer = await quiet.http.get("/", headers={"Accept-Encoding": "br;q=0, gzip;q=0.5"})
    assert answer.headers["content-encoding"] == "gzip"


async def test_every_answer_has_security_headers(quiet: Door) -> None:
    for path in ("/", "/web/style.css", "/token", "/rulesets", "/nothing", "/openapi.json"):
        headers = (await quiet.http.get(path)).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
    assert (await quiet.http.get("/token", headers=quiet.auth("host"))).headers["cache-control"] == "no-store"


async def test_other_origins_may_ask_only_when_they_are_named(
    redis_url: str, namespace: str, quiet: Door
) -> None:
    ask = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"}
    ask["Access-Control-Request-Headers"] = "authorization,idempotency-key"
    refused = await quiet.http.options("/games", headers=ask)
    assert "access-control-allow-origin" not in refused.headers
    async with open_door(redis_url, namespace, cors="https://shop.example, https://other.example") as door:
        allowed = await door.http.options("/games", headers=ask)
        assert allowed.headers["access-control-allow-origin"] == "https://shop.example"
        assert "idempotency-key" in allowed.headers["access-control-allow-headers"].lower()
        answer = await door.http.get("/rulesets", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers


# The README


async def test_the_readme_s_snippet_plays(redis_url: str, redis_client: Any, namespace: str) -> None:
    assert same_snippets(ROOT / "services/fairdeal_gateway/README.md") == ["tests/snippets/gateway.py"]
    with Worker(redis_url, namespace, "rules", "views"):
        await serving(redis_client, namespace, "views")
        async with open_door(redis_url, namespace) as door:
            environment = os.environ | {
                "FAIRDEAL_GATEWAY": door.base,
                "FAIRDEAL_HOST_TOKEN": door.mint("host").token,
            }
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "tests/snippets/gateway.py"),
                cwd=ROOT,
                env=environment,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            said = (await asyncio.wait_for(process.communicate(), 60))[0].decode()
    assert process.returncode == 0, said
    assert said.startswith('data: {"version":')
    assert "200 {'command':" in said
