"""One game as the rules service holds it: folded from its log, moved on by commands.

Pure: neither Redis nor a clock. The worker, the local table and the audit all play through this class, so
there is one way in which a command becomes events.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from fairdeal import clock, game
from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import GENESIS, Commit, chain, entry_ms
from fairdeal.dealer import Dealer, Seed, Seeded, join_entropy
from fairdeal.envelope import Command
from fairdeal.game import Outcome
from fairdeal.receipt import Rejected
from fairdeal.tagged import tag_of
from fairdeal.visibility import Event
from fairdeal_rules.ruleset import Ruleset, UnknownRuleset, rules_for

SeedFor = Callable[[str, str], Seed]
"""(game, entry of its `game.create`) → the game's seed."""

MakeDealer = Callable[[Seed, bytes, int], Any]
"""(seed, entropy, word) → the dealer to draw from; it has `word`, the number of the next word."""

MISSING_SEATS = "not_ready"
"""The reason of a game that was cancelled because not every seat said that it is there."""
DESERTED = "deserted"
DESERTED_AFTER = 1000
"""After so many commits in a row by the clock alone a game is called off: some rules let it go on for ever."""


class Written(msgspec.Struct, frozen=True):
    """A commit as it goes into the log."""

    commit: Commit
    body: bytes
    """The commit's JSON, which is what is hashed and stored."""
    hash: bytes


class Game:
    """A game's state after its newest commit.

    After any exception other than `Rejected` the state may be half moved: drop the object and load anew.
    """

    __slots__ = (
        "_dealer",
        "_events",
        "_logged_options",
        "_make_dealer",
        "_runs_for",
        "_seed",
        "_seed_for",
        "_since",
        "clock",
        "commitment",
        "deadline",
        "entropy",
        "finished",
        "hash",
        "id",
        "outcome",
        "players",
        "ready",
        "rules",
        "started",
        "state",
        "unattended",
        "version",
        "word",
    )

    def __init__(
        self,
        id: str,
        seed_for: SeedFor,
        make_dealer: "MakeDealer | None" = None,
        logged_options: dict[str, Any] | None = None,
    ) -> None:
        """`logged_options` are those of `game.created` where a game that was played is decided again."""
        self.id = id
        self._logged_options = logged_options
        self._seed_for = seed_for
        self._seed: Seed
        self._make_dealer = make_dealer or deal
        self._dealer: Any = None
        self._events: list[Event] = []
        self.version = 0
        self.hash = GENESIS
        self.word = 0
        self.rules: Ruleset[Any, Any]
        self.state: Any = None
        self.players: list[str] = []
        self.entropy: list[str | None] = []
        self.ready: set[int] = set()
        self.clock: game.Clock | None = None
        self.commitment = ""
        self.deadline: int | None = None
        self._runs_for: object = None
        self._since = 0
        self.unattended = 0
        self.started = False
        self.finished = False
        self.outcome: Outcome | None = None

    # Folding

    def replay(self, commit: Commit, hash: bytes) -> None:
        """Move on by a commit of the log. Raises `UnknownRuleset`, ValueError for a gap in the versions."""
        if commit.version != self.version + 1:
            raise ValueError(
                f"version {commit.version} follows version {self.version} in the log of {self.id}"
            )
        if self.version == 0:
            self._seed = self._seed_for(self.id, commit.entry)
        for event in commit.events:
            self._evolve(event)
        self._moved(commit, hash)

    def _moved(self, commit: Commit, hash: bytes) -> None:
        self.version = commit.version
        self.hash = hash
        self.unattended = self.unattended + 1 if type(commit.command.action) is clock.Expired else 0
        if commit.draws is not None:
            self.word = commit.draws[1]
        runs_for = self.rules.deadline_for(self.state) if self.started else None
        if runs_for is None or runs_for != self._runs_for:
            self._since = commit.at
        self._runs_for = runs_for
        allowance = self._allowance()
        self.deadline = None if allowance is None else self._since + allowance

    def _allowance(self) -> int | None:
        if self.finished:
            return None
        turn_ms = self.clock.turn_ms if self.clock else None
        return self.rules.allowance(self.state, turn_ms) if self.started else turn_ms

    def _evolve(self, event: Event) -> None:
        fold = _FOLDS.get(type(event))
        if fold is not None:
            fold(self, event)
        if self.started:
            self.rules.evolve(self.state, event)

    def _created(self, event: game.Created) -> None:
        self.rules = rules_for(event.ruleset)
        options = msgspec.convert(event.options, self.rules.Options)
        self.state = self.rules.open(options, len(event.players))
        self.players = list(event.players)
        self.entropy = list(event.entropy)
        self.clock = event.clock
        self.commitment = event.commitment

    def _readied(self, event: game.Readied) -> None:
        self.ready.add(event.seat)
        if event.entropy is not None:
            self.entropy[event.seat] = event.entropy

    def _was_started(self, event: game.Started) -> None:
        self.started = True

    def _reseated(self, event: game.Reseated) -> None:
        self.players[event.seat] = event.player

    def _was_finished(self, event: game.Finished) -> None:
        self.finished = True
        self.outcome = event.outcome

    # Deciding

    def play(self, command: Command, entry: str) -> Written:
        """Decide a command that stands at `entry` of its stream and move on by it.

        Raises `Rejected`, and then nothing has changed.
        """
        self._check(command)
        self._events = []
        try:
            decide = _DECISIONS.get(type(command.action))
            timed = decide is None or type(command.action) is game.Ready  # giving up needs no time
            if timed and self.deadline is not None and entry_ms(entry) >= self.deadline:
                raise Rejected("too_late", "The time for this has run out", deadline=self.deadline)
            if decide is None:
                self._seat_acts(command)
            else:
                decide(self, command, entry)
        except Rejected as rejected:
            self._nothing_happened(rejected)
            raise
        if self.started and not self.finished:
            outcome = self.rules.outcome(self.state)
            if outcome is not None:
                self._finish(outcome)
        word = self.word if self._dealer is None else self._dealer.word
        commit = Commit(
            game=self.id,
            version=self.version + 1,
            entry=entry,
            command=command,
            events=tuple(self._events),
            draws=None if word == self.word else (self.word, word),
        )
        body = encode_json(commit)
        hash = chain(self.hash, body)
        self._moved(commit, hash)
        return Written(commit, body, hash)

    def _check(self, command: Command) -> None:
        creates = type(command.action) is game.Create
        if self.version == 0:
            if not creates:
                raise Rejected("unknown_game", f"There is no game {self.id}")
            return
        if creates:
            raise Rejected("game_exists", f"The game {self.id} exists already")
        if self.finished:
            raise Rejected("finished", "The game is over")
        if command.expect is not None and command.expect != self.version:
            raise Rejected(
                "stale", f"The game is at version {self.version}, not {command.expect}", version=self.version
            )

    def _nothing_happened(self, rejected: Rejected) -> None:
        """Hold the rules to their word: a rejection leaves no trace. Raises `TraceLeft`."""
        if self._events:
            raise TraceLeft(f"{self.rules.tag} rejected a command after it had emitted") from rejected
        if self._dealer is not None and self._dealer.word != self.word:
            self._dealer = None

    def _emit(self, event: Event) -> None:
        self._evolve(event)
        self._events.append(event)

    def _table(self) -> Dealer:
        """The dealer, made when the game first draws: entropy is complete only once all are there."""
        if self._dealer is None:
            if self._seed.commitment != self.commitment:
                raise WrongSecret(
                    f"The seed of {self.id} is not the one that was committed to: this worker runs with another "
                    "FAIRDEAL_SECRET or namespace than the one that created the game"
                )
            self._dealer = self._make_dealer(self._seed, join_entropy(self.entropy), self.word)
        dealer: Dealer = self._dealer
        return dealer

    def _seat_acts(self, command: Command) -> None:
        self._seated(command)
        if not self.started:
            raise Rejected("wrong_phase", "The game has not started: not every seat is ready")
        seat = command.seat
        assert seat is not None
        if type(command.action) not in self.rules.actions:
            raise Rejected(
                "unknown_action",
                f"{tag_of(command.action)} is no action of {self.rules.name}",
                path="$.action.type",
            )
        self.rules.decide(self.state, seat, command.action, self._table(), self._emit)

    def _seated(self, command: Command) -> None:
        if command.seat is None or command.seat >= len(self.players):
            what = (
                "A seat's action names its seat"
                if command.seat is None
                else f"There is no seat {command.seat}"
            )
            raise Rejected("not_seated", f"{what}; the seats of this table are 0 to {len(self.players) - 1}")

    def _host_only(self, command: Command) -> None:
        if command.seat is not None:
            raise Rejected("not_seated", "This is the host's own action: leave out the seat")

    def _create(self, command: Command, entry: str) -> None:
        action = command.action
        assert isinstance(action, game.Create)
        self._host_only(command)
        try:
            rules = rules_for(action.ruleset)
        except UnknownRuleset as error:
            raise Rejected("unknown_ruleset", str(error)) from None
        names = [player.id for player in action.players]
        if len(set(names)) != len(names):
            raise Rejected("bad_players", "A player sits on two seats", path="$.action.players")
        options = rules.resolve_options(action.options, len(names), self._logged_options)
        self._seed = self._seed_for(self.id, entry)
        self._emit(
            game.Created(
                ruleset=rules.tag,
                players=tuple(names),
                entropy=tuple(player.entropy for player in action.players),
                options=msgspec.json.decode(encode_json(options)),  # as a log holds them, lists and all
                clock=action.clock,
                start=action.start,
                commitment=self._seed.commitment,
            )
        )
        if action.start == "at_once":
            self._begin()

    def _begin(self) -> None:
        self._emit(game.Started())
        self.rules.begin(self.state, self._table(), self._emit)

    def _get_ready(self, command: Command, entry: str) -> None:
        action = command.action
        assert isinstance(action, game.Ready)
        self._seated(command)
        seat = command.seat
        assert seat is not None
        if self.started:
            raise Rejected("wrong_phase", "The game has started")
        if seat in self.ready:
            raise Rejected("wrong_phase", "This seat is ready already")
        self._emit(game.Readied(seat=seat, entropy=action.entropy))
        if len(self.ready) == len(self.players):
            self._begin()

    def _cancel(self, command: Command, entry: str) -> None:
        action = command.action
        assert isinstance(action, game.Cancel)
        self._host_only(command)
        self._call_off(action.reason)

    def _call_off(self, reason: str) -> None:
        self._emit(game.Cancelled(reason=reason))
        self._finish(Outcome(winners=(), places=(1,) * len(self.players), scores=None, reason="cancelled"))

    def _reseat(self, command: Command, entry: str) -> None:
        action = command.action
        assert isinstance(action, game.Reseat)
        self._host_only(command)
        if action.seat >= len(self.players):
            raise Rejected("not_seated", f"There is no seat {action.seat}", path="$.action.seat")
        if action.player in self.players:
            raise Rejected(
                "bad_players", f"{action.player} sits at this table already", path="$.action.player"
            )
        self._emit(game.Reseated(seat=action.seat, player=action.player))

    def _time_is_up(self, command: Command, entry: str) -> None:
        action = command.action
        assert isinstance(action, clock.Expired)
        self._host_only(command)
        if action.version != self.version:
            raise Rejected(
                "stale", f"The game is at version {self.version}, not {action.version}", version=self.version
            )
        if self.deadline is None or entry_ms(entry) < self.deadline:
            raise Rejected("too_early", "The deadline has not passed", deadline=self.deadline)
        if not self.started:
            self._emit(clock.RanOut(seats=tuple(s for s in range(len(self.players)) if s not in self.ready)))
            self._call_off(MISSING_SEATS)
            return
        moves = self.rules.overdue(self.state)
        self._emit(clock.RanOut(seats=tuple(dict.fromkeys(seat for seat, _ in moves))))
        if self.unattended >= DESERTED_AFTER:
            self._call_off(DESERTED)
            return
        for seat, move in moves:
            self._play_overdue(seat, move)

    def _play_overdue(self, seat: int, move: Action) -> None:
        if self.rules.outcome(self.state) is not None:
            return
        so_far = len(self._events)
        try:
            self.rules.decide(self.state, seat, move, self._table(), self._emit)
        except Rejected as rejected:
            # A former seat's move has settled what this one was waited for.
            if len(self._events) != so_far:
                raise TraceLeft(f"{self.rules.tag} rejected a move after it had emitted") from rejected

    def _resign(self, command: Command, entry: str) -> None:
        self._seated(command)
        if self.started:
            self._seat_acts(command)
        else:
            assert command.seat is not None
            self._emit(game.Resigned(seat=command.seat))
            self._call_off(MISSING_SEATS)

    def _finish(self, outcome: Outcome) -> None:
        self._emit(game.Finished(outcome=outcome, seed=self._seed.revealed))


class TraceLeft(RuntimeError):
    """A ruleset raised `Rejected` after its first emit: the state cannot be trusted any more."""


class WrongSecret(RuntimeError):
    """This worker cannot deal for this game: its secret is not the one that the seed was made with."""


_FOLDS: dict[type, Callable[[Game, Any], None]] = {
    game.Created: Game._created,
    game.Readied: Game._readied,
    game.Started: Game._was_started,
    game.Reseated: Game._reseated,
    game.Finished: Game._was_finished,
}

_DECISIONS: dict[type, Callable[[Game, Command, str], None]] = {
    game.Create: Game._create,
    game.Ready: Game._get_ready,
    game.Resign: Game._resign,
    game.Cancel: Game._cancel,
    game.Reseat: Game._reseat,
    clock.Expired: Game._time_is_up,
}


def deal(seed: Seed, entropy: bytes, word: int) -> Seeded:
    """The real dealer."""
    return Seeded(seed.value, entropy, word)


def load(
    id: str, seed_for: SeedFor, commits: Iterable[tuple[Commit, bytes]], make_dealer: MakeDealer = deal
) -> Game:
    """A game from its log: commits with their chain hashes, oldest first. Raises what `Game.replay` raises."""
    loaded = Game(id, seed_for, make_dealer)
    for commit, hash in commits:
        loaded.replay(commit, hash)
    return loaded
