"""The rulesets that this release knows. Adding a game adds its name here, and three files of that name."""

from importlib import import_module
from types import ModuleType
from typing import Final

RULESETS: Final[tuple[str, ...]] = (
    "perudo",
    "kuhhandel",
    "demoludy",
    "real_or_fake",
    "perekupai",
    "pan_tu_nie_stal",
)


def game_module(ruleset: str) -> ModuleType:
    """The contract of a ruleset, `fairdeal.games.<ruleset>`. Raises KeyError for a name not listed."""
    if ruleset not in RULESETS:
        raise KeyError(ruleset)
    return import_module(f"fairdeal.games.{ruleset}")
