"""Demoludy positions in a line or two.

Cards are written short: `r2` for the red product of value 2, `$7`, `$10`, action cards by their ids; tokens
likewise, `r5`. A seat's table is `"r2 $7 + b4 b4"`, face-down cards after the plus.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from fairdeal.action import Action
from fairdeal.games.demoludy import (
    AuctionOpened,
    AuctionWon,
    Bid,
    CardsPlaced,
    EndTurn,
    HandDealt,
    KeepOut,
    Open,
    Place,
    PlayAction,
    ReturnToken,
    SkipOpen,
    StarterDrawn,
    Swap,
    TokenReturned,
    TokenTaken,
    TopRevealed,
    TurnEnded,
    Withdraw,
    Withdrawn,
)
from fairdeal.games.demoludy_cards import ACTION_CARDS, TEN, VALUES, pack, worth
from fairdeal.games.foreign_goods import COLOURS, GOODS
from fairdeal.visibility import Event
from fairdeal_local import Table

SETS: dict[str, dict[str, Any]] = {
    "base": {},
    "points": {"variant_points": True},
    "actions": {"variant_actions": True},
    "both": {"variant_points": True, "variant_actions": True},
    "attacke": {
        "variant_actions": True,
        "starter_hand": 4,
        "ten_limit": "per_player",
        "ten_loss_penalty": True,
        "reveal_hidden_on_discard": True,
        "money_changer_proof": "all",
    },
    "strict": {
        "variant_points": True,
        "variant_actions": True,
        "play_on": True,
        "hidden_any_card": False,
        "last_card_counts_hidden": False,
        "money_changer_proof": "none",
        "points_target": 7,
        "countries_target": 3,
        "hand_size": 7,
    },
}
"""Option sets by name: the four modes, and house rules that change how a game reads."""

_COLOURS = {colour[0]: colour for colour in COLOURS}
_DOLLARS = {"$7": "USD7", "$10": TEN}


def card(text: str) -> str:
    """The id of a card that is written short."""
    if text in ACTION_CARDS:
        return text
    return _DOLLARS.get(text) or f"P-{_COLOURS[text[0]]}-{text[1:]}"


def cards(text: str) -> tuple[str, ...]:
    """`"r2 $7"`: the ids of these cards in this order."""
    return tuple(map(card, text.split()))


def some(text: str) -> dict[str, int]:
    """`"r2 r2 $7"`: how many of each."""
    return dict(Counter(cards(text)))


def token(text: str) -> str:
    """The id of a token that is written short."""
    return f"G-{_COLOURS[text[0]]}-{text[1:]}"


def place(face_up: str = "", hidden: str = "") -> Place:
    return Place(cards(face_up), some(hidden))


def bid(face_up: str = "", hidden: str = "") -> Bid:
    return Bid(cards(face_up), some(hidden))


def opens(colour: str, face_up: str = "", hidden: str = "") -> Open:
    return Open(_COLOURS[colour[0]], cards(face_up), some(hidden))


def script(starter: int, *hands: str, tops: str = "", draws: str = "") -> list[Any]:
    """What the dealer has to give: the starter, the tops of Variant 1, the hands, and what is drawn later."""
    return [starter, *map(token, tops.split()), *(c for hand in hands for c in cards(hand)), *cards(draws)]


def at(
    *hands: str,
    turn: int = 0,
    prize: str = "",
    rows: Mapping[int, str] | None = None,
    out: Iterable[int] = (),
    owned: Mapping[int, str] | None = None,
    unseen: bool = False,
    discarded: str = "",
    actions: bool = True,
) -> tuple[Event, ...]:
    """A position in which the seats hold these hands and `turn` has to move, having played nothing yet.

    With a `prize` there is an auction: the seats have `rows` on the table, the first of them opened it, and
    those of `out` withdrew. `owned` are tokens on cars, `{0: "r5 b1"}`. `unseen` for Variant 1, where each
    stack shows the least token that is left; without it prize and owned tokens have to be the stacks' tops.
    `discarded` cards, or `all` that are left, lie face-up in the discard.
    """
    events: list[Event] = [StarterDrawn(seat=turn)]
    for seat, tokens in (owned or {}).items():
        for own in map(token, tokens.split()):
            events += _won(seat, own, unseen)
            events.append(TokenTaken(seat=seat, token=own))
    if prize and unseen:
        events.append(TopRevealed(token=token(prize)))
    on_table = {seat: _row(text) for seat, text in (rows or {}).items()}
    left = Counter(pack(actions))
    for seat, hand in enumerate(hands):
        face_up, hidden = on_table.get(seat, ((), {}))
        dealt = (*cards(hand), *face_up, *Counter(hidden).elements())
        left.subtract(dealt)
        events.append(HandDealt(seat=seat, count=len(dealt), deck_left=left.total(), cards=dealt))
    if discarded:
        spent = tuple(left.elements()) if discarded == "all" else cards(discarded)
        events += _discarded(spent, left.total() - len(spent))
    if prize:
        events += _auction(token(prize), on_table, out, turn, len(hands))
    if unseen:
        named = {event.token for event in events if isinstance(event, TopRevealed)}
        events += (TopRevealed(token=min(_of(colour) - named)) for colour in COLOURS)
    if not prize:
        events.append(StarterDrawn(seat=turn))
    return tuple(events)


def _of(colour: str) -> set[str]:
    return {own for own, good in GOODS.items() if good.colour == colour}


def _won(seat: int, own: str, unseen: bool) -> Iterator[Event]:
    if unseen:
        yield TopRevealed(token=own)
    yield AuctionOpened(seat=seat, token=own, cards=(), hidden_count=0, total=0, hidden={})
    yield AuctionWon(seat=seat, token=own, cards=(), hidden_count=0, revealed=None)


def _discarded(spent: tuple[str, ...], deck_left: int) -> Iterator[Event]:
    """Deal cards to seat 0 and have it lose them in an auction for a token that goes back."""
    yield HandDealt(seat=0, count=len(spent), deck_left=deck_left, cards=spent)
    bid = worth([card for card in spent if card in VALUES], 0)
    yield AuctionOpened(seat=0, token=token("g5"), cards=spent, hidden_count=0, total=bid, hidden={})
    yield AuctionWon(seat=0, token=token("g5"), cards=spent, hidden_count=0, revealed=None)
    yield TokenReturned(token=token("g5"), seat=None)


def _row(text: str) -> tuple[tuple[str, ...], dict[str, int]]:
    face_up, _, hidden = text.partition("+")
    return cards(face_up), some(hidden)


def _auction(
    prize: str,
    rows: Mapping[int, tuple[tuple[str, ...], dict[str, int]]],
    out: Iterable[int],
    turn: int,
    seats: int,
) -> Iterator[Event]:
    first = True
    for seat, (face_up, hidden) in rows.items():
        count = sum(hidden.values())
        laid = {"seat": seat, "cards": face_up, "hidden_count": count, "total": worth(face_up, count)}
        kind: Any = AuctionOpened if first else CardsPlaced
        yield kind(**laid, hidden=hidden, **({"token": prize} if first else {}))
        first = False
    for seat in out:
        yield Withdrawn(seat=seat, cards=(), hidden_count=0, revealed=None, owes_token=False)
    yield TurnEnded(seat=(turn - 1) % seats)


# Commands, sensible and mad


def candidates(table: Table, random: Random, each: int = 4) -> tuple[Action, ...]:
    """Commands of every kind with random cards and targets, and the offers of all seats slightly changed."""
    seats = len(table.players)
    made: list[Action] = [SkipOpen(), EndTurn(), Withdraw(), KeepOut()]
    made += (kind(colour) for kind in (Swap, ReturnToken) for colour in COLOURS)
    for seat in range(seats):
        hand = list(Counter(table.view(seat).hand.cards).elements())
        for offer in table.view(seat).offers:
            made += (_changed(offer.sample(random), hand, random) for _ in range(each))
        for _ in range(each):
            made += _laid(hand, random)
        held = [card for card in ACTION_CARDS if card in hand] or [random.choice(list(ACTION_CARDS))]
        made += (
            PlayAction(card, _maybe(random, seats), _maybe(random, 4), _maybe(random, 4))
            for card in held
            for _ in range(2 * each)
        )
    return tuple(made)


def _laid(hand: list[str], random: Random) -> Iterator[Action]:
    colour = random.choice(COLOURS)
    fitting = [card for card in hand if card.startswith((f"P-{colour}", "USD"))]
    pool = random.choice((hand, fitting, list(pack(True))))
    up = tuple(random.sample(pool, min(len(pool), random.randint(0, 3))))
    down = random.sample(hand, min(len(hand), random.choice((0, 0, 1, 2, 3))))
    yield Open(colour, up, dict(Counter(down)))
    yield Place(up, dict(Counter(down)))
    yield Bid(up, dict(Counter(down)))


def _maybe(random: Random, n: int) -> int | None:
    return random.choice((None, random.randrange(n), random.randrange(n)))


def _changed(action: Action, hand: list[str], random: Random) -> Action:
    """The action with a card more, less, twice or face-down, or with another target."""
    if isinstance(action, PlayAction):
        field = random.choice(("target_seat", "own_card", "target_card"))
        return _with(action, **{field: random.choice((None, -1, 0, 1, 2, 5))})
    if isinstance(action, Open | Place | Bid):
        spare = random.choice(hand) if hand else TEN
        cards, hidden = action.cards, dict(action.hidden)
        match random.randrange(6):
            case 0:
                return _with(action, cards=(*cards, spare))
            case 1:
                return _with(action, cards=cards[1:])
            case 2:
                return _with(action, cards=cards[::-1] + cards[:1])
            case 3:
                return _with(action, hidden={**hidden, spare: hidden.get(spare, 0) + 1})
            case 4:
                return _with(action, hidden={**hidden, spare: 0})
            case _:
                return _with(action, hidden={})
    return action


def _with(action: Any, **fields: Any) -> Action:
    values = {name: getattr(action, name) for name in action.__struct_fields__}
    changed: Action = type(action)(**{**values, **fields})
    return changed


def goods_value(tokens: Iterable[str]) -> int:
    """What tokens are worth together."""
    return sum(GOODS[own].value for own in tokens)
