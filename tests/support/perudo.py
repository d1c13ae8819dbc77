"""Perudo positions in a line or two."""

from collections.abc import Iterable, Sequence

from fairdeal.action import Action
from fairdeal.games.perudo import (
    FACES,
    Bid,
    BidOffer,
    BidPlaced,
    Calza,
    CalzaOffer,
    Declare,
    DiceRevealed,
    DieLost,
    Dudo,
    DudoCalled,
    Kind,
    PlayerEliminated,
    RoundStarted,
)
from fairdeal.view import Offer
from fairdeal.visibility import Event

ALL_BIDS = tuple(Bid(quantity=quantity, face=face) for quantity in range(1, 31) for face in FACES)
CANDIDATES: tuple[Action, ...] = (
    *ALL_BIDS,
    *(Bid(quantity=q, face=f) for q, f in ((0, 5), (-1, 2), (31, 2), (31, 1), (61, 6), (3, 0), (3, 7))),
    Dudo(),
    Calza(),
    Declare(palafico=True),
    Declare(palafico=False),
)
"""Every bid of the box's 30 dice, some beyond, and every other action."""


def bid(text: str) -> Bid:
    """`"7x4"`: seven fours."""
    quantity, _, face = text.partition("x")
    return Bid(quantity=int(quantity), face=int(face))


def at(
    *hands: Sequence[int],
    bids: Iterable[str | tuple[int, str]] = (),
    kind: Kind = "standard",
    starter: int = 0,
    done: Iterable[int] = (),
    full: int = 5,
) -> tuple[Event, ...]:
    """A round in which the seats hold these hands, empty for an eliminated seat.

    `bids` follow one another from the starter on, or name their seats; `done` are seats that had their
    Palafico round before; `full` is `dice_per_player`.
    """
    everything = tuple((1,) * full for _ in hands)
    dice = tuple(map(tuple, hands))
    events: list[Event] = [
        RoundStarted(round=1, kind="standard", starter=0, dice=everything),
        BidPlaced(seat=0, quantity=1, face=2),
        DudoCalled(seat=1),
        DiceRevealed(hands=everything, count=full * len(hands)),
    ]
    for seat, hand in enumerate(hands):
        if len(hand) < full:
            events.append(DieLost(seat=seat, lost=full - len(hand), left=len(hand)))
    out = [seat for seat, hand in enumerate(hands) if not hand]
    events += (PlayerEliminated(seat=seat, place=len(hands) - n) for n, seat in enumerate(out))
    events += (RoundStarted(round=2, kind="palafico", starter=seat, dice=dice) for seat in done)
    events.append(RoundStarted(round=9, kind=kind, starter=starter, dice=dice))
    seat = starter
    for placed in bids:
        if not isinstance(placed, str):
            seat, placed = placed
        spoken = bid(placed)
        events.append(BidPlaced(seat=seat, quantity=spoken.quantity, face=spoken.face))
        seat = next(s % len(hands) for s in range(seat + 1, seat + 7) if hands[s % len(hands)])
    return tuple(events)


def round_10(kind: Kind, starter: int) -> RoundStarted:
    """The round that follows one of `at`, as the table sees it."""
    return RoundStarted(round=10, kind=kind, starter=starter, dice=None)


def talkative(offer: Offer) -> float:
    """Weigh offers so that rounds have several bids before somebody calls."""
    return {BidOffer: 4.0, CalzaOffer: 0.3}.get(type(offer), 1.0)
