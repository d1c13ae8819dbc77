"""Ending tasks for good."""

import asyncio
from collections.abc import Collection
from typing import Any


async def end(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel tasks until each is done; their results and errors are dropped.

    Once is not enough: `asyncio.wait_for` of Python 3.11, in which redis-py writes, loses a cancellation that
    arrives just as its wait ends.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
    for task in tasks:
        drop_error(task)


def drop_error(task: asyncio.Future[Any]) -> None:
    """Mark the error of a done task as seen, for whoever has stopped waiting for it."""
    if not task.cancelled():
        task.exception()
