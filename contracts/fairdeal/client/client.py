# ruff: noqa: ASYNC109
# A bound on every call is this client's promise: callers should not have to bring their own.
"""The client: what a backend needs to host games, and nothing that it must know of Redis."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self

from redis.exceptions import RedisClusterException, RedisError

from fairdeal import game as common
from fairdeal.action import Action
from fairdeal.client.commands import Commands
from fairdeal.client.deployment import Deployment, checked_name
from fairdeal.client.errors import CommandFailed
from fairdeal.client.logs import replay_frames
from fairdeal.client.pipe import Pipe
from fairdeal.client.tail import Tail
from fairdeal.client.watching import Eyes, Watching
from fairdeal.directory import Page, Status, list_games
from fairdeal.envelope import Command, action_from
from fairdeal.receipt import Receipt, Rejected
from fairdeal.view import Frame, View
from fairdeal.visibility import Viewer
from fairdeal.wire import COMMAND_ID, DEFAULT_NAMESPACE, is_command_id


class Client:
    """Hosts, plays and watches the games of one deployment.

        async with Client("redis://127.0.0.1:6379") as client:
            receipt = await client.create("perudo", ["ann", "bob"])
            await client.act(receipt.game, 0, perudo.Bid(quantity=2, face=6))

    It belongs to one event loop; any number of tasks may share it, and their commands travel together.
    `name` is where its receipts are sent; leave it out unless you want to find that stream in Redis.
    `partitions` is read from the deployment; give it only to insist on a number.
    """

    def __init__(
        self,
        url: str = "redis://127.0.0.1:6379/0",
        name: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        partitions: int | None = None,
    ) -> None:
        """Raises `BadAddress`, ValueError for a name that cannot be one. Connects at the first call."""
        self._token = secrets.token_hex(6)
        self.name = checked_name("client", name) if name is not None else f"client-{self._token}"
        self.namespace = checked_name("namespace", namespace)
        self._pipe = Pipe(url)
        self._tail = Tail(url, self._pipe)
        self._commands = Commands(self._pipe, self._tail, self.name)
        self._watching = Watching(self._pipe, self._tail)
        self._deployment = Deployment(self._pipe, url, self.namespace, partitions)
        self._sent = 0
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End everything that is under way with `ClientClosed`, and all connections."""
        if not self._closed:
            self._closed = True
            self._watching.close()
            self._commands.close()
            await self._pipe.close()
            await self._tail.close()
            await self._deployment.close()

    # Commands

    async def create(
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
        """Create a game, and deal it unless `start="when_ready"`; the receipt's `game` is its id.

        `players` are your own ids, in seat order; `clock` is milliseconds a turn; `game` is made up when
        left out. To repeat an attempt whose outcome is unknown give the same `game` and `command_id`.
        Raises what `act` raises.
        """
        action = common.Create(
            ruleset=ruleset,
            players=tuple(p if isinstance(p, common.Player) else common.Player(id=p) for p in players),
            options=options or {},
            clock=common.Clock(turn_ms=clock) if isinstance(clock, int) else clock,
            start=start,
        )
        name = game if game is not None else secrets.token_hex(8)
        return await self.host(name, action, command_id=command_id, timeout=timeout)

    async def host(
        self,
        game: str,
        action: Action | dict[str, Any],
        *,
        expect: int | None = None,
        command_id: str | None = None,
        timeout: float = 5.0,
    ) -> Receipt:
        """Play an action of the host: `game.cancel`, `game.reseat`. Raises what `act` raises."""
        return await self._act(game, None, action, expect, command_id, timeout)

    async def act(
        self,
        game: str,
        seat: int,
        action: Action | dict[str, Any],
        *,
        expect: int | None = None,
        command_id: str | None = None,
        timeout: float = 5.0,
    ) -> Receipt:
        """Play an action of a seat and wait for its receipt, whose `version` is the game's now.

        `expect` is the version that the player saw: if the game has moved on the command is rejected, code
        `stale`. The same `command_id` takes effect once, however often it is sent; one is made up when left
        out. A plain dict works too.

        Raises `Rejected` when the rules or the service refuse it (`.code`, `.message`, `.details`,
        `.receipt`), `CommandFailed`, `NoReceipt` after `timeout` seconds, `Busy`, `NoDeployment`,
        `Unreachable`, msgspec.ValidationError for a dict that is no action, ValueError for a bad id.
        """
        return await self._act(game, seat, action, expect, command_id, timeout)

    async def _act(
        self,
        game: str,
        seat: int | None,
        action: Action | dict[str, Any],
        expect: int | None,
        command_id: str | None,
        within: float,
    ) -> Receipt:
        keys = await self._deployment.keys_of(game)
        if command_id is None:
            self._sent += 1
            command_id = f"{self._token}-{self._sent}"
        elif not is_command_id(command_id):
            raise ValueError(f"{command_id!r} cannot be a command's id: it must match {COMMAND_ID}")
        command = Command(
            id=command_id,
            game=game,
            seat=seat,
            expect=expect,
            reply_to=self.name,
            action=action_from(action),
        )
        receipt = await self._commands.send(keys, command, within)
        if receipt.status == "accepted":
            return receipt
        if receipt.status == "failed":
            raise CommandFailed(receipt)
        raise rejection(receipt)

    # Views

    async def view(
        self, game: str, viewer: Eyes = "table", *, at_least: int = 1, timeout: float = 5.0
    ) -> View[Any, Any]:
        """What a seat, or `table`, sees now, with the ruleset's own table, hand and offers.

        Views follow commits: to see what a receipt speaks of, ask for `at_least=receipt.version`. Raises
        `UnknownGame`, `ViewBehind` after `timeout` seconds, `Unreachable`, IndexError for a seat that is not
        there.
        """
        keys = await self._deployment.keys_of(game)
        return await self._watching.view(keys, game, _checked_eyes(viewer), at_least, timeout)

    async def watch(
        self, game: str, viewer: Eyes = "table", from_version: int = 0
    ) -> AsyncGenerator[View[Any, Any], None]:
        """The view now, and each newer one, until the game is over: `async for view in client.watch(...)`.

        Views up to `from_version` are left out. Who is slow to ask for the next one gets the newest then.
        Outages are waited out for up to a minute. Raises `UnknownGame`, `Unreachable`, `ClientClosed`,
        IndexError for a seat that is not there.
        """
        keys = await self._deployment.keys_of(game)
        async with aclosing(self._watching.watch(keys, game, _checked_eyes(viewer), from_version)) as views:
            async for view in views:
                yield view

    async def replay(
        self, game: str, viewer: Viewer = "table", from_version: int = 1, to_version: int | None = None
    ) -> AsyncGenerator[Frame, None]:
        """The game so far, commit by commit, as this viewer sees it: the redacted events and the view after.

        `audit` sees everything: hand it to nobody who plays. Raises `UnknownGame`, `NoReplays` when the
        replay code is not installed, `Unreachable`, msgspec.ValidationError for a log of a later release.
        """
        keys = await self._deployment.keys_of(game)
        async with aclosing(
            replay_frames(self._pipe, keys, game, viewer, from_version, to_version)
        ) as frames:
            async for frame in frames:
                yield frame

    async def games(
        self,
        status: Status | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> Page:
        """A page of games, newest first, that fit all of the filters given; for a lobby.

        `before` is the `next` of the page before. The directory follows commits, as views do. Raises
        `BadCursor`, ValueError for a limit outside 1 to 500, `NoDeployment`, `Unreachable`.
        """
        partitions = len(await self._deployment.keys())
        try:
            return await list_games(
                self._pipe.redis, self.namespace, partitions, status, ruleset, player, limit, before
            )
        except (RedisError, RedisClusterException, OSError) as error:
            raise self._pipe.translate(error) from error


def rejection(receipt: Receipt) -> Rejected:
    """The error of a receipt that is `rejected` or `invalid`."""
    details = dict(receipt.details or {})
    if receipt.path is not None:
        details.setdefault("path", receipt.path)
    rejected = Rejected(receipt.code or receipt.status, receipt.message or "", **details)
    rejected.receipt = receipt
    return rejected


def _checked_eyes(viewer: Eyes) -> Eyes:
    if viewer != "table" and (type(viewer) is not int or viewer < 0):
        raise ValueError(f"{viewer!r} has no view: a viewer is a seat's number or 'table'")
    return viewer
