"""Perekupai's bots: the one that plays well beats chance by far, and neither plays for ever."""

from random import Random

import pytest

from fairdeal.games.perekupai import (
    Choose,
    Inspect,
    Pass,
    PlayAcquisition,
    PlayScam,
    Repair,
    StartBuy,
    StartSale,
    Work,
)
from fairdeal_bots import bot_for
from fairdeal_bots.practice import play_out
from fairdeal_local import Table
from support.matches import wins_alone
from support.perekupai import SHORT, passes, play, say, scene
from support.scenario import Scenario

STEADY = bot_for("perekupai", "bot:steady")
CHANCE = bot_for("perekupai", "bot:random")


def test_steady_beats_chance() -> None:
    """Alone against one or two seats that play by chance; fair would be 10 of 24."""
    wins = wins_alone("perekupai", 24, range(2, 4), lambda seed: {"target": 3000})
    assert wins >= 21


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("bot", [STEADY, CHANCE], ids=["steady", "random"])
def test_games_among_bots_come_to_an_end(bot: object, name: str) -> None:
    table = Table.open("perekupai", 3, SHORT[name], dealer=f"among {name}")
    play_out(table, dict.fromkeys(range(3), bot), 1)  # type: ignore[arg-type]
    assert table.finished


def chooses(scenario: Scenario, seat: int = 0) -> object:
    return STEADY.choose(scenario.view(seat), Random(1))


def test_steady_sells_to_who_pays_best_and_tunes_the_car_first() -> None:
    """Mokytoja Rasa dislikes Bembas by 100, Vadybininkas Tomas likes it by 150."""
    position = {"cars": {0: ["C17"]}, "buyers": "B07 B11 B15"}
    assert chooses(scene("", "", **position)) == StartSale("c1", "b2")
    assert chooses(scene("A02", "", **position)) == PlayScam("h1", car="c1")


def test_steady_repairs_what_would_be_noticed_and_works_when_nothing_else_pays() -> None:
    position = {"cars": {0: ["C38 S11 S11 S02 S02"]}, "buyers": "B19 B01 B02", "cash": {0: 1000}}
    assert isinstance(chooses(scene("", "", **position)), Repair)
    assert chooses(scene("", "", cash={0: 100})) == Work()


def test_steady_looks_before_it_buys() -> None:
    scenario = scene("", "", cash={0: 2500}, market="C38 C10 C20 C30 C40")
    assert chooses(scenario) == StartBuy()
    say(scenario, (0, StartBuy()))
    assert isinstance(chooses(scenario), Inspect)


def test_steady_plays_what_turns_a_test_and_saves_it_otherwise() -> None:
    position = {"cars": {0: ["C01 S01"]}, "buyers": "B01 B02 B07"}
    for die, turns in ((1, True), (2, False)):
        scenario = scene("A01", "", **position, draws=[die])
        say(scenario, (0, StartSale("c1", "b1")), *passes(0, 1))
        assert chooses(scenario) == (PlayAcquisition("h1") if turns else Pass())


def test_steady_cancels_what_hits_it_and_nothing_else() -> None:
    for target, expected in ((1, PlayAcquisition("h1")), (2, Pass())):
        scenario = scene("A10", "A18", "")
        say(scenario, (0, play("h1", target)))
        assert chooses(scenario, 1) == expected


def test_steady_shows_the_least_bad_defect() -> None:
    scenario = scene("", "A02", cars={0: ["C03 S02 S09 S01"]}, buyers="B01 B02 B07")
    say(scenario, (0, StartSale("c1", "b1")), *passes(0), (1, play("h1")), *passes(0))
    assert chooses(scenario) == Choose(("s2",))
