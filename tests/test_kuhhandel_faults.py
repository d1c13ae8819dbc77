"""What went wrong in other implementations of Kuhhandel, by the ids of the list of known faults."""

import pickle
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.game import Player
from fairdeal.games.kuhhandel import (
    VALUES,
    AcceptTrade,
    AuctionClosed,
    Bid,
    BidMade,
    Call,
    Called,
    CounterTrade,
    Decide,
    HeapsTaken,
    MoneyDealt,
    Pass,
    Pay,
    PayOffer,
    PlayEnded,
    Preempted,
    ReofferTrade,
    StartAuction,
    StartTrade,
    TradeResolved,
    TradeTied,
)
from fairdeal.games.kuhhandel_money import Heap, total
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from support.harness import moves_of, outcomes_of, play_random
from support.kuhhandel import START, at, auction, brisk, donkeys
from support.scenario import Scenario, given

A, B, C, D = range(4)


def game(*events: Any, hands: tuple[Heap, ...] = (START,) * 3, **position: Any) -> Scenario:
    return given("kuhhandel", *at(*hands, **position), *events, players=len(hands))


def sold(price: int, hand: Heap) -> Scenario:
    """B has bought for this price and pays out of this hand."""
    scenario = game(*auction((B, price)), hands=(START, hand, START))
    return scenario.when(C, Pass()).when(A, Decide(preempt=False))


def test_k1_the_donkey_pays_everybody() -> None:
    """The payout looped over keys and credited nobody."""
    for seats in (3, 4, 5):
        table = Table.open("kuhhandel", seats, {"start_rule": "seat_0"}, Scripted(["donkey"]))
        table.act(A, StartAuction())
        assert [table.view(seat).hand.money["50"] for seat in range(seats)] == [2] * seats
        assert table.view().table.donkeys == 1
        assert table.violations() == []


@pytest.mark.parametrize("cards", [{"10": 2}, {"10": 5}, {"50": 1, "0": 1}, {"7": 1}, {"10": -1}])
def test_k3_a_refused_payment_takes_nothing(cards: Heap) -> None:
    """Choosing cards changed the real hand, and cancelling lost the money."""
    scenario = sold(30, START)
    before = pickle.dumps(scenario.game.state), scenario.views.encoded()
    scenario.when(B, Pay(cards=cards))
    assert scenario.rejected is not None
    assert (pickle.dumps(scenario.game.state), scenario.views.encoded()) == before
    offer: PayOffer = scenario.view(B).offer(Pay)
    offer.payments()[0].clear()
    offer.sample(Random(1)).cards.clear()
    assert scenario.game.state.money[B] == START == scenario.view(B).hand.money


def test_k3_no_hand_shares_its_cards_with_a_message_or_another_hand() -> None:
    table = Table.open("kuhhandel", 3)
    hands = table.state.money
    assert len({id(hand) for hand in hands}) == 3
    (dealt,) = (event for event in table.log[0].events if isinstance(event, MoneyDealt))
    assert all(hand is not dealt.cards for hand in hands)


def test_k4_the_leading_bidder_cannot_outbid_himself() -> None:
    game(*auction((B, 30))).when(B, Bid(amount=40)).refused("already_highest")
    allowed = given(
        "kuhhandel",
        *at(START, START, START),
        *auction((B, 30)),
        players=3,
        options={"allow_self_raise": True},
    )
    allowed.when(B, Bid(amount=40)).then(BidMade(seat=B, amount=40))


def test_k5_a_new_bid_resets_the_calls_for_everybody() -> None:
    scenario = game(*auction((B, 30)))
    scenario.when(A, Call(step=1, seen_high=30)).then(Called(auctioneer=A, step=1, high=30))
    scenario.when(A, Call(step=2, seen_high=30)).when(C, Bid(amount=40))
    for viewer in (A, B, C, "table"):
        assert scenario.view(viewer).table.auction.calls == 0
    scenario.when(A, Call(step=3, seen_high=30)).refused("stale_call")
    scenario.when(A, Call(step=1, seen_high=30)).refused("stale_call")
    scenario.when(A, Call(step=3, seen_high=40)).refused("bad_step")
    scenario.when(A, Call(step=3)).refused("bad_step")
    scenario.when(A, Call(step=1, seen_high=40)).then(Called(auctioneer=A, step=1, high=40))


def test_k5_a_stale_call_can_also_be_told_by_the_version_it_saw() -> None:
    scenario = game(*auction((B, 30)))
    seen = scenario.game.version
    scenario.when(C, Bid(amount=40))
    scenario.when(A, Call(step=1), expect=seen).refused("stale")


def test_k8_only_the_auctioneer_pre_empts_and_only_with_the_money() -> None:
    closed = (*auction((B, 90)), AuctionClosed(bidder=B, price=90))
    for seat in (B, C):
        game(*closed).when(seat, Decide(preempt=True)).refused("not_auctioneer")
    game(*closed, hands=({"10": 8}, START, START)).when(A, Decide(preempt=True)).refused("cannot_afford")
    scenario = game(*closed).when(A, Decide(preempt=True)).then(Preempted(auctioneer=A, bidder=B, price=90))
    scenario.when(A, Pay(cards={"50": 1})).refused("underpaid")
    scenario.when(A, Pay(cards={"50": 1, "10": 4}))
    assert scenario.game.state.money[B] == {"0": 2, "10": 8, "50": 2}


@pytest.mark.parametrize("cards", [{}, {"0": 2}, {"10": 2}, {"10": 2, "0": 2}])
def test_k9_k13_a_winner_cannot_pay_less_than_the_bid(cards: Heap) -> None:
    sold(30, START).when(B, Pay(cards=cards)).refused("underpaid")


def test_k11_animals_are_counted_by_species() -> None:
    table = play_random(
        Table.open("kuhhandel", 3, {"max_trades_after_deck": 9}, dealer=3), Random(3), weigh=brisk
    )
    for owned, counted in zip(table.view().table.animals, table.state.animals, strict=True):
        assert owned == {species: count for species, count in counted.items() if count}
        assert set(owned) <= set(VALUES)
    assert sum(sum(owned.values()) for owned in table.view().table.animals) == 40


def tied_twice() -> Scenario:
    scenario = game(animals=({"cow": 1}, {"cow": 2}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={"10": 1}))
    scenario.when(B, CounterTrade(cards={"10": 1})).when(A, ReofferTrade(cards={"10": 1}))
    return scenario.when(B, CounterTrade(cards={"10": 1}))


def test_k12_k13_a_second_tie_settles_the_trade_and_a_first_one_does_not() -> None:
    assert [type(event) for event in tied_twice().events[-4:-1]] == [HeapsTaken, TradeTied, TradeResolved]
    scenario = game(animals=({"cow": 1}, {"cow": 2}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={"10": 1})).when(
        B, CounterTrade(cards={"10": 1})
    )
    assert scenario.view().phase == "trade_reoffer"
    assert scenario.view().table.animals[A] == {"cow": 1}


def test_k12_three_to_five_seats_and_no_twenty_in_the_start_hand() -> None:
    for seats in (2, 6):
        with pytest.raises(Rejected) as caught:
            Table.open("kuhhandel", seats)
        assert caught.value.code == "bad_players"
    for seats in (3, 4, 5):
        assert Table.open("kuhhandel", seats).view(0).hand.money == START
        assert "20" not in Table.open("kuhhandel", seats).view(0).table.bank


def test_k13_equal_scores_do_not_overwrite_each_other() -> None:
    owned = ({"horse": 4}, {"horse": 4}, {"horse": 4}, {})
    scenario = given(
        "kuhhandel",
        *at(*(START,) * 4, animals=owned, deck_left=0),
        PlayEnded(reason="all_complete"),
        players=4,
    )
    outcome = scenario.game.rules.outcome(scenario.game.state)
    assert outcome is not None
    assert outcome.scores == (1000, 1000, 1000, 0)
    assert outcome.winners == (A, B, C)
    assert outcome.places == (1, 1, 1, 4)


def test_k14_the_target_counters_out_of_the_own_money_and_sees_no_card_of_the_offer() -> None:
    hands = ({"500": 1, "0": 1}, {"10": 3}, START)
    scenario = game(hands=hands, animals=({"cow": 1}, {"cow": 1}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={"500": 1, "0": 1}))
    shown = scenario.view(B)
    assert b"500" not in msgspec.json.encode([shown.hand, shown.offers, shown.table.trade])
    assert shown.offer(CounterTrade).cards == {"10": 3}
    scenario.when(B, CounterTrade(cards={"500": 1})).refused("cards_not_owned")
    scenario.when(B, CounterTrade(cards={"10": 3}))
    assert scenario.view(B).hand.last_trade.offer == {"500": 1, "0": 1}


def test_k17_cards_that_are_stale_or_no_cards_are_refused_cleanly() -> None:
    scenario = game(animals=({"cow": 1}, {"cow": 1}))
    for cards, code in (
        ({"500": 1}, "cards_not_owned"),
        ({"10": 5}, "cards_not_owned"),
        ({"20": 1}, "cards_not_owned"),
        ({"10": -1}, "bad_shape"),
        ({"25": 1}, "bad_shape"),
        ({"ten": 1}, "bad_shape"),
        ({"": 0}, "bad_shape"),
    ):
        scenario.when(A, StartTrade(target=B, species="cow", offer=cards)).refused(code)
        sold(30, START).when(B, Pay(cards=cards)).refused(code)
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"})
    for offer in ({"10": "1"}, {"10": 1.5}, {"10": True}, {"10": None}, [10], "10"):
        with pytest.raises(msgspec.ValidationError):
            table.act(A, {"type": "kuhhandel.start_trade", "target": 1, "species": "cow", "offer": offer})
    with pytest.raises(msgspec.ValidationError):
        table.act(A, {"type": "kuhhandel.start_trade", "target": 1, "species": "unicorn", "offer": {}})


def test_k18_nobody_sits_down_twice() -> None:
    with pytest.raises(Rejected) as caught:
        Table.open("kuhhandel", ["ann", "bob", Player(id="ann")])
    assert caught.value.code == "bad_players"


def test_k20_the_score_is_multiplied_by_the_number_of_quartets() -> None:
    owned = ({"pig": 4, "dog": 4, "rooster": 4}, {"cow": 4}, {})
    events = (*at(*(START,) * 3, animals=owned, deck_left=0), PlayEnded(reason="all_complete"))
    scenario = given("kuhhandel", *events, players=3)
    outcome = scenario.game.rules.outcome(scenario.game.state)
    assert outcome is not None
    assert outcome.scores == (2460, 800, 0)


def test_k21_forced_trades_end_with_broke_players_too() -> None:
    """Nobody has a card: every offer is empty, and still the game comes to its end by the rules alone."""
    for seed in range(10):
        random = Random(seed)
        owned: list[dict[Any, int]] = [{} for _ in range(4)]
        for species in ("cat", "pig", "cow"):
            for _ in range(4):
                seat = random.randrange(4)
                owned[seat][species] = owned[seat].get(species, 0) + 1
        unfinished = [seat for seat in range(4) if any(n < 4 for n in owned[seat].values())]
        if not unfinished:
            continue
        position = at(*({},) * 4, animals=owned, turn=unfinished[0], deck_left=0, dealt={"0": 1})
        scenario = given("kuhhandel", *position, players=4)
        for _ in range(300):
            if scenario.game.finished:
                break
            seat = scenario.view().to_act[0]
            scenario.when(seat, random.choice(scenario.view(seat).offers).sample(random))
        assert scenario.game.finished


def test_k22_every_possible_trade_is_offered() -> None:
    for seed in range(60):
        random = Random(seed)
        owned: list[dict[Any, int]] = [{} for _ in range(4)]
        for species in random.sample(tuple(VALUES), 5):
            for _ in range(4):
                seat = random.randrange(4)
                owned[seat][species] = owned[seat].get(species, 0) + 1
        scenario = game(hands=(START,) * 4, animals=owned, deck_left=1)
        offer = scenario.view(A).offer(StartTrade)
        possible = {
            (target, species)
            for target in (B, C, D)
            for species in VALUES
            if owned[A].get(species, 0) and owned[target].get(species, 0)
        }
        offered = {(t, s) for t, common in offer.stakes.items() for s in common} if offer else set()
        assert offered == possible


def test_k23_a_game_is_repeated_by_its_draws_and_commands() -> None:
    table = play_random(
        Table.open("kuhhandel", 3, {"max_trades_after_deck": 5}, dealer=8), Random(8), weigh=brisk
    )
    again = Table.open("kuhhandel", 3, {"max_trades_after_deck": 5}, Scripted(outcomes_of(table.log)))
    for seat, action in moves_of(table.log):
        again.act(seat, action)
    assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]


def test_k25_an_exact_payment_is_found_wherever_it_lies_and_zeros_stay() -> None:
    hand = {"0": 2, "10": 2, "50": 1, "100": 1, "200": 1}
    scenario = sold(220, hand)
    offer = scenario.view(B).offer(Pay)
    assert {"10": 2, "200": 1} in offer.payments()
    assert min(total(paid) for paid in offer.payments()) == 220
    assert not any("0" in paid for paid in offer.payments())
    game(*auction((B, 30))).when(A, Bid(amount=40)).refused("auctioneer_cannot_bid")


def test_k27_the_trade_is_the_rulebooks() -> None:
    """Heaps go back at a tie, the answer to a new offer may be accept, an offer may be empty, zeros change hands."""
    scenario = game(animals=({"cow": 1}, {"cow": 1}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={}))
    scenario.when(B, CounterTrade(cards={"0": 1}))
    (taken,) = (event for event in scenario.events if isinstance(event, HeapsTaken))
    assert (taken.to_challenger, taken.to_target) == ({}, {"0": 1})
    scenario.when(A, ReofferTrade(cards={"0": 2, "10": 1})).when(B, AcceptTrade())
    assert scenario.game.state.money[:2] == [{"10": 3, "50": 1}, {"0": 4, "10": 5, "50": 1}]
    scenario = game(animals=({"cow": 1}, {"cow": 1}))
    scenario.when(A, StartTrade(target=B, species="cow", offer={"0": 1, "10": 2}))
    scenario.when(B, CounterTrade(cards={"0": 2, "10": 1}))
    assert scenario.game.state.money[:2] == [{"0": 3, "10": 3, "50": 1}, {"0": 1, "10": 5, "50": 1}]


def test_k27_more_may_be_bid_than_one_has() -> None:
    game(*donkeys(1), *auction()).when(B, Bid(amount=420)).then(BidMade(seat=B, amount=420))
    game(*donkeys(1), *auction()).when(B, Bid(amount=430)).refused("bid_too_high")
