"""A whole game as plain text: every commit, what each viewer sees of it, and every offer in words."""

from collections.abc import Iterable
from typing import Any

import msgspec

from fairdeal.commit import Commit
from fairdeal.tagged import tag_of
from fairdeal.visibility import redact
from fairdeal_views.fold import Fold


def render(title: str, log: Iterable[Commit]) -> str:
    """The game as text. A secret is shown as `–` to whom it is hidden."""
    log = list(log)
    views = Fold(log[0].game)
    blocks = [title]
    for commit in log:
        views.apply(commit)
        blocks.append("\n".join(_commit_lines(commit, views)))
    return "\n\n".join(blocks) + "\n"


def _commit_lines(commit: Commit, views: Fold) -> Iterable[str]:
    who = "host" if commit.command.seat is None else f"seat {commit.command.seat}"
    yield f"[{commit.version}] {who}: {say(commit.command.action)}"
    for event in commit.events:
        shown = redact(event, "table")
        yield f"    {say(shown)}"
        for seat in range(len(views.hands)):
            seen = redact(event, seat)
            if seen != shown:
                yield f"        seat {seat} sees {_differences(seen, shown)}"
    waited_for = ", ".join(map(str, views.to_act)) or "nobody"
    yield f"  {views.phase}; waiting for {waited_for}"
    for seat, hand in enumerate(views.hands):
        offers = "; ".join(say(offer) for offer in views.offers(seat)) or "no offer"
        yield f"  seat {seat} holds {_fields(hand) or 'nothing'}: {offers}"


def say(record: msgspec.Struct) -> str:
    """A record in words: `perudo.bid quantity=3 face=5`."""
    return f"{tag_of(record)} {_fields(record)}".strip()


def _fields(record: msgspec.Struct) -> str:
    return " ".join(f"{name}={_value(value)}" for name, value in msgspec.structs.asdict(record).items())


def _differences(seen: Any, shown: Any) -> str:
    fields = seen.__struct_fields__
    return " ".join(
        f"{f}={_value(getattr(seen, f))}" for f in fields if getattr(seen, f) != getattr(shown, f)
    )


def _value(value: Any) -> str:
    value = msgspec.to_builtins(value, str_keys=True)
    if value is None:
        return "–"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + " ".join(map(_value, value)) + "]"
    return str(value)
