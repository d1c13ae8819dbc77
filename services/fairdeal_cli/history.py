"""`fairdeal games`, `replay`, `export` and `audit`: what was played, where it is kept, whether it is sound."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from fairdeal.codec import decode_commit
from fairdeal.directory import MOST, BadCursor, Page, Status, Summary, list_games
from fairdeal_audit import AuditImpossible, Check, Report, audit_export, audit_game, read_export
from fairdeal_cli.choosing import complete_ruleset
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import counted, grid, say, say_json, say_json_line
from fairdeal_cli.deployment import deployment_of
from fairdeal_cli.drawing import listed
from fairdeal_cli.ids import check_game
from fairdeal_cli.online import Game
from fairdeal_cli.problems import Exit, Problem
from fairdeal_cli.story import parse_viewer, tell_frame
from fairdeal_replays import frames
from fairdeal_replays.export import archived_name, export_game
from fairdeal_worker.settings import Settings, bring_decks

Source = Annotated[
    str, typer.Argument(metavar="GAME|FILE", help="A game's id, or a file that `export` wrote.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "games", panel="Look back")(games)
    command(app, "replay", panel="Look back")(replay)
    command(app, "audit", panel="Look back")(audit)
    command(app, "export", panel="Look back")(export)


# Where a game is


def _file_of(source: str) -> Path | None:
    """The file that is meant; None for a game's id. Raises `Problem` for what is neither."""
    path = Path(source)
    if path.suffix or "/" in source or path.is_file():
        return path
    check_game(source)
    return None


async def _export_of(source: str, settings: Settings) -> bytes:
    """The export of a game in Redis or in the archive, or of a file. Raises `Problem`."""
    file = _file_of(source)
    if file is not None:
        return _read(file)
    async with deployment_of(settings) as (redis, deployment):
        try:
            return await export_game(redis, settings.namespace, deployment.partitions, source)
        except LookupError as missing:
            return _read(_archived(source, settings, deployment.partitions, str(missing.args[0])))


def _archived(game: str, settings: Settings, partitions: int, why: str) -> Path:
    """The archive's file of a game that is not in Redis. Raises `Problem`."""
    file = Path(settings.archive, archived_name(settings.namespace, partitions, game))
    if settings.archive and file.is_file():
        return file
    raise Problem(
        f"The game {game} cannot be read",
        why,
        "See `fairdeal games`; for one that is archived set FAIRDEAL_ARCHIVE to the archive's folder",
    )


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Problem(f"{file} cannot be read", error.strerror or str(error), "Name another file") from None


# The commands


async def games(
    settings: Settings,
    *,
    status: Annotated[Status | None, typer.Option(help="Only games in this state.")] = None,
    ruleset: Annotated[
        str | None, typer.Option(help="Only games of this ruleset.", autocompletion=complete_ruleset)
    ] = None,
    player: Annotated[str | None, typer.Option(help="Only games of this player.")] = None,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=MOST)] = 50,
    before: Annotated[str | None, typer.Option(help="Go on after a page: its `next`.")] = None,
    as_json: Json = False,
) -> None:
    """List games, the newest first."""
    async with deployment_of(settings) as (redis, deployment):
        place = (settings.namespace, deployment.partitions)
        try:
            page = await list_games(redis, *place, status, ruleset, player, limit, before)
        except BadCursor as error:
            raise Problem("There is no such page", str(error), "Leave out --before to begin anew") from None
    if as_json:
        say_json(page)
    else:
        _tell_games(page)


def _tell_games(page: Page) -> None:
    if not page.games:
        say("No games." if page.next is None else "None found so far.")
    else:
        table = grid("game", "ruleset", "status", "version", "players", "outcome")
        for summary in page.games:
            table.add_row(
                summary.game,
                summary.ruleset,
                summary.status + (" (archived)" if summary.archived else ""),
                str(summary.version),
                Text(", ".join(summary.players)),
                Text(_outcome(summary)),
            )
        say(table)
    if page.next is not None:
        say(f"More: --before {page.next}")


def _outcome(summary: Summary) -> str:
    if not summary.winners:
        return summary.reason or ""
    return f"won by {listed([summary.players[seat] for seat in summary.winners])}"


async def replay(
    source: Source,
    settings: Settings,
    *,
    viewer: Annotated[
        str,
        typer.Option("--as", metavar="VIEWER", help="Whose eyes: seat:0, seat:1 …, table, or audit for all."),
    ] = "table",
    as_json: Json = False,
) -> None:
    """Tell a game from its beginning as one viewer saw it; with --json each commit on a line."""
    eyes = parse_viewer(viewer)
    try:
        records = read_export(await _export_of(source, settings)).records
        steps = frames([decode_commit(record.body) for record in records], eyes)
        for frame in steps:
            if as_json:
                say_json_line(frame)
            else:
                tell_frame(frame, eyes)
    except AuditImpossible as error:
        raise Problem(
            f"{source} is no game", str(error), "Name a game, or a file that `fairdeal export` wrote"
        ) from None
    except (ValueError, KeyError) as error:
        raise Problem(
            "The replay cannot go on",
            str(error),
            "Name a seat of this game; if the log is broken: fairdeal audit",
        ) from None


async def export(
    game: Game,
    settings: Settings,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write. Default: stdout.")
    ] = None,
) -> None:
    """Write a game with all its commits and hashes to one file, which can be audited and replayed anywhere."""
    content = await _export_of(game, settings)
    if output is None:
        sys.stdout.buffer.write(content)
        return
    try:
        await asyncio.to_thread(output.write_bytes, content)
    except OSError as error:
        raise Problem(
            f"{output} cannot be written", error.strerror or str(error), "Name another file"
        ) from None
    say(f"{output}: {len(content)} bytes. Check it anywhere with: fairdeal audit {output}")


async def audit(source: Source, settings: Settings, *, as_json: Json = False) -> None:
    """Prove that a game was not altered, was dealt fairly and kept the rules.

    Exit code 0: clean, 1: it has findings, 2: it could not be audited.
    """
    bring_decks(settings)
    try:
        report = await _report(source, settings)
    except AuditImpossible as error:
        raise Problem(
            f"{source} cannot be audited", str(error), "Name a game, or a file that `fairdeal export` wrote"
        ) from None
    if as_json:
        say_json(report)
    else:
        tell_report(report)
    if not report.clean:
        raise typer.Exit(Exit.NO)


async def _report(source: str, settings: Settings) -> Report:
    file = _file_of(source)
    if file is not None:
        return audit_export(file)
    async with deployment_of(settings) as (redis, deployment):
        try:
            return await audit_game(redis, settings.namespace, deployment.partitions, source)
        except AuditImpossible as error:
            return audit_export(_archived(source, settings, deployment.partitions, str(error)))


_STYLES = {"ok": "green", "failed": "bold red", "skipped": "yellow"}


def _verdict(check: Check, report: Report) -> Text:
    """A check's verdict; without a revealed seed the draws are checked for their ranges alone."""
    if check.name == "draws" and check.verdict == "ok" and not report.finished:
        return Text("ok, ranges only", "yellow")
    return Text(check.verdict, _STYLES[check.verdict])


def tell_report(report: Report) -> None:
    """Print an audit's verdicts."""
    table = grid("check", "verdict", "version", "")
    for check in report.checks:
        version = "" if check.version is None else str(check.version)
        more = f" (and {check.faults - 1} more)" if check.faults > 1 else ""
        table.add_row(
            check.name,
            _verdict(check, report),
            version,
            Text(f"{check.message or ''}{more}"),
        )
    clean = "clean" if report.finished else "clean so far"
    verdict = Text(clean, "bold green") if report.clean else Text("not clean", "bold red")
    state = "finished" if report.finished else "not finished"
    what = f"{report.game}, {report.ruleset or 'of no readable ruleset'}, {counted(report.commits, 'commit')}, {state}"
    say(table, verdict.append(f": {what}, head {report.head[:16]}…", "not bold default"))
    if not report.finished:
        say(
            "That the dealing is fair is not proved until the game ends and reveals its seed: audit it again then."
        )
