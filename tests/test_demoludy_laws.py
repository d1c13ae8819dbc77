"""Demoludy over generated games: the invariants of demoludy.md §12, a naive model, and offers that are exact.

`FAIRDEAL_GAMES` says how many games each of the generating tests plays.
"""

import os
import pickle
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.commit import Commit
from fairdeal.game import Finished, Resign
from fairdeal.games.demoludy import (
    AuctionOpened,
    AuctionWon,
    Bid,
    CardDrawn,
    CardsPlaced,
    EndTurn,
    Options,
    SkipOpen,
    TakenBack,
    TurnEnded,
    Withdraw,
    Withdrawn,
)
from fairdeal.games.demoludy_cards import TEN
from fairdeal.receipt import Rejected
from fairdeal.visibility import drawn_outcomes
from fairdeal_local import Scripted, Table
from fairdeal_rules.games.demoludy import Rules
from support.demoludy import SETS, candidates, place, script
from support.demoludy_model import Model, standing
from support.harness import accepts, moves_of, offers_equal_acceptance, outcomes_of, play_random

GAMES = int(os.environ.get("FAIRDEAL_GAMES", "16"))
RULES = Rules()


def opened(name: str, seed: int, **options: Any) -> Table:
    """A table of an option set with 2 to 5 seats."""
    agreed = {"min_players": 2, **SETS[name], **options}
    return Table.open("demoludy", 2 + seed % 4, agreed, dealer=f"{name} {seed}")


def drawn_in(commit: Commit) -> Any:
    return (outcome for event in commit.events for outcome in drawn_outcomes(event))


# The naive model


def followed(table: Table) -> Model:
    """The model of a table that was just opened."""
    options = msgspec.convert(table.view().table.options, Options)
    return Model(options, len(table.players), drawn_in(table.log[0]))


def follow(model: Model, table: Table) -> None:
    """Lead the model through the newest commit; both then stand alike."""
    if table.version > 1:
        move = table.log[-1].command
        assert move.seat is not None
        model.play(move.seat, move.action, drawn_in(table.log[-1]))
    assert table.finished == model.over()
    if not table.finished:
        assert standing(table.state) == model.standing()


@pytest.mark.parametrize("name", SETS)
def test_a_second_reading_of_the_rules_plays_the_same_games(name: str) -> None:
    """Every commit leads both to the same state, and the laws hold; seats resign here and there."""
    for seed in range(GAMES):
        table, random = opened(name, seed), Random(seed)
        model = followed(table)

        def each(table: Table, model: Model = model, random: Random = random) -> None:
            follow(model, table)
            who_ended_the_turn_is_highest(table)
            if not table.finished and random.random() < 0.005:
                table.act(random.choice(table.state.playing), Resign())
                follow(model, table)

        laws_of(play_random(table, random, each=each).log, SETS[name])


@pytest.mark.parametrize("name", SETS)
def test_a_second_reading_of_the_rules_allows_the_same_commands(name: str) -> None:
    """Rules, offers and model judge random and slightly wrong commands of all seats alike, in every phase."""
    phases: Counter[str] = Counter()
    expected = {"opening", "bidding"}
    if SETS[name].get("variant_points"):
        expected.add("swapping")
    if SETS[name].get("ten_loss_penalty"):
        expected.add("returning")
    for seed in range(100):
        if seed >= GAMES // 3 and expected <= phases.keys():
            break
        # A high target, so that there are swaps.
        countries = SETS[name].get("countries_target", 4)
        target = {"points_target": 3 * countries} if SETS[name].get("variant_points") else {}
        table, random = opened(name, seed, **target), Random(seed)
        model = followed(table)

        chances = {"opening": 0.3, "bidding": 0.07 if seed < GAMES // 3 else 0.0}

        def each(
            table: Table,
            model: Model = model,
            random: Random = random,
            chances: dict[str, float] = chances,
        ) -> None:
            follow(model, table)
            if table.finished or random.random() >= chances.get(table.state.phase, 1.0):
                return
            tried = candidates(table, random, 3)
            offers_equal_acceptance(table, tried)
            for seat in range(len(table.players)):
                view = table.view(seat)
                for action in tried:
                    admitted = view.admits(action)
                    assert model.legal(seat, action) == admitted, f"{action} of seat {seat}"
                    phases[table.state.phase if admitted else ""] += 1

        play_random(table, random, each=each)
    assert expected <= phases.keys(), "a phase was not seen in 100 games"


# The laws of a whole game (§12)


def laws_of(log: list[Commit], options: dict[str, Any]) -> None:
    """Invariants 2, 3, 5, 6, 7, 8 and 11 over the events of a finished game."""
    actions = options.get("variant_actions", False)
    rows: dict[int, int] = {}
    bidders: set[int] = set()
    acted: set[int] = set()
    totals: dict[int, int] = {}
    hid: Counter[int] = Counter()
    hiding: set[int] = set()
    tens: list[int] = []
    for commit in log[1:]:
        action = commit.command.action
        draws = [event for event in commit.events if isinstance(event, CardDrawn)]
        ends_turn = isinstance(action, EndTurn | Withdraw | SkipOpen | Bid) or isinstance(
            commit.events[0], AuctionOpened
        )
        assert len(draws) <= ends_turn, "a card is drawn only at the end of a turn (3)"
        for event in commit.events:
            match event:
                case AuctionOpened():
                    bidders = set(range(8))
                    acted, totals, hid, tens = {event.seat}, {event.seat: event.total}, Counter(), []
                    hid[event.seat] = int(event.hidden_count > 0)
                    rows = Counter({event.seat: len(event.cards) + event.hidden_count})
                    tens += [event.seat] * event.cards.count(TEN)
                case CardsPlaced():
                    assert event.seat in bidders, "who withdrew does not act (7)"
                    rows[event.seat] += len(event.cards) + event.hidden_count
                    if event.hidden_count and event.seat not in hiding:
                        hiding.add(event.seat)
                        hid[event.seat] += 1
                    assert hid[event.seat] <= 1, "face-down in one turn only (6)"
                    tens += [event.seat] * event.cards.count(TEN)
                    totals[event.seat] = event.total
                case TakenBack() if event.card == TEN:
                    tens.remove(event.played_by)
                case TurnEnded():
                    hiding.discard(event.seat)
                    acted.add(event.seat)
                    if not actions:
                        others = [totals.get(seat, 0) for seat in bidders - {event.seat}]
                        assert totals[event.seat] > max(others), "the total is the largest (2)"
                        assert rows[event.seat] > 0, "who is in has a card on the table (8)"
                case Withdrawn():
                    hiding.discard(event.seat)
                    assert event.seat in bidders
                    bidders.remove(event.seat)
                    in_front = len(event.cards) + event.hidden_count
                    assert in_front or event.seat not in acted, "who is in has a card on the table (8)"
                case AuctionWon():
                    assert event.seat in bidders
                    in_front = len(event.cards) + event.hidden_count
                    assert in_front or event.seat not in acted, "who is in has a card on the table (8)"
                    bidders = set()
                case _:
                    pass
        limit = Counter(tens).most_common(1)[0][1] if tens else 0
        assert (limit if options.get("ten_limit") == "per_player" else len(tens)) <= 1, "one $10 (5)"


def who_ended_the_turn_is_highest(table: Table) -> None:
    """Invariants 2 and 8, with action cards too: all seats' rows are looked at right after the turn's end."""
    for event in table.log[-1].events:
        if isinstance(event, TurnEnded):
            rows = table.view().table.rows
            assert all(rows[event.seat].total > row.total for s, row in enumerate(rows) if s != event.seat)
            assert rows[event.seat].cards or rows[event.seat].hidden


def test_in_the_base_game_bids_rise_until_one_is_left() -> None:
    for seed in range(GAMES):
        table = play_random(opened("base", seed), Random(seed))
        highest, wins = 0, 0
        for commit in table.log:
            for event in commit.events:
                if isinstance(event, AuctionOpened):
                    highest = event.total
                elif isinstance(event, CardsPlaced) and any(isinstance(e, TurnEnded) for e in commit.events):
                    assert event.total > highest
                    highest = event.total
                wins += isinstance(event, AuctionWon)
        assert wins >= 4
        assert max(len(car) for car in table.view().table.cars) == 4


# Replay, refusals


@pytest.mark.parametrize("name", SETS)
def test_what_was_drawn_deals_the_same_game_again(name: str) -> None:
    """All draws are in the log, in their order, and nothing else decides."""
    for seed in range(4):
        table = play_random(opened(name, seed), Random(seed))
        dealer = Scripted(outcomes_of(table.log))
        again = Table.open("demoludy", table.players, {"min_players": 2, **SETS[name]}, dealer)
        for seat, action in moves_of(table.log):
            again.act(seat, action)
        assert dealer.left == 0
        assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]


def test_a_refused_command_leaves_the_game_as_it_was() -> None:
    refused = 0
    for seed, name in enumerate(SETS):
        table, random = opened(name, seed + 1), Random(seed)
        for _ in range(12):
            if table.finished:
                break
            before = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
            for seat in range(len(table.players)):
                for action in candidates(table, random, 1):
                    if not table.view(seat).admits(action):
                        with pytest.raises((Rejected, msgspec.ValidationError)):
                            table.act(seat, action)
                        refused += 1
            assert (
                pickle.dumps(table.state),
                table.encoded(),
                table.version,
                table.written[-1].hash,
            ) == before
            seat = table.view().to_act[0]
            table.act(seat, random.choice(table.view(seat).offers).sample(random))
    assert refused > 500


def test_every_command_is_refused_to_seats_that_are_not_on_turn() -> None:
    table, random = opened("both", 3), Random(1)
    turn = table.view().table.turn
    for seat in set(range(5)) - {turn}:
        for action in candidates(table, random):
            assert not accepts(RULES, pickle.loads(pickle.dumps(table.state)), seat, action)


# Resigning and running out of time


@pytest.mark.parametrize("name", SETS)
def test_resigning_in_every_phase_leaves_a_lawful_game(name: str) -> None:
    phases: set[str] = set()
    for seed in range(GAMES):
        random = Random(seed)
        table = opened(name, seed)

        def each(table: Table, random: Random = random) -> None:
            state = table.state
            chance = {"opening": 0.05, "bidding": 0.02}.get(state.phase, 0.5)
            if not table.finished and random.random() < chance:
                seat = random.choice((state.turn, random.choice(state.playing)))
                phases.add(state.phase)
                table.act(seat, Resign())
                assert not table.violations()
                assert table.view(seat).offers == ()
                assert not table.view(seat).hand.cards
                if not table.finished:
                    with pytest.raises(Rejected) as refused:
                        table.act(seat, Resign())
                    assert refused.value.code == "out_of_game"
                    offers_equal_acceptance(table, candidates(table, random, 1))

        play_random(table, random, each=each)
        finished = table.log[-1].events[-1]
        assert isinstance(finished, Finished)
        places = finished.outcome.places
        assert places.count(1) == 1
        assert finished.outcome.winners == (places.index(1),)
        assert all(places[seat] > 1 for seat in table.view().table.resigned)
    assert {"opening", "bidding"} <= phases


def test_who_resigns_gives_goods_and_cards_back() -> None:
    table = play_until(opened("both", 2), lambda table: any(len(car) > 1 for car in table.view().table.cars))
    cars = table.view().table.cars
    seat = max(range(len(cars)), key=lambda seat: len(cars[seat]))
    table.act(seat, Resign())
    shown = table.view().table
    assert shown.cars[seat] == []
    for token in cars[seat]:
        assert shown.stacks[token.split("-")[1]].seen[-1] == token
    assert shown.hands[seat] == 0
    assert shown.places == {seat: len(table.players)}


def play_until(table: Table, there: Any) -> Table:
    random = Random(7)
    for _ in range(500):
        if there(table):
            return table
        seat = table.view().to_act[0]
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    raise AssertionError("500 moves did not lead there")


@pytest.mark.parametrize("name", SETS)
def test_the_clock_plays_every_phase_to_its_end(name: str) -> None:
    """A game that is played by chance and by the clock in turns comes to its end, and the clock sees each phase."""
    phases: set[str] = set()
    for seed in range(GAMES):
        random = Random(seed)
        options = {"min_players": 2, **SETS[name]}
        table = Table.open("demoludy", 2 + seed % 4, options, dealer=seed, clock=1000)
        for _ in range(3000):
            if table.finished:
                break
            phase = table.state.phase
            if random.random() < (0.2 if phase in ("opening", "bidding") else 0.8):
                phases.add(phase)
                awaited = table.view().to_act
                commit = table.clock_expired()
                assert commit.events[0].seats == awaited  # type: ignore[attr-defined]
                assert len(commit.events) > 1
            else:
                seat = table.view().to_act[0]
                table.act(seat, random.choice(table.view(seat).offers).sample(random))
            assert not table.violations()
        assert table.finished
    assert {"opening", "bidding"} <= phases


def test_the_clock_alone_opens_cheaply_and_passes() -> None:
    table = Table.open("demoludy", 4, dealer=5, clock=1000)
    for _ in range(400):
        if table.finished:
            break
        table.clock_expired()
    assert table.finished, "each auction is won by its opener, who opens for what it lacks while it can"
    placed = [event for commit in table.log for event in commit.events if isinstance(event, CardsPlaced)]
    assert not placed
    opened_with = [e for commit in table.log for e in commit.events if isinstance(e, AuctionOpened)]
    assert all(len(event.cards) == 1 and not event.hidden_count for event in opened_with)


def test_the_clock_ends_a_turn_that_is_highest_and_withdraws_otherwise() -> None:
    hands = ("r2 r2 r2 r2 r3", "r3 r4 b2 b2 b2", "g2 g2 g2 g2 g3")
    dealer = Scripted(script(0, *hands, draws="y2 y2 y2"))
    table = Table.open("demoludy", 3, dealer=dealer, clock=1000)
    table.clock_expired()
    table.act(1, place("r3"))
    assert [type(event) for event in table.clock_expired().events[1:]] == [TurnEnded, CardDrawn]
    assert [type(event) for event in table.clock_expired().events[1:]] == [Withdrawn, CardDrawn]
