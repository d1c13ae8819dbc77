"""A game's log, read whole, and its replay by the projections' code, which is found by name."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import Final, cast

from fairdeal.client.errors import NoReplays, UnknownGame
from fairdeal.client.pipe import Pipe
from fairdeal.codec import decode_commit
from fairdeal.commit import Commit
from fairdeal.view import Frame
from fairdeal.visibility import Viewer
from fairdeal.wire import Keys

Frames = Callable[[Iterable[Commit], Viewer, int, int | None], Iterator[Frame]]
"""(commits, viewer, from_version, to_version) → a frame for each commit from–to."""

_PAGE: Final = 500


@cache
def frames_function() -> Frames:
    """The function behind entry point `frames` of group `fairdeal.replay`. Raises `NoReplays`."""
    for point in entry_points(group="fairdeal.replay", name="frames"):
        return cast("Frames", point.load())
    raise NoReplays(
        "Nothing is installed under the entry point group 'fairdeal.replay', name 'frames', which replays logs. "
        "It comes with the package fairdeal: install it where this client runs"
    )


async def read_log(pipe: Pipe, keys: Keys, game: str, to_version: int | None = None) -> list[Commit]:
    """A game's commits up to and with `to_version`, oldest first; empty when there is no such game.

    Raises `Unreachable`, msgspec.ValidationError.
    """
    commits: list[Commit] = []
    end = "+" if to_version is None else f"{to_version}-0"
    start = "-"
    while True:
        page = await pipe.call("XRANGE", keys.log(game), start, end, "COUNT", _PAGE)
        commits.extend(decode_commit(fields[b"c"]) for _, fields in page)
        if len(page) < _PAGE:
            return commits
        start = f"({page[-1][0].decode()}"


async def replay_frames(
    pipe: Pipe, keys: Keys, game: str, viewer: Viewer, from_version: int, to_version: int | None
) -> AsyncGenerator[Frame, None]:
    """See `Client.replay`."""
    frames = frames_function()
    commits = await read_log(pipe, keys, game, to_version)
    if not commits and not await pipe.call("XLEN", keys.log(game)):
        raise UnknownGame(game)
    for frame in frames(commits, viewer, from_version, to_version):
        yield frame
        await asyncio.sleep(0)  # folding a long game must not hold up the other tasks of this loop
