"""The commit: one accepted command with the events that it caused; the unit of the log."""

import hashlib
import sys
from typing import TYPE_CHECKING, Final, Union

import msgspec

from fairdeal import clock, game
from fairdeal.envelope import Command
from fairdeal.games import RULESETS, game_module
from fairdeal.tagged import module_records, tag_of
from fairdeal.visibility import Event

EVENTS: dict[str, type[Event]] = {
    tag_of(record): record  # type: ignore[misc]
    for module in (game, clock, *map(game_module, RULESETS))
    for record in module_records(module.__name__, vars(sys.modules[module.__name__]), Event)
}
"""Every event by its `type`."""

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Union[tuple(EVENTS.values())]  # noqa: UP007


class Commit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One accepted command with its events.

    `entry` is the command's id on its stream; its milliseconds are the commit's time. `draws` is the
    half-open range of words of the dealer's stream that this commit used, left out when none.
    """

    game: str
    version: int
    entry: str
    command: Command
    events: tuple[AnyEvent, ...]
    draws: tuple[int, int] | None = None

    @property
    def at(self) -> int:
        """The commit's time in epoch milliseconds, as Redis stamped the command on arrival."""
        return entry_ms(self.entry)


GENESIS: Final = bytes(32)
"""What stands for the hash before version 1."""


def chain(previous: bytes, body: bytes) -> bytes:
    """The chain hash (32 bytes) of a commit with the JSON bytes `body`, after one whose hash is `previous`."""
    return hashlib.sha256(previous + body).digest()


def entry_ms(entry: str) -> int:
    """The milliseconds of a stream entry's id."""
    return int(entry.partition("-")[0])
