"""Load for a running service: many games played at once over the streams, by nothing but the wire contract."""

import asyncio
import random
import uuid
from typing import Any

import msgspec

from fairdeal.codec import decode_commit
from fairdeal.commit import Commit
from fairdeal.dealer import SealedSeed
from fairdeal.games import perudo
from fairdeal.receipt import Receipt
from fairdeal.tagged import tag_of
from fairdeal.wire import BODY, Keys, partition_of
from fairdeal_rules.game import Game

PATIENCE_S = 60.0


class Post:
    """Sends commands and waits for their receipts; sends again, under the same id, what is not answered."""

    def __init__(self, redis: Any, namespace: str, partitions: int = 8, resend_s: float = 2.0) -> None:
        self.redis = redis
        self.namespace = namespace
        self.partitions = partitions
        self.name = f"load-{uuid.uuid4().hex[:8]}"
        self.receipts: dict[tuple[str, str], list[bytes]] = {}
        self.sent: dict[str, list[str]] = {}
        """Each game's command ids, in the order in which they were first sent."""
        self._resend_s = resend_s
        self._waiting: dict[tuple[str, str], asyncio.Future[Receipt]] = {}
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Post":
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._reader is not None
        self._reader.cancel()

    def keys(self, game: str) -> Keys:
        return Keys(self.namespace, partition_of(game, self.partitions))

    async def send(self, game: str, seat: int | None, action: Any, id: str | None = None) -> Receipt:
        """Send until answered, for `PATIENCE_S` at the most."""
        id = id or uuid.uuid4().hex[:26]
        command = {"id": id, "game": game, "reply_to": self.name, "action": action}
        if seat is not None:
            command["seat"] = seat
        body = msgspec.json.encode(command)
        self.sent.setdefault(game, []).append(id)
        answer = self._waiting[(game, id)] = asyncio.get_running_loop().create_future()
        for _ in range(int(PATIENCE_S / self._resend_s)):
            await self.redis.xadd(self.keys(game).commands, {BODY: body})
            done, _ = await asyncio.wait([answer], timeout=self._resend_s)
            if done:
                return answer.result()
        raise AssertionError(f"no receipt for {id} of {game} within {PATIENCE_S} s")

    async def _read(self) -> None:
        places = {Keys(self.namespace, p).replies(self.name): "0-0" for p in range(self.partitions)}
        while True:
            for stream, entries in await self.redis.xread(places, block=500, count=1000) or []:
                places[stream.decode()] = entries[-1][0].decode()
                for _, fields in entries:
                    self._take(fields[BODY.encode()])

    def _take(self, body: bytes) -> None:
        receipt = msgspec.json.decode(body, type=Receipt)
        key = (receipt.game, receipt.command)
        self.receipts.setdefault(key, []).append(body)
        future = self._waiting.pop(key, None)
        if future is not None and not future.done():
            future.set_result(receipt)


class Player:
    """Plays all seats of one Perudo game, reading the log as it goes."""

    def __init__(self, post: Post, game: str, seats: int, seed: int, dice: int = 5) -> None:
        self.post = post
        self.game = game
        self.seats = seats
        self.options = {"dice_per_player": dice}
        self.random = random.Random(seed)
        self.followed = Game(game, lambda *_: SealedSeed(""))

    async def play(self) -> None:
        """Create the game and play it to its end."""
        players = [{"id": f"player{seat}"} for seat in range(self.seats)]
        create = {"type": "game.create", "ruleset": "perudo", "players": players, "options": self.options}
        receipt = await self.post.send(self.game, None, create)
        assert receipt.status == "accepted", receipt
        while True:
            await self._follow()
            if self.followed.finished:
                return
            state = self.followed.state
            receipt = await self.post.send(self.game, state.turn, self._choose(state))
            assert receipt.status == "accepted", receipt

    def _choose(self, state: Any) -> dict[str, Any]:
        if not state.bids:
            action: Any = perudo.Bid(quantity=1, face=self.random.randint(2, 6))
        else:
            quantity, face, _ = state.bids[-1]
            if quantity == state.highest or self.random.random() < 0.2:
                action = perudo.Dudo()
            else:
                action = perudo.Bid(quantity=quantity + 1, face=face)
        return {"type": tag_of(action), **msgspec.structs.asdict(action)}

    async def _follow(self) -> None:
        log = self.post.keys(self.game).log(self.game)
        for _, fields in await self.post.redis.xrange(log, min=f"{self.followed.version + 1}-0"):
            commit: Commit = decode_commit(fields[b"c"])
            self.followed.replay(commit, bytes.fromhex(fields[b"h"].decode()))
