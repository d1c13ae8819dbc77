"""Pan tu nie stał!: how each event changes what lies open on the table.

The views fold redacted events with this, and the rules keep the same table beside their secrets: it looks at public
fields alone.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    BazaarStarted,
    CardDrawn,
    CardsPlayed,
    ClaimMade,
    FinalCheckStarted,
    GameOver,
    GoodPicked,
    GoodsPlaced,
    HandDealt,
    LastRound,
    LineCleared,
    Options,
    PairRemoved,
    QueuesChecked,
    RefillAsked,
    RefillChosen,
    SeatLeft,
    ShopSettled,
    TurnStarted,
)
from fairdeal.games.pan_tu_nie_stal_queues import GOODS, QUEUES, Holding, Queue, lay, recount
from fairdeal.games.pan_tu_nie_stal_table import Picking, Table, bazaar_of, clockwise
from fairdeal.visibility import Event

ACTIONS: Final = 2
"""The actions of a turn."""


class Board(Table, dict=True):
    """The table, and beside it what is never shown because the rest of it says so."""

    @cached_property
    def agreed(self) -> Options:
        """The options as a record."""
        return msgspec.convert(self.options, Options)


def open_board(players: Sequence[str], options: dict[str, Any], show_won: bool) -> Board:
    """The table before anything happened. `options` are resolved; without `show_won` it does not say who won what."""
    seats = len(players)
    board = Board(
        players=list(players),
        options=options,
        queues=[],
        stack=len(GOODS),
        foreign_stack=0,
        hands=[0] * seats,
        decks=[0] * seats,
        won=[[] for _ in players] if show_won else None,
        won_counts=[0] * seats,
        foreign=[[] for _ in players],
        box=[{} for _ in players],
        box_unseen=[0] * seats,
    )
    bazaars = int(board.agreed.expansion_bazaar)
    shops = QUEUES[seats] - bazaars
    board.queues = [
        Queue("shop" if number < shops else "bazaar", [0] * seats) for number in range(QUEUES[seats])
    ]
    board.foreign_stack = bazaars * len(FOREIGN)
    board.decks = [board.agreed.deck_size] * seats
    return board


def fold(board: Board, event: Event) -> None:
    """Change the table by an event as the viewer `table` sees it; ignores events that it has no use for."""
    change = _FOLDS.get(type(event))
    if change is not None:
        change(board, event)


# Queues and goods


def _recount(board: Board, queue: Queue) -> None:
    options = board.agreed
    recount(queue, options.mother_duration == "standing", options.absent_counts_zero)


def _goods_placed(board: Board, event: GoodsPlaced) -> None:
    queue = board.queues[event.queue]
    queue.goods.extend(event.tokens)
    if queue.kind == "shop":
        board.stack -= len(event.tokens)
    else:
        board.foreign_stack -= len(event.tokens)


def _pair_removed(board: Board, event: PairRemoved) -> None:
    board.removed.extend(event.tokens)
    board.stack -= len(event.tokens)


def _claim_made(board: Board, event: ClaimMade) -> None:
    queue = board.queues[event.queue]
    queue.goods.remove(event.token)
    queue.claim = Holding(event.seat, event.token)
    board.checked.append(event.queue)
    _recount(board, queue)


def _shop_settled(board: Board, event: ShopSettled) -> None:
    queue = board.queues[event.queue]
    queue.goods = []
    queue.claim = None
    board.checked.append(event.queue)
    _award(board, event.awards)


def _award(board: Board, awards: Iterable[Holding]) -> None:
    for award in awards:
        board.won_counts[award.seat] += 1
        if board.won is not None:
            board.won[award.seat].append(award.token)


def _line_cleared(board: Board, event: LineCleared) -> None:
    queue = board.queues[event.queue]
    for standing in queue.line:
        box = board.box[standing.seat]
        box[standing.card] = box.get(standing.card, 0) + 1
    queue.line = []
    if queue.kind == "bazaar":
        board.picking = None
    _recount(board, queue)


def _bazaar_started(board: Board, event: BazaarStarted) -> None:
    board.checked.append(event.queue)
    board.picking = Picking(list(event.order), list(event.totals))


def _good_picked(board: Board, event: GoodPicked) -> None:
    bazaar, picking = bazaar_of(board), board.picking
    assert bazaar is not None
    assert picking is not None
    board.queues[bazaar].goods.remove(event.token)
    board.foreign[event.seat].append(event.token)
    picking.next = (picking.next + 1) % len(picking.order)


def _refill_asked(board: Board, event: RefillAsked) -> None:
    board.refilling = True


def _refill_chosen(board: Board, event: RefillChosen) -> None:
    board.refilling = False


# Cards


def _hand_dealt(board: Board, event: HandDealt) -> None:
    board.hands[event.seat] += event.count
    board.decks[event.seat] = event.deck_left


def _card_drawn(board: Board, event: CardDrawn) -> None:
    board.hands[event.seat] += 1
    board.decks[event.seat] = event.deck_left
    board.actions_left -= 1


def _cards_played(board: Board, event: CardsPlayed) -> None:
    queue = board.queues[event.queue]
    lay(queue, event.seat, event.cards, event.covers, board.agreed.mother_duration == "on_play")
    board.hands[event.seat] -= len(event.cards)
    if event.free:
        board.runners += 1
    else:
        board.actions_left -= 1
    _recount(board, queue)


# Turns


def _turn_started(board: Board, event: TurnStarted) -> None:
    board.turn_number = event.turn
    board.actions_left = ACTIONS
    board.runners = 0
    if event.seat in board.last_turns:
        board.last_turns.remove(event.seat)
    _look(board, "check", event.seat)


def _final_check_started(board: Board, event: FinalCheckStarted) -> None:
    board.actions_left = 0
    board.final_checks.remove(event.seat)
    _look(board, "final_check", event.seat)


def _look(board: Board, stage: Any, seat: int) -> None:
    board.stage = stage
    board.turn = seat
    board.checked = []


def _queues_checked(board: Board, event: QueuesChecked) -> None:
    if board.stage == "check":
        board.stage = "act"


def _last_round(board: Board, event: LastRound) -> None:
    board.last_round_by = event.seat
    board.last_turns = clockwise(board, event.seat)
    if board.agreed.final_check:
        board.final_checks = [event.seat, *board.last_turns]


def _seat_left(board: Board, event: SeatLeft) -> None:
    seat, picking = event.seat, board.picking
    board.box_unseen[seat] += event.count
    board.hands[seat] = board.decks[seat] = 0
    board.places[seat] = event.place
    if board.turn == seat:
        board.refilling = False
    for waiting in (board.last_turns, board.final_checks):
        if seat in waiting:
            waiting.remove(seat)
    if picking is not None and seat in picking.order:
        _leave_picking(picking, picking.order.index(seat))


def _leave_picking(picking: Picking, place: int) -> None:
    del picking.order[place]
    del picking.totals[place]
    if place < picking.next:
        picking.next -= 1
    elif picking.next == len(picking.order):
        picking.next = 0


def _game_over(board: Board, event: GameOver) -> None:
    _award(board, event.awards)
    for queue in board.queues if event.awards else ():
        queue.claim = None
        _recount(board, queue)
    board.turn = None
    board.picking = None
    board.refilling = False


_FOLDS: Final[dict[type, Callable[[Board, Any], None]]] = {
    GoodsPlaced: _goods_placed,
    PairRemoved: _pair_removed,
    ClaimMade: _claim_made,
    ShopSettled: _shop_settled,
    LineCleared: _line_cleared,
    BazaarStarted: _bazaar_started,
    GoodPicked: _good_picked,
    RefillAsked: _refill_asked,
    RefillChosen: _refill_chosen,
    HandDealt: _hand_dealt,
    CardDrawn: _card_drawn,
    CardsPlayed: _cards_played,
    TurnStarted: _turn_started,
    FinalCheckStarted: _final_check_started,
    QueuesChecked: _queues_checked,
    LastRound: _last_round,
    SeatLeft: _seat_left,
    GameOver: _game_over,
}
