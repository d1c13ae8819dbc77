"""`fairdeal play`."""

import getpass
import secrets
from random import Random
from typing import Annotated, Final

import typer

from fairdeal.games import RULESETS
from fairdeal_cli.command import command
from fairdeal_cli.console import say
from fairdeal_cli.playing import Leave, LocalGame, by_chance
from fairdeal_cli.problems import Problem, reason
from fairdeal_cli.typed import Unclear, read_options
from fairdeal_local import Seeded, Table
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for

BOT_NAMES: Final = ("ann", "bob", "cy", "dora", "eve", "finn", "gus", "hal")
SEATS: Final = 4
"""How many sit at a table when nobody says."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "play", panel="Play")(play)


def play(
    ruleset: Annotated[
        str, typer.Argument(help="Which game.", autocompletion=lambda: list(RULESETS))
    ] = "perudo",
    bots: Annotated[int | None, typer.Option(help="How many bots sit at the table.", min=1)] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="A rule, `name=value`.")] = None,
) -> None:
    """Sit down at a table with bots, in this terminal, at once and without Redis."""
    table = open_table(ruleset, bots, option or [])
    seats = {seat: by_chance(Random(secrets.randbits(64))) for seat in range(1, len(table.players))}  # noqa: S311
    game = LocalGame(table, 0, seats, input)
    try:
        game.play()
    except Leave:
        say("", "You leave the table.")


def person() -> str:
    """What the person at the terminal is called: the login name, unless a bot has it."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # nobody knows this user
        return "you"
    return f"{name}!" if name in BOT_NAMES else name


def new_seed() -> Seeded:
    """A dealer that nobody can foresee."""
    return Seeded(secrets.token_bytes(32))


def open_table(ruleset: str, bots: int | None, pairs: list[str]) -> Table:
    """A new table with the person on seat 0 and a dealer of its own. Raises `Problem`."""
    if ruleset not in RULESETS:
        raise Problem(f"There is no ruleset {ruleset!r}", "", f"Choose among {', '.join(RULESETS)}")
    fewest, most = rules_for(ruleset).players
    seats = min(max(SEATS, fewest), most) if bots is None else bots + 1
    players = [
        person(),
        *(BOT_NAMES[seat] if seat < len(BOT_NAMES) else f"bot{seat}" for seat in range(seats - 1)),
    ]
    try:
        return Table.open(ruleset, players, read_options(pairs), new_seed())
    except Unclear as unclear:
        raise Problem("An option cannot be read", str(unclear), "Write --option name=value") from None
    except Rejected as rejected:
        raise Problem(
            "The table cannot be opened", reason(rejected), f"See what it takes: fairdeal rulesets {ruleset}"
        ) from None
