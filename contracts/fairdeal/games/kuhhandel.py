"""Kuhhandel: what is said. Actions, events, options, table, hand and offers (kuhhandel.md, Ravensburger rules).

Animals are auctioned one by one, or traded for hidden heaps of money between two seats. Money cards are
multisets, denomination to count; who holds which is known to the seat alone. A seat that has resigned plays
by itself: whatever it sends is refused as `resigned`.
"""

from typing import Annotated, Any, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.games.kuhhandel_money import (
    Heap,
    PaymentRule,
    holds,
    payment_fault,
    payments,
    well_formed,
)
from fairdeal.view import Offer, Random
from fairdeal.view import Table as BaseTable
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by

Species = Literal["rooster", "goose", "cat", "dog", "sheep", "goat", "donkey", "pig", "cow", "horse"]

VALUES: Final[dict[Species, int]] = {
    "rooster": 10,
    "goose": 40,
    "cat": 90,
    "dog": 160,
    "sheep": 250,
    "goat": 350,
    "donkey": 500,
    "pig": 650,
    "cow": 800,
    "horse": 1000,
}
"""What a quartet of each species is worth, in rising order, which is the order of a pool too (kuhhandel.md §1)."""

QUARTET: Final = 4
ANIMALS: Final = QUARTET * len(VALUES)
DONKEY: Final[Species] = "donkey"
DONKEY_PAYS: Final = ("50", "100", "200", "500")
"""What everybody gets at the first, second, third and fourth donkey (kuhhandel.md §6.2)."""

DOVE_PAIRS: Final[tuple[tuple[Species, Species], ...]] = (
    ("rooster", "goose"),
    ("cat", "dog"),
    ("sheep", "goat"),
)
DOVE_BONUS: Final = 500
"""First edition: for the first seat that completes both species of one of the pairs (kuhhandel.md §15)."""


Stage = Literal["open", "decision", "payment"]
Scoring = Literal["product", "sum", "sum_plus_dove"]


# Actions


class StartAuction(Action):
    """Turn up the top animal and auction it. Refused: `wrong_phase`, `not_your_turn`, `deck_empty`."""


class Bid(Action):
    """Bid for what is auctioned (kuhhandel.md §6.1). More than one owns is a legal bluff.

    Refused: `wrong_phase`, `auctioneer_cannot_bid`, `excluded`, `already_highest`, `not_your_turn`,
    `bid_too_low`, `bad_step`, `bid_too_high`, `cannot_afford`.
    """

    amount: int


class Pass(Action):
    """Not at this price. In open outcry a new bid clears it; in round robin it is final.

    Refused: `wrong_phase`, `auctioneer_cannot_pass`, `excluded`, `already_highest`, `not_your_turn`,
    `already_passed`.
    """


class Call(Action):
    """Going once, twice, three times; after the third call the bidding is closed.

    `seen_high` is the high bid that is called, 0 if there is none; it may be left out where the command's
    `expect` says what was seen. Refused: `wrong_phase`, `not_auctioneer`, `stale_call`, `bad_step`.
    """

    step: int
    seen_high: int | None = None


class Decide(Action):
    """After the bidding the auctioneer buys at the high bid (`preempt`) or sells to the high bidder.

    Refused: `wrong_phase`, `not_auctioneer`, `cannot_afford`.
    """

    preempt: bool


class Pay(Action):
    """Pay the price; no change is given (kuhhandel.md §6.3).

    Refused: `wrong_phase`, `not_payer`, `bad_shape`, `cards_not_owned`, `underpaid`, `superfluous_cards`.
    """

    cards: Heap


class StartTrade(Action):
    """Offer another seat a hidden heap for its animals of a species (kuhhandel.md §7.1).

    Refused: `wrong_phase`, `not_your_turn`, `bad_target`, `set_complete`, `no_common_species`, `bad_shape`,
    `cards_not_owned`, `empty_offer`.
    """

    target: int
    species: Species
    offer: Heap


class AcceptTrade(Action):
    """Take the hidden heap and give the animals. Refused: `wrong_phase`, `not_target`."""


class CounterTrade(Action):
    """Lay a hidden heap against the offer: the higher one gets the animals (kuhhandel.md §7.2).

    Refused: `wrong_phase`, `not_target`, `bad_shape`, `cards_not_owned`.
    """

    cards: Heap


class ReofferTrade(Action):
    """After a tie offer anew for the same animals.

    Refused: `wrong_phase`, `not_challenger`, `bad_shape`, `cards_not_owned`, `empty_offer`.
    """

    cards: Heap


# Events


class StarterDrawn(Event):
    """The seat that begins was drawn by lot (`start_rule: random`)."""

    seat: Public[Drawn[int]]


class MoneyDealt(Event):
    """Every seat got these cards out of the bank."""

    cards: Public[Heap]


class TurnStarted(Event):
    """A seat has the turn: it auctions or trades."""

    seat: Public[int]


class SeatSkipped(Event):
    """With the deck empty, a seat that owns complete quartets or nothing has no turn."""

    seat: Public[int]


class AuctionStarted(Event):
    """The top of the deck was turned up: `lot` is auctioned, `deck_left` cards remain."""

    auctioneer: Public[int]
    lot: Public[Drawn[tuple[Species, ...]]]
    deck_left: Public[int]


class DonkeyPaidOut(Event):
    """The `ordinal`-th donkey was turned up: every seat got a card of this denomination out of the bank."""

    ordinal: Public[int]
    denomination: Public[str]


class BidMade(Event):
    """A bid stands; passes and calls are cleared."""

    seat: Public[int]
    amount: Public[int]


class Passed(Event):
    """A seat is not interested at this price."""

    seat: Public[int]


class Called(Event):
    """The auctioneer called the high bid, or null when there is none, for the `step`-th time."""

    auctioneer: Public[int]
    step: Public[int]
    high: Public[int | None]


class AuctionClosed(Event):
    """The bidding is over: the high bidder and the price, or null and 0 when nobody bid."""

    bidder: Public[int | None]
    price: Public[int]


class Preempted(Event):
    """The auctioneer buys for the price and pays it to the high bidder."""

    auctioneer: Public[int]
    bidder: Public[int]
    price: Public[int]


class Sold(Event):
    """The auctioneer sells to the high bidder for the price."""

    auctioneer: Public[int]
    bidder: Public[int]
    price: Public[int]


class BidderExposed(Event):
    """A seat cannot pay what it bid: it shows all its money, is out of this auction, and its bids are struck."""

    seat: Public[int]
    cards: Public[Heap]


class PaymentMade(Event):
    """A seat paid another for the lot.

    `count` and `shown` tell everybody how many cards and which, where the options say so; null otherwise.
    """

    payer: Public[int]
    payee: Public[int]
    price: Public[int]
    count: Public[int | None]
    shown: Public[Heap | None]
    cards: Secret[Heap] = seen_by("payer", "payee")


class AnimalsTaken(Event):
    """A seat took the lot, for the price or (0) for nothing."""

    seat: Public[int]
    lot: Public[tuple[Species, ...]]
    price: Public[int]


class TradeStarted(Event):
    """A seat offers another a hidden heap of `count` cards for `stake` animals of a species."""

    challenger: Public[int]
    target: Public[int]
    species: Public[Species]
    stake: Public[int]
    count: Public[int]
    cards: Secret[Heap] = seen_by("challenger")


class TradeReoffered(Event):
    """After a tie the challenger laid a new hidden heap of `count` cards."""

    challenger: Public[int]
    target: Public[int]
    count: Public[int]
    cards: Secret[Heap] = seen_by("challenger")


class TradeAccepted(Event):
    """The target took the heap of `count` cards. `total` is null unless the options reveal heaps to all."""

    challenger: Public[int]
    target: Public[int]
    count: Public[int]
    total: Public[int | None]
    cards: Secret[Heap] = seen_by("challenger", "target")


class TradeCountered(Event):
    """The target laid a hidden heap of `count` cards against the offer."""

    challenger: Public[int]
    target: Public[int]
    count: Public[int]
    cards: Secret[Heap] = seen_by("target")


class TradeCounted(Event):
    """The two counted both heaps. `totals` (offer, counter) is null unless the options reveal heaps to all."""

    challenger: Public[int]
    target: Public[int]
    totals: Public[tuple[int, int] | None]
    offer: Secret[Heap] = seen_by("challenger", "target")
    counter: Secret[Heap] = seen_by("challenger", "target")


class TradeTied(Event):
    """Both heaps were worth the same, for the first or the second time (`round`)."""

    challenger: Public[int]
    target: Public[int]
    round: Public[int]


class HeapsTaken(Event):
    """Who took which cards up from the table. `counts` is null unless the table shows hands' sizes."""

    challenger: Public[int]
    target: Public[int]
    counts: Public[tuple[int, int] | None]
    to_challenger: Secret[Heap] = seen_by("challenger", "target")
    to_target: Secret[Heap] = seen_by("challenger", "target")


class TradeResolved(Event):
    """The trade is over: `winner` (null if nobody) got `animals` of the species, `free` after two ties."""

    challenger: Public[int]
    target: Public[int]
    winner: Public[int | None]
    species: Public[Species]
    animals: Public[int]
    free: Public[bool]


class DoveTaken(Event):
    """A seat was the first to complete a pair of quartets that brings the dove."""

    seat: Public[int]


class PlayEnded(Event):
    """No more turns: every quartet is complete, the limit of trades is reached, or every seat has resigned."""

    reason: Public[Literal["all_complete", "trade_limit", "all_resigned"]]


# Options


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (kuhhandel.md §16). The defaults are Ravensburger's, with the seed's auction."""

    start_rule: Literal["random", "seat_0", "chosen"] = "random"
    """Who begins: a seat drawn by lot, seat 0, or the one that the host names by `start_seat`."""
    start_seat: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    """With `start_rule: chosen`: the seat that begins."""
    overbid_resolution: Literal["continue", "restart"] = "continue"
    """After an exposure: the next best bid stands, or the bidding starts anew."""
    strict_bids: bool = False
    """Whether bids above one's own money are refused."""
    bid_step: Annotated[int, msgspec.Meta(ge=1, le=500)] = 10
    """Every bid is a multiple of this."""
    allow_self_raise: bool = False
    """Whether the high bidder may raise the own bid."""
    auction_mode: Literal["open_outcry", "round_robin"] = "open_outcry"
    """`round_robin`: clockwise, and a pass is final; it closes when all others have passed, without calls."""
    auction_close: Literal["auctioneer_calls", "timer"] = "auctioneer_calls"
    """How open outcry is closed, unless all have passed: by three calls, or by a timer and without calls."""
    auction_seconds: Annotated[int, msgspec.Meta(ge=1, le=3600)] = 10
    """With `auction_close: timer`: seconds from the lot's turning up, the last bid or the last exposure."""
    payment_rule: PaymentRule = "irreducible"
    """How much more than the price may be paid."""
    public_payments: Literal["price", "count", "cards"] = "price"
    """What all see of a payment."""
    show_money_counts: bool = False
    """Whether all see how many money cards each seat holds."""
    allow_empty_offer: bool = True
    """Whether a challenger may offer no card at all. One who has none always may."""
    tie_money: Literal["return", "swap"] = "return"
    """What becomes of the heaps at a tie."""
    second_tie: Literal["challenger_free", "target_free", "no_transfer"] = "challenger_free"
    """Who gets the animals after a second tie."""
    zero_cards_return: bool = False
    """Whether 0-cards go back to their owner after counting."""
    trade_money: Literal["swap", "first_edition"] = "swap"
    """After counting: each keeps the other's heap, or whoever loses the animals takes both."""
    reveal_heaps: Literal["participants", "all"] = "participants"
    """Whether all see what heaps were worth that were accepted or counted."""
    scoring: Scoring = "product"
    """Sum of the quartets times their number, the sum alone, or the sum and 500 for the dove."""
    money_set: Literal["classic", "first_edition", "master"] = "classic"
    """Which box's money is played with."""
    lot_size: Literal[1, 2] = 1
    """How many animals are auctioned at a time."""
    remove_surplus_money: bool = True
    """Whether the money that is never needed is put away at the start; no effect on play."""
    max_trades_after_deck: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """After so many trades with the deck empty the game ends; null for no limit."""


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "ravensburger": {},
    "second_edition": {"overbid_resolution": "restart"},
    "first_edition": {
        "money_set": "first_edition",
        "trade_money": "first_edition",
        "scoring": "sum_plus_dove",
    },
    "quick_game": {"lot_size": 2},
}
"""Options by name (kuhhandel.md §15, §16): what differs from the defaults."""


# Table and hand


class PlacedBid(msgspec.Struct, frozen=True):
    """A bid and the seat that made it."""

    seat: int
    amount: int


class Auction(msgspec.Struct):
    """The auction that runs.

    `bids` has each seat's highest bid that was not struck; `high` is the highest of them. `exposed` has the
    money that excluded seats had to show. `turn` is the seat that may bid now, in round robin only. While the
    price is paid, `payer` pays `payee` the amount of `high`.
    """

    auctioneer: int
    lot: tuple[Species, ...]
    stage: Stage = "open"
    bids: dict[int, int] = {}
    high: PlacedBid | None = None
    passed: list[int] = []
    exposed: dict[int, Heap] = {}
    calls: int = 0
    turn: int | None = None
    payer: int | None = None
    payee: int | None = None


class Trade(msgspec.Struct):
    """The trade that runs: `stake` animals against hidden heaps of which only the sizes are known.

    `offered` and `countered` are the sizes of the heaps on the table; both are null while the challenger has to
    offer anew after a tie. `totals` is what accepted or counted heaps were worth, if the options show it to all.
    """

    challenger: int
    target: int
    species: Species
    stake: int
    round: int = 1
    offered: int | None = None
    countered: int | None = None
    totals: tuple[int, int | None] | None = None


class AuctionResult(msgspec.Struct, frozen=True):
    """How the last auction went: who took the lot, and at which price (0: for nothing) from whom."""

    auctioneer: int
    lot: tuple[Species, ...]
    taker: int
    price: int
    payee: int | None
    count: int | None
    shown: Heap | None


class TradeResult(msgspec.Struct, frozen=True):
    """How the last trade went. `countered` is null if it was accepted; `totals` of both heaps if shown to all."""

    challenger: int
    target: int
    species: Species
    winner: int | None
    animals: int
    free: bool
    offered: int
    countered: int | None
    totals: tuple[int, int | None] | None


class Table(BaseTable):
    """What everybody sees.

    `animals` has each seat's animals, `money_counts` how many money cards it holds if the table shows that.
    `turn` is the seat that auctions or trades, null after the end. `late_trades` counts the trades with the
    deck empty; `dove` is the seat that has the dove.
    """

    animals: list[dict[Species, int]]
    bank: Heap
    money_counts: list[int] | None
    deck_left: int = ANIMALS
    donkeys: int = 0
    starter: int | None = None
    turn: int | None = None
    auction: Auction | None = None
    trade: Trade | None = None
    last_auction: AuctionResult | None = None
    last_trade: TradeResult | None = None
    late_trades: int = 0
    dove: int | None = None


class Paid(msgspec.Struct, frozen=True):
    """The cards of a payment that this seat made or received."""

    payer: int
    payee: int
    price: int
    cards: Heap


class Counted(msgspec.Struct, frozen=True):
    """The heaps of a trade in which this seat took part; `counter` is null if the offer was accepted."""

    challenger: int
    target: int
    species: Species
    offer: Heap
    counter: Heap | None


class Hand(msgspec.Struct):
    """A seat's own money, the heap that it has laid as a challenger, and what it learned in its latest deals."""

    money: Heap = {}
    laid: Heap | None = None
    last_payment: Paid | None = None
    last_trade: Counted | None = None


# Offers


def some_of(heap: Heap, random: Random) -> Heap:
    """Some of these cards by chance, perhaps none."""
    taken = {name: random.randrange(count + 1) for name, count in heap.items()}
    return {name: count for name, count in taken.items() if count}


class StartAuctionOffer(Offer, of=StartAuction):
    """This seat may auction the top animal."""


class BidOffer(Offer, of=Bid):
    """The bids open to this seat: the multiples of `step` from `least` to `most`."""

    least: int
    step: int
    most: int

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, Bid)
            and self.least <= action.amount <= self.most
            and action.amount % self.step == 0
        )

    def sample(self, random: Random) -> Bid:
        """The least bid or, each step half as likely, more."""
        amount = self.least
        while amount + self.step <= self.most and random.random() < 0.5:
            amount += self.step
        return Bid(amount=amount)


class PassOffer(Offer, of=Pass):
    """This seat may say that it is not interested at this price."""


class CallOffer(Offer, of=Call):
    """The auctioneer may call the high bid (0: there is none) for the `step`-th time."""

    step: int
    high: int

    def admits(self, action: Action) -> bool:
        return isinstance(action, Call) and action.step == self.step and action.seen_high in (None, self.high)

    def sample(self, random: Random) -> Call:
        return Call(step=self.step, seen_high=self.high)


class DecideOffer(Offer, of=Decide):
    """The auctioneer sells or, if that is `affordable`, buys."""

    affordable: bool

    def admits(self, action: Action) -> bool:
        return isinstance(action, Decide) and (self.affordable or not action.preempt)

    def sample(self, random: Random) -> Decide:
        return Decide(preempt=self.affordable and random.random() < 0.5)


class PayOffer(Offer, of=Pay):
    """This seat pays the price out of these cards by this rule; `payments` finds all ways to do it well."""

    price: int
    rule: PaymentRule
    cards: Heap

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, Pay)
            and well_formed(action.cards)
            and payment_fault(self.cards, self.price, action.cards, self.rule) is None
        )

    def payments(self) -> list[Heap]:
        """Every irreducible payment, big cards first; under the rule `any` more than these is admitted."""
        return list(payments(self.cards, self.price, self.rule))

    def sample(self, random: Random) -> Pay:
        return Pay(cards=random.choice(self.payments()))


class StartTradeOffer(Offer, of=StartTrade):
    """This seat may trade: for each target the species and how many animals are at stake, out of these cards."""

    stakes: dict[int, dict[Species, int]]
    cards: Heap
    may_be_empty: bool

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, StartTrade)
            and action.species in self.stakes.get(action.target, ())
            and well_formed(action.offer)
            and holds(self.cards, action.offer)
            and (self.may_be_empty or any(action.offer.values()))
        )

    def sample(self, random: Random) -> StartTrade:
        target = random.choice(tuple(self.stakes))
        return StartTrade(
            target=target,
            species=random.choice(tuple(self.stakes[target])),
            offer=_heap_of(self.cards, self.may_be_empty, random),
        )


class AcceptTradeOffer(Offer, of=AcceptTrade):
    """This seat may take the heap and give the animals."""


class CounterTradeOffer(Offer, of=CounterTrade):
    """This seat may lay any of these cards, or none, against the offer."""

    cards: Heap

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, CounterTrade) and well_formed(action.cards) and holds(self.cards, action.cards)
        )

    def sample(self, random: Random) -> CounterTrade:
        return CounterTrade(cards=some_of(self.cards, random))


class ReofferTradeOffer(Offer, of=ReofferTrade):
    """This seat offers anew, out of these cards."""

    cards: Heap
    may_be_empty: bool

    def admits(self, action: Action) -> bool:
        return (
            isinstance(action, ReofferTrade)
            and well_formed(action.cards)
            and holds(self.cards, action.cards)
            and (self.may_be_empty or any(action.cards.values()))
        )

    def sample(self, random: Random) -> ReofferTrade:
        return ReofferTrade(cards=_heap_of(self.cards, self.may_be_empty, random))


def _heap_of(cards: Heap, may_be_empty: bool, random: Random) -> Heap:
    heap = some_of(cards, random)
    return heap if heap or may_be_empty else {random.choice(tuple(cards)): 1}
