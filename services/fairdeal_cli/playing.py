"""A person at the terminal: asks, understands what is typed, and tells what the others do."""

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final

from rich.text import Text

from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.view import Offer
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_cli.console import console, say
from fairdeal_cli.drawing import AnyView, Drawing, draw_all, drawing_for
from fairdeal_cli.problems import Problem
from fairdeal_cli.typed import Unclear
from fairdeal_local import Table
from fairdeal_rules import Rejected

PACE_S: Final = 0.5
"""How long a bot's move stays the newest line at a terminal, so that a person can follow."""

Ask = Callable[[str], str]
"""Shows a prompt and returns the line that was typed. Raises EOFError at the end of the input."""

Move = Callable[[AnyView], Action]
"""How a bot chooses among the offers of its view."""


class Leave(Exception):
    """The person leaves the table: has resigned, or the input is at its end."""


class Pass(Exception):
    """The person, who need not act now, lets the others go on."""


def ask_person(view: AnyView, drawing: Drawing, ask: Ask) -> Action:
    """The person's next action: asks until what was typed can be read. Raises `Leave`, `Pass`."""
    awaited = view.seat in view.to_act
    prompt = "your move> " if awaited else "Enter lets the others go on> "
    while True:
        try:
            text = ask(prompt).strip()
        except EOFError:
            raise Leave from None
        if not text and not awaited:
            raise Pass
        if text in ("quit", "resign", "q"):
            return Resign()
        if text in ("help", "?", "h", ""):
            tell_help(view, drawing)
            continue
        try:
            return drawing.read(text, view)
        except Unclear as unclear:
            say(Text(str(unclear), "yellow"))


def tell_help(view: AnyView, drawing: Drawing) -> None:
    """What may be done now, and how it is typed."""
    say(*drawing.choices(view))
    say(Text(f"Type {drawing.how_to}; `help` shows this, `quit` resigns.", "dim"))


def tell_events(events: Iterable[Event], viewer: Viewer, drawing: Drawing, names: Sequence[str]) -> int:
    """Tell what happened as the viewer may know it. Returns how many sentences it took."""
    sentences = [drawing.tell(redact(event, viewer), names) for event in events]
    told = [sentence for sentence in sentences if sentence is not None]
    say(*told)
    return len(told)


class LocalGame:
    """A game in this process between a person and bots."""

    def __init__(self, table: Table, seat: int, bots: dict[int, Move], ask: Ask) -> None:
        self._table = table
        self._seat = seat
        self._bots = bots
        self._ask = ask
        self._drawing = drawing_for(table.view().ruleset)
        self._told = 0
        self._passed_at = 0

    def play(self) -> None:
        """Play to the end. Raises `Leave` when the person goes."""
        self._tell()
        while not self._table.finished:
            view = self._table.view(self._seat)
            if view.offers and (self._seat in view.to_act or self._passed_at != view.version):
                self._person_moves(view)
            else:
                self._bot_moves(view)
            self._tell()

    def _person_moves(self, view: AnyView) -> None:
        say("", draw_all(self._drawing, view))
        try:
            action = ask_person(view, self._drawing, self._ask)
            self._table.act(self._seat, action)
        except Pass:
            self._passed_at = view.version
        except Rejected as rejected:
            say(Text(f"Not allowed: {rejected.message}", "yellow"))
        else:
            if isinstance(action, Resign):
                self._tell()
                raise Leave

    def _bot_moves(self, view: AnyView) -> None:
        for seat in view.to_act:
            if seat in self._bots:
                self._table.act(seat, self._bots[seat](self._table.view(seat)))
                if console().is_terminal:
                    time.sleep(PACE_S)
                return
        raise Problem(
            "The game stands still", f"it waits for seats {view.to_act}", "Report this with the ruleset"
        )

    def _tell(self) -> None:
        commits: list[Commit] = self._table.log[self._told :]
        self._told += len(commits)
        for commit in commits:
            tell_events(commit.events, self._seat, self._drawing, self._table.players)


def by_chance(random: Random) -> Move:
    """A bot that takes any offer."""

    def move(view: Any) -> Action:
        offer: Offer = random.choice(view.offers)
        return offer.sample(random)

    return move
