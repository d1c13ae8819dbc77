"""Long work in slices, so that nobody else who shares the event loop waits for it."""

import asyncio
from time import perf_counter
from typing import Final

SLICE_S: Final = 0.004
"""How long one piece of work may hold the event loop, about."""


class Pace:
    """Call `await pace.breathe()` between small steps; it lets others run once the slice is over."""

    __slots__ = ("_began",)

    def __init__(self) -> None:
        self._began = perf_counter()

    async def breathe(self) -> None:
        if perf_counter() - self._began > SLICE_S:
            await asyncio.sleep(0)
            self._began = perf_counter()
