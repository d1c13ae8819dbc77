"""Perekupai: what lies on the table and in a hand, as it is shown (perekupai.md §1, §3).

Cards show what is printed on them, so a view needs no deck. An id is given where a card comes to be seen and tells
nothing of the card: hand cards have ids of their own seat's alone, a card that changes hands gets a new one.
"""

from typing import Literal

import msgspec

from fairdeal.games.perekupai_deck import Acquisition, CardEntry, DealerEntry, Permanent, Preference
from fairdeal.games.perekupai_effects import Test, Timing
from fairdeal.view import Table as BaseTable

Phase = Literal[
    "gap",
    "buy",
    "sale_open",
    "sale_pick_buyer",
    "att_window",
    "hag_window",
    "final_window",
    "turn_end",
]
"""What the turn has come to. `gap`: before an action. `buy`: a buying action. `sale_open`, `att_window`, `hag_window`,
`final_window`: the windows of a sale, before the tests, after a roll, and before the car is paid for.
`sale_pick_buyer`: the buyer was dismissed. `turn_end`: nobody is waited for."""

Nested = Literal["react", "pick", "discard_down"]
"""What may interrupt a phase: seats may answer an acquisition, a seat has a choice to make, or too many cards."""


class Front(msgspec.Struct, frozen=True):
    """A car's front side."""

    maker: str
    model: str
    level: int
    purchase: int


class Tech(msgspec.Struct, frozen=True):
    """A car's technical side. `kind` is the car's id in the deck; `surprises` come with it when it is bought."""

    kind: str
    sale: int
    surprises: int
    defects: tuple[str, ...]
    haggle: int


class MarketCar(msgspec.Struct, frozen=True):
    """A car on the market, front side up."""

    id: str
    front: Front


class Surprise(msgspec.Struct, frozen=True):
    """A surprise that is seen: a defect's value is below 0, a modification's above."""

    id: str
    kind: str
    name: str
    value: int


class Mod(msgspec.Struct, frozen=True):
    """A modification on a car: a surprise that came with it, or a scam that was put on it."""

    id: str
    kind: str
    name: str
    value: int
    source: Literal["surprise", "scam"]


class Car(msgspec.Struct):
    """A car that somebody owns, technical side up.

    `hidden` are the ids of its face-down surprises in the order in which they were drawn, `shown` its face-up
    defects. `bought_in` is the number of the turn in which it was bought.
    """

    id: str
    front: Front
    tech: Tech
    bought_in: int
    hidden: list[str] = []
    shown: list[Surprise] = []
    mods: list[Mod] = []


class Buyer(msgspec.Struct, frozen=True):
    """A buyer who is revealed."""

    id: str
    kind: str
    name: str
    level: int
    attentiveness: int
    haggling: int
    prefs: tuple[Preference, ...]


class InPlay(msgspec.Struct, frozen=True):
    """A permanent scam in play. `kind` is the card's id in the deck: no seat has two of one kind."""

    id: str
    kind: str
    scam: Permanent


class HeldCard(msgspec.Struct, frozen=True):
    """A card in a hand."""

    id: str
    card: CardEntry


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one effect is played on: a seat, or things by their ids."""

    seat: int | None = None
    ids: tuple[str, ...] = ()


class Window(msgspec.Struct, frozen=True):
    """A window in which seats may play acquisitions. `asked` is the seat whose turn it is, null if all have passed."""

    asked: int | None


class Played(msgspec.Struct):
    """An acquisition that was played and has not done all it does.

    `targets` are those of the effects that take one, in their order, null for the others; `done` effects are
    carried out. `answers` is the id of the acquisition that a reaction was played at. `window` is null until
    others were asked.
    """

    id: str
    seat: int
    kind: str
    acquisition: Acquisition
    timing: Timing
    targets: tuple[Target | None, ...]
    answers: str | None
    done: int = 0
    window: Window | None = None


class Rolled(msgspec.Struct, frozen=True):
    """A test that was rolled for: `surprise` is the one that a test of attentiveness is about."""

    test: Test
    surprise: str | None
    die: int
    bonus: int
    deltas: int
    total: int
    target: int


class Buying(msgspec.Struct):
    """A buying action: the slots that were inspected in it, and what cards took off the price."""

    inspected: list[int] = []
    discount: int = 0


class Sale(msgspec.Struct):
    """A sale: what of the car's hidden surprises was decided, the test that goes on, and what changes the price."""

    car: str
    buyer: str | None
    skipped: list[str] = []
    unnoticed: list[str] = []
    rolled: Rolled | None = None
    haggle: int = 0
    delta: int = 0


class Pick(msgspec.Struct, frozen=True):
    """A choice that one seat has to make: `count` of the surprises `cards`, or of the cards in its own hand."""

    seat: int
    what: Literal["reveal", "discard"]
    count: int
    cards: tuple[str, ...]


class Trigger(msgspec.Struct, frozen=True):
    """Why the game ends, by whom, and in which round that was: the one after it is the last."""

    seat: int
    reason: Literal["money", "last_car"]
    round: int


class Score(msgspec.Struct, frozen=True):
    """A seat's money at the end."""

    cash: int
    end_bonus: int
    cars: int
    total: int


class Table(BaseTable):
    """What everybody sees.

    `turn` is the active seat, null after the end; `phase` what its turn has come to, also while that is
    interrupted. `hands` and the decks are how many cards there are. The used piles say which cars (by model),
    buyers (by name), surprises and cards (by kind, how many) were seen there, and how many others lie there. A
    market slot is null when the car deck has run out. `out` are the seats that gave up. `moves` rises with
    everything that moves the game on.
    """

    cash: list[int]
    bank: int
    hands: list[int]
    dealers: list[DealerEntry | None]
    permanents: list[list[InPlay]]
    cars: list[list[Car]]
    market: list[MarketCar | None]
    buyers: list[Buyer | None]
    car_deck: int = 0
    buyer_deck: int = 0
    surprise_deck: int = 0
    card_deck: int = 0
    used_cars: list[str] = msgspec.field(default_factory=list)
    used_buyers: list[str] = msgspec.field(default_factory=list)
    used_surprises: dict[str, int] = msgspec.field(default_factory=dict)
    used_surprises_unseen: int = 0
    used_cards: dict[str, int] = msgspec.field(default_factory=dict)
    used_cards_unseen: int = 0
    first: int = 0
    round: int = 0
    turn: int | None = None
    turn_number: int = 0
    phase: Phase = "turn_end"
    actions_left: int = 0
    actions_done: int = 0
    extra_used: bool = False
    buying: Buying | None = None
    sale: Sale | None = None
    window: Window | None = None
    stack: list[Played] = msgspec.field(default_factory=list)
    picks: list[Pick] = msgspec.field(default_factory=list)
    trigger: Trigger | None = None
    final: bool = False
    scores: list[Score] | None = None
    out: list[int] = msgspec.field(default_factory=list)
    moves: int = 0

    def car_of(self, seat: int, id: str) -> Car | None:
        """An own car of a seat."""
        return next((car for car in self.cars[seat] if car.id == id), None)

    def buyer_of(self, id: str | None) -> Buyer | None:
        """A revealed buyer."""
        return next((buyer for buyer in self.buyers if buyer is not None and buyer.id == id), None)

    def playing(self) -> list[int]:
        """The seats that have not given up, ascending."""
        return [seat for seat in range(len(self.cash)) if seat not in self.out]


class Hand(msgspec.Struct):
    """What a seat alone knows: its cards, hidden surprises by id (its own cars', and those it peeked at), and the
    technical sides of cars on the market, or put under the deck, by id."""

    cards: list[HeldCard] = []
    surprises: dict[str, Surprise] = {}
    techs: dict[str, Tech] = {}
