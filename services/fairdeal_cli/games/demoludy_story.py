"""Demoludy's cards, goods and events in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from fairdeal.games import demoludy
from fairdeal.games.demoludy_cards import ACTION_CARDS, DOLLARS, PRODUCTS
from fairdeal.games.foreign_goods import COLOURS, COUNTRIES, GOODS, Colour
from fairdeal.visibility import Event
from fairdeal_cli.drawing import listed

Names = Sequence[str]

STYLES: Final[dict[Colour, str]] = {
    "red": "red",
    "purple": "magenta",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
}

SHORT: Final[dict[str, str]] = {
    **{card.id: f"{card.colour[0]}{card.value}" for card in PRODUCTS.values()},
    **{card.id: f"${card.value}" for card in DOLLARS.values()},
    **{card: card for card in ACTION_CARDS},
}
"""How each card is written: `r2`, `$7`, `policeman`."""


def card_text(card: str) -> Text:
    """A card as it is written, in its colour."""
    product = PRODUCTS.get(card)
    style = f"bold {STYLES[product.colour]}" if product else "bold cyan" if card in DOLLARS else "italic"
    return Text(SHORT[card], style)


def row_text(cards: Iterable[str], hidden: int = 0) -> Text:
    """Cards in their order, then the face-down ones: `r2 $7 ▒▒`."""
    parts = [card_text(card) for card in cards]
    return Text(" ").join([*parts, Text("▒" * hidden, "dim")] if hidden else parts)


def hand_text(cards: Mapping[str, int]) -> Text:
    """Cards by colour and value, equal ones together: `r2×3 b4 $7`."""
    ordered = [card for card in SHORT if cards.get(card)]
    return Text(" ").join(
        card_text(card).append(f"×{cards[card]}" if cards[card] > 1 else "", "not bold") for card in ordered
    )


def goods_text(token: str) -> Text:
    """A token: what it is and what it is worth, in its country's colour."""
    good = GOODS[token]
    return Text(f"{good.name} {good.value}", STYLES[good.colour])


def cars_text(tokens: Sequence[str]) -> Text:
    """The goods on a car."""
    return Text(", ").join(map(goods_text, tokens))


def country(colour: Colour) -> str:
    """`the USSR`, `Turkey`."""
    name = COUNTRIES[colour]
    return f"the {name}" if name.isupper() else name


def face_down(count: int) -> str:
    """`a card face-down`, `3 cards face-down`."""
    return "a card face-down" if count == 1 else f"{count} cards face-down"


def tell(event: Event, names: Names) -> Text | None:
    """The event as a sentence, or None when nothing is worth saying."""
    told = _SENTENCES.get(type(event))
    return None if told is None else told(event, names)


def _starter(event: demoludy.StarterDrawn, names: Names) -> Text:
    return Text(f"By lot, {names[event.seat]} opens the first auction.")


def _top(event: demoludy.TopRevealed, names: Names) -> Text:
    colour = GOODS[event.token].colour
    return Text(f"From {country(colour)}, the next goods are ") + goods_text(event.token) + Text(".")


def _dealt(event: demoludy.HandDealt, names: Names) -> Text | None:
    if event.cards is None:
        return None
    return Text(f"{names[event.seat]} is dealt ") + hand_text(Counter(event.cards)) + Text(".")


def _opened(event: demoludy.AuctionOpened, names: Names) -> Text:
    colour = GOODS[event.token].colour
    told = Text(f"{names[event.seat]} goes to {country(colour)} for ", "bold") + goods_text(event.token)
    return told + Text(": ") + _laid(event)


def _placed(event: demoludy.CardsPlaced, names: Names) -> Text:
    return Text(f"{names[event.seat]} lays ") + _laid(event)


def _laid(event: demoludy.AuctionOpened | demoludy.CardsPlaced) -> Text:
    """`r2 $7 and a card face-down (b4), 10 in all.`"""
    told = row_text(event.cards)
    if event.hidden_count:
        told += Text(" and " if event.cards else "") + Text(face_down(event.hidden_count))
        if event.hidden:
            told += Text(" (") + hand_text(event.hidden) + Text(")")
    return told + Text(f", {event.total} in all.")


def _withdrawn(event: demoludy.Withdrawn, names: Names) -> Text:
    told = Text(f"{names[event.seat]} withdraws", "yellow")
    told += _lost(event)
    owes = " A $10 has lost: it costs a token." if event.owes_token else ""
    return told + Text(f".{owes}")


def _lost(event: demoludy.Withdrawn | demoludy.AuctionWon) -> Text:
    """The cards that go to the discard."""
    if not event.cards and not event.hidden_count:
        return Text("")
    told = Text(" and discards ") + row_text(event.cards)
    if event.hidden_count:
        told += Text(" and " if event.cards else "") + Text(face_down(event.hidden_count))
        if event.revealed:
            told += Text(": ") + hand_text(event.revealed)
    return told


def _won(event: demoludy.AuctionWon, names: Names) -> Text:
    told = Text(f"{names[event.seat]} wins ", "bold green") + goods_text(event.token)
    return told + _lost(event) + Text(".")


def _skipped(event: demoludy.StartSkipped, names: Names) -> Text:
    return Text(f"{names[event.seat]} has no product to open with.")


def _reshuffled(event: demoludy.DeckReshuffled, names: Names) -> Text:
    return Text(f"The discard, {event.count} cards, becomes the deck.", "dim")


def _drawn(event: demoludy.CardDrawn, names: Names) -> Text | None:
    if event.card is None:
        return None
    return Text(f"{names[event.seat]} draws ") + card_text(event.card) + Text(".")


def _played(event: demoludy.ActionPlayed, names: Names) -> Text:
    on = "" if event.target_seat is None else f" on {names[event.target_seat]}"
    return Text(f"{names[event.seat]} plays {ACTION_CARDS[event.card].name}{on}.", "italic")


def _taken(event: demoludy.CardTaken, names: Names) -> Text:
    what = Text("a card") if event.card is None else card_text(event.card)
    return Text(f"{names[event.seat]} takes ") + what + Text(f" out of {names[event.source]}'s hand.")


def _asked(event: demoludy.DollarAsked, names: Names) -> Text:
    asker, asked = names[event.seat], names[event.target_seat]
    if event.answer:
        what = Text("a dollar") if event.card is None else card_text(event.card)
        return Text(f"{asked} has to give {asker} ") + what + Text(".")
    hand = event.shown if event.shown is not None else event.hand
    told = Text(f"{asked} has no dollar")
    if event.shown is not None:
        told.append(" and shows the hand to all")
    elif event.hand is not None:
        told.append(f" and shows {asker} the hand")
    return told + (Text("") if hand is None else Text(": ") + hand_text(hand)) + Text(".")


def _tossed(event: demoludy.TableDiscarded, names: Names) -> Text:
    return Text(f"{names[event.seat]} loses ", "red") + row_text(event.cards) + Text(".")


def _taken_back(event: demoludy.TakenBack, names: Names) -> Text:
    return Text(f"{names[event.seat]} takes ") + card_text(event.card) + Text(" back.")


def _swapped(event: demoludy.CardsSwapped, names: Names) -> Text:
    told = Text(f"{names[event.seat]}'s ") + card_text(event.card)
    return (
        told
        + Text(f" and {names[event.target_seat]}'s ")
        + card_text(event.target_card)
        + Text(" change places.")
    )


def _token_taken(event: demoludy.TokenTaken, names: Names) -> Text:
    return goods_text(event.token) + Text(f" goes on {names[event.seat]}'s car.")


def _returned(event: demoludy.TokenReturned, names: Names) -> Text:
    off = "" if event.seat is None else f" off {names[event.seat]}'s car"
    return goods_text(event.token) + Text(f" goes back on its stack{off}.")


def _reached(event: demoludy.TargetReached, names: Names) -> Text:
    return Text(f"{names[event.seat]} has what it takes: place {event.place}.", "bold green")


def _left(event: demoludy.SeatLeft, names: Names) -> Text:
    return Text(f"{names[event.seat]} leaves the table, place {event.place}.", "dim")


_SENTENCES: Final[dict[type, Callable[[Any, Names], Text | None]]] = {
    demoludy.StarterDrawn: _starter,
    demoludy.TopRevealed: _top,
    demoludy.HandDealt: _dealt,
    demoludy.AuctionOpened: _opened,
    demoludy.CardsPlaced: _placed,
    demoludy.Withdrawn: _withdrawn,
    demoludy.AuctionWon: _won,
    demoludy.StartSkipped: _skipped,
    demoludy.DeckReshuffled: _reshuffled,
    demoludy.CardDrawn: _drawn,
    demoludy.ActionPlayed: _played,
    demoludy.CardTaken: _taken,
    demoludy.DollarAsked: _asked,
    demoludy.TableDiscarded: _tossed,
    demoludy.TakenBack: _taken_back,
    demoludy.CardsSwapped: _swapped,
    demoludy.TokenTaken: _token_taken,
    demoludy.TokenReturned: _returned,
    demoludy.TargetReached: _reached,
    demoludy.SeatLeft: _left,
}


def stacks_text(stacks: Mapping[Colour, demoludy.Stack]) -> Text:
    """The tops of all stacks, and how many tokens lie under each: `Camera 3 (+4), …`."""
    tops = []
    for colour in COLOURS:
        stack = stacks[colour]
        under = len(stack.seen) + stack.unseen - 1
        if stack.seen:
            tops.append(goods_text(stack.seen[-1]).append(f" (+{under})" if under else "", "dim"))
    return Text(", ").join(tops)


def seats_listed(seats: Iterable[int], names: Names) -> str:
    """`ann, bob and cy`."""
    return listed([names[seat] for seat in seats])
