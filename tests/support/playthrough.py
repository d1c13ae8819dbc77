"""A whole game as plain text: every commit, what each viewer sees of it, and every offer in words."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from fairdeal.commit import Commit
from fairdeal.tagged import tag_of
from fairdeal.visibility import redact
from fairdeal_views.fold import Fold

Short = Mapping[type, Callable[[Any], str]]
"""How records that would be long are told in a few words."""


def render(title: str, log: Iterable[Commit], short: Short | None = None) -> str:
    """The game as text. A secret is shown as `–` to whom it is hidden."""
    log = list(log)
    views = Fold(log[0].game)
    blocks = [title]
    for commit in log:
        views.apply(commit)
        blocks.append("\n".join(_commit_lines(commit, views, short or {})))
    return "\n\n".join(blocks) + "\n"


def _commit_lines(commit: Commit, views: Fold, short: Short) -> Iterable[str]:
    who = "host" if commit.command.seat is None else f"seat {commit.command.seat}"
    yield f"[{commit.version}] {who}: {say(commit.command.action, short)}"
    for event in commit.events:
        shown = redact(event, "table")
        yield f"    {say(shown, short)}"
        for seat in range(len(views.hands)):
            seen = redact(event, seat)
            if seen != shown:
                yield f"        seat {seat} sees {_differences(seen, shown, short)}"
    waited_for = ", ".join(map(str, views.to_act)) or "nobody"
    yield f"  {views.phase}; waiting for {waited_for}"
    for seat, hand in enumerate(views.hands):
        offers = "; ".join(say(offer, short) for offer in views.offers(seat)) or "no offer"
        yield f"  seat {seat} holds {_fields(hand, short) or 'nothing'}: {offers}"


def say(record: msgspec.Struct, short: Short | None = None) -> str:
    """A record in words: `perudo.bid quantity=3 face=5`."""
    return f"{tag_of(record)} {_fields(record, short or {})}".strip()


def _fields(record: msgspec.Struct, short: Short) -> str:
    fields = msgspec.structs.asdict(record)
    return " ".join(f"{name}={_value(value, short)}" for name, value in fields.items())


def _differences(seen: Any, shown: Any, short: Short) -> str:
    fields = seen.__struct_fields__
    return " ".join(
        f"{f}={_value(getattr(seen, f), short)}" for f in fields if getattr(seen, f) != getattr(shown, f)
    )


def _shortened(value: Any, short: Short) -> Any:
    """The value with all that is to be told in a few words told so."""
    if type(value) in short:
        return short[type(value)](value)
    if isinstance(value, msgspec.Struct):
        return {name: _shortened(inner, short) for name, inner in msgspec.structs.asdict(value).items()}
    if isinstance(value, dict):
        return {key: _shortened(inner, short) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(inner, short) for inner in value]
    return value


def _value(value: Any, short: Short) -> str:
    return _text(msgspec.to_builtins(_shortened(value, short) if short else value, str_keys=True))


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + " ".join(map(_text, value)) + "]"
    return str(value)
