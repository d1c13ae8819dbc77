"""What a person types, read as an action."""

import pytest

from fairdeal import game
from fairdeal.games import perudo
from fairdeal_cli.games.perudo import Drawn
from fairdeal_cli.story import parse_viewer
from fairdeal_cli.typed import Unclear, read_action, read_options
from fairdeal_local import Table


@pytest.mark.parametrize(
    "text",
    [
        "perudo.bid quantity=3 face=5",
        "perudo.bid face=5 quantity=3",
        '{"type": "perudo.bid", "quantity": 3, "face": 5}',
        "bid quantity=3 face=5",
    ],
)
def test_an_action_is_read_from_words_or_json(text: str) -> None:
    assert read_action(text, "perudo") == perudo.Bid(quantity=3, face=5)


def test_values_are_read_by_the_field_they_are_for() -> None:
    assert read_action("game.cancel reason=2") == game.Cancel(reason="2")
    assert read_action("game.cancel 'reason=power cut'") == game.Cancel(reason="power cut")
    assert read_action("perudo.declare palafico=true") == perudo.Declare(palafico=True)
    created = read_action('game.create ruleset=perudo players=[{"id":"ann"},{"id":"bob"}] options=calza:true')
    assert created == game.Create(
        ruleset="perudo",
        players=(game.Player(id="ann"), game.Player(id="bob")),
        options={"calza": True},
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("perudo.bet quantity=3", "did you mean perudo.bid"),
        ("perudo.bid quantity=3", "face is missing"),
        ("perudo.bid quantity=many face=2", "quantity=many: a whole number"),
        ("perudo.bid quantity=1.5 face=2", "quantity=1.5: a whole number"),
        ("perudo.declare palafico=maybe", "palafico=maybe: true or false is expected"),
        ("bid quantity=3", "perudo.bid, kuhhandel.bid"),
        ("game.rese", "game.reseat"),
        ("perudo.bid quantity=3 colour=5", "'colour=5' is none of its fields"),
        ('{"type": "perudo.bid", "quantity": 3}', "missing required field `face`"),
        ('{"type": ', "no JSON"),
        ("", "Nothing was typed"),
    ],
)
def test_what_is_no_action_says_what_is_expected(text: str, said: str) -> None:
    with pytest.raises(Unclear) as caught:
        read_action(text)
    assert said in str(caught.value)


def test_a_game_proposes_its_own_actions_and_the_common_ones() -> None:
    with pytest.raises(Unclear) as caught:
        read_action("bet quantity=3", "perudo")
    assert "kuhhandel" not in str(caught.value)
    with pytest.raises(Unclear) as caught:
        read_action("xyzzy", "perudo")
    for name in ("perudo.bid", "perudo.calza", "game.resign", "game.reseat"):
        assert name in str(caught.value)
    assert "clock." not in str(caught.value)


@pytest.mark.parametrize("name", ["game.resea", "game.re", "resea"])
def test_no_likely_action_is_left_out(name: str) -> None:
    with pytest.raises(Unclear, match=r"game\.reseat"):
        read_action(name, "perudo")


@pytest.mark.parametrize(
    ("text", "value"),
    [("yes", True), ("True", True), ("ON", True), ("no", False), ("False", False), ("off", False)],
)
def test_yes_and_no_are_read_where_true_or_false_is_expected(text: str, value: bool) -> None:
    assert read_options([f"calza={text}"], "perudo") == {"calza": value}
    assert read_action(f"perudo.declare palafico={text}") == perudo.Declare(palafico=value)


def test_options_are_read_by_their_type_where_it_is_known() -> None:
    assert read_options(["board=start,trade"], "real_or_fake") == {"board": ["start", "trade"]}
    assert read_options(["deck=12", "deck_sha256="], "perekupai") == {"deck": "12", "deck_sha256": ""}
    assert read_options(["calza=maybe", "new_one=yes"], "perudo") == {"calza": "maybe", "new_one": "yes"}


def test_options_are_json_or_text() -> None:
    assert read_options(["calza=true", "dice_per_player=2", "preset=dudo"]) == {
        "calza": True,
        "dice_per_player": 2,
        "preset": "dudo",
    }
    with pytest.raises(Unclear):
        read_options(["calza"])


def test_viewers() -> None:
    assert (parse_viewer("seat:2"), parse_viewer("2"), parse_viewer("table"), parse_viewer("audit")) == (
        2,
        2,
        "table",
        "audit",
    )


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("3 5", (3, 5)),
        ("3x5", (3, 5)),
        ("3 × 5", (3, 5)),
        (" 3*5 ", (3, 5)),
        ("3,5", (3, 5)),
        ("bid 3 5", (3, 5)),
        ("3 fives", (3, 5)),
        ("Three Fives", (3, 5)),
        ("two sixes", (2, 6)),
        ("one six", (1, 6)),
        ("4 aces", (4, 1)),
        ("4 ones", (4, 1)),
        ("12 2s", (12, 2)),
    ],
)
def test_perudo_bids_are_read_forgivingly(text: str, bid: tuple[int, int]) -> None:
    view = Table.open("perudo", 2).view(0)
    assert Drawn("perudo").read(text, view) == perudo.Bid(quantity=bid[0], face=bid[1])


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("dudo", perudo.Dudo()),
        ("DOUBT", perudo.Dudo()),
        ("calza", perudo.Calza()),
        ("spot  on", perudo.Calza()),
        ("yes", perudo.Declare(palafico=True)),
        ("no", perudo.Declare(palafico=False)),
        ("perudo.dudo", perudo.Dudo()),
    ],
)
def test_perudo_calls_are_read_forgivingly(text: str, action: object) -> None:
    view = Table.open("perudo", 2).view(0)
    assert Drawn("perudo").read(text, view) == action


@pytest.mark.parametrize("text", ["", "3", "3 5 6", "many fives", "3 nobodies", "{}"])
def test_perudo_says_how_to_type_what_it_cannot_read(text: str) -> None:
    view = Table.open("perudo", 2).view(0)
    with pytest.raises(Unclear, match="`3 5`"):
        Drawn("perudo").read(text, view)
