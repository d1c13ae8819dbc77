"""Perudo: what is allowed (perudo.md, after Pressman 2008)."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import perudo
from fairdeal.games.perudo import ACE, FACES, MAX_QUANTITY, NUMBERS, PRESETS, Kind
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.ruleset import Emit, Ruleset

Phase = Literal["bidding", "declaring"]


class State:
    """A game of Perudo, secrets and all (perudo.md §2). Only `evolve` changes it."""

    __slots__ = (
        "ace_counts",
        "active",
        "after",
        "bag",
        "bids",
        "dice",
        "eliminated",
        "hands",
        "highest",
        "kind",
        "options",
        "palafico_done",
        "phase",
        "places",
        "round",
        "starter",
        "turn",
    )

    def __init__(self, options: perudo.Options, seats: int) -> None:
        self.options = options
        self.phase: Phase = "bidding"
        self.dice = [options.dice_per_player] * seats
        self.bag = 0
        self.hands: list[tuple[int, ...]] = [()] * seats
        self.active = seats
        """How many seats have dice."""
        self.after = [(seat + 1) % seats for seat in range(seats)]
        """For each seat, eliminated or not, the next seat clockwise that has dice."""
        self.eliminated: list[int] = []
        self.places = [1] * seats
        self.palafico_done = [False] * seats
        self.round = 0
        self.kind: Kind = "standard"
        self.starter = 0
        self.turn = 0
        self.highest = 0
        """The highest quantity that may be bid in this round."""
        self.bids: list[tuple[int, int, int]] = []
        """This round's bids (quantity, face, seat); the last one stands."""
        self.ace_counts: set[int] = set()
        """The quantities that were bid on aces in this round."""


class Rules(Ruleset[State, perudo.Options]):
    name = "perudo"
    version = 1
    players = (2, 6)
    Options = perudo.Options
    presets = PRESETS

    def check_options(self, options: perudo.Options, seats: int) -> None:
        if options.calza_min_dice_fraction and not options.show_dice_counts:
            raise Rejected(
                "bad_options",
                "calza_min_dice_fraction would tell how many dice are in play, which show_dice_counts: false hides",
                path="$.action.options.calza_min_dice_fraction",
            )

    # Opening

    def open(self, options: perudo.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        _start_round(state, "standard", _first_starter(state, dealer, emit), dealer, emit)

    def evolve(self, state: State, event: Event) -> None:
        fold = _FOLDS.get(type(event))
        if fold is not None:
            fold(state, event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        _DECISIONS[type(action)](state, seat, action, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """Doubt if a bid stands, else open with one of the own most frequent number (perudo.md §12 G-20)."""
        if state.phase == "declaring":
            return [(state.turn, perudo.Declare(palafico=True))]
        if state.bids:
            return [(state.turn, perudo.Dudo())]
        return [(state.turn, perudo.Bid(quantity=1, face=max(NUMBERS, key=state.hands[state.turn].count)))]

    def outcome(self, state: State) -> Outcome | None:
        if state.active > 1:
            return None
        winner = state.after[0]
        return Outcome(winners=(winner,), places=tuple(state.places), scores=None, reason="last_with_dice")

    def violations(self, state: State) -> list[str]:
        return [
            sentence for holds, sentence in (*_dice_invariants(state), *_bid_invariants(state)) if not holds
        ]


# Opening


def _first_starter(state: State, dealer: Dealer, emit: Emit) -> int:
    """Who opens round 1; the tied highest roll again until one is highest (perudo.md §4)."""
    rule = state.options.start_rule
    contenders = range(len(state.dice))
    if rule == "seat_0":
        return 0
    if rule == "random":
        seat = dealer.below(len(contenders))
        emit(perudo.StarterDrawn(seat=seat))
        return seat
    count = 1 if rule == "one_die_tied_reroll" else 2
    tied = tuple(contenders)
    while len(tied) > 1:
        rolls = tuple(dealer.dice(count) for _ in tied)
        emit(perudo.StartRolled(seats=tied, rolls=rolls))
        highest = max(map(sum, rolls))
        tied = tuple(seat for seat, roll in zip(tied, rolls, strict=True) if sum(roll) == highest)
    return tied[0]


def _start_round(state: State, kind: Kind, starter: int, dealer: Dealer, emit: Emit) -> None:
    rolled = tuple(dealer.dice(count) for count in state.dice)
    emit(perudo.RoundStarted(round=state.round + 1, kind=kind, starter=starter, dice=rolled))


# Evolve


def _round_started(state: State, event: perudo.RoundStarted) -> None:
    state.phase = "bidding"
    state.round = event.round
    state.kind = event.kind
    state.starter = state.turn = event.starter
    state.bids = []
    state.ace_counts = set()
    state.highest = _highest_quantity(state)
    assert event.dice is not None
    state.hands = [dice or () for dice in event.dice]
    if event.kind == "palafico":
        state.palafico_done[event.starter] = True


def _highest_quantity(state: State) -> int:
    options = state.options
    if not options.cap_bid_to_dice:
        return MAX_QUANTITY
    if not options.show_dice_counts:
        # The cap at the dice in play would tell how many there are; everybody knows the start.
        return options.dice_per_player * len(state.dice)
    return sum(state.dice)


def _bid_placed(state: State, event: perudo.BidPlaced) -> None:
    state.bids.append((event.quantity, event.face, event.seat))
    state.turn = state.after[event.seat]
    if event.face == ACE:
        state.ace_counts.add(event.quantity)


def _dice_revealed(state: State, event: perudo.DiceRevealed) -> None:
    state.hands = [()] * len(state.hands)


def _die_lost(state: State, event: perudo.DieLost) -> None:
    state.dice[event.seat] -= event.lost
    state.bag += event.lost


def _die_regained(state: State, event: perudo.DieRegained) -> None:
    state.dice[event.seat] += event.gained
    state.bag -= event.gained


def _resigned(state: State, event: Resigned) -> None:
    state.bag += state.dice[event.seat]
    state.dice[event.seat] = 0


def _player_eliminated(state: State, event: perudo.PlayerEliminated) -> None:
    state.hands[event.seat] = ()
    state.active -= 1
    state.eliminated.append(event.seat)
    state.places[event.seat] = event.place
    following = next(seat for seat, count in enumerate(state.dice) if count)
    for seat in reversed(range(len(state.dice))):
        state.after[seat] = following
        if state.dice[seat]:
            following = seat


def _palafico_earned(state: State, event: perudo.PalaficoEarned) -> None:
    state.phase = "declaring"
    state.turn = event.seat
    state.starter = event.starter


_FOLDS: dict[type, Callable[[State, Any], None]] = {
    perudo.RoundStarted: _round_started,
    perudo.BidPlaced: _bid_placed,
    perudo.DiceRevealed: _dice_revealed,
    perudo.DieLost: _die_lost,
    perudo.DieRegained: _die_regained,
    Resigned: _resigned,
    perudo.PlayerEliminated: _player_eliminated,
    perudo.PalaficoEarned: _palafico_earned,
}


# Decide: bids


def _bid(state: State, seat: int, action: perudo.Bid, dealer: Dealer, emit: Emit) -> None:
    _check_phase(state, seat, "bidding")
    _check_turn(state, seat)
    _check_bid(state, seat, action.quantity, action.face)
    emit(perudo.BidPlaced(seat=seat, quantity=action.quantity, face=action.face))


def _check_phase(state: State, seat: int, phase: Phase) -> None:
    if state.phase != phase:
        now = (
            f"Seat {state.turn} has to declare first"
            if state.phase == "declaring"
            else "A round is being played"
        )
        raise Rejected("wrong_phase", now)
    if not state.dice[seat]:
        raise Rejected("eliminated", "This seat has no dice any more")


def _check_turn(state: State, seat: int) -> None:
    if seat != state.turn:
        raise Rejected("not_your_turn", f"It is seat {state.turn}'s turn", turn=state.turn)


def _check_bid(state: State, seat: int, quantity: int, face: int) -> None:
    """Raise `Rejected` for a bid that may not be made, the first failing test naming it (perudo.md §5, §11)."""
    options = state.options
    if face not in FACES:
        raise Rejected("face_out_of_range", f"A die has no face {face}; its faces are 1 to 6")
    if not 1 <= quantity <= state.highest:
        raise Rejected(
            "quantity_out_of_range",
            f"A bid is for 1 to {state.highest} dice, not {quantity}",
            highest=state.highest,
        )
    if not state.bids:
        if face == ACE and state.kind == "standard" and not options.opening_aces:
            raise Rejected("opening_aces_forbidden", "A standard round may not be opened with aces")
        return
    standing, standing_face, _ = state.bids[-1]
    converts = (face == ACE) != (standing_face == ACE)
    if state.kind == "palafico":
        converts = converts and options.palafico_ace_conversion
        if face != standing_face:
            _check_new_value(state, seat, face, standing_face, converts)
    if not converts:
        if quantity < standing or (quantity == standing and face <= standing_face):
            raise _refused(state, "bid_not_higher", f"{quantity} × {face} does not raise")
        if options.raise_style == "one_thing" and quantity != standing and face != standing_face:
            raise _refused(state, "bid_changes_both", "Raise the quantity or the face, not both, of")
    elif face == ACE:
        least = (standing + 1) // 2 if options.ace_half_rounding == "up" else standing // 2
        if quantity < least:
            raise _refused(state, "aces_below_half", f"It takes at least {least} aces to raise")
        if quantity in state.ace_counts:
            raise _refused(
                state, "ace_count_repeated", f"{quantity} aces were bid before in this round, before"
            )
    else:
        least = 2 * standing + (options.ace_return == "double_plus_one")
        if quantity < least:
            raise _refused(
                state, "numbers_below_double_plus_one", f"It takes at least {least} of a number to raise"
            )


def _check_new_value(state: State, seat: int, face: int, standing_face: int, converts: bool) -> None:
    """Raise `Rejected` for a change of the face in a Palafico round that is not open to this seat (§6.4)."""
    if not _may_change_value(state, seat):
        raise _refused(
            state, "palafico_face_locked", "In this Palafico round this seat may not change the face of"
        )
    if face < standing_face and not converts and state.options.palafico_exempt_scope == "raise_value":
        raise _refused(
            state, "palafico_value_not_raised", "In a Palafico round the face may only rise above that of"
        )


def _may_change_value(state: State, seat: int) -> bool:
    options = state.options
    if options.palafico_lock_lifts_after_circle and len(state.bids) >= state.active:
        return True
    if seat == state.starter:
        return options.palafico_opener_may_raise_value
    if state.dice[seat] != 1 or options.palafico_exempt == "nobody":
        return False
    return options.palafico_exempt == "any_one_die" or state.palafico_done[seat]


def _refused(state: State, code: str, reason: str) -> Rejected:
    quantity, face, _ = state.bids[-1]
    return Rejected(code, f"{reason} {quantity} × {face}", standing={"quantity": quantity, "face": face})


# Decide: calls, and what follows from them


def _dudo(state: State, seat: int, action: perudo.Dudo, dealer: Dealer, emit: Emit) -> None:
    _check_phase(state, seat, "bidding")
    _check_turn(state, seat)
    if not state.bids:
        raise Rejected("no_bid", "There is no bid to doubt yet: open the bidding")
    quantity, _, bidder = state.bids[-1]
    emit(perudo.DudoCalled(seat=seat))
    count = _reveal(state, emit)
    holds = count > quantity or (count == quantity and state.options.exact_dudo_loser == "doubter")
    loser, winner = (seat, bidder) if holds else (bidder, seat)
    lost = _lose(state, loser, count - quantity, emit)
    if state.options.lost_die_goes_to == "opponent":
        gained = min(lost, state.options.dice_per_player - state.dice[winner])
        if gained:
            _gain(state, winner, gained, emit)
    _close_round(state, [loser], loser, dealer, emit)


def _calza(state: State, seat: int, action: perudo.Calza, dealer: Dealer, emit: Emit) -> None:
    _check_phase(state, seat, "bidding")
    _check_calza(state, seat)
    options = state.options
    quantity, _, bidder = state.bids[-1]
    emit(perudo.CalzaCalled(seat=seat))
    count = _reveal(state, emit)
    if count != quantity:
        _lose(state, seat, count - quantity, emit)
        _close_round(state, [seat], seat, dealer, emit)
        return
    losers: list[int] = []
    if options.calza_success_effect == "caller_gains":
        if state.dice[seat] < options.dice_per_player:
            _gain(state, seat, 1, emit)
        else:
            emit(perudo.NoDieRegained(seat=seat))
    elif options.calza_success_effect == "others_lose":
        losers = _clockwise(state, seat)[1:]
    elif bidder != seat:
        losers = [bidder]
    for loser in losers:
        _lose(state, loser, 1, emit)
    starters = {"caller": seat, "bidder": bidder, "player_in_turn": state.turn}
    _close_round(state, losers, starters[options.calza_success_starter], dealer, emit)


def _check_calza(state: State, seat: int) -> None:
    options = state.options
    if not options.calza:
        raise Rejected("calza_disabled", "This table plays without Calza")
    if state.kind == "palafico":
        raise Rejected("calza_in_palafico", "There is no Calza in a Palafico round")
    if state.active == 2 and not options.calza_two_players:
        raise Rejected("calza_two_players", "There is no Calza with two players left")
    at_start = options.dice_per_player * len(state.dice)
    if sum(state.dice) < options.calza_min_dice_fraction * at_start:
        raise Rejected("calza_too_few_dice", "Too few dice are left in play for Calza")
    if not state.bids:
        raise Rejected("no_bid", "There is no bid yet that could be exact")
    if seat == state.turn and not options.calza_by_player_in_turn:
        raise Rejected("calza_player_in_turn", "The seat on turn may not call Calza: raise or doubt")
    if seat == state.bids[-1][2] and not options.calza_by_bidder:
        raise Rejected("calza_own_bid", "The bidder may not call Calza on the own bid")
    if state.dice[seat] == options.dice_per_player and options.calza_requires_missing_die:
        raise Rejected("calza_no_die_missing", "Only a seat that lacks a die may call Calza")


def _clockwise(state: State, seat: int) -> list[int]:
    """The seats with dice, clockwise from this one."""
    seats = len(state.dice)
    return [other for step in range(seats) if state.dice[other := (seat + step) % seats]]


def _reveal(state: State, emit: Emit) -> int:
    """Lift the cups; the number of dice that fulfil the bid (perudo.md §8.1)."""
    _, face, _ = state.bids[-1]
    wild = state.kind == "standard" and face != ACE
    count = sum(hand.count(face) + (hand.count(ACE) if wild else 0) for hand in state.hands)
    emit(perudo.DiceRevealed(hands=tuple(state.hands), count=count))
    return count


def _shown(state: State, count: int) -> int | None:
    return count if state.options.show_dice_counts else None


def _lose(state: State, seat: int, difference: int, emit: Emit) -> int:
    """Take from a seat what the wrong claim costs; how many dice that was."""
    amount = max(1, abs(difference)) if state.options.loss_amount == "difference" else 1
    lost = min(amount, state.dice[seat])
    emit(perudo.DieLost(seat=seat, lost=lost, left=_shown(state, state.dice[seat] - lost)))
    return lost


def _gain(state: State, seat: int, gained: int, emit: Emit) -> None:
    emit(perudo.DieRegained(seat=seat, gained=gained, left=_shown(state, state.dice[seat] + gained)))


def _close_round(state: State, losers: list[int], starter: int, dealer: Dealer, emit: Emit) -> None:
    """Eliminate, and start the round that follows unless the game is over (perudo.md §8.4, §3)."""
    place = sum(1 for count in state.dice if count) + 1
    for seat in losers:
        if not state.dice[seat]:
            emit(perudo.PlayerEliminated(seat=seat, place=place))
    if state.active == 1:
        return
    dropped = next((seat for seat in losers if state.dice[seat] == 1), None)
    if dropped is None or state.palafico_done[dropped] or not _palafico_is_played(state):
        _start_round(state, "standard", _or_left(state, starter), dealer, emit)
    elif state.options.palafico_declared:
        emit(perudo.PalaficoEarned(seat=dropped, starter=_or_left(state, starter)))
    else:
        _start_round(state, "palafico", dropped, dealer, emit)


def _palafico_is_played(state: State) -> bool:
    options = state.options
    if options.palafico_off_when_three_single_dice and state.active == sum(state.dice) == 3:
        return False
    return options.palafico and (state.active > 2 or options.palafico_two_players)


def _or_left(state: State, seat: int) -> int:
    """This seat, or the next one clockwise if it is out."""
    return seat if state.dice[seat] else state.after[seat]


def _declare(state: State, seat: int, action: perudo.Declare, dealer: Dealer, emit: Emit) -> None:
    _check_phase(state, seat, "declaring")
    _check_turn(state, seat)
    emit(perudo.PalaficoDeclared(seat=seat, palafico=action.palafico))
    if action.palafico:
        _start_round(state, "palafico", seat, dealer, emit)
    else:
        _start_round(state, "standard", _or_left(state, state.starter), dealer, emit)


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The round is void and nobody else loses; a Palafico round is repeated by its player (§12 G-17)."""
    if not state.dice[seat]:
        raise Rejected("eliminated", "This seat has no dice any more")
    emit(Resigned(seat=seat))
    emit(perudo.PlayerEliminated(seat=seat, place=state.active))
    if state.active == 1:
        return
    if state.phase == "declaring":
        if not state.dice[state.turn] or not _palafico_is_played(state):
            _start_round(state, "standard", _or_left(state, state.starter), dealer, emit)
    elif state.kind == "palafico" and state.dice[state.starter] and _palafico_is_played(state):
        _start_round(state, "palafico", state.starter, dealer, emit)
    else:
        _start_round(state, "standard", _or_left(state, state.turn), dealer, emit)


_DECISIONS: dict[type, Callable[[State, int, Any, Dealer, Emit], None]] = {
    perudo.Bid: _bid,
    perudo.Dudo: _dudo,
    perudo.Calza: _calza,
    perudo.Declare: _declare,
    Resign: _resign,
}


# Invariants (perudo.md §17)


def _dice_invariants(state: State) -> list[tuple[bool, str]]:
    most = state.options.dice_per_player
    out = [seat for seat, count in enumerate(state.dice) if not count]
    hands = [(hand, count) for hand, count in zip(state.hands, state.dice, strict=True)]
    return [
        (sum(state.dice) + state.bag == most * len(state.dice), "No die appears or vanishes"),
        (all(0 <= count <= most for count in state.dice), "Each seat has from none to all of its dice"),
        (
            not any(state.hands) or all(len(hand) == count for hand, count in hands),
            "Each hand has as many values as the seat has dice",
        ),
        (all(value in FACES for hand, _ in hands for value in hand), "Each die shows a face"),
        (sorted(state.eliminated) == out, "The seats without dice are the eliminated ones, each named once"),
        (state.active == len(state.dice) - len(out) >= 1, "Somebody has dice left"),
    ]


def _bid_invariants(state: State) -> list[tuple[bool, str]]:
    if state.active == 1:
        return []
    options = state.options
    palafico = state.kind == "palafico"
    aces = [quantity for quantity, face, _ in state.bids if face == ACE]
    rises = list(pairwise(state.bids))
    strict = options.ace_half_rounding == "up" and options.ace_return == "double_plus_one"
    starter = _or_left(state, state.starter)
    return [
        (bool(state.dice[state.turn]), "The seat on turn has dice"),
        (
            state.phase == "declaring"
            or state.turn == (state.after[state.bids[-1][2]] if state.bids else starter),
            "The seat after the bidder is on turn, or the starter before the first bid",
        ),
        (len(aces) == len(set(aces)), "No number of aces is bid twice in a round"),
        (
            palafico or options.opening_aces or not state.bids or state.bids[0][1] != ACE,
            "No standard round opens with aces",
        ),
        (
            palafico or not strict or all(_rank(*low[:2]) < _rank(*high[:2]) for low, high in rises),
            "Each bid of a standard round ranks above the one before",
        ),
        (
            not palafico or options.palafico_ace_conversion or all(low[0] <= high[0] for low, high in rises),
            "Quantities never fall in a Palafico round",
        ),
        (
            not palafico
            or state.phase == "declaring"
            or (state.dice[state.starter] == 1 and state.palafico_done[state.starter]),
            "The Palafico player opens its round and has one die",
        ),
        (
            not palafico or state.phase == "declaring" or _palafico_is_played(state),
            "A Palafico round is played only where the agreed rules have one",
        ),
    ]


def _rank(quantity: int, face: int) -> int:
    """The place of a bid in the one total order of a standard round (perudo.md §6.3)."""
    return 10 * (2 * quantity + 1) + 1 if face == ACE else 10 * quantity + face
