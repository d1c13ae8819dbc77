"""Whole games between bots on the local table, without Redis: for tests, measurements and demonstrations."""

from collections.abc import Mapping
from random import Random

from fairdeal_bots.bot import Bot, move_of
from fairdeal_local import Table


class StandsStill(Exception):
    """A practice game did not come to its end."""


def play_out(table: Table, bots: Mapping[int, Bot], random_seed: int = 0, max_steps: int = 5000) -> int:
    """Let bots play a table to its end; returns the moves made. The table must not be of scripted dice.

    `bots` by seat; a seat without one never moves. Before each move the seats are asked in an order drawn
    from `random_seed`, so that whoever would act out of turn is sometimes first. Raises `StandsStill` when
    nobody moves or after `max_steps` moves.
    """
    random = Random(random_seed)  # noqa: S311
    for steps in range(max_steps):
        if table.finished:
            return steps
        seats = list(bots)
        random.shuffle(seats)
        if not any(_moves(table, seat, bots[seat]) for seat in seats):
            view = table.view("table")
            raise StandsStill(
                f"nobody moves at version {view.version}; the game waits for seats {view.to_act}"
            )
    if table.finished:
        return max_steps
    raise StandsStill(f"the game is not over after {max_steps} moves")


def _moves(table: Table, seat: int, bot: Bot) -> bool:
    action = move_of(bot, table.view(seat))
    if action is None:
        return False
    table.act(seat, action)
    return True
