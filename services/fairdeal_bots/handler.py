"""The bots worker: for each update, the bots of that game look at their views and send what they choose."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec

from fairdeal.codec import decode_receipt, encode_json
from fairdeal.envelope import Command
from fairdeal.view import decode_view, join_parts
from fairdeal.wire import Keys
from fairdeal_bots.bot import command_id, move_of
from fairdeal_bots.registry import PREFIX, UnknownBot, bot_for, is_bot
from fairdeal_worker.role import Entry, Handler, Partition, Position, PositionMoved, Role
from fairdeal_worker.scripts import Script

SWEEP_S: Final = 5.0
"""How often games are looked through whose bots were not told, or whose command was lost."""

SWEEP_GAMES: Final = 200
"""How many games one tick looks through, about; the next tick goes on from there."""

REMEMBERED: Final = 20_000
"""How many games a worker remembers something of."""

_MARK: Final = b'"' + PREFIX.encode()
_write = Script("fairdeal_bots", "bots.lua")


class _Seats(msgspec.Struct):
    players: list[str]


class _TablePart(msgspec.Struct):
    table: _Seats


_decode_table = msgspec.json.Decoder(_TablePart).decode


def bots_at(table: bytes) -> dict[int, str]:
    """The seats that bots sit on, by a view's stored table part; none if it cannot be read."""
    if _MARK not in table:
        return {}
    try:
        players = _decode_table(table).table.players
    except msgspec.MsgspecError:
        return {}
    return {seat: player for seat, player in enumerate(players) if is_bot(player)}


class _Seen(NamedTuple):
    """A game's stored view: the table, the bots that sit there, and the seats' parts that were read."""

    table: bytes
    bots: dict[int, str]
    parts: dict[int, bytes | None]


class Move(NamedTuple):
    """What a bot wants to do."""

    game: str
    seat: int
    version: int
    command: Command


class Recent:
    """The newest so many games with one thing remembered of each."""

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: OrderedDict[str, Any] = OrderedDict()

    def get(self, game: str) -> Any:
        """What is remembered, or None."""
        return self._of.get(game)

    def swap(self, game: str, value: Any) -> Any:
        """Remember a value; returns the one before, or None."""
        before = self._of.pop(game, None)
        self._of[game] = value
        if len(self._of) > REMEMBERED:
            self._of.popitem(last=False)
        return before


class BotsHandler(Handler):
    """Plays the bots' seats in one partition's games."""

    def __init__(self, partition: Partition) -> None:
        super().__init__(partition)
        self._redis = partition.redis
        self._keys: Keys = partition.keys
        self._log = partition.log
        self._position = ""
        self._missed = 0
        self._seats: Recent = partition.shared.setdefault("seats", Recent())
        self._complained: Recent = partition.shared.setdefault("complained", Recent())
        self._stood: Recent = partition.shared.setdefault("stood", Recent())
        self._next_sweep = 0.0
        self._places: list[tuple[str, int]] = []

    async def start(self, position: Position) -> None:
        """Take over at a position. Updates that were trimmed before they were read are made up for by sweeps."""
        self._position = position.entry
        self._missed = await self._count_missed(position)
        self._next_sweep = monotonic() + (0 if self._missed else SWEEP_S)

    async def _count_missed(self, position: Position) -> int:
        """What to add to the position's count so that `entries-added` less the count is the lag again."""
        added = length = 0
        if await self._redis.exists(self._keys.updates):
            facts = await self._redis.xinfo_stream(self._keys.updates)
            added, length = int(facts["entries-added"]), int(facts["length"])
        if position.count > added:
            return -position.count  # the stream began anew
        return max(0, added - length - position.count)

    async def handle(self, entries: Sequence[Entry]) -> None:
        """Send what the bots choose in the games of these updates. Raises `PositionMoved`."""
        games = dict.fromkeys(entry.fields[b"g"].decode() for entry in entries if b"g" in entry.fields)
        moves = await self._moves(games)
        await self._send(moves, entries[-1].id, len(entries) + self._missed)
        self._missed = 0

    async def _send(self, moves: Iterable[Move], to: str, count: int) -> None:
        bodies = [encode_json(move.command) for move in moves]
        keys = [self._keys.position("bots"), self._keys.commands]
        answer = await _write(self._redis, keys, [self._position, to, count, *bodies])
        if answer[0] != b"ok":
            raise PositionMoved(f"the position of the bots stands at {answer[1].decode()}")
        self._position = to

    # Choosing

    async def _moves(self, games: Collection[str]) -> list[Move]:
        """What the bots of these games want to do now."""
        read = await self._read({game: self._seats.get(game) or {} for game in games})
        # Whose bots were not known, or not all of them, is read once more with the right seats.
        missing = {
            game: seen.bots for game, seen in read.items() if not seen.bots.keys() <= seen.parts.keys()
        }
        read |= await self._read(missing)
        moves: list[Move] = []
        for game, seen in read.items():
            self._seats.swap(game, seen.bots)
            for seat, player in seen.bots.items():
                part = seen.parts.get(seat)
                if part is not None:
                    moves += self._move(game, seat, player, join_parts(seen.table, part))
        return moves

    async def _read(self, games: Mapping[str, Mapping[int, str]]) -> dict[str, "_Seen"]:
        """The stored views of these games' seats, each game's at one version; games without views are left out."""
        if not games:
            return {}
        pipeline = self._redis.pipeline(transaction=False)
        for game, seats in games.items():
            pipeline.hmget(self._keys.view(game), "table", *(f"seat:{seat}" for seat in seats))
        read = {}
        for (game, seats), (table, *parts) in zip(games.items(), await pipeline.execute(), strict=True):
            if table is not None:
                read[game] = _Seen(table, bots_at(table), dict(zip(seats, parts, strict=True)))
        return read

    def _move(self, game: str, seat: int, player: str, view: bytes) -> list[Move]:
        """The seat's move, if it has one. Whatever a bot does wrong stays its own game's trouble."""
        try:
            seen = decode_view(view)
            action = move_of(bot_for(seen.ruleset, player), seen)
        except Exception as error:
            self._complain(game, seat, player, error)
            return []
        if action is None:
            return []
        id = command_id(seat, seen.version)
        return [Move(game, seat, seen.version, Command(id, game, action, seat=seat, expect=seen.version))]

    def _complain(self, game: str, seat: int, player: str, error: Exception) -> None:
        """Say once for a game what is wrong with its bots."""
        if self._complained.swap(game, True) is None:
            known = isinstance(error, UnknownBot)
            self._log.error(
                "unknown_bot" if known else "bot_failed",
                game=game,
                seat=seat,
                player=player,
                error=str(error),
                next="give the seat to another player: game.reseat",
                exc_info=None if known else error,
            )

    # What was lost on the way

    async def tick(self) -> float | None:
        """Every few seconds begin to look through the games in play; a page of them each time."""
        if not self._places:
            if monotonic() < self._next_sweep:
                return None
            self._next_sweep = monotonic() + SWEEP_S
            self._places = [("status:playing", 0), ("status:waiting", 0)]
        index, cursor = self._places.pop()
        cursor, page = await self._redis.zscan(
            self._keys.directory_index(index), cursor=cursor, count=SWEEP_GAMES
        )
        if cursor:
            self._places.append((index, cursor))
        await self._push([game.decode() for game, _ in page])
        return None

    async def _push(self, games: Collection[str]) -> None:
        """Send again the moves of bots whose game has stood still since it was last looked at."""
        late = [move for move in await self._moves(games) if self._is_late(move)]
        if not late:
            return
        pipeline = self._redis.pipeline(transaction=False)
        for move in late:
            pipeline.hget(self._keys.receipts(move.game), move.command.id)
        lost: list[Move] = []
        for move, receipt in zip(late, await pipeline.execute(), strict=True):
            if receipt is None:
                lost.append(move)
            elif receipt[:1] == b"{":
                self._refused(move, receipt)
        if lost:
            self._log.info("moves_sent_again", games=sorted({move.game for move in lost}))
            await self._send(lost, self._position, 0)

    def _is_late(self, move: Move) -> bool:
        """Whether to look for this move's receipt: at the 2nd, 3rd, 5th, 9th … visit that finds it unmade.

        Ever more seldom, so that bots do not fill the commands while nobody takes them.
        """
        seat = f"{move.game} {move.seat}"
        version, visits = self._stood.swap(seat, None) or (0, 0)
        visits = visits + 1 if version == move.version else 1
        self._stood.swap(seat, (move.version, visits))
        return visits > 1 and (visits - 1).bit_count() == 1

    def _refused(self, move: Move, receipt: bytes) -> None:
        """A bot was offered a move that the rules then refused: the game waits for it in vain."""
        if decode_receipt(receipt).code == "stale":
            return  # its view has not followed yet
        if self._complained.swap(move.game, True) is None:
            self._log.error(
                "bot_refused",
                game=move.game,
                seat=move.seat,
                version=move.version,
                receipt=receipt.decode(),
                next="a seat's offers and the rules disagree: report it with the game's log",
            )


ROLE = Role("bots", stream=lambda keys: keys.updates, handler=BotsHandler)
