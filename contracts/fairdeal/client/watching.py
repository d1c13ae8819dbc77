"""Views, now and from now on: one reader of updates for any number of watchers."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, Final, Literal

from fairdeal.client.errors import ClientClosed, UnknownGame, Unreachable, ViewBehind
from fairdeal.client.pipe import Pipe
from fairdeal.client.tail import Entries, Tail
from fairdeal.view import View, decode_view, join_parts
from fairdeal.wire import Keys

Eyes = int | Literal["table"]
"""Whose view: a seat, or what everybody sees."""

RECHECK_S: Final = 5.0
"""How often a watcher looks without having been told to, so that a lost update is harmless."""

OUTAGE_S: Final = 60.0
"""How long a watcher bears that Redis does not answer."""

_OUTAGE_PAUSE_S: Final = 0.5


class Watching:
    """Reads stored views, and wakes whoever waits for a newer one."""

    def __init__(self, pipe: Pipe, tail: Tail) -> None:
        self._pipe = pipe
        self._tail = tail
        self._bells: dict[bytes, set[asyncio.Event]] = {}
        self._watchers: dict[str, int] = {}
        self._closed = False

    async def view(self, keys: Keys, game: str, viewer: Eyes, at_least: int, within: float) -> View[Any, Any]:
        """The newest view, of version `at_least` or later; waits for the first one of a game just created.

        Raises `UnknownGame`, `ViewBehind` after `within` seconds, `Unreachable`, IndexError for a seat
        that is not there.
        """
        view = await self._fetch(keys, game, viewer)
        if view is not None and view.version >= at_least:
            return view
        try:
            async with (
                asyncio.timeout(within),
                aclosing(self.watch(keys, game, viewer, at_least - 1)) as views,
            ):
                async for view in views:
                    return view
        except TimeoutError:
            pass
        raise ViewBehind(game, at_least, view.version if view is not None else 0, within)

    async def watch(
        self, keys: Keys, game: str, viewer: Eyes, after: int
    ) -> AsyncGenerator[View[Any, Any], None]:
        """Each view newer than version `after` and the one before, until the game is over."""
        away_since: float | None = None
        loop = asyncio.get_running_loop()
        with self._bell(keys, game) as bell:
            while True:
                bell.clear()
                try:
                    await self._tail.follow(keys.updates, self._take_updates)
                    view = await self._fetch(keys, game, viewer)
                    away_since = None
                except Unreachable:
                    away_since = away_since or loop.time()
                    if loop.time() - away_since > OUTAGE_S:
                        raise
                    await asyncio.sleep(_OUTAGE_PAUSE_S)
                    continue
                if view is not None:
                    if view.version > after:
                        after = view.version
                        yield view
                    if view.phase == "finished":
                        return
                await self._rest(bell)

    async def _rest(self, bell: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(RECHECK_S):
                await bell.wait()
        except TimeoutError:
            pass
        if self._closed:
            raise ClientClosed

    @contextmanager
    def _bell(self, keys: Keys, game: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever this game's views move on."""
        bell = asyncio.Event()
        name = game.encode()
        bells = self._bells.setdefault(name, set())
        bells.add(bell)
        self._watchers[keys.updates] = self._watchers.get(keys.updates, 0) + 1
        try:
            yield bell
        finally:
            bells.discard(bell)
            if not bells and self._bells.get(name) is bells:
                del self._bells[name]
            self._watchers[keys.updates] -= 1
            if not self._watchers[keys.updates]:
                self._tail.leave(keys.updates)

    def _take_updates(self, entries: Entries) -> None:
        for _, fields in entries:
            for bell in self._bells.get(fields.get(b"g", b""), ()):
                bell.set()

    async def _fetch(self, keys: Keys, game: str, viewer: Eyes) -> View[Any, Any] | None:
        """The stored view; None when the game's first one is still on its way. Raises `UnknownGame`, IndexError."""
        stored = await stored_view(self._pipe, keys, game, viewer)
        if stored is not None:
            return decode_view(stored)
        if not await self._pipe.call("XLEN", keys.log(game)):
            raise UnknownGame(game)
        return None

    def close(self) -> None:
        """Wake all watchers, so that each ends with `ClientClosed`."""
        self._closed = True
        for bells in self._bells.values():
            for bell in bells:
                bell.set()


async def stored_view(pipe: Pipe, keys: Keys, game: str, viewer: Eyes) -> bytes | None:
    """The JSON of the view that is stored, None when there is none. Raises IndexError for a seat that is not there."""
    parts = ["table"] if viewer == "table" else ["table", f"seat:{viewer}"]
    table, *seat = await pipe.call("HMGET", keys.view(game), *parts)
    if table is None:
        return None
    if seat and seat[0] is None:
        raise IndexError(f"There is no seat {viewer} in game {game!r}")
    return join_parts(table, seat[0] if seat else None)
