"""The rules worker: a batch of commands in, one packed commit out."""

import traceback
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final
from uuid import uuid4

from redis.exceptions import ResponseError

from fairdeal import game as common
from fairdeal.clock import Expired
from fairdeal.codec import Malformed, decode_command, decode_commit, encode_json, short
from fairdeal.dealer import Seed, make_seed
from fairdeal.envelope import Command
from fairdeal.receipt import Receipt, Rejected
from fairdeal.wire import BODY, Keys, partition_of
from fairdeal_rules.clock import submit_expired
from fairdeal_rules.letters import dead_letter
from fairdeal_rules.store import Batch, Cache, Loaded, load_games
from fairdeal_rules.trim import trim
from fairdeal_worker.gap import count_correction
from fairdeal_worker.role import Entry, Handler, Partition, Position, Role

ONE_AT_A_TIME: Final = 3
"""From this start on from one position, the batch is handled one command at a time."""
SET_ASIDE: Final = 4
"""At this start, the first command has ended the process while it was alone: it is set aside unread."""

ENTRIES_GONE: Final = (
    "commands were removed before they were read; receipts tell their senders which to send again"
)

IDLE_TRIMS: Final = 10
"""How many times longer the pause between trims is when nothing has come since the last."""

_BODY = BODY.encode()


class RulesHandler(Handler):
    """Decides one partition's commands and commits them."""

    # Clock and trimming wait for the server several times; commands shall not wait for them.
    ticks_alone = False

    def __init__(self, partition: Partition) -> None:
        super().__init__(partition)
        settings = partition.settings
        self._redis = partition.redis
        self._keys: Keys = partition.keys
        self._settings = settings
        self._log = partition.log
        self._cache: Cache = partition.shared.setdefault("games", Cache(settings.cache_games))
        self._games: dict[str, Loaded] = {}
        """The games of the batch in hand, whatever the cache forgets meanwhile for other partitions' sake."""
        self._secret = settings.secret.encode()
        self._position = ""
        self._attempts = 1
        self._correction = 0
        self._next_trim = 0.0
        self._trimmed = ""
        self._submitted: dict[str, float] = {}

    async def start(self, position: Position) -> None:
        """Take over at a position. Nothing that an earlier handler believed of this partition is kept."""
        self._position = position.entry
        self._attempts = position.attempts
        self._cache.drop_partition(self._keys.partition)
        self._correction = await count_correction(
            self._redis, self._keys.commands, position, self._log, ENTRIES_GONE
        )

    async def handle(self, entries: Sequence[Entry]) -> None:
        """Decide and commit a batch. Raises `PositionMoved`, redis.exceptions.RedisError."""
        if self._attempts >= ONE_AT_A_TIME:
            await self._one_at_a_time(entries)
        else:
            await self._batch(entries)
        self._attempts = 0
        self._cache.shrink()

    async def _one_at_a_time(self, entries: Sequence[Entry]) -> None:
        """Find the command that ends the process: each alone, its attempt counted before it is handled."""
        self._log.warning("one_at_a_time", attempts=self._attempts, entries=len(entries))
        rest = list(entries)
        if self._attempts >= SET_ASIDE:
            await self._set_aside(rest.pop(0), last=not rest)
        for number, entry in enumerate(rest):
            if number or self._attempts >= SET_ASIDE:
                await self._redis.hincrby(self._keys.position("rules"), "attempts", 1)
            last = number == len(rest) - 1
            await self._batch([entry], attempts=0 if last else ONE_AT_A_TIME - 1)

    async def _batch(self, entries: Sequence[Entry], attempts: int = 0) -> None:
        batch = Batch(self._position, entries[-1].id, len(entries) + self._correction)
        commands = [self._decode(entry) for entry in entries]
        await self._load(commands)
        for entry, command in zip(entries, commands, strict=True):
            if isinstance(command, Malformed):
                self._answer_malformed(batch, entry, command)
            elif not self._play(batch, entry, command):
                await self._reload(batch, command.game)
        await self._write(batch, attempts)
        for loaded in self._games.values():
            if loaded.broken is None:
                self._cache.put(loaded)

    async def _write(self, batch: Batch, attempts: int) -> None:
        for writes in batch.games.values():
            if writes.commits:
                writes.deadline = self._games[writes.game].game.deadline
        await batch.write(self._redis, self._keys, self._settings, attempts)
        self._position = batch.last
        self._correction = 0

    # Reading

    def _decode(self, entry: Entry) -> Command | Malformed:
        body = entry.fields.get(_BODY)
        if body is None:
            return Malformed("malformed", "$", f"The entry has no field {BODY}")
        try:
            command = decode_command(body, self._settings.max_body)
        except Malformed as malformed:
            return self._at_home(malformed)
        if partition_of(command.game, self._settings.partitions) != self._keys.partition:
            return self._misplaced(command.game, command.id, command.reply_to)
        return command

    def _at_home(self, malformed: Malformed) -> Malformed:
        game = malformed.game
        if game is None or partition_of(game, self._settings.partitions) == self._keys.partition:
            return malformed
        return self._misplaced(game, malformed.command, malformed.reply_to)

    def _misplaced(self, game: str, command: str | None, reply_to: str | None) -> Malformed:
        """A command on the wrong stream: answered, but its game's receipts are in another partition."""
        home = partition_of(game, self._settings.partitions)
        return Malformed(
            "malformed",
            "$.game",
            f"The game {game} belongs to partition {home}, this is the stream of {self._keys.partition}",
            command=command,
            reply_to=reply_to,
        )

    async def _load(self, commands: Sequence[Command | Malformed]) -> None:
        wanted = dict.fromkeys(command.game for command in commands if command.game is not None)
        self._games = {}
        missing = []
        for game in wanted:
            cached = self._cache.get(game)
            if cached is None:
                missing.append(game)
            else:
                self._games[game] = cached
        if missing:
            for loaded in await load_games(self._redis, self._keys, missing, self._seed_for):
                self._games[loaded.game.id] = loaded
                if loaded.broken is not None:
                    self._log.error("game_unreadable", game=loaded.game.id, exc_info=loaded.broken)

    def _seed_for(self, game: str, entry: str) -> Seed:
        return make_seed(self._secret, self._keys.namespace, game, entry)

    # Deciding

    def _play(self, batch: Batch, entry: Entry, command: Command) -> bool:
        """Play one command and note what is to be written. False when the rules crashed on it."""
        loaded = self._games[command.game]
        known = loaded.receipts.get(command.id)
        if known is not None:
            batch.repeat(command.game, command.id, command.reply_to, known)
            return True
        writes = batch.writes_for(loaded)
        try:
            if loaded.broken is not None:
                raise loaded.broken
            if loaded.archived:
                raise _archived(command)
            written = loaded.game.play(command, entry.id)
        except Rejected as rejected:
            receipt = Receipt(
                command=command.id,
                game=command.game,
                status="rejected",
                version=loaded.game.version or None,
                code=rejected.code,
                message=short(rejected.message),
                details=rejected.details or None,
            )
            batch.answer(loaded, command.reply_to, receipt)
            self._log.debug("rejected", game=command.game, command=command.id, code=rejected.code)
            return True
        except Exception as error:
            self._fail(batch, loaded, entry, command, error)
            return False
        version = written.commit.version
        writes.commits += (written.body.decode(), written.hash.hex())
        writes.receipts += (command.id, version)
        loaded.receipts[command.id] = version
        self._log.debug("accepted", game=command.game, command=command.id, version=version)
        if command.reply_to is not None:
            batch.repeat(command.game, command.id, command.reply_to, version)
        return True

    def _fail(self, batch: Batch, loaded: Loaded, entry: Entry, command: Command, error: Exception) -> None:
        """The rules crashed: our fault. The game stays as it was, the command becomes a dead letter."""
        incident = uuid4().hex
        self._log.error(
            "command_failed",
            incident=incident,
            game=command.game,
            command=command.id,
            version=loaded.game.version,
            exc_info=error,
        )
        message = f"The service could not handle this command; quote incident {incident}"
        batch.answer(loaded, command.reply_to, _failed(command, incident, message))
        # The clock would send its command again for ever; the deadline comes back with the next commit.
        batch.writes_for(loaded).clock_stops |= type(command.action) is Expired
        where = "".join(traceback.format_exception_only(error)).strip()
        batch.dead.append(dead_letter(entry, "crashed", incident, where, self._settings.max_body))

    async def _reload(self, batch: Batch, name: str) -> None:
        """After a crash the state may be half moved: read the log again, and what this batch added to it."""
        old = self._games[name]
        (loaded,) = await load_games(self._redis, self._keys, [name], self._seed_for)
        if loaded.broken is None:
            commits = batch.games[name].commits
            for body, hash in _pairs(commits):
                loaded.game.replay(decode_commit(body), bytes.fromhex(hash))
        loaded.receipts = old.receipts
        self._games[name] = loaded

    def _answer_malformed(self, batch: Batch, entry: Entry, malformed: Malformed) -> None:
        command, game = malformed.command, malformed.game
        self._log.info(
            "command_invalid",
            entry=entry.id,
            code=malformed.code,
            path=malformed.path,
            game=game,
            command=command,
        )
        if command is None or (game is None and malformed.reply_to is None):
            letter = dead_letter(entry, malformed.code, "", str(malformed), self._settings.max_body)
            batch.dead.append(letter)
            return
        receipt = Receipt(
            command=command,
            game=game or "",
            status="invalid",
            code=malformed.code,
            path=malformed.path,
            message=malformed.message,
        )
        if game is None:
            batch.reply(malformed.reply_to, encode_json(receipt))
            return
        known = self._games[game].receipts.get(command)
        if known is None:
            batch.answer(self._games[game], malformed.reply_to, receipt)
        else:
            batch.repeat(game, command, malformed.reply_to, known)

    async def _set_aside(self, entry: Entry, *, last: bool) -> None:
        """Park the command that ended the process again and again, without looking into its game."""
        incident = uuid4().hex
        message = f"Handling this command ended the worker {SET_ASIDE - 1} times; quote incident {incident}"
        self._log.error("command_set_aside", incident=incident, entry=entry.id)
        batch = Batch(self._position, entry.id, 1 + self._correction)
        batch.dead.append(dead_letter(entry, "killed_worker", incident, message, self._settings.max_body))
        command = self._decode(entry)
        if isinstance(command, Command) and not await self._has_receipt(command):
            unread = Loaded.unread(self._keys.partition, command.game, self._seed_for)
            batch.answer(unread, command.reply_to, _failed(command, incident, message))
        await self._write(batch, 0 if last else ONE_AT_A_TIME - 1)

    async def _has_receipt(self, command: Command) -> bool:
        try:
            return bool(await self._redis.hexists(self._keys.receipts(command.game), command.id))
        except ResponseError as error:
            self._log.error("receipts_unreadable", game=command.game, error=str(error))
            return True

    # Besides

    async def tick(self) -> float | None:
        """Let the clock play, and trim the streams. Returns seconds until the next deadline, if it is near."""
        wait = await submit_expired(self._redis, self._keys, self._submitted, self._log)
        if monotonic() >= self._next_trim:
            # Projections may still catch up when no command comes any more: then seldom is enough.
            pause = 1 if self._position != self._trimmed else IDLE_TRIMS
            self._next_trim = monotonic() + pause * self._settings.trim_ms / 1000
            self._trimmed = self._position
            await trim(self._redis, self._keys, self._position)
        return wait


def _failed(command: Command, incident: str, message: str) -> Receipt:
    return Receipt(
        command=command.id,
        game=command.game,
        status="failed",
        code="internal",
        message=message,
        incident=incident,
    )


def _archived(command: Command) -> Rejected:
    if type(command.action) is common.Create:
        return Rejected("game_exists", f"The game {command.game} exists already, in the archive")
    return Rejected("finished", "The game is over")


def _pairs(flat: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(flat[::2], flat[1::2], strict=True)


ROLE = Role("rules", stream=lambda keys: keys.commands, handler=RulesHandler)
