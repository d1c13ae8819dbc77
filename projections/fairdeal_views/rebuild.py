"""Rebuilding views: fold anew from the log, beside the live ones, and compare.

A rebuild never trusts itself over what players were shown: it replaces a view only when it agrees with it up
to the version of the stored one, or when the projection has a newer version and so is meant to differ.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from fairdeal.wire import Keys, partition_of
from fairdeal_views.fold import Fold, decode_happened
from fairdeal_views.logs import Body, all_games, read_logs
from fairdeal_views.pace import Pace
from fairdeal_worker.scripts import Script
from fairdeal_worker.settings import Settings

Outcome = Literal["same", "swapped", "differs", "unparked", "missing", "failed"]
"""What a rebuild found of one game.

`same`: nothing to do. `swapped`: replaced, the projection is newer. `differs`: not replaced, although the
same projection folds something else. `unparked`: folding works again and the game is live again. `missing`:
there was no view, now there is. `failed`: it could not be folded; `error` says why.
"""

TOGETHER: Final = 16
"""How many games are rebuilt at once."""
PAGE: Final = 256
TRIES: Final = 5
"""How often a game is done again because its view moved on meanwhile."""

UPDATES_KEPT: Final = Settings().updates_kept
"""A rebuild's own updates are few: the workers' trimming decides what is kept."""

swap = Script("fairdeal_views", "swap.lua")
_pack = msgspec.msgpack.Encoder().encode


class Rebuilt(msgspec.Struct, frozen=True):
    """One game's outcome; `version` is what was compared or written, `error` why it differs or failed."""

    game: str
    outcome: Outcome
    version: int
    error: str | None = None


class Report(msgspec.Struct, frozen=True):
    """Every game that was looked at, in the order in which they were done."""

    games: list[Rebuilt]

    def count(self, outcome: Outcome) -> int:
        return sum(rebuilt.outcome == outcome for rebuilt in self.games)

    @property
    def sound(self) -> bool:
        """Whether every view is now what its log says."""
        return not self.count("differs") and not self.count("failed")


async def rebuild(
    redis: Any,
    namespace: str,
    partitions: int,
    game: str | None = None,
    progress: Callable[[Rebuilt], None] | None = None,
) -> Report:
    """Rebuild the views of one game or of all, while the workers go on.

    `progress` is called for each game that is done. Raises LookupError when there is no such game,
    redis.exceptions.RedisError.
    """
    report = Report([])
    async for keys, games in _wanted(redis, namespace, partitions, game):
        for first in range(0, len(games), TOGETHER):
            some = games[first : first + TOGETHER]
            for rebuilt in await asyncio.gather(*(_rebuild_one(redis, keys, name) for name in some)):
                report.games.append(rebuilt)
                if progress is not None:
                    progress(rebuilt)
    return report


async def _wanted(
    redis: Any, namespace: str, partitions: int, game: str | None
) -> AsyncIterator[tuple[Keys, Sequence[str]]]:
    if game is None:
        for partition in range(partitions):
            keys = Keys(namespace, partition)
            async for games in all_games(redis, keys):
                yield keys, games
        return
    keys = Keys(namespace, partition_of(game, partitions))
    if not await redis.exists(keys.log(game)):
        raise LookupError(
            f"There is no log of {game!r} in {namespace!r}: it was never created there, or is archived"
        )
    yield keys, [game]


async def _rebuild_one(redis: Any, keys: Keys, game: str) -> Rebuilt:
    for _ in range(TRIES):
        rebuilt = await _Rebuild(redis, keys, game).run()
        if rebuilt is not None:
            return rebuilt
    return Rebuilt(game, "failed", 0, f"its view moved on {TRIES} times meanwhile; rebuild it once more")


class _Rebuild:
    """One try at one game. The view is read first, so its version is in the log that is read after it."""

    def __init__(self, redis: Any, keys: Keys, game: str) -> None:
        self._redis = redis
        self._keys = keys
        self._game = game
        self._fold = Fold(game)

    async def run(self) -> Rebuilt | None:
        """The outcome, or None when the view is another by now."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hgetall(self._keys.view(self._game))
        pipeline.hexists(self._keys.parked("views"), self._game)
        view, parked = await pipeline.execute()
        stored = {field.decode(): value.decode() for field, value in view.items()}
        try:
            return await self._compare(stored, bool(parked))
        except _LogError as error:
            return Rebuilt(self._game, "failed", self._fold.version, str(error))

    async def _compare(self, stored: dict[str, str], parked: bool) -> Rebuilt | None:
        version, tag = stored.pop("version", ""), stored.pop("fold", "")
        if not version:
            outcome: Outcome = "unparked" if parked else "missing"
            return await self._write(outcome, version, tag, parked)
        await self._fold_to(int(version))
        if self._fold.version < int(version):
            return Rebuilt(
                self._game,
                "differs",
                self._fold.version,
                f"the view is at version {version}, the log ends at {self._fold.version}",
            )
        parts, now = self._parts()
        if parts != stored and not _newer(now, tag):
            changed = sorted(
                name for name in parts.keys() | stored.keys() if parts.get(name) != stored.get(name)
            )
            return Rebuilt(
                self._game, "differs", int(version), f"{', '.join(changed)}: not what {now} makes of the log"
            )
        if parked:
            return await self._write("unparked", version, tag, parked)
        if _newer(now, tag):
            return await self._swap("swapped", version, tag, parts, now)
        return Rebuilt(self._game, "same", int(version))

    async def _write(self, outcome: Outcome, version: str, tag: str, parked: bool) -> Rebuilt | None:
        await self._fold_to(None)
        parts, now = self._parts()
        return await self._swap(outcome, version, tag, parts, now, unparks=parked)

    async def _swap(
        self,
        outcome: Outcome,
        version: str,
        tag: str,
        parts: dict[str, str],
        now: str,
        *,
        unparks: bool = False,
    ) -> Rebuilt | None:
        fields = [text for pair in {**parts, "fold": now}.items() for text in pair]
        packed = _pack(
            [
                self._game,
                version,
                tag,
                str(self._fold.version),
                fields,
                unparks,
                UPDATES_KEPT,
            ]
        )
        keys = self._keys
        done = await swap(
            self._redis,
            [keys.view(self._game), keys.parked("views"), keys.updates, keys.doorbell],
            [packed],
        )
        return Rebuilt(self._game, outcome, self._fold.version) if done else None

    async def _fold_to(self, version: int | None) -> None:
        """Fold the log up to a version, or to its end."""
        pace = Pace()
        while version is None or self._fold.version < version:
            after = self._fold.version
            log = (await read_logs(self._redis, self._keys, {self._game: after}, PAGE)).get(self._game, [])
            for commit in _until(log, version):
                self._apply(commit)
            await pace.worked(len(log))
            if len(log) < PAGE:
                return

    def _apply(self, commit: Body) -> None:
        try:
            self._fold.apply(decode_happened(commit[1]))
        except Exception as error:
            raise _LogError(f"commit {commit[0]}: {type(error).__name__}: {error}") from error

    def _parts(self) -> tuple[dict[str, str], str]:
        try:
            parts = {name: part.decode() for name, part in self._fold.encoded().items()}
        except Exception as error:
            raise _LogError(f"version {self._fold.version}: {type(error).__name__}: {error}") from error
        return parts, self._fold.fold_tag


class _LogError(Exception):
    """Folding or showing the game crashed."""


def _until(log: Sequence[Body], version: int | None) -> Iterator[Body]:
    return (commit for commit in log if version is None or commit[0] <= version)


def _newer(now: str, tag: str) -> bool:
    """Whether `perudo@1/2` is a later projection of the same ruleset than `perudo@1/1`."""
    ruleset, _, version = now.rpartition("/")
    before, _, earlier = tag.rpartition("/")
    return ruleset == before and earlier.isdigit() and int(version) > int(earlier)
