"""Games that a role leaves alone until they are taken up again."""

from time import time
from typing import Any

import msgspec

from fairdeal.codec import encode_json
from fairdeal.wire import Keys, partition_of
from fairdeal_worker.scripts import Script

unpark_script = Script("fairdeal_views", "unpark.lua")


class Parked(msgspec.Struct, frozen=True):
    """Why a game is left alone: a value of `parked:<role>`. `version` is the commit that could not be folded."""

    incident: str
    version: int
    error: str
    at: int
    """Epoch milliseconds, by the worker's own clock."""


def parked_json(incident: str, version: int, error: Exception) -> str:
    """What is stored of a game that is parked now."""
    text = f"{type(error).__name__}: {error}"[:500].encode(errors="replace").decode()
    return encode_json(Parked(incident=incident, version=version, error=text, at=int(time() * 1000))).decode()


async def unpark(redis: Any, namespace: str, partitions: int, role: str, game: str) -> bool:
    """Let a role take up a parked game again; its doorbell is rung. False when it was not parked.

    For views `rebuild` does this, and checks first that folding works again.
    """
    keys = Keys(namespace, partition_of(game, partitions))
    answer = await unpark_script(redis, [keys.parked(role), keys.log(game), keys.doorbell], [game])
    return bool(answer)
