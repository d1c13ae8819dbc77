"""Demoludy at the terminal: what is drawn for whom, what is told, and what may be typed."""

import re
from random import Random

import pytest

from fairdeal.action import Action
from fairdeal.games.demoludy import EndTurn, KeepOut, PlayAction, ReturnToken, SkipOpen, Swap, Withdraw
from fairdeal.visibility import Viewer
from fairdeal_cli.drawing import drawing_for
from fairdeal_cli.typed import Unclear
from fairdeal_local import Scripted, Table
from support import terminal
from support.demoludy import SETS, bid, opens, place, script

DRAWING = drawing_for("demoludy")
SEATS = ["ann", "bob", "cy"]
HANDS = ("r2 r2 r3 $10 b2", "r4 r4 policeman bazaar y2", "g2 g3 r3 p7 y7")


def table() -> Table:
    """ann opens with two reds and hides a card, bob bids."""
    dealer = Scripted(script(0, *HANDS, draws="g4 g5 r3"))
    opened = Table.open("demoludy", SEATS, SETS["actions"], dealer)
    opened.act(0, opens("r", "r2 r3", "b2"))
    opened.act(1, bid("r4 r4"))
    return opened


def drawn(shown: Table, viewer: Viewer) -> str:
    return terminal.drawn(DRAWING, shown, viewer)


def told(shown: Table, viewer: Viewer) -> list[str]:
    events = (event for commit in shown.log for event in commit.events)
    return terminal.told(DRAWING, events, viewer, shown.players)


def test_a_seat_sees_its_own_cards_and_what_lies_on_the_table() -> None:
    shown = table()
    ann, bob, everybody = (drawn(shown, viewer) for viewer in (0, 1, "table"))
    assert "Your hand: r2 g4 $10" in ann
    assert "Face-down: b2" in ann
    assert "Your hand: y2 g5 policeman bazaar" in bob
    assert "Your hand" not in everybody
    for seen in (ann, bob, everybody):
        assert "r2 r3 ▒" in seen
        assert "r4 r4" in seen
        assert "for Gold bracelet 5" in seen
    assert "$10" not in bob + everybody
    cy = drawn(shown, 2)
    assert "bid with cards worth at least 9" not in cy, "g2 g3 r3 p7 y7 cannot reach 9"
    assert "withdraw from the auction" in cy


def test_the_story_of_an_auction() -> None:
    shown = table()
    assert told(shown, "table")[2:] == [
        "By lot, ann opens the first auction.",
        "ann goes to the USSR for Gold bracelet 5: r2 r3 and a card face-down, 6 in all.",
        "bob lays r4 r4, 8 in all.",
    ]
    assert told(shown, 0)[3:] == [
        "ann is dealt r2×2 r3 b2 $10.",
        "ann goes to the USSR for Gold bracelet 5: r2 r3 and a card face-down (b2), 6 in all.",
        "ann draws g4.",
        "bob lays r4 r4, 8 in all.",
    ]
    shown.act(2, Withdraw())
    shown.act(0, place("$10"))
    assert told(shown, "table")[-2:] == ["cy withdraws.", "ann lays $10, 16 in all."]


def test_every_event_of_whole_games_is_told_without_a_leak() -> None:
    """What the table is told never names a card that is in a hand or face-down only."""

    for name in SETS:
        played = Table.open("demoludy", SEATS, SETS[name], dealer=f"told {name}")
        random = Random(3)
        while not played.finished:
            seat = played.view().to_act[0]
            played.act(seat, random.choice(played.view(seat).offers).sample(random))
        for viewer in (0, "table", "audit"):
            assert len(told(played, viewer)) > 20
        assert not [line for line in told(played, "table") if " draws " in line or " is dealt " in line]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("r3 $7", bid("r3 $7")),
        ("bid r3 + b2 b2", bid("r3", "b2 b2")),
        ("+ b2", bid("", "b2")),
        ("place r3+b2", place("r3", "b2")),
        ("end", EndTurn()),
        ("pass", Withdraw()),
        ("withdraw", Withdraw()),
        ("skip", SkipOpen()),
        ("keep", KeepOut()),
        ("swap red", Swap("red")),
        ("swap y", Swap("yellow")),
        ("return blue", ReturnToken("blue")),
        ("policeman cy", PlayAction("policeman", target_seat=2)),
        ("policeman 2", PlayAction("policeman", target_seat=2)),
        ("customs_officer", PlayAction("customs_officer")),
        ("brotherhood", PlayAction("brotherhood")),
        ("car_trouble ann r3", PlayAction("car_trouble", target_seat=0, target_card=1)),
        ("bazaar r4 ann 1", PlayAction("bazaar", target_seat=0, own_card=1, target_card=0)),
        ("petrol_station 1", PlayAction("petrol_station", own_card=0)),
        ("money_changer a", PlayAction("money_changer", target_seat=0)),
        ("demoludy.end_turn", EndTurn()),
    ],
)
def test_what_may_be_typed_in_an_auction(text: str, action: Action) -> None:
    assert DRAWING.read(text, table().view(1)) == action


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r9", "no move"),
        ("bid r2 x", "'x' is no card"),
        ("r2 + b2 + b2", "A second +"),
        ("policeman", "Type `policeman <player>`"),
        ("policeman zoe", "none of ann, bob, cy"),
        ("bazaar r9 ann r2", "'r9' does not lie there"),
        ("car_trouble ann 3", "there is r2 r3"),
        ("brotherhood ann", "Type `brotherhood`"),
        ("swap pink", "Name a colour"),
        ("nonsense", "no move"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, said: str) -> None:
    with pytest.raises(Unclear, match=re.escape(said)):
        DRAWING.read(text, table().view(1))


def test_an_auction_is_opened_with_its_cards_alone() -> None:
    fresh = Table.open(
        "demoludy", SEATS, {}, Scripted(script(0, "r2 r2 r3 $10 b2", "r4 r4 r4 r4 y2", "g2 g3 r3 p7 y7"))
    )
    view = fresh.view(0)
    assert DRAWING.read("r2 $10 + b2", view) == opens("r", "r2 $10", "b2")
    assert DRAWING.read("open b2", view) == opens("b", "b2")
    with pytest.raises(Unclear, match="opened with a product"):
        DRAWING.read("$10", view)
