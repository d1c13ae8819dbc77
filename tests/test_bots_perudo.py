"""`bot:odds` plays Perudo: well, lawfully under every option, and by the odds."""

import itertools
from typing import Any

import pytest

from fairdeal.games import perudo
from fairdeal.games.perudo import Bid, Calza, Declare, Dudo
from fairdeal_bots import bots_of, move_of
from fairdeal_bots.games.perudo import Known, at_least, counts_from_reveals
from fairdeal_bots.practice import StandsStill, play_out
from fairdeal_local import Scripted, Table

ODDS = bots_of("perudo")["odds"]
RANDOM = bots_of("perudo")["random"]


def wins(games: int, seats: int, odds_seats: int, **options: Any) -> float:
    """The share of games that a `bot:odds` wins, sitting in turn on every seat, against `bot:random`."""
    won = 0
    for number in range(games):
        odds = {(number + place) % seats for place in range(odds_seats)}
        table = Table.open("perudo", seats, options, dealer=number, name=f"g{number}")
        play_out(table, {seat: ODDS if seat in odds else RANDOM for seat in range(seats)}, number)
        assert table.outcome is not None
        won += table.outcome.winners[0] in odds
    return won / games


def test_odds_beat_chance_with_two_seats() -> None:
    assert wins(300, 2, 1) >= 0.9


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_odds_beat_chance_with_more_seats(seats: int) -> None:
    assert wins(30, seats, 1) >= 0.8


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "pressman_2008_calza"},
        {"preset": "asmodee"},
        {"preset": "dudo"},
        {"calza": True, "calza_by_player_in_turn": True, "palafico_declared": True},
        {"calza": True, "show_dice_counts": False},
        {"cap_bid_to_dice": False, "loss_amount": "difference", "exact_dudo_loser": "bidder"},
        {"dice_per_player": 1, "opening_aces": True, "lost_die_goes_to": "opponent"},
    ],
    ids=str,
)
def test_every_option_set_is_played_to_its_end(options: dict[str, Any]) -> None:
    for number in range(8):
        table = Table.open("perudo", 4, options, dealer=number)
        play_out(table, dict.fromkeys(range(4), ODDS), number)
        assert table.finished


def test_chances_are_those_of_all_dice_counted() -> None:
    for dice, sides, need in itertools.product(range(5), (3, 6), range(-1, 6)):
        throws = list(itertools.product(range(sides), repeat=dice))
        counted = sum(throw.count(0) >= need for throw in throws) / len(throws)
        assert at_least(need, dice, sides) == pytest.approx(counted)


def opened(hands: list[list[int]], **options: Any) -> Table:
    """A table of so many seats with these hands; seat 0 opens."""
    dice = [die for hand in hands for die in hand]
    given = {"start_rule": "seat_0", "dice_per_player": len(hands[0]), **options}
    return Table.open("perudo", len(hands), given, dealer=Scripted(dice))


def test_what_cannot_be_is_doubted_and_what_must_be_is_not() -> None:
    table = opened([[2, 2, 2], [3, 3, 4]])
    table.act(0, Bid(quantity=6, face=2))
    assert move_of(ODDS, table.view(1)) == Dudo()
    table = opened([[2, 2, 2], [3, 3, 4]])
    table.act(0, Bid(quantity=2, face=3))
    assert isinstance(move_of(ODDS, table.view(1)), Bid)


def test_aces_count_for_every_face_but_their_own_and_not_in_palafico() -> None:
    view = opened([[1, 1, 3], [2, 2, 2]]).view(0)
    known = Known(view)
    assert (known.total, known.unseen, known.seats) == (6, 3, 2)
    assert known.holds(3, 3) == 1.0
    assert known.holds(2, 1) == 1.0
    assert known.holds(3, 1) == pytest.approx(1 - (5 / 6) ** 3)
    assert known.holds_for_others(6, 3) == pytest.approx((1 / 3) ** 6)
    view.table.kind = "palafico"
    assert Known(view).holds(2, 3) == pytest.approx(1 - (5 / 6) ** 3)
    view.table.options["exact_dudo_loser"] = "bidder"
    assert Known(view).holds(1, 3) == pytest.approx(1 - (5 / 6) ** 3)


def test_calza_is_called_when_it_is_likely_right_and_gains_something() -> None:
    table = opened([[4, 4, 1], [6, 6, 6], [2, 3, 5]], calza=True)
    table.act(0, Bid(quantity=3, face=4))
    view = table.view(2)
    assert view.offer(Calza) is not None
    assert move_of(ODDS, view) is None, "exactly three fours are unlikely, and it has all its dice"
    # Two fours in hand and one die unseen: the bid of two is exact unless that die is a four or an ace.
    view.table.dice = [1, 0, 2]
    view.table.bid = perudo.StandingBid(seat=0, quantity=2, face=4)
    assert view.hand is not None
    view.hand.dice = (4, 1)
    assert Known(view).exactly(2, 4) == pytest.approx(2 / 3)
    assert move_of(ODDS, view) == Calza()
    view.table.options["dice_per_player"] = 2
    assert move_of(ODDS, view) is None, "it has all its dice: being right would gain nothing"


def test_who_may_declare_does() -> None:
    table = opened([[2, 2], [3, 3], [4, 4]], palafico_declared=True)
    table.act(0, Bid(quantity=5, face=2))
    table.act(1, Dudo())
    assert move_of(ODDS, table.view(0)) == Declare(palafico=True)


def test_hidden_counts_follow_from_reveals() -> None:
    table = Table.open("perudo", 4, {"show_dice_counts": False, "calza": True}, dealer=5)
    shown = Table.open("perudo", 4, {"calza": True}, dealer=5)
    for number in range(400):
        if table.finished:
            break
        assert counts_from_reveals(table.view().table) == shown.view().table.dice
        seat = table.view().to_act[0]
        action = move_of(ODDS if number % 3 else RANDOM, shown.view(seat))
        assert action is not None
        table.act(seat, action)
        shown.act(seat, action)
    assert table.finished


def test_the_same_view_gives_the_same_choice() -> None:
    view = Table.open("perudo", 3, dealer=2).view("table")
    seat = view.to_act[0]
    for bot in (ODDS, RANDOM):
        choices = {repr(move_of(bot, Table.open("perudo", 3, dealer=2).view(seat))) for _ in range(20)}
        assert len(choices) == 1


def test_a_game_that_nobody_plays_stands_still() -> None:
    table = Table.open("perudo", 2, dealer=1)
    with pytest.raises(StandsStill, match="nobody moves"):
        play_out(table, {1 - table.view().to_act[0]: ODDS})
    with pytest.raises(StandsStill, match="after 3 moves"):
        play_out(table, {0: ODDS, 1: ODDS}, max_steps=3)
