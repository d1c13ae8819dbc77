"""What a position says about its stream, when it is taken up again."""

from typing import TYPE_CHECKING, Any

from fairdeal_worker.role import ORIGIN, Position

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger


async def count_correction(redis: Any, doorbell: str, position: Position, log: "FilteringBoundLogger") -> int:
    """What to add to the position's count so that `entries-added` less the count is the lag again.

    It is 0 unless doorbells were trimmed or flushed before they were read. That is logged as a `gap` with
    the number of entries missing, except at the origin: who has never run has missed nothing, because the
    sweep finds every game. Raises redis.exceptions.RedisError.
    """
    added = length = 0
    if await redis.exists(doorbell):
        facts = await redis.xinfo_stream(doorbell)
        added, length = int(facts["entries-added"]), int(facts["length"])
    if position.count > added:
        # The stream began anew, so none of its entries is done, and how many the old one had nobody knows.
        _log_gap(log, doorbell, position, "unknown")
        return -position.count
    missing = max(0, added - length - position.count)
    if missing and position.entry != ORIGIN:
        _log_gap(log, doorbell, position, missing)
    return missing


def _log_gap(log: "FilteringBoundLogger", doorbell: str, position: Position, missing: int | str) -> None:
    log.error(
        "gap",
        stream=doorbell,
        position=position.entry,
        missing=missing,
        next="doorbells were removed before they were read; a sweep of all games, begun now, catches up",
    )
