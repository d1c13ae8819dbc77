"""Kuhhandel: what a seat may do, from what it sees (kuhhandel.md §10)."""

from collections.abc import Callable
from typing import Any

import msgspec

from fairdeal.games import kuhhandel
from fairdeal.games.kuhhandel import Auction, Trade
from fairdeal.games.kuhhandel_money import MONEY, total
from fairdeal.view import Offer


def agreed_options(options: dict[str, Any]) -> kuhhandel.Options:
    """The options of a table as a record."""
    return msgspec.convert(options, kuhhandel.Options)


def _may_be_called(options: kuhhandel.Options) -> bool:
    """Whether the auctioneer closes the bidding by three calls."""
    return options.auction_mode == "open_outcry" and options.auction_close == "auctioneer_calls"


def offers_to(table: kuhhandel.Table, hand: kuhhandel.Hand, seat: int) -> list[Offer]:
    """The moves that the rules would accept of this seat now, all of them and no other."""
    if seat in table.resigned:
        return []
    options = agreed_options(table.options)
    if table.auction is not None:
        return _AUCTION_OFFERS[table.auction.stage](table, table.auction, hand, seat, options)
    if table.trade is not None:
        return _trade_offers(table.trade, hand, seat, options)
    return _turn_offers(table, hand, options, seat) if seat == table.turn else []


# The turn


def _turn_offers(
    table: kuhhandel.Table, hand: kuhhandel.Hand, options: kuhhandel.Options, seat: int
) -> list[Offer]:
    offers: list[Offer] = []
    if table.deck_left:
        offers.append(kuhhandel.StartAuctionOffer())
    own = table.animals[seat]
    stakes = {
        target: common
        for target, theirs in enumerate(table.animals)
        if target != seat
        and (common := {species: min(n, theirs[species]) for species, n in own.items() if species in theirs})
    }
    if stakes:
        may_be_empty = _may_be_empty(hand, options)
        offers.append(kuhhandel.StartTradeOffer(stakes=stakes, cards=hand.money, may_be_empty=may_be_empty))
    return offers


def _may_be_empty(hand: kuhhandel.Hand, options: kuhhandel.Options) -> bool:
    return options.allow_empty_offer or not hand.money


# The auction


def _open_offers(
    table: kuhhandel.Table, auction: Auction, hand: kuhhandel.Hand, seat: int, options: kuhhandel.Options
) -> list[Offer]:
    high = 0 if auction.high is None else auction.high.amount
    if seat == auction.auctioneer:
        return [kuhhandel.CallOffer(step=auction.calls + 1, high=high)] if _may_be_called(options) else []
    if seat in auction.exposed or (auction.turn is not None and seat != auction.turn):
        return []
    offers: list[Offer] = []
    leads = auction.high is not None and auction.high.seat == seat
    if not leads or options.allow_self_raise:
        step = options.bid_step
        least = (high // step + 1) * step
        ceiling = _ceiling(table, options)
        most = min(ceiling, total(hand.money)) if options.strict_bids else ceiling
        if least <= most:
            offers.append(kuhhandel.BidOffer(least=least, step=step, most=most // step * step))
    if not leads and seat not in auction.passed:
        offers.append(kuhhandel.PassOffer())
    return offers


def _ceiling(table: kuhhandel.Table, options: kuhhandel.Options) -> int:
    """What all money that was dealt or paid out is worth."""
    box = MONEY[options.money_set].box
    return total(box) - total(table.bank)


def _decision_offers(
    table: kuhhandel.Table, auction: Auction, hand: kuhhandel.Hand, seat: int, options: kuhhandel.Options
) -> list[Offer]:
    assert auction.high is not None
    if seat != auction.auctioneer:
        return []
    return [kuhhandel.DecideOffer(affordable=total(hand.money) >= auction.high.amount)]


def _payment_offers(
    table: kuhhandel.Table, auction: Auction, hand: kuhhandel.Hand, seat: int, options: kuhhandel.Options
) -> list[Offer]:
    assert auction.high is not None
    if seat != auction.payer:
        return []
    return [kuhhandel.PayOffer(price=auction.high.amount, rule=options.payment_rule, cards=hand.money)]


_AUCTION_OFFERS: dict[kuhhandel.Stage, Callable[..., list[Offer]]] = {
    "open": _open_offers,
    "decision": _decision_offers,
    "payment": _payment_offers,
}


# The trade


def _trade_offers(trade: Trade, hand: kuhhandel.Hand, seat: int, options: kuhhandel.Options) -> list[Offer]:
    if trade.offered is None:
        if seat != trade.challenger:
            return []
        return [kuhhandel.ReofferTradeOffer(cards=hand.money, may_be_empty=_may_be_empty(hand, options))]
    if seat != trade.target:
        return []
    return [kuhhandel.AcceptTradeOffer(), kuhhandel.CounterTradeOffer(cards=hand.money)]
