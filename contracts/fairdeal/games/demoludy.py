"""Demoludy: what is said. Actions, events, options, table, hand and offers (demoludy.md).

Seats bid with cards for foreign goods; who has goods from four countries wins. Cards and tokens travel as
their ids (`P-red-3`, `USD10`, `policeman`; `G-red-5`), face-down cards and hands as how many of each. A
position is where a card lies in a seat's row of face-up cards, counted from 0, the earliest played.
"""

from typing import Annotated, Final, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.games.demoludy_cards import PRODUCTS, worth
from fairdeal.games.demoludy_laying import lay_by_chance, may_lay
from fairdeal.games.foreign_goods import Colour
from fairdeal.view import Offer, Random
from fairdeal.view import Table as BaseTable
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by

MAX_CARDS: Final = 110
"""As many cards as there are."""

Phase = Literal["opening", "bidding", "swapping", "returning"]
"""`opening`: the starter names the goods to bid for. `bidding`: the seats raise or withdraw. `swapping`: the
winner has four other countries and keeps the new goods out or swaps. `returning`: a seat that lost with a $10
gives back a token (`ten_loss_penalty`)."""

Cards = Annotated[tuple[str, ...], msgspec.Meta(max_length=MAX_CARDS)]
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_CARDS)]
Position = Annotated[int, msgspec.Meta(ge=0)]


# Actions. Each is refused with `out_of_game`, `wrong_phase` or `not_your_turn` where it is not for this seat.


class Open(Action):
    """Open an auction for the token on top of a colour's stack, which ends the turn (demoludy.md §5.1).

    `cards` are laid face-up in this order, `hidden` face-down. Refused: `stack_empty`, `wrong_colour`,
    `no_product`, `not_in_hand`, `ten_used`, `products_only`.
    """

    colour: Colour
    cards: Cards
    hidden: dict[str, Count] = msgspec.field(default_factory=dict)


class SkipOpen(Action):
    """Leave the opening to the left for want of a product that could open (§5.8). Refused: `can_open`."""


class Place(Action):
    """Lay cards, `cards` face-up in this order and `hidden` face-down; the turn goes on (demoludy.md §5.2).

    Refused: `nothing_placed`, `wrong_colour`, `not_in_hand`, `ten_used`, `hidden_used`, `products_only`.
    """

    cards: Cards = ()
    hidden: dict[str, Count] = msgspec.field(default_factory=dict)


class PlayAction(Action):
    """Play an action card for what it does; the turn goes on (demoludy.md §7).

    What the card needs is named and nothing else: a seat, the position of an own face-up card, the position
    of a face-up card of that seat. Refused: `no_action_cards`, `not_in_hand`, `not_an_action_card`,
    `cannot_be_carried_out`, `bad_target`.
    """

    card: str
    target_seat: Position | None = None
    own_card: Position | None = None
    target_card: Position | None = None


class EndTurn(Action):
    """End the turn as the highest bidder. Refused: `no_card_played`, `not_highest`."""


class Withdraw(Action):
    """Leave the auction; all own cards on the table go to the discard."""


class Bid(Action):
    """`place` and `end_turn` at once. Refused like these: nothing is laid if the bid would not be highest."""

    cards: Cards = ()
    hidden: dict[str, Count] = msgspec.field(default_factory=dict)


class KeepOut(Action):
    """Put the goods just won back on top of their stack (demoludy.md §6)."""


class Swap(Action):
    """Exchange the own token of this colour, which goes back on its stack, for the goods just won.

    Refused: `not_owned`.
    """

    colour: Colour


class ReturnToken(Action):
    """Give back the own token of this colour for a $10 that lost. Refused: `not_owned`."""

    colour: Colour


# Events


class StarterDrawn(Event):
    """The seat that opens the first auction was drawn by lot."""

    seat: Public[Drawn[int]]


class TopRevealed(Event):
    """A token nobody knew was turned up on top of its stack (Variant 1)."""

    token: Public[Drawn[str]]


class HandDealt(Event):
    """A seat was dealt its first `count` cards."""

    seat: Public[int]
    count: Public[int]
    deck_left: Public[int]
    cards: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")


class AuctionOpened(Event):
    """The token is the prize of a new auction, and the starter's first bid is `total`."""

    seat: Public[int]
    token: Public[str]
    cards: Public[tuple[str, ...]]
    hidden_count: Public[int]
    total: Public[int]
    hidden: Secret[dict[str, int]] = seen_by("seat")


class CardsPlaced(Event):
    """A seat laid cards and has `total` on the table now."""

    seat: Public[int]
    cards: Public[tuple[str, ...]]
    hidden_count: Public[int]
    total: Public[int]
    hidden: Secret[dict[str, int]] = seen_by("seat")


class TurnEnded(Event):
    """A seat is the highest bidder; the next one in the auction is on turn."""

    seat: Public[int]


class Withdrawn(Event):
    """A seat left the auction with its cards on the table, which go to the discard.

    `revealed` are its face-down cards with `reveal_hidden_on_discard`. `owes_token`: it lost with a $10 and
    has to give back a token before the auction goes on.
    """

    seat: Public[int]
    cards: Public[tuple[str, ...]]
    hidden_count: Public[int]
    revealed: Public[dict[str, int] | None]
    owes_token: Public[bool]


class StartSkipped(Event):
    """A starter could not open; the seat to the left is the starter now."""

    seat: Public[int]


class DeckReshuffled(Event):
    """The deck had run out: the discard, `count` cards, is the deck now."""

    count: Public[int]


class CardDrawn(Event):
    """A seat drew a card at the end of its turn."""

    seat: Public[int]
    deck_left: Public[int]
    card: Secret[Drawn[str]] = seen_by("seat")


class ActionPlayed(Event):
    """A seat played an action card; what it does follows."""

    seat: Public[int]
    card: Public[str]
    target_seat: Public[int | None]


class CardTaken(Event):
    """Policeman: `seat` took a card by chance out of the hand of `source`."""

    seat: Public[int]
    source: Public[int]
    card: Secret[Drawn[str]] = seen_by("seat", "source")


class DollarAsked(Event):
    """Money Changer: `seat` asked `target_seat` for the highest dollar and got it if there was one.

    If there was none, `hand` proves it to the two seats, or `shown` to everybody (`money_changer_proof`).
    """

    seat: Public[int]
    target_seat: Public[int]
    answer: Public[bool]
    shown: Public[dict[str, int] | None]
    card: Secret[str] = seen_by("seat", "target_seat")
    hand: Secret[dict[str, int]] = seen_by("seat", "target_seat")


class TableDiscarded(Event):
    """The face-up cards at these positions of a seat's row went to the discard."""

    seat: Public[int]
    positions: Public[tuple[int, ...]]
    cards: Public[tuple[str, ...]]


class TakenBack(Event):
    """Petrol Station: a seat took an own face-up card back into its hand. `played_by` laid it there."""

    seat: Public[int]
    position: Public[int]
    card: Public[str]
    played_by: Public[int]


class CardsSwapped(Event):
    """Bazaar: two face-up cards changed places, each into the other's position."""

    seat: Public[int]
    position: Public[int]
    card: Public[str]
    target_seat: Public[int]
    target_position: Public[int]
    target_card: Public[str]


class AuctionWon(Event):
    """The last seat in the auction won the token; its cards on the table go to the discard."""

    seat: Public[int]
    token: Public[str]
    cards: Public[tuple[str, ...]]
    hidden_count: Public[int]
    revealed: Public[dict[str, int] | None]


class TokenTaken(Event):
    """The winner put the prize on the own car."""

    seat: Public[int]
    token: Public[str]


class TokenReturned(Event):
    """A token went back on top of its stack: off the car of `seat`, or the prize if that is null."""

    token: Public[str]
    seat: Public[int | None]


class TargetReached(Event):
    """A seat has what it takes to win."""

    seat: Public[int]
    place: Public[int]


class SeatLeft(Event):
    """A seat plays no longer and has this place; its `count` hand cards go to the discard unseen."""

    seat: Public[int]
    place: Public[int]
    count: Public[int]


# Options


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (demoludy.md §13). The defaults are the basic game."""

    variant_points: bool = False
    """Variant 1: stacks are face-down but for their top, and the goods' values count."""
    variant_actions: bool = False
    """Variant 2: with action cards."""
    points_target: Annotated[int, msgspec.Meta(ge=1, le=16)] = 10
    """The sum of values that it takes to win in Variant 1: at most 4 for each country, 3 with two seats."""
    countries_target: Annotated[int, msgspec.Meta(ge=1, le=4)] = 4
    """From how many countries it takes goods to win; no car holds goods from more."""
    hand_size: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    """Cards dealt to each seat but the starter."""
    starter_hand: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    """Cards dealt to the first starter."""
    ten_limit: Literal["per_auction", "per_player"] = "per_auction"
    """Whether one $10 may be laid face-up in an auction, or one by each seat."""
    ten_loss_penalty: bool = False
    """Whether a seat that laid a $10 face-up and withdraws gives back a token of its choice, if it has any."""
    hidden_any_card: bool = True
    """Whether any card may be laid face-down; if not, products only."""
    reveal_hidden_on_discard: bool = False
    """Whether face-down cards are shown when they go to the discard."""
    money_changer_proof: Literal["asker", "all", "none"] = "asker"
    """To whom a seat without dollars shows its hand."""
    last_card_counts_hidden: bool = True
    """Whether face-down cards count as cards in front of a seat, so that it may lose its last face-up one."""
    play_on: bool = False
    """Whether the others go on for places after the first win; who has a place leaves with the goods."""
    min_players: Literal[2, 3] = 3
    """The fewest seats; 2 is an experiment."""


# Table and hand


class Row(msgspec.Struct):
    """A seat's cards on the table: face-up in the order of playing, how many face-down, their total."""

    cards: list[str] = []
    hidden: int = 0
    total: int = 0


class Stack(msgspec.Struct):
    """A colour's tokens on the passport: those that were seen, the top last, on how many that were not."""

    seen: list[str] = []
    unseen: int = 0


class Shown(msgspec.Struct, frozen=True):
    """A hand as its seat last showed it to prove that it held no dollar."""

    seat: int
    cards: dict[str, int]


class Table(BaseTable):
    """What everybody sees.

    `turn` is the seat that is waited for in each phase, null after the end. `discard` holds the cards seen in
    the discard and `discard_unseen` counts the others. `cars` have each seat's tokens as they came. `bidders`
    are the seats in the auction. `tens` are the seats whose $10 blocks another one. In the turn that goes on
    `played` cards were played so far, and `hiding` says whether face-down ones were among them. `places` has
    the seats that play no longer.
    """

    hands: list[int]
    deck: int
    stacks: dict[Colour, Stack]
    cars: list[list[str]]
    rows: list[Row]
    phase: Phase = "opening"
    starter: int | None = None
    turn: int | None = None
    discard: dict[str, int] = msgspec.field(default_factory=dict)
    discard_unseen: int = 0
    prize: str | None = None
    bidders: list[int] = msgspec.field(default_factory=list)
    tens: list[int] = msgspec.field(default_factory=list)
    played: int = 0
    hiding: bool = False
    places: dict[int, int] = msgspec.field(default_factory=dict)
    shown: Shown | None = None


class Hand(msgspec.Struct):
    """A seat's own cards: in the hand, and face-down on the table. `shown` is what another seat showed it."""

    cards: dict[str, int] = {}
    hidden: dict[str, int] = {}
    shown: Shown | None = None


# Offers


class OpenOffer(Offer, of=Open):
    """The colours that may be opened, each with the own products for it, of which at least one is laid.

    With them may go `dollars`, of which at most `tens` are $10, and face-down any of `hidden`.
    """

    colours: dict[Colour, dict[str, int]]
    dollars: dict[str, int]
    tens: int
    hidden: dict[str, int]

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Open) or action.colour not in self.colours:
            return False
        if not any(card in PRODUCTS for card in action.cards):
            return False
        face_up = self.colours[action.colour] | self.dollars
        return may_lay(face_up, self.tens, self.hidden, action.cards, action.hidden)

    def sample(self, random: Random) -> Open:
        """A colour by chance, one product and, each half as likely, more cards."""
        colour = random.choice(tuple(self.colours))
        product = random.choice(tuple(self.colours[colour]))
        face_up = self.colours[colour] | self.dollars
        cards, hidden = lay_by_chance(random, face_up, self.tens, self.hidden, 0, product)
        return Open(colour, cards, hidden)


class SkipOpenOffer(Offer, of=SkipOpen):
    """This seat cannot open and leaves it to the left."""


class PlaceOffer(Offer, of=Place):
    """The own cards that may be laid, at least one: face-up `cards`, at most `tens` $10; face-down `hidden`."""

    cards: dict[str, int]
    tens: int
    hidden: dict[str, int]

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Place) or not (action.cards or action.hidden):
            return False
        return may_lay(self.cards, self.tens, self.hidden, action.cards, action.hidden)

    def sample(self, random: Random) -> Place:
        """A card by chance and, each half as likely, more."""
        return Place(*lay_by_chance(random, self.cards, self.tens, self.hidden, 1))


class BidOffer(Offer, of=Bid):
    """As for `place`, but what is laid has to be worth `at_least` so much."""

    cards: dict[str, int]
    tens: int
    hidden: dict[str, int]
    at_least: int

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Bid):
            return False
        if not may_lay(self.cards, self.tens, self.hidden, action.cards, action.hidden):
            return False
        return worth(action.cards, sum(action.hidden.values())) >= self.at_least

    def sample(self, random: Random) -> Bid:
        """Cards by chance until it is enough and, each half as likely, more."""
        return Bid(*lay_by_chance(random, self.cards, self.tens, self.hidden, self.at_least))


class Targets(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an action card is played on.

    One of `seats` has to be named, each with how many of its face-up cards may be (0: none is); without
    `seats` none is named. `own_cards` is how many own face-up cards may be named (0: none is).
    """

    seats: dict[int, int] = {}
    own_cards: int = 0

    def admit(self, target_seat: int | None, own_card: int | None, target_card: int | None) -> bool:
        """Whether these may be named."""
        if not (self.own_cards > own_card >= 0 if own_card is not None else not self.own_cards):
            return False
        if target_seat is None:
            return not self.seats and target_card is None
        cards = self.seats.get(target_seat)
        if cards is None:
            return False
        return cards > target_card >= 0 if target_card is not None else not cards


class PlayActionOffer(Offer, of=PlayAction):
    """The own action cards that can be carried out, each with what it is played on."""

    cards: dict[str, Targets]

    def admits(self, action: Action) -> bool:
        if not isinstance(action, PlayAction) or action.card not in self.cards:
            return False
        return self.cards[action.card].admit(action.target_seat, action.own_card, action.target_card)

    def sample(self, random: Random) -> PlayAction:
        """A card and what it is played on, by chance."""
        card = random.choice(tuple(self.cards))
        targets = self.cards[card]
        seat = random.choice(tuple(targets.seats)) if targets.seats else None
        named = targets.seats[seat] if seat is not None else 0
        return PlayAction(
            card,
            target_seat=seat,
            own_card=random.randrange(targets.own_cards) if targets.own_cards else None,
            target_card=random.randrange(named) if named else None,
        )


class EndTurnOffer(Offer, of=EndTurn):
    """This seat has played and is highest: it may end its turn."""


class WithdrawOffer(Offer, of=Withdraw):
    """This seat may leave the auction."""


class KeepOutOffer(Offer, of=KeepOut):
    """The winner may put the goods just won back."""


class SwapOffer(Offer, of=Swap):
    """The colours of the own tokens that may be exchanged for the goods just won."""

    colours: tuple[Colour, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Swap) and action.colour in self.colours

    def sample(self, random: Random) -> Swap:
        return Swap(random.choice(self.colours))


class ReturnTokenOffer(Offer, of=ReturnToken):
    """The colours of the own tokens of which one has to be given back."""

    colours: tuple[Colour, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, ReturnToken) and action.colour in self.colours

    def sample(self, random: Random) -> ReturnToken:
        return ReturnToken(random.choice(self.colours))
