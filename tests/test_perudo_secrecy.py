"""Nobody can tell two games of Perudo apart that differ only under the cups of others (perudo.md §17.14)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.commit import Commit
from fairdeal.game import Finished, Resign
from fairdeal.games.perudo import (
    Calza,
    Declare,
    DiceRevealed,
    Dudo,
    PlayerEliminated,
    RoundStarted,
)
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Table
from support.harness import blind_to, moves_of, outcomes_of, play_random
from support.perudo import bid, talkative

OPTIONS: dict[str, dict[str, Any]] = {
    "basic": {},
    "calza": {"calza": True, "calza_requires_missing_die": True},
    "hidden counts": {"show_dice_counts": False, "calza": True, "calza_requires_missing_die": True},
    "declared": {"palafico_declared": True, "palafico_exempt": "any_one_die"},
    "uncapped": {"cap_bid_to_dice": False, "loss_amount": "difference"},
}
ATTEMPTS = (bid("0x5"), bid("99x2"), bid("2x1"), bid("1x2"), Dudo(), Calza(), Declare(palafico=True))


def prefixes(log: Sequence[Commit]) -> Iterator[list[Commit]]:
    """The log up to the last commit before each reveal: there the cups of a round are still down."""
    for index, commit in enumerate(log):
        if any(isinstance(event, DiceRevealed) for event in commit.events):
            yield list(log[:index])


def swapped(prefix: Sequence[Commit], random: Random, but_for: Viewer) -> list[Any]:
    """What was drawn in this log, but other dice in its last round under all cups save that of `but_for`."""
    events: list[Any] = [event for commit in prefix for event in commit.events]
    last = max(index for index, event in enumerate(events) if isinstance(event, RoundStarted))
    script: list[Any] = []
    for index, event in enumerate(events):
        if index != last:
            script += drawn_outcomes(event)
            continue
        for seat, dice in enumerate(event.dice):
            script += dice if seat == but_for else (random.randint(1, 6) for _ in dice)
    return script


def game_of(seed: int, options: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    """A finished game in which seat 0 resigned on the way if the seed is odd, and how it was opened."""
    opening: dict[str, Any] = {
        "ruleset": "perudo",
        "players": 2 + seed,
        "options": {"dice_per_player": 2, **options},
    }

    def each(table: Table) -> None:
        if seed % 2 and table.version == 4 and 0 not in table.view().table.eliminated:
            table.act(0, Resign())

    table = Table.open(dealer=seed, **opening)
    return play_random(table, Random(seed), weigh=talkative, each=each), opening


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_other_cups_are_out_of_sight(options: dict[str, Any], seed: int) -> None:
    random = Random(seed)
    table, opening = game_of(seed, options)
    viewers: list[Viewer] = [*range(len(table.players)), "table"]
    for prefix in prefixes(table.log):
        for viewer in viewers:
            first, second = outcomes_of(prefix), swapped(prefix, random, but_for=viewer)
            blind_to(viewer, first, second, moves_of(prefix), ATTEMPTS, **opening)


def test_the_proof_would_see_a_difference() -> None:
    table, opening = game_of(2, {})
    prefix = next(prefixes(table.log))
    first, other_seat = outcomes_of(prefix), swapped(prefix, Random(1), but_for=1)
    blind_to(1, first, other_seat, moves_of(prefix), **opening)
    with pytest.raises(AssertionError, match="can tell the games apart"):
        blind_to(0, first, other_seat, moves_of(prefix), **opening)


def test_the_seed_is_in_no_view_and_no_event_before_the_end() -> None:
    table, _ = game_of(3, {"calza": True})
    finished = table.log[-1].events[-1]
    assert isinstance(finished, Finished)
    seed = finished.seed
    assert len(seed) == 64
    for written in table.written[:-1]:
        assert seed.encode() not in written.body
    for part in table.encoded().values():
        assert seed.encode() not in part


def test_an_eliminated_seat_sees_what_the_table_sees() -> None:
    """And under its own cup nothing."""
    for seed in range(4):
        table, _ = game_of(seed, {"calza": True})
        out: set[int] = set()
        for commit in table.log:
            for event in commit.events:
                for seat in out:
                    seen = redact(event, seat)
                    if isinstance(seen, RoundStarted):
                        assert seen.dice is not None
                        assert not any(seen.dice)
                        seen = msgspec.structs.replace(seen, dice=None)
                    assert seen == redact(event, "table")
            out.update(event.seat for event in commit.events if isinstance(event, PlayerEliminated))
