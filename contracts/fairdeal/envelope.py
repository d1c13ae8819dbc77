"""The command: an action in its envelope, and the union of all actions."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, Union

import msgspec

from fairdeal import clock, game
from fairdeal.action import Action
from fairdeal.games import RULESETS, game_module
from fairdeal.tagged import module_records, tag_of
from fairdeal.wire import COMMAND_ID, GAME_ID

ACTIONS: dict[str, type[Action]] = {
    tag_of(record): record  # type: ignore[misc]
    for module in (game, clock, *map(game_module, RULESETS))
    for record in module_records(module.__name__, vars(sys.modules[module.__name__]), Action)
}
"""Every action by its `type`."""

if TYPE_CHECKING:
    AnyAction = Action
else:
    AnyAction = Union[tuple(ACTIONS.values())]  # noqa: UP007

GameId = Annotated[str, msgspec.Meta(pattern=GAME_ID, description="A game's id")]
CommandId = Annotated[str, msgspec.Meta(pattern=COMMAND_ID, description="The idempotency key")]
ClientName = Annotated[str, msgspec.Meta(pattern=GAME_ID, description="Where the receipt is wanted")]


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action in its envelope.

    `seat` is left out for the host's own actions. `expect` is the version that the sender saw; if the game
    has moved on the command is rejected as `stale`. `reply_to` names the client whose replies stream gets
    the receipt.
    """

    id: CommandId
    game: GameId
    action: AnyAction
    seat: Annotated[int, msgspec.Meta(ge=0)] | None = None
    expect: Annotated[int, msgspec.Meta(ge=0)] | None = None
    reply_to: ClientName | None = None


def action_from(value: Action | dict[str, Any]) -> Action:
    """An action given as a record or as a plain dict. Raises msgspec.ValidationError with the path."""
    if isinstance(value, Action):
        return value
    return msgspec.convert(value, AnyAction)
