"""fairdeal: the language of the service, and the client.

    from fairdeal import Client, Rejected
    from fairdeal.games import perudo

The names below are imported when they are first asked for: whoever needs only the records of a game pays
for nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairdeal.client import (
        Busy,
        Client,
        ClientClosed,
        ClientError,
        CommandFailed,
        NoDeployment,
        NoReceipt,
        NoReplays,
        SyncClient,
        UnknownGame,
        Unreachable,
        ViewBehind,
        WrongPartitions,
    )
    from fairdeal.connect import BadAddress
    from fairdeal.receipt import Receipt, Rejected

__all__ = [
    "BadAddress",
    "Busy",
    "Client",
    "ClientClosed",
    "ClientError",
    "CommandFailed",
    "NoDeployment",
    "NoReceipt",
    "NoReplays",
    "Receipt",
    "Rejected",
    "SyncClient",
    "UnknownGame",
    "Unreachable",
    "ViewBehind",
    "WrongPartitions",
]

_HOMES = {"BadAddress": "connect", "Receipt": "receipt", "Rejected": "receipt"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        value = getattr(import_module(f"fairdeal.{_HOMES.get(name, 'client')}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
