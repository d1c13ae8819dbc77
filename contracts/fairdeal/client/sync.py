"""The client for code without an event loop: the same methods, each waiting for its answer."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from fairdeal import game as common
from fairdeal.action import Action
from fairdeal.client.client import Client
from fairdeal.client.errors import ClientClosed
from fairdeal.client.tasks import end
from fairdeal.client.watching import Eyes
from fairdeal.directory import Page, Status
from fairdeal.receipt import Receipt
from fairdeal.view import Frame, View
from fairdeal.visibility import Viewer
from fairdeal.wire import DEFAULT_NAMESPACE

R = TypeVar("R")


class SyncClient:
    """`Client` with its event loop in a thread of its own; any number of threads may share it.

    with SyncClient("redis://127.0.0.1:6379") as client:
        receipt = client.create("perudo", ["ann", "bob"])
    """

    def __init__(
        self,
        url: str = "redis://127.0.0.1:6379/0",
        name: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        partitions: int | None = None,
    ) -> None:
        """See `Client`."""
        self._client = Client(url, name, namespace, partitions)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run_loop, name="fairdeal-client", daemon=True)
        self._thread.start()

    def _run_loop(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(end(asyncio.all_tasks(self._loop)))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """See `Client.close`."""
        if self._thread.is_alive():
            self._wait(self._client.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _wait(self, coroutine: Coroutine[Any, Any, R]) -> R:
        if not self._thread.is_alive():
            coroutine.close()
            raise ClientClosed
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # Ctrl-C ends the wait here; let it end there too
            raise

    def _drain(self, source: AsyncGenerator[R, None]) -> Generator[R, None, None]:
        try:
            while True:
                try:
                    item = self._wait(_next(source))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            if self._thread.is_alive():
                self._wait(source.aclose())

    @property
    def name(self) -> str:
        """Where this client's receipts are sent."""
        return self._client.name

    @property
    def namespace(self) -> str:
        """The deployment's namespace."""
        return self._client.namespace

    def create(
        self,
        ruleset: str,
        players: Sequence[str | common.Player],
        options: dict[str, Any] | None = None,
        clock: common.Clock | int | None = None,
        start: common.Start = "at_once",
        game: str | None = None,
        *,
        command_id: str | None = None,
        timeout: float = 5.0,
    ) -> Receipt:
        """See `Client.create`."""
        return self._wait(
            self._client.create(
                ruleset, players, options, clock, start, game, command_id=command_id, timeout=timeout
            )
        )

    def host(
        self,
        game: str,
        action: Action | dict[str, Any],
        *,
        expect: int | None = None,
        command_id: str | None = None,
        timeout: float = 5.0,
    ) -> Receipt:
        """See `Client.host`."""
        return self._wait(
            self._client.host(game, action, expect=expect, command_id=command_id, timeout=timeout)
        )

    def act(
        self,
        game: str,
        seat: int,
        action: Action | dict[str, Any],
        *,
        expect: int | None = None,
        command_id: str | None = None,
        timeout: float = 5.0,
    ) -> Receipt:
        """See `Client.act`."""
        return self._wait(
            self._client.act(game, seat, action, expect=expect, command_id=command_id, timeout=timeout)
        )

    def view(
        self, game: str, viewer: Eyes = "table", *, at_least: int = 1, timeout: float = 5.0
    ) -> View[Any, Any]:
        """See `Client.view`."""
        return self._wait(self._client.view(game, viewer, at_least=at_least, timeout=timeout))

    def watch(
        self, game: str, viewer: Eyes = "table", from_version: int = 0
    ) -> Generator[View[Any, Any], None, None]:
        """See `Client.watch`: `for view in client.watch(...)`."""
        return self._drain(self._client.watch(game, viewer, from_version))

    def replay(
        self, game: str, viewer: Viewer = "table", from_version: int = 1, to_version: int | None = None
    ) -> Generator[Frame, None, None]:
        """See `Client.replay`."""
        return self._drain(self._client.replay(game, viewer, from_version, to_version))

    def games(
        self,
        status: Status | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> Page:
        """See `Client.games`."""
        return self._wait(self._client.games(status, ruleset, player, limit, before))


async def _next(source: AsyncGenerator[R, None]) -> R:
    return await anext(source)
