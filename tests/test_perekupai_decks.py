"""Perekupai's decks: the house's, and those that a deployment brings of its own."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import redis.asyncio
from typer.testing import CliRunner

from fairdeal.client import Client
from fairdeal.codec import encode_json
from fairdeal.decks import read_tables
from fairdeal.decks.own import BadDeck, UnknownDeck, load_decks, sha256_of
from fairdeal.game import Created
from fairdeal.games import perekupai
from fairdeal.games.perekupai_deck import DECKS, HOUSE, TABLES, Modification, Permanent
from fairdeal.games.perekupai_effects import USABLE, Standing, Timing
from fairdeal_audit import audit_log
from fairdeal_cli.app import app
from fairdeal_local import Table
from fairdeal_replays import frames
from fairdeal_rules import Rejected
from fairdeal_rules.game import load
from fairdeal_rules.games.perekupai_state import printed
from support.harness import play_random
from support.perekupai import lively
from support.workers import Worker, serving

GARAGE = """
ruleset = "perekupai"

[[card]]
id = "G01"
copies = 20

[card.acquisition]
name = "Two birds"
timing = ["own_turn"]
effects = [ { op = "draw", count = 1 }, { op = "take_money", amount = 50 } ]
text = "Draw a card and take 50 from an opponent."

[card.scam]
name = "Lucky charm"
type = "permanent"
effects = [ { op = "loader_bonus", amount = 100 }, { op = "end_bonus", amount = 50 } ]
text = "+100 for work, +50 at the end."
"""


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The shelf with the house's deck alone, and after the test as it was."""
    house = DECKS.named(HOUSE)
    monkeypatch.setattr(DECKS, "_named", {HOUSE: sha256_of(house)})
    monkeypatch.setattr(DECKS, "_by_sha256", {sha256_of(house): house})
    yield
    printed.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "garage.toml").write_text(GARAGE)
    return tmp_path


# The house's


def test_the_house_deck_is_the_box() -> None:
    deck = DECKS.named(HOUSE)
    assert Counter(car.level for car in deck.car) == {1: 16, 2: 16, 3: 16}
    assert len({car.model for car in deck.car}) == 48
    assert set(Counter(car.maker for car in deck.car).values()) == {6}
    assert Counter(buyer.level for buyer in deck.buyer) == {1: 6, 2: 8, 3: 6}
    kinds: Counter[str] = Counter()
    for surprise in deck.surprise:
        kinds[surprise.kind] += surprise.copies
    assert kinds == {"defect": 32, "car_mod": 8}
    assert sum(card.copies for card in deck.card) == 44
    scams = Counter(type(card.scam) for card in deck.card)
    assert scams == {Permanent: 12, Modification: 10}
    assert len(deck.dealer) == 6
    assert all(car.sale > car.purchase for car in deck.car)


def test_the_house_deck_uses_every_effect_and_every_window() -> None:
    deck = DECKS.named(HOUSE)
    assert {type(e) for card in deck.card for e in card.acquisition.effects} == set(USABLE)
    standing = {type(e) for card in deck.card for e in card.scam.effects}
    assert {*Standing.__args__} < standing  # type: ignore[attr-defined]
    assert len(standing) == 10
    assert {t for card in deck.card for t in card.acquisition.timing} == set(Timing.__args__)  # type: ignore[attr-defined]


# An own deck


def test_an_own_deck_is_played_and_the_game_says_which_it_was(folder: Path) -> None:
    assert load_decks(folder) == ["garage"]
    table = Table.open("perekupai", 2, {"deck": "garage"}, dealer=1)
    created = table.log[0].events[0]
    assert isinstance(created, Created)
    assert created.options["deck"] == "garage"
    assert created.options["deck_sha256"] == DECKS.sha256("garage")
    assert {held.card.acquisition.name for held in table.view(0).hand.cards} == {"Two birds"}
    assert table.view().table.options["deck_sha256"] == created.options["deck_sha256"]
    play_random(table, Random(1), weigh=lively, check_every=50)
    # What the deck leaves out is the house's.
    assert DECKS.named("garage").car == DECKS.named(HOUSE).car


def test_a_game_asks_for_a_deck_by_name_and_may_say_what_it_has_to_hold(folder: Path) -> None:
    load_decks(folder)
    with pytest.raises(Rejected) as refused:
        Table.open("perekupai", 2, {"deck": "cellar"})
    assert (refused.value.code, refused.value.details) == ("bad_options", {"path": "$.action.options.deck"})
    assert "house, garage" in refused.value.message
    held = DECKS.sha256("garage")
    Table.open("perekupai", 2, {"deck": "garage", "deck_sha256": held})
    with pytest.raises(Rejected) as refused:
        Table.open("perekupai", 2, {"deck": "house", "deck_sha256": held})
    assert refused.value.details == {"path": "$.action.options.deck_sha256"}


def test_comments_and_spaces_do_not_change_a_deck(folder: Path) -> None:
    load_decks(folder)
    before = DECKS.sha256("garage")
    (folder / "garage.toml").write_text("# mine\n\n" + GARAGE.replace(" = ", "   =   "))
    load_decks(folder)
    assert DECKS.sha256("garage") == before


def test_an_old_game_goes_on_with_the_deck_it_was_begun_with(folder: Path) -> None:
    """The deck is changed while the game is played; its former file is kept, under whatever name."""
    load_decks(folder)
    table = Table.open("perekupai", 2, {"deck": "garage", "target": 2000}, dealer=2)
    random = Random(2)
    while table.version < 30:
        seat = table.view().to_act[0]
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    (folder / "before_the_change.toml").write_text(GARAGE)
    (folder / "garage.toml").write_text(GARAGE.replace("copies = 20", "copies = 50"))
    DECKS._by_sha256.clear()
    printed.cache_clear()
    assert load_decks(folder) == ["before_the_change", "garage"]
    reloaded = load(
        table._game.id, lambda _game, _entry: table._seed, [(w.commit, w.hash) for w in table.written]
    )
    assert sum(reloaded.state.printed.copies.values()) == 20
    assert not reloaded.rules.violations(reloaded.state)
    play_random(table, random, weigh=lively, check_every=50)
    records = [(w.commit.version, w.hash.hex(), encode_json(w.commit)) for w in table.written]
    report = audit_log(records)
    assert report.clean, report
    new = Table.open("perekupai", 2, {"deck": "garage"})
    assert sum(new.state.printed.copies.values()) == 50


def test_a_deck_that_is_gone_is_asked_for_and_views_do_without(folder: Path) -> None:
    load_decks(folder)
    table = Table.open("perekupai", 2, {"deck": "garage", "target": 1500}, dealer=3)
    play_random(table, Random(3), weigh=lively, check_every=50)
    del DECKS._named["garage"]
    DECKS._by_sha256.pop(table.state.options.deck_sha256)
    printed.cache_clear()
    commits = [(written.commit, written.hash) for written in table.written]
    with pytest.raises(UnknownDeck, match="put the file that the game was played with back"):
        load("local", lambda _game, _entry: table._seed, commits)
    replay = list(frames(table.log, "table"))
    assert msgspec.to_builtins(replay[-1].view) == msgspec.to_builtins(table.view("table"))
    records = [(w.commit.version, w.hash.hex(), encode_json(w.commit)) for w in table.written]
    report = audit_log(records)
    (execution,) = [check for check in report.checks if check.name == "execution"]
    assert "UnknownDeck" in str(execution.message)


# What is wrong with a deck


def changed(old: str, new: str) -> str:
    assert old in GARAGE
    return GARAGE.replace(old, new, 1)


BUYER = """
[[buyer]]
id = "X1"
name = "Nobody"
level = {level}
attentiveness = 3
haggling = 3
prefs = [ {pref} ]
"""
SURPRISE = """
[[surprise]]
id = "X2"
name = "Nothing"
kind = "{kind}"
value = {value}
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            changed('"draw", count = 1', '"draw", count = "one"'),
            "garage.toml: card G01: acquisition.effects[0].count: ",
        ),
        (
            changed('op = "draw"', 'op = "drink"'),
            "garage.toml: card G01: acquisition.effects[0].op: Invalid value 'drink'",
        ),
        (changed("amount = 50", "amount = 55"), "garage.toml: card G01: acquisition.effects[1].amount: "),
        (changed("amount = 50", "amont = 50"), "garage.toml: card G01: acquisition.effects[1]: "),
        (changed('"own_turn"', '"any_time"'), "garage.toml: card G01: acquisition.timing[0]: "),
        (
            changed('op = "draw", count = 1', 'op = "mod_roll", delta = 1'),
            "garage.toml: card G01: acquisition.effects[0]: mod_roll cannot be played in own_turn, only in opp_att",
        ),
        (changed('type = "permanent"', 'type = "car_mod"'), "garage.toml: card G01: scam.effects[0].op: "),
        (
            changed('type = "permanent"', 'type = "hat"'),
            "garage.toml: card G01: scam.type: Invalid value 'hat'",
        ),
        (changed('id = "G01"', "id = 7"), "garage.toml: card number 1: id: "),
        (changed("copies = 20", "copies = 0"), "garage.toml: card G01: copies: "),
        (
            changed('name = "Two birds"\n', ""),
            "garage.toml: card G01: acquisition: Object missing required field `name`",
        ),
        (GARAGE + GARAGE.partition("\n\n")[2], "garage.toml: card G01: id: Another entry has this id too"),
        (GARAGE + "\n[[spoiler]]\nid = 1\n", "garage.toml: Object contains unknown field `spoiler`"),
        (
            GARAGE + BUYER.format(level=3, pref=""),
            "garage.toml: buyer: level: No game begins with buyers of level 3",
        ),
        (
            GARAGE + BUYER.format(level=1, pref='{ maker = "Nobody", amount = 50 }'),
            "garage.toml: buyer X1: prefs[0].maker: No car is made by Nobody",
        ),
        (
            GARAGE + BUYER.format(level=1, pref='{ model = "Nothing", amount = 50 }'),
            "garage.toml: buyer X1: prefs[0].model: No car is called Nothing",
        ),
        (
            GARAGE + BUYER.format(level=1, pref="{ amount = 50 }"),
            "garage.toml: buyer X1: prefs[0]: Name a maker or",
        ),
        (
            GARAGE + SURPRISE.format(kind="defect", value=100),
            "garage.toml: surprise X2: value: A defect's value",
        ),
        (
            GARAGE + SURPRISE.format(kind="car_mod", value=0),
            "garage.toml: surprise X2: value: A defect's value",
        ),
        ('ruleset = "perekupai"\ndealer = []\n', "garage.toml: dealer: A game needs at least one"),
        ('ruleset = "perekupai"\ncar = 3\n', "garage.toml: car: Expected `array`"),
        (GARAGE.replace("[[card]]", "[card"), "garage.toml: It cannot be read as TOML: "),
        (GARAGE.replace('ruleset = "perekupai"', ""), "garage.toml: ruleset: Say at the top for which it is"),
        (GARAGE.replace("perekupai", "perudo"), "garage.toml: ruleset: Say at the top for which it is"),
    ],
)
def test_a_bad_deck_is_named_with_file_card_and_field(folder: Path, text: str, says: str) -> None:
    (folder / "garage.toml").write_text(text)
    with pytest.raises(BadDeck) as bad:
        load_decks(folder)
    assert str(bad.value).startswith(says), str(bad.value)
    assert DECKS.names == [HOUSE]


def test_a_deck_has_a_name_of_its_own(folder: Path) -> None:
    (folder / "garage.toml").rename(folder / "house.toml")
    with pytest.raises(BadDeck, match=r"house\.toml: This is what the house's own deck is called"):
        load_decks(folder)
    (folder / "house.toml").rename(folder / "my deck.toml")
    with pytest.raises(BadDeck, match=r"my deck\.toml: A deck is called by"):
        load_decks(folder)
    with pytest.raises(BadDeck, match="There is no such folder"):
        load_decks(folder / "none")


def test_one_bad_deck_leaves_the_shelf_as_it_was(folder: Path) -> None:
    (folder / "zoo.toml").write_text(changed("copies = 20", "copies = 0"))
    with pytest.raises(BadDeck, match=r"zoo\.toml"):
        load_decks(folder)
    assert DECKS.names == [HOUSE]


@pytest.mark.parametrize(
    ("options", "path"),
    [({"buyer_count": 4}, "buyer_count"), ({"deck": "few"}, "deck")],
)
def test_a_deck_has_to_suffice_for_the_table(options: dict[str, Any], path: str) -> None:
    buyers, dealers = read_tables(TABLES["buyer"])["buyer"], read_tables(TABLES["dealer"])["dealer"]
    DECKS.put([("few", {"dealer": dealers[:3], "buyer": buyers[:3]})])
    with pytest.raises(Rejected) as refused:
        Table.open("perekupai", 4 if path == "deck" else 3, {"deck": "few", **options})
    assert refused.value.details == {"path": f"$.action.options.{path}"}


# The process


@pytest.mark.parametrize("command", [["work", "rules"], ["play", "perekupai"], ["audit", "none.ndjson"]])
def test_a_process_refuses_to_start_with_a_bad_deck(folder: Path, command: list[str]) -> None:
    (folder / "garage.toml").write_text(changed("copies = 20", "copies = 0"))
    result = CliRunner().invoke(app, command, env={"FAIRDEAL_DECKS": str(folder), "FAIRDEAL_SECRET": "s"})
    assert result.exit_code != 0
    words = " ".join(result.output.split())
    assert "garage.toml: card G01: copies: Expected `int` >= 1" in words
    assert "FAIRDEAL_DECKS=" in words


async def test_a_deployment_plays_the_deck_that_it_brings(
    redis_url: str, namespace: str, folder: Path
) -> None:
    """The rules alone read the folder: views, replays and backends need no deck."""
    with (
        Worker(redis_url, namespace, "rules", partitions=1, decks=folder),
        Worker(redis_url, namespace, "views", partitions=1),
    ):
        async with redis.asyncio.from_url(redis_url) as connection:
            for role in ("rules", "views"):
                await serving(connection, namespace, role, partitions=1)
        async with Client(redis_url, namespace=namespace) as client:
            await client.create("perekupai", ["ann", "bob"], options={"deck": "garage"}, game="g")
            view = await client.view("g", 0)
            assert {held.card.acquisition.name for held in view.hand.cards} == {"Two birds"}
            with pytest.raises(Rejected) as refused:
                await client.create("perekupai", ["ann", "bob"], options={"deck": "cellar"})
            assert refused.value.details["path"] == "$.action.options.deck"


def test_the_files_of_the_game_do_not_know_where_decks_come_from() -> None:
    """They ask a shelf; a fresh process that loads nothing has the house's deck alone."""
    code = "from fairdeal.games.perekupai import DECKS; print(DECKS.names)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "['house']"
    assert perekupai.DECKS is DECKS
