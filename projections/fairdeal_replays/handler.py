"""The replays worker: keeps the directory, and moves finished games to the archive."""

from typing import Any, ClassVar

from fairdeal.codec import encode_json
from fairdeal.directory import decode_summary, indexes
from fairdeal.wire import ENDED
from fairdeal_replays.archive import Archivist
from fairdeal_replays.summary import Listing
from fairdeal_views.doorbell import doorbell
from fairdeal_views.follower import Follower
from fairdeal_views.logs import Body
from fairdeal_worker.role import Partition, Role
from fairdeal_worker.scripts import Script


class ReplaysHandler(Follower[Listing]):
    """Folds logs into summaries and stores them with their indexes."""

    role: ClassVar[str] = "replays"
    script: ClassVar[Script] = Script("fairdeal_replays", "directory.lua")

    def __init__(self, partition: Partition) -> None:
        super().__init__(partition)
        self._archivist = Archivist(partition) if partition.settings.archive else None

    def ask(self, pipeline: Any, game: str) -> None:
        pipeline.hget(self.keys.directory, game)

    def open(self, game: str, answer: bytes | None) -> Listing:
        return Listing(None if answer is None else decode_summary(answer))

    def ask_version(self, pipeline: Any, game: str) -> None:
        pipeline.hget(self.keys.directory, game)

    def version_in(self, answer: bytes | None) -> int:
        return 0 if answer is None else decode_summary(answer).version

    def version(self, state: Listing) -> int:
        return state.version

    def apply(self, state: Listing, commit: Body) -> None:
        state.apply(commit)

    def script_needs(self) -> tuple[str, list[Any]]:
        return self.keys.directory, []

    def write(self, state: Listing) -> list[Any] | None:
        before = state.stored
        if before is not None and before.version == state.version:
            return None
        now = state.current()
        new, old = indexes(now), indexes(before) if before else set[str]()
        into: list[Any] = [part for index in sorted(new - old) for part in (index, now.created_at)]
        if now.finished_at is not None and (before is None or before.finished_at is None):
            into += (ENDED, now.finished_at)
        return [
            now.game,
            before.version if before else 0,
            now.version,
            encode_json(now).decode(),
            into,
            sorted(old - new),
        ]

    def stored(self, state: Listing) -> None:
        state.stored = state.current()

    async def tick(self) -> float | None:
        """Sweep, and archive what ended long ago."""
        await super().tick()
        if self._archivist is not None:
            for game in await self._archivist.tick():
                self.forget(game)
        return None


ROLE = Role("replays", stream=doorbell, handler=ReplaysHandler)
