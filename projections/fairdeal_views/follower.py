"""Following the doorbell: what the views and the replays workers have in common.

A follower keeps something of each game that is folded from its log. Doorbells only tell it which games to look
at; it reads each log from its own version on and stores what came of it, with its position, by one script call
a batch. So catching up, live work and the sweep for missed doorbells are one code path, and a lost, repeated
or late doorbell is harmless.
"""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

import msgspec

from fairdeal.wire import Keys
from fairdeal_views.cache import Cache
from fairdeal_views.doorbell import collapse, missed_doorbells
from fairdeal_views.keeper import Keeper
from fairdeal_views.logs import answers, read_logs, scan_logs
from fairdeal_views.pace import Pace
from fairdeal_views.parking import parked_json
from fairdeal_views.sweep import behind
from fairdeal_worker.role import Entry, Handler, Partition, Position, PositionMoved

CAREFUL = 3
"""From this start on from one position, games are handled one at a time: one of them ends the process."""
CONVICTED = 4
"""At this start, a game that was alone in hand when the process ended is parked."""
ALONE = 3
"""A game that was alone in hand this often when a process ended is parked, at whatever start. Not the first time:
processes are also ended by operators, hosts and chance."""

PAGE = 128
"""The most commits of one game that are read at once."""
GAMES = 512
"""The most games that are read at once: with `PAGE` it bounds what one answer can hold."""
SWEEP_KEYS = 1000
"""How many of the server's keys one slice of a sweep looks at."""
SWEEP_SLICES = 10
"""How many slices a sweep does in one tick."""
TRIES = 3
"""How often a batch is done again because something else wrote to its games."""

S = TypeVar("S")
_pack = msgspec.msgpack.Encoder().encode


class Follower(Handler, Keeper[S]):
    """Serves one partition in a role that says, as a `Keeper`, what it keeps of a game."""

    def __init__(self, partition: Partition) -> None:
        super().__init__(partition)
        self.keys: Keys = partition.keys
        self._cache: Cache[S] = partition.shared.setdefault("cache", Cache(partition.settings.cache_games))
        self._entry = ""
        self._correction = 0
        self._parked: set[str] = set()
        self._careful = self._careful_sweep = False
        self._suspect = ("", 0)
        self._cursor = 0
        self._next_sweep = 0.0
        self._pace = Pace()

    # The handler

    async def start(self, position: Position) -> None:
        """Begin at a position; nothing that an earlier handler believed of this partition is kept."""
        partition, key = self.partition, self.keys.position(self.role)
        self._entry = position.entry
        self._cache.drop_partition(self.keys.partition)
        pipeline = partition.redis.pipeline(transaction=False)
        pipeline.hkeys(self.keys.parked(self.role))
        pipeline.hget(key, "trying")
        parked, trying = await pipeline.execute()
        self._parked = {game.decode() for game in parked}
        self._correction = await missed_doorbells(partition, position)
        self._careful = position.attempts >= CAREFUL
        if trying:
            await self._judge(trying.decode(), position.attempts)

    async def _judge(self, trying: str, attempts: int) -> None:
        """Something was in hand when the last worker ended: look closer, or park what it was again and again."""
        worker, times, game = trying.split(" ", 2)
        lost = worker != self.partition.worker
        self._careful_sweep = lost
        if not game:
            return
        self._careful = self._careful or lost
        self._suspect = (game, int(times))
        if attempts >= CONVICTED or (lost and int(times) >= ALONE):
            error = RuntimeError("the worker ended, or failed, again and again with only this game in hand")
            await self._store({}, {game: self._park(game, 0, error)}, self._entry, 0)

    async def handle(self, entries: Sequence[Entry]) -> None:
        """Handle a batch of doorbells. Raises `PositionMoved`, redis.exceptions.RedisError."""
        if not self._careful:
            await self._move_on(self._collapse(entries), entries[-1].id, len(entries))
            return
        self.partition.log.warning("one_at_a_time", entries=len(entries))
        for entry in entries:
            games = self._collapse([entry])
            await self._mark(*games)
            await self._move_on(games, entry.id, 1)
        self._careful = False

    async def tick(self) -> float | None:
        """Look for games that are behind their log: a slice of the partition, once a sweep is due."""
        if self._cursor == 0 and monotonic() < self._next_sweep:
            return None
        for _ in range(SWEEP_SLICES):
            self._cursor, games = await scan_logs(self.partition.redis, self.keys, self._cursor, SWEEP_KEYS)
            await self._catch_up(sorted(set(games)))
            if self._cursor == 0:
                self._next_sweep = monotonic() + self.partition.settings.sweep_s
                self._careful_sweep = False
                break
        return None

    async def stop(self) -> None:
        """Leave no memory behind that another handler of this worker could take for true."""
        self._cache.drop_partition(self.keys.partition)

    def forget(self, game: str) -> None:
        """Drop what is kept in memory of a game; it is read anew when it rings again."""
        self._cache.take(self.keys.partition, game)

    def _collapse(self, entries: Sequence[Entry]) -> dict[str, int]:
        return collapse(entries, self.keys, self.partition.settings.partitions, self.partition.log)

    async def _mark(self, game: str = "") -> None:
        """Note what is in hand, so that a successor knows it should this process end. The script unmarks.

        A game that is alone in hand has its name noted, and how often in a row that was so.
        """
        suspect, times = self._suspect
        times = times + 1 if game == suspect else 1
        await self.partition.redis.hset(
            self.keys.position(self.role), "trying", f"{self.partition.worker} {times} {game}"
        )

    # The sweep

    async def _catch_up(self, games: Sequence[str]) -> None:
        late = await behind(
            self.partition.redis, self.keys, self, [game for game in games if game not in self._parked]
        )
        if not late:
            return
        for game in late:
            # What is stored is not what this handler believes, else the game would not be behind.
            self.forget(game)
        self.partition.log.info("behind", games=len(late))
        if not self._careful_sweep:
            await self._mark()
            await self._move_on(late, self._entry, 0)
            return
        for game, version in late.items():
            await self._mark(game)
            await self._move_on({game: version}, self._entry, 0)

    # One batch

    async def _move_on(self, games: Mapping[str, int], to: str, count: int) -> None:
        """Bring these games at least up to the versions given, store that, and move the position."""
        if self._parked:
            parked = await self.partition.redis.hkeys(self.keys.parked(self.role))
            self._parked = {game.decode() for game in parked}
            games = {game: version for game, version in games.items() if game not in self._parked}
        for _ in range(TRIES):
            states, parked_now = await self._fold(games)
            if await self._store(states, parked_now, to, count):
                return
        raise PositionMoved(f"others keep writing what is stored of {', '.join(sorted(games))[:200]}")

    async def _fold(self, games: Mapping[str, int]) -> tuple[dict[str, S], dict[str, str]]:
        """The games with their logs folded in, and those that crashed with what is to be parked of them."""
        states: dict[str, S] = {}
        parked: dict[str, str] = {}
        missing = []
        for game in games:
            state = self._cache.take(self.keys.partition, game)
            if state is None:
                missing.append(game)
            else:
                states[game] = state
        for game, answer in zip(missing, await self._ask(missing), strict=True):
            try:
                if isinstance(answer, Exception):
                    raise answer
                states[game] = self.open(game, answer)
            except Exception as error:
                parked[game] = self._park(game, 0, error)
        waiting = {
            game: self.version(state) for game, state in states.items() if self.version(state) < games[game]
        }
        while waiting:
            waiting = await self._read_on(states, parked, waiting)
        return states, parked

    async def _ask(self, games: Sequence[str]) -> list[Any]:
        if not games:
            return []
        pipeline = self.partition.redis.pipeline(transaction=False)
        for game in games:
            self.ask(pipeline, game)
        return await answers(pipeline)

    async def _read_on(
        self, states: dict[str, S], parked: dict[str, str], waiting: Mapping[str, int]
    ) -> dict[str, int]:
        """Fold a page of each log. Returns the games that may have more, with the versions reached."""
        more: dict[str, int] = {}
        names = list(waiting)
        for first in range(0, len(names), GAMES):
            wanted = {game: waiting[game] for game in names[first : first + GAMES]}
            for game, commits in (await read_logs(self.partition.redis, self.keys, wanted, PAGE)).items():
                state = states[game]
                try:
                    for commit in commits:
                        self.apply(state, commit)
                except Exception as error:
                    del states[game]
                    parked[game] = self._park(game, self.version(state) + 1, error)
                    continue
                if len(commits) == PAGE:
                    more[game] = self.version(state)
                await self._pace.worked(len(commits))
        return more

    def _park(self, game: str, version: int, error: Exception) -> str:
        """Log the incident; returns what is stored of it."""
        incident = uuid4().hex
        self.partition.log.error("game_parked", incident=incident, game=game, version=version, exc_info=error)
        return parked_json(incident, version, error)

    async def _store(self, states: dict[str, S], parked: dict[str, str], to: str, count: int) -> bool:
        """Run the script. False when something else wrote to a game: the batch is to be done again."""
        written: dict[str, S] = {}
        writes: list[Any] = []
        for game, state in states.items():
            if self.version(state) == 0:
                continue  # There is no such game, or no more.
            try:
                write = self.write(state)
            except Exception as error:
                parked[game] = self._park(game, self.version(state), error)
                continue
            if write is not None:
                writes.append(write)
                await self._pace.worked()
            written[game] = state
        moves = to != self._entry
        answer = await self._run(writes, parked, to, count + self._correction if moves else 0)
        if answer[0] == b"position":
            raise PositionMoved(f"the position stands at {answer[1].decode()}, not at {self._entry}")
        others = {game.decode() for game in answer[1:]}
        if answer[0] == b"stale":
            self.partition.log.warning("written_by_others", games=sorted(others)[:20])
            return False
        self._parked.update(parked)
        self._entry = to
        if moves:
            self._correction = 0
        for game, state in written.items():
            if game not in others:
                self.stored(state)
                self._cache.put(self.keys.partition, game, state)
        return True

    async def _run(self, writes: list[Any], parked: Mapping[str, str], to: str, count: int) -> list[bytes]:
        key, besides = self.script_needs()
        packed = _pack(
            [
                self.keys.prefix,
                self._entry,
                to,
                count,
                _flat(parked),
                writes,
                *besides,
            ]
        )
        answer: list[bytes] = await self.script(
            self.partition.redis,
            [self.keys.position(self.role), self.keys.parked(self.role), key],
            [packed],
        )
        return answer


def _flat(pairs: Mapping[str, str]) -> list[str]:
    return [text for pair in pairs.items() for text in pair]
