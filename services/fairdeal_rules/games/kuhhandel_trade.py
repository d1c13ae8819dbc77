"""Kuhhandel: deciding the backroom trade (kuhhandel.md §7)."""

from fairdeal.dealer import Dealer
from fairdeal.games.kuhhandel import (
    QUARTET,
    AcceptTrade,
    CounterTrade,
    HeapsTaken,
    ReofferTrade,
    StartTrade,
    TradeAccepted,
    TradeCounted,
    TradeCountered,
    TradeReoffered,
    TradeResolved,
    TradeStarted,
    TradeTied,
)
from fairdeal.games.kuhhandel_money import Heap, holds, minus, plus, size, total
from fairdeal.receipt import Rejected
from fairdeal_rules.games.kuhhandel_auction import checked
from fairdeal_rules.games.kuhhandel_state import State, Trade
from fairdeal_rules.games.kuhhandel_turn import check_phase, check_turn, end_turn, take_dove
from fairdeal_rules.ruleset import Emit


def start_trade(state: State, seat: int, action: StartTrade, dealer: Dealer, emit: Emit) -> None:
    """Lay a hidden heap for animals that both have; the target cannot refuse (kuhhandel.md §7.1)."""
    check_turn(state, seat)
    target, species = action.target, action.species
    if not 0 <= target < state.seats or target == seat:
        raise Rejected("bad_target", "A trade is with another seat at the table")
    own, theirs = state.animals[seat].get(species, 0), state.animals[target].get(species, 0)
    if theirs == QUARTET:
        raise Rejected("set_complete", "That quartet is complete and cannot be traded")
    if not own or not theirs:
        raise Rejected("no_common_species", "You and the other seat have no such animal in common")
    offer = _heap(state, seat, action.offer)
    _check_not_empty(state, seat, offer)
    emit(
        TradeStarted(
            challenger=seat,
            target=target,
            species=species,
            stake=min(own, theirs),
            count=size(offer),
            cards=offer,
        )
    )


def _heap(state: State, seat: int, cards: Heap) -> Heap:
    heap = checked(cards)
    if not holds(state.money[seat], heap):
        raise Rejected("cards_not_owned", "You do not have all these cards")
    return heap


def _check_not_empty(state: State, seat: int, offer: Heap) -> None:
    # Whoever has no card at all may offer none: a broke seat is never blocked (§7.5).
    if not offer and state.money[seat] and not state.options.allow_empty_offer:
        raise Rejected("empty_offer", "This table plays without empty offers: lay at least one card")


def _running(state: State) -> Trade:
    assert state.trade is not None
    return state.trade


# The answer


def _answered(state: State, seat: int) -> Trade:
    check_phase(state, "trade_response")
    trade = _running(state)
    if seat != trade.target:
        raise Rejected("not_target", f"Seat {trade.target} has to answer the offer")
    return trade


def accept_trade(state: State, seat: int, action: AcceptTrade, dealer: Dealer, emit: Emit) -> None:
    """Take the heap, 0-cards included, and give the stake."""
    trade = _answered(state, seat)
    emit(
        TradeAccepted(
            challenger=trade.challenger,
            target=seat,
            count=size(trade.offer),
            cards=trade.offer,
            total=total(trade.offer) if state.options.reveal_heaps == "all" else None,
        )
    )
    _resolve(state, trade, trade.challenger, emit)


def counter_trade(state: State, seat: int, action: CounterTrade, dealer: Dealer, emit: Emit) -> None:
    """Count both heaps: the higher one gets the stake, a tie is offered anew once (kuhhandel.md §7.3)."""
    trade = _answered(state, seat)
    offer, counter = trade.offer, _heap(state, seat, action.cards)
    challenger = trade.challenger
    totals = total(offer), total(counter)
    emit(TradeCountered(challenger=challenger, target=seat, count=size(counter), cards=counter))
    emit(
        TradeCounted(
            challenger=challenger,
            target=seat,
            offer=offer,
            counter=counter,
            totals=totals if state.options.reveal_heaps == "all" else None,
        )
    )
    if totals[0] != totals[1]:
        winner = challenger if totals[0] > totals[1] else seat
        _take_up(state, trade, winner, offer, counter, emit)
        _resolve(state, trade, winner, emit)
        return
    _take_up(state, trade, None, offer, counter, emit)
    emit(TradeTied(challenger=challenger, target=seat, round=trade.round))
    # The first tie has moved the trade on to its second round.
    if state.phase == "trade_response":
        to = state.options.second_tie
        winners = {"challenger_free": challenger, "target_free": seat, "no_transfer": None}
        _resolve(state, trade, winners[to], emit, free=True)


def _take_up(state: State, trade: Trade, winner: int | None, offer: Heap, counter: Heap, emit: Emit) -> None:
    """Take the counted heaps up from the table (kuhhandel.md §7.3): `winner` has the higher one, None at a tie."""
    options = state.options
    swapped = options.tie_money == "swap" if winner is None else options.trade_money == "swap"
    if swapped:
        to_challenger, to_target = counter, offer
    elif winner is None:
        to_challenger, to_target = offer, counter
    elif winner == trade.challenger:
        to_challenger, to_target = {}, plus(offer, counter)
    else:
        to_challenger, to_target = plus(offer, counter), {}
    if options.zero_cards_return:
        to_challenger = plus(minus(to_challenger, _zeros(to_challenger)), _zeros(offer))
        to_target = plus(minus(to_target, _zeros(to_target)), _zeros(counter))
    emit(
        HeapsTaken(
            challenger=trade.challenger,
            target=trade.target,
            to_challenger=to_challenger,
            to_target=to_target,
            counts=(size(to_challenger), size(to_target)) if options.show_money_counts else None,
        )
    )


def _zeros(heap: Heap) -> Heap:
    return {"0": heap.get("0", 0)}


def reoffer_trade(state: State, seat: int, action: ReofferTrade, dealer: Dealer, emit: Emit) -> None:
    """Lay a new heap for the same stake; the target may accept or counter again."""
    check_phase(state, "trade_reoffer")
    trade = _running(state)
    if seat != trade.challenger:
        raise Rejected("not_challenger", f"Seat {trade.challenger} has to offer anew")
    offer = _heap(state, seat, action.cards)
    _check_not_empty(state, seat, offer)
    emit(TradeReoffered(challenger=seat, target=trade.target, count=size(offer), cards=offer))


def _resolve(state: State, trade: Trade, winner: int | None, emit: Emit, *, free: bool = False) -> None:
    emit(
        TradeResolved(
            challenger=trade.challenger,
            target=trade.target,
            winner=winner,
            species=trade.species,
            animals=0 if winner is None else trade.stake,
            free=free,
        )
    )
    if winner is not None:
        take_dove(state, winner, emit)
    end_turn(state, emit)
