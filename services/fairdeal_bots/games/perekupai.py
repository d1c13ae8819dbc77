"""`bot:steady` for Perekupai: buys what promises a margin, sells to who pays best, plays cards for what they bring."""

from collections.abc import Iterator
from random import Random
from typing import Final

from fairdeal.action import Action
from fairdeal.games.perekupai import (
    AbandonSale,
    Buy,
    BuyOffer,
    Choose,
    ChooseBuyer,
    ChooseBuyerOffer,
    ChooseOffer,
    DeclineBuy,
    Discard,
    DiscardOffer,
    Inspect,
    InspectOffer,
    Pass,
    PlayScam,
    PlayScamOffer,
    Repair,
    RepairOffer,
    StartBuy,
    StartSale,
    StartSaleOffer,
    Work,
)
from fairdeal.games.perekupai_deck import Modification
from fairdeal.games.perekupai_legal import takes
from fairdeal.games.perekupai_table import Buyer, Car
from fairdeal_bots.bot import Bot
from fairdeal_bots.games.perekupai_tricks import card_to_play
from fairdeal_bots.games.perekupai_worth import (
    ACTION,
    SteadyView,
    card_of,
    card_worth,
    market_gain,
    repair_gain,
    sale_price,
    scam_worth,
    seat_of,
    standing_worth,
    turns_left,
)

LOOKING: Final = 60
"""What it brings, on average, that the best of several inspected cars is bought, for each that is inspected."""


class Steady:
    """Weighs everything in money, from what its own view shows."""

    def choose(self, view: SteadyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        match view.phase:
            case "gap":
                return card_to_play(view) or _permanent_to_play(view) or _best_action(view)
            case "buy":
                return card_to_play(view) or _look_and_buy(view)
            case "sale_pick_buyer":
                return _another_buyer(view)
            case "pick":
                return _pick(view)
            case "discard_down":
                discards: DiscardOffer = view.offer(Discard)
                return Discard(_cheapest(view, discards.cards, discards.count))
            case _:
                return card_to_play(view) or Pass()


def _car(view: SteadyView, id: str) -> Car:
    car = view.table.car_of(seat_of(view), id)
    assert car is not None
    return car


# The actions of a turn


def _best_action(view: SteadyView) -> Action:
    """What brings most: a sale, a purchase to sell later, a repair before a sale, or work."""
    offers: list[tuple[float, Action]] = [(ACTION, Work()), *_sales(view), *_purchase(view), *_repairs(view)]
    _, best = max(offers, key=lambda offer: offer[0])
    if isinstance(best, StartSale):
        return _modification_to_play(view, best.car) or best
    return best


def _sales(view: SteadyView) -> Iterator[tuple[float, Action]]:
    """Each sale, with what it brings above the purchase price, which an unsold car is worth at the end."""
    offer: StartSaleOffer | None = view.offer(StartSale)
    for id, buyers in offer.cars.items() if offer else ():
        car = _car(view, id)
        for buyer_id in buyers:
            buyer = view.table.buyer_of(buyer_id)
            assert buyer is not None
            gain = sale_price(view, car, buyer) - car.front.purchase
            if gain > 0:
                # The money works on, a car that stands about does not.
                yield gain + ACTION, StartSale(id, buyer_id)


def _purchase(view: SteadyView) -> Iterator[tuple[float, Action]]:
    table, seat = view.table, seat_of(view)
    room = len(table.cars[seat]) < table.options["car_limit"]
    if view.offer(StartBuy) is None or not room or turns_left(table) < 1.5:
        return
    fronts = [car.front for car in table.market if car and car.front.purchase <= table.cash[seat]]
    if fronts:
        best = max(market_gain(front, None, front.purchase) for front in fronts)
        # Two actions are used up, this one and the sale.
        yield best + LOOKING * min(len(fronts), 3) - ACTION, StartBuy()


def _repairs(view: SteadyView) -> Iterator[tuple[float, Action]]:
    """Repairing what a buyer would be likely to notice, by what that buyer then pays more."""
    offer: RepairOffer | None = view.offer(Repair)
    for id, costs in offer.cars.items() if offer else ():
        car = _car(view, id)
        for buyer in view.table.buyers:
            if buyer is not None and takes(buyer, car.front.level):
                named = _worth_repairing(view, car, buyer, costs)
                if named:
                    yield repair_gain(view, car, buyer, named), Repair(id, named)


def _worth_repairing(view: SteadyView, car: Car, buyer: Buyer, costs: dict[str, int]) -> tuple[str, ...]:
    named: list[str] = []
    left = view.table.cash[seat_of(view)]
    for defect, cost in costs.items():
        if cost <= left and repair_gain(view, car, buyer, [defect]) > 0:
            named.append(defect)
            left -= cost
    return tuple(named)


def _look_and_buy(view: SteadyView) -> Action:
    """Inspect while it may, the most promising first, then buy the best car if it is worth an action to sell it."""
    buys: BuyOffer | None = view.offer(Buy)
    looks: InspectOffer | None = view.offer(Inspect)
    if buys is None:
        return DeclineBuy()
    assert view.hand is not None
    gains = {}
    for slot, cost in buys.prices.items():
        car = view.table.market[slot]
        assert car is not None
        gains[slot] = market_gain(car.front, view.hand.techs.get(car.id), cost)
    unknown = [slot for slot in (looks.slots if looks else ()) if slot in gains and not _known(view, slot)]
    if unknown:
        return Inspect(max(unknown, key=lambda slot: gains[slot]))
    best = max(gains, key=lambda slot: gains[slot])
    return Buy(best) if gains[best] > ACTION / 2 else DeclineBuy()


def _known(view: SteadyView, slot: int) -> bool:
    car = view.table.market[slot]
    assert view.hand is not None
    return car is not None and car.id in view.hand.techs


def _another_buyer(view: SteadyView) -> Action:
    offer: ChooseBuyerOffer | None = view.offer(ChooseBuyer)
    assert view.table.sale is not None
    car = _car(view, view.table.sale.car)
    buyers = [view.table.buyer_of(id) for id in (offer.buyers if offer else ())]
    prices = {buyer.id: sale_price(view, car, buyer) for buyer in buyers if buyer is not None}
    best = max(prices, key=lambda id: prices[id], default=None)
    return AbandonSale() if best is None or prices[best] < car.front.purchase else ChooseBuyer(best)


def _pick(view: SteadyView) -> Action:
    """Show the least bad defects, discard the cards that are worth least."""
    offer: ChooseOffer = view.offer(Choose)
    if offer.what == "discard":
        return Choose(_cheapest(view, offer.cards, offer.count))
    assert view.hand is not None
    known = view.hand.surprises
    return Choose(tuple(sorted(offer.cards, key=lambda id: -known[id].value)[: offer.count]))


def _cheapest(view: SteadyView, cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    return tuple(sorted(cards, key=lambda id: card_worth(view.table, card_of(view, id)))[:count])


# Scams


def _permanent_to_play(view: SteadyView) -> Action | None:
    """The permanent scam that brings most, in a free place or in that of one that brings less from now on."""
    offer: PlayScamOffer | None = view.offer(PlayScam)
    turns = turns_left(view.table)
    own = {permanent.id: permanent for permanent in view.table.permanents[seat_of(view)]}
    worth = {
        id: sum(standing_worth(effect, turns) for effect in permanent.scam.effects)
        for id, permanent in own.items()
    }
    best: tuple[float, Action] | None = None
    for id, places in offer.cards.items() if offer else ():
        card = card_of(view, id)
        if isinstance(card.scam, Modification):
            continue
        replaced = None if places.beside else min(places.replace, key=lambda id: worth[id])
        gain = scam_worth(view.table, card) - (worth[replaced] if replaced else 0)
        if gain > 0 and (best is None or gain > best[0]):
            best = gain, PlayScam(id, replace=replaced)
    return best[1] if best else None


def _modification_to_play(view: SteadyView, car: str) -> Action | None:
    """A modification from the hand for a car that is about to be sold."""
    offer: PlayScamOffer | None = view.offer(PlayScam)
    ids = [id for id, places in (offer.cards.items() if offer else ()) if car in places.cars]
    return PlayScam(ids[0], car=car) if ids else None


BOTS: Final[dict[str, Bot]] = {"steady": Steady()}
