"""Pan tu nie stał! positions in a line or two.

Cards are written by a letter: `r`egular, `p`ushy, `v`eteran, `c`olleagues, `m`other, `f`ree (a runner), `b`rawler. A
queue is `"0v 1r 0b>1"`: the seat, the card, and after `>` the position it covers. Foreign tokens are `r5`, a red 5.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from fairdeal.action import Action
from fairdeal.games.foreign_goods import COLOURS
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    BazaarStarted,
    CardsPlayed,
    Checked,
    Claim,
    ClaimMade,
    Draw,
    EndTurn,
    GoodPicked,
    GoodsPlaced,
    HandDealt,
    LineCleared,
    PairRemoved,
    Pick,
    Play,
    PlayFree,
    QueuesChecked,
    RefillBazaar,
    ShopSettled,
    StartBazaar,
    StarterDrawn,
    TurnStarted,
)
from fairdeal.games.pan_tu_nie_stal_queues import CARDS, GOODS, QUEUES, Holding, pack
from fairdeal.visibility import Event
from fairdeal_local import Table

SETS: dict[str, dict[str, Any]] = {
    "bazaar": {},
    "base": {"expansion_bazaar": False},
    "by_choice": {
        "optional_claim": True,
        "bazaar_refill": "settling_seat_decides",
        "show_won": False,
        "runner_limit": 1,
    },
    "lone": {"absent_counts_zero": False, "mother_duration": "on_play", "pair_rule_two_players": False},
    "short_end": {
        "final_check": False,
        "claims_count_at_end": False,
        "deck_size": 21,
        "specials": [2, 1, 3, 3],
    },
}
"""Option sets by name: with and without the Bazaar, and house rules that change how a game is played."""

CARD = {
    "f": "runner",
    **{card[0]: card for card in CARDS if card not in ("runner", "regular")},
    "r": "regular",
}
_COLOURS = {colour[0]: colour for colour in COLOURS}


def cards(text: str) -> tuple[str, ...]:
    """`"rrv"`: the ids of these cards."""
    return tuple(CARD[letter] for letter in text)


def token(text: str) -> str:
    """The id of a token: `r5` is Demoludy's red 5, `T01` is itself."""
    return text if text in GOODS else f"G-{_COLOURS[text[0]]}-{text[1:]}"


def tokens(text: str) -> tuple[str, ...]:
    return tuple(map(token, text.split()))


def worth(value: int, nth: int = 0) -> str:
    """The id of the nth token of the shops with this value."""
    return [good.id for good in GOODS.values() if good.value == value][nth]


def play(queue: int, text: str, *covers: int) -> Play:
    return Play(queue, cards(text), covers)


def at(
    *hands: str,
    goods: Sequence[str],
    lines: Mapping[int, str] | None = None,
    claims: Mapping[int, tuple[int, str]] | None = None,
    won: Mapping[int, str] | None = None,
    foreign: Mapping[int, str] | None = None,
    turn: int = 0,
    act: bool = False,
    spent: Iterable[int] = (),
    dry: bool = False,
) -> tuple[Event, ...]:
    """A position at the start of a turn of `turn`, or with `act` after its look at the queues.

    The seats hold `hands`; each queue has `goods` (`"T01 T30"`) and its line of `lines`. Of a shop with a claim
    `goods` has the other good. `won` and `foreign` are what seats have got so far. The decks of `spent` are empty,
    their cards in the box; `dry`: so is the stack of the shops' goods, whose tokens are out of the game.
    """
    lines, claims = lines or {}, claims or {}
    events: list[Event] = []
    if won:
        events += _won(won)
    if foreign:
        events += _picked(len(goods) - 1, foreign)
    for queue, text in enumerate(goods):
        placed = (*((claims[queue][1],) if queue in claims else ()), *tokens(text))
        if placed:
            events.append(GoodsPlaced(queue=queue, tokens=placed))
    if dry:
        shown = {named for event in events if isinstance(event, GoodsPlaced) for named in event.tokens}
        events.append(PairRemoved(tokens=tuple(one for one in GOODS if one not in shown)))
    events += _dealt(hands, lines, spent)
    for queue, text in lines.items():
        events += _queued(queue, text)
    events += (ClaimMade(seat=seat, queue=queue, token=own) for queue, (seat, own) in claims.items())
    events += (StarterDrawn(seat=turn), TurnStarted(seat=turn, turn=1))
    return (*events, QueuesChecked(seat=turn)) if act else tuple(events)


def _won(won: Mapping[int, str]) -> Iterator[Event]:
    awards = tuple(Holding(seat, one) for seat, text in won.items() for one in tokens(text))
    yield GoodsPlaced(queue=0, tokens=tuple(award.token for award in awards))
    yield ShopSettled(seat=0, queue=0, awards=awards)
    yield LineCleared(queue=0)


def _picked(bazaar: int, foreign: Mapping[int, str]) -> Iterator[Event]:
    for seat, text in foreign.items():
        yield GoodsPlaced(queue=bazaar, tokens=tokens(text))
        yield BazaarStarted(seat=seat, queue=bazaar, order=(seat,), totals=(1,))
        yield from (GoodPicked(seat=seat, token=one) for one in tokens(text))
        yield LineCleared(queue=bazaar)


def _dealt(hands: Sequence[str], lines: Mapping[int, str], spent: Iterable[int]) -> Iterator[Event]:
    """Deal each seat what it holds and what it has in the queues; clear away the rest of spent decks."""
    queued = [entry for text in lines.values() for entry in text.split()]
    for seat, hand in enumerate(hands):
        held = (*cards(hand), *(CARD[entry[1]] for entry in queued if int(entry[0]) == seat))
        left = Counter(pack(20, (3, 2, 2, 2))) - Counter(held)
        if seat in tuple(spent):
            yield HandDealt(seat=seat, count=left.total(), deck_left=len(held), cards=tuple(left.elements()))
            for card, copies in left.items():
                yield CardsPlayed(seat=seat, queue=0, cards=(card,) * copies, covers=(), free=True)
            yield LineCleared(queue=0)
            left = Counter()
        yield HandDealt(seat=seat, count=len(held), deck_left=left.total(), cards=held)


def _queued(queue: int, text: str) -> Iterator[Event]:
    for entry in text.split():
        card, _, covered = entry[1:].partition(">")
        covers = (int(covered),) if covered else ()
        yield CardsPlayed(seat=int(entry[0]), queue=queue, cards=cards(card), covers=covers, free=True)


def script(
    seats: int, *hands: str, goods: Sequence[str], starter: int = 0, later: Iterable[Any] = ()
) -> list[Any]:
    """What the dealer has to give: the goods of each queue, the hands, the first seat, and what is drawn later."""
    assert len(goods) >= QUEUES[seats]  # more with pairs that are removed
    dealt = [card for hand in hands for card in cards(hand)]
    return [*(one for text in goods for one in tokens(text)), *dealt, starter, *later]


# Commands, sensible and mad


def candidates(table: Table, random: Random) -> tuple[Action, ...]:
    """Commands of every kind with random queues, cards and tokens, and the offers of all seats slightly changed."""
    shown = table.view().table
    made: list[Action] = [
        StartBazaar(),
        Checked(),
        Draw(),
        EndTurn(),
        RefillBazaar(True),
        RefillBazaar(False),
    ]
    for number, queue in enumerate(shown.queues):
        made += (Claim(number, one) for one in queue.goods)
        made += (PlayFree(number), PlayFree(number, "regular"))
        made += (Pick(one) for one in queue.goods)
        made += (_any_play(number, len(queue.line), random) for _ in range(6))
    made += (Claim(0, "T99"), Claim(9, "T01"), Pick("G-red-9"), PlayFree(7), Play(5, ("regular",)))
    made += (Claim(random.randrange(4), random.choice((*GOODS, *FOREIGN))) for _ in range(3))
    for seat in range(len(table.players)):
        for offer in table.view(seat).offers:
            made += (_changed(offer.sample(random), random) for _ in range(6))
    return tuple(made)


def _any_play(number: int, line: int, random: Random) -> Play:
    kinds = random.choices(tuple(CARDS), k=random.choice((1, 1, 1, 2)))
    played = (kinds[0],) * random.choice((0, 1, 1, 2, 3)) if len(kinds) == 1 else tuple(kinds)
    covers = [random.randrange(line + 2) for _ in range(random.choice((0, 0, 1, 2)))]
    return Play(number, played, tuple(covers))


def _changed(action: Action, random: Random) -> Action:
    """The action with a card more, less or another one, other covers, or in another queue."""
    if not isinstance(action, Play):
        return action
    cards, covers = action.cards, action.covers
    other = random.choice(tuple(CARDS))
    changes: tuple[dict[str, Any], ...] = (
        {"cards": (*cards, cards[0])},
        {"cards": (*cards, other)},
        {"cards": cards[1:]},
        {"cards": (other,) * len(cards)},
        {"covers": (*covers, random.randrange(6))},
        {"covers": covers[1:]},
        {"covers": covers + covers[:1]},
        {"queue": random.randrange(5)},
    )
    return msgspec.structs.replace(action, **random.choice(changes))
