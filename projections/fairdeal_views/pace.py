"""Long work in small pieces, so that a worker's other tasks (its leases above all) get their turn."""

import asyncio


class Pace:
    """Counts pieces of work and lets other tasks run after every so many."""

    __slots__ = ("_every", "_since")

    def __init__(self, every: int = 256) -> None:
        self._every = every
        self._since = 0

    async def worked(self, pieces: int = 1) -> None:
        """Some pieces (commits folded, games encoded) are done."""
        self._since += pieces
        if self._since >= self._every:
            self._since = 0
            await asyncio.sleep(0)
