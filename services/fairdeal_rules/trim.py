"""Streams are trimmed behind their slowest reader, and a reader that was overtaken says so."""

from typing import TYPE_CHECKING, Any

from fairdeal.wire import DOORBELL_ROLES, Keys
from fairdeal_worker.role import ORIGIN, Position

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger


def entry_order(entry: str) -> tuple[int, int]:
    """A stream entry's id as numbers that compare in the stream's order."""
    ms, _, sequence = entry.partition("-")
    return int(ms), int(sequence or 0)


async def trim(redis: Any, keys: Keys, done: str) -> None:
    """Drop commands behind `done`, the rules' position, and doorbells behind the slowest projection.

    By whole nodes of the stream (about a hundred entries), which costs next to nothing. A projection that
    has never run holds nothing back: it reads logs, and doorbells only tell it when.
    """
    pipeline = redis.pipeline(transaction=False)
    pipeline.xtrim(keys.commands, minid=done, approximate=True)
    for role in DOORBELL_ROLES:
        pipeline.hget(keys.position(role), "entry")
    _, *positions = await pipeline.execute()
    reached = [position.decode() for position in positions if position]
    if reached:
        await redis.xtrim(keys.doorbell, minid=min(reached, key=entry_order), approximate=True)


async def report_gap(redis: Any, stream: str, position: Position, log: "FilteringBoundLogger") -> int:
    """Say how many entries were trimmed or flushed before this position's reader saw them; 0 when none.

    Raises redis.exceptions.RedisError.
    """
    if not await redis.exists(stream):
        return 0
    facts = await redis.xinfo_stream(stream)
    gone = int(facts["entries-added"]) - int(facts["length"])
    missing = max(0, gone - position.count) if position.entry != ORIGIN else 0
    if missing:
        log.error(
            "gap",
            stream=stream,
            position=position.entry,
            missing=missing,
            next="entries were removed before they were read; receipts tell senders which to send again",
        )
    return missing
