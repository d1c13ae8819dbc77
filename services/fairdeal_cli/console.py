"""Where words go: tables for people on stdout, JSON for programs, problems on stderr."""

import sys
from typing import Any

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from fairdeal_cli.problems import Problem

_PIPED_WIDTH = 140


def console(*, stderr: bool = False) -> Console:
    """A console on today's stdout or stderr; wide enough to keep lines whole when it is no terminal."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, highlight=False, width=None if stream.isatty() else _PIPED_WIDTH)


def say(*what: RenderableType) -> None:
    """Print for people. A plain string is printed as it is: no markup, so that no player's name is any."""
    out = console()
    for part in what:
        out.print(Text(part) if isinstance(part, str) else part, soft_wrap=isinstance(part, str | Text))


def say_json(value: Any) -> None:
    """Print one JSON document, indented."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def say_json_line(value: Any) -> None:
    """Print one JSON document on one line, at once: for what goes on and on."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def grid(*columns: str) -> Table:
    """A table with these headings, or without any."""
    table = Table(show_header=bool(columns), header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def counted(number: int, one: str, several: str = "") -> str:
    """`1 die`, `2 dice`; several are called by the plain plural unless they are named."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def complain(problem: Problem, *, as_json: bool) -> None:
    """Tell a problem on stderr: what happened, why, and what to do next."""
    if as_json:
        parts = {"what": problem.what, "why": problem.why, "next": problem.then}
        told = {name: part for name, part in parts.items() if part}
        sys.stderr.write(msgspec.json.encode({"error": told}).decode() + "\n")
        return
    err = console(stderr=True)
    err.print(Text.assemble(("error  ", "bold red"), (problem.what, "bold")), soft_wrap=True)
    if problem.why:
        err.print(Text(f"why    {problem.why}"), soft_wrap=True)
    if problem.then:
        err.print(Text(f"next   {problem.then}"), soft_wrap=True)
