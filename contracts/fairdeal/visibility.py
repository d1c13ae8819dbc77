"""Who may see what: every field of an event declares its audience once, where it is defined.

    class DiceRolled(Event):
        seat: Public[int]
        count: Public[int]
        dice: Secret[Drawn[tuple[int, ...]]] = seen_by("seat")

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
_DRAWN: Final = _Mark("drawn")

Public = Annotated[T, _PUBLIC]
"""Everybody may see this field."""

Secret = Annotated[T | None, _SECRET]
"""Only the seats named by `seen_by` and `audit` may see this field; `None` for everybody else."""

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


Redactor = Callable[[Any, Viewer], Any]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field, seen_by))
class _EventMeta(msgspec.StructMeta):
    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> Any:
        if bases and bases[0] is not msgspec.Struct:
            config.setdefault("tag", wire_name(namespace["__module__"], name))
        audiences = {key: value.fields for key, value in namespace.items() if isinstance(value, _SeenBy)}
        for key in audiences:
            del namespace[key]
        cls = super().__new__(mcls, name, bases, namespace, **config)
        if cls.__struct_config__.tag is not None:
            _compile(cast("type[Event]", cls), audiences)
        return cls


class Event(msgspec.Struct, metaclass=_EventMeta, frozen=True, kw_only=True, gc=False):
    """What happened, in the past tense. A subclass is one event; its `type` is made like an action's."""


_redactors: dict[type, Redactor | None] = {}
_drawn_fields: dict[type, tuple[str, ...]] = {}
_secret_fields: dict[type, dict[str, tuple[str, ...]]] = {}


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


def _compile(cls: type[Event], audiences: dict[str, tuple[str, ...]]) -> None:
    hints = get_type_hints(cls, include_extras=True)
    secret: dict[str, tuple[str, ...]] = {}
    drawn: list[str] = []
    for field in cls.__struct_fields__:
        marks = _marks(hints[field])
        if _marked_inside(hints[field], set()):
            raise UndeclaredAudience(
                f"{cls.__module__}.{cls.__qualname__}.{field} holds a record that marks its own fields: "
                "an audience is for whole fields of the event"
            )
        declared = marks & {_PUBLIC, _SECRET}
        if len(declared) != 1:
            raise UndeclaredAudience(
                f"{cls.__module__}.{cls.__qualname__}.{field} must be Public[...] or Secret[...] = seen_by(...)"
            )
        if _SECRET in marks:
            if field not in audiences:
                raise UndeclaredAudience(
                    f"{cls.__module__}.{cls.__qualname__}.{field} is Secret but names nobody: = seen_by(...)"
                )
            secret[field] = audiences[field]
        elif field in audiences:
            raise UndeclaredAudience(
                f"{cls.__module__}.{cls.__qualname__}.{field} is Public and Secret at once"
            )
        if _DRAWN in marks:
            drawn.append(field)
    for field, names in secret.items():
        for name in names:
            if name not in cls.__struct_fields__ or name in secret:
                raise UndeclaredAudience(
                    f"{cls.__module__}.{cls.__qualname__}.{field} is seen_by {name!r}, which is no public field"
                )
    _redactors[cls] = _redactor(tuple(secret.items())) if secret else None
    _drawn_fields[cls] = tuple(drawn)
    _secret_fields[cls] = secret


def _redactor(secret: tuple[tuple[str, tuple[str, ...]], ...]) -> Redactor:
    def redact_event(event: Any, viewer: Viewer) -> Any:
        hidden: dict[str, None] = {}
        for field, names in secret:
            if getattr(event, field) is None:
                continue
            for name in names:
                seats = getattr(event, name)
                if seats == viewer if isinstance(seats, int) else seats is not None and viewer in seats:
                    break
            else:
                hidden[field] = None
        return msgspec.structs.replace(event, **hidden) if hidden else event

    return redact_event


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


def audiences(event: type[Event]) -> dict[str, Literal["public"] | tuple[str, ...]]:
    """Who may see each field of a type of event: `public`, or the fields that name the seats which may.

    `audit` sees everything; an empty tuple is a field that nobody else sees.
    """
    secret = _secret_fields[event]
    return {field: secret.get(field, "public") for field in event.__struct_fields__}


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
