"""The receipt: the lasting answer to one command id, which is also the reply."""

from typing import Any, Literal

import msgspec

Status = Literal["accepted", "rejected", "invalid", "failed"]


class Receipt(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lasting answer to one command.

    `rejected`: understood, not allowed now. `invalid`: not understood. `failed`: our fault; the command is on
    the dead-letter stream and the game is unchanged. `details` says only what the sender's own view says.
    """

    command: str
    game: str
    status: Status
    version: int | None = None
    code: str | None = None
    path: str | None = None
    message: str | None = None
    details: dict[str, Any] | None = None
    incident: str | None = None


class Rejected(Exception):
    """A command that was understood and is not allowed now.

    `code` is one of the ruleset's or the common codes, `details` only what the sender's own view says too.
    """

    receipt: Receipt | None = None
    """The service's whole answer, where there is one."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details
