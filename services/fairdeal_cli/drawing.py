"""How a ruleset looks at the terminal: its table, its events in words, what may be typed.

A ruleset's own way is `fairdeal_cli.games.<ruleset>.Drawn`; one without it is shown by this fallback, which
knows nothing of any game: the table as a tree, the events by their fields, the offers as a numbered menu.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import SystemRandom
from typing import Any, ClassVar

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from fairdeal import clock, game
from fairdeal.action import Action
from fairdeal.view import Offer, View
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.typed import Unclear, build, read_action, usage

AnyView = View[Any, Any]


class Drawing:
    """How one ruleset is shown, and the fallback for those that do not say."""

    how_to = "the number of a move, with its fields if it has any: 1 field=value; or `any` for one by chance"
    """What may be typed, one line."""
    demo_options: ClassVar[dict[str, Any]] = {}
    """Options that make a game short enough for the demo."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset

    def draw(self, view: AnyView) -> RenderableType:
        """What the viewer sees now, without the offers."""
        table = msgspec.to_builtins(view.table)
        for known in ("players", "options"):  # the seats are shown above, the options with `rulesets`
            del table[known]
        parts = {"table": table}
        if view.hand is not None:
            parts["your hand"] = msgspec.to_builtins(view.hand)
        tree = Tree(Text(f"{view.game}  {view.ruleset}  {view.phase}  version {view.version}"))
        tree.add(_seats(view))
        for name, part in parts.items():
            _grow(tree.add(Text(name)), part)
        return tree

    def tell(self, event: Event, names: Sequence[str]) -> Text | None:
        """The event as a sentence, or None when nothing is worth saying. `names`: the players by seat."""
        return tell_common(event, names) or self.tell_own(event, names)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        """The same for the ruleset's own events."""
        fields = msgspec.to_builtins(event)
        what = fields.pop("type").rpartition(".")[2].replace("_", " ")
        seat = fields.pop("seat", None)
        details = ", ".join(f"{name} {_short(value)}" for name, value in fields.items() if value is not None)
        who = names[seat] if isinstance(seat, int) else ""
        return Text(f"{who}: {what}" if who else what).append(f" ({details})" if details else "", "dim")

    def asks(self, view: AnyView) -> bool:
        """Whether a person at the terminal is asked for a move: by default whenever there is one."""
        return bool(view.offers)

    def choices(self, view: AnyView) -> Iterator[Text]:
        """What the seat may do now, a line for each offer."""
        for number, offer in enumerate(view.offers, 1):
            fields = msgspec.to_builtins(offer)
            fields.pop("type")
            line = Text(f"{number}  {usage(offer.action_type())}")
            yield line.append(f"  {_short(fields)}", "dim") if fields else line

    def read(self, text: str, view: AnyView) -> Action:
        """The action that was typed. Raises `Unclear`."""
        word, *rest = text.split(None, 1) or [""]
        if word == "any" and view.offers:
            chance = SystemRandom()
            offer: Offer = chance.choice(view.offers)
            return offer.sample(chance)
        if word.isdigit():
            if not 1 <= int(word) <= len(view.offers):
                raise Unclear(f"There is no move {word}: the menu has {len(view.offers)}")
            return build(view.offers[int(word) - 1].action_type(), rest[0].split() if rest else [])
        return read_action(text, self.ruleset)

    def read_plain(self, text: str, view: AnyView) -> Action:
        """What is in no words of the ruleset's own: read as the fallback reads it, or told what may be typed."""
        try:
            return Drawing.read(self, text, view)
        except Unclear:
            raise Unclear(f"That is no move. Type {self.how_to}") from None


def drawing_for(ruleset: str) -> Drawing:
    """How `perudo` or `perudo@1` is shown."""
    name = ruleset.partition("@")[0]
    if find_spec(f"fairdeal_cli.games.{name}") is None:
        return Drawing(name)
    drawn: Drawing = import_module(f"fairdeal_cli.games.{name}").Drawn(name)
    return drawn


def listed(words: Sequence[str]) -> str:
    """`ann`, `ann and bob`, `ann, bob and cy`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def tell_common(event: Event, names: Sequence[str]) -> Text | None:
    """What all games share, as a sentence; None for a ruleset's own event, and for one not worth a word."""
    match event:
        case game.Created():
            clock_says = f", {event.clock.turn_ms / 1000:g} s a turn" if event.clock else ""
            table = Text(f"A table of {event.ruleset} for {listed(event.players)}{clock_says}.")
            return table.append(f" The dealer commits to a seed: {event.commitment[:16]}…", "dim")
        case game.Started():
            return Text("All are there, the game starts.")
        case game.Readied():
            return Text(f"{names[event.seat]} is there.")
        case game.Resigned():
            return Text(f"{names[event.seat]} resigns.", "yellow")
        case game.Reseated():
            return Text(f"{event.player} takes seat {event.seat}.")
        case game.Cancelled():
            return Text(f"The game is called off: {event.reason}.", "yellow")
        case game.Finished():
            return _tell_end(event, names)
        case clock.RanOut():
            return Text(f"Time runs out for {listed([names[seat] for seat in event.seats])}.", "yellow")
        case _:
            return None


def _tell_end(event: game.Finished, names: Sequence[str]) -> Text:
    told = tell_outcome(event.outcome, names)
    return told.append(f" The dealer reveals the seed: {event.seed[:16]}…", "not bold dim default")


def tell_outcome(outcome: game.Outcome, names: Sequence[str]) -> Text:
    """Who has won, and everybody's place."""
    winners = [names[seat] for seat in outcome.winners]
    if not winners:
        return Text(f"Nobody wins: {outcome.reason}.", "bold")
    places = sorted(enumerate(outcome.places), key=lambda seat_place: seat_place[1])
    order = ", ".join(f"{place}. {names[seat]}" for seat, place in places)
    told = Text(f"{listed(winners)} {'wins' if len(winners) == 1 else 'win'}.", "bold green")
    return told.append(f" {order}.", "not bold default")


def _seats(view: AnyView) -> Text:
    """Who sits where, and who is waited for."""
    told = Text("seats")
    for seat, name in enumerate(names_of(view.table.players)):
        told.append("  ▶" if seat in view.to_act else "   ", "bold green")
        told.append(f"{seat} {name}", "bold" if seat == view.seat else "")
    return told


def _grow(tree: Tree, value: Any) -> None:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in pairs:
        if isinstance(part, dict | list) and len(_short(part)) > 80:
            _grow(tree.add(Text(str(name))), part)
        else:
            tree.add(Text(f"{name}  ").append(_short(part), "bold"))


def _short(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def draw_all(drawing: Drawing, view: AnyView) -> RenderableType:
    """What the viewer sees, how the game ended, and what the seat may do."""
    choices = list(drawing.choices(view))
    end = [] if view.outcome is None else [tell_outcome(view.outcome, names_of(view.table.players))]
    return Group(drawing.draw(view), *end, *([Text(""), *choices] if choices else []))
