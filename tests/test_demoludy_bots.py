"""Demoludy's bots: the one that plays well beats chance by far, and neither plays for ever."""

from random import Random

import pytest

from fairdeal.games.demoludy import Bid, Withdraw
from fairdeal_bots import bot_for
from fairdeal_bots.practice import play_out
from fairdeal_local import Table
from support.demoludy import SETS, at
from support.matches import wins_alone
from support.scenario import given

STEADY = bot_for("demoludy", "bot:steady")
CHANCE = bot_for("demoludy", "bot:random")
MODES = ("base", "points", "actions", "both")


def test_steady_beats_chance_in_200_games() -> None:
    """Alone against two to four seats that play by chance, in the four modes in turn; fair would be 26 % of 200."""
    wins = wins_alone("demoludy", 200, range(3, 6), lambda seed: SETS[MODES[seed % 4]])
    assert wins > 170


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("bot", [STEADY, CHANCE], ids=["steady", "random"])
def test_games_among_bots_come_to_an_end(bot: object, name: str) -> None:
    for seed in range(4):
        seats = 2 + seed % 4
        table = Table.open("demoludy", seats, {"min_players": 2, **SETS[name]}, dealer=f"among {seed}")
        assert play_out(table, dict.fromkeys(range(seats), bot), seed, max_steps=2000) <= 2000  # type: ignore[arg-type]
        assert table.finished


def test_steady_blocks_who_would_win_and_withdraws_where_nothing_is_to_gain() -> None:
    threat = at(
        "r2", "r7 r5", "r2", prize="r5", rows={0: "r2"}, out=[2], owned={0: "b5 g5 y5", 1: "p5"}, turn=1
    )
    calm = at("b2", "b7 b5", "b2", prize="b4", rows={0: "b2"}, out=[2], owned={0: "y5", 1: "b5"}, turn=1)
    for position, expected in ((threat, Bid), (calm, Withdraw)):
        view = given("demoludy", *position, players=3, options=SETS["actions"]).view(1)
        assert type(STEADY.choose(view, Random(1))) is expected
