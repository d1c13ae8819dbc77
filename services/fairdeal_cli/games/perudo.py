"""Perudo at the terminal: dice, bids, whose turn it is."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import perudo
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.console import counted
from fairdeal_cli.drawing import AnyView, Drawing, listed

_FACES: Final = ("aces", "twos", "threes", "fours", "fives", "sixes")
_WORDS_FOR_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BID: Final = re.compile(r"(?:bid\s+)?(\w+?)\s*[x×*, ]\s*(\w+)")
_WORDS: Final[dict[str, Action]] = {
    **dict.fromkeys(("dudo", "d", "doubt", "liar"), perudo.Dudo()),
    **dict.fromkeys(("calza", "c", "exact", "spot on"), perudo.Calza()),
    **dict.fromkeys(("yes", "y", "palafico"), perudo.Declare(palafico=True)),
    **dict.fromkeys(("no", "n"), perudo.Declare(palafico=False)),
}


class Drawn(Drawing):
    """Perudo."""

    how_to = "a bid such as `3 5` or `3x5` (three fives), `dudo` to doubt, `calza` for exactly right"
    demo_options: ClassVar[dict[str, Any]] = {"dice_per_player": 3}

    def draw(self, view: AnyView) -> RenderableType:
        table: perudo.Table = view.table
        grid = Grid(box=None, show_header=False, pad_edge=False)
        names = names_of(table.players)
        for seat, name in enumerate(names):
            grid.add_row(*_seat(view, table, seat, name))
        return Group(_headline(view, table), grid, *_standing(table, names))

    def choices(self, view: AnyView) -> Iterator[Text]:
        bids: perudo.BidOffer | None = view.offer(perudo.Bid)
        if bids is not None:
            yield Text("  bid   ").append(_lowest(bids), "dim")
        if view.offer(perudo.Dudo) is not None:
            yield Text("  dudo  ").append("doubt the standing bid", "dim")
        if view.offer(perudo.Calza) is not None:
            yield Text("  calza ").append("claim that it is exactly right", "dim")
        if view.offer(perudo.Declare) is not None:
            yield Text("  yes or no ").append("shall this round be a Palafico round?", "dim")

    def read(self, text: str, view: AnyView) -> Action:
        typed = " ".join(text.lower().split())
        if typed in _WORDS:
            return _WORDS[typed]
        bid = _BID.fullmatch(typed)
        if bid is not None:
            quantity, face = _number(bid[1]), _face(bid[2])
            if quantity is not None and face is not None:
                return perudo.Bid(quantity=quantity, face=face)
        return self.read_plain(text, view)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        match event:
            case perudo.StartRolled():
                rolls = zip(event.seats, event.rolls, strict=True)
                return Text(
                    f"For the start {listed([f'{names[seat]} rolls {sum(dice)}' for seat, dice in rolls])}."
                )
            case perudo.StarterDrawn():
                return Text(f"By lot, {names[event.seat]} opens.")
            case perudo.RoundStarted():
                return _tell_round(event, names)
            case perudo.BidPlaced():
                return Text(f"{names[event.seat]} bids ") + bid_text(event.quantity, event.face) + Text(".")
            case perudo.DudoCalled():
                return Text(f"{names[event.seat]} doubts it: dudo!", "bold")
            case perudo.CalzaCalled():
                return Text(f"{names[event.seat]} says it is exactly right: calza!", "bold")
            case perudo.DiceRevealed():
                return _tell_reveal(event, names)
            case perudo.PalaficoEarned():
                return Text(f"{names[event.seat]} is down to the last die and may declare a Palafico round.")
            case perudo.PalaficoDeclared():
                return Text(
                    f"{names[event.seat]} {'declares a' if event.palafico else 'wants no'} Palafico round."
                )
            case _:
                return _tell_dice(event, names)


def _lowest(offer: perudo.BidOffer) -> str:
    """The lowest bid on each face; the highest quantity is nearly always the same for all."""
    lowest = ", ".join(f"{bounds[0]} × {face}" for face, bounds in sorted(offer.quantities.items()))
    most = max(bounds[1] for bounds in offer.quantities.values())
    return f"at least {lowest}; at most {counted(most, 'die', 'dice')}"


def _tell_dice(event: Event, names: Sequence[str]) -> Text | None:
    match event:
        case perudo.DieLost():
            lost = "a die" if event.lost == 1 else f"{event.lost} dice"
            return Text(f"{names[event.seat]} loses {lost}{_left(event.left)}.", "red")
        case perudo.DieRegained():
            gained = "a die" if event.gained == 1 else f"{event.gained} dice"
            return Text(f"{names[event.seat]} takes {gained} back{_left(event.left)}.", "green")
        case perudo.NoDieRegained():
            return Text(f"{names[event.seat]} is right and has all dice already.")
        case perudo.PlayerEliminated():
            return Text(f"{names[event.seat]} is out, place {event.place}.", "red")
        case _:
            return None


def _left(left: int | None) -> str:
    return "" if not left else f" and has {left} left" if left > 1 else " and has one left"


def _tell_round(event: perudo.RoundStarted, names: Sequence[str]) -> Text:
    told = Text(f"Round {event.round}", "bold cyan")
    told.append(f": {names[event.starter]} opens", "not bold default")
    if event.kind == "palafico":
        told.append(" a Palafico round: aces are not wild, the face stays", "not bold magenta")
    told.append(".", "not bold default")
    rolled = _hands(event.dice or (), names, " rolls ")
    return told.append(" ").append_text(rolled).append(".") if rolled else told


def _tell_reveal(event: perudo.DiceRevealed, names: Sequence[str]) -> Text:
    told = Text("The cups are lifted: ").append_text(_hands(event.hands, names, " "))
    count = {0: "No die counts", 1: "One die counts"}.get(event.count, f"{event.count} dice count")
    return told.append(f". {count}.")


def _hands(hands: Sequence[Sequence[int] | None], names: Sequence[str], verb: str) -> Text:
    """`ann [5][1], bob [2]`, as far as there are dice to be seen."""
    shown = ((name, values) for name, values in zip(names, hands, strict=False) if values)
    return Text(", ").join(Text(f"{name}{verb}").append_text(dice(values)) for name, values in shown)


def dice(values: Sequence[int]) -> Text:
    """Dice as they lie: `[5][1]`, aces in another colour."""
    return Text("").join(Text(f"[{value}]", "bold magenta" if value == 1 else "bold") for value in values)


def bid_text(quantity: int, face: int) -> Text:
    """A bid: `3 × 5`."""
    return Text(f"{quantity} × {face}", "bold yellow")


def _headline(view: AnyView, table: perudo.Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(f"round {table.round}", "not dim bold")
    if table.kind == "palafico":
        told.append("  Palafico", "bold magenta")
    if table.dice is not None:
        told.append(f"  {counted(sum(table.dice), 'die', 'dice')} in play", "not dim")
    return told


def _seat(view: AnyView, table: perudo.Table, seat: int, name: str) -> tuple[Text, ...]:
    awaited = seat in view.to_act
    own = view.seat == seat
    out = seat in table.eliminated
    style = "dim" if out else "bold" if own else ""
    bids = [bid for bid in table.bids if bid.seat == seat]
    notes = [
        note
        for note, applies in (
            ("you", own),
            ("Palafico", table.palafico_seat == seat),
            ("resigned", seat in table.resigned),
            ("out", out and seat not in table.resigned),
        )
        if applies
    ]
    return (
        Text("▶" if awaited else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, style),
        _cup(view, table, seat),
        bid_text(bids[-1].quantity, bids[-1].face) if bids else Text(""),
        Text(", ".join(notes), "dim"),
    )


def _cup(view: AnyView, table: perudo.Table, seat: int) -> Text:
    if view.seat == seat and view.hand is not None and view.hand.dice:
        return dice(view.hand.dice)
    if table.dice is None:
        return Text("" if seat in table.eliminated else "[?]", "dim")
    return Text("[?]" * table.dice[seat], "dim")


def _standing(table: perudo.Table, names: Sequence[str]) -> Iterator[Text]:
    if table.bid is not None and table.turn is not None:
        yield (
            Text("The bid stands at ")
            + bid_text(table.bid.quantity, table.bid.face)
            + Text(f" by {names[table.bid.seat]}.")
        )


def _number(word: str) -> int | None:
    return (
        int(word)
        if word.isdigit()
        else _WORDS_FOR_NUMBERS.index(word) + 1
        if word in _WORDS_FOR_NUMBERS
        else None
    )


def _face(word: str) -> int | None:
    for face, plural in enumerate(_FACES, 1):
        if word in (plural, plural.removesuffix("s"), plural.removesuffix("es")):
            return face
    return 1 if word == "ones" else _number(word.removesuffix("s"))
