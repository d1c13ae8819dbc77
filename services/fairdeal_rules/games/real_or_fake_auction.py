"""Real or Fake: the auctions of the house and of insider cards (real_or_fake.md §5.2)."""

from fairdeal.dealer import Dealer
from fairdeal.games.real_or_fake import (
    NOTE,
    Auction,
    AuctionLapsed,
    AuctionRestarted,
    AuctionStarted,
    AuctionWon,
    Bid,
    BidMade,
    InsiderTaken,
    Kind,
    Overbid,
    Pass,
    Passed,
)
from fairdeal.games.real_or_fake_bidding import heir, least_bid
from fairdeal.games.real_or_fake_cards import DECK, size
from fairdeal.receipt import Rejected
from fairdeal_rules.games.real_or_fake_end import next_turn
from fairdeal_rules.games.real_or_fake_state import State, running
from fairdeal_rules.ruleset import Emit


def start(state: State, kind: Kind, dealer: Dealer, emit: Emit) -> None:
    """Auction the house or the top insider cards; the seat on turn opens the bidding."""
    count = size(state.house) if kind == "house" else DECK.cards_per_draw
    emit(AuctionStarted(kind=kind, starter=state.turn, count=count))
    go_on(state, dealer, emit)


def bid(state: State, seat: int, action: Bid, dealer: Dealer, emit: Emit) -> None:
    """A bid of the seat that is asked."""
    auction, amount, cash = running(state), action.amount, state.cash[seat]
    least = least_bid(auction, state.options)
    if amount % NOTE:
        raise Rejected("bad_step", f"A bid is a multiple of {NOTE}", step=NOTE)
    if amount < least:
        raise Rejected("bid_too_low", f"The least bid is {least} now", least=least)
    if amount <= cash:
        emit(BidMade(seat=seat, amount=amount))
    elif state.options.overbid == "reject":
        raise Rejected("cannot_afford", f"You have {cash}, less than {amount}", cash=cash)
    else:
        emit(Overbid(seat=seat, amount=amount))
        emit(AuctionRestarted(starter=heir(auction, state.seats, state.bankrupt)))
    go_on(state, dealer, emit)


def pass_bid(state: State, seat: int, action: Pass, dealer: Dealer, emit: Emit) -> None:
    """The seat that is asked leaves the auction."""
    emit(Passed(seat=seat, forced=False))
    go_on(state, dealer, emit)


def without(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    """Go on without a seat that has left the game: if it held the high bid the bidding begins anew."""
    auction = running(state)
    if auction.high is not None and auction.high.seat == seat:
        emit(AuctionRestarted(starter=auction.starter))
    go_on(state, dealer, emit)


def go_on(state: State, dealer: Dealer, emit: Emit) -> None:
    """Pass over seats that cannot bid any more, and settle the auction when nobody is left to ask."""
    auction = running(state)
    while auction.bidders and (auction.high is None or auction.bidders != [auction.high.seat]):
        if state.cash[auction.bidder] >= least_bid(auction, state.options):
            return
        emit(Passed(seat=auction.bidder, forced=True))
    _settle(state, auction, dealer, emit)


def _settle(state: State, auction: Auction, dealer: Dealer, emit: Emit) -> None:
    kind, unsold = auction.kind, state.options.no_bid_house
    if auction.high is None and kind == "house" and unsold != "starter_free":
        emit(AuctionLapsed(discarded=unsold == "discard"))
        next_turn(state, emit)
        return
    taker, price = (auction.starter, 0) if auction.high is None else (auction.high.seat, auction.high.amount)
    emit(AuctionWon(kind=kind, seat=taker, price=price))
    if kind == "insider":
        _take_insiders(state, taker, price, dealer, emit)
        next_turn(state, emit)


def _take_insiders(state: State, seat: int, price: int, dealer: Dealer, emit: Emit) -> None:
    count = DECK.cards_per_draw
    emit(
        InsiderTaken(
            seat=seat,
            count=count,
            price=price,
            pile_left=state.insider_left - count,
            cards=dealer.cards(state.insider_pool, count),
        )
    )
