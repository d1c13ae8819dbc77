"""Real or Fake: how a turn and the game end (real_or_fake.md §5.3 to §5.5)."""

from fairdeal.games.real_or_fake import (
    InsiderRevealed,
    PileEnded,
    TurnStarted,
    Wealth,
    WealthCounted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_cards import SERIES, Insider, Series, plus, worth
from fairdeal_rules.games.real_or_fake_state import State, all_cards, next_living
from fairdeal_rules.ruleset import Emit


def next_turn(state: State, emit: Emit) -> None:
    """Give the turn to the next living seat."""
    emit(TurnStarted(seat=next_living(state, state.turn), number=state.turn_number + 1))


def ran_out(state: State, emit: Emit) -> bool:
    """End the game if an object pile has run out (§5.4); whether it has."""
    for pile, left in state.piles.items():
        if not left:
            emit(PileEnded(pile=pile))
            _finish(state, f"{pile}_ended", emit)
            return True
    return False


def leave(state: State, seat: int, tax: int | None, emit: Emit) -> bool:
    """A seat loses everything (§5.3) and with it perhaps the game ends; whether it does."""
    new = state.new if seat == state.new_seat else {}
    emit(WentBankrupt(seat=seat, tax=tax, cash=state.cash[seat], cards=plus(state.hands[seat], new)))
    living = state.seats - len(state.bankrupt)
    if living == 0 or (living == 1 and state.options.last_living_ends):
        _finish(state, "last_living" if living else "nobody_left", emit)
        return True
    return False


def _finish(state: State, reason: str, emit: Emit) -> None:
    """Reveal all insider cards that count, from the seat on turn clockwise, and count the wealth (§5.5)."""
    shown: list[Insider] = []
    for step in range(state.seats):
        seat = (state.turn + step) % state.seats
        if seat in state.bankrupt and state.options.bankrupt_insider == "void":
            continue
        for card in state.insiders[seat]:
            emit(InsiderRevealed(seat=seat, card=card))
            shown.append(card)
    fakes = tuple([series for series in SERIES if series in shown])
    wealth = tuple([_wealth(state, seat, fakes) for seat in range(state.seats)])
    emit(WealthCounted(reason=reason, fakes=fakes, wealth=wealth))


def _wealth(state: State, seat: int, fakes: tuple[Series, ...]) -> Wealth:
    cash, cards = state.cash[seat], all_cards(state, seat)
    if seat in state.bankrupt:
        return Wealth(cash=cash, cards=cards, collections=0, total=0)
    collections = worth(cards, state.options.value_table, fakes)
    return Wealth(cash=cash, cards=cards, collections=collections, total=cash + collections)
