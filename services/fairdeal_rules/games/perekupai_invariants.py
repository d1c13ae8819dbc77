"""Perekupai: what must hold of every state (perekupai.md §15)."""

from collections import Counter
from collections.abc import Iterable, Iterator

from fairdeal.games.perekupai_effects import STEP, ExtraAction
from fairdeal.games.perekupai_fold import MONEY
from fairdeal.games.perekupai_legal import waiting
from fairdeal_rules.games.perekupai_state import State

Claims = Iterator[tuple[str, bool]]


def violations(state: State) -> list[str]:
    """The invariants that a state breaks, a sentence each."""
    groups = (_money, _cards, _limits, _cars, _turn, _waiting, _shown)
    return [sentence for group in groups for sentence, holds in group(state) if not holds]


def _money(state: State) -> Claims:
    table = state.table
    yield "money was created or destroyed", sum(table.cash) + table.bank == MONEY
    yield "a seat has less than nothing", min(table.cash) >= 0
    yield f"an amount is no multiple of {STEP}", not any(cash % STEP for cash in table.cash)


def _cards(state: State) -> Claims:
    """Each instance is in exactly one place: of every kind there are as many as the deck has."""
    table, deck = state.table, state.printed
    cars = [car for cars in table.cars for car in cars]
    mods = [mod for car in cars for mod in car.mods]
    face_down = [id for car in cars for id in car.hidden]
    played = [played.kind for played in table.stack]
    permanents = [permanent.kind for own in table.permanents for permanent in own]
    yield (
        "surprises were created or destroyed",
        _count(
            state.surprises,
            state.used_surprises,
            (state.kinds[id] for id in face_down),
            (surprise.kind for car in cars for surprise in car.shown),
            (mod.kind for mod in mods if mod.source == "surprise"),
        )
        == Counter({id: entry.copies for id, entry in deck.surprises.items()}),
    )
    yield (
        "acquisition/scam cards were created or destroyed",
        _count(
            state.cards,
            state.used_cards,
            *(hand.values() for hand in state.hands),
            played,
            permanents,
            (mod.kind for mod in mods if mod.source == "scam"),
        )
        == Counter(deck.copies),
    )
    yield (
        "buyers were created or destroyed",
        _count(state.buyers, state.used_buyers, (b.kind for b in table.buyers if b is not None))
        == Counter({id: entry.copies for id, entry in deck.buyers.items()}),
    )
    there = _count(
        state.cars,
        (kind for _, kind in state.under),
        (state.kinds[car.id] for car in table.market if car is not None),
        (car.tech.kind for car in cars),
    )
    all_cars = Counter({id: entry.copies for id, entry in deck.cars.items()})
    yield "a car is in two places", there <= all_cars
    yield "cars were created or destroyed", there.total() + len(table.used_cars) == all_cars.total()
    dealers = [dealer.id for dealer in table.dealers if dealer is not None]
    yield "a dealer is at two seats", len(dealers) == len(set(dealers))


def _count(*piles: Iterable[str] | dict[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for pile in piles:
        found.update(pile)
    return +found


def _limits(state: State) -> Claims:
    table, options = state.table, state.options
    # Nobody discards once the game is over: the last seat may win with more.
    discards = waiting(table, options)[1] == "discard_down" or table.turn is None
    yield "a hand is too big", discards or max(table.hands) <= options.hand_limit
    for seat in range(state.seats):
        permanents = [permanent.kind for permanent in table.permanents[seat]]
        yield f"seat {seat} owns too many cars", len(table.cars[seat]) <= options.car_limit
        yield f"seat {seat} has too many permanents", len(permanents) <= options.permanent_limit
        yield f"seat {seat} has two permanents of a type", len(permanents) == len(set(permanents))
    gaps = table.market.count(None)
    yield "the market has a gap though there are cars", not gaps or not table.car_deck
    yield "the market has another size", len(table.market) == options.market_size
    yield "a buyer is missing", None not in table.buyers and len(table.buyers) == options.buyer_count


def _cars(state: State) -> Claims:
    entries = state.printed.surprises
    for cars in state.table.cars:
        for car in cars:
            yield (
                f"a modification of {car.id} lies face-down",
                all(entries[state.kinds[id]].value < 0 for id in car.hidden),
            )
            yield f"a modification of {car.id} is shown as a defect", all(s.value < 0 for s in car.shown)
            yield f"a defect of {car.id} is a modification", all(mod.value > 0 for mod in car.mods)
            shown = {*(s.id for s in car.shown), *(mod.id for mod in car.mods)}
            yield f"a surprise of {car.id} lies in two places", not shown & set(car.hidden)


def _turn(state: State) -> Claims:
    table, options = state.table, state.options
    extra = [
        effect.count
        for entry in state.printed.cards.values()
        for effect in entry.acquisition.effects
        if isinstance(effect, ExtraAction)
    ]
    most = options.actions_per_turn + (max(extra, default=0) if table.extra_used else 0)
    yield "too many actions in a turn", table.actions_done + table.actions_left <= most
    yield "the turn is with a seat that left", table.turn is None or table.turn not in table.out
    sells = table.phase.endswith("window") or table.phase in ("sale_open", "sale_pick_buyer")
    yield f"a sale goes on in {table.phase}", (table.sale is not None) == sells
    yield f"a car is being bought in {table.phase}", (table.buying is not None) == (table.phase == "buy")
    if table.sale is not None and table.turn is not None:
        yield "what is on sale is not the seller's", table.car_of(table.turn, table.sale.car) is not None
        rolled = table.sale.rolled
        yield (
            "the total is not the sum",
            rolled is None or rolled.total == rolled.die + rolled.bonus + rolled.deltas,
        )
    if table.trigger is not None:
        yield "the game goes on after its last round", table.round <= table.trigger.round + 1
        yield "the last round is not called so", table.final == (table.round > table.trigger.round)


def _waiting(state: State) -> Claims:
    table = state.table
    if table.turn is None:
        return
    seat, phase = waiting(table, state.options)
    yield "nobody is waited for", seat is not None
    yield "a seat is waited for that left", seat not in table.out
    if phase in ("gap", "buy", "sale_pick_buyer"):
        yield "another seat than the active one is waited for", seat == table.turn


def _shown(state: State) -> Claims:
    """What everybody sees agrees with what is hidden."""
    table = state.table
    yield "a hand is shown of another size", table.hands == [len(hand) for hand in state.hands]
    yield "the card deck is shown of another size", table.card_deck == sum(state.cards.values())
    yield "the surprise deck is shown of another size", table.surprise_deck == sum(state.surprises.values())
    yield "the buyer deck is shown of another size", table.buyer_deck == sum(state.buyers.values())
    cars = sum(state.cars.values()) + len(state.under)
    yield "the car deck is shown of another size", table.car_deck == cars
    seen = sum(table.used_cards.values()) + table.used_cards_unseen
    yield "the used cards are shown otherwise", seen == sum(state.used_cards.values())
    seen = sum(table.used_surprises.values()) + table.used_surprises_unseen
    yield "the used surprises are shown otherwise", seen == sum(state.used_surprises.values())
    known = {car.id for car in table.market if car is not None}
    known |= {id for cars in table.cars for car in cars for id in car.hidden}
    yield "something is known that does not lie there", state.kinds.keys() == known
