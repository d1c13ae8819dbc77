"""Pan tu nie stał!: what lies open on the table, and what may be done there. Rules and views share it."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from fairdeal.games.pan_tu_nie_stal_queues import Queue
from fairdeal.view import Table as BaseTable

Stage = Literal["check", "act", "final_check"]
"""`check`: the seat on turn uses its advantages. `act`: it draws and plays. `final_check`: the last look at the
queues, without actions."""

Phase = Literal["check", "act", "final_check", "bazaar_pick", "bazaar_refill"]
"""A stage, or what interrupts it. `bazaar_pick`: foreign goods are picked, also by seats that are not on turn.
`bazaar_refill`: the seat on turn says whether a foreign good goes on the Bazaar."""


class Picking(msgspec.Struct):
    """How the goods on the Bazaar are picked: the seats in their order, their totals at its start, whose pick it is.

    `next` counts in `order`. A seat that gives up drops out of both lists.
    """

    order: list[int]
    totals: list[int]
    next: int = 0


class Table(BaseTable):
    """What everybody sees.

    `turn` is the active seat, null after the end, and `stage` what its turn has come to, also while foreign goods
    are picked (`picking`) or it is asked to refill the Bazaar (`refilling`). `checked` are the queues that are done
    with in this turn. `runners` were played in it at no cost. `stack` and `foreign_stack` are how many tokens lie
    face-down, `removed` the pairs out of the game. `hands` and `decks` are how many cards each seat has. `won` are
    each seat's goods from shops, null when they are not shown; `won_counts` how many. `box` has each seat's cards
    out of play, `box_unseen` how many more that nobody saw. `last_round_by` is the seat that ran out of cards first;
    then `last_turns` are the seats that have a turn left, `final_checks` those that have a last check left. `places`
    has the seats that play no longer.
    """

    queues: list[Queue]
    stack: int
    foreign_stack: int
    hands: list[int]
    decks: list[int]
    won: list[list[str]] | None
    won_counts: list[int]
    foreign: list[list[str]]
    box: list[dict[str, int]]
    box_unseen: list[int]
    removed: list[str] = msgspec.field(default_factory=list)
    stage: Stage = "check"
    turn: int | None = None
    turn_number: int = 0
    checked: list[int] = msgspec.field(default_factory=list)
    actions_left: int = 0
    runners: int = 0
    picking: Picking | None = None
    refilling: bool = False
    last_round_by: int | None = None
    last_turns: list[int] = msgspec.field(default_factory=list)
    final_checks: list[int] = msgspec.field(default_factory=list)
    places: dict[int, int] = msgspec.field(default_factory=dict)


class Hand(msgspec.Struct):
    """A seat's own cards, and the goods that it has won in shops."""

    cards: dict[str, int] = {}
    won: list[str] = []


def phase_of(table: Table) -> Phase:
    """What is going on."""
    if table.picking is not None:
        return "bazaar_pick"
    return "bazaar_refill" if table.refilling else table.stage


def awaited(table: Table) -> int | None:
    """The seat that is waited for; None after the end."""
    picking = table.picking
    return table.turn if picking is None else picking.order[picking.next]


def bazaar_of(table: Table) -> int | None:
    """The number of the Bazaar's queue; None when it is played without."""
    last = len(table.queues) - 1
    return last if table.queues[last].kind == "bazaar" else None


def led(table: Table) -> Iterator[int]:
    """The queues with goods where the seat on turn has the advantage, that it has not used in this turn (§5.1)."""
    turn = table.turn
    for number, queue in enumerate(table.queues):
        if queue.leader == turn and queue.goods and number not in table.checked:
            yield number


def open_queues(table: Table) -> tuple[int, ...]:
    """The queues that take cards."""
    return tuple([number for number, queue in enumerate(table.queues) if queue.goods])


def uncovered(queue: Queue) -> tuple[int, ...]:
    """The positions of the cards that a brawler may cover."""
    return tuple([place for place, standing in enumerate(queue.line) if standing.covered_by is None])


def playing(table: Table) -> list[int]:
    """The seats that still play, ascending."""
    return [seat for seat in range(len(table.hands)) if seat not in table.places]


def clockwise(table: Table, seat: int) -> list[int]:
    """The other seats that still play, from the left of this one on."""
    seats = len(table.hands)
    return [one for step in range(1, seats) if (one := (seat + step) % seats) not in table.places]


def must_act(table: Table) -> bool:
    """Whether the seat on turn can still draw or play for an action, and so has to (§5.3)."""
    turn = table.turn
    return turn is not None and table.actions_left > 0 and table.hands[turn] + table.decks[turn] > 0
