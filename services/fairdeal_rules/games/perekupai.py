"""Perekupai: what is allowed (perekupai.md).

The state and how events change it are in `perekupai_state`, decks and bank in `perekupai_supply`, what cards do in
`perekupai_effects`, what the server does by itself in `perekupai_flow`, what must hold in `perekupai_invariants`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from fairdeal.action import Action
from fairdeal.dealer import Dealer
from fairdeal.decks.own import UnknownDeck
from fairdeal.game import Outcome, Resign, Resigned
from fairdeal.games import perekupai
from fairdeal.games.perekupai import (
    AbandonSale,
    AcquisitionPlayed,
    ActionStarted,
    AskMoney,
    Buy,
    BuyDeclined,
    BuyerChosen,
    CarBought,
    CardsDiscarded,
    CarInspected,
    Choose,
    ChooseBuyer,
    Chosen,
    DealerDrawn,
    DecksLaid,
    DeclineBuy,
    Discard,
    EndTurn,
    FirstSeatDrawn,
    Inspect,
    MoneyAsked,
    Options,
    Pass,
    Passed,
    PermanentReplaced,
    PlayAcquisition,
    PlayScam,
    Repair,
    SaleAbandoned,
    SaleStarted,
    ScamPlayed,
    Scrap,
    Scrapped,
    SeatLeft,
    StartBuy,
    StartSale,
    SurpriseRevealed,
    SurprisesRepaired,
    TurnEnded,
    Work,
    Worked,
    admit_all,
    are_some_of,
)
from fairdeal.games.perekupai_deck import DECKS, CardEntry, Modification
from fairdeal.games.perekupai_legal import (
    can,
    choices,
    defects,
    inspect_limit,
    loader_pay,
    places,
    price,
    repair_cost,
    repair_discount,
    scrap_pay,
    takes,
    target_of,
    timing,
    waiting,
)
from fairdeal.games.perekupai_table import Car, InPlay, MarketCar, Mod, Phase, Pick
from fairdeal.receipt import Rejected
from fairdeal.visibility import Event
from fairdeal_rules.games.perekupai_flow import announce_last_car, end_play, go_on, next_asked, start_round
from fairdeal_rules.games.perekupai_invariants import violations
from fairdeal_rules.games.perekupai_state import State, evolve
from fairdeal_rules.games.perekupai_supply import (
    draw_cards,
    draw_surprises,
    pay,
    refill_buyers,
    refill_market,
    reveal_buyers_anew,
    tech,
)
from fairdeal_rules.ruleset import Emit, Ruleset


class Rules(Ruleset[State, perekupai.Options]):
    name = "perekupai"
    version = 1
    players = (2, 6)
    Options = perekupai.Options

    def complete_options(
        self, options: perekupai.Options, logged: dict[str, Any] | None
    ) -> perekupai.Options:
        """Say what the deck holds: what it held when the game was played if it was, else what its name stands for."""
        if logged is not None:
            held = str(logged.get("deck_sha256"))
        else:
            try:
                held = DECKS.sha256(options.deck)
            except UnknownDeck as error:
                raise Rejected("bad_options", str(error), path="$.action.options.deck") from None
        if options.deck_sha256 not in ("", held):
            raise Rejected(
                "bad_options",
                f"The deck {options.deck} holds something else: its SHA-256 is {held}",
                path="$.action.options.deck_sha256",
            )
        return msgspec.structs.replace(options, deck_sha256=held)

    def check_options(self, options: perekupai.Options, seats: int) -> None:
        for field, message in _option_faults(options, seats):
            raise Rejected("bad_options", message, path=f"$.action.options.{field}")

    # Opening

    def open(self, options: perekupai.Options, seats: int) -> State:
        return State(options, seats)

    def begin(self, state: State, dealer: Dealer, emit: Emit) -> None:
        """Market, buyers, dealers, hands, and who begins (perekupai.md §2)."""
        emit(
            DecksLaid(
                cars=sum(state.cars.values()),
                buyers=sum(state.buyers.values()),
                surprises=sum(state.surprises.values()),
                cards=sum(state.cards.values()),
            )
        )
        refill_market(state, dealer, emit)
        refill_buyers(state, dealer, emit)
        while all(buyer is not None and buyer.level == 3 for buyer in state.table.buyers):
            reveal_buyers_anew(state, dealer, emit)
        left = dict.fromkeys(state.printed.dealers, 1)
        for seat in range(state.seats):
            drawn = dealer.card(left)
            del left[drawn]
            emit(DealerDrawn(seat=seat, dealer=state.printed.dealers[drawn], drawn=drawn))
        for seat in range(state.seats):
            draw_cards(state, seat, state.options.start_hand, dealer, emit)
        _find_first(state, dealer, emit)
        start_round(state, 0, emit)

    def evolve(self, state: State, event: Event) -> None:
        evolve(state, event)

    def decide(self, state: State, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        if seat in state.table.out:
            raise Rejected("out_of_game", "This seat plays no longer")
        _check_phase(state, seat, type(action))
        _DECISIONS[type(action)](state, seat, action, dealer, emit)
        go_on(state, dealer, emit)

    # The clock

    def overdue(self, state: State) -> Sequence[tuple[int, Action]]:
        """Pass, decline, end the turn; where something has to be chosen take what came first (§5)."""
        seat, _ = waiting(state.table, state.options)
        return [] if seat is None else [(seat, _overdue(state, seat))]

    def deadline_for(self, state: State) -> object:
        """To ask how much money a seat has moves nothing on, and gives nobody more time."""
        return state.table.moves

    def outcome(self, state: State) -> Outcome | None:
        """The most money wins, equal ones share; who gave up is behind all that still played (§9)."""
        table = state.table
        if table.scores is None:
            return None
        totals = [score.total for score in table.scores]
        playing = table.playing()
        places = [1 + sum([totals[other] > totals[seat] for other in playing]) for seat in range(state.seats)]
        for left, seat in enumerate(table.out):
            places[seat] = state.seats - left
        winners = tuple([seat for seat in playing if places[seat] == 1])
        return Outcome(winners=winners, places=tuple(places), scores=tuple(totals), reason=state.reason)

    def violations(self, state: State) -> list[str]:
        return violations(state)


def _option_faults(options: Options, seats: int) -> Iterator[tuple[str, str]]:
    """What contradicts each other, or the deck: each as (field, message)."""
    deck = DECKS.holding(options.deck_sha256)
    dealers, buyers = len(deck.dealer), sum([entry.copies for entry in deck.buyer])
    if dealers < seats:
        yield "deck", f"The deck {options.deck} has {dealers} dealers: too few for {seats} seats"
    if buyers < options.buyer_count:
        yield "buyer_count", f"The deck {options.deck} has only {buyers} buyers"
    if options.start_money >= target_of(options, seats):
        yield "start_money", f"{options.start_money} would end the game before it begins"
    if options.start_hand > options.hand_limit:
        yield "start_hand", f"No hand holds more than {options.hand_limit} cards"
    claims = seats if options.first_seat == "richest_claim" else 0
    if len(options.cash_claims) != claims:
        yield "cash_claims", f"With first_seat {options.first_seat} there are {claims} claims of real cash"


def _find_first(state: State, dealer: Dealer, emit: Emit) -> None:
    """Who begins; seat 0 needs no word (§2.6)."""
    options = state.options
    if options.first_seat == "host":
        return
    among = range(state.seats)
    if options.first_seat == "richest_claim":
        among = [seat for seat in among if options.cash_claims[seat] == max(options.cash_claims)]  # type: ignore[assignment]
    emit(FirstSeatDrawn(seat=dealer.card(among)))


# Decide: who may act now

_WINDOWS: Final[frozenset[str]] = frozenset(
    ("sale_open", "att_window", "hag_window", "final_window", "react")
)
_GAP: Final[frozenset[str]] = frozenset(("gap",))
_BUY: Final[frozenset[str]] = frozenset(("buy",))
_PICK_BUYER: Final[frozenset[str]] = frozenset(("sale_pick_buyer",))
_PHASES: Final[dict[type, frozenset[str]]] = {
    StartBuy: _GAP,
    Inspect: _BUY,
    Buy: _BUY,
    DeclineBuy: _BUY,
    Repair: _GAP,
    StartSale: _GAP,
    ChooseBuyer: _PICK_BUYER,
    AbandonSale: _PICK_BUYER,
    Work: _GAP,
    Scrap: _GAP,
    PlayScam: _GAP,
    PlayAcquisition: _WINDOWS | _GAP | _BUY,
    Pass: _WINDOWS,
    Choose: frozenset(("pick",)),
    Discard: frozenset(("discard_down",)),
    EndTurn: _GAP,
}
"""In which phase each action may be taken (§5, §10), by the seat that is waited for; others at any time by any seat."""


def _check_phase(state: State, seat: int, action: type) -> None:
    phases = _PHASES.get(action)
    if phases is None:
        return
    waited_for, now = waiting(state.table, state.options)
    if now not in phases:
        raise Rejected("wrong_phase", f"The phase is {now}: seat {waited_for} is waited for", phase=now)
    if seat != waited_for:
        raise Rejected("not_your_turn", f"Seat {waited_for} is waited for", waited_for=waited_for)


# Decide: buying


def _start_buy(state: State, seat: int, action: StartBuy, dealer: Dealer, emit: Emit) -> None:
    if not any(state.table.market):
        raise Rejected("market_empty", "There are no cars on the market")
    emit(ActionStarted(seat=seat, action="buy"))


def _inspect(state: State, seat: int, action: Inspect, dealer: Dealer, emit: Emit) -> None:
    car = _at_slot(state, action.slot)
    assert state.table.buying is not None
    inspected, limit = state.table.buying.inspected, inspect_limit(state.table, state.options, seat)
    if action.slot in inspected:
        raise Rejected("already_inspected", "This car was inspected already", slot=action.slot)
    if len(inspected) >= limit:
        raise Rejected("inspect_limit", f"No more than {limit} cars may be inspected", limit=limit)
    emit(CarInspected(seat=seat, slot=action.slot, car=car.id, tech=tech(state, state.kinds[car.id])))


def _at_slot(state: State, slot: int) -> MarketCar:
    market = state.table.market
    car = market[slot] if slot < len(market) else None
    if car is None:
        raise Rejected("empty_slot", f"There is no car at slot {slot} of the market", slot=slot)
    return car


def _buy(state: State, seat: int, action: Buy, dealer: Dealer, emit: Emit) -> None:
    table = state.table
    car, limit = _at_slot(state, action.slot), state.options.car_limit
    if len(table.cars[seat]) >= limit:
        raise Rejected("car_limit", f"Nobody may own more than {limit} cars", limit=limit)
    cost = price(table, seat, car)
    _check_money(state, seat, cost)
    side = tech(state, state.kinds[car.id])
    emit(CarBought(seat=seat, slot=action.slot, car=car.id, tech=side, price=cost))
    pay(state, seat, -cost, emit)
    refill_market(state, dealer, emit)
    draw_surprises(state, seat, car.id, side.surprises, dealer, emit)
    announce_last_car(state, seat, emit)


def _check_money(state: State, seat: int, cost: int) -> None:
    cash = state.table.cash[seat]
    if cost > cash:
        raise Rejected("too_poor", f"This costs {cost} and there are {cash}", cost=cost, cash=cash)


def _decline_buy(state: State, seat: int, action: DeclineBuy, dealer: Dealer, emit: Emit) -> None:
    emit(BuyDeclined(seat=seat))


# Decide: the other actions


def _own_car(state: State, seat: int, id: str) -> Car:
    car = state.table.car_of(seat, id)
    if car is None:
        raise Rejected("not_your_car", f"This seat owns no car {id}", car=id)
    return car


def _repair(state: State, seat: int, action: Repair, dealer: Dealer, emit: Emit) -> None:
    car, named = _own_car(state, seat, action.car), action.surprises
    if not named:
        raise Rejected("nothing_named", "Name at least one defect")
    if len(set(named)) < len(named) or not set(named) <= set(defects(car)):
        raise Rejected("not_on_car", f"These are not different defects of the car {car.id}", car=car.id)
    there = {surprise.id: surprise for surprise in (*state.hidden(car), *car.shown)}
    repaired, discount = tuple([there[id] for id in named]), repair_discount(state.table, seat)
    cost = sum([repair_cost(surprise.value, discount) for surprise in repaired])
    _check_money(state, seat, cost)
    emit(ActionStarted(seat=seat, action="repair"))
    emit(SurprisesRepaired(seat=seat, car=car.id, surprises=repaired, cost=cost))
    pay(state, seat, -cost, emit)
    draw_cards(state, seat, len(repaired), dealer, emit)


def _start_sale(state: State, seat: int, action: StartSale, dealer: Dealer, emit: Emit) -> None:
    car = _own_car(state, seat, action.car)
    if car.bought_in == state.table.turn_number:
        raise Rejected("bought_this_turn", "A car cannot be sold in the turn in which it was bought")
    _check_buyer(state, action.buyer, car)
    emit(ActionStarted(seat=seat, action="sell"))
    emit(SaleStarted(seat=seat, car=car.id, buyer=action.buyer))


def _check_buyer(state: State, id: str, car: Car) -> None:
    buyer = state.table.buyer_of(id)
    if buyer is None:
        raise Rejected("no_such_buyer", f"There is no buyer {id} on the table", buyer=id)
    if not takes(buyer, car.front.level):
        raise Rejected(
            "level_mismatch",
            f"A buyer of level {buyer.level} takes no car of level {car.front.level}",
            buyer_level=buyer.level,
            car_level=car.front.level,
        )


def _choose_buyer(state: State, seat: int, action: ChooseBuyer, dealer: Dealer, emit: Emit) -> None:
    _check_buyer(state, action.buyer, _car_on_sale(state, seat))
    emit(BuyerChosen(seat=seat, buyer=action.buyer))


def _car_on_sale(state: State, seat: int) -> Car:
    assert state.table.sale is not None
    return _own_car(state, seat, state.table.sale.car)


def _abandon_sale(state: State, seat: int, action: AbandonSale, dealer: Dealer, emit: Emit) -> None:
    emit(SaleAbandoned(seat=seat))


def _work(state: State, seat: int, action: Work, dealer: Dealer, emit: Emit) -> None:
    amount = loader_pay(state.table, seat)
    emit(ActionStarted(seat=seat, action="work"))
    emit(Worked(seat=seat, amount=amount))
    pay(state, seat, amount, emit)
    draw_cards(state, seat, 1, dealer, emit)


def _scrap(state: State, seat: int, action: Scrap, dealer: Dealer, emit: Emit) -> None:
    car = _own_car(state, seat, action.car)
    amount = scrap_pay(state.table, seat, car)
    emit(ActionStarted(seat=seat, action="scrap"))
    emit(Scrapped(seat=seat, car=car.id, amount=amount))
    pay(state, seat, amount, emit)


def _end_turn(state: State, seat: int, action: EndTurn, dealer: Dealer, emit: Emit) -> None:
    if not state.options.end_early:
        raise Rejected("actions_left", "At this table every action has to be used")
    emit(TurnEnded(seat=seat))


def _ask_money(state: State, seat: int, action: AskMoney, dealer: Dealer, emit: Emit) -> None:
    asked = action.seat
    if asked >= state.seats or asked == seat:
        raise Rejected("no_such_seat", f"There is no other seat {asked} to ask", seat=asked)
    emit(MoneyAsked(seat=seat, asked=asked, cash=state.table.cash[asked]))


# Decide: cards


def _card(state: State, seat: int, id: str) -> CardEntry:
    kind = state.hands[seat].get(id)
    if kind is None:
        raise Rejected("not_in_hand", f"This seat has no card {id} in its hand", card=id)
    return state.printed.cards[kind]


def _play_scam(state: State, seat: int, action: PlayScam, dealer: Dealer, emit: Emit) -> None:
    card = _card(state, seat, action.card)
    where = places(state.table, state.options, seat, card.id, card.scam)
    if where is None or not where.admit(action.car, action.replace):
        raise _no_place(state, seat, card, action)
    id, scam = state.next_id("mod"), card.scam
    if isinstance(scam, Modification):
        mod = Mod(id, card.id, scam.name, scam.value, "scam")
        emit(ScamPlayed(seat=seat, car=action.car, mod=mod, permanent=None, id=action.card))
        return
    if action.replace is not None:
        emit(PermanentReplaced(seat=seat, permanent=action.replace))
    permanent = InPlay(id, card.id, scam)
    emit(ScamPlayed(seat=seat, car=None, mod=None, permanent=permanent, id=action.card))


def _no_place(state: State, seat: int, card: CardEntry, action: PlayScam) -> Rejected:
    """Why a scam cannot be put there."""
    name, own = card.scam.name, state.table.permanents[seat]
    if isinstance(card.scam, Modification):
        if action.car is None or action.replace is not None:
            return Rejected("bad_target", f"{name} is put on a car: name it, and nothing else")
        return Rejected("not_your_car", f"This seat owns no car {action.car}", car=action.car)
    if action.car is not None:
        return Rejected("bad_target", f"{name} is put beside the dealer, not on a car")
    if action.replace is not None and all(permanent.id != action.replace for permanent in own):
        return Rejected("bad_target", f"This seat has no permanent scam {action.replace}")
    if any(permanent.kind == card.id for permanent in own):
        return Rejected("same_type", f"{name} is in play already, and nobody may have two")
    limit = state.options.permanent_limit
    return Rejected("permanent_limit", f"With {limit} permanent scams name one to replace", limit=limit)


def _play_acquisition(state: State, seat: int, action: PlayAcquisition, dealer: Dealer, emit: Emit) -> None:
    table, card = state.table, _card(state, seat, action.card)
    acquisition, now = card.acquisition, timing(state.table, seat)
    if now is None or now not in acquisition.timing:
        when = ", ".join(acquisition.timing)
        raise Rejected("wrong_timing", f"{acquisition.name} is played in {when}, and this is {now}")
    wanted = choices(table, seat, acquisition, now)
    if wanted is None:
        raise Rejected("no_effect", f"{acquisition.name} would do nothing now")
    if not admit_all(wanted, action.targets):
        raise Rejected("bad_target", f"{acquisition.name} cannot be played on that")
    named = iter(action.targets)
    takes_one = [not isinstance(can(table, seat, effect, now), bool) for effect in acquisition.effects]
    emit(
        AcquisitionPlayed(
            seat=seat,
            played=state.next_id("played"),
            kind=card.id,
            acquisition=acquisition,
            timing=now,
            targets=tuple([next(named) if one else None for one in takes_one]),
            answers=table.stack[-1].id if table.stack else None,
            id=action.card,
        )
    )


def _pass(state: State, seat: int, action: Pass, dealer: Dealer, emit: Emit) -> None:
    emit(Passed(seat=seat, asked=next_asked(state, seat)))


def _choose(state: State, seat: int, action: Choose, dealer: Dealer, emit: Emit) -> None:
    pick = state.table.picks[0]
    among = _choosable(state, pick)
    if len(action.cards) != pick.count:
        raise Rejected("wrong_count", f"Choose {pick.count}", count=pick.count)
    if not are_some_of(among, pick.count, action.cards):
        raise Rejected("not_offered", "These are not different ones of what there is to choose from")
    emit(Chosen(seat=seat))
    if pick.what == "discard":
        _put_off(state, seat, action.cards, emit)
        return
    car = _car_on_sale(state, seat)
    for id in action.cards:
        seen = state.surprise(id, state.kinds[id])
        emit(SurpriseRevealed(seat=seat, car=car.id, surprise=seen))


def _choosable(state: State, pick: Pick) -> tuple[str, ...]:
    return pick.cards if pick.what == "reveal" else tuple(state.hands[pick.seat])


def _put_off(state: State, seat: int, ids: tuple[str, ...], emit: Emit) -> None:
    emit(CardsDiscarded(seat=seat, cards=tuple([_card(state, seat, id) for id in ids]), ids=ids))


def _discard(state: State, seat: int, action: Discard, dealer: Dealer, emit: Emit) -> None:
    count = _excess(state, seat)
    if len(action.cards) != count:
        raise Rejected("wrong_count", f"Discard {count}", count=count)
    if not are_some_of(tuple(state.hands[seat]), count, action.cards):
        raise Rejected("not_in_hand", "These are not different cards of this hand")
    _put_off(state, seat, action.cards, emit)


def _excess(state: State, seat: int) -> int:
    return len(state.hands[seat]) - state.options.hand_limit


# Decide: leaving


def _resign(state: State, seat: int, action: Resign, dealer: Dealer, emit: Emit) -> None:
    """The seat's cards go to the used piles and its money to the bank; what goes on loses it, or ends with it."""
    table = state.table
    waited_for, now = waiting(table, state.options)
    emit(Resigned(seat=seat))
    if now in _WINDOWS and seat == waited_for:
        emit(Passed(seat=seat, asked=next_asked(state, seat)))
    place = len(table.playing())
    emit(SeatLeft(seat=seat, place=place, cash=table.cash[seat], cards=len(state.hands[seat])))
    if place == 2:
        end_play(state, "last_seat", emit)


_DECISIONS: Final[dict[type, Callable[[State, int, Any, Dealer, Emit], None]]] = {
    StartBuy: _start_buy,
    Inspect: _inspect,
    Buy: _buy,
    DeclineBuy: _decline_buy,
    Repair: _repair,
    StartSale: _start_sale,
    ChooseBuyer: _choose_buyer,
    AbandonSale: _abandon_sale,
    Work: _work,
    Scrap: _scrap,
    PlayScam: _play_scam,
    PlayAcquisition: _play_acquisition,
    Pass: _pass,
    Choose: _choose,
    Discard: _discard,
    EndTurn: _end_turn,
    AskMoney: _ask_money,
    Resign: _resign,
}


# What the clock does


def _overdue(state: State, seat: int) -> Action:
    """By position and order of arrival only, so that nothing is told of a card."""
    table = state.table
    _, now = waiting(table, state.options)
    if now == "discard_down":
        return Discard(tuple(state.hands[seat])[: _excess(state, seat)])
    if now == "pick":
        return Choose(_choosable(state, table.picks[0])[: table.picks[0].count])
    if now == "react":
        return Pass()
    return _OVERDUE[table.phase](state, seat)


def _another_buyer(state: State, seat: int) -> Action:
    level = _car_on_sale(state, seat).front.level
    fitting = [buyer.id for buyer in state.table.buyers if buyer is not None and takes(buyer, level)]
    return ChooseBuyer(fitting[0]) if fitting else AbandonSale()


def _passes(state: State, seat: int) -> Action:
    return Pass()


_OVERDUE: Final[dict[Phase, Callable[[State, int], Action]]] = {
    "gap": lambda state, seat: EndTurn() if state.options.end_early else Work(),
    "buy": lambda state, seat: DeclineBuy(),
    "sale_pick_buyer": _another_buyer,
    "sale_open": _passes,
    "att_window": _passes,
    "hag_window": _passes,
    "final_window": _passes,
}
