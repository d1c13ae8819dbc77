"""Demoludy: what the action cards do (demoludy.md §7)."""

from collections.abc import Callable
from typing import Final

from fairdeal.dealer import Dealer
from fairdeal.games.demoludy import (
    CardsSwapped,
    CardTaken,
    DollarAsked,
    PlayAction,
    TableDiscarded,
    TakenBack,
)
from fairdeal.games.demoludy_cards import (
    BAZAAR,
    BROTHERHOOD,
    CAR_TROUBLE,
    CUSTOMS_OFFICER,
    DOLLARS,
    MONEY_CHANGER,
    PETROL_STATION,
    POLICEMAN,
    left_of,
)
from fairdeal_rules.games.demoludy_state import State
from fairdeal_rules.ruleset import Emit

Effect = Callable[[State, int, PlayAction, Dealer, Emit], None]


def _policeman(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    source = action.target_seat
    assert source is not None
    hand = state.hands[source]
    pool = {card: hand[card] for card in state.deck if card in hand}
    emit(CardTaken(seat=seat, source=source, card=dealer.card(pool)))


def _customs_officer(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    front = state.front()
    for opponent in _clockwise(state, seat)[1:]:
        if front.can_lose(opponent):
            _discard(state, opponent, (len(state.rows[opponent]) - 1,), emit)


def _car_trouble(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    assert action.target_seat is not None
    assert action.target_card is not None
    _discard(state, action.target_seat, (action.target_card,), emit)


def _petrol_station(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    position = action.own_card
    assert position is not None
    card, played_by = state.rows[seat][position], state.played_by[seat][position]
    emit(TakenBack(seat=seat, position=position, card=card, played_by=played_by))


def _bazaar(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    target, own, theirs = action.target_seat, action.own_card, action.target_card
    assert target is not None
    assert own is not None
    assert theirs is not None
    emit(
        CardsSwapped(
            seat=seat,
            position=own,
            card=state.rows[seat][own],
            target_seat=target,
            target_position=theirs,
            target_card=state.rows[target][theirs],
        )
    )


def _money_changer(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    target = action.target_seat
    assert target is not None
    hand = state.hands[target]
    highest = max(
        (card for card in DOLLARS if card in hand), key=lambda card: DOLLARS[card].value, default=None
    )
    proof = state.options.money_changer_proof if highest is None else "none"
    emit(
        DollarAsked(
            seat=seat,
            target_seat=target,
            answer=highest is not None,
            shown=dict(hand) if proof == "all" else None,
            card=highest,
            hand=dict(hand) if proof == "asker" else None,
        )
    )


def _brotherhood(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    front = state.front()
    for other in _clockwise(state, seat):
        lost = front.lost_vodka(other)
        if lost:
            _discard(state, other, lost, emit)


def _clockwise(state: State, seat: int) -> list[int]:
    """The seats in the auction, from this one on."""
    order = [seat]
    while (seat := left_of(state.bidders, seat)) != order[0]:
        order.append(seat)
    return order


def _discard(state: State, seat: int, positions: tuple[int, ...], emit: Emit) -> None:
    row = state.rows[seat]
    emit(TableDiscarded(seat=seat, positions=positions, cards=tuple([row[at] for at in positions])))


EFFECTS: Final[dict[str, Effect]] = {
    POLICEMAN: _policeman,
    CUSTOMS_OFFICER: _customs_officer,
    CAR_TROUBLE: _car_trouble,
    PETROL_STATION: _petrol_station,
    BAZAAR: _bazaar,
    MONEY_CHANGER: _money_changer,
    BROTHERHOOD: _brotherhood,
}
