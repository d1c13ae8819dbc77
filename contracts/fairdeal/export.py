"""The export of a game: one file that holds all of its truth, in NDJSON.

A `Header`, one `CommitLine` a commit, the `ViewsLine` if views were stored, and the `EndLine`.
"""

from typing import Annotated, Final

import msgspec

FORMAT: Final = 1
"""The format's version, `fairdeal_export` in the header."""


class Header(msgspec.Struct, frozen=True):
    """An export's first line: what it holds."""

    fairdeal_export: int
    """The format's version."""
    namespace: str
    game: str
    ruleset: str
    """Name and version, `<name>@<version>`, as the first commit has it; empty when that cannot be read."""
    commits: int
    """How many commits follow."""
    exported_at: int
    """Epoch milliseconds."""


class CommitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One commit, as the log has it."""

    version: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    h: str
    """The chain hash, 64 lower-case hex digits."""
    c: str
    """The commit's JSON, whose very bytes were hashed."""


class ViewsLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The views as they were stored: `version`, `fold`, `table`, `seat:0` …, for the audit to compare."""

    views: dict[str, str]


class EndLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line. A file without it was cut off."""

    end: bool
    sha256: str
    """SHA-256 of every byte before this line, 64 lower-case hex digits."""


LINES: Final = (Header, CommitLine, ViewsLine, EndLine)
"""The lines' records, in their order in the file."""
