"""Pan tu nie stał!'s cards, goods, queues and events in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from fairdeal.games import pan_tu_nie_stal
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.foreign_goods import Colour
from fairdeal.games.pan_tu_nie_stal_queues import CARDS, GOODS, SHOPS, Holding, Queue
from fairdeal.visibility import Event
from fairdeal_cli.drawing import listed

Names = Sequence[str]

_STYLES: Final[dict[Colour, str]] = {
    "red": "red",
    "purple": "magenta",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
}


def good_text(token: str) -> Text:
    """A token: what it is and what it is worth; a foreign one in its country's colour."""
    foreign = FOREIGN.get(token)
    if foreign is not None:
        return Text(f"{foreign.name} {foreign.value}", _STYLES[foreign.colour])
    return Text(f"{GOODS[token].name} {GOODS[token].value}", "bold")


def short(token: str) -> str:
    """How a token is typed: `T05`, `r3`."""
    foreign = FOREIGN.get(token)
    return token if foreign is None else f"{foreign.colour[0]}{foreign.value}"


def goods_text(tokens: Iterable[str]) -> Text:
    """Tokens one after another."""
    return Text(", ").join([good_text(token) for token in tokens])


def hand_text(cards: Mapping[str, int]) -> Text:
    """Cards in their canonical order, equal ones together: `regular×3 veteran`."""
    held = [(card, cards[card]) for card in CARDS if cards.get(card)]
    return Text(" ").join(
        [Text(card, "bold").append(f"×{count}" if count > 1 else "", "not bold") for card, count in held]
    )


def line_text(queue: Queue, names: Names) -> Text:
    """The cards of a line with their positions, covered ones dim: `0 ann veteran, 1 bob brawler on 0`."""
    on = {standing.covered_by: place for place, standing in enumerate(queue.line)}
    parts = []
    for place, standing in enumerate(queue.line):
        style = "" if standing.covered_by is None else "dim strike"
        part = Text(f"{place} ", "dim").append(f"{names[standing.seat]} {standing.card}", style or "not dim")
        parts.append(part.append(f" on {on[place]}", "dim") if place in on else part)
    return Text(", ").join(parts)


def place_name(number: int, bazaar: bool) -> str:
    """The name of a queue: its shop's, or the Bazaar's."""
    return "the Bazaar" if bazaar else SHOPS[number]


def tell(event: Event, names: Names) -> Text | None:
    """The event as a sentence, or None when nothing is worth saying."""
    told = _SENTENCES.get(type(event))
    return None if told is None else told(event, names)


def _placed(event: pan_tu_nie_stal.GoodsPlaced, names: Names) -> Text:
    foreign = event.tokens[0] in FOREIGN
    return Text(f"On {place_name(event.queue, foreign)}: ", "dim") + goods_text(event.tokens) + Text(".")


def _removed(event: pan_tu_nie_stal.PairRemoved, names: Names) -> Text:
    return goods_text(event.tokens) + Text(" are of one value and leave the game.", "dim")


def _starter(event: pan_tu_nie_stal.StarterDrawn, names: Names) -> Text:
    return Text(f"By lot, {names[event.seat]} begins.")


def _dealt(event: pan_tu_nie_stal.HandDealt, names: Names) -> Text | None:
    if event.cards is None:
        return None
    cards = {card: event.cards.count(card) for card in event.cards}
    return Text(f"{names[event.seat]} is dealt ") + hand_text(cards) + Text(".")


def _turn(event: pan_tu_nie_stal.TurnStarted, names: Names) -> Text:
    return Text(f"Turn {event.turn}: {names[event.seat]}.", "dim")


def _claimed(event: pan_tu_nie_stal.ClaimMade, names: Names) -> Text:
    told = Text(f"{names[event.seat]} leads at {place_name(event.queue, False)} and claims ", "green")
    return told + good_text(event.token) + Text(".")


def _settled(event: pan_tu_nie_stal.ShopSettled, names: Names) -> Text:
    told = Text(f"{names[event.seat]} empties {place_name(event.queue, False)}: ", "bold green")
    return told + awards_text(event.awards, names) + Text(".")


def awards_text(awards: Iterable[Holding], names: Names) -> Text:
    """Who gets what: `ann gets Zeszyt 2, bob gets Koc 3`."""
    return Text(", ").join([Text(f"{names[one.seat]} gets ") + good_text(one.token) for one in awards])


def _asked(event: pan_tu_nie_stal.RefillAsked, names: Names) -> Text:
    return Text(f"{names[event.seat]} may put foreign goods on the Bazaar.", "dim")


def _chose(event: pan_tu_nie_stal.RefillChosen, names: Names) -> Text | None:
    return None if event.add else Text(f"{names[event.seat]} leaves the Bazaar as it is.")


def _bazaar(event: pan_tu_nie_stal.BazaarStarted, names: Names) -> Text:
    order = [f"{names[seat]} ({total})" for seat, total in zip(event.order, event.totals, strict=True)]
    return Text(f"{names[event.seat]} leads at the Bazaar. Picks go by {listed(order)}.", "green")


def _picked(event: pan_tu_nie_stal.GoodPicked, names: Names) -> Text:
    return Text(f"{names[event.seat]} picks ") + good_text(event.token) + Text(".")


def _drawn(event: pan_tu_nie_stal.CardDrawn, names: Names) -> Text:
    card = event.card or "a card"
    return Text(f"{names[event.seat]} draws {card}; {event.deck_left} are left.")


def _played(event: pan_tu_nie_stal.CardsPlayed, names: Names) -> Text:
    card, count = event.cards[0], len(event.cards)
    told = Text(f"{names[event.seat]} puts {CARDS[card].name}{f' ×{count}' if count > 1 else ''}")
    told.append(f" ({card}) into queue {event.queue}")
    if event.covers:
        told.append(f", on {listed([str(place) for place in event.covers])}", "red")
    return told.append(", at no cost." if event.free else ".")


def _last(event: pan_tu_nie_stal.LastRound, names: Names) -> Text:
    return Text(f"{names[event.seat]} has played all its cards: the last round begins.", "bold yellow")


def _final(event: pan_tu_nie_stal.FinalCheckStarted, names: Names) -> Text:
    return Text(f"{names[event.seat]} looks at the queues for the last time.", "dim")


def _left(event: pan_tu_nie_stal.SeatLeft, names: Names) -> Text:
    return Text(f"{names[event.seat]} leaves the queues, place {event.place}.", "dim")


_REASONS: Final[dict[pan_tu_nie_stal.EndReason, str]] = {
    "goods": "The shops are empty.",
    "cards": "The last round is over.",
    "last_seat": "One seat is left.",
}


def _over(event: pan_tu_nie_stal.GameOver, names: Names) -> Text:
    told = Text(_REASONS[event.reason], "bold")
    if event.awards:
        told += Text(" For claims, ") + awards_text(event.awards, names) + Text(".")
    points = [f"{name} {score}" for name, score in zip(names, event.scores, strict=True)]
    return told + Text(f" Points: {listed(points)}.")


_SENTENCES: Final[dict[type, Callable[[Any, Names], Text | None]]] = {
    pan_tu_nie_stal.GoodsPlaced: _placed,
    pan_tu_nie_stal.PairRemoved: _removed,
    pan_tu_nie_stal.StarterDrawn: _starter,
    pan_tu_nie_stal.HandDealt: _dealt,
    pan_tu_nie_stal.TurnStarted: _turn,
    pan_tu_nie_stal.ClaimMade: _claimed,
    pan_tu_nie_stal.ShopSettled: _settled,
    pan_tu_nie_stal.RefillAsked: _asked,
    pan_tu_nie_stal.RefillChosen: _chose,
    pan_tu_nie_stal.BazaarStarted: _bazaar,
    pan_tu_nie_stal.GoodPicked: _picked,
    pan_tu_nie_stal.CardDrawn: _drawn,
    pan_tu_nie_stal.CardsPlayed: _played,
    pan_tu_nie_stal.LastRound: _last,
    pan_tu_nie_stal.FinalCheckStarted: _final,
    pan_tu_nie_stal.SeatLeft: _left,
    pan_tu_nie_stal.GameOver: _over,
}
