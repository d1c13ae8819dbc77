"""Pan tu nie stał!: a game's state, secrets and all, and how events change it (pan_tu_nie_stal.md §3)."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    CardDrawn,
    CardsPlayed,
    GameOver,
    GoodsPlaced,
    HandDealt,
    Options,
    PairRemoved,
    SeatLeft,
)
from fairdeal.games.pan_tu_nie_stal_fold import fold, open_board
from fairdeal.games.pan_tu_nie_stal_queues import GOODS, pack
from fairdeal.visibility import Event

Cards = dict[str, int]
"""How many there are of each card; what is not there is left out, except in a deck."""


class State:
    """A game of Pan tu nie stał! Only `evolve` changes it."""

    __slots__ = ("decks", "foreign", "hands", "options", "over", "table", "tokens")

    def __init__(self, options: Options, seats: int) -> None:
        self.options = options
        players = [""] * seats
        self.table = open_board(players, msgspec.to_builtins(options), show_won=True)
        """What everybody sees, and who has won what in shops."""
        self.tokens = list(GOODS)
        """The goods of the stack, in canonical order: nobody holds its own order."""
        self.foreign = list(FOREIGN) if options.expansion_bazaar else []
        """The foreign goods of the stack, likewise."""
        self.decks: list[Cards] = [pack(options.deck_size, options.specials) for _ in players]
        """The pool that each seat draws from, in canonical order, with zeros."""
        self.hands: list[Cards] = [{} for _ in players]
        self.over: GameOver | None = None

    @property
    def won(self) -> list[list[str]]:
        """The goods that each seat has won in shops."""
        assert self.table.won is not None
        return self.table.won

    def evolve(self, event: Event) -> None:
        """Change the state by an event."""
        fold(self.table, event)
        change = _FOLDS.get(type(event))
        if change is not None:
            change(self, event)


def _goods_placed(state: State, event: GoodsPlaced) -> None:
    stack = state.foreign if state.table.queues[event.queue].kind == "bazaar" else state.tokens
    for token in event.tokens:
        stack.remove(token)


def _pair_removed(state: State, event: PairRemoved) -> None:
    for token in event.tokens:
        state.tokens.remove(token)


def _hand_dealt(state: State, event: HandDealt) -> None:
    for card in event.cards or ():
        _take(state, event.seat, card)


def _card_drawn(state: State, event: CardDrawn) -> None:
    assert event.card is not None
    _take(state, event.seat, event.card)


def _take(state: State, seat: int, card: str) -> None:
    state.decks[seat][card] -= 1
    hand = state.hands[seat]
    hand[card] = hand.get(card, 0) + 1


def _cards_played(state: State, event: CardsPlayed) -> None:
    hand = state.hands[event.seat]
    card = event.cards[0]
    hand[card] -= len(event.cards)
    if not hand[card]:
        del hand[card]


def _seat_left(state: State, event: SeatLeft) -> None:
    state.hands[event.seat] = {}
    state.decks[event.seat] = {}


def _game_over(state: State, event: GameOver) -> None:
    state.over = event


_FOLDS: Final[dict[type, Callable[[State, Any], None]]] = {
    GoodsPlaced: _goods_placed,
    PairRemoved: _pair_removed,
    HandDealt: _hand_dealt,
    CardDrawn: _card_drawn,
    CardsPlayed: _cards_played,
    SeatLeft: _seat_left,
    GameOver: _game_over,
}
