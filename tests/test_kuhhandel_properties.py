"""Kuhhandel over generated games: the laws of kuhhandel.md §17, exact offers, replays, refusals, resigning.

`FAIRDEAL_GAMES` says how many games each of the generating tests plays for each option set.
"""

import os
import pickle
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.game import Finished, Resign
from fairdeal.games.kuhhandel import (
    QUARTET,
    VALUES,
    AnimalsTaken,
    AuctionStarted,
    Bid,
    BidderExposed,
    BidMade,
    DonkeyPaidOut,
    HeapsTaken,
    PaymentMade,
    StartAuction,
    TradeAccepted,
    TradeCounted,
    TradeReoffered,
    TradeResolved,
    TradeStarted,
)
from fairdeal.games.kuhhandel_money import WORTH, total
from fairdeal.visibility import redact
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from support.harness import moves_of, offers_equal_acceptance, outcomes_of, play_random
from support.kuhhandel import CANDIDATES, OPTION_SETS, brisk, events_of, mutated

GAMES = int(os.environ.get("FAIRDEAL_GAMES", "1"))

SAMPLED = 0.15
"""The chance of a position to have all candidates tried at it."""


def opened(name: str, number: int, late_trades: int = 25) -> Table:
    """A table of this option set; the number decides the seats and what is dealt."""
    options = {"max_trades_after_deck": late_trades, **OPTION_SETS[name]}
    seats = 3 + (number + len(name)) % 3
    return Table.open("kuhhandel", seats, options, dealer=f"{name} {number}")


# The laws of a whole game (§17)


@pytest.mark.parametrize("name", OPTION_SETS)
def test_laws_of_whole_games_and_exact_offers(name: str) -> None:
    """At positions picked by chance every candidate and mutations of what was just played are tried at every seat."""
    for number in range(GAMES):
        random = Random(f"{name} {number}")
        bank: list[dict[str, int]] = []
        played: list[Action] = [StartAuction()]

        def each(
            table: Table, random: Random = random, played: list[Action] = played, bank: Any = bank
        ) -> None:
            bank_only_pays_donkeys(table, bank)
            if table.log[-1].command.seat is not None:
                played.append(table.log[-1].command.action)
            if random.random() < SAMPLED:
                variations = [mutated(random.choice(played), random) for _ in range(20)]
                offers_equal_acceptance(table, (*CANDIDATES, *variations))

        table = play_random(opened(name, number), random, weigh=brisk, each=each)
        laws_of(table)


def bank_only_pays_donkeys(table: Table, before: list[dict[str, int]]) -> None:
    """Invariant 2: the bank only shrinks, and after the deal by payouts alone."""
    bank = dict(table.view().table.bank)
    if before:
        paid = Counter(e.denomination for e in table.log[-1].events if isinstance(e, DonkeyPaidOut))
        expected = Counter(before[0]) - Counter({name: n * len(table.players) for name, n in paid.items()})
        assert Counter(bank) == expected
    before[:] = [bank]


def laws_of(table: Table) -> None:
    """Invariants 5, 7, 9, 10, 11, 12, 15, 16 and 19 over a finished game."""
    state, log = table.state, table.log
    options = state.options
    lots = [event for event in events_of(log) if isinstance(event, AuctionStarted)]
    assert sum(len(event.lot) for event in lots) == 40
    assert [event.deck_left for event in lots] == list(range(40 - options.lot_size, -1, -options.lot_size))
    assert Counter(species for event in lots for species in event.lot) == dict.fromkeys(VALUES, QUARTET)
    assert state.donkeys == QUARTET
    owned = [Counter[str]() for _ in table.players]
    for commit in log:
        complete = {(seat, s) for seat, animals in enumerate(owned) for s in animals if animals[s] == QUARTET}
        follow_animals(owned, commit)
        assert all(owned[seat][species] == QUARTET for seat, species in complete), "a quartet broke up"
        if options.payment_rule == "irreducible":
            payments_are_irreducible(commit)
        heaps_are_conserved(commit)
    assert [+animals for animals in owned] == [Counter(shown) for shown in table.view().table.animals]
    bids_are_lawful(log, table)
    finished = log[-1].events[-1]
    assert isinstance(finished, Finished)
    if finished.outcome.reason == "all_complete":
        assert all(set(animals.values()) <= {0, QUARTET} for animals in owned)


def follow_animals(owned: list[Counter[str]], commit: Commit) -> None:
    """Animals move from the deck to who takes them, and between the two who trade, `stake` at a time."""
    for event in commit.events:
        if isinstance(event, AnimalsTaken):
            owned[event.seat].update(event.lot)
        elif isinstance(event, TradeStarted):
            counts = (owned[event.challenger][event.species], owned[event.target][event.species])
            assert event.stake == min(counts)
            assert (event.stake == 2) == (counts == (2, 2))
            assert event.stake in (1, 2)
        elif isinstance(event, TradeResolved) and event.winner is not None:
            loser = event.challenger + event.target - event.winner
            owned[event.winner][event.species] += event.animals
            owned[loser][event.species] -= event.animals
            assert min(owned[loser].values()) >= 0


def payments_are_irreducible(commit: Commit) -> None:
    for event in commit.events:
        if isinstance(event, PaymentMade):
            assert event.cards
            assert total(event.cards) >= event.price
            assert all(total(event.cards) - WORTH[name] < event.price for name in event.cards)
            assert "0" not in event.cards


def heaps_are_conserved(commit: Commit) -> None:
    """What two take up from the table is exactly what they laid."""
    counted = None
    for event in commit.events:
        if isinstance(event, TradeCounted):
            counted = Counter(event.offer) + Counter(event.counter)
        elif isinstance(event, HeapsTaken):
            assert Counter(event.to_challenger) + Counter(event.to_target) == counted


def bids_are_lawful(log: Sequence[Commit], table: Table) -> None:
    """Bids strictly rise, but for what an exposure strikes; neither the auctioneer nor an exposed seat bids."""
    auctioneer, exposed = -1, set[int]()
    standing: dict[int, int] = {}
    for event in events_of(log):
        if isinstance(event, AuctionStarted):
            auctioneer, exposed, standing = event.auctioneer, set(), {}
        elif isinstance(event, BidMade):
            assert event.seat != auctioneer
            assert event.seat not in exposed
            assert event.amount > max(standing.values(), default=0)
            standing[event.seat] = event.amount
        elif isinstance(event, BidderExposed):
            assert total(event.cards) < standing[event.seat] == max(standing.values())
            exposed.add(event.seat)
            assert len(exposed) <= len(table.players) - 1
            restart = table.state.options.overbid_resolution == "restart"
            standing = {} if restart else {s: a for s, a in standing.items() if s != event.seat}


def test_no_third_party_ever_receives_a_denomination() -> None:
    """Invariant 20: payments and heaps are blank for all but the two; only exposures and payouts name money."""
    secretive = (TradeStarted, TradeReoffered, TradeAccepted, TradeCounted, HeapsTaken, PaymentMade)
    seen = Counter[str]()
    for number in range(3):
        table = play_random(opened("default", number), Random(number), weigh=brisk)
        for event in events_of(table.log):
            if isinstance(event, secretive):
                parties = {getattr(event, f, None) for f in ("payer", "payee", "challenger", "target")}
                for viewer in (*range(len(table.players)), "table"):
                    if viewer not in parties:
                        seen[type(event).__name__] += 1
                        shown = redact(event, viewer)  # type: ignore[arg-type]
                        fields = (getattr(shown, name) for name in shown.__struct_fields__)
                        assert not any(isinstance(field, dict) for field in fields), f"{viewer} sees {shown}"
    assert all(seen[kind.__name__] for kind in secretive), f"the games had only {seen}"


# Replay and refusals (invariant 18)


@pytest.mark.parametrize("name", ["default", "quick_master"])
def test_the_same_draws_and_commands_give_the_same_events(name: str) -> None:
    table = play_random(opened(name, 0), Random(1), weigh=brisk)
    options = table.view().table.options
    again = Table.open("kuhhandel", table.players, options, Scripted(outcomes_of(table.log)))
    for seat, action in moves_of(table.log):
        again.act(seat, action)
    assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]
    other = Table.open("kuhhandel", table.players, options, dealer="another")
    for seat, action in moves_of(table.log)[:1]:
        other.act(other.view().to_act[0] if seat is not None else seat, action)
    assert other.log[1].events != table.log[1].events


def test_a_refused_command_leaves_the_game_as_it_was() -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"}, dealer=5)
    table.act(0, StartAuction())
    table.act(1, Bid(amount=30))
    before = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
    refused = 0
    for seat, action in product(range(3), CANDIDATES):
        if not table.view(seat).admits(action):
            with pytest.raises((Rejected, OverflowError)):
                table.act(seat, action)
            refused += 1
    assert refused > 100
    assert (pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash) == before


# Resigning


PHASES = ("turn", "auction_open", "auction_decision", "auction_payment", "trade_response")
"""The phases that every generated game comes to."""


def test_resigning_in_every_phase_and_role_leaves_a_lawful_game() -> None:
    """Whoever resigns, whenever: the others play on, nobody waits for the seat, and the game ends."""
    left: set[tuple[str, bool]] = set()
    for number in range(12 * GAMES):
        random = Random(number)
        table = opened(tuple(OPTION_SETS)[number % len(OPTION_SETS)], number, late_trades=3)
        wanted = PHASES[number % len(PHASES)]
        as_awaited = number % 4 != 3

        def each(
            table: Table, random: Random = random, wanted: str = wanted, as_awaited: bool = as_awaited
        ) -> None:
            view = table.view()
            if not table.finished and view.phase == wanted and not view.table.resigned:
                awaited = set(view.to_act)
                others = set(range(len(table.players))) - awaited
                seat = random.choice(sorted(awaited if as_awaited or not others else others))
                left.add((wanted, seat in awaited))
                table.act(seat, Resign())
                assert not table.violations()
                assert seat not in table.view().to_act
                assert table.view(seat).offers == ()
                offers_equal_acceptance(table, CANDIDATES[::7])
                for action in (Resign(), StartAuction()):
                    with pytest.raises(Rejected) as caught:
                        table.act(seat, action)
                    assert caught.value.code in ("resigned", "finished")

        play_random(table, random, weigh=brisk, each=each)
    assert {phase for phase, awaited in left if awaited} == {*PHASES}
    assert len({phase for phase, awaited in left if not awaited}) >= 3


@pytest.mark.parametrize("version", range(2, 50, 3))
def test_the_game_ends_as_it_stands_when_everybody_has_resigned(version: int) -> None:
    table = play_random_until(opened("default", version), version)
    for seat in range(len(table.players)):
        assert not table.finished
        table.act(seat, Resign())
        assert not table.violations()
    assert table.outcome is not None
    assert table.outcome.reason == "all_resigned"


def play_random_until(table: Table, version: int) -> Table:
    """Play by chance up to a version."""
    random = Random(version)
    while table.version < version:
        seat = random.choice(table.view().to_act)
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    return table
