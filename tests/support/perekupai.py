"""Perekupai positions in a line or two, and commands sensible and mad.

Cards are written by their kinds in the deck: `C01` a car, `B01` a buyer, `S01` a surprise, `A01` a card, `D1` a
dealer. A car is `"C01 S01 S13 A02"`: with its surprises in the order of drawing and the scams that were put on it.
Ids follow from the order of writing: cars `c1` … owned first, then the market's; surprises `s1` …, buyers `b1` …, hand
cards `h1` … of each seat, scams in play `m1` …, first those beside dealers.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from fairdeal.action import Action
from fairdeal.games.perekupai import (
    AbandonSale,
    AskMoney,
    AskMoneyOffer,
    Buy,
    BuyerRevealed,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CashChanged,
    Choose,
    ChooseBuyer,
    DealerDrawn,
    DecksLaid,
    DeclineBuy,
    Discard,
    EndTurn,
    EndTurnOffer,
    FirstSeatDrawn,
    Inspect,
    MarketRefilled,
    Pass,
    PlayAcquisition,
    PlayScam,
    Repair,
    RoundStarted,
    ScamPlayed,
    Scrap,
    Scrapped,
    StartBuy,
    StartSale,
    SurprisesDrawn,
    TurnStarted,
    Work,
)
from fairdeal.games.perekupai_deck import DECKS, HAGGLE, HOUSE, Modification, Permanent
from fairdeal.games.perekupai_table import (
    Buyer,
    Front,
    HeldCard,
    InPlay,
    MarketCar,
    Mod,
    Surprise,
    Target,
    Tech,
)
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_local import Scripted, Table
from fairdeal_rules.games.perekupai_state import Printed, printed
from support.scenario import Scenario, given

SETS: dict[str, dict[str, Any]] = {
    "default": {},
    "friendly": {"reactions": False, "hand_overflow": "stop_drawing", "show_unnoticed": True},
    "quick": {
        "window_mode": "only_if_playable",
        "target": 3000,
        "stalemate": "seed_only",
        "unsold_cars": "nothing",
        "last_car": "deck_empty",
        "price_floor": 300,
        "end_early": False,
    },
    "big": {
        "actions_per_turn": 3,
        "hand_limit": 9,
        "car_limit": 3,
        "permanent_limit": 4,
        "inspect_count": 1,
        "market_size": 7,
        "buyer_count": 4,
        "start_hand": 9,
        "start_money": 2000,
    },
    "small": {
        "actions_per_turn": 1,
        "hand_limit": 2,
        "car_limit": 1,
        "permanent_limit": 1,
        "market_size": 2,
        "buyer_count": 1,
        "start_hand": 1,
        "start_money": 500,
        "first_seat": "host",
        "target_5_6_agreed": True,
    },
}
"""Option sets by name: together they have every option off its default, but the deck and `richest_claim`."""

SHORT = {
    name: {**options, "target": options.get("start_money", 1000) + 1000} for name, options in SETS.items()
}
"""The same for games that are over soon."""

HOUSE_SHA256 = DECKS.sha256(HOUSE)
CARDS: Printed = printed(HOUSE_SHA256)
MARKET = "C05 C10 C20 C30 C40"
BUYERS = "B01 B07 B15"


def front(kind: str, cards: Printed = CARDS) -> Front:
    entry = cards.cars[kind]
    return Front(entry.maker, entry.model, entry.level, entry.purchase)


def tech(kind: str, cards: Printed = CARDS) -> Tech:
    entry = cards.cars[kind]
    return Tech(kind, entry.sale, entry.surprises, entry.defects, HAGGLE[entry.level])


def surprise(id: str, kind: str, cards: Printed = CARDS) -> Surprise:
    entry = cards.surprises[kind]
    return Surprise(id, kind, entry.name, entry.value)


def buyer(id: str, kind: str, cards: Printed = CARDS) -> Buyer:
    entry = cards.buyers[kind]
    return Buyer(id, kind, entry.name, entry.level, entry.attentiveness, entry.haggling, entry.prefs)


def shelved(name: str, **tables: Any) -> str:
    """Put a deck with these tables, the others the house's, on the shelf; its name."""
    DECKS.put([(name, tables)])
    return name


def card(id: str, timing: str, *effects: dict[str, Any], copies: int = 2) -> dict[str, Any]:
    """An entry of a deck's table `card`: an acquisition with these effects, its windows in one text."""
    acquisition = {"name": f"Acquisition {id}", "timing": timing.split(), "effects": effects, "text": ""}
    scam = {"type": "permanent", "name": f"Scam {id}", "effects": [END_BONUS], "text": ""}
    return {"id": id, "copies": copies, "acquisition": acquisition, "scam": scam}


END_BONUS = {"op": "end_bonus", "amount": 100}


class Setup:
    """Writes the events of a position one after another; counts what is left in the decks."""

    def __init__(self, seats: int, printed: Printed) -> None:
        self.printed = printed
        self.events: list[Event] = []
        self.left = {
            "car": sum(entry.copies for entry in printed.cars.values()),
            "surprise": sum(entry.copies for entry in printed.surprises.values()),
            "card": sum(printed.copies.values()),
        }
        self.cars = self.surprises = self.mods = 0
        self.hands = [0] * seats

    def market(self, slot: int, kind: str) -> str:
        self.cars += 1
        self.left["car"] -= 1
        car = MarketCar(f"c{self.cars}", front(kind, self.printed))
        self.events.append(MarketRefilled(slot=slot, car=car, deck_left=self.left["car"], drawn=kind))
        return car.id

    def draw(self, seat: int, kinds: Sequence[str]) -> list[str]:
        if not kinds:
            return []
        self.left["card"] -= len(kinds)
        held = []
        for kind in kinds:
            self.hands[seat] += 1
            held.append(HeldCard(f"h{self.hands[seat]}", self.printed.cards[kind]))
        self.events.append(
            CardsDrawn(
                seat=seat,
                count=len(held),
                deck_left=self.left["card"],
                drawn=tuple(kinds),
                cards=tuple(held),
            )
        )
        return [card.id for card in held]

    def discard(self, seat: int, kinds: Sequence[str]) -> None:
        ids = self.draw(seat, kinds)
        cards = tuple(self.printed.cards[kind] for kind in kinds)
        self.events.append(CardsDiscarded(seat=seat, cards=cards, ids=tuple(ids)))

    def scam(self, seat: int, kind: str, car: str | None) -> None:
        (held,) = self.draw(seat, [kind])
        self.mods += 1
        id, scam = f"m{self.mods}", self.printed.cards[kind].scam
        mod = Mod(id, kind, scam.name, scam.value, "scam") if isinstance(scam, Modification) else None
        permanent = InPlay(id, kind, scam) if isinstance(scam, Permanent) else None
        self.events.append(ScamPlayed(seat=seat, car=car, mod=mod, permanent=permanent, id=held))

    def own(self, seat: int, text: str) -> None:
        """A car with what is on it, which the seat buys now."""
        kind, *on_it = text.split()
        car = self.market(0, kind)
        self.events.append(CarBought(seat=seat, slot=0, car=car, tech=tech(kind, self.printed), price=0))
        drawn = [kind for kind in on_it if kind in self.printed.surprises]
        if drawn:
            self.left["surprise"] -= len(drawn)
            first = self.surprises + 1
            self.surprises += len(drawn)
            seen = [surprise(f"s{first + n}", kind, self.printed) for n, kind in enumerate(drawn)]
            self.events.append(
                SurprisesDrawn(
                    seat=seat,
                    car=car,
                    ids=tuple(s.id for s in seen),
                    mods=tuple(Mod(s.id, s.kind, s.name, s.value, "surprise") for s in seen if s.value > 0),
                    deck_left=self.left["surprise"],
                    drawn=tuple(drawn),
                    defects=tuple(s for s in seen if s.value < 0),
                )
            )
        for kind in on_it:
            if kind in self.printed.cards:
                self.scam(seat, kind, car)

    def gone(self, kind: str) -> None:
        """A car that came and went."""
        car = self.market(0, kind)
        self.events.append(CarBought(seat=0, slot=0, car=car, tech=tech(kind, self.printed), price=0))
        self.events.append(Scrapped(seat=0, car=car, amount=0))


def at(
    *hands: str,
    cars: Mapping[int, Sequence[str]] | None = None,
    fresh: Mapping[int, Sequence[str]] | None = None,
    market: str = MARKET,
    buyers: str = BUYERS,
    dealers: Mapping[int, str] | None = None,
    permanents: Mapping[int, str] | None = None,
    cash: Mapping[int, int] | None = None,
    used: str = "",
    gone: Sequence[str] = (),
    turn: int = 0,
    first: int = 0,
    round: int = 3,
    start_money: int = 1000,
    actions: int = 2,
    deck: str = HOUSE,
) -> tuple[Event, ...]:
    """The turn of seat `turn`, with all its actions left, the seats holding these hands.

    `cars` were bought in former turns, `fresh` in this one. `used` cards lie on the used pile, and the cars
    `gone` came and went before all others. No seat has a
    dealer that is not named.
    """
    cards = printed(DECKS.sha256(deck))
    setup = Setup(len(hands), cards)
    events = setup.events
    buyers_left = sum(entry.copies for entry in cards.buyers.values())
    left = setup.left
    events.append(
        DecksLaid(cars=left["car"], buyers=buyers_left, surprises=left["surprise"], cards=left["card"])
    )
    for seat, kind in (dealers or {}).items():
        events.append(DealerDrawn(seat=seat, dealer=cards.dealers[kind], drawn=kind))
    events.append(FirstSeatDrawn(seat=first))
    for seat, hand in enumerate(hands):
        setup.draw(seat, hand.split())
    for seat, kinds in (permanents or {}).items():
        for kind in kinds.split():
            setup.scam(seat, kind, None)
    for kind in gone:
        setup.gone(kind)
    for seat, owned in (cars or {}).items():
        for text in owned:
            setup.own(seat, text)
    events += (RoundStarted(round=round, final=False), TurnStarted(seat=turn, turn=9, actions=actions))
    for seat, owned in (fresh or {}).items():
        for text in owned:
            setup.own(seat, text)
    for slot, kind in enumerate(market.split()):
        if kind != "-":
            setup.market(slot, kind)
    for slot, kind in enumerate(buyers.split()):
        shown, buyers_left = buyer(f"b{slot + 1}", kind, cards), buyers_left - 1
        events.append(BuyerRevealed(slot=slot, buyer=shown, deck_left=buyers_left, drawn=kind))
    for seat, total in (cash or {}).items():
        if total != start_money:
            events.append(CashChanged(seat=seat, delta=total - start_money, total=total))
    if used:
        setup.discard(0, used.split())
    return tuple(events)


def scene(
    *hands: str, options: dict[str, Any] | None = None, draws: Sequence[Any] = (), **position: Any
) -> Scenario:
    """A scenario at such a position; the dealer will give these `draws`."""
    agreed = {"deck": position.get("deck", HOUSE), **(options or {})}
    events = at(*hands, **position)
    return given("perekupai", *events, players=len(hands), options=agreed, dealer=Scripted(draws))


def say(scenario: Scenario, *moves: tuple[int, Action]) -> Scenario:
    """Play moves that must be accepted."""
    for seat, action in moves:
        scenario.when(seat, action)
        assert scenario.rejected is None, f"seat {seat} {action}: {scenario.rejected}"
        assert not scenario.game.rules.violations(scenario.game.state)
    return scenario


def passes(*seats: int) -> list[tuple[int, Action]]:
    return [(seat, Pass()) for seat in seats]


def play(card: str, *targets: Any) -> PlayAcquisition:
    """Play an acquisition: a target is a seat, an id or several ids in a tuple."""
    return PlayAcquisition(card, tuple(_target(target) for target in targets))


def _target(target: Any) -> Target:
    if isinstance(target, int):
        return Target(seat=target)
    return Target(ids=target if isinstance(target, tuple) else (target,))


def kinds(scenario: Scenario) -> list[str]:
    """What happened by the last move, as the names of the events."""
    return [type(event).__name__ for event in scenario.events]


# Playing by chance

_WEIGHTS: dict[type[Offer], float] = {AskMoneyOffer: 0.02, EndTurnOffer: 0.2}


def lively(offer: Offer) -> float:
    """Weigh offers so that turns are used and hardly anybody asks for what the table shows."""
    return _WEIGHTS.get(type(offer), 1.0)


def play_some(table: Table, random: Random, version: int) -> Table:
    """Play by chance until that version or the end; the same table."""
    while table.version < version and not table.finished:
        (seat,) = table.view().to_act
        offers = table.view(seat).offers
        (offer,) = random.choices(offers, [lively(offer) for offer in offers])
        table.act(seat, offer.sample(random))
    return table


def candidates(table: Table, random: Random, each: int = 2) -> tuple[Action, ...]:
    """Commands of every kind with ids of this table, right and wrong, and all seats' offers slightly changed."""
    view = table.view("table").table
    cars = [car.id for owned in view.cars for car in owned]
    market = [car.id for car in view.market if car is not None]
    buyers = [buyer.id for buyer in view.buyers if buyer is not None]
    surprises = [
        id for owned in view.cars for car in owned for id in (*car.hidden, *(s.id for s in car.shown))
    ]
    mods = [mod.id for owned in view.cars for car in owned for mod in car.mods]
    permanents = [permanent.id for owned in view.permanents for permanent in owned]
    held = [card.id for seat in range(len(view.cash)) for card in table.view(seat).hand.cards]
    ids = [*cars, *market, *buyers, *surprises, *mods, *permanents, *held, "c0", "x"]

    def some(of: Sequence[str], most: int = 2) -> tuple[str, ...]:
        pool = list(of) or ids
        return tuple(random.choice(pool) for _ in range(random.randint(0, most)))

    def one(of: Sequence[str]) -> str:
        return random.choice(list(of) or ids)

    def targets() -> tuple[Target, ...]:
        made = (Target(seat=random.randrange(7)), Target(ids=some(ids)), Target(ids=(one(ids),)))
        return tuple(random.choice(made) for _ in range(random.choice((0, 0, 1, 1, 2))))

    made: list[Action] = [
        *(StartBuy(), DeclineBuy(), AbandonSale(), Work(), Pass(), EndTurn()),
        AskMoney(random.randrange(8)),
    ]
    for _ in range(each):
        made += (
            Inspect(random.randrange(8)),
            Buy(random.randrange(8)),
            Repair(one(cars), some(surprises)),
            StartSale(one(cars), one(buyers)),
            ChooseBuyer(one(buyers)),
            Scrap(one(cars)),
            PlayScam(one(held), random.choice((None, one(cars))), random.choice((None, one(permanents)))),
            PlayAcquisition(one(held), targets()),
            Choose(some(surprises)),
            Choose(some(held)),
            Discard(some(held)),
        )
        for seat in range(len(view.cash)):
            for offer in table.view(seat).offers:
                made.append(_changed(offer.sample(random), one(ids), random))
    return tuple(made)


def _changed(action: Action, other: str, random: Random) -> Action:
    """The action with one field a little different."""
    fields = msgspec.structs.asdict(action)
    if not fields:
        return action
    name = random.choice(tuple(fields))
    value = fields[name]
    if isinstance(value, int):
        fields[name] = max(0, value + random.choice((-1, 1)))
    elif isinstance(value, str):
        fields[name] = other
    elif value is None:
        fields[name] = other if name in ("car", "replace") else None
    elif value and isinstance(value[0], str):
        fields[name] = random.choice((value[1:], (*value, value[0]), (*value, other), value[::-1]))
    elif value:
        fields[name] = random.choice((value[1:], (*value, value[0]), (Target(ids=(other,)), *value[1:])))
    return type(action)(**fields)


def events_of(log: Sequence[Any]) -> Iterator[Any]:
    """All events of a log, in order."""
    return (event for commit in log for event in commit.events)


def opening(seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """What `Table.open` takes for a game of so many seats."""
    return {"ruleset": "perekupai", "players": seats, "options": options}
