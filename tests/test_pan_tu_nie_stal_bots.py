"""Pan tu nie stał!: the bot that plays well beats chance by far, and neither plays for ever."""

from random import Random

import pytest

from fairdeal.games.pan_tu_nie_stal import Claim, Play, StartBazaar
from fairdeal.visibility import Event
from fairdeal_bots import bot_for
from fairdeal_bots.practice import play_out
from fairdeal_local import Table
from support.matches import wins_alone
from support.pan_tu_nie_stal import SETS, at, play
from support.scenario import given

STEADY = bot_for("pan_tu_nie_stal", "bot:steady")
CHANCE = bot_for("pan_tu_nie_stal", "bot:random")


def test_steady_beats_chance_in_200_games() -> None:
    """Alone against one to four seats that play by chance, half of it with the Bazaar; fair would be 64 of 200."""
    wins = wins_alone("pan_tu_nie_stal", 200, range(2, 6), lambda seed: {"expansion_bazaar": seed % 8 < 4})
    assert wins > 170


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("bot", [STEADY, CHANCE], ids=["steady", "random"])
def test_games_among_bots_come_to_an_end(bot: object, name: str) -> None:
    for seats in range(2, 6):
        table = Table.open("pan_tu_nie_stal", seats, SETS[name], dealer=f"among {name}")
        play_out(table, dict.fromkeys(range(seats), bot), seats, max_steps=1000)  # type: ignore[arg-type]
        assert table.finished


def choice(*position: Event, **options: object) -> object:
    view = given("pan_tu_nie_stal", *position, players=3, options=options).view(0)
    return STEADY.choose(view, Random(1))


def test_steady_takes_the_dearest_good_and_a_shop_before_the_bazaar() -> None:
    led = at("r", "r", "r", goods=["T01 T36", "T30 T02", "r5"], lines={0: "0r", 1: "0r", 2: "0r"})
    assert choice(*led) == Claim(0, "T36")
    only_bazaar = at("r", "r", "r", goods=["T01 T36", "T30 T02", "r5"], lines={2: "0r"})
    assert choice(*only_bazaar) == StartBazaar()


def test_steady_covers_who_leads() -> None:
    line = at(
        "b", "r", "r", goods=["T35 T36", "T01 T02", "r1"], lines={0: "0v 1r 1v 2r"}, act=True, spent=[0]
    )
    assert choice(*line) == play(0, "b", 2)


def test_steady_goes_where_the_dear_goods_are() -> None:
    line = at("v", "r", "r", goods=["T01 T02", "T35 T36", "r1"], act=True, spent=[0])
    chosen = choice(*line)
    assert isinstance(chosen, Play)
    assert chosen.queue == 1
