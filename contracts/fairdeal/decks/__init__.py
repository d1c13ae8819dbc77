"""The house decks: what is printed on a ruleset's cards and tokens, and how many there are of each.

A deployment's own decks are in `own`.
"""

import tomllib
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

D = TypeVar("D", bound=msgspec.Struct)


def read_deck(name: str, kind: type[D]) -> D:
    """The deck `<name>.toml` beside this module as a record; a table of it that `kind` does not name is left out.

    Raises FileNotFoundError for a name without a deck, msgspec.ValidationError with the path of a wrong entry.
    """
    return msgspec.convert(read_tables(name), kind)


def read_tables(name: str) -> dict[str, Any]:
    """The deck `<name>.toml` beside this module as it stands. Raises FileNotFoundError."""
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
