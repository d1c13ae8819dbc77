"""What ids may be typed. A parameter is checked before its command runs: `Annotated[str, …, check_game]`."""

from collections.abc import Callable
from typing import Any, Final, get_args

from fairdeal.wire import is_command_id, is_game_id
from fairdeal_cli.problems import Problem


def check_game(game: str) -> None:
    """Raise `Problem` for what no game can be called."""
    if not is_game_id(game):
        raise Problem(
            f"{game!r} is no game's id",
            "1 to 64 of A-Z a-z 0-9 _ - are one",
            "`fairdeal games` lists the games",
        )


def check_command(command: str) -> None:
    """Raise `Problem` for what no command can be called."""
    if not is_command_id(command):
        raise Problem(
            f"{command!r} is no command's id",
            "1 to 64 printable ASCII characters are one",
            "Give another --id, or none: then one is made up",
        )


_CHECKS: Final = (check_game, check_command)


def checks_in(hint: Any) -> list[Callable[[str], None]]:
    """The checks that a parameter's annotation names."""
    return [check for check in _CHECKS if check in get_args(hint)[1:]]
