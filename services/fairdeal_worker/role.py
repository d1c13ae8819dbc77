"""The seam between the machinery of a worker and what a role does with a batch of entries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fairdeal.wire import Keys

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

    from fairdeal_worker.settings import Settings

ORIGIN = "0-0"
"""The position before the first entry of a stream."""


class Entry(NamedTuple):
    """One entry of a stream, as Redis gave it."""

    id: str
    fields: dict[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Position:
    """Up to where a role has done its work on a partition's stream."""

    entry: str
    count: int
    """Entries done so far; lag is the stream's `entries-added` less this."""
    attempts: int
    """How often work was started from this entry, this time included."""


@dataclass(slots=True)
class Partition:
    """What a handler has to work with: one partition in one role, at one worker."""

    keys: Keys
    redis: Any
    """An asyncio client (`redis.asyncio.Redis` or `RedisCluster`) that answers in bytes."""
    settings: "Settings"
    log: "FilteringBoundLogger"
    worker: str
    shared: dict[str, Any] = field(default_factory=dict)
    """The role's own, common to all partitions that this worker serves in it (a cache, say)."""


class PositionMoved(Exception):
    """A script refused: the position, or a game's version, is not what this worker believed.

    The reader drops the handler and starts a new one from the stored position.
    """


class Handler:
    """Serves one partition in one role, from a position until the lease is given up or lost.

    `handle` does the work of a batch and moves the position in the same atomic step, by a script of its
    own. When it raises, the handler is dropped with all that it holds in memory, and a new one is started
    from the stored position: so an outcome that is unknown is read, never assumed.
    """

    ticks_alone: ClassVar[bool] = True
    """Whether `tick` waits for the batch in hand and holds up the next; False where it shares no state with them."""

    def __init__(self, partition: Partition) -> None:
        self.partition = partition

    async def start(self, position: Position) -> None:
        """Called once, before the first batch."""

    async def handle(self, entries: Sequence[Entry]) -> None:
        """Handle a batch, oldest first. Raises `PositionMoved` when a script refuses."""
        raise NotImplementedError

    async def tick(self) -> float | None:
        """Called about once a second while the partition is served; see `ticks_alone`.

        Returns the seconds after which it wants to be called again if that is sooner.
        """
        return None

    async def stop(self) -> None:
        """Called once, after the last batch; not after a failure."""


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of work: its name, the stream that it reads, and who does it."""

    name: str
    stream: Callable[[Keys], str]
    handler: Callable[[Partition], Handler]
