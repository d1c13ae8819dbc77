"""Kuhhandel at the terminal: what is drawn and told to whom, and what is understood."""

from typing import Any

import pytest

from fairdeal.games.kuhhandel import (
    AcceptTrade,
    Bid,
    Call,
    CounterTrade,
    Decide,
    Pass,
    Pay,
    ReofferTrade,
    StartAuction,
    StartTrade,
)
from fairdeal.visibility import Viewer
from fairdeal_cli.drawing import drawing_for
from fairdeal_cli.typed import Unclear
from fairdeal_local import Scripted, Table
from support import terminal

DRAWING = drawing_for("kuhhandel")
ANN, BOB, CY = range(3)


def table(*lots: str, **options: Any) -> Table:
    return Table.open("kuhhandel", ["ann", "bob", "cy"], {"start_rule": "seat_0", **options}, Scripted(lots))


def drawn(played: Table, viewer: Viewer) -> str:
    return terminal.drawn(DRAWING, played, viewer, 160)


def told(played: Table, viewer: Viewer) -> list[str]:
    """The sentences of the newest commit."""
    return terminal.told(DRAWING, played.log[-1].events, viewer, played.players)


def test_a_sale_as_the_three_parties_see_it() -> None:
    played = table("donkey", "cow")
    played.act(ANN, StartAuction())
    assert told(played, BOB) == [
        "ann auctions a donkey, 39 animals to come.",
        "Donkey number 1: everybody gets 50.",
    ]
    played.act(BOB, Bid(amount=40))
    played.act(ANN, Call(step=1))
    assert told(played, CY) == ["ann: 40: going once!"]
    assert "The bid stands at 40 by bob: going once." in drawn(played, "table")
    assert "2×0 4×10 2×50, worth 140" in drawn(played, CY)
    assert "worth" not in drawn(played, "table")
    played.act(CY, Pass())
    assert "you pay the bidder" in drawn(played, ANN)
    played.act(ANN, Decide(preempt=False))
    assert "the price is 40: 4×10; 1×50" in drawn(played, BOB)
    played.act(BOB, Pay(cards={"50": 1}))
    assert told(played, ANN) == ["bob pays ann with 1×50 for the price of 40.", "bob takes a donkey."]
    assert told(played, CY) == ["bob pays ann 40 or more.", "bob takes a donkey."]
    assert "a donkey" in drawn(played, "table")


def test_a_trade_as_the_two_and_the_third_see_it() -> None:
    played = trade_open()
    assert told(played, ANN) == ["ann offers bob 1×0 1×50 for a cow."]
    assert told(played, BOB) == told(played, "table") == ["ann offers bob 2 hidden cards for a cow."]
    assert "You have laid 1×0 1×50" in drawn(played, ANN)
    assert "ann offers 2 hidden cards for a cow of bob." in drawn(played, CY)
    played.act(BOB, CounterTrade(cards={"10": 4}))
    assert told(played, CY) == ["bob lays 4 hidden cards against it.", "ann gets a cow of bob."]
    assert told(played, BOB) == [
        "bob lays 4×10 against it.",
        "The heaps are counted: 1×0 1×50 against 4×10, 50 to 40.",
        "ann gets a cow of bob.",
    ]


def trade_open() -> Table:
    """ann offers bob a 50 and a 0 for a cow."""
    played = table("cow", "cow", "pig")
    for turn in (ANN, BOB, CY):
        played.act(turn, StartAuction())
        for other in range(3):
            if other != turn:
                played.act(other, Pass())
    assert "with bob for a cow" in drawn(played, ANN)
    played.act(ANN, DRAWING.read("trade bob cow 50 0", played.view(ANN)))
    return played


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("auction", StartAuction()),
        ("bid 40", Bid(amount=40)),
        ("40", Bid(amount=40)),
        ("pass", Pass()),
        ("buy", Decide(preempt=True)),
        ("sell", Decide(preempt=False)),
        ("pay 2x10 50", Pay(cards={"10": 2, "50": 1})),
        ("pay 10, 10, 50", Pay(cards={"10": 2, "50": 1})),
        ("trade bob cow 10 0", StartTrade(target=1, species="cow", offer={"10": 1, "0": 1})),
        ("trade 2 geese nothing", Unclear),
        ("trade 2 pigs nothing", StartTrade(target=2, species="pig", offer={})),
        ("trade 2 pig", StartTrade(target=2, species="pig", offer={})),
        ("accept", AcceptTrade()),
        ("counter 50", CounterTrade(cards={"50": 1})),
        ("counter", CounterTrade(cards={})),
        ("offer nothing", ReofferTrade(cards={})),
        ('{"type": "kuhhandel.bid", "amount": 50}', Bid(amount=50)),
        ("kuhhandel.bid amount=50", Bid(amount=50)),
        ("pay 15", Unclear),
        ("bid much", Unclear),
        ("bid " + "9" * 400, Unclear),
        ("trade nobody cow", Unclear),
        ("moo", Unclear),
    ],
)
def test_what_is_typed(typed: str, action: Any) -> None:
    view = table("cow").view(ANN)
    if action is Unclear:
        with pytest.raises(Unclear):
            DRAWING.read(typed, view)
    else:
        assert DRAWING.read(typed, view) == action


def test_call_and_pay_know_what_is_meant() -> None:
    played = table("cow")
    played.act(ANN, StartAuction())
    played.act(BOB, Bid(amount=30))
    for _ in range(3):
        played.act(ANN, DRAWING.read("call", played.view(ANN)))
    played.act(ANN, DRAWING.read("sell", played.view(ANN)))
    played.act(BOB, DRAWING.read("pay", played.view(BOB)))
    assert played.view(BOB).hand.last_payment.cards == {"10": 3}
