"""Projections in real worker processes, killed under load: views and the directory end up as the logs say."""

import asyncio
from typing import Any

import msgspec

from fairdeal.directory import decode_summary, list_games
from fairdeal.wire import BODY, Keys, partition_of
from fairdeal_views.fold import Fold, decode_happened
from fairdeal_views.logs import read_log
from support.workers import Worker, eventually

PARTITIONS = 2
GAMES = 20


async def send(client: Any, namespace: str, game: str, number: int, action: dict[str, Any]) -> None:
    body = msgspec.json.encode({"id": f"c{number}", "game": game, "action": action})
    await client.xadd(Keys(namespace, partition_of(game, PARTITIONS)).commands, {BODY: body})


async def play(client: Any, namespace: str, enough: asyncio.Event) -> int:
    """Games that are opened, reseated until it is enough, and every third called off; how many reseats."""
    names = [f"g{number}" for number in range(GAMES)]
    players = [{"id": "ann"}, {"id": "bob"}]
    opening = {"type": "game.create", "ruleset": "perudo", "players": players, "start": "when_ready"}
    for name in names:
        await send(client, namespace, name, 0, opening)
    turn = 0
    while turn == 0 or not enough.is_set():
        turn += 1
        for name in names:
            await send(
                client, namespace, name, turn, {"type": "game.reseat", "seat": 0, "player": f"p{turn}"}
            )
        await asyncio.sleep(0.05)
    for name in names[::3]:
        await send(client, namespace, name, turn + 1, {"type": "game.cancel", "reason": "enough"})
    return turn


async def doorbells_done(client: Any, namespace: str, role: str) -> int:
    counts = [
        await client.hget(Keys(namespace, partition).position(role), "count")
        for partition in range(PARTITIONS)
    ]
    return sum(int(count or 0) for count in counts)


async def done(client: Any, namespace: str, role: str) -> bool:
    """Whether a role has done every doorbell of the games that were played to their end."""
    for partition in range(PARTITIONS):
        keys = Keys(namespace, partition)
        commands = await client.xinfo_stream(keys.commands)
        if int(await client.hget(keys.position("rules"), "count") or 0) < commands["entries-added"]:
            return False
        bell = await client.xinfo_stream(keys.doorbell)
        if await client.hget(keys.position(role), "entry") != bell["last-generated-id"]:
            return False
    return True


async def test_killed_projections_end_up_as_the_logs_say(
    redis_client: Any, redis_url: str, namespace: str
) -> None:
    settings = {"partitions": PARTITIONS, "lease_ms": 600, "poll_ms": 200}
    with Worker(redis_url, namespace, "rules", **settings):
        enough = asyncio.Event()
        playing = asyncio.create_task(play(redis_client, namespace, enough))
        for victim in range(2):
            before = [await doorbells_done(redis_client, namespace, role) for role in ("views", "replays")]

            async def at_work(before: list[int] = before) -> bool:
                now = [await doorbells_done(redis_client, namespace, role) for role in ("views", "replays")]
                return all(new > old for new, old in zip(now, before, strict=True))

            with Worker(redis_url, namespace, "views", "replays", **settings) as worker:
                await eventually(f"victim {victim} to work in both roles", at_work, 60)
                worker.kill()
        enough.set()
        reseats = await playing
        with Worker(redis_url, namespace, "views", "replays", **settings) as last:
            for role in ("views", "replays"):

                async def all_done(role: str = role) -> bool:
                    return await done(redis_client, namespace, role)

                await eventually(f"{role} to be done", all_done, 60)
            assert last.stop() == 0

    for number in range(GAMES):
        await check(redis_client, namespace, f"g{number}", reseats)
    await check_updates(redis_client, namespace)
    cancelled = await list_games(redis_client, namespace, PARTITIONS, status="cancelled", limit=500)
    assert {summary.game for summary in cancelled.games} == {f"g{number}" for number in range(0, GAMES, 3)}
    seated = await list_games(redis_client, namespace, PARTITIONS, player=f"p{reseats}", limit=500)
    assert len(seated.games) == GAMES
    assert not (await list_games(redis_client, namespace, PARTITIONS, player="ann")).games


async def check(client: Any, namespace: str, game: str, reseats: int) -> None:
    keys = Keys(namespace, partition_of(game, PARTITIONS))
    fold = Fold(game)
    for _, body, _ in await read_log(client, keys, game):
        fold.apply(decode_happened(body))
    assert fold.version >= reseats + 1
    stored = await client.hgetall(keys.view(game))
    parts = {name.encode(): part for name, part in fold.encoded().items()}
    assert stored == {b"version": str(fold.version).encode(), b"fold": fold.fold_tag.encode(), **parts}
    summary = decode_summary(await client.hget(keys.directory, game))
    assert (summary.version, summary.updated_at) == (fold.version, fold.at)


async def check_updates(client: Any, namespace: str) -> None:
    """No game's views were announced twice at one version, or out of order."""
    for partition in range(PARTITIONS):
        announced: dict[bytes, int] = {}
        for _, fields in await client.xrange(Keys(namespace, partition).updates):
            version = int(fields[b"v"])
            assert version > announced.get(fields[b"g"], 0)
            announced[fields[b"g"]] = version
