"""Kuhhandel: deciding the auction, from turning up the lot to its payment (kuhhandel.md §6)."""

from typing import Final

from fairdeal.dealer import Dealer
from fairdeal.games.kuhhandel import (
    DONKEY,
    DONKEY_PAYS,
    AnimalsTaken,
    AuctionClosed,
    AuctionStarted,
    Bid,
    BidderExposed,
    BidMade,
    Call,
    Called,
    Decide,
    DonkeyPaidOut,
    Pass,
    Passed,
    Pay,
    PaymentMade,
    Preempted,
    Sold,
    StartAuction,
)
from fairdeal.games.kuhhandel_money import Heap, payment_fault, plus, size, total, well_formed
from fairdeal.receipt import Rejected
from fairdeal_rules.games.kuhhandel_state import Auction, State, contenders
from fairdeal_rules.games.kuhhandel_turn import check_phase, check_turn, end_turn, take_dove
from fairdeal_rules.ruleset import Emit

LAST_CALL: Final = 3


def start_auction(state: State, seat: int, action: StartAuction, dealer: Dealer, emit: Emit) -> None:
    """Turn up the lot; donkeys in it pay everybody before the first bid (kuhhandel.md §6.1, §6.2)."""
    check_turn(state, seat)
    if not state.deck_left:
        raise Rejected("deck_empty", "There is nothing left to auction: you have to trade")
    lot = dealer.cards(state.deck, min(state.options.lot_size, state.deck_left))
    emit(AuctionStarted(auctioneer=seat, lot=lot, deck_left=state.deck_left - len(lot)))
    for _ in range(lot.count(DONKEY)):
        emit(DonkeyPaidOut(ordinal=state.donkeys + 1, denomination=DONKEY_PAYS[state.donkeys]))
    close_if_settled(state, emit)


def _running(state: State) -> Auction:
    assert state.auction is not None
    return state.auction


# Bidding


def bid(state: State, seat: int, action: Bid, dealer: Dealer, emit: Emit) -> None:
    """Let a bid stand; whether it can be paid nobody asks, unless the table is strict (kuhhandel.md §6.1, §6.4)."""
    check_phase(state, "auction_open")
    auction, options = _running(state), state.options
    if seat == auction.auctioneer:
        raise Rejected("auctioneer_cannot_bid", "The auctioneer may not bid")
    _check_not_excluded(auction, seat)
    if seat == auction.high and not options.allow_self_raise:
        raise Rejected("already_highest", "You are the high bidder already", high=auction.price)
    _check_bidding_turn(auction, seat)
    amount = action.amount
    if amount <= auction.price:
        raise Rejected("bid_too_low", f"A bid has to be higher than {auction.price}", high=auction.price)
    if amount % options.bid_step:
        raise Rejected("bad_step", f"A bid is a multiple of {options.bid_step}", step=options.bid_step)
    if amount > state.ceiling:
        raise Rejected(
            "bid_too_high", f"All money at the table is worth {state.ceiling}", ceiling=state.ceiling
        )
    if options.strict_bids:
        _check_affordable(state, seat, amount)
    emit(BidMade(seat=seat, amount=amount))
    close_if_settled(state, emit)


def _check_not_excluded(auction: Auction, seat: int) -> None:
    if seat in auction.excluded:
        raise Rejected("excluded", "You could not pay a bid of yours: this auction goes on without you")


def _check_bidding_turn(auction: Auction, seat: int) -> None:
    if auction.turn is not None and seat != auction.turn:
        raise Rejected("not_your_turn", f"It is seat {auction.turn}'s turn to bid", turn=auction.turn)


def _check_affordable(state: State, seat: int, amount: int) -> None:
    own = total(state.money[seat])
    if own < amount:
        raise Rejected("cannot_afford", f"Your money is worth {own}, less than {amount}", total=own)


def pass_bid(state: State, seat: int, action: Pass, dealer: Dealer, emit: Emit) -> None:
    """Note that a seat is not interested at this price."""
    check_phase(state, "auction_open")
    auction = _running(state)
    if seat == auction.auctioneer:
        raise Rejected("auctioneer_cannot_pass", "The auctioneer does not bid and has nothing to pass")
    _check_not_excluded(auction, seat)
    if seat == auction.high:
        raise Rejected("already_highest", "You are the high bidder and cannot pass", high=auction.price)
    _check_bidding_turn(auction, seat)
    if seat in auction.passed:
        raise Rejected("already_passed", "You have passed; you may still bid until the bidding is closed")
    emit(Passed(seat=seat))
    close_if_settled(state, emit)


def call(state: State, seat: int, action: Call, dealer: Dealer, emit: Emit) -> None:
    """Going once, twice, three times; a call that means another bid than the high one is stale."""
    check_phase(state, "auction_open")
    auction = _running(state)
    if seat != auction.auctioneer:
        raise Rejected("not_auctioneer", f"Only the auctioneer, seat {auction.auctioneer}, calls")
    if state.options.auction_mode == "round_robin":
        raise Rejected("wrong_phase", "Bidding goes round: it closes when all others have passed")
    if state.options.auction_close == "timer":
        raise Rejected("wrong_phase", "The timer closes this auction")
    if action.seen_high is not None and action.seen_high != auction.price:
        raise Rejected("stale_call", f"The high bid is {auction.price} now", high=auction.price)
    if action.step != auction.calls + 1:
        raise Rejected("bad_step", f"The next call is number {auction.calls + 1}", step=auction.calls + 1)
    emit(Called(auctioneer=seat, step=action.step, high=auction.price or None))
    if action.step == LAST_CALL:
        _close(state, auction, emit)


def close_if_settled(state: State, emit: Emit) -> None:
    """Close the bidding when nobody is left who has neither passed nor holds the high bid."""
    auction = _running(state)
    if not contenders(state, auction):
        _close(state, auction, emit)


def _close(state: State, auction: Auction, emit: Emit) -> None:
    emit(AuctionClosed(bidder=auction.high, price=auction.price))
    if auction.high is None:
        _take(state, auction, auction.auctioneer, emit)


# Decision and payment


def decide(state: State, seat: int, action: Decide, dealer: Dealer, emit: Emit) -> None:
    """First refusal: a poor auctioneer is asked too, since being skipped would tell all that the money is short."""
    check_phase(state, "auction_decision")
    auction = _running(state)
    if seat != auction.auctioneer:
        raise Rejected("not_auctioneer", f"Only the auctioneer, seat {auction.auctioneer}, decides")
    bidder, price = auction.high, auction.price
    assert bidder is not None
    if action.preempt:
        _check_affordable(state, seat, price)
        emit(Preempted(auctioneer=seat, bidder=bidder, price=price))
        return
    emit(Sold(auctioneer=seat, bidder=bidder, price=price))
    if total(state.money[bidder]) < price:
        emit(BidderExposed(seat=bidder, cards=state.money[bidder]))
        close_if_settled(state, emit)


def pay(state: State, seat: int, action: Pay, dealer: Dealer, emit: Emit) -> None:
    """Hand over exactly these cards, and the lot to who paid."""
    check_phase(state, "auction_payment")
    auction, options = _running(state), state.options
    if seat != auction.payer:
        raise Rejected("not_payer", f"Seat {auction.payer} pays")
    cards = checked(action.cards)
    fault = payment_fault(state.money[seat], auction.price, cards, options.payment_rule)
    if fault is not None:
        raise Rejected(fault, _PAYMENT_FAULTS[fault].format(price=auction.price), price=auction.price)
    bidder = auction.high
    assert bidder is not None
    emit(
        PaymentMade(
            payer=seat,
            payee=auction.auctioneer if seat == bidder else bidder,
            price=auction.price,
            cards=cards,
            count=size(cards) if options.show_money_counts or options.public_payments != "price" else None,
            shown=cards if options.public_payments == "cards" else None,
        )
    )
    _take(state, auction, seat, emit)


_PAYMENT_FAULTS = {
    "cards_not_owned": "You do not have all these cards",
    "underpaid": "These cards are worth less than the price of {price}",
    "superfluous_cards": "The price of {price} is paid with more than it takes, and no change is given",
}


def checked(cards: Heap) -> Heap:
    """Cards as they were named, in order and without zero counts. Raises `Rejected("bad_shape")`."""
    if not well_formed(cards):
        raise Rejected("bad_shape", "Cards are named by denomination, with counts of 0 or more")
    return plus({}, cards)


def _take(state: State, auction: Auction, seat: int, emit: Emit) -> None:
    emit(AnimalsTaken(seat=seat, lot=auction.lot, price=auction.price))
    take_dove(state, seat, emit)
    end_turn(state, emit)
