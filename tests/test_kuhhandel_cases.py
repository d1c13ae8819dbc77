"""The golden cases of kuhhandel.md §14, by id."""

from collections.abc import Mapping
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.game import Outcome, Resign
from fairdeal.games.kuhhandel import (
    ANIMALS,
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
    HeapsTaken,
    Pass,
    Passed,
    Pay,
    PaymentMade,
    PlayEnded,
    Preempted,
    ReofferTrade,
    SeatSkipped,
    Sold,
    StartAuction,
    StartTrade,
    TradeAccepted,
    TradeCounted,
    TradeCountered,
    TradeResolved,
    TradeStarted,
    TradeTied,
    TurnStarted,
)
from fairdeal.games.kuhhandel_money import Heap, minus, plus, total
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for
from support.kuhhandel import CANDIDATES, START, at, auction
from support.scenario import Scenario, given

A, B, C, D = range(4)


def game(*hands: Mapping[str, int], more: tuple[Any, ...] = (), **position: Any) -> Scenario:
    """Seats with these hands (by default three with the start's), and `more` events after the position."""
    hands = hands or (START,) * 3
    return given("kuhhandel", *at(*hands, **position), *more, players=len(hands))


def auctioned(*bids: tuple[int, int], hands: tuple[Mapping[str, int], ...] = ()) -> Scenario:
    return game(*hands, more=auction(*bids))


def called_out(scenario: Scenario) -> Scenario:
    """The auctioneer A calls three times."""
    for step in (1, 2, 3):
        scenario.when(A, Call(step=step))
    return scenario


def money(scenario: Scenario) -> list[Heap]:
    """All hands, by the rules and by each seat's own view alike."""
    hands: list[Heap] = scenario.game.state.money
    assert hands == [scenario.view(seat).hand.money for seat in range(len(hands))]
    return hands


def animals(scenario: Scenario, species: str) -> list[int]:
    counts = [owned[species] for owned in scenario.game.state.animals]
    assert counts == [owned.get(species, 0) for owned in scenario.view().table.animals]
    return counts


# 14.1 From the seed


@pytest.mark.parametrize("players", [3, 4, 5])
def test_s01_each_hand_at_the_start(players: int) -> None:
    table = Table.open("kuhhandel", players)
    for seat in range(players):
        assert table.view(seat).hand.money == {"0": 2, "10": 4, "50": 1}
        assert total(table.view(seat).hand.money) == 90


def test_s02_no_trade_in_the_first_turn() -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"})
    for target in (B, C):
        with pytest.raises(Rejected) as caught:
            table.act(A, StartTrade(target=target, species="cow", offer={}))
        assert caught.value.code == "no_common_species"


def test_s03_sold_to_the_high_bidder() -> None:
    scenario = called_out(auctioned((B, 30)))
    assert scenario.events[-1] == AuctionClosed(bidder=B, price=30)
    scenario.when(A, Decide(preempt=False)).then(Sold(auctioneer=A, bidder=B, price=30))
    scenario.when(B, Pay(cards={"10": 3})).then(
        PaymentMade(payer=B, payee=A, price=30, count=None, shown=None, cards={"10": 3}),
        AnimalsTaken(seat=B, lot=("cow",), price=30),
        TurnStarted(seat=B),
    )
    assert money(scenario) == [plus(START, {"10": 3}), minus(START, {"10": 3}), START]
    assert animals(scenario, "cow") == [0, 1, 0]


def test_s04_the_auctioneer_pre_empts_and_pays_the_bidder() -> None:
    scenario = called_out(auctioned((B, 30))).when(A, Decide(preempt=True))
    scenario.then(Preempted(auctioneer=A, bidder=B, price=30))
    scenario.when(B, Pay(cards={"10": 3})).refused("not_payer")
    scenario.when(A, Pay(cards={"50": 1})).then(
        PaymentMade(payer=A, payee=B, price=30, count=None, shown=None, cards={"50": 1}),
        AnimalsTaken(seat=A, lot=("cow",), price=30),
        TurnStarted(seat=B),
    )
    assert money(scenario) == [minus(START, {"50": 1}), plus(START, {"50": 1}), START]
    assert animals(scenario, "cow") == [1, 0, 0]


@pytest.mark.parametrize(("amount", "code"), [(30, "bid_too_low"), (20, "bid_too_low"), (40, None)])
def test_s05_each_bid_is_higher_than_the_last_one(amount: int, code: str | None) -> None:
    scenario = auctioned((B, 30)).when(C, Bid(amount=amount))
    if code is None:
        scenario.then(BidMade(seat=C, amount=amount))
    else:
        scenario.refused(code)


def test_s06_the_auctioneer_does_not_bid() -> None:
    auctioned((B, 30)).when(A, Bid(amount=40)).refused("auctioneer_cannot_bid")
    auctioned().when(A, Bid(amount=10)).refused("auctioneer_cannot_bid")


def test_s07_no_change_is_given() -> None:
    scenario = called_out(auctioned((B, 30), hands=(START, {"50": 1}, START)))
    scenario.when(A, Decide(preempt=False)).when(B, Pay(cards={"50": 1}))
    assert money(scenario) == [plus(START, {"50": 1}), {}, START]


@pytest.mark.parametrize("closing", ["three calls", "all pass"])
def test_s08_nobody_bids(closing: str) -> None:
    scenario = auctioned()
    if closing == "three calls":
        called_out(scenario)
    else:
        scenario.when(B, Pass()).then(Passed(seat=B)).when(C, Pass())
    closed = (AuctionClosed(bidder=None, price=0), AnimalsTaken(seat=A, lot=("cow",), price=0))
    assert scenario.events[1:] == (*closed, TurnStarted(seat=B))
    assert money(scenario) == [START] * 3
    assert animals(scenario, "cow") == [1, 0, 0]


def test_s09_s10_a_bid_that_cannot_be_paid() -> None:
    scenario = called_out(auctioned((C, 40), (B, 100), hands=(START,) * 4)).when(A, Decide(preempt=False))
    scenario.then(Sold(auctioneer=A, bidder=B, price=100), BidderExposed(seat=B, cards=START))
    for viewer in (A, B, C, D, "table"):
        assert scenario.view(viewer).table.auction.exposed == {B: START}
        assert scenario.view(viewer).table.auction.high.amount == 40
    assert scenario.view().phase == "auction_open"
    scenario.when(B, Bid(amount=50)).refused("excluded")
    scenario.when(B, Pass()).refused("excluded")
    called_out(scenario).when(A, Decide(preempt=False)).when(C, Pay(cards={"10": 4}))
    assert animals(scenario, "cow") == [0, 0, 1, 0]
    scenario.when(B, StartAuction()).when(C, Pass()).when(D, Pass()).when(A, Pass())
    scenario.when(C, StartAuction()).when(B, Bid(amount=10)).then(BidMade(seat=B, amount=10))


def test_s09_the_last_standing_bid_wins_at_once_when_nobody_is_left_to_raise_it() -> None:
    called_out(auctioned((C, 40), (B, 100))).when(A, Decide(preempt=False)).then(
        Sold(auctioneer=A, bidder=B, price=100),
        BidderExposed(seat=B, cards=START),
        AuctionClosed(bidder=C, price=40),
    )


def test_s11_there_is_no_change_and_no_swap_with_the_bank() -> None:
    assert {type(action).__name__ for action in CANDIDATES} == {
        *("StartAuction", "Bid", "Pass", "Call", "Decide", "Pay"),
        *("StartTrade", "AcceptTrade", "CounterTrade", "ReofferTrade"),
    }
    table = Table.open("kuhhandel", 3, dealer=1)
    assert {*map(type, CANDIDATES), Resign} == rules_for("kuhhandel").actions
    bank = dict(table.view().table.bank)
    for seat in range(3):
        for action in CANDIDATES:
            if not isinstance(action, StartAuction):
                with pytest.raises((Rejected, ValueError, OverflowError)):
                    table.act(seat, action)
    assert table.view().table.bank == bank


def test_s12_animals_are_the_same_in_every_view() -> None:
    scenario = game(animals=({"cow": 1}, {"cow": 2, "pig": 3}, {"cat": 4}))
    views = [scenario.view(viewer) for viewer in (A, B, C, "table")]
    assert all(view.table.animals == views[0].table.animals for view in views)
    assert views[0].table.animals == [{"cow": 1}, {"pig": 3, "cow": 2}, {"cat": 4}]


# 14.2 Payments

WITH_HUNDRED = {**START, "100": 1}


def to_pay(price: int, hand: Heap) -> Scenario:
    more = (
        *auction((B, price)),
        AuctionClosed(bidder=B, price=price),
        Sold(auctioneer=A, bidder=B, price=price),
    )
    return game(START, hand, START, more=more)


@pytest.mark.parametrize(
    ("price", "hand", "payments"),
    [
        (10, START, [{"10": 1}, {"50": 1}]),
        (30, START, [{"10": 3}, {"50": 1}]),
        (40, START, [{"10": 4}, {"50": 1}]),
        (50, START, [{"50": 1}]),
        (60, START, [{"50": 1, "10": 1}]),
        (90, START, [{"50": 1, "10": 4}]),
        (60, WITH_HUNDRED, [{"50": 1, "10": 1}, {"100": 1}]),
    ],
)
def test_irreducible_payments(price: int, hand: Heap, payments: list[Heap]) -> None:
    offer = to_pay(price, hand).view(B).offer(Pay)
    assert sorted(map(sorted, (p.items() for p in offer.payments()))) == sorted(
        map(sorted, (p.items() for p in payments))
    )
    for cards in payments:
        to_pay(price, hand).when(B, Pay(cards=cards)).then(
            PaymentMade(payer=B, payee=A, price=price, count=None, shown=None, cards=cards), ...
        )


@pytest.mark.parametrize(
    ("price", "cards", "code"),
    [
        (50, {"50": 1, "10": 1}, "superfluous_cards"),
        (30, {"10": 3, "0": 1}, "superfluous_cards"),
        (30, {"10": 2}, "underpaid"),
        (30, {"10": 5}, "cards_not_owned"),
    ],
)
def test_refused_payments(price: int, cards: Heap, code: str) -> None:
    to_pay(price, START).when(B, Pay(cards=cards)).refused(code)


# 14.3 Donkeys


def test_four_donkeys_pay_everybody() -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"}, Scripted(["donkey"] * 4))
    for turn in range(4):
        table.act(turn % 3, StartAuction())
        expected = plus(START, dict.fromkeys(("50", "100", "200", "500")[: turn + 1], 1))
        for seat in range(3):
            assert table.view(seat).hand.money == expected
        assert table.view().table.auction.high is None, "the payout comes before the first bid"
        for seat in range(3):
            if seat != turn % 3:
                table.act(seat, Pass())
    assert total(table.view(0).hand.money) == 940
    assert table.view(0).hand.money == {"0": 2, "10": 4, "50": 2, "100": 1, "200": 1, "500": 1}
    assert table.view().table.bank == {"0": 4, "10": 8, "50": 4, "100": 2, "200": 2, "500": 2}
    assert table.view().table.donkeys == 4
    assert table.violations() == []


def test_a_payout_can_be_bid_at_once() -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0", "strict_bids": True}, Scripted(["donkey"]))
    table.act(A, StartAuction())
    table.act(B, Bid(amount=140))
    assert table.view().table.auction.high.amount == 140


# 14.4 Trades


def traded(a: int, b: int, offer: Heap, *answers: tuple[int, Action]) -> Scenario:
    """A, who has `a` cows, offers a heap to B, who has `b`."""
    scenario = game(animals=({"cow": a}, {"cow": b}))
    scenario.when(A, StartTrade(target=B, species="cow", offer=offer))
    for seat, answer in answers:
        scenario.when(seat, answer)
    return scenario


def test_t01_accepted() -> None:
    scenario = traded(1, 3, {"10": 2, "0": 1}, (B, AcceptTrade()))
    parties = {"challenger": A, "target": B}
    assert scenario.events == (
        TradeAccepted(**parties, count=3, total=None, cards={"0": 1, "10": 2}),
        TradeResolved(**parties, winner=A, species="cow", animals=1, free=False),
        TurnStarted(seat=B),
    )
    assert animals(scenario, "cow")[:2] == [2, 2]
    assert money(scenario)[:2] == [minus(START, {"0": 1, "10": 2}), plus(START, {"0": 1, "10": 2})]


def test_t02_the_higher_offer_takes_the_stake_and_the_heaps_are_swapped() -> None:
    scenario = traded(2, 2, {"50": 1})
    assert scenario.events == (
        TradeStarted(challenger=A, target=B, species="cow", stake=2, count=1, cards={"50": 1}),
    )
    parties = {"challenger": A, "target": B}
    scenario.when(B, CounterTrade(cards={"10": 4})).then(
        TradeCountered(**parties, count=4, cards={"10": 4}),
        TradeCounted(**parties, totals=None, offer={"50": 1}, counter={"10": 4}),
        HeapsTaken(**parties, counts=None, to_challenger={"10": 4}, to_target={"50": 1}),
        TradeResolved(**parties, winner=A, species="cow", animals=2, free=False),
        TurnStarted(seat=B),
    )
    assert animals(scenario, "cow")[:2] == [4, 0]
    assert money(scenario)[:2] == [{"0": 2, "10": 8}, {"0": 2, "50": 2}]


def test_t03_the_higher_counter_takes_the_stake() -> None:
    scenario = traded(2, 2, {"10": 4}, (B, CounterTrade(cards={"50": 1})))
    assert animals(scenario, "cow")[:2] == [0, 4]
    assert money(scenario)[:2] == [{"0": 2, "50": 2}, {"0": 2, "10": 8}]


def test_t04_an_empty_offer_accepted() -> None:
    scenario = traded(1, 1, {}, (B, AcceptTrade()))
    assert animals(scenario, "cow")[:2] == [2, 0]
    assert money(scenario) == [START] * 3


def test_t05_a_tie_gives_the_heaps_back_and_asks_for_a_new_offer() -> None:
    scenario = traded(1, 2, {"0": 2}, (B, CounterTrade(cards={})))
    assert scenario.events[2:] == (
        HeapsTaken(challenger=A, target=B, counts=None, to_challenger={"0": 2}, to_target={}),
        TradeTied(challenger=A, target=B, round=1),
    )
    assert money(scenario) == [START] * 3
    assert scenario.view().phase == "trade_reoffer"
    assert scenario.view().to_act == (A,)
    scenario.when(B, AcceptTrade()).refused("wrong_phase")
    scenario.when(B, ReofferTrade(cards={})).refused("not_challenger")


TIE = ((B, CounterTrade(cards={"10": 1})), (A, ReofferTrade(cards={"10": 1})))


def test_t06_the_second_answer_may_be_accept() -> None:
    scenario = traded(1, 2, {"10": 1}, *TIE, (B, AcceptTrade()))
    assert animals(scenario, "cow")[:2] == [2, 1]
    assert money(scenario)[:2] == [minus(START, {"10": 1}), plus(START, {"10": 1})]


def test_t07_a_second_tie_gives_the_stake_for_nothing() -> None:
    scenario = traded(1, 2, {"10": 1}, *TIE, (B, CounterTrade(cards={"10": 1})))
    assert scenario.events[2:5] == (
        HeapsTaken(challenger=A, target=B, counts=None, to_challenger={"10": 1}, to_target={"10": 1}),
        TradeTied(challenger=A, target=B, round=2),
        TradeResolved(challenger=A, target=B, winner=A, species="cow", animals=1, free=True),
    )
    assert animals(scenario, "cow")[:2] == [2, 1]
    assert money(scenario) == [START] * 3


def test_t09_a_complete_quartet_is_not_traded() -> None:
    scenario = game(animals=({"cow": 4}, {"pig": 1}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={})).refused("no_common_species")
    scenario = game(animals=({"pig": 1}, {"cow": 4}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={})).refused("set_complete")


@pytest.mark.parametrize("target", [B, C])
def test_t10_the_challenger_chooses_the_opponent(target: int) -> None:
    scenario = game(animals=({"cow": 1}, {"cow": 1}, {"cow": 1}))
    assert scenario.view(A).offer(StartTrade).stakes == {B: {"cow": 1}, C: {"cow": 1}}
    scenario.when(A, StartTrade(target=target, species="cow", offer={"0": 1})).then(
        TradeStarted(challenger=A, target=target, species="cow", stake=1, count=1, cards={"0": 1})
    )


# 14.5 Scoring


def scored(*owned: Mapping[Any, int], **options: Any) -> Outcome:
    """The outcome when play ends with these animals."""
    events = (*at(*(START,) * 3, animals=owned, deck_left=0), PlayEnded(reason="all_complete"))
    scenario = given("kuhhandel", *events, players=3, options=options)
    outcome = scenario.game.rules.outcome(scenario.game.state)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("owned", "score"),
    [
        ({"pig": 4, "dog": 4, "rooster": 4}, 2460),
        ({}, 0),
        ({"horse": 4}, 1000),
        ({"rooster": 4, "goose": 4}, 100),
        ({"horse": 3}, 0),
    ],
)
def test_scores(owned: Mapping[Any, int], score: int) -> None:
    assert scored(owned).scores == (score, 0, 0)


# 14.7 End of game


def test_e01_a_seat_with_complete_quartets_only_is_skipped() -> None:
    position = at(
        *(START,) * 3, animals=({"horse": 4, "pig": 2}, {"cow": 2, "pig": 2}, {"cow": 2}), turn=B, deck_left=0
    )
    scenario = given("kuhhandel", *position, players=3)
    scenario.when(B, StartTrade(target=A, species="pig", offer={"0": 1})).when(A, AcceptTrade())
    assert scenario.events[2:] == (TurnStarted(seat=C),)
    scenario.when(C, StartTrade(target=B, species="cow", offer={}))
    scenario.when(B, CounterTrade(cards={"0": 1})).when(C, ReofferTrade(cards={})).when(B, AcceptTrade())
    assert scenario.events[2:3] == (PlayEnded(reason="all_complete"),)

    owned = ({"horse": 4}, {"cow": 2, "pig": 3}, {"cow": 2, "pig": 1})
    scenario = given("kuhhandel", *at(*(START,) * 3, animals=owned, turn=C, deck_left=0), players=3)
    scenario.when(C, StartTrade(target=B, species="pig", offer={})).when(B, AcceptTrade())
    assert scenario.events[2:] == (SeatSkipped(seat=A), TurnStarted(seat=B))
    scenario.when(B, StartAuction()).refused("deck_empty")


def test_e02_a_broke_seat_trades_with_an_empty_offer_and_cannot_pass() -> None:
    position = at(START, {}, START, animals=({"horse": 4}, {"cow": 2}, {"cow": 2}), turn=B, deck_left=0)
    scenario = given("kuhhandel", *position, players=3)
    scenario.when(B, Pass()).refused("wrong_phase")
    assert [offer.action_type() for offer in scenario.view(B).offers] == [StartTrade]
    scenario.when(B, StartTrade(target=C, species="cow", offer={})).when(C, AcceptTrade())
    assert animals(scenario, "cow") == [0, 4, 0]


def test_e03_the_last_quartet_ends_the_game_at_once() -> None:
    position = at(*(START,) * 3, animals=({"horse": 4}, {"cow": 2}, {"cow": 2}), turn=B, deck_left=0)
    scenario = given("kuhhandel", *position, players=3)
    scenario.when(B, StartTrade(target=C, species="cow", offer={})).when(C, AcceptTrade())
    assert scenario.events[2] == PlayEnded(reason="all_complete")
    assert scenario.game.finished
    assert scenario.view().phase == "finished"
    assert scenario.view().outcome == scenario.game.outcome
    assert not scenario.view(A).offers + scenario.view(B).offers + scenario.view(C).offers


def test_e05_equal_scores_win_together() -> None:
    outcome = scored({"horse": 4}, {"horse": 4}, {"cow": 4})
    assert outcome.winners == (A, B)
    assert outcome.places == (1, 1, 3)
    assert outcome.scores == (1000, 1000, 800)


def test_a_lot_is_drawn_when_it_is_turned_up_and_not_before() -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"}, Scripted(["pig"]))
    assert table.state.deck_left == ANIMALS
    assert sum(table.state.deck.values()) == ANIMALS
    events = table.act(A, StartAuction()).events
    assert events == (AuctionStarted(auctioneer=A, lot=("pig",), deck_left=39),)
