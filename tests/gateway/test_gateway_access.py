"""Who may ask what: each scope against each request, and tokens that are missing, bad, late, taken back or too busy."""

import asyncio
import json
import logging
import sys
from time import time
from typing import Any, Final

import jwt
import pytest
import websockets
from redis.exceptions import ResponseError

import fairdeal_gateway.watching
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.limits import Limits
from fairdeal_gateway.openapi import paths
from fairdeal_gateway.problems import Refused
from fairdeal_gateway.settings import gateway_settings_from
from fairdeal_gateway.tokens import Mint, TokenRequest
from fairdeal_worker.logs import configure_logs
from fairdeal_worker.settings import BadSettings, Settings
from support.following import played
from support.gateway import TOKEN_SECRET, Door, Stage, bearer, next_of, open_door, soon


@pytest.fixture
async def stage(stage: Stage) -> Stage:
    await stage.show(played("g", moves=3))
    await stage.show(played("other", moves=3))
    return stage


@pytest.fixture
def door(door: Door, monkeypatch: pytest.MonkeyPatch) -> Door:
    monkeypatch.setattr("fairdeal_gateway.gateway.COMMAND_S", 0.05)
    return door


TOKENS: Final[dict[str, dict[str, Any]]] = {
    "host": {"scope": "host"},
    "host of g": {"scope": "host", "game": "g"},
    "seat 0": {"scope": "seat", "game": "g", "seat": 0},
    "watch": {"scope": "watch"},
    "watch g": {"scope": "watch", "game": "g"},
    "audit": {"scope": "audit"},
    "audit g": {"scope": "audit", "game": "g"},
}
"""Every kind of token; those for one game are for `g`."""

ALL: Final = frozenset(TOKENS)
HOSTS: Final = frozenset({"host", "host of g"})
AUDITS: Final = frozenset({"audit", "audit g"})
FREE: Final = frozenset({"host", "watch", "audit"})
"""Those that are for all games."""

ACTION: Final = {"action": {"type": "game.resign"}}
GAME: Final = {"ruleset": "perudo", "players": [{"id": "a"}, {"id": "b"}]}

WHO_MAY: Final[list[tuple[str, str, Any, frozenset[str]]]] = [
    ("POST", "/games", GAME, HOSTS),
    ("POST", "/games", GAME | {"game": "g"}, HOSTS),
    ("POST", "/games", GAME | {"game": "new"}, frozenset({"host"})),
    ("GET", "/games", None, frozenset({"host", "audit"})),
    ("POST", "/games/g/commands", ACTION, HOSTS | {"seat 0"}),
    ("POST", "/games/other/commands", ACTION, frozenset({"host"})),
    ("GET", "/games/g/view", None, ALL),
    ("GET", "/games/g/view?as=table", None, ALL),
    ("GET", "/games/g/view?as=seat:0", None, AUDITS | {"seat 0"}),
    ("GET", "/games/g/view?as=seat:1", None, AUDITS),
    ("GET", "/games/other/view", None, FREE),
    ("GET", "/games/g/events", None, ALL),
    ("GET", "/games/g/events?as=seat:0", None, AUDITS | {"seat 0"}),
    ("GET", "/games/g/events?as=seat:1", None, AUDITS),
    ("GET", "/games/g/events?as=audit", None, AUDITS),
    ("GET", "/games/other/events", None, FREE),
    ("GET", "/games/g/replay", None, ALL),
    ("GET", "/games/g/replay?as=seat:0", None, AUDITS | {"seat 0"}),
    ("GET", "/games/g/replay?as=seat:1", None, AUDITS),
    ("GET", "/games/g/replay?as=audit", None, AUDITS),
    ("GET", "/games/other/replay", None, FREE),
    ("GET", "/games/g/audit", None, AUDITS),
    ("GET", "/games/other/audit", None, frozenset({"audit"})),
    ("GET", "/games/g/export", None, AUDITS),
    ("GET", "/games/other/export", None, frozenset({"audit"})),
    ("POST", "/tokens", {"scope": "watch"}, frozenset({"host"})),
    ("POST", "/tokens", {"scope": "watch", "game": "g"}, HOSTS),
    ("POST", "/tokens", {"scope": "seat", "game": "other", "seat": 0}, frozenset({"host"})),
    ("DELETE", "/tokens/xyz", None, HOSTS),
    ("GET", "/token", None, ALL),
    ("GET", "/operations", None, frozenset({"host"})),
]
OPEN: Final = ("/rulesets", "/health/live", "/health/ready", "/openapi.json", "/", "/web/style.css")


async def ask(door: Door, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, str]:
    """The status and, for a problem, its code; of a stream only how it begins."""
    content = None if body is None else json.dumps(body).encode()
    async with door.http.stream(method, path, content=content, headers=headers) as answer:
        if answer.headers.get("content-type") == "application/problem+json":
            problem = json.loads(await answer.aread())
            return answer.status_code, problem["code"]
        return answer.status_code, ""


def _name(value: object) -> str:
    """A name that every process makes alike: sets are in no order."""
    return ",".join(sorted(value)) if isinstance(value, frozenset) else str(value)[:40]


@pytest.mark.parametrize(("method", "path", "body", "allowed"), WHO_MAY, ids=_name)
async def test_who_may_what(door: Door, method: str, path: str, body: Any, allowed: frozenset[str]) -> None:
    for name, wanted in TOKENS.items():
        status, code = await ask(door, method, path, body, door.auth(**wanted))
        if name in allowed:
            assert status in (200, 201, 204, 503), f"{name}: {status} {code}"
            assert (status == 503) == (code == "timeout"), f"{name}: {code}"
        else:
            assert (status, code) == (403, "not_allowed"), name
    assert await ask(door, method, path, body, {}) == (401, "no_token")


async def test_the_table_above_has_every_request() -> None:
    asked = {(method, _pattern(path)) for method, path, _, _ in WHO_MAY} | {("GET", path) for path in OPEN}
    assert set(paths()) <= asked


def _pattern(path: str) -> str:
    parts = path.partition("?")[0].split("/")
    if len(parts) > 2 and parts[1] in ("games", "tokens"):
        parts[2] = {"games": "{game}", "tokens": "{id}"}[parts[1]]
    return "/".join(parts)


@pytest.mark.parametrize("path", OPEN)
async def test_what_anybody_may_ask(door: Door, path: str) -> None:
    assert (await ask(door, "GET", path, None, {}))[0] == 200


@pytest.mark.parametrize("name", TOKENS)
async def test_the_socket_lets_in_whom_the_stream_does(door: Door, name: str) -> None:
    for game, viewer in (
        ("g", "table"),
        ("g", "seat:0"),
        ("g", "seat:1"),
        ("g", "audit"),
        ("other", "table"),
    ):
        wanted = TOKENS[name]
        status, _ = await ask(door, "GET", f"/games/{game}/events?as={viewer}", None, door.auth(**wanted))
        async with door.socket(game, door.mint(**wanted).token, **{"as": viewer}) as socket:
            said = json.loads(await soon("the first message", socket.recv()))
            assert (said["type"] == "frame") == (status == 200), (game, viewer)
            if status == 403:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await soon("the close", socket.recv())
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4403


@pytest.mark.parametrize("name", ["watch", "audit"])
async def test_only_seats_and_hosts_command_over_the_socket(door: Door, name: str) -> None:
    async with door.socket("g", door.mint(**TOKENS[name]).token) as socket:
        await soon("the first frame", socket.recv())
        await socket.send(json.dumps({"type": "command", "id": "c", **ACTION}))
        said = json.loads(await soon("the answer", socket.recv()))
        assert said["problem"]["code"] == "not_allowed"
        assert said["command"] == "c"


# Tokens that are not good


def signed(secret: str = TOKEN_SECRET, algorithm: str = "HS256", **change: Any) -> str:
    claims = {"jti": "j", "exp": int(time()) + 60, "scope": "watch", "ns": "set below"} | change
    return jwt.encode({k: v for k, v in claims.items() if v is not None}, secret, algorithm=algorithm)


async def test_bad_tokens_are_told_apart_from_late_ones(door: Door, namespace: str) -> None:
    good = signed(ns=namespace)
    assert (await ask(door, "GET", "/token", None, bearer(good)))[0] == 200
    head, payload, signature = good.split(".")
    bad = {
        "another secret": signed("another secret that is long enough", ns=namespace),
        "another deployment": signed(ns="another"),
        "no signature": f"{head}.{payload}.",
        "a changed one": f"{head}.{payload}.{signature[:-2]}xx",
        "none at all": jwt.encode({"jti": "j", "exp": 2**40, "scope": "host", "ns": namespace}, None, "none"),
        "another algorithm": signed(TOKEN_SECRET * 2, "HS512", ns=namespace),
        "no end": signed(ns=namespace, exp=None),
        "no id": signed(ns=namespace, jti=None),
        "an unknown scope": signed(ns=namespace, scope="root"),
        "nonsense": "nonsense",
    }
    for name, token in bad.items():
        assert await ask(door, "GET", "/token", None, bearer(token)) == (401, "bad_token"), name
    late = signed(ns=namespace, exp=int(time()) - 1)
    assert await ask(door, "GET", "/token", None, bearer(late)) == (401, "expired_token")
    for header in ("Basic abc", "Bearer", "Bearer,"):
        assert (await ask(door, "GET", "/token", None, {"Authorization": header}))[1] == "bad_token"


async def test_a_token_in_the_url_is_no_token(door: Door) -> None:
    token = door.mint("host").token
    for path in (
        f"/token?token={token}",
        f"/token?access_token={token}",
        f"/games?authorization=Bearer%20{token}",
    ):
        assert await ask(door, "GET", path, None, {}) == (401, "no_token")


async def test_a_host_mints_tokens_for_others(door: Door) -> None:
    wanted = {"scope": "watch", "game": "g", "expires_s": 60, "delay_commits": 2, "delay_s": 1}
    minted = (await door.http.post("/tokens", json=wanted, headers=door.auth("host"))).json()
    info = (await door.http.get("/token", headers=bearer(minted["token"]))).json()
    assert info == {
        "scope": "watch",
        "game": "g",
        "seat": None,
        "expires_at": minted["expires_at"],
        "delay_commits": 2,
        "delay_s": 1,
    }
    assert abs(info["expires_at"] / 1000 - time() - 60) < 5


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"scope": "host"}, 400),
        ({"scope": "seat"}, 422),
        ({"scope": "seat", "game": "g"}, 422),
        ({"scope": "watch", "seat": 0}, 422),
        ({"scope": "audit", "delay_commits": 1}, 422),
        ({"scope": "watch", "expires_s": 10**9}, 422),
        ({"scope": "watch", "expires_s": 0}, 400),
        ({"scope": "watch", "delay_s": -1}, 400),
        ({"scope": "watch", "surprise": 1}, 400),
    ],
)
async def test_tokens_that_make_no_sense(door: Door, wanted: dict[str, Any], status: int) -> None:
    answer = await door.http.post("/tokens", json=wanted, headers=door.auth("host"))
    assert answer.status_code == status


async def test_a_stream_ends_when_its_token_does(door: Door) -> None:
    token = door.mint("watch", "g", expires_s=1).token
    async with door.events("g", bearer(token)) as messages, door.socket("g", token) as socket:
        await next_of(messages)
        await soon("the first frame", socket.recv())
        last = await next_of(messages, "the token's end")
        assert (last["event"], last["data"]) == ("dropped", {"code": "expired_token"})
        assert json.loads(await soon("the end", socket.recv())) == {
            "type": "dropped",
            "code": "expired_token",
        }
    assert await ask(door, "GET", "/token", None, bearer(token)) == (401, "expired_token")


async def test_a_revoked_token_is_good_nowhere(
    door: Door, redis_url: str, namespace: str, monkeypatch: pytest.MonkeyPatch, redis_client: Any
) -> None:
    monkeypatch.setattr(fairdeal_gateway.watching, "REVOKED_S", 0.05)
    minted, other = door.mint("seat", "g", seat=0), door.mint("seat", "g", seat=0)
    async with (
        open_door(redis_url, namespace) as second,
        second.events("g", bearer(minted.token)) as far,
        door.events("g", bearer(minted.token)) as near,
        door.events("g", bearer(other.token)) as spared,
    ):
        for messages in (far, near, spared):
            await next_of(messages)
        answer = await door.http.delete(f"/tokens/{minted.id}", headers=door.auth("host"))
        assert (answer.status_code, answer.content) == (204, b"")
        for messages in (near, far):
            assert (await next_of(messages))["data"] == {"code": "revoked_token"}
        for one in (door, second):
            assert await ask(one, "GET", "/token", None, bearer(minted.token)) == (401, "revoked_token")
            assert (await ask(one, "GET", "/token", None, bearer(other.token)))[0] == 200
    (kept,) = await redis_client.zrange(f"{namespace}:revoked", 0, -1, withscores=True)
    assert kept[0].decode() == minted.id
    assert kept[1] * 1000 >= minted.expires_at


# Rates


async def test_a_token_that_asks_too_much_is_told_when_to_come_again(
    redis_url: str, namespace: str, stage: Stage
) -> None:
    async with open_door(redis_url, namespace, rate=1, rate_burst=3) as door:
        busy, calm = door.auth("host"), door.auth("host")
        statuses = [(await ask(door, "GET", "/token", None, busy))[0] for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        answer = await door.http.get("/token", headers=busy)
        assert answer.json()["code"] == "too_many_requests"
        assert int(answer.headers["retry-after"]) >= 1
        assert (await ask(door, "GET", "/token", None, calm))[0] == 200
        token = door.mint("seat", "g", seat=0).token
        async with door.socket("g", token) as socket:
            await soon("the first frame", socket.recv())
            for _ in range(3):
                await socket.send("{}")
            codes = [json.loads(await soon("an answer", socket.recv()))["problem"]["code"] for _ in range(3)]
            assert codes[-1] == "too_many_requests"


def test_a_bucket_fills_again_as_time_goes_by() -> None:
    now = 0.0
    limits = Limits(2, 4, lambda: now)
    for _ in range(4):
        limits.take("a")
    with pytest.raises(Refused) as refused:
        limits.take("a", 3)
    assert refused.value.retry_s == 2
    now = 1.5
    limits.take("a", 3)
    with pytest.raises(Refused):
        limits.take("a")
    now = 1000.0
    limits.take("a", 100)  # no request costs more than a full bucket
    with pytest.raises(Refused):
        limits.take("a")


async def test_there_are_no_more_streams_than_allowed(redis_url: str, namespace: str, stage: Stage) -> None:
    async with open_door(redis_url, namespace, streams=1) as door:
        async with door.events("g", door.auth("watch")) as messages:
            await next_of(messages)
            assert await ask(door, "GET", "/games/g/events", None, door.auth("watch")) == (503, "busy")
        for _ in range(200):
            if door.gateway.watching.count == 0:
                break
            await asyncio.sleep(0.02)
        assert (await ask(door, "GET", "/games/g/events", None, door.auth("watch")))[0] == 200


async def test_a_seat_cannot_take_the_places_of_all_others(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairdeal_gateway.watching, "MOST_OF_A_SEAT", 1)
    seat = door.auth("seat", "g", seat=0)
    async with door.events("g", seat) as messages:
        await next_of(messages)
        assert await ask(door, "GET", "/games/g/events", None, seat) == (429, "too_many_requests")
        async with door.events("g", door.auth("seat", "g", seat=1)) as others:
            await next_of(others)


async def test_revocations_are_looked_up_again_after_any_trouble_of_redis(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = door.gateway.revocations.all, 0

    async def troubled() -> set[str]:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise ResponseError("LOADING")
        return await real()

    monkeypatch.setattr(fairdeal_gateway.watching, "REVOKED_S", 0.05)
    monkeypatch.setattr(door.gateway.revocations, "all", troubled)
    minted = door.mint("watch", "g")
    async with door.events("g", bearer(minted.token)) as messages:
        await next_of(messages)
        await door.gateway.revocations.revoke(minted.id)  # as another gateway would
        assert (await next_of(messages))["data"] == {"code": "revoked_token"}


# Secrets


async def test_no_token_is_ever_logged(
    redis_url: str, namespace: str, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(Settings(log="json", log_level="debug"), sys.stderr)
    logging.getLogger().setLevel(logging.DEBUG)
    for client in ("httpx", "httpcore", "websockets.client"):
        logging.getLogger(client).setLevel(logging.WARNING)  # the test's own
    used: list[str] = []
    async with open_door(redis_url, namespace) as door:
        for scope, game, seat in (
            ("host", None, None),
            ("seat", "g", 0),
            ("watch", "g", None),
            ("audit", None, None),
        ):
            minted = door.mint(scope, game, **({} if seat is None else {"seat": seat}))
            used.append(minted.token)
            for method, path, body, _ in WHO_MAY:
                if "commands" not in path and method != "DELETE" and body != GAME:
                    await ask(door, method, path, body, bearer(minted.token))
            await ask(door, "GET", f"/token?token={minted.token}", None, {})
            await ask(door, "GET", f"/nothing/{minted.token}", None, {})
            async with door.socket("g", minted.token) as socket:
                await soon("the first frame", socket.recv())
            await door.http.post("/tokens", content=minted.token.encode(), headers=bearer(minted.token))
    said = capsys.readouterr().err
    assert '"event": "request"' in said or '"event":"request"' in said
    for token in used:
        for part in token.split("."):
            assert part == token.split(".")[0] or part not in said
    assert TOKEN_SECRET not in said


async def test_the_gateway_takes_no_dealer_s_secret(redis_url: str) -> None:
    with pytest.raises(AssertionError, match="dealer"):
        Gateway(
            Settings(redis_url=redis_url, secret="the dealer's"),
            gateway_settings_from({"FAIRDEAL_TOKEN_SECRET": "x" * 32}),
        )


@pytest.mark.parametrize(
    "environ", [{}, {"FAIRDEAL_TOKEN_SECRET": "short"}, {"FAIRDEAL_TOKEN_SECRET_FILE": "/none"}]
)
def test_a_token_secret_that_is_none(environ: dict[str, str]) -> None:
    with pytest.raises(BadSettings, match="FAIRDEAL_TOKEN_SECRET"):
        gateway_settings_from(environ)


@pytest.mark.parametrize(
    "wanted",
    [
        TokenRequest("watch", delay_commits=100_001),
        TokenRequest("watch", delay_s=10**9),
        TokenRequest("seat", "g", 64),
        TokenRequest("audit", "no game's id"),
    ],
)
def test_what_would_be_refused_as_altered_is_not_signed(wanted: TokenRequest) -> None:
    with pytest.raises(Refused, match="bad_token_request"):
        Mint(TOKEN_SECRET, "one", 100).mint(wanted)


def test_a_minted_token_is_read_by_its_own_mint_alone() -> None:
    minted = Mint(TOKEN_SECRET, "one", 100).mint(TokenRequest("watch", expires_s=100))
    assert Mint(TOKEN_SECRET, "one", 100).read(minted.token).jti == minted.id
    with pytest.raises(Refused):
        Mint(TOKEN_SECRET, "two", 100).read(minted.token)
