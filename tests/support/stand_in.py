"""A deployment in one task: rules and views over the real keys, with switches that no real worker has."""

import asyncio
from types import TracebackType
from typing import Any, Self

import redis.asyncio
from redis.exceptions import RedisClusterException

from fairdeal.client.tasks import end
from fairdeal.codec import Malformed, decode_command, encode_json
from fairdeal.dealer import make_seed
from fairdeal.envelope import Command
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
        self._receipts: dict[tuple[str, str], Receipt] = {}
        self._moved: dict[int, list[str]] = {keys.partition: [] for keys in self.keys}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.redis.hset(deployment_key(self.namespace), "partitions", len(self.keys))
        self._tasks = [asyncio.create_task(self._serve(keys)) for keys in self.keys]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await end(self._tasks)
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
                for _, entries in answer or ():
                    await self.working.wait()
                    await self._batch(keys, entries)
                    at = entries[-1][0]
            except (redis.RedisError, RedisClusterException, OSError, AttributeError):
                # AttributeError: redis-py, where another task's failure closed the connection in its handshake.
                await asyncio.sleep(0.05)

    async def _batch(self, keys: Keys, entries: Any) -> None:
        writes = self.redis.pipeline(transaction=False)
        for entry, fields in entries:
            self._handle(writes, keys, entry.decode(), fields[BODY.encode()])
        writes.hset(keys.position("rules"), "entry", entries[-1][0])
        await writes.execute()
        await self.views_lag.wait()
        views = self.redis.pipeline(transaction=False)
        for name in self._moved[keys.partition]:
            self._store_view(views, keys, name)
        self._moved[keys.partition].clear()
        await views.execute()

    def _handle(self, writes: Any, keys: Keys, entry: str, body: bytes) -> None:
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
            self._answer(writes, keys, receipt, bad.reply_to)
            return
        self.handled.append(command.id)
        receipt = self._receipts.get((command.game, command.id)) or self._play(writes, keys, entry, command)
        self._receipts[command.game, command.id] = receipt
        self._answer(writes, keys, receipt, command.reply_to)

    def _play(self, writes: Any, keys: Keys, entry: str, command: Command) -> Receipt:
        game = self._games.setdefault(command.game, Game(command.game, self._seed_for, deal))
        try:
            written = game.play(command, entry)
        except Rejected as no:
            version, details = game.version or None, no.details or None
            return Receipt(
                command.id,
                command.game,
                "rejected",
                version,
                code=no.code,
                message=no.message,
                details=details,
            )
        version = written.commit.version
        writes.xadd(keys.log(command.game), {"c": written.body, "h": written.hash.hex()}, id=f"{version}-0")
        self._folds.setdefault(command.game, Fold(command.game)).apply(written.commit)
        self._moved[keys.partition].append(command.game)
        return Receipt(command.id, command.game, "accepted", version)

    def _seed_for(self, game: str, entry: str) -> Any:
        return make_seed(b"secret", self.namespace, game, entry)

    def _answer(self, writes: Any, keys: Keys, receipt: Receipt, reply_to: str | None) -> None:
        stored = receipt.version if receipt.status == "accepted" else encode_json(receipt)
        writes.hset(keys.receipts(receipt.game), receipt.command, stored)
        if reply_to and not self.drop_replies:
            writes.xadd(keys.replies(reply_to), {BODY: encode_json(receipt)})

    def _store_view(self, writes: Any, keys: Keys, name: str) -> None:
        fold = self._folds[name]
        parts: dict[str, Any] = {"version": fold.version, **fold.encoded()}
        writes.hset(keys.view(name), mapping=parts)
        if not self.drop_updates:
            writes.xadd(keys.updates, {"g": name, "v": fold.version})
