"""Tables and events at the terminal: nothing that the viewer may not know, nothing that breaks."""

import re

import pytest

from fairdeal.games import RULESETS
from fairdeal.visibility import Viewer
from fairdeal_bots import move_of
from fairdeal_bots.bot import RandomBot
from fairdeal_cli.drawing import Drawing, drawing_for
from fairdeal_cli.typed import Unclear
from fairdeal_local import Scripted, Table
from fairdeal_rules.ruleset import rules_for
from support import terminal
from support.terminal import drawn


def told(drawing: Drawing, table: Table, viewer: Viewer) -> list[str]:
    return terminal.told(drawing, (e for commit in table.log for e in commit.events), viewer, table.players)


_SLIP = re.compile(r"[.!?] [a-z]|\b1 (dice|cards|animals|points|commits)\b")
"""A sentence that begins in lower case, or one thing counted as several."""


def _without(players: tuple[str, ...], sentence: str) -> str:
    """The sentence with other words for names, which may begin as they like."""
    return re.sub("|".join(map(re.escape, players)), "Somebody", sentence)


def two_seats() -> Table:
    """ann (seat 0) opens; ann holds 2 3, bob 6 6."""
    return Table.open("perudo", ["ann", "bob"], {"dice_per_player": 2}, Scripted([5, 1, 2, 3, 6, 6]))


def test_a_seat_sees_its_own_dice_and_the_bid() -> None:
    table = two_seats()
    table.act(0, {"type": "perudo.bid", "quantity": 1, "face": 3})
    drawing = drawing_for("perudo@1")
    ann, bob, everybody = (drawn(drawing, table, viewer) for viewer in (0, 1, "table"))
    assert "[2][3]" in ann
    assert "[6][6]" not in ann
    assert "[6][6]" in bob
    assert "[2][3]" not in bob
    assert "[2][3]" not in everybody
    assert "[6][6]" not in everybody
    assert "The bid stands at 1 × 3 by ann." in everybody
    assert "dudo" in bob
    assert "dudo" not in ann
    assert "at least 1 × 1, 2 × 2, 2 × 3, 1 × 4, 1 × 5, 1 × 6; at most 4 dice" in bob


def test_the_story_of_a_round() -> None:
    table = two_seats()
    table.act(0, {"type": "perudo.bid", "quantity": 1, "face": 3})
    with pytest.raises(Exception, match="run out"):
        # The next round's dice are not in the script: this round is over by then.
        table.act(1, {"type": "perudo.dudo"})
    drawing = drawing_for("perudo")
    assert told(drawing, table, 0)[2:] == [
        "For the start ann rolls 5 and bob rolls 1.",
        "Round 1: ann opens. ann rolls [2][3].",
        "ann bids 1 × 3.",
    ]
    assert told(drawing, table, "table")[3] == "Round 1: ann opens."
    assert told(drawing, table, "audit")[3] == "Round 1: ann opens. ann rolls [2][3], bob rolls [6][6]."


def test_markup_in_names_is_only_a_name() -> None:
    table = Table.open("perudo", ["[red]ann[/red]", "[/]"], dealer=3)
    drawing = drawing_for("perudo")
    assert "[red]ann[/red]" in drawn(drawing, table, "table")
    assert any("[red]ann[/red] and [/]" in sentence for sentence in told(drawing, table, "table"))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("own", [True, False], ids=["own", "fallback"])
def test_every_ruleset_is_shown_from_its_start_to_its_end(ruleset: str, own: bool) -> None:
    drawing = drawing_for(ruleset) if own else Drawing(ruleset)
    table = Table.open(ruleset, rules_for(ruleset).players[0], dealer=11)
    for step in range(3000):
        if table.finished:
            break
        seat = table.view().to_act[0]
        if step % 20 == 0:
            assert drawn(drawing, table, seat)
            assert drawn(drawing, table, "table")
            assert list(drawing.choices(table.view(seat)))
        table.act(seat, move_of(RandomBot(), table.view(seat)))
    assert table.finished
    for viewer in (0, "table", "audit"):
        sentences = told(drawing, table, viewer)
        assert "reveals the seed" in sentences[-1]
        if own:
            wrong = [one for one in sentences if _SLIP.search(_without(table.players, one))]
            assert not wrong


def test_the_fallback_takes_a_menus_number_or_any_move() -> None:
    table = two_seats()
    drawing = Drawing("perudo")
    view = table.view(0)
    table.act(0, drawing.read("1 quantity=1 face=3", view))
    view = table.view(1)
    assert view.admits(drawing.read("any", view))
    dudo = next(number for number, line in enumerate(drawing.choices(view), 1) if "dudo" in str(line))
    assert drawing.read(str(dudo), view) == drawing.read("dudo", view)
    for unclear in ("9", "0", "1", "nonsense"):
        with pytest.raises(Unclear):
            drawing.read(unclear, view)
