"""Kuhhandel: how a turn ends, and with it perhaps the game (kuhhandel.md §8)."""

from fairdeal.games.kuhhandel import DOVE_PAIRS, QUARTET, DoveTaken, PlayEnded, SeatSkipped, TurnStarted
from fairdeal.receipt import Rejected
from fairdeal_rules.games.kuhhandel_state import Phase, State, clockwise, incomplete
from fairdeal_rules.ruleset import Emit

_NOW: dict[Phase, str] = {
    "turn": "Seat {turn} has the turn and auctions or trades",
    "auction_open": "An auction is open for bids",
    "auction_decision": "The auctioneer decides whether to buy or to sell",
    "auction_payment": "An animal is being paid for",
    "trade_response": "An offer is on the table and has to be answered",
    "trade_reoffer": "Both heaps were worth the same: the challenger offers anew",
}


def check_phase(state: State, phase: Phase) -> None:
    """Raise `Rejected("wrong_phase")` unless this is going on."""
    if state.phase != phase:
        raise Rejected("wrong_phase", _NOW[state.phase].format(turn=state.turn))


def check_turn(state: State, seat: int) -> None:
    """Raise `Rejected` unless this seat may begin an auction or a trade."""
    check_phase(state, "turn")
    if seat != state.turn:
        raise Rejected("not_your_turn", f"It is seat {state.turn}'s turn", turn=state.turn)


def end_turn(state: State, emit: Emit) -> None:
    """Give the turn to the next seat that has one, or end the game."""
    if state.deck_left:
        emit(TurnStarted(seat=(state.turn + 1) % state.seats))
        return
    order = list(clockwise(state, state.turn))
    following = next((seat for seat in order if incomplete(state, seat)), None)
    limit = state.options.max_trades_after_deck
    if following is None:
        emit(PlayEnded(reason="all_complete"))
    elif limit is not None and state.late_trades >= limit:
        emit(PlayEnded(reason="trade_limit"))
    else:
        for skipped in order[: order.index(following)]:
            emit(SeatSkipped(seat=skipped))
        emit(TurnStarted(seat=following))


def take_dove(state: State, seat: int, emit: Emit) -> None:
    """Give the dove to the seat that just got animals, if it is the first with a pair (kuhhandel.md §15)."""
    if state.options.scoring != "sum_plus_dove" or state.dove is not None:
        return
    owned = state.animals[seat]
    if any(owned[one] == owned[other] == QUARTET for one, other in DOVE_PAIRS):
        emit(DoveTaken(seat=seat))
