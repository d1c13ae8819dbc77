"""Perekupai: what the server does by itself until a seat is waited for again (perekupai.md §5, §7.3, §9, §19)."""

from fairdeal.dealer import Dealer
from fairdeal.games.perekupai import (
    AcquisitionResolved,
    Breakdown,
    CarSold,
    DieRolled,
    EndTriggered,
    Options,
    PlayEnded,
    RollResolved,
    RoundStarted,
    SurpriseRevealed,
    SurpriseUnnoticed,
    TurnEnded,
    TurnStarted,
    WindowOpened,
)
from fairdeal.games.perekupai_effects import EndBonus, RollBonus, SaleBonus, SaleDrawBonus, Test
from fairdeal.games.perekupai_legal import (
    choices,
    clockwise,
    discarder,
    preference,
    standing,
    timing,
    untested,
    waiting,
    window_order,
)
from fairdeal.games.perekupai_table import Buyer, Car, Sale, Score, Table
from fairdeal_rules.games.perekupai_effects import carry_out
from fairdeal_rules.games.perekupai_state import State
from fairdeal_rules.games.perekupai_supply import draw_cards, end_stalemate, pay, refill_buyers
from fairdeal_rules.ruleset import Emit


def go_on(state: State, dealer: Dealer, emit: Emit) -> None:
    """Do what follows by itself, until a seat is waited for or the game is over."""
    table = state.table
    while table.turn is not None and waiting(table, state.options)[0] is None:
        _announce_end(state, emit)
        if table.stack:
            _go_on_with_acquisition(state, dealer, emit)
        elif table.phase == "gap":
            emit(TurnEnded(seat=table.turn))
        elif table.phase == "turn_end":
            _next_turn(state, dealer, emit)
        elif table.window is None:
            _open_window(state, emit)
        else:
            _after_window(state, dealer, emit)
    _announce_end(state, emit)


# Windows


def _open_window(state: State, emit: Emit) -> None:
    """Ask the first seat of the window that is due; nobody, if none could play and only those are asked (§5)."""
    table = state.table
    order = window_order(table, state.options)
    emit(WindowOpened(window="react" if table.stack else table.phase, asked=_first_asked(state, order)))  # type: ignore[arg-type]


def next_asked(state: State, seat: int) -> int | None:
    """Who is asked after this seat has passed; nobody when all have, in one unbroken loop."""
    order = window_order(state.table, state.options)
    return _first_asked(state, order[order.index(seat) + 1 :])


def _first_asked(state: State, order: list[int]) -> int | None:
    if state.options.window_mode == "only_if_playable":
        order = [seat for seat in order if _could_play(state, seat)]
    return order[0] if order else None


def _could_play(state: State, seat: int) -> bool:
    now, cards = timing(state.table, seat), state.printed.cards
    return any(
        now in acquisition.timing and choices(state.table, seat, acquisition, now) is not None
        for acquisition in [cards[kind].acquisition for kind in state.hands[seat].values()]
    )


def _go_on_with_acquisition(state: State, dealer: Dealer, emit: Emit) -> None:
    """Let others answer the topmost acquisition, then carry out what it does, effect by effect."""
    top = state.table.stack[-1]
    if top.window is None and state.options.reactions and not top.done:
        _open_window(state, emit)
    elif top.done < len(top.acquisition.effects):
        carry_out(state, top, dealer, emit)
    else:
        emit(AcquisitionResolved(played=top.id))


# A sale


def _after_window(state: State, dealer: Dealer, emit: Emit) -> None:
    phase = state.table.phase
    if phase == "sale_open":
        _next_test(state, dealer, emit)
    elif phase == "att_window":
        _resolve_attentiveness(state, emit)
        _next_test(state, dealer, emit)
    elif phase == "hag_window":
        rolled = _sale(state.table).rolled
        assert rolled is not None
        emit(RollResolved(test="haggling", won=rolled.total >= rolled.target))
    else:
        _close_sale(state, dealer, emit)


def _sale(table: Table) -> Sale:
    assert table.sale is not None
    return table.sale


def on_sale(table: Table) -> tuple[int, Car, Buyer]:
    """The seller, the car on sale and the buyer that it is offered to."""
    sale, seller = _sale(table), table.turn
    assert seller is not None
    car, buyer = table.car_of(seller, sale.car), table.buyer_of(sale.buyer)
    assert car is not None
    assert buyer is not None
    return seller, car, buyer


def _next_test(state: State, dealer: Dealer, emit: Emit) -> None:
    """Roll for the next untested surprise, in the order of drawing, or for haggling if there is none (§7.3)."""
    seller, _, buyer = on_sale(state.table)
    left = untested(state.table)
    test: Test = "attentiveness" if left else "haggling"
    die, bonus = dealer.die(10), standing(state.table, seller, RollBonus, test)
    emit(
        DieRolled(
            test=test,
            surprise=left[0] if left else None,
            die=die,
            bonus=bonus,
            deltas=0,
            total=die + bonus,
            target=buyer.attentiveness if left else buyer.haggling,
        )
    )


def _resolve_attentiveness(state: State, emit: Emit) -> None:
    seller, car, _ = on_sale(state.table)
    rolled = _sale(state.table).rolled
    assert rolled is not None
    assert rolled.surprise is not None
    won = rolled.total >= rolled.target
    emit(RollResolved(test="attentiveness", won=won))
    if won:
        emit(SurpriseUnnoticed(car=car.id, surprise=rolled.surprise))
    else:
        seen = state.surprise(rolled.surprise, state.kinds[rolled.surprise])
        emit(SurpriseRevealed(seat=seller, car=car.id, surprise=seen))


def _close_sale(state: State, dealer: Dealer, emit: Emit) -> None:
    """Pay for the car, put everything on its used pile, reveal a new buyer, draw (§7.3)."""
    table = state.table
    seller, car, buyer = on_sale(table)
    sale = _sale(table)
    unnoticed = [id for id in car.hidden if id in sale.skipped or id in sale.unnoticed]
    draws = 1 + len(unnoticed) + standing(table, seller, SaleDrawBonus)
    shown = tuple(state.hidden(car)) if state.options.show_unnoticed else None
    price = breakdown(table, state.options)
    emit(
        CarSold(seat=seller, car=car.id, buyer=buyer.id, price=price, draws=draws, unnoticed=shown),
    )
    pay(state, seller, price.final, emit)
    refill_buyers(state, dealer, emit)
    draw_cards(state, seller, draws, dealer, emit)


def breakdown(table: Table, options: Options) -> Breakdown:
    """How the price of the car on sale comes about (§7.3)."""
    seller, car, buyer = on_sale(table)
    sale = _sale(table)
    parts = {
        "sale": car.tech.sale,
        "defects": sum([surprise.value for surprise in car.shown]),
        "surprise_mods": sum([mod.value for mod in car.mods if mod.source == "surprise"]),
        "scam_mods": sum([mod.value for mod in car.mods if mod.source == "scam"]),
        "haggle": sale.haggle,
        "preferences": preference(buyer, car),
        "sale_bonus": standing(table, seller, SaleBonus),
        "deltas": sale.delta,
    }
    return Breakdown(**parts, final=max(options.price_floor, sum(parts.values())))


# The end of a turn, and of the game


def _announce_end(state: State, emit: Emit) -> None:
    """Announce the first seat that has the money it takes, once nobody has to discard or choose (§9, §19)."""
    table, need = state.table, state.target
    if table.turn is None or table.trigger is not None or max(table.cash) < need:
        return
    if not table.picks and discarder(table, state.options) is None:
        seat = next(seat for seat in clockwise(table, table.turn) if table.cash[seat] >= need)
        emit(EndTriggered(seat=seat, reason="money", round=table.round))


def announce_last_car(state: State, seat: int, emit: Emit) -> None:
    """Announce after a purchase that there are no more cars to buy, or none in the deck (§9)."""
    table = state.table
    none_left = not any(table.market) or state.options.last_car == "deck_empty"
    if table.trigger is None and not table.car_deck and none_left:
        emit(EndTriggered(seat=seat, reason="last_car", round=table.round))


def _next_turn(state: State, dealer: Dealer, emit: Emit) -> None:
    """Give the turn to the next seat of the round; when it has none, begin the next one or end the game (§4, §9)."""
    table = state.table
    assert table.turn is not None
    in_round = [(seat - table.first) % state.seats for seat in table.playing()]
    now = (table.turn - table.first) % state.seats
    later = min([place for place in in_round if place > now], default=None)
    if later is None and table.final:
        end_play(state, "final_round", emit)
        return
    end_stalemate(state, dealer, emit)
    if later is None:
        start_round(state, min(in_round), emit)
    else:
        _start_turn(state, later, emit)


def start_round(state: State, place: int, emit: Emit) -> None:
    """Begin the next round with the seat that is so many places left of the first."""
    table = state.table
    emit(RoundStarted(round=table.round + 1, final=table.trigger is not None))
    _start_turn(state, place, emit)


def _start_turn(state: State, place: int, emit: Emit) -> None:
    table = state.table
    seat = (table.first + place) % state.seats
    emit(TurnStarted(seat=seat, turn=table.turn_number + 1, actions=state.options.actions_per_turn))


def end_play(state: State, reason: str, emit: Emit) -> None:
    """Count everybody's money; end bonuses count now (§9)."""
    scores = tuple([_score(state, seat) for seat in range(state.seats)])
    emit(PlayEnded(reason=reason, scores=scores))  # type: ignore[arg-type]


def _score(state: State, seat: int) -> Score:
    table = state.table
    if seat in table.out:
        return Score(0, 0, 0, 0)
    counts = state.options.unsold_cars == "purchase_price"
    cars = sum([car.front.purchase for car in table.cars[seat]]) if counts else 0
    bonus = standing(table, seat, EndBonus)
    return Score(table.cash[seat], bonus, cars, table.cash[seat] + bonus + cars)
