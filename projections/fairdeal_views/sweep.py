"""Finding games whose doorbell was missed."""

from collections.abc import Sequence
from typing import Any

from fairdeal.wire import Keys
from fairdeal_views.keeper import Keeper
from fairdeal_views.logs import answers, read_logs


async def behind(redis: Any, keys: Keys, keeper: Keeper[Any], games: Sequence[str]) -> dict[str, int]:
    """Which of these have commits that are not stored, with the version of the first such.

    Two round trips for all of them. Raises redis.exceptions.RedisError.
    """
    if not games:
        return {}
    pipeline = redis.pipeline(transaction=False)
    for game in games:
        keeper.ask_version(pipeline, game)
    versions: dict[str, int] = {}
    for game, answer in zip(games, await answers(pipeline), strict=True):
        try:
            versions[game] = keeper.version_in(answer)
        except Exception:
            # Unreadable: `open` says why, and the game is parked with that.
            versions[game] = 0
    newer = await read_logs(redis, keys, versions, 1)
    return {game: commits[0][0] for game, commits in newer.items()}
