"""A whole deployment with its web table for tests in a browser: Redis, workers and a gateway, all real processes."""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from redis_server import RedisServer, free_port
from support.workers import Worker

TOKEN_SECRET = "a secret for the tokens of tests, long enough"
NAMESPACE = "web"
LEASE_MS = 900

_GATEWAY = """
import uvloop
from fairdeal_gateway.serve import serve
from fairdeal_gateway.settings import gateway_settings_from
from fairdeal_worker.logs import configure_logs
from fairdeal_worker.settings import settings_from
settings = settings_from()
configure_logs(settings)
uvloop.run(serve(settings, gateway_settings_from()))
"""


def until(what: str, condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Wait until `condition()` is truthy and return that. Fails saying what it waited for."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain for {what}"
        time.sleep(0.05)


class Site:
    """Everything that the page needs, on 127.0.0.1. `host` is a token of the scope `host`."""

    def __init__(self) -> None:
        self.redis = RedisServer()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.host = ""
        self._log = Path(tempfile.mkstemp(prefix="fairdeal-gateway-", suffix=".log")[1])
        self._gateway: subprocess.Popen[bytes] | None = None
        self._workers: list[Worker] = []

    def __enter__(self) -> "Site":
        try:
            self.redis.start()
            self.worker("rules", "views", "replays", "bots")
            self.start_gateway()
            self._wait_for_leases()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def worker(self, *roles: str) -> Worker:
        """One more worker process in these roles."""
        worker = Worker(self.redis.url, NAMESPACE, *roles, lease_ms=LEASE_MS, partitions=4)
        self._workers.append(worker)
        return worker

    def start_gateway(self) -> None:
        """Start the gateway, on the port that it always has, and wait until it answers."""
        from fairdeal_gateway.tokens import Mint, TokenRequest

        environment = os.environ | {
            "FAIRDEAL_REDIS_URL": self.redis.url,
            "FAIRDEAL_NAMESPACE": NAMESPACE,
            "FAIRDEAL_TOKEN_SECRET": TOKEN_SECRET,
            "FAIRDEAL_HTTP_PORT": str(self.port),
            "FAIRDEAL_PARTITIONS": "4",
            "FAIRDEAL_LOG": "json",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        with self._log.open("ab") as sink:
            self._gateway = subprocess.Popen(
                [sys.executable, "-c", _GATEWAY],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )
        self.host = Mint(TOKEN_SECRET, NAMESPACE, 10**6).mint(TokenRequest("host")).token
        until("the gateway to answer", lambda: self._answers("health/live"))

    def stop_gateway(self) -> None:
        """End the gateway at once, as a crash would."""
        if self._gateway is not None:
            self._gateway.kill()
            self._gateway.wait(10)

    def _answers(self, path: str) -> bool:
        """Whether the gateway says that all is well there; it must not have ended."""
        assert self._gateway is not None
        if self._gateway.poll() is not None:
            raise AssertionError(f"the gateway ended: {self._log.read_text(errors='replace')[-3000:]}")
        try:
            self.ask(path)
        except OSError:
            return False
        return True

    def _wait_for_leases(self) -> None:
        def served() -> bool:
            look = self.ask("operations")
            return all(place["worker"] for one in look["partitions"] for place in one["progress"])

        # The first worker creates the deployment: before that there is nothing to survey.
        until("the deployment to be there", lambda: self._answers("health/ready"))
        until("every place to be served", served)

    def ask(self, path: str, body: Any = None, token: str | None = None) -> Any:
        """The JSON of a GET, or of a POST of a body. Raises urllib.error.HTTPError, OSError."""
        request = urllib.request.Request(
            f"{self.url}/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token or self.host}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())

    def bytes_of(self, path: str, token: str) -> bytes:
        """The bytes of a GET."""
        request = urllib.request.Request(f"{self.url}/{path}", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            content: bytes = answer.read()
            return content

    def open(self, ruleset: str, players: Iterable[str], **more: Any) -> str:
        """A new game's id."""
        body = {"ruleset": ruleset, "players": [{"id": player} for player in players], **more}
        game: str = self.ask("games", body)["game"]
        return game

    def mint(self, scope: str, game: str | None = None, **more: Any) -> str:
        """A new token."""
        token: str = self.ask("tokens", {"scope": scope, "game": game, **more})["token"]
        return token

    def finished(self, game: str, seconds: float = 30.0) -> dict[str, Any]:
        """Wait until a game is over; its summary."""

        def over() -> dict[str, Any] | None:
            found = [one for one in self.ask("games?limit=500")["games"] if one["game"] == game]
            return found[0] if found and found[0]["status"] == "finished" else None

        summary: dict[str, Any] = until(f"the end of {game}", over, seconds)
        return summary

    def remove(self) -> None:
        """End every process and remove what they left."""
        self.stop_gateway()
        for worker in self._workers:
            worker.remove()
        self.redis.remove()
        self._log.unlink(missing_ok=True)
