"""The stream that the projections follow: it says that a game moved on, never what happened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairdeal.wire import Keys, is_game_id, partition_of
from fairdeal_worker.gap import count_correction
from fairdeal_worker.role import Entry, Partition, Position

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger


def doorbell(keys: Keys) -> str:
    """The name of a partition's doorbell."""
    return keys.doorbell


def collapse(
    entries: Sequence[Entry], keys: Keys, partitions: int, log: "FilteringBoundLogger"
) -> dict[str, int]:
    """The newest version of each game that rang. An entry that is no doorbell of this partition is logged."""
    games: dict[str, int] = {}
    for entry in entries:
        try:
            game, version = entry.fields[b"g"].decode(), int(entry.fields[b"v"])
        except (KeyError, ValueError):
            game, version = "", 0
        if is_game_id(game) and partition_of(game, partitions) == keys.partition:
            games[game] = max(version, games.get(game, 1))
        else:
            log.warning("bad_doorbell", entry=entry.id, fields=str(entry.fields)[:200])
    return games


async def missed_doorbells(partition: Partition, position: Position) -> int:
    """Report doorbells that were removed unread; what to add to the position's count, see `count_correction`."""
    return await count_correction(
        partition.redis,
        partition.keys.doorbell,
        position,
        partition.log,
        "doorbells were removed before they were read; a sweep of all games, begun now, catches up",
        news_at_origin=False,  # Who has never run has missed nothing: the sweep finds every game.
    )
