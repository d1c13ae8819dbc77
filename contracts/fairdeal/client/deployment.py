"""Where a game is: the deployment's partitions, found out at the first use."""

import asyncio
from typing import Final

from fairdeal.client.errors import ClientClosed, NoDeployment, Unreachable, WrongPartitions
from fairdeal.client.pipe import Pipe
from fairdeal.client.tasks import drop_error
from fairdeal.connect import without_password
from fairdeal.wire import GAME_ID, Keys, deployment_key, is_game_id, partition_of

WAIT_S: Final = 5.0
"""How long the first call waits for a worker to create the deployment."""


class Deployment:
    """The deployment of one namespace. `partitions` is what the caller insists on, if anything."""

    def __init__(self, pipe: Pipe, url: str, namespace: str, partitions: int | None) -> None:
        self._pipe = pipe
        self._place = without_password(url)
        self._namespace = namespace
        self._asked_for = partitions
        self._keys: list[Keys] = []
        self._finding: asyncio.Task[list[Keys]] | None = None
        self._closed = False

    async def keys_of(self, game: str) -> Keys:
        """The keys of the partition that a game belongs to. Raises ValueError for a bad id, and what `keys` does."""
        checked_name("game", game)
        keys = await self.keys()
        return keys[partition_of(game, len(keys))]

    async def keys(self) -> list[Keys]:
        """The keys of all partitions; they are found out once, for all who ask meanwhile.

        Raises `NoDeployment`, `WrongPartitions`, `Unreachable`, `ClientClosed`.
        """
        if self._closed:
            raise ClientClosed
        if not self._keys:
            if self._finding is None or self._finding.done():
                self._finding = asyncio.create_task(self._find())
                self._finding.add_done_callback(drop_error)
            self._keys = await asyncio.shield(self._finding)
        return self._keys

    async def _find(self) -> list[Keys]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + WAIT_S
        while True:
            try:
                stored = await self._pipe.call("HGET", deployment_key(self._namespace), "partitions")
            except Unreachable:
                if loop.time() >= deadline:
                    raise
            else:
                partitions = self._agreed(None if stored is None else int(stored))
                if partitions is not None:
                    return [Keys(self._namespace, partition) for partition in range(partitions)]
                if loop.time() >= deadline:
                    raise NoDeployment(
                        f"There is no deployment {self._namespace!r} at {self._place}, and none came within "
                        f"{WAIT_S:g} s. Start a rules worker with this Redis and this namespace, or check both"
                    )
            await asyncio.sleep(0.1)

    def _agreed(self, stored: int | None) -> int | None:
        if stored is not None and self._asked_for not in (None, stored):
            raise WrongPartitions(
                f"The deployment {self._namespace!r} has {stored} partitions, this client was told "
                f"{self._asked_for}. Leave `partitions` out: the client reads it"
            )
        return stored or self._asked_for

    async def close(self) -> None:
        """Close the pipe first: whoever is about to find the deployment fails with it."""
        self._closed = True
        if self._finding is not None:
            await asyncio.wait([self._finding])


def checked_name(what: str, name: str) -> str:
    """The name of a game, client or namespace as it is. Raises ValueError for one that cannot be."""
    if not is_game_id(name):
        raise ValueError(f"{name!r} cannot name a {what}: it must match {GAME_ID}")
    return name
