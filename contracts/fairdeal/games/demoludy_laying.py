"""Laying cards in Demoludy: what may be laid at once, face-up and face-down, and what it is worth.

`face_up` and `face_down` are the own cards that may be laid either way, with how many there are of each; a
card that may lie either way is in the hand as often as both say. At most `tens` $10 may lie face-up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from fairdeal.games.demoludy_cards import TEN, VALUES, worth
from fairdeal.view import Random


def may_lay(
    face_up: Mapping[str, int],
    tens: int,
    face_down: Mapping[str, int],
    cards: Sequence[str],
    hidden: Mapping[str, int],
) -> bool:
    """Whether `cards` may be laid face-up and `hidden` face-down at once, out of what may be laid how."""
    if cards.count(TEN) > tens:
        return False
    laid = Counter(cards)
    if any(count > face_up.get(card, 0) for card, count in laid.items()):
        return False
    return all(0 < count <= face_down.get(card, 0) - laid[card] for card, count in hidden.items())


def most_worth(face_up: Mapping[str, int], tens: int, face_down: Mapping[str, int]) -> int:
    """The most that can be bid by laying all that may be laid."""
    cards, hidden = _lay_all(face_up, tens, face_down)
    return worth(cards, sum(hidden.values()))


def _lay_all(
    face_up: Mapping[str, int], tens: int, face_down: Mapping[str, int]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """All that may be laid, face-up where it may be."""
    up = {card: min(count, tens) if card == TEN else count for card, count in face_up.items()}
    down = {card: count - up.get(card, 0) for card, count in face_down.items() if count > up.get(card, 0)}
    return tuple(card for card, count in up.items() for _ in range(count)), down


def lay_by_chance(
    random: Random,
    face_up: Mapping[str, int],
    tens: int,
    face_down: Mapping[str, int],
    least: int,
    *first: str,
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Cards to lay face-up, beginning with `first`, and face-down, together worth at least `least`.

    By chance, a card may lie face-down even though it would be worth more face-up. If that is not enough all
    is laid as high as it can be.
    """
    cards, hidden = list(first), Counter[str]()
    left = [
        card
        for card in {**face_up, **face_down}
        for _ in range(max(face_up.get(card, 0), face_down.get(card, 0)))
    ]
    for card in first:
        left.remove(card)
    bid = worth(cards, 0)
    while left and (bid < least or random.random() < 0.5):
        card = left.pop(random.randrange(len(left)))
        up = card in face_up and (card != TEN or cards.count(TEN) < tens)
        if up and not (card in face_down and random.random() < 0.2):
            cards.append(card)
            bid += VALUES[card]
        elif card in face_down:
            hidden[card] += 1
            bid += 1
    if bid < least:
        return _lay_all(face_up, tens, face_down)
    return tuple(cards), dict(hidden)
