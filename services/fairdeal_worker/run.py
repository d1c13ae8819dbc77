"""A worker process: registers, holds its leases, and serves their partitions until it is told to stop."""

import asyncio
import contextlib
import faulthandler
import gc
import os
import secrets
import signal
import socket
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from faststream import FastStream
from faststream.redis import RedisBroker
from redis.exceptions import RedisError

from fairdeal.connect import connect, without_password
from fairdeal.wire import Keys, deployment_key
from fairdeal_worker.bus import make_broker
from fairdeal_worker.deployment import join_deployment
from fairdeal_worker.leases import Leases
from fairdeal_worker.logs import logger
from fairdeal_worker.role import Partition, Role
from fairdeal_worker.server import REDIS_TROUBLE, PartitionServer
from fairdeal_worker.settings import Settings, bring_decks

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

FIRST_CONTACT_S = 30.0
"""How long a starting worker waits for Redis to answer."""

LONGEST_BEAT_S = 1.0
"""However long a lease is: so soon do workers learn of each other, share anew and take what was given up."""

WATCHDOG_LEASES = 10
"""After this many lease times without a heartbeat the process ends itself: its loop hangs."""


def worker_name() -> str:
    """A name that no other worker has: host, process, four random digits."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(2)}"


class RoleServer:
    """All partitions that this worker serves in one role."""

    def __init__(self, broker: RedisBroker, redis: Any, settings: Settings, role: Role, worker: str) -> None:
        self._broker = broker
        self._redis = redis
        self._settings = settings
        self._role = role
        self._worker = worker
        self._log = logger(role=role.name, worker=worker)
        self._leases = Leases(
            redis, settings.namespace, role.name, settings.partitions, worker, settings.lease_ms
        )
        self._serving: dict[int, PartitionServer] = {}
        self._shared: dict[str, Any] = {}
        self._redis_was_away = False

    async def run(self, stop: asyncio.Event) -> None:
        """Hold leases and serve, beat by beat, until `stop` is set; then hand everything over."""
        interval = min(self._settings.lease_ms / 3000, LONGEST_BEAT_S)
        while not stop.is_set():
            await self._beat()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stop.wait(), interval)
        await asyncio.gather(*(server.stop() for server in self._serving.values()))
        with contextlib.suppress(*REDIS_TROUBLE):
            await self._leases.leave()
        self._log.info("stopped", partitions=sorted(self._serving))

    async def _beat(self) -> None:
        try:
            async with asyncio.timeout(self._settings.lease_ms / 1000 + 5):
                # A flushed server has forgotten what all must agree on.
                if not await self._redis.exists(deployment_key(self._settings.namespace)):
                    await join_deployment(self._redis, self._settings, deals=self._role.name == "rules")
                held, surplus = await self._leases.beat()
        except (RedisError, OSError) as trouble:
            self._redis_was_away = True
            self._log.warning("missed_beat", error=f"{type(trouble).__name__}: {trouble}")
            return
        if self._redis_was_away:
            # FastStream waits seconds between tries after an error; a fresh subscription reads at once.
            self._redis_was_away = False
            self._log.info("redis_is_back")
            for server in self._serving.values():
                server.restart()
        for partition in sorted(set(self._serving) - held):
            self._log.warning("lease_lost", partition=partition)
            await self._serving.pop(partition).stop()
        for partition in sorted(surplus):
            await self._serving.pop(partition).stop()
            await self._leases.release(partition)
            self._log.info("handed_over", partition=partition)
        for partition in sorted(held - surplus - set(self._serving)):
            self._serve(partition)

    def _serve(self, partition: int) -> None:
        server = PartitionServer(
            self._broker,
            self._role,
            Partition(
                keys=Keys(self._settings.namespace, partition),
                redis=self._redis,
                settings=self._settings,
                log=self._log.bind(partition=partition),
                worker=self._worker,
                shared=self._shared,
            ),
        )
        self._serving[partition] = server
        server.start()


async def run(settings: Settings, roles: Sequence[Role]) -> None:
    """Serve these roles until SIGTERM or SIGINT, then hand over cleanly.

    A process in the role `rules` needs the secret. Raises `BadSettings`, `DeploymentMismatch`, and
    redis.exceptions.RedisError when Redis does not answer for `FIRST_CONTACT_S`.
    """
    deals = any(role.name == "rules" for role in roles)
    if deals:
        bring_decks(settings)
    _tune_collector()
    worker = worker_name()
    log = logger(worker=worker, roles=[role.name for role in roles])
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    redis = connect(settings.redis_url)
    broker = make_broker(settings)
    app = FastStream(broker, logger=None)
    try:
        await _first_contact(redis, settings, log, deals=deals)
        await app.start()
        servers = [RoleServer(broker, redis, settings, role, worker) for role in roles]
        log.info("started", namespace=settings.namespace, partitions=settings.partitions)
        watchdog = asyncio.create_task(_watchdog(settings))
        await asyncio.gather(*(server.run(stop) for server in servers))
        watchdog.cancel()
    finally:
        faulthandler.cancel_dump_traceback_later()
        await app.stop()
        await redis.aclose()


async def _first_contact(redis: Any, settings: Settings, log: "FilteringBoundLogger", *, deals: bool) -> None:
    """Join the deployment; a Redis that still starts, or loads its data, is waited for."""
    patience = monotonic() + FIRST_CONTACT_S
    silent_until = 0.0
    while True:
        try:
            await join_deployment(redis, settings, deals=deals)
        except REDIS_TROUBLE as trouble:
            if monotonic() > patience:
                raise
            if monotonic() >= silent_until:
                silent_until = monotonic() + 5  # seconds; each try would say the same
                log.warning("waiting_for_redis", url=without_password(settings.redis_url), error=str(trouble))
            await asyncio.sleep(0.5)
        else:
            return


def _tune_collector() -> None:
    """Collect garbage seldom: games and commands hold no cycles, and a full pass visits every loaded game."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


async def _watchdog(settings: Settings) -> None:
    """End this process, with every thread's stack on stderr, when its event loop hangs.

    Its leases have run out by then and others have taken over; a process that hangs is of no more use.
    """
    timeout = max(30.0, WATCHDOG_LEASES * settings.lease_ms / 1000)
    while True:
        faulthandler.dump_traceback_later(timeout, exit=True)
        await asyncio.sleep(timeout / 10)
