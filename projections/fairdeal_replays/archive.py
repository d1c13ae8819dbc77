"""The archive: finished games leave Redis for a folder, one export file each.

A file is complete and on disk before anything is removed, and one script removes the game only if it still is
what the file holds. So a crash at any instant leaves the game in Redis, in the folder, or in both.
"""

import asyncio
import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, time
from typing import Final

import msgspec
from redis.exceptions import RedisError

from fairdeal.codec import encode_json
from fairdeal.commit import GENESIS, chain
from fairdeal.directory import Summary, decode_summary
from fairdeal.wire import ARCHIVED, DOORBELL_ROLES, ENDED, Keys
from fairdeal_replays.export import archived_name, export_now
from fairdeal_views.logs import Body, read_log
from fairdeal_worker.role import Partition
from fairdeal_worker.scripts import Script

AT_ONCE: Final = 8
"""How many games move to the archive in one tick."""

remove_script = Script("fairdeal_replays", "archive.lua")
_pack = msgspec.msgpack.Encoder().encode


class NotArchived(Exception):
    """Why a game stays in Redis for now."""


class Archivist:
    """Moves one partition's games to the archive, some at every tick."""

    def __init__(self, partition: Partition) -> None:
        self._partition = partition
        self._keys: Keys = partition.keys
        self._put_off: dict[str, float] = {}

    async def tick(self) -> list[str]:
        """Archive some of the games that ended long enough ago; returns those that were."""
        settings = self._partition.settings
        due = int((time() - settings.archive_after_s) * 1000)
        found = await self._partition.redis.zrange(
            self._keys.directory_index(ENDED),
            "-inf",
            due,
            byscore=True,
            offset=0,
            num=AT_ONCE + len(self._put_off),
        )
        games = [game.decode() for game in found]
        self._put_off = {game: until for game, until in self._put_off.items() if game in games}
        now = monotonic()
        archived = []
        for game in [game for game in games if self._put_off.get(game, now) <= now][:AT_ONCE]:
            try:
                await self._archive(game)
            except RedisError:
                raise
            except Exception as error:
                self._put_off[game] = monotonic() + settings.sweep_s
                self._partition.log.warning(
                    "not_archived", game=game, reason=str(error), retry_s=settings.sweep_s
                )
            else:
                archived.append(game)
        if archived:
            self._partition.log.info("archived", games=len(archived))
        return archived

    async def _archive(self, game: str) -> None:
        before, stored = await self._read(game)
        log = await read_log(self._partition.redis, self._keys, game)
        view = stored.get(b"version", b"").decode()
        if not log or log[-1][0] != before.version:
            raise NotArchived(f"the directory is at version {before.version}, the log is not")
        if stored and view != str(before.version):
            raise NotArchived(f"its view is at version {view}, the log at {before.version}")
        if not _whole(log):
            raise NotArchived("its log is damaged; audit it, and restore it or export it by hand")
        settings = self._partition.settings
        path = Path(settings.archive, archived_name(settings.namespace, settings.partitions, game))
        await asyncio.to_thread(keep, path, export_now(settings.namespace, game, log, stored))
        await self._remove(game, before, view)

    async def _read(self, game: str) -> tuple[Summary, dict[bytes, bytes]]:
        pipeline = self._partition.redis.pipeline(transaction=False)
        pipeline.hget(self._keys.directory, game)
        pipeline.hgetall(self._keys.view(game))
        for role in DOORBELL_ROLES:
            pipeline.hexists(self._keys.parked(role), game)
        body, stored, *parked = await pipeline.execute()
        if body is None:
            raise NotArchived("it is not in the directory")
        if any(parked):
            raise NotArchived("its projection is parked; rebuild it first")
        return decode_summary(body), stored

    async def _remove(self, game: str, before: Summary, view: str) -> None:
        after = msgspec.structs.replace(before, archived=True)
        keys = self._keys
        done = await remove_script(
            self._partition.redis,
            [
                keys.log(game),
                keys.receipts(game),
                keys.view(game),
                keys.directory,
                keys.directory_index(ENDED),
                keys.deadlines,
                *map(keys.parked, DOORBELL_ROLES),
            ],
            [
                _pack(
                    [
                        game,
                        before.version,
                        encode_json(before).decode(),
                        encode_json(after).decode(),
                        view,
                        ARCHIVED,
                    ]
                )
            ],
        )
        if not done:
            raise NotArchived("it changed while it was exported")


def _whole(log: Sequence[Body]) -> bool:
    """Whether no commit is missing or altered: only such a log may leave Redis, which holds its very bytes."""
    hash = GENESIS
    for number, (version, body, stored) in enumerate(log, 1):
        hash = chain(hash, body)
        if version != number or stored != hash.hex().encode():
            return False
    return True


def keep(path: Path, export: bytes) -> None:
    """Put an export on disk: whole and synced, or not at all.

    Raises `NotArchived` when the file is there and holds another game's commits, OSError.
    """
    with contextlib.suppress(FileNotFoundError):
        if _commits(path.read_bytes()) != _commits(export):
            raise NotArchived(
                f"{path} holds another game of that name; move the file away, and this one will follow"
            )
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(export)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _commits(export: bytes) -> list[bytes]:
    return [line for line in export.split(b"\n") if line.startswith(b'{"version":')]


def _sync_folder(folder: Path) -> None:
    """Make the new name last, too; where a folder cannot be opened (Windows) that is the file system's own."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
