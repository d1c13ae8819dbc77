"""Kuhhandel's events as sentences."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from rich.text import Text

from fairdeal.games import kuhhandel
from fairdeal.games.kuhhandel_money import WORTH, Heap, total
from fairdeal.visibility import Event
from fairdeal_cli.console import counted
from fairdeal_cli.drawing import listed

Names = Sequence[str]

_PLURALS: Final = {"goose": "geese", "sheep": "sheep"}
_ENDS: Final = {
    "all_complete": "Every quartet is complete.",
    "trade_limit": "The limit of trades is reached.",
    "all_resigned": "Nobody is left to play.",
}


def tell(event: Event, names: Names) -> Text | None:
    """The event as a sentence, or None when nothing is worth saying."""
    told = _SENTENCES.get(type(event))
    return None if told is None else told(event, names)


def lot_text(lot: Sequence[kuhhandel.Species]) -> str:
    """`a cow`, `2 cows`, `a cow and a pig`."""
    parts = [
        f"a {species}" if count == 1 else f"{count} {_PLURALS.get(species, f'{species}s')}"
        for species, count in Counter(lot).items()
    ]
    return listed(parts)


def heap_text(heap: Heap) -> Text:
    """Cards as they are counted: `2×0 4×10 1×50`."""
    cards = [f"{heap[name]}×{name}" for name in WORTH if heap.get(name)]
    return Text(" ".join(cards) or "nothing", "bold cyan")


def going(calls: int) -> str:
    """`: going twice`, nothing before the first call."""
    return ("", ": going once", ": going twice", ": going three times")[calls]


def _hidden(count: int) -> str:
    return "no card" if not count else "a hidden card" if count == 1 else f"{count} hidden cards"


def _cards(cards: Heap | None, count: int) -> Text:
    """The cards for who may see them, how many for others."""
    return Text(_hidden(count)) if cards is None else heap_text(cards)


def _closed(event: kuhhandel.AuctionClosed, names: Names) -> Text | None:
    if event.bidder is None:
        return Text("Nobody bids.")
    return Text(f"The bidding is closed at {event.price} by {names[event.bidder]}.")


def _paid(event: kuhhandel.PaymentMade, names: Names) -> Text:
    cards = event.cards if event.cards is not None else event.shown
    told = Text(f"{names[event.payer]} pays {names[event.payee]}")
    if cards is not None:
        return told.append(" with ").append_text(heap_text(cards)).append(f" for the price of {event.price}.")
    with_cards = "" if event.count is None else f", with {event.count} cards"
    return told.append(f" {event.price} or more{with_cards}.")


def _taken(event: kuhhandel.AnimalsTaken, names: Names) -> Text:
    free = "" if event.price else " for nothing"
    return Text(f"{names[event.seat]} takes {lot_text(event.lot)}{free}.", "green")


def _trade_started(event: kuhhandel.TradeStarted, names: Names) -> Text:
    told = Text(f"{names[event.challenger]} offers {names[event.target]} ")
    stake = lot_text((event.species,) * event.stake)
    return told.append_text(_cards(event.cards, event.count)).append(f" for {stake}.")


def _trade_reoffered(event: kuhhandel.TradeReoffered, names: Names) -> Text:
    return Text(f"{names[event.challenger]} now offers ") + _cards(event.cards, event.count) + Text(".")


def _accepted(event: kuhhandel.TradeAccepted, names: Names) -> Text:
    told = Text(f"{names[event.target]} accepts and takes ") + _cards(event.cards, event.count)
    return told.append("." if event.total is None else f", worth {event.total}.")


def _countered(event: kuhhandel.TradeCountered, names: Names) -> Text:
    return Text(f"{names[event.target]} lays ") + _cards(event.cards, event.count) + Text(" against it.")


def _counted(event: kuhhandel.TradeCounted, names: Names) -> Text | None:
    if event.offer is not None and event.counter is not None:
        heaps = Text("The heaps are counted: ") + heap_text(event.offer) + Text(" against ")
        return heaps + heap_text(event.counter) + Text(f", {total(event.offer)} to {total(event.counter)}.")
    if event.totals is not None:
        return Text(f"The heaps are counted: {event.totals[0]} to {event.totals[1]}.")
    return None


def _tied(event: kuhhandel.TradeTied, names: Names) -> Text:
    again = f": {names[event.challenger]} has to offer anew" if event.round == 1 else " again"
    return Text(f"Both heaps are worth the same{again}.")


def _resolved(event: kuhhandel.TradeResolved, names: Names) -> Text:
    if event.winner is None:
        return Text("The animals stay where they are.")
    loser = event.target if event.winner == event.challenger else event.challenger
    lot = lot_text((event.species,) * event.animals)
    free = " for nothing" if event.free else ""
    return Text(f"{names[event.winner]} gets {lot} of {names[loser]}{free}.", "green")


_SENTENCES: Final[dict[type, Callable[[Any, Names], Text | None]]] = {
    kuhhandel.StarterDrawn: lambda event, names: Text(f"By lot, {names[event.seat]} begins."),
    kuhhandel.MoneyDealt: lambda event, names: Text("Everybody gets ") + heap_text(event.cards) + Text("."),
    kuhhandel.SeatSkipped: lambda event, names: Text(f"{names[event.seat]} has nothing to trade.", "dim"),
    kuhhandel.AuctionStarted: lambda event, names: Text(
        f"{names[event.auctioneer]} auctions {lot_text(event.lot)}", "bold"
    ).append(f", {counted(event.deck_left, 'animal')} to come.", "not bold dim"),
    kuhhandel.DonkeyPaidOut: lambda event, names: Text(
        f"Donkey number {event.ordinal}: everybody gets {event.denomination}.", "magenta"
    ),
    kuhhandel.BidMade: lambda event, names: Text(f"{names[event.seat]} bids {event.amount}.", "yellow"),
    kuhhandel.Passed: lambda event, names: Text(f"{names[event.seat]} passes.", "dim"),
    kuhhandel.Called: lambda event, names: Text(
        f"{names[event.auctioneer]}: {event.high or 'nobody'}{going(event.step)}!"
    ),
    kuhhandel.AuctionClosed: _closed,
    kuhhandel.Preempted: lambda event, names: Text(f"{names[event.auctioneer]} buys for {event.price}."),
    kuhhandel.Sold: lambda event, names: Text(f"Sold to {names[event.bidder]} for {event.price}."),
    kuhhandel.BidderExposed: lambda event, names: (
        Text(f"{names[event.seat]} cannot pay and shows ", "red") + heap_text(event.cards) + Text(".", "red")
    ),
    kuhhandel.PaymentMade: _paid,
    kuhhandel.AnimalsTaken: _taken,
    kuhhandel.TradeStarted: _trade_started,
    kuhhandel.TradeReoffered: _trade_reoffered,
    kuhhandel.TradeAccepted: _accepted,
    kuhhandel.TradeCountered: _countered,
    kuhhandel.TradeCounted: _counted,
    kuhhandel.TradeTied: _tied,
    kuhhandel.TradeResolved: _resolved,
    kuhhandel.DoveTaken: lambda event, names: Text(f"{names[event.seat]} gets the dove.", "magenta"),
    kuhhandel.PlayEnded: lambda event, names: Text(_ENDS[event.reason], "bold"),
}
"""A sentence for each event; a turn's begin and heaps that are taken up show in what follows."""
