"""What happened in a game, told in sentences as one viewer may know it."""

from collections.abc import AsyncIterator, Iterable, Sequence

from rich.text import Text

from fairdeal import Client
from fairdeal.view import Frame
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_cli.bots import names_of
from fairdeal_cli.console import say
from fairdeal_cli.drawing import Drawing, drawing_for
from fairdeal_cli.problems import Problem


def parse_viewer(text: str) -> Viewer:
    """`seat:2` or `2`, `table`, `audit`. Raises `Problem`."""
    if text == "table":
        return "table"
    if text == "audit":
        return "audit"
    number = text.removeprefix("seat:")
    if not number.isdigit():
        raise Problem(f"There is no viewer {text!r}", "", "Say seat:0, seat:1 … or table")
    return int(number)


def sentences(events: Iterable[Event], viewer: Viewer, drawing: Drawing, names: Sequence[str]) -> list[Text]:
    """The events that are worth a word, as this viewer may know them. `names`: the players by seat."""
    told = (drawing.tell(redact(event, viewer), names) for event in events)
    return [sentence for sentence in told if sentence is not None]


def tell_frame(frame: Frame, viewer: Viewer) -> None:
    """Print what one commit brought."""
    drawing = drawing_for(frame.view.ruleset)
    told = sentences(frame.events, viewer, drawing, names_of(frame.view.table.players))
    for place, sentence in enumerate(told):
        say(Text(f"{frame.version:>4}  " if place == 0 else "      ", "dim").append_text(sentence))


async def live_frames(client: Client, game: str, viewer: Viewer, after: int = 0) -> AsyncIterator[Frame]:
    """The frames after version `after`, those to come as well, until the game is over.

    Raises what `Client.watch` and `Client.replay` raise.
    """
    eyes = "table" if viewer == "audit" else viewer
    async for view in client.watch(game, eyes, after):
        async for frame in client.replay(game, viewer, after + 1, view.version):
            yield frame
        after = view.version
