"""Real or Fake: what is allowed (real_or_fake.md).

The state and how events change it are in `real_or_fake_state`, the auctions in `real_or_fake_auction`, how a
turn and the game end in `real_or_fake_end`, what must always hold in `real_or_fake_invariants`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import real_or_fake
from fairdeal.games.real_or_fake import (
    Acquired,
    Arrange,
    Arranged,
    Bid,
    BonusPaid,
    Buy,
    Decline,
    HandDealt,
    HouseFilled,
    Pass,
    Phase,
    PilesLaid,
    Roll,
    Rolled,
    Sort,
    Sorted,
    StartRolled,
    Taxed,
    Traded,
    TradeDeclined,
    TradeOpened,
    TurnStarted,
)
from fairdeal.games.real_or_fake_cards import DECK, Square, holds, size
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.games import real_or_fake_auction
from fairdeal_rules.games.real_or_fake_end import leave, next_turn, ran_out
from fairdeal_rules.games.real_or_fake_invariants import violations
from fairdeal_rules.games.real_or_fake_state import State, evolve
from fairdeal_rules.ruleset import Emit, Ruleset


class Rules(Ruleset[State, real_or_fake.Options]):
    name = "real_or_fake"
    version = 1
    players = (3, 5)
    Options = real_or_fake.Options

    def check_options(self, options: real_or_fake.Options, seats: int) -> None:
        if options.board == "house28":
            return
        # The game ends with a pile. A house whose cards stay may be full for ever, and then takes no more.
        ending: set[Square] = {"new_acquisition"}
        if options.no_bid_house != "stay":
            ending.add("auction_object")
        if not ending & set(options.board):
            raise Rejected(
                "bad_options",
                f"On this board the game may never end: it needs a square {' or '.join(sorted(ending))}",
                path="$.action.options.board",
            )

    # Opening

    def open(self, options: real_or_fake.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        """Deal seat by seat, split the rest in two piles, roll for the start (real_or_fake.md §3)."""
        options = state.options
        for seat in range(state.seats):
            cards = dealer.cards(state.unseen, options.start_cards)
            emit(HandDealt(seat=seat, count=len(cards), cards=cards))
        left = size(state.unseen)
        emit(
            PilesLaid(
                new_acquisitions=left - left // 2,
                auction_objects=left // 2,
                insiders=options.insider_placed,
                put_away=sum(state.insider_pool.values()) - options.insider_placed,
            )
        )
        emit(TurnStarted(seat=_starter(state, dealer, emit), number=1))

    def evolve(self, state: State, event: Event) -> None:
        evolve(state, event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        if seat in state.bankrupt:
            raise Rejected("out_of_game", "This seat is out of the game")
        phase, decision = _DECISIONS[type(action)]
        if phase is not None:
            _check_turn(state, seat, phase)
        decision(state, seat, action, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """Roll with the cards as they lie, keep new cards in the hand, buy nothing, bid nothing."""
        return [(awaited(state), _OVERDUE[state.phase])]

    def deadline_for(self, state: State) -> object:
        """Arranging is free and as often as one likes, so it buys no time: that of a turn begins once."""
        return state.turn_number if state.phase == "arrange" else None

    def outcome(self, state: State) -> Outcome | None:
        """The richest living seat wins, equal ones share; the bankrupt are behind, the last one first (§5.5)."""
        if state.ended is None:
            return None
        scores = tuple([wealth.total for wealth in state.wealth])
        living = [seat for seat in range(state.seats) if seat not in state.bankrupt]
        places = [0] * state.seats
        for seat in living:
            places[seat] = 1 + sum([scores[other] > scores[seat] for other in living])
        for order, seat in enumerate(reversed(state.bankrupt), len(living) + 1):
            places[seat] = order
        winners = tuple([seat for seat in living if places[seat] == 1])
        return Outcome(winners=winners, places=tuple(places), scores=scores, reason=state.ended)

    def violations(self, state: State) -> list[str]:
        return violations(state)


# Opening


def _starter(state: State, dealer: Dealer, emit: Emit) -> int:
    """Who starts; the tied highest roll again until one is highest (real_or_fake.md §3)."""
    tied = tuple(range(state.seats))
    while len(tied) > 1:
        rolls = tuple([dealer.dice(DECK.dice, DECK.dice_sides) for _ in tied])
        emit(StartRolled(seats=tied, rolls=rolls))
        highest = max(map(sum, rolls))
        tied = tuple([seat for seat, roll in zip(tied, rolls, strict=True) if sum(roll) == highest])
    return tied[0]


# Decide: whose turn it is


def awaited(state: State) -> int:
    """The seat that is waited for."""
    if state.auction is not None:
        return state.auction.bidder
    return state.turn if state.new_seat is None else state.new_seat


_NOW: dict[Phase, str] = {
    "arrange": "seat {seat} arranges its cards and rolls",
    "new_cards": "seat {seat} sorts its new cards",
    "trade": "seat {seat} may buy",
    "bid": "seat {seat} bids or passes",
}


def _check_turn(state: State, seat: int, phase: Phase) -> None:
    expected = awaited(state)
    now = _NOW[state.phase].format(seat=expected)
    if state.phase != phase:
        raise Rejected("wrong_phase", f"Not now: {now}", phase=state.phase)
    if seat != expected:
        raise Rejected("not_your_turn", f"It is not your turn: {now}", turn=expected)


# Decide: arranging and sorting


def _arrange(state: State, seat: int, action: Arrange, dealer: Dealer, emit: Emit) -> None:
    hand, to_table, to_hand = state.hands[seat], action.to_table, action.to_hand
    both = [series for series in to_table if series in to_hand]
    if both:
        raise Rejected("both_ways", f"{both[0]} can go only one way at a time", series=both[0])
    if to_hand and state.options.arrange == "one_way":
        raise Rejected("one_way", "At this table no card goes back from the table to the hand")
    if not holds(hand, to_table):
        raise Rejected("not_in_hand", "You do not have all these cards in your hand")
    if not holds(state.tables[seat], to_hand):
        raise Rejected("not_on_table", "You do not have all these cards on the table")
    in_hand = size(hand) - size(to_table) + size(to_hand)
    emit(Arranged(seat=seat, to_table=to_table, to_hand=to_hand, in_hand=in_hand))


def _sort(state: State, seat: int, action: Sort, dealer: Dealer, emit: Emit) -> None:
    if not holds(state.new, action.to_table):
        raise Rejected("not_new", "These are not among the cards that you just got")
    kept = size(state.new) - size(action.to_table)
    emit(Sorted(seat=seat, to_table=action.to_table, in_hand=size(state.hands[seat]) + kept))
    next_turn(state, emit)


# Decide: moving, and what the squares do


def _roll(state: State, seat: int, action: Roll, dealer: Dealer, emit: Emit) -> None:
    dice = dealer.dice(DECK.dice, DECK.dice_sides)
    start = state.positions[seat]
    assert start is not None
    laps, position = divmod(start + sum(dice), len(state.board))
    square = state.board[position]
    emit(Rolled(seat=seat, dice=dice, position=position, square=square))
    bonus = laps * state.options.start_bonus
    if bonus:
        emit(BonusPaid(seat=seat, amount=bonus))
    _SQUARES[square](state, seat, dealer, emit)


def _on_start(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    next_turn(state, emit)


def _on_new_acquisition(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    left = state.piles["new_acquisitions"]
    count = min(DECK.cards_per_draw, left)
    cards = dealer.cards(state.unseen, count)
    emit(Acquired(seat=seat, count=count, pile_left=left - count, cards=cards))
    ran_out(state, emit)


def _on_trade(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    if any(cards for other, cards in enumerate(state.tables) if other != seat):
        emit(TradeOpened(seat=seat))
    else:
        next_turn(state, emit)


def _on_tax_raid(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    count = size(state.hands[seat])
    tax = count * state.options.tax_per_card
    if tax <= state.cash[seat]:
        emit(Taxed(seat=seat, count=count, amount=tax))
    elif leave(state, seat, tax, emit):
        return
    next_turn(state, emit)


def _on_auction(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    if size(state.house) >= DECK.cards_per_draw:
        real_or_fake_auction.start(state, "house", dealer, emit)
    else:
        next_turn(state, emit)


def _on_auction_object(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    """Fill the house; the pile's last card is set aside instead (real_or_fake.md §5.4)."""
    if size(state.house) >= DECK.auction_house_size:
        next_turn(state, emit)
        return
    left = state.piles["auction_objects"]
    count = min(DECK.cards_per_draw, left)
    drawn = dealer.cards(state.unseen, count)
    cards, set_aside = (drawn, None) if count < left else (drawn[:-1], drawn[-1])
    emit(HouseFilled(seat=seat, cards=cards, set_aside=set_aside, pile_left=left - count))
    if ran_out(state, emit):
        return
    if size(state.house) >= DECK.auction_house_size:
        real_or_fake_auction.start(state, "house", dealer, emit)
    else:
        next_turn(state, emit)


def _on_insider(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    if state.insider_left:
        real_or_fake_auction.start(state, "insider", dealer, emit)
    else:
        next_turn(state, emit)


_SQUARES: dict[Square, Callable[[State, int, Dealer, Emit], None]] = {
    "start": _on_start,
    "new_acquisition": _on_new_acquisition,
    "trade": _on_trade,
    "tax_raid": _on_tax_raid,
    "auction": _on_auction,
    "auction_object": _on_auction_object,
    "insider": _on_insider,
}


# Decide: trade


def _buy(state: State, seat: int, action: Buy, dealer: Dealer, emit: Emit) -> None:
    seller, series = action.seat, action.series
    if seller == seat or not 0 <= seller < state.seats:
        raise Rejected("bad_target", f"Seat {seller} is no other seat at this table")
    count = state.tables[seller].get(series, 0)
    if not count:
        raise Rejected("none_open", f"Seat {seller} has no open cards of {series}", series=series)
    price = state.options.value_table[count]
    if price > state.cash[seat]:
        raise Rejected(
            "cannot_afford",
            f"{count} cards of {series} cost {price}, you have {state.cash[seat]}",
            price=price,
            cash=state.cash[seat],
        )
    emit(Traded(seat=seat, seller=seller, series=series, count=count, price=price))


def _decline(state: State, seat: int, action: Decline, dealer: Dealer, emit: Emit) -> None:
    emit(TradeDeclined(seat=seat))
    next_turn(state, emit)


# Decide: leaving


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The seat leaves as a bankrupt one does: its cash to the bank, its cards for sale."""
    was_awaited = seat == awaited(state)
    emit(Resigned(seat=seat))
    if leave(state, seat, None, emit):
        return
    if state.auction is not None:
        real_or_fake_auction.without(state, seat, dealer, emit)
    elif was_awaited:
        next_turn(state, emit)


_DECISIONS: dict[type, tuple[Phase | None, Callable[[State, int, Any, Dealer, Emit], None]]] = {
    Arrange: ("arrange", _arrange),
    Roll: ("arrange", _roll),
    Sort: ("new_cards", _sort),
    Buy: ("trade", _buy),
    Decline: ("trade", _decline),
    Bid: ("bid", real_or_fake_auction.bid),
    Pass: ("bid", real_or_fake_auction.pass_bid),
    Resign: (None, _resign),
}


# What the clock does


_OVERDUE: dict[Phase, Action] = {
    "arrange": Roll(),
    "new_cards": Sort(),
    "trade": Decline(),
    "bid": Pass(),
}
