"""`bot:steady` for Pan tu nie stał!: puts its cards where they bring a lead that is worth it, and covers who leads.

Each queue is worth what its goods would bring, times how likely the lead is to last until the own next turn; a play
is worth what it adds to that, less the cards it takes.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from fairdeal.action import Action
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    Checked,
    Claim,
    ClaimOffer,
    Draw,
    EndTurn,
    Hand,
    Pick,
    Play,
    PlayFree,
    PlayOffer,
    RefillBazaar,
    StartBazaar,
)
from fairdeal.games.pan_tu_nie_stal_queues import (
    BRAWLER,
    CARDS,
    MOTHER,
    RUNNER,
    VALUES,
    Queue,
    counts,
    lay,
    recount,
)
from fairdeal.games.pan_tu_nie_stal_table import Table
from fairdeal.view import View
from fairdeal_bots.bot import Bot

LASTING: Final = {0: 0.15, 1: 0.5, 2: 0.7, 3: 0.85}
"""How likely a seat is to lead at its next turn, by how far it is ahead now; it seldom comes from behind."""

SAFE: Final = 0.95
BEHIND: Final = 0.05

CARD: Final = 0.45
"""What each point on a card is worth in the hand, in points at the end."""

NEW_CARD: Final = 0.6
"""What drawing a card is worth; with few cards in hand it is worth more."""

FEW: Final = 3

SteadyView = View[Table, Hand]


class Steady:
    """Takes the dearest goods, settles shops before the Bazaar, and plays where that pays most."""

    def choose(self, view: SteadyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        seat = Seat(view)
        match view.phase:
            case "act":
                return _act(view, seat)
            case "bazaar_pick":
                return Pick(max(view.offer(Pick).tokens, key=seat.worth_of))
            case "bazaar_refill":
                bazaar = view.table.queues[-1]
                return RefillBazaar(add=bazaar.totals[seat.number] == max(bazaar.totals))
            case _:
                return _look(view)


def _look(view: SteadyView) -> Action:
    """Shops first: one that is refilled puts a good on the Bazaar."""
    offer: ClaimOffer | None = view.offer(Claim)
    if offer is not None:
        goods = {VALUES[token]: (queue, token) for queue, tokens in offer.queues.items() for token in tokens}
        return Claim(*goods[max(goods)])
    return StartBazaar() if view.offer(StartBazaar) is not None else Checked()


class Seat:
    """What a seat can say of the queues and of its own cards."""

    def __init__(self, view: SteadyView) -> None:
        assert view.seat is not None
        assert view.hand is not None
        self.number = view.seat
        self.table = view.table
        self.hand = view.hand.cards
        options = view.table.options
        self._standing_mothers: bool = options["mother_duration"] == "standing"
        self._absent_counts_zero: bool = options["absent_counts_zero"]
        self._colours = {FOREIGN[token].colour for token in view.table.foreign[view.seat]}

    def worth_of(self, token: str) -> int:
        """What a good would bring this seat: a foreign one of a new colour one point more."""
        good = FOREIGN.get(token)
        return VALUES[token] + (good is not None and good.colour not in self._colours)

    def prospect(self, queue: Queue) -> float:
        """What this seat can expect of a queue as it is."""
        goods = sorted([self.worth_of(token) for token in queue.goods], reverse=True)
        if not goods:
            return 0.0
        own = queue.totals[self.number]
        others = [total for seat, total in enumerate(queue.totals) if seat != self.number]
        ahead = own - max(0, *others)
        lasting = SAFE if ahead > max(LASTING) else LASTING.get(ahead, BEHIND)
        if own < 1:
            return 0.0
        if queue.kind == "shop":
            return lasting * goods[0]
        present = 1 + sum([total > 0 for total in others])
        after = sum([total > own for total in others])
        return lasting * sum(goods[::present]) + (1 - lasting) * sum(goods[max(1, after) :: present])

    def gain(self, number: int, cards: tuple[str, ...], covers: tuple[int, ...]) -> float:
        """What playing these cards into a queue would add, less what they are worth in the hand."""
        before = self.table.queues[number]
        line = [msgspec.structs.replace(standing) for standing in before.line]
        after = msgspec.structs.replace(before, line=line)
        lay(after, self.number, cards, covers, levels=not self._standing_mothers)
        recount(after, self._standing_mothers, self._absent_counts_zero)
        spent = CARD * sum([CARDS[card].value for card in cards])
        return self.prospect(after) - self.prospect(before) - spent

    def targets(self, number: int) -> list[int]:
        """The cards of others in a queue, those first that count most for the seat that has most."""
        queue = self.table.queues[number]
        values = counts(queue.line, self._standing_mothers)
        theirs = [place for place, one in enumerate(queue.line) if values[place] and one.seat != self.number]
        return sorted(theirs, key=lambda place: (-queue.totals[queue.line[place].seat], -values[place]))


def _act(view: SteadyView, seat: Seat) -> Action:
    offer: PlayOffer | None = view.offer(Play)
    draw = view.offer(Draw)
    plays = [(seat.gain(play.queue, play.cards, play.covers), play) for play in _plays(seat, offer)]
    best = max(plays, key=lambda one: one[0], default=None)
    runner = _runner(view, seat)
    if runner is not None:
        return runner
    wanted = NEW_CARD * (1 + max(0, FEW - sum(seat.hand.values())))
    if best is not None and (draw is None or best[0] > wanted):
        return best[1]
    return Draw() if draw is not None else EndTurn()


def _plays(seat: Seat, offer: PlayOffer | None) -> Iterator[Play]:
    """Each kind in each number into each queue; brawlers on the cards that hurt most."""
    if offer is None:
        return
    for number in offer.queues:
        for card, held in offer.cards.items():
            for played in range(1, 2 if card == MOTHER else held + 1):
                covers = tuple(seat.targets(number)[:played]) if card == BRAWLER else ()
                yield Play(number, (card,) * played, covers)


def _runner(view: SteadyView, seat: Seat) -> PlayFree | None:
    """A runner at no cost, where it brings more than it takes."""
    offer = view.offer(PlayFree)
    if offer is None:
        return None
    gains = {number: seat.gain(number, (RUNNER,), ()) for number in offer.queues}
    best = max(gains, key=gains.__getitem__)
    return PlayFree(best) if gains[best] > 0 else None


BOTS: Final[dict[str, Bot]] = {"steady": Steady()}
