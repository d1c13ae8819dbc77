"""What a table of Pan tu nie stał! can agree on, and what its deck holds (pan_tu_nie_stal.md §1, §13)."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from fairdeal.games import demoludy
from fairdeal.games.foreign_goods import COLOURS
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import Options
from fairdeal.games.pan_tu_nie_stal_queues import CARDS, GOODS, HAND_SIZE, QUEUES, SHOPS, VALUES, pack
from fairdeal.receipt import Rejected
from fairdeal_local import Table

DEFAULTS = {
    "expansion_bazaar": True,
    "deck_size": 20,
    "specials": [3, 2, 2, 2],
    "final_check": True,
    "claims_count_at_end": True,
    "optional_claim": False,
    "mother_duration": "standing",
    "absent_counts_zero": True,
    "pair_rule_two_players": True,
    "bazaar_refill": "automatic",
    "show_won": True,
    "runner_limit": None,
}


def test_the_defaults_are_the_game_with_the_bazaar() -> None:
    assert msgspec.json.decode(msgspec.json.encode(Options())) == DEFAULTS
    assert Table.open("pan_tu_nie_stal", 3).view().table.options == DEFAULTS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deck_size", 22),
        ("specials", [3, 2, 2]),
        ("specials", [3, 2, 2, 3]),
        ("specials", [10, -1, 0, 0]),
        ("mother_duration", "never"),
        ("bazaar_refill", "never"),
        ("runner_limit", -1),
        ("runner_limit", "none"),
        ("final_check", "yes"),
        ("preset", "base"),
        ("bazaar", True),
    ],
)
def test_options_out_of_range_are_refused_with_their_path(name: str, value: Any) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("pan_tu_nie_stal", 3, {name: value})
    assert refused.value.code == "bad_options"
    assert refused.value.details["path"].startswith("$.action.options")


def test_each_seat_has_the_twenty_cards_of_the_box_or_twenty_one() -> None:
    twenty = pack(20, (3, 2, 2, 2))
    assert twenty == {
        "regular": 7, "pushy": 3, "veteran": 1, "colleagues": 3, "mother": 2, "runner": 2, "brawler": 2
    }  # fmt: skip
    assert pack(21, (3, 2, 2, 2)) == twenty | {"regular": 8}
    assert sum(pack(20, (9, 0, 0, 0)).values()) == 20
    assert {card.id: card.copies for card in CARDS.values()} == twenty
    assert {card.id: card.value for card in CARDS.values() if card.value > 1} == {
        "pushy": 2,
        "veteran": 3,
        "runner": 2,
    }


@pytest.mark.parametrize(("deck_size", "specials"), [(20, [3, 2, 2, 2]), (21, [0, 0, 0, 9])])
def test_decks_are_dealt_as_agreed(deck_size: int, specials: list[int]) -> None:
    table = Table.open("pan_tu_nie_stal", 4, {"deck_size": deck_size, "specials": specials}, dealer=1)
    assert table.view().table.decks == [deck_size - HAND_SIZE] * 4
    for seat in range(4):
        held = Counter(table.state.decks[seat]) + Counter(table.state.hands[seat])
        assert held == +Counter(pack(deck_size, specials))


def test_the_goods_of_the_shops_are_those_of_the_box() -> None:
    values = Counter(good.value for good in GOODS.values())
    assert values == {1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2}
    assert sum(good.value for good in GOODS.values()) == 147
    assert (GOODS["T01"].name, GOODS["T35"].name, GOODS["T35"].value) == (
        "Oranżada wyborowa",
        "Meblościanka",
        8,
    )
    assert len(SHOPS) == 4
    assert QUEUES == {2: 2, 3: 3, 4: 4, 5: 4}


def test_the_goods_of_the_bazaar_are_demoludy_s() -> None:
    """One definition serves both: the same ids, names and values lie on both tables."""
    stacks = Table.open("demoludy", 3).view().table.stacks
    assert sorted(token for stack in stacks.values() for token in stack.seen) == sorted(FOREIGN)
    assert isinstance(stacks["red"], demoludy.Stack)
    on_the_bazaar = set()
    for seed in range(200):
        table = Table.open("pan_tu_nie_stal", 3, dealer=seed).view().table
        on_the_bazaar.update(table.queues[-1].goods)
    assert on_the_bazaar == FOREIGN.keys()
    assert VALUES.keys() == GOODS.keys() | FOREIGN.keys()
    assert sum(good.value for good in FOREIGN.values()) == 75
    assert Counter(good.colour for good in FOREIGN.values()) == dict.fromkeys(COLOURS, 5)


def test_every_seat_may_begin() -> None:
    assert {Table.open("pan_tu_nie_stal", 5, dealer=seed).view().table.turn for seed in range(60)} == set(
        range(5)
    )
