"""The rules service's Redis: loading games, and the packed commit. The only module here that knows keys.

`commit.lua` is the transaction: it checks the position and the expected versions, then appends to the logs,
rings the doorbell, writes receipts and replies and moves the position, all or nothing.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from fairdeal.codec import decode_commit, encode_json
from fairdeal.receipt import Receipt
from fairdeal.wire import ARCHIVED, Keys
from fairdeal_rules.game import Game, SeedFor, load
from fairdeal_worker.role import PositionMoved
from fairdeal_worker.scripts import Script
from fairdeal_worker.settings import Settings

commit = Script("fairdeal_rules", "commit.lua")
_pack = msgspec.msgpack.Encoder().encode

Receipts = dict[str, int | bytes]
"""Command id → the version, for an accepted command; the receipt's JSON for any other."""


class Loaded:
    """A game in memory, with the receipts of all its commands."""

    __slots__ = ("archived", "broken", "game", "partition", "receipts")

    def __init__(self, partition: int, game: Game, receipts: Receipts) -> None:
        self.partition = partition
        self.game = game
        self.receipts = receipts
        self.archived = False
        self.broken: Exception | None = None
        """Why the log could not be read; such a game stands still."""

    @classmethod
    def unread(cls, partition: int, name: str, seed_for: SeedFor) -> "Loaded":
        """A game that is not looked into, whether it is there or not."""
        loaded = cls(partition, Game(name, seed_for), {})
        loaded.broken = LookupError("not read")
        return loaded

    @property
    def version(self) -> int:
        """The game's version; 0 when there is none, -1 when there is one that is not in memory."""
        return -1 if self.archived or self.broken is not None else self.game.version


class Cache:
    """Loaded games, the least recently used leaving first. Shared by all partitions of a worker."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: OrderedDict[str, Loaded] = OrderedDict()

    def get(self, game: str) -> Loaded | None:
        loaded = self._games.get(game)
        if loaded is not None:
            self._games.move_to_end(game)
        return loaded

    def put(self, loaded: Loaded) -> None:
        self._games[loaded.game.id] = loaded

    def drop(self, game: str) -> None:
        self._games.pop(game, None)

    def drop_partition(self, partition: int) -> None:
        for game in [id for id, loaded in self._games.items() if loaded.partition == partition]:
            del self._games[game]

    def shrink(self) -> None:
        """Forget what is over the bound. Called between batches, so that none in use is forgotten."""
        while len(self._games) > self._most:
            self._games.popitem(last=False)

    def __len__(self) -> int:
        return len(self._games)


async def load_games(redis: Any, keys: Keys, games: Iterable[str], seed_for: SeedFor) -> list[Loaded]:
    """Games from their logs and receipts, in one round trip. Raises redis.exceptions.RedisError.

    A game that does not exist comes at version 0; one whose log cannot be read comes `broken`.
    """
    names = list(games)
    pipeline = redis.pipeline(transaction=False)
    for name in names:
        pipeline.xrange(keys.log(name))
        pipeline.hgetall(keys.receipts(name))
    answers = await pipeline.execute(raise_on_error=False)
    for answer in answers:
        if isinstance(answer, Exception) and not str(answer).startswith("WRONGTYPE"):
            raise answer
    return [
        _loaded(keys.partition, name, answers[2 * i], answers[2 * i + 1], seed_for)
        for i, name in enumerate(names)
    ]


def _loaded(partition: int, name: str, log: Any, receipts: Any, seed_for: SeedFor) -> Loaded:
    known: Receipts = {}
    archived = False
    try:
        for answer in (log, receipts):
            if isinstance(answer, Exception):
                raise answer
        known = {
            command.decode(): int(value) if value.isdigit() else value for command, value in receipts.items()
        }
        archived = known.pop(ARCHIVED, None) is not None
        commits = ((decode_commit(fields[b"c"]), bytes.fromhex(fields[b"h"].decode())) for _, fields in log)
        loaded = Loaded(partition, load(name, seed_for, commits), known)
    except Exception as error:
        loaded = Loaded(partition, Game(name, seed_for), known)
        loaded.broken = error
    loaded.archived = archived
    return loaded


class GameWrites:
    """What one batch writes for one game."""

    __slots__ = ("before", "clock_stops", "commits", "deadline", "game", "receipts")

    def __init__(self, game: str, before: int) -> None:
        self.game = game
        self.before = before
        self.commits: list[str] = []
        self.receipts: list[str | int] = []
        self.deadline: int | None = None
        self.clock_stops = False


class Batch:
    """What one batch of entries writes, gathered while it is decided and committed by one script call."""

    __slots__ = ("count", "dead", "first", "games", "last", "replies")

    def __init__(self, first: str, last: str, count: int) -> None:
        self.first = first
        """The position that this batch starts from."""
        self.last = last
        """The entry of its last command: the position after it."""
        self.count = count
        self.games: dict[str, GameWrites] = {}
        self.replies: list[str] = []
        self.dead: list[Sequence[bytes | str]] = []

    def writes_for(self, loaded: Loaded) -> GameWrites:
        """What this batch writes for a game, from its first command on."""
        name = loaded.game.id
        writes = self.games.get(name)
        if writes is None:
            writes = self.games[name] = GameWrites(name, loaded.version)
        return writes

    def answer(self, loaded: Loaded, client: str | None, receipt: Receipt) -> None:
        """Give a command its lasting receipt, and send it to the client if one is named."""
        body = encode_json(receipt)
        loaded.receipts[receipt.command] = body
        self.writes_for(loaded).receipts += (receipt.command, body.decode())
        self.reply(client, body)

    def repeat(self, game: str, command: str, client: str | None, known: int | bytes) -> None:
        """Send a receipt that is there already."""
        if client is not None:
            if isinstance(known, int):
                known = encode_json(Receipt(command=command, game=game, status="accepted", version=known))
            self.reply(client, known)

    def reply(self, client: str | None, body: bytes) -> None:
        """Send the JSON of a receipt."""
        if client is not None:
            self.replies += (client, body.decode())

    async def write(self, redis: Any, keys: Keys, settings: Settings, attempts: int = 0) -> None:
        """Commit. Raises `PositionMoved` when the script refuses, redis.exceptions.RedisError.

        After an error the outcome is unknown: it may have been written all the same.
        """
        packed = _pack(
            [
                keys.prefix,
                self.first,
                self.last,
                self.count,
                attempts,
                [
                    [
                        writes.game,
                        writes.before,
                        writes.commits,
                        writes.receipts,
                        "-" if writes.clock_stops else str(writes.deadline or ""),
                    ]
                    for writes in self.games.values()
                ],
                self.replies,
                [len(letter) for letter in self.dead],
                [
                    settings.replies_kept,
                    settings.replies_ttl_s,
                    settings.dead_kept,
                    settings.stray_receipts_ttl_s,
                ],
            ]
        )
        answer = await commit(
            redis,
            [keys.position("rules"), keys.doorbell, keys.deadlines, keys.dead],
            [packed, *(value for letter in self.dead for value in letter)],
        )
        if answer[0] == b"position":
            raise PositionMoved(f"the position stands at {answer[1].decode()}, not at {self.first}")
        if answer[0] == b"version":
            raise PositionMoved(f"the log of {answer[1].decode()} is at version {answer[2]}")
