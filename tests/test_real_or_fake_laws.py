"""Real or Fake over generated games: the laws of real_or_fake.md §11, a second reading of the rules, exact offers.

`FAIRDEAL_GAMES` says how many games each of the generating tests plays for each option set.
"""

import os
import pickle
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from fairdeal.commit import Commit
from fairdeal.game import Created, Finished, Resign
from fairdeal.games.real_or_fake import (
    Acquired,
    Arranged,
    AuctionRestarted,
    AuctionStarted,
    AuctionWon,
    Bid,
    BidMade,
    BonusPaid,
    InsiderTaken,
    Pass,
    Passed,
    Roll,
    Rolled,
    Sort,
    Sorted,
    Taxed,
    Traded,
    TurnStarted,
    WealthCounted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_cards import SERIES
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from support.harness import moves_of, offers_equal_acceptance, outcomes_of, play_random
from support.real_or_fake import OPTION_SETS, brisk, candidates, events_of, named
from support.real_or_fake_model import Model, drawn_in

GAMES = int(os.environ.get("FAIRDEAL_GAMES", "3"))


def opened(name: str, number: int, **opening: Any) -> Table:
    """A table of this option set; the number decides the seats and what is dealt."""
    seats = 3 + (number + len(name)) % 3
    return Table.open("real_or_fake", seats, OPTION_SETS[name], dealer=f"{name} {number}", **opening)


# The laws of a whole game (§11)


@pytest.mark.parametrize("name", OPTION_SETS)
def test_laws_of_whole_games_and_exact_offers(name: str) -> None:
    """At positions picked by chance commands of every kind are tried at every seat."""
    for number in range(GAMES):
        random = Random(f"{name} {number}")
        banks: list[int] = []

        def each(table: Table, random: Random = random, banks: list[int] = banks) -> None:
            assert table.state.options.start_bonus or not banks or table.state.bank >= banks[-1]
            banks.append(table.state.bank)
            if random.random() < 0.1:
                offers_equal_acceptance(table, candidates(table, random))

        laws_of(play_random(opened(name, number), random, weigh=brisk, each=each))


def laws_of(table: Table) -> None:
    """Invariants 3, 4, 5, 6, 8 and 9 over the log of a finished game."""
    options, seats = table.state.options, range(len(table.players))
    squares = len(table.state.board)
    at = [0] * len(seats)
    cash = [options.start_money] * len(seats)
    out: set[int] = set()
    passed: set[int] = set()
    high = 0
    for commit in table.log:
        changed: set[int] = set()
        for event in commit.events:
            match event:
                case Rolled():
                    steps = sum(event.dice)
                    assert 2 <= steps <= 12
                    assert event.position == (at[event.seat] + steps) % squares
                    assert event.square == table.state.board[event.position]
                    at[event.seat] = event.position
                case AuctionStarted() | AuctionRestarted():
                    passed, high = set(), 0
                case BidMade():
                    assert event.seat not in passed | out
                    assert event.amount >= (high + options.bid_step if high else options.min_bid)
                    assert event.amount <= cash[event.seat]
                    high = event.amount
                case Passed():
                    assert event.seat not in passed | out
                    assert event.forced == (
                        cash[event.seat] < (high + options.bid_step if high else options.min_bid)
                    )
                    passed.add(event.seat)
                case AuctionWon():
                    assert event.price == high
                    cash[event.seat] -= high
                case Acquired() | Arranged() | Sorted():
                    changed.add(event.seat)
                case Traded():
                    cash[event.seat] -= event.price
                    if event.seller not in out:
                        cash[event.seller] += event.price
                    changed |= {event.seat}
                    assert event.price == options.value_table[event.count]
                case BonusPaid():
                    cash[event.seat] += event.amount
                case WentBankrupt():
                    assert event.cash == cash[event.seat]
                    cash[event.seat] = 0
                    out.add(event.seat)
                case TurnStarted():
                    assert event.seat not in out
                case Taxed():
                    cash[event.seat] -= event.amount
                case _:
                    pass
        actor = commit.command.seat
        assert changed <= {actor}, "somebody else's cards moved"
    assert cash == table.state.cash
    finished = table.log[-1].events[-1]
    assert isinstance(finished, Finished)
    counted = table.log[-1].events[-2]
    assert isinstance(counted, WealthCounted)
    owned = {card for e in events_of(table.log) if isinstance(e, InsiderTaken) for card in e.cards or ()}
    assert set(counted.fakes) <= owned


# A second reading of the rules


@pytest.mark.parametrize("name", OPTION_SETS)
@pytest.mark.parametrize("resigning", [False, True], ids=["", "resigning"])
def test_a_second_reading_of_the_rules_agrees_after_every_commit(name: str, resigning: bool) -> None:
    for number in range(GAMES):
        random = Random(f"{name} {number} again")
        table = opened(name, number + 50)
        created = table.log[0].events[0]
        assert isinstance(created, Created)
        drawn = drawn_in(table.log[0])
        model = Model(len(table.players), created.options, drawn)
        assert next(drawn, None) is None

        def each(table: Table, random: Random = random, model: Model = model) -> None:
            follow(table, model, table.log[-1])
            if resigning and random.random() < 0.01:
                living = [seat for seat in range(len(table.players)) if seat not in table.state.bankrupt]
                if living and not table.finished:
                    follow(table, model, table.act(random.choice(living), Resign()))

        table = play_random(table, random, weigh=brisk, each=each)
        assert model.result is not None
        assert table.outcome is not None
        fakes, totals = model.result
        assert list(table.view().table.fakes) == fakes
        assert list(table.outcome.scores or ()) == totals
        for seat in range(len(table.players)):
            if seat not in model.out:
                better = sum(totals[o] > totals[seat] for o in range(len(totals)) if o not in model.out)
                assert table.outcome.places[seat] == 1 + better
            else:
                later = len(model.out) - 1 - model.out.index(seat)
                assert table.outcome.places[seat] == len(totals) - len(model.out) + 1 + later


def follow(table: Table, model: Model, commit: Commit) -> None:
    """Let the model follow a commit and compare."""
    if commit.command.seat is not None:
        drawn = drawn_in(commit)
        model.follow(commit.command.seat, commit.command.action, drawn)
        assert next(drawn, None) is None, "more was drawn than the rules need"
    hands = [table.view(seat).hand for seat in range(len(table.players))]
    model.agrees(table.view().table, hands, tuple(table.view().to_act))


# Replay, refusals, relabelling


def test_the_same_draws_and_commands_give_the_same_game() -> None:
    for name in OPTION_SETS:
        table = play_random(opened(name, 7), Random(7), weigh=brisk)
        again = Table.open(
            "real_or_fake", table.players, OPTION_SETS[name], dealer=Scripted(outcomes_of(table.log))
        )
        for seat, action in moves_of(table.log):
            again.act(seat, action)
        assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]


def test_a_refused_command_leaves_the_game_as_it_was() -> None:
    random = Random(3)

    def each(table: Table) -> None:
        if table.version % 15:
            return
        before = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
        for seat, action in product(range(len(table.players)), (Roll(), Bid(amount=10**6), Sort(), Pass())):
            if not table.finished and not table.view(seat).admits(action):
                with pytest.raises(Rejected):
                    table.act(seat, action)
        after = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
        assert after == before

    play_random(opened("default", 1), random, weigh=brisk, each=each)


def test_rotating_the_seats_rotates_the_wealth() -> None:
    """No seat is better than another: the same game one seat further on ends the same."""
    opening = [*named("art rugs"), *named("2 wines"), *named("cars toys")]
    rolled = [[6, 6], [1, 1], [2, 2]]
    options = {"start_cards": 2, "board": ["new_acquisition"], "insider_placed": 0}
    cards = [card for card in SERIES for _ in range(12)]
    for card in opening:
        cards.remove(card)
    news = cards[: (108 - 6) // 2]
    moves = [word for pair in range(26) for word in (1, 1, *news[2 * pair : 2 * pair + 2])]
    ends = []
    for by in range(3):
        hands = [opening[2 * ((seat - by) % 3) : 2 * ((seat - by) % 3) + 2] for seat in range(3)]
        rolls = [roll for seat in range(3) for roll in rolled[(seat - by) % 3]]
        script = [*(card for hand in hands for card in hand), *rolls, *moves]
        table = Table.open("real_or_fake", 3, options, Scripted(script))
        for turn in range(26):
            seat = (turn + by) % 3
            table.act(seat, Roll())
            if not table.finished:
                table.act(seat, Sort())
        assert table.outcome is not None
        scores = table.outcome.scores or ()
        ends.append([scores[(seat + by) % 3] for seat in range(3)])
    assert ends[0] == ends[1] == ends[2]


# Who does not move


@pytest.mark.parametrize("name", OPTION_SETS)
def test_the_clock_alone_plays_to_the_end(name: str) -> None:
    table = opened(name, 2, clock=1000)
    phases = set()
    for _ in range(3000):
        if table.finished:
            break
        phases.add(table.view().phase)
        table.clock_expired()
        assert not table.violations()
    assert table.finished
    assert {"arrange", "new_cards"} <= phases
    assert not any(isinstance(event, BidMade | Traded | Arranged) for event in events_of(table.log))


def test_the_clock_plays_every_phase() -> None:
    """Whoever stops moving in whatever phase, the game goes on."""
    stopped: Counter[str] = Counter()
    for seed in range(4):
        table = Table.open("real_or_fake", 3 + seed % 3, dealer=seed, clock=1000)
        random = Random(seed)
        while not table.finished:
            view = table.view()
            if random.random() < 0.2:
                stopped[view.phase] += 1
                moved = table.clock_expired()
                assert moved.events[0].seats == view.to_act  # type: ignore[attr-defined]
                assert len(moved.events) > 1
                assert not table.violations()
            else:
                (seat,) = view.to_act
                table.act(seat, random.choice(table.view(seat).offers).sample(random))
    assert set(stopped) == {"arrange", "new_cards", "trade", "bid"}


def test_arranging_buys_no_time() -> None:
    table = Table.open("real_or_fake", 3, dealer=1, clock=5000)
    deadline = table.deadline
    assert deadline is not None
    (seat,) = table.view().to_act
    for _ in range(5):
        table.act(seat, table.view(seat).offers[0].sample(Random(1)))
        assert table.deadline == deadline == table.view().deadline
    table.act(seat, Roll())
    assert table.deadline is not None
    assert table.deadline > deadline
    assert table.view().deadline == table.deadline


def test_resigning_in_every_phase_leaves_a_lawful_game() -> None:
    resigned: Counter[tuple[str, bool]] = Counter()
    for seed in range(40):
        random = Random(seed)
        table = Table.open("real_or_fake", 3 + seed % 3, {"last_living_ends": seed % 2 == 0}, dealer=seed)

        def each(table: Table, random: Random = random) -> None:
            if table.finished or random.random() > 0.03:
                return
            living = [seat for seat in range(len(table.players)) if seat not in table.state.bankrupt]
            seat = random.choice(living)
            resigned[table.view().phase, seat in table.view().to_act] += 1
            table.act(seat, Resign())
            assert not table.violations()
            assert table.view(seat).offers == ()
            if random.random() < 0.3:
                offers_equal_acceptance(table, candidates(table, random, each=1))

        play_random(table, random, weigh=brisk, each=each)
    assert set(resigned) == set(product(("arrange", "new_cards", "trade", "bid"), (True, False)))
