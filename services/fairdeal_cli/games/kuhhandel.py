"""Kuhhandel at the terminal: animals, the auction or trade that runs, the own money, and what may be typed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import kuhhandel
from fairdeal.games.kuhhandel import QUARTET, VALUES
from fairdeal.games.kuhhandel_money import WORTH, Heap, size, total
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.console import counted
from fairdeal_cli.drawing import AnyView, Drawing, listed
from fairdeal_cli.games.kuhhandel_story import going, heap_text, lot_text, tell
from fairdeal_cli.typed import Unclear

_CARDS: Final = re.compile(r"(?:(\d+)\s*[x×*]\s*)?(\d+)")
_EMPTY: Final = ("nothing", "none", "empty", "-")


class Drawn(Drawing):
    """Kuhhandel."""

    how_to = (
        "`auction`, `bid 40`, `pass`, `call`, `buy` or `sell`, `pay` (the least) or `pay 2x10 50`, "
        "`trade bob cow 10 0`, `accept`, `counter 50`, `offer 10 10` (`nothing` for no card)"
    )
    demo_options: ClassVar[dict[str, Any]] = {"lot_size": 2}

    def draw(self, view: AnyView) -> RenderableType:
        table: kuhhandel.Table = view.table
        names = names_of(table.players)
        grid = Grid(box=None, show_header=False, pad_edge=False)
        for seat, name in enumerate(names):
            grid.add_row(*_seat(view, table, seat, name))
        return Group(_headline(view, table), grid, *_running(table, names), *_own(view))

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


def _headline(view: AnyView, table: kuhhandel.Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(
        f"{counted(table.deck_left, 'animal')} to come", "not dim bold"
    )
    if table.donkeys:
        told.append(f"  {table.donkeys} of {QUARTET} donkeys", "not dim")
    return told


def _seat(view: AnyView, table: kuhhandel.Table, seat: int, name: str) -> tuple[Text, ...]:
    own = view.seat == seat
    auction = table.auction
    notes = [
        note
        for note, applies in (
            ("you", own),
            ("on turn", table.turn == seat),
            ("cannot pay", auction is not None and seat in auction.exposed),
            ("passed", auction is not None and seat in auction.passed),
            ("has the dove", table.dove == seat),
            ("resigned", seat in table.resigned),
        )
        if applies
    ]
    bid = auction.bids.get(seat) if auction is not None else None
    cards = "" if table.money_counts is None else f"{table.money_counts[seat]} cards"
    return (
        Text("▶" if seat in view.to_act else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, "bold" if own else ""),
        _animals(table.animals[seat]),
        Text(cards, "dim"),
        Text("" if bid is None else f"bids {bid}", "bold yellow"),
        Text(", ".join(notes), "dim"),
    )


def _animals(owned: Mapping[kuhhandel.Species, int]) -> Text:
    """`2 cows, 4 pigs`, complete quartets in green."""
    parts = [
        Text(lot_text((species,) * count), "bold green" if count == QUARTET else "")
        for species, count in owned.items()
    ]
    return Text(", ").join(parts)


def _running(table: kuhhandel.Table, names: Sequence[str]) -> Iterator[Text]:
    auction, trade = table.auction, table.trade
    if table.turn is None:
        return
    if auction is not None:
        worth = " and ".join(f"{VALUES[species]} a quartet" for species in dict.fromkeys(auction.lot))
        yield Text(f"{names[auction.auctioneer]} auctions {lot_text(auction.lot)} ({worth}).")
        if auction.high is None:
            yield Text(f"No bid yet{going(auction.calls)}.")
        else:
            bid = Text(f"The bid stands at {auction.high.amount} by {names[auction.high.seat]}")
            yield bid.append(f"{going(auction.calls)}.")
        if auction.payer is not None and auction.payee is not None:
            yield Text(f"{names[auction.payer]} pays {names[auction.payee]}.")
    elif trade is not None:
        stake = lot_text((trade.species,) * trade.stake)
        offered = "has to offer anew" if trade.offered is None else f"offers {_cards(trade.offered)}"
        yield Text(f"{names[trade.challenger]} {offered} for {stake} of {names[trade.target]}.")


def _cards(count: int) -> str:
    return "one hidden card" if count == 1 else f"{count} hidden cards" if count else "no card at all"


def _own(view: AnyView) -> Iterator[Text]:
    if view.hand is None:
        return
    hand: kuhhandel.Hand = view.hand
    yield (
        Text("Your money: ").append_text(heap_text(hand.money)).append(f", worth {total(hand.money)}", "dim")
    )
    if hand.laid is not None:
        yield Text("You have laid ").append_text(heap_text(hand.laid))


# What may be done

Choice = Iterator[tuple[str, str]]


def _start_trade_choices(offer: kuhhandel.StartTradeOffer, names: Sequence[str]) -> Choice:
    for target, common in offer.stakes.items():
        stakes = listed([lot_text((species,) * stake) for species, stake in common.items()])
        yield "trade", f"with {names[target]} for {stakes}: `trade {names[target]} {next(iter(common))} 10 0`"


def _call_choices(offer: kuhhandel.CallOffer, names: Sequence[str]) -> Choice:
    yield "call", f"{going(offer.step).removeprefix(': ')}: {offer.high or 'nobody bids'}"


def _decide_choices(offer: kuhhandel.DecideOffer, names: Sequence[str]) -> Choice:
    yield "sell", "the bidder pays you"
    if offer.affordable:
        yield "buy", "you pay the bidder"


def _pay_choices(offer: kuhhandel.PayOffer, names: Sequence[str]) -> Choice:
    ways = sorted(offer.payments(), key=lambda paid: (total(paid), size(paid)))
    shown = "; ".join(str(heap_text(paid)) for paid in ways[:5])
    yield "pay", f"the price is {offer.price}: {shown}{' …' if len(ways) > 5 else ''}"


_CHOICES: Final[dict[type, Callable[[Any, Sequence[str]], Iterable[tuple[str, str]]]]] = {
    kuhhandel.StartAuctionOffer: lambda offer, names: [("auction", "turn up the next animal")],
    kuhhandel.BidOffer: lambda offer, names: [
        ("bid", f"{offer.least} to {offer.most} in steps of {offer.step}; more than you have is a bluff")
    ],
    kuhhandel.PassOffer: lambda offer, names: [("pass", "not at this price")],
    kuhhandel.CallOffer: _call_choices,
    kuhhandel.DecideOffer: _decide_choices,
    kuhhandel.PayOffer: _pay_choices,
    kuhhandel.StartTradeOffer: _start_trade_choices,
    kuhhandel.AcceptTradeOffer: lambda offer, names: [("accept", "take the hidden cards, give the animals")],
    kuhhandel.CounterTradeOffer: lambda offer, names: [
        ("counter", "lay cards against it: the higher heap wins, and the heaps are exchanged")
    ],
    kuhhandel.ReofferTradeOffer: lambda offer, names: [("offer", "lay a new heap")],
}


# What is typed


def _heap(text: str) -> Heap:
    """The cards that were typed: `10 10 50`, `2x10 50` or `nothing`."""
    words = [] if text in _EMPTY else re.sub(r"\s*([x×*])\s*", r"\1", text.replace(",", " ")).split()
    heap: Heap = {}
    for word in words:
        found = _CARDS.fullmatch(word)
        if found is None or found[2] not in WORTH:
            raise Unclear(
                f"{word!r} is no money card; there are {', '.join(WORTH)}: type `10 10 50` or `2x10 50`"
            )
        heap[found[2]] = heap.get(found[2], 0) + int(found[1] or 1)
    return heap


def _read_pay(rest: str, view: AnyView) -> Action:
    offer: kuhhandel.PayOffer | None = view.offer(kuhhandel.Pay)
    if rest or offer is None:
        return kuhhandel.Pay(cards=_heap(rest))
    return kuhhandel.Pay(cards=min(offer.payments(), key=lambda paid: (total(paid), size(paid))))


def _read_bid(rest: str, view: AnyView) -> Action:
    if not rest.isdigit() or len(rest) > 9:
        raise Unclear("A bid is a number: `bid 40`")
    return kuhhandel.Bid(amount=int(rest))


def _read_call(rest: str, view: AnyView) -> Action:
    offer: kuhhandel.CallOffer | None = view.offer(kuhhandel.Call)
    return kuhhandel.Call(step=1) if offer is None else kuhhandel.Call(step=offer.step, seen_high=offer.high)


def _read_trade(rest: str, view: AnyView) -> Action:
    names = [name.lower() for name in names_of(view.table.players)]
    target, _, more = rest.partition(" ")
    animal, _, cards = more.partition(" ")
    species = next((s for s in VALUES if animal in (s, f"{s}s")), None)
    seat = int(target) if target.isdigit() and int(target) < len(names) else None
    if target in names:
        seat = names.index(target)
    if seat is None or species is None:
        raise Unclear(
            f"A trade is `trade {names[0]} cow 10 0`: with whom, for which animal, and the cards you lay"
        )
    return kuhhandel.StartTrade(target=seat, species=species, offer=_heap(cards))


_READERS: Final[dict[str, Callable[[str, AnyView], Action]]] = {
    **dict.fromkeys(("auction", "a"), lambda rest, view: kuhhandel.StartAuction()),
    **dict.fromkeys(("bid", "b"), _read_bid),
    **dict.fromkeys(("pass", "p"), lambda rest, view: kuhhandel.Pass()),
    **dict.fromkeys(("call", "c"), _read_call),
    "buy": lambda rest, view: kuhhandel.Decide(preempt=True),
    "sell": lambda rest, view: kuhhandel.Decide(preempt=False),
    "pay": _read_pay,
    **dict.fromkeys(("trade", "t"), _read_trade),
    "accept": lambda rest, view: kuhhandel.AcceptTrade(),
    "counter": lambda rest, view: kuhhandel.CounterTrade(cards=_heap(rest)),
    "offer": lambda rest, view: kuhhandel.ReofferTrade(cards=_heap(rest)),
}
