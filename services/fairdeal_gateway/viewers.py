"""Who may look with whose eyes."""

import re
from typing import Final

from fairdeal.client.watching import Eyes
from fairdeal.visibility import Viewer
from fairdeal_gateway.problems import Refused, malformed, no_such_seat, unknown_game
from fairdeal_gateway.tokens import Grant
from fairdeal_views.fold import Fold

_SEAT: Final = re.compile(r"seat:(\d{1,3})")


def viewer_of(grant: Grant, asked: str | None) -> Viewer:
    """The viewer that `as` asks for, or the token's usual one. Raises `Refused` for eyes that it does not have."""
    usual: Viewer = grant.seat if grant.scope == "seat" and grant.seat is not None else "table"
    viewer = usual if asked is None else _named(asked)
    if grant.scope == "audit" or viewer in ("table", usual):
        return viewer
    raise Refused(403, "not_allowed", f"A token of the scope `{grant.scope}` does not see what {asked} sees")


def eyes_of(grant: Grant, asked: str | None) -> Eyes:
    """The same where there is nothing that `audit` alone could see. Raises `Refused`."""
    if asked == "audit":
        raise malformed("`audit` has no view of its own: ask for the replay or the events", "as")
    viewer = viewer_of(grant, asked)
    assert viewer != "audit", "nobody's usual eyes"
    return viewer


def check_seat(fold: Fold, viewer: Viewer) -> None:
    """Raise `Refused` when the game that was folded has no such seat, or nothing of it may be seen yet."""
    if isinstance(viewer, int) and viewer >= len(fold.hands):
        raise no_such_seat(fold.game, viewer) if fold.version else unknown_game(fold.game)


def _named(text: str) -> Viewer:
    if text == "table":
        return "table"
    if text == "audit":
        return "audit"
    seat = _SEAT.fullmatch(text)
    if seat is None:
        raise malformed("A viewer is `table`, `audit`, or `seat:0`, `seat:1` …", "as")
    return int(seat[1])
