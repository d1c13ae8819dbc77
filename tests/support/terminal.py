"""What a person at the terminal sees and is told."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from rich.console import Console

from fairdeal.visibility import Event, Viewer
from fairdeal_cli.drawing import Drawing, draw_all
from fairdeal_cli.story import sentences


class Shown(Protocol):
    """A table, or a scenario."""

    def view(self, viewer: Viewer) -> Any: ...


def drawn(drawing: Drawing, shown: Shown, viewer: Viewer, width: int = 200) -> str:
    """The table as it is printed."""
    console = Console(width=width)
    with console.capture() as capture:
        console.print(draw_all(drawing, shown.view(viewer)))
    return capture.get()


def told(drawing: Drawing, events: Iterable[Event], viewer: Viewer, names: Sequence[str]) -> list[str]:
    """The events in words, as far as they are worth any."""
    return [str(sentence) for sentence in sentences(events, viewer, drawing, names)]
