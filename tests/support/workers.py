"""Real worker processes for tests."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import redis.asyncio

from fairdeal.wire import Keys, workers_key

SECRET = "a secret for tests"

_MAIN = """
import sys, uvloop
from importlib import import_module
from fairdeal_worker.logs import configure_logs
from fairdeal_worker.run import run
from fairdeal_worker.settings import settings_from
settings = settings_from()
configure_logs(settings)
roles = [import_module(name).ROLE for name in sys.argv[1:]]
uvloop.run(run(settings, roles))
"""

MODULES = {
    "rules": "fairdeal_rules.worker",
    "views": "fairdeal_views",
    "replays": "fairdeal_replays",
    "bots": "fairdeal_bots",
}


class Worker:
    """One worker process in some roles; its log is kept in a file until the end."""

    def __init__(self, url: str, namespace: str, *roles: str, **settings: Any) -> None:
        self.roles = roles
        self.log = Path(tempfile.mkstemp(prefix="fairdeal-worker-", suffix=".log")[1])
        environment = os.environ | {
            "FAIRDEAL_REDIS_URL": url,
            "FAIRDEAL_NAMESPACE": namespace,
            "FAIRDEAL_SECRET": SECRET,
            "FAIRDEAL_LOG": "json",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        environment |= {f"FAIRDEAL_{name.upper()}": str(value) for name, value in settings.items()}
        with self.log.open("wb") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _MAIN, *(MODULES.get(role, role) for role in roles)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )

    @property
    def said(self) -> str:
        """Its log so far."""
        return self.log.read_text(errors="replace")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """SIGKILL: no instruction of it runs after this."""
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> int:
        """SIGTERM, and its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def remove(self) -> None:
        """Kill it, and remove its log."""
        self.kill()
        self.log.unlink(missing_ok=True)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if error is not None:
            sys.stderr.write(f"--- log of {self.roles} ---\n{self.said[-4000:]}\n")
        self.remove()


async def eventually(what: str, condition: Any, seconds: float = 20.0) -> Any:
    """Wait until `condition()` (a coroutine function) is truthy, and return that. Fails saying what it waited for."""
    deadline = time.monotonic() + seconds
    while True:
        answer = await condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for {what}"
        await asyncio.sleep(0.02)


async def serving(client: redis.asyncio.Redis, namespace: str, role: str, partitions: int = 8) -> None:
    """Wait until every partition is leased in this role."""

    async def all_leased() -> bool:
        held = [await client.exists(Keys(namespace, number).lease(role)) for number in range(partitions)]
        return all(held)

    await eventually(f"leases of all partitions for {role} ({workers_key(namespace, role)})", all_leased)
