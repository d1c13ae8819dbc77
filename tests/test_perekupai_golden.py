"""Whole games of Perekupai: the playthrough that a change must not alter unawares, and the log that must replay."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Resign
from fairdeal.games.perekupai_deck import DECKS, HOUSE, Acquisition, CardEntry, DealerEntry, Preference
from fairdeal.games.perekupai_table import Buyer, Front, HeldCard, InPlay, MarketCar, Mod, Surprise, Tech
from fairdeal_local import Table
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.perekupai import SHORT, lively, play_some
from support.playthrough import Short, render

WORDS: Short = {
    HeldCard: lambda held: f"{held.id}:{held.card.id}",
    CardEntry: lambda card: card.id,
    Acquisition: lambda acquisition: acquisition.name,
    DealerEntry: lambda dealer: f"{dealer.id} {dealer.name}",
    InPlay: lambda permanent: f"{permanent.id}:{permanent.kind} {permanent.scam.name}",
    Surprise: lambda surprise: f"{surprise.id}:{surprise.kind} {surprise.value}",
    Mod: lambda mod: f"{mod.id}:{mod.kind} +{mod.value}",
    Front: lambda front: f"{front.maker} {front.model} level {front.level} for {front.purchase}",
    MarketCar: lambda car: f"{car.id} {car.front.maker} {car.front.model} for {car.front.purchase}",
    Tech: lambda tech: f"{tech.kind} sells for {tech.sale}, {tech.surprises} surprises",
    Buyer: lambda b: f"{b.id} {b.name} level {b.level} {b.attentiveness}/{b.haggling}",
    Preference: lambda preference: str(preference.amount),
}
"""How cards are told in the playthroughs."""


def played(name: str) -> Table:
    """A short game of three of this option set; seat 2 resigns on the way, and two play on."""
    options: dict[str, Any] = {**SHORT[name], "target": SHORT[name]["target"] - 500}
    table = Table.open("perekupai", ["ann", "bob", "cy"], options, dealer=name, name=name)
    random = Random(name)
    play_some(table, random, 25)
    if not table.finished:
        table.act(2, Resign())
    return play_random(table, random, weigh=lively, check_every=50)


@pytest.mark.parametrize("name", SHORT)
def test_playthrough(name: str) -> None:
    same_text(f"perekupai/{name}.txt", render(f"perekupai, {name}: {SHORT[name]}", played(name).log, WORDS))


@pytest.mark.parametrize("name", SHORT)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"perekupai/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()


def test_the_house_deck_of_the_golden_logs_is_still_there() -> None:
    """A changed deck is another deck: then keep this one too, so that its games can be judged."""
    assert DECKS.sha256(HOUSE) == SHA256_OF_HOUSE


SHA256_OF_HOUSE = "6f54e143b26dfa6a30d8e4148b3b1552a016749b6b4c4390e9e201b0960f371d"
