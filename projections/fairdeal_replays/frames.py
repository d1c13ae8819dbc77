"""Replays: a game step by step, as one viewer was entitled to see it."""

from collections.abc import Iterable, Iterator

from fairdeal.commit import Commit
from fairdeal.view import Frame
from fairdeal.visibility import Viewer, redact
from fairdeal_views.fold import Fold


def frames(
    commits: Iterable[Commit], viewer: Viewer, from_version: int = 1, to_version: int | None = None
) -> Iterator[Frame]:
    """The frames of a game for one viewer, from the versions given on up to and including the other.

    `commits` begin at version 1 and are in order; they may come from a log, an export or a local table. The
    commands inside them reach nobody but `audit`'s own reader of the log. The viewer `audit` gets the whole
    events. Raises ValueError for a gap and for a seat that this game does not have.
    """
    fold: Fold | None = None
    for commit in commits:
        if to_version is not None and commit.version > to_version:
            return
        if fold is None:
            fold = Fold(commit.game)
        fold.apply(commit)
        if isinstance(viewer, int) and not 0 <= viewer < len(fold.hands):
            raise ValueError(f"{commit.game} has no seat {viewer}; its seats are 0 to {len(fold.hands) - 1}")
        if commit.version >= from_version:
            events = tuple(redact(event, viewer) for event in commit.events)
            yield Frame(commit.version, commit.at, events, fold.view(viewer))
