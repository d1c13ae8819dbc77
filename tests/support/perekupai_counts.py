"""How often each card and effect of Perekupai comes up: `python tests/support/perekupai_counts.py 1000` prints a table.

Seats of seeded games play by chance, on the rules and the projection's offers alone: nothing is encoded or stored.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec

from fairdeal.action import Action
from fairdeal.dealer import Seeded
from fairdeal.games.perekupai import (
    AcquisitionCancelled,
    AcquisitionPlayed,
    AskMoneyOffer,
    CardsDrawn,
    CardStolen,
    DealerDrawn,
    EffectApplied,
    ScamPlayed,
)
from fairdeal.games.perekupai_deck import DECKS, HOUSE
from fairdeal.games.perekupai_effects import Effect
from fairdeal.games.perekupai_legal import waiting
from fairdeal.games.perekupai_table import Hand, HeldCard
from fairdeal.visibility import Event
from fairdeal_rules.games.perekupai import Rules
from fairdeal_rules.games.perekupai_state import State
from fairdeal_views.games.perekupai import Seen

MOST_MOVES = 10_000
"""No game by chance has come near to it."""


class Counts:
    """What came up. Cards by kind, effects by `op`."""

    def __init__(self) -> None:
        self.drawn: Counter[str] = Counter()
        self.acquisitions: Counter[str] = Counter()
        self.scams: Counter[str] = Counter()
        self.stolen: Counter[str] = Counter()
        self.cancelled: Counter[str] = Counter()
        self.dealers: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        """One-time effects carried out, standing ones that came into play."""
        self.in_vain: Counter[str] = Counter()
        """One-time effects that did nothing: the target was gone."""
        self.games = self.moves = self.last_car = 0
        self._kinds: dict[str, str] = {}

    def see(self, event: Event) -> None:
        match event:
            case CardsDrawn():
                self.drawn.update(event.drawn or ())
            case CardStolen():
                self.stolen[str(event.drawn)] += 1
            case AcquisitionPlayed():
                self.acquisitions[event.kind] += 1
                self._kinds[event.played] = event.kind
            case AcquisitionCancelled():
                self.cancelled[self._kinds[event.played]] += 1
            case EffectApplied():
                (self.effects if event.done else self.in_vain)[event.op] += 1
            case ScamPlayed(mod=mod, permanent=permanent):
                self.scams[mod.kind if mod else permanent.kind if permanent else ""] += 1
            case DealerDrawn():
                self.dealers[event.dealer.id] += 1
                self.effects.update(map(_op, event.dealer.effects))
            case _:
                pass


def _op(effect: Effect) -> str:
    return str(effect.__struct_config__.tag)


def count(games: int) -> Counts:
    """Play so many games of two to six seats by chance."""
    counts, scams = Counts(), {card.id: card.scam for card in DECKS.named(HOUSE).card}
    for seed in range(games):
        _play(seed, counts)
    for kind, played in counts.scams.items():
        for effect in scams[kind].effects:
            counts.effects[_op(effect)] += played
    return counts


def _play(seed: int, counts: Counts) -> None:
    rules, seen, seats, random = Rules(), Seen(), 2 + seed % 5, Random(seed)
    options = rules.resolve_options({}, seats)
    state, dealer = rules.open(options, seats), Seeded(seed.to_bytes(32, "big"))
    state.table.options = msgspec.to_builtins(options)

    def emit(event: Event) -> None:
        rules.evolve(state, event)
        counts.see(event)

    rules.begin(state, dealer, emit)
    for _ in range(MOST_MOVES):
        seat, _ = waiting(state.table, options)
        if seat is None:
            break
        rules.decide(state, seat, _by_chance(seen, state, seat, random), dealer, emit)
        counts.moves += 1
    assert state.table.scores is not None, f"game {seed} did not end in {MOST_MOVES} moves"
    counts.games += 1
    counts.last_car += state.table.trigger is not None and state.table.trigger.reason == "last_car"


def _by_chance(seen: Seen, state: State, seat: int, random: Random) -> Action:
    """A move out of the offers that the seat's view would have."""
    cards = [HeldCard(id, state.printed.cards[kind]) for id, kind in state.hands[seat].items()]
    own = {known.id: known for car in state.table.cars[seat] for known in state.hidden(car)}
    offers = seen.offers(state.table, Hand(cards=cards, surprises=own), seat)
    return random.choice([offer for offer in offers if not isinstance(offer, AskMoneyOffer)]).sample(random)


def lines(counts: Counts) -> Iterator[str]:
    """The table as text."""
    yield f"{counts.games} games, {counts.moves} moves, {counts.last_car} ended by the last car"
    yield ""
    yield f"{'card':5}{'acquisition':24}{'scam':26}{'drawn':>7}{'acq.':>7}{'scam':>7}{'stolen':>8}{'cancelled':>11}"
    for card in DECKS.named(HOUSE).card:
        id = card.id
        yield (
            f"{id:5}{card.acquisition.name:24}{card.scam.name:26}{counts.drawn[id]:7}{counts.acquisitions[id]:7}"
            f"{counts.scams[id]:7}{counts.stolen[id]:8}{counts.cancelled[id]:11}"
        )
    yield ""
    yield f"{'effect':26}{'done':>7}{'in vain':>9}"
    for op, done in sorted(counts.effects.items()):
        yield f"{op:26}{done:7}{counts.in_vain[op]:9}"


if __name__ == "__main__":
    print("\n".join(lines(count(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))))
