"""What a person is told when something cannot be done: what happened, why, and what to do next."""

from enum import IntEnum
from typing import Final

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
    """Why a command was rejected, in one line, with what the rejection says besides."""
    details = dict(rejected.details)
    path = details.pop("path", None)
    where = f" at {path}" if path else ""
    besides = f" ({msgspec.json.encode(details).decode()})" if details else ""
    return f"{rejected.message}{where}{besides}"
