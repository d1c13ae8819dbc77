"""The clock's own action and event."""

from typing import Annotated

import msgspec

from fairdeal.action import Action
from fairdeal.visibility import Event, Public


class Expired(Action):
    """The deadline that was set at `version` has passed. Refused: `stale`, `too_early`."""

    version: Annotated[int, msgspec.Meta(ge=1)]


class RanOut(Event):
    """The clock plays for these seats now; the moves follow as the seats' own."""

    seats: Public[tuple[int, ...]]
