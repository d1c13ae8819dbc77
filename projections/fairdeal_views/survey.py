"""How a deployment stands: what every partition and role has done, and what waits, is stuck or is missing.

Only reads. The command line prints and judges it, the gateway shows it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from redis.exceptions import ResponseError

from fairdeal.client.errors import NoDeployment
from fairdeal.wire import Keys, deployment_key, workers_key
from fairdeal_views.parking import Parked
from fairdeal_worker.role import ORIGIN, Role

_decode_parked = msgspec.json.Decoder(Parked).decode


class Deployment(msgspec.Struct, frozen=True):
    """What was fixed when the deployment was created. `secret` is a fingerprint."""

    namespace: str
    partitions: int
    created_at: int
    secret: str | None


class Stream(msgspec.Struct, frozen=True):
    """A stream of one partition. `first` and `last` are entry ids; `added` counts what was ever added."""

    length: int = 0
    first: str | None = None
    last: str = ORIGIN
    added: int = 0


class Progress(msgspec.Struct, frozen=True):
    """How far a role has come on one partition's stream."""

    role: str
    entry: str
    count: int
    attempts: int
    lag: int
    missing: int
    """How many entries after the position are no longer in the stream: a gap."""
    last: str
    """The stream's newest entry."""
    worker: str | None
    """Who holds the lease."""
    parked: dict[str, Parked]
    """Games on which the role crashed, each with its incident."""


class PartitionSurvey(msgspec.Struct, frozen=True):
    """One partition at one moment. `overdue_ms`: how long the oldest deadline has passed, 0 when none has."""

    partition: int
    commands: Stream
    dead: int
    deadlines: int
    overdue_ms: int
    progress: tuple[Progress, ...]


class Survey(msgspec.Struct, frozen=True):
    """A deployment at one moment. `workers`: for each role, worker → ms since its last heartbeat."""

    deployment: Deployment
    now: int
    workers: dict[str, dict[str, int]]
    partitions: tuple[PartitionSurvey, ...]


async def redis_now(redis: Any) -> int:
    """Redis's own time in epoch milliseconds."""
    seconds, micros = await redis.time()
    return int(seconds) * 1000 + int(micros) // 1000


async def read_deployment(redis: Any, namespace: str) -> Deployment:
    """The deployment of a namespace. Raises `NoDeployment`."""
    stored = await redis.hgetall(deployment_key(namespace))
    if b"partitions" not in stored:
        raise NoDeployment(
            f"There is no deployment {namespace!r} in this Redis: no worker has ever been started with this namespace"
        )
    secret = stored.get(b"secret")
    return Deployment(
        namespace,
        int(stored[b"partitions"]),
        int(stored.get(b"created_at", 0)),
        secret.decode() if secret else None,
    )


async def survey(redis: Any, namespace: str, roles: Sequence[Role]) -> Survey:
    """Look at everything once. Raises `NoDeployment`, redis.exceptions.RedisError."""
    deployment = await read_deployment(redis, namespace)
    now = await redis_now(redis)
    workers = {role.name: await _workers(redis, namespace, role.name, now) for role in roles}
    partitions = await asyncio.gather(
        *(_partition(redis, Keys(namespace, number), roles, now) for number in range(deployment.partitions))
    )
    return Survey(deployment, now, workers, tuple(partitions))


async def lease_holder(redis: Any, keys: Keys, role: str) -> str | None:
    """The worker that serves this partition in this role."""
    token = await redis.get(keys.lease(role))
    return token.decode() if token else None


async def _workers(redis: Any, namespace: str, role: str, now: int) -> dict[str, int]:
    beats = await redis.zrange(workers_key(namespace, role), 0, -1, withscores=True)
    return {name.decode(): now - int(beat) for name, beat in beats}


async def _partition(redis: Any, keys: Keys, roles: Sequence[Role], now: int) -> PartitionSurvey:
    oldest = await redis.zrange(keys.deadlines, 0, 0, withscores=True)
    return PartitionSurvey(
        partition=keys.partition,
        commands=await _stream(redis, keys.commands),
        dead=await redis.xlen(keys.dead),
        deadlines=await redis.zcard(keys.deadlines),
        overdue_ms=max(0, now - int(oldest[0][1])) if oldest else 0,
        progress=tuple([await _progress(redis, keys, role) for role in roles]),
    )


async def _stream(redis: Any, key: str) -> Stream:
    try:
        info = await redis.xinfo_stream(key)
    except ResponseError:
        return Stream()  # nothing was ever added
    first = info["first-entry"]
    return Stream(
        length=info["length"],
        first=first[0].decode() if first else None,
        last=info["last-generated-id"].decode(),
        added=info["entries-added"],
    )


async def _progress(redis: Any, keys: Keys, role: Role) -> Progress:
    entry, count, attempts = await redis.hmget(keys.position(role.name), ["entry", "count", "attempts"])
    stream = await _stream(redis, role.stream(keys))
    position = entry.decode() if entry else ORIGIN
    done = int(count or 0)
    lag = stream.added - done
    parked = await redis.hgetall(keys.parked(role.name))
    return Progress(
        role=role.name,
        entry=position,
        count=done,
        attempts=int(attempts or 0),
        lag=lag,
        last=stream.last,
        # Trimmed or flushed before the role came to them. One that never worked starts from the logs.
        missing=max(0, lag - stream.length) if entry else 0,
        worker=await lease_holder(redis, keys, role.name),
        parked={game.decode(): _parked(why) for game, why in parked.items()},
    )


def _parked(why: bytes) -> Parked:
    """Why a game is parked; what cannot be read is shown as it is."""
    try:
        return _decode_parked(why)
    except msgspec.MsgspecError:
        return Parked(incident="", version=0, error=why.decode(errors="replace"), at=0)
