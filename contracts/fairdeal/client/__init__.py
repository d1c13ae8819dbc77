"""The client of a deployment: `Client`, `SyncClient`, and what can go wrong."""

from fairdeal.client.client import Client
from fairdeal.client.errors import (
    Busy,
    ClientClosed,
    ClientError,
    CommandFailed,
    NoDeployment,
    NoReceipt,
    NoReplays,
    UnknownGame,
    Unreachable,
    ViewBehind,
    WrongPartitions,
)
from fairdeal.client.sync import SyncClient

__all__ = [
    "Busy",
    "Client",
    "ClientClosed",
    "ClientError",
    "CommandFailed",
    "NoDeployment",
    "NoReceipt",
    "NoReplays",
    "SyncClient",
    "UnknownGame",
    "Unreachable",
    "ViewBehind",
    "WrongPartitions",
]
