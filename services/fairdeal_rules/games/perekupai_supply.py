"""Perekupai: where money and cards come from: the bank, the market, the decks (perekupai.md §7, §8)."""

from collections.abc import Iterator

from fairdeal.dealer import Dealer
from fairdeal.games.perekupai import (
    BuyerRevealed,
    BuyersReshuffled,
    CardsDrawn,
    CardsReshuffled,
    CashChanged,
    MarketRefilled,
    SurprisesDrawn,
    SurprisesReshuffled,
)
from fairdeal.games.perekupai_deck import ACCEPTS, HAGGLE
from fairdeal.games.perekupai_legal import takes
from fairdeal.games.perekupai_table import Buyer, Front, MarketCar, Mod, Surprise, Tech
from fairdeal_rules.games.perekupai_state import Pool, State
from fairdeal_rules.ruleset import Emit


def pay(state: State, seat: int, delta: int, emit: Emit) -> None:
    """A seat gets this much from the bank, or pays it; nothing happens for 0."""
    if delta:
        emit(CashChanged(seat=seat, delta=delta, total=state.table.cash[seat] + delta))


# The market


def refill_market(state: State, dealer: Dealer, emit: Emit) -> None:
    """Fill the empty slots while there are cars: first the deck's unknown ones, then those put under it (§7.1)."""
    for slot, car in enumerate(state.table.market):
        left = sum(state.cars.values()) + len(state.under)
        if car is not None or not left:
            continue
        if left > len(state.under):
            id, drawn = state.next_id("car"), dealer.card(state.cars)
            emit(MarketRefilled(slot=slot, car=_fronted(state, id, drawn), deck_left=left - 1, drawn=drawn))
        else:
            id, kind = state.under[0]
            emit(MarketRefilled(slot=slot, car=_fronted(state, id, kind), deck_left=left - 1, drawn=None))


def _fronted(state: State, id: str, kind: str) -> MarketCar:
    entry = state.printed.cars[kind]
    return MarketCar(id, Front(entry.maker, entry.model, entry.level, entry.purchase))


def tech(state: State, kind: str) -> Tech:
    """The technical side of a car."""
    entry = state.printed.cars[kind]
    return Tech(kind, entry.sale, entry.surprises, entry.defects, HAGGLE[entry.level])


# Buyers


def refill_buyers(state: State, dealer: Dealer, emit: Emit) -> None:
    """Reveal a buyer in each empty slot; the used ones are shuffled when the deck has run out (§7.3)."""
    for slot, buyer in enumerate(state.table.buyers):
        if buyer is not None:
            continue
        if not state.table.buyer_deck and any(state.used_buyers.values()):
            emit(BuyersReshuffled(revealed=False, count=sum(state.used_buyers.values())))
        drawn = dealer.card(state.buyers)
        entry = state.printed.buyers[drawn]
        shown = Buyer(
            state.next_id("buyer"),
            drawn,
            entry.name,
            entry.level,
            entry.attentiveness,
            entry.haggling,
            entry.prefs,
        )
        left = sum(state.buyers.values()) - 1
        emit(BuyerRevealed(slot=slot, buyer=shown, deck_left=left, drawn=drawn))


def reveal_buyers_anew(state: State, dealer: Dealer, emit: Emit) -> None:
    """Shuffle all buyers, the used ones too, and reveal as many as before (§2, §8)."""
    revealed = [buyer for buyer in state.table.buyers if buyer is not None]
    count = len(revealed) + sum(state.buyers.values()) + sum(state.used_buyers.values())
    emit(BuyersReshuffled(revealed=True, count=count))
    refill_buyers(state, dealer, emit)


def end_stalemate(state: State, dealer: Dealer, emit: Emit) -> None:
    """Reveal buyers anew if none can buy anything (§8)."""
    levels = _levels_in_play(state)
    buyers = [buyer for buyer in state.table.buyers if buyer is not None]
    if state.options.stalemate == "seed_only":
        if 1 not in levels and all(buyer.level == 1 for buyer in buyers):
            reveal_buyers_anew(state, dealer, emit)
        return
    if _any_takes(state, levels):
        return
    reveal_buyers_anew(state, dealer, emit)
    can_match = any(ACCEPTS[entry.level] & levels for entry in state.printed.buyers.values())
    while can_match and not _any_takes(state, levels):
        reveal_buyers_anew(state, dealer, emit)


def _levels_in_play(state: State) -> set[int]:
    owned = {car.front.level for cars in state.table.cars for car in cars}
    return owned | {car.front.level for car in state.table.market if car is not None}


def _any_takes(state: State, levels: set[int]) -> bool:
    return any(takes(buyer, level) for buyer in state.table.buyers if buyer is not None for level in levels)


# Acquisition/scam cards and surprises


def draw_cards(state: State, seat: int, count: int, dealer: Dealer, emit: Emit) -> None:
    """A seat draws so many cards, or as many as there are (§7.7)."""
    if state.options.hand_overflow == "stop_drawing":
        count = min(count, state.options.hand_limit - state.table.hands[seat])
    for batch in _batches(state.cards, state.used_cards, count):
        if not any(state.cards.values()):
            emit(CardsReshuffled(count=sum(state.used_cards.values())))
        drawn = dealer.cards(state.cards, batch)
        left = sum(state.cards.values()) - batch
        cards = state.held(seat, drawn)
        emit(CardsDrawn(seat=seat, count=batch, deck_left=left, drawn=drawn, cards=cards))


def _batches(deck: Pool, used: Pool, count: int) -> Iterator[int]:
    """How many to draw from the deck, then from what is shuffled into a new one."""
    first = min(count, sum(deck.values()))
    if first > 0:
        yield first
    rest = min(count - first, sum(used.values()))
    if rest > 0:
        yield rest


def draw_surprises(state: State, seat: int, car: str, count: int, dealer: Dealer, emit: Emit) -> None:
    """Draw a car's surprises: defects stay face-down, modifications are turned face-up (§7.1)."""
    for batch in _batches(state.surprises, state.used_surprises, count):
        if not any(state.surprises.values()):
            emit(SurprisesReshuffled(count=sum(state.used_surprises.values())))
        drawn = dealer.cards(state.surprises, batch)
        surprises = [state.surprise(state.next_id("surprise", n), k) for n, k in enumerate(drawn, 1)]
        emit(
            SurprisesDrawn(
                seat=seat,
                car=car,
                ids=tuple([surprise.id for surprise in surprises]),
                mods=tuple([_as_mod(surprise) for surprise in surprises if surprise.value > 0]),
                deck_left=sum(state.surprises.values()) - batch,
                drawn=drawn,
                defects=tuple([surprise for surprise in surprises if surprise.value < 0]),
            )
        )


def _as_mod(surprise: Surprise) -> Mod:
    return Mod(surprise.id, surprise.kind, surprise.name, surprise.value, "surprise")
