"""What a bot is: a view in, an action out. It sits at the table like anybody else."""

from random import Random
from typing import Any, Protocol

from fairdeal.action import Action
from fairdeal.game import Ready
from fairdeal.view import View
from fairdeal.wire import is_command_id

AnyView = View[Any, Any]


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, view: AnyView, random: Random) -> Action | None:
        """An action that an offer of this view admits, or None to let others move.

        `view` is of the bot's own seat and has offers; the bot knows nothing else. `random` is the same
        for the same game, seat and version, so that two workers choose alike.
        """
        ...


class NotOffered(Exception):
    """A bot chose what its view does not offer: a fault of the bot."""


def move_of(bot: Bot, view: AnyView) -> Action | None:
    """What the bot does now: its choice, or to say that it is there while the game waits for its seats.

    Raises `NotOffered`, and whatever the bot does.
    """
    if not view.offers:
        return None
    if view.offer(Ready) is not None:
        return Ready()
    action = bot.choose(view, Random(f"{view.game}|{view.seat}|{view.version}"))  # noqa: S311
    if action is not None and not view.admits(action):
        raise NotOffered(f"{action!r} is none of the offers {view.offers!r}")
    return action


def command_id(seat: int, version: int) -> str:
    """The id of a bot's command for one version: doubled work has one effect."""
    id = f"bot-{seat}-{version}"
    assert is_command_id(id)
    return id


class RandomBot:
    """Any offer, each as likely as the others, and of it what `Offer.sample` gives; never out of turn."""

    def choose(self, view: AnyView, random: Random) -> Action | None:
        if view.seat not in view.to_act:
            return None
        action: Action = random.choice(view.offers).sample(random)
        return action
