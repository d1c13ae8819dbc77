"""Which bots there are: `bot:<name>` for each ruleset, and who of a game's players is one."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from fairdeal_bots.bot import Bot, RandomBot

PREFIX: Final = "bot:"
"""What a bot's player id begins with: `bot:odds`; what follows a second colon only tells players apart."""


class UnknownBot(LookupError):
    """A player id that begins with `bot:` and names no bot of this ruleset; the message says which there are."""


def is_bot(player: str) -> bool:
    """Whether a player id is a bot's, known or not."""
    return player.startswith(PREFIX)


@cache
def bots_of(ruleset: str) -> Mapping[str, Bot]:
    """The bots that play `perudo` (or `perudo@1`), by name: `random`, and those of `games/<ruleset>.py`."""
    name = ruleset.partition("@")[0]
    bots: dict[str, Bot] = {"random": RandomBot()}
    module = f"fairdeal_bots.games.{name}"
    if name.isidentifier() and find_spec(module) is not None:
        bots |= cast("dict[str, Bot]", import_module(module).BOTS)
    return bots


def bot_for(ruleset: str, player: str) -> Bot:
    """The bot that the player id `bot:odds` or `bot:odds:3` names. Raises `UnknownBot`."""
    bots = bots_of(ruleset)
    name = player.removeprefix(PREFIX).partition(":")[0]
    if not is_bot(player) or name not in bots:
        known = ", ".join(PREFIX + name for name in bots)
        raise UnknownBot(f"There is no bot {player!r} for {ruleset}; there are: {known}")
    return bots[name]
