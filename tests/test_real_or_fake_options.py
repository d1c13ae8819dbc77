"""Each option of real_or_fake.md §12: what it changes, and what it leaves alone."""

from typing import Any

import pytest

from fairdeal.game import Finished, Resign
from fairdeal.games.real_or_fake import (
    Arrange,
    Arranged,
    AuctionLapsed,
    AuctionRestarted,
    AuctionStarted,
    AuctionWon,
    Bid,
    BidMade,
    BonusPaid,
    Buy,
    HouseFilled,
    InsiderRevealed,
    InsiderTaken,
    Options,
    Overbid,
    Pass,
    Passed,
    PilesLaid,
    Roll,
    Rolled,
    Sort,
    Taxed,
    TurnStarted,
    WealthCounted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_cards import HOUSE_BOARD, VALUES
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for
from support.real_or_fake import OPTION_SETS, at, before, named, some
from support.scenario import Scenario, given

A, B, C, D = range(4)
EMPTY = ("", "", "")
HOUSE = "2 art 2 wines"


def landed(
    square: Any, *hands: str, options: dict[str, Any], seat: int = A, draws: str = "", **position: Any
) -> Scenario:
    """The seat on turn has rolled two ones and come to such a square of the house's board."""
    scenario = given(
        "real_or_fake",
        *at(*hands, turn=seat, squares={seat: before(square)}, **position),
        players=len(hands),
        options=options,
        dealer=Scripted([1, 1, *named(draws)]),
    )
    scenario.when(seat, Roll())
    assert scenario.happened(Rolled).square == square
    return lawful(scenario)


def lawful(scenario: Scenario) -> Scenario:
    assert scenario.rejected is None
    assert not scenario.game.rules.violations(scenario.game.state)
    return scenario


def passes(scenario: Scenario, *seats: int) -> Scenario:
    for seat in seats:
        scenario.when(seat, Pass())
    return lawful(scenario)


def test_the_defaults_are_the_rulebook_s() -> None:
    agreed = Options()
    assert (agreed.board, agreed.arrange, agreed.overbid) == ("house28", "free", "reject")
    assert (agreed.no_bid_house, agreed.bankrupt_insider) == ("starter_free", "shown")
    assert (agreed.min_bid, agreed.bid_step, agreed.tax_per_card) == (1000, 1000, 3000)
    assert (agreed.start_money, agreed.start_cards) == (150_000, 5)
    assert (agreed.insider_placed, agreed.insider_deck) == (10, "9+27")
    assert agreed.value_table == VALUES
    assert (agreed.hide_cash, agreed.last_living_ends, agreed.start_bonus) == (False, True, 0)


def test_every_option_is_played_somewhere_off_its_default() -> None:
    default = Options()
    played: set[str] = set()
    for options in OPTION_SETS.values():
        agreed = rules_for("real_or_fake").resolve_options(options, 3)
        played |= {f for f in Options.__struct_fields__ if getattr(agreed, f) != getattr(default, f)}
    assert played == {*Options.__struct_fields__}


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"board": []}, "$.action.options.board"),
        ({"board": "house29"}, "$.action.options.board"),
        ({"board": ["start", "jail"]}, "$.action.options.board[1]"),
        ({"board": ["start", "trade", "tax_raid", "auction", "insider"]}, "$.action.options.board"),
        ({"board": ["start", "auction_object"], "no_bid_house": "stay"}, "$.action.options.board"),
        ({"board": ["new_acquisition"] * 61}, "$.action.options.board"),
        ({"min_bid": 0}, "$.action.options.min_bid"),
        ({"min_bid": 1500}, "$.action.options.min_bid"),
        ({"bid_step": 500}, "$.action.options.bid_step"),
        ({"tax_per_card": -1000}, "$.action.options.tax_per_card"),
        ({"start_money": 150_500}, "$.action.options.start_money"),
        ({"start_bonus": 1}, "$.action.options.start_bonus"),
        ({"start_cards": 21}, "$.action.options.start_cards"),
        ({"insider_placed": 9}, "$.action.options.insider_placed"),
        ({"insider_placed": 38}, "$.action.options.insider_placed"),
        ({"insider_deck": "10+26"}, "$.action.options.insider_deck"),
        ({"value_table": [0, 1000]}, "$.action.options.value_table"),
        ({"value_table": [0] * 12 + [1]}, "$.action.options.value_table[12]"),
        ({"no_such": 1}, "$.action.options"),
        ({"preset": "swedish"}, "$.action.options.preset"),
    ],
)
def test_options_that_cannot_be_are_refused_with_their_path(options: dict[str, Any], path: str) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("real_or_fake", 3, options)
    assert refused.value.code == "bad_options"
    assert refused.value.details["path"] == path


@pytest.mark.parametrize("seats", [2, 6])
def test_three_to_five_play(seats: int) -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("real_or_fake", seats)
    assert refused.value.code == "bad_players"


# board


def test_a_board_of_ones_own() -> None:
    board = ["start", "trade", "new_acquisition"]
    hands = [*named("5 art"), *named("5 wines"), *named("5 rugs")]
    table = Table.open(
        "real_or_fake",
        3,
        {"board": board},
        Scripted([*hands, 6, 6, 1, 1, 1, 1, 6, 6, 1, 1, *named("toys cars")]),
    )
    assert table.view().table.board == tuple(board)
    table.act(0, Roll())
    assert table.view().table.positions == [0, 0, 0], "twelve steps are four times round"
    table.act(1, Roll())
    assert table.view(1).hand.new == some("toys cars")
    assert Table.open("real_or_fake", 3).view().table.board == HOUSE_BOARD


# arrange


def test_one_way_cards_stay_on_the_table() -> None:
    position = at("3 rugs", "", "", tables={A: "art"})
    scenario = given("real_or_fake", *position, players=3, options={"arrange": "one_way"})
    assert scenario.view(A).offer(Arrange).to_hand == {}
    scenario.when(A, Arrange(to_hand=some("art"))).refused("one_way")
    scenario.when(A, Arrange(to_table=some("2 rugs"))).then(
        Arranged(seat=A, to_table={"rugs": 2}, to_hand={}, in_hand=1)
    )
    scenario.when(A, Arrange(to_hand=some("rugs"))).refused("one_way")


# overbid

REDO = {"overbid": "redo"}


def test_g17_who_bids_too_much_is_left_out_and_the_auction_repeated() -> None:
    scenario = landed("auction", *EMPTY, "", house=HOUSE, cash={C: 5000}, options=REDO)
    scenario.when(A, Bid(amount=3000)).when(B, Pass())
    scenario.when(C, Bid(amount=6000)).then(Overbid(seat=C, amount=6000), AuctionRestarted(starter=A))
    auction = lawful(scenario).view().table.auction
    assert (auction.bidders, auction.excluded, auction.high) == ([A, B, D], [C], None)
    scenario.when(A, Pass()).when(B, Bid(amount=1000)).when(D, Pass())
    assert lawful(scenario).events[-1] == AuctionWon(kind="house", seat=B, price=1000)


def test_a_starter_that_bids_too_much_is_followed_by_the_next_seat() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={A: 5000}, options=REDO)
    scenario.when(A, Bid(amount=6000)).then(Overbid(seat=A, amount=6000), AuctionRestarted(starter=B))
    passes(scenario, B, C)
    assert scenario.events[-1] == AuctionWon(kind="house", seat=B, price=0), "B is the starter now"


def test_when_all_bid_too_much_the_last_starter_gets_the_cards_free() -> None:
    scenario = landed("insider", *EMPTY, draws="art blank", options=REDO)
    for seat in (A, B, C):
        scenario.when(seat, Bid(amount=151_000))
    assert scenario.events[:3] == (
        Overbid(seat=C, amount=151_000),
        AuctionRestarted(starter=C),
        AuctionWon(kind="insider", seat=C, price=0),
    )
    lawful(scenario)


def test_when_only_excluded_seats_are_left_the_next_of_them_is_the_starter() -> None:
    scenario = landed("insider", *EMPTY, draws="art blank", options=REDO)
    scenario.when(A, Bid(amount=151_000)).when(B, Bid(amount=151_000)).when(C, Resign())
    assert scenario.happened(InsiderTaken).seat == A
    lawful(scenario)


def test_a_bid_has_no_ceiling_where_the_auction_is_repeated() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, options=REDO)
    assert scenario.view(A).offer(Bid).most is None
    scenario.when(A, Bid(amount=10**12)).then(Overbid(seat=A, amount=10**12), ...)
    scenario.when(B, Bid(amount=150_500)).refused("bad_step")
    passes(scenario, B, C)


# no_bid_house


def test_nobody_bids_and_the_house_stays() -> None:
    stay = {"no_bid_house": "stay"}
    scenario = passes(landed("auction", *EMPTY, house=HOUSE, options=stay), A, B, C)
    assert scenario.events[-2:] == (AuctionLapsed(discarded=False), TurnStarted(seat=B, number=2))
    assert scenario.view().table.house == some(HOUSE)


def test_a_full_house_that_stays_takes_no_more_and_can_still_be_auctioned() -> None:
    stay = {"no_bid_house": "stay"}
    scenario = passes(landed("auction_object", *EMPTY, house="8 art", draws="2 rugs", options=stay), A, B, C)
    assert scenario.view().table.house == some("8 art 2 rugs")
    full = landed("auction_object", *EMPTY, house="8 art 2 rugs", options=stay)
    assert full.events[1:] == (TurnStarted(seat=B, number=2),)
    auctioned = landed("auction", *EMPTY, house="8 art 2 rugs", options=stay)
    assert auctioned.events[-1] == AuctionStarted(kind="house", starter=A, count=10)


def test_nobody_bids_and_the_house_is_discarded() -> None:
    discard = {"no_bid_house": "discard"}
    scenario = passes(landed("auction", *EMPTY, house=HOUSE, options=discard), A, B, C)
    assert scenario.events[-2:] == (AuctionLapsed(discarded=True), TurnStarted(seat=B, number=2))
    assert scenario.view().table.house == {}
    assert scenario.view().table.set_aside == some(HOUSE)


@pytest.mark.parametrize("way", ["stay", "discard"])
def test_insider_cards_that_nobody_bids_for_are_always_free(way: str) -> None:
    scenario = landed("insider", *EMPTY, draws="2 blank", options={"no_bid_house": way})
    assert passes(scenario, A, B, C).happened(InsiderTaken).seat == A


# min_bid, bid_step


def test_the_least_bid_and_the_step() -> None:
    options = {"min_bid": 5000, "bid_step": 3000}
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={C: 8000}, options=options)
    scenario.when(A, Bid(amount=4000)).refused("bid_too_low")
    scenario.when(A, Bid(amount=6000)).then(BidMade(seat=A, amount=6000))
    scenario.when(B, Bid(amount=8000)).refused("bid_too_low")
    assert scenario.view(B).offer(Bid).least == 9000
    scenario.when(B, Bid(amount=10_000)).then(BidMade(seat=B, amount=10_000), Passed(seat=C, forced=True))


def test_who_has_less_than_the_least_bid_is_passed_over() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={A: 4000}, options={"min_bid": 5000})
    assert scenario.events[2:] == (Passed(seat=A, forced=True),)
    assert scenario.view().to_act == (B,)


# tax_per_card, start_money, start_cards


@pytest.mark.parametrize(("per_card", "tax"), [(0, 0), (1000, 4000), (10_000, 40_000)])
def test_the_tax_on_a_card(per_card: int, tax: int) -> None:
    scenario = landed("tax_raid", "4 art", "", "", options={"tax_per_card": per_card})
    assert scenario.happened(Taxed).amount == tax


@pytest.mark.parametrize(("seats", "cards", "piles"), [(3, 0, (54, 54)), (5, 20, (4, 4)), (3, 3, (50, 49))])
def test_the_hands_and_the_purse(seats: int, cards: int, piles: tuple[int, int]) -> None:
    table = Table.open("real_or_fake", seats, {"start_cards": cards, "start_money": 7000}, dealer=1)
    shown = table.view().table
    assert shown.hands == [cards] * seats
    assert shown.cash == [7000] * seats
    assert (shown.new_acquisitions, shown.auction_objects) == piles
    assert not table.violations()


# insider_placed, insider_deck


@pytest.mark.parametrize(("deck", "cards"), [("9+27", 36), ("18+49", 67), ("36+94", 130)])
@pytest.mark.parametrize("placed", [0, 4, 36])
def test_other_insider_cards(deck: str, cards: int, placed: int) -> None:
    table = Table.open("real_or_fake", 3, {"insider_deck": deck, "insider_placed": placed}, dealer=1)
    laid = next(event for event in table.log[0].events if isinstance(event, PilesLaid))
    assert (laid.insiders, laid.put_away) == (placed, cards - placed)
    assert sum(table.state.insider_pool.values()) == cards
    assert not table.violations()


def test_without_insider_cards_their_square_does_nothing() -> None:
    scenario = landed("insider", *EMPTY, placed=0, options={"insider_placed": 0})
    assert scenario.events[1:] == (TurnStarted(seat=B, number=2),)


def test_two_marked_cards_of_one_series_say_no_more_than_one() -> None:
    scenario = landed(
        "new_acquisition",
        *("2 art", "3 art", ""),
        piles=(2, 10),
        draws="2 toys",
        insiders={A: "art art"},
        options={"insider_deck": "18+49"},
    )
    counted = scenario.happened(WealthCounted)
    assert counted.fakes == ("art",)
    assert [wealth.collections for wealth in counted.wealth] == [4000, 0, 0]


# value_table


def test_another_value_table() -> None:
    table = [0, 3000, 5000, *[8000] * 10]
    options = {"value_table": table}
    scenario = landed("trade", *EMPTY, tables={B: "3 rugs art"}, options=options)
    assert scenario.view(A).offer(Buy).prices == {B: {"art": 3000, "rugs": 8000}}
    scenario.when(A, Buy(seat=B, series="rugs"))
    assert lawful(scenario).view().table.cash == [142_000, 158_000, 150_000]
    scenario = landed("new_acquisition", "art", "4 rugs", "", piles=(2, 10), draws="2 toys", options=options)
    assert [w.collections for w in scenario.happened(WealthCounted).wealth] == [8000, 8000, 0]


def test_a_value_of_nothing_is_a_value() -> None:
    scenario = landed(
        "new_acquisition", *EMPTY, piles=(1, 10), draws="toys", options={"value_table": [1000] * 13}
    )
    assert [w.collections for w in scenario.happened(WealthCounted).wealth] == [9000] * 3


# bankrupt_insider


@pytest.mark.parametrize(("way", "fakes"), [("shown", ("art", "rugs")), ("void", ("rugs",))])
def test_a_bankrupt_s_insider_cards(way: str, fakes: tuple[str, ...]) -> None:
    scenario = landed(
        "new_acquisition",
        *("2 art", "", ""),
        piles=(2, 10),
        draws="2 toys",
        bankrupt=[B],
        insiders={B: "art blank", C: "rugs blank"},
        options={"bankrupt_insider": way},
    )
    assert scenario.happened(WealthCounted).fakes == fakes
    revealed = [event for event in scenario.events if isinstance(event, InsiderRevealed)]
    assert len(revealed) == (4 if way == "shown" else 2)
    assert scenario.view(B).hand.insiders == ["art", "blank"]


# hide_cash


def test_hidden_cash_is_seen_by_its_owner() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={A: 60_000}, options={"hide_cash": True})
    assert scenario.view().table.cash is None
    assert [scenario.view(seat).hand.cash for seat in (A, B, C)] == [60_000, 150_000, 150_000]
    assert scenario.view(A).offer(Bid).most == 60_000
    scenario.when(A, Bid(amount=60_000))
    passes(scenario, B, C)
    assert scenario.view(A).hand.cash == 0
    assert scenario.view().table.bank == 150_000


# last_living_ends


def test_the_last_seat_plays_on_alone() -> None:
    scenario = landed(
        "tax_raid",
        *("3 rugs", "", ""),
        seat=A,
        cash={A: 0},
        bankrupt=[C],
        options={"last_living_ends": False},
    )
    assert scenario.events[-2:] == (
        WentBankrupt(seat=A, tax=9000, cash=0, cards={"rugs": 3}),
        TurnStarted(seat=B, number=2),
    )
    scenario.when(B, Resign())
    finished = lawful(scenario).events[-1]
    assert isinstance(finished, Finished)
    assert finished.outcome.reason == "nobody_left"
    assert finished.outcome.winners == ()
    assert finished.outcome.places == (2, 1, 3)


def test_an_auction_of_one() -> None:
    alone = {"last_living_ends": False}
    scenario = landed("auction", *EMPTY, house=HOUSE, bankrupt=[B, C], options=alone)
    scenario.when(A, Bid(amount=1000)).then(
        BidMade(seat=A, amount=1000), AuctionWon(kind="house", seat=A, price=1000)
    )
    scenario.when(A, Sort()).then(
        ...,
    )
    assert scenario.view().to_act == (A,)
    scenario = landed("insider", *EMPTY, draws="2 blank", bankrupt=[B, C], options=alone)
    assert passes(scenario, A).happened(InsiderTaken).price == 0
    scenario = landed("insider", *EMPTY, bankrupt=[B, C], options=alone).when(A, Resign())
    assert lawful(scenario).happened(WealthCounted).reason == "nobody_left"


# start_bonus


@pytest.mark.parametrize(
    ("square", "dice", "paid"), [(25, (1, 2), True), (25, (2, 3), True), (25, (1, 1), False)]
)
def test_the_bonus_for_the_start(square: int, dice: tuple[int, int], paid: bool) -> None:
    scenario = given(
        "real_or_fake",
        *at(*EMPTY, squares={A: square}),
        players=3,
        options={"start_bonus": 5000},
        dealer=Scripted(dice),
    )
    scenario.when(A, Roll())
    assert (BonusPaid(seat=A, amount=5000) in scenario.events) == paid
    table = lawful(scenario).view().table
    assert table.cash[A] == 150_000 + 5000 * paid
    assert table.bank == -5000 * paid


def test_the_bonus_comes_before_the_square() -> None:
    """It may just save a seat from its tax; a lap too many on a short board is paid too."""
    board = ["start", "tax_raid", "new_acquisition"]
    scenario = given(
        "real_or_fake",
        *at("2 art", "", "", cash={A: 0}),
        players=3,
        options={"start_bonus": 3000, "board": board},
        dealer=Scripted([3, 4]),
    )
    scenario.when(A, Roll())
    assert scenario.events[1:3] == (BonusPaid(seat=A, amount=6000), Taxed(seat=A, count=2, amount=6000))
    assert lawful(scenario).view().table.cash[A] == 0


def test_the_last_card_of_a_full_house_that_stays_is_never_drawn() -> None:
    scenario = landed(
        "auction_object", *EMPTY, house="8 art 2 rugs", piles=(10, 2), options={"no_bid_house": "stay"}
    )
    assert not any(isinstance(event, HouseFilled) for event in scenario.events)
    assert scenario.view().table.auction_objects == 2
