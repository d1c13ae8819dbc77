"""Perekupai: what is said. Actions, events, options and offers (perekupai.md).

Dealers buy used cars, repair or hide what is wrong with them and sell them to buyers who may notice. What lies
on the table is in `perekupai_table`, what is printed on cards in `perekupai_deck`, what cards do in
`perekupai_effects`. Everything is named by an id, a place on the market by its slot, from 0.
"""

from typing import Annotated, Literal

import msgspec

from fairdeal.action import Action
from fairdeal.decks.own import NAME
from fairdeal.games.perekupai_deck import DECKS, HOUSE, Acquisition, CardEntry, DealerEntry
from fairdeal.games.perekupai_effects import Test, Timing
from fairdeal.games.perekupai_table import (
    Buyer,
    Hand,
    HeldCard,
    InPlay,
    MarketCar,
    Mod,
    Pick,
    Score,
    Surprise,
    Table,
    Target,
    Tech,
)
from fairdeal.view import Offer, Random
from fairdeal.visibility import Drawn, Event, Public, Secret, seen_by

__all__ = ["DECKS", "Hand", "Table"]

Id = Annotated[str, msgspec.Meta(max_length=24)]
Ids = Annotated[tuple[Id, ...], msgspec.Meta(max_length=64)]
Slot = Annotated[int, msgspec.Meta(ge=0, le=63)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=63)]


# Actions. Each is refused with `out_of_game`, `wrong_phase` or `not_your_turn` where it is not for this seat.


class StartBuy(Action):
    """Begin a buying action; it is used up whatever follows (perekupai.md §7.1). Refused: `market_empty`."""


class Inspect(Action):
    """Look at the technical side of a car on the market (§7.1).

    Refused: `empty_slot`, `already_inspected`, `inspect_limit`.
    """

    slot: Slot


class Buy(Action):
    """Buy a car, inspected or not (§7.1). Refused: `empty_slot`, `car_limit`, `too_poor`."""

    slot: Slot


class DeclineBuy(Action):
    """End a buying action without buying."""


class Repair(Action):
    """Repair defects, face-down or face-up, of one own car (§7.2).

    Refused: `not_your_car`, `nothing_named`, `not_on_car`, `too_poor`.
    """

    car: Id
    surprises: Ids


class StartSale(Action):
    """Offer an own car to a buyer (§7.3).

    Refused: `not_your_car`, `bought_this_turn`, `no_such_buyer`, `level_mismatch`.
    """

    car: Id
    buyer: Id


class ChooseBuyer(Action):
    """Offer the car to another buyer after the first was dismissed. Refused: `no_such_buyer`, `level_mismatch`."""

    buyer: Id


class AbandonSale(Action):
    """Keep the car after its buyer was dismissed; the action is lost."""


class Work(Action):
    """Work as a loader at the vegetable market (§7.4)."""


class Scrap(Action):
    """Push an own car into the scrap heap (§7.5). Refused: `not_your_car`."""

    car: Id


class PlayScam(Action):
    """Put a card's scam on an own car, or beside the dealer, there perhaps in the place of another (§7.6).

    Refused: `not_in_hand`, `not_your_car`, `bad_target`, `same_type`, `permanent_limit`.
    """

    card: Id
    car: Id | None = None
    replace: Id | None = None


class PlayAcquisition(Action):
    """Play a card's acquisition (§5, §12). `targets` has one entry for each effect that takes one now.

    Refused: `not_in_hand`, `wrong_timing`, `no_effect`, `bad_target`.
    """

    card: Id
    targets: Annotated[tuple[Target, ...], msgspec.Meta(max_length=16)] = ()


class Pass(Action):
    """Play nothing in this window."""


class Choose(Action):
    """Make the choice that an effect leaves to this seat: ids of surprises, or of own cards.

    Refused: `wrong_count`, `not_offered`.
    """

    cards: Ids


class Discard(Action):
    """Discard what is over the hand limit (§7.7). Refused: `wrong_count`, `not_in_hand`."""

    cards: Ids


class EndTurn(Action):
    """End the turn with actions left. Refused: `actions_left` unless `end_early`."""


class AskMoney(Action):
    """Ask how much money a seat has, at any time; the table shows it anyway. Refused: `no_such_seat`."""

    seat: Seat


# Events: setting up


class DecksLaid(Event):
    """The decks lie ready: so many cars, buyers, surprises, and acquisition/scam cards."""

    cars: Public[int]
    buyers: Public[int]
    surprises: Public[int]
    cards: Public[int]


class DealerDrawn(Event):
    """A seat drew its dealer."""

    seat: Public[int]
    dealer: Public[DealerEntry]
    drawn: Public[Drawn[str]]


class FirstSeatDrawn(Event):
    """The seat that begins was drawn by lot."""

    seat: Public[Drawn[int]]


# Events: the turn


class RoundStarted(Event):
    """A round begins; after the final one the game is over."""

    round: Public[int]
    final: Public[bool]


class TurnStarted(Event):
    """A seat's turn begins, with so many actions."""

    seat: Public[int]
    turn: Public[int]
    actions: Public[int]


class ActionStarted(Event):
    """A seat uses an action."""

    seat: Public[int]
    action: Public[Literal["buy", "repair", "sell", "work", "scrap"]]


class TurnEnded(Event):
    """A seat's turn is over."""

    seat: Public[int]


class CashChanged(Event):
    """A seat got or paid money, and has `total` now."""

    seat: Public[int]
    delta: Public[int]
    total: Public[int]


class EndTriggered(Event):
    """A seat has the money it takes, or bought the last car: this round is completed, and one more played."""

    seat: Public[int]
    reason: Public[Literal["money", "last_car"]]
    round: Public[int]


class MoneyAsked(Event):
    """A seat asked another one how much money it has."""

    seat: Public[int]
    asked: Public[int]
    cash: Public[int]


# Events: decks


class MarketRefilled(Event):
    """A car came onto the market, out of the deck or, with nothing drawn, from under it."""

    slot: Public[int]
    car: Public[MarketCar]
    deck_left: Public[int]
    drawn: Secret[Drawn[str]] = seen_by()


class BuyerRevealed(Event):
    """A buyer was revealed."""

    slot: Public[int]
    buyer: Public[Buyer]
    deck_left: Public[int]
    drawn: Public[Drawn[str]]


class BuyersReshuffled(Event):
    """The used buyers, and with `revealed` those on the table too, were shuffled into the deck, now of `count`."""

    revealed: Public[bool]
    count: Public[int]


class SurprisesReshuffled(Event):
    """The surprise deck had run out: the used ones are the deck now."""

    count: Public[int]


class CardsReshuffled(Event):
    """The acquisition/scam deck had run out: the used ones are the deck now."""

    count: Public[int]


class CardsDrawn(Event):
    """A seat drew acquisition/scam cards."""

    seat: Public[int]
    count: Public[int]
    deck_left: Public[int]
    drawn: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")
    cards: Secret[tuple[HeldCard, ...]] = seen_by("seat")


class CardsDiscarded(Event):
    """A seat discarded cards, face-up."""

    seat: Public[int]
    cards: Public[tuple[CardEntry, ...]]
    ids: Secret[tuple[str, ...]] = seen_by("seat")


# Events: buying, repairing, working, scrapping


class CarInspected(Event):
    """A seat looked at the technical side of a car on the market."""

    seat: Public[int]
    slot: Public[int]
    car: Public[str]
    tech: Secret[Tech] = seen_by("seat")


class BuyDeclined(Event):
    """A seat bought nothing in its buying action."""

    seat: Public[int]


class CarBought(Event):
    """A seat bought a car, whose technical side everybody sees now."""

    seat: Public[int]
    slot: Public[int]
    car: Public[str]
    tech: Public[Tech]
    price: Public[int]


class SurprisesDrawn(Event):
    """Surprises came with a car: `ids` in the order of drawing. `mods` are the modifications among them.

    The others, `defects`, lie face-down.
    """

    seat: Public[int]
    car: Public[str]
    ids: Public[tuple[str, ...]]
    mods: Public[tuple[Mod, ...]]
    deck_left: Public[int]
    drawn: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")
    defects: Secret[tuple[Surprise, ...]] = seen_by("seat")


class SurprisesRepaired(Event):
    """Defects were repaired, for `cost` altogether, and lie face-up on the used pile."""

    seat: Public[int]
    car: Public[str]
    surprises: Public[tuple[Surprise, ...]]
    cost: Public[int]


class Worked(Event):
    """A seat worked as a loader."""

    seat: Public[int]
    amount: Public[int]


class Scrapped(Event):
    """A seat scrapped a car."""

    seat: Public[int]
    car: Public[str]
    amount: Public[int]


# Events: selling


class SaleStarted(Event):
    """A seat offers a car to a buyer."""

    seat: Public[int]
    car: Public[str]
    buyer: Public[str]


class BuyerDismissed(Event):
    """A buyer went to the used pile; with `sale` it was the one that the car on sale was offered to."""

    buyer: Public[str]
    sale: Public[bool]


class BuyerChosen(Event):
    """The seller offers the car to another buyer."""

    seat: Public[int]
    buyer: Public[str]


class SaleAbandoned(Event):
    """The seller keeps the car."""

    seat: Public[int]


class DieRolled(Event):
    """The die of a test was rolled, or rolled again. `surprise` is the one that is tested."""

    test: Public[Test]
    surprise: Public[str | None]
    die: Public[Drawn[int]]
    bonus: Public[int]
    deltas: Public[int]
    total: Public[int]
    target: Public[int]


class RollModified(Event):
    """Something was added to the total of a test."""

    seat: Public[int]
    delta: Public[int]
    total: Public[int]


class RollResolved(Event):
    """A test was won or lost."""

    test: Public[Test]
    won: Public[bool]


class SurpriseRevealed(Event):
    """A hidden defect was turned face-up: noticed in a test, or shown."""

    seat: Public[int]
    car: Public[str]
    surprise: Public[Surprise]


class SurpriseUnnoticed(Event):
    """A hidden surprise was not noticed and stays face-down."""

    car: Public[str]
    surprise: Public[str]


class SurpriseSkipped(Event):
    """A hidden surprise goes untested and stays face-down."""

    car: Public[str]
    surprise: Public[str]


class PriceChanged(Event):
    """A card changed the price of the sale."""

    seat: Public[int]
    delta: Public[int]


class Breakdown(msgspec.Struct, frozen=True):
    """How a price comes about (§7.3): `final` is the sum of all others, or the floor if that is higher."""

    sale: int
    defects: int
    surprise_mods: int
    scam_mods: int
    haggle: int
    preferences: int
    sale_bonus: int
    deltas: int
    final: int


class CarSold(Event):
    """A car was sold; it is due so many cards. `unnoticed` are the surprises behind it, with `show_unnoticed`."""

    seat: Public[int]
    car: Public[str]
    buyer: Public[str]
    price: Public[Breakdown]
    draws: Public[int]
    unnoticed: Public[tuple[Surprise, ...] | None]


# Events: scams and acquisitions


class ScamPlayed(Event):
    """A scam was played: `mod` on the car, or `permanent` beside the dealer."""

    seat: Public[int]
    car: Public[str | None]
    mod: Public[Mod | None]
    permanent: Public[InPlay | None]
    id: Secret[str] = seen_by("seat")


class PermanentReplaced(Event):
    """A permanent scam went to the used pile to make room."""

    seat: Public[int]
    permanent: Public[str]


class WindowOpened(Event):
    """Seats may play acquisitions, from the start again; `asked` is the first, null if there is nobody to ask."""

    window: Public[Literal["sale_open", "att_window", "hag_window", "final_window", "react"]]
    asked: Public[int | None]


class Passed(Event):
    """A seat played nothing in a window; `asked` is the next one, null when all have passed."""

    seat: Public[int]
    asked: Public[int | None]


class AcquisitionPlayed(Event):
    """A seat played an acquisition. It lies on the table under `played` until all it does is done."""

    seat: Public[int]
    played: Public[str]
    kind: Public[str]
    acquisition: Public[Acquisition]
    timing: Public[Timing]
    targets: Public[tuple[Target | None, ...]]
    answers: Public[str | None]
    id: Secret[str] = seen_by("seat")


class EffectApplied(Event):
    """An effect of the topmost acquisition is carried out, or with `done` false does nothing: its target is gone."""

    played: Public[str]
    op: Public[str]
    done: Public[bool]


class AcquisitionResolved(Event):
    """An acquisition has done what it does and goes to the used pile."""

    played: Public[str]


class AcquisitionCancelled(Event):
    """An acquisition goes to the used pile without effect."""

    played: Public[str]


class ChoiceAsked(Event):
    """An effect leaves a choice to a seat."""

    pick: Public[Pick]


class Chosen(Event):
    """The seat made its choice; what came of it follows."""

    seat: Public[int]


class ModDestroyed(Event):
    """A modification went to its used pile."""

    owner: Public[int]
    car: Public[str]
    mod: Public[str]


class CardStolen(Event):
    """A card went by chance from one hand to another. `lost` is what its former seat called it."""

    seat: Public[int]
    source: Public[int]
    drawn: Secret[Drawn[str]] = seen_by("seat", "source")
    lost: Secret[str] = seen_by("source")
    card: Secret[HeldCard] = seen_by("seat")


class DefectRemoved(Event):
    """A defect was repaired for nothing and lies face-up on the used pile."""

    seat: Public[int]
    car: Public[str]
    surprise: Public[Surprise]


class SurprisesPeeked(Event):
    """A seat looked at the hidden surprises of another seat's car."""

    seat: Public[int]
    owner: Public[int]
    car: Public[str]
    count: Public[int]
    surprises: Secret[tuple[Surprise, ...]] = seen_by("seat")


class MarketCycled(Event):
    """Cars on the market went under the car deck, in this order."""

    cars: Public[tuple[str, ...]]


class DiscountGranted(Event):
    """Less is paid in this buying action."""

    amount: Public[int]


class ExtraActionGranted(Event):
    """The active seat has more actions in this turn."""

    count: Public[int]


# Events: the end


class SeatLeft(Event):
    """A seat plays no longer and has this place: its money goes to the bank, all its cards to their used piles.

    Its `cards` in hand and its hidden surprises go there unseen.
    """

    seat: Public[int]
    place: Public[int]
    cash: Public[int]
    cards: Public[int]


class PlayEnded(Event):
    """The game is over: `final_round`, or `last_seat` when the others have given up."""

    reason: Public[Literal["final_round", "last_seat"]]
    scores: Public[tuple[Score, ...]]


# Options

Limit = Annotated[int, msgspec.Meta(ge=1, le=20)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000, multiple_of=50)]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agreed rules (perekupai.md §16). The defaults are the rulebook's."""

    deck: Annotated[str, msgspec.Meta(pattern=NAME)] = HOUSE
    """The deck's name: `house`, or one that the deployment brings."""
    deck_sha256: Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{64})?$")] = ""
    """What the deck holds, filled in when the game is created; given, the deck has to hold exactly that."""
    target: Amount = 5000
    """The money that ends the game."""
    target_5_6_agreed: bool = False
    """Whether with five or six seats 4000 end the game."""
    start_money: Amount = 1000
    """Each seat's money at the start."""
    start_hand: Annotated[int, msgspec.Meta(ge=0, le=20)] = 4
    """Each seat's cards at the start."""
    actions_per_turn: Limit = 2
    """Actions in a turn."""
    hand_limit: Limit = 6
    """The most cards in a hand."""
    car_limit: Limit = 2
    """The most cars of a seat."""
    permanent_limit: Annotated[int, msgspec.Meta(ge=0, le=20)] = 3
    """The most permanent scams of a seat."""
    inspect_count: Annotated[int, msgspec.Meta(ge=0, le=20)] = 3
    """How many cars may be inspected in a buying action."""
    market_size: Limit = 5
    """Cars on the market."""
    buyer_count: Limit = 3
    """Buyers revealed."""
    first_seat: Literal["random", "host", "richest_claim"] = "random"
    """Who begins: a seat by lot, the seat that the host names first, or who claims the most real cash."""
    cash_claims: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0)], ...], msgspec.Meta(max_length=6)] = ()
    """With `first_seat: richest_claim`: what each seat claims to have; equal ones draw lots."""
    window_mode: Literal["always", "only_if_playable"] = "always"
    """Whether every seat is asked in every window, or only who could play a card, which tells that they could."""
    stalemate: Literal["general", "seed_only"] = "general"
    """When buyers are shuffled anew: when none takes any car in play, or only when all are of level 1 and no car is."""
    last_car: Literal["market_empty", "deck_empty"] = "market_empty"
    """Which purchase ends the game: that of the last car on the market, or the first with which the deck is empty."""
    hand_overflow: Literal["discard_down", "stop_drawing"] = "discard_down"
    """Whether a seat draws all that is due and discards down to the limit, or stops drawing there."""
    unsold_cars: Literal["purchase_price", "nothing"] = "purchase_price"
    """What an unsold car is worth at the end."""
    price_floor: Amount = 0
    """The least that a car is sold for."""
    end_early: bool = True
    """Whether a turn may be ended with actions left."""
    reactions: bool = True
    """Whether acquisitions may be played in other seats' sales and in answer to others."""
    show_unnoticed: bool = False
    """Whether unnoticed surprises are shown after the sale."""


# Offers


class StartBuyOffer(Offer, of=StartBuy):
    """This seat may begin to buy."""


class InspectOffer(Offer, of=Inspect):
    """The slots that may still be inspected."""

    slots: tuple[int, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Inspect) and action.slot in self.slots

    def sample(self, random: Random) -> Inspect:
        return Inspect(random.choice(self.slots))


class BuyOffer(Offer, of=Buy):
    """The slots of the cars that this seat can pay for, with the price."""

    prices: dict[int, int]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Buy) and action.slot in self.prices

    def sample(self, random: Random) -> Buy:
        return Buy(random.choice(tuple(self.prices)))


class DeclineBuyOffer(Offer, of=DeclineBuy):
    """This seat may buy nothing."""


class RepairOffer(Offer, of=Repair):
    """The own cars with the cost of each defect; together those of one car may cost no more than `cash`."""

    cars: dict[str, dict[str, int]]
    cash: int

    def admits(self, action: Action) -> bool:
        if not isinstance(action, Repair) or action.car not in self.cars:
            return False
        costs = self.cars[action.car]
        named = action.surprises
        if not named or len(set(named)) < len(named) or not costs.keys() >= set(named):
            return False
        return sum([costs[id] for id in named]) <= self.cash

    def sample(self, random: Random) -> Repair:
        """A car by chance, its cheapest defect and, each half as likely, the next ones that can be paid for."""
        car = random.choice(tuple(self.cars))
        costs = sorted(self.cars[car].items(), key=lambda item: item[1])
        named, left = [costs[0][0]], self.cash - costs[0][1]
        for id, cost in costs[1:]:
            if cost > left or random.random() < 0.5:
                break
            named.append(id)
            left -= cost
        return Repair(car, tuple(named))


class StartSaleOffer(Offer, of=StartSale):
    """The own cars that may be sold, each with the buyers that take it."""

    cars: dict[str, tuple[str, ...]]

    def admits(self, action: Action) -> bool:
        return isinstance(action, StartSale) and action.buyer in self.cars.get(action.car, ())

    def sample(self, random: Random) -> StartSale:
        car = random.choice(tuple(self.cars))
        return StartSale(car, random.choice(self.cars[car]))


class ChooseBuyerOffer(Offer, of=ChooseBuyer):
    """The buyers that take the car on sale."""

    buyers: tuple[str, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, ChooseBuyer) and action.buyer in self.buyers

    def sample(self, random: Random) -> ChooseBuyer:
        return ChooseBuyer(random.choice(self.buyers))


class AbandonSaleOffer(Offer, of=AbandonSale):
    """The seller may keep the car."""


class WorkOffer(Offer, of=Work):
    """This seat may work, for so much money."""

    amount: int


class ScrapOffer(Offer, of=Scrap):
    """The own cars, each with what the scrap heap pays."""

    cars: dict[str, int]

    def admits(self, action: Action) -> bool:
        return isinstance(action, Scrap) and action.car in self.cars

    def sample(self, random: Random) -> Scrap:
        return Scrap(random.choice(tuple(self.cars)))


class ScamPlaces(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a scam may be put: on one of `cars`, `beside` the dealer as it is, or there for one of `replace`."""

    cars: tuple[str, ...] = ()
    beside: bool = False
    replace: tuple[str, ...] = ()

    def admit(self, car: str | None, replace: str | None) -> bool:
        """Whether these may be named."""
        if car is not None:
            return replace is None and car in self.cars
        return self.beside if replace is None else replace in self.replace


class PlayScamOffer(Offer, of=PlayScam):
    """The own cards whose scams may be played, each with where."""

    cards: dict[str, ScamPlaces]

    def admits(self, action: Action) -> bool:
        places = self.cards.get(action.card) if isinstance(action, PlayScam) else None
        return (
            isinstance(action, PlayScam) and places is not None and places.admit(action.car, action.replace)
        )

    def sample(self, random: Random) -> PlayScam:
        card = random.choice(tuple(self.cards))
        places = self.cards[card]
        if places.cars:
            return PlayScam(card, car=random.choice(places.cars))
        if places.beside and (not places.replace or random.random() < 0.8):
            return PlayScam(card)
        return PlayScam(card, replace=random.choice(places.replace))


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an effect may be played on: one of `seats`, or 1 to `most` different ids that are all of one group."""

    seats: tuple[int, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    most: int = 1

    def admits(self, target: Target) -> bool:
        """Whether this is such a target."""
        if self.seats:
            return target.seat in self.seats and not target.ids
        ids = set(target.ids)
        if target.seat is not None or not 1 <= len(target.ids) == len(ids) <= self.most:
            return False
        return any(ids <= set(group) for group in self.groups)

    def sample(self, random: Random) -> Target:
        """One of them by chance."""
        if self.seats:
            return Target(seat=random.choice(self.seats))
        group = random.choice(self.groups)
        return Target(ids=some_of(group, random.randrange(1, min(self.most, len(group)) + 1), random))


class PlayAcquisitionOffer(Offer, of=PlayAcquisition):
    """The own cards whose acquisitions may be played now, each with the choices for its targets."""

    cards: dict[str, tuple[Choice, ...]]

    def admits(self, action: Action) -> bool:
        if not isinstance(action, PlayAcquisition):
            return False
        choices = self.cards.get(action.card)
        return choices is not None and admit_all(choices, action.targets)

    def sample(self, random: Random) -> PlayAcquisition:
        card = random.choice(tuple(self.cards))
        return PlayAcquisition(card, tuple([choice.sample(random) for choice in self.cards[card]]))


def admit_all(choices: tuple[Choice, ...], targets: tuple[Target, ...]) -> bool:
    """Whether these are targets for exactly these choices."""
    return len(choices) == len(targets) and all(
        choice.admits(target) for choice, target in zip(choices, targets, strict=True)
    )


class PassOffer(Offer, of=Pass):
    """This seat may play nothing."""


def some_of(cards: tuple[str, ...], count: int, random: Random) -> tuple[str, ...]:
    """So many of them by chance."""
    left = list(cards)
    return tuple([left.pop(random.randrange(len(left))) for _ in range(count)])


def are_some_of(cards: tuple[str, ...], count: int, named: tuple[str, ...]) -> bool:
    """Whether exactly so many different ones of them are named."""
    return len(named) == len(set(named)) == count and set(cards) >= set(named)


class ChooseOffer(Offer, of=Choose):
    """This seat has to choose exactly `count` of these: surprises to `reveal`, or own cards to `discard`."""

    what: Literal["reveal", "discard"]
    cards: tuple[str, ...]
    count: int

    def admits(self, action: Action) -> bool:
        return isinstance(action, Choose) and are_some_of(self.cards, self.count, action.cards)

    def sample(self, random: Random) -> Choose:
        return Choose(some_of(self.cards, self.count, random))


class DiscardOffer(Offer, of=Discard):
    """This seat has to discard exactly `count` of its cards."""

    cards: tuple[str, ...]
    count: int

    def admits(self, action: Action) -> bool:
        return isinstance(action, Discard) and are_some_of(self.cards, self.count, action.cards)

    def sample(self, random: Random) -> Discard:
        return Discard(some_of(self.cards, self.count, random))


class EndTurnOffer(Offer, of=EndTurn):
    """This seat may end its turn."""


class AskMoneyOffer(Offer, of=AskMoney):
    """The seats that may be asked how much money they have."""

    seats: tuple[int, ...]

    def admits(self, action: Action) -> bool:
        return isinstance(action, AskMoney) and action.seat in self.seats

    def sample(self, random: Random) -> AskMoney:
        return AskMoney(random.choice(self.seats))
