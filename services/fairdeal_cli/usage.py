"""Wrong usage told as every other problem when JSON is asked for; for people Typer tells it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from fairdeal_cli.console import complain
from fairdeal_cli.problems import Exit, Problem

_UsageError: Final[Any] = typer.BadParameter.__base__  # Typer has this name in no module of its own
_WORDS: Final = "fairdeal_cli.words"


class Commands(TyperGroup):
    """The outermost group of commands; what is wrong with an inner one's arguments comes by here too."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        words = tuple(args)  # parsing eats them
        with _told_as_json(words):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta[_WORDS] = words
        return context

    def invoke(self, ctx: Any) -> Any:
        with _told_as_json(ctx.meta[_WORDS]):
            return super().invoke(ctx)


@contextmanager
def _told_as_json(words: Sequence[str]) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if "--json" not in words:
            raise
        command = error.ctx.command_path if error.ctx else "fairdeal"
        what = error.format_message().rstrip(".")
        complain(Problem(what, "", f"See `{command} --help`"), as_json=True)
        raise typer.Exit(Exit.COULD_NOT) from None
