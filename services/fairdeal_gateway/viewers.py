"""Who may look with whose eyes."""

import re
from typing import Final

from fairdeal.visibility import Viewer
from fairdeal_gateway.problems import Refused, malformed
from fairdeal_gateway.tokens import Grant

_SEAT: Final = re.compile(r"seat:(\d{1,3})")


def viewer_of(grant: Grant, asked: str | None, *, audit: bool = True) -> Viewer:
    """The viewer that `as` asks for, or the token's usual one. Raises `Refused` for eyes that it does not have.

    `audit=False` where there is nothing that `audit` alone could see.
    """
    usual: Viewer = grant.seat if grant.scope == "seat" and grant.seat is not None else "table"
    viewer = usual if asked is None else _named(asked)
    if viewer == "audit" and not audit:
        raise malformed("`audit` has no view of its own: ask for the replay or the events", "as")
    if grant.scope == "audit" or viewer in ("table", usual):
        return viewer
    raise Refused(403, "not_allowed", f"A token of the scope `{grant.scope}` does not see what {asked} sees")


def _named(text: str) -> Viewer:
    if text == "table":
        return "table"
    if text == "audit":
        return "audit"
    seat = _SEAT.fullmatch(text)
    if seat is None:
        raise malformed("A viewer is `table`, `audit`, or `seat:0`, `seat:1` …", "as")
    return int(seat[1])
