"""Real worker processes, killed at any instant: nothing lost, nothing doubled, nothing reordered."""

import asyncio
import itertools
import os
import random
import time
from typing import Any

import msgspec
import pytest

from fairdeal.codec import decode_commit
from fairdeal.commit import GENESIS, chain
from fairdeal.connect import connect
from fairdeal.wire import BODY, Keys, partition_of
from fairdeal_audit import audit_log
from redis_server import RedisServer
from support.load import Player, Post
from support.workers import Worker, eventually, serving

LEASE_MS = 600
SECONDS = float(os.environ.get("FAIRDEAL_TEST_CHAOS_SECONDS", "8"))
"""How long the long test kills workers; the default keeps the whole run short."""


async def log_of(client: Any, namespace: str, game: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
    keys = Keys(namespace, partition_of(game, 8))
    log: list[tuple[bytes, dict[bytes, bytes]]] = await client.xrange(keys.log(game))
    return log


def check_log(game: str, log: list[tuple[bytes, dict[bytes, bytes]]]) -> list[str]:
    """Gapless, chained, entries rising; returns the ids of its commands in order."""
    hash, entry, ids = GENESIS, (0, 0), []
    for version, (id, fields) in enumerate(log, 1):
        assert id == b"%d-0" % version, f"{game}: {id!r} where version {version} was due"
        hash = chain(hash, fields[b"c"])
        assert fields[b"h"].decode() == hash.hex(), f"{game}: the chain breaks at version {version}"
        commit = decode_commit(fields[b"c"])
        at = tuple(map(int, commit.entry.split("-")))
        assert at > entry, f"{game}: version {version} is of an earlier entry than the one before"
        entry = at  # type: ignore[assignment]
        ids.append(commit.command.id)
    return ids


async def holders(client: Any, namespace: str) -> set[bytes]:
    """The workers that hold leases now."""
    return {await client.get(Keys(namespace, p).lease("rules")) for p in range(8)} - {None}


async def both_hold(client: Any, namespace: str) -> bool:
    return len(await holders(client, namespace)) == 2


async def test_ten_times_the_same_command_before_and_after_its_worker_was_killed(
    redis_client: Any, redis_url: str, namespace: str
) -> None:
    game = "again"
    async with Post(redis_client, namespace) as post:
        keys = post.keys(game)
        action = {"type": "game.create", "ruleset": "perudo", "players": [{"id": "a"}, {"id": "b"}]}
        body = msgspec.json.encode({"id": "once", "game": game, "reply_to": post.name, "action": action})
        other = body.replace(b'{"id":"b"}', b'{"id":"c"}')
        with Worker(redis_url, namespace, "rules", lease_ms=LEASE_MS) as first:
            await serving(redis_client, namespace, "rules")
            for _ in range(5):
                await redis_client.xadd(keys.commands, {BODY: body})
            await eventually("the first receipt", lambda: redis_client.exists(keys.receipts(game)))
            first.kill()
        with Worker(redis_url, namespace, "rules", lease_ms=LEASE_MS):
            for sent in (body, body, body, body, other):
                await redis_client.xadd(keys.commands, {BODY: sent})

            async def ten() -> bool:
                return len(post.receipts.get((game, "once"), [])) == 10

            await eventually("ten receipts", ten)
        assert set(post.receipts[(game, "once")]) == {
            b'{"command":"once","game":"again","status":"accepted","version":1}'
        }
        log = await log_of(redis_client, namespace, game)
        assert len(log) == 1
        assert b'{"id":"b"}' in log[0][1][b"c"]


async def test_garbage_does_not_hold_up_the_next_command(
    redis_client: Any, redis_url: str, namespace: str
) -> None:
    noise = random.Random(7)
    garbage = [
        noise.randbytes(5000),
        b'{"id":"g","game":"sane","action":' + b"[" * 200_000,
        b'{"a":' * 100_000,
        b"x" * 10_000_000,
        b'{"id":"g2","game":"nobody","seat":0,"action":{"type":"perudo.dudo"}}',
        b"\x89BIN\x0d\x0a\x1a\x0a\x00\x01\xff\xff",
    ]
    async with Post(redis_client, namespace, resend_s=30) as post:
        with Worker(redis_url, namespace, "rules") as worker:
            await serving(redis_client, namespace, "rules")
            for number, body in enumerate(garbage):
                await redis_client.xadd(post.keys("sane").commands, {BODY: body})
                action = {"type": "game.create", "ruleset": "perudo", "players": [{"id": "a"}, {"id": "b"}]}
                receipt = await post.send("sane", None, action, id=f"after-{number}")
                assert receipt.status in ("accepted", "rejected")
            assert worker.alive
        assert len(await log_of(redis_client, namespace, "sane")) == 1


async def test_a_clean_stop_hands_over_without_waiting_for_the_lease(
    redis_client: Any, redis_url: str, namespace: str
) -> None:
    async with Post(redis_client, namespace) as post:
        with (
            Worker(redis_url, namespace, "rules", lease_ms=60_000) as first,
            Worker(redis_url, namespace, "rules", lease_ms=60_000) as second,
        ):
            await eventually("both workers to hold leases", lambda: both_hold(redis_client, namespace))
            assert first.stop() == 0
            held = await holders(redis_client, namespace)
            assert not any(str(first.process.pid).encode() in holder.split(b"-") for holder in held)
            await serving(redis_client, namespace, "rules")
            assert second.alive
        assert post.receipts == {}


async def test_two_workers_one_killed_again_and_again_under_load(namespace: str) -> None:
    """200 games to their end; a worker is killed again and again, and another started in its place."""
    with RedisServer(appendonly=True) as server:
        client = connect(server.url)
        workers = [Worker(server.url, namespace, "rules", lease_ms=LEASE_MS) for _ in range(2)]
        try:
            await serving(client, namespace, "rules")
            async with Post(client, namespace) as post:
                players = [Player(post, f"chaos{n}", 2 + n % 5, seed=n, dice=2) for n in range(200)]
                playing = asyncio.gather(*(player.play() for player in players))
                began = time.monotonic()
                for number in itertools.count():
                    await asyncio.sleep(1)
                    # A worker that has not begun yet would teach nothing, however slowly this machine starts it.
                    await eventually("both workers to hold leases", lambda: both_hold(client, namespace), 60)
                    workers[number % 2].remove()
                    if time.monotonic() - began > SECONDS and number >= 3:
                        break
                    workers[number % 2] = Worker(server.url, namespace, "rules", lease_ms=LEASE_MS)
                await asyncio.wait_for(playing, 180)
                for player in players:
                    log = await log_of(client, namespace, player.game)
                    ids = check_log(player.game, log)
                    assert ids == post.sent[player.game], f"{player.game}: lost, doubled or reordered"
                    receipts = await client.hgetall(post.keys(player.game).receipts(player.game))
                    assert receipts == {id.encode(): b"%d" % n for n, id in enumerate(ids, 1)}
                    assert audit_log(
                        [(n, f[b"h"].decode(), f[b"c"]) for n, (_, f) in enumerate(log, 1)]
                    ).clean
                for answers in post.receipts.values():
                    assert len(set(answers)) == 1
        finally:
            for worker in workers:
                worker.remove()
            await client.aclose()


@pytest.mark.parametrize("attempt", range(3))
async def test_a_killed_workers_partitions_are_served_again_in_time(
    redis_client: Any, redis_url: str, namespace: str, attempt: int
) -> None:
    async with Post(redis_client, namespace, resend_s=30) as post:
        with Worker(redis_url, namespace, "rules", lease_ms=LEASE_MS) as first:
            await serving(redis_client, namespace, "rules")
            with Worker(redis_url, namespace, "rules", lease_ms=LEASE_MS) as second:
                await eventually("both workers to hold leases", lambda: both_hold(redis_client, namespace))
                (first if attempt % 2 else second).kill()
                action = {"type": "game.create", "ruleset": "perudo", "players": [{"id": "a"}, {"id": "b"}]}
                receipts = await asyncio.wait_for(
                    asyncio.gather(*(post.send(f"game{n}", None, action) for n in range(24))), 15
                )
                assert all(receipt.status == "accepted" for receipt in receipts)
