"""Dead letters: what is kept of an entry that could not be processed."""

from typing import Final

from fairdeal_worker.role import Entry

MOST_FIELDS: Final = 32
"""How many fields of an entry a dead letter keeps."""


def dead_letter(entry: Entry, reason: str, incident: str, error: str, most: int) -> list[bytes | str]:
    """The fields of a dead letter: the original's, `most` bytes of them in all, and why it died."""
    fields: list[bytes | str] = []
    left = most
    for name, value in list(entry.fields.items())[:MOST_FIELDS]:
        fields += (name[:left], value[: max(0, left - len(name))])
        if len(name) + len(value) > left:
            fields += ("cut_from_bytes", str(len(value)))
        left = max(0, left - len(name) - len(value))
    if len(entry.fields) > MOST_FIELDS:
        fields += ("fields_left_out", str(len(entry.fields) - MOST_FIELDS))
    return [*fields, "entry", entry.id, "reason", reason, "incident", incident, "error", error[:2000]]
