"""Frames: one commit as one kind of viewer sees it, encoded once for all who watch with the same eyes.

A frame is the JSON of `fairdeal.view.Frame`: the redacted events, and the view after them. Live streams,
resumed ones and replays all get it from here, so the same version is the same bytes everywhere.
"""

from collections.abc import Sequence

from fairdeal.codec import encode_json
from fairdeal.view import join_parts
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_views.fold import Fold


class Shown:
    """One frame's bytes: plain, as a server-sent event, as a WebSocket's text; each made when first asked for."""

    __slots__ = ("_event", "_text", "json", "version")

    def __init__(self, version: int, json: bytes) -> None:
        self.version = version
        self.json = json
        self._event: bytes | None = None
        self._text: str | None = None

    @property
    def event(self) -> bytes:
        """The server-sent event, whose id is the version."""
        if self._event is None:
            self._event = b"id: %d\nevent: frame\ndata: %b\n\n" % (self.version, self.json)
        return self._event

    @property
    def text(self) -> str:
        """The message of a WebSocket."""
        if self._text is None:
            self._text = '{"type":"frame",' + self.json[1:].decode()
        return self._text


class Sight:
    """What is to be seen of a game at one version; its parts are encoded once, when first asked for."""

    __slots__ = ("_fold", "_seats", "_table")

    def __init__(self, fold: Fold) -> None:
        """Use it before the fold moves on."""
        self._fold = fold
        self._table: bytes | None = None
        self._seats: dict[int, bytes] = {}

    def view(self, viewer: Viewer) -> bytes:
        """The view as JSON, as the stored parts joined are. `audit` sees the table; its secrets are in events.

        Raises IndexError for a seat that is not there.
        """
        if self._table is None:
            self._table = self._fold.encoded_table()
        if not isinstance(viewer, int):
            return self._table
        seat = self._seats.get(viewer)
        if seat is None:
            seat = self._seats[viewer] = self._fold.encoded_seat(viewer)
        return join_parts(self._table, seat)

    def frame(self, viewer: Viewer, events: Sequence[Event]) -> Shown:
        """The frame of a commit with these events, which the fold has just applied; or of no events."""
        seen = encode_json([redact(event, viewer) for event in events])
        fold = self._fold
        json = b'{"version":%d,"at":%d,"events":%b,"view":%b}' % (
            fold.version,
            fold.at,
            seen,
            self.view(viewer),
        )
        return Shown(fold.version, json)
