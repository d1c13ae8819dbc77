"""A person at the terminal at a table of the service, beside whoever else sits there."""

import asyncio
import threading

from rich.text import Text

from fairdeal import Client
from fairdeal.action import Action
from fairdeal.game import Resign
from fairdeal.receipt import Rejected
from fairdeal_cli.console import say
from fairdeal_cli.drawing import AnyView, Drawing, draw_all, drawing_for
from fairdeal_cli.playing import Ask, EndOfInput, Leave, Pass, ask_person
from fairdeal_cli.problems import Problem, reason
from fairdeal_cli.story import tell_frame


async def play_online(client: Client, game: str, seat: int, ask: Ask) -> None:
    """Play a seat of a game to the end. Raises `Leave` when the person goes, and what `Client` raises."""
    told = 0
    try:
        async for view in client.watch(game, seat):
            async for frame in client.replay(game, seat, told + 1, view.version):
                tell_frame(frame, seat)
            told = view.version
            drawing = drawing_for(view.ruleset)
            if drawing.asks(view):
                await _move(client, view, drawing, ask)
    except EndOfInput:
        back = f"fairdeal play --online {game} --seat {seat}"
        raise Leave(f"Seat {seat} stays yours in the game; to come back to it: {back}") from None
    except IndexError as error:
        raise Problem(str(error), "", "Name your seat with --seat; they are counted from 0") from None


async def _move(client: Client, view: AnyView, drawing: Drawing, ask: Ask) -> None:
    """Ask until a move is accepted, the game has moved on, or the person passes."""
    assert view.seat is not None
    say("", draw_all(drawing, view))
    while True:
        try:
            action = await _ask(view, drawing, ask)
            await client.act(view.game, view.seat, action, expect=view.version)
        except Pass:
            return
        except Rejected as rejected:
            if rejected.code in ("stale", "finished", "too_late"):
                say(Text("The game has moved on meanwhile.", "yellow"))
                return
            say(Text(f"Not allowed: {reason(rejected)}", "yellow"))
        else:
            if isinstance(action, Resign):
                say("You resign.")
                raise Leave
            return


async def _ask(view: AnyView, drawing: Drawing, ask: Ask) -> Action:
    """Ask in a thread: a person may think for long, and Ctrl-C need not wait for the line to end."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Action] = loop.create_future()

    def settle(action: Action | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        elif action is not None:
            answer.set_result(action)

    def wait() -> None:
        try:
            action = ask_person(view, drawing, ask)
        except (EndOfInput, Pass) as error:
            loop.call_soon_threadsafe(settle, None, error)
        else:
            loop.call_soon_threadsafe(settle, action, None)

    threading.Thread(target=wait, daemon=True).start()
    return await answer
