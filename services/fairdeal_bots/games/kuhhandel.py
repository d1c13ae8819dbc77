"""`bot:steady` for Kuhhandel: buys what brings its quartets on, within its means, and bluffs with its 0-cards only.

Everything is weighed on one scale: what an animal would add to the score, turned into money by sharing what
the seat has among what may still come.
"""

from random import Random
from typing import Final

from fairdeal.action import Action
from fairdeal.games.kuhhandel import (
    QUARTET,
    VALUES,
    AcceptTrade,
    Bid,
    CounterTrade,
    Decide,
    Hand,
    Pass,
    Pay,
    ReofferTrade,
    ReofferTradeOffer,
    Species,
    StartAuction,
    StartTrade,
    StartTradeOffer,
    Table,
)
from fairdeal.games.kuhhandel_money import MONEY, WORTH, Heap, least_offer, size, total
from fairdeal.view import View
from fairdeal_bots.bot import Bot

PROGRESS: Final = (0.0, 0.1, 0.3, 0.55, 1.0)
"""How much of a quartet's worth none, one, … four of its animals are."""

EAGER: Final = 1.6
"""How far above an even share of its money a seat goes: most animals go to others in the end."""

SELLING: Final = 0.7
"""An auctioneer who buys pays and is not paid: the price has to be this much better."""

TRADES: Final = 0.25
"""A trade is begun before the deck is empty if it brings so much of a quartet's progress."""

SteadyView = View[Table, Hand]


class Steady:
    """Never bids or offers what it lacks, pays as little as it can, and lets everybody have their say."""

    def choose(self, view: SteadyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        seat = Seat(view)
        if view.table.auction is not None:
            return _in_auction(view, seat, random)
        if view.table.trade is not None:
            return _in_trade(view, seat, random)
        return _on_turn(view, seat, random)


class Seat:
    """What a seat can say of its own position."""

    def __init__(self, view: SteadyView) -> None:
        assert view.seat is not None
        assert view.hand is not None
        self._table = view.table
        self.own = view.table.animals[view.seat]
        self.money = view.hand.money
        self.total = total(view.hand.money)
        self._multiplies = view.table.options["scoring"] == "product"
        progress = {species: PROGRESS[self.own.get(species, 0)] for species in VALUES}
        self._sum = sum(VALUES[species] * done for species, done in progress.items())
        self._quartets = sum(progress.values())

    def gain(self, species: Species, animals: int = 1) -> float:
        """What so many more of a species would add to the score, as far as it can be foreseen."""
        step = self.progress(species, animals)
        if not self._multiplies:
            return VALUES[species] * step
        return (self._sum + VALUES[species] * (self._quartets + 1)) * step

    def progress(self, species: Species, animals: int) -> float:
        """How far so many more animals bring a quartet on."""
        have = self.own.get(species, 0)
        return PROGRESS[min(QUARTET, have + animals)] - PROGRESS[have]

    def worth(self, gain: float) -> int:
        """What to pay at most for such a gain: its share of the own money, measured by what may still come."""
        coming = self._coming()
        share = 1.0 if not coming else min(1.0, EAGER * gain / (gain + coming))
        return int(self.total * share)

    def _coming(self) -> float:
        """What this seat may expect to gain by other deals: its part of what is to be auctioned or traded."""
        owned = {
            species: sum(animals.get(species, 0) for animals in self._table.animals) for species in VALUES
        }
        deck = sum((QUARTET - count) * self.gain(species) for species, count in owned.items())
        open_ends = (s for s, count in self.own.items() if count < QUARTET)
        trades = sum(self.gain(species, QUARTET) for species in open_ends)
        return deck / len(self._table.animals) + trades / 2


# Auctions


def _in_auction(view: SteadyView, seat: Seat, random: Random) -> Action | None:
    auction = view.table.auction
    assert auction is not None
    limit = seat.worth(sum(seat.gain(species) for species in auction.lot))
    pay = view.offer(Pay)
    if pay is not None:
        return Pay(cards=min(pay.payments(), key=lambda paid: (total(paid), size(paid))))
    decide = view.offer(Decide)
    if decide is not None:
        assert auction.high is not None
        return Decide(preempt=decide.affordable and auction.high.amount <= limit * SELLING)
    bid = view.offer(Bid)
    if bid is not None:
        most = min(limit, seat.total, bid.most)
        if bid.least <= most:
            steps = (most - bid.least) // bid.step
            return Bid(amount=bid.least + bid.step * random.randint(0, steps // 3))
    # An auctioneer waits until all others have passed: they may need time that calls would not leave.
    return Pass() if view.offer(Pass) is not None else None


# Trades


def _on_turn(view: SteadyView, seat: Seat, random: Random) -> Action:
    trade: StartTradeOffer | None = view.offer(StartTrade)
    if trade is not None:
        _, target, species = max(
            (seat.gain(species, stake) * seat.progress(species, stake), target, species)
            for target, common in trade.stakes.items()
            for species, stake in common.items()
        )
        stake = trade.stakes[target][species]
        rich = seat.total >= _dealt(view.table) / len(view.table.players)
        if view.offer(StartAuction) is None or (rich and seat.progress(species, stake) >= TRADES):
            heap = _heap(seat, species, stake, random) or least_offer(seat.money, trade.may_be_empty)
            return StartTrade(target=target, species=species, offer=heap)
    return StartAuction()


def _dealt(table: Table) -> int:
    """What all money out of the bank is worth: the bank is open, and so is what left it."""
    return total(MONEY[table.options["money_set"]].box) - total(table.bank)


def _in_trade(view: SteadyView, seat: Seat, random: Random) -> Action:
    table, trade = view.table, view.table.trade
    assert trade is not None
    heap = _heap(seat, trade.species, trade.stake, random)
    reoffer: ReofferTradeOffer | None = view.offer(ReofferTrade)
    if reoffer is not None:
        return ReofferTrade(cards=heap or least_offer(seat.money, reoffer.may_be_empty))
    assert trade.offered is not None
    cards_out = size(MONEY[table.options["money_set"]].box) - size(table.bank)
    # A counter below what probably lies there would win nothing; taking the heap is then the better price.
    outbids = total(heap) > trade.offered * _dealt(table) / cards_out
    return CounterTrade(cards=heap) if outbids else AcceptTrade()


def _heap(seat: Seat, species: Species, stake: int, random: Random) -> Heap:
    """Cards worth about what the animals are, give or take a little, with the 0-cards to look like more."""
    # Winning brings the animals, losing costs some that are there already.
    swing = seat.gain(species, stake) + seat.own[species] * seat.gain(species) / 2
    left = seat.worth(swing) * (0.8 + 0.4 * random.random())
    heap: Heap = {}
    for name in reversed(seat.money):
        taken = min(seat.money[name], int(left) // WORTH[name]) if WORTH[name] else seat.money[name]
        left -= taken * WORTH[name]
        if taken:
            heap[name] = taken
    return heap


BOTS: Final[dict[str, Bot]] = {"steady": Steady()}
