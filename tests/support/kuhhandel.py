"""Kuhhandel positions and candidates in a line or two."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from fairdeal.action import Action
from fairdeal.commit import Commit
from fairdeal.games.kuhhandel import (
    AcceptTrade,
    AnimalsTaken,
    AuctionStarted,
    Bid,
    BidMade,
    Call,
    CounterTrade,
    Decide,
    DonkeyPaidOut,
    HeapsTaken,
    MoneyDealt,
    Pass,
    Pay,
    ReofferTrade,
    Species,
    StartAuction,
    StartTrade,
    TradeResolved,
    TradeStarted,
    TurnStarted,
)
from fairdeal.games.kuhhandel_money import WORTH, Heap, minus, size
from fairdeal.view import Offer
from fairdeal.visibility import Event

START: Heap = {"0": 2, "10": 4, "50": 1}

OPTION_SETS: dict[str, dict[str, Any]] = {
    "default": {},
    "strict_round_robin": {"strict_bids": True, "auction_mode": "round_robin", "show_money_counts": True},
    "timer": {"auction_close": "timer", "auction_seconds": 3, "public_payments": "count"},
    "restart": {"overbid_resolution": "restart", "allow_self_raise": True, "public_payments": "cards"},
    "open_hands": {
        "payment_rule": "exact_if_possible",
        "reveal_heaps": "all",
        "zero_cards_return": True,
        "show_money_counts": True,
        "max_trades_after_deck": 12,
    },
    "swap_at_ties": {"tie_money": "swap", "second_tie": "no_transfer", "payment_rule": "any"},
    "no_empty_offers": {"allow_empty_offer": False, "second_tie": "target_free", "bid_step": 1},
    "first_edition": {"preset": "first_edition", "start_rule": "seat_0"},
    "quick_master": {"lot_size": 2, "money_set": "master", "scoring": "sum", "bid_step": 50},
}
"""Option sets by name: together they have every option off its default, but `start_rule: chosen`."""


def at(
    *hands: Mapping[str, int],
    animals: Sequence[Mapping[Species, int]] = (),
    turn: int = 0,
    deck_left: int | None = None,
    dealt: Heap | None = None,
) -> tuple[Event, ...]:
    """The turn of seat `turn`, the seats holding this money and these animals.

    `deck_left` is what is left to auction, by default all other animals. `dealt` is what each seat got at first,
    by default the least that holds every hand; the bank and the ceiling of bids follow from it.
    """
    everything = dealt or {name: n for name in WORTH if (n := max(hand.get(name, 0) for hand in hands))}
    events: list[Event] = [MoneyDealt(cards=everything)]
    for seat, hand in enumerate(hands):
        events += _gone(seat, (seat + 1) % len(hands), minus(everything, hand))
    left = 40
    for seat, owned in enumerate(animals):
        for species, count in owned.items():
            for _ in range(count):
                left -= 1
                lot = (species,)
                shown = left if deck_left is None else max(deck_left, 1)
                events.append(AuctionStarted(auctioneer=seat, lot=lot, deck_left=shown))
                events.append(AnimalsTaken(seat=seat, lot=lot, price=0))
    if deck_left is not None:
        events.append(AuctionStarted(auctioneer=turn, lot=(), deck_left=deck_left))
        events.append(AnimalsTaken(seat=turn, lot=(), price=0))
    events.append(TurnStarted(seat=turn))
    return tuple(events)


def _gone(seat: int, other: int, cards: Heap) -> Iterator[Event]:
    """Cards that leave the game: laid in a trade and never taken up."""
    parties = {"challenger": seat, "target": other}
    yield TradeStarted(**parties, species="cow", stake=0, count=size(cards), cards=cards)
    yield HeapsTaken(**parties, to_challenger={}, to_target={}, counts=None)
    yield TradeResolved(**parties, winner=None, species="cow", animals=0, free=False)


def auction(
    *bids: tuple[int, int], lot: tuple[Species, ...] = ("cow",), auctioneer: int = 0, deck_left: int = 39
) -> tuple[Event, ...]:
    """An auction that is open, with these bids (seat, amount) so far."""
    started = AuctionStarted(auctioneer=auctioneer, lot=lot, deck_left=deck_left)
    return (started, *(BidMade(seat=seat, amount=amount) for seat, amount in bids))


def donkeys(count: int) -> tuple[Event, ...]:
    """So many payouts."""
    pays = ("50", "100", "200", "500")
    return tuple(DonkeyPaidOut(ordinal=n + 1, denomination=pays[n]) for n in range(count))


def heaps(*cards: Mapping[str, int]) -> list[Heap]:
    return [dict(heap) for heap in cards]


HEAPS = heaps(
    {},
    {"0": 1},
    {"0": 2},
    {"10": 1},
    {"10": 3},
    {"10": 4},
    {"10": 5},
    {"20": 1},
    {"50": 1},
    {"50": 1, "10": 1},
    {"50": 1, "10": 4},
    {"10": 3, "0": 1},
    {"50": 1, "10": 0},
    {"100": 1},
    {"200": 1, "100": 1},
    {"500": 1},
    {"10": -1},
    {"7": 1},
    {"7": 0},
    {"": 1},
    {"10 ": 1},
    {"500": 10**30},
)
"""Heaps that a hand may hold, and some that no hand does or that are none."""

CANDIDATES: tuple[Action, ...] = (
    StartAuction(),
    Pass(),
    AcceptTrade(),
    Decide(preempt=True),
    Decide(preempt=False),
    *(
        Bid(amount=amount)
        for amount in (
            -10,
            0,
            1,
            5,
            10,
            20,
            30,
            35,
            40,
            50,
            60,
            90,
            100,
            150,
            270,
            280,
            500,
            940,
            4700,
            10**40,
        )
    ),
    *(Call(step=step) for step in (-1, 0, 1, 2, 3, 4)),
    *(Call(step=step, seen_high=high) for step, high in product((1, 2, 3), (-1, 0, 10, 20, 30, 50))),
    *(Pay(cards=heap) for heap in HEAPS),
    *(CounterTrade(cards=heap) for heap in HEAPS),
    *(ReofferTrade(cards=heap) for heap in HEAPS),
    *(
        StartTrade(target=target, species=species, offer=heap)
        for target, species, heap in product(
            (-1, 0, 1, 2, 4, 5), ("rooster", "donkey", "cow", "horse"), ({}, {"10": 1}, {"500": 3})
        )
    ),
    *(StartTrade(target=1, species="cow", offer=heap) for heap in HEAPS),
)
"""Every action, with values that are right, nearly right and far off."""


def mutated(action: Action, random: Random) -> Action:
    """An accepted action with one thing changed a little."""
    match action:
        case Bid():
            return Bid(amount=action.amount + random.choice((-20, -10, -1, 1, 5, 10)))
        case Call():
            return random.choice((Call(step=action.step + 1), Call(step=action.step, seen_high=7)))
        case Decide():
            return Decide(preempt=not action.preempt)
        case Pay():
            return Pay(cards=_another(action.cards, random))
        case CounterTrade():
            return CounterTrade(cards=_another(action.cards, random))
        case ReofferTrade():
            return ReofferTrade(cards=_another(action.cards, random))
        case StartTrade():
            return random.choice(
                (
                    StartTrade(action.target, action.species, _another(action.offer, random)),
                    StartTrade(random.randrange(-1, 6), action.species, action.offer),
                    StartTrade(action.target, random.choice(("cat", "dog", "pig", "goat")), action.offer),
                )
            )
        case _:
            return action


def _another(cards: Heap, random: Random) -> Heap:
    name = random.choice(tuple(WORTH))
    return {**cards, name: cards.get(name, 0) + random.choice((-1, 1, 1, 2))}


_WEIGHTS = {
    "kuhhandel.bid": 1.5,
    "kuhhandel.start_trade": 1.5,
    "kuhhandel.counter_trade": 2.0,
    "kuhhandel.call": 2.0,
}


def brisk(offer: Offer) -> float:
    """Weigh offers so that auctions see a few bids and trades happen before the deck is empty."""
    return _WEIGHTS.get(str(type(offer).__struct_config__.tag), 1.0)


def events_of(log: Sequence[Commit]) -> Iterator[Any]:
    """All events of a log, in order."""
    return (event for commit in log for event in commit.events)
