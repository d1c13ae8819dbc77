"""What a table of Demoludy can agree on, and what its deck holds (demoludy.md §1, §13)."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from fairdeal.decks import read_deck
from fairdeal.games.demoludy import Options
from fairdeal.games.demoludy_cards import ACTION_CARDS, DOLLARS, PRODUCTS, VALUES, VODKA, pack
from fairdeal.games.foreign_goods import COLOURS, COUNTRIES, GOODS
from fairdeal.receipt import Rejected
from fairdeal_local import Table

DEFAULTS = {
    "variant_points": False,
    "variant_actions": False,
    "points_target": 10,
    "countries_target": 4,
    "hand_size": 5,
    "starter_hand": 5,
    "ten_limit": "per_auction",
    "ten_loss_penalty": False,
    "hidden_any_card": True,
    "reveal_hidden_on_discard": False,
    "money_changer_proof": "asker",
    "last_card_counts_hidden": True,
    "play_on": False,
    "min_players": 3,
}


def test_the_defaults_are_the_basic_game() -> None:
    assert msgspec.to_builtins(Options()) == DEFAULTS
    assert Table.open("demoludy", 3).view().table.options == DEFAULTS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("points_target", 0),
        ("points_target", 17),
        ("countries_target", 0),
        ("countries_target", 5),
        ("hand_size", 0),
        ("starter_hand", 11),
        ("ten_limit", "none"),
        ("money_changer_proof", "table"),
        ("min_players", 1),
        ("play_on", "yes"),
        ("variant_dice", True),
    ],
)
def test_options_out_of_range_are_refused_with_their_path(name: str, value: Any) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("demoludy", 3, {name: value})
    assert refused.value.code == "bad_options"
    assert refused.value.details["path"].startswith("$.action.options")


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("size", [1, 10])
def test_hands_are_dealt_as_agreed(size: int, seats: int) -> None:
    options = {"hand_size": size, "starter_hand": 11 - size, "min_players": 2, "variant_actions": True}
    table = Table.open("demoludy", seats, options, dealer=seats).view().table
    assert table.hands == [11 - size if seat == table.starter else size for seat in range(seats)]
    assert table.deck == 110 - sum(table.hands)


def test_the_deck_has_the_cards_of_the_box() -> None:
    assert sum(card.copies for card in PRODUCTS.values()) == 90
    assert sum(card.copies for card in DOLLARS.values()) == 6
    assert [card.copies for card in ACTION_CARDS.values()] == [2] * 7
    assert (sum(pack(False).values()), sum(pack(True).values())) == (96, 110)
    per_colour = Counter(card.colour for card in PRODUCTS.values() for _ in range(card.copies))
    assert per_colour == dict.fromkeys(COLOURS, 18)
    assert sum(PRODUCTS[card].copies for card in VODKA) == 25
    assert {PRODUCTS[card].value for card in VODKA} == {3}
    assert sorted({card.value for card in PRODUCTS.values()}) == [2, 3, 4, 5, 7]
    assert {card.value: card.copies for card in DOLLARS.values()} == {7: 4, 10: 2}


def test_an_id_says_what_has_to_be_known_to_play() -> None:
    for card in PRODUCTS.values():
        assert card.id == f"P-{card.colour}-{card.value}"
    for dollar in DOLLARS.values():
        assert dollar.id == f"USD{dollar.value}"
    for good in GOODS.values():
        assert good.id == f"G-{good.colour}-{good.value}"
    assert VALUES.keys() == PRODUCTS.keys() | DOLLARS.keys()


def test_the_goods_are_five_of_each_country() -> None:
    assert list(COUNTRIES.values()) == ["USSR", "Turkey", "Czechoslovakia", "GDR", "Hungary"]
    assert [(good.colour, good.value) for good in GOODS.values()] == [
        (colour, value) for colour in COLOURS for value in range(1, 6)
    ]
    # The rulebook's own goods, and those that lie where its examples want them.
    assert (GOODS["G-red-3"].name, GOODS["G-blue-1"].name) == ("Camera", "Automatic pencils")


def test_a_deck_that_is_not_there_or_not_so() -> None:
    class Wrong(msgspec.Struct):
        product: tuple[int, ...]

    with pytest.raises(FileNotFoundError):
        read_deck("poker", Wrong)
    with pytest.raises(msgspec.ValidationError, match="product"):
        read_deck("demoludy", Wrong)
