"""Whole games of Pan tu nie stał!: playthroughs that a change must not alter unawares, and logs that must replay."""

from random import Random

import pytest

from fairdeal.game import Resign
from fairdeal.games.pan_tu_nie_stal import DrawOffer
from fairdeal.view import Offer
from fairdeal_local import Table
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.pan_tu_nie_stal import SETS
from support.playthrough import render

SEATS = {"bazaar": 3, "base": 2, "by_choice": 3, "lone": 4, "short_end": 5}
SEEDS = {"bazaar": 15, "base": 31, "by_choice": 52, "lone": 6, "short_end": 18}
"""Games in which as much as possible happens that may happen."""


def lively(offer: Offer) -> float:
    """Weigh offers so that the cards are soon played."""
    return 0.25 if isinstance(offer, DrawOffer) else 1.0


def played(name: str) -> Table:
    """A game of this option set; with four and five seats the last one resigns on the way."""
    seats = ["ann", "bob", "cy", "dee", "eve"][: SEATS[name]]
    table = Table.open("pan_tu_nie_stal", seats, SETS[name], dealer=SEEDS[name], name=name)

    def each(table: Table) -> None:
        if table.version == 20 and len(seats) > 3 and not table.finished:
            table.act(len(seats) - 1, Resign())

    return play_random(table, Random(SEEDS[name]), weigh=lively, each=each)


@pytest.mark.parametrize("name", SETS)
def test_playthrough(name: str) -> None:
    same_text(
        f"pan_tu_nie_stal/{name}.txt", render(f"pan_tu_nie_stal, {name}: {SETS[name]}", played(name).log)
    )


@pytest.mark.parametrize("name", SETS)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"pan_tu_nie_stal/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()
