"""Real or Fake: what is said. Actions, events, options, table, hand and offers (real_or_fake.md).

Seats collect objects of nine series, some of which turn out to be fakes. Cards are multisets, series to count.
A seat's own insider cards stand in its hand, so looking at them takes no action.
"""

from typing import Annotated, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.games.real_or_fake_cards import (
    DECK,
    IN_SERIES,
    VALUES,
    Cards,
    Insider,
    InsiderDeck,
    Series,
    Square,
    holds,
)
from fairdeal.view import Offer, Random
from fairdeal.view import Table as BaseTable
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by

NOTE: Final = 1000
"""The smallest note: every amount of money is a multiple of it."""

Phase = Literal["arrange", "new_cards", "trade", "bid"]
"""`arrange`: the seat on turn arranges its cards and rolls. `new_cards`: a seat that got cards lays out some of
them. `trade`: the seat on turn may buy. `bid`: an auction, in turn order."""
Kind = Literal["house", "insider"]
"""What is auctioned: all cards of the auction house, or two insider cards."""
Pile = Literal["new_acquisitions", "auction_objects"]

SomeCards = dict[Series, Annotated[int, msgspec.Meta(ge=1, le=IN_SERIES)]]
Money = Annotated[int, msgspec.Meta(ge=0, le=10**9, multiple_of=NOTE)]
Step = Annotated[int, msgspec.Meta(ge=NOTE, le=10**9, multiple_of=NOTE)]


# Actions. Each is refused with `out_of_game`, `wrong_phase` or `not_your_turn` where it is not for this seat.


class Arrange(Action):
    """Lay own hand cards open and take own open cards back, before rolling, as often as one likes (§5).

    Refused: `not_in_hand`, `not_on_table`, `both_ways` for a series in both, `one_way` for a card taken back
    where the options forbid it.
    """

    to_table: SomeCards = msgspec.field(default_factory=dict)
    to_hand: SomeCards = msgspec.field(default_factory=dict)


class Roll(Action):
    """Roll both dice and move; the square says what follows (real_or_fake.md §5.1)."""


class Sort(Action):
    """Lay some of the cards just got open; the rest goes to the hand. Refused: `not_new`."""

    to_table: SomeCards = msgspec.field(default_factory=dict)


class Buy(Action):
    """Buy all open cards of a series from another seat, living or bankrupt, at the table's price (§5.1).

    Refused: `bad_target` for oneself or no seat at all, `none_open`, `cannot_afford`.
    """

    seat: int
    series: Series


class Decline(Action):
    """Buy nothing on a trade square."""


class Bid(Action):
    """Bid more than the high bid (real_or_fake.md §5.2).

    Refused: `bad_step`, `bid_too_low`, and `cannot_afford` unless `overbid` is `redo`.
    """

    amount: int


class Pass(Action):
    """Leave the auction for good."""


# Events


class PilesLaid(Event):
    """The rest of the box is laid out: how many cards each pile holds, and how many insider cards are put away."""

    new_acquisitions: Public[int]
    auction_objects: Public[int]
    insiders: Public[int]
    put_away: Public[int]


class HandDealt(Event):
    """A seat was dealt its first `count` object cards."""

    seat: Public[int]
    count: Public[int]
    cards: Secret[Drawn[tuple[Series, ...]]] = seen_by("seat")


class StartRolled(Event):
    """These seats rolled for the start, in seat order; the highest sum starts, the tied highest roll again."""

    seats: Public[tuple[int, ...]]
    rolls: Public[Drawn[tuple[tuple[int, ...], ...]]]


class TurnStarted(Event):
    """A seat has the turn, the `number`-th of the game, and may arrange its cards."""

    seat: Public[int]
    number: Public[int]


class Arranged(Event):
    """A seat moved these of its cards; it holds `in_hand` cards now."""

    seat: Public[int]
    to_table: Public[Cards]
    to_hand: Public[Cards]
    in_hand: Public[int]


class Rolled(Event):
    """A seat rolled and its piece came to `position`, counted clockwise from 0, the start; what `square` that is."""

    seat: Public[int]
    dice: Public[Drawn[tuple[int, ...]]]
    position: Public[int]
    square: Public[Square]


class BonusPaid(Event):
    """The bank paid a seat for coming to the start or past it (`start_bonus`)."""

    seat: Public[int]
    amount: Public[int]


class Acquired(Event):
    """A seat took the top `count` new acquisitions; `pile_left` remain."""

    seat: Public[int]
    count: Public[int]
    pile_left: Public[int]
    cards: Secret[Drawn[tuple[Series, ...]]] = seen_by("seat")


class Sorted(Event):
    """A seat laid these of its new cards open; it holds `in_hand` cards now."""

    seat: Public[int]
    to_table: Public[Cards]
    in_hand: Public[int]


class TradeOpened(Event):
    """A seat is on a trade square and some other seat has open cards: it may buy."""

    seat: Public[int]


class Traded(Event):
    """A seat bought all open cards of a series; the price goes to the seller or, if that is bankrupt, the bank."""

    seat: Public[int]
    seller: Public[int]
    series: Public[Series]
    count: Public[int]
    price: Public[int]


class TradeDeclined(Event):
    """A seat bought nothing on a trade square."""

    seat: Public[int]


class Taxed(Event):
    """A tax raid: a seat paid the bank for its `count` hand cards."""

    seat: Public[int]
    count: Public[int]
    amount: Public[int]


class WentBankrupt(Event):
    """A seat is out of the game: its `cash` went to the bank and its last `cards` lie open, for sale by the bank.

    `tax` is what it could not pay, null for a seat that resigned.
    """

    seat: Public[int]
    tax: Public[int | None]
    cash: Public[int]
    cards: Public[Cards]


class HouseFilled(Event):
    """The top auction objects lie open in the auction house; the very last one is set aside, out of the game."""

    seat: Public[int]
    cards: Public[Drawn[tuple[Series, ...]]]
    set_aside: Public[Drawn[Series | None]]
    pile_left: Public[int]


class AuctionStarted(Event):
    """An auction of `count` cards begins; the starter opens the bidding."""

    kind: Public[Kind]
    starter: Public[int]
    count: Public[int]


class BidMade(Event):
    """A bid stands."""

    seat: Public[int]
    amount: Public[int]


class Passed(Event):
    """A seat is out of the auction for good; `forced`: its cash is below the least bid."""

    seat: Public[int]
    forced: Public[bool]


class Overbid(Event):
    """A seat bid more than it has: the auction goes on without it (`overbid: redo`)."""

    seat: Public[int]
    amount: Public[int]


class AuctionRestarted(Event):
    """The high bidder or a seat that overbid is gone: the bidding begins anew among all others."""

    starter: Public[int]


class AuctionWon(Event):
    """A seat gets what was auctioned, for the high bid or, if nobody bid, for nothing (0)."""

    kind: Public[Kind]
    seat: Public[int]
    price: Public[int]


class AuctionLapsed(Event):
    """Nobody bid for the house: its cards stay there or are `discarded`, out of the game (`no_bid_house`)."""

    discarded: Public[bool]


class InsiderTaken(Event):
    """A seat took the top insider cards, for the price or for nothing; `pile_left` remain."""

    seat: Public[int]
    count: Public[int]
    price: Public[int]
    pile_left: Public[int]
    cards: Secret[Drawn[tuple[Insider, ...]]] = seen_by("seat")


class PileEnded(Event):
    """The last card of a pile was taken: the game is over."""

    pile: Public[Pile]


class InsiderRevealed(Event):
    """A seat showed one of its insider cards at the end."""

    seat: Public[int]
    card: Public[Insider]


class Wealth(msgspec.Struct, frozen=True):
    """What a seat has at the end: all its cards, what their genuine series are worth, and all in all.

    A bankrupt seat has nothing; its `cards` are those that are left at its place.
    """

    cash: int
    cards: Cards
    collections: int
    total: int


class WealthCounted(Event):
    """The game is over: which series are fake, and what each seat has."""

    reason: Public[str]
    fakes: Public[tuple[Series, ...]]
    wealth: Public[tuple[Wealth, ...]]


# Options


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (real_or_fake.md §12). All money is in euro and a multiple of 1000."""

    board: Literal["house28"] | Annotated[tuple[Square, ...], msgspec.Meta(min_length=1, max_length=60)] = (
        "house28"
    )
    """The squares clockwise; pieces begin on the first. `house28` is the house's own board."""
    arrange: Literal["free", "one_way"] = "free"
    """Whether cards may go back from the table to the hand (`free`), or only from the hand to the table."""
    overbid: Literal["reject", "redo"] = "reject"
    """Whether a bid above the own cash is refused, or the auction is repeated without that seat."""
    no_bid_house: Literal["starter_free", "stay", "discard"] = "starter_free"
    """When nobody bids for the house: the starter gets its cards, they stay, or they go out of the game."""
    min_bid: Step = NOTE
    """The least first bid."""
    bid_step: Step = NOTE
    """By how much a bid has to be above the last."""
    tax_per_card: Money = DECK.tax_per_hand_card
    """What a tax raid costs for each hand card."""
    start_money: Money = DECK.start_money
    """What each seat begins with."""
    start_cards: Annotated[int, msgspec.Meta(ge=0, le=20)] = DECK.hand_size
    """Object cards dealt to each seat."""
    insider_placed: Annotated[int, msgspec.Meta(ge=0, le=36, multiple_of=2)] = DECK.insider_placed
    """Insider cards laid on the board; they are sold two by two."""
    insider_deck: InsiderDeck = "9+27"
    """How many marked and blank insider cards there are. All three fit the printed odds."""
    value_table: Annotated[tuple[Money, ...], msgspec.Meta(min_length=13, max_length=13)] = VALUES
    """What 0 to 12 cards of a genuine series are worth, and the price of so many."""
    bankrupt_insider: Literal["shown", "void"] = "shown"
    """Whether a bankrupt seat's insider cards are shown at the end and count."""
    hide_cash: bool = False
    """Whether the table hides how much cash each seat has; each seat sees its own."""
    last_living_ends: bool = True
    """Whether the game ends when one seat is left that is not bankrupt."""
    start_bonus: Money = 0
    """What the bank pays for coming to the start or past it."""


# Table and hand


class PlacedBid(msgspec.Struct, frozen=True):
    """A bid and the seat that made it."""

    seat: int
    amount: int


class Auction(msgspec.Struct):
    """The auction that runs, of `count` cards.

    `bidder` has to bid or pass; `bidders` are the seats that are still in, the high bidder among them.
    `excluded` are seats that bid more than they had.
    """

    kind: Kind
    count: int
    starter: int
    bidder: int
    bidders: list[int]
    high: PlacedBid | None = None
    excluded: list[int] = []


class Sorting(msgspec.Struct, frozen=True):
    """A seat that has `count` new cards to lay out or keep; `cards` if everybody saw which."""

    seat: int
    count: int
    cards: Cards | None


class LastRoll(msgspec.Struct, frozen=True):
    """The last roll for a move."""

    seat: int
    dice: tuple[int, ...]
    square: Square


class RevealedCard(msgspec.Struct, frozen=True):
    """An insider card that was shown at the end, and whose it was."""

    seat: int
    card: Insider


class Table(BaseTable):
    """What everybody sees.

    `hands` and `insiders` are how many object and insider cards each seat holds, `open_cards` what lies open in
    front of it. `positions` are squares of the board, null for a seat that is out; `bankrupt` has those in the
    order of their leaving. `new_acquisitions`, `auction_objects` and `insider_pile` are how many cards are left
    there. `cash` is null where the options hide it. `turn` is the seat on turn, null after the end; `sorting` and
    `auction` say who else is waited for.
    """

    board: tuple[Square, ...]
    cash: list[int] | None
    hands: list[int]
    open_cards: list[Cards]
    insiders: list[int]
    positions: list[int | None]
    bank: int = 0
    new_acquisitions: int = 0
    auction_objects: int = 0
    insider_pile: int = 0
    house: Cards = msgspec.field(default_factory=dict)
    set_aside: Cards = msgspec.field(default_factory=dict)
    bankrupt: list[int] = msgspec.field(default_factory=list)
    phase: Phase = "arrange"
    turn: int | None = None
    turn_number: int = 0
    last_roll: LastRoll | None = None
    sorting: Sorting | None = None
    auction: Auction | None = None
    revealed: list[RevealedCard] = msgspec.field(default_factory=list)
    fakes: tuple[Series, ...] | None = None
    wealth: tuple[Wealth, ...] | None = None


class Hand(msgspec.Struct):
    """A seat's own hand cards, cash and insider cards in the order of their coming, and `new` cards to be sorted."""

    cash: int
    cards: Cards = {}
    new: Cards = {}
    insiders: list[Insider] = []


# Offers


def _some_of(cards: Cards, random: Random) -> Cards:
    """Some of these cards by chance, perhaps none."""
    taken = {series: random.randrange(count + 1) for series, count in cards.items()}
    return {series: count for series, count in taken.items() if count}


class ArrangeOffer(Offer, of=Arrange):
    """The own cards that may be laid open or taken back, of each series one way only."""

    to_table: Cards
    to_hand: Cards

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, Arrange)
            and holds(self.to_table, action.to_table)
            and holds(self.to_hand, action.to_hand)
            and not action.to_table.keys() & action.to_hand.keys()
        )

    def sample(self, random: Random) -> Arrange:
        """Some cards by chance, each series one way."""
        to_table = _some_of(self.to_table, random)
        to_hand = _some_of(self.to_hand, random)
        for series in [series for series in to_table if series in to_hand]:
            random.choice((to_table, to_hand)).pop(series)
        return Arrange(to_table=to_table, to_hand=to_hand)


class RollOffer(Offer, of=Roll):
    """This seat may roll."""


class SortOffer(Offer, of=Sort):
    """The new cards, any of which may be laid open."""

    cards: Cards

    def admits(self, action: Action) -> bool:
        return isinstance(action, Sort) and holds(self.cards, action.to_table)

    def sample(self, random: Random) -> Sort:
        return Sort(to_table=_some_of(self.cards, random))


class BuyOffer(Offer, of=Buy):
    """What may be bought: for each seat the prices of its open series that this seat can pay."""

    prices: dict[int, dict[Series, int]]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Buy) and action.series in self.prices.get(action.seat, ())

    def sample(self, random: Random) -> Buy:
        seat = random.choice(tuple(self.prices))
        return Buy(seat=seat, series=random.choice(tuple(self.prices[seat])))


class DeclineOffer(Offer, of=Decline):
    """This seat may buy nothing."""


class BidOffer(Offer, of=Bid):
    """The bids open to this seat: the multiples of `step` from `least` to `most`, null for no limit."""

    least: int
    step: int
    most: int | None

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, Bid)
            and action.amount >= self.least
            and (self.most is None or action.amount <= self.most)
            and action.amount % self.step == 0
        )

    def sample(self, random: Random) -> Bid:
        """The least bid or, each step half as likely, more."""
        amount = self.least
        while (self.most is None or amount + self.step <= self.most) and random.random() < 0.5:
            amount += self.step
        return Bid(amount=amount)


class PassOffer(Offer, of=Pass):
    """This seat may leave the auction."""
