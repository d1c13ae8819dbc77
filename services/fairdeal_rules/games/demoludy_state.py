"""Demoludy: a game's state, how events change it, and what has to hold of it (demoludy.md §3, §12)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairdeal.games.demoludy import (
    ActionPlayed,
    AuctionOpened,
    AuctionWon,
    CardDrawn,
    CardsPlaced,
    CardsSwapped,
    CardTaken,
    DeckReshuffled,
    DollarAsked,
    HandDealt,
    Options,
    Phase,
    SeatLeft,
    StarterDrawn,
    StartSkipped,
    TableDiscarded,
    TakenBack,
    TargetReached,
    TokenReturned,
    TokenTaken,
    TopRevealed,
    TurnEnded,
    Withdrawn,
)
from fairdeal.games.demoludy_cards import TEN, Front, add, left_of, pack, remove, worth
from fairdeal.games.foreign_goods import COLOURS, GOODS, Colour

Cards = dict[str, int]
"""How many there are of each card; what is not there is left out, except in the deck."""


class State:
    """A game of Demoludy, secrets and all. Only `evolve` changes it."""

    __slots__ = (
        "bidders",
        "cars",
        "deck",
        "deck_left",
        "discard",
        "hand_sizes",
        "hands",
        "hidden",
        "hidden_counts",
        "hiding",
        "options",
        "phase",
        "places",
        "played",
        "played_by",
        "playing",
        "prize",
        "reached",
        "rows",
        "seen",
        "starter",
        "tens",
        "turn",
        "unseen",
    )

    def __init__(self, options: Options, seats: int) -> None:
        self.options = options
        self.phase: Phase = "opening"
        self.playing = list(range(seats))
        """The seats that still play, ascending."""
        self.places = [0] * seats
        """The places that are decided, 0 for none yet."""
        self.reached: list[int] = []
        """The seats that reached the target, the first one first."""
        self.deck: Cards = pack(options.variant_actions)
        """The pool that cards are drawn from, in canonical order, with zeros: nobody holds its order."""
        self.deck_left = sum(self.deck.values())
        self.discard: Cards = {}
        self.hands: list[Cards] = [{} for _ in range(seats)]
        self.hand_sizes = [0] * seats
        self.seen: dict[Colour, list[str]] = {colour: [] for colour in COLOURS}
        """Each stack's tokens that somebody saw, the top last."""
        self.unseen: dict[Colour, list[str]] = {colour: [] for colour in COLOURS}
        """The tokens that lie under those in an order that nobody knows, in canonical order."""
        for token, good in GOODS.items():
            (self.unseen if options.variant_points else self.seen)[good.colour].append(token)
        self.cars: list[dict[Colour, str]] = [{} for _ in range(seats)]
        self.starter = 0
        self.turn = 0
        """The seat that is waited for, in every phase."""
        self.prize: str | None = None
        self.bidders: list[int] = []
        """The seats in the auction, ascending."""
        self.rows: list[list[str]] = [[] for _ in range(seats)]
        """Each seat's face-up cards on the table, the earliest first."""
        self.played_by: list[list[int]] = [[] for _ in range(seats)]
        """For each card of `rows` the seat that laid it: the Bazaar may have moved it since."""
        self.hidden: list[Cards] = [{} for _ in range(seats)]
        self.hidden_counts = [0] * seats
        self.tens: list[int] = []
        """The seats that laid a $10 face-up in this auction and whose $10 nobody took back."""
        self.played = 0
        """Cards played in the turn that goes on."""
        self.hiding = False
        """Whether cards were laid face-down in the turn that goes on."""

    def front(self) -> Front:
        """The table as the action cards see it."""
        return Front(
            self.rows,
            self.hidden_counts,
            self.hand_sizes,
            self.bidders,
            self.options.last_card_counts_hidden,
        )

    def total(self, seat: int) -> int:
        """What a seat has bid: its face-up cards' values and one for each face-down card."""
        return worth(self.rows[seat], self.hidden_counts[seat])

    def to_beat(self, seat: int) -> int:
        """The highest total of the other seats in the auction."""
        return max([self.total(other) for other in self.bidders if other != seat], default=0)


# Evolve: cards


def _starter_drawn(state: State, event: StarterDrawn) -> None:
    state.starter = state.turn = event.seat


def _hand_dealt(state: State, event: HandDealt) -> None:
    assert event.cards is not None
    for card in event.cards:
        _draw(state, event.seat, card)


def _card_drawn(state: State, event: CardDrawn) -> None:
    assert event.card is not None
    _draw(state, event.seat, event.card)


def _draw(state: State, seat: int, card: str) -> None:
    state.deck[card] -= 1
    state.deck_left -= 1
    add(state.hands[seat], card)
    state.hand_sizes[seat] += 1


def _deck_reshuffled(state: State, event: DeckReshuffled) -> None:
    for card, count in state.discard.items():
        state.deck[card] += count
    state.deck_left += event.count
    state.discard = {}


def _card_taken(state: State, event: CardTaken) -> None:
    assert event.card is not None
    _give(state, event.source, event.seat, event.card)


def _dollar_asked(state: State, event: DollarAsked) -> None:
    if event.card is not None:
        _give(state, event.target_seat, event.seat, event.card)


def _give(state: State, source: int, seat: int, card: str) -> None:
    remove(state.hands[source], card)
    state.hand_sizes[source] -= 1
    add(state.hands[seat], card)
    state.hand_sizes[seat] += 1


# Evolve: the auction


def _auction_opened(state: State, event: AuctionOpened) -> None:
    state.prize = state.seen[GOODS[event.token].colour].pop()
    state.bidders = state.playing.copy()
    state.phase = "bidding"
    _lay(state, event)
    _next_turn(state, event.seat)


def _cards_placed(state: State, event: CardsPlaced) -> None:
    _lay(state, event)
    state.played += len(event.cards) + event.hidden_count
    if event.hidden_count:
        state.hiding = True


def _lay(state: State, event: AuctionOpened | CardsPlaced) -> None:
    seat = event.seat
    hand = state.hands[seat]
    for card in event.cards:
        remove(hand, card)
        state.rows[seat].append(card)
        state.played_by[seat].append(seat)
        if card == TEN:
            state.tens.append(seat)
    assert event.hidden is not None
    for card, count in event.hidden.items():
        remove(hand, card, count)
        add(state.hidden[seat], card, count)
    state.hidden_counts[seat] += event.hidden_count
    state.hand_sizes[seat] -= len(event.cards) + event.hidden_count


def _next_turn(state: State, seat: int) -> None:
    state.played = 0
    state.hiding = False
    if state.bidders:
        state.turn = left_of(state.bidders, seat)


def _turn_ended(state: State, event: TurnEnded) -> None:
    _next_turn(state, event.seat)


def _withdrawn(state: State, event: Withdrawn) -> None:
    seat = event.seat
    _clear(state, seat)
    state.bidders.remove(seat)
    if state.turn == seat:
        _next_turn(state, seat)
    if event.owes_token:
        state.phase = "returning"
        state.turn = seat


def _clear(state: State, seat: int) -> None:
    """Put all cards that a seat has on the table on the discard."""
    for card in state.rows[seat]:
        add(state.discard, card)
    for card, count in state.hidden[seat].items():
        add(state.discard, card, count)
    state.rows[seat] = []
    state.played_by[seat] = []
    state.hidden[seat] = {}
    state.hidden_counts[seat] = 0


def _start_skipped(state: State, event: StartSkipped) -> None:
    state.played = 0
    state.starter = state.turn = left_of(state.playing, event.seat)


def _auction_won(state: State, event: AuctionWon) -> None:
    _clear(state, event.seat)
    state.bidders = []
    state.tens = []
    state.played = 0
    state.hiding = False
    state.phase = "swapping"
    state.starter = state.turn = event.seat


# Evolve: action cards


def _action_played(state: State, event: ActionPlayed) -> None:
    remove(state.hands[event.seat], event.card)
    state.hand_sizes[event.seat] -= 1
    add(state.discard, event.card)
    state.played += 1


def _table_discarded(state: State, event: TableDiscarded) -> None:
    for position in reversed(event.positions):
        add(state.discard, state.rows[event.seat].pop(position))
        state.played_by[event.seat].pop(position)


def _taken_back(state: State, event: TakenBack) -> None:
    state.rows[event.seat].pop(event.position)
    state.played_by[event.seat].pop(event.position)
    add(state.hands[event.seat], event.card)
    state.hand_sizes[event.seat] += 1
    if event.card == TEN:
        state.tens.remove(event.played_by)


def _cards_swapped(state: State, event: CardsSwapped) -> None:
    own, other = event.position, event.target_position
    for lists in (state.rows, state.played_by):
        mine: list[Any] = lists[event.seat]
        theirs: list[Any] = lists[event.target_seat]
        mine[own], theirs[other] = theirs[other], mine[own]


# Evolve: tokens and seats


def _top_revealed(state: State, event: TopRevealed) -> None:
    colour = GOODS[event.token].colour
    state.unseen[colour].remove(event.token)
    state.seen[colour].append(event.token)


def _token_taken(state: State, event: TokenTaken) -> None:
    state.cars[event.seat][GOODS[event.token].colour] = event.token
    _prize_gone(state)


def _token_returned(state: State, event: TokenReturned) -> None:
    colour = GOODS[event.token].colour
    state.seen[colour].append(event.token)
    if event.seat is None:
        _prize_gone(state)
        return
    del state.cars[event.seat][colour]
    if state.phase == "returning" and state.turn == event.seat:
        state.phase = "bidding"
        _next_turn(state, event.seat)


def _prize_gone(state: State) -> None:
    state.prize = None
    state.tens = []  # also of an auction that nobody won
    state.phase = "opening"
    state.turn = state.starter


def _target_reached(state: State, event: TargetReached) -> None:
    state.reached.append(event.seat)
    state.places[event.seat] = event.place


def _seat_left(state: State, event: SeatLeft) -> None:
    seat = event.seat
    for card, count in state.hands[seat].items():
        add(state.discard, card, count)
    state.hands[seat] = {}
    state.hand_sizes[seat] = 0
    state.places[seat] = event.place
    state.playing.remove(seat)
    if state.starter == seat:
        state.starter = left_of(state.playing, seat)
        if state.phase == "opening":
            state.turn = state.starter
            state.played = 0


FOLDS: dict[type, Callable[[State, Any], None]] = {
    StarterDrawn: _starter_drawn,
    TopRevealed: _top_revealed,
    HandDealt: _hand_dealt,
    AuctionOpened: _auction_opened,
    CardsPlaced: _cards_placed,
    TurnEnded: _turn_ended,
    Withdrawn: _withdrawn,
    StartSkipped: _start_skipped,
    DeckReshuffled: _deck_reshuffled,
    CardDrawn: _card_drawn,
    ActionPlayed: _action_played,
    CardTaken: _card_taken,
    DollarAsked: _dollar_asked,
    TableDiscarded: _table_discarded,
    TakenBack: _taken_back,
    CardsSwapped: _cards_swapped,
    AuctionWon: _auction_won,
    TokenTaken: _token_taken,
    TokenReturned: _token_returned,
    TargetReached: _target_reached,
    SeatLeft: _seat_left,
}


# Invariants


def invariants(state: State) -> Iterator[tuple[str, bool]]:
    """What has to hold of one state (demoludy.md §12), each with whether it does."""
    options = state.options
    yield from _cards_are_conserved(state)
    yield "each token is in exactly one place", sorted(_all_tokens(state)) == sorted(GOODS)
    for colour in COLOURS:
        in_stack = state.seen[colour] + state.unseen[colour]
        yield f"the {colour} stack holds its own colour", all(GOODS[t].colour == colour for t in in_stack)
        yield f"the top of the {colour} stack is seen", bool(state.seen[colour] or not state.unseen[colour])
    for seat, car in enumerate(state.cars):
        yield f"car {seat} holds at most the target", len(car) <= options.countries_target
        yield f"car {seat} holds a token a colour", all(GOODS[t].colour == c for c, t in car.items())
        full = len(car) == options.countries_target and not options.variant_points
        yield f"car {seat} is full only of a winner", not full or seat in state.reached
    for seat in range(len(state.rows)):
        bare = not (state.rows[seat] or state.hidden_counts[seat])
        yield f"seat {seat} is out of the auction and has no table cards", seat in state.bidders or bare
        yield f"seat {seat} has an author for each card", len(state.rows[seat]) == len(state.played_by[seat])
    yield "no seat's $10 counts twice", len(state.tens) == len(set(state.tens))
    yield "at most one $10 in an auction", len(state.tens) <= 1 or options.ten_limit == "per_player"
    yield "only seats that play bid", set(state.bidders) <= set(state.playing)
    yield "there is a prize unless it is yet to be named", (state.prize is None) == (state.phase == "opening")
    if len(state.playing) > 1 and (options.play_on or not state.reached):
        yield "the seat that is waited for plays", state.turn in state.playing
        bids = state.phase != "bidding" or (state.turn in state.bidders and len(state.bidders) > 1)
        yield "the seat on turn is in an auction with others", bids


def _cards_are_conserved(state: State) -> Iterator[tuple[str, bool]]:
    found: Cards = dict.fromkeys(state.deck, 0)
    piles: list[Mapping[str, int]] = [state.deck, state.discard, *state.hands, *state.hidden]
    for pile in piles:
        for card, count in pile.items():
            found[card] += count
    for row in state.rows:
        for card in row:
            found[card] += 1
    yield "each card is in exactly one place", found == pack(state.options.variant_actions)
    yield "the deck is as high as its cards", state.deck_left == sum(state.deck.values())
    for seat, hand in enumerate(state.hands):
        yield f"hand {seat} is as big as its cards", state.hand_sizes[seat] == sum(hand.values())
        hidden = sum(state.hidden[seat].values())
        yield f"seat {seat} has as many face-down cards as counted", state.hidden_counts[seat] == hidden
        yield f"hand {seat} counts no card that is not there", all(count > 0 for count in hand.values())


def _all_tokens(state: State) -> Iterator[str]:
    for colour in COLOURS:
        yield from state.seen[colour]
        yield from state.unseen[colour]
    for car in state.cars:
        yield from car.values()
    if state.prize is not None:
        yield state.prize
