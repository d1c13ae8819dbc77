"""Each option of kuhhandel.md §16: what it changes, and what it leaves alone."""

from typing import Any

import msgspec
import pytest

from fairdeal.games.kuhhandel import (
    PRESETS,
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
    DonkeyPaidOut,
    DoveTaken,
    HeapsTaken,
    Options,
    Pass,
    Passed,
    Pay,
    PayOffer,
    PlayEnded,
    ReofferTrade,
    Sold,
    StartAuction,
    StartTrade,
    TradeResolved,
    TurnStarted,
)
from fairdeal.games.kuhhandel_money import MONEY, Heap, minus, plus
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for
from support.kuhhandel import OPTION_SETS, START, at, auction
from support.scenario import Scenario, given

A, B, C, D = range(4)


def game(
    *events: Any, hands: tuple[Heap, ...] = (START,) * 3, options: Any = None, **position: Any
) -> Scenario:
    return given("kuhhandel", *at(*hands, **position), *events, players=len(hands), options=options)


def test_every_option_is_played_somewhere_off_its_default() -> None:
    default = Options()
    played = {"start_seat", "remove_surplus_money"}
    for options in OPTION_SETS.values():
        agreed = rules_for("kuhhandel").resolve_options(options, 3)
        played |= {f for f in Options.__struct_fields__ if getattr(agreed, f) != getattr(default, f)}
    assert played == {*Options.__struct_fields__}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str) -> None:
    table = Table.open("kuhhandel", 3, {"preset": preset})
    shown = table.view().table.options
    assert shown == msgspec.to_builtins(Options(**PRESETS[preset]))


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"auction_mode": "round_robin", "auction_close": "timer"}, "$.action.options.auction_close"),
        ({"start_rule": "chosen", "start_seat": 3}, "$.action.options.start_seat"),
        ({"bid_step": 0}, "$.action.options.bid_step"),
        ({"lot_size": 3}, "$.action.options.lot_size"),
        ({"money_set": "euro"}, "$.action.options.money_set"),
        ({"auction_seconds": 0}, "$.action.options.auction_seconds"),
        ({"max_trades_after_deck": -1}, "$.action.options.max_trades_after_deck"),
        ({"preset": "bavarian"}, "$.action.options.preset"),
        ({"no_such": 1}, "$.action.options"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], path: str) -> None:
    with pytest.raises(Rejected) as caught:
        Table.open("kuhhandel", 3, options)
    assert caught.value.code == "bad_options"
    assert caught.value.details["path"] == path


def test_start_rule() -> None:
    assert Table.open("kuhhandel", 4, {"start_rule": "seat_0"}, Scripted([])).view().table.turn == 0
    chosen = {"start_rule": "chosen", "start_seat": 2}
    assert Table.open("kuhhandel", 4, chosen, Scripted([])).view().table.turn == 2
    for seat in range(4):
        table = Table.open("kuhhandel", 4, dealer=Scripted([seat]))
        assert table.view().table.turn == table.view().table.starter == seat


def exposed(overbid: str, mode: str = "open_outcry") -> Scenario:
    """B, who bid more than it has after C and D had bid, is exposed."""
    options = {"overbid_resolution": overbid, "auction_mode": mode}
    scenario = game(*auction(), hands=(START,) * 4, options=options)
    scenario.when(B, Bid(amount=10)).when(C, Bid(amount=20)).when(D, Bid(amount=30)).when(B, Bid(amount=200))
    scenario.when(C, Pass()).when(D, Pass()).when(A, Decide(preempt=False))
    assert isinstance(scenario.events[-1], BidderExposed)
    return scenario


def test_overbid_resolution_continue_lets_the_next_best_bid_stand() -> None:
    scenario = exposed("continue")
    running = scenario.view().table.auction
    assert (running.high.seat, running.high.amount) == (D, 30)
    assert running.bids == {C: 20, D: 30}
    assert running.passed == []
    assert scenario.view().to_act == (C,)
    scenario.when(C, Bid(amount=30)).refused("bid_too_low")
    scenario.when(D, Bid(amount=40)).refused("already_highest")
    scenario.when(C, Pass()).then(Passed(seat=C), AuctionClosed(bidder=D, price=30))
    scenario.when(A, Decide(preempt=False)).then(Sold(auctioneer=A, bidder=D, price=30))


def test_overbid_resolution_restart_strikes_all_bids() -> None:
    scenario = exposed("restart")
    assert scenario.view().table.auction.high is None
    assert scenario.view().table.auction.bids == {}
    scenario.when(B, Bid(amount=10)).refused("excluded")
    scenario.when(D, Bid(amount=10)).then(BidMade(seat=D, amount=10))


def test_the_animal_is_free_when_every_bidder_was_exposed() -> None:
    scenario = game(*auction())
    for seat in (B, C):
        scenario.when(seat, Bid(amount=200))
        for step in (1, 2, 3):
            scenario.when(A, Call(step=step))
        if seat == B:
            assert scenario.events[-1] == AuctionClosed(bidder=B, price=200)
        scenario.when(A, Decide(preempt=False))
    assert scenario.events[2:] == (
        AuctionClosed(bidder=None, price=0),
        AnimalsTaken(seat=A, lot=("cow",), price=0),
        TurnStarted(seat=B),
    )


def test_strict_bids() -> None:
    scenario = game(*auction(), options={"strict_bids": True})
    scenario.when(B, Bid(amount=100)).refused("cannot_afford")
    scenario.when(B, Bid(amount=90)).then(BidMade(seat=B, amount=90))
    assert scenario.view(C).offer(Bid) is None
    assert scenario.view().to_act == (C,), "who cannot bid is waited for all the same"


@pytest.mark.parametrize(("step", "amount", "code"), [(1, 31, None), (50, 50, None), (50, 60, "bad_step")])
def test_bid_step(step: int, amount: int, code: str | None) -> None:
    scenario = game(*auction(), options={"bid_step": step}).when(B, Bid(amount=amount))
    assert (scenario.rejected and scenario.rejected.code) == code


def test_a_price_between_the_tens_is_paid_with_the_next_that_is_enough() -> None:
    scenario = game(*auction(), options={"bid_step": 1}).when(B, Bid(amount=31)).when(C, Pass())
    scenario.when(A, Decide(preempt=False))
    assert scenario.view(B).offer(Pay).payments() == [{"50": 1}, {"10": 4}]


def test_round_robin_goes_clockwise_and_a_pass_is_final() -> None:
    options = {"auction_mode": "round_robin"}
    scenario = game(*auction(), hands=(START,) * 4, options=options)
    assert scenario.view().to_act == (B,)
    scenario.when(C, Bid(amount=10)).refused("not_your_turn")
    scenario.when(A, Call(step=1)).refused("wrong_phase")
    scenario.when(A, Bid(amount=10)).refused("auctioneer_cannot_bid")
    scenario.when(B, Bid(amount=10)).when(B, Bid(amount=20)).refused("already_highest")
    scenario.when(C, Pass()).when(C, Bid(amount=20)).refused("not_your_turn")
    scenario.when(D, Bid(amount=20)).when(B, Bid(amount=30))
    assert scenario.view().to_act == (D,), "C has passed for good"
    scenario.when(D, Pass()).then(Passed(seat=D), AuctionClosed(bidder=B, price=30))
    scenario = game(*auction(), hands=(START,) * 4, options=options)
    for seat in (B, C, D):
        scenario.when(seat, Pass())
    assert scenario.events[1] == AuctionClosed(bidder=None, price=0)


def test_round_robin_goes_on_after_an_exposure_from_the_standing_bid() -> None:
    options = {"auction_mode": "round_robin"}
    scenario = game(*auction(), hands=(START,) * 4, options=options)
    scenario.when(B, Bid(amount=10)).when(C, Bid(amount=20)).when(D, Bid(amount=300))
    scenario.when(B, Pass()).when(C, Pass()).when(A, Decide(preempt=False))
    assert isinstance(scenario.events[-1], BidderExposed)
    assert scenario.view().to_act == (B,), "clockwise from C, whose bid stands; passes are cleared"
    scenario.when(B, Bid(amount=30)).then(BidMade(seat=B, amount=30))
    assert scenario.view().to_act == (C,)


def test_open_outcry_lets_a_seat_that_passed_bid_again() -> None:
    scenario = game(*auction((B, 10))).when(A, Call(step=1))
    scenario = game(*auction((B, 10)), hands=(START,) * 4).when(C, Pass())
    scenario.when(C, Pass()).refused("already_passed")
    scenario.when(B, Pass()).refused("already_highest")
    scenario.when(A, Pass()).refused("auctioneer_cannot_pass")
    scenario.when(C, Bid(amount=20)).then(BidMade(seat=C, amount=20))
    assert scenario.view().table.auction.passed == []


def test_a_pass_does_not_reset_the_calls() -> None:
    scenario = game(*auction((B, 10)), hands=(START,) * 4).when(A, Call(step=1)).when(C, Pass())
    scenario.when(A, Call(step=2)).when(A, Call(step=3))
    assert scenario.events[-1] == AuctionClosed(bidder=B, price=10)


def to_pay(rule: str, hand: Heap, price: int) -> Scenario:
    more = (
        *auction((B, price)),
        AuctionClosed(bidder=B, price=price),
        Sold(auctioneer=A, bidder=B, price=price),
    )
    return game(*more, hands=(START, hand, START), options={"payment_rule": rule})


def test_payment_rule() -> None:
    exact: PayOffer = to_pay("exact_if_possible", START, 40).view(B).offer(Pay)
    assert exact.payments() == [{"10": 4}]
    to_pay("exact_if_possible", START, 40).when(B, Pay(cards={"50": 1})).refused("superfluous_cards")
    to_pay("exact_if_possible", START, 40).when(B, Pay(cards={"10": 4, "0": 1})).refused("superfluous_cards")
    over: PayOffer = to_pay("exact_if_possible", {"50": 1, "100": 1}, 40).view(B).offer(Pay)
    assert over.payments() == [{"100": 1}, {"50": 1}]
    freely = to_pay("any", START, 40)
    freely.when(B, Pay(cards={"10": 3})).refused("underpaid")
    freely.when(B, Pay(cards=START))
    assert freely.game.state.money[:2] == [plus(START, START), {}]


@pytest.mark.parametrize(
    ("options", "count", "shown"),
    [
        ({}, None, None),
        ({"public_payments": "count"}, 4, None),
        ({"public_payments": "cards"}, 4, {"10": 4}),
        ({"show_money_counts": True}, 4, None),
    ],
)
def test_public_payments(options: dict[str, Any], count: int | None, shown: Heap | None) -> None:
    scenario = game(*auction((B, 40)), options=options).when(C, Pass()).when(A, Decide(preempt=False))
    scenario.when(B, Pay(cards={"10": 4}))
    for viewer in (A, B, C, "table"):
        result = scenario.view(viewer).table.last_auction
        assert (result.count, result.shown) == (count, shown)
    assert scenario.view(A).hand.last_payment.cards == scenario.view(B).hand.last_payment.cards == {"10": 4}
    assert scenario.view(C).hand.last_payment is None


def test_show_money_counts() -> None:
    assert Table.open("kuhhandel", 3).view().table.money_counts is None
    table = Table.open(
        "kuhhandel", 3, {"show_money_counts": True, "start_rule": "seat_0"}, Scripted(["donkey"])
    )
    assert table.view().table.money_counts == [7, 7, 7]
    table.act(A, StartAuction())
    assert table.view().table.money_counts == [8, 8, 8]


def trade(*answers: tuple[int, Any], offer: Heap, **options: Any) -> Scenario:
    scenario = game(animals=({"cow": 1}, {"cow": 1}), options=options)
    scenario.when(A, StartTrade(target=B, species="cow", offer=offer))
    for seat, answer in answers:
        scenario.when(seat, answer)
        assert scenario.rejected is None
    return scenario


def test_allow_empty_offer() -> None:
    scenario = game(animals=({"cow": 1}, {"cow": 1}), options={"allow_empty_offer": False})
    scenario.when(A, StartTrade(target=B, species="cow", offer={})).refused("empty_offer")
    scenario.when(A, StartTrade(target=B, species="cow", offer={"10": 0})).refused("empty_offer")
    scenario.when(A, StartTrade(target=B, species="cow", offer={"0": 1})).when(B, CounterTrade(cards={}))
    scenario.when(A, ReofferTrade(cards={})).refused("empty_offer")
    broke = game(
        hands=({}, START, START), animals=({"cow": 1}, {"cow": 1}), options={"allow_empty_offer": False}
    )
    broke.when(A, StartTrade(target=B, species="cow", offer={}))
    assert broke.rejected is None, "a broke seat is never blocked"


def test_tie_money() -> None:
    tie = ((B, CounterTrade(cards={"50": 1})),)
    assert trade(*tie, offer={"10": 4}, tie_money="swap").game.state.money[0] == {"0": 2, "50": 2}
    heaps: tuple[Heap, Heap] = ({"0": 2}, {"0": 1})
    for tie_money, expected in (("return", [START, START]), ("swap", [{**START, "0": 1}, {**START, "0": 3}])):
        scenario = trade((B, CounterTrade(cards=heaps[1])), offer=heaps[0], tie_money=tie_money)
        assert scenario.view().phase == "trade_reoffer"
        assert scenario.game.state.money[:2] == expected


@pytest.mark.parametrize(
    ("to", "winner", "animals"),
    [("challenger_free", A, [2, 0]), ("target_free", B, [0, 2]), ("no_transfer", None, [1, 1])],
)
def test_second_tie(to: str, winner: int | None, animals: list[int]) -> None:
    again = ((B, CounterTrade(cards={})), (A, ReofferTrade(cards={})), (B, CounterTrade(cards={})))
    scenario = trade(*again, offer={}, second_tie=to)
    resolved = scenario.happened(TradeResolved)
    assert (resolved.winner, resolved.animals, resolved.free) == (
        winner,
        1 if winner is not None else 0,
        True,
    )
    assert [scenario.game.state.animals[seat]["cow"] for seat in (A, B)] == animals


def test_zero_cards_return() -> None:
    counter = (B, CounterTrade(cards={"10": 1, "0": 2}))
    kept = trade(counter, offer={"50": 1, "0": 1})
    assert kept.game.state.money[:2] == [{"0": 3, "10": 5}, {"0": 1, "10": 3, "50": 2}]
    back = trade(counter, offer={"50": 1, "0": 1}, zero_cards_return=True)
    assert back.game.state.money[:2] == [{"0": 2, "10": 5}, {"0": 2, "10": 3, "50": 2}]
    taken = back.happened(HeapsTaken)
    assert (taken.to_challenger, taken.to_target) == ({"0": 1, "10": 1}, {"0": 2, "50": 1})


@pytest.mark.parametrize("offer", [{"50": 1, "0": 1}, {"10": 1, "0": 1}])
def test_trade_money_of_the_first_edition(offer: Heap) -> None:
    """Who gets the animals pays the own heap; the other takes its own back."""
    scenario = trade((B, CounterTrade(cards={"10": 2})), offer=offer, trade_money="first_edition")
    if "50" in offer:
        expected = [minus(START, offer), plus(START, offer)]
    else:
        expected = [plus(START, {"10": 2}), minus(START, {"10": 2})]
    assert scenario.game.state.money[:2] == expected


@pytest.mark.parametrize("reveal", ["participants", "all"])
def test_reveal_heaps(reveal: str) -> None:
    shown = reveal == "all"
    countered = trade((B, CounterTrade(cards={"10": 2})), offer={"50": 1}, reveal_heaps=reveal)
    assert countered.view().table.last_trade.totals == ((50, 20) if shown else None)
    accepted = trade((B, AcceptTrade()), offer={"50": 1}, reveal_heaps=reveal)
    assert accepted.view().table.last_trade.totals == ((50, None) if shown else None)
    tied = trade((B, CounterTrade(cards={"10": 2})), offer={"10": 2}, reveal_heaps=reveal)
    assert tied.view().table.trade.totals == ((20, 20) if shown else None)
    tied.when(A, ReofferTrade(cards={}))
    assert tied.view().table.trade.totals is None


@pytest.mark.parametrize(("scoring", "scores"), [("product", (100, 500, 0)), ("sum", (50, 250, 0))])
def test_scoring(scoring: str, scores: tuple[int, ...]) -> None:
    owned = ({"rooster": 4, "goose": 4}, {"dog": 4, "cat": 4}, {})
    events = (*at(*(START,) * 3, animals=owned, deck_left=0), PlayEnded(reason="all_complete"))
    scenario = given("kuhhandel", *events, players=3, options={"scoring": scoring})
    outcome = scenario.game.rules.outcome(scenario.game.state)
    assert outcome is not None
    assert outcome.scores == scores


def test_the_dove_goes_to_the_first_pair_and_to_no_other() -> None:
    owned = ({"rooster": 4, "goose": 3, "cat": 1}, {"goose": 1, "dog": 4, "cat": 3}, {"pig": 4})
    options = {"scoring": "sum_plus_dove"}
    scenario = game(animals=owned, deck_left=0, options=options)
    scenario.when(A, StartTrade(target=B, species="goose", offer={})).when(B, AcceptTrade())
    assert scenario.happened(DoveTaken).seat == A
    assert scenario.view().table.dove == A
    scenario.when(B, StartTrade(target=A, species="cat", offer={})).when(A, AcceptTrade())
    assert not any(isinstance(event, DoveTaken) for event in scenario.events)
    assert scenario.game.outcome is not None
    assert scenario.game.outcome.scores == (50 + 500, 250, 650)
    plain = game(animals=owned, deck_left=0)
    plain.when(A, StartTrade(target=B, species="goose", offer={})).when(B, AcceptTrade())
    assert not any(isinstance(event, DoveTaken) for event in plain.events)


def test_the_dove_also_comes_with_an_auction() -> None:
    owned = ({"rooster": 4, "goose": 3},)
    scenario = game(*auction(lot=("goose",)), animals=owned, options={"scoring": "sum_plus_dove"})
    scenario.when(B, Pass()).when(C, Pass())
    assert scenario.events[2:4] == (AnimalsTaken(seat=A, lot=("goose",), price=0), DoveTaken(seat=A))


@pytest.mark.parametrize("money_set", MONEY)
def test_money_set(money_set: str) -> None:
    starts = {
        "classic": {"0": 2, "10": 4, "50": 1},
        "first_edition": {"0": 2, "10": 5},
        "master": {"0": 2, "10": 3, "20": 1, "50": 1},
    }
    for seats in (3, 4, 5):
        table = Table.open("kuhhandel", seats, {"money_set": money_set})
        assert all(table.view(seat).hand.money == starts[money_set] for seat in range(seats))
        assert table.violations() == []


def test_a_lot_of_two_is_one_purchase_and_donkeys_in_it_pay_in_order() -> None:
    options = {"lot_size": 2, "start_rule": "seat_0"}
    table = Table.open("kuhhandel", 3, options, Scripted(["donkey", "donkey", "cow", "donkey"]))
    assert table.act(A, StartAuction()).events == (
        AuctionStarted(auctioneer=A, lot=("donkey", "donkey"), deck_left=38),
        DonkeyPaidOut(ordinal=1, denomination="50"),
        DonkeyPaidOut(ordinal=2, denomination="100"),
    )
    table.act(B, Bid(amount=150))
    table.act(C, Pass())
    table.act(A, Decide(preempt=False))
    table.act(B, Pay(cards={"100": 1, "50": 1}))
    assert table.view().table.animals == [{}, {"donkey": 2}, {}]
    started = table.act(B, StartAuction()).events
    assert started[1:] == (DonkeyPaidOut(ordinal=3, denomination="200"),)


def test_the_last_odd_animal_is_auctioned_alone() -> None:
    owned = ({"cow": 3},)
    position = at(*(START,) * 3, animals=owned, deck_left=1)
    scenario = given("kuhhandel", *position, players=3, options={"lot_size": 2}, dealer=Scripted(["cow"]))
    assert scenario.when(A, StartAuction()).events[0].lot == ("cow",)


def test_remove_surplus_money_has_no_effect_on_play() -> None:
    logs = []
    for removed in (True, False):
        options = {"remove_surplus_money": removed, "start_rule": "seat_0"}
        table = Table.open("kuhhandel", 3, options, Scripted(["donkey"]))
        for seat, action in (
            (A, StartAuction()),
            (B, Bid(amount=90)),
            (C, Pass()),
            (A, Decide(preempt=False)),
        ):
            table.act(seat, action)
        table.act(B, Pay(cards={"50": 2}))
        logs.append([commit.events for commit in table.log[1:]])
        assert table.view().table.bank == {"0": 4, "10": 8, "50": 4, "100": 5, "200": 5, "500": 5}
    assert logs[0] == logs[1]


@pytest.mark.parametrize("limit", [0, 1])
def test_max_trades_after_deck(limit: int) -> None:
    owned = ({"cow": 1, "horse": 4}, {"cow": 2, "pig": 2}, {"cow": 1, "pig": 2})
    options = {"max_trades_after_deck": limit}
    if limit == 0:
        scenario = game(
            *auction(lot=("dog",), deck_left=0), animals=({"dog": 3, **owned[0]}, *owned[1:]), options=options
        )
        scenario.when(B, Pass()).when(C, Pass())
        assert scenario.game.outcome is not None
        assert scenario.game.outcome.scores == ((160 + 1000) * 2, 0, 0)
    else:
        scenario = game(animals=owned, deck_left=0, options=options)
        scenario.when(A, StartTrade(target=B, species="cow", offer={})).when(B, CounterTrade(cards={}))
        assert not scenario.game.finished, "a tie is no end of the trade"
        scenario.when(A, ReofferTrade(cards={})).when(B, AcceptTrade())
        assert scenario.game.outcome is not None
        assert scenario.game.outcome.scores == (1000, 0, 0)
        assert scenario.view().table.late_trades == 1
    assert scenario.game.outcome.reason == "trade_limit"
    assert scenario.game.outcome.winners == (A,)


def test_only_trades_with_the_deck_empty_count_towards_the_limit() -> None:
    scenario = game(animals=({"cow": 1}, {"cow": 2}, {"cow": 1}), options={"max_trades_after_deck": 1})
    scenario.when(A, StartTrade(target=B, species="cow", offer={})).when(B, AcceptTrade())
    assert scenario.view().table.late_trades == 0
    assert not scenario.game.finished


@pytest.mark.parametrize("mode", ["open_outcry", "round_robin"])
def test_phases_and_the_seats_that_are_waited_for(mode: str) -> None:
    options = {"auction_mode": mode, "start_rule": "seat_0"}
    table = Table.open("kuhhandel", 3, options, Scripted(["cow", "cow"]))
    seen = [(table.view().phase, table.view().to_act)]
    moves: list[tuple[int, Any]] = [(A, StartAuction()), (B, Bid(amount=10)), (C, Pass())]
    moves += [(A, Decide(preempt=True)), (A, Pay(cards={"10": 1}))]
    for seat, action in moves:
        table.act(seat, action)
        seen.append((table.view().phase, table.view().to_act))
    bidding = [(B, C), (C,)] if mode == "open_outcry" else [(B,), (C,)]
    assert seen == [
        ("turn", (A,)),
        ("auction_open", bidding[0]),
        ("auction_open", bidding[1]),
        ("auction_decision", (A,)),
        ("auction_payment", (A,)),
        ("turn", (B,)),
    ]
