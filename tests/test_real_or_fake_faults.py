"""The kinds of faults that implementations of like games had, by the ids of the list of known faults.

None of the list's entries is about this game; these are the kinds that could happen here too.
"""

import pickle
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.game import Resign
from fairdeal.games.real_or_fake import (
    Arrange,
    AuctionWon,
    Bid,
    Buy,
    Decline,
    InsiderTaken,
    Pass,
    Roll,
    Sort,
    TurnStarted,
    WealthCounted,
)
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from support.harness import moves_of, outcomes_of, play_random
from support.real_or_fake import at, before, brisk, events_of, named, some
from support.scenario import Scenario, given

A, B, C, D = range(4)


def landed(square: Any, *hands: str, draws: str = "", **position: Any) -> Scenario:
    events = at(*hands, squares={A: before(square)}, **position)
    dealer = Scripted([1, 1, *named(draws)])
    return given("real_or_fake", *events, players=len(hands), dealer=dealer).when(A, Roll())


def auction(*hands: str, **position: Any) -> Scenario:
    return landed("auction", *hands, house="2 art 2 wines", **position)


def test_p4_k1_the_right_seat_pays_and_the_right_one_is_paid() -> None:
    """The comparison was inverted, or a payout credited nobody."""
    scenario = landed("trade", "", "3 rugs", "", tables={B: "2 wines", C: "rugs"})
    scenario.when(A, Buy(seat=B, series="wines"))
    assert scenario.view().table.cash == [146_000, 154_000, 150_000]
    scenario = auction("", "", "").when(A, Bid(amount=1000)).when(B, Bid(amount=2000))
    scenario.when(C, Pass()).when(A, Pass())
    assert scenario.view().table.cash == [150_000, 148_000, 150_000]


def test_p5_k1_the_last_event_holds_the_final_state() -> None:
    """The result was made after it had been sent, so others got old data."""
    table = play_random(Table.open("real_or_fake", 3, dealer=4), Random(4), weigh=brisk)
    counted = table.log[-1].events[-2]
    assert isinstance(counted, WealthCounted)
    shown = table.view().table
    assert shown.wealth == counted.wealth
    assert [wealth.cash for wealth in counted.wealth] == shown.cash
    assert table.outcome is not None
    assert table.outcome.scores == tuple(wealth.total for wealth in counted.wealth)


def test_p6_every_seat_may_do_what_its_turn_allows() -> None:
    """Only the host's own seat could use some commands."""
    for seat in range(5):
        position = at("art", "art", "art", "art", "art", turn=seat)
        scenario = given("real_or_fake", *position, players=5, dealer=Scripted([1, 1, *named("art")]))
        scenario.when(seat, Arrange(to_table=some("art")))
        assert scenario.rejected is None
        assert scenario.view().table.open_cards[seat] == {"art": 1}


def test_p7_p13_k9_no_bid_of_nothing_no_equal_bid_and_no_less_is_paid() -> None:
    scenario = auction("", "", "")
    scenario.when(A, Bid(amount=0)).refused("bid_too_low")
    scenario.when(A, Bid(amount=2000))
    scenario.when(B, Bid(amount=2000)).refused("bid_too_low")
    scenario.when(B, Pass()).when(C, Pass())
    won = scenario.happened(AuctionWon)
    assert won.price == 2000
    assert scenario.view().table.cash[A] == 148_000


def test_p15_p20_the_bidding_goes_by_turns_and_the_next_turn_by_seats() -> None:
    """Whose turn it was was not checked, or computed from the wrong seat."""
    scenario = auction("", "", "", "")
    for seat in (B, C, D):
        scenario.when(seat, Bid(amount=5000)).refused("not_your_turn")
    scenario.when(A, Pass()).when(B, Pass()).when(C, Bid(amount=1000)).when(D, Pass())
    assert scenario.view().to_act == (C,)
    scenario.when(C, Sort())
    assert scenario.events[-1] == TurnStarted(seat=B, number=2), "after who landed there, not after who won"


def test_p17_p23_a_seat_that_leaves_in_its_turn_does_not_stop_the_game() -> None:
    for scenario in (
        auction("", "", "", ""),
        landed("trade", "", "art", "", "", tables={B: "rugs"}),
        landed("new_acquisition", "", "", "", "", draws="art rugs"),
        given("real_or_fake", *at("", "", "", ""), players=4),
    ):
        scenario.when(A, Resign())
        assert scenario.rejected is None
        assert scenario.view().to_act == (B,)


def test_p21_k14_nobody_sees_what_others_hold() -> None:
    one = given("real_or_fake", *at("3 art", "2 rugs", "toys"), players=3)
    other = given("real_or_fake", *at("3 art", "rugs cars", "wines"), players=3)
    assert one.views.encoded()["seat:0"] == other.views.encoded()["seat:0"]
    assert one.views.encoded()["table"] == other.views.encoded()["table"]


def test_p27_k23_the_same_draws_and_commands_give_the_same_game_and_no_view_tells_the_seed() -> None:
    table = play_random(Table.open("real_or_fake", 4, dealer=6), Random(6), weigh=brisk)
    again = Table.open("real_or_fake", 4, dealer=Scripted(outcomes_of(table.log)))
    for seat, action in moves_of(table.log):
        again.act(seat, action)
    assert again.view().table == table.view().table


def test_k3_a_refused_command_changes_nothing() -> None:
    """Choosing cards for a preview changed the real hand."""
    table = Table.open("real_or_fake", 3, dealer=2)
    before_it = pickle.dumps(table.state), table.encoded()
    (seat,) = table.view().to_act
    held = table.view(seat).hand.cards
    with pytest.raises(Rejected):
        table.act(seat, Arrange(to_table={**held, next(iter(held)): 12}))
    with pytest.raises(Rejected):
        table.act(seat, Decline())
    assert (pickle.dumps(table.state), table.encoded()) == before_it


def test_k4_nobody_outbids_oneself() -> None:
    scenario = auction("", "", "").when(A, Bid(amount=1000))
    scenario.when(A, Bid(amount=2000)).refused("not_your_turn")
    assert scenario.view(A).offers == ()


def test_k8_nobody_bids_more_than_the_own_money() -> None:
    scenario = auction("", "", "", cash={A: 3000})
    scenario.when(A, Bid(amount=4000)).refused("cannot_afford")
    assert scenario.view(A).offer(Bid).most == 3000


def test_k11_collections_are_counted_by_series() -> None:
    """Cards were grouped by identity: equal ones did not add up."""
    scenario = landed("new_acquisition", "2 art", "", "", tables={A: "art"}, piles=(2, 40), draws="art toys")
    assert scenario.happened(WealthCounted).wealth[A].cards == {"art": 4, "toys": 1}
    assert scenario.happened(WealthCounted).wealth[A].collections == 17_000


def test_k13_equal_totals_are_two_winners() -> None:
    """Scores were keyed by their value, so that equal ones overwrote each other."""
    scenario = landed("new_acquisition", "", "2 toys", "", piles=(2, 40), draws="toys toys")
    outcome = scenario.events[-1].outcome  # type: ignore[attr-defined]
    assert outcome.winners == (A, B)
    assert outcome.scores == (154_000, 154_000, 150_000)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "real_or_fake.arrange", "to_table": {"stamps": 1}},
        {"type": "real_or_fake.arrange", "to_table": {"art": 0}},
        {"type": "real_or_fake.arrange", "to_table": {"art": -1}},
        {"type": "real_or_fake.arrange", "to_table": ["art"]},
        {"type": "real_or_fake.sort", "to_table": {"art": 13}},
        {"type": "real_or_fake.buy", "seat": 1, "series": "stamps"},
        {"type": "real_or_fake.buy", "seat": 1},
        {"type": "real_or_fake.bid", "amount": "1000"},
        {"type": "real_or_fake.bid", "amount": 1000.5},
        {"type": "real_or_fake.pass", "amount": 1000},
    ],
)
def test_k17_what_is_no_command_is_refused_cleanly(wrong: dict[str, Any]) -> None:
    table = Table.open("real_or_fake", 3, dealer=2)
    with pytest.raises(msgspec.ValidationError):
        table.act(0, wrong)
    assert table.version == 1


def test_k21_the_game_ends_by_itself_without_a_cap() -> None:
    """Even if everybody only passes and keeps what comes."""
    for seats in (3, 4, 5):
        table = Table.open("real_or_fake", seats, {"tax_per_card": 0}, dealer=seats, clock=1000)
        while not table.finished:
            table.clock_expired()
            assert table.version < 1000
        turns = sum(isinstance(event, TurnStarted) for event in events_of(table.log))
        assert 30 < turns < 200


def test_insider_cards_come_from_their_own_pile() -> None:
    """A pile's order known ahead would tell the future: cards are drawn when they are sold."""
    table = play_random(Table.open("real_or_fake", 5, dealer=12), Random(12), weigh=brisk)
    sold = [event for event in events_of(table.log) if isinstance(event, InsiderTaken)]
    assert sold
    assert [event.pile_left for event in sold] == [10 - 2 * n for n in range(1, len(sold) + 1)]
