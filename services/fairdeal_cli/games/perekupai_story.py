"""Perekupai's events as sentences. Things are called by their ids, under which the table shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from fairdeal.games import perekupai
from fairdeal.games.perekupai_table import Buyer, Front, Mod, Surprise, Tech
from fairdeal.visibility import Event
from fairdeal_cli.drawing import listed

Names = Sequence[str]


def tell(event: Event, names: Names) -> Text | None:
    """The event as a sentence, or None when nothing is worth saying."""
    told = _SENTENCES.get(type(event))
    return None if told is None else told(event, names)


def cards(count: int) -> str:
    """`a card`, `3 cards`."""
    return "a card" if count == 1 else f"{count} cards"


def surprise_text(surprise: Surprise | Mod) -> str:
    """`s3 Granata kala -200`."""
    return f"{surprise.id} {surprise.name} {surprise.value:+}"


def front_text(front: Front) -> str:
    """`Bembas Kliuška, level 1, 650`."""
    return f"{front.maker} {front.model}, level {front.level}, {front.purchase}"


def tech_text(tech: Tech) -> str:
    """`sells for 900, 1 surprise; Daužta`."""
    surprises = "1 surprise" if tech.surprises == 1 else f"{tech.surprises} surprises"
    return "; ".join(
        [f"sells for {tech.sale}, {surprises}", *([", ".join(tech.defects)] if tech.defects else [])]
    )


def buyer_text(buyer: Buyer) -> str:
    """`Delfina Birzgulytė, level 1, notices below 2, haggles below 4, Folka +50`."""
    prefs = [f"{pref.maker or pref.model} {pref.amount:+}" for pref in buyer.prefs]
    what = f"level {buyer.level}, notices below {buyer.attentiveness}, haggles below {buyer.haggling}"
    return ", ".join([buyer.name, what, *prefs])


def _said(text: str, style: str = "") -> Callable[[Any, Names], Text]:
    """A sentence whose braces are filled with `who` and the event's fields."""

    def told(event: Any, names: Names) -> Text:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        return Text(text.format(who=names[event.seat] if "seat" in fields else "", **fields), style)

    return told


def _named(surprises: Iterable[Surprise]) -> str:
    return listed([surprise_text(surprise) for surprise in surprises])


def _round(event: perekupai.RoundStarted, names: Names) -> Text:
    return Text(f"Round {event.round}{', the last one' if event.final else ''}.", "bold cyan")


def _triggered(event: perekupai.EndTriggered, names: Names) -> Text:
    why = "has the money" if event.reason == "money" else "bought the last car"
    return Text(f"{names[event.seat]} {why}: one more round after this one.", "bold yellow")


def _drawn(event: perekupai.CardsDrawn, names: Names) -> Text:
    told = f"{names[event.seat]} draws {cards(event.count)}"
    if event.cards is not None:
        told += f": {listed([f'{held.id} {held.card.acquisition.name}' for held in event.cards])}"
    return Text(f"{told}.")


def _discarded(event: perekupai.CardsDiscarded, names: Names) -> Text:
    return Text(f"{names[event.seat]} discards {listed([card.acquisition.name for card in event.cards])}.")


def _dealer(event: perekupai.DealerDrawn, names: Names) -> Text:
    return Text(f"{names[event.seat]} is {event.dealer.name}. {event.dealer.text}")


def _refilled(event: perekupai.MarketRefilled, names: Names) -> Text:
    return Text(f"On the market, #{event.slot}: {front_text(event.car.front)}.")


def _revealed(event: perekupai.BuyerRevealed, names: Names) -> Text:
    return Text(f"A buyer, {event.buyer.id}: {buyer_text(event.buyer)}.")


def _inspected(event: perekupai.CarInspected, names: Names) -> Text:
    seen = "" if event.tech is None else f": {tech_text(event.tech)}"
    return Text(f"{names[event.seat]} looks at #{event.slot}{seen}.")


def _bought(event: perekupai.CarBought, names: Names) -> Text:
    told = f"{names[event.seat]} buys #{event.slot} for {event.price}; it is {event.car} now"
    return Text(f"{told}: {tech_text(event.tech)}.")


def _surprises(event: perekupai.SurprisesDrawn, names: Names) -> Text:
    parts = [surprise_text(mod) for mod in event.mods]
    hidden = len(event.ids) - len(event.mods)
    if event.defects:
        parts.append(f"face-down {_named(event.defects)}")
    elif hidden:
        parts.append(f"{hidden} face-down")
    return Text(f"With {event.car} come {listed(parts)}.")


def _repaired(event: perekupai.SurprisesRepaired, names: Names) -> Text:
    return Text(f"{names[event.seat]} repairs {_named(event.surprises)} for {event.cost}.")


def _rolled(event: perekupai.DieRolled, names: Names) -> Text:
    about = event.test if event.surprise is None else f"{event.test}, {event.surprise}"
    sums = [f"{event.die}", *(f"{more:+}" for more in (event.bonus, event.deltas) if more)]
    total = f" = {event.total}" if len(sums) > 1 else ""
    return Text(f"A test of {about}: {' '.join(sums)}{total} against {event.target}.")


def _resolved(event: perekupai.RollResolved, names: Names) -> Text:
    return Text(f"The test is {'won' if event.won else 'lost'}.", "green" if event.won else "red")


def _shown(event: perekupai.SurpriseRevealed, names: Names) -> Text:
    return Text(f"On {event.car} everybody sees {surprise_text(event.surprise)}.", "red")


def _sold(event: perekupai.CarSold, names: Names) -> Text:
    price = event.price
    parts: Mapping[str, int] = {
        "seen": price.defects,
        "modifications": price.surprise_mods + price.scam_mods,
        "haggling": price.haggle,
        "likes": price.preferences,
        "bonus": price.sale_bonus,
        "cards": price.deltas,
    }
    told = Text(f"{names[event.seat]} sells {event.car} to {event.buyer} for ")
    told.append(f"{price.final}", "bold green").append(f" ({price.sale}")
    return told.append("".join(f", {what} {amount:+}" for what, amount in parts.items() if amount) + ").")


def _scam(event: perekupai.ScamPlayed, names: Names) -> Text:
    if event.mod is not None:
        return Text(f"{names[event.seat]} puts {surprise_text(event.mod)} on {event.car}.")
    assert event.permanent is not None
    scam = event.permanent.scam
    return Text(f"{names[event.seat]} plays {scam.name} beside the dealer, {event.permanent.id}: {scam.text}")


def _played(event: perekupai.AcquisitionPlayed, names: Names) -> Text:
    on = [
        names[target.seat] if target.seat is not None else listed(target.ids)
        for target in event.targets
        if target is not None
    ]
    told = Text(f"{names[event.seat]} plays ").append(event.acquisition.name, "bold magenta")
    return told.append(f"{' on ' + listed(on) if on else ''}: {event.acquisition.text}", "not bold default")


def _effect(event: perekupai.EffectApplied, names: Names) -> Text | None:
    return None if event.done else Text("It does nothing: what it was played on is gone.", "yellow")


def _asked(event: perekupai.ChoiceAsked, names: Names) -> Text:
    pick = event.pick
    what, among = ("shows", listed(pick.cards)) if pick.what == "reveal" else ("discards", "the own cards")
    return Text(f"{names[pick.seat]} {what} {pick.count} of {among}.")


def _stolen(event: perekupai.CardStolen, names: Names) -> Text:
    what = "a card" if event.card is None else f"{event.card.id} {event.card.card.acquisition.name}"
    lost = "" if event.lost is None else f", {event.lost}"
    return Text(f"{names[event.seat]} takes {what} from {names[event.source]}{lost}.")


def _peeked(event: perekupai.SurprisesPeeked, names: Names) -> Text:
    seen = "" if event.surprises is None else f": {_named(event.surprises)}"
    return Text(f"{names[event.seat]} looks under {event.car} of {names[event.owner]}{seen}.")


def _free(event: perekupai.DefectRemoved, names: Names) -> Text:
    return Text(f"{names[event.seat]} gets {surprise_text(event.surprise)} repaired for nothing.")


def _cycled(event: perekupai.MarketCycled, names: Names) -> Text:
    return Text(f"{listed(event.cars)} go{'es' if len(event.cars) == 1 else ''} under the deck.")


def _money(event: perekupai.MoneyAsked, names: Names) -> Text:
    return Text(f"{names[event.seat]} asks: {names[event.asked]} has {event.cash}.", "dim")


def _ended(event: perekupai.PlayEnded, names: Names) -> Text:
    parts = [
        f"{name} {score.total} ({score.cash} + {score.end_bonus} + cars {score.cars})"
        for name, score in zip(names, event.scores, strict=True)
    ]
    return Text(f"The money is counted: {listed(parts)}.", "bold")


_SENTENCES: Final[Mapping[type[Event], Callable[[Any, Names], Text | None]]] = {
    perekupai.DealerDrawn: _dealer,
    perekupai.FirstSeatDrawn: _said("By lot, {who} begins."),
    perekupai.RoundStarted: _round,
    perekupai.TurnStarted: _said("It is {who}'s turn.", "cyan"),
    perekupai.EndTriggered: _triggered,
    perekupai.MoneyAsked: _money,
    perekupai.MarketRefilled: _refilled,
    perekupai.BuyerRevealed: _revealed,
    perekupai.BuyersReshuffled: _said("The buyers are shuffled: {count} in the deck."),
    perekupai.SurprisesReshuffled: _said("The used surprises are shuffled: {count} in the deck."),
    perekupai.CardsReshuffled: _said("The used cards are shuffled: {count} in the deck."),
    perekupai.CardsDrawn: _drawn,
    perekupai.CardsDiscarded: _discarded,
    perekupai.CarInspected: _inspected,
    perekupai.BuyDeclined: _said("{who} buys nothing."),
    perekupai.CarBought: _bought,
    perekupai.SurprisesDrawn: _surprises,
    perekupai.SurprisesRepaired: _repaired,
    perekupai.Worked: _said("{who} works as a loader for {amount}."),
    perekupai.Scrapped: _said("{who} pushes {car} into the scrap heap for {amount}. Everyone laughs."),
    perekupai.SaleStarted: _said("{who} offers {car} to {buyer}."),
    perekupai.BuyerDismissed: _said("{buyer} leaves.", "yellow"),
    perekupai.BuyerChosen: _said("{who} tries {buyer}."),
    perekupai.SaleAbandoned: _said("{who} keeps the car."),
    perekupai.DieRolled: _rolled,
    perekupai.RollModified: _said("{delta:+}: the total is {total}."),
    perekupai.RollResolved: _resolved,
    perekupai.SurpriseRevealed: _shown,
    perekupai.SurpriseUnnoticed: _said("{surprise} goes unnoticed.", "green"),
    perekupai.SurpriseSkipped: _said("Nobody will ask about {surprise}."),
    perekupai.PriceChanged: _said("The price changes by {delta:+}."),
    perekupai.CarSold: _sold,
    perekupai.ScamPlayed: _scam,
    perekupai.PermanentReplaced: _said("{who} gives up {permanent}."),
    perekupai.AcquisitionPlayed: _played,
    perekupai.EffectApplied: _effect,
    perekupai.AcquisitionCancelled: _said("It has no effect.", "yellow"),
    perekupai.ChoiceAsked: _asked,
    perekupai.ModDestroyed: _said("{mod} on {car} is broken."),
    perekupai.CardStolen: _stolen,
    perekupai.DefectRemoved: _free,
    perekupai.SurprisesPeeked: _peeked,
    perekupai.MarketCycled: _cycled,
    perekupai.DiscountGranted: _said("{amount} less are to be paid."),
    perekupai.ExtraActionGranted: _said("That is {count} more to do in this turn."),
    perekupai.SeatLeft: _said("{who} leaves {cash} and {cards} cards, and has place {place}.", "red"),
    perekupai.PlayEnded: _ended,
}
