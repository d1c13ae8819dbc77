"""The chain: every commit stands where it belongs, is what was hashed, and names itself rightly."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from fairdeal.codec import decode_commit, fault
from fairdeal.commit import GENESIS, Commit, chain
from fairdeal_audit.report import Ledger, quote

_HASH = re.compile(r"[0-9a-f]{64}")
_ENTRY = re.compile(r"([0-9]{1,20})-([0-9]{1,20})")


class Record(NamedTuple):
    """A commit as it stands in the log: its version there, its chain hash in hex, its JSON bytes."""

    version: int
    hash: str
    body: bytes


class Log:
    """A log as far as it can be read: the records by version, each with its commit or why there is none."""

    __slots__ = ("commits", "records", "unreadable")

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self.commits: dict[int, Commit] = {}
        self.unreadable: dict[int, str] = {}

    @property
    def last(self) -> int:
        """The newest version."""
        return max(self.records, default=0)


def read_log(records: Iterable[tuple[int, str, bytes]], game: str | None, ledger: Ledger) -> Log:
    """Check the chain and read the commits, each version once. `game` is whose log this is said to be."""
    log = Log()
    expected = 1
    for version, hash, body in records:
        record = Record(version, hash, body)
        if version != expected:
            _misplaced(record, expected, log, ledger)
        expected = max(expected, version + 1)
        if version in log.records:
            continue
        log.records[version] = record
        _check_hash(record, log.records.get(version - 1), ledger)
        _read(record, log, ledger)
    _check_names(log, game, ledger)
    _check_entries(log, ledger)
    return log


def _misplaced(record: Record, expected: int, log: Log, ledger: Ledger) -> None:
    version = record.version
    same = log.records.get(version)
    if version > expected:
        missing = "is missing" if version == expected + 1 else f"to {version - 1} are missing"
        ledger.fail("chain", expected, f"version {expected} {missing}: version {version} stands there")
    elif same is not None and same.body == record.body:
        ledger.fail("chain", version, f"version {version} stands in the log twice")
    else:
        ledger.fail("chain", expected, f"version {version} stands where version {expected} belongs")


def _check_hash(record: Record, previous: Record | None, ledger: Ledger) -> None:
    version = record.version
    if not _HASH.fullmatch(record.hash):
        ledger.fail(
            "chain", version, f"{quote(record.hash)} is no chain hash: 64 digits 0-9 a-f are expected"
        )
        return
    if previous is None and version != 1:
        return
    if previous is None:
        before = GENESIS
    elif _HASH.fullmatch(previous.hash):
        before = bytes.fromhex(previous.hash)
    else:
        return
    computed = chain(before, record.body).hex()
    if computed != record.hash:
        ledger.fail(
            "chain",
            version,
            f"the commit and the hash before it give the hash {computed}, the log says {record.hash}: "
            "the commit or a hash was altered",
        )


def _read(record: Record, log: Log, ledger: Ledger) -> None:
    try:
        log.commits[record.version] = decode_commit(record.body)
    except Exception as error:
        log.unreadable[record.version] = _why_unreadable(error)
        ledger.fail("chain", record.version, f"the commit cannot be read: {_why_unreadable(error)}")


def _why_unreadable(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        message, path = fault(error)
        if path.endswith(".type"):
            return f"{message} at {path}: this release knows nothing of that name"
        return f"{message} at {path}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 at byte {error.start}"
    return str(error) or type(error).__name__


def _check_names(log: Log, game: str | None, ledger: Ledger) -> None:
    for version, commit in log.commits.items():
        if game is None:
            game = commit.game
        if commit.version != version:
            ledger.fail(
                "chain",
                version,
                f"the commit calls itself version {quote(commit.version)}, it stands at {version}",
            )
        for whose, named in (("commit", commit.game), ("command", commit.command.game)):
            if named != game:
                ledger.fail(
                    "chain", version, f"the {whose} is of game {quote(named)}, the log of {quote(game)}"
                )


def _check_entries(log: Log, ledger: Ledger) -> None:
    """A partition's commands are decided in the order of their stream: their entry ids strictly rise."""
    before = (-1, -1)
    for version in sorted(log.commits):
        text = log.commits[version].entry
        match = _ENTRY.fullmatch(text)
        if match is None:
            ledger.fail("chain", version, f"{quote(text)} is no id of a stream's entry")
            continue
        entry = (int(match[1]), int(match[2]))
        if entry <= before:
            ledger.fail(
                "chain",
                version,
                f"its command stands at entry {text}, the one before at {before[0]}-{before[1]}: entries only rise",
            )
        before = max(before, entry)
