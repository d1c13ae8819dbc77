"""Reading logs: many games from any version on in one round trip, and finding a partition's games."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from redis.asyncio import RedisCluster

from fairdeal.wire import Keys

Body = tuple[int, bytes, bytes]
"""A commit as the log holds it: its version, its JSON bytes, its chain hash in hex."""


async def read_logs(redis: Any, keys: Keys, after: Mapping[str, int], page: int) -> dict[str, list[Body]]:
    """The next commits, `page` at most, of each game after the version given for it, in one round trip.

    Games of one partition; one that has nothing newer is left out. Raises redis.exceptions.RedisError.
    """
    if not after:
        return {}
    answer = await redis.execute_command(
        "XREAD",
        "COUNT",
        page,
        "STREAMS",
        *map(keys.log, after),
        *(f"{version}-0" for version in after.values()),
        **await _at_node(redis, keys),
    )
    start = len(keys.log(""))
    return {
        key[start:].decode(): [
            (int(id.partition(b"-")[0]), fields.get(b"c", b""), fields.get(b"h", b""))
            for id, fields in entries
        ]
        for key, entries in answer or ()
    }


async def read_log(redis: Any, keys: Keys, game: str, page: int = 256) -> list[Body]:
    """The whole log of one game, oldest first; empty when there is no such game."""
    log: list[Body] = []
    while True:
        after = log[-1][0] if log else 0
        more = (await read_logs(redis, keys, {game: after}, page)).get(game, [])
        log += more
        if len(more) < page or more[-1][0] <= after:
            return log


async def scan_logs(redis: Any, keys: Keys, cursor: int, count: int) -> tuple[int, list[str]]:
    """A slice of the partition's games, `count` keys of the server looked at; the next cursor, 0 at the end.

    A game may come twice; one that was there all the time comes. Raises redis.exceptions.RedisError.
    """
    pattern = keys.log("*")
    answer = await redis.execute_command(
        "SCAN", cursor, "MATCH", pattern, "COUNT", count, "TYPE", "stream", **await _at_node(redis, keys)
    )
    following, found = answer
    if isinstance(following, dict):
        (following,) = following.values()
    start = len(keys.log(""))
    return int(following), [key[start:].decode() for key in found]


async def all_games(redis: Any, keys: Keys) -> AsyncIterator[Sequence[str]]:
    """All games of a partition that have a log, slice by slice, each game once."""
    cursor, seen = 0, set[str]()
    while True:
        cursor, found = await scan_logs(redis, keys, cursor, 1000)
        fresh = sorted(set(found) - seen)
        seen.update(fresh)
        if fresh:
            yield fresh
        if cursor == 0:
            return


async def answers(pipeline: Any) -> list[Any]:
    """The answers, with an error in its place where a key of one game is of the wrong type."""
    answers: list[Any] = await pipeline.execute(raise_on_error=False)
    for answer in answers:
        if isinstance(answer, Exception) and not str(answer).startswith("WRONGTYPE"):
            raise answer
    return answers


async def _at_node(redis: Any, keys: Keys) -> dict[str, Any]:
    """Where in a Cluster this partition lives: named here, so that the client need not ask the server."""
    if isinstance(redis, RedisCluster):
        await redis.initialize()
        return {"target_nodes": redis.get_node_from_key(keys.doorbell)}
    return {}
