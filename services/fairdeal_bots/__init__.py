"""Bots: players that are programs. They get a view and choose among its offers, like anybody else."""

from typing import TYPE_CHECKING, Any

from fairdeal_bots.bot import Bot, move_of
from fairdeal_bots.registry import UnknownBot, bot_for, bots_of, is_bot

if TYPE_CHECKING:
    from fairdeal_bots.handler import ROLE

__all__ = ["ROLE", "Bot", "UnknownBot", "bot_for", "bots_of", "is_bot", "move_of"]


def __getattr__(name: str) -> Any:
    # Who only wants a bot to play with, at the terminal say, gets no worker's parts.
    if name == "ROLE":
        from fairdeal_bots.handler import ROLE

        return ROLE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
