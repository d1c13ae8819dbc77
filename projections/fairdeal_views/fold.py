"""One game as its viewers see it, folded commit by commit.

Live views, catching up, a rebuild, replays, the local table and the audit's comparison all fold here: one
code path. Every event is redacted before any folding code receives it.
"""

from collections.abc import Container
from typing import Any, Literal

import msgspec

from fairdeal import game
from fairdeal.codec import encode_json
from fairdeal.commit import AnyEvent, Commit, entry_ms
from fairdeal.view import ReadyOffer, SeatPart, TablePart, View
from fairdeal.visibility import Event, audiences, redact
from fairdeal_views.projection import Projection, projection_for

Status = Literal["waiting", "playing", "finished"]


class Happened(msgspec.Struct, frozen=True):
    """What folding needs of a commit: all but the command, which nobody but `audit` may see.

    Without it a commit is decoded in a quarter of the time.
    """

    version: int
    entry: str
    events: tuple[AnyEvent, ...]

    @property
    def at(self) -> int:
        """The commit's time, as `Commit.at`."""
        return entry_ms(self.entry)


decode_happened = msgspec.json.Decoder(Happened).decode
"""What happened, from a commit's JSON bytes. Raises msgspec.ValidationError, msgspec.DecodeError."""


class Fold:
    """The table and all hands of one game at one version.

    After an exception the fold may be half moved: drop the object.
    """

    __slots__ = (
        "_clock",
        "_idle",
        "_options",
        "_projection",
        "_ready",
        "_runs_for",
        "_since",
        "at",
        "game",
        "hands",
        "outcome",
        "ruleset",
        "status",
        "table",
        "version",
    )

    def __init__(self, game: str) -> None:
        self.game = game
        self.version = 0
        self.at = 0
        self.ruleset = ""
        self.status: Status = "waiting"
        self.table: Any = None
        self.hands: list[Any] = []
        self.outcome: game_outcome | None = None
        self._projection: Projection[Any, Any]
        self._options: msgspec.Raw
        """The agreed options as JSON: half of a table's text, and never another."""
        self._idle: dict[int, bytes] = {}
        """The encoded parts of seats without offers, until an event may have changed a hand."""
        self._clock: game_clock | None = None
        self._ready: set[int] = set()
        self._runs_for: object = None
        self._since = 0

    @property
    def fold_tag(self) -> str:
        """Which projection made this: `perudo@1/1`, the ruleset and the projection's version."""
        return f"{self.ruleset}/{self._projection.version}"

    def apply(self, commit: Commit | Happened) -> None:
        """Move on by the next commit. Raises ValueError for a gap, KeyError for an unknown ruleset."""
        if commit.version != self.version + 1:
            raise ValueError(
                f"version {commit.version} follows version {self.version} in the log of {self.game}"
            )
        for event in commit.events:
            self._fold(event)
        self.version = commit.version
        self.at = at = commit.at
        runs_for = self._projection.deadline_for(self.table) if self.status == "playing" else None
        if runs_for is None or runs_for != self._runs_for:
            self._since = at
        self._runs_for = runs_for

    def _fold(self, event: Event) -> None:
        public = redact(event, "table")
        if type(event).__module__ == game.__name__:
            self._fold_common(public)
        projection, table = self._projection, self.table
        projection.fold_table(table, public)
        if projection.hand_events is not None and type(event) not in projection.hand_events:
            return
        self._idle.clear()
        fold_hand = projection.fold_hand
        if public is event:
            for seat, hand in enumerate(self.hands):
                fold_hand(hand, table, public, seat)
        else:
            insiders = _insiders(event, len(self.hands))
            for seat, hand in enumerate(self.hands):
                fold_hand(hand, table, redact(event, seat) if seat in insiders else public, seat)

    def _fold_common(self, event: Event) -> None:
        match event:
            case game.Created():
                self.ruleset = event.ruleset
                self._projection = projection_for(event.ruleset)
                self._clock = event.clock
                self.table = self._projection.open_table(event.players, event.options)
                self.hands = [
                    self._projection.open_hand(seat, event.options) for seat in range(len(event.players))
                ]
                self._options = msgspec.Raw(encode_json(self.table.options))
                self._idle.clear()
            case game.Readied():
                self._ready.add(event.seat)
            case game.Started():
                self.status = "playing"
            case game.Resigned():
                self.table.resigned.append(event.seat)
            case game.Reseated():
                self.table.players[event.seat] = event.player
            case game.Finished():
                self.status = "finished"
                self.outcome = event.outcome
            case _:
                pass

    # Showing

    @property
    def phase(self) -> str:
        return self._projection.phase(self.table) if self.status == "playing" else self.status

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.status == "playing":
            return tuple(self._projection.to_act(self.table))
        if self.status == "waiting":
            return tuple(seat for seat in range(len(self.hands)) if seat not in self._ready)
        return ()

    @property
    def deadline(self) -> int | None:
        if self.status == "finished":
            return None
        allowance = self._clock.turn_ms if self._clock else None
        if self.status == "playing":
            allowance = self._projection.allowance(self.table, allowance)
        return None if allowance is None else self._since + allowance

    def offers(self, seat: int) -> tuple[Any, ...]:
        """The moves that this seat may make now."""
        if self.status == "playing":
            return tuple(self._projection.offers(self.table, self.hands[seat], seat))
        if self.status == "waiting" and seat not in self._ready:
            return (ReadyOffer(),)
        return ()

    def _table_part(self, table: Any) -> TablePart[Any]:
        return TablePart(
            game=self.game,
            ruleset=self.ruleset,
            version=self.version,
            phase=self.phase,
            to_act=self.to_act,
            deadline=self.deadline,
            table=table,
            outcome=self.outcome,
        )

    def encoded(self) -> dict[str, bytes]:
        """The stored parts, `table` and `seat:0` …, as JSON."""
        seats = {f"seat:{seat}": self.encoded_seat(seat) for seat in range(len(self.hands))}
        return {"table": self.encoded_table(), **seats}

    def encoded_table(self) -> bytes:
        """The stored part that everybody sees, as JSON."""
        shown = msgspec.structs.replace(self.table, options=self._options)
        return encode_json(self._table_part(shown))

    def encoded_seat(self, seat: int) -> bytes:
        """The stored part of one seat, as JSON."""
        offers = self.offers(seat)
        part = None if offers else self._idle.get(seat)
        if part is None:
            part = encode_json(SeatPart(seat=seat, hand=self.hands[seat], offers=offers))
            if not offers:
                self._idle[seat] = part
        return part

    def view(self, viewer: int | Literal["table", "audit"]) -> View[Any, Any]:
        """A copy of what a seat, or `table`, sees now. `audit` sees the table; its secrets are in events."""
        shown = msgspec.structs.asdict(self._table_part(_copy(self.table)))
        if isinstance(viewer, int):
            shown.update(seat=viewer, hand=_copy(self.hands[viewer]), offers=self.offers(viewer))
        return View(**shown)


game_outcome = game.Outcome
game_clock = game.Clock


_namers: dict[type[Event], tuple[str, ...] | None] = {}
"""The fields of a type of event that name those who see more of it than the table does; None: every seat does."""


def _insiders(event: Event, seats: int) -> Container[int]:
    """The seats, of so many, that may see more of this event than the table does."""
    kind = type(event)
    if kind not in _namers:
        shown = audiences(kind).values()
        names = dict.fromkeys(
            field for audience in shown if isinstance(audience, tuple) for field in audience
        )
        _namers[kind] = None if "by_seat" in shown else tuple(names)
    fields = _namers[kind]
    if fields is None:
        return range(seats)
    insiders: set[int] = set()
    for field in fields:
        named = getattr(event, field)
        if isinstance(named, int):
            insiders.add(named)
        elif named is not None:
            insiders.update(named)
    return insiders


def _copy(struct: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(struct), type=type(struct))
