"""Kuhhandel: what is seen (kuhhandel.md §11)."""

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.game import Finished, Resigned
from fairdeal.games import kuhhandel
from fairdeal.games.kuhhandel import Auction, PlacedBid, Trade
from fairdeal.games.kuhhandel_money import MONEY, minus, plus, size
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.games.kuhhandel_offers import agreed_options, offers_to
from fairdeal_views.projection import Projection


class Seen(Projection[kuhhandel.Table, kuhhandel.Hand]):
    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> kuhhandel.Table:
        agreed = agreed_options(options)
        return kuhhandel.Table(
            players=list(players),
            options=options,
            animals=[{} for _ in players],
            bank=dict(MONEY[agreed.money_set].box),
            money_counts=[0] * len(players) if agreed.show_money_counts else None,
        )

    def open_hand(self, seat: int, options: dict[str, Any]) -> kuhhandel.Hand:
        return kuhhandel.Hand()

    def fold_table(self, table: kuhhandel.Table, event: Event) -> None:
        fold = _TABLE_FOLDS.get(type(event))
        if fold is not None:
            fold(table, event)

    def fold_hand(self, hand: kuhhandel.Hand, table: kuhhandel.Table, event: Event, seat: int) -> None:
        fold = _HAND_FOLDS.get(type(event))
        if fold is not None:
            fold(hand, table, event, seat)

    def offers(self, table: kuhhandel.Table, hand: kuhhandel.Hand, seat: int) -> Sequence[Offer]:
        return offers_to(table, hand, seat)

    def phase(self, table: kuhhandel.Table) -> str:
        if table.auction is not None:
            return f"auction_{table.auction.stage}"
        if table.trade is not None:
            return "trade_reoffer" if table.trade.offered is None else "trade_response"
        return "turn"

    def to_act(self, table: kuhhandel.Table) -> Sequence[int]:
        auction, trade = table.auction, table.trade
        if auction is not None:
            if auction.stage == "open":
                # The auctioneer may call but need not: the bidding also closes when all others have passed.
                return sorted(_contenders(table, auction)) if auction.turn is None else (auction.turn,)
            return (auction.auctioneer,) if auction.payer is None else (auction.payer,)
        if trade is not None:
            return (trade.challenger,) if trade.offered is None else (trade.target,)
        return () if table.turn is None else (table.turn,)

    def allowance(self, table: kuhhandel.Table, turn_ms: int | None) -> int | None:
        timed = _timed_auction(table) is not None
        return table.options["auction_seconds"] * 1000 if timed else turn_ms

    def deadline_for(self, table: kuhhandel.Table) -> object:
        auction = _timed_auction(table)
        if auction is None:
            return None
        return table.deck_left, auction.high, len(auction.exposed)


def _timed_auction(table: kuhhandel.Table) -> Auction | None:
    """The auction that a timer closes, while it is open for bids."""
    auction = table.auction
    if auction is None or auction.stage != "open" or table.options["auction_close"] != "timer":
        return None
    return auction


def _contenders(table: kuhhandel.Table, auction: Auction) -> list[int]:
    """The seats that may bid and have neither passed nor hold the high bid, clockwise from the auctioneer's left."""
    seats = len(table.players)
    out = {auction.auctioneer, *auction.exposed, *auction.passed, *table.resigned}
    if auction.high is not None:
        out.add(auction.high.seat)
    order = ((auction.auctioneer + step) % seats for step in range(1, seats))
    return [seat for seat in order if seat not in out]


# The table


def _money_dealt(table: kuhhandel.Table, event: kuhhandel.MoneyDealt) -> None:
    for seat in range(len(table.players)):
        table.bank = minus(table.bank, event.cards)
        _count(table, seat, size(event.cards))


def _count(table: kuhhandel.Table, seat: int, change: int) -> None:
    if table.money_counts is not None:
        table.money_counts[seat] += change


def _turn_started(table: kuhhandel.Table, event: kuhhandel.TurnStarted) -> None:
    table.turn = event.seat
    if table.starter is None:
        table.starter = event.seat


def _auction_started(table: kuhhandel.Table, event: kuhhandel.AuctionStarted) -> None:
    table.auction = Auction(auctioneer=event.auctioneer, lot=event.lot)
    table.deck_left = event.deck_left
    _next_bidder(table, table.auction, event.auctioneer)


def _next_bidder(table: kuhhandel.Table, auction: Auction, after: int) -> None:
    """In round robin, whose turn it is to bid: the next contender clockwise after a seat."""
    if table.options["auction_mode"] == "round_robin":
        seats = len(table.players)
        contend = _contenders(table, auction)
        auction.turn = min(contend, key=lambda seat: (seat - after - 1) % seats, default=None)


def _donkey_paid_out(table: kuhhandel.Table, event: kuhhandel.DonkeyPaidOut) -> None:
    table.donkeys = event.ordinal
    table.bank = minus(table.bank, {event.denomination: len(table.players)})
    for seat in range(len(table.players)):
        _count(table, seat, 1)


def _bid_made(table: kuhhandel.Table, event: kuhhandel.BidMade) -> None:
    auction = _auction(table)
    auction.high = PlacedBid(event.seat, event.amount)
    auction.bids[event.seat] = event.amount
    auction.calls = 0
    if auction.turn is None:
        auction.passed = []
    else:
        _next_bidder(table, auction, event.seat)


def _passed(table: kuhhandel.Table, event: kuhhandel.Passed) -> None:
    auction = _auction(table)
    auction.passed.append(event.seat)
    _next_bidder(table, auction, event.seat)


def _called(table: kuhhandel.Table, event: kuhhandel.Called) -> None:
    _auction(table).calls = event.step


def _auction_closed(table: kuhhandel.Table, event: kuhhandel.AuctionClosed) -> None:
    _auction(table).stage = "decision"


def _preempted(table: kuhhandel.Table, event: kuhhandel.Preempted) -> None:
    _to_pay(_auction(table), event.auctioneer, event.bidder)


def _sold(table: kuhhandel.Table, event: kuhhandel.Sold) -> None:
    _to_pay(_auction(table), event.bidder, event.auctioneer)


def _to_pay(auction: Auction, payer: int, payee: int) -> None:
    auction.stage = "payment"
    auction.payer = payer
    auction.payee = payee


def _bidder_exposed(table: kuhhandel.Table, event: kuhhandel.BidderExposed) -> None:
    auction = _auction(table)
    auction.exposed[event.seat] = event.cards
    if table.options["overbid_resolution"] == "restart":
        auction.bids = {}
    else:
        auction.bids.pop(event.seat, None)
    standing = [PlacedBid(seat, amount) for seat, amount in auction.bids.items()]
    auction.high = max(standing, key=lambda bid: bid.amount, default=None)
    auction.passed = []
    auction.calls = 0
    auction.stage = "open"
    auction.payer = auction.payee = None
    _next_bidder(table, auction, auction.high.seat if auction.high else auction.auctioneer)


def _payment_made(table: kuhhandel.Table, event: kuhhandel.PaymentMade) -> None:
    auction = _auction(table)
    if event.count is not None:
        _count(table, event.payer, -event.count)
        _count(table, event.payee, event.count)
    table.last_auction = kuhhandel.AuctionResult(
        auctioneer=auction.auctioneer,
        lot=auction.lot,
        taker=event.payer,
        price=event.price,
        payee=event.payee,
        count=event.count,
        shown=event.shown,
    )


def _animals_taken(table: kuhhandel.Table, event: kuhhandel.AnimalsTaken) -> None:
    for species in event.lot:
        _own(table, event.seat, species, 1)
    if not event.price:
        table.last_auction = kuhhandel.AuctionResult(
            auctioneer=event.seat,
            lot=event.lot,
            taker=event.seat,
            price=0,
            payee=None,
            count=None,
            shown=None,
        )
    table.auction = None


def _own(table: kuhhandel.Table, seat: int, species: kuhhandel.Species, change: int) -> None:
    owned = table.animals[seat]
    count = owned.get(species, 0) + change
    table.animals[seat] = {
        kind: n for kind in kuhhandel.VALUES if (n := count if kind == species else owned.get(kind, 0))
    }


def _trade_started(table: kuhhandel.Table, event: kuhhandel.TradeStarted) -> None:
    table.trade = Trade(
        challenger=event.challenger,
        target=event.target,
        species=event.species,
        stake=event.stake,
        offered=event.count,
    )
    _count(table, event.challenger, -event.count)
    if not table.deck_left:
        table.late_trades += 1


def _trade_reoffered(table: kuhhandel.Table, event: kuhhandel.TradeReoffered) -> None:
    trade = _trade(table)
    trade.offered = event.count
    trade.totals = None
    _count(table, event.challenger, -event.count)


def _trade_accepted(table: kuhhandel.Table, event: kuhhandel.TradeAccepted) -> None:
    if event.total is not None:
        _trade(table).totals = (event.total, None)
    _count(table, event.target, event.count)


def _trade_countered(table: kuhhandel.Table, event: kuhhandel.TradeCountered) -> None:
    _trade(table).countered = event.count
    _count(table, event.target, -event.count)


def _trade_counted(table: kuhhandel.Table, event: kuhhandel.TradeCounted) -> None:
    _trade(table).totals = event.totals


def _heaps_taken(table: kuhhandel.Table, event: kuhhandel.HeapsTaken) -> None:
    if event.counts is not None:
        _count(table, event.challenger, event.counts[0])
        _count(table, event.target, event.counts[1])


def _trade_tied(table: kuhhandel.Table, event: kuhhandel.TradeTied) -> None:
    if event.round == 1:
        trade = _trade(table)
        trade.round = 2
        trade.offered = trade.countered = None


def _trade_resolved(table: kuhhandel.Table, event: kuhhandel.TradeResolved) -> None:
    trade = _trade(table)
    assert trade.offered is not None
    if event.winner is not None:
        loser = event.target if event.winner == event.challenger else event.challenger
        _own(table, event.winner, event.species, event.animals)
        _own(table, loser, event.species, -event.animals)
    table.last_trade = kuhhandel.TradeResult(
        challenger=event.challenger,
        target=event.target,
        species=event.species,
        winner=event.winner,
        animals=event.animals,
        free=event.free,
        offered=trade.offered,
        countered=trade.countered,
        totals=trade.totals,
    )
    table.trade = None


def _dove_taken(table: kuhhandel.Table, event: kuhhandel.DoveTaken) -> None:
    table.dove = event.seat


def _resigned(table: kuhhandel.Table, event: Resigned) -> None:
    auction = table.auction
    if auction is not None and auction.turn == event.seat:
        _next_bidder(table, auction, event.seat)


def _finished(table: kuhhandel.Table, event: Finished) -> None:
    table.turn = None


def _auction(table: kuhhandel.Table) -> Auction:
    assert table.auction is not None
    return table.auction


def _trade(table: kuhhandel.Table) -> Trade:
    assert table.trade is not None
    return table.trade


_TABLE_FOLDS: dict[type, Callable[[kuhhandel.Table, Any], None]] = {
    kuhhandel.MoneyDealt: _money_dealt,
    kuhhandel.TurnStarted: _turn_started,
    kuhhandel.AuctionStarted: _auction_started,
    kuhhandel.DonkeyPaidOut: _donkey_paid_out,
    kuhhandel.BidMade: _bid_made,
    kuhhandel.Passed: _passed,
    kuhhandel.Called: _called,
    kuhhandel.AuctionClosed: _auction_closed,
    kuhhandel.Preempted: _preempted,
    kuhhandel.Sold: _sold,
    kuhhandel.BidderExposed: _bidder_exposed,
    kuhhandel.PaymentMade: _payment_made,
    kuhhandel.AnimalsTaken: _animals_taken,
    kuhhandel.TradeStarted: _trade_started,
    kuhhandel.TradeReoffered: _trade_reoffered,
    kuhhandel.TradeAccepted: _trade_accepted,
    kuhhandel.TradeCountered: _trade_countered,
    kuhhandel.TradeCounted: _trade_counted,
    kuhhandel.HeapsTaken: _heaps_taken,
    kuhhandel.TradeTied: _trade_tied,
    kuhhandel.TradeResolved: _trade_resolved,
    kuhhandel.DoveTaken: _dove_taken,
    Resigned: _resigned,
    Finished: _finished,
}


# The hand


def _hand_dealt(hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.MoneyDealt, seat: int) -> None:
    hand.money = plus({}, event.cards)


def _hand_paid_out(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.DonkeyPaidOut, seat: int
) -> None:
    hand.money = plus(hand.money, {event.denomination: 1})


def _hand_payment(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.PaymentMade, seat: int
) -> None:
    if event.cards is None:
        return
    change = minus if seat == event.payer else plus
    hand.money = change(hand.money, event.cards)
    hand.last_payment = kuhhandel.Paid(event.payer, event.payee, event.price, event.cards)


def _hand_laid(
    hand: kuhhandel.Hand,
    table: kuhhandel.Table,
    event: kuhhandel.TradeStarted | kuhhandel.TradeReoffered,
    seat: int,
) -> None:
    if event.cards is not None:
        hand.money = minus(hand.money, event.cards)
        hand.laid = event.cards


def _hand_accepted(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.TradeAccepted, seat: int
) -> None:
    if event.cards is None:
        return
    if seat == event.target:
        hand.money = plus(hand.money, event.cards)
    hand.laid = None
    hand.last_trade = kuhhandel.Counted(
        event.challenger, event.target, _trade(table).species, event.cards, None
    )


def _hand_countered(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.TradeCountered, seat: int
) -> None:
    if event.cards is not None:
        hand.money = minus(hand.money, event.cards)


def _hand_counted(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.TradeCounted, seat: int
) -> None:
    if event.offer is not None:
        hand.last_trade = kuhhandel.Counted(
            event.challenger, event.target, _trade(table).species, event.offer, event.counter
        )


def _hand_heaps_taken(
    hand: kuhhandel.Hand, table: kuhhandel.Table, event: kuhhandel.HeapsTaken, seat: int
) -> None:
    taken = event.to_challenger if seat == event.challenger else event.to_target
    if taken is not None:
        hand.money = plus(hand.money, taken)
        hand.laid = None


_HAND_FOLDS: dict[type, Callable[[kuhhandel.Hand, kuhhandel.Table, Any, int], None]] = {
    kuhhandel.MoneyDealt: _hand_dealt,
    kuhhandel.DonkeyPaidOut: _hand_paid_out,
    kuhhandel.PaymentMade: _hand_payment,
    kuhhandel.TradeStarted: _hand_laid,
    kuhhandel.TradeReoffered: _hand_laid,
    kuhhandel.TradeAccepted: _hand_accepted,
    kuhhandel.TradeCountered: _hand_countered,
    kuhhandel.TradeCounted: _hand_counted,
    kuhhandel.HeapsTaken: _hand_heaps_taken,
}
