"""`fairdeal new`, `act`, `view` and `watch`: a game of a deployment, from the terminal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

import msgspec
import typer

from fairdeal import Client
from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.receipt import Receipt, Rejected
from fairdeal_bots import UnknownBot, bot_for, is_bot
from fairdeal_cli.bots import told_apart
from fairdeal_cli.choosing import Options, Ruleset
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import say, say_json, say_json_line
from fairdeal_cli.drawing import draw_all, drawing_for
from fairdeal_cli.ids import check_command, check_game
from fairdeal_cli.problems import NO_GAME, Exit, Problem, reason
from fairdeal_cli.story import live_frames, parse_viewer, tell_frame
from fairdeal_cli.typed import NoSuchAction, Unclear, read_options, read_words
from fairdeal_worker.settings import Settings

Game = Annotated[str, typer.Argument(help="The game's id."), check_game]
_THEN: Final = {
    "unknown_game": NO_GAME,
    "unknown_ruleset": "See `fairdeal rulesets`",
    "bad_options": "See what the options take: `fairdeal rulesets NAME`",
}
"""What to do next about a rejection."""
As = Annotated[str, typer.Option("--as", metavar="VIEWER", help="Whose eyes: seat:0, seat:1 … or table.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "new", panel="Play")(new)
    command(app, "act", panel="Play")(act)
    command(app, "view", panel="Play")(view)
    command(app, "watch", panel="Play")(watch)


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[Client]:
    """A client of the deployment that the settings name."""
    async with Client(settings.redis_url, namespace=settings.namespace) as client:
        yield client


async def new(
    ruleset: Ruleset,
    settings: Settings,
    *,
    players: Annotated[str, typer.Option(help="Who sits at the table, in seat order: `ann,bob,bot:random`.")],
    option: Options = None,
    clock: Annotated[int | None, typer.Option(help="Milliseconds a turn.", min=100)] = None,
    game: Annotated[str | None, typer.Option(help="The game's id. Default: made up."), check_game] = None,
    as_json: Json = False,
) -> None:
    """Create a game and deal it."""
    seats = told_apart([name.strip() for name in players.split(",") if name.strip()])
    try:
        options = read_options(option or [], ruleset)
    except Unclear as unclear:
        raise Problem("An option cannot be read", str(unclear), "Write --option name=value") from None
    for player in filter(is_bot, seats):
        try:
            bot_for(ruleset, player)
        except UnknownBot as unknown:
            raise Problem("Nobody would play that seat", str(unknown), "Name one of those") from None
    async with client_of(settings) as client:
        receipt = await _answer(client.create(ruleset, seats, options, clock, game=game), as_json=as_json)
    say(
        f"{receipt.game}  {ruleset} for {', '.join(f'{seat} {name}' for seat, name in enumerate(seats))}",
        f"Next: fairdeal view {receipt.game} --as seat:0, fairdeal watch {receipt.game}",
    )


async def act(
    game: Game,
    seat: Annotated[
        str, typer.Argument(help="The seat, 0 or seat:0 for the first, or `host` for the host's own actions.")
    ],
    action: Annotated[
        list[str], typer.Argument(help="`perudo.bid quantity=3 face=5`, or JSON: `'{\"type\": …}'`.")
    ],
    settings: Settings,
    *,
    expect: Annotated[int | None, typer.Option(help="Only if the game is still at this version.")] = None,
    command_id: Annotated[
        str | None,
        typer.Option("--id", help="The command's id: sent twice, it takes effect once."),
        check_command,
    ] = None,
    as_json: Json = False,
) -> None:
    """Play an action and print its receipt. Exit code 1 when it is not accepted."""
    number = seat.removeprefix("seat:")
    if seat != "host" and not number.isdecimal():
        raise Problem(f"{seat!r} is no seat", "", "Give the seat, 0 or seat:0 for the first, or `host`")
    given: dict[str, Any] = {"expect": expect, "command_id": command_id}
    async with client_of(settings) as client:
        what = await _action(client, game, action)
        sent = (
            client.host(game, what, **given)
            if seat == "host"
            else client.act(game, int(number), what, **given)
        )
        receipt = await _answer(sent, as_json=as_json)
    say(f"accepted: {receipt.game} is at version {receipt.version}")


async def _action(client: Client, game: str, words: list[str]) -> Action:
    """The action that was typed; the game is asked for its ruleset when the name alone does not say which."""
    try:
        try:
            return read_words(words)
        except NoSuchAction:
            ruleset = (await client.view(game)).ruleset.partition("@")[0]
            return read_words(words, ruleset)
    except Unclear as unclear:
        raise Problem("That is no action", str(unclear), "Write TYPE FIELD=VALUE …, or JSON") from None


async def _answer(sent: Any, *, as_json: bool) -> Receipt:
    """The receipt of an accepted command. Ends the command with the receipt printed as JSON, or with code 1."""
    try:
        receipt: Receipt = await sent
    except Rejected as rejected:
        if as_json and rejected.receipt is not None:
            say_json(rejected.receipt)
            raise typer.Exit(Exit.NO) from None
        then = _THEN.get(rejected.code, "")
        raise Problem(f"Not accepted: {rejected.code}", reason(rejected), then, Exit.NO) from None
    if as_json:
        say_json(receipt)
        raise typer.Exit
    return receipt


async def view(
    game: Game,
    settings: Settings,
    *,
    viewer: As = "table",
    at_least: Annotated[
        int, typer.Option(help="Wait until the view is at this version: views follow commits.", min=1)
    ] = 1,
    as_json: Json = False,
) -> None:
    """Show what a seat, or the table, sees now."""
    eyes = _eyes(viewer)
    async with client_of(settings) as client:
        try:
            seen = await client.view(game, eyes, at_least=at_least)
        except IndexError as error:
            raise Problem(str(error), "", "Seats are counted from 0") from None
    if as_json:
        say_json(msgspec.Raw(encode_json(seen)))
    else:
        say(draw_all(drawing_for(seen.ruleset), seen))


async def watch(game: Game, settings: Settings, *, viewer: As = "table", as_json: Json = False) -> None:
    """Follow a game as it is played, until it is over: sentences, or with --json each view on a line."""
    eyes = _eyes(viewer)
    async with client_of(settings) as client:
        try:
            if as_json:
                async for seen in client.watch(game, eyes):
                    say_json_line(seen)
                return
            async for frame in live_frames(client, game, eyes):
                tell_frame(frame, eyes)
        except IndexError as error:
            raise Problem(str(error), "", "Seats are counted from 0") from None


def _eyes(text: str) -> Any:
    viewer = parse_viewer(text)
    if viewer == "audit":
        raise Problem("`audit` has no view", "its secrets are in the log", "Use fairdeal replay --as audit")
    return viewer
