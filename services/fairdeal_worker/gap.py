"""What a position says about its stream, when it is taken up again."""

from typing import TYPE_CHECKING, Any

from fairdeal_worker.role import ORIGIN, Position

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger


async def count_correction(
    redis: Any,
    stream: str,
    position: Position,
    log: "FilteringBoundLogger",
    advice: str,
    *,
    news_at_origin: bool = True,
) -> int:
    """What to add to the position's count so that `entries-added` less the count is the lag again.

    It is 0 unless entries were trimmed or flushed before they were read. That is logged as a `gap` with the
    number of entries missing and the advice what to do; with `news_at_origin=False` not for a reader that has
    never run and can have missed nothing. Raises redis.exceptions.RedisError.
    """
    added = length = 0
    if await redis.exists(stream):
        facts = await redis.xinfo_stream(stream)
        added, length = int(facts["entries-added"]), int(facts["length"])
    missing: int | str
    if position.count > added:
        # The stream began anew, so none of its entries is done, and how many the old one had nobody knows.
        correction, missing = -position.count, "unknown"
    else:
        correction = missing = max(0, added - length - position.count)
    if missing and (news_at_origin or position.entry != ORIGIN):
        log.error("gap", stream=stream, position=position.entry, missing=missing, next=advice)
    return correction
