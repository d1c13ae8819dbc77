"""A person at the terminal: asks, understands what is typed, and tells what the others do."""

import time
from collections.abc import Callable
from random import SystemRandom
from typing import Final

from rich.text import Text

from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal_bots import bot_for, move_of
from fairdeal_cli.bots import names_of
from fairdeal_cli.console import console, say
from fairdeal_cli.drawing import AnyView, Drawing, draw_all, drawing_for
from fairdeal_cli.problems import Problem, reason
from fairdeal_cli.story import sentences
from fairdeal_cli.typed import Unclear
from fairdeal_local import Table
from fairdeal_rules import Rejected

PACE_S: Final = 0.5
"""How long a bot's move stays the newest line at a terminal, so that a person can follow."""

Ask = Callable[[str], str]
"""Shows a prompt and returns the line that was typed. Raises EOFError at the end of the input."""


class Leave(Exception):
    """The person leaves the table: has resigned, or the input is at its end. The message says what becomes of it."""


class EndOfInput(Leave):
    """Nothing more can be typed; the person has not resigned."""


class Pass(Exception):
    """The person, who need not act now, lets the others go on."""


def ask_person(view: AnyView, drawing: Drawing, ask: Ask) -> Action:
    """The person's next action: asks until what was typed can be read. Raises `EndOfInput`, `Pass`."""
    awaited = view.seat in view.to_act
    prompt = "your move> " if awaited else "Enter lets the others go on> "
    while True:
        try:
            text = ask(prompt).strip()
        except EOFError:
            raise EndOfInput from None
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


class LocalGame:
    """A game in this process between a person and bots."""

    def __init__(self, table: Table, seat: int, ask: Ask) -> None:
        """Every other seat's player is a bot. Raises `UnknownBot` when one is not."""
        ruleset = table.view().ruleset
        self._table = table
        self._seat = seat
        self._bots = {
            other: bot_for(ruleset, player) for other, player in enumerate(table.players) if other != seat
        }
        self._ask = ask
        self._drawing = drawing_for(ruleset)
        self._names = names_of(table.players)
        self._told = 0
        self._passed_at = 0
        self._chance = SystemRandom()

    def play(self) -> None:
        """Play to the end. Raises `Leave` when the person goes."""
        self._tell()
        while not self._table.finished:
            view = self._table.view(self._seat)
            # Bots that may act out of turn are no slower than the person.
            early = self._bot_moves([seat for seat in self._bots if seat not in view.to_act])
            if not early:
                self._turn(view)
            self._tell()

    def _turn(self, view: AnyView) -> None:
        if self._drawing.asks(view) and (self._seat in view.to_act or self._passed_at != view.version):
            self._person_moves(view)
        elif not self._bot_moves([seat for seat in self._bots if seat in view.to_act]):
            raise Problem(
                "The game stands still",
                f"it waits for seats {view.to_act}",
                "This is a defect of the ruleset",
            )

    def _person_moves(self, view: AnyView) -> None:
        say("", draw_all(self._drawing, view))
        try:
            action = ask_person(view, self._drawing, self._ask)
            self._table.act(self._seat, action)
        except Pass:
            self._passed_at = view.version
        except Rejected as rejected:
            say(Text(f"Not allowed: {reason(rejected)}", "yellow"))
        else:
            if isinstance(action, Resign):
                self._tell()
                raise Leave

    def _bot_moves(self, seats: list[int]) -> bool:
        """Let the first of these bots move that wants to, in any order; whether one did."""
        self._chance.shuffle(seats)
        for seat in seats:
            action = move_of(self._bots[seat], self._table.view(seat))
            if action is not None:
                self._table.act(seat, action)
                if console().is_terminal:
                    time.sleep(PACE_S)
                return True
        return False

    def _tell(self) -> None:
        commits: list[Commit] = self._table.log[self._told :]
        self._told += len(commits)
        for commit in commits:
            say(*sentences(commit.events, self._seat, self._drawing, self._names))
