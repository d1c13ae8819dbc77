"""Real or Fake positions in a line or two.

Cards are written as counts and series: `"3 rugs 2 wines"`; a series alone is one card of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.games.real_or_fake import (
    Arrange,
    Arranged,
    ArrangeOffer,
    AuctionLapsed,
    AuctionStarted,
    Bid,
    BidOffer,
    Buy,
    Decline,
    HandDealt,
    HouseFilled,
    InsiderTaken,
    Pass,
    PilesLaid,
    Roll,
    Rolled,
    Sort,
    Taxed,
    TurnStarted,
    WentBankrupt,
)
from fairdeal.games.real_or_fake_cards import HOUSE_BOARD, IN_SERIES, SERIES, Cards, Series, Square
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_local import Table

START_MONEY = 150_000

OPTION_SETS: dict[str, dict[str, Any]] = {
    "default": {},
    "redo": {
        "overbid": "redo",
        "no_bid_house": "stay",
        "min_bid": 2000,
        "bid_step": 3000,
        "start_bonus": 4000,
    },
    "strict": {
        "arrange": "one_way",
        "no_bid_house": "discard",
        "bankrupt_insider": "void",
        "insider_deck": "18+49",
        "hide_cash": True,
        "tax_per_card": 6000,
        "start_money": 60_000,
    },
    "to_the_end": {
        "last_living_ends": False,
        "start_money": 20_000,
        "tax_per_card": 5000,
        "overbid": "redo",
        "start_cards": 8,
        "insider_deck": "36+94",
        "insider_placed": 4,
    },
    "small": {
        "board": ["start", "new_acquisition", "insider", "trade", "auction_object", "tax_raid", "auction"],
        "value_table": [0, *(2000 * n for n in range(1, 13))],
        "start_cards": 2,
        "insider_placed": 36,
        "start_money": 40_000,
        "start_bonus": 1000,
    },
}
"""Option sets by name: every option is off its default in one of them."""


def named(text: str) -> tuple[Any, ...]:
    """`"2 rugs art"`: these cards one by one."""
    cards: list[str] = []
    count = 1
    for word in text.split():
        if word.isdigit():
            count = int(word)
        else:
            cards += [word] * count
            count = 1
    return tuple(cards)


def some(text: str) -> Cards:
    """`"2 rugs art"`: how many of each."""
    return dict(Counter(named(text)))


def at(
    *hands: str,
    tables: Mapping[int, str] | None = None,
    cash: Mapping[int, int] | None = None,
    house: str = "",
    turn: int = 0,
    squares: Mapping[int, int] | None = None,
    piles: tuple[int, int] | None = None,
    insiders: Mapping[int, str] | None = None,
    placed: int = 10,
    bankrupt: Iterable[int] = (),
) -> tuple[Event, ...]:
    """A position in which the seats hold these hands and `turn` arranges.

    `tables` are open cards, `cash` what a seat has if that is less than at the start, `squares` where pieces
    stand, `piles` how many new acquisitions and auction objects are left (the others are set aside), `insiders`
    what seats got of the `placed` insider cards, even in number. The `bankrupt` seats' cards all lie open.
    """
    tables = tables or {}
    events: list[Event] = []
    left = Counter(dict.fromkeys(SERIES, IN_SERIES))
    for seat, hand in enumerate(hands):
        dealt = (*named(hand), *named(tables.get(seat, "")))
        left.subtract(dealt)
        events.append(HandDealt(seat=seat, count=len(dealt), cards=dealt))
    left.subtract(named(house))
    assert min(left.values()) >= 0, "there are not so many cards"
    rest = left.total()
    new_acquisitions, auction_objects = piles or (rest - rest // 2, rest // 2)
    events += _discarded(tuple(left.elements()), rest - new_acquisitions - auction_objects)
    if house:
        events.append(HouseFilled(seat=0, cards=named(house), set_aside=None, pile_left=0))
    events.append(
        PilesLaid(
            new_acquisitions=new_acquisitions, auction_objects=auction_objects, insiders=placed, put_away=26
        )
    )
    for seat, cards in (insiders or {}).items():
        taken = named(cards)
        placed -= len(taken)
        events.append(InsiderTaken(seat=seat, count=len(taken), price=0, pile_left=placed, cards=taken))
    for seat, amount in (cash or {}).items():
        events.append(Taxed(seat=seat, count=0, amount=START_MONEY - amount))
    for seat, square in (squares or {}).items():
        events.append(Rolled(seat=seat, dice=(1, 1), position=square, square=HOUSE_BOARD[square]))
    events.append(TurnStarted(seat=turn, number=1))
    for seat, cards in tables.items():
        in_hand = len(named(hands[seat]))
        events.append(Arranged(seat=seat, to_table=some(cards), to_hand={}, in_hand=in_hand))
    for seat in bankrupt:
        money = (cash or {}).get(seat, START_MONEY)
        events.append(WentBankrupt(seat=seat, tax=None, cash=money, cards=some(hands[seat])))
    return tuple(events)


def _discarded(rest: tuple[Series, ...], count: int) -> Iterator[Event]:
    """Set aside so many cards of the rest, taking turns among the series as far as they go."""
    if not count:
        return
    by_turns = sorted(range(len(rest)), key=lambda place: place - rest.index(rest[place]))
    cards = tuple(rest[place] for place in by_turns[:count])
    yield HouseFilled(seat=0, cards=cards, set_aside=None, pile_left=0)
    yield AuctionStarted(kind="house", starter=0, count=count)
    yield AuctionLapsed(discarded=True)


def before(square: Square, steps: int = 2) -> int:
    """A place on the house's board from which so many steps lead to such a square, without passing the start."""
    return HOUSE_BOARD.index(square, steps) - steps


def events_of(log: Iterable[Commit]) -> Iterator[Event]:
    """All events of a log in order."""
    return (event for commit in log for event in commit.events)


# Commands, sensible and mad


def brisk(offer: Offer) -> float:
    """Weigh offers so that turns go on, and auctions are bid for."""
    return {ArrangeOffer: 0.5, BidOffer: 2.0}.get(type(offer), 1.0)


AMOUNTS = (-1000, 0, 1, 999, 1000, 1500, 2000, 3000, 10_000, 60_000, 149_000, 150_000, 151_000, 10**9)


def candidates(table: Table, random: Random, each: int = 3) -> tuple[Action, ...]:
    """Commands of every kind with random cards, seats and amounts, and what is offered slightly changed."""
    made: list[Action] = [Roll(), Decline(), Pass(), Sort(), Arrange()]
    made += (Bid(amount) for amount in AMOUNTS)
    made += (Buy(seat, random.choice(SERIES)) for seat in range(-1, len(table.players) + 1))
    for seat in range(len(table.players)):
        own = table.view(seat)
        held = [own.hand.cards, own.hand.new, own.table.open_cards[seat]]
        for _ in range(each):
            made.append(Sort(_some_of(random.choice(held), random)))
            made.append(Arrange(_some_of(random.choice(held), random), _some_of(random.choice(held), random)))
        made += (Buy(seat, series) for series in own.table.open_cards[seat])
        for offer in own.offers:
            made += (_changed(offer.sample(random), random) for _ in range(each))
    if table.view().table.auction is not None and table.view().table.auction.high is not None:
        high = table.view().table.auction.high.amount
        made += (Bid(high + change) for change in (-1000, -1, 0, 1, 1000, 2000, 3000, 4000))
    return tuple(made)


def _some_of(cards: Cards, random: Random) -> Cards:
    """Some of these cards, now and then one too many."""
    taken = {series: random.randint(0, count + (random.random() < 0.1)) for series, count in cards.items()}
    return {series: count for series, count in taken.items() if count}


def _changed(action: Action, random: Random) -> Action:
    """The action with a card more or less, or another seat, series or amount."""
    match action:
        case Bid():
            return Bid(action.amount + random.choice((-1000, -1, 1, 500, 1000)))
        case Buy():
            return random.choice(
                (Buy(action.seat + 1, action.series), Buy(action.seat, random.choice(SERIES)))
            )
        case Sort():
            return Sort(_one_off(action.to_table, random))
        case Arrange():
            if random.random() < 0.5:
                return Arrange(_one_off(action.to_table, random), action.to_hand)
            return Arrange(action.to_table, _one_off(action.to_hand, random))
        case _:
            return action


def _one_off(cards: Cards, random: Random) -> Cards:
    series = random.choice(SERIES)
    return {**cards, series: cards.get(series, 0) + random.choice((-1, 1))}
