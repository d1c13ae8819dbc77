"""Pan tu nie stał! with the Różyckiego Bazaar: what is allowed (pan_tu_nie_stal.md).

What lies open is the table that everybody sees, folded by `fairdeal.games.pan_tu_nie_stal_fold`; beside it the state
holds what is hidden. What must hold of it is in `pan_tu_nie_stal_invariants`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import pan_tu_nie_stal
from fairdeal.games.pan_tu_nie_stal import (
    BazaarStarted,
    CardDrawn,
    CardsPlayed,
    Checked,
    Claim,
    ClaimMade,
    Draw,
    EndReason,
    EndTurn,
    FinalCheckStarted,
    GameOver,
    GoodPicked,
    GoodsPlaced,
    HandDealt,
    LastRound,
    LineCleared,
    PairRemoved,
    Pick,
    Play,
    PlayFree,
    QueuesChecked,
    RefillAsked,
    RefillBazaar,
    RefillChosen,
    SeatLeft,
    ShopSettled,
    StartBazaar,
    StarterDrawn,
    TurnStarted,
)
from fairdeal.games.pan_tu_nie_stal_queues import (
    BRAWLER,
    CARDS,
    GOODS,
    HAND_SIZE,
    RUNNER,
    VALUES,
    Holding,
    Queue,
    score,
)
from fairdeal.games.pan_tu_nie_stal_table import (
    Phase,
    awaited,
    bazaar_of,
    clockwise,
    led,
    must_act,
    open_queues,
    phase_of,
    playing,
)
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.games.pan_tu_nie_stal_invariants import invariants
from fairdeal_rules.games.pan_tu_nie_stal_state import State
from fairdeal_rules.ruleset import Emit, Ruleset

SPECIALS: Final = 9
"""The special cards of a seat."""


class Rules(Ruleset[State, pan_tu_nie_stal.Options]):
    name = "pan_tu_nie_stal"
    version = 1
    players = (2, 5)
    Options = pan_tu_nie_stal.Options

    def check_options(self, options: pan_tu_nie_stal.Options, seats: int) -> None:
        if sum(options.specials) != SPECIALS:
            raise Rejected(
                "bad_options",
                f"The specials are {sum(options.specials)} together; they have to be {SPECIALS}",
                path="$.action.options.specials",
            )

    # Opening

    def open(self, options: pan_tu_nie_stal.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        """Fill the shops, put a good on the Bazaar, deal seat by seat, draw the first seat (§2)."""
        for number, queue in enumerate(state.table.queues):
            if queue.kind == "shop":
                _fill_shop(state, number, dealer, emit)
        _add_foreign(state, dealer, emit)
        for seat, deck in enumerate(state.decks):
            cards = dealer.cards(deck, HAND_SIZE)
            left = state.table.decks[seat] - HAND_SIZE
            emit(HandDealt(seat=seat, count=HAND_SIZE, deck_left=left, cards=cards))
        starter = dealer.below(len(state.decks))
        emit(StarterDrawn(seat=starter))
        emit(TurnStarted(seat=starter, turn=1))

    def evolve(self, state: State, event: Event) -> None:
        state.evolve(event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        _DECISIONS[type(action)](state, seat, action, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """Take the best good at the first queue that is led; then draw while there are cards, and end the turn."""
        seat = awaited(state.table)
        return [] if seat is None else [(seat, action) for action in _overdue(state, seat)]

    def outcome(self, state: State) -> Outcome | None:
        """The most points win, ties share a place (§9); who gave up is behind all that still played."""
        over = state.over
        if over is None:
            return None
        own = state.table.places
        points = [over.scores[seat] for seat in playing(state.table)]
        places = tuple(
            [
                own.get(seat) or 1 + sum([more > mine for more in points])
                for seat, mine in enumerate(over.scores)
            ]
        )
        winners = tuple([seat for seat, place in enumerate(places) if place == 1])
        return Outcome(winners=winners, places=places, scores=over.scores, reason=over.reason)

    def violations(self, state: State) -> list[str]:
        return [sentence for sentence, holds in invariants(state) if not holds]


# Goods


def _fill_shop(state: State, number: int, dealer: Dealer, emit: Emit) -> bool:
    """Put two goods on a shop, as long as there are any; whether it got them (§2.2, §5.1).

    Of two seats two goods of one value are removed and drawn again.
    """
    tokens = state.tokens
    again = state.options.pair_rule_two_players and len(state.decks) == 2
    while tokens:
        first = dealer.card(tokens)
        second = dealer.card([token for token in tokens if token != first])
        if not again or GOODS[first].value != GOODS[second].value:
            emit(GoodsPlaced(queue=number, tokens=(first, second)))
            return True
        emit(PairRemoved(tokens=(first, second)))
    return False


def _add_foreign(state: State, dealer: Dealer, emit: Emit) -> None:
    """Put a foreign good on the Bazaar, if there is one and any are left."""
    bazaar = bazaar_of(state.table)
    if bazaar is not None and state.foreign:
        emit(GoodsPlaced(queue=bazaar, tokens=(dealer.card(state.foreign),)))


# Decide: whose turn it is, and where


def _check_turn(state: State, seat: int, *phases: Phase) -> None:
    table = state.table
    if seat in table.places:
        raise Rejected("out_of_game", "This seat plays no longer")
    phase, turn = phase_of(table), awaited(table)
    if phase not in phases:
        raise Rejected("wrong_phase", f"The phase is {phase}: seat {turn} has to move", phase=phase)
    if seat != turn:
        raise Rejected("not_your_turn", f"Seat {turn} has to move", turn=turn)


def _queue(state: State, number: int) -> Queue:
    queues = state.table.queues
    if not 0 <= number < len(queues):
        raise Rejected("no_such_queue", f"There is no queue {number}; there are 0 to {len(queues) - 1}")
    return queues[number]


def _check_led(state: State, seat: int, number: int, queue: Queue) -> None:
    """Raise `Rejected` unless this seat may use its advantage in this queue now (§5.1)."""
    if number in state.table.checked:
        raise Rejected("queue_used", f"Queue {number} was used in this turn", queue=number)
    _check_open(number, queue)
    if queue.leader != seat:
        raise Rejected(
            "no_advantage",
            f"This seat has no advantage in queue {number}: the totals are {queue.totals}",
            queue=number,
            totals=queue.totals.copy(),
        )


def _check_open(number: int, queue: Queue) -> None:
    if not queue.goods:
        raise Rejected("queue_closed", f"There are no goods at queue {number}", queue=number)


def _check_token(token: str, queue: Queue) -> None:
    if token not in queue.goods:
        raise Rejected("no_such_token", f"{token} is not there, but {', '.join(queue.goods)}", token=token)


# Decide: the look at the queues


def _claim(state: State, seat: int, action: Claim, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "check", "final_check")
    number = action.queue
    queue = _queue(state, number)
    if queue.kind == "bazaar":
        raise Rejected("no_such_queue", f"Queue {number} is the Bazaar: its goods are picked", queue=number)
    _check_led(state, seat, number, queue)
    _check_token(action.token, queue)
    if queue.claim is None:
        emit(ClaimMade(seat=seat, queue=number, token=action.token))
        return
    awards = (queue.claim, Holding(seat, action.token))
    emit(ShopSettled(seat=seat, queue=number, awards=awards))
    emit(LineCleared(queue=number))
    if _fill_shop(state, number, dealer, emit):
        if state.options.bazaar_refill == "automatic":
            _add_foreign(state, dealer, emit)
        elif state.foreign and bazaar_of(state.table) is not None:
            emit(RefillAsked(seat=seat))
    elif not any(queue.goods for queue in state.table.queues if queue.kind == "shop"):
        _end(state, "goods", emit)


def _refill_bazaar(state: State, seat: int, action: RefillBazaar, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bazaar_refill")
    emit(RefillChosen(seat=seat, add=action.add))
    if action.add:
        _add_foreign(state, dealer, emit)


def _start_bazaar(state: State, seat: int, action: StartBazaar, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "check", "final_check")
    number = bazaar_of(state.table)
    if number is None:
        raise Rejected("no_such_queue", "This table plays without the Bazaar")
    queue = state.table.queues[number]
    _check_led(state, seat, number, queue)
    totals = queue.totals
    # Sorting keeps what is equal in order: a tie goes to the seat nearer to the first one, clockwise.
    others = sorted(
        [one for one in clockwise(state.table, seat) if totals[one] > 0], key=lambda one: -totals[one]
    )
    order = (seat, *others)
    emit(BazaarStarted(seat=seat, queue=number, order=order, totals=tuple([totals[one] for one in order])))


def _pick(state: State, seat: int, action: Pick, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "bazaar_pick")
    number = bazaar_of(state.table)
    assert number is not None
    queue = state.table.queues[number]
    _check_token(action.token, queue)
    emit(GoodPicked(seat=seat, token=action.token))
    if not queue.goods:
        _end_picking(state, number, dealer, emit)


def _end_picking(state: State, number: int, dealer: Dealer, emit: Emit) -> None:
    """Clear the line at the Bazaar and put a new good there; then the seat on turn goes on, if it still plays."""
    emit(LineCleared(queue=number))
    _add_foreign(state, dealer, emit)
    if state.table.turn in state.table.places:
        _next_turn(state, emit)


def _checked(state: State, seat: int, action: Checked, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "check", "final_check")
    left = [] if state.options.optional_claim else list(led(state.table))
    if left:
        raise Rejected(
            "claims_left", f"This seat has the advantage in queue {left[0]}, and has to use it", queues=left
        )
    emit(QueuesChecked(seat=seat))
    if state.table.stage == "final_check":
        _next_turn(state, emit)


# Decide: the actions of a turn


def _check_action(state: State, seat: int) -> None:
    _check_turn(state, seat, "act")
    if not state.table.actions_left:
        raise Rejected("no_actions_left", "Both actions of this turn are taken")


def _draw(state: State, seat: int, action: Draw, dealer: Dealer, emit: Emit) -> None:
    _check_action(state, seat)
    left = state.table.decks[seat]
    if not left:
        raise Rejected("deck_empty", "This seat's deck is empty")
    emit(CardDrawn(seat=seat, deck_left=left - 1, card=dealer.card(state.decks[seat])))


def _play(state: State, seat: int, action: Play, dealer: Dealer, emit: Emit) -> None:
    _check_action(state, seat)
    queue = _queue(state, action.queue)
    _check_open(action.queue, queue)
    if not action.cards:
        raise Rejected("nothing_played", "Play at least one card")
    card, played = action.cards[0], len(action.cards)
    if action.cards.count(card) != played:
        raise Rejected("mixed_kinds", "Cards that are played together are of one kind")
    _check_held(state, seat, card, played)
    if action.covers:
        _check_covers(queue, card, played, action.covers)
    _lay(state, seat, action.queue, action.cards, action.covers, emit, free=False)


def _check_held(state: State, seat: int, card: str, played: int) -> None:
    held = state.hands[seat].get(card, 0)
    if held < played:
        raise Rejected("not_in_hand", f"This seat has {held} × {card} in its hand, not {played}", card=card)


def _check_covers(queue: Queue, card: str, played: int, covers: Sequence[int]) -> None:
    """Raise `Rejected` unless these brawlers may lie on the cards at these positions (§5.3)."""
    if card != BRAWLER:
        raise Rejected("bad_cover", f"Only {CARDS[BRAWLER].name} lies on other cards", card=card)
    if len(covers) > played:
        raise Rejected("bad_cover", f"{played} of them cannot lie on {len(covers)} cards")
    if len(set(covers)) != len(covers):
        raise Rejected("bad_cover", "Each lies on a card of its own")
    for position in covers:
        if not 0 <= position < len(queue.line) or queue.line[position].covered_by is not None:
            raise Rejected("bad_cover", f"There is no uncovered card at {position}", position=position)


def _play_free(state: State, seat: int, action: PlayFree, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "act")
    _check_open(action.queue, _queue(state, action.queue))
    if action.card != RUNNER:
        raise Rejected("not_a_runner", f"Only {CARDS[RUNNER].name} costs no action", card=action.card)
    limit = state.options.runner_limit
    if limit is not None and state.table.runners >= limit:
        raise Rejected("runner_limit", f"Only {limit} a turn may be played at no cost")
    _check_held(state, seat, RUNNER, 1)
    _lay(state, seat, action.queue, (RUNNER,), (), emit, free=True)


def _lay(
    state: State,
    seat: int,
    number: int,
    cards: tuple[str, ...],
    covers: tuple[int, ...],
    emit: Emit,
    *,
    free: bool,
) -> None:
    """Play the cards, and see whether they were this seat's last (§8.2)."""
    emit(CardsPlayed(seat=seat, queue=number, cards=cards, covers=covers, free=free))
    table = state.table
    if table.last_round_by is None and not table.hands[seat] and not table.decks[seat]:
        emit(LastRound(seat=seat))


def _end_turn(state: State, seat: int, action: EndTurn, dealer: Dealer, emit: Emit) -> None:
    _check_turn(state, seat, "act")
    table = state.table
    if must_act(table):
        raise Rejected(
            "actions_left", f"This seat can still act, and has to: {table.actions_left} of 2 are left"
        )
    _next_turn(state, emit)


# Decide: turns and the end


def _next_turn(state: State, emit: Emit) -> None:
    """The seat to the left, the last turns, the last checks, the end (§8)."""
    table = state.table
    assert table.turn is not None
    if table.last_round_by is None:
        emit(TurnStarted(seat=clockwise(table, table.turn)[0], turn=table.turn_number + 1))
    elif table.last_turns:
        emit(TurnStarted(seat=table.last_turns[0], turn=table.turn_number + 1))
    elif table.final_checks:
        emit(FinalCheckStarted(seat=table.final_checks[0]))
    else:
        _end(state, "cards", emit)


def _end(state: State, reason: EndReason, emit: Emit) -> None:
    table = state.table
    awards: tuple[Holding, ...] = ()
    if state.options.claims_count_at_end:
        awards = tuple([queue.claim for queue in table.queues if queue.claim is not None])
    won = [
        [*tokens, *[award.token for award in awards if award.seat == seat]]
        for seat, tokens in enumerate(state.won)
    ]
    scores = tuple([score(*goods) for goods in zip(won, table.foreign, strict=True)])
    emit(GameOver(reason=reason, awards=awards, scores=scores))


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The seat keeps its goods and its cards in the queues, picks and plays no longer, and the others go on."""
    table = state.table
    if seat in table.places:
        raise Rejected("out_of_game", "This seat plays no longer")
    left = playing(table)
    emit(Resigned(seat=seat))
    emit(SeatLeft(seat=seat, place=len(left), count=table.hands[seat] + table.decks[seat]))
    if len(left) == 2:
        _end(state, "last_seat", emit)
    elif table.picking is not None:
        bazaar = bazaar_of(table)
        if bazaar is not None and not table.picking.order:
            _end_picking(state, bazaar, dealer, emit)
    elif table.turn == seat:
        _next_turn(state, emit)


_DECISIONS: Final[dict[type, Callable[[State, int, Any, Dealer, Emit], None]]] = {
    Claim: _claim,
    RefillBazaar: _refill_bazaar,
    StartBazaar: _start_bazaar,
    Pick: _pick,
    Checked: _checked,
    Draw: _draw,
    Play: _play,
    PlayFree: _play_free,
    EndTurn: _end_turn,
    Resign: _resign,
}


# What the clock does


def _overdue(state: State, seat: int) -> list[Action]:
    table = state.table
    match phase_of(table):
        case "bazaar_refill":
            return [RefillBazaar(add=True)]
        case "bazaar_pick":
            return [Pick(_dearest(table.queues[-1]))]
        case "check":
            return _use_advantage(state) or [Checked(), *_act(state, seat)]
        case "final_check":
            return _use_advantage(state) or [Checked()]
        case "act":
            return _act(state, seat)


def _dearest(queue: Queue) -> str:
    return max(queue.goods, key=VALUES.__getitem__)


def _use_advantage(state: State) -> list[Action]:
    number = next(led(state.table), None)
    if number is None:
        return []
    queue = state.table.queues[number]
    return [StartBazaar() if queue.kind == "bazaar" else Claim(number, _dearest(queue))]


def _act(state: State, seat: int) -> list[Action]:
    """Draw; where the deck is empty play the first cards in hand, one by one, at the first queue that is open."""
    table = state.table
    draws = min(table.actions_left, table.decks[seat])
    held = [card for card, copies in state.hands[seat].items() for _ in range(copies)]
    queue = open_queues(table)[0]
    plays = [Play(queue, (card,)) for card in held[: table.actions_left - draws]]
    return [*[Draw()] * draws, *plays, EndTurn()]
