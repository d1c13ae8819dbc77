"""Demoludy: what is allowed (demoludy.md)."""

from collections.abc import Callable, Sequence
from typing import Any

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import demoludy
from fairdeal.games.demoludy import (
    ActionPlayed,
    AuctionOpened,
    AuctionWon,
    Bid,
    CardDrawn,
    CardsPlaced,
    DeckReshuffled,
    EndTurn,
    HandDealt,
    KeepOut,
    Open,
    Phase,
    Place,
    PlayAction,
    ReturnToken,
    SeatLeft,
    SkipOpen,
    StarterDrawn,
    StartSkipped,
    Swap,
    TargetReached,
    Targets,
    TokenReturned,
    TokenTaken,
    TopRevealed,
    TurnEnded,
    Withdraw,
    Withdrawn,
)
from fairdeal.games.demoludy_cards import ACTION_CARDS, PRODUCTS, TEN, fits, worth
from fairdeal.games.foreign_goods import COLOURS, GOODS, Colour
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.games.demoludy_effects import EFFECTS
from fairdeal_rules.games.demoludy_state import FOLDS, Cards, State, invariants
from fairdeal_rules.ruleset import Emit, Ruleset


class Rules(Ruleset[State, demoludy.Options]):
    name = "demoludy"
    version = 1
    players = (3, 5)
    Options = demoludy.Options

    def check_seats(self, options: demoludy.Options, seats: int) -> None:
        if seats != 2 or options.min_players != 2:
            super().check_seats(options, seats)

    def check_options(self, options: demoludy.Options, seats: int) -> None:
        # A stack can be dug up only as far as the seats' cars take what lies above, and all fives are as good
        # as never on one car.
        highest = 4 if seats > 2 else 3
        if options.variant_points and options.points_target > highest * options.countries_target:
            raise Rejected(
                "bad_options",
                f"{options.points_target} points may never be reached: with {seats} seats {options.countries_target} "
                f"tokens are to be worth at most {highest * options.countries_target}",
                path="$.action.options.points_target",
            )

    # Opening

    def open(self, options: demoludy.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        """Draw the starter, turn up the tops in Variant 1, then deal seat by seat (demoludy.md §2)."""
        options = state.options
        emit(StarterDrawn(seat=dealer.below(len(state.hands))))
        for colour in COLOURS:
            _reveal_top(state, colour, dealer, emit)
        for seat in range(len(state.hands)):
            count = options.starter_hand if seat == state.starter else options.hand_size
            cards = dealer.cards(state.deck, count)
            emit(HandDealt(seat=seat, count=count, deck_left=state.deck_left - count, cards=cards))

    def evolve(self, state: State, event: Event) -> None:
        fold = FOLDS.get(type(event))
        if fold is not None:
            fold(state, event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        _DECISIONS[type(action)](state, seat, action, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """Open as cheaply as can be or skip, end the turn or withdraw, keep out, return the least token."""
        return [(state.turn, _OVERDUE[state.phase](state, state.turn))]

    def outcome(self, state: State) -> Outcome | None:
        """The first to reach the target wins; with `play_on` the others play for places until one is left.

        They also stop when the goods that are left cannot be worth the target any more. Who has no place then
        shares the next one. A seat that resigned is behind all that still played.
        """
        over = len(state.playing) == 1 or (bool(state.reached) and not state.options.play_on)
        if not over and not _out_of_reach(state):
            return None
        next_place = len(state.reached) + 1
        places = tuple([place or next_place for place in state.places])
        winners = tuple([seat for seat, place in enumerate(places) if place == 1])
        reason = "target_reached" if state.reached else "last_seat"
        return Outcome(winners=winners, places=places, scores=None, reason=reason)

    def violations(self, state: State) -> list[str]:
        return [sentence for sentence, holds in invariants(state) if not holds]


def _out_of_reach(state: State) -> bool:
    """Whether the seats that took their goods with them have left the others too little for the target (§13 `play_on`).

    What lies under a token can be won only while a car holds that one: of each colour the cars and one more.
    """
    options = state.options
    if not (options.variant_points and state.reached):
        return False
    best = sorted(_best_within_reach(state, colour) for colour in COLOURS)
    return sum(best[-options.countries_target :]) < options.points_target


def _best_within_reach(state: State, colour: Colour) -> int:
    """The highest value of a colour that the seats which still play can ever win."""
    held = [state.cars[seat][colour] for seat in state.playing if colour in state.cars[seat]]
    if state.prize is not None and GOODS[state.prize].colour == colour:
        held.append(state.prize)
    within = (held + state.seen[colour][::-1])[: len(state.playing) + 1]
    if len(within) <= len(state.playing):
        within += state.unseen[colour]
    return max([GOODS[token].value for token in within], default=0)


# Drawing


def _reveal_top(state: State, colour: Colour, dealer: Dealer, emit: Emit) -> None:
    """Turn up a token that nobody knows, if the stack has no other top (demoludy.md §2.3, §6)."""
    if state.unseen[colour] and not state.seen[colour]:
        emit(TopRevealed(token=dealer.card(state.unseen[colour])))


def _draw_card(state: State, seat: int, dealer: Dealer, emit: Emit) -> None:
    """Draw the one card that ends a turn; none if deck and discard are empty (demoludy.md §5.6)."""
    if not state.deck_left:
        count = sum(state.discard.values())
        if not count:
            return
        emit(DeckReshuffled(count=count))
    emit(CardDrawn(seat=seat, deck_left=state.deck_left - 1, card=dealer.card(state.deck)))


# Decide: whose turn it is and what may be laid


def _check_turn(state: State, seat: int, *phases: Phase) -> None:
    if seat not in state.playing:
        raise Rejected("out_of_game", "This seat plays no longer")
    if state.phase not in phases:
        raise Rejected(
            "wrong_phase", f"The phase is {state.phase}: seat {state.turn} has to move", phase=state.phase
        )
    if seat != state.turn:
        raise Rejected("not_your_turn", f"It is seat {state.turn}'s turn", turn=state.turn)


def _check_laid(state: State, seat: int, colour: Colour, cards: Sequence[str], hidden: Cards) -> None:
    """Raise `Rejected` unless these may be laid at once in an auction for this colour (demoludy.md §5)."""
    laid: Cards = {}
    for card in cards:
        if not fits(card, colour):
            raise Rejected(
                "wrong_colour", f"Only {colour} products and dollars may lie face-up, not {card}", card=card
            )
        laid[card] = laid.get(card, 0) + 1
    hand = state.hands[seat]
    for card, count in laid.items():
        if count > hand.get(card, 0):
            raise _not_in_hand(card)
    for card, count in hidden.items():
        if not 0 < count <= hand.get(card, 0) - laid.get(card, 0):
            raise _not_in_hand(card)
        if card not in PRODUCTS and not state.options.hidden_any_card:
            raise Rejected("products_only", f"Only products may lie face-down, not {card}", card=card)
    if laid.get(TEN, 0) > _tens_left(state, seat):
        raise Rejected("ten_used", _TEN_LIMITS[state.options.ten_limit])
    if hidden and state.hidden_counts[seat] and not state.hiding:
        raise Rejected("hidden_used", "This seat laid cards face-down in an earlier turn of this auction")


_TEN_LIMITS = {
    "per_auction": "Only one $10 may be used in an auction",
    "per_player": "Each seat may use only one $10 in an auction",
}


def _not_in_hand(card: str) -> Rejected:
    return Rejected("not_in_hand", f"This seat has not so many {card} in its hand", card=card)


def _tens_left(state: State, seat: int) -> int:
    """How many $10 this seat may still lay face-up in this auction (demoludy.md §5.4)."""
    blocked = bool(state.tens) if state.options.ten_limit == "per_auction" else seat in state.tens
    return 0 if blocked else 1


# Decide: opening


def _open(state: State, seat: int, action: Open, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "opening")
    colour = action.colour
    if not state.seen[colour]:
        raise Rejected("stack_empty", f"There are no {colour} goods left")
    _check_laid(state, seat, colour, action.cards, action.hidden)
    if not any(card in PRODUCTS for card in action.cards):
        raise Rejected("no_product", f"An auction is opened with at least one {colour} product face-up")
    hidden_count = sum(action.hidden.values())
    emit(
        AuctionOpened(
            seat=seat,
            token=state.seen[colour][-1],
            cards=action.cards,
            hidden_count=hidden_count,
            total=worth(action.cards, hidden_count),
            hidden=action.hidden,
        )
    )
    _reveal_top(state, colour, dealer, emit)
    _draw_card(state, seat, dealer, emit)


def _skip_open(state: State, seat: int, action: SkipOpen, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "opening")
    if _openers(state, seat):
        raise Rejected("can_open", "This seat has a product that it can open with, and has to")
    emit(StartSkipped(seat=seat))
    _draw_card(state, seat, dealer, emit)


def _openers(state: State, seat: int) -> list[str]:
    """The products in a seat's hand that can open an auction (demoludy.md §5.8)."""
    return [card for card in state.hands[seat] if card in PRODUCTS and state.seen[PRODUCTS[card].colour]]


# Decide: a turn in an auction


def _place(state: State, seat: int, action: Place, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bidding")
    if not action.cards and not action.hidden:
        raise Rejected("nothing_placed", "Lay at least one card")
    _check_laid(state, seat, _prize_colour(state), action.cards, action.hidden)
    _lay(state, seat, action, emit)


def _bid(state: State, seat: int, action: Bid, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bidding")
    if not action.cards and not action.hidden:
        raise Rejected("nothing_placed", "Lay at least one card, or end the turn")
    _check_laid(state, seat, _prize_colour(state), action.cards, action.hidden)
    _check_highest(state, seat, state.total(seat) + worth(action.cards, sum(action.hidden.values())))
    _lay(state, seat, action, emit)
    emit(TurnEnded(seat=seat))
    _draw_card(state, seat, dealer, emit)


def _prize_colour(state: State) -> Colour:
    assert state.prize is not None
    return GOODS[state.prize].colour


def _lay(state: State, seat: int, action: Place | Bid, emit: Emit) -> None:
    hidden_count = sum(action.hidden.values())
    emit(
        CardsPlaced(
            seat=seat,
            cards=action.cards,
            hidden_count=hidden_count,
            total=state.total(seat) + worth(action.cards, hidden_count),
            hidden=action.hidden,
        )
    )


def _check_highest(state: State, seat: int, total: int) -> None:
    to_beat = state.to_beat(seat)
    if total <= to_beat:
        raise Rejected(
            "not_highest",
            f"{total} is not more than the highest bid, {to_beat}",
            total=total,
            to_beat=to_beat,
        )


def _end_turn(state: State, seat: int, action: EndTurn, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bidding")
    if not state.played:
        raise Rejected("no_card_played", "Play at least one card in this turn, or withdraw")
    _check_highest(state, seat, state.total(seat))
    emit(TurnEnded(seat=seat))
    _draw_card(state, seat, dealer, emit)


def _withdraw(state: State, seat: int, action: Withdraw, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bidding")
    penalty = state.options.ten_loss_penalty and seat in state.tens
    emit(_withdrawal(state, seat, owes_token=penalty and bool(state.cars[seat])))
    _draw_card(state, seat, dealer, emit)
    _settle(state, emit)


def _withdrawal(state: State, seat: int, *, owes_token: bool) -> Withdrawn:
    return Withdrawn(
        seat=seat,
        cards=tuple(state.rows[seat]),
        hidden_count=state.hidden_counts[seat],
        revealed=_revealed(state, seat),
        owes_token=owes_token,
    )


def _revealed(state: State, seat: int) -> Cards | None:
    return dict(state.hidden[seat]) if state.options.reveal_hidden_on_discard else None


def _play_action(state: State, seat: int, action: PlayAction, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "opening", "bidding")
    card = action.card
    if not state.options.variant_actions:
        raise Rejected("no_action_cards", "This table plays without action cards")
    if card not in state.hands[seat]:
        raise _not_in_hand(card)
    if card not in ACTION_CARDS:
        raise Rejected("not_an_action_card", f"{card} is no action card", card=card)
    targets = state.front().targets(card, seat)
    if targets is None:
        raise Rejected(
            "cannot_be_carried_out", f"There is nothing that {card} could be played on now", card=card
        )
    if not Targets(*targets).admit(action.target_seat, action.own_card, action.target_card):
        raise Rejected("bad_target", f"{card} cannot be played on that", card=card)
    emit(ActionPlayed(seat=seat, card=card, target_seat=action.target_seat))
    EFFECTS[card](state, seat, action, dealer, emit)


# Decide: the end of an auction


def _settle(state: State, emit: Emit) -> None:
    """End the auction if it goes on and at most one seat is left in it."""
    if state.phase != "bidding" or len(state.bidders) > 1:
        return
    if state.bidders:
        _award(state, state.bidders[0], emit)
    else:
        # The last bidder resigned while another seat had a token to give back.
        assert state.prize is not None
        emit(TokenReturned(token=state.prize, seat=None))


def _award(state: State, seat: int, emit: Emit) -> None:
    """The prize is this seat's; where that leaves a choice it is waited for (demoludy.md §5.5, §6)."""
    token, options = state.prize, state.options
    assert token is not None
    emit(
        AuctionWon(
            seat=seat,
            token=token,
            cards=tuple(state.rows[seat]),
            hidden_count=state.hidden_counts[seat],
            revealed=_revealed(state, seat),
        )
    )
    car = state.cars[seat]
    owned = car.get(GOODS[token].colour)
    if owned is None:
        if len(car) < options.countries_target:
            _take(state, seat, token, emit)
    elif options.variant_points and GOODS[token].value > GOODS[owned].value:
        emit(TokenReturned(token=owned, seat=seat))
        _take(state, seat, token, emit)
    else:
        emit(TokenReturned(token=token, seat=None))


def _take(state: State, seat: int, token: str, emit: Emit) -> None:
    """Put the prize on the car, and see whether that is the target (demoludy.md §6)."""
    emit(TokenTaken(seat=seat, token=token))
    options, car = state.options, state.cars[seat]
    if len(car) < options.countries_target:
        return
    if options.variant_points and sum([GOODS[own].value for own in car.values()]) < options.points_target:
        return
    place = len(state.reached) + 1
    emit(TargetReached(seat=seat, place=place))
    if options.play_on:
        emit(SeatLeft(seat=seat, place=place, count=state.hand_sizes[seat]))


def _keep_out(state: State, seat: int, action: KeepOut, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "swapping")
    assert state.prize is not None
    emit(TokenReturned(token=state.prize, seat=None))


def _swap(state: State, seat: int, action: Swap, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "swapping")
    given, token = _owned(state, seat, action.colour), state.prize
    assert token is not None
    emit(TokenReturned(token=given, seat=seat))
    _take(state, seat, token, emit)


def _return_token(state: State, seat: int, action: ReturnToken, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "returning")
    emit(TokenReturned(token=_owned(state, seat, action.colour), seat=seat))
    _settle(state, emit)


def _owned(state: State, seat: int, colour: Colour) -> str:
    token = state.cars[seat].get(colour)
    if token is None:
        raise Rejected("not_owned", f"This seat has no {colour} goods on its car")
    return token


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The seat's cards go to the discard and its goods back on their stacks; nobody draws."""
    if seat not in state.playing:
        raise Rejected("out_of_game", "This seat plays no longer")
    emit(Resigned(seat=seat))
    if seat in state.bidders:
        emit(_withdrawal(state, seat, owes_token=False))
    elif state.phase == "swapping" and seat == state.turn:
        assert state.prize is not None
        emit(TokenReturned(token=state.prize, seat=None))
    for token in tuple(state.cars[seat].values()):
        emit(TokenReturned(token=token, seat=seat))
    place = len(state.reached) + len(state.playing)
    emit(SeatLeft(seat=seat, place=place, count=state.hand_sizes[seat]))
    if len(state.playing) > 1:
        _settle(state, emit)


_DECISIONS: dict[type, Callable[[State, int, Any, Dealer, Emit], None]] = {
    Open: _open,
    SkipOpen: _skip_open,
    Place: _place,
    PlayAction: _play_action,
    EndTurn: _end_turn,
    Withdraw: _withdraw,
    Bid: _bid,
    KeepOut: _keep_out,
    Swap: _swap,
    ReturnToken: _return_token,
    Resign: _resign,
}


# What the clock does


def _open_cheaply(state: State, seat: int) -> Action:
    """The least product of a country that the seat lacks, if it has one: the order is the cards' own."""
    openers = set(_openers(state, seat))
    if not openers:
        return SkipOpen()
    car = state.cars[seat]
    card = min(
        [product for product in PRODUCTS.values() if product.id in openers],
        key=lambda product: (product.colour in car, product.value),
    )
    return Open(card.colour, (card.id,))


def _leave_bidding(state: State, seat: int) -> Action:
    """Both what was played in this turn and who is highest is open to all."""
    return EndTurn() if state.played and state.total(seat) > state.to_beat(seat) else Withdraw()


def _least_token(state: State, seat: int) -> Action:
    return ReturnToken(min(state.cars[seat], key=lambda colour: GOODS[state.cars[seat][colour]].value))


_OVERDUE: dict[Phase, Callable[[State, int], Action]] = {
    "opening": _open_cheaply,
    "bidding": _leave_bidding,
    "swapping": lambda state, seat: KeepOut(),
    "returning": _least_token,
}
