"""What a person is told when something cannot be done: what happened, why, and what to do next."""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final

import msgspec

from fairdeal.receipt import Rejected

NO_GAME: Final = "See `fairdeal games`; `fairdeal replay` tells an archived one"
"""What to do next when a game is not there."""
NO_DEPLOYMENT: Final = "Start one with `fairdeal up`, or name another with --namespace or --redis-url"
NO_REDIS: Final = "Start everything with `fairdeal up`, Redis alone with `fairdeal redis`, or use --redis-url"


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    NO = 1
    """It ran and the answer is no: findings, a rejected command, something is wrong with the deployment."""
    COULD_NOT = 2
    """It could not run: bad usage, no Redis, no such game."""
    INTERRUPTED = 130


class Problem(Exception):
    """An error that reaches a person, with the exit code that a program gets."""

    def __init__(self, what: str, why: str = "", then: str = "", code: Exit = Exit.COULD_NOT) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.then = then
        """What to do next."""
        self.code = code


def reason(rejected: Rejected) -> str:
    """Why a command was rejected, in one line, with what its details say besides the message."""
    details = dict(rejected.details)
    path = details.pop("path", None)
    where = f" at {path}" if path else ""
    said = set(re.findall(r"\w+", rejected.message))
    news = [
        f"{name.replace('_', ' ')} {_told(value)}"
        for name, value in details.items()
        if not said.issuperset(_values(value))
    ]
    besides = f" ({', '.join(news)})" if news else ""
    return f"{rejected.message}{where}{besides}"


def _values(detail: Any) -> Iterator[str]:
    """All numbers and texts in a detail, without the names they have there."""
    if isinstance(detail, dict | list | tuple):
        for part in detail.values() if isinstance(detail, dict) else detail:
            yield from _values(part)
    else:
        yield _told(detail)


def _told(detail: Any) -> str:
    """A detail as it is read out: `quantity 3 face 5`, `1 2 3`."""
    if isinstance(detail, dict):
        return " ".join(f"{name} {_told(value)}" for name, value in detail.items())
    if isinstance(detail, list | tuple):
        return " ".join(map(_told, detail))
    return detail if isinstance(detail, str) else msgspec.json.encode(detail).decode()
