"""The layers without Redis, one at a time: rules, views, audit."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final

from fairdeal.dealer import make_seed
from fairdeal_audit import audit_log
from fairdeal_cli.bench.prepared import Move, whole_games
from fairdeal_cli.problems import Problem
from fairdeal_rules.game import Game
from fairdeal_views.fold import Fold
from fairdeal_worker.settings import Settings

GAMES: Final = 40
"""How many games are played out beforehand and then gone through again and again."""

Once = Callable[[Sequence[Move]], None]


def measure_rules(rulesets: Sequence[str], settings: Settings, seconds: float) -> dict[str, Any]:
    """Decisions a second: a command becomes events, a new state, a commit and its hash."""
    secret, namespace = settings.secret.encode(), settings.namespace

    def decide(moves: Sequence[Move]) -> None:
        game = Game(moves[0].command.game, lambda name, entry: make_seed(secret, namespace, name, entry))
        for move in moves:
            game.play(move.command, move.entry)

    return _rate(decide, rulesets, settings, seconds)


def measure_views(rulesets: Sequence[str], settings: Settings, seconds: float) -> dict[str, Any]:
    """Commits a second: redacted, folded for the table and every seat, and encoded after each."""

    def fold(moves: Sequence[Move]) -> None:
        seen = Fold(moves[0].command.game)
        for move in moves:
            seen.apply(move.written.commit)
            seen.encoded()

    return _rate(fold, rulesets, settings, seconds)


def measure_audit(rulesets: Sequence[str], settings: Settings, seconds: float) -> dict[str, Any]:
    """Commits a second: read, hashed, re-dealt, re-executed, checked. Raises `Problem` when one is not clean."""

    def check(moves: Sequence[Move]) -> None:
        report = audit_log(
            (move.written.commit.version, move.written.hash.hex(), move.written.body) for move in moves
        )
        if not report.clean:
            raise Problem("The audit found faults in a game of the bench", str(report), "This is a defect")

    return _rate(check, rulesets, settings, seconds)


def _rate(once: Once, rulesets: Sequence[str], settings: Settings, seconds: float) -> dict[str, Any]:
    games = whole_games(rulesets, settings, GAMES)
    done = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        for moves in games:
            once(moves)
            done += len(moves)
            if perf_counter() - began >= seconds:
                break
    took = perf_counter() - began
    return {"per_s": done / took, "us_each": 1e6 * took / done, "done": done}
