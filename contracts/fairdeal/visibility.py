"""Who may see what: every field of an event declares its audience once, where it is defined.

    class CardsDrawn(Event):
        seat: Public[int]
        count: Public[int]
        cards: Secret[Drawn[tuple[str, ...]]] = seen_by("seat")

    class RoundStarted(Event):
        round: Public[int]
        dice: SecretBySeat[Drawn[tuple[int, ...]]]

Default deny: a field without a declaration raises `UndeclaredAudience` at import. `redact(event, viewer)`
replaces what the viewer may not see by `None`; views, replays and updates are built from redacted events
only. What others may know about a secret (how many cards) is a public field of its own.
"""

from collections.abc import Callable, Iterator
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from fairdeal.tagged import wire_name

T = TypeVar("T")

Viewer = int | Literal["table", "audit"]
"""Whose eyes: a seat's number, `table` (anybody at the table, any spectator) or `audit` (everything)."""


class _Mark:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


_PUBLIC: Final = _Mark("public")
_SECRET: Final = _Mark("secret")
_BY_SEAT: Final = _Mark("by_seat")
_DRAWN: Final = _Mark("drawn")

Public = Annotated[T, _PUBLIC]
"""Everybody may see this field."""

Secret = Annotated[T | None, _SECRET]
"""Only the seats named by `seen_by` and `audit` may see this field; `None` for everybody else."""

SecretBySeat = Annotated[tuple[T | None, ...] | None, _BY_SEAT]
"""One secret a seat, in seat order: a seat sees its own and `None` in place of all others.

`audit` sees all of them. For everybody else, and for a seat whose own is `None`, the whole field is `None`.
"""

Drawn = Annotated[T, _DRAWN]
"""The dealer's outcomes: the field holds exactly what was drawn (or tuples of it), in the order of drawing.

The audit checks drawn fields against the dealer's stream, and feeds them back when it re-executes a game
whose seed is not revealed yet. All drawn fields of a commit, read in order, are all its draws."""


class UndeclaredAudience(TypeError):
    """An event's field does not say who may see it."""


class _SeenBy:
    __slots__ = ("fields",)

    def __init__(self, fields: tuple[str, ...]) -> None:
        self.fields = fields


def seen_by(*fields: str) -> Any:
    """Name the fields of this event that hold the seats which may see this one.

    A named field holds a seat, a tuple of seats, or `None` (nobody). Without names only `audit` sees it.
    """
    return _SeenBy(fields)


Audience = Literal["public", "by_seat"] | tuple[str, ...]
"""Who may see a field: everybody; each seat its own element; or the seats that these fields name."""

Redactor = Callable[[Any, Viewer], Any]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field, seen_by))
class _EventMeta(msgspec.StructMeta):
    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        if bases and bases[0] is not msgspec.Struct:
            config.setdefault("tag", wire_name(namespace["__module__"], name))
        named = {key: value.fields for key, value in namespace.items() if isinstance(value, _SeenBy)}
        for key in named:
            del namespace[key]
        cls = super().__new__(mcls, name, bases, namespace, **config)
        if cls.__struct_config__.tag is not None:
            _compile(cast("type[Event]", cls), named)
        return cls


class Event(msgspec.Struct, metaclass=_EventMeta, frozen=True, kw_only=True, gc=False):
    """What happened, in the past tense. A subclass is one event; its `type` is made like an action's."""


_redactors: dict[type, Redactor | None] = {}
_drawn_fields: dict[type, tuple[str, ...]] = {}
_audiences: dict[type, dict[str, Audience]] = {}


def _marks(annotation: Any) -> set[_Mark]:
    if get_origin(annotation) is Annotated:
        inner, *extras = get_args(annotation)
        return {mark for mark in extras if isinstance(mark, _Mark)} | _marks(inner)
    return set().union(*(_marks(part) for part in get_args(annotation))) if get_args(annotation) else set()


def _marked_inside(annotation: Any, seen: set[type]) -> bool:
    """Whether a record within this annotation marks fields of its own, where nothing would heed them."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        if annotation in seen:
            return False
        seen.add(annotation)
        hints = get_type_hints(annotation, include_extras=True)
        return any(_marks(hint) or _marked_inside(hint, seen) for hint in hints.values())
    return any(_marked_inside(part, seen) for part in get_args(annotation))


def _compile(cls: type[Event], named: dict[str, tuple[str, ...]]) -> None:
    hints = get_type_hints(cls, include_extras=True)
    shown = {field: _audience(cls, field, hints[field], named.get(field)) for field in cls.__struct_fields__}
    for field, audience in shown.items():
        for name in audience if isinstance(audience, tuple) else ():
            if shown.get(name) != "public":
                raise UndeclaredAudience(
                    f"{_place(cls, field)} is seen_by {name!r}, which is no public field"
                )
    hides = any(audience != "public" for audience in shown.values())
    _redactors[cls] = _redactor(shown) if hides else None
    _drawn_fields[cls] = tuple(field for field in shown if _DRAWN in _marks(hints[field]))
    _audiences[cls] = shown


def _audience(cls: type[Event], field: str, hint: Any, named: tuple[str, ...] | None) -> Audience:
    """Who may see a field, by its annotation and by what `seen_by` names. Raises `UndeclaredAudience`."""
    if _marked_inside(hint, set()):
        raise UndeclaredAudience(
            f"{_place(cls, field)} holds a record that marks its own fields: "
            "an audience is for whole fields of the event"
        )
    declared = _marks(hint) - {_DRAWN}
    if len(declared) != 1:
        raise UndeclaredAudience(
            f"{_place(cls, field)} must be Public[...], SecretBySeat[...] or Secret[...] = seen_by(...)"
        )
    if declared == {_SECRET}:
        if named is None:
            raise UndeclaredAudience(f"{_place(cls, field)} is Secret but names nobody: = seen_by(...)")
        return named
    if named is not None:
        raise UndeclaredAudience(f"{_place(cls, field)} is seen_by(...), which is for Secret[...] alone")
    if declared == {_PUBLIC}:
        return "public"
    # Inside of anything else nothing would take it apart by seat.
    if get_origin(hint) is not Annotated or _BY_SEAT in _marks(get_args(hint)[0]):
        raise UndeclaredAudience(f"{_place(cls, field)} holds SecretBySeat[...] inside of something else")
    return "by_seat"


def _place(cls: type[Event], field: str) -> str:
    return f"{cls.__module__}.{cls.__qualname__}.{field}"


def _redactor(shown: dict[str, Audience]) -> Redactor:
    named = [(field, audience) for field, audience in shown.items() if isinstance(audience, tuple)]
    by_seat = [field for field, audience in shown.items() if audience == "by_seat"]

    def redact_event(event: Any, viewer: Viewer) -> Any:
        changed: dict[str, Any] = {}
        for field, names in named:
            if getattr(event, field) is None:
                continue
            for name in names:
                seats = getattr(event, name)
                if seats == viewer if isinstance(seats, int) else seats is not None and viewer in seats:
                    break
            else:
                changed[field] = None
        for field in by_seat:
            secrets = getattr(event, field)
            seen = None if secrets is None else _own(secrets, viewer)
            if seen is not secrets:
                changed[field] = seen
        return msgspec.structs.replace(event, **changed) if changed else event

    return redact_event


def _own(secrets: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...] | None:
    """What a viewer may know of one secret a seat; the very same tuple when there is nothing to hide."""
    if not isinstance(viewer, int) or not 0 <= viewer < len(secrets) or secrets[viewer] is None:
        return None
    others = len(secrets) - 1
    if secrets.count(None) == others:
        return secrets
    return (None,) * viewer + (secrets[viewer],) + (None,) * (others - viewer)


E_ = TypeVar("E_", bound=Event)


def redact(event: E_, viewer: Viewer) -> E_:
    """The event as `viewer` sees it; the very same object when there is nothing to hide from them."""
    redactor = _redactors[type(event)]
    if redactor is None or viewer == "audit":
        return event
    return cast(E_, redactor(event, viewer))


def has_secrets(event: Event) -> bool:
    """Whether this type of event ever hides anything from anybody."""
    return _redactors[type(event)] is not None


def audiences(event: type[Event]) -> dict[str, Audience]:
    """Who may see each field of a type of event: `public`, `by_seat` (each seat its own element of it), or the
    fields that name the seats which may.

    `audit` sees everything; an empty tuple is a field that nobody else sees.
    """
    return dict(_audiences[event])


def drawn_fields(event: type[Event]) -> tuple[str, ...]:
    """The fields of a type of event that hold the dealer's outcomes, in the order of drawing."""
    return _drawn_fields[event]


def drawn_outcomes(event: Event) -> Iterator[Any]:
    """What the dealer drew for this event, in the order of drawing (die values, card keys, indexes)."""
    for field in _drawn_fields[type(event)]:
        yield from _flat(getattr(event, field))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for part in value:
            yield from _flat(part)
    elif value is not None:
        yield value
