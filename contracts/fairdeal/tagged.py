"""Records that are told apart on the wire by a `type` made from where they are defined.

`fairdeal.games.perudo.BidPlaced` is `perudo.bid_placed` on the wire: the last part of the module's name
and the class's name in snake case. The name is spelled once, where the record is.
"""

import re
from typing import Any

import msgspec

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def wire_name(module: str, name: str) -> str:
    """The `type` of a record: `("fairdeal.games.perudo", "BidPlaced")` gives `perudo.bid_placed`."""
    return f"{module.rpartition('.')[2]}.{_WORD.sub('_', name).lower()}"


def tag_of(record: type[msgspec.Struct] | msgspec.Struct) -> str:
    """The `type` that a record carries on the wire."""
    tag = record.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def module_records(module: str, namespace: dict[str, Any], base: type) -> tuple[type[msgspec.Struct], ...]:
    """The tagged records derived from `base` that `module` itself defines, in their written order."""
    return tuple(
        value
        for value in namespace.values()
        if isinstance(value, type)
        and issubclass(value, base)
        and issubclass(value, msgspec.Struct)
        and value.__module__ == module
        and value.__struct_config__.tag is not None
    )
