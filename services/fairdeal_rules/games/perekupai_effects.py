"""Perekupai: what the one-time effects of acquisitions do, a small function for each (perekupai.md §12).

What an effect may be played on is looked at again when it is carried out: a target that is gone is left out, and
an effect without any does nothing.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from fairdeal.dealer import Dealer
from fairdeal.games.perekupai import (
    AcquisitionCancelled,
    BuyerDismissed,
    CardStolen,
    Choice,
    ChoiceAsked,
    DefectRemoved,
    DieRolled,
    DiscountGranted,
    EffectApplied,
    ExtraActionGranted,
    MarketCycled,
    ModDestroyed,
    PriceChanged,
    RollModified,
    SurpriseSkipped,
    SurprisesPeeked,
)
from fairdeal.games.perekupai_effects import (
    CancelAcquisition,
    CycleMarket,
    DestroyMod,
    DiscardCards,
    DismissBuyer,
    Draw,
    Effect,
    ExtraAction,
    FreeRepair,
    ModRoll,
    PeekSurprises,
    PriceDelta,
    PurchaseDiscountOnce,
    Reroll,
    RevealSurprise,
    SkipTest,
    StealCard,
    TakeMoney,
)
from fairdeal.games.perekupai_legal import can, clockwise, defects, untested
from fairdeal.games.perekupai_table import Car, Pick, Played, Rolled, Sale, Target
from fairdeal_rules.games.perekupai_state import State
from fairdeal_rules.games.perekupai_supply import draw_cards, pay, refill_buyers, refill_market
from fairdeal_rules.ruleset import Emit


def carry_out(state: State, played: Played, dealer: Dealer, emit: Emit) -> None:
    """Carry out the next effect of the topmost acquisition."""
    effect = played.acquisition.effects[played.done]
    target = _what_is_left(state, played, effect, played.targets[played.done])
    op = str(effect.__struct_config__.tag)
    emit(EffectApplied(played=played.id, op=op, done=target is not None))
    if target is not None:
        _DO[type(effect)](state, played, effect, target, dealer, emit)


_NOTHING: Final = Target()


def _what_is_left(state: State, played: Played, effect: Effect, target: Target | None) -> Target | None:
    """The target without what is gone; an empty one for an effect that takes none; None if it does nothing."""
    if isinstance(effect, CancelAcquisition):
        answered = any(other.id == played.answers for other in state.table.stack)
        return _NOTHING if answered else None
    possible = can(state.table, played.seat, effect, played.timing)
    if not isinstance(possible, Choice):
        return _NOTHING if possible else None
    if target is None:
        return None
    if target.seat is not None:
        return target if target.seat in possible.seats else None
    there = {id for group in possible.groups for id in group}
    ids = tuple([id for id in target.ids if id in there])
    return Target(ids=ids) if ids else None


def _sale(state: State) -> Sale:
    assert state.table.sale is not None
    return state.table.sale


def _rolled(state: State) -> Rolled:
    rolled = _sale(state).rolled
    assert rolled is not None
    return rolled


def _mod_roll(
    state: State, played: Played, effect: ModRoll, target: Target, dealer: Dealer, emit: Emit
) -> None:
    total = _rolled(state).total + effect.delta
    emit(RollModified(seat=played.seat, delta=effect.delta, total=total))


def _reroll(state: State, played: Played, effect: Reroll, target: Target, dealer: Dealer, emit: Emit) -> None:
    was, die = _rolled(state), dealer.die(10)
    emit(
        DieRolled(
            test=was.test,
            surprise=was.surprise,
            die=die,
            bonus=was.bonus,
            deltas=was.deltas,
            total=die + was.bonus + was.deltas,
            target=was.target,
        )
    )


def _reveal_surprise(
    state: State, played: Played, effect: RevealSurprise, target: Target, dealer: Dealer, emit: Emit
) -> None:
    seller = state.table.turn
    assert seller is not None
    among = tuple(untested(state.table))
    emit(ChoiceAsked(pick=Pick(seller, "reveal", min(effect.count, len(among)), among)))


def _skip_test(
    state: State, played: Played, effect: SkipTest, target: Target, dealer: Dealer, emit: Emit
) -> None:
    for id in target.ids:
        emit(SurpriseSkipped(car=_sale(state).car, surprise=id))


def _dismiss_buyer(
    state: State, played: Played, effect: DismissBuyer, target: Target, dealer: Dealer, emit: Emit
) -> None:
    if effect.scope == "sale":
        buyer = _sale(state).buyer
        assert buyer is not None
        emit(BuyerDismissed(buyer=buyer, sale=True))
    else:
        emit(BuyerDismissed(buyer=target.ids[0], sale=False))
    refill_buyers(state, dealer, emit)


def _destroy_mod(
    state: State, played: Played, effect: DestroyMod, target: Target, dealer: Dealer, emit: Emit
) -> None:
    owner, car = _where(state, lambda car: any(mod.id == target.ids[0] for mod in car.mods))
    emit(ModDestroyed(owner=owner, car=car.id, mod=target.ids[0]))


def _where(state: State, fits: Callable[[Car], bool]) -> tuple[int, Car]:
    """The owner and the car that fits."""
    return next((seat, car) for seat, cars in enumerate(state.table.cars) for car in cars if fits(car))


def _price_delta(
    state: State, played: Played, effect: PriceDelta, target: Target, dealer: Dealer, emit: Emit
) -> None:
    emit(PriceChanged(seat=played.seat, delta=effect.amount))


def _take_money(
    state: State, played: Played, effect: TakeMoney, target: Target, dealer: Dealer, emit: Emit
) -> None:
    assert target.seat is not None
    amount = min(effect.amount, state.table.cash[target.seat])
    pay(state, target.seat, -amount, emit)
    pay(state, played.seat, amount, emit)


def _draw(state: State, played: Played, effect: Draw, target: Target, dealer: Dealer, emit: Emit) -> None:
    draw_cards(state, played.seat, effect.count, dealer, emit)


def _steal_card(
    state: State, played: Played, effect: StealCard, target: Target, dealer: Dealer, emit: Emit
) -> None:
    source = target.seat
    assert source is not None
    count = effect.count
    if state.options.hand_overflow == "stop_drawing":
        count = min(count, state.options.hand_limit - state.table.hands[played.seat])
    for _ in range(min(count, state.table.hands[source])):
        hand = state.hands[source]
        kinds = list(hand.values())
        drawn = dealer.card({kind: kinds.count(kind) for kind in state.cards if kind in kinds})
        lost = next(id for id, kind in hand.items() if kind == drawn)
        (card,) = state.held(played.seat, (drawn,))
        emit(CardStolen(seat=played.seat, source=source, drawn=drawn, lost=lost, card=card))


def _discard_cards(
    state: State, played: Played, effect: DiscardCards, target: Target, dealer: Dealer, emit: Emit
) -> None:
    for seat in clockwise(state.table, played.seat):
        count = min(effect.count, state.table.hands[seat])
        if seat != played.seat and count:
            emit(ChoiceAsked(pick=Pick(seat, "discard", count, ())))


def _free_repair(
    state: State, played: Played, effect: FreeRepair, target: Target, dealer: Dealer, emit: Emit
) -> None:
    for id in target.ids:
        owner, car = _where(state, partial(_has_defect, id))
        shown = next((surprise for surprise in car.shown if surprise.id == id), None)
        surprise = shown or state.surprise(id, state.kinds[id])
        emit(DefectRemoved(seat=owner, car=car.id, surprise=surprise))


def _has_defect(id: str, car: Car) -> bool:
    return id in defects(car)


def _peek_surprises(
    state: State, played: Played, effect: PeekSurprises, target: Target, dealer: Dealer, emit: Emit
) -> None:
    owner, car = _where(state, lambda car: car.id == target.ids[0])
    emit(
        SurprisesPeeked(
            seat=played.seat,
            owner=owner,
            car=car.id,
            count=len(car.hidden),
            surprises=tuple(state.hidden(car)),
        )
    )


def _cycle_market(
    state: State, played: Played, effect: CycleMarket, target: Target, dealer: Dealer, emit: Emit
) -> None:
    emit(MarketCycled(cars=target.ids))
    refill_market(state, dealer, emit)


def _purchase_discount_once(
    state: State, played: Played, effect: PurchaseDiscountOnce, target: Target, dealer: Dealer, emit: Emit
) -> None:
    emit(DiscountGranted(amount=effect.amount))


def _extra_action(
    state: State, played: Played, effect: ExtraAction, target: Target, dealer: Dealer, emit: Emit
) -> None:
    emit(ExtraActionGranted(count=effect.count))


def _cancel_acquisition(
    state: State, played: Played, effect: CancelAcquisition, target: Target, dealer: Dealer, emit: Emit
) -> None:
    assert played.answers is not None
    emit(AcquisitionCancelled(played=played.answers))


_DO: Final[dict[type[Effect], Callable[[State, Played, Any, Target, Dealer, Emit], None]]] = {
    ModRoll: _mod_roll,
    Reroll: _reroll,
    RevealSurprise: _reveal_surprise,
    SkipTest: _skip_test,
    DismissBuyer: _dismiss_buyer,
    DestroyMod: _destroy_mod,
    PriceDelta: _price_delta,
    TakeMoney: _take_money,
    Draw: _draw,
    StealCard: _steal_card,
    DiscardCards: _discard_cards,
    FreeRepair: _free_repair,
    PeekSurprises: _peek_surprises,
    CycleMarket: _cycle_market,
    PurchaseDiscountOnce: _purchase_discount_once,
    ExtraAction: _extra_action,
    CancelAcquisition: _cancel_acquisition,
}
