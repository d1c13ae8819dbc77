"""The local table: the same rules and views as the service, driven by plain calls."""

import subprocess
import sys
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal import game
from fairdeal.codec import decode_commit
from fairdeal.commit import GENESIS, Commit, chain
from fairdeal.games import perudo
from fairdeal.view import decode_view, join_parts
from fairdeal_local import Dealer, ImpossibleOutcome, Scripted, Seeded, Table
from fairdeal_rules import Rejected
from support.logs import play_on, played
from support.readme import ROOT, same_snippets

TWO_DICE = {"dice_per_player": 2}
# Seat 1 opens; seat 0 holds 2 and 3, seat 1 holds 6 and 1, seat 2 holds 6 and 4.
SCRIPT = [3, 6, 2, 2, 3, 6, 1, 6, 4]


def opened(more: list[int] | None = None, **opening: Any) -> Table:
    script = Scripted([*SCRIPT, *(more or [])])
    return Table.open("perudo", players=["ann", "bob", "cy"], options=TWO_DICE, dealer=script, **opening)


# A game as an integrator plays it


def test_the_readmes_example_runs() -> None:
    assert same_snippets(ROOT / "services/fairdeal_local/README.md") == ["tests/snippets/local_table.py"]
    done = subprocess.run(
        [sys.executable, ROOT / "tests/snippets/local_table.py"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    refused, events, after = done.stdout.splitlines()
    assert refused.startswith("bid_not_higher ")
    assert "DiceRevealed" in events
    assert after == "3 False [2, 1]"


def test_a_scripted_round() -> None:
    table = opened([5, 5, 1, 2, 2])
    assert (table.version, table.finished, table.players) == (1, False, ["ann", "bob", "cy"])
    assert table.view("table").to_act == (1,)
    assert table.view(1).hand.dice == (6, 1)
    assert table.view(2).hand.dice == (6, 4)

    commit = table.act(1, perudo.Bid(quantity=3, face=6))
    assert isinstance(commit, Commit)
    assert commit.version == table.version == 2
    assert commit.events == (perudo.BidPlaced(seat=1, quantity=3, face=6),)

    table.act(2, {"type": "perudo.bid", "quantity": 4, "face": 6})
    table.act(0, perudo.Dudo())
    reveal = table.view("table").table.last_reveal
    assert (reveal.count, reveal.changes) == (3, {2: -1})
    assert [type(c.command.action).__name__ for c in table.log] == ["Create", "Bid", "Bid", "Dudo"]
    assert [c.version for c in table.log] == [1, 2, 3, 4]


def test_a_refused_action_changes_nothing() -> None:
    table, twin = opened(), opened()

    def shown() -> tuple[Any, ...]:
        return (table.version, table.log, table.encoded(), table.deadline, table.finished, table.outcome)

    before = shown()
    refusals: list[tuple[int | None, Any, str]] = [
        (0, perudo.Bid(quantity=1, face=2), "not_your_turn"),
        (1, perudo.Bid(quantity=1, face=1), "opening_aces_forbidden"),
        (1, {"type": "perudo.bid", "quantity": 0, "face": 2}, "quantity_out_of_range"),
        (1, perudo.Dudo(), "no_bid"),
        (7, perudo.Dudo(), "not_seated"),
        (None, perudo.Dudo(), "not_seated"),
        (1, game.Ready(), "wrong_phase"),
        (1, game.Cancel(reason="mine"), "not_seated"),
    ]
    for seat, action, code in refusals:
        with pytest.raises(Rejected) as caught:
            table.act(seat, action)
        assert caught.value.code == code
        assert caught.value.message
        assert shown() == before
    # Nor does it leave a trace in what comes after: the log is the same to the byte.
    for one in (table, twin):
        one.act(1, perudo.Bid(quantity=2, face=6))
    assert table.written == twin.written


def test_a_rejection_says_what_stands_in_the_way() -> None:
    table = opened()
    table.act(1, perudo.Bid(quantity=3, face=5))
    with pytest.raises(Rejected) as caught:
        table.act(2, perudo.Bid(quantity=2, face=4))
    assert caught.value.code == "bid_not_higher"
    assert "3" in caught.value.message
    assert isinstance(caught.value.details, dict)


def test_expect_guards_against_a_game_that_moved_on() -> None:
    table = opened()
    table.act(1, perudo.Bid(quantity=2, face=2), expect=1)
    with pytest.raises(Rejected, match="stale"):
        table.act(2, perudo.Dudo(), expect=1)
    table.act(2, perudo.Bid(quantity=2, face=3), expect=2)


@pytest.mark.parametrize(
    ("seat", "action", "path"),
    [
        (1, {"type": "chess.move"}, "$.type"),
        (1, {"type": "perudo.bid", "quantity": "two", "face": 3}, "$.quantity"),
        (1, {"type": "perudo.dudo", "why": "hm"}, "unknown field"),
        (1, {}, "required field `type`"),
        (None, game.Cancel(reason=""), "$.action.reason"),
        (-1, perudo.Dudo(), "$.seat"),
    ],
)
def test_what_the_wire_would_not_take_the_table_does_not_take(
    seat: int | None, action: Any, path: str
) -> None:
    """A record made in Python is checked like a body that came in: the same limits, the same words."""
    table = opened()
    with pytest.raises(msgspec.ValidationError) as caught:
        table.act(seat, action)
    assert path in str(caught.value)
    assert table.version == 1


# Views


def test_each_viewer_sees_their_own() -> None:
    table = opened()
    for seat, dice in enumerate([(2, 3), (6, 1), (6, 4)]):
        view = table.view(seat)
        assert (view.seat, view.hand) == (seat, perudo.Hand(dice=dice))
        assert (view.game, view.ruleset, view.version, view.phase) == ("local", "perudo@1", 1, "bidding")
    for viewer in ("table", "audit"):
        view = table.view(viewer)  # type: ignore[arg-type]
        assert (view.seat, view.hand, view.offers) == (None, None, ())
    assert table.view() == table.view("table")
    assert [len(table.view(seat).offers) for seat in range(3)] == [0, 1, 0]


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_there_are_no_other_seats(seat: int) -> None:
    with pytest.raises(IndexError, match=f"There is no seat {seat}; the seats are 0 to 2"):
        opened().view(seat)


def test_a_view_is_a_copy_that_later_moves_leave_alone() -> None:
    table = opened()
    view = table.view(1)
    before = msgspec.json.encode(view)
    table.act(1, perudo.Bid(quantity=2, face=2))
    view.table.bids.clear()
    assert msgspec.json.encode(view) == before
    assert len(table.view("table").table.bids) == 1


def test_stored_parts_join_to_the_views_that_are_shown() -> None:
    table = played(seed=5, most=12)
    parts = table.encoded()
    assert set(parts) == {"table", "seat:0", "seat:1", "seat:2"}
    stored = [parts["table"], *(join_parts(parts["table"], parts[f"seat:{seat}"]) for seat in range(3))]
    shown = [table.view("table"), *map(table.view, range(3))]
    for body, view in zip(stored, shown, strict=True):
        assert msgspec.to_builtins(decode_view(body)) == msgspec.to_builtins(view)


def test_every_offered_move_is_taken_to_the_end() -> None:
    table = play_on(Table.open("perudo", 4, dealer=1), Random(1))
    assert table.finished
    assert table.outcome is not None
    assert table.view("table").phase == "finished"
    assert table.view("table").outcome == table.outcome
    assert table.violations() == []
    with pytest.raises(Rejected, match="finished"):
        table.act(0, perudo.Dudo())


# The log


def test_the_log_is_what_the_service_would_have_written() -> None:
    table = played(seed=2, players=2)
    hash = GENESIS
    for version, written in enumerate(table.written, 1):
        hash = chain(hash, written.body)
        assert written.hash == hash
        assert decode_commit(written.body) == written.commit
        assert written.commit.version == version
    assert table.log == [written.commit for written in table.written]
    times = [commit.at for commit in table.log]
    assert times == sorted(set(times))


def test_lists_of_the_table_are_the_callers_own() -> None:
    table = opened()
    table.log.clear()
    table.written.clear()
    table.players.clear()
    assert (len(table.log), len(table.written), len(table.players)) == (1, 1, 3)


# Dealers


@pytest.mark.parametrize("seed", [0, 17, "a text", b"some bytes", bytes(range(32))])
def test_equal_seeds_deal_alike(seed: Any) -> None:
    one, other = (Table.open("perudo", 3, dealer=dealer) for dealer in (seed, Seeded(seed)))
    assert one.written == other.written
    assert one.written != Table.open("perudo", 3, dealer="another").written


def test_entropy_of_the_players_changes_the_dice() -> None:
    hands = set()
    for entropy in (None, "mine", "yours"):
        players = [game.Player(id="ann", entropy=entropy), game.Player(id="bob")]
        table = Table.open("perudo", players, dealer=1)
        hands.add((table.view(0).hand.dice, table.view(1).hand.dice))
    assert len(hands) == 3


def test_a_script_says_what_it_cannot_give() -> None:
    with pytest.raises(ImpossibleOutcome, match="outcome 2 of the script, 7, cannot be a die of 6 sides"):
        Table.open("perudo", 2, dealer=Scripted([3, 7]))
    with pytest.raises(ImpossibleOutcome, match="run out"):
        Table.open("perudo", 2, dealer=Scripted([3]))


def test_a_script_may_grow() -> None:
    script = Scripted(SCRIPT)
    table = Table.open("perudo", 3, TWO_DICE, script)
    assert script.left == 0
    table.act(1, perudo.Bid(quantity=3, face=6))
    script.extend([1, 1, 1, 1, 1])
    table.act(2, perudo.Dudo())
    assert script.left == 0
    assert isinstance(script, Dealer)


# Opening, waiting, the clock, the host


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "code"),
    [
        ("chess", 2, None, "unknown_ruleset"),
        ("perudo", 1, None, "bad_players"),
        ("perudo", 7, None, "bad_players"),
        ("perudo", ["ann", "ann"], None, "bad_players"),
        ("perudo", 2, {"dice_per_player": 6}, "bad_options"),
        ("perudo", 2, {"colour": "red"}, "bad_options"),
        ("perudo", 2, {"preset": "nobody's"}, "bad_options"),
    ],
)
def test_tables_that_do_not_open(ruleset: str, players: Any, options: Any, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        Table.open(ruleset, players, options)
    assert caught.value.code == code


@pytest.mark.parametrize("opening", [{"clock": 50}, {"name": "a b"}, {"players": [""]}])
def test_tables_that_the_wire_would_not_open(opening: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        Table.open("perudo", **opening)


def test_a_table_that_waits_for_its_seats() -> None:
    table = Table.open("perudo", 2, dealer=3, start="when_ready")
    assert (table.view(0).phase, table.view(0).to_act) == ("waiting", (0, 1))
    with pytest.raises(Rejected, match="wrong_phase"):
        table.act(0, perudo.Bid(quantity=1, face=2))
    table.act(0, game.Ready(entropy="mine"))
    assert table.view(0).to_act == (1,)
    table.act(1, game.Ready())
    assert table.view(0).phase == "bidding"


def test_the_clock_plays_when_the_time_has_passed() -> None:
    table = Table.open("perudo", 2, dealer=3, clock=1000)
    assert table.deadline == table.log[-1].at + 1000
    first = table.view("table").to_act
    deadline = table.deadline
    commit = table.clock_expired()
    assert commit.at == deadline
    assert table.view("table").to_act != first
    assert table.view("table").deadline == table.deadline == commit.at + 1000
    while not table.finished:
        table.clock_expired()
    assert table.deadline is None


def test_without_a_clock_nothing_expires() -> None:
    table, twin = opened(), opened()
    with pytest.raises(Rejected, match="too_early"):
        table.clock_expired()
    for one in (table, twin):
        one.act(1, perudo.Bid(quantity=2, face=6))
    assert table.written == twin.written


def test_the_host_reseats_and_cancels() -> None:
    table = opened()
    table.host(game.Reseat(seat=1, player="dan"))
    assert table.players == table.view(0).table.players == ["ann", "dan", "cy"]
    table.host({"type": "game.cancel", "reason": "rain"})
    assert table.finished
    assert table.outcome == game.Outcome(winners=(), places=(1, 1, 1), scores=None, reason="cancelled")
