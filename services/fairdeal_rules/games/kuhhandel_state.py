"""Kuhhandel: the state of a game, how events change it, and what must always hold of it."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from fairdeal.game import Resigned
from fairdeal.games.kuhhandel import (
    ANIMALS,
    DOVE_BONUS,
    QUARTET,
    VALUES,
    AnimalsTaken,
    AuctionClosed,
    AuctionStarted,
    BidderExposed,
    BidMade,
    Called,
    DonkeyPaidOut,
    DoveTaken,
    HeapsTaken,
    MoneyDealt,
    Options,
    Passed,
    PaymentMade,
    PlayEnded,
    Preempted,
    Sold,
    Species,
    StarterDrawn,
    TradeAccepted,
    TradeCountered,
    TradeReoffered,
    TradeResolved,
    TradeStarted,
    TradeTied,
    TurnStarted,
)
from fairdeal.games.kuhhandel_money import MONEY, Heap, minus, plus, total
from fairdeal.visibility import Event

Phase = Literal[
    "turn", "auction_open", "auction_decision", "auction_payment", "trade_response", "trade_reoffer"
]


class Auction:
    """The auction that runs. `bids` has each seat's highest bid that was not struck."""

    __slots__ = (
        "auctioneer",
        "bids",
        "calls",
        "excluded",
        "high",
        "lot",
        "passed",
        "payer",
        "price",
        "turn",
    )

    def __init__(self, auctioneer: int, lot: tuple[Species, ...]) -> None:
        self.auctioneer = auctioneer
        self.lot = lot
        self.bids: dict[int, int] = {}
        self.high: int | None = None
        """The high bidder."""
        self.price = 0
        """The high bid; 0 if there is none."""
        self.passed: set[int] = set()
        self.excluded: set[int] = set()
        self.calls = 0
        self.turn: int | None = None
        """The seat that may bid now, in round robin only."""
        self.payer: int | None = None


class Trade:
    """The trade that runs. The heaps that lie on the table belong to no hand."""

    __slots__ = ("challenger", "counter", "offer", "round", "species", "stake", "target")

    def __init__(self, challenger: int, target: int, species: Species, stake: int, offer: Heap) -> None:
        self.challenger = challenger
        self.target = target
        self.species = species
        self.stake = stake
        self.round = 1
        self.offer = offer
        self.counter: Heap = {}


class State:
    """A game of Kuhhandel, secrets and all (kuhhandel.md §3). Only `evolve` changes it."""

    __slots__ = (
        "animals",
        "auction",
        "bank",
        "ceiling",
        "deck",
        "deck_left",
        "donkeys",
        "dove",
        "ended",
        "late_trades",
        "money",
        "options",
        "phase",
        "resigned",
        "seats",
        "start_money",
        "trade",
        "turn",
    )

    def __init__(self, options: Options, seats: int) -> None:
        box, start = MONEY[options.money_set]
        self.options = options
        self.seats = seats
        self.phase: Phase = "turn"
        self.turn = options.start_seat if options.start_rule == "chosen" else 0
        self.deck: dict[Species, int] = dict.fromkeys(VALUES, QUARTET)
        """What is still to be turned up, which everybody can count: no order exists before a card is drawn."""
        self.deck_left = ANIMALS
        self.animals: list[dict[Species, int]] = [dict.fromkeys(VALUES, 0) for _ in range(seats)]
        self.start_money = start
        self.bank = dict(box)
        self.money: list[Heap] = [{} for _ in range(seats)]
        self.ceiling = 0
        """What all money that was dealt or paid out is worth: no bid may exceed it."""
        self.donkeys = 0
        self.auction: Auction | None = None
        self.trade: Trade | None = None
        self.late_trades = 0
        self.dove: int | None = None
        self.resigned: set[int] = set()
        self.ended: str | None = None


# Questions that several parts of the rules ask


def clockwise(state: State, seat: int) -> Iterator[int]:
    """All seats once, from the one after `seat` to `seat` itself."""
    return (after % state.seats for after in range(seat + 1, seat + 1 + state.seats))


def incomplete(state: State, seat: int) -> bool:
    """Whether a seat has some species with one to three animals."""
    return any(0 < count < QUARTET for count in state.animals[seat].values())


def stakes(state: State, seat: int, target: int) -> dict[Species, int]:
    """What two seats can trade: how many animals of each species are at stake (kuhhandel.md §7.1)."""
    theirs = state.animals[target]
    return {
        species: min(own, theirs[species])
        for species, own in state.animals[seat].items()
        if own and theirs[species]
    }


def contenders(state: State, auction: Auction, after: int | None = None) -> list[int]:
    """The seats that have neither passed nor hold the high bid and may bid, clockwise from the one after `after`.

    By default from the auctioneer's left.
    """
    first = (auction.auctioneer if after is None else after) + 1
    out = {auction.auctioneer, auction.high, *auction.passed, *auction.excluded, *state.resigned}
    seats = state.seats
    return [seat % seats for seat in range(first, first + seats) if seat % seats not in out]


def quartets(state: State, seat: int) -> list[Species]:
    """The species that a seat has complete."""
    return [species for species, count in state.animals[seat].items() if count == QUARTET]


def score(state: State, seat: int) -> int:
    """What a seat's animals are worth as they lie (kuhhandel.md §9, §15)."""
    complete = quartets(state, seat)
    worth = sum(VALUES[species] for species in complete)
    if state.options.scoring == "product":
        return worth * len(complete)
    if state.options.scoring == "sum_plus_dove" and state.dove == seat:
        return worth + DOVE_BONUS
    return worth


# Evolve


def evolve(state: State, event: Event) -> None:
    """Change the state by an event; events that change nothing here are ignored."""
    fold = _FOLDS.get(type(event))
    if fold is not None:
        fold(state, event)


def _starter_drawn(state: State, event: StarterDrawn) -> None:
    state.turn = event.seat


def _money_dealt(state: State, event: MoneyDealt) -> None:
    for seat in range(state.seats):
        state.money[seat] = plus({}, event.cards)
        state.bank = minus(state.bank, event.cards)
    state.ceiling = state.seats * total(event.cards)


def _turn_started(state: State, event: TurnStarted) -> None:
    state.turn = event.seat


def _auction_started(state: State, event: AuctionStarted) -> None:
    state.phase = "auction_open"
    state.auction = Auction(event.auctioneer, event.lot)
    state.deck_left = event.deck_left
    for species in event.lot:
        state.deck[species] -= 1
    _next_bidder(state, state.auction, event.auctioneer)


def _next_bidder(state: State, auction: Auction, after: int) -> None:
    """In round robin, whose turn it is to bid: the next contender clockwise after a seat."""
    if state.options.auction_mode == "round_robin":
        auction.turn = next(iter(contenders(state, auction, after)), None)


def _donkey_paid_out(state: State, event: DonkeyPaidOut) -> None:
    card = {event.denomination: 1}
    state.donkeys = event.ordinal
    state.money = [plus(hand, card) for hand in state.money]
    state.bank = minus(state.bank, {event.denomination: state.seats})
    state.ceiling += state.seats * total(card)


def _bid_made(state: State, event: BidMade) -> None:
    auction = _auction(state)
    auction.bids[event.seat] = auction.price = event.amount
    auction.high = event.seat
    auction.calls = 0
    if state.options.auction_mode == "round_robin":
        _next_bidder(state, auction, event.seat)
    else:
        auction.passed.clear()


def _passed(state: State, event: Passed) -> None:
    auction = _auction(state)
    auction.passed.add(event.seat)
    _next_bidder(state, auction, event.seat)


def _called(state: State, event: Called) -> None:
    _auction(state).calls = event.step


def _auction_closed(state: State, event: AuctionClosed) -> None:
    state.phase = "auction_decision"


def _preempted(state: State, event: Preempted) -> None:
    state.phase = "auction_payment"
    _auction(state).payer = event.auctioneer


def _sold(state: State, event: Sold) -> None:
    state.phase = "auction_payment"
    _auction(state).payer = event.bidder


def _bidder_exposed(state: State, event: BidderExposed) -> None:
    auction = _auction(state)
    auction.excluded.add(event.seat)
    if state.options.overbid_resolution == "restart":
        auction.bids.clear()
    else:
        auction.bids.pop(event.seat, None)
    auction.high = max(auction.bids, key=auction.bids.__getitem__, default=None)
    auction.price = 0 if auction.high is None else auction.bids[auction.high]
    auction.passed.clear()
    auction.calls = 0
    auction.payer = None
    state.phase = "auction_open"
    _next_bidder(state, auction, auction.auctioneer if auction.high is None else auction.high)


def _payment_made(state: State, event: PaymentMade) -> None:
    assert event.cards is not None
    state.money[event.payer] = minus(state.money[event.payer], event.cards)
    state.money[event.payee] = plus(state.money[event.payee], event.cards)


def _animals_taken(state: State, event: AnimalsTaken) -> None:
    for species in event.lot:
        state.animals[event.seat][species] += 1
    state.auction = None
    state.phase = "turn"


def _trade_started(state: State, event: TradeStarted) -> None:
    assert event.cards is not None
    state.phase = "trade_response"
    state.trade = Trade(event.challenger, event.target, event.species, event.stake, event.cards)
    state.money[event.challenger] = minus(state.money[event.challenger], event.cards)
    if not state.deck_left:
        state.late_trades += 1


def _trade_reoffered(state: State, event: TradeReoffered) -> None:
    assert event.cards is not None
    state.phase = "trade_response"
    _trade(state).offer = event.cards
    state.money[event.challenger] = minus(state.money[event.challenger], event.cards)


def _trade_accepted(state: State, event: TradeAccepted) -> None:
    assert event.cards is not None
    _trade(state).offer = {}
    state.money[event.target] = plus(state.money[event.target], event.cards)


def _trade_countered(state: State, event: TradeCountered) -> None:
    assert event.cards is not None
    _trade(state).counter = event.cards
    state.money[event.target] = minus(state.money[event.target], event.cards)


def _heaps_taken(state: State, event: HeapsTaken) -> None:
    assert event.to_challenger is not None
    assert event.to_target is not None
    trade = _trade(state)
    trade.offer = {}
    trade.counter = {}
    state.money[event.challenger] = plus(state.money[event.challenger], event.to_challenger)
    state.money[event.target] = plus(state.money[event.target], event.to_target)


def _trade_tied(state: State, event: TradeTied) -> None:
    if event.round == 1:
        state.phase = "trade_reoffer"
        _trade(state).round = 2


def _trade_resolved(state: State, event: TradeResolved) -> None:
    if event.winner is not None:
        loser = event.target if event.winner == event.challenger else event.challenger
        state.animals[event.winner][event.species] += event.animals
        state.animals[loser][event.species] -= event.animals
    state.trade = None
    state.phase = "turn"


def _dove_taken(state: State, event: DoveTaken) -> None:
    state.dove = event.seat


def _resigned(state: State, event: Resigned) -> None:
    state.resigned.add(event.seat)
    auction = state.auction
    if auction is not None and auction.turn == event.seat:
        _next_bidder(state, auction, event.seat)


def _play_ended(state: State, event: PlayEnded) -> None:
    state.ended = event.reason


def _auction(state: State) -> Auction:
    assert state.auction is not None
    return state.auction


def _trade(state: State) -> Trade:
    assert state.trade is not None
    return state.trade


_FOLDS: dict[type, Callable[[State, Any], None]] = {
    StarterDrawn: _starter_drawn,
    MoneyDealt: _money_dealt,
    TurnStarted: _turn_started,
    AuctionStarted: _auction_started,
    DonkeyPaidOut: _donkey_paid_out,
    BidMade: _bid_made,
    Passed: _passed,
    Called: _called,
    AuctionClosed: _auction_closed,
    Preempted: _preempted,
    Sold: _sold,
    BidderExposed: _bidder_exposed,
    PaymentMade: _payment_made,
    AnimalsTaken: _animals_taken,
    TradeStarted: _trade_started,
    TradeReoffered: _trade_reoffered,
    TradeAccepted: _trade_accepted,
    TradeCountered: _trade_countered,
    HeapsTaken: _heaps_taken,
    TradeTied: _trade_tied,
    TradeResolved: _trade_resolved,
    DoveTaken: _dove_taken,
    Resigned: _resigned,
    PlayEnded: _play_ended,
}
