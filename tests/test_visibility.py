"""Who may see what: nothing without a declaration, nothing hidden from its audience, nothing shown to others."""

from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.codec import encode_json
from fairdeal.commit import EVENTS
from fairdeal.visibility import (
    Drawn,
    Event,
    Public,
    Secret,
    SecretBySeat,
    UndeclaredAudience,
    audiences,
    drawn_fields,
    drawn_outcomes,
    has_secrets,
    redact,
    seen_by,
)


class Card(msgspec.Struct, frozen=True):
    """A plain record inside an event."""

    name: str


class Bowed(Event):
    """Nothing in it at all."""


class Announced(Event):
    """Everybody sees it."""

    seat: Public[int]
    text: Public[str]


class Dealt(Event):
    """One seat sees its cards, everybody how many there are."""

    seat: Public[int | None]
    count: Public[int]
    cards: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")


class Traded(Event):
    """Two seats see the offer, a third the price, only the audit the note."""

    buyer: Public[int]
    seller: Public[int | None]
    witnesses: Public[tuple[int, ...]]
    offer: Secret[dict[str, int]] = seen_by("buyer", "seller")
    price: Secret[tuple[Card, ...]] = seen_by("witnesses")
    note: Secret[str] = seen_by()


class Rolled(Event):
    """Each seat sees its own dice, nobody those of others."""

    round: Public[int]
    dice: SecretBySeat[Drawn[tuple[int, ...]]]


ROLL = Rolled(round=3, dice=((6, 1), (), (2,), None))
TRADE = Traded(buyer=1, seller=3, witnesses=(0, 2), offer={"10": 2}, price=(Card("hen"),), note="marked")
VIEWERS: list[Any] = [0, 1, 2, 3, 4, "table", "audit"]


# What defines


def defines(**fields: Any) -> type[Event]:
    """A class statement with these annotations; a pair is (annotation, default)."""
    namespace: dict[str, Any] = {"__module__": __name__, "__qualname__": "Made", "__annotations__": {}}
    for name, value in fields.items():
        annotation, *default = value if isinstance(value, tuple) else (value,)
        namespace["__annotations__"][name] = annotation
        if default:
            namespace[name] = default[0]
    made: type[Event] = type(Event)("Made", (Event,), namespace)
    return made


@pytest.mark.parametrize(
    "fields",
    [
        {"seat": int},
        {"seat": Public[int], "dice": tuple[int, ...]},
        {"seat": Public[int], "dice": Drawn[tuple[int, ...]]},
        {"seat": Public[int], "dice": (tuple[int, ...], seen_by("seat"))},
        {"seat": Public[int], "dice": Annotated[int, "public"]},
        {"seat": Public[int], "dice": Secret[int]},
        {"seat": Public[int], "dice": (Secret[int], None)},
        {"seat": Public[int], "dice": (Public[int], seen_by("seat"))},
        {"seat": Public[int], "dice": Public[Secret[int]]},
        {"seat": Public[int], "dice": (Secret[Public[int]], seen_by("seat"))},
        {"seat": Public[int], "dice": Public[tuple[Secret[int], ...]]},
        {"seat": Public[int], "dice": (Secret[int], seen_by("other"))},
        {"seat": Public[int], "dice": (Secret[int], seen_by("seat", "other"))},
        {"seat": (Secret[int], seen_by()), "dice": (Secret[int], seen_by("seat"))},
        {"dice": (Secret[int], seen_by("dice"))},
        {"seat": Public[int], "dice": (SecretBySeat[int], seen_by("seat"))},
        {"dice": Public[SecretBySeat[int]]},
        {"dice": (Secret[SecretBySeat[int]], seen_by())},
        {"dice": SecretBySeat[SecretBySeat[int]]},
        {"dice": SecretBySeat[Public[int]]},
        {"dice": dict[str, SecretBySeat[int]]},
        {"dice": tuple[SecretBySeat[int], ...]},
        {"seats": SecretBySeat[int], "dice": (Secret[int], seen_by("seats"))},
    ],
)
def test_a_field_without_one_clear_audience_does_not_define(fields: dict[str, Any]) -> None:
    with pytest.raises(UndeclaredAudience, match=r"Made\.(seat|dice)"):
        defines(**fields)


def test_an_audience_inside_a_record_does_not_define() -> None:
    """`Public` of a record with a `Secret` field would show the secret: an event's own fields are the unit."""

    class Hand(msgspec.Struct):
        seat: Public[int]
        cards: Secret[tuple[str, ...]]

    class Hands(msgspec.Struct):
        all: dict[int, list[Hand]]

    for annotation in (Public[Hand], Public[tuple[Hand, ...]], Public[Hands | None], SecretBySeat[Hand]):
        with pytest.raises(UndeclaredAudience, match="hand"):
            defines(hand=annotation)


def test_a_subclass_declares_for_itself() -> None:
    with pytest.raises(UndeclaredAudience):

        class More(Dealt):
            extra: int


# What is shown


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nothing_to_hide_is_the_very_same_object(viewer: Any) -> None:
    for event in (Bowed(), Announced(seat=0, text="hello")):
        assert not has_secrets(event)
        assert redact(event, viewer) is event
    hidden_already = redact(Dealt(seat=2, count=1, cards=("hen",)), "table")
    assert redact(hidden_already, viewer) is hidden_already


def test_one_seat_and_the_audit_see_a_hand() -> None:
    event = Dealt(seat=2, count=2, cards=("hen", "fox"))
    assert has_secrets(event)
    for viewer in VIEWERS:
        seen = redact(event, viewer)
        if viewer in (2, "audit"):
            assert seen is event
        else:
            assert seen == Dealt(seat=2, count=2, cards=None)
    assert event.cards == ("hen", "fox")


def test_a_secret_that_nobody_holds_is_nobodys() -> None:
    event = Dealt(seat=None, count=1, cards=("hen",))
    assert [viewer for viewer in VIEWERS if redact(event, viewer).cards is not None] == ["audit"]


@pytest.mark.parametrize(
    ("viewer", "offer", "price", "note"),
    [
        (0, False, True, False),
        (1, True, False, False),
        (2, False, True, False),
        (3, True, False, False),
        (4, False, False, False),
        ("table", False, False, False),
        ("audit", True, True, True),
    ],
)
def test_each_field_has_its_own_audience(viewer: Any, offer: bool, price: bool, note: bool) -> None:
    seen = redact(TRADE, viewer)
    assert seen == msgspec.structs.replace(
        TRADE,
        offer=TRADE.offer if offer else None,
        price=TRADE.price if price else None,
        note=TRADE.note if note else None,
    )


def test_an_audience_of_nobody_and_of_one_seat_twice() -> None:
    event = msgspec.structs.replace(TRADE, seller=None, witnesses=())
    assert [viewer for viewer in VIEWERS if redact(event, viewer).offer is not None] == [1, "audit"]
    assert [viewer for viewer in VIEWERS if redact(event, viewer).price is not None] == ["audit"]
    both = msgspec.structs.replace(TRADE, buyer=3)
    assert [viewer for viewer in VIEWERS if redact(both, viewer).offer is not None] == [3, "audit"]


@pytest.mark.parametrize(
    ("viewer", "dice"),
    [
        (0, ((6, 1), None, None, None)),
        (1, (None, (), None, None)),
        (2, (None, None, (2,), None)),
        (3, None),
        (4, None),
        (-1, None),
        (-4, None),
        ("table", None),
        ("audit", ROLL.dice),
    ],
)
def test_a_seat_sees_its_own_of_one_secret_a_seat(viewer: Any, dice: Any) -> None:
    assert redact(ROLL, viewer) == Rolled(round=3, dice=dice)
    assert has_secrets(ROLL)
    assert redact(Rolled(round=3, dice=None), viewer) == Rolled(round=3, dice=None)


@given(
    own=st.lists(st.integers(1, 6), max_size=2).map(tuple),
    others=st.lists(st.lists(st.integers(1, 6), max_size=2).map(tuple), min_size=4, max_size=4),
    viewer=st.integers(0, 3) | st.just("table"),
)
@settings(max_examples=100, deadline=None)
def test_one_secret_a_seat_says_nothing_of_the_others(
    own: tuple[int, ...], others: list[tuple[int, ...]], viewer: Any
) -> None:
    """Neither what the others are nor how long."""
    first, second = list(others), [()] * 4
    if viewer != "table":
        first[viewer] = second[viewer] = own
    seen = [redact(Rolled(round=1, dice=tuple(dice)), viewer) for dice in (first, second)]
    assert encode_json(seen[0]) == encode_json(seen[1])


@given(
    seat=st.none() | st.integers(0, 5),
    one=st.lists(st.text(min_size=1), min_size=2, max_size=2).map(tuple),
    other=st.lists(st.text(min_size=1), min_size=2, max_size=2).map(tuple),
    viewer=st.integers(0, 5) | st.just("table"),
)
@settings(max_examples=100, deadline=None)
def test_what_is_shown_does_not_depend_on_what_is_hidden(
    seat: int | None, one: tuple[str, ...], other: tuple[str, ...], viewer: Any
) -> None:
    if seat == viewer:
        return
    first, second = (redact(Dealt(seat=seat, count=2, cards=cards), viewer) for cards in (one, other))
    assert encode_json(first) == encode_json(second)


def test_redacting_again_changes_nothing_and_never_shows_more() -> None:
    for first in VIEWERS:
        rolled = redact(ROLL, first)
        assert redact(rolled, first) is rolled
        for second in VIEWERS:
            shown = redact(rolled, second).dice
            assert shown is None or second == "audit" or shown == redact(ROLL, second).dice
            assert shown is None or "audit" in (first, second) or first == second
        once = redact(TRADE, first)
        assert redact(once, first) is once
        for second in VIEWERS:
            twice = redact(once, second)
            for field in ("offer", "price", "note"):
                if getattr(once, field) is None:
                    assert getattr(twice, field) is None


# What it says of itself


def test_every_event_of_this_release_names_an_audience_for_every_field() -> None:
    assert len(EVENTS) > 20
    for record in EVENTS.values():
        for audience in audiences(record).values():
            if isinstance(audience, tuple):
                assert all(audiences(record)[name] == "public" for name in audience)
            else:
                assert audience in ("public", "by_seat")


def test_audiences_and_drawn_fields_can_be_asked_for() -> None:
    assert audiences(Traded) == {
        "buyer": "public",
        "seller": "public",
        "witnesses": "public",
        "offer": ("buyer", "seller"),
        "price": ("witnesses",),
        "note": (),
    }
    assert drawn_fields(Dealt) == ("cards",)
    assert drawn_fields(Traded) == ()
    assert audiences(Rolled) == {"round": "public", "dice": "by_seat"}
    assert drawn_fields(Rolled) == ("dice",)


class Turned(Event):
    """What was drawn, in several shapes."""

    seats: Public[tuple[int, ...]]
    rolls: Public[Drawn[tuple[tuple[int, ...], ...]]]
    lots: Public[Drawn[list[int] | None]]
    card: Secret[Drawn[str]] = seen_by("seats")


def test_drawn_outcomes_come_in_the_order_of_drawing() -> None:
    event = Turned(seats=(4, 5), rolls=((3, 1), (), (6,)), card="hen", lots=None)
    assert list(drawn_outcomes(event)) == [3, 1, 6, "hen"]
    assert list(drawn_outcomes(redact(event, "table"))) == [3, 1, 6]
    assert list(drawn_outcomes(Turned(seats=(), rolls=(), lots=[0, 2], card="fox"))) == [0, 2, "fox"]
    assert list(drawn_outcomes(Announced(seat=1, text="x"))) == []
    assert list(drawn_outcomes(ROLL)) == [6, 1, 2]
    assert list(drawn_outcomes(redact(ROLL, 2))) == [2]
