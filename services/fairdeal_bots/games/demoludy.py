"""`bot:steady` for Demoludy: bids for what brings its car on, raises by little, and keeps what it may need later.

All is weighed on one scale: how far a token would bring a car to the target, and what the cards for it would
be worth elsewhere.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from fairdeal.action import Action
from fairdeal.games.demoludy import (
    Bid,
    BidOffer,
    EndTurn,
    KeepOut,
    Open,
    OpenOffer,
    ReturnToken,
    ReturnTokenOffer,
    SkipOpen,
    Swap,
    SwapOffer,
    Withdraw,
)
from fairdeal.games.demoludy_cards import ACTION_CARDS, PRODUCTS, TEN, VALUES, worth
from fairdeal.games.foreign_goods import GOODS, Colour
from fairdeal_bots.bot import Bot
from fairdeal_bots.games.demoludy_tricks import SteadyView, rob, take_back, tricks

DECISIVE: Final = 10.0
"""What it is worth to reach the target, where a whole target in small steps is worth one."""

PRICE: Final = 20.0
"""What a whole target is worth in card points: a seat pays up to this share of it for a step."""

WHIM: Final = 0.4
"""How often it opens or swaps without a gain in sight: stacks whose tops help nobody would never change."""

MANY: Final = 12
"""With more cards than this some are well spent on being the one who opens."""

STEP: Final = 3
"""An action card is played on the table if it brings the seat so many points nearer to the lead."""


class Steady:
    """Withdraws where there is nothing to gain, blocks who would win, and never lays more than it takes."""

    def choose(self, view: SteadyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        seat = Seat(view)
        match view.table.phase:
            case "opening":
                return _open(view, seat, random)
            case "bidding":
                return _bid(view, seat, random)
            case "swapping":
                return _swap(view, seat, random)
            case _:
                offer: ReturnTokenOffer = view.offer(ReturnToken)
                return ReturnToken(
                    max(offer.colours, key=lambda colour: seat.worth(without(seat.car, colour)))
                )


class Seat:
    """What a seat can say of the table and of its own cards."""

    def __init__(self, view: SteadyView) -> None:
        assert view.seat is not None
        assert view.hand is not None
        self.number = view.seat
        self.table = view.table
        self.hand = view.hand.cards
        self.cars = [{GOODS[token].colour: GOODS[token].value for token in car} for car in view.table.cars]
        self.car = self.cars[view.seat]
        self._options = view.table.options

    def worth(self, car: dict[Colour, int]) -> float:
        """How near a car is to the target, 0 to 1, or `DECISIVE` there."""
        countries: int = self._options["countries_target"]
        near = min(1.0, len(car) / countries)
        if not self._options["variant_points"]:
            return DECISIVE if near == 1.0 else near
        points = min(1.0, sum(car.values()) / self._options["points_target"])
        return DECISIVE if near == points == 1.0 else 0.5 * near + 0.5 * points

    def gain(self, seat: int, token: str) -> float:
        """What winning this token would bring a seat."""
        car = self.cars[seat]
        good = GOODS[token]
        owned = car.get(good.colour)
        won = {**car, good.colour: good.value}
        if owned is not None:
            if not self._options["variant_points"] or good.value <= owned:
                return 0.0
            return self.worth(won) - self.worth(car)
        if len(car) < self._options["countries_target"]:
            return self.worth(won) - self.worth(car)
        return max(0.0, max(self.worth(without(won, colour)) for colour in car) - self.worth(car))

    def stake(self, token: str, rivals: Sequence[int]) -> float:
        """What it is worth not to leave this token to one of the rivals, and to get it."""
        blocked = any(self.gain(rival, token) > 1 for rival in rivals)
        return max(self.gain(self.number, token), 0.5 if blocked else 0.0)

    def cost(self, card: str, prize: Colour | None) -> float:
        """What a card would be worth elsewhere: products of the prize's colour and of owned ones are spare.

        Without a `prize` it goes face-down, and one more is lost: the chance to do so later in the auction.
        """
        elsewhere = 2.0 if card in ACTION_CARDS else VALUES[card] * 0.7
        if card in PRODUCTS:
            colour = PRODUCTS[card].colour
            spare = colour == prize or (colour in self.car and not self._options["variant_points"])
            elsewhere = VALUES[card] * (0.2 if spare else 0.6)
        return elsewhere + (1.0 if prize is None else 0.0)


def without(car: dict[Colour, int], colour: Colour) -> dict[Colour, int]:
    """The car when the token of this colour is gone."""
    return {other: value for other, value in car.items() if other != colour}


# Opening


def _open(view: SteadyView, seat: Seat, random: Random) -> Action:
    offer: OpenOffer | None = view.offer(Open)
    robbery = rob(view)
    if robbery is not None:
        return robbery
    if offer is None:
        return SkipOpen()
    odds = {colour: _opening_odds(seat, offer, colour) for colour in offer.colours}
    colour = max(odds, key=odds.__getitem__)
    if odds[colour] <= 0 and random.random() < WHIM:
        colour = random.choice(list(odds))
    return Open(colour, (min(offer.colours[colour], key=VALUES.__getitem__),))


def _opening_odds(seat: Seat, offer: OpenOffer, colour: Colour) -> float:
    """How promising an auction for a colour's top token is: what it brings, with which cards, and to whom else."""
    token = seat.table.stacks[colour].seen[-1]
    strength = sum(VALUES[card] * count for card, count in (offer.colours[colour] | offer.dollars).items())
    rivals = [rival for rival in range(len(seat.cars)) if rival != seat.number]
    theirs = max(seat.gain(rival, token) for rival in rivals)
    return seat.gain(seat.number, token) * min(1.0, strength / 14) - 0.3 * theirs


# Bidding


def _bid(view: SteadyView, seat: Seat, random: Random) -> Action:
    if view.offer(EndTurn) is not None:
        return EndTurn()
    robbery = rob(view)
    if robbery is not None:
        return robbery
    prize = view.table.prize
    assert prize is not None
    rivals = [rival for rival in view.table.bidders if rival != seat.number]
    stake = seat.stake(prize, rivals)
    if not stake and sum(seat.hand.values()) > MANY and random.random() < WHIM:
        stake = 0.1
    if stake:
        step, trick = max(tricks(view), key=lambda found: found[0], default=(0, None))
        move = trick if step >= STEP else _raise(view, seat, PRICE * stake)
        if move is not None:
            return move
    return take_back(view) or Withdraw()


def _raise(view: SteadyView, seat: Seat, most: float) -> Bid | None:
    """The cheapest bid that is high enough, or None if it costs more than `most` or there is none."""
    offer: BidOffer | None = view.offer(Bid)
    if offer is None:
        return None
    prize = GOODS[view.table.prize or ""].colour
    up = _face_up(seat, offer, prize)
    missing = max(0, offer.at_least - worth(up, 0))
    spare = sorted((Counter(offer.hidden) - Counter(up)).elements(), key=lambda card: seat.cost(card, None))
    down = spare[:missing]
    cost = sum(seat.cost(card, prize) for card in up) + sum(seat.cost(card, None) for card in down)
    return Bid(tuple(up), dict(Counter(down))) if len(down) == missing and cost <= most else None


def _face_up(seat: Seat, offer: BidOffer, prize: Colour) -> list[str]:
    """The cards that are cheapest by the point, until they are enough or all; none more than it takes."""
    up: list[str] = []
    need = offer.at_least
    cards = Counter(offer.cards).elements()
    for card in sorted(cards, key=lambda card: (seat.cost(card, prize) / VALUES[card], VALUES[card])):
        if need > 0 and (card != TEN or up.count(TEN) < offer.tens):
            up.append(card)
            need -= VALUES[card]
    for card in sorted(up, key=VALUES.__getitem__):
        if need + VALUES[card] <= 0:
            up.remove(card)
            need += VALUES[card]
    return up


# Tokens


def _swap(view: SteadyView, seat: Seat, random: Random) -> Action:
    offer: SwapOffer = view.offer(Swap)
    good = GOODS[view.table.prize or ""]
    won = {**seat.car, good.colour: good.value}
    given = max(offer.colours, key=lambda colour: seat.worth(without(won, colour)))
    better = seat.worth(without(won, given)) > seat.worth(seat.car)
    return Swap(given) if better or random.random() < WHIM else KeepOut()


BOTS: Final[dict[str, Bot]] = {"steady": Steady()}
