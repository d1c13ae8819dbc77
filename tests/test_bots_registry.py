"""Who is a bot, and which bots a ruleset has."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Ready
from fairdeal.games import RULESETS, perudo
from fairdeal_bots import UnknownBot, bot_for, bots_of, is_bot, move_of
from fairdeal_bots.bot import NotOffered, RandomBot
from fairdeal_bots.practice import play_out
from fairdeal_local import Table
from fairdeal_rules.ruleset import rules_for


def test_a_bot_is_told_by_its_player_id() -> None:
    assert is_bot("bot:odds")
    assert is_bot("bot:")
    assert not is_bot("bottle")
    assert not is_bot("ann:bot:odds")


def test_what_follows_a_second_colon_only_tells_players_apart() -> None:
    assert bot_for("perudo", "bot:odds") is bot_for("perudo@1", "bot:odds:3") is bots_of("perudo")["odds"]


@pytest.mark.parametrize("player", ["bot:chess", "bot:", "bot", "odds", "bot:odds3", "bot:ODDS"])
def test_an_unknown_bot_is_refused_with_those_that_there_are(player: str) -> None:
    with pytest.raises(UnknownBot, match="bot:random, bot:odds"):
        bot_for("perudo", player)


def test_a_ruleset_without_bots_of_its_own_has_the_random_one() -> None:
    assert list(bots_of("nothing")) == ["random"]
    assert list(bots_of("../perudo")) == ["random"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_bot_of_every_ruleset_plays_to_the_end(ruleset: str) -> None:
    fewest, most = rules_for(ruleset).players
    for name, bot in bots_of(ruleset).items():
        for seats in sorted({fewest, most}):
            table = Table.open(ruleset, seats, dealer=f"{name}{seats}")
            steps = play_out(table, dict.fromkeys(range(seats), bot), 1, max_steps=20_000)
            assert table.finished
            assert steps == table.version - 1


def test_bots_say_that_they_are_there() -> None:
    table = Table.open("perudo", 2, start="when_ready")
    assert move_of(bots_of("perudo")["odds"], table.view(0)) == Ready()
    play_out(table, dict.fromkeys(range(2), bots_of("perudo")["odds"]))
    assert table.finished


def test_a_bot_that_chooses_what_it_is_not_offered_is_at_fault() -> None:
    class Cheat:
        def choose(self, view: Any, random: Random) -> Any:
            return perudo.Dudo()

    table = Table.open("perudo", 2, dealer=1)
    with pytest.raises(NotOffered, match="Dudo"):
        move_of(Cheat(), table.view(table.view().to_act[0]))


def test_chance_never_acts_out_of_turn() -> None:
    table = Table.open("perudo", 3, {"calza": True}, dealer=1)
    table.act(table.view().to_act[0], perudo.Bid(quantity=2, face=3))
    for seat in range(3):
        view = table.view(seat)
        assert view.offers
        assert (RandomBot().choose(view, Random(1)) is not None) == (seat in view.to_act)
