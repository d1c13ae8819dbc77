"""`bot:steady` for Real or Fake: pays for cards what they are likely to bring, and hides only what is worth the tax.

Everything is weighed in euro at the end: a collection by the value table, times the chance that its series is
genuine as far as this seat can tell.
"""

from random import Random
from typing import Final

from fairdeal.action import Action
from fairdeal.games.real_or_fake import (
    Arrange,
    ArrangeOffer,
    Bid,
    Buy,
    Decline,
    Hand,
    Pass,
    Roll,
    Sort,
    Table,
)
from fairdeal.games.real_or_fake_cards import SERIES, Cards, Series, insider_pool, plus, size
from fairdeal.view import View
from fairdeal_bots.bot import Bot

SOLD: Final = 0.7
"""The share of the insider cards on the board that are sold before the end."""

MARGIN: Final = 0.9
"""The most that is bid for a lot, as a share of what it is likely to bring."""

INSIDE: Final = 0.05
"""What it is worth to know two insider cards: this share of what the own collections may bring."""

SteadyView = View[Table, Hand]


class Steady:
    """Bids no more than it has, buys where that pays, and keeps no hand that a raid could break."""

    def choose(self, view: SteadyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        seat = Seat(view)
        match view.table.phase:
            case "arrange":
                return _arrange(view, seat)
            case "new_cards":
                return Sort(to_table=seat.open_of(seat.hand.new))
            case "trade":
                return _trade(view, seat)
            case "bid":
                return _bid(view, seat, random)


class Seat:
    """What a seat can say of its own position."""

    def __init__(self, view: SteadyView) -> None:
        assert view.seat is not None
        assert view.hand is not None
        self._table = table = view.table
        self._seat = view.seat
        self.hand = view.hand
        self.cards = plus(plus(view.hand.cards, view.hand.new), table.open_cards[view.seat])
        self._values: list[int] = table.options["value_table"]
        self._genuine = self._chances()

    def _chances(self) -> dict[Series, float]:
        """How likely each series is to be genuine: its marks may be among the cards that others own at the end."""
        own = self.hand.insiders
        pool = insider_pool(self._table.options["insider_deck"])
        unseen = sum(pool.values()) - len(own)
        others = sum(self._table.insiders) - len(own) + SOLD * self._table.insider_pile
        missed = 1 - others / unseen
        return {series: 0.0 if series in own else missed ** pool[series] for series in SERIES}

    def worth(self, cards: Cards) -> float:
        """What collections are likely to bring."""
        return sum(self._values[count] * self._genuine[series] for series, count in cards.items())

    def gain(self, cards: Cards) -> float:
        """What more cards would add to the own collections."""
        return self.worth(plus(self.cards, cards)) - self.worth(self.cards)

    def open_of(self, cards: Cards) -> Cards:
        """Which of these cards had better lie open.

        Open cards cost no tax, and whoever buys them pays their full value. Only a rival who builds on them
        gains more than that: from them they are hidden, as long as the tax on them can be paid.
        """
        if self.hand.cash < self._table.options["tax_per_card"] * size(self.cards):
            return cards
        return {series: count for series, count in cards.items() if not self._worth_hiding(series)}

    def _worth_hiding(self, series: Series) -> bool:
        table, count, chance = self._table, self.cards[series], self._genuine[series]
        price = self._values[count]
        swing = 0.0
        for rival, cards in enumerate(table.open_cards):
            if rival == self._seat or rival in table.bankrupt:
                continue
            if table.cash is not None and table.cash[rival] < price:
                continue
            theirs = cards.get(series, 0)
            gained = chance * (self._values[theirs + count] - self._values[theirs]) - price
            lost = chance * price - price
            swing = max(swing, gained + lost)
        tax: int = count * table.options["tax_per_card"]
        return table.board.count("trade") * swing > table.board.count("tax_raid") * tax


def _arrange(view: SteadyView, seat: Seat) -> Action:
    offer: ArrangeOffer = view.offer(Arrange)
    open_ones = seat.open_of(seat.cards)
    to_table = {series: n for series, n in offer.to_table.items() if series in open_ones}
    to_hand = {series: n for series, n in offer.to_hand.items() if series not in open_ones}
    return Arrange(to_table=to_table, to_hand=to_hand) if to_table or to_hand else Roll()


def _trade(view: SteadyView, seat: Seat) -> Action:
    offer = view.offer(Buy)
    if offer is None:
        return Decline()
    best, seller, series = max(
        (seat.gain({series: view.table.open_cards[seller][series]}) - price, seller, series)
        for seller, prices in offer.prices.items()
        for series, price in prices.items()
    )
    return Buy(seat=seller, series=series) if best > 0 else Decline()


def _bid(view: SteadyView, seat: Seat, random: Random) -> Action:
    """Raise by up to a third of what is left to the limit."""
    auction, offer = view.table.auction, view.offer(Bid)
    assert auction is not None
    worth = seat.gain(view.table.house) if auction.kind == "house" else INSIDE * seat.worth(seat.cards)
    limit = min(int(MARGIN * worth), seat.hand.cash)
    if limit < offer.least:
        return Pass()
    steps = (limit - offer.least) // offer.step
    return Bid(amount=offer.least + offer.step * random.randint(0, steps // 3))


BOTS: Final[dict[str, Bot]] = {"steady": Steady()}
