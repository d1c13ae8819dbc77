"""Reading an export: a game in one file, one JSON value a line (NDJSON), with its own hash at the end."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from fairdeal.export import FORMAT, CommitLine, EndLine, Header, ViewsLine
from fairdeal_audit.audit import audit_log
from fairdeal_audit.chain import Record
from fairdeal_audit.report import AuditImpossible, Finding, Report


class Export(msgspec.Struct, frozen=True):
    """What could be read of an export. `header` is None when that line is broken."""

    header: Header | None
    records: list[Record]
    views: dict[str, str] | None
    faults: list[Finding]


_decode_header = msgspec.json.Decoder(Header).decode
_LINES: tuple[Callable[[bytes], CommitLine | ViewsLine | EndLine], ...] = (
    msgspec.json.Decoder(CommitLine).decode,
    msgspec.json.Decoder(ViewsLine).decode,
    msgspec.json.Decoder(EndLine).decode,
)


def read_export(source: Path | str | bytes) -> Export:
    """The records, the views and the faults of an export, given as a path or as its bytes.

    Raises `AuditImpossible` when the file cannot be opened, is no export at all, or has a later format.
    """
    data = source if isinstance(source, bytes) else _open(source)
    reader = _Reader(data)
    if reader.header is None and not reader.records:
        raise AuditImpossible(
            "This is no export of a game: neither its first line nor any other is one. "
            "`fairdeal export` writes one"
        )
    if reader.header is not None and reader.header.fairdeal_export != FORMAT:
        raise AuditImpossible(
            f"The export has format {reader.header.fairdeal_export}, this release reads format {FORMAT}: "
            "audit it with the release that wrote it"
        )
    return Export(reader.header, reader.records, reader.views, reader.faults)


def audit_export(source: Path | str | bytes) -> Report:
    """Audit an export, given as a path or as its bytes. Raises `AuditImpossible` as `read_export` does."""
    export = read_export(source)
    header = export.header
    return audit_log(
        export.records,
        export.views,
        game=header.game if header else None,
        ruleset=header.ruleset if header else None,
        faults=export.faults,
        from_file=True,
    )


def _open(path: Path | str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise AuditImpossible(f"{path} cannot be read: {error.strerror or error}") from error


class _Reader:
    """Takes a file line by line."""

    def __init__(self, data: bytes) -> None:
        self.records: list[Record] = []
        self.views: dict[str, str] | None = None
        self.faults: list[Finding] = []
        self._due = 1
        """The version that the next commit's line should be of."""
        self._ended_at: int | None = None
        lines = data.split(b"\n")
        self.header = self._header(lines[0])
        start = len(lines[0]) + 1
        for number, line in enumerate(lines[1:], 2):
            if line or number < len(lines):
                self._line(number, line, data, start)
            start += len(line) + 1
        complete = lines[-1] == b""
        self._ending(len(lines) - complete, complete)

    def _fault(self, message: str, version: int | None = None) -> None:
        self.faults.append(Finding("file", version, message))

    def _header(self, line: bytes) -> Header | None:
        try:
            return _decode_header(line)
        except Exception as error:
            self._fault(f"line 1, the header, cannot be read: {error}")
            return None

    def _line(self, number: int, line: bytes, data: bytes, start: int) -> None:
        if self._ended_at is not None:
            self._fault(f"line {number} stands after the end")
            return
        match _decode(line):
            case CommitLine(version=version, h=hash, c=text):
                self.records.append(Record(version, hash, text.encode()))
                self._due = version + 1
            case ViewsLine(views=views):
                if self.views is not None:
                    self._fault(f"line {number} holds the views once more")
                self.views = views
            case EndLine(end=True, sha256=said):
                self._ended_at = number
                computed = hashlib.sha256(memoryview(data)[:start]).hexdigest()
                if said != computed:
                    self._fault(f"the file was altered: its hash is {computed}, its end says {said}")
            case _:
                self._broken(number)

    def _broken(self, number: int) -> None:
        if self.header is None or self._due <= self.header.commits:
            self._fault(
                f"line {number}, which should hold version {self._due}, cannot be read as a line of an export",
                self._due,
            )
            self._due += 1
        else:
            self._fault(f"line {number} cannot be read as a line of an export")

    def _ending(self, lines: int, complete: bool) -> None:
        if self._ended_at is None:
            self._fault(f"the file is cut off: it has no end, its last line is line {lines}")
        elif not complete:
            self._fault("the file is cut off: its last line is not ended")
        if self.header is not None and self.header.commits != len(self.records):
            self._fault(f"it says that it holds {self.header.commits} commits, it holds {len(self.records)}")


def _decode(line: bytes) -> CommitLine | ViewsLine | EndLine | None:
    for decode in _LINES:
        try:
            return decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            continue
    return None
