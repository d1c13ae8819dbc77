"""Real or Fake's bots: the one that plays well beats chance by far, and neither plays for ever."""

from random import Random

import pytest

from fairdeal.games.real_or_fake import Arrange, Bid, Buy, Decline, Pass, Roll, Sort
from fairdeal_bots import bot_for
from fairdeal_bots.bot import Bot
from fairdeal_bots.practice import play_out
from fairdeal_local import Table
from support.matches import wins_alone
from support.real_or_fake import OPTION_SETS, at, before, some
from support.scenario import Scenario, given

STEADY = bot_for("real_or_fake", "bot:steady")
CHANCE = bot_for("real_or_fake", "bot:random")
GAMES = 45
A, B, C = range(3)


def test_steady_beats_chance() -> None:
    """Alone against two to four seats that play by chance; fair would be 26 %."""
    wins = wins_alone("real_or_fake", GAMES, range(3, 6))
    assert wins > 0.8 * GAMES


@pytest.mark.parametrize("name", OPTION_SETS)
@pytest.mark.parametrize("bot", [STEADY, CHANCE], ids=["steady", "random"])
def test_games_among_bots_come_to_an_end(bot: Bot, name: str) -> None:
    for seed in range(3):
        seats = 3 + seed
        table = Table.open("real_or_fake", seats, OPTION_SETS[name], dealer=seed, name=f"{name}-{seed}")
        assert play_out(table, dict.fromkeys(range(seats), bot), seed, max_steps=2000) <= 2000
        assert table.finished
        assert not table.violations()


def test_games_on_the_sparsest_board_come_to_an_end() -> None:
    """Sixty squares of which one ends the game: longer is no board."""
    board = ["new_acquisition", *["trade", "tax_raid"] * 29, "insider"]
    table = Table.open("real_or_fake", 5, {"board": board, "tax_per_card": 0}, dealer=1)
    assert play_out(table, dict.fromkeys(range(5), CHANCE), 1, max_steps=20_000) < 20_000


def asked(scenario: Scenario, seat: int = A) -> object:
    return STEADY.choose(scenario.view(seat), Random(1))


def position(*hands: str, square: str = "", draws: object = None, **more: object) -> Scenario:
    squares = {A: before(square)} if square else None  # type: ignore[arg-type]
    scenario = given("real_or_fake", *at(*hands, squares=squares, **more), players=3, dealer=Loaded())  # type: ignore[arg-type]
    if square:
        scenario.when(A, Roll())
    return scenario


class Loaded:
    """A dealer of two ones."""

    word = 0

    def dice(self, count: int, sides: int = 6) -> tuple[int, ...]:
        return (1, 1)


def test_steady_lays_its_cards_open_unless_a_rival_builds_on_them() -> None:
    scenario = position("4 rugs 2 wines", "", "", tables={B: "6 rugs"})
    assert asked(scenario) == Arrange(to_table=some("2 wines"))
    scenario.when(A, Arrange(to_table=some("2 wines")))
    assert isinstance(asked(scenario), Roll)
    assert asked(position("4 rugs", "", "", tables={B: "6 rugs"}, cash={A: 11_000})) == Arrange(
        to_table=some("4 rugs")
    ), "no hand that a raid could break"
    assert asked(position("", "", "", tables={A: "4 rugs", B: "6 rugs"})) == Arrange(to_hand=some("4 rugs"))


def test_steady_buys_what_adds_to_its_collections_and_is_not_known_to_be_fake() -> None:
    tables = {B: "2 rugs 2 wines"}
    assert asked(position("4 rugs", "", "", square="trade", tables=tables)) == Buy(seat=B, series="rugs")
    assert isinstance(asked(position("", "", "", square="trade", tables=tables)), Decline)
    known = position("4 rugs", "", "", square="trade", tables=tables, insiders={A: "rugs blank"})
    assert isinstance(asked(known), Decline)


def test_steady_bids_what_the_house_is_worth_to_it_and_no_more_than_it_has() -> None:
    scenario = position("4 rugs", "", "", square="auction", house="2 rugs")
    assert isinstance(asked(scenario), Bid)
    poor = position("4 rugs", "", "", square="auction", house="2 rugs", cash={A: 2000})
    bid = asked(poor)
    assert isinstance(bid, Bid)
    assert bid.amount <= 2000
    fakes = position("", "", "", square="auction", house="art rugs", insiders={A: "art rugs"})
    assert isinstance(asked(fakes), Pass)


def test_steady_sorts_what_it_gets() -> None:
    scenario = position("3 rugs", "", "", square="trade", tables={B: "2 rugs", C: "6 rugs"})
    scenario.when(A, Buy(seat=B, series="rugs"))
    assert asked(scenario) == Sort(), "hidden from C, who has six"
