"""Which acquisition `bot:steady` plays in Perekupai, and on what: effect by effect, whatever card they are on."""

from collections.abc import Callable
from typing import Any, Final

from fairdeal.action import Action
from fairdeal.games.perekupai import Choice, PlayAcquisition, PlayAcquisitionOffer, StartSale
from fairdeal.games.perekupai_effects import (
    CancelAcquisition,
    CycleMarket,
    DestroyMod,
    DismissBuyer,
    Effect,
    FreeRepair,
    ModRoll,
    PeekSurprises,
    PriceDelta,
    Reroll,
    SkipTest,
    StealCard,
)
from fairdeal.games.perekupai_table import Target
from fairdeal_bots.games.perekupai_worth import SteadyView, card_of, seat_of


def card_to_play(view: SteadyView) -> Action | None:
    """An acquisition that is worth playing now, if it is worth more than the scam on its other half."""
    offer: PlayAcquisitionOffer | None = view.offer(PlayAcquisition)
    for id, choices in offer.cards.items() if offer else ():
        effects = card_of(view, id).acquisition.effects
        if all(_WORTH_IT.get(type(effect), _always)(view, effect) for effect in effects):
            return PlayAcquisition(id, tuple([_target(view, choice, effects) for choice in choices]))
    return None


def _always(view: SteadyView, effect: Effect) -> bool:
    return True


def _never(view: SteadyView, effect: Effect) -> bool:
    return False


def _turns_the_test(view: SteadyView, effect: ModRoll) -> bool:
    """Whether what it adds makes an own test won, or another's lost."""
    rolled = view.table.sale.rolled if view.table.sale else None
    if rolled is None:
        return False
    is_won, would_be_won = rolled.total >= rolled.target, rolled.total + effect.delta >= rolled.target
    return is_won != would_be_won and would_be_won == _sells(view)


def _sells(view: SteadyView) -> bool:
    return view.seat == view.table.turn


def _may_win_again(view: SteadyView, effect: Reroll) -> bool:
    rolled = view.table.sale.rolled if view.table.sale else None
    return rolled is not None and (rolled.total >= rolled.target) != _sells(view)


def _is_for_it(view: SteadyView, effect: PriceDelta) -> bool:
    return (effect.amount > 0) == _sells(view)


def _hides_much(view: SteadyView, effect: SkipTest) -> bool:
    return _worst_hidden(view) <= -300


def _worst_hidden(view: SteadyView) -> int:
    hidden = {id for car in view.table.cars[seat_of(view)] for id in car.hidden}
    assert view.hand is not None
    return min([known.value for id, known in view.hand.surprises.items() if id in hidden], default=0)


def _repairs_much(view: SteadyView, effect: FreeRepair) -> bool:
    return _worst_hidden(view) <= -200


def _drives_a_buyer_away(view: SteadyView, effect: DismissBuyer) -> bool:
    """Others' buyers in their sales; outside, one of several that take none of the own cars."""
    if effect.scope == "sale":
        return not _sells(view)
    return bool(view.table.cars[seat_of(view)]) and view.offer(StartSale) is None


def _is_meant(view: SteadyView, effect: CancelAcquisition) -> bool:
    """Whether the acquisition to be answered hits this seat."""
    top = view.table.stack[-1]
    targets = [target for target in top.targets if target is not None]
    own = {mod.id for car in view.table.cars[seat_of(view)] for mod in car.mods}
    if any(target.seat == view.seat or own & set(target.ids) for target in targets):
        return True
    return top.timing.startswith("opp_") and _sells(view)


_WORTH_IT: Final[dict[type[Effect], Callable[[SteadyView, Any], bool]]] = {
    ModRoll: _turns_the_test,
    Reroll: _may_win_again,
    PriceDelta: _is_for_it,
    SkipTest: _hides_much,
    FreeRepair: _repairs_much,
    DismissBuyer: _drives_a_buyer_away,
    CycleMarket: _never,
    PeekSurprises: _never,
    CancelAcquisition: _is_meant,
}
"""When an effect is worth playing; those not named always are."""


def _target(view: SteadyView, choice: Choice, effects: tuple[Effect, ...]) -> Target:
    """The richest seat, the one with most cards, the worst own defect, the best modification of others."""
    table = view.table
    if choice.seats:
        by = table.hands if any(isinstance(effect, StealCard) for effect in effects) else table.cash
        return Target(seat=max(choice.seats, key=lambda seat: by[seat]))
    ids = [id for group in choice.groups for id in group]
    assert view.hand is not None
    known = view.hand.surprises
    if any(isinstance(effect, DestroyMod) for effect in effects):
        values = {mod.id: mod.value for cars in table.cars for car in cars for mod in car.mods}
        return Target(ids=(max(ids, key=lambda id: values.get(id, 0)),))
    return Target(ids=(min(ids, key=lambda id: known[id].value if id in known else 0),))
