"""The golden cases of real_or_fake.md §10, by id, and the fine print of its §3 to §5."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from fairdeal.decks import read_deck
from fairdeal.game import Finished, Resign, Resigned
from fairdeal.games.real_or_fake import (
    Acquired,
    Arrange,
    Arranged,
    AuctionRestarted,
    AuctionStarted,
    AuctionWon,
    Bid,
    BidMade,
    Buy,
    Decline,
    HandDealt,
    HouseFilled,
    InsiderRevealed,
    InsiderTaken,
    Pass,
    Passed,
    PileEnded,
    PilesLaid,
    Roll,
    Rolled,
    Sort,
    Sorted,
    StartRolled,
    Taxed,
    Traded,
    TradeDeclined,
    TradeOpened,
    TurnStarted,
    WealthCounted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_cards import HOUSE_BOARD, SERIES, VALUES, Square
from fairdeal.visibility import redact
from fairdeal_local import Scripted, Table
from support.real_or_fake import at, before, named, some
from support.scenario import Scenario, given

A, B, C, D = range(4)


def play(
    *hands: str, draws: str = "", dice: tuple[int, ...] = (1, 1), options: Any = None, **position: Any
) -> Scenario:
    """A position and a dealer that gives these dice and then these cards."""
    scenario = given(
        "real_or_fake",
        *at(*hands, **position),
        players=len(hands),
        options=options,
        dealer=Scripted([*dice, *named(draws)]),
    )
    assert not scenario.game.rules.violations(scenario.game.state)
    return scenario


def landed(square: Square, *hands: str, seat: int = A, draws: str = "", **position: Any) -> Scenario:
    """The seat on turn has rolled and come to such a square."""
    scenario = play(*hands, draws=draws, turn=seat, squares={seat: before(square)}, **position)
    scenario.when(seat, Roll())
    assert scenario.rejected is None
    assert not scenario.game.rules.violations(scenario.game.state)
    assert scenario.happened(Rolled).square == square
    return scenario


def after(scenario: Scenario) -> Any:
    """The table, once no invariant is broken."""
    assert not scenario.game.rules.violations(scenario.game.state)
    return scenario.view().table


def outcome(scenario: Scenario) -> Any:
    finished = scenario.events[-1]
    assert isinstance(finished, Finished)
    return finished.outcome


def wealth(scenario: Scenario) -> Any:
    return scenario.happened(WealthCounted).wealth


EMPTY = ("", "", "")


# Components and set-up


class _Notes(msgspec.Struct):
    note: int
    count: int


class _Box(msgspec.Struct):
    start_notes: tuple[_Notes, ...]


def test_g1_the_start_notes() -> None:
    notes = {note.note: note.count for note in read_deck("real_or_fake", _Box).start_notes}
    assert [note * count for note, count in notes.items()] == [60_000, 50_000, 25_000, 10_000, 5_000]
    assert sum(note * count for note, count in notes.items()) == 150_000
    assert Table.open("real_or_fake", 3).view().table.cash == [150_000] * 3


@pytest.mark.parametrize(("seats", "acquisitions", "objects"), [(3, 47, 46), (4, 44, 44), (5, 42, 41)])
def test_g8_the_set_up(seats: int, acquisitions: int, objects: int) -> None:
    table = Table.open("real_or_fake", seats, dealer=4)
    shown = table.view().table
    assert (shown.new_acquisitions, shown.auction_objects) == (acquisitions, objects)
    assert shown.hands == [5] * seats
    assert shown.insider_pile == 10
    laid = next(event for event in table.log[0].events if isinstance(event, PilesLaid))
    assert laid == PilesLaid(new_acquisitions=acquisitions, auction_objects=objects, insiders=10, put_away=26)
    for seat in range(seats):
        assert sum(table.view(seat).hand.cards.values()) == 5
        assert table.view(seat).hand.cash == 150_000


def test_the_highest_roll_starts_and_the_tied_highest_roll_again() -> None:
    hands = [*named("5 art"), *named("5 wines"), *named("5 rugs")]
    table = Table.open("real_or_fake", 3, {}, Scripted([*hands, 6, 2, 1, 1, 4, 4, 5, 5, 6, 4, 1, 2, 2, 2]))
    rolls = [event for event in table.log[0].events if isinstance(event, StartRolled)]
    assert rolls == [
        StartRolled(seats=(0, 1, 2), rolls=((6, 2), (1, 1), (4, 4))),
        StartRolled(seats=(0, 2), rolls=((5, 5), (6, 4))),
        StartRolled(seats=(0, 2), rolls=((1, 2), (2, 2))),
    ]
    assert table.view().to_act == (2,)
    assert table.log[0].events[-1] == TurnStarted(seat=2, number=1)


def test_the_house_s_board() -> None:
    letters = {
        "start": "S",
        "new_acquisition": "N",
        "trade": "H",
        "auction_object": "O",
        "tax_raid": "T",
        "auction": "A",
        "insider": "I",
    }
    board = " ".join(letters[square] for square in HOUSE_BOARD)
    assert board == "S N H O T N A O H N I T O H N O A N H T O N I O H N A T"
    assert Counter(board.split()) == {"S": 1, "N": 7, "O": 6, "H": 5, "T": 4, "A": 3, "I": 2}
    assert all(
        one != other for one, other in zip(HOUSE_BOARD, (*HOUSE_BOARD[1:], HOUSE_BOARD[0]), strict=True)
    )


def test_g22_the_value_table() -> None:
    thousands = (0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144)
    assert tuple(value // 1000 for value in VALUES) == thousands
    assert [VALUES[count] for count in (1, 2, 8)] == [1000, 4000, 64_000]


# Arranging


def test_cards_go_both_ways_as_often_as_one_likes() -> None:
    scenario = play("3 rugs 2 wines", "", "", tables={A: "art"})
    scenario.when(A, Arrange(to_table=some("2 rugs"))).then(
        Arranged(seat=A, to_table={"rugs": 2}, to_hand={}, in_hand=3)
    )
    scenario.when(A, Arrange(to_table=some("wines"), to_hand=some("art rugs"))).then(
        Arranged(seat=A, to_table={"wines": 1}, to_hand={"art": 1, "rugs": 1}, in_hand=4)
    )
    table = after(scenario)
    assert table.open_cards[A] == {"wines": 1, "rugs": 1}
    assert table.hands[A] == 4
    assert scenario.view(A).hand.cards == {"art": 1, "wines": 1, "rugs": 2}
    assert scenario.view().to_act == (A,)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Arrange(to_table=some("4 rugs")), "not_in_hand"),
        (Arrange(to_table=some("art")), "not_in_hand"),
        (Arrange(to_hand=some("2 art")), "not_on_table"),
        (Arrange(to_hand=some("wines")), "not_on_table"),
        (Arrange(to_table=some("rugs"), to_hand=some("rugs")), "both_ways"),
    ],
)
def test_only_own_cards_are_arranged_and_each_one_way(action: Arrange, code: str) -> None:
    play("3 rugs", "art", "wines", tables={A: "art rugs", B: "wines"}).when(A, action).refused(code)


def test_nobody_arranges_out_of_turn_or_after_rolling() -> None:
    play("art", "art", "").when(B, Arrange(to_table=some("art"))).refused("not_your_turn")
    scenario = landed("trade", "art", "", "", tables={B: "rugs"})
    scenario.when(A, Arrange(to_table=some("art"))).refused("wrong_phase")
    scenario = landed("new_acquisition", "art", "", "", draws="rugs rugs")
    scenario.when(A, Arrange(to_table=some("art"))).refused("wrong_phase")


# The board


def test_the_start_does_nothing_and_neither_does_passing_it() -> None:
    scenario = play(*EMPTY, squares={A: 25}, dice=(1, 2))
    scenario.when(A, Roll()).then(
        Rolled(seat=A, dice=(1, 2), position=0, square="start"), TurnStarted(seat=B, number=2)
    )
    assert after(scenario).cash == [150_000] * 3
    scenario = play(*EMPTY, squares={A: 25}, dice=(2, 3), draws="art")
    scenario.when(A, Roll()).then(
        Rolled(seat=A, dice=(2, 3), position=2, square="trade"), TurnStarted(seat=B, number=2)
    )


def test_new_acquisitions_are_seen_by_the_seat_alone_and_sorted_at_once() -> None:
    scenario = landed("new_acquisition", "art", "", "", draws="rugs wines")
    acquired = scenario.happened(Acquired)
    assert (acquired.count, acquired.cards) == (2, ("rugs", "wines"))
    for viewer in (B, C, "table"):
        assert redact(acquired, viewer).cards is None
    assert scenario.view().table.sorting.cards is None
    assert scenario.view().phase == "new_cards"
    assert scenario.view(A).hand.new == {"wines": 1, "rugs": 1}
    scenario.when(A, Sort(to_table=some("art"))).refused("not_new")
    scenario.when(A, Sort(to_table=some("2 rugs"))).refused("not_new")
    scenario.when(B, Sort()).refused("not_your_turn")
    scenario.when(A, Sort(to_table=some("rugs"))).then(
        Sorted(seat=A, to_table={"rugs": 1}, in_hand=2), TurnStarted(seat=B, number=2)
    )
    assert scenario.view(A).hand.cards == {"art": 1, "wines": 1}
    assert after(scenario).open_cards[A] == {"rugs": 1}


@pytest.mark.parametrize(("cards", "tax"), [("3 rugs", 9000), ("7 rugs", 21_000), ("", 0)])
def test_g2_g3_a_raid_taxes_hand_cards(cards: str, tax: int) -> None:
    scenario = landed("tax_raid", cards, "2 art", "", tables={A: "4 wines"})
    assert scenario.happened(Taxed) == Taxed(seat=A, count=len(named(cards)), amount=tax)
    table = after(scenario)
    assert table.cash == [150_000 - tax, 150_000, 150_000]
    assert table.bank == tax
    assert table.turn == B


# Trade


def rugs(**position: Any) -> Scenario:
    """A has landed on trade; B has 3 open and 2 hidden rugs, and 2 open wines."""
    return landed("trade", "art", "2 rugs", "", tables={B: "3 rugs 2 wines"}, **position)


def test_g9_g10_all_open_cards_of_one_series_at_the_table_s_price() -> None:
    scenario = rugs()
    assert scenario.view().phase == "trade"
    assert scenario.view(A).offer(Buy).prices == {B: {"rugs": 9000, "wines": 4000}}
    scenario.when(A, Buy(seat=B, series="rugs")).then(
        Traded(seat=A, seller=B, series="rugs", count=3, price=9000)
    )
    assert scenario.view().phase == "new_cards"
    table = after(scenario)
    assert table.cash == [141_000, 159_000, 150_000]
    assert table.bank == 0
    assert table.open_cards[B] == {"wines": 2}
    assert scenario.view(B).hand.cards == {"rugs": 2}
    assert table.sorting.cards == {"rugs": 3}, "everybody saw what was bought"
    scenario.when(A, Sort(to_table=some("rugs")))
    assert scenario.view(A).hand.cards == {"art": 1, "rugs": 2}
    assert after(scenario).open_cards[A] == {"rugs": 1}
    assert after(scenario).turn == B


def test_buying_is_voluntary() -> None:
    scenario = rugs().when(A, Decline())
    scenario.then(TradeDeclined(seat=A), TurnStarted(seat=B, number=2))


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Buy(seat=A, series="art"), "bad_target"),
        (Buy(seat=3, series="rugs"), "bad_target"),
        (Buy(seat=-1, series="rugs"), "bad_target"),
        (Buy(seat=C, series="rugs"), "none_open"),
        (Buy(seat=B, series="art"), "none_open"),
    ],
)
def test_only_open_cards_of_another_seat_are_bought(action: Buy, code: str) -> None:
    rugs().when(A, action).refused(code)


def test_what_one_cannot_pay_one_cannot_buy() -> None:
    scenario = rugs(cash={A: 8000})
    scenario.when(A, Buy(seat=B, series="rugs")).refused("cannot_afford")
    assert scenario.rejected is not None
    assert scenario.rejected.details == {"price": 9000, "cash": 8000}
    assert scenario.view(A).offer(Buy).prices == {B: {"wines": 4000}}
    poor = rugs(cash={A: 3000})
    assert poor.view(A).offer(Buy) is None
    poor.when(A, Decline()).then(TradeDeclined(seat=A), ...)
    exact = rugs(cash={A: 9000}).when(A, Buy(seat=B, series="rugs"))
    assert after(exact).cash[A] == 0


def test_one_purchase_a_landing() -> None:
    scenario = rugs().when(A, Buy(seat=B, series="rugs"))
    scenario.when(A, Buy(seat=B, series="wines")).refused("wrong_phase")


@pytest.mark.parametrize("tables", [{}, {A: "3 art"}], ids=["nobody", "only the own ones"])
def test_g12_without_open_cards_there_is_no_trade(tables: dict[int, str]) -> None:
    scenario = landed("trade", "art", "2 rugs", "", tables=tables)
    scenario.then(scenario.happened(Rolled), TurnStarted(seat=B, number=2))


# Auctions of the house


def bid_all(scenario: Scenario, *said: tuple[int, int | None]) -> Scenario:
    """Seats bid an amount or, with None, pass."""
    for seat, amount in said:
        assert scenario.view().to_act == (seat,)
        scenario.when(seat, Pass() if amount is None else Bid(amount=amount))
        assert scenario.rejected is None
    return scenario


HOUSE = "2 art 2 wines"


@pytest.mark.parametrize("house", ["", "art"])
def test_g13_a_house_of_less_than_two_is_not_auctioned(house: str) -> None:
    scenario = given(
        "real_or_fake",
        *at(*EMPTY, house=house, squares={A: before("auction")}),
        players=3,
        dealer=Scripted([1, 1]),
    )
    scenario.when(A, Roll()).then(scenario.happened(Rolled), TurnStarted(seat=B, number=2))


def test_g13_a_house_of_two_is_auctioned() -> None:
    scenario = landed("auction", *EMPTY, house="art wines")
    scenario.then(scenario.happened(Rolled), AuctionStarted(kind="house", starter=A, count=2))
    assert scenario.view().phase == "bid"


def test_g14_the_tenth_card_starts_an_auction_at_once() -> None:
    scenario = landed("auction_object", *EMPTY, "", seat=C, house="8 art", draws="rugs wines")
    filled, started = scenario.events[1:]
    assert (filled.cards, filled.set_aside) == (("rugs", "wines"), None)
    assert started == AuctionStarted(kind="house", starter=C, count=10)
    assert scenario.view().to_act == (C,)
    assert after(scenario).house == {"art": 8, "wines": 1, "rugs": 1}
    bid_all(scenario, (C, None), (D, 5000), (A, None), (B, None))
    assert after(scenario).house == {}
    assert scenario.view(D).hand.new == {"art": 8, "wines": 1, "rugs": 1}


def test_a_house_of_eight_stays_without_an_auction() -> None:
    scenario = landed("auction_object", *EMPTY, house="6 art", draws="rugs wines")
    assert isinstance(scenario.events[1], HouseFilled)
    assert scenario.events[2] == TurnStarted(seat=B, number=2)
    assert sum(after(scenario).house.values()) == 8


def test_g15_who_passed_is_not_asked_again_and_the_winner_pays_the_bank() -> None:
    scenario = landed("auction", *EMPTY, "", seat=B, house=HOUSE)
    bid_all(scenario, (B, 1000), (C, None), (D, 3000), (A, None))
    scenario.when(C, Bid(amount=4000)).refused("not_your_turn")
    scenario.when(A, Pass()).refused("not_your_turn")
    scenario.when(B, Pass()).then(Passed(seat=B, forced=False), AuctionWon(kind="house", seat=D, price=3000))
    table = after(scenario)
    assert table.cash == [150_000, 150_000, 150_000, 147_000]
    assert table.bank == 3000
    assert scenario.view().to_act == (D,)
    scenario.when(D, Sort(to_table=some("art"))).then(
        Sorted(seat=D, to_table={"art": 1}, in_hand=3), TurnStarted(seat=C, number=2)
    )
    assert scenario.view(D).hand.cards == {"art": 1, "wines": 2}
    assert after(scenario).open_cards[D] == {"art": 1}


def test_the_starter_may_pass_and_a_bid_of_the_last_one_wins_at_once() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE)
    bid_all(scenario, (A, None), (B, None))
    assert scenario.view().to_act == (C,)
    scenario.when(C, Bid(amount=1000)).then(
        BidMade(seat=C, amount=1000), AuctionWon(kind="house", seat=C, price=1000)
    )


def test_bidding_goes_round_until_one_is_left() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE)
    bid_all(scenario, (A, 1000), (B, 2000), (C, 3000), (A, 4000), (B, None), (C, 149_000))
    scenario.when(A, Pass()).then(
        Passed(seat=A, forced=False), AuctionWon(kind="house", seat=C, price=149_000)
    )
    assert after(scenario).cash[C] == 1000


def test_all_the_money_at_once_leaves_nobody_to_ask() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE)
    scenario.when(A, Bid(amount=150_000)).then(
        BidMade(seat=A, amount=150_000),
        Passed(seat=B, forced=True),
        Passed(seat=C, forced=True),
        AuctionWon(kind="house", seat=A, price=150_000),
    )
    assert after(scenario).cash[A] == 0


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (3000, "bid_too_low"),
        (2000, "bid_too_low"),
        (0, "bid_too_low"),
        (-1000, "bid_too_low"),
        (3500, "bad_step"),
        (4001, "bad_step"),
    ],
)
def test_a_bid_is_a_thousand_more_or_more(amount: int, code: str) -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE)
    bid_all(scenario, (A, 3000)).when(B, Bid(amount=amount)).refused(code)
    scenario.when(B, Bid(amount=4000)).then(BidMade(seat=B, amount=4000))


def test_g17_a_bid_above_the_cash_is_refused() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={A: 5000})
    scenario.when(A, Bid(amount=6000)).refused("cannot_afford")
    assert scenario.rejected is not None
    assert scenario.rejected.details == {"cash": 5000}
    scenario.when(A, Bid(amount=5000)).then(BidMade(seat=A, amount=5000))


def test_who_cannot_raise_is_passed_over() -> None:
    scenario = landed("auction", *EMPTY, "", house=HOUSE, cash={B: 3000, C: 4000})
    scenario.when(A, Bid(amount=3000)).then(BidMade(seat=A, amount=3000), Passed(seat=B, forced=True))
    scenario.when(C, Bid(amount=4000)).then(BidMade(seat=C, amount=4000))
    scenario.when(D, Pass()).then(Passed(seat=D, forced=False))
    assert scenario.view().to_act == (A,)


def test_a_starter_without_money_is_passed_over_and_may_still_get_the_cards_free() -> None:
    scenario = landed("auction", *EMPTY, house=HOUSE, cash={A: 0, B: 0, C: 0})
    assert scenario.events[2:] == (
        Passed(seat=A, forced=True),
        Passed(seat=B, forced=True),
        Passed(seat=C, forced=True),
        AuctionWon(kind="house", seat=A, price=0),
    )
    assert scenario.view(A).hand.new == some(HOUSE)


def test_nobody_bids_for_the_house() -> None:
    scenario = landed("auction", *EMPTY, seat=B, house=HOUSE)
    bid_all(scenario, (B, None), (C, None), (A, None))
    assert scenario.events[-1] == AuctionWon(kind="house", seat=B, price=0)
    assert scenario.view(B).hand.new == some(HOUSE)
    assert after(scenario).bank == 0


# Insider auctions


def test_two_insider_cards_go_to_the_highest_bidder_in_secret() -> None:
    scenario = landed("insider", *EMPTY, draws="rugs blank")
    assert scenario.events[1:] == (AuctionStarted(kind="insider", starter=A, count=2),)
    bid_all(scenario, (A, 1000), (B, 7000), (C, None))
    scenario.when(A, Pass())
    taken = scenario.happened(InsiderTaken)
    assert taken == InsiderTaken(seat=B, count=2, price=7000, pile_left=8, cards=("rugs", "blank"))
    assert scenario.events[-1] == TurnStarted(seat=B, number=2), "there is nothing to sort"
    for viewer in (A, C, "table"):
        assert redact(taken, viewer).cards is None
    assert redact(taken, B).cards == ("rugs", "blank")
    assert scenario.view(B).hand.insiders == ["rugs", "blank"], "looked at as often as one likes"
    assert scenario.view(A).hand.insiders == []
    table = after(scenario)
    assert (table.insiders, table.insider_pile) == ([0, 2, 0], 8)
    assert (table.cash, table.bank) == ([150_000, 143_000, 150_000], 7000)


def test_g16_nobody_bids_for_insider_cards() -> None:
    scenario = landed("insider", *EMPTY, seat=C, draws="blank art")
    bid_all(scenario, (C, None), (A, None), (B, None))
    assert scenario.happened(InsiderTaken) == InsiderTaken(
        seat=C, count=2, price=0, pile_left=8, cards=("blank", "art")
    )
    assert scenario.view(C).hand.insiders == ["blank", "art"]
    assert after(scenario).cash == [150_000] * 3


def test_an_empty_insider_pile_does_nothing() -> None:
    scenario = landed("insider", *EMPTY, insiders={B: "art 7 blank", C: "2 blank"})
    scenario.then(scenario.happened(Rolled), TurnStarted(seat=B, number=2))


# Bankruptcy


def test_a_raid_that_takes_all_the_cash_is_paid() -> None:
    scenario = landed("tax_raid", "3 rugs", "", "", cash={A: 9000})
    assert scenario.events[1:] == (Taxed(seat=A, count=3, amount=9000), TurnStarted(seat=B, number=2))
    assert after(scenario).cash[A] == 0
    assert after(scenario).bankrupt == []


def bankrupt(**position: Any) -> Scenario:
    """A cannot pay its tax: it has 8000, three hidden rugs, two open ones and insider cards."""
    return landed(
        "tax_raid",
        "3 rugs art",
        "2 wines",
        "",
        tables={A: "2 rugs", B: "toys"},
        cash={A: 8000},
        insiders={A: "cars blank"},
        **position,
    )


def test_who_cannot_pay_loses_everything() -> None:
    scenario = bankrupt()
    assert scenario.events[1:] == (
        WentBankrupt(seat=A, tax=12_000, cash=8000, cards={"art": 1, "rugs": 3}),
        TurnStarted(seat=B, number=2),
    )
    table = after(scenario)
    assert table.cash == [0, 150_000, 150_000]
    assert table.bank == 150_000
    assert table.hands == [0, 2, 0]
    assert table.open_cards[A] == {"art": 1, "rugs": 5}
    assert table.positions[A] is None
    assert table.bankrupt == [A]
    assert table.insiders == [2, 0, 0], "insider cards stay"
    assert scenario.view(A).hand.cards == {}
    assert scenario.view(A).hand.cash == 0
    assert scenario.view(A).hand.insiders == ["cars", "blank"]


@pytest.mark.parametrize(
    "action",
    [Roll(), Arrange(), Sort(), Buy(seat=B, series="toys"), Decline(), Bid(amount=1000), Pass(), Resign()],
)
def test_the_bankrupt_do_nothing_any_more(action: Any) -> None:
    scenario = bankrupt()
    scenario.when(A, action).refused("out_of_game")
    assert scenario.view(A).offers == ()


def test_the_turn_passes_over_the_bankrupt() -> None:
    scenario = play(*EMPTY, "", bankrupt=[A, C], turn=D, squares={D: 25}, dice=(1, 2))
    scenario.when(D, Roll()).then(
        ...,
    )
    assert scenario.events[-1] == TurnStarted(seat=B, number=2)


def test_the_bank_sells_what_a_bankrupt_left_series_by_series() -> None:
    scenario = landed("trade", "art", "", "", seat=B, tables={A: "3 rugs 2 wines", C: "toys"}, bankrupt=[A])
    assert scenario.view(B).offer(Buy).prices == {
        A: {"art": 1000, "wines": 4000, "rugs": 9000},
        C: {"toys": 1000},
    }
    scenario.when(B, Buy(seat=A, series="rugs"))
    table = after(scenario)
    assert table.cash == [0, 141_000, 150_000]
    assert table.bank == 150_000 + 9000
    assert table.open_cards[A] == {"art": 1, "wines": 2}
    assert scenario.view(B).hand.new == {"rugs": 3}


def test_the_bankrupt_are_not_asked_in_auctions() -> None:
    scenario = landed("auction", *EMPTY, "", seat=C, house=HOUSE, bankrupt=[D])
    bid_all(scenario, (C, 1000), (A, 2000), (B, None), (C, None))
    assert scenario.events[-1] == AuctionWon(kind="house", seat=A, price=2000)


def test_the_game_ends_when_one_seat_is_left() -> None:
    scenario = landed(
        "tax_raid",
        "3 rugs",
        "2 wines",
        "",
        cash={A: 8000, B: 100_000},
        bankrupt=[C],
        insiders={C: "art wines"},
    )
    assert scenario.events[1:-1] == (
        WentBankrupt(seat=A, tax=9000, cash=8000, cards={"rugs": 3}),
        InsiderRevealed(seat=C, card="art"),
        InsiderRevealed(seat=C, card="wines"),
        scenario.happened(WealthCounted),
    )
    end = outcome(scenario)
    assert end.reason == "last_living"
    assert end.winners == (B,)
    assert end.places == (2, 1, 3), "who went bankrupt later ranks higher"
    assert end.scores == (0, 100_000, 0), "wines are fake, by a bankrupt's card"


# The end


def test_g20_the_last_new_acquisitions_are_kept() -> None:
    scenario = landed("new_acquisition", "art", "", "", piles=(2, 30), draws="art art")
    acquired, ended, counted, _ = scenario.events[1:]
    assert (acquired.cards, acquired.pile_left) == (("art", "art"), 0)
    assert ended == PileEnded(pile="new_acquisitions")
    assert counted.wealth[A].cards == {"art": 3}
    assert counted.wealth[A].total == 150_000 + 9000
    assert outcome(scenario).reason == "new_acquisitions_ended"
    assert outcome(scenario).winners == (A,)
    table = after(scenario)
    assert table.hands == [3, 0, 0]
    assert scenario.view(A).hand.cards == {"art": 3}
    assert (table.turn, table.sorting) == (None, None)
    scenario.when(A, Sort()).refused("finished")


def test_a_pile_with_one_card_left_gives_one() -> None:
    scenario = landed("new_acquisition", *EMPTY, piles=(1, 10), draws="art")
    assert scenario.happened(Acquired).count == 1
    assert wealth(scenario)[A].cards == {"art": 1}
    assert after(scenario).new_acquisitions == 0


@pytest.mark.parametrize("left", [1, 2])
def test_the_last_auction_object_is_set_aside_and_no_auction_starts(left: int) -> None:
    scenario = landed(
        "auction_object", *EMPTY, house="8 art", piles=(10, left), draws=("rugs wines", "wines")[2 - left]
    )
    filled, ended, counted, _ = scenario.events[1:]
    assert (filled.cards, filled.set_aside) == ((("rugs",) if left == 2 else ()), "wines")
    assert ended == PileEnded(pile="auction_objects")
    assert all(wealth.cards == {} for wealth in counted.wealth), "what lies in the house is nobody's"
    assert outcome(scenario).reason == "auction_objects_ended"
    assert outcome(scenario).winners == (A, B, C)
    assert sum(after(scenario).house.values()) == 7 + left


def test_the_turn_square_of_the_last_draw_does_nothing_more() -> None:
    scenario = landed("auction_object", *EMPTY, house="8 art", piles=(10, 2), draws="rugs wines")
    assert not any(isinstance(event, AuctionStarted | TurnStarted) for event in scenario.events)


def ending(*hands: str, draws: str = "toys toys", **position: Any) -> Scenario:
    """A takes the last two new acquisitions, toys unless others are named."""
    return landed("new_acquisition", *hands, piles=(2, 10), draws=draws, **position)


def test_g4_collections_are_worth_the_square_of_their_cards() -> None:
    scenario = ending("", "gemstones 2 rugs", "", tables={B: "8 wines"}, cash={B: 0})
    assert wealth(scenario)[B].collections == 1000 + 4000 + 64_000 == 69_000
    assert wealth(scenario)[B].total == 69_000
    assert outcome(scenario).scores == (154_000, 69_000, 150_000)


@pytest.mark.parametrize("owner", [A, B, C])
def test_g5_a_series_on_an_owned_insider_card_is_worth_nothing_to_anybody(owner: int) -> None:
    scenario = ending("3 art", "4 art rugs", "", tables={C: "2 art"}, insiders={owner: "art blank"})
    assert [event.card for event in scenario.events if isinstance(event, InsiderRevealed)] == ["art", "blank"]
    counted = scenario.happened(WealthCounted)
    assert counted.fakes == ("art",)
    assert [wealth.collections for wealth in counted.wealth] == [4000, 1000, 0]
    assert counted.wealth[B].cards == {"art": 4, "rugs": 1}


def test_g6_a_series_on_an_unsold_insider_card_counts() -> None:
    scenario = ending("3 art", "4 art rugs", "", insiders={B: "wines blank"})
    counted = scenario.happened(WealthCounted)
    assert counted.fakes == ("wines",)
    assert [wealth.collections for wealth in counted.wealth] == [9000 + 4000, 16_000 + 1000, 0]


def test_insider_cards_are_shown_from_the_seat_on_turn_clockwise() -> None:
    scenario = ending("", "", "", "", seat=C, insiders={A: "art blank", B: "wines blank", C: "rugs toys"})
    shown = [(event.seat, event.card) for event in scenario.events if isinstance(event, InsiderRevealed)]
    assert shown == [(C, "rugs"), (C, "toys"), (A, "art"), (A, "blank"), (B, "wines"), (B, "blank")]
    assert scenario.happened(WealthCounted).fakes == ("art", "wines", "rugs", "toys")
    assert [(card.seat, card.card) for card in after(scenario).revealed] == shown


def test_hidden_and_open_cards_of_a_series_count_together() -> None:
    scenario = ending("2 rugs", "", "", tables={A: "3 rugs"})
    assert wealth(scenario)[A].collections == 25_000 + 4000


def test_g23_the_richest_share_the_win() -> None:
    scenario = ending("", "2 rugs", "rugs", cash={C: 149_000}, draws="toys toys")
    assert outcome(scenario).scores == (154_000, 154_000, 150_000)
    assert outcome(scenario).winners == (A, B)
    assert outcome(scenario).places == (1, 1, 3)


def test_a_bankrupt_seat_has_nothing_and_ranks_below_the_poorest() -> None:
    scenario = ending("", "5 rugs", "", "", cash={A: 0, C: 0}, bankrupt=[B], insiders={A: "toys blank"})
    assert outcome(scenario).scores == (0, 0, 0, 150_000)
    assert outcome(scenario).places == (2, 4, 2, 1)
    assert wealth(scenario)[B].cards == {"rugs": 5}
    assert wealth(scenario)[B].total == 0


def test_every_series_can_be_fake() -> None:
    marks = " ".join(SERIES)
    scenario = ending(marks, marks, marks, insiders={A: f"{marks} blank"})
    assert scenario.happened(WealthCounted).fakes == SERIES
    assert [wealth.collections for wealth in wealth(scenario)] == [0, 0, 0]


# Resigning, which the rules treat as a bankruptcy


def test_who_resigns_leaves_its_cards_for_sale() -> None:
    scenario = play("3 rugs", "2 wines", "", tables={A: "art"})
    scenario.when(A, Resign()).then(
        Resigned(seat=A),
        WentBankrupt(seat=A, tax=None, cash=150_000, cards={"rugs": 3}),
        TurnStarted(seat=B, number=2),
    )
    assert after(scenario).open_cards[A] == {"art": 1, "rugs": 3}
    assert after(scenario).bank == 150_000


def test_resigning_out_of_turn_does_not_move_the_turn() -> None:
    scenario = play("", "2 wines", "").when(B, Resign())
    assert scenario.view().to_act == (A,)
    assert after(scenario).turn == A


def test_resigning_while_sorting_opens_the_new_cards_too() -> None:
    scenario = landed("new_acquisition", "art", "", "", draws="rugs wines")
    scenario.when(A, Resign()).then(
        Resigned(seat=A),
        WentBankrupt(seat=A, tax=None, cash=150_000, cards={"art": 1, "wines": 1, "rugs": 1}),
        TurnStarted(seat=B, number=2),
    )
    assert after(scenario).hands[A] == 0


def test_resigning_beside_a_seat_that_sorts() -> None:
    scenario = landed("auction", *EMPTY, "", house=HOUSE)
    bid_all(scenario, (A, None), (B, None), (C, 1000), (D, None))
    scenario.when(A, Resign())
    assert scenario.view().to_act == (C,)
    after(scenario)
    scenario.when(C, Sort())
    assert scenario.events[-1] == TurnStarted(seat=B, number=2)
    after(scenario)


def test_resigning_in_an_auction() -> None:
    scenario = landed("auction", *EMPTY, "", house=HOUSE)
    bid_all(scenario, (A, 1000))
    scenario.when(B, Resign())
    assert scenario.view().to_act == (C,), "the bidder on turn is gone"
    assert after(scenario).auction.high.amount == 1000
    scenario.when(D, Resign())
    assert scenario.view().to_act == (C,), "a later bidder is gone"
    scenario.when(C, Pass())
    assert scenario.events[-1] == AuctionWon(kind="house", seat=A, price=1000)


def test_when_the_high_bidder_resigns_the_bidding_begins_anew() -> None:
    scenario = landed("auction", *EMPTY, "", house=HOUSE)
    bid_all(scenario, (A, 1000), (B, None), (C, 9000))
    scenario.when(C, Resign())
    assert scenario.events[-1] == AuctionRestarted(starter=A)
    assert after(scenario).auction.bidders == [A, B, D], "who had passed is asked again"
    bid_all(scenario, (A, None), (B, None), (D, None))
    assert scenario.events[-1] == AuctionWon(kind="house", seat=A, price=0)


def test_when_the_starter_resigns_the_next_seat_has_its_part() -> None:
    scenario = landed("insider", *EMPTY, "", draws="art blank")
    bid_all(scenario, (A, None))
    scenario.when(A, Resign())
    assert after(scenario).auction.starter == B
    bid_all(scenario, (B, None), (C, None), (D, None))
    assert scenario.happened(InsiderTaken).seat == B
    assert scenario.events[-1] == TurnStarted(seat=B, number=2)


def test_when_the_starter_resigns_as_the_high_bidder_the_next_seat_begins() -> None:
    scenario = landed("insider", *EMPTY, "")
    bid_all(scenario, (A, 5000))
    scenario.when(A, Resign())
    assert scenario.events[-1] == AuctionRestarted(starter=B)
    assert scenario.view().to_act == (B,)


def test_resigning_while_trading() -> None:
    scenario = rugs().when(C, Resign())
    assert scenario.view().phase == "trade"
    scenario = landed("trade", "art", "", "", tables={B: "3 rugs"}).when(B, Resign())
    scenario.when(A, Buy(seat=B, series="rugs"))
    assert after(scenario).bank == 150_000 + 9000
    scenario = rugs().when(A, Resign())
    assert scenario.events[-1] == TurnStarted(seat=B, number=2)


def test_the_last_but_one_to_resign_ends_the_game() -> None:
    scenario = landed("new_acquisition", "art", "", "", draws="rugs rugs")
    scenario.when(B, Resign()).when(C, Resign())
    assert outcome(scenario).winners == (A,)
    assert outcome(scenario).places == (1, 3, 2)
    assert wealth(scenario)[A].cards == {"art": 1, "rugs": 2}, "what was not sorted yet counts"
    assert scenario.view(A).hand.cards == {"art": 1, "rugs": 2}
    after(scenario)


# Phases


def test_what_is_not_asked_is_refused() -> None:
    opened = landed("trade", "art", "", "", tables={B: "rugs"})
    auction = landed("auction", *EMPTY, house=HOUSE)
    for scenario in (opened, auction):
        for action in (Roll(), Arrange(), Sort()):
            scenario.when(A, action).refused("wrong_phase")
    opened.when(A, Pass()).refused("wrong_phase")
    opened.when(B, Decline()).refused("not_your_turn")
    auction.when(A, Decline()).refused("wrong_phase")
    auction.when(B, Bid(amount=1000)).refused("not_your_turn")
    play(*EMPTY).when(B, Roll()).refused("not_your_turn")


def test_trade_is_opened_only_for_what_others_have() -> None:
    scenario = landed("trade", "art", "", "", tables={A: "rugs", B: "rugs"})
    assert scenario.events[-1] == TradeOpened(seat=A)
    assert scenario.view(A).offer(Buy).prices == {B: {"rugs": 1000}}


def test_hands_are_dealt_in_secret() -> None:
    table = Table.open("real_or_fake", 4, dealer=8)
    dealt = [event for event in table.log[0].events if isinstance(event, HandDealt)]
    assert [event.count for event in dealt] == [5] * 4
    for event in dealt:
        assert redact(event, "table").cards is None
        assert redact(event, event.seat) == event
        assert redact(event, (event.seat + 1) % 4).cards is None
