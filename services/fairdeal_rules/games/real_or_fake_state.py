"""Real or Fake: the state of a game and how events change it (real_or_fake.md §4)."""

from collections.abc import Callable
from typing import Any

from fairdeal.games.real_or_fake import (
    Acquired,
    Arranged,
    Auction,
    AuctionLapsed,
    AuctionRestarted,
    AuctionStarted,
    AuctionWon,
    BidMade,
    BonusPaid,
    HandDealt,
    HouseFilled,
    InsiderTaken,
    Options,
    Overbid,
    Passed,
    Phase,
    Pile,
    PilesLaid,
    Rolled,
    Sorted,
    Taxed,
    Traded,
    TradeOpened,
    TurnStarted,
    Wealth,
    WealthCounted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_bidding import heir, in_turn_order, leave, open_bidding, place_bid
from fairdeal.games.real_or_fake_cards import (
    HOUSE_BOARD,
    Cards,
    Insider,
    Series,
    all_objects,
    count_of,
    insider_pool,
    minus,
    plus,
)


class State:
    """A game of Real or Fake, secrets and all. Only `evolve` changes it."""

    __slots__ = (
        "auction",
        "bank",
        "bankrupt",
        "board",
        "cash",
        "ended",
        "fakes",
        "hands",
        "house",
        "insider_left",
        "insider_pool",
        "insiders",
        "new",
        "new_seat",
        "options",
        "phase",
        "piles",
        "positions",
        "seats",
        "set_aside",
        "tables",
        "turn",
        "turn_number",
        "unseen",
        "wealth",
    )

    def __init__(self, options: Options, seats: int) -> None:
        self.options = options
        self.seats = seats
        self.board = HOUSE_BOARD if options.board == "house28" else options.board
        self.phase: Phase = "arrange"
        self.turn = 0
        self.turn_number = 0
        self.cash = [options.start_money] * seats
        self.bank = 0
        self.unseen: Cards = all_objects()
        """The cards of both object piles, with zeros: no order and no division exists before one is drawn."""
        self.piles: dict[Pile, int] = {"new_acquisitions": 0, "auction_objects": 0}
        """How many of the unseen cards lie in each pile."""
        self.hands: list[Cards] = [{} for _ in range(seats)]
        self.tables: list[Cards] = [{} for _ in range(seats)]
        """Each seat's open cards."""
        self.house: Cards = {}
        self.set_aside: Cards = {}
        self.insider_pool: dict[Insider, int] = insider_pool(options.insider_deck)
        """The insider cards that nobody has seen, on the board or put away: no draw has told them apart yet."""
        self.insider_left = options.insider_placed
        self.insiders: list[list[Insider]] = [[] for _ in range(seats)]
        self.positions: list[int | None] = [0] * seats
        self.bankrupt: list[int] = []
        """The seats that are out, the first one first."""
        self.new_seat: int | None = None
        """The seat that has `new` cards to sort."""
        self.new: Cards = {}
        self.auction: Auction | None = None
        self.ended: str | None = None
        self.fakes: tuple[Series, ...] = ()
        self.wealth: tuple[Wealth, ...] = ()


# Questions that several parts of the rules ask


def next_living(state: State, seat: int) -> int:
    """The next living seat clockwise after a seat, which may be the same one."""
    return in_turn_order(state.seats, state.bankrupt, (seat + 1) % state.seats)[0]


def running(state: State) -> Auction:
    """The auction that runs, where there must be one."""
    assert state.auction is not None
    return state.auction


def all_cards(state: State, seat: int) -> Cards:
    """All object cards of a seat: hidden, open and yet to be sorted."""
    cards = plus(state.hands[seat], state.tables[seat])
    return plus(cards, state.new) if seat == state.new_seat else cards


# Evolve: the opening and the turn


def evolve(state: State, event: Any) -> None:
    """Change the state by an event of this game; by any other one not at all."""
    fold = _FOLDS.get(type(event))
    if fold is not None:
        fold(state, event)


def _hand_dealt(state: State, event: HandDealt) -> None:
    assert event.cards is not None
    state.hands[event.seat] = _seen(state, event.cards)


def _seen(state: State, drawn: tuple[Series, ...]) -> Cards:
    """Cards that were drawn from an object pile."""
    for series in drawn:
        state.unseen[series] -= 1
    return count_of(drawn)


def _piles_laid(state: State, event: PilesLaid) -> None:
    state.piles = {"new_acquisitions": event.new_acquisitions, "auction_objects": event.auction_objects}


def _turn_started(state: State, event: TurnStarted) -> None:
    state.phase = "arrange"
    state.turn = event.seat
    state.turn_number = event.number


def _arranged(state: State, event: Arranged) -> None:
    seat = event.seat
    state.hands[seat] = plus(minus(state.hands[seat], event.to_table), event.to_hand)
    state.tables[seat] = plus(minus(state.tables[seat], event.to_hand), event.to_table)


def _rolled(state: State, event: Rolled) -> None:
    state.positions[event.seat] = event.position


def _bonus_paid(state: State, event: BonusPaid) -> None:
    _pay_bank(state, event.seat, -event.amount)


def _pay_bank(state: State, seat: int, amount: int) -> None:
    state.cash[seat] -= amount
    state.bank += amount


def _acquired(state: State, event: Acquired) -> None:
    assert event.cards is not None
    state.piles["new_acquisitions"] = event.pile_left
    _gets(state, event.seat, _seen(state, event.cards))


def _gets(state: State, seat: int, cards: Cards) -> None:
    """A seat got cards that it has to sort."""
    state.phase = "new_cards"
    state.new_seat = seat
    state.new = cards


def _sorted(state: State, event: Sorted) -> None:
    seat = event.seat
    state.tables[seat] = plus(state.tables[seat], event.to_table)
    state.hands[seat] = plus(state.hands[seat], minus(state.new, event.to_table))
    _nothing_new(state)


def _nothing_new(state: State) -> None:
    state.new_seat = None
    state.new = {}


def _trade_opened(state: State, event: TradeOpened) -> None:
    state.phase = "trade"


def _traded(state: State, event: Traded) -> None:
    bought = {event.series: event.count}
    state.tables[event.seller] = minus(state.tables[event.seller], bought)
    _pay_bank(state, event.seat, event.price)
    if event.seller not in state.bankrupt:
        _pay_bank(state, event.seller, -event.price)
    _gets(state, event.seat, bought)


def _taxed(state: State, event: Taxed) -> None:
    _pay_bank(state, event.seat, event.amount)


def _went_bankrupt(state: State, event: WentBankrupt) -> None:
    seat = event.seat
    _pay_bank(state, seat, event.cash)
    state.tables[seat] = plus(state.tables[seat], event.cards)
    state.hands[seat] = {}
    if state.new_seat == seat:
        _nothing_new(state)
    state.positions[seat] = None
    state.bankrupt.append(seat)
    auction = state.auction
    if auction is not None:
        if seat in auction.bidders:
            leave(auction, seat)
        if seat == auction.starter:
            auction.starter = heir(auction, state.seats, state.bankrupt)


# Evolve: auctions


def _house_filled(state: State, event: HouseFilled) -> None:
    state.piles["auction_objects"] = event.pile_left
    state.house = plus(state.house, _seen(state, event.cards))
    if event.set_aside is not None:
        state.set_aside = plus(state.set_aside, _seen(state, (event.set_aside,)))


def _auction_started(state: State, event: AuctionStarted) -> None:
    state.phase = "bid"
    state.auction = Auction(event.kind, event.count, event.starter, event.starter, [])
    open_bidding(state.auction, state.seats, state.bankrupt, event.starter)


def _bid_made(state: State, event: BidMade) -> None:
    place_bid(running(state), event.seat, event.amount)


def _passed(state: State, event: Passed) -> None:
    leave(running(state), event.seat)


def _overbid(state: State, event: Overbid) -> None:
    running(state).excluded.append(event.seat)


def _auction_restarted(state: State, event: AuctionRestarted) -> None:
    open_bidding(running(state), state.seats, state.bankrupt, event.starter)


def _auction_won(state: State, event: AuctionWon) -> None:
    state.auction = None
    _pay_bank(state, event.seat, event.price)
    if event.kind == "house":
        _gets(state, event.seat, state.house)
        state.house = {}


def _auction_lapsed(state: State, event: AuctionLapsed) -> None:
    state.auction = None
    if event.discarded:
        state.set_aside = plus(state.set_aside, state.house)
        state.house = {}


def _insider_taken(state: State, event: InsiderTaken) -> None:
    assert event.cards is not None
    state.insider_left = event.pile_left
    for card in event.cards:
        state.insider_pool[card] -= 1
        state.insiders[event.seat].append(card)


# Evolve: the end


def _wealth_counted(state: State, event: WealthCounted) -> None:
    if state.new_seat is not None:
        state.hands[state.new_seat] = plus(state.hands[state.new_seat], state.new)
        _nothing_new(state)
    state.auction = None
    state.ended = event.reason
    state.fakes = event.fakes
    state.wealth = event.wealth


_FOLDS: dict[type, Callable[[State, Any], None]] = {
    HandDealt: _hand_dealt,
    PilesLaid: _piles_laid,
    TurnStarted: _turn_started,
    Arranged: _arranged,
    Rolled: _rolled,
    BonusPaid: _bonus_paid,
    Acquired: _acquired,
    Sorted: _sorted,
    TradeOpened: _trade_opened,
    Traded: _traded,
    Taxed: _taxed,
    WentBankrupt: _went_bankrupt,
    HouseFilled: _house_filled,
    AuctionStarted: _auction_started,
    BidMade: _bid_made,
    Passed: _passed,
    Overbid: _overbid,
    AuctionRestarted: _auction_restarted,
    AuctionWon: _auction_won,
    AuctionLapsed: _auction_lapsed,
    InsiderTaken: _insider_taken,
    WealthCounted: _wealth_counted,
}
