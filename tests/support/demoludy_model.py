"""Demoludy played a second time, slowly and card by card, straight from the text of demoludy.md.

Shares no code with the rules. Each card on a table is a record; what the dealer drew is read from the log. A
model that goes along with a game proves both: each command is judged alike, and both stand alike afterwards.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fairdeal.action import Action
from fairdeal.game import Resign
from fairdeal.games.demoludy import (
    Bid,
    EndTurn,
    KeepOut,
    Open,
    Options,
    Place,
    PlayAction,
    ReturnToken,
    SkipOpen,
    Swap,
    Withdraw,
)

COLOURS = ("red", "purple", "blue", "yellow", "green")
COPIES = {2: 4, 3: 5, 4: 4, 5: 3, 7: 2}
KINDS = {
    "policeman",
    "customs_officer",
    "car_trouble",
    "petrol_station",
    "bazaar",
    "money_changer",
    "brotherhood",
}


def value(thing: str) -> int:
    """What a card or a token says: the number at the end of its id."""
    return int(thing.removeprefix("USD").rpartition("-")[2])


def colour_of(thing: str) -> str:
    return thing.split("-")[1]


def is_product(card: str) -> bool:
    return card.startswith("P-")


@dataclass
class Lying:
    """A card on the table."""

    card: str
    down: bool
    author: int


@dataclass
class Chair:
    hand: list[str] = field(default_factory=list)
    table: list[Lying] = field(default_factory=list)
    car: list[str] = field(default_factory=list)
    bidding: bool = False
    gone: bool = False
    hid_in_turn: int | None = None

    def total(self) -> int:
        return sum(1 if lying.down else value(lying.card) for lying in self.table)

    def face_up(self) -> list[Lying]:
        return [lying for lying in self.table if not lying.down]


class Model:
    """One game. `play` takes a command that `legal` allows, with what was drawn for it."""

    def __init__(self, options: Options, seats: int, drawn: Iterator[Any]) -> None:
        self.options = options
        self.chairs = [Chair() for _ in range(seats)]
        self.deck = Counter({f"P-{c}-{v}": n for c in COLOURS for v, n in COPIES.items()})
        self.deck += Counter({"USD7": 4, "USD10": 2})
        if options.variant_actions:
            self.deck += Counter(dict.fromkeys(KINDS, 2))
        self.discard: Counter[str] = Counter()
        self.stacks: dict[str, list[str | None]] = {
            c: [None] * 5 if options.variant_points else [f"G-{c}-{v}" for v in range(1, 6)] for c in COLOURS
        }
        self.phase = "opening"
        self.prize: str | None = None
        self.tens: list[int] = []
        self.turn_number = 0
        self.played = 0
        self.winners: list[int] = []
        self.turn = self.starter = next(drawn)
        for c in COLOURS:
            self.turn_up(c, drawn)
        for seat, chair in enumerate(self.chairs):
            for _ in range(options.starter_hand if seat == self.starter else options.hand_size):
                self.draw(chair, drawn)

    # Small things

    def turn_up(self, colour: str, drawn: Iterator[Any]) -> None:
        stack = self.stacks[colour]
        if stack and stack[-1] is None:
            stack[-1] = next(drawn)

    def draw(self, chair: Chair, drawn: Iterator[Any]) -> None:
        if not self.deck.total():
            self.deck, self.discard = self.discard, Counter()
        if self.deck.total():
            card = next(drawn)
            assert self.deck[card] > 0
            self.deck[card] -= 1
            chair.hand.append(card)

    def left_of(self, seat: int, bidding: bool) -> int:
        """The next seat to the left that plays, or that is in the auction."""
        while True:
            seat = (seat + 1) % len(self.chairs)
            if self.chairs[seat].bidding if bidding else not self.chairs[seat].gone:
                return seat

    def others(self, seat: int) -> list[Chair]:
        return [c for c in self.chairs if c.bidding and c is not self.chairs[seat]]

    def in_front(self, chair: Chair) -> int:
        return len(chair.table if self.options.last_card_counts_hidden else chair.face_up())

    def sweep(self, chair: Chair) -> None:
        self.discard += Counter(lying.card for lying in chair.table)
        chair.table = []
        chair.bidding = False
        chair.hid_in_turn = None

    def over(self) -> bool:
        still = sum(not chair.gone for chair in self.chairs)
        return still == 1 or bool(self.winners and not self.options.play_on) or self.out_of_reach()

    def out_of_reach(self) -> bool:
        """Whether even the four best tokens that may still come to light are worth less than the target."""
        if not (self.options.variant_points and self.winners):
            return False
        dearest = sorted((self.dearest(colour) for colour in COLOURS), reverse=True)
        return sum(dearest[: self.options.countries_target]) < self.options.points_target

    def dearest(self, colour: str) -> int:
        """The best token of a colour that can be dug up when each chair that plays takes one off the pile."""
        chairs = [chair for chair in self.chairs if not chair.gone]
        pile: list[str | None] = [token for chair in chairs for token in chair.car]
        pile += [self.prize]
        pile = [token for token in pile if token is not None and colour_of(token) == colour]
        pile += reversed(self.stacks[colour])
        shown = {*self.stacks[colour], self.prize, *(token for chair in self.chairs for token in chair.car)}
        unknown = [v for v in range(1, 6) if f"G-{colour}-{v}" not in shown]
        dug = pile[: len(chairs) + 1]
        return max([max(unknown) if token is None else value(token) for token in dug], default=0)

    # What is allowed

    def legal(self, seat: int, action: Action) -> bool:
        if isinstance(action, Resign):
            return not self.over() and not self.chairs[seat].gone
        if self.over() or seat != self.turn:
            return False
        chair = self.chairs[seat]
        match action:
            case Open(colour=colour, cards=up, hidden=down):
                return (
                    self.phase == "opening"
                    and bool(self.stacks[colour])
                    and any(is_product(card) for card in up)
                    and self.may_lay(seat, colour, up, down)
                )
            case SkipOpen():
                openers = [c for c in chair.hand if is_product(c) and self.stacks[colour_of(c)]]
                return self.phase == "opening" and not openers
            case Place(cards=up, hidden=down) | Bid(cards=up, hidden=down):
                if self.phase != "bidding" or not (up or down) or self.prize is None:
                    return False
                if not self.may_lay(seat, colour_of(self.prize), up, down):
                    return False
                bid = chair.total() + sum(map(value, up)) + sum(down.values())
                return isinstance(action, Place) or all(bid > other.total() for other in self.others(seat))
            case EndTurn():
                highest = all(chair.total() > other.total() for other in self.others(seat))
                return self.phase == "bidding" and highest and self.played > 0
            case Withdraw():
                return self.phase == "bidding"
            case PlayAction():
                return self.phase in ("opening", "bidding") and self.may_play(seat, action)
            case KeepOut():
                return self.phase == "swapping"
            case Swap(colour=colour):
                return self.phase == "swapping" and any(colour_of(t) == colour for t in chair.car)
            case ReturnToken(colour=colour):
                return self.phase == "returning" and any(colour_of(t) == colour for t in chair.car)
        raise AssertionError(action)

    def may_lay(self, seat: int, colour: str, up: tuple[str, ...], down: dict[str, int]) -> bool:
        chair = self.chairs[seat]
        if any(count < 1 for count in down.values()):
            return False
        if not Counter(up) + Counter(down) <= Counter(chair.hand):
            return False
        if any(card not in ("USD7", "USD10") and not card.startswith(f"P-{colour}-") for card in up):
            return False
        if not self.options.hidden_any_card and not all(map(is_product, down)):
            return False
        if down and chair.hid_in_turn not in (None, self.turn_number):
            return False
        used = self.tens if self.options.ten_limit == "per_auction" else [t for t in self.tens if t == seat]
        return up.count("USD10") + len(used) <= 1 or "USD10" not in up

    def may_play(self, seat: int, action: PlayAction) -> bool:
        me = self.chairs[seat]
        if not self.options.variant_actions or action.card not in me.hand or action.card not in KINDS:
            return False
        on, own, theirs = action.target_seat, action.own_card, action.target_card
        needs_own = action.card in ("petrol_station", "bazaar")
        needs_target = action.card in ("policeman", "car_trouble", "bazaar", "money_changer")
        needs_theirs = action.card in ("car_trouble", "bazaar")
        if (own is not None, on is not None, theirs is not None) != (needs_own, needs_target, needs_theirs):
            return False
        if own is not None and not 0 <= own < len(me.face_up()):
            return False
        target = None
        if on is not None:
            if not 0 <= on < len(self.chairs) or on == seat:
                return False
            target = self.chairs[on]
            if theirs is not None and not 0 <= theirs < len(target.face_up()):
                return False
        match action.card:
            case "policeman" | "money_changer":
                return target is not None and bool(target.hand)
            case "customs_officer":
                return any(o.face_up() and self.in_front(o) > 1 for o in self.others(seat))
            case "car_trouble":
                return target is not None and self.in_front(target) > 1
            case "petrol_station":
                return self.in_front(me) > 1
            case "bazaar":
                return True
            case _:
                return any(self.lost_vodka(chair) for chair in self.chairs)

    def lost_vodka(self, chair: Chair) -> list[Lying]:
        vodka = [lying for lying in chair.face_up() if value(lying.card) == 3]
        rest = self.in_front(chair) - len(vodka)
        return vodka if rest else vodka[1:]

    # What happens

    def play(self, seat: int, action: Action, drawn: Iterator[Any]) -> None:
        assert self.legal(seat, action)
        chair = self.chairs[seat]
        match action:
            case Resign():
                self.resign(seat)
            case Open(colour=colour, cards=up, hidden=down):
                self.prize = self.stacks[colour].pop()
                self.turn_up_after = colour
                for other in self.chairs:
                    other.bidding = not other.gone
                self.phase = "bidding"
                self.lay(seat, up, down)
                self.turn_up(colour, drawn)
                self.end_turn(seat, drawn)
            case SkipOpen():
                self.turn = self.starter = self.left_of(seat, bidding=False)
                self.played = 0
                self.draw(chair, drawn)
            case Place(cards=up, hidden=down):
                self.lay(seat, up, down)
            case Bid(cards=up, hidden=down):
                self.lay(seat, up, down)
                self.end_turn(seat, drawn)
            case EndTurn():
                self.end_turn(seat, drawn)
            case Withdraw():
                lost_ten = seat in self.tens
                self.sweep(chair)
                self.end_turn(seat, drawn)
                if lost_ten and self.options.ten_loss_penalty and chair.car:
                    self.phase, self.turn = "returning", seat
                self.settle()
            case PlayAction():
                chair.hand.remove(action.card)
                self.discard[action.card] += 1
                self.played += 1
                self.carry_out(seat, action, drawn)
            case KeepOut():
                self.put_back(self.prize)
                self.next_auction()
            case Swap(colour=colour):
                self.give_back(chair, colour)
                self.load(seat)
            case ReturnToken(colour=colour):
                self.give_back(chair, colour)
                self.phase = "bidding"
                if any(c.bidding for c in self.chairs):
                    self.turn = self.left_of(seat, bidding=True)
                self.settle()
        assert next(drawn, None) is None, "more was drawn than is due"

    def lay(self, seat: int, up: tuple[str, ...], down: dict[str, int]) -> None:
        chair = self.chairs[seat]
        laid = [Lying(card, False, seat) for card in up]
        laid += [Lying(card, True, seat) for card in Counter(down).elements()]
        for lying in laid:
            chair.hand.remove(lying.card)
        chair.table += laid
        self.tens += [seat] * up.count("USD10")
        self.played += len(laid)
        if down:
            chair.hid_in_turn = self.turn_number

    def end_turn(self, seat: int, drawn: Iterator[Any]) -> None:
        self.draw(self.chairs[seat], drawn)
        self.turn = self.left_of(seat, bidding=True)
        self.turn_number += 1
        self.played = 0

    def carry_out(self, seat: int, action: PlayAction, drawn: Iterator[Any]) -> None:
        me = self.chairs[seat]
        target = self.chairs[action.target_seat] if action.target_seat is not None else me
        match action.card:
            case "policeman":
                taken = next(drawn)
                target.hand.remove(taken)
                me.hand.append(taken)
            case "customs_officer":
                for other in self.others(seat):
                    if other.face_up() and self.in_front(other) > 1:
                        self.toss(other, other.face_up()[-1])
            case "car_trouble":
                assert action.target_card is not None
                self.toss(target, target.face_up()[action.target_card])
            case "petrol_station":
                assert action.own_card is not None
                lying = me.face_up()[action.own_card]
                me.table = [other for other in me.table if other is not lying]
                me.hand.append(lying.card)
                if lying.card == "USD10":
                    self.tens.remove(lying.author)
            case "bazaar":
                assert action.own_card is not None
                assert action.target_card is not None
                mine, theirs = me.face_up()[action.own_card], target.face_up()[action.target_card]
                mine.card, theirs.card = theirs.card, mine.card
                mine.author, theirs.author = theirs.author, mine.author
            case "money_changer":
                dollar = next((card for card in ("USD10", "USD7") if card in target.hand), None)
                if dollar:
                    target.hand.remove(dollar)
                    me.hand.append(dollar)
            case _:
                for chair, lost in [(chair, self.lost_vodka(chair)) for chair in self.chairs]:
                    for lying in lost:
                        self.toss(chair, lying)

    def toss(self, chair: Chair, lying: Lying) -> None:
        chair.table = [other for other in chair.table if other is not lying]
        self.discard[lying.card] += 1

    def settle(self) -> None:
        still = [seat for seat, chair in enumerate(self.chairs) if chair.bidding]
        if self.phase == "returning" or self.prize is None or len(still) > 1:
            return
        if not still:
            self.put_back(self.prize)
            self.next_auction()
            return
        (seat,) = still
        chair = self.chairs[seat]
        self.sweep(chair)
        self.starter = seat
        same = [t for t in chair.car if colour_of(t) == colour_of(self.prize)]
        if same and self.options.variant_points and value(self.prize) > value(same[0]):
            self.give_back(chair, colour_of(self.prize))
            self.load(seat)
        elif same:
            self.put_back(self.prize)
            self.next_auction()
        elif len(chair.car) < self.options.countries_target:
            self.load(seat)
        else:
            self.phase, self.turn, self.tens, self.played = "swapping", seat, [], 0

    def load(self, seat: int) -> None:
        """The prize goes on the car; that may be the target."""
        chair = self.chairs[seat]
        assert self.prize is not None
        chair.car.append(self.prize)
        self.prize = None
        full = len(chair.car) == self.options.countries_target
        enough = not self.options.variant_points or sum(map(value, chair.car)) >= self.options.points_target
        if full and enough:
            self.winners.append(seat)
            if self.options.play_on:
                self.leave(chair)
        self.next_auction()

    def next_auction(self) -> None:
        self.phase, self.prize, self.tens, self.played = "opening", None, [], 0
        if self.chairs[self.starter].gone:
            self.starter = self.left_of(self.starter, bidding=False)
        self.turn = self.starter

    def put_back(self, token: str | None) -> None:
        assert token is not None
        self.stacks[colour_of(token)].append(token)

    def give_back(self, chair: Chair, colour: str) -> None:
        (token,) = (t for t in chair.car if colour_of(t) == colour)
        chair.car.remove(token)
        self.put_back(token)

    def leave(self, chair: Chair) -> None:
        self.discard += Counter(chair.hand)
        chair.hand = []
        chair.gone = True

    def resign(self, seat: int) -> None:
        chair = self.chairs[seat]
        bid = chair.bidding
        self.sweep(chair)
        for token in list(chair.car):
            self.give_back(chair, colour_of(token))
        self.leave(chair)
        on_turn = self.turn == seat
        if self.over():
            return
        if on_turn and self.phase in ("opening", "swapping"):
            if self.prize is not None:
                self.put_back(self.prize)
            self.next_auction()
            return
        if self.starter == seat:
            self.starter = self.left_of(seat, bidding=False)
        if on_turn:
            self.phase = "bidding"
            if bid:
                self.turn_number += 1
                self.played = 0
            if any(c.bidding for c in self.chairs):
                self.turn = self.left_of(seat, bidding=True)
        if self.phase != "opening":
            self.settle()

    # Comparing

    def standing(self) -> dict[str, Any]:
        """All that can be compared with the rules' state."""
        return {
            "phase": self.phase,
            "turn": self.turn,
            "starter": self.starter,
            "prize": self.prize,
            "hands": [Counter(chair.hand) for chair in self.chairs],
            "rows": [[lying.card for lying in chair.face_up()] for chair in self.chairs],
            "hidden": [Counter(lying.card for lying in chair.table if lying.down) for chair in self.chairs],
            "bidders": [seat for seat, chair in enumerate(self.chairs) if chair.bidding],
            "playing": [seat for seat, chair in enumerate(self.chairs) if not chair.gone],
            "cars": [sorted(chair.car) for chair in self.chairs],
            "stacks": {c: [token for token in stack if token] for c, stack in self.stacks.items()},
            "deck": +self.deck,
            "discard": self.discard,
            "tens": sorted(self.tens),
            "played": self.played,
            "reached": self.winners,
        }


def standing(state: Any) -> dict[str, Any]:
    """The same of the rules' own state."""
    return {
        "phase": state.phase,
        "turn": state.turn,
        "starter": state.starter,
        "prize": state.prize,
        "hands": [Counter(hand) for hand in state.hands],
        "rows": state.rows,
        "hidden": [Counter(hidden) for hidden in state.hidden],
        "bidders": state.bidders,
        "playing": state.playing,
        "cars": [sorted(car.values()) for car in state.cars],
        "stacks": state.seen,
        "deck": +Counter(state.deck),
        "discard": Counter(state.discard),
        "tens": sorted(state.tens),
        "played": state.played,
        "reached": state.reached,
    }
