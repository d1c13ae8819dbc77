"""A deployment in one task: rules and views over the real keys, with switches that no real worker has."""

import asyncio
from types import TracebackType
from typing import Any, Self

import redis.asyncio

from fairdeal.codec import Malformed, decode_command, encode_json
from fairdeal.dealer import make_seed
from fairdeal.receipt import Receipt, Rejected
from fairdeal.wire import BODY, Keys, deployment_key
from fairdeal_rules.game import Game, deal
from fairdeal_views.fold import Fold


class StandIn:
    """Answers commands in order through commands, log, receipts, replies, view and updates."""

    def __init__(self, url: str, namespace: str, partitions: int = 2, *, cluster: bool = False) -> None:
        kind = redis.asyncio.RedisCluster if cluster else redis.asyncio.Redis
        self.redis: Any = kind.from_url(url, protocol=2)
        self.namespace = namespace
        self.keys = [Keys(namespace, partition) for partition in range(partitions)]
        self.drop_replies = False
        self.drop_updates = False
        self.views_lag = asyncio.Event()
        self.views_lag.set()
        self.working = asyncio.Event()
        self.working.set()
        self.handled: list[str] = []
        """The ids of all commands taken from the stream, repeats included."""
        self._games: dict[str, Game] = {}
        self._folds: dict[str, Fold] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.redis.hset(deployment_key(self.namespace), "partitions", len(self.keys))
        self._tasks = [asyncio.create_task(self._serve(keys)) for keys in self.keys]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)
        failed = [task.exception() for task in self._tasks if not task.cancelled() and task.exception()]
        await self.redis.aclose()
        if failed and error is None:
            raise failed[0]  # type: ignore[misc]

    async def _serve(self, keys: Keys) -> None:
        at: Any = "0-0"
        while True:
            await self.working.wait()
            try:
                answer = await self.redis.execute_command(
                    *("XREAD", "COUNT", 1000, "BLOCK", 50, "STREAMS"), keys.commands, at
                )
                for entry, fields in answer[0][1] if answer else ():
                    await self.working.wait()
                    await self._handle(keys, entry.decode(), fields[BODY.encode()])
                    at = entry
            except (redis.RedisError, OSError):
                await asyncio.sleep(0.05)

    async def _handle(self, keys: Keys, entry: str, body: bytes) -> None:
        try:
            command = decode_command(body)
        except Malformed as bad:
            receipt = Receipt(
                bad.command or "",
                bad.game or "",
                "invalid",
                code=bad.code,
                path=bad.path,
                message=bad.message,
            )
            await self._answer(keys, receipt, bad.reply_to)
            return
        self.handled.append(command.id)
        stored = await self.redis.hget(keys.receipts(command.game), command.id)
        if stored is not None:
            if stored[:1] != b"{":
                stored = encode_json(Receipt(command.id, command.game, "accepted", version=int(stored)))
            if command.reply_to:
                await self._reply(keys, command.reply_to, stored)
            return
        game = self._games.setdefault(command.game, Game(command.game, self._seed_for, deal))
        try:
            written = game.play(command, entry)
        except Rejected as no:
            receipt = Receipt(
                command.id,
                command.game,
                "rejected",
                version=game.version or None,
                code=no.code,
                message=no.message,
                details=no.details or None,
            )
            await self._answer(keys, receipt, command.reply_to)
            return
        version = written.commit.version
        await self.redis.xadd(
            keys.log(command.game), {"c": written.body, "h": written.hash.hex()}, id=f"{version}-0"
        )
        receipt = Receipt(command.id, command.game, "accepted", version=version)
        await self._answer(keys, receipt, command.reply_to)
        await self._store_views(keys, command.game, written.commit)

    def _seed_for(self, game: str, entry: str) -> Any:
        return make_seed(b"secret", self.namespace, game, entry)

    async def _answer(self, keys: Keys, receipt: Receipt, reply_to: str | None) -> None:
        stored = receipt.version if receipt.status == "accepted" else encode_json(receipt)
        await self.redis.hset(keys.receipts(receipt.game), receipt.command, stored)
        if reply_to:
            await self._reply(keys, reply_to, encode_json(receipt))

    async def _reply(self, keys: Keys, client: str, body: bytes) -> None:
        if not self.drop_replies:
            await self.redis.xadd(keys.replies(client), {BODY: body})

    async def _store_views(self, keys: Keys, name: str, commit: Any) -> None:
        await self.views_lag.wait()
        fold = self._folds.setdefault(name, Fold(name))
        fold.apply(commit)
        parts: dict[str, Any] = {"version": fold.version, **fold.encoded()}
        await self.redis.hset(keys.view(name), mapping=parts)
        if not self.drop_updates:
            await self.redis.xadd(keys.updates, {"g": name, "v": fold.version})
