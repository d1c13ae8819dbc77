"""What a person types, read as an action: JSON, or a type and its fields (`perudo.bid quantity=3 face=5`)."""

import difflib
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

from fairdeal.action import Action
from fairdeal.codec import fault
from fairdeal.envelope import ACTIONS, action_from
from fairdeal.tagged import tag_of


class Unclear(Exception):
    """What was typed is no action; the message says what is expected instead."""


_WORD: Final = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""")


def read_action(text: str, ruleset: str | None = None) -> Action:
    """The action that a line says. With `ruleset`, `bid …` means `<ruleset>.bid …`. Raises `Unclear`."""
    if text.lstrip().startswith("{"):
        return _from_json(text)
    # Quotes hold spaces together and otherwise stay: a value may be JSON.
    return read_words([_unquoted(word) for word in _WORD.findall(text)], ruleset)


def read_words(words: list[str], ruleset: str | None = None) -> Action:
    """The same from words that a shell has split: a type and its fields, or one line. Raises `Unclear`."""
    if len(words) == 1 and (" " in words[0] or words[0].startswith("{")):
        return read_action(words[0], ruleset)
    if not words:
        raise Unclear("Nothing was typed")
    return build(_action_named(words[0], ruleset), words[1:])


def _unquoted(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'":
        return word[1:-1]
    name, equals, value = word.partition("=")
    return f"{name}={_unquoted(value)}" if equals and value[:1] == "'" else word


def _from_json(text: str) -> Action:
    try:
        return action_from(msgspec.json.decode(text, type=dict[str, Any]))
    except msgspec.ValidationError as error:
        message, path = fault(error)
        raise Unclear(f"{message} at {path}") from None
    except msgspec.DecodeError as error:
        raise Unclear(f"That is no JSON: {error}") from None


def _action_named(name: str, ruleset: str | None) -> type[Action]:
    known = [name] if ruleset is None else [name, f"{ruleset}.{name}", f"game.{name}"]
    found = next((ACTIONS[tag] for tag in known if tag in ACTIONS), None)
    if found is None:
        close = difflib.get_close_matches(name, ACTIONS, n=3, cutoff=0.5)
        like = f"; did you mean {' or '.join(close)}?" if close else ""
        raise Unclear(f"There is no action {name!r}{like}")
    return found


def build(action: type[Action], words: list[str]) -> Action:
    """An action with its fields given as `name=value`. Raises `Unclear`."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(action)}
    given: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in fields:
            raise Unclear(f"{usage(action)}; {word!r} is none of its fields")
        given[name] = _value(name, value, fields[name].type)
    missing = [name for name, field in fields.items() if field.required and name not in given]
    if missing:
        raise Unclear(
            f"{usage(action)}; {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        )
    return msgspec.convert(given | {"type": tag_of(action)}, action)


def usage(action: type[Action]) -> str:
    """How an action is typed: `perudo.bid quantity=… face=…`."""
    fields = (
        f"{field.encode_name}=…" if field.required else f"[{field.encode_name}=…]"
        for field in msgspec.structs.fields(action)
    )
    return " ".join([tag_of(action), *fields])


def _value(name: str, text: str, kind: Any) -> Any:
    """The first reading of the text that fits the field's type."""
    complaint = ""
    for reading in _readings(text):
        try:
            msgspec.convert(reading, kind)
        except msgspec.ValidationError as error:
            complaint = complaint or fault(error)[0]
        else:
            return reading
    raise Unclear(f"{name}={text}: {complaint}")


def _readings(text: str) -> Iterator[Any]:
    """JSON; `a:1,b:2` as an object; `a,b` as a list; the text itself."""
    with suppress(msgspec.DecodeError):
        yield msgspec.json.decode(text)
    parts = text.split(",") if text else []
    if parts and all(":" in part for part in parts):
        yield {name: _plain(value) for name, _, value in (part.partition(":") for part in parts)}
    yield [_plain(part) for part in parts]
    yield parts
    yield text


def _plain(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def read_options(pairs: list[str]) -> dict[str, Any]:
    """Options of a game from `name=value` words; a value is JSON, or else a text. Raises `Unclear`."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise Unclear(f"An option is name=value, not {pair!r}")
        options[name] = _plain(value)
    return options
