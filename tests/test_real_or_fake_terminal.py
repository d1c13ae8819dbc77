"""Real or Fake at the terminal: what is drawn and told to whom, and what is understood."""

from random import Random
from typing import Any

import pytest

from fairdeal.games import real_or_fake
from fairdeal.games.real_or_fake import Arrange, Bid, Buy, Decline, Pass, Roll, Sort
from fairdeal.tagged import module_records
from fairdeal.visibility import Event, Viewer
from fairdeal_cli.drawing import drawing_for
from fairdeal_cli.games.real_or_fake_story import _SENTENCES
from fairdeal_cli.typed import Unclear
from fairdeal_local import Scripted, Table
from support import terminal
from support.harness import play_random
from support.real_or_fake import brisk, named, some

DRAWING = drawing_for("real_or_fake")
ANN, BOB, CY = range(3)


def table(*then: Any, **options: Any) -> Table:
    """ann holds rugs, art, art glass and wines, begins, and what comes after is `then`."""
    hands = [*named("2 rugs art art_glass wines"), *named("3 wines cars toys"), *named("5 gemstones")]
    return Table.open(
        "real_or_fake", ["ann", "bob", "cy"], options, Scripted([*hands, 6, 6, 1, 1, 2, 2, *then])
    )


def drawn(played: Table, viewer: Viewer) -> str:
    return terminal.drawn(DRAWING, played, viewer, 170)


def told(played: Table, viewer: Viewer) -> list[str]:
    """The sentences of the newest commit."""
    return terminal.told(DRAWING, played.log[-1].events, viewer, played.players)


def test_a_turn_as_each_sees_it() -> None:
    played = table(3, 2, *named("toys cars"))
    assert told(played, ANN)[2:] == [
        "ann is dealt 1×art, 1×wines, 2×rugs, 1×art glass.",
        "There are 47 new acquisitions, 46 auction objects and 10 insider cards.",
        "For the start ann rolls 12, bob rolls 2 and cy rolls 4.",
    ]
    assert not any("is dealt" in sentence for sentence in told(played, "table"))
    assert "and hold 1×art, 1×wines, 2×rugs, 1×art glass" in drawn(played, ANN)
    assert "5 hidden" in drawn(played, "table")
    played.act(ANN, DRAWING.read("lay rugs wines", played.view(ANN)))
    assert told(played, BOB) == ["ann lays 2×rugs, 1×wines open and holds 2 cards."]
    assert "back to the hand: 1×wines, 2×rugs" in drawn(played, ANN)
    played.act(ANN, DRAWING.read("roll", played.view(ANN)))
    assert told(played, ANN) == [
        "ann rolls 3 and 2 and comes to new acquisition.",
        "ann takes 1×cars, 1×toys; 45 are left.",
    ]
    assert told(played, CY)[-1] == "ann takes 2 cards; 45 are left."
    assert "New: 1×cars, 1×toys" in drawn(played, ANN)
    assert "ann sorts 2 new cards." in drawn(played, CY)
    played.act(ANN, DRAWING.read("lay cars", played.view(ANN)))
    assert told(played, "table") == ["ann lays 1×cars open and holds 3 cards."]


def test_a_purchase_and_an_auction() -> None:
    played = table(1, 1, 5, 5, *named("rugs blank"), 1, 1)
    played.act(ANN, DRAWING.read("lay 2 rugs", played.view(ANN)))
    played.act(ANN, Roll())
    assert told(played, ANN) == ["ann rolls 1 and 1 and comes to trade."]
    played.act(BOB, Roll())
    assert told(played, BOB) == [
        "bob rolls 5 and 5 and comes to insider information.",
        "bob opens an auction of 2 insider cards.",
    ]
    assert "1000 to 150000 in thousands" in drawn(played, BOB)
    played.act(BOB, DRAWING.read("4000", played.view(BOB)))
    assert "the bid stands at €4,000 by bob." in drawn(played, "table")
    for seat in (CY, ANN):
        played.act(seat, DRAWING.read("pass", played.view(seat)))
    assert told(played, CY) == ["ann passes.", "bob gets the insider cards for €4,000."]
    assert told(played, BOB)[-1] == "bob looks at them: fake rugs, blank."
    assert "Your insider cards: fake rugs, blank" in drawn(played, BOB)
    assert "fake rugs" not in drawn(played, ANN)
    played.act(CY, Roll())
    assert "of ann rugs for €4,000: `buy ann rugs`" in drawn(played, CY)
    played.act(CY, DRAWING.read("buy ann rugs", played.view(CY)))
    assert told(played, ANN) == ["cy buys 2×rugs of ann for €4,000."]
    assert "cy sorts 2×rugs." in drawn(played, "table")
    played.act(CY, DRAWING.read("keep", played.view(CY)))
    assert told(played, ANN) == ["cy lays nothing open and holds 7 cards."]


def test_the_end_is_told_and_drawn() -> None:
    played = play_random(Table.open("real_or_fake", ["ann", "bob", "cy"], dealer=8), Random(8), weigh=brisk)
    sentences = told(played, "table")
    assert any("shows an insider card" in sentence for sentence in sentences)
    assert any("and collections of €" in sentence for sentence in sentences)
    assert played.outcome is not None
    assert f"€{(played.outcome.scores or ())[0]:,}, €" in drawn(played, "table")


def test_hidden_cash_is_not_on_the_table() -> None:
    played = table(hide_cash=True)
    assert "€" not in drawn(played, "table")
    assert "You have €150,000" in drawn(played, ANN)


def test_every_event_but_a_turn_s_begin_has_its_sentence() -> None:
    known = {*_SENTENCES, real_or_fake.TurnStarted, real_or_fake.TradeOpened}
    assert known == set(module_records(real_or_fake.__name__, vars(real_or_fake), Event))


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("roll", Roll()),
        ("lay rugs", Arrange(to_table=some("2 rugs"))),
        ("lay 1 rugs and 1 art glass", Arrange(to_table=some("rugs art_glass"))),
        ("lay 2×rugs", Arrange(to_table=some("2 rugs"))),
        ("lay 2x rugs, art", Arrange(to_table=some("2 rugs art"))),
        ("lay art_glass", Arrange(to_table=some("art_glass"))),
        ("lay all", Arrange(to_table=some("2 rugs art art_glass wines"))),
        ("take gem", Arrange(to_hand=some("gemstones"))),
        ("keep", Sort()),
        ("buy bob wines", Buy(seat=BOB, series="wines")),
        ("buy 2 vintage clothes", Buy(seat=CY, series="vintage_clothes")),
        ("decline", Decline()),
        ("bid 4000", Bid(amount=4000)),
        ("bid €4,000", Bid(amount=4000)),
        ("4000", Bid(amount=4000)),
        ("pass", Pass()),
        ("real_or_fake.bid amount=5000", Bid(amount=5000)),
        ('{"type": "real_or_fake.sort", "to_table": {"art": 1}}', Sort(to_table=some("art"))),
        ("lay stamps", Unclear),
        ("lay a", Unclear),
        ("lay", Unclear),
        ("lay 2", Unclear),
        ("buy", Unclear),
        ("buy bob", Unclear),
        ("buy dora wines", Unclear),
        ("bid much", Unclear),
        ("bid " + "9" * 400, Unclear),
        ("sell", Unclear),
    ],
)
def test_what_is_typed(typed: str, action: Any) -> None:
    view = table().view(ANN)
    if action is Unclear:
        with pytest.raises(Unclear):
            DRAWING.read(typed, view)
    else:
        assert DRAWING.read(typed, view) == action
