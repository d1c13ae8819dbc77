"""What a field takes, in words for who has to type it: `a whole number from 1 to 5`, `true or false`."""

import types
from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

_PLAIN: Final[dict[Any, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    type(None): "null",
}


def in_words(kind: Any) -> str:
    """What a field of this type takes; for a type that nobody has foreseen, its name or `a value`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin is Annotated:
        return _bounded(arguments[0], [one for one in arguments[1:] if isinstance(one, msgspec.Meta)])
    if origin is Literal:
        return either(
            [one if isinstance(one, str) else msgspec.json.encode(one).decode() for one in arguments]
        )
    if origin in (Union, types.UnionType):
        return either([in_words(one) for one in arguments])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        parts = [f"{field.encode_name}: {in_words(field.type)}" for field in msgspec.structs.fields(kind)]
        return f"an object of {'; '.join(parts)}" if parts else "an empty object"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"an object of {in_words(arguments[0])}: {in_words(arguments[1])}"
    if isinstance(origin, type) and issubclass(origin, Sequence | Set):
        return _list(arguments, "")
    return kind.__name__ if isinstance(kind, type) and kind is not Any else "a value"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _list(items: Sequence[Any], length: str) -> str:
    several = len(items) > 1 and items[1] is not Ellipsis  # a tuple with a type for each place
    if several:
        return f"a list: {', '.join(map(in_words, items))}"
    return f"a list{f' of {length}' if length else ''}, each {in_words(items[0])}"


def _bounded(kind: Any, metas: Sequence[msgspec.Meta]) -> str:
    """A type whose values are bounded: `a whole number from 1 to 5`, `a list of 13, each a number`."""
    said = in_words(kind)
    for meta in metas:
        length = _span(meta.min_length, meta.max_length)
        if length and isinstance(origin := get_origin(kind), type) and issubclass(origin, Sequence | Set):
            said = _list(get_args(kind), length)
        elif length:
            said += f" of {length} {'characters' if kind is str else 'entries'}"
        least = meta.ge if meta.gt is None else f"above {meta.gt}"
        most = meta.le if meta.lt is None else f"below {meta.lt}"
        if least is not None:
            said += f" {least}" if meta.gt is not None else f" from {least}"
        if most is not None:
            said += f" {most}" if meta.lt is not None else f" {'up ' if least is None else ''}to {most}"
        if meta.multiple_of is not None:
            said += f" in steps of {meta.multiple_of}"
        if meta.pattern is not None:
            said += f" that matches {meta.pattern}"
    return said


def _span(least: int | None, most: int | None) -> str:
    match least, most:
        case None, None:
            return ""
        case _, None:
            return f"at least {least}"
        case None, _:
            return f"at most {most}"
        case _:
            return str(least) if least == most else f"{least} to {most}"
