"""Perekupai at the terminal: what is drawn and told to whom, and what is understood."""

from random import Random
from typing import Any

import pytest
from rich.console import Console

from fairdeal.games import perekupai
from fairdeal.games.perekupai import (
    AbandonSale,
    AskMoney,
    Buy,
    Choose,
    ChooseBuyer,
    DeclineBuy,
    Discard,
    EndTurn,
    Inspect,
    Pass,
    PlayScam,
    Repair,
    Scrap,
    StartBuy,
    StartSale,
    Work,
)
from fairdeal.view import offers_of
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_cli.drawing import draw_all, drawing_for
from fairdeal_cli.games.perekupai_moves import CHOICES
from fairdeal_cli.games.perekupai_story import _SENTENCES
from fairdeal_cli.playing import LocalGame
from fairdeal_cli.typed import Unclear
from fairdeal_local import Table
from support import terminal
from support.perekupai import SHORT, passes, play, play_some, say, scene
from support.scenario import Scenario

DRAWING = drawing_for("perekupai")
NAMES = ["ann", "bob", "cy"]


def drawn(scenario: Scenario, viewer: Viewer) -> str:
    return terminal.drawn(DRAWING, scenario, viewer, 160)


def told(scenario: Scenario, viewer: Viewer) -> list[str]:
    """The sentences of the last move."""
    return terminal.told(DRAWING, scenario.events, viewer, NAMES)


def test_a_purchase_as_the_buyer_and_as_others_see_it() -> None:
    scenario = scene("A01", "", market="C02 C10 C20 C30 C40", draws=["C01", "S01", "S13"])
    say(scenario, (0, StartBuy()), (0, Inspect(0)))
    assert told(scenario, 0) == [
        "ann looks at #0: sells for 850, 2 surprises; Nudilęs salonas, Kreivas bamperis."
    ]
    assert told(scenario, 1) == ["ann looks at #0."]
    assert "(sells for 850" in drawn(scenario, 0)
    assert "(sells for 850" not in drawn(scenario, 1)
    say(scenario, (0, Buy(0)))
    assert "With c1 come s2 Gera magė +100 and face-down s1 Granata kala -200." in told(scenario, 0)
    assert "With c1 come s2 Gera magė +100 and 1 face-down." in told(scenario, "table")
    assert "face-down s1 Granata kala -200" in drawn(scenario, 0)
    assert "Granata" not in drawn(scenario, 1)
    assert "Kabinti makaronus" in drawn(scenario, 0)
    assert "Kabinti" not in drawn(scenario, "table")


def test_a_sale_is_told_with_its_price() -> None:
    draws = [1, 3, "B03", "A10", "A11"]
    scenario = scene("A01", "", cars={0: ["C01 S01"]}, buyers="B01 B02 B07", draws=draws)
    say(scenario, (0, StartSale("c1", "b1")))
    assert told(scenario, 1) == ["ann offers c1 to b1."]
    say(scenario, *passes(0, 1))
    assert told(scenario, 1) == ["A test of attentiveness, s1: 1 against 2."]
    assert "The test of attentiveness: 1 against 2." in drawn(scenario, "table")
    say(scenario, (0, play("h1")))
    assert told(scenario, 1) == [
        "ann plays Kabinti makaronus: After your own Attentiveness roll: add 1 to the result."
    ]
    assert "has played Kabinti makaronus" in drawn(scenario, "table")
    say(scenario, (1, Pass()))
    assert told(scenario, 1) == ["+1: the total is 2."]
    say(scenario, *passes(0, 1))
    assert told(scenario, 1) == [
        "The test is won.",
        "s1 goes unnoticed.",
        "A test of haggling: 3 against 4.",
    ]
    say(scenario, *passes(0, 1, 0, 1))
    assert "ann sells c1 to b1 for 850 (900, haggling -50)." in told(scenario, 1)
    assert "ann draws 2 cards: h2 Grąžink skolą and h3 Turgaus gandai." in told(scenario, 0)
    assert "ann draws 2 cards." in told(scenario, 1)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("buy", StartBuy()),
        ("Buy #2", Buy(2)),
        ("look 4", Inspect(4)),
        ("nothing", DeclineBuy()),
        ("repair c1 s1 s3", Repair("c1", ("s1", "s3"))),
        ("sell c1 b2", StartSale("c1", "b2")),
        ("buyer b3", ChooseBuyer("b3")),
        ("keep", AbandonSale()),
        ("work", Work()),
        ("scrap c2", Scrap("c2")),
        ("scam h3", PlayScam("h3")),
        ("scam h3 c1", PlayScam("h3", car="c1")),
        ("scam h3 m2", PlayScam("h3", replace="m2")),
        ("play h2", play("h2")),
        ("play h2 player1", play("h2", 1)),
        ("play h2 0 s4", play("h2", 0, "s4")),
        ("play h2 c1,c3", play("h2", ("c1", "c3"))),
        ("p", Pass()),
        ("choose s1 s2", Choose(("s1", "s2"))),
        ("discard h1", Discard(("h1",))),
        ("end", EndTurn()),
        ("money player1", AskMoney(1)),
        ("perekupai.inspect slot=3", Inspect(3)),
    ],
)
def test_what_may_be_typed(typed: str, action: Any) -> None:
    assert DRAWING.read(typed, scene("", "").view(0)) == action


@pytest.mark.parametrize("typed", ["sell c1", "look two", "look", "scrap", "dance", "money nobody", ""])
def test_what_cannot_be_understood(typed: str) -> None:
    with pytest.raises(Unclear):
        DRAWING.read(typed, scene("", "").view(0))


def test_every_offer_has_its_line_and_every_event_is_told_or_left_out_on_purpose() -> None:
    assert set(CHOICES) == {offer for offer in offers_of(perekupai) if offer.__module__ == perekupai.__name__}
    events = {
        value
        for value in vars(perekupai).values()
        if isinstance(value, type) and issubclass(value, Event) and value.__module__ == perekupai.__name__
    }
    untold = {"ActionStarted", "TurnEnded", "CashChanged", "DecksLaid", "WindowOpened", "Passed", "Chosen"}
    assert {event.__name__ for event in events - set(_SENTENCES)} == untold | {"AcquisitionResolved"}


@pytest.mark.parametrize("name", SHORT)
def test_whole_games_are_told_and_drawn_for_every_viewer(name: str) -> None:
    table, random = Table.open("perekupai", NAMES, SHORT[name], dealer=name), Random(name)
    console = Console(width=160)
    while not table.finished and table.version < 400:
        play_some(table, random, table.version + 10)
        for viewer in (0, "table"):
            with console.capture() as capture:
                console.print(draw_all(DRAWING, table.view(viewer)))  # type: ignore[arg-type]
                console.print(*DRAWING.choices(table.view(0)))
            assert "Market" in capture.get()
    for commit in table.log:
        for event in commit.events:
            for viewer in (0, "table"):
                sentence = DRAWING.tell(redact(event, viewer), NAMES)  # type: ignore[type-var]
                assert sentence is None or "None" not in sentence.plain


def test_a_person_is_asked_in_turn_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Out of turn a seat may only ask for money, which is not worth a prompt."""
    options = {"target": 2000, "actions_per_turn": 1}
    table = Table.open("perekupai", ["me", "bot:steady:1", "bot:steady:2"], options, dealer=4)
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        assert len(prompts) < 500
        view = table.view(0)
        assert view.hand is not None
        held = " ".join(card.id for card in view.hand.cards[:1])
        return {"gap": "end", "pick": f"choose {held}", "discard_down": f"discard {held}"}.get(
            view.phase, "p"
        )

    LocalGame(table, 0, ask).play()
    assert table.finished
    assert set(prompts) == {"your move> "}
    assert "The money is counted" in capsys.readouterr().out
