"""`fairdeal bench`: how fast this machine plays, each layer alone and all together."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

RATE: Final = 1000
"""Commands a second while latency is measured."""

Figures = dict[str, dict[str, Any]]
"""What was measured of each layer."""


class What(StrEnum):
    """What to measure."""

    ALL = "all"
    PIPELINE = "pipeline"
    COMMIT = "commit"
    RULES = "rules"
    VIEWS = "views"
    AUDIT = "audit"
    GATEWAY = "gateway"
    """Many watchers; apart from all, because it takes thousands of open files."""


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value of sorted ones below which so great a share of them lies; 0 when there are none."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
