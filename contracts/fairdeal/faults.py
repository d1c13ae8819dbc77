"""What msgspec finds wrong with data, taken apart."""

import re
from typing import Final

import msgspec

_AT: Final = re.compile(r" - at `(\$[^`]*)`\Z")


def fault(error: msgspec.ValidationError) -> tuple[str, str]:
    """What is wrong and where, `("Expected `int`", "$.action.face")`, of an error of msgspec's."""
    text = str(error)
    # Only the end names the place: what stands before it may quote the sender.
    found = _AT.search(text)
    return (text[: found.start()], found[1]) if found else (text, "$")
