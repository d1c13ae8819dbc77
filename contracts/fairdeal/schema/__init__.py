"""The contract as documents: JSON Schemas and one AsyncAPI document, generated from the records.

They are checked in under `contracts/`, for other languages to read; `fairdeal schema` writes them anew.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from fairdeal.commit import EVENTS, Commit
from fairdeal.directory import Summary
from fairdeal.envelope import ACTIONS, Command
from fairdeal.export import LINES
from fairdeal.games import RULESETS, game_module
from fairdeal.receipt import Receipt
from fairdeal.schema.asyncapi import asyncapi
from fairdeal.schema.records import Schema, document, example_of, summary_of
from fairdeal.view import View, view_type

COMMON: Final = "common"
"""The folder of what all rulesets share."""

AUDIENCES: Final = (
    "Each field's `x-audience` says who may see it: `public`, or the names of the fields that hold the seats "
    "which may; for everybody else it is null, and an empty list is for `audit` alone. `by_seat` is one secret "
    "a seat, in seat order: a seat sees its own with null for all others, and for everybody else the whole is "
    "null. A field with `x-drawn` holds what the dealer drew, in the order of drawing."
)


def documents() -> dict[str, bytes]:
    """All documents: their path below `contracts/` and their content. The same bytes at every call."""
    schemas = {
        "command": document(Command, "Command", summary_of(Command)),
        "receipt": document(Receipt, "Receipt", summary_of(Receipt)),
        "summary": document(Summary, "Summary of a game in the directory", summary_of(Summary)),
        "export": document(
            LINES, "Line of an export", "A game in one file, NDJSON: a header, commits, views, an end."
        ),
        "commit": document(Commit, "Commit", f"{summary_of(Commit)}\n\nIn its events: {AUDIENCES}"),
    }
    for group in (COMMON, *RULESETS):
        schemas |= {f"{group}/{name}": schema for name, schema in _spoken(group).items()}
    for ruleset in RULESETS:
        schemas |= {f"{ruleset}/{name}": schema for name, schema in _shown(ruleset).items()}
    files = {f"schema/{name}.json": schema for name, schema in schemas.items()}
    files["asyncapi.json"] = asyncapi()
    return {path: encode(content) for path, content in sorted(files.items())}


def write(folder: Path) -> list[str]:
    """Write the documents into `contracts/`, take away those of former releases; the paths that changed."""
    drifted = check(folder)
    content = documents()
    for path in drifted:
        file = folder / path
        if path in content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content[path])
        else:
            file.unlink()
    return drifted


def check(folder: Path) -> list[str]:
    """The paths below `contracts/` that are missing, differ or should not be there; empty if all is well."""
    content = documents()
    there = {path.relative_to(folder).as_posix() for path in (folder / "schema").rglob("*.json")}
    changed = {
        path
        for path, body in content.items()
        if not (folder / path).is_file() or (folder / path).read_bytes() != body
    }
    return sorted(changed | (there - content.keys()))


def encode(content: Schema) -> bytes:
    """A document as it is checked in: sorted keys, two spaces, a line's end at the end."""
    return msgspec.json.format(msgspec.json.encode(content, order="sorted"), indent=2) + b"\n"


def _spoken(group: str) -> dict[str, Schema]:
    """What a ruleset, or the service itself, calls its actions and its events."""
    actions = _of_group(ACTIONS, group)
    events = _of_group(EVENTS, group)
    whose = "of every game" if group == COMMON else f"of the ruleset `{group}`"
    examples = "An example shows a record's shape, not a move that any game would allow."
    return {
        "actions": document(
            actions,
            f"Actions {whose}",
            f"What a seat or the host wants to do. {examples}",
            [example_of(action) for action in actions],
        ),
        "events": document(
            events,
            f"Events {whose}",
            f"What happened. {AUDIENCES} {examples}",
            [example_of(event) for event in events],
        ),
    }


def _of_group(records: Mapping[str, type[msgspec.Struct]], group: str) -> list[type[msgspec.Struct]]:
    prefixes = {tag: tag.partition(".")[0] for tag in records}
    return [
        record
        for tag, record in records.items()
        if prefixes[tag] == group or (group == COMMON and prefixes[tag] not in RULESETS)
    ]


def _shown(ruleset: str) -> dict[str, Schema]:
    """What a ruleset lets the host choose, and what it shows."""
    options = game_module(ruleset).Options
    return {
        "options": document(options, f"Options of the ruleset `{ruleset}`", summary_of(options)),
        "view": document(view_type(ruleset), f"View of a game of the ruleset `{ruleset}`", summary_of(View)),
    }
