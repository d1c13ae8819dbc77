"""Processes that belong to this one: started with logs of their own, watched, and stopped together."""

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from fairdeal.wire import Keys
from fairdeal_cli import leash
from fairdeal_cli.problems import Problem
from fairdeal_views.survey import lease_holder
from fairdeal_worker.settings import Settings

READY_S: Final = 30.0
"""How long freshly started workers may take until they serve everything."""
_STOP_S: Final = 10.0


@dataclass(slots=True)
class Part:
    """One process."""

    name: str
    command: tuple[str, ...]
    """What it was started with, after `fairdeal`."""
    log: Path
    process: "subprocess.Popen[bytes]"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of a worker; none of another process."""
        return self.command[1:] if self.command[0] == "work" else ()

    @property
    def last_words(self) -> str:
        """The end of its log: the words for people that a failed start leaves, else the last line."""
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        plain = [line for line in lines[-3:] if not line.startswith("{")]
        return "; ".join(plain) or (lines[-1] if lines else "it said nothing")


class Parts:
    """The processes of one deployment; all end with this object, and with this process."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._environment = os.environ | {
            "FAIRDEAL_REDIS_URL": settings.redis_url,
            "FAIRDEAL_NAMESPACE": settings.namespace,
            "FAIRDEAL_PARTITIONS": str(settings.partitions),
            "FAIRDEAL_SECRET": settings.secret,
            "FAIRDEAL_LEASE_MS": str(settings.lease_ms),
            "FAIRDEAL_LOG": "json",
        }
        self._token_secret = ""
        self.running: list[Part] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, name: str, *roles: str) -> Part:
        """Start a worker in these roles; its log is `<name>.log`, JSON lines."""
        return self._start(name, ("work", *roles), self._environment)

    def start_gateway(self, port: int, token_secret: str) -> Part:
        """Start the gateway on this port of 127.0.0.1. It gets no dealer's secret."""
        self._token_secret = token_secret
        command = ("gateway", "--host", "127.0.0.1", "--port", str(port))
        return self._start("gateway", command, self._environment_of(command))

    def again(self, part: Part) -> Part:
        """Start a part once more that has ended."""
        return self._start(part.name, part.command, self._environment_of(part.command))

    def _environment_of(self, command: tuple[str, ...]) -> dict[str, str]:
        if command[0] == "work":
            return self._environment
        without = {name: value for name, value in self._environment.items() if name != "FAIRDEAL_SECRET"}
        without.pop("FAIRDEAL_SECRET_FILE", None)
        return without | {"FAIRDEAL_TOKEN_SECRET": self._token_secret}

    def _start(self, name: str, command: tuple[str, ...], environment: dict[str, str]) -> Part:
        log = self._folder / f"{name}.log"
        with log.open("ab") as sink:
            process = leash.start(
                [sys.executable, "-P", "-m", "fairdeal_cli", *command],
                # A worker may die at any instant; one whose parent is gone has nothing to put in order.
                at_death=signal.SIGKILL,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )
        part = Part(name, command, log, process)
        self.running.append(part)
        return part

    def ended(self) -> list[Part]:
        """Those that have ended by themselves, each reported once."""
        ended = [part for part in self.running if part.process.poll() is not None]
        self.running = [part for part in self.running if part not in ended]
        return ended

    def stop(self) -> None:
        """End all in good order, at the same time; by force what does not end within a bound."""
        for part in self.running:
            if part.process.poll() is None:
                part.process.terminate()
        deadline = time.monotonic() + _STOP_S
        for part in self.running:
            leash.stop(part.process, max(0.1, deadline - time.monotonic()))
        self.running.clear()

    async def wait_served(self, redis: Any, roles: Sequence[str]) -> None:
        """Wait until every partition has a worker in each of these roles. Raises `Problem` when it takes too long."""
        deadline = time.monotonic() + READY_S
        keys = [Keys(self._settings.namespace, number) for number in range(self._settings.partitions)]
        missing = [(role, one) for role in roles for one in keys]
        while missing:
            for part in self.ended():
                raise Problem(
                    f"The worker {part.name} ended as soon as it was started",
                    part.last_words,
                    "Mend that and start again",
                )
            missing = [(role, one) for role, one in missing if await lease_holder(redis, one, role) is None]
            if missing and time.monotonic() > deadline:
                role, one = missing[0]
                raise Problem(
                    f"After {READY_S:.0f} s nobody serves partition {one.partition} in the role {role}",
                    f"the log of the worker ends: {self.running[0].last_words if self.running else ''}",
                    "Is the machine overloaded? Start it again",
                )
            if missing:
                await asyncio.sleep(0.05)


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end this process like Ctrl-C does: through every `finally`."""

    def end(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def new_secret() -> str:
    """A secret for a deployment that is to live no longer than this process."""
    return secrets.token_hex(32)


def kept_secret(data: Path | None, name: str) -> str:
    """A secret that is kept beside the data, in a file of this name; without a folder of data, one for once."""
    if data is None:
        return new_secret()
    file = data / name
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(new_secret())
    return file.read_text().strip()
