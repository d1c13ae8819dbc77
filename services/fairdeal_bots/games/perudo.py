"""`bot:odds` for Perudo: bids, doubts and calls by binomial odds, given the dice under its own cup.

Everything is measured on one scale: the chance not to lose a die by this choice.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import comb
from random import Random
from typing import Final

from fairdeal.action import Action
from fairdeal.games.perudo import ACE, FACES, Bid, Calza, Declare, Dudo, Hand, Table
from fairdeal.view import View
from fairdeal_bots.bot import Bot

CALZA_ODDS: Final = 0.55
"""From this chance to be exactly right on a bid is called, out of turn: a wrong call costs a die."""

NEAR: Final = 0.02
"""Bids whose odds differ by less are equally good: which of them is made should tell nothing."""

HOPELESS: Final = 0.05
"""Below this chance to be right no higher bid of the same face is looked at."""


class Odds:
    """Doubts when no bid is better, and bids what the next seat will find hard to judge."""

    def choose(self, view: View[Table, Hand], random: Random) -> Action | None:
        if view.offer(Declare) is not None:
            # Who opens a Palafico round chooses the face, and nobody's aces help the others.
            return Declare(palafico=True)
        known = Known(view)
        if view.seat not in view.to_act:
            return Calza() if self._calls_out_of_turn(view, known) else None
        options = list(_choices(view, known))
        best = max(odds for odds, _ in options)
        return random.choice([action for odds, action in options if odds >= best - NEAR])

    def _calls_out_of_turn(self, view: View[Table, Hand], known: "Known") -> bool:
        bid = view.table.bid
        if bid is None or view.offer(Calza) is None:
            return False
        options = view.table.options
        gains = (
            len(known.dice) < options["dice_per_player"] or options["calza_success_effect"] != "caller_gains"
        )
        return gains and known.exactly(bid.quantity, bid.face) >= CALZA_ODDS


def _choices(view: View[Table, Hand], known: "Known") -> Iterator[tuple[float, Action]]:
    """(chance not to lose a die, action) for all that may be done in turn."""
    bid = view.table.bid
    if bid is not None:
        if view.offer(Dudo) is not None:
            yield 1 - known.holds(bid.quantity, bid.face), Dudo()
        if view.offer(Calza) is not None:
            yield known.exactly(bid.quantity, bid.face), Calza()
    offer = view.offer(Bid)
    if offer is None:
        return
    for face, (lowest, highest) in offer.quantities.items():
        # Above the dice in play every bid is as false as the first that is.
        for quantity in range(lowest, max(lowest, min(highest, known.total)) + 1):
            holds = known.holds(quantity, face)
            doubted = 1 - known.holds_for_others(quantity, face)
            # A bid that nobody doubts goes round: each seat is as likely to lose the die in the end.
            yield doubted * holds + (1 - doubted) * (1 - 1 / known.seats), Bid(quantity=quantity, face=face)
            if holds < HOPELESS:
                break


class Known:
    """What a seat can say of a claim about all dice."""

    def __init__(self, view: View[Table, Hand]) -> None:
        table = view.table
        assert view.hand is not None
        counts = table.dice if table.dice is not None else counts_from_reveals(table)
        self.dice = view.hand.dice
        self.total = sum(counts)
        self.unseen = max(0, self.total - len(self.dice))
        self.seats = max(2, sum(count > 0 for count in counts))
        self._wild = table.kind == "standard"
        self._mine = {
            face: sum(die == face or (self._wild and die == ACE) for die in self.dice) for face in FACES
        }
        # A bid that is exactly right counts as true, unless the table agreed otherwise.
        self._more = 1 if table.options["exact_dudo_loser"] == "bidder" else 0

    def _sides(self, face: int) -> int:
        """One die in how many shows the face, or an ace where aces are jokers."""
        return 3 if self._wild and face != ACE else 6

    def holds(self, quantity: int, face: int) -> float:
        """The chance that a doubt of this bid is wrong."""
        return at_least(quantity + self._more - self._mine[face], self.unseen, self._sides(face))

    def holds_for_others(self, quantity: int, face: int) -> float:
        """The same for who has not seen these dice."""
        return at_least(quantity + self._more, self.total, self._sides(face))

    def exactly(self, quantity: int, face: int) -> float:
        """The chance that exactly so many dice fulfil the bid."""
        need = quantity - self._mine[face]
        sides = self._sides(face)
        return at_least(need, self.unseen, sides) - at_least(need + 1, self.unseen, sides)


def counts_from_reveals(table: Table) -> list[int]:
    """How many dice each seat has where counts are hidden: what the last reveal showed and what came of it."""
    if table.last_reveal is None:
        each: int = table.options["dice_per_player"]
        counts = [each] * len(table.players)
    else:
        changes = table.last_reveal.changes
        counts = [len(hand) + changes.get(seat, 0) for seat, hand in enumerate(table.last_reveal.hands)]
    return [0 if seat in table.eliminated else count for seat, count in enumerate(counts)]


@lru_cache(maxsize=65536)
def at_least(need: int, dice: int, sides: int) -> float:
    """The chance that at least `need` of so many dice show one outcome in `sides`."""
    if need <= 0:
        return 1.0
    ways = sum(comb(dice, hits) * (sides - 1) ** (dice - hits) for hits in range(need, dice + 1))
    return float(ways / sides**dice)


BOTS: Final[dict[str, Bot]] = {"odds": Odds()}
