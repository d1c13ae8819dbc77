"""A game's summary, folded from its commits; most of them change nothing and are not even decoded."""

import msgspec

from fairdeal import game
from fairdeal.codec import decode_commit
from fairdeal.commit import Commit, entry_ms
from fairdeal.directory import Summary
from fairdeal_views.logs import Body

COMMON = b'"type":"game.'
"""What the JSON of a commit holds if it may change a summary: an event, or a command, of the common ones."""


class _Time(msgspec.Struct):
    entry: str


_decode_time = msgspec.json.Decoder(_Time).decode


class Listing:
    """One game's summary as it moves on."""

    __slots__ = ("_body", "stored", "summary", "version")

    def __init__(self, stored: Summary | None) -> None:
        """`stored` is the summary in the directory, where folding goes on."""
        self.stored = stored
        self.summary = stored
        self.version = stored.version if stored else 0
        self._body = b""

    def apply(self, commit: Body) -> None:
        """Move on by the next commit. Raises ValueError for a gap, msgspec.ValidationError."""
        version, body, _ = commit
        if version != self.version + 1:
            raise ValueError(f"version {version} follows version {self.version} in the log")
        if COMMON in body:
            self._fold(decode_commit(body))
        self._body = body
        self.version = version

    def _fold(self, commit: Commit) -> None:
        at = commit.at
        for event in commit.events:
            if isinstance(event, game.Created):
                self.summary = Summary(
                    game=commit.game,
                    version=commit.version,
                    ruleset=event.ruleset,
                    status="waiting",
                    players=event.players,
                    created_at=at,
                    updated_at=at,
                )
            elif self.summary is None:
                raise ValueError("the log does not begin with game.created")
            else:
                self.summary = _folded(self.summary, event, at)

    def current(self) -> Summary:
        """The summary at the version that was reached."""
        assert self.summary is not None
        if self.summary.version != self.version:
            at = entry_ms(_decode_time(self._body).entry)
            self.summary = msgspec.structs.replace(self.summary, version=self.version, updated_at=at)
        return self.summary


def _folded(summary: Summary, event: object, at: int) -> Summary:
    match event:
        case game.Started():
            return msgspec.structs.replace(summary, status="playing", started_at=at)
        case game.Reseated():
            players = list(summary.players)
            players[event.seat] = event.player
            return msgspec.structs.replace(summary, players=tuple(players))
        case game.Cancelled():
            return msgspec.structs.replace(summary, status="cancelled")
        case game.Finished():
            return msgspec.structs.replace(
                summary,
                status="cancelled" if summary.status == "cancelled" else "finished",
                finished_at=at,
                winners=event.outcome.winners,
                reason=event.outcome.reason,
            )
        case _:
            return summary
