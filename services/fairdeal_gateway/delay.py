"""How far behind a watcher is held: so many commits, or so many seconds, or both."""

from typing import Any, Final

import msgspec

from fairdeal.wire import Keys
from fairdeal_views.survey import redis_now


class Delay(msgspec.Struct, frozen=True):
    """Nothing newer than the head less `commits`, and nothing younger than `seconds`, is shown."""

    commits: int = 0
    seconds: int = 0

    def __bool__(self) -> bool:
        return bool(self.commits or self.seconds)


NONE: Final = Delay()


class Horizon(msgspec.Struct, frozen=True):
    """The newest that may be shown now: a version, and a time in epoch milliseconds; None for no bound."""

    version: int | None = None
    at: int | None = None

    def shows(self, version: int, at: int) -> bool:
        """Whether a commit of this version and time may be shown."""
        return (self.version is None or version <= self.version) and (self.at is None or at <= self.at)


OPEN: Final = Horizon()


async def horizon_of(redis: Any, keys: Keys, game: str, delay: Delay) -> Horizon:
    """What a delay shows now, by the log's head and by Redis's time. Raises redis.exceptions.RedisError."""
    if not delay:
        return OPEN
    version = at = None
    if delay.commits:
        version = max(0, await head_of(redis, keys, game) - delay.commits)
    if delay.seconds:
        at = await redis_now(redis) - delay.seconds * 1000
    return Horizon(version, at)


async def head_of(redis: Any, keys: Keys, game: str) -> int:
    """The newest version of a game's log, 0 when there is none. Raises redis.exceptions.RedisError."""
    newest = await redis.xrevrange(keys.log(game), "+", "-", count=1)
    return int(newest[0][0].partition(b"-")[0]) if newest else 0
