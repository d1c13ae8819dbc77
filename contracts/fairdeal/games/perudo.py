"""Perudo: what is said. Actions, events, options, table, hand and offers (perudo.md, after Pressman 2008).

A bid (quantity, face) claims that at least so many of all dice at the table show the face, aces (ones)
counting as any face in a standard round.
"""

from typing import Annotated, Any, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.view import Offer, Random
from fairdeal.view import Table as BaseTable
from fairdeal.visibility import Drawn, Event, Public, SecretBySeat

ACE: Final = 1
FACES: Final = range(1, 7)
NUMBERS: Final = range(2, 7)
"""The faces that are not aces."""
MAX_QUANTITY: Final = 10**6
"""The highest quantity of a bid where `cap_bid_to_dice` is off: a bound for memory, not for play."""

Kind = Literal["standard", "palafico"]


# Actions


class Bid(Action):
    """Open the bidding or raise the standing bid (perudo.md §6).

    Refused: `wrong_phase`, `eliminated`, `not_your_turn`, `face_out_of_range`, `quantity_out_of_range`,
    `opening_aces_forbidden`, `bid_not_higher`, `bid_changes_both`, `aces_below_half`,
    `numbers_below_double_plus_one`, `ace_count_repeated`, `palafico_face_locked`, `palafico_value_not_raised`.
    """

    quantity: int
    face: int


class Dudo(Action):
    """Doubt the standing bid. Refused: `wrong_phase`, `eliminated`, `not_your_turn`, `no_bid`."""


class Calza(Action):
    """Claim that the standing bid is exactly right (perudo.md §8.3).

    Refused: `wrong_phase`, `eliminated`, `calza_disabled`, `calza_in_palafico`, `calza_two_players`,
    `calza_too_few_dice`, `no_bid`, `calza_player_in_turn`, `calza_own_bid`, `calza_no_die_missing`.
    """


class Declare(Action):
    """Say whether the round becomes a Palafico round; only with `palafico_declared`.

    Refused: `wrong_phase`, `eliminated`, `not_your_turn`.
    """

    palafico: bool


# Events


class StartRolled(Event):
    """These seats rolled for the start, in seat order; the highest sum opens, the tied highest roll again."""

    seats: Public[tuple[int, ...]]
    rolls: Public[Drawn[tuple[tuple[int, ...], ...]]]


class StarterDrawn(Event):
    """The seat that opens round 1 was drawn by lot (`start_rule: random`)."""

    seat: Public[Drawn[int]]


class RoundStarted(Event):
    """A round begins, and all seats that have dice roll them under their cups.

    `starter` opens it, and in a Palafico round is the Palafico player. `dice` holds each seat's dice by seat,
    empty for eliminated ones.
    """

    round: Public[int]
    kind: Public[Kind]
    starter: Public[int]
    dice: SecretBySeat[Drawn[tuple[int, ...]]]


class BidPlaced(Event):
    """A bid stands; the next seat with dice is on turn."""

    seat: Public[int]
    quantity: Public[int]
    face: Public[int]


class DudoCalled(Event):
    """A seat doubted the standing bid."""

    seat: Public[int]


class CalzaCalled(Event):
    """A seat claimed that the standing bid is exactly right."""

    seat: Public[int]


class DiceRevealed(Event):
    """All cups are lifted.

    `hands` holds each seat's dice by seat, empty for eliminated ones; `count` is how many dice fulfil the bid.
    """

    hands: Public[tuple[tuple[int, ...], ...]]
    count: Public[int]


class DieLost(Event):
    """A seat's dice went into the bag: `lost` of them, `left` remain (null when counts are hidden)."""

    seat: Public[int]
    lost: Public[int]
    left: Public[int | None]


class DieRegained(Event):
    """A seat took `gained` dice out of the bag and has `left` now (null when counts are hidden)."""

    seat: Public[int]
    gained: Public[int]
    left: Public[int | None]


class NoDieRegained(Event):
    """A seat was right with Calza and has all its dice already."""

    seat: Public[int]


class PlayerEliminated(Event):
    """A seat has no dice any more. Seats that drop out at once share the `place`."""

    seat: Public[int]
    place: Public[int]


class PalaficoEarned(Event):
    """A seat came down to its last die and may declare a Palafico round; if not, `starter` opens."""

    seat: Public[int]
    starter: Public[int]


class PalaficoDeclared(Event):
    """A seat chose whether the round becomes a Palafico round."""

    seat: Public[int]
    palafico: Public[bool]


# Options


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (perudo.md §14). The defaults are the Pressman 2008 basic game."""

    dice_per_player: Annotated[int, msgspec.Meta(ge=1, le=5)] = 5
    """Dice at the start, and the most that a seat can have."""
    start_rule: Literal["one_die_tied_reroll", "two_dice_sum_tied_reroll", "random", "seat_0"] = (
        "one_die_tied_reroll"
    )
    """Who opens round 1: the highest roll of one or two dice, a seat drawn by lot, or seat 0."""
    calza: bool = False
    """Whether Calza may be called at all; the other `calza_` options say nothing without it."""
    calza_by_bidder: bool = True
    """Whether the bidder may call Calza on the own bid."""
    calza_by_player_in_turn: bool = False
    """Whether the seat on turn may call Calza instead of raising or doubting."""
    calza_requires_missing_die: bool = False
    """Whether only seats below `dice_per_player` may call Calza."""
    calza_success_starter: Literal["caller", "bidder", "player_in_turn"] = "caller"
    """Who opens after a right Calza: that seat, or the next with dice if it is out. A Palafico round that a
    right Calza brought about is opened by its Palafico player all the same."""
    calza_success_effect: Literal["caller_gains", "others_lose", "bidder_loses"] = "caller_gains"
    """What a right Calza brings. `others_lose`: each other seat loses a die; if several come down to their
    last die, the first of them to the caller's left has the Palafico round and the others have none.
    `bidder_loses`: a bidder who called on the own bid loses nothing."""
    calza_two_players: bool = False
    """Whether Calza is open with two players left."""
    calza_min_dice_fraction: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """Calza is closed while fewer than this fraction of the starting dice are in play. Not with hidden
    counts, which it would tell."""
    palafico: bool = True
    """Whether a seat's drop to its last die is followed by a Palafico round."""
    palafico_two_players: bool = False
    """Whether there are Palafico rounds with two players left."""
    palafico_exempt: Literal["done_and_one_die", "any_one_die", "nobody"] = "done_and_one_die"
    """Which other seats may change the face in a Palafico round."""
    palafico_exempt_scope: Literal["raise_value", "any_raise"] = "raise_value"
    """`any_raise`: whoever may change the face may also go to a lower face with more dice."""
    palafico_opener_may_raise_value: bool = False
    """Whether the Palafico player, on later turns of the round, may change the face."""
    palafico_lock_lifts_after_circle: bool = False
    """Whether everybody may change the face once the bidding has come round to the Palafico player."""
    palafico_ace_conversion: bool = False
    """Whether those who may change the face go to aces by half and come back by double plus one. Aces are no
    jokers even then."""
    palafico_declared: bool = False
    """Whether the seat that came down to its last die chooses, before anybody rolls. Who says no has not
    had a Palafico round, and is asked again after the next drop to one die."""
    palafico_off_when_three_single_dice: bool = False
    """Whether there is no Palafico round when three players remain with one die each."""
    raise_style: Literal["free", "one_thing"] = "free"
    """`one_thing`: more dice of the same face or the same number of a higher face, not both. Going to aces
    and coming back is not bound by it."""
    opening_aces: bool = False
    """Whether a standard round may be opened with aces."""
    ace_half_rounding: Literal["up", "down"] = "up"
    """How half an odd quantity is rounded when going to aces; at least one ace must be bid."""
    ace_return: Literal["double_plus_one", "double"] = "double_plus_one"
    """How many dice of a number it takes at least to come back from aces."""
    cap_bid_to_dice: bool = True
    """Whether a bid is bounded by the dice in play, or with hidden counts by the dice at the start."""
    exact_dudo_loser: Literal["doubter", "bidder"] = "doubter"
    """Who loses when a doubted bid is exactly right."""
    loss_amount: Literal[1, "difference"] = 1
    """Dice lost by a wrong bid, doubt or Calza: one, or the difference between bid and count, at least one
    and at most what the seat has. Any loss that leaves one die is a drop to the last die."""
    lost_die_goes_to: Literal["bag", "opponent"] = "bag"
    """`opponent`: the winner of a doubt takes the lost dice, up to `dice_per_player`; the rest stays in the
    bag."""
    show_dice_counts: bool = True
    """Whether views say how many dice each seat and the bag hold. If not, each seat knows its own only, and
    everybody what the last reveal showed."""


PRESETS: Final[dict[str, dict[str, Any]]] = {
    "pressman_2008": {},
    "pressman_2008_calza": {"calza": True},
    "asmodee": {
        "start_rule": "random",
        "raise_style": "one_thing",
        "palafico_exempt": "nobody",
        "palafico_two_players": True,
    },
    "dudo": {"palafico_exempt": "nobody", "calza": True, "calza_success_effect": "bidder_loses"},
}
"""Options by name (perudo.md §14, §15): what differs from the defaults."""


# Table and hand


class StandingBid(msgspec.Struct, frozen=True):
    """A bid and the seat that made it."""

    seat: int
    quantity: int
    face: int


class RollOff(msgspec.Struct, frozen=True):
    """One attempt of the roll for the start: which seats rolled, and what each of them rolled."""

    seats: tuple[int, ...]
    rolls: tuple[tuple[int, ...], ...]


class Reveal(msgspec.Struct):
    """How a round ended: who called what on which bid, all hands by seat, and what came of it.

    `order` is the order of showing; `count` is how many dice fulfil the bid, with aces as jokers if `wild`.
    `changes` has the dice that each seat concerned lost (negative) or regained; 0 for a right Calza of a seat
    that has all its dice.
    """

    round: int
    kind: Kind
    call: Literal["dudo", "calza"]
    caller: int
    bid: StandingBid
    hands: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    wild: bool
    count: int
    changes: dict[int, int] = {}


class Table(BaseTable):
    """What everybody sees.

    `dice` by seat and `bag` are null when counts are hidden. `turn` is the seat that is waited for, null
    after the end; while `declaring` it has to say whether the round becomes a Palafico round. `bid` stands
    now and is the last of `bids`, this round's in order. `roll_off` is shown during round 1.
    """

    dice: list[int] | None
    bag: int | None
    round: int = 0
    kind: Kind = "standard"
    starter: int | None = None
    palafico_seat: int | None = None
    palafico_done: list[int] = msgspec.field(default_factory=list)
    declaring: bool = False
    turn: int | None = None
    bid: StandingBid | None = None
    bids: list[StandingBid] = msgspec.field(default_factory=list)
    eliminated: list[int] = msgspec.field(default_factory=list)
    roll_off: list[RollOff] = msgspec.field(default_factory=list)
    last_reveal: Reveal | None = None


class Hand(msgspec.Struct):
    """A seat's own dice under its cup; empty once they are revealed."""

    dice: tuple[int, ...] = ()


# Offers


class BidOffer(Offer, of=Bid):
    """The bids open to this seat: for each face that may be bid the lowest and the highest quantity."""

    quantities: dict[int, tuple[int, int]]

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Bid) or action.face not in self.quantities:
            return False
        lowest, highest = self.quantities[action.face]
        return lowest <= action.quantity <= highest

    def sample(self, random: Random) -> Bid:
        """A face by chance, and the lowest quantity or, each step half as likely, more."""
        face = random.choice(tuple(self.quantities))
        quantity, highest = self.quantities[face]
        while quantity < highest and random.random() < 0.5:
            quantity += 1
        return Bid(quantity=quantity, face=face)


class DudoOffer(Offer, of=Dudo):
    """This seat may doubt the standing bid."""


class CalzaOffer(Offer, of=Calza):
    """This seat may call the standing bid exact."""


class DeclareOffer(Offer, of=Declare):
    """This seat says whether the round becomes a Palafico round."""

    def sample(self, random: Random) -> Declare:
        return Declare(palafico=random.random() < 0.5)
