"""The report: one verdict for each check, and the first version at fault."""

from typing import Literal

import msgspec

CheckName = Literal["file", "chain", "seed", "draws", "execution", "conservation", "views"]
Verdict = Literal["ok", "failed", "skipped"]

LONGEST = 400
"""The most characters of a message: what is quoted of a log may be of any length."""


class AuditImpossible(Exception):
    """There is nothing to audit: no such game, a file that cannot be opened or that is no export."""


class Finding(msgspec.Struct, frozen=True):
    """One fault. `version` is the commit at fault, None when it is not the fault of one."""

    check: CheckName
    version: int | None
    message: str


class Check(msgspec.Struct, frozen=True):
    """One check's verdict.

    `failed`: `version` and `message` are of the first fault, `faults` is their number. `skipped`: `message`
    says why. `ok`: `message` says what the verdict does not cover, or is None.
    """

    name: CheckName
    verdict: Verdict
    version: int | None = None
    message: str | None = None
    faults: int = 0


class Report(msgspec.Struct, frozen=True):
    """What an audit found. `clean` when no check failed; what was skipped is said, not held against the game.

    `head` is the newest commit's chain hash (hex): whoever noted it down earlier, or had it from somebody
    else, can tell whether this is the same log. `ruleset` is None when the first commit cannot be read.
    """

    game: str
    ruleset: str | None
    commits: int
    finished: bool
    head: str
    clean: bool
    checks: tuple[Check, ...]

    def check(self, name: CheckName) -> Check:
        """One check's verdict. Raises KeyError for one that was not asked for (`file` without a file)."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)


class Ledger:
    """Gathers what the checks find."""

    __slots__ = ("_faults", "_first", "_names", "_notes", "_skipped")

    def __init__(self, names: tuple[CheckName, ...]) -> None:
        self._names = names
        self._first: dict[CheckName, Finding] = {}
        self._faults: dict[CheckName, int] = {}
        self._skipped: dict[CheckName, str] = {}
        self._notes: dict[CheckName, str] = {}

    def fail(self, check: CheckName, version: int | None, message: str) -> None:
        """Note a fault; the one with the lowest version is the one that is shown."""
        first = self._first.get(check)
        if first is None or (version is not None and first.version is not None and version < first.version):
            self._first[check] = Finding(check, version, shorten(message))
        self._faults[check] = self._faults.get(check, 0) + 1

    def skip(self, check: CheckName, reason: str) -> None:
        """A check, or the rest of it, cannot be done. A fault that it has found all the same comes first."""
        self._skipped.setdefault(check, shorten(reason))

    def note(self, check: CheckName, text: str) -> None:
        """What an `ok` does not cover."""
        self._notes.setdefault(check, shorten(text))

    def checks(self) -> tuple[Check, ...]:
        return tuple(self._check(name) for name in self._names)

    def _check(self, name: CheckName) -> Check:
        first = self._first.get(name)
        if first is not None:
            return Check(name, "failed", first.version, first.message, self._faults[name])
        if name in self._skipped:
            return Check(name, "skipped", message=self._skipped[name])
        return Check(name, "ok", message=self._notes.get(name))


def shorten(text: str, most: int = LONGEST) -> str:
    """The text, cut to `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def quote(value: object) -> str:
    """A value of the log as a message shows it, whatever its size."""
    try:
        return shorten(repr(value), 80)
    except (ValueError, RecursionError):
        # Python prints no number of more than 4300 digits.
        return "something too large to print"
