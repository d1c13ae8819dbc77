"""Whole games of Demoludy: the playthrough that a change must not alter unawares, and the log that must replay."""

from random import Random

import pytest

from fairdeal.game import Resign
from fairdeal.view import Offer
from fairdeal_local import Table
from support.demoludy import SETS
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.playthrough import render

WEIGHTS = {"demoludy.bid": 3.0, "demoludy.place": 0.5, "demoludy.withdraw": 0.7, "demoludy.play_action": 2.0}
SHORTER = {"countries_target": 2, "points_target": 8}
SEEDS = {"base": 325, "points": 217, "actions": 217, "both": 208, "attacke": 167, "strict": 35}
"""Games in which as much as possible happens that may happen."""


def lively(offer: Offer) -> float:
    """Weigh offers so that auctions have several bids."""
    return WEIGHTS.get(str(type(offer).__struct_config__.tag), 1.0)


def played(name: str) -> Table:
    """A short game of this option set; with four seats the last one resigns on the way."""
    seats = ["ann", "bob", "cy", "dee"][: 3 + (name in ("both", "attacke"))]
    table = Table.open("demoludy", seats, {**SHORTER, **SETS[name]}, dealer=SEEDS[name], name=name)

    def each(table: Table) -> None:
        if table.version == 10 and len(seats) == 4 and not table.finished:
            table.act(3, Resign())

    return play_random(table, Random(SEEDS[name]), weigh=lively, each=each)


@pytest.mark.parametrize("name", SETS)
def test_playthrough(name: str) -> None:
    same_text(f"demoludy/{name}.txt", render(f"demoludy, {name}: {SETS[name]}", played(name).log))


@pytest.mark.parametrize("name", SETS)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"demoludy/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()
