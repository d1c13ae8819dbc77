"""Whole games of Perudo: the playthrough that a change must not alter unawares, and the log that must replay."""

from random import Random
from typing import Any

import pytest

from fairdeal.game import Resign
from fairdeal.games.perudo import PRESETS
from fairdeal_local import Table
from support.golden import golden_log, replays, same_text
from support.harness import play_random
from support.perudo import talkative
from support.playthrough import render

GAMES: dict[str, dict[str, Any]] = {
    **{preset: {"preset": preset} for preset in PRESETS},
    "hidden_counts": {"show_dice_counts": False, "calza": True},
    "declared": {"palafico_declared": True, "palafico_two_players": True, "lost_die_goes_to": "opponent"},
    "others_lose": {"calza": True, "calza_success_effect": "others_lose", "calza_by_player_in_turn": True},
    "difference": {"loss_amount": "difference", "raise_style": "one_thing", "opening_aces": True},
    "loose": {
        "cap_bid_to_dice": False,
        "ace_half_rounding": "down",
        "ace_return": "double",
        "palafico_exempt": "any_one_die",
        "palafico_exempt_scope": "any_raise",
        "palafico_ace_conversion": True,
        "start_rule": "two_dice_sum_tied_reroll",
    },
}
"""Option sets by name: every preset, and house rules that change how a game reads."""


def played(name: str) -> Table:
    """A short game of this option set; seat 3 resigns on the way."""
    options = {"dice_per_player": 2, **GAMES[name]}
    table = Table.open("perudo", ["ann", "bob", "cy", "dee"], options, dealer=name, name=name)
    random = Random(name)
    while table.version < 6:
        seat = table.view().to_act[0]
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    if 3 not in table.view().table.eliminated:
        table.act(3, Resign())
    return play_random(table, random, weigh=talkative)


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    same_text(f"perudo/{name}.txt", render(f"perudo, {name}: {GAMES[name]}", played(name).log))


@pytest.mark.parametrize("name", GAMES)
def test_finished_log_replays_byte_for_byte(name: str) -> None:
    table = played(name)
    views = replays(golden_log(f"perudo/{name}.ndjson", table.written))
    assert views.status == "finished"
    assert views.encoded() == table.encoded()
