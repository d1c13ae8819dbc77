"""Walking a game's log from its beginning, in slices, up to what may be shown."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from fairdeal.wire import Keys
from fairdeal_gateway.delay import OPEN, Horizon
from fairdeal_gateway.frames import Sight
from fairdeal_gateway.pace import Pace
from fairdeal_views.fold import Fold, Happened, decode_happened
from fairdeal_views.logs import Body, read_logs

PAGE: Final = 128
"""The most commits that are read at once."""

Step = tuple[Sight, Happened]


class Walk:
    """One reading of one game's log. `fold` is where it stands."""

    def __init__(self, redis: Any, keys: Keys, game: str) -> None:
        self._redis = redis
        self._keys = keys
        self._game = game
        self.fold = Fold(game)

    async def on(self, horizon: Horizon = OPEN) -> AsyncGenerator[Step, None]:
        """Go on from where it stands, commit by commit, to the end of what the horizon shows.

        Look at each step before the next one is asked for. Raises redis.exceptions.RedisError, and what
        folding raises for a log that cannot be read.
        """
        while True:
            bodies = await self._page(horizon)
            async for one in walk_bodies(self.fold, bodies, horizon):
                yield one
            if len(bodies) < PAGE or self.fold.version != bodies[-1][0]:
                return

    async def to_end(self, horizon: Horizon = OPEN) -> Fold:
        """Go on to the end of what the horizon shows; the fold there."""
        async for _ in self.on(horizon):
            pass
        return self.fold

    async def _page(self, horizon: Horizon) -> list[Body]:
        after = self.fold.version
        if horizon.version is not None and after >= horizon.version:
            return []
        found = await read_logs(self._redis, self._keys, {self._game: after}, PAGE)
        return found.get(self._game, [])


async def walk_bodies(fold: Fold, bodies: Sequence[Body], horizon: Horizon) -> AsyncGenerator[Step, None]:
    """Fold commits that were read, in slices, as far as the horizon shows them."""
    pace = Pace()
    for version, body, _ in bodies:
        if horizon.version is not None and version > horizon.version:
            return
        happened = decode_happened(body)
        if not horizon.shows(happened.version, happened.at):
            return
        fold.apply(happened)
        yield Sight(fold), happened
        await pace.breathe()
