"""Replays, the directory of all games, exports and the archive."""

from typing import TYPE_CHECKING, Any

from fairdeal_replays.frames import frames

if TYPE_CHECKING:
    from fairdeal_replays.handler import ROLE

__all__ = ["ROLE", "frames"]


def __getattr__(name: str) -> Any:
    # A client replays logs without being a worker: only who asks for the role gets the worker's parts too.
    if name == "ROLE":
        from fairdeal_replays.handler import ROLE

        return ROLE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
