"""Execution: the same commands under the same rules give the same commits, and every draw is the dealer's.

Each commit is decided on the state folded from the *logged* commits before it, with a dealer that gives the
logged outcomes: so one bad commit does not drown the rest, a game that still runs can be re-executed too,
and whether the rules were kept does not hang on whether the dealing was fair.
"""

import copy
from typing import Any, Final, NamedTuple

import msgspec

from fairdeal import game
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.dealer import ImpossibleOutcome, SealedSeed, Seed
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event, drawn_outcomes
from fairdeal_audit.chain import Log
from fairdeal_audit.report import CheckName, Ledger, quote, shorten
from fairdeal_audit.witness import Witness
from fairdeal_rules.game import Game

REPLAYED: tuple[CheckName, ...] = ("draws", "execution", "conservation")
"""The checks that need every commit before the one they look at."""

LAST_WORD: Final = 2**64
"""No game draws as far as this; a log that says so is not followed there."""


class LoggedSeed(SealedSeed):
    """The seed of a game as its log tells it: what it commits to and what it reveals, matching or not."""

    __slots__ = ("_revealed",)

    def __init__(self, commitment: str, revealed: str) -> None:
        super().__init__(commitment)
        self._revealed = revealed

    @property
    def revealed(self) -> str:
        return self._revealed


class Stop(NamedTuple):
    """The version at which a log can be followed no further, and why."""

    version: int
    reason: str


def execute(log: Log, id: str, seed: LoggedSeed, stream: bytes | None, ledger: Ledger) -> Stop | None:
    """Re-execute the log of game `id`. `stream` is the revealed seed, or None when it is not known.

    Faults go to `draws`, `execution` and `conservation`. A commit that is missing, cannot be read, cannot be
    folded or breaks the ruleset's invariants ends all three: no rules say what follows from there.
    """
    execution = _Execution(log, id, seed, stream, ledger)
    for version in range(1, max(1, log.last) + 1):
        reason = _not_there(log, version)
        checked = version if reason is None else version - 1
        reason = reason or execution.step(version, log.commits[version])
        if reason is not None:
            if checked < log.last or not log.records:
                for check in REPLAYED:
                    ledger.skip(check, f"what comes after could not be checked: {reason}")
            return Stop(version, reason)
    return None


def _not_there(log: Log, version: int) -> str | None:
    if version in log.commits:
        return None
    return f"version {version} {'cannot be read' if version in log.unreadable else 'is missing'}"


class _Execution:
    """What is carried from commit to commit."""

    __slots__ = ("_commands", "_ledger", "_logged", "_played", "_records", "_seed", "_witness", "_word")

    def __init__(self, log: Log, id: str, seed: Seed, stream: bytes | None, ledger: Ledger) -> None:
        self._records = log.records
        self._seed = seed
        self._ledger = ledger
        self._witness = Witness(stream)
        first = log.commits.get(1)
        created = first.events[0] if first is not None and first.events else None
        options = created.options if isinstance(created, game.Created) else None
        self._logged = self._new_game(id, options)
        """The game as the logged commits fold."""
        self._played = self._new_game(id, options)
        """The game that plays; as long as it plays what is logged it need not be folded anew."""
        self._commands: dict[str, int] = {}
        """Command id → the version at which it took effect."""
        self._word = 0
        """The word of the dealer's stream that is due next."""

    def _new_game(self, id: str, options: dict[str, Any] | None) -> Game:
        return Game(
            id,
            lambda _id, _entry: self._seed,
            lambda _seed, entropy, _word: self._witness.sit_down(entropy),
            options,
        )

    def step(self, version: int, commit: Commit) -> str | None:
        """Check the commit of a version and move on; why it is impossible to go on after it, or None."""
        start, end = commit.draws or (self._word, self._word)
        outcomes = [outcome for event in commit.events for outcome in drawn_outcomes(event)]
        # A range that is out of place is the draws' own finding: the words that are due are compared, and the
        # range is reported back as it is logged.
        self._witness.expect(outcomes, self._word, end)
        self._played.word = start
        finding, complete = self._play(version, commit)
        if finding is not None:
            self._ledger.fail("execution", version, finding)
        self._check_once(version, commit)
        self._check_draws(version, commit, len(outcomes), complete)
        return self._fold(version, commit, agreed=finding is None)

    def _play(self, version: int, commit: Commit) -> tuple[str | None, bool]:
        """What re-execution finds, and whether the rules went through all their draws."""
        try:
            written = self._played.play(commit.command, commit.entry)
            same = written.body == self._records[version].body
            return None if same else _difference(commit, written.commit), True
        except Rejected as rejected:
            return f"the rules refuse this command: {rejected.message} ({rejected.code})", False
        except ImpossibleOutcome as error:
            return f"the rules draw otherwise than the log says: {error}", False
        except Exception as error:
            return f"the rules fail on this command: {type(error).__name__}: {error}", False

    def _check_once(self, version: int, commit: Commit) -> None:
        first = self._commands.setdefault(commit.command.id, version)
        if first != version:
            self._ledger.fail(
                "execution",
                version,
                f"the command {quote(commit.command.id)} took effect at version {first} already",
            )

    def _check_draws(self, version: int, commit: Commit, drawn: int, complete: bool) -> None:
        finding = self._draws_finding(commit, drawn, complete)
        if finding is not None:
            self._ledger.fail("draws", version, finding)
        end = self._witness.next_word if complete else None
        if end is None and commit.draws is not None and commit.draws[1] <= LAST_WORD:
            end = commit.draws[1]
        if end is not None:
            self._word = max(self._word, end)

    def _draws_finding(self, commit: Commit, drawn: int, complete: bool) -> str | None:
        witness = self._witness
        if witness.mismatch is not None:
            return witness.mismatch
        if complete and witness.left:
            return f"it holds {drawn} drawn outcomes, the rules draw only {drawn - witness.left}"
        if commit.draws is None:
            return f"it holds {drawn} drawn outcomes, but no words of the dealer's stream" if drawn else None
        start, end = commit.draws
        says = f"it says that it used the words {quote(start)} to {quote(end)} of the dealer's stream"
        if start != self._word:
            return f"{says}, but the next one due is {self._word}"
        if not drawn or end < start + drawn:
            return f"{says}, but it holds {drawn} drawn outcomes"
        used = witness.next_word
        if complete and used is not None and end != used:
            return f"{says}, but its draws use them up to {used}"
        return None

    def _fold(self, version: int, commit: Commit, agreed: bool) -> str | None:
        ledger = self._ledger
        if version == 1 and not (commit.events and isinstance(commit.events[0], game.Created)):
            ledger.fail("execution", version, "the first commit does not open a game")
            return "version 1 does not open a game"
        try:
            # Which version a commit calls itself is the chain's business.
            same = commit.version == version
            self._logged.replay(commit if same else msgspec.structs.replace(commit, version=version), b"")
        except Exception as error:
            reason = f"cannot be folded: {type(error).__name__}: {error}"
            ledger.fail("execution", version, f"its events {reason}")
            ledger.skip("conservation", f"the events of version {version} {reason}")
            return f"the events of version {version} {reason}"
        violations = self._violations()
        for violation in violations:
            ledger.fail("conservation", version, violation)
        if not agreed:
            self._played = copy.deepcopy(self._logged)
        return f"version {version} breaks the ruleset's invariants" if violations else None

    def _violations(self) -> list[str]:
        try:
            return self._logged.rules.violations(self._logged.state)
        except Exception as error:
            return [f"the ruleset cannot tell: {type(error).__name__}: {error}"]


def _difference(logged: Commit, played: Commit) -> str:
    """Where the logged commit and what the rules make of its command part."""
    for number, (said, made) in enumerate(zip(logged.events, played.events, strict=False), 1):
        if said != made:
            return f"event {number} is {_json(said)}, the rules make it {_json(made)}"
    if len(logged.events) != len(played.events):
        return f"it has {len(logged.events)} events, the rules make {len(played.events)} of its command"
    for field in Commit.__struct_fields__:
        said, made = getattr(logged, field), getattr(played, field)
        if said != made:
            return f"its `{field}` is {quote(said)}, re-execution gives {quote(made)}"
    return "it says the same as re-execution gives, but in other bytes"


def _json(event: Event) -> str:
    return shorten(encode_json(event).decode(), 150)
