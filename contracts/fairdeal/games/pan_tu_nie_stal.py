"""Pan tu nie stał! with the Różyckiego Bazaar: what is said. Actions, events, options and offers (pan_tu_nie_stal.md).

Seats queue with cards at shops for goods, and at the Bazaar for foreign ones. Queues are numbered from 0, the Bazaar
is the last. Cards travel as their ids, equal ones alike (`regular`, `brawler`), tokens as theirs (`T01`, `G-red-3`). A
position is where a card lies in a queue's line, counted from 0, the earliest played.
"""

from typing import Annotated, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.games.pan_tu_nie_stal_queues import BRAWLER, RUNNER, Holding
from fairdeal.games.pan_tu_nie_stal_table import Hand, Table
from fairdeal.view import Offer, Random
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by

__all__ = ["Hand", "Table"]  # the rest of this module is its own

MAX_CARDS: Final = 21
"""As many cards as a seat can have."""

Position = Annotated[int, msgspec.Meta(ge=0)]
Cards = Annotated[tuple[str, ...], msgspec.Meta(max_length=MAX_CARDS)]
Covers = Annotated[tuple[Position, ...], msgspec.Meta(max_length=MAX_CARDS)]

EndReason = Literal["goods", "cards", "last_seat"]
"""Why a game ends: no shop has goods any more, a seat has played all its cards, or one seat is left."""


# Actions. Each is refused with `out_of_game`, `wrong_phase` or `not_your_turn` where it is not for this seat.


class Claim(Action):
    """Take a good of a shop where this seat has the advantage (pan_tu_nie_stal.md §5.1).

    Refused: `no_such_queue`, `queue_used`, `queue_closed`, `no_advantage`, `no_such_token`.
    """

    queue: Position
    token: str


class StartBazaar(Action):
    """Have the foreign goods picked, with the advantage at the Bazaar (§5.2).

    Refused: `no_such_queue` without a Bazaar, `queue_used`, `queue_closed`, `no_advantage`.
    """


class Pick(Action):
    """Take a good from the Bazaar, when it is this seat's pick. Refused: `no_such_token`."""

    token: str


class RefillBazaar(Action):
    """Say whether a foreign good is put on the Bazaar; only with `bazaar_refill: settling_seat_decides`."""

    add: bool


class Checked(Action):
    """Go on, when every queue with an advantage was used. Refused: `claims_left`."""


class Draw(Action):
    """Draw a card from the own deck, for one of the two actions (§5.3). Refused: `no_actions_left`, `deck_empty`."""


class Play(Action):
    """Put one or several cards of one kind into a queue, for one of the two actions (§5.3).

    Brawlers may lie on other cards: the first on the card at the first position of `covers`, and so on; those
    beyond lie on none. Refused: `no_actions_left`, `no_such_queue`, `queue_closed`, `nothing_played`,
    `mixed_kinds`, `not_in_hand`, `bad_cover`.
    """

    queue: Position
    cards: Cards
    covers: Covers = ()


class PlayFree(Action):
    """Put a runner into a queue, which costs no action (§5.3).

    Refused: `no_such_queue`, `queue_closed`, `not_a_runner`, `not_in_hand`, `runner_limit`.
    """

    queue: Position
    card: str = RUNNER


class EndTurn(Action):
    """Leave the turn to the left. Refused: `actions_left`, as long as this seat could still draw or play."""


# Events


class GoodsPlaced(Event):
    """Goods were put face-up: two at a shop, or a foreign one on the Bazaar."""

    queue: Public[int]
    tokens: Public[Drawn[tuple[str, ...]]]


class PairRemoved(Event):
    """Two goods of one value are out of the game: of two seats none could lead by them (§2)."""

    tokens: Public[Drawn[tuple[str, ...]]]


class StarterDrawn(Event):
    """The seat with the first turn was drawn by lot."""

    seat: Public[Drawn[int]]


class HandDealt(Event):
    """A seat drew its first `count` cards."""

    seat: Public[int]
    count: Public[int]
    deck_left: Public[int]
    cards: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")


class TurnStarted(Event):
    """A seat's turn begins with a look at every queue."""

    seat: Public[int]
    turn: Public[int]


class ClaimMade(Event):
    """A seat took the first good of a shop, which now lies on its cards there and is subtracted."""

    seat: Public[int]
    queue: Public[int]
    token: Public[str]


class ShopSettled(Event):
    """A seat took the last good of a shop; both tokens go to their owners, the one on the cards first."""

    seat: Public[int]
    queue: Public[int]
    awards: Public[tuple[Holding, ...]]


class LineCleared(Event):
    """All cards of a queue went into the box."""

    queue: Public[int]


class RefillAsked(Event):
    """A seat is to say whether a foreign good goes on the Bazaar."""

    seat: Public[int]


class RefillChosen(Event):
    """It said so."""

    seat: Public[int]
    add: Public[bool]


class BazaarStarted(Event):
    """The goods on the Bazaar are picked in this order of seats, whose totals are `totals`, again and again."""

    seat: Public[int]
    queue: Public[int]
    order: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


class GoodPicked(Event):
    """A seat took a foreign good."""

    seat: Public[int]
    token: Public[str]


class QueuesChecked(Event):
    """A seat has looked at every queue."""

    seat: Public[int]


class CardDrawn(Event):
    """A seat drew a card from its own deck."""

    seat: Public[int]
    deck_left: Public[int]
    card: Secret[Drawn[str]] = seen_by("seat")


class CardsPlayed(Event):
    """A seat put cards at the end of a line; `free` is a runner that cost no action."""

    seat: Public[int]
    queue: Public[int]
    cards: Public[tuple[str, ...]]
    covers: Public[tuple[int, ...]]
    free: Public[bool]


class LastRound(Event):
    """A seat has played all its cards: every other one has one more turn."""

    seat: Public[int]


class FinalCheckStarted(Event):
    """After the last turns a seat looks at every queue once more."""

    seat: Public[int]


class SeatLeft(Event):
    """A seat plays no longer and has this place; its `count` cards in hand and deck go into the box unseen."""

    seat: Public[int]
    place: Public[int]
    count: Public[int]


class GameOver(Event):
    """The end. `awards` are the tokens that lay on cards and went to their owners, `scores` each seat's points."""

    reason: Public[EndReason]
    awards: Public[tuple[Holding, ...]]
    scores: Public[tuple[int, ...]]


# Options


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (pan_tu_nie_stal.md §13)."""

    expansion_bazaar: bool = True
    """Whether the Bazaar takes the place of a shop."""
    deck_size: Literal[20, 21] = 20
    """Cards of each seat; 21 adds a regular one."""
    specials: tuple[
        Annotated[int, msgspec.Meta(ge=0, le=9)],
        Annotated[int, msgspec.Meta(ge=0, le=9)],
        Annotated[int, msgspec.Meta(ge=0, le=9)],
        Annotated[int, msgspec.Meta(ge=0, le=9)],
    ] = (3, 2, 2, 2)
    """How many of a seat's nine special cards are colleagues, mothers, runners and brawlers."""
    final_check: bool = True
    """Whether each seat looks at the queues once more after the last round."""
    claims_count_at_end: bool = True
    """Whether tokens that lie on cards at the end go to their owners; if not, they are lost."""
    optional_claim: bool = False
    """Whether a seat may pass over a queue where it has the advantage."""
    mother_duration: Literal["standing", "on_play"] = "standing"
    """Whether a mother levels while she lies uncovered, or for good what lies there when she comes."""
    absent_counts_zero: bool = True
    """Whether seats without a card in a queue count 0 there; if not, a seat alone always has the advantage."""
    pair_rule_two_players: bool = True
    """Whether of two seats two goods of one value are removed and drawn again."""
    bazaar_refill: Literal["automatic", "settling_seat_decides"] = "automatic"
    """Whether a refilled shop puts a foreign good on the Bazaar by itself, or if its last customer wants it."""
    show_won: bool = True
    """Whether views say which goods each seat has won in shops; if not, how many, and each seat its own."""
    runner_limit: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    """How many runners a seat may play in a turn at no cost, null for all."""


# Offers


class ClaimOffer(Offer, of=Claim):
    """The shops where this seat has the advantage, each with the goods that it may take."""

    queues: dict[int, tuple[str, ...]]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Claim) and action.token in self.queues.get(action.queue, ())

    def sample(self, random: Random) -> Claim:
        queue = random.choice(tuple(self.queues))
        return Claim(queue, random.choice(self.queues[queue]))


class StartBazaarOffer(Offer, of=StartBazaar):
    """This seat has the advantage at the Bazaar."""


class PickOffer(Offer, of=Pick):
    """The goods that this seat may take from the Bazaar."""

    tokens: tuple[str, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Pick) and action.token in self.tokens

    def sample(self, random: Random) -> Pick:
        return Pick(random.choice(self.tokens))


class RefillBazaarOffer(Offer, of=RefillBazaar):
    """This seat says whether a foreign good goes on the Bazaar."""

    def sample(self, random: Random) -> RefillBazaar:
        return RefillBazaar(random.random() < 0.5)


class CheckedOffer(Offer, of=Checked):
    """This seat may go on."""


class DrawOffer(Offer, of=Draw):
    """This seat may draw a card."""


class PlayOffer(Offer, of=Play):
    """The queues that take cards, and the own cards, of which several of one kind may go into one queue.

    `covers` has the positions in each of these queues that brawlers may lie on; empty without one in hand.
    """

    queues: tuple[int, ...]
    cards: dict[str, int]
    covers: dict[int, tuple[int, ...]] = msgspec.field(default_factory=dict)

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Play) or action.queue not in self.queues or not action.cards:
            return False
        card, count, covers = action.cards[0], len(action.cards), action.covers
        if count > self.cards.get(card, 0) or action.cards.count(card) != count:
            return False
        if not covers:
            return True
        lying = self.covers.get(action.queue, ())
        return (
            card == BRAWLER
            and len(covers) <= count
            and len(set(covers)) == len(covers)
            and all(position in lying for position in covers)
        )

    def sample(self, random: Random) -> Play:
        """A queue and a card by chance and, each half as likely, more of it; brawlers mostly cover."""
        queue, card = random.choice(self.queues), random.choice(tuple(self.cards))
        count = 1
        while count < self.cards[card] and random.random() < 0.5:
            count += 1
        left = list(self.covers.get(queue, ())) if card == BRAWLER else []
        covers: list[int] = []
        while len(covers) < count and left and random.random() < 0.8:
            covers.append(left.pop(random.randrange(len(left))))
        return Play(queue, (card,) * count, tuple(covers))


class PlayFreeOffer(Offer, of=PlayFree):
    """This seat may put a runner into one of these queues at no cost."""

    queues: tuple[int, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, PlayFree) and action.card == RUNNER and action.queue in self.queues

    def sample(self, random: Random) -> PlayFree:
        return PlayFree(random.choice(self.queues))


class EndTurnOffer(Offer, of=EndTurn):
    """This seat may leave the turn to the left."""
