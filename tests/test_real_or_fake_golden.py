"""Whole games of Real or Fake: the playthrough that a change must not alter unawares, and the log that must replay."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Resign
from fairdeal.games import real_or_fake
from fairdeal.tagged import module_records
from fairdeal.visibility import Event
from fairdeal_audit import audit_log
from fairdeal_local import Table
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.logs import records_of, views_of
from support.playthrough import render
from support.real_or_fake import OPTION_SETS, brisk, events_of

PLAYERS = ["ann", "bob", "cy", "dee"]
CHOSEN = {"default": 1, "redo": 64, "strict": 97, "to_the_end": 110, "small": 0}
"""The number of each option set's game, chosen so that between them everything happens that can."""
GAMES: dict[str, dict[str, Any]] = {name: {"start_cards": 15, **OPTION_SETS[name]} for name in CHOSEN}
"""Every option set, mostly with so many cards dealt that the piles are low."""

SHOWN = 50
"""So many commits of a game are told from its beginning, and then its end."""


def played(name: str) -> Table:
    """A whole game of this option set; seat 3 resigns on the way, and the clock plays now and then."""
    number = f"{name}{CHOSEN[name]}"
    table = Table.open("real_or_fake", PLAYERS, GAMES[name], dealer=number, name=name, clock=60_000)

    def each(table: Table) -> None:
        if table.version == 40 and not table.finished and 3 not in table.state.bankrupt:
            table.act(3, Resign())
        if table.version % 12 == 0 and not table.finished:
            table.clock_expired()

    return play_random(table, Random(number), weigh=brisk, each=each)


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    told = render(f"real_or_fake, {name}: {GAMES[name]}", played(name).log).split("\n\n")
    same_text(f"real_or_fake/{name}.txt", "\n\n".join([*told[: SHOWN + 1], "…", *told[-3:]]))


@pytest.mark.parametrize("name", GAMES)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"real_or_fake/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()


@pytest.mark.parametrize("name", GAMES)
def test_the_audit_finds_nothing(name: str) -> None:
    table = played(name)
    report = audit_log(records_of(table), views_of(table), ruleset="real_or_fake@1")
    assert report.clean
    assert {check.verdict for check in report.checks} == {"ok"}


def test_whatever_can_happen_happens_in_a_golden_log() -> None:
    assert CHOSEN.keys() == OPTION_SETS.keys()
    happened = {type(event) for name in GAMES for event in events_of(played(name).log)}
    assert set(module_records(real_or_fake.__name__, vars(real_or_fake), Event)) <= happened
