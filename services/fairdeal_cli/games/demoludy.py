"""Demoludy at the terminal: cars, stacks, the auction that runs, the own hand, and what may be typed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import demoludy
from fairdeal.games.demoludy_cards import ACTION_CARDS, PRODUCTS
from fairdeal.games.foreign_goods import COLOURS, Colour
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, Drawing
from fairdeal_cli.games.demoludy_story import (
    SHORT,
    cars_text,
    goods_text,
    hand_text,
    row_text,
    seats_listed,
    stacks_text,
    tell,
)
from fairdeal_cli.typed import Unclear

_CARDS: Final = {short: card for card, short in SHORT.items()}
_NEEDS: Final[dict[str, str]] = {
    "policeman": "{seat}",
    "customs_officer": "",
    "car_trouble": "{seat} {theirs}",
    "petrol_station": "{own}",
    "bazaar": "{own} {seat} {theirs}",
    "money_changer": "{seat}",
    "brotherhood": "",
}
"""What is named after an action card, in this order."""


class Drawn(Drawing):
    """Demoludy."""

    how_to = (
        "cards to bid, such as `r3 $7` or `r3 + b2 b2` (face-down after the plus), `place r3` to go on after it, "
        "`end`, `pass`, `skip`, `policeman bob`, `bazaar r2 bob $10` (a card is the latest of its kind, or the "
        "number of its place), `keep`, `swap red`, `return red`"
    )
    demo_options: ClassVar[dict[str, Any]] = {"countries_target": 2, "variant_actions": True}

    def draw(self, view: AnyView) -> RenderableType:
        table: demoludy.Table = view.table
        grid = Grid(box=None, show_header=False, pad_edge=False)
        for seat, name in enumerate(names_of(table.players)):
            grid.add_row(*_seat(view, table, seat, name))
        return Group(_headline(view, table), grid, *_stacks(table), *_own(view))

    def choices(self, view: AnyView) -> Iterator[Text]:
        names = names_of(view.table.players)
        for offer in view.offers:
            for typed, meaning in _CHOICES[type(offer)](offer, names):
                yield Text(f"  {typed:<16} ").append(meaning, "dim")

    def read(self, text: str, view: AnyView) -> Action:
        words = text.lower().replace("+", " + ").split()
        word, rest = (words[0], words[1:]) if words else ("", [])
        if word in ACTION_CARDS:
            return _action_card(word, rest, view)
        if word in _CARDS or word == "+":
            return _open(words, view) if view.table.phase == "opening" else _laid(demoludy.Bid, words)
        read = _READERS.get(word)
        if read is not None:
            return read(rest, view)
        return self.read_plain(text, view)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        return tell(event, names)


# What is drawn


def _headline(view: AnyView, table: demoludy.Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(f"{table.deck} cards in the deck", "not dim")
    if table.prize is not None:
        told += Text("  for ", "not dim") + goods_text(table.prize)
    return told


def _seat(view: AnyView, table: demoludy.Table, seat: int, name: str) -> tuple[Text, ...]:
    own = view.seat == seat
    row = table.rows[seat]
    notes = [
        note
        for note, applies in (
            ("you", own),
            ("withdrew", bool(table.bidders) and seat not in table.bidders and seat not in table.places),
            (f"place {table.places.get(seat)}", seat in table.places),
            ("resigned", seat in table.resigned),
        )
        if applies
    ]
    return (
        Text("▶" if seat in view.to_act else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, "bold" if own else ""),
        Text(f"{table.hands[seat]} cards", "dim"),
        Text(f"{row.total:>3}" if row.cards or row.hidden else "", "bold yellow"),
        row_text(row.cards, row.hidden),
        cars_text(table.cars[seat]),
        Text(", ".join(notes), "dim"),
    )


def _stacks(table: demoludy.Table) -> Iterator[Text]:
    yield Text("Stacks: ") + stacks_text(table.stacks)


def _own(view: AnyView) -> Iterator[Text]:
    hand: demoludy.Hand | None = view.hand
    if hand is None:
        return
    yield Text("Your hand: ") + hand_text(hand.cards)
    if hand.hidden:
        yield Text("Face-down: ") + hand_text(hand.hidden)
    for shown in (hand.shown, view.table.shown):
        if shown is not None:
            name = names_of(view.table.players)[shown.seat]
            yield Text(f"{name} last showed ", "dim") + hand_text(shown.cards)


# What may be done

Choice = tuple[str, str]


def _opens(offer: demoludy.OpenOffer, names: Sequence[str]) -> Iterator[Choice]:
    example = SHORT[next(iter(next(iter(offer.colours.values()))))]
    yield example, f"open an auction for {', '.join(offer.colours)} goods with products of that colour"


def _places(offer: demoludy.PlaceOffer, names: Sequence[str]) -> Iterator[Choice]:
    cards = " ".join(SHORT[card] for card in offer.cards) or "nothing"
    hidden = "; any of your cards face-down" if offer.hidden else ""
    yield "place …", f"lay cards and go on: {cards} face-up{hidden}"


def _bids(offer: demoludy.BidOffer, names: Sequence[str]) -> Iterator[Choice]:
    yield "r3 $7 + b2", f"bid with cards worth at least {offer.at_least}, face-down ones 1 each"


def _actions(offer: demoludy.PlayActionOffer, names: Sequence[str]) -> Iterator[Choice]:
    for card, targets in offer.cards.items():
        seat = f" <{seats_listed(targets.seats, names)}>" if targets.seats else ""
        named = _NEEDS[card].format(seat=seat.strip(), own="<your card>", theirs="<their card>")
        yield f"{card} {named}".strip(), ACTION_CARDS[card].name


def _colours(word: str, meaning: str) -> Callable[[Any, Sequence[str]], Iterator[Choice]]:
    def choices(offer: Any, names: Sequence[str]) -> Iterator[Choice]:
        for colour in offer.colours:
            yield f"{word} {colour}", meaning

    return choices


def _one(word: str, meaning: str) -> Callable[[Any, Sequence[str]], Iterator[Choice]]:
    return lambda offer, names: iter([(word, meaning)])


_CHOICES: Final[dict[type, Callable[[Any, Sequence[str]], Iterator[Choice]]]] = {
    demoludy.OpenOffer: _opens,
    demoludy.SkipOpenOffer: _one("skip", "leave the opening to the left and draw a card"),
    demoludy.PlaceOffer: _places,
    demoludy.BidOffer: _bids,
    demoludy.PlayActionOffer: _actions,
    demoludy.EndTurnOffer: _one("end", "end your turn as the highest bidder"),
    demoludy.WithdrawOffer: _one("pass", "withdraw from the auction"),
    demoludy.KeepOutOffer: _one("keep", "put the goods you won back on their stack"),
    demoludy.SwapOffer: _colours("swap", "give it back for the goods you won"),
    demoludy.ReturnTokenOffer: _colours("return", "give it back for the $10 that lost"),
}


# What is typed


def _cards(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Face-up cards, and face-down ones after the plus. Raises `Unclear`."""
    unknown = [word for word in words if word != "+" and word not in _CARDS]
    if unknown or words.count("+") > 1:
        raise Unclear(
            f"{(unknown or ['A second +'])[0]!r} is no card: r2 is the red 2, $7 a dollar, bazaar a Bazaar"
        )
    plus = words.index("+") if "+" in words else len(words)
    cards = tuple(_CARDS[word] for word in words[:plus])
    return cards, dict(Counter(_CARDS[word] for word in words[plus + 1 :]))


def _laid(kind: type[demoludy.Bid] | type[demoludy.Place], words: Sequence[str]) -> Action:
    return kind(*_cards(words))


def _open(words: Sequence[str], view: AnyView) -> Action:
    cards, hidden = _cards(words)
    colours = [PRODUCTS[card].colour for card in cards if card in PRODUCTS]
    if not colours:
        raise Unclear("An auction is opened with a product of the goods' colour, such as r2")
    return demoludy.Open(colours[0], cards, hidden)


def _action_card(card: str, words: Sequence[str], view: AnyView) -> Action:
    """An action card with what it is played on, as `_NEEDS` says. Raises `Unclear`."""
    needs = _NEEDS[card].split()
    if len(words) != len(needs):
        wanted = _NEEDS[card].format(seat="<player>", own="<your card>", theirs="<their card>")
        raise Unclear(f"Type `{f'{card} {wanted}'.strip()}`")
    typed = dict(zip(needs, words, strict=True))
    seat = _seat_named(typed["{seat}"], view) if "{seat}" in typed else None
    own = _position(typed["{own}"], view, view.seat) if "{own}" in typed else None
    theirs = _position(typed["{theirs}"], view, seat) if "{theirs}" in typed else None
    return demoludy.PlayAction(card, target_seat=seat, own_card=own, target_card=theirs)


def _seat_named(word: str, view: AnyView) -> int:
    names = [name.lower() for name in names_of(view.table.players)]
    if word.isdigit() and int(word) < len(names):
        return int(word)
    found = [seat for seat, name in enumerate(names) if name.startswith(word)]
    if len(found) != 1:
        raise Unclear(f"{word!r} is none of {', '.join(names)}: type a name or the number of a seat")
    return found[0]


def _position(word: str, view: AnyView, seat: int | None) -> int:
    """Where a card lies in a seat's row: the latest of its kind, or the place counted from 1."""
    row: list[str] = view.table.rows[seat].cards
    if word.isdigit() and 1 <= int(word) <= len(row):
        return int(word) - 1
    places = [place for place, card in enumerate(row) if card == _CARDS.get(word)]
    if not places:
        lies = " ".join(SHORT[card] for card in row) or "nothing"
        raise Unclear(f"{word!r} does not lie there face-up; there is {lies}")
    return places[-1]


def _colour(words: Sequence[str]) -> Colour:
    found = [colour for colour in COLOURS if words and colour.startswith(words[0])]
    if len(found) != 1:
        raise Unclear(f"Name a colour: {', '.join(COLOURS)}")
    return found[0]


_READERS: Final[Mapping[str, Callable[[list[str], AnyView], Action]]] = {
    "bid": lambda words, view: _laid(demoludy.Bid, words),
    "place": lambda words, view: _laid(demoludy.Place, words),
    "open": _open,
    "end": lambda words, view: demoludy.EndTurn(),
    **dict.fromkeys(("pass", "withdraw"), lambda words, view: demoludy.Withdraw()),
    "skip": lambda words, view: demoludy.SkipOpen(),
    "keep": lambda words, view: demoludy.KeepOut(),
    "swap": lambda words, view: demoludy.Swap(_colour(words)),
    "return": lambda words, view: demoludy.ReturnToken(_colour(words)),
}
