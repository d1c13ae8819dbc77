"""Pan tu nie stał! at the terminal: the queues, who has what, the own hand, and what may be typed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.action import Action
from fairdeal.games import pan_tu_nie_stal
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import Hand, Table
from fairdeal.games.pan_tu_nie_stal_queues import CARDS, GOODS, Queue, score
from fairdeal.visibility import Event
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, Drawing
from fairdeal_cli.games.pan_tu_nie_stal_story import (
    good_text,
    goods_text,
    hand_text,
    line_text,
    place_name,
    short,
    tell,
)
from fairdeal_cli.typed import Unclear

_TOKENS: Final = {short(token).lower(): token for token in (*GOODS, *FOREIGN)}


class Drawn(Drawing):
    """Pan tu nie stał!"""

    how_to = (
        "`claim 0 T05`, `bazaar`, `pick r3`, `next`; `draw`, `play 0 regular 2` (queue, card, how many), "
        "`play 1 brawler over 3`, `run 0` (a runner at no cost), `end`; `refill yes`"
    )
    demo_options: ClassVar[dict[str, Any]] = {}

    def draw(self, view: AnyView) -> RenderableType:
        table: Table = view.table
        names = names_of(table.players)
        seats = Grid(box=None, show_header=False, pad_edge=False)
        for seat, name in enumerate(names):
            seats.add_row(*_seat(view, table, seat, name))
        queues = [line for number, one in enumerate(table.queues) for line in _queue(number, one, names)]
        return Group(_headline(view, table), *queues, seats, *_own(view))

    def choices(self, view: AnyView) -> Iterator[Text]:
        for offer in view.offers:
            for typed, meaning in _CHOICES[type(offer)](offer):
                yield Text(f"  {typed:<18} ").append(meaning, "dim")

    def read(self, text: str, view: AnyView) -> Action:
        word, *rest = text.lower().split() or [""]
        read = _READERS.get(word)
        if read is not None and not any("=" in given for given in rest):
            return read(rest, view)
        return self.read_plain(text, view)

    def tell_own(self, event: Event, names: Sequence[str]) -> Text | None:
        return tell(event, names)


# What is drawn


def _headline(view: AnyView, table: Table) -> Text:
    told = Text(f"{view.game}  ", "dim").append(f"turn {table.turn_number}, {view.phase}", "not dim")
    if view.phase == "act":
        told.append(f", {table.actions_left} of 2 actions left", "not dim")
    told.append(f"  {table.stack} goods and {table.foreign_stack} foreign ones to come", "dim")
    return told.append("  last round", "bold yellow") if table.last_round_by is not None else told


def _queue(number: int, queue: Queue, names: Sequence[str]) -> Iterator[Text]:
    told = Text(f"{number} {place_name(number, queue.kind == 'bazaar')}: ", "bold")
    yield told + (goods_text(queue.goods) if queue.goods else Text("closed", "dim"))
    if queue.claim is not None:
        yield Text(f"    {names[queue.claim.seat]} has claimed ") + good_text(queue.claim.token)
    if queue.line:
        totals = [
            Text(f"{name} {total}", "bold green" if seat == queue.leader else "")
            for seat, (name, total) in enumerate(zip(names, queue.totals, strict=True))
            if total or any(standing.seat == seat for standing in queue.line)
        ]
        yield Text("    ") + Text(", ").join(totals) + Text("  |  ", "dim") + line_text(queue, names)


def _seat(view: AnyView, table: Table, seat: int, name: str) -> tuple[Text, ...]:
    own = view.seat == seat
    notes = [
        note
        for note, applies in (
            ("you", own),
            ("on turn", table.turn == seat and seat not in view.to_act),
            ("resigned", seat in table.places),
        )
        if applies
    ]
    won = table.won[seat] if table.won is not None else None
    foreign = table.foreign[seat]
    has = goods_text([*(won or ()), *foreign])
    if won is None:
        has = Text(f"{table.won_counts[seat]} goods  ") + has
    return (
        Text("▶" if seat in view.to_act else " ", "bold green"),
        Text(str(seat), "dim"),
        Text(name, "bold" if own else ""),
        Text(f"{table.hands[seat]} in hand, {table.decks[seat]} in the deck", "dim"),
        Text("" if won is None else f"{score(won, foreign):>3}", "bold yellow"),
        has,
        Text(", ".join(notes), "dim"),
    )


def _own(view: AnyView) -> Iterator[Text]:
    hand: Hand | None = view.hand
    if hand is None:
        return
    yield Text("Your hand: ") + hand_text(hand.cards)
    if view.table.won is None and hand.won:
        yield Text("Your goods: ") + goods_text(hand.won)


# What may be done

Choice = tuple[str, str]


def _claims(offer: pan_tu_nie_stal.ClaimOffer) -> Iterator[Choice]:
    for queue, tokens in offer.queues.items():
        for token in tokens:
            yield f"claim {queue} {short(token)}", f"take {good_text(token)}"


def _picks(offer: pan_tu_nie_stal.PickOffer) -> Iterator[Choice]:
    for token in offer.tokens:
        yield f"pick {short(token)}", f"take {good_text(token)}"


def _plays(offer: pan_tu_nie_stal.PlayOffer) -> Iterator[Choice]:
    example, queues = next(iter(offer.cards)), ", ".join(map(str, offer.queues))
    yield f"play {offer.queues[0]} {example}", f"put cards of one kind into a queue: {queues}"
    places = [(queue, places) for queue, places in offer.covers.items() if places]
    for queue, lying in places:
        yield f"play {queue} brawler over …", f"cover a card there: {', '.join(map(str, lying))}"


def _runs(offer: pan_tu_nie_stal.PlayFreeOffer) -> Iterator[Choice]:
    yield f"run {offer.queues[0]}", f"a runner at no cost: {', '.join(map(str, offer.queues))}"


def _one(word: str, meaning: str) -> Callable[[Any], Iterator[Choice]]:
    return lambda offer: iter([(word, meaning)])


_CHOICES: Final[dict[type, Callable[[Any], Iterator[Choice]]]] = {
    pan_tu_nie_stal.ClaimOffer: _claims,
    pan_tu_nie_stal.StartBazaarOffer: _one("bazaar", "have the foreign goods picked, you first"),
    pan_tu_nie_stal.PickOffer: _picks,
    pan_tu_nie_stal.RefillBazaarOffer: _one("refill yes/no", "put foreign goods on the Bazaar, or not"),
    pan_tu_nie_stal.CheckedOffer: _one("next", "go on"),
    pan_tu_nie_stal.DrawOffer: _one("draw", "draw a card"),
    pan_tu_nie_stal.PlayOffer: _plays,
    pan_tu_nie_stal.PlayFreeOffer: _runs,
    pan_tu_nie_stal.EndTurnOffer: _one("end", "end your turn"),
}


# What is typed


def _number(words: Sequence[str], what: str) -> int:
    if not words or not words[0].isdigit():
        raise Unclear(f"Name the number of a queue: `{what}`")
    return int(words[0])


def _token(words: Sequence[str], lying: Sequence[str]) -> str:
    """The token that is typed, or the only one there. Raises `Unclear`."""
    if not words and len(lying) == 1:
        return lying[0]
    token = _TOKENS.get(words[0]) if words else None
    if token is None:
        raise Unclear(f"Name one of the goods: {', '.join(map(short, lying)) or 'there are none'}")
    return token


def _claim(words: Sequence[str], view: AnyView) -> Action:
    queue = _number(words, "claim 0 T05")
    queues: list[Queue] = view.table.queues
    lying = queues[queue].goods if queue < len(queues) else []
    return pan_tu_nie_stal.Claim(queue, _token(words[1:], lying))


def _pick(words: Sequence[str], view: AnyView) -> Action:
    return pan_tu_nie_stal.Pick(_token(words, view.table.queues[-1].goods))


def _play(words: Sequence[str], view: AnyView) -> Action:
    queue = _number(words, "play 0 regular 2")
    over = words.index("over") if "over" in words else len(words)
    named, covers = words[1:over], words[over + 1 :]
    found = [card for card in CARDS if named and card.startswith(named[0])]
    if len(found) != 1 or not all(word.isdigit() for word in (*named[1:], *covers)) or len(named) > 2:
        raise Unclear(f"Type `play 0 regular 2` or `play 0 brawler over 3`; the cards are {', '.join(CARDS)}")
    count = int(named[1]) if named[1:] else max(1, len(covers))
    if count > pan_tu_nie_stal.MAX_CARDS:
        raise Unclear(f"Nobody has {count} cards")
    return pan_tu_nie_stal.Play(queue, (found[0],) * count, tuple(map(int, covers)))


def _refill(words: Sequence[str], view: AnyView) -> Action:
    if words[:1] not in (["yes"], ["no"]):
        raise Unclear("Type `refill yes` or `refill no`")
    return pan_tu_nie_stal.RefillBazaar(words[0] == "yes")


_READERS: Final[Mapping[str, Callable[[Sequence[str], AnyView], Action]]] = {
    "claim": _claim,
    "bazaar": lambda words, view: pan_tu_nie_stal.StartBazaar(),
    "pick": _pick,
    "refill": _refill,
    **dict.fromkeys(("next", "checked"), lambda words, view: pan_tu_nie_stal.Checked()),
    "draw": lambda words, view: pan_tu_nie_stal.Draw(),
    "play": _play,
    "run": lambda words, view: pan_tu_nie_stal.PlayFree(_number(words, "run 0")),
    "end": lambda words, view: pan_tu_nie_stal.EndTurn(),
}
