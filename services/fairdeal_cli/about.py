"""`fairdeal rulesets`, `schema` and `version`: what this release knows."""

import platform
import sys
from importlib.metadata import version as installed
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from fairdeal.games import RULESETS, game_module
from fairdeal_cli.choosing import check_ruleset, complete_ruleset
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import grid, say, say_json
from fairdeal_cli.embedded import find_server
from fairdeal_cli.kinds import in_words
from fairdeal_cli.problems import Exit, Problem
from fairdeal_rules.ruleset import rules_for


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "rulesets", panel="Develop")(rulesets)
    command(app, "schema", panel="Develop")(schema)
    command(app, "version", panel="Develop")(version)


def rulesets(
    ruleset: Annotated[
        str | None, typer.Argument(help="Show this one's options.", autocompletion=complete_ruleset)
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """List the rulesets, or one ruleset's options and presets."""
    if ruleset is not None:
        check_ruleset(ruleset)
    chosen = [describe(name) for name in ([ruleset] if ruleset else RULESETS)]
    if as_json:
        say_json(chosen[0] if ruleset else chosen)
    elif ruleset:
        _tell_options(chosen[0])
    else:
        table = grid("ruleset", "seats", "presets")
        for one in chosen:
            table.add_row(one["ruleset"], "–".join(map(str, one["seats"])), ", ".join(one["presets"]))
        say(table, "Its options: fairdeal rulesets NAME")


def describe(ruleset: str) -> dict[str, Any]:
    """What may be agreed on in a ruleset: seats from–to, options with their defaults, presets."""
    from fairdeal.schema.records import notes_of, summary_of

    rules = rules_for(ruleset)
    options = game_module(ruleset).Options
    notes = notes_of(options)
    return {
        "ruleset": rules.tag,
        "seats": list(rules.players),
        "summary": summary_of(options),
        "options": {
            field.encode_name: {
                "default": None if field.required else msgspec.to_builtins(_default(field)),
                "values": in_words(field.type),
                "note": notes.get(field.name, ""),
            }
            for field in msgspec.structs.fields(options)
        },
        "presets": rules.presets,
    }


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def _tell_options(described: dict[str, Any]) -> None:
    say(Text(described["ruleset"], "bold"), described["summary"], "")
    table = grid("option", "default", "takes", "")
    for name, option in described["options"].items():
        default = msgspec.json.encode(option["default"]).decode()
        table.add_row(name, default, Text(option["values"]), Text(option["note"], "dim"))
    say(table, "")
    for name, preset in described["presets"].items():
        say(f"preset={name}  {msgspec.json.encode(preset).decode()}")


def schema(
    *,
    folder: Annotated[Path, typer.Option(help="Where the documents are checked in.")] = Path("contracts"),
    check: Annotated[
        bool, typer.Option(help="Only say what differs; exit code 1 when something does.")
    ] = False,
) -> None:
    """Write the JSON Schemas and the AsyncAPI document of the contract, or check that they are up to date."""
    from fairdeal import schema as documents

    if not folder.is_dir():
        raise Problem(
            f"There is no folder {folder}", "", "Run this in a checkout of fairdeal, or name it with --folder"
        )
    changed = documents.check(folder) if check else documents.write(folder)
    for path in changed:
        say(f"{'differs' if check else 'written'}  {folder / path}")
    if not changed:
        say("Up to date.")
    if check and changed:
        say("Write them anew: fairdeal schema")
        raise typer.Exit(Exit.NO)


def version(*, as_json: Json = False) -> None:
    """Show what is installed."""
    try:
        server = find_server()
        redis = f"{'.'.join(map(str, server.version))} ({server.path})"
    except Problem:
        redis = "none found"
    told: dict[str, str | list[str]] = {
        "fairdeal": installed("fairdeal"),
        "rulesets": [rules_for(name).tag for name in RULESETS],
        "python": f"{platform.python_version()} ({sys.executable})",
        "faststream": installed("faststream"),
        "redis-py": installed("redis"),
        "redis-server": redis,
    }
    if as_json:
        say_json(told)
        return
    table = grid()
    for name, value in told.items():
        table.add_row(name, value if isinstance(value, str) else ", ".join(value))
    say(table)
