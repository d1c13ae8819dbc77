"""`fairdeal play`: sit down at a table, here or over the service."""

import asyncio
import getpass
import secrets
from typing import Annotated, Any, Final

import typer

from fairdeal import Client
from fairdeal_cli.bots import NAMES, bot_players
from fairdeal_cli.choosing import Options, Ruleset, check_ruleset
from fairdeal_cli.command import Namespace, RedisUrl, command
from fairdeal_cli.console import say
from fairdeal_cli.ids import check_game
from fairdeal_cli.playing import Leave, LocalGame
from fairdeal_cli.playing_online import play_online
from fairdeal_cli.problems import Problem, reason
from fairdeal_cli.typed import Unclear, read_options
from fairdeal_local import Seeded, Table
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for
from fairdeal_worker.settings import Settings, bring_decks, settings_from

SEATS: Final = 4
"""How many sit at a table when nobody says."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "play", panel="Play")(play)


def play(
    ruleset: Ruleset = "perudo",
    *,
    bots: Annotated[int | None, typer.Option(help="How many bots sit at the table.", min=1)] = None,
    option: Options = None,
    online: Annotated[
        str | None, typer.Option(metavar="GAME", help="Sit down at this game of the service."), check_game
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat there.", min=0)] = 0,
    redis_url: RedisUrl = None,
    namespace: Namespace = None,
) -> None:
    """Sit down at a table with bots: in this terminal, at once and without Redis.

    With --redis-url the table is a new one of that deployment, with --online GAME one that is there.
    """
    try:
        if online is None and redis_url is None:
            bring_decks(settings_from())
            LocalGame(open_table(ruleset, bots, option or []), 0, input).play()
        else:
            new = None if online else _what(ruleset, bots, option or [])
            settings = settings_from(redis_url=redis_url, namespace=namespace)
            asyncio.run(_play_online(settings, online or "", seat if online else 0, new))
    except Leave as leave:
        say("", f"You leave the table.{f' {leave}' if str(leave) else ''}")


def person() -> str:
    """What the person at the terminal is called: the login name, unless a bot has it."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # nobody knows this user
        return "you"
    return f"{name}!" if name in NAMES else name


def new_seed() -> Seeded:
    """A dealer that nobody can foresee."""
    return Seeded(secrets.token_bytes(32))


def open_table(ruleset: str, bots: int | None, pairs: list[str]) -> Table:
    """A new table in this process, with the person on seat 0 and a dealer of its own. Raises `Problem`."""
    what = _what(ruleset, bots, pairs)
    try:
        return Table.open(what["ruleset"], what["players"], what["options"], new_seed())
    except Rejected as rejected:
        raise _not_opened(ruleset, rejected) from None


def _what(ruleset: str, bots: int | None, pairs: list[str]) -> dict[str, Any]:
    """Which game with whom and by which options. Raises `Problem`."""
    check_ruleset(ruleset)
    fewest, most = rules_for(ruleset).players
    others = min(max(SEATS, fewest), most) - 1 if bots is None else bots
    try:
        options = read_options(pairs, ruleset)
    except Unclear as unclear:
        raise Problem("An option cannot be read", str(unclear), "Write --option name=value") from None
    return {"ruleset": ruleset, "players": [person(), *bot_players(ruleset, others)], "options": options}


def _not_opened(ruleset: str, rejected: Rejected) -> Problem:
    return Problem(
        "The table cannot be opened", reason(rejected), f"See what it takes: fairdeal rulesets {ruleset}"
    )


async def _play_online(settings: Settings, game: str, seat: int, new: dict[str, Any] | None) -> None:
    async with Client(settings.redis_url, namespace=settings.namespace) as client:
        if new is not None:
            try:
                game = (await client.create(**new)).game
            except Rejected as rejected:
                raise _not_opened(new["ruleset"], rejected) from None
            say(f"Your game is {game}. To come back to it: fairdeal play --online {game}", "")
        await play_online(client, game, seat, input)
