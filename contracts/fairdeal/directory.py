"""The directory: a summary of every game, and pages of them for a lobby, newest first.

The replays worker keeps it; anybody with a connection may read it. It holds nothing that the viewer `table`
does not see.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

import msgspec

from fairdeal.codec import encode_json
from fairdeal.wire import Keys

Status = Literal["waiting", "playing", "finished", "cancelled"]

MOST: Final = 500
"""The most games of one page."""

SCANNED: Final = 5000
"""How many games one page looks through for a rare combination, about, before it says where to go on."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """One game, in a few words. Times are epoch milliseconds, of the commits.

    `waiting` for its seats, `playing`, `finished` by its rules, or `cancelled` by the host or because not
    every seat came. `winners` and `reason` are the outcome's. An archived game has no log, views or
    receipts in Redis any more.
    """

    game: str
    version: int
    ruleset: str
    status: Status
    players: tuple[str, ...]
    created_at: int
    updated_at: int
    started_at: int | None = None
    finished_at: int | None = None
    winners: tuple[int, ...] | None = None
    reason: str | None = None
    archived: bool = False


class Page(msgspec.Struct, frozen=True):
    """Some games, newest first. `next` is the `before` of the page that follows, null at the end.

    A page that looked through very many games may hold fewer than were asked for and still have a next one.
    """

    games: tuple[Summary, ...]
    next: str | None


decode_summary = msgspec.json.Decoder(Summary).decode
"""A summary from its JSON. Raises msgspec.ValidationError, msgspec.DecodeError."""


def indexes(summary: Summary) -> set[str]:
    """The indexes that a game is found in."""
    return {
        "all",
        f"status:{summary.status}",
        f"ruleset:{ruleset_name(summary.ruleset)}",
        *(f"player:{player}" for player in summary.players),
    }


def ruleset_name(ruleset: str) -> str:
    """`perudo` of `perudo@1`."""
    return ruleset.partition("@")[0]


class BadCursor(ValueError):
    """A `before` that no page ever gave."""


Place = tuple[int, str]
"""Where a game stands in the directory's order: created ms, then its id."""


async def list_games(
    redis: Any,
    namespace: str,
    partitions: int,
    status: Status | None = None,
    ruleset: str | None = None,
    player: str | None = None,
    limit: int = 50,
    before: str | None = None,
) -> Page:
    """A page of games, newest first, that fit all of the filters given.

    `before` is the `next` of the page before; games made meanwhile do not shift it. `redis` is an asyncio
    client, plain or Cluster. Raises `BadCursor`, ValueError for a limit outside 1 to 500,
    redis.exceptions.RedisError.
    """
    if not 1 <= limit <= MOST:
        raise ValueError(f"limit is {limit}; a page holds 1 to {MOST} games")
    place = None if before is None else _place(before)
    if ruleset is not None:
        ruleset = ruleset_name(ruleset)
    shards = [Keys(namespace, partition) for partition in range(partitions)]
    index = _narrowest(status, ruleset, player)
    found: list[Summary] = []
    scanned = 0
    while scanned < SCANNED:
        places = await _places(redis, shards, index, place, limit + 1)
        for summary in await _summaries(redis, shards, places):
            if _fits(summary, status, ruleset, player):
                found.append(summary)
            if len(found) > limit:
                return Page(
                    tuple(found[:limit]), _cursor((found[limit - 1].created_at, found[limit - 1].game))
                )
        if len(places) <= limit:
            return Page(tuple(found), None)
        place = places[-1][0]
        scanned += len(places)
    assert place is not None
    return Page(tuple(found), _cursor(place))


def _narrowest(status: str | None, ruleset: str | None, player: str | None) -> str:
    if player is not None:
        return f"player:{player}"
    if status in ("waiting", "playing"):
        return f"status:{status}"
    if ruleset is not None:
        return f"ruleset:{ruleset}"
    return f"status:{status}" if status else "all"


def _fits(summary: Summary, status: str | None, ruleset: str | None, player: str | None) -> bool:
    return (
        (status is None or summary.status == status)
        and (ruleset is None or ruleset_name(summary.ruleset) == ruleset)
        and (player is None or player in summary.players)
    )


async def _places(
    redis: Any, shards: Sequence[Keys], index: str, before: Place | None, size: int
) -> list[tuple[Place, int]]:
    """The next `size` places of all partitions, newest first, each with its partition."""
    found: dict[Place, int] = {}
    offsets = dict.fromkeys(range(len(shards)), 0)
    newest = "+inf" if before is None else before[0]
    while offsets:
        pipeline = redis.pipeline(transaction=False)
        for shard, offset in offsets.items():
            pipeline.zrange(
                shards[shard].directory_index(index),
                newest,
                "-inf",
                byscore=True,
                desc=True,
                offset=offset,
                num=size,
                withscores=True,
            )
        unfinished = {}
        for (shard, offset), answer in zip(offsets.items(), await pipeline.execute(), strict=True):
            places = [(int(pair[1]), pair[0].decode()) for pair in answer]
            later = [place for place in places if before is None or place < before]
            found.update(dict.fromkeys(later, shard))
            # Games of the cursor's own millisecond come again: ask for as many more.
            if len(places) == size and len(later) < size:
                unfinished[shard] = offset + size
        offsets = unfinished
    return sorted(found.items(), reverse=True)[:size]


async def _summaries(
    redis: Any, shards: Sequence[Keys], places: Iterable[tuple[Place, int]]
) -> list[Summary]:
    pipeline = redis.pipeline(transaction=False)
    for (_, game), shard in places:
        pipeline.hget(shards[shard].directory, game)
    return [decode_summary(body) for body in await pipeline.execute() if body is not None]


def _cursor(place: Place) -> str:
    return urlsafe_b64encode(encode_json(place)).decode().rstrip("=")


def _place(cursor: str) -> Place:
    try:
        body = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return msgspec.json.decode(body, type=Place)
    except (binascii.Error, msgspec.MsgspecError, ValueError):
        raise BadCursor(
            f"{cursor[:80]!r} is no place in the directory: pass on the `next` of a page as it is"
        ) from None
