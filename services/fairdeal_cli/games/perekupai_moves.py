"""Perekupai's moves at the terminal: what is said of each offer, and how what is typed is understood."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from fairdeal.action import Action
from fairdeal.games import perekupai
from fairdeal.games.perekupai import Choice
from fairdeal.games.perekupai_table import Target
from fairdeal_cli.bots import names_of
from fairdeal_cli.drawing import AnyView, listed

# What may be done

Line = Iterator[tuple[str, str]]


def _one(typed: str, meaning: str) -> Callable[[Any, Sequence[str]], Line]:
    """One line, whatever the offer holds; its fields fill the braces."""

    def line(offer: Any, names: Sequence[str]) -> Line:
        yield typed, meaning.format(**{name: getattr(offer, name) for name in offer.__struct_fields__})

    return line


def _looks(offer: perekupai.InspectOffer, names: Sequence[str]) -> Line:
    yield f"look {offer.slots[0]}", f"at one of #{', #'.join(map(str, offer.slots))}"


def _buys(offer: perekupai.BuyOffer, names: Sequence[str]) -> Line:
    for slot, price in offer.prices.items():
        yield f"buy {slot}", f"for {price}"


def _repairs(offer: perekupai.RepairOffer, names: Sequence[str]) -> Line:
    for car, costs in offer.cars.items():
        what = listed([f"{id} for {cost}" for id, cost in costs.items()])
        yield f"repair {car}", f"{what}, what you can pay of them"


def _sells(offer: perekupai.StartSaleOffer, names: Sequence[str]) -> Line:
    for car, buyers in offer.cars.items():
        yield f"sell {car}", f"to {' or '.join(buyers)}"


def _buyers_left(offer: perekupai.ChooseBuyerOffer, names: Sequence[str]) -> Line:
    yield "buyer", f"try {' or '.join(offer.buyers)}"


def _scraps(offer: perekupai.ScrapOffer, names: Sequence[str]) -> Line:
    for car, amount in offer.cars.items():
        yield f"scrap {car}", f"for {amount}"


def _scams(offer: perekupai.PlayScamOffer, names: Sequence[str]) -> Line:
    for id, places in offer.cards.items():
        where = [f"on {car}" for car in places.cars] + ["beside the dealer"] * places.beside
        yield f"scam {id}", " or ".join([*where, *(f"in the place of {other}" for other in places.replace)])


def _plays(offer: perekupai.PlayAcquisitionOffer, names: Sequence[str]) -> Line:
    for id, choices in offer.cards.items():
        yield f"play {id}", "; ".join(_on(choice, names) for choice in choices) or "as it is"


def _on(choice: Choice, names: Sequence[str]) -> str:
    if choice.seats:
        return "on " + " or ".join(names[seat] for seat in choice.seats)
    things = " or ".join(", ".join(group) for group in choice.groups)
    return f"on {things}" if choice.most == 1 else f"on up to {choice.most} of {things}"


def _chooses(offer: perekupai.ChooseOffer, names: Sequence[str]) -> Line:
    yield "choose", f"{offer.count} of {listed(offer.cards)} to {offer.what}"


def _discards(offer: perekupai.DiscardOffer, names: Sequence[str]) -> Line:
    yield "discard", f"{offer.count} of {listed(offer.cards)}"


def _money(offer: perekupai.AskMoneyOffer, names: Sequence[str]) -> Line:
    yield "money", f"ask how much {' or '.join(names[seat] for seat in offer.seats)} has"


CHOICES: Final[Mapping[type, Callable[[Any, Sequence[str]], Line]]] = {
    perekupai.StartBuyOffer: _one("buy", "look for a car to buy"),
    perekupai.InspectOffer: _looks,
    perekupai.BuyOffer: _buys,
    perekupai.DeclineBuyOffer: _one("nothing", "buy nothing"),
    perekupai.RepairOffer: _repairs,
    perekupai.StartSaleOffer: _sells,
    perekupai.ChooseBuyerOffer: _buyers_left,
    perekupai.AbandonSaleOffer: _one("keep", "keep the car"),
    perekupai.WorkOffer: _one("work", "as a loader for {amount}"),
    perekupai.ScrapOffer: _scraps,
    perekupai.PlayScamOffer: _scams,
    perekupai.PlayAcquisitionOffer: _plays,
    perekupai.PassOffer: _one("pass", "play nothing"),
    perekupai.ChooseOffer: _chooses,
    perekupai.DiscardOffer: _discards,
    perekupai.EndTurnOffer: _one("end", "end the turn"),
    perekupai.AskMoneyOffer: _money,
}


# What is typed


def _buy(words: list[str], view: AnyView) -> Action:
    return perekupai.Buy(int(words[0])) if words else perekupai.StartBuy()


def _look(words: list[str], view: AnyView) -> Action:
    return perekupai.Inspect(int(words[0]))


def _repair(words: list[str], view: AnyView) -> Action:
    return perekupai.Repair(words[0], tuple(words[1:]))


def _sell(words: list[str], view: AnyView) -> Action:
    return perekupai.StartSale(words[0], words[1])


def _buyer(words: list[str], view: AnyView) -> Action:
    return perekupai.ChooseBuyer(words[0])


def _scrap(words: list[str], view: AnyView) -> Action:
    return perekupai.Scrap(words[0])


def _scam(words: list[str], view: AnyView) -> Action:
    """`scam h3`, `scam h3 c1` on a car, `scam h3 m2` in the place of another."""
    card, *where = words
    car = next((word for word in where if word.startswith("c")), None)
    replace = next((word for word in where if word.startswith("m")), None)
    return perekupai.PlayScam(card, car, replace)


def _play(words: list[str], view: AnyView) -> Action:
    """`play h2 bob`, `play h2 s1`, `play h2 c1,c3`: a word for each target."""
    card, *targets = words
    names = [name.lower() for name in names_of(view.table.players)]
    return perekupai.PlayAcquisition(card, tuple([_target(word, names) for word in targets]))


def _target(word: str, names: Sequence[str]) -> Target:
    if word in names or word.isdigit():
        return Target(seat=int(word) if word.isdigit() else names.index(word))
    return Target(ids=tuple(word.split(",")))


def _choose(words: list[str], view: AnyView) -> Action:
    return perekupai.Choose(tuple(words))


def _discard(words: list[str], view: AnyView) -> Action:
    return perekupai.Discard(tuple(words))


def _ask(words: list[str], view: AnyView) -> Action:
    names = [name.lower() for name in names_of(view.table.players)]
    seat = int(words[0]) if words[0].isdigit() else names.index(words[0])
    return perekupai.AskMoney(seat)


def _plain(action: Action) -> Callable[[list[str], AnyView], Action]:
    return lambda words, view: action


READERS: Final[Mapping[str, Callable[[list[str], AnyView], Action]]] = {
    "buy": _buy,
    **dict.fromkeys(("look", "inspect"), _look),
    **dict.fromkeys(("nothing", "decline"), _plain(perekupai.DeclineBuy())),
    "repair": _repair,
    "sell": _sell,
    "buyer": _buyer,
    "keep": _plain(perekupai.AbandonSale()),
    "work": _plain(perekupai.Work()),
    "scrap": _scrap,
    "scam": _scam,
    "play": _play,
    **dict.fromkeys(("pass", "p"), _plain(perekupai.Pass())),
    "choose": _choose,
    "discard": _discard,
    **dict.fromkeys(("end", "e"), _plain(perekupai.EndTurn())),
    "money": _ask,
}
