"""Pan tu nie stał! at the terminal: what is drawn for whom, what is told, and what may be typed."""

from random import Random

import pytest

from fairdeal.action import Action
from fairdeal.game import Resign
from fairdeal.games.pan_tu_nie_stal import (
    Checked,
    Claim,
    Draw,
    EndTurn,
    Pick,
    Play,
    PlayFree,
    RefillBazaar,
    StartBazaar,
)
from fairdeal.visibility import Viewer
from fairdeal_cli.drawing import drawing_for
from fairdeal_cli.typed import Unclear
from fairdeal_local import Scripted, Table
from support import terminal
from support.pan_tu_nie_stal import SETS, at, play, script
from support.scenario import given

DRAWING = drawing_for("pan_tu_nie_stal")
SEATS = ["ann", "bob", "cy"]


def table() -> Table:
    """ann plays two pushy ones, bob covers one of them."""
    dealt = script(3, "pprrr", "brrrr", "vrrrr", goods=["T01 T36", "T02 T16", "r5"], later=["runner"])
    opened = Table.open("pan_tu_nie_stal", SEATS, dealer=Scripted(dealt))
    for seat, action in (
        (0, Checked()),
        (0, play(0, "pp")),
        (0, Draw()),
        (0, EndTurn()),
        (1, Checked()),
        (1, play(0, "b", 1)),
    ):
        opened.act(seat, action)
    return opened


def drawn(shown: Table, viewer: Viewer) -> str:
    return terminal.drawn(DRAWING, shown, viewer)


def told(shown: Table, viewer: Viewer) -> list[str]:
    events = (event for commit in shown.log for event in commit.events)
    return terminal.told(DRAWING, events, viewer, shown.players)


def test_a_seat_sees_its_own_cards_and_what_lies_on_the_table() -> None:
    shown = table()
    ann, bob, everybody = (drawn(shown, viewer) for viewer in (0, 1, "table"))
    assert "Your hand: regular×3 runner" in ann
    assert "Your hand: regular×4" in bob
    assert "Your hand" not in everybody
    for seen in (ann, bob, everybody):
        assert "0 Spożywczy: Oranżada wyborowa 1, Lodówka 8" in seen
        assert "2 the Bazaar: Gold bracelet 5" in seen
        assert "ann 2, bob 1" in seen
        assert "0 ann pushy, 1 ann pushy, 2 bob brawler on 1" in seen
    assert "runner" not in bob + everybody
    assert "play 0 regular" in bob
    assert "draw a card" in bob


def test_the_story_of_a_turn() -> None:
    shown = table()
    assert told(shown, "table")[-5:] == [
        "Turn 1: ann.",
        "ann puts Cwaniak ×2 (pushy) into queue 0.",
        "ann draws a card; 14 are left.",
        "Turn 2: bob.",
        "bob puts Pan tu nie stał! (brawler) into queue 0, on 1.",
    ]
    assert "ann draws runner; 14 are left." in told(shown, 0)
    assert "cy is dealt regular×4 veteran." in told(shown, 2)
    assert not [line for line in told(shown, 1) if line.startswith("cy is dealt")]


@pytest.mark.parametrize("name", SETS)
def test_every_event_of_whole_games_is_told_and_every_view_drawn(name: str) -> None:
    played = Table.open("pan_tu_nie_stal", SEATS, SETS[name], dealer=f"told {name}")
    random = Random(3)
    while not played.finished:
        seat = played.view().to_act[0]
        if played.version % 10 == 0:
            assert drawn(played, seat)
        played.act(seat, random.choice(played.view(seat).offers).sample(random))
        if played.version == 120:
            played.act(2, Resign())
    lines = told(played, "table")
    assert len(lines) > 60
    assert not [line for line in lines if " is dealt " in line]
    assert all(line.split(" draws ")[1].startswith("a card;") for line in lines if " draws " in line)
    assert "Points: " in lines[-2]
    assert drawn(played, "table")


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("claim 0 t36", Claim(0, "T36")),
        ("bazaar", StartBazaar()),
        ("pick r5", Pick("G-red-5")),
        ("pick", Pick("G-red-5")),
        ("next", Checked()),
        ("draw", Draw()),
        ("play 1 regular 2", play(1, "rr")),
        ("play 0 brawler over 0", play(0, "b", 0)),
        ("play 0 b over 0 2", play(0, "bb", 0, 2)),
        ("run 2", PlayFree(2)),
        ("refill yes", RefillBazaar(True)),
        ("refill no", RefillBazaar(False)),
        ("end", EndTurn()),
        ("play queue=0 cards=regular", Play(0, ("regular",))),
        ('{"type": "pan_tu_nie_stal.end_turn"}', EndTurn()),
    ],
)
def test_what_may_be_typed(typed: str, action: Action) -> None:
    assert DRAWING.read(typed, table().view(1)) == action


@pytest.mark.parametrize(
    "typed", ["", "claim", "claim 0", "claim x", "claim 9", "play 0", "play 0 r 2", "play 0 regular 99",
              "play 0 brawler over x", "run", "refill", "pick z9", "dance"],
)  # fmt: skip
def test_what_is_no_move_is_answered_with_how_to_type_one(typed: str) -> None:
    with pytest.raises(Unclear):
        DRAWING.read(typed, table().view(1))


def test_every_choice_that_is_shown_can_be_typed() -> None:
    start = at("r", "r", "r", goods=["T01 T36", "T02 T16", "r5 r3"], lines={0: "0v", 2: "0p 1r"})
    scenario = given("pan_tu_nie_stal", *start, players=3)
    for action in (Claim(0, "T36"), StartBazaar()):
        shown = [str(line).split("  ")[1].strip() for line in DRAWING.choices(scenario.view(0))]
        assert action in [DRAWING.read(typed, scenario.view(0)) for typed in shown]
        scenario.when(0, action)
    shown = [str(line).split("  ")[1].strip() for line in DRAWING.choices(scenario.view(0))]
    assert shown == ["pick r5", "pick r3"]
