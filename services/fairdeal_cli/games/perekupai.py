"""Perekupai at the terminal: market, buyers, who owns what, the own cards, and what may be typed."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games.perekupai import Hand, Table
from fairdeal.games.perekupai_table import Car, HeldCard
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, Drawing, listed
from fairdeal_cli.games.perekupai_moves import CHOICES, READERS
from fairdeal_cli.games.perekupai_story import buyer_text, front_text, surprise_text, tech_text, tell
from fairdeal_cli.typed import Unclear


class Drawn(Drawing):
    """Perekupai."""

    how_to = (
        "`buy`, then `look 2`, `buy 2` or `nothing`; `sell c1 b2`, `repair c1 s1 s2`, `work`, `scrap c1`, `end`; "
        "`scam h3 c1`, `play h2 bob`, `pass`, `choose s1`, `discard h1`"
    )
    demo_options: ClassVar[dict[str, Any]] = {"target": 2000}

    def draw(self, view: AnyView) -> RenderableType:
        table: Table = view.table
        names = names_of(table.players)
        grid = Grid(box=None, show_header=False, pad_edge=False)
        for seat, name in enumerate(names):
            grid.add_row(*_seat(view, table, seat, name))
        return Group(
            _headline(view, table),
            _market(view, table),
            _buyers(table),
            grid,
            *_cars(view, table, names),
            *_running(table, names),
            *_own(view),
        )

    def asks(self, view: AnyView) -> bool:
        """Only in turn: out of turn a seat can but ask for what the table shows."""
        return view.seat in view.to_act

    def choices(self, view: AnyView) -> Iterator[Text]:
        names = names_of(view.table.players)
        for offer in view.offers:
            for typed, meaning in CHOICES[type(offer)](offer, names):
                yield Text(f"  {typed:<12} ").append(meaning, "dim")

    def read(self, text: str, view: AnyView) -> Action:
        word, *rest = text.lower().replace("#", "").split() or [""]
        read = READERS.get(word)
        if read is not None:
            try:
                return read(rest, view)
            except (IndexError, ValueError):
                raise Unclear(f"`{word}` needs something else. Type {self.how_to}") from None
        return self.read_plain(text, view)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        return tell(event, names)


# What is drawn


def _headline(view: AnyView, table: Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(f"round {table.round}", "not dim bold")
    if table.final:
        told.append(", the last", "not dim bold yellow")
    decks = f"  {table.car_deck} cars, {table.card_deck} cards, {table.buyer_deck} buyers to come"
    left = "1 action left" if table.actions_left == 1 else f"{table.actions_left} actions left"
    return told.append(f"{decks}; {view.phase}, {left}", "not bold not dim default")


def _market(view: AnyView, table: Table) -> Text:
    told = Text("Market", "bold")
    for slot, car in enumerate(table.market):
        if car is not None:
            told.append(f"\n  #{slot} {car.id} {front_text(car.front)}", "not bold")
            known = view.hand.techs.get(car.id) if view.hand is not None else None
            if known is not None:
                told.append(f"  ({tech_text(known)})", "cyan")
    return told


def _buyers(table: Table) -> Text:
    told = Text("Buyers", "bold")
    for buyer in table.buyers:
        if buyer is not None:
            told.append(f"\n  {buyer.id} {buyer_text(buyer)}", "not bold")
    return told


def _seat(view: AnyView, table: Table, seat: int, name: str) -> tuple[Text, ...]:
    own, out = view.seat == seat, seat in table.out
    notes = [
        note
        for note, applies in (("you", own), ("on turn", table.turn == seat), ("resigned", out))
        if applies
    ]
    dealer = table.dealers[seat]
    permanents = [f"{permanent.id} {permanent.scam.name}" for permanent in table.permanents[seat]]
    return (
        Text("▶" if seat in view.to_act else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, "dim" if out else "bold" if own else ""),
        Text(str(table.cash[seat]), "bold yellow"),
        Text("a card" if table.hands[seat] == 1 else f"{table.hands[seat]} cards"),
        Text("" if dealer is None else dealer.name, "dim"),
        Text(", ".join(permanents), "magenta"),
        Text(", ".join(notes), "dim"),
    )


def _cars(view: AnyView, table: Table, names: Sequence[str]) -> Iterator[Text]:
    for seat, cars in enumerate(table.cars):
        for car in cars:
            yield Text(f"{names[seat]} owns ") + _car(view, car)


def _car(view: AnyView, car: Car) -> Text:
    told = Text(f"{car.id} {front_text(car.front)}; sells for {car.tech.sale}", "bold")
    known = view.hand.surprises if view.hand is not None else {}
    hidden = [surprise_text(known[id]) if id in known else id for id in car.hidden]
    if hidden:
        told.append(f"; face-down {listed(hidden)}", "not bold dim")
    for surprise in car.shown:
        told.append(f"; {surprise_text(surprise)}", "not bold red")
    for mod in car.mods:
        told.append(f"; {surprise_text(mod)}", "not bold green")
    return told


def _running(table: Table, names: Sequence[str]) -> Iterator[Text]:
    sale = table.sale
    if sale is not None and table.turn is not None:
        to = f" to {sale.buyer}" if sale.buyer else ""
        yield Text(f"{names[table.turn]} sells {sale.car}{to}.")
        if sale.rolled is not None:
            yield Text(
                f"The test of {sale.rolled.test}: {sale.rolled.total} against {sale.rolled.target}.", "bold"
            )
    for played in table.stack:
        told = Text(f"{names[played.seat]} has played ").append(played.acquisition.name, "bold magenta")
        yield told.append(f": {played.acquisition.text}", "not bold default")


def _own(view: AnyView) -> Iterator[Text]:
    hand: Hand | None = view.hand
    if hand is not None:
        yield Text("Your cards", "bold")
        yield from (_held(held) for held in hand.cards)


def _held(held: HeldCard) -> Text:
    acquisition, scam = held.card.acquisition, held.card.scam
    told = Text(f"  {held.id} ").append(acquisition.name, "magenta").append(f": {acquisition.text}  ")
    return told.append(f"[{scam.name}: {scam.text}]", "dim")
