"""Whole games of Kuhhandel: the playthrough that a change must not alter unawares, and the log that must replay."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Resign
from fairdeal.games.kuhhandel import VALUES, AcceptTrade, CounterTrade, Pass, StartTrade
from fairdeal.view import Offer
from fairdeal_audit import audit_log
from fairdeal_local import Scripted, Table
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.kuhhandel import OPTION_SETS
from support.logs import records_of, views_of
from support.playthrough import render

PLAYERS = ["ann", "bob", "cy"]
GAMES: dict[str, dict[str, Any]] = {
    name: {"max_trades_after_deck": 4, **options} for name, options in OPTION_SETS.items()
}
SHOWN = 40
"""So many commits of a game are told from its beginning, and then its end."""

WEIGHTS = {StartTrade: 5.0, AcceptTrade: 0.5, CounterTrade: 1.5, Pass: 2.5}


def terse(offer: Offer) -> float:
    """Weigh offers so that there is little bidding and much trading."""
    return WEIGHTS.get(offer.action_type(), 1.0)  # type: ignore[call-overload, no-any-return]


def staged(name: str) -> Table:
    """A game of this option set in which few species come up first, so that trades begin early."""
    random = Random(name)
    first = ["cow", "cow", "donkey", "pig", "cow", "pig", "donkey"]
    deck = [species for species in VALUES for _ in range(4)]
    for species in first:
        deck.remove(species)
    random.shuffle(deck)
    starter = [] if name == "first_edition" else [0]
    table = Table.open("kuhhandel", PLAYERS, GAMES[name], Scripted([*starter, *first, *deck]), name=name)
    return play_random(table, random, weigh=terse, impatience=0.0)


def played(name: str) -> Table:
    """A whole game of this option set; seat 2 resigns on the way, and a timer closes auctions now and then."""
    table = Table.open("kuhhandel", PLAYERS, GAMES[name], dealer=name, name=name)

    def each(table: Table) -> None:
        if table.version == 90 and not table.finished:
            table.act(2, Resign())
        if table.version % 15 == 0 and table.deadline is not None:
            table.clock_expired()

    return play_random(table, Random(name), weigh=terse, each=each)


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    told = render(f"kuhhandel, {name}: {GAMES[name]}", staged(name).log).split("\n\n")
    same_text(f"kuhhandel/{name}.txt", "\n\n".join([*told[: SHOWN + 1], "…", *told[-3:]]))


@pytest.mark.parametrize("name", GAMES)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"kuhhandel/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()


@pytest.mark.parametrize("name", GAMES)
def test_the_audit_finds_nothing(name: str) -> None:
    table = played(name)
    report = audit_log(records_of(table), views_of(table), ruleset="kuhhandel@1")
    assert report.clean
    assert {check.verdict for check in report.checks} == {"ok"}
