"""Kuhhandel: what is allowed (kuhhandel.md, Ravensburger rules).

The state and how events change it are in `kuhhandel_state`, the decisions of an auction and of a trade in
`kuhhandel_auction` and `kuhhandel_trade`, the end of a turn in `kuhhandel_turn`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import kuhhandel
from fairdeal.games.kuhhandel import (
    PRESETS,
    AcceptTrade,
    Bid,
    Call,
    CounterTrade,
    Decide,
    MoneyDealt,
    Pass,
    Pay,
    PlayEnded,
    ReofferTrade,
    StartAuction,
    StarterDrawn,
    StartTrade,
    TurnStarted,
)
from fairdeal.games.kuhhandel_money import least_offer, least_payment
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.games import kuhhandel_auction, kuhhandel_trade
from fairdeal_rules.games.kuhhandel_invariants import violations
from fairdeal_rules.games.kuhhandel_state import (
    State,
    clockwise,
    contenders,
    evolve,
    score,
    stakes,
)
from fairdeal_rules.ruleset import Emit, Ruleset


class Rules(Ruleset[State, kuhhandel.Options]):
    name = "kuhhandel"
    version = 1
    players = (3, 5)
    Options = kuhhandel.Options
    presets = PRESETS

    def check_options(self, options: kuhhandel.Options, seats: int) -> None:
        if options.auction_mode == "round_robin" and options.auction_close == "timer":
            raise Rejected(
                "bad_options",
                "A timer closes an open outcry; in round robin the bidding closes when all others have passed",
                path="$.action.options.auction_close",
            )
        if options.start_rule == "chosen" and options.start_seat >= seats:
            raise Rejected(
                "bad_options",
                f"Seat {options.start_seat} cannot begin: the seats are 0 to {seats - 1}",
                path="$.action.options.start_seat",
            )

    # Opening

    def open(self, options: kuhhandel.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        emit(MoneyDealt(cards=state.start_money))
        if state.options.start_rule == "random":
            emit(StarterDrawn(seat=dealer.below(state.seats)))
        emit(TurnStarted(seat=state.turn))

    def evolve(self, state: State, event: Event) -> None:
        evolve(state, event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        if seat in state.resigned:
            raise Rejected("resigned", "This seat has given up: it plays by itself")
        _DECISIONS[type(action)](state, seat, action, dealer, emit)
        if state.resigned:
            _play_for_resigned(state, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """What a seat does that does not choose (kuhhandel.md §13 K-23): the least of everything."""
        return _least_moves(state)

    def allowance(self, state: State, turn_ms: int | None) -> int | None:
        """The timer's while an auction is open that a timer closes, otherwise the game's clock."""
        return state.options.auction_seconds * 1000 if _is_timed(state) else turn_ms

    def deadline_for(self, state: State) -> object:
        """A timer starts anew with a bid and an exposure, which change the price or who is out; not with a pass."""
        auction = state.auction
        if auction is None or not _is_timed(state):
            return None
        return state.deck_left, auction.price, len(auction.excluded)

    def outcome(self, state: State) -> Outcome | None:
        """The highest score wins, equal ones share (kuhhandel.md §9)."""
        if state.ended is None:
            return None
        scores = tuple(score(state, seat) for seat in range(state.seats))
        places = tuple(1 + sum(other > own for other in scores) for own in scores)
        winners = tuple(seat for seat, place in enumerate(places) if place == 1)
        return Outcome(winners=winners, places=places, scores=scores, reason=state.ended)

    def violations(self, state: State) -> list[str]:
        return violations(state)


def _is_timed(state: State) -> bool:
    return state.phase == "auction_open" and state.options.auction_close == "timer"


# Seats that do not choose


def _least_moves(state: State) -> list[tuple[int, Action]]:
    """The moves of those who are waited for and do not choose.

    They auction rather than trade, never bid, never buy, pay as little as they can, take what they are
    offered and offer nothing.
    """
    auction, trade = state.auction, state.trade
    if auction is not None:
        if state.phase == "auction_open":
            waited_for = contenders(state, auction) if auction.turn is None else [auction.turn]
            return [(seat, Pass()) for seat in waited_for]
        if state.phase == "auction_decision":
            return [(auction.auctioneer, Decide(preempt=False))]
        assert auction.payer is not None
        return [(auction.payer, Pay(cards=least_payment(state.money[auction.payer], auction.price)))]
    if trade is not None:
        if state.phase == "trade_response":
            return [(trade.target, AcceptTrade())]
        offer = least_offer(state.money[trade.challenger], state.options.allow_empty_offer)
        return [(trade.challenger, ReofferTrade(cards=offer))]
    return [(state.turn, StartAuction() if state.deck_left else _forced_trade(state))]


def _forced_trade(state: State) -> StartTrade:
    """With the next clockwise seat that has something in common, for the lowest-valued such species."""
    seat = state.turn
    target, common = next(
        (other, found)
        for other in clockwise(state, seat)
        if other != seat and (found := stakes(state, seat, other))
    )
    offer = least_offer(state.money[seat], state.options.allow_empty_offer)
    return StartTrade(target=target, species=next(iter(common)), offer=offer)


def _play_for_resigned(state: State, dealer: Dealer, emit: Emit) -> None:
    """Play for seats that have resigned until somebody else is waited for (kuhhandel.md §13 K-23)."""
    while state.ended is None:
        seat, move = _least_moves(state)[0]
        if seat not in state.resigned:
            return
        _DECISIONS[type(move)](state, seat, move, dealer, emit)


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The seat plays by itself from now on; when nobody else is left the game ends as it stands."""
    emit(Resigned(seat=seat))
    if len(state.resigned) == state.seats:
        emit(PlayEnded(reason="all_resigned"))
    elif state.phase == "auction_open":
        kuhhandel_auction.close_if_settled(state, emit)


_DECISIONS: dict[type, Callable[[State, int, Any, Dealer, Emit], None]] = {
    StartAuction: kuhhandel_auction.start_auction,
    Bid: kuhhandel_auction.bid,
    Pass: kuhhandel_auction.pass_bid,
    Call: kuhhandel_auction.call,
    Decide: kuhhandel_auction.decide,
    Pay: kuhhandel_auction.pay,
    StartTrade: kuhhandel_trade.start_trade,
    AcceptTrade: kuhhandel_trade.accept_trade,
    CounterTrade: kuhhandel_trade.counter_trade,
    ReofferTrade: kuhhandel_trade.reoffer_trade,
    Resign: _resign,
}
