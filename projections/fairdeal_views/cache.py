"""What a worker keeps in memory of its games, bounded; one for all partitions of a role."""

from collections import OrderedDict
from typing import Generic, TypeVar

S = TypeVar("S")


class Cache(Generic[S]):
    """The least recently used games leave first. Partitions share it, so the bound is the process's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: OrderedDict[tuple[int, str], S] = OrderedDict()

    def take(self, partition: int, game: str) -> S | None:
        """Take a game out. Whoever takes it puts it back once its changes are stored, and not before."""
        return self._games.pop((partition, game), None)

    def put(self, partition: int, game: str, state: S) -> None:
        """Put a game in as the most recently used one; another may have to leave."""
        self._games[partition, game] = state
        if len(self._games) > self._most:
            self._games.popitem(last=False)

    def drop_partition(self, partition: int) -> None:
        """Forget all that is known of a partition."""
        for key in [key for key in self._games if key[0] == partition]:
            del self._games[key]

    def __len__(self) -> int:
        return len(self._games)
