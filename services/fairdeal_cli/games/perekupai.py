"""Perekupai at the terminal: market, buyers, who owns what, the own cards, and what may be typed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import perekupai
from fairdeal.games.perekupai import Choice, Hand, Table
from fairdeal.games.perekupai_table import Car, HeldCard, Target
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, Drawing, listed
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
            for typed, meaning in _CHOICES[type(offer)](offer, names):
                yield Text(f"  {typed:<12} ").append(meaning, "dim")

    def read(self, text: str, view: AnyView) -> Action:
        word, *rest = text.lower().replace("#", "").split() or [""]
        read = _READERS.get(word)
        if read is not None:
            try:
                return read(rest, view)
            except (IndexError, ValueError):
                raise Unclear(f"`{word}` needs something else. Type {self.how_to}") from None
        try:
            return super().read(text, view)
        except Unclear:
            raise Unclear(f"That is no move. Type {self.how_to}") from None

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


# What may be done

Line = Iterator[tuple[str, str]]


def _one(typed: str, meaning: str) -> Callable[[Any, Sequence[str]], Line]:
    """One line, whatever the offer holds; its fields fill the braces."""

    def line(offer: Any, names: Sequence[str]) -> Line:
        yield typed, meaning.format(**{name: getattr(offer, name) for name in offer.__struct_fields__})

    return line


def _looks(offer: perekupai.InspectOffer, names: Sequence[str]) -> Line:
    yield f"look {offer.slots[0]}", f"at one of #{', #'.join(map(str, offer.slots))}"


def _buys(offer: perekupai.BuyOffer, names: Sequence[str]) -> Line:
    for slot, price in offer.prices.items():
        yield f"buy {slot}", f"for {price}"


def _repairs(offer: perekupai.RepairOffer, names: Sequence[str]) -> Line:
    for car, costs in offer.cars.items():
        what = listed([f"{id} for {cost}" for id, cost in costs.items()])
        yield f"repair {car}", f"{what}, what you can pay of them"


def _sells(offer: perekupai.StartSaleOffer, names: Sequence[str]) -> Line:
    for car, buyers in offer.cars.items():
        yield f"sell {car}", f"to {' or '.join(buyers)}"


def _buyers_left(offer: perekupai.ChooseBuyerOffer, names: Sequence[str]) -> Line:
    yield "buyer", f"try {' or '.join(offer.buyers)}"


def _scraps(offer: perekupai.ScrapOffer, names: Sequence[str]) -> Line:
    for car, amount in offer.cars.items():
        yield f"scrap {car}", f"for {amount}"


def _scams(offer: perekupai.PlayScamOffer, names: Sequence[str]) -> Line:
    for id, places in offer.cards.items():
        where = [f"on {car}" for car in places.cars] + ["beside the dealer"] * places.beside
        yield f"scam {id}", " or ".join([*where, *(f"in the place of {other}" for other in places.replace)])


def _plays(offer: perekupai.PlayAcquisitionOffer, names: Sequence[str]) -> Line:
    for id, choices in offer.cards.items():
        yield f"play {id}", "; ".join(_on(choice, names) for choice in choices) or "as it is"


def _on(choice: Choice, names: Sequence[str]) -> str:
    if choice.seats:
        return "on " + " or ".join(names[seat] for seat in choice.seats)
    things = " or ".join(", ".join(group) for group in choice.groups)
    return f"on {things}" if choice.most == 1 else f"on up to {choice.most} of {things}"


def _chooses(offer: perekupai.ChooseOffer, names: Sequence[str]) -> Line:
    yield "choose", f"{offer.count} of {listed(offer.cards)} to {offer.what}"


def _discards(offer: perekupai.DiscardOffer, names: Sequence[str]) -> Line:
    yield "discard", f"{offer.count} of {listed(offer.cards)}"


def _money(offer: perekupai.AskMoneyOffer, names: Sequence[str]) -> Line:
    yield "money", f"ask how much {' or '.join(names[seat] for seat in offer.seats)} has"


_CHOICES: Final[Mapping[type, Callable[[Any, Sequence[str]], Line]]] = {
    perekupai.StartBuyOffer: _one("buy", "look for a car to buy"),
    perekupai.InspectOffer: _looks,
    perekupai.BuyOffer: _buys,
    perekupai.DeclineBuyOffer: _one("nothing", "buy nothing"),
    perekupai.RepairOffer: _repairs,
    perekupai.StartSaleOffer: _sells,
    perekupai.ChooseBuyerOffer: _buyers_left,
    perekupai.AbandonSaleOffer: _one("keep", "keep the car"),
    perekupai.WorkOffer: _one("work", "as a loader for {amount}"),
    perekupai.ScrapOffer: _scraps,
    perekupai.PlayScamOffer: _scams,
    perekupai.PlayAcquisitionOffer: _plays,
    perekupai.PassOffer: _one("pass", "play nothing"),
    perekupai.ChooseOffer: _chooses,
    perekupai.DiscardOffer: _discards,
    perekupai.EndTurnOffer: _one("end", "end the turn"),
    perekupai.AskMoneyOffer: _money,
}


# What is typed


def _buy(words: list[str], view: AnyView) -> Action:
    return perekupai.Buy(int(words[0])) if words else perekupai.StartBuy()


def _look(words: list[str], view: AnyView) -> Action:
    return perekupai.Inspect(int(words[0]))


def _repair(words: list[str], view: AnyView) -> Action:
    return perekupai.Repair(words[0], tuple(words[1:]))


def _sell(words: list[str], view: AnyView) -> Action:
    return perekupai.StartSale(words[0], words[1])


def _buyer(words: list[str], view: AnyView) -> Action:
    return perekupai.ChooseBuyer(words[0])


def _scrap(words: list[str], view: AnyView) -> Action:
    return perekupai.Scrap(words[0])


def _scam(words: list[str], view: AnyView) -> Action:
    """`scam h3`, `scam h3 c1` on a car, `scam h3 m2` in the place of another."""
    card, *where = words
    car = next((word for word in where if word.startswith("c")), None)
    replace = next((word for word in where if word.startswith("m")), None)
    return perekupai.PlayScam(card, car, replace)


def _play(words: list[str], view: AnyView) -> Action:
    """`play h2 bob`, `play h2 s1`, `play h2 c1,c3`: a word for each target."""
    card, *targets = words
    names = [name.lower() for name in names_of(view.table.players)]
    return perekupai.PlayAcquisition(card, tuple([_target(word, names) for word in targets]))


def _target(word: str, names: Sequence[str]) -> Target:
    if word in names or word.isdigit():
        return Target(seat=int(word) if word.isdigit() else names.index(word))
    return Target(ids=tuple(word.split(",")))


def _choose(words: list[str], view: AnyView) -> Action:
    return perekupai.Choose(tuple(words))


def _discard(words: list[str], view: AnyView) -> Action:
    return perekupai.Discard(tuple(words))


def _ask(words: list[str], view: AnyView) -> Action:
    names = [name.lower() for name in names_of(view.table.players)]
    seat = int(words[0]) if words[0].isdigit() else names.index(words[0])
    return perekupai.AskMoney(seat)


def _plain(action: Action) -> Callable[[list[str], AnyView], Action]:
    return lambda words, view: action


_READERS: Final[Mapping[str, Callable[[list[str], AnyView], Action]]] = {
    "buy": _buy,
    **dict.fromkeys(("look", "inspect"), _look),
    **dict.fromkeys(("nothing", "decline"), _plain(perekupai.DeclineBuy())),
    "repair": _repair,
    "sell": _sell,
    "buyer": _buyer,
    "keep": _plain(perekupai.AbandonSale()),
    "work": _plain(perekupai.Work()),
    "scrap": _scrap,
    "scam": _scam,
    "play": _play,
    **dict.fromkeys(("pass", "p"), _plain(perekupai.Pass())),
    "choose": _choose,
    "discard": _discard,
    **dict.fromkeys(("end", "e"), _plain(perekupai.EndTurn())),
    "money": _ask,
}
