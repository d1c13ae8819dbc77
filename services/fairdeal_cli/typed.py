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
from fairdeal.games import RULESETS, game_module
from fairdeal.tagged import tag_of
from fairdeal_cli.kinds import either, in_words


class Unclear(Exception):
    """What was typed is no action; the message says what is expected instead."""


class NoSuchAction(Unclear):
    """No action is called so, at least none of the ruleset that is meant."""


_CLOSE: Final = 0.6
"""How much alike, from 0 to 1, a name is to one that may have been meant."""
_TRUTHS: Final = dict.fromkeys(("true", "yes", "on"), True) | dict.fromkeys(("false", "no", "off"), False)
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
        raise NoSuchAction(f"There is no action {name!r}; {_instead(name, ruleset)}")
    return found


def _instead(name: str, ruleset: str | None) -> str:
    """Every action that is called much like this; when none is, all that this game has."""
    among = [tag for tag in ACTIONS if ruleset is None or tag.partition(".")[0] in (ruleset, "game")]
    # Without its ruleset's name, an action is known by the rest alone.
    likeness = {
        tag: difflib.SequenceMatcher(None, tag if "." in name else tag.partition(".")[2], name).ratio()
        for tag in among
    }
    close = sorted((tag for tag in among if likeness[tag] >= _CLOSE), key=lambda tag: -likeness[tag])
    if close:
        return f"did you mean {either(close)}?"
    own = [tag for tag in among if not tag.startswith(("game.", "clock."))]
    common = [tag for tag in among if tag.startswith("game.")]
    return f"there are {', '.join(own + common)}"


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
    """The first reading of the text that fits the field's type. Raises `Unclear`."""
    if kind is bool and text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    for reading in _readings(text):
        with suppress(msgspec.ValidationError):
            msgspec.convert(reading, kind)
            return reading
    raise Unclear(f"{name}={text}: {in_words(kind)} is expected")


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


def read_options(pairs: list[str], ruleset: str | None = None) -> dict[str, Any]:
    """Options of a game from `name=value` words. Raises `Unclear`.

    A value is read by its option's type. One that does not fit, or is of no option known here, is JSON or
    else a text: the rules have the last word on it.
    """
    known = msgspec.structs.fields(game_module(ruleset).Options) if ruleset in RULESETS else ()
    kinds = {field.encode_name: field.type for field in known}
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise Unclear(f"An option is name=value, not {pair!r}")
        options[name] = _plain(value)
        if name in kinds:
            with suppress(Unclear):
                options[name] = _value(name, value, kinds[name])
    return options
