"""A projection's handler at work: logs and doorbells are written as the rules would, batches are fed as read."""

from collections.abc import Callable
from random import Random
from typing import Any

import structlog
from structlog.testing import LogCapture

from fairdeal.wire import Keys
from fairdeal_local import Table
from fairdeal_views.follower import Follower
from fairdeal_worker import Entry, Partition, Position, Settings
from fairdeal_worker.role import ORIGIN


class Desk:
    """One deployment of one partition, with one handler of a role at a time."""

    def __init__(
        self, redis: Any, namespace: str, kind: Callable[[Partition], Follower[Any]], **settings: Any
    ):
        self.redis = redis
        self.settings = Settings(namespace=namespace, partitions=1, **settings)
        self.keys = Keys(namespace, 0)
        self.kind = kind
        self.lines = LogCapture()
        self.shared: dict[str, Any] = {}
        self.handler: Follower[Any]

    def make(self, worker: str = "worker", shared: dict[str, Any] | None = None) -> Follower[Any]:
        """A handler that was not started."""
        log: Any = structlog.wrap_logger(None, processors=[self.lines])
        shared = self.shared if shared is None else shared
        return self.kind(Partition(self.keys, self.redis, self.settings, log, worker, shared))

    async def start(self, attempts: int = 1, worker: str = "worker") -> Follower[Any]:
        """Take the partition over, from the stored position."""
        self.handler = self.make(worker)
        await self.handler.start(await self.position(attempts))
        return self.handler

    async def position(self, attempts: int = 1) -> Position:
        entry, count = await self.redis.hmget(self.keys.position(self.kind.role), ["entry", "count"])
        return Position(entry.decode() if entry else ORIGIN, int(count or 0), attempts)

    async def write(self, table: Table, upto: int | None = None, ring: bool = True) -> None:
        """Append what the log does not have yet of a table's commits, and ring for each."""
        name = table.log[0].game
        for written in table.written[await self.redis.xlen(self.keys.log(name)) : upto]:
            version = written.commit.version
            fields = {"c": written.body, "h": written.hash.hex()}
            await self.redis.xadd(self.keys.log(name), fields, id=f"{version}-0")
            if ring:
                await self.redis.xadd(self.keys.doorbell, {"g": name, "v": version})

    async def waiting(self) -> list[Entry]:
        """The doorbells behind the stored position."""
        entry = (await self.position()).entry
        return [
            Entry(id.decode(), fields)
            for id, fields in await self.redis.xrange(self.keys.doorbell, min=f"({entry}")
        ]

    async def run(self) -> None:
        """Handle what waits, as one batch."""
        entries = await self.waiting()
        if entries:
            await self.handler.handle(entries)

    async def view(self, game: str) -> dict[str, str]:
        stored = await self.redis.hgetall(self.keys.view(game))
        return {name.decode(): part.decode() for name, part in stored.items()}

    def logged(self, event: str) -> list[Any]:
        return [line for line in self.lines.entries if line["event"] == event]


def waiting_table(name: str, *players: str) -> Table:
    """A Perudo table that waits for its seats: its log grows by `reseat` as long as one likes."""
    return Table.open("perudo", players=players or ("ann", "bob"), name=name, start="when_ready")


def reseat(table: Table, times: int = 1) -> Table:
    """Commits that change who sits at the table and nothing else."""
    for _ in range(times):
        table.host({"type": "game.reseat", "seat": 0, "player": f"guest{table.version}"})
    return table


def played(name: str, seed: int = 1, players: int = 3, moves: int | None = None) -> Table:
    """A Perudo game played by chance, to its end or for so many moves."""
    table = Table.open("perudo", players=players, name=name, dealer=seed)
    random = Random(seed)
    while not table.finished and (moves is None or table.version <= moves):
        seat = random.choice(table.view().to_act)
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    return table


def expected(table: Table) -> dict[str, str]:
    """The view that is to be stored of a table, all of it."""
    parts = {name: part.decode() for name, part in table.encoded().items()}
    return {"version": str(table.version), "fold": "perudo@1/1", **parts}
