"""The views: what each player may see, folded from redacted events."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairdeal_views.handler import ROLE

__all__ = ["ROLE"]


def __getattr__(name: str) -> Any:
    # The local table folds without Redis: only who asks for the role gets the worker's parts too.
    if name == "ROLE":
        from fairdeal_views.handler import ROLE

        return ROLE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
