"""A second reading of pan_tu_nie_stal.md, as naive as can be: what a game has come to, from its moves and draws alone.

Nothing is kept that can be reckoned: every total is counted from the cards on the table when it is asked for.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fairdeal.game import Resign
from fairdeal.games.pan_tu_nie_stal import (
    Checked,
    Claim,
    Draw,
    EndTurn,
    Options,
    Pick,
    Play,
    PlayFree,
    RefillBazaar,
    StartBazaar,
)

POINTS = {"regular": 1, "pushy": 2, "veteran": 3, "runner": 2, "mother": 1, "brawler": 1}
TOKENS = [1] * 2 + [2] * 6 + [3] * 7 + [4] * 7 + [5] * 8 + [7] * 4 + [8] * 2
"""The value of `T01`, `T02` …"""


def value(token: str) -> int:
    return int(token[-1]) if token.startswith("G") else TOKENS[int(token[1:]) - 1]


class Place:
    """A queue."""

    def __init__(self) -> None:
        self.goods: list[str] = []
        self.cards: list[list[Any]] = []
        """Seat, kind, whether it is covered, whether it was levelled for good."""
        self.claim: tuple[int, str] | None = None


class Model:
    """A game, moved on by `play`."""

    def __init__(self, options: Options, seats: int, draws: Iterator[Any]) -> None:
        self.options = options
        self.draws = draws
        self.left = 36
        self.foreign_left = 25 if options.expansion_bazaar else 0
        self.places = [Place() for _ in range({2: 2, 3: 3, 4: 4, 5: 4}[seats])]
        self.shops = self.places[: len(self.places) - options.expansion_bazaar]
        self.hands: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.decks: list[int] = [options.deck_size] * seats
        self.won: list[list[str]] = [[] for _ in range(seats)]
        self.box: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.gone: dict[int, int] = {}
        self.used: set[int] = set()
        self.picks: list[int] = []
        self.asked = False
        self.out_first: int | None = None
        self.last: list[int] = []
        self.final: list[int] | None = None
        self.scores: list[int] | None = None
        for shop in self.shops:
            self.fill(shop)
        self.add_foreign()
        for seat in range(seats):
            for _ in range(5):
                self.draw(seat)
        self.turn = next(draws)
        self.turns = 1
        self.phase = "check"
        self.actions = 2

    # Drawing

    def fill(self, shop: Place) -> bool:
        while self.left:
            pair = [next(self.draws), next(self.draws)]
            self.left -= 2
            two = len(self.hands) == 2 and self.options.pair_rule_two_players
            if not two or value(pair[0]) != value(pair[1]):
                shop.goods = pair
                return True
        return False

    def add_foreign(self) -> None:
        if self.foreign_left:
            self.places[-1].goods.append(next(self.draws))
            self.foreign_left -= 1

    def draw(self, seat: int) -> None:
        self.hands[seat][next(self.draws)] += 1
        self.decks[seat] -= 1

    # Reckoning

    def seats(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.gone]

    def cards_of(self, place: Place, seat: int) -> int:
        """What a seat's uncovered cards count, without its claim."""
        bare = [card for card in place.cards if not card[2]]
        mothers = self.options.mother_duration == "standing" and any(
            kind == "mother" for _, kind, _, _ in bare
        )
        total = friends = 0
        for owner, kind, _, levelled in bare:
            if owner != seat:
                continue
            friends += kind == "colleagues"
            total += 1 if mothers or levelled else friends if kind == "colleagues" else POINTS[kind]
        return total

    def total(self, place: Place, seat: int) -> int:
        claim = place.claim
        return self.cards_of(place, seat) - (value(claim[1]) if claim and claim[0] == seat else 0)

    def advantage(self, place: Place, seat: int) -> bool:
        others = [other for other in range(len(self.hands)) if other != seat]
        if self.options.absent_counts_zero:
            rivals = [self.total(place, other) for other in others]
            return self.total(place, seat) > max(0, *rivals)
        here = [self.total(place, other) for other in others if self.cards_of(place, other)]
        return self.cards_of(place, seat) > 0 and all(self.total(place, seat) > rival for rival in here)

    # Moves

    def play(self, seat: int, action: Any, draws: Iterator[Any]) -> None:
        self.draws = draws
        match action:
            case Claim(queue=queue, token=token):
                self.claim(seat, queue, token)
            case StartBazaar():
                self.used.add(len(self.places) - 1)
                bazaar = self.places[-1]
                seats = len(self.hands)
                rest = [other for other in self.seats() if other != seat and self.total(bazaar, other) > 0]
                rest.sort(key=lambda other: (-self.total(bazaar, other), (other - seat) % seats))
                self.picks = [seat, *rest]
            case Pick(token=token):
                self.places[-1].goods.remove(token)
                self.won[seat].append(token)
                self.picks = [*self.picks[1:], seat]
                if not self.places[-1].goods:
                    self.picked()
            case RefillBazaar(add=add):
                self.asked = False
                if add:
                    self.add_foreign()
            case Checked():
                self.phase = "act"
                if self.final is not None:
                    self.next_turn()
            case Draw():
                self.draw(seat)
                self.actions -= 1
            case Play(queue=queue, cards=cards, covers=covers):
                self.actions -= 1
                self.lay(seat, queue, cards, covers)
            case PlayFree(queue=queue):
                self.lay(seat, queue, ("runner",), ())
            case EndTurn():
                self.next_turn()
            case Resign():
                self.resign(seat)

    def claim(self, seat: int, queue: int, token: str) -> None:
        place = self.places[queue]
        self.used.add(queue)
        place.goods.remove(token)
        if place.claim is None:
            place.claim = (seat, token)
            return
        self.won[place.claim[0]].append(place.claim[1])
        self.won[seat].append(token)
        place.claim = None
        self.clear(place)
        if self.fill(place):
            if self.options.bazaar_refill == "automatic":
                self.add_foreign()
            else:
                self.asked = self.foreign_left > 0
        elif not any(shop.goods for shop in self.shops):
            self.end()

    def clear(self, place: Place) -> None:
        for owner, kind, _, _ in place.cards:
            self.box[owner][kind] += 1
        place.cards = []

    def picked(self) -> None:
        self.clear(self.places[-1])
        self.add_foreign()
        self.picks = []
        if self.turn in self.gone:
            self.next_turn()

    def lay(self, seat: int, queue: int, cards: tuple[str, ...], covers: tuple[int, ...]) -> None:
        place = self.places[queue]
        for position in covers:
            place.cards[position][2] = True
        for kind in cards:
            self.hands[seat][kind] -= 1
            place.cards.append([seat, kind, False, False])
        if "mother" in cards and self.options.mother_duration == "on_play":
            for card in place.cards:
                card[3] = card[3] or not card[2]
        if self.out_first is None and not self.hands[seat].total() and not self.decks[seat]:
            self.out_first = seat
            self.last = [(seat + step) % len(self.hands) for step in range(1, len(self.hands))]

    def next_turn(self) -> None:
        self.used = set()
        self.asked = False
        ring = [(self.turn + step) % len(self.hands) for step in range(1, len(self.hands) + 1)]
        following = next(seat for seat in ring if seat not in self.gone)
        if self.out_first is not None:
            self.last = [seat for seat in self.last if seat not in self.gone]
            if not self.last:
                self.next_final()
                return
            following = self.last.pop(0)
        self.turn, self.phase, self.actions = following, "check", 2
        self.turns += 1

    def next_final(self) -> None:
        assert self.out_first is not None
        if self.final is None:
            seats = len(self.hands)
            ring = [(self.out_first + step) % seats for step in range(seats)]
            self.final = ring if self.options.final_check else []
        self.final = [seat for seat in self.final if seat not in self.gone]
        if not self.final:
            self.end()
            return
        self.turn, self.phase = self.final.pop(0), "final_check"

    def resign(self, seat: int) -> None:
        self.gone[seat] = len(self.seats())
        self.hands[seat].clear()
        self.decks[seat] = 0
        if len(self.seats()) == 1:
            self.end()
        elif self.picks:
            self.picks = [one for one in self.picks if one != seat]
            if not self.picks:
                self.picked()
        elif seat == self.turn:
            self.next_turn()

    # The end

    def end(self) -> None:
        for place in self.places if self.options.claims_count_at_end else []:
            if place.claim is not None:
                self.won[place.claim[0]].append(place.claim[1])
                place.claim = None
        self.scores = [
            sum(map(value, won)) + len({token.split("-")[1] for token in won if token.startswith("G")})
            for won in self.won
        ]

    def standing(self) -> dict[str, Any]:
        """What the game has come to."""
        leaders = [
            [seat for seat in range(len(self.hands)) if self.advantage(place, seat)] for place in self.places
        ]
        return {
            "goods": [place.goods for place in self.places],
            "lines": [[tuple(card[:3]) for card in place.cards] for place in self.places],
            "claims": [place.claim for place in self.places],
            "totals": [[self.total(place, seat) for seat in range(len(self.hands))] for place in self.places],
            "leaders": leaders,
            "stacks": (self.left, self.foreign_left),
            "hands": [+hand for hand in self.hands],
            "decks": self.decks,
            "won": [sorted(won) for won in self.won],
            "box": [+box for box in self.box],
            "waiting": self.picks[0] if self.picks else self.turn,
            "phase": "bazaar_pick" if self.picks else "bazaar_refill" if self.asked else self.phase,
            "turns": self.turns,
            "used": self.used,
            "actions": self.actions if self.phase == "act" else None,
        }


def standing(state: Any) -> dict[str, Any]:
    """The same of the rules' state."""
    table = state.table
    picking = table.picking
    stage = "bazaar_pick" if picking else "bazaar_refill" if table.refilling else table.stage
    return {
        "goods": [queue.goods for queue in table.queues],
        "lines": [[(s.seat, s.card, s.covered_by is not None) for s in queue.line] for queue in table.queues],
        "claims": [(queue.claim.seat, queue.claim.token) if queue.claim else None for queue in table.queues],
        "totals": [queue.totals for queue in table.queues],
        "leaders": [[] if queue.leader is None else [queue.leader] for queue in table.queues],
        "stacks": (len(state.tokens), len(state.foreign)),
        "hands": [Counter(hand) for hand in state.hands],
        "decks": [sum(deck.values()) for deck in state.decks],
        "won": [sorted(own + other) for own, other in zip(state.won, table.foreign, strict=True)],
        "box": [Counter(box) for box in table.box],
        "waiting": picking.order[picking.next] if picking else table.turn,
        "phase": stage,
        "turns": table.turn_number,
        "used": set(table.checked),
        "actions": table.actions_left if table.stage == "act" else None,
    }
