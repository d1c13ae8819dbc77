"""Perekupai's effects: what a card can do, as the decks write it (perekupai.md §6, §12).

A card's effects are data, `{ op = "mod_roll", delta = 1 }`; any number of them make a card. An acquisition has
one-time effects, a scam and a dealer standing ones. What an effect can be played on is one function in
`perekupai_legal`, what a one-time effect does is one in the rules; a card of known effects needs neither.
"""

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec

STEP: Final = 50
"""Every amount of money is a multiple of this."""

Money = Annotated[int, msgspec.Meta(multiple_of=50)]
PositiveMoney = Annotated[int, msgspec.Meta(gt=0, multiple_of=50)]
Some = Annotated[int, msgspec.Meta(ge=1, le=50)]
Shift = Annotated[int, msgspec.Meta(ge=-10, le=10)]
Test = Literal["attentiveness", "haggling"]

Timing = Literal[
    "own_turn",
    "own_buy",
    "own_sale_open",
    "opp_sale_open",
    "own_attentiveness",
    "opp_attentiveness",
    "own_haggling",
    "opp_haggling",
    "own_sale_final",
    "opp_sale_final",
    "react",
]
"""When an acquisition may be played: before an own action, while buying, in the four windows of a sale (`own` is the
seller's, `opp` everybody else's), or in answer to another acquisition."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """The base of all effects; `op` names which one it is."""


# One-time effects, of acquisitions


class ModRoll(Effect, frozen=True, tag="mod_roll"):
    """Add to the total of the test that was rolled for."""

    delta: Shift


class Reroll(Effect, frozen=True, tag="reroll"):
    """Roll the die of the test again; what was added stays."""


class RevealSurprise(Effect, frozen=True, tag="reveal_surprise"):
    """The seller turns so many untested hidden defects of the car on sale face-up, of the seller's choice."""

    count: Some
    chooser: Literal["seller"]


class SkipTest(Effect, frozen=True, tag="skip_test"):
    """Up to so many hidden surprises of the car on sale, named by the seller, go untested and unnoticed."""

    count: Some


class DismissBuyer(Effect, frozen=True, tag="dismiss_buyer"):
    """A buyer leaves and a new one is revealed: the chosen one of the sale, or any outside a sale (`market`)."""

    scope: Literal["sale", "market"]


class DestroyMod(Effect, frozen=True, tag="destroy_mod"):
    """A modification on an opponent's car goes to its used pile; in a sale it is one of the car on sale."""

    target: Literal["opponent_car"]


class PriceDelta(Effect, frozen=True, tag="price_delta"):
    """Change the price of the sale."""

    amount: Money


class TakeMoney(Effect, frozen=True, tag="take_money"):
    """Take so much from one opponent, at most what there is."""

    amount: PositiveMoney


class Draw(Effect, frozen=True, tag="draw"):
    """Draw so many cards."""

    count: Some


class StealCard(Effect, frozen=True, tag="steal_card"):
    """Take so many cards by chance out of one opponent's hand."""

    count: Some


class DiscardCards(Effect, frozen=True, tag="discard_cards"):
    """Each opponent with cards discards so many, of the opponent's own choice."""

    target: Literal["each_opponent"]
    count: Some


class FreeRepair(Effect, frozen=True, tag="free_repair"):
    """Remove up to so many defects from one own car at no cost and for no card."""

    count: Some


class PeekSurprises(Effect, frozen=True, tag="peek_surprises"):
    """Look at all hidden surprises of one opponent's car."""

    target: Literal["opponent_car"]


class CycleMarket(Effect, frozen=True, tag="cycle_market"):
    """Put up to so many cars from the market under the car deck and refill the market."""

    count: Some


class PurchaseDiscountOnce(Effect, frozen=True, tag="purchase_discount_once"):
    """Pay so much less in this buying action."""

    amount: PositiveMoney


class ExtraAction(Effect, frozen=True, tag="extra_action"):
    """So many more actions in this turn; once a turn."""

    count: Some


class CancelAcquisition(Effect, frozen=True, tag="cancel_acquisition"):
    """The acquisition that this one answers has no effect."""


# Standing effects, of permanent scams and dealers. `amount` is each one's strength, whatever the decks call it


class RollBonus(Effect, frozen=True, tag="roll_bonus"):
    """Added to each own test of this kind."""

    test: Test
    amount: Shift = msgspec.field(name="delta")


class EndBonus(Effect, frozen=True, tag="end_bonus"):
    """Money at the end of the game, and not before."""

    amount: PositiveMoney


class RepairDiscount(Effect, frozen=True, tag="repair_discount"):
    """Pay so much less for each surprise that is repaired, never below 0."""

    amount: PositiveMoney = msgspec.field(name="per_surprise")


class LoaderBonus(Effect, frozen=True, tag="loader_bonus"):
    """So much more for each work as a loader."""

    amount: PositiveMoney


class SaleDrawBonus(Effect, frozen=True, tag="sale_draw_bonus"):
    """So many more cards after each sale."""

    amount: Some = msgspec.field(name="count")


class InspectLimit(Effect, frozen=True, tag="inspect_limit"):
    """This many cars may be inspected when buying; of several the highest counts."""

    amount: Some = msgspec.field(name="value")


class PurchaseDiscount(Effect, frozen=True, tag="purchase_discount"):
    """Pay so much less for each car."""

    amount: PositiveMoney


class ScrapBonus(Effect, frozen=True, tag="scrap_bonus"):
    """So much more for each car that is scrapped."""

    amount: PositiveMoney


class SaleBonus(Effect, frozen=True, tag="sale_bonus"):
    """So much more for each car that is sold."""

    amount: PositiveMoney


class CarMod(Effect, frozen=True, tag="car_mod"):
    """What a modification adds to the price of the car that it is on."""

    amount: PositiveMoney = msgspec.field(name="value")


OneTime = (
    ModRoll
    | Reroll
    | RevealSurprise
    | SkipTest
    | DismissBuyer
    | DestroyMod
    | PriceDelta
    | TakeMoney
    | Draw
    | StealCard
    | DiscardCards
    | FreeRepair
    | PeekSurprises
    | CycleMarket
    | PurchaseDiscountOnce
    | ExtraAction
    | CancelAcquisition
)
Standing = (
    RollBonus
    | EndBonus
    | RepairDiscount
    | LoaderBonus
    | SaleDrawBonus
    | InspectLimit
    | PurchaseDiscount
    | ScrapBonus
    | SaleBonus
)

ROLLED: Final[frozenset[Timing]] = frozenset(
    ("own_attentiveness", "opp_attentiveness", "own_haggling", "opp_haggling")
)
SELLING: Final[frozenset[Timing]] = ROLLED | frozenset(
    ("own_sale_open", "opp_sale_open", "own_sale_final", "opp_sale_final")
)
ANY: Final[frozenset[Timing]] = SELLING | frozenset(("own_turn", "own_buy", "react"))

USABLE: Final[dict[type[Effect], frozenset[Timing]]] = {
    ModRoll: ROLLED,
    Reroll: ROLLED,
    RevealSurprise: frozenset(("own_sale_open", "opp_sale_open", "own_attentiveness", "opp_attentiveness")),
    SkipTest: frozenset(("own_sale_open", "own_attentiveness")),
    DismissBuyer: frozenset(("own_turn", "own_sale_open", "opp_sale_open")),
    DestroyMod: frozenset(
        ("own_turn", "opp_sale_open", "opp_attentiveness", "opp_haggling", "opp_sale_final")
    ),
    PriceDelta: SELLING,
    TakeMoney: ANY,
    Draw: ANY,
    StealCard: ANY,
    DiscardCards: ANY,
    FreeRepair: frozenset(("own_turn",)),
    PeekSurprises: ANY,
    CycleMarket: frozenset(("own_turn",)),
    PurchaseDiscountOnce: frozenset(("own_buy",)),
    ExtraAction: frozenset(("own_turn",)),
    CancelAcquisition: frozenset(("react",)),
}
"""The windows in which each one-time effect can do anything at all."""


def usable(effect: OneTime) -> frozenset[Timing]:
    """The windows in which this effect can do anything at all."""
    if isinstance(effect, DismissBuyer):
        market = frozenset[Timing](("own_turn",))
        return market if effect.scope == "market" else USABLE[DismissBuyer] - market
    return USABLE[type(effect)]


def strength(effects: Iterable[Standing], kind: type[Standing], test: Test | None = None) -> int:
    """What the standing effects of this kind come to: they add up, but of `inspect_limit` the highest counts.

    `test` says which of the two tests is meant where the kind is `roll_bonus`. 0 without any.
    """
    amounts = [
        effect.amount
        for effect in effects
        if type(effect) is kind and (not isinstance(effect, RollBonus) or effect.test == test)
    ]
    return max(amounts, default=0) if kind is InspectLimit else sum(amounts)
