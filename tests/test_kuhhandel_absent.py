"""Seats that do not choose: what the clock plays, what a seat that has resigned does, and the timed auction."""

from itertools import product
from random import Random
from typing import Any

import pytest

from fairdeal import clock
from fairdeal.commit import Commit
from fairdeal.envelope import Command
from fairdeal.game import Resign, Resigned
from fairdeal.games.kuhhandel import (
    VALUES,
    AcceptTrade,
    AnimalsTaken,
    AuctionClosed,
    AuctionStarted,
    Bid,
    BidderExposed,
    BidMade,
    Call,
    CounterTrade,
    Decide,
    Options,
    Pass,
    Passed,
    Pay,
    PaymentMade,
    PlayEnded,
    Sold,
    StartAuction,
    StartTrade,
    TradeAccepted,
    TradeReoffered,
    TradeResolved,
    TradeStarted,
    TurnStarted,
)
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from fairdeal_rules.game import Game
from fairdeal_rules.games.kuhhandel import Rules
from fairdeal_rules.games.kuhhandel_state import State, incomplete
from fairdeal_views.fold import Fold
from support.harness import play_random
from support.kuhhandel import OPTION_SETS, START, at, brisk
from support.scenario import given

A, B, C = range(3)
SECOND = 1000


def table(*lots: str, **options: Any) -> Table:
    """Three seats, A begins, these animals come up; the game's clock gives a second a turn."""
    dealer = Scripted(lots)
    return Table.open("kuhhandel", 3, {"start_rule": "seat_0", **options}, dealer, clock=SECOND)


def cows_apart(**options: Any) -> Table:
    """A and B own a cow each, C has the third auction behind it, and A has the turn."""
    played = table("cow", "cow", "pig", "horse", **options)
    for turn in (A, B, C):
        played.act(turn, StartAuction())
        for other in range(3):
            if other != turn:
                played.act(other, Pass())
    return played


def events(commit: Commit) -> tuple[Any, ...]:
    """The events of the clock's commit after `ran_out`."""
    assert isinstance(commit.events[0], clock.RanOut)
    return commit.events[1:]


# What the clock plays


def test_on_turn_the_clock_auctions() -> None:
    played = table("cow")
    commit = played.clock_expired()
    assert commit.events[0] == clock.RanOut(seats=(A,))
    assert events(commit) == (AuctionStarted(auctioneer=A, lot=("cow",), deck_left=39),)


def test_with_bids_open_the_clock_passes_for_all_who_may_still_speak() -> None:
    played = table("cow")
    played.act(A, StartAuction())
    played.act(B, Bid(amount=30))
    commit = played.clock_expired()
    assert commit.events[0] == clock.RanOut(seats=(C,))
    assert events(commit) == (Passed(seat=C), AuctionClosed(bidder=B, price=30))
    played = table("cow")
    played.act(A, StartAuction())
    assert events(played.clock_expired()) == (
        Passed(seat=B),
        Passed(seat=C),
        AuctionClosed(bidder=None, price=0),
        AnimalsTaken(seat=A, lot=("cow",), price=0),
        TurnStarted(seat=B),
    )


def test_in_round_robin_the_clock_passes_for_the_seat_on_turn_alone() -> None:
    played = table("cow", auction_mode="round_robin")
    played.act(A, StartAuction())
    assert events(played.clock_expired()) == (Passed(seat=B),)
    assert played.view().to_act == (C,)


def test_the_clock_sells_and_pays_as_little_as_can_be() -> None:
    played = table("cow")
    played.act(A, StartAuction())
    played.act(B, Bid(amount=30))
    played.act(C, Pass())
    assert events(played.clock_expired()) == (Sold(auctioneer=A, bidder=B, price=30),)
    paid = PaymentMade(payer=B, payee=A, price=30, count=None, shown=None, cards={"10": 3})
    taken = AnimalsTaken(seat=B, lot=("cow",), price=30)
    assert events(played.clock_expired()) == (paid, taken, TurnStarted(seat=B))


def test_the_clock_accepts_and_offers_anew_nothing() -> None:
    played = cows_apart()
    played.act(A, StartTrade(target=B, species="cow", offer={"0": 1}))
    parties = {"challenger": A, "target": B}
    assert events(played.clock_expired()) == (
        TradeAccepted(**parties, count=1, total=None, cards={"0": 1}),
        TradeResolved(**parties, winner=A, species="cow", animals=1, free=False),
        TurnStarted(seat=B),
    )
    played = cows_apart()
    played.act(A, StartTrade(target=B, species="cow", offer={"0": 1}))
    played.act(B, CounterTrade(cards={}))
    assert events(played.clock_expired()) == (TradeReoffered(**parties, count=0, cards={}),)


def test_where_offers_may_not_be_empty_the_clock_lays_the_smallest_card() -> None:
    played = cows_apart(allow_empty_offer=False)
    played.act(A, StartTrade(target=B, species="cow", offer={"10": 1}))
    played.act(B, CounterTrade(cards={"10": 1}))
    (reoffered,) = events(played.clock_expired())
    assert reoffered.cards == {"0": 1}


@pytest.mark.parametrize("name", OPTION_SETS)
def test_the_clock_alone_plays_to_the_end(name: str) -> None:
    for seats in (3, 5):
        played = Table.open("kuhhandel", seats, OPTION_SETS[name], dealer=name, clock=SECOND)
        for _ in range(600):
            if played.finished:
                break
            played.clock_expired()
            assert not played.violations()
        assert played.finished


# Seats that have resigned


def test_who_resigns_on_turn_auctions_and_never_buys() -> None:
    played = table("cow")
    assert played.act(A, Resign()).events == (
        Resigned(seat=A),
        AuctionStarted(auctioneer=A, lot=("cow",), deck_left=39),
    )
    assert played.view().to_act == (B, C), "nobody calls for a seat that has resigned"
    played.act(B, Bid(amount=10))
    assert played.act(C, Pass()).events == (
        Passed(seat=C),
        AuctionClosed(bidder=B, price=10),
        Sold(auctioneer=A, bidder=B, price=10),
    )


def test_who_resigns_while_bidding_counts_as_passed_but_stands_by_the_own_bid() -> None:
    played = table("cow", "pig")
    played.act(A, StartAuction())
    played.act(B, Bid(amount=40))
    assert played.act(C, Resign()).events == (Resigned(seat=C), AuctionClosed(bidder=B, price=40))
    played = table("cow", "pig")
    played.act(A, StartAuction())
    played.act(B, Bid(amount=40))
    played.act(B, Resign())
    played.act(C, Pass())
    paid = PaymentMade(payer=B, payee=A, price=40, count=None, shown=None, cards={"10": 4})
    assert played.act(A, Decide(preempt=False)).events[1] == paid


def test_who_resigns_when_the_bidding_comes_round_is_passed_over() -> None:
    played = table("cow", auction_mode="round_robin")
    played.act(A, StartAuction())
    played.act(B, Resign())
    assert played.view().to_act == (C,)
    assert played.view().table.auction.turn == C


@pytest.mark.parametrize("seat", [A, B])
def test_who_resigns_in_the_middle_of_a_sale_plays_the_least(seat: int) -> None:
    played = table("cow", "pig")
    played.act(A, StartAuction())
    played.act(B, Bid(amount=40))
    played.act(C, Pass())
    if seat == A:
        assert played.act(A, Resign()).events == (Resigned(seat=A), Sold(auctioneer=A, bidder=B, price=40))
    else:
        played.act(A, Decide(preempt=False))
        assert played.act(B, Resign()).events[1].cards == {"10": 4}


def test_who_resigns_in_a_trade_accepts_or_offers_nothing() -> None:
    for tied, seat in product((False, True), (A, B, C)):
        played = cows_apart()
        played.act(A, StartTrade(target=B, species="cow", offer={"10": 1}))
        if tied:
            played.act(B, CounterTrade(cards={"10": 1}))
        happened = played.act(seat, Resign()).events
        assert not played.violations()
        follows = {
            (False, B): TradeAccepted(challenger=A, target=B, count=1, total=None, cards={"10": 1}),
            (True, A): TradeReoffered(challenger=A, target=B, count=0, cards={}),
        }.get((tied, seat))
        assert happened[1:2] == ((follows,) if follows else ())


def test_a_forced_trade_is_with_the_next_seat_for_the_cheapest_common_animal() -> None:
    owned = ({"horse": 4}, {"cow": 2, "pig": 1}, {"cow": 2, "pig": 3})
    scenario = given("kuhhandel", *at(*(START,) * 3, animals=owned, turn=B, deck_left=0), players=3)
    scenario.when(B, Resign())
    assert scenario.events[1] == TradeStarted(
        challenger=B, target=C, species="pig", stake=1, count=0, cards={}
    )
    scenario.when(C, AcceptTrade())
    assert scenario.events[2:] == (TurnStarted(seat=C),), (
        "C has cows and pigs to complete, A has only a quartet and is not asked"
    )


def test_seats_that_have_all_resigned_but_one_play_on() -> None:
    for number in range(4):
        played = Table.open("kuhhandel", 3 + number % 3, {"max_trades_after_deck": 20}, dealer=number)
        for seat in range(1, len(played.players)):
            played.act(seat, Resign())
        random = Random(number)
        for _ in range(400):
            if played.finished:
                break
            assert played.view().to_act == (0,)
            played.act(0, random.choice(played.view(0).offers).sample(random))
            assert not played.violations()
        assert played.finished


def test_forced_trades_among_seats_that_have_resigned_always_end() -> None:
    """From positions of every kind, and whoever begins: no position comes again, and soon all is complete."""
    rules = Rules()
    random = Random(7)
    for number in range(250):
        seats = 3 + number % 3
        state = State(Options(), seats)
        state.deck_left, state.deck = 0, dict.fromkeys(VALUES, 0)
        for species in random.sample(tuple(VALUES), random.choice((1, 2, 4, 10))):
            for _ in range(4):
                state.animals[random.randrange(seats)][species] += 1
        unfinished = [seat for seat in range(seats) if incomplete(state, seat)]
        if not unfinished:
            continue
        state.turn = random.choice(unfinished)
        state.resigned = set(unfinished)
        if len(unfinished) == seats:
            # The last one to play itself is complete already and is skipped for ever.
            state.seats += 1
            state.animals.append(dict.fromkeys(VALUES, 0))
            state.money.append({})
        trades = 0

        def emit(event: Any, state: State = state) -> None:
            nonlocal trades
            trades += isinstance(event, TradeStarted)
            assert trades < 60
            rules.evolve(state, event)

        absent = next(seat for seat in range(state.seats) if seat not in state.resigned)
        rules.decide(state, absent, Resign(), None, emit)  # type: ignore[arg-type]
        assert state.ended in ("all_complete", "all_resigned")


# The timed auction


def timed(**options: Any) -> Table:
    played = table("cow", "pig", auction_close="timer", auction_seconds=7, **options)
    played.act(A, StartAuction())
    return played


def left(played: Table) -> int:
    """Milliseconds from the newest commit to the deadline, as the rules and every view have it."""
    assert played.deadline is not None
    assert {played.view(viewer).deadline for viewer in (A, B, C, "table")} == {played.deadline}
    return played.deadline - played.log[-1].at


def test_the_timer_runs_from_the_last_bid_and_no_pass_prolongs_it() -> None:
    played = timed()
    assert left(played) == 7 * SECOND
    played.act(B, Pass())
    assert left(played) == 7 * SECOND - 1
    played.act(B, Bid(amount=10))
    assert left(played) == 7 * SECOND
    played.act(C, Bid(amount=20))
    assert left(played) == 7 * SECOND
    played.host({"type": "game.reseat", "seat": 2, "player": "another"})
    assert left(played) == 7 * SECOND - 1
    assert played.view().to_act == (B,)
    with pytest.raises(Rejected, match="timer closes"):
        played.act(A, Call(step=1))


def test_the_timers_end_closes_the_auction() -> None:
    played = timed()
    played.act(C, Bid(amount=20))
    commit = played.clock_expired()
    assert events(commit) == (Passed(seat=B), AuctionClosed(bidder=C, price=20))
    assert played.view().phase == "auction_decision"
    assert left(played) == SECOND, "the game's own clock runs again"


def test_an_exposure_starts_the_timer_anew() -> None:
    played = timed()
    played.act(B, Bid(amount=200))
    played.act(C, Pass())
    exposed = played.act(A, Decide(preempt=False))
    assert isinstance(exposed.events[-1], BidderExposed)
    assert left(played) == 7 * SECOND
    assert played.view().to_act == (C,)


def test_the_timer_runs_without_a_clock_of_the_game() -> None:
    options = {"start_rule": "seat_0", "auction_close": "timer", "auction_seconds": 7}
    played = Table.open("kuhhandel", 3, options, Scripted(["cow"]))
    assert played.deadline is None
    played.act(A, StartAuction())
    assert left(played) == 7 * SECOND
    played.clock_expired()
    assert played.deadline is None


@pytest.mark.parametrize("late_ms", [-1, 0, 1])
def test_a_bid_is_in_time_to_the_millisecond_of_the_stream(late_ms: int) -> None:
    """Whether the clock's own command stands before or after it, only a bid's arrival decides."""
    played = timed()
    played.act(C, Bid(amount=20))
    deadline = played.deadline
    assert deadline is not None
    replayed = Game("local", lambda *_: played._seed, played._game._make_dealer)
    for written in played.written:
        replayed.replay(written.commit, written.hash)
    bid = Command(id="late", game="local", seat=B, action=Bid(amount=30))
    expired = Command(id="clock", game="local", action=clock.Expired(version=played.version))
    arrival = f"{deadline + late_ms}-0"
    if late_ms < 0:
        with pytest.raises(Rejected) as caught:
            replayed.play(expired, arrival)
        assert caught.value.code == "too_early"
        assert replayed.play(bid, arrival).commit.events == (BidMade(seat=B, amount=30),)
        assert replayed.deadline == deadline + late_ms + 7 * SECOND
    else:
        with pytest.raises(Rejected) as caught:
            replayed.play(bid, arrival)
        assert caught.value.code == "too_late"
        closed = replayed.play(expired, arrival).commit.events
        assert closed[-1] == AuctionClosed(bidder=C, price=20)
        with pytest.raises(Rejected) as caught:
            replayed.play(bid, arrival)
        assert caught.value.code == "wrong_phase"


def test_views_folded_from_the_log_have_the_deadline_of_the_rules_throughout() -> None:
    for name in ("timer", "default", "strict_round_robin"):
        played = Table.open("kuhhandel", 4, OPTION_SETS[name], dealer=name, clock=SECOND)
        deadlines: list[int | None] = []

        def each(played: Table, deadlines: list[int | None] = deadlines) -> None:
            deadlines.append(played.deadline)

        play_random(played, Random(3), weigh=brisk, each=each)
        views = Fold("local")
        for commit, deadline in zip(played.log, deadlines, strict=True):
            views.apply(commit)
            assert views.deadline == deadline


def test_timed_games_end_where_the_clock_is_all_that_closes_auctions() -> None:
    played = Table.open("kuhhandel", 4, {**OPTION_SETS["timer"], "max_trades_after_deck": 5}, dealer=4)
    random = Random(4)
    for _ in range(900):
        if played.finished:
            break
        view = played.view()
        bidders = [seat for seat in range(4) if played.view(seat).offer(Bid)]
        if view.phase != "auction_open":
            seat = view.to_act[0]
            played.act(seat, random.choice(played.view(seat).offers).sample(random))
        elif bidders and random.random() < 0.5:
            seat = random.choice(bidders)
            played.act(seat, played.view(seat).offer(Bid).sample(random))
        else:
            played.clock_expired()
        assert not played.violations()
    assert played.outcome is not None


def test_pays_least_when_only_big_cards_are_left() -> None:
    more = (
        AuctionStarted(auctioneer=A, lot=("cow",), deck_left=39),
        BidMade(seat=B, amount=40),
        AuctionClosed(bidder=B, price=40),
        Sold(auctioneer=A, bidder=B, price=40),
    )
    hand = {"0": 1, "10": 3, "50": 2, "100": 1}
    scenario = given("kuhhandel", *at(START, hand, START), *more, players=3)
    assert Rules().overdue(scenario.game.state) == [(B, Pay(cards={"50": 1}))]


def test_the_end_is_a_state_of_its_own() -> None:
    scenario = given("kuhhandel", *at(*(START,) * 3), PlayEnded(reason="all_complete"), players=3)
    assert scenario.game.rules.outcome(scenario.game.state) is not None
