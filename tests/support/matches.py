"""How a bot does against others."""

from collections.abc import Callable
from typing import Any

from fairdeal_bots import bot_for
from fairdeal_bots.practice import play_out
from fairdeal_local import Table


def wins_alone(
    ruleset: str, games: int, seats: range, options: Callable[[int], dict[str, Any]] = lambda seed: {}
) -> int:
    """How many games `bot:steady` wins alone against seats that play by chance.

    The number of seats and its own place change from game to game; `options` gives those of a game by its number.
    """
    steady, chance = bot_for(ruleset, "bot:steady"), bot_for(ruleset, "bot:random")
    wins = 0
    for seed in range(games):
        count = seats[seed % len(seats)]
        me = (seed // len(seats)) % count
        table = Table.open(ruleset, count, options(seed), dealer=f"match {seed}", name=f"match-{seed}")
        play_out(table, {seat: steady if seat == me else chance for seat in range(count)}, seed)
        assert table.outcome is not None
        wins += table.outcome.winners == (me,)
    return wins
