"""What can go wrong at the client, each error with what happened, why, and what to do next.

A command that was understood and refused is `fairdeal.Rejected`, as on the local table; its `receipt` is the
whole answer.
"""

from fairdeal.receipt import Receipt


class ClientError(Exception):
    """The base of all errors below."""


class NoReceipt(ClientError, TimeoutError):
    """No receipt came in time. The command may still take effect: send it again with the same id to learn.

    `command` is that id, `game` the game.
    """

    def __init__(self, command: str, game: str, timeout: float, standing: str) -> None:
        super().__init__(
            f"Waited {timeout:g} s for the receipt of command {command!r} to game {game!r}: {standing}. "
            f"Sending it again with command_id={command!r} is safe: it takes effect once, however often it is sent"
        )
        self.command = command
        self.game = game


class CommandFailed(ClientError):
    """The service failed at a command; the game is unchanged. `receipt.incident` names the dead letter."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__(
            f"The service failed at command {receipt.command!r} to game {receipt.game!r}, which is unchanged: "
            f"{receipt.message or receipt.code}. Its operator finds the reason on the dead-letter stream under "
            f"incident {receipt.incident}"
        )
        self.receipt = receipt


class Busy(ClientError):
    """Redis is full and takes no command now. Nothing was sent; try again later, with the same id."""


class Unreachable(ClientError, ConnectionError):
    """Redis cannot be reached, or the connection broke before it answered."""


class NoDeployment(ClientError, LookupError):
    """No worker has created this deployment yet."""


class WrongPartitions(ClientError, ValueError):
    """This client was told another number of partitions than the deployment has."""


class UnknownGame(ClientError, LookupError):
    """There is no such game here."""

    def __init__(self, game: str) -> None:
        super().__init__(
            f"There is no game {game!r} in this deployment: it was not created, or it has moved to the archive"
        )
        self.game = game


class ViewBehind(ClientError, TimeoutError):
    """The view did not reach the version asked for in time."""

    def __init__(self, game: str, at_least: int, version: int, timeout: float) -> None:
        stands = f"it stood at version {version}" if version else "there was none"
        super().__init__(
            f"Waited {timeout:g} s for the view of game {game!r} at version {at_least}: {stands}. Views follow "
            "commits: check that a views worker runs, and its lag"
        )
        self.game = game
        self.version = version


class NoReplays(ClientError):
    """The replay code is not installed beside this client."""


class ClientClosed(ClientError):
    """The client was closed while, or before, this was asked of it."""

    def __init__(self) -> None:
        super().__init__("The client is closed: open a new one")
