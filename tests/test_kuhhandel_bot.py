"""The bots at Kuhhandel: `bot:steady` is sensible and beats chance, and every game of bots comes to its end."""

from random import Random
from typing import Any

import pytest

from fairdeal.games.kuhhandel import BidderExposed, PaymentMade, TradeStarted
from fairdeal.games.kuhhandel_money import total
from fairdeal_bots.bot import Bot, RandomBot
from fairdeal_bots.practice import play_out
from fairdeal_bots.registry import bots_of
from fairdeal_local import Table
from support.kuhhandel import OPTION_SETS, events_of

STEADY = bots_of("kuhhandel")["steady"]
GAMES = 18
MOST_MOVES = 3000


def played(seats: int, steady: set[int], seed: int, options: Any = None) -> Table:
    table = Table.open("kuhhandel", seats, options or {}, dealer=seed, name=f"bots-{seed}")
    bots: dict[int, Bot] = {seat: STEADY if seat in steady else RandomBot() for seat in range(seats)}
    play_out(table, bots, seed, max_steps=MOST_MOVES)
    return table


def test_steady_beats_random_bots_and_never_overbids() -> None:
    """One against two to four; by chance it would win a quarter of the games."""
    won = 0
    for seed in range(GAMES):
        seats, seat = 3 + seed % 3, seed % 3
        table = played(seats, {seat}, seed)
        assert table.outcome is not None
        won += table.outcome.winners == (seat,)
        exposed = [e.seat for e in events_of(table.log) if isinstance(e, BidderExposed)]
        assert seat not in exposed
    assert won >= 0.6 * GAMES


@pytest.mark.parametrize("name", OPTION_SETS)
def test_every_game_of_bots_comes_to_its_end(name: str) -> None:
    options = {key: value for key, value in OPTION_SETS[name].items() if key != "max_trades_after_deck"}
    seed = Random(name).randrange(1000)
    for steady in (set[int](), {0, 1, 2}):
        table = played(3, steady, seed, options)
        assert table.outcome is not None
        assert table.outcome.reason == "all_complete"
        assert not table.violations()


def test_steady_pays_the_least_and_trades_before_it_must() -> None:
    table = played(4, {0, 1, 2, 3}, 11)
    payments = [e for e in events_of(table.log) if isinstance(e, PaymentMade)]
    assert payments
    assert sum(total(e.cards or {}) - e.price for e in payments) / len(payments) < 60
    started = [c.version for c in table.log if any(isinstance(e, TradeStarted) for e in c.events)]
    last_lot = max(c.version for c in table.log if getattr(c.events[0], "deck_left", None) == 0)
    assert started[0] < last_lot
