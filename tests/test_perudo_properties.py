"""Perudo over generated games: the invariants of perudo.md §17, the rank oracle, and offers that are exact.

`FAIRDEAL_GAMES` says how many games each of the generating tests plays.
"""

import os
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import product
from random import Random
from typing import Any

import pytest

from fairdeal.commit import Commit
from fairdeal.dealer import Seeded
from fairdeal.game import Created, Finished, Resign, Resigned
from fairdeal.games.perudo import (
    FACES,
    Bid,
    BidPlaced,
    CalzaCalled,
    DiceRevealed,
    DieLost,
    DieRegained,
    Dudo,
    DudoCalled,
    Options,
    PlayerEliminated,
    RoundStarted,
    StandingBid,
    StartRolled,
)
from fairdeal.receipt import Rejected
from fairdeal_local import Scripted, Table
from fairdeal_rules.games.perudo import Rules, State
from fairdeal_views.games.perudo import Seen
from support.harness import moves_of, offers_equal_acceptance, outcomes_of, play_random
from support.perudo import ALL_BIDS, CANDIDATES, at, bid, talkative

GAMES = int(os.environ.get("FAIRDEAL_GAMES", "100"))
RULES = Rules()
ANY_DEALER = Seeded(bytes(32))


def generated(games: int, **options: Any) -> Iterator[Table]:
    """Finished games, each with 2 to 6 seats and its own seed."""
    for seed in range(games):
        table = Table.open("perudo", 2 + seed % 5, {"calza": seed % 2 == 1, **options}, dealer=seed)
        yield play_random(table, Random(seed), weigh=talkative)


# The rank oracle (§6.3)


def rank(quantity: int, face: int) -> int:
    return 10 * quantity + face if face > 1 else 10 * (2 * quantity + 1) + 1


def standing(quantity: int, face: int) -> tuple[State, Any]:
    """The rules' state and the view's table of a round with 30 dice in which this bid was made by seat 0."""
    state = RULES.open(Options(), 6)
    table = Seen().open_table([f"player{seat}" for seat in range(6)], {})
    events = (
        RoundStarted(round=1, kind="standard", starter=0, dice=((),) * 6),
        BidPlaced(seat=0, quantity=quantity, face=face),
    )
    for event in events:
        RULES.evolve(state, event)
        Seen().fold_table(table, event)
    return state, table


def is_legal(state: State, bid: Bid) -> bool:
    """Whether the seat on turn may make this bid; the state stays as it is."""
    try:
        RULES.decide(state, state.turn, bid, ANY_DEALER, lambda event: None)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("face", FACES)
def test_a_raise_is_legal_exactly_if_it_ranks_higher(face: int) -> None:
    """Every pair of bids up to 30 dice: by the rules, by the offer and by the total order."""
    for quantity in range(1, 31):
        state, table = standing(quantity, face)
        offers = Seen().offers(table, Seen().open_hand(1, {}), 1)
        for raised in ALL_BIDS:
            higher = rank(raised.quantity, raised.face) > rank(quantity, face)
            assert is_legal(state, raised) == higher, f"{quantity}x{face} to {raised}"
            assert any(offer.admits(raised) for offer in offers) == higher
    assert len({rank(b.quantity, b.face) for b in ALL_BIDS}) == len(ALL_BIDS)


# The laws of a whole game (§17)


@pytest.mark.parametrize("calza", [False, True], ids=["basic", "calza"])
def test_laws_of_whole_games(calza: bool) -> None:
    for table in generated(GAMES, calza=calza):
        laws_of(table.log, calza)


def laws_of(log: list[Commit], calza: bool) -> None:
    """Invariants 3, 5 to 8, 11 to 13, 17 and 18 over a finished game with the default options but calza."""
    created = log[0].events[0]
    assert isinstance(created, Created)
    seats = len(created.players)
    dice = [5] * seats
    rounds: list[RoundStarted] = []
    bids: list[BidPlaced] = []
    palafico: Counter[int] = Counter()
    out: list[int] = []
    for commit in log:
        total = sum(dice)
        call: DudoCalled | CalzaCalled | None = None
        for event in commit.events:
            match event:
                case RoundStarted():
                    if rounds:
                        assert event.starter == lawful_starter(commit, dice)
                    if event.kind == "palafico":
                        palafico[event.starter] += 1
                        assert dice[event.starter] == 1
                        assert seats - len(out) > 2
                    assert event.dice is not None
                    assert [len(rolled or ()) for rolled in event.dice] == dice
                    rounds.append(event)
                    bids = []
                case BidPlaced():
                    bids.append(event)
                case DudoCalled() | CalzaCalled():
                    call = event
                    bids_are_lawful(bids, rounds[-1].kind)
                case DiceRevealed():
                    count_is_lawful(event, bids[-1], rounds[-1].kind)
                case DieLost():
                    dice[event.seat] -= event.lost
                    assert event.left == dice[event.seat]
                case DieRegained():
                    dice[event.seat] += event.gained
                    assert event.left == dice[event.seat]
                case PlayerEliminated():
                    assert event.place == seats - len(out)
                    out.append(event.seat)
                case _:
                    pass
        change = sum(dice) - total
        assert (
            change in {None: (0,), DudoCalled: (-1,), CalzaCalled: (-1, 0, 1)}[type(call) if call else None]
        )
    finished = log[-1].events[-1]
    assert isinstance(finished, Finished)
    assert [seat for seat in range(seats) if dice[seat]] == list(finished.outcome.winners)
    assert sorted(out) == [seat for seat in range(seats) if not dice[seat]]
    assert [finished.outcome.places[seat] for seat in out] == list(range(seats, 1, -1))
    assert max(palafico.values(), default=0) <= 1
    if not calza:
        assert len(rounds) == 5 * seats - sum(dice)
        assert 5 * (seats - 1) <= len(rounds) <= 5 * seats - 1


def lawful_starter(commit: Commit, dice: list[int]) -> int:
    """The last loser, or the next seat with dice; after a right Calza the caller."""
    of_interest = [event for event in commit.events if isinstance(event, DieLost | CalzaCalled)]
    seat = of_interest[-1].seat
    while not dice[seat]:
        seat = (seat + 1) % len(dice)
    return seat


def bids_are_lawful(bids: list[BidPlaced], kind: str) -> None:
    pairs = [(b.quantity, b.face) for b in bids]
    aces = [quantity for quantity, face in pairs if face == 1]
    assert len(aces) == len(set(aces))
    if kind == "standard":
        assert pairs[0][1] != 1
        ranks = [rank(*pair) for pair in pairs]
        assert ranks == sorted(set(ranks))
        assert len(pairs) <= 6 * 30
    else:
        assert pairs == sorted(set(pairs))
        assert [face for _, face in pairs] == sorted(face for _, face in pairs)


def count_is_lawful(revealed: DiceRevealed, called: BidPlaced, kind: str) -> None:
    values = [value for hand in revealed.hands for value in hand]
    jokers = values.count(1) if kind == "standard" and called.face != 1 else 0
    assert revealed.count == values.count(called.face) + jokers


# Offers are exactly what is accepted (invariants 9 and 10)


@pytest.mark.parametrize("calza", [False, True], ids=["basic", "calza"])
def test_offers_are_exactly_what_the_rules_accept(calza: bool) -> None:
    """All 180 bids, bids out of range, dudo, calza and declare, at every seat of every position."""

    def each(table: Table) -> None:
        offers_equal_acceptance(table, CANDIDATES)
        if not table.finished:
            assert table.view(table.view().to_act[0]).offers, "there is always something to do"

    for seed in range(max(5, GAMES // 12)):
        table = Table.open(
            "perudo", 2 + seed % 5, {"calza": calza, "dice_per_player": 1 + seed % 5}, dealer=seed
        )
        play_random(table, Random(seed), weigh=talkative, each=each)


# Replay, refusals, relabelling (invariants 15 and 16)


def test_the_same_seed_and_commands_give_the_same_bytes() -> None:
    for table in generated(5):
        options = {"calza": table.view().table.options["calza"]}
        again = Table.open("perudo", table.players, options, dealer=Scripted(outcomes_of(table.log)))
        for seat, action in moves_of(table.log):
            again.act(seat, action)
        assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]
        other = Table.open("perudo", table.players, options, dealer="another")
        assert other.log[0].events[2:] != table.log[0].events[2:]


def test_a_refused_command_leaves_the_game_as_it_was() -> None:
    table = Table.open("perudo", 3, dealer=5)
    table.act(table.view().to_act[0], bid("3x3"))
    before = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
    for seat, action in product(range(3), CANDIDATES):
        if not table.view(seat).admits(action):
            with pytest.raises(Rejected):
                table.act(seat, action)
    assert (pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash) == before


@pytest.mark.parametrize("by", [1, 2, 3])
def test_rotating_the_seats_rotates_the_whole_game(by: int) -> None:
    for seed in range(4):
        table = play_random(
            Table.open("perudo", 4, {"calza": True}, dealer=seed), Random(seed), weigh=talkative
        )
        expected = [[rotated(event, 4, by) for event in commit.events] for commit in table.log[1:-1]]
        script = [outcome for commit in table.log for outcome in rotated_draws(commit, 4, by)]
        again = Table.open("perudo", 4, {"calza": True}, dealer=Scripted(script))
        for seat, action in moves_of(table.log):
            again.act((seat + by) % 4, action)
        got = [list(commit.events) for commit in again.log[1:-1]]
        assert [in_seat_order(events) for events in got] == [in_seat_order(events) for events in expected]
        assert again.outcome is not None
        assert table.outcome is not None
        assert again.outcome.winners == tuple((seat + by) % 4 for seat in table.outcome.winners)


def rotated(event: Any, seats: int, by: int) -> dict[str, Any]:
    """The event as it reads when each seat's number is `by` higher."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    for name in ("seat", "starter"):
        if name in fields:
            fields[name] = (fields[name] + by) % seats
    for name in ("hands", "dice"):
        if name in fields:
            fields[name] = tuple(fields[name][(seat - by) % seats] for seat in range(seats))
    return {"type": type(event).__name__, **fields}


def in_seat_order(events: Iterable[Any]) -> list[Any]:
    """The events as dicts, those of one kind that name one seat each by seat."""
    dicts = [event if isinstance(event, dict) else rotated(event, 4, 0) for event in events]
    return sorted(dicts, key=lambda event: (event["type"], event.get("seat", 0)))


def rotated_draws(commit: Commit, seats: int, by: int) -> Iterator[int]:
    """What has to be drawn for this commit when each seat's number is `by` higher."""
    for event in commit.events:
        if isinstance(event, StartRolled):
            rolls = dict(zip(event.seats, event.rolls, strict=True))
            yield from (value for s in range(seats) for value in rolls.get((s - by) % seats, ()))
        elif isinstance(event, RoundStarted):
            assert event.dice is not None
            yield from (value for s in range(seats) for value in event.dice[(s - by) % seats] or ())


# Positions counted to a depth


def successors(state: State) -> Iterator[State]:
    """The positions one accepted bid further."""
    for action in ALL_BIDS:
        if action.quantity <= state.highest and is_legal(state, action):
            further = copy(state)
            further.bids, further.ace_counts = list(state.bids), set(state.ace_counts)
            RULES.evolve(further, BidPlaced(seat=state.turn, quantity=action.quantity, face=action.face))
            yield further


def perft(position: Iterable[Any], options: Options, seats: int) -> tuple[list[int], int]:
    """The numbers of bidding histories by length, and of distinct positions (standing bid, turn) in all."""
    state = RULES.open(options, seats)
    for event in position:
        RULES.evolve(state, event)
    level, counts = [state], []
    seen: set[Any] = set()
    while level:
        counts.append(len(level))
        seen.update((s.bids[-1][:2] if s.bids else None, s.turn) for s in level)
        level = [successor for s in level for successor in successors(s)]
    return counts, len(seen)


def test_count_of_positions_two_seats_one_die_each() -> None:
    """Ten numbers and then two aces, strictly rising: C(12, n) less those that open with aces."""
    counts, positions = perft(at([3], [4], full=1), Options(dice_per_player=1), 2)
    assert counts == [1, 10, 65, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1]
    assert positions == 24


def test_count_of_positions_in_a_palafico_round() -> None:
    """Three dice, the third seat exempt: it alone may go to a higher face.

    18 openings; one more of the same face 3 x 6; then from two 1 + 2 (6 - f) and twice from three (6 - f)
    ways, 66 in all; the Palafico player may only make three of the 15 changed faces that stand at two.
    """
    position = at([3], [4], [5], kind="palafico", starter=0, done=[2], full=1)
    counts, positions = perft(position, Options(dice_per_player=1), 3)
    assert counts == [1, 18, 18, 66, 15]
    assert positions == 1 + 18 + 12 + 11


def test_every_position_of_the_tiny_game_is_decided_by_a_dudo() -> None:
    """Two seats, one die each: whatever lies under the cups, a dudo ends the game with the right winner."""
    for mine, yours, claim in product(FACES, FACES, (b for b in ALL_BIDS if b.quantity <= 2 and b.face > 1)):
        table = Table.open(
            "perudo", 2, {"dice_per_player": 1, "start_rule": "seat_0"}, Scripted([mine, yours])
        )
        table.act(0, claim)
        table.act(1, Dudo())
        holds = sum(value in (1, claim.face) for value in (mine, yours)) >= claim.quantity
        assert table.outcome is not None
        assert table.outcome.winners == ((0,) if holds else (1,))


# Resigning and running out of time


def test_resigning_in_every_phase_leaves_a_lawful_game() -> None:
    for seed in range(GAMES // 3):
        random = Random(seed)
        declared = {"palafico_declared": True, "calza": True, "dice_per_player": 3}
        table = Table.open("perudo", 3 + seed % 4, declared, dealer=seed)
        quits_at = random.randrange(1, 25)

        def each(table: Table, quits_at: int = quits_at, random: Random = random) -> None:
            if table.version >= quits_at and not table.view().table.resigned and not table.finished:
                state = table.state
                seat = random.choice([seat for seat, count in enumerate(state.dice) if count])
                table.act(seat, Resign())
                assert not table.violations()
                offers_equal_acceptance(table, CANDIDATES[::9])

        play_random(table, random, weigh=talkative, each=each)
        resigned = [event for commit in table.log for event in commit.events if isinstance(event, Resigned)]
        assert len(resigned) <= 1


def test_the_clock_alone_plays_to_the_end() -> None:
    for seats, options in product((2, 4, 6), ({}, {"palafico_declared": True}, {"show_dice_counts": False})):
        table = Table.open("perudo", seats, options, dealer=seats, clock=1000)
        for _ in range(10 * 5 * seats):
            if table.finished:
                break
            table.clock_expired()
            assert not table.violations()
        assert table.finished
        bids = [e for c in table.log for e in c.events if isinstance(e, BidPlaced)]
        assert all(b.quantity == 1 and b.face != 1 for b in bids)


def test_the_clock_opens_with_the_most_frequent_number_of_the_own_hand() -> None:
    hands = [3, 5, 1, 5, 3, 2, 2, 2, 6, 6]
    table = Table.open("perudo", 2, {"start_rule": "seat_0"}, Scripted(hands), clock=1000)
    table.clock_expired()
    assert table.view().table.bid == StandingBid(seat=0, quantity=1, face=3)
