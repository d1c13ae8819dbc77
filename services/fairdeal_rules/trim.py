"""Streams are trimmed behind their slowest reader."""

from typing import Any

from fairdeal.wire import DOORBELL_ROLES, Keys


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
