"""`fairdeal rebuild` and `dead`: what an operator does after trouble."""

import secrets
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.text import Text

from fairdeal import CommandFailed
from fairdeal.codec import Malformed, decode_command
from fairdeal.envelope import Command
from fairdeal.receipt import Receipt, Rejected
from fairdeal.wire import BODY, DOORBELL_ROLES, Keys
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import counted, grid, say, say_json
from fairdeal_cli.deployment import deployment_of
from fairdeal_cli.ids import check_game
from fairdeal_cli.online import client_of
from fairdeal_cli.problems import Exit, Problem, reason
from fairdeal_views.parking import unpark
from fairdeal_views.rebuild import Rebuilt, Report
from fairdeal_views.rebuild import rebuild as rebuild_views
from fairdeal_views.survey import Deployment
from fairdeal_worker.settings import Settings

Letters = Annotated[
    list[str] | None, typer.Argument(help="Letters, as `dead list` names them: 3/1796040000123-0.")
]
All = Annotated[bool, typer.Option("--all", help="All of them.")]

_PAGE: Final = 500


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "rebuild", panel="Operate")(rebuild)
    dead = typer.Typer(
        no_args_is_help=True, help="Commands that could not be handled: list, inspect, replay, purge."
    )
    command(dead, "list")(list_letters)
    command(dead, "inspect")(inspect)
    command(dead, "replay")(replay)
    command(dead, "purge")(purge)
    app.add_typer(dead, name="dead", rich_help_panel="Operate")


# Rebuilding


async def rebuild(
    settings: Settings,
    *,
    game: Annotated[str | None, typer.Option(help="Only this game. Default: all."), check_game] = None,
    as_json: Json = False,
) -> None:
    """Fold the views anew from the logs, mend what is missing, and take parked games up again.

    A view that differs from its log is reported, never replaced. Exit code 1 when one does.
    """
    async with deployment_of(settings) as (redis, deployment):
        place = (settings.namespace, deployment.partitions)
        progress = None if as_json else _tell_rebuilt
        try:
            report = await rebuild_views(redis, *place, game, progress)
        except LookupError as missing:
            raise Problem(
                f"The game {game} cannot be rebuilt", str(missing.args[0]), "See `fairdeal games`"
            ) from None
        taken_up = await _unpark(redis, deployment, game)
    if as_json:
        say_json({"sound": report.sound, "games": report.games, "unparked": taken_up})
    else:
        _tell_rebuild(report, taken_up)
    if not report.sound:
        raise typer.Exit(Exit.NO)


async def _unpark(redis: Any, deployment: Deployment, game: str | None) -> list[str]:
    """Let the other projections take up what they have parked: they fold from the log by themselves."""
    place = (deployment.namespace, deployment.partitions)
    parked = [
        (role, name.decode())
        for role in DOORBELL_ROLES
        if role != "views"  # the rebuild itself has seen to these
        for number in range(deployment.partitions)
        for name in await redis.hkeys(Keys(deployment.namespace, number).parked(role))
    ]
    wanted = [(role, name) for role, name in sorted(parked) if game in (None, name)]
    return [name for role, name in wanted if await unpark(redis, *place, role, name)]


def _tell_rebuilt(rebuilt: Rebuilt) -> None:
    if rebuilt.outcome != "same":
        say(
            f"{rebuilt.game}  version {rebuilt.version}  {rebuilt.outcome}"
            + (f": {rebuilt.error}" if rebuilt.error else "")
        )


def _tell_rebuild(report: Report, taken_up: list[str]) -> None:
    counts = {rebuilt.outcome: report.count(rebuilt.outcome) for rebuilt in report.games}
    say(
        f"{counted(len(report.games), 'game')}: "
        + (", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "none")
    )
    if taken_up:
        say(f"Taken up again in the directory: {', '.join(taken_up)}")


# Dead letters


class Letter(msgspec.Struct, frozen=True):
    """A dead letter: where it is, why it died, and what it was."""

    id: str
    entry: str
    reason: str
    incident: str
    error: str
    body: str
    cut: bool
    """Whether the body was too long to be kept whole."""


async def _letters(redis: Any, keys: Keys) -> list[Letter]:
    found: list[Letter] = []
    start = "-"
    while page := await redis.xrange(keys.dead, start, "+", count=_PAGE):
        found += (_letter(keys.partition, entry, fields) for entry, fields in page)
        start = f"({page[-1][0].decode()}"
    return found


def _letter(partition: int, entry: bytes, fields: dict[bytes, bytes]) -> Letter:
    text = {name.decode(errors="replace"): value.decode(errors="replace") for name, value in fields.items()}
    return Letter(
        id=f"{partition}/{entry.decode()}",
        entry=text.get("entry", ""),
        reason=text.get("reason", ""),
        incident=text.get("incident", ""),
        error=text.get("error", ""),
        body=text.get(BODY, ""),
        cut="cut_from_bytes" in text,
    )


async def _all_letters(redis: Any, deployment: Deployment) -> list[Letter]:
    return [
        letter
        for number in range(deployment.partitions)
        for letter in await _letters(redis, Keys(deployment.namespace, number))
    ]


async def _chosen(
    redis: Any, deployment: Deployment, ids: list[str] | None, everything: bool
) -> list[Letter]:
    """The letters that are meant. Raises `Problem` for one that is not there, and when none was named."""
    letters = {letter.id: letter for letter in await _all_letters(redis, deployment)}
    if everything:
        return list(letters.values())
    if not ids:
        raise Problem("No letter was named", "", "Name some as `fairdeal dead list` shows them, or say --all")
    unknown = [id for id in ids if id not in letters]
    if unknown:
        raise Problem(f"There is no dead letter {unknown[0]}", "", "See `fairdeal dead list`")
    return [letters[id] for id in ids]


async def list_letters(settings: Settings, *, as_json: Json = False) -> None:
    """List the dead letters, the oldest of each partition first."""
    async with deployment_of(settings) as (redis, deployment):
        letters = await _all_letters(redis, deployment)
    if as_json:
        say_json(letters)
        return
    if not letters:
        say("No dead letters.")
        return
    table = grid("letter", "reason", "incident", "error")
    for letter in letters:
        table.add_row(letter.id, letter.reason, letter.incident, Text(letter.error))
    say(table, "Next: fairdeal dead inspect LETTER")


async def inspect(
    letter: Annotated[str, typer.Argument(help="A letter of `dead list`.")],
    settings: Settings,
    *,
    as_json: Json = False,
) -> None:
    """Show one dead letter whole."""
    async with deployment_of(settings) as (redis, deployment):
        (found,) = await _chosen(redis, deployment, [letter], everything=False)
    if as_json:
        say_json(found)
        return
    table = grid()
    for name, value in msgspec.structs.asdict(found).items():
        table.add_row(name, Text(_pretty(str(value)) if name == "body" else str(value)))
    say(table)


def _pretty(body: str) -> str:
    try:
        return msgspec.json.format(body, indent=2)
    except msgspec.DecodeError:
        return body


async def replay(
    settings: Settings, letters: Letters = None, *, everything: All = False, as_json: Json = False
) -> None:
    """Send letters' commands again, once their cause is mended, under new ids: the old ones have their receipt.

    A letter that was answered is removed; one that fails again comes back as a new letter. Exit code 1
    unless all are accepted.
    """
    outcomes = []
    async with deployment_of(settings) as (redis, deployment):
        for letter in await _chosen(redis, deployment, letters, everything):
            outcomes.append((letter, await _send_again(letter, settings)))
            await _remove(redis, deployment, [letter])
    if as_json:
        say_json([{"letter": letter.id, "receipt": receipt} for letter, receipt in outcomes])
    else:
        for letter, receipt in outcomes:
            why = f": {receipt.code}, {receipt.message}" if receipt.code else ""
            say(f"{letter.id}  {receipt.game}  {receipt.status} as {receipt.command}{why}")
    if any(receipt.status != "accepted" for _, receipt in outcomes):
        raise typer.Exit(Exit.NO)


async def _send_again(letter: Letter, settings: Settings) -> Receipt:
    command = _command_in(letter)
    given: dict[str, Any] = {
        "expect": command.expect,
        "command_id": f"again-{letter.entry}-{secrets.token_hex(3)}",
    }
    async with client_of(settings) as client:
        try:
            if command.seat is None:
                return await client.host(command.game, command.action, **given)
            return await client.act(command.game, command.seat, command.action, **given)
        except Rejected as rejected:
            if rejected.receipt is None:
                raise Problem(f"The letter {letter.id} was not answered", reason(rejected)) from None
            return rejected.receipt
        except CommandFailed as failed:
            return failed.receipt


def _command_in(letter: Letter) -> Command:
    """The command of a letter. Raises `Problem` for one that never was a command."""
    try:
        if letter.cut:
            raise Malformed("too_large", "$", "it was too long to be kept whole")
        return decode_command(letter.body.encode())
    except Malformed as malformed:
        raise Problem(
            f"The letter {letter.id} cannot be sent again",
            f"it holds no whole command: {malformed.message}",
            "Its sender must mend it. Remove the letter with `fairdeal dead purge`",
        ) from None


async def purge(
    settings: Settings,
    letters: Letters = None,
    *,
    everything: All = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove letters for good."""
    async with deployment_of(settings) as (redis, deployment):
        chosen = await _chosen(redis, deployment, letters, everything)
        if chosen and not yes:
            typer.confirm(f"Remove {counted(len(chosen), 'dead letter')} for good?", abort=True)
        await _remove(redis, deployment, chosen)
    say(f"Removed {len(chosen)}.")


async def _remove(redis: Any, deployment: Deployment, letters: list[Letter]) -> None:
    for letter in letters:
        partition, _, entry = letter.id.partition("/")
        await redis.xdel(Keys(deployment.namespace, int(partition)).dead, entry)
