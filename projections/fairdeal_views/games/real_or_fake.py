"""Real or Fake: what is seen (real_or_fake.md §7)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.game import Finished
from fairdeal.games import real_or_fake
from fairdeal.games.real_or_fake import (
    NOTE,
    Auction,
    Hand,
    LastRoll,
    Options,
    RevealedCard,
    Sorting,
    Table,
)
from fairdeal.games.real_or_fake_bidding import heir, least_bid, leave, open_bidding, place_bid
from fairdeal.games.real_or_fake_cards import HOUSE_BOARD, Cards, count_of, minus, plus, size
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.projection import Projection


class Seen(Projection[Table, Hand]):
    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> Table:
        agreed = msgspec.convert(options, Options)
        seats = len(players)
        return Table(
            players=list(players),
            options=options,
            board=HOUSE_BOARD if agreed.board == "house28" else agreed.board,
            cash=None if agreed.hide_cash else [agreed.start_money] * seats,
            hands=[0] * seats,
            open_cards=[{} for _ in players],
            insiders=[0] * seats,
            positions=[0] * seats,
        )

    def open_hand(self, seat: int, options: dict[str, Any]) -> Hand:
        return Hand(cash=options["start_money"])

    def fold_table(self, table: Table, event: Event) -> None:
        fold = _TABLE_FOLDS.get(type(event))
        if fold is not None:
            fold(table, event)
        for seat, change in _payments(table, event):
            if seat is None:
                table.bank += change
            elif table.cash is not None:
                table.cash[seat] += change

    def fold_hand(self, hand: Hand, table: Table, event: Event, seat: int) -> None:
        fold = _HAND_FOLDS.get(type(event))
        if fold is not None:
            fold(hand, table, event, seat)
        for payer, change in _payments(table, event):
            if payer == seat:
                hand.cash += change

    def offers(self, table: Table, hand: Hand, seat: int) -> Sequence[Offer]:
        if seat not in self.to_act(table):
            return ()
        return _OFFERS[table.phase](table, hand, seat, msgspec.convert(table.options, Options))

    def phase(self, table: Table) -> str:
        return table.phase

    def to_act(self, table: Table) -> Sequence[int]:
        if table.turn is None:
            return ()
        if table.auction is not None:
            return (table.auction.bidder,)
        return (table.turn,) if table.sorting is None else (table.sorting.seat,)

    def deadline_for(self, table: Table) -> object:
        return table.turn_number if table.phase == "arrange" else None


# Money


def _payments(table: Table, event: Event) -> tuple[tuple[int | None, int], ...]:
    """Whose cash an event changes and by how much; null is the bank."""
    match event:
        case real_or_fake.BonusPaid():
            return (event.seat, event.amount), (None, -event.amount)
        case real_or_fake.Traded():
            payee = None if event.seller in table.bankrupt else event.seller
            return (event.seat, -event.price), (payee, event.price)
        case real_or_fake.Taxed():
            return (event.seat, -event.amount), (None, event.amount)
        case real_or_fake.WentBankrupt():
            return (event.seat, -event.cash), (None, event.cash)
        case real_or_fake.AuctionWon():
            return (event.seat, -event.price), (None, event.price)
        case _:
            return ()


# The table: the turn


def _hand_dealt(table: Table, event: real_or_fake.HandDealt) -> None:
    table.hands[event.seat] = event.count


def _piles_laid(table: Table, event: real_or_fake.PilesLaid) -> None:
    table.new_acquisitions = event.new_acquisitions
    table.auction_objects = event.auction_objects
    table.insider_pile = event.insiders


def _turn_started(table: Table, event: real_or_fake.TurnStarted) -> None:
    table.phase = "arrange"
    table.turn = event.seat
    table.turn_number = event.number


def _arranged(table: Table, event: real_or_fake.Arranged) -> None:
    seat = event.seat
    table.hands[seat] = event.in_hand
    table.open_cards[seat] = plus(minus(table.open_cards[seat], event.to_hand), event.to_table)


def _rolled(table: Table, event: real_or_fake.Rolled) -> None:
    table.positions[event.seat] = event.position
    table.last_roll = LastRoll(event.seat, event.dice, event.square)


def _acquired(table: Table, event: real_or_fake.Acquired) -> None:
    table.new_acquisitions = event.pile_left
    _gets(table, event.seat, event.count, None)


def _gets(table: Table, seat: int, count: int, cards: Cards | None) -> None:
    table.phase = "new_cards"
    table.sorting = Sorting(seat, count, cards)


def _sorted(table: Table, event: real_or_fake.Sorted) -> None:
    seat = event.seat
    table.hands[seat] = event.in_hand
    table.open_cards[seat] = plus(table.open_cards[seat], event.to_table)
    table.sorting = None


def _trade_opened(table: Table, event: real_or_fake.TradeOpened) -> None:
    table.phase = "trade"


def _traded(table: Table, event: real_or_fake.Traded) -> None:
    bought: Cards = {event.series: event.count}
    table.open_cards[event.seller] = minus(table.open_cards[event.seller], bought)
    _gets(table, event.seat, event.count, bought)


def _went_bankrupt(table: Table, event: real_or_fake.WentBankrupt) -> None:
    seat = event.seat
    table.open_cards[seat] = plus(table.open_cards[seat], event.cards)
    table.hands[seat] = 0
    if table.sorting is not None and table.sorting.seat == seat:
        table.sorting = None
    table.positions[seat] = None
    table.bankrupt.append(seat)
    auction = table.auction
    if auction is not None:
        if seat in auction.bidders:
            leave(auction, seat)
        if seat == auction.starter:
            auction.starter = heir(auction, len(table.players), table.bankrupt)


# The table: auctions


def _house_filled(table: Table, event: real_or_fake.HouseFilled) -> None:
    table.auction_objects = event.pile_left
    table.house = plus(table.house, count_of(event.cards))
    if event.set_aside is not None:
        table.set_aside = plus(table.set_aside, {event.set_aside: 1})


def _auction_started(table: Table, event: real_or_fake.AuctionStarted) -> None:
    table.phase = "bid"
    table.auction = Auction(event.kind, event.count, event.starter, event.starter, [])
    open_bidding(table.auction, len(table.players), table.bankrupt, event.starter)


def _bid_made(table: Table, event: real_or_fake.BidMade) -> None:
    place_bid(_auction(table), event.seat, event.amount)


def _passed(table: Table, event: real_or_fake.Passed) -> None:
    leave(_auction(table), event.seat)


def _overbid(table: Table, event: real_or_fake.Overbid) -> None:
    _auction(table).excluded.append(event.seat)


def _auction_restarted(table: Table, event: real_or_fake.AuctionRestarted) -> None:
    open_bidding(_auction(table), len(table.players), table.bankrupt, event.starter)


def _auction_won(table: Table, event: real_or_fake.AuctionWon) -> None:
    table.auction = None
    if event.kind == "house":
        _gets(table, event.seat, size(table.house), table.house)
        table.house = {}


def _auction_lapsed(table: Table, event: real_or_fake.AuctionLapsed) -> None:
    table.auction = None
    if event.discarded:
        table.set_aside = plus(table.set_aside, table.house)
        table.house = {}


def _insider_taken(table: Table, event: real_or_fake.InsiderTaken) -> None:
    table.insider_pile = event.pile_left
    table.insiders[event.seat] += event.count


def _auction(table: Table) -> Auction:
    assert table.auction is not None
    return table.auction


# The table: the end


def _insider_revealed(table: Table, event: real_or_fake.InsiderRevealed) -> None:
    table.revealed.append(RevealedCard(event.seat, event.card))


def _wealth_counted(table: Table, event: real_or_fake.WealthCounted) -> None:
    if table.sorting is not None:
        table.hands[table.sorting.seat] += table.sorting.count
        table.sorting = None
    table.auction = None
    table.fakes = event.fakes
    table.wealth = event.wealth


def _finished(table: Table, event: Finished) -> None:
    table.turn = None


_TABLE_FOLDS: dict[type, Callable[[Table, Any], None]] = {
    real_or_fake.HandDealt: _hand_dealt,
    real_or_fake.PilesLaid: _piles_laid,
    real_or_fake.TurnStarted: _turn_started,
    real_or_fake.Arranged: _arranged,
    real_or_fake.Rolled: _rolled,
    real_or_fake.Acquired: _acquired,
    real_or_fake.Sorted: _sorted,
    real_or_fake.TradeOpened: _trade_opened,
    real_or_fake.Traded: _traded,
    real_or_fake.WentBankrupt: _went_bankrupt,
    real_or_fake.HouseFilled: _house_filled,
    real_or_fake.AuctionStarted: _auction_started,
    real_or_fake.BidMade: _bid_made,
    real_or_fake.Passed: _passed,
    real_or_fake.Overbid: _overbid,
    real_or_fake.AuctionRestarted: _auction_restarted,
    real_or_fake.AuctionWon: _auction_won,
    real_or_fake.AuctionLapsed: _auction_lapsed,
    real_or_fake.InsiderTaken: _insider_taken,
    real_or_fake.InsiderRevealed: _insider_revealed,
    real_or_fake.WealthCounted: _wealth_counted,
    Finished: _finished,
}


# The hand


def _own_deal(hand: Hand, table: Table, event: real_or_fake.HandDealt, seat: int) -> None:
    if event.cards is not None:
        hand.cards = count_of(event.cards)


def _own_arranged(hand: Hand, table: Table, event: real_or_fake.Arranged, seat: int) -> None:
    if event.seat == seat:
        hand.cards = plus(minus(hand.cards, event.to_table), event.to_hand)


def _own_acquired(hand: Hand, table: Table, event: real_or_fake.Acquired, seat: int) -> None:
    if event.cards is not None:
        hand.new = count_of(event.cards)


def _own_sorted(hand: Hand, table: Table, event: real_or_fake.Sorted, seat: int) -> None:
    if event.seat == seat:
        hand.cards = plus(hand.cards, minus(hand.new, event.to_table))
        hand.new = {}


def _own_traded(hand: Hand, table: Table, event: real_or_fake.Traded, seat: int) -> None:
    if event.seat == seat:
        hand.new = {event.series: event.count}


def _own_prize(hand: Hand, table: Table, event: real_or_fake.AuctionWon, seat: int) -> None:
    if event.seat == seat and table.sorting is not None:
        assert table.sorting.cards is not None
        hand.new = table.sorting.cards


def _own_bankruptcy(hand: Hand, table: Table, event: real_or_fake.WentBankrupt, seat: int) -> None:
    if event.seat == seat:
        hand.cards = {}
        hand.new = {}


def _own_insiders(hand: Hand, table: Table, event: real_or_fake.InsiderTaken, seat: int) -> None:
    if event.cards is not None:
        hand.insiders = [*hand.insiders, *event.cards]


def _own_wealth(hand: Hand, table: Table, event: real_or_fake.WealthCounted, seat: int) -> None:
    hand.cards = plus(hand.cards, hand.new)
    hand.new = {}


_HAND_FOLDS: dict[type, Callable[[Hand, Table, Any, int], None]] = {
    real_or_fake.HandDealt: _own_deal,
    real_or_fake.Arranged: _own_arranged,
    real_or_fake.Acquired: _own_acquired,
    real_or_fake.Sorted: _own_sorted,
    real_or_fake.Traded: _own_traded,
    real_or_fake.AuctionWon: _own_prize,
    real_or_fake.WentBankrupt: _own_bankruptcy,
    real_or_fake.InsiderTaken: _own_insiders,
    real_or_fake.WealthCounted: _own_wealth,
}


# Offers


def _arranging(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    to_hand = table.open_cards[seat] if options.arrange == "free" else {}
    return [real_or_fake.ArrangeOffer(to_table=hand.cards, to_hand=to_hand), real_or_fake.RollOffer()]


def _sorting(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    return [real_or_fake.SortOffer(cards=hand.new)]


def _trading(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    values = options.value_table
    prices = {
        seller: affordable
        for seller, cards in enumerate(table.open_cards)
        if seller != seat
        and (
            affordable := {
                series: values[count] for series, count in cards.items() if values[count] <= hand.cash
            }
        )
    }
    offers: list[Offer] = [real_or_fake.BuyOffer(prices=prices)] if prices else []
    return [*offers, real_or_fake.DeclineOffer()]


def _bidding(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    least = least_bid(_auction(table), options)
    most = hand.cash if options.overbid == "reject" else None
    return [real_or_fake.BidOffer(least=least, step=NOTE, most=most), real_or_fake.PassOffer()]


_OFFERS: Mapping[real_or_fake.Phase, Callable[[Table, Hand, int, Options], list[Offer]]] = {
    "arrange": _arranging,
    "new_cards": _sorting,
    "trade": _trading,
    "bid": _bidding,
}
