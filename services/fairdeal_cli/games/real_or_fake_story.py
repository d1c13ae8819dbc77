"""Real or Fake's events as sentences."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from fairdeal.games import real_or_fake
from fairdeal.games.real_or_fake_cards import NAMES, SERIES, Insider, Series, count_of
from fairdeal.visibility import Event
from fairdeal_cli.drawing import listed

Names = Sequence[str]

SQUARES: Final = {
    "start": "the start",
    "new_acquisition": "new acquisition",
    "trade": "trade",
    "tax_raid": "tax raid",
    "auction": "auction",
    "auction_object": "auction object",
    "insider": "insider information",
}
"""What is written on the squares."""

_PILES: Final = {"new_acquisitions": "new acquisitions", "auction_objects": "auction objects"}


def tell(event: Event, names: Names) -> Text | None:
    """The event as a sentence, or None when nothing is worth saying."""
    told = _SENTENCES.get(type(event))
    return None if told is None else told(event, names)


def euro(amount: int) -> str:
    """`€12,000`."""
    return f"€{amount:,}"


def cards_text(cards: Mapping[Series, int]) -> Text:
    """`2×rugs, 1×art glass`, or `no card`."""
    parts = [f"{count}×{NAMES[series].lower()}" for series, count in cards.items()]
    return Text(", ".join(parts) or "no card", "cyan")


def insiders_text(cards: Iterable[Insider]) -> Text:
    """`fake rugs, 2 blank`; each kind of card once."""
    counted = Counter(cards)
    blanks = counted.pop("blank", 0)
    parts = [Text(f"fake {NAMES[series].lower()}", "bold red") for series in SERIES if series in counted]
    if blanks:
        parts.append(Text("blank" if blanks == 1 else f"{blanks} blank"))
    return Text(", ").join(parts)


def number_of(count: int, what: str) -> str:
    """`a card`, `2 cards`."""
    return f"a {what}" if count == 1 else f"{count} {what}s"


def _said(text: str, style: str = "") -> Callable[[Any, Names], Text]:
    """A sentence whose braces are filled with `who` and the event's fields."""

    def told(event: Any, names: Names) -> Text:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        return Text(text.format(who=names[event.seat] if "seat" in fields else "", **fields), style)

    return told


def _laid(event: real_or_fake.PilesLaid, names: Names) -> Text:
    return Text(
        f"There are {event.new_acquisitions} new acquisitions, {event.auction_objects} auction objects and "
        f"{event.insiders} insider cards."
    )


def _dealt(event: real_or_fake.HandDealt, names: Names) -> Text | None:
    if event.cards is None or not event.cards:
        return None
    return Text(f"{names[event.seat]} is dealt ") + _drawn(event.cards) + Text(".")


def _drawn(cards: Iterable[Series]) -> Text:
    return cards_text(count_of(cards))


def _start_rolled(event: real_or_fake.StartRolled, names: Names) -> Text:
    rolls = [f"{names[seat]} rolls {sum(dice)}" for seat, dice in zip(event.seats, event.rolls, strict=True)]
    return Text(f"For the start {listed(rolls)}.")


def _arranged(event: real_or_fake.Arranged | real_or_fake.Sorted, names: Names) -> Text:
    told = Text(names[event.seat])
    if event.to_table:
        told.append(" lays ").append_text(cards_text(event.to_table)).append(" open")
    if isinstance(event, real_or_fake.Arranged) and event.to_hand:
        told.append(" and" if event.to_table else "").append(" takes ")
        told.append_text(cards_text(event.to_hand)).append(" back")
    if told.plain == names[event.seat]:
        told.append(" lays nothing open")
    return told.append(f" and holds {number_of(event.in_hand, 'card')}.")


def _rolled(event: real_or_fake.Rolled, names: Names) -> Text:
    dice = " and ".join(map(str, event.dice))
    return Text(f"{names[event.seat]} rolls {dice} and comes to ").append(f"{SQUARES[event.square]}.", "bold")


def _acquired(event: real_or_fake.Acquired, names: Names) -> Text:
    told = Text(f"{names[event.seat]} takes ")
    told.append_text(Text(number_of(event.count, "card")) if event.cards is None else _drawn(event.cards))
    return told.append(f"; {event.pile_left} are left.")


def _traded(event: real_or_fake.Traded, names: Names) -> Text:
    bought = cards_text({event.series: event.count})
    told = Text(f"{names[event.seat]} buys ", "green") + bought
    return told.append(f" of {names[event.seller]} for {euro(event.price)}.")


def _taxed(event: real_or_fake.Taxed, names: Names) -> Text:
    cards = number_of(event.count, "hidden card") if event.count else "no hidden card"
    return Text(f"{names[event.seat]} pays {euro(event.amount)} for {cards}.", "yellow")


def _bankrupt(event: real_or_fake.WentBankrupt, names: Names) -> Text:
    why = "leaves" if event.tax is None else f"cannot pay {euro(event.tax)} and is bankrupt"
    told = Text(f"{names[event.seat]} {why}: the bank gets {euro(event.cash)} and sells ", "red")
    return told.append_text(cards_text(event.cards)).append(" and what lay open.", "red")


def _filled(event: real_or_fake.HouseFilled, names: Names) -> Text:
    told = Text("Into the auction house: ") + _drawn(event.cards) + Text(f"; {event.pile_left} are left.")
    if event.set_aside is not None:
        told += Text(" Set aside: ") + _drawn([event.set_aside]) + Text(".")
    return told


def _started(event: real_or_fake.AuctionStarted, names: Names) -> Text:
    what = f"the house's {event.count}" if event.kind == "house" else f"{event.count} insider"
    return Text(f"{names[event.starter]} opens an auction of {what} cards.", "bold")


def _won(event: real_or_fake.AuctionWon, names: Names) -> Text:
    price = f"for {euro(event.price)}" if event.price else "for nothing: nobody bid"
    what = "the house" if event.kind == "house" else "the insider cards"
    return Text(f"{names[event.seat]} gets {what} {price}.", "green")


def _lapsed(event: real_or_fake.AuctionLapsed, names: Names) -> Text:
    return Text(f"Nobody bids: the cards {'are out of the game' if event.discarded else 'stay'}.")


def _insiders(event: real_or_fake.InsiderTaken, names: Names) -> Text | None:
    if event.cards is None:
        return None
    return Text(f"{names[event.seat]} looks at them: ") + insiders_text(event.cards) + Text(".")


def _revealed(event: real_or_fake.InsiderRevealed, names: Names) -> Text:
    return Text(f"{names[event.seat]} shows an insider card: ") + insiders_text([event.card]) + Text(".")


def _counted(event: real_or_fake.WealthCounted, names: Names) -> Text:
    fakes = listed([NAMES[series].lower() for series in event.fakes])
    told = Text(f"Fake: {fakes}." if fakes else "Everything is genuine.", "bold")
    each = [
        f"{name} {euro(wealth.total)} ({euro(wealth.cash)} and collections of {euro(wealth.collections)})"
        for name, wealth in zip(names, event.wealth, strict=True)
    ]
    return told.append(f" {listed(each)}.", "not bold")


_SENTENCES: Final[dict[type, Callable[[Any, Names], Text | None]]] = {
    real_or_fake.PilesLaid: _laid,
    real_or_fake.HandDealt: _dealt,
    real_or_fake.StartRolled: _start_rolled,
    real_or_fake.Arranged: _arranged,
    real_or_fake.Sorted: _arranged,
    real_or_fake.Rolled: _rolled,
    real_or_fake.BonusPaid: _said("{who} passes the start and gets €{amount:,}."),
    real_or_fake.Acquired: _acquired,
    real_or_fake.Traded: _traded,
    real_or_fake.TradeDeclined: _said("{who} buys nothing.", "dim"),
    real_or_fake.Taxed: _taxed,
    real_or_fake.WentBankrupt: _bankrupt,
    real_or_fake.HouseFilled: _filled,
    real_or_fake.AuctionStarted: _started,
    real_or_fake.BidMade: _said("{who} bids €{amount:,}.", "yellow"),
    real_or_fake.Passed: lambda event, names: Text(
        f"{names[event.seat]} {'cannot raise' if event.forced else 'passes'}.", "dim"
    ),
    real_or_fake.Overbid: _said("{who} bids €{amount:,}, which it does not have, and is left out.", "red"),
    real_or_fake.AuctionRestarted: lambda event, names: Text(
        f"The bidding begins anew with {names[event.starter]}.", "bold"
    ),
    real_or_fake.AuctionWon: _won,
    real_or_fake.AuctionLapsed: _lapsed,
    real_or_fake.InsiderTaken: _insiders,
    real_or_fake.PileEnded: lambda event, names: Text(
        f"The last of the {_PILES[event.pile]} is taken: the game is over.", "bold"
    ),
    real_or_fake.InsiderRevealed: _revealed,
    real_or_fake.WealthCounted: _counted,
}
"""A sentence for each event; whose turn it is shows in what follows."""
