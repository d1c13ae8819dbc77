"""Real or Fake at the terminal: who stands where, what lies open, the own cards, and what may be typed."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import real_or_fake
from fairdeal.games.real_or_fake_cards import DECK, NAMES, SERIES, Cards, Series, plus
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, Drawing, listed
from fairdeal_cli.games.real_or_fake_story import SQUARES, cards_text, euro, insiders_text, tell
from fairdeal_cli.typed import Unclear

_TWO_WORDS: Final = {NAMES[series].lower(): series for series in SERIES if " " in NAMES[series]}


class Drawn(Drawing):
    """Real or Fake."""

    how_to = (
        "`lay 2 rugs wines` (open; a series alone is all of it), `take rugs` (back to the hand), `roll`, `keep` "
        "(new cards, all in the hand), `buy bob rugs`, `decline`, `bid 4000`, `pass`"
    )
    demo_options: ClassVar[dict[str, Any]] = {"start_cards": 12}

    def draw(self, view: AnyView) -> RenderableType:
        table: real_or_fake.Table = view.table
        names = names_of(table.players)
        grid = Grid(box=None, show_header=False, pad_edge=False)
        for seat, name in enumerate(names):
            grid.add_row(*_seat(view, table, seat, name))
        return Group(_headline(view, table), grid, *_running(table, names), *_own(view), *_end(table, names))

    def choices(self, view: AnyView) -> Iterator[Text]:
        names = names_of(view.table.players)
        for offer in view.offers:
            for typed, meaning in _CHOICES[type(offer)](offer, names):
                yield Text(f"  {typed:<8} ").append(meaning, "dim")

    def read(self, text: str, view: AnyView) -> Action:
        word, _, rest = " ".join(text.lower().split()).partition(" ")
        if word.isdigit() and not rest:
            word, rest = "bid", word
        read = _READERS.get(word)
        if read is not None:
            return read(rest, view)
        return self.read_plain(text, view)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        return tell(event, names)


# What is drawn


def _headline(view: AnyView, table: real_or_fake.Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(f"turn {table.turn_number}", "not dim bold")
    return told.append(
        f"  to come: {table.new_acquisitions} new acquisitions, {table.auction_objects} auction objects, "
        f"{table.insider_pile} insider cards",
        "not dim",
    )


def _seat(view: AnyView, table: real_or_fake.Table, seat: int, name: str) -> tuple[Text, ...]:
    own, out = view.seat == seat, seat in table.bankrupt
    auction = table.auction
    notes = [
        note
        for note, applies in (
            ("you", own),
            ("on turn", table.turn == seat),
            ("passed", auction is not None and not out and seat not in auction.bidders),
            ("resigned", seat in table.resigned),
            ("bankrupt", out and seat not in table.resigned),
        )
        if applies
    ]
    cash = "" if table.cash is None else euro(table.cash[seat])
    position = table.positions[seat]
    insiders = table.insiders[seat]
    return (
        Text("▶" if seat in view.to_act else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, "dim" if out else "bold" if own else ""),
        Text(cash, "yellow"),
        Text("" if position is None else SQUARES[table.board[position]], "dim"),
        Text("" if out else f"{table.hands[seat]} hidden"),
        cards_text(table.open_cards[seat]) if table.open_cards[seat] else Text("nothing open", "dim"),
        Text(f"{insiders} insider cards" if insiders else "", "magenta"),
        Text(", ".join(notes), "dim"),
    )


def _running(table: real_or_fake.Table, names: Sequence[str]) -> Iterator[Text]:
    if table.house:
        yield Text("Auction house: ") + cards_text(table.house)
    auction = table.auction
    if auction is not None:
        lot = "the house" if auction.kind == "house" else f"{auction.count} insider cards"
        if auction.high is None:
            yield Text(f"Auction of {lot}, opened by {names[auction.starter]}: no bid yet.")
        else:
            high = f"{euro(auction.high.amount)} by {names[auction.high.seat]}"
            yield Text(f"Auction of {lot}: the bid stands at {high}.")
    if table.sorting is not None:
        cards = table.sorting.cards
        new = Text(f"{table.sorting.count} new cards") if cards is None else cards_text(cards)
        yield Text(f"{names[table.sorting.seat]} sorts ") + new + Text(".")


def _own(view: AnyView) -> Iterator[Text]:
    if view.hand is None:
        return
    hand: real_or_fake.Hand = view.hand
    yield Text(f"You have {euro(hand.cash)} and hold ", "bold") + cards_text(hand.cards)
    if hand.new:
        yield Text("New: ", "bold") + cards_text(hand.new)
    if hand.insiders:
        yield Text("Your insider cards: ", "bold") + insiders_text(hand.insiders)
    yield Text("All together: ", "dim") + _collections(
        plus(plus(hand.cards, hand.new), view.table.open_cards[view.seat]), view.table.options["value_table"]
    )


def _collections(cards: Cards, values: Sequence[int]) -> Text:
    """What the own collections are worth if they are genuine."""
    total = sum(values[count] for count in cards.values())
    worth = [f"{count}×{NAMES[series].lower()} {euro(values[count])}" for series, count in cards.items()]
    return Text(f"{euro(total)} if all is genuine ({', '.join(worth) or 'no card'})", "dim")


def _end(table: real_or_fake.Table, names: Sequence[str]) -> Iterator[Text]:
    if table.wealth is None or table.fakes is None:
        return
    fakes = listed([NAMES[series].lower() for series in table.fakes])
    yield Text(f"Fake: {fakes}." if fakes else "Everything was genuine.", "bold red" if fakes else "bold")
    for name, wealth in zip(names, table.wealth, strict=True):
        told = Text(f"{name}: ").append(euro(wealth.total), "bold")
        yield told.append(f", {euro(wealth.cash)} in cash, ", "not bold").append_text(
            cards_text(wealth.cards)
        )


# What may be done

Choice = Iterator[tuple[str, str]]


def _arrange_choices(offer: real_or_fake.ArrangeOffer, names: Sequence[str]) -> Choice:
    if offer.to_table:
        yield "lay", f"open, untaxed and for sale: {cards_text(offer.to_table)}"
    if offer.to_hand:
        yield "take", f"back to the hand: {cards_text(offer.to_hand)}"


def _sort_choices(offer: real_or_fake.SortOffer, names: Sequence[str]) -> Choice:
    yield "keep", "all in the hand"
    yield "lay", f"open: {cards_text(offer.cards)}, or some of them"


def _buy_choices(offer: real_or_fake.BuyOffer, names: Sequence[str]) -> Choice:
    for seller, prices in offer.prices.items():
        what = [f"{NAMES[series].lower()} for {euro(price)}" for series, price in prices.items()]
        yield "buy", f"of {names[seller]} {listed(what)}: `buy {names[seller]} {next(iter(prices))}`"


def _bid_choices(offer: real_or_fake.BidOffer, names: Sequence[str]) -> Choice:
    most = "" if offer.most is None else f" to {offer.most}"
    yield "bid", f"{offer.least}{most} in thousands"


_CHOICES: Final[Mapping[type, Callable[[Any, Sequence[str]], Choice]]] = {
    real_or_fake.ArrangeOffer: _arrange_choices,
    real_or_fake.RollOffer: lambda offer, names: iter([("roll", "move on with the cards as they lie")]),
    real_or_fake.SortOffer: _sort_choices,
    real_or_fake.BuyOffer: _buy_choices,
    real_or_fake.DeclineOffer: lambda offer, names: iter([("decline", "buy nothing")]),
    real_or_fake.BidOffer: _bid_choices,
    real_or_fake.PassOffer: lambda offer, names: iter([("pass", "leave the auction")]),
}


# What is typed


def _series(word: str) -> Series:
    """A series by its id, or by a beginning that no other has. Raises `Unclear`."""
    found = [series for series in SERIES if series == word] or [s for s in SERIES if s.startswith(word)]
    if len(found) != 1:
        raise Unclear(f"{word!r} is no series; there are {', '.join(SERIES)}")
    return found[0]


def _words(text: str) -> list[str]:
    for two, series in _TWO_WORDS.items():
        text = text.replace(two, series)
    text = re.sub(r"(\d+)\s*[x×*]", r"\1 ", text)
    return re.sub(r",|\band\b", " ", text).split()


def _cards(text: str, among: Mapping[Series, int]) -> Cards:
    """The cards that were typed, `2 rugs wines` or `all`; a series without a number is all of it that is there."""
    if text == "all":
        return dict(among)
    cards: Cards = {}
    count: int | None = None
    for word in _words(text):
        if word.isdigit():
            count = min(int(word[:3]), DECK.series[0].cards + 1)
            continue
        series = _series(word)
        cards[series] = cards.get(series, 0) + (among.get(series, 1) if count is None else count)
        count = None
    if not cards or count is not None:
        raise Unclear("Say which cards: `lay 2 rugs wines`, `lay all`")
    return cards


def _read_lay(rest: str, view: AnyView) -> Action:
    sorting: real_or_fake.SortOffer | None = view.offer(real_or_fake.Sort)
    if sorting is not None:
        return real_or_fake.Sort(to_table=_cards(rest, sorting.cards))
    return real_or_fake.Arrange(to_table=_cards(rest, {} if view.hand is None else view.hand.cards))


def _read_take(rest: str, view: AnyView) -> Action:
    own = {} if view.seat is None else view.table.open_cards[view.seat]
    return real_or_fake.Arrange(to_hand=_cards(rest, own))


def _read_buy(rest: str, view: AnyView) -> Action:
    names = [name.lower() for name in names_of(view.table.players)]
    who, *what = _words(rest)[:2] or [""]
    seat = (
        names.index(who) if who in names else int(who) if who.isdigit() and int(who[:3]) < len(names) else -1
    )
    if seat < 0 or not what:
        raise Unclear(f"Say of whom and what: `buy {names[0]} rugs`")
    return real_or_fake.Buy(seat=seat, series=_series(what[0]))


def _read_bid(rest: str, view: AnyView) -> Action:
    digits = re.sub(r"[,.€ ]", "", rest)
    if not digits.isdigit() or len(digits) > 12:
        raise Unclear("A bid is a number: `bid 4000`")
    return real_or_fake.Bid(amount=int(digits))


_READERS: Final[dict[str, Callable[[str, AnyView], Action]]] = {
    **dict.fromkeys(("roll", "r"), lambda rest, view: real_or_fake.Roll()),
    **dict.fromkeys(("lay", "open", "l"), _read_lay),
    **dict.fromkeys(("take", "hide", "t"), _read_take),
    **dict.fromkeys(("keep", "k"), lambda rest, view: real_or_fake.Sort()),
    "buy": _read_buy,
    **dict.fromkeys(("decline", "d", "no"), lambda rest, view: real_or_fake.Decline()),
    **dict.fromkeys(("bid", "b"), _read_bid),
    **dict.fromkeys(("pass", "p"), lambda rest, view: real_or_fake.Pass()),
}
