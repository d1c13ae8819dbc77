"""The audit of one log: every check, whatever the log holds, and never an exception."""

import hashlib
import re
from collections.abc import Iterable, Sequence

from fairdeal import game as common
from fairdeal_audit.chain import Log, read_log
from fairdeal_audit.execution import LoggedSeed, execute
from fairdeal_audit.report import AuditImpossible, CheckName, Finding, Ledger, Report, quote
from fairdeal_audit.views import Views, check_views

_SEED = re.compile(r"[0-9a-f]{64}")

CHECKS: tuple[CheckName, ...] = ("chain", "seed", "draws", "execution", "conservation", "views")
"""The checks of every log, in the order in which they build on each other."""


def audit_log(
    records: Iterable[tuple[int, str, bytes]],
    views: Views | None = None,
    *,
    game: str | None = None,
    ruleset: str | None = None,
    faults: Sequence[Finding] = (),
    from_file: bool = False,
) -> Report:
    """Audit a log given as it stands: (version, chain hash in hex, the commit's JSON bytes), oldest first.

    `views` are the stored ones, if there are any. `game` and `ruleset` are what whoever handed the log over
    says it is; without a `game` the first commit's is believed. `faults` are what was found when it was read,
    `from_file` adds the check `file`. Raises `AuditImpossible` when there are neither records nor faults.
    """
    ledger = Ledger(("file", *CHECKS) if from_file else CHECKS)
    for finding in faults:
        ledger.fail(finding.check, finding.version, finding.message)
    log = read_log(records, game, ledger)
    if not log.records and not faults:
        raise AuditImpossible("There is nothing to audit: the log has no commits")
    id = game if game is not None else next((commit.game for commit in log.commits.values()), "")
    created, seed, finished_at = _told(log)
    if ruleset is not None and created is not None and created.ruleset != ruleset:
        ledger.fail(
            "file", None, f"it calls itself a game of {quote(ruleset)}, the log of {quote(created.ruleset)}"
        )
    stream = _check_seed(created, seed, finished_at, log, ledger)
    stop = execute(log, id, seed, stream, ledger)
    check_views(log, id, views, stop, ledger)
    checks = ledger.checks()
    return Report(
        game=id,
        ruleset=created.ruleset if created else None,
        commits=len(log.records),
        finished=finished_at is not None,
        head=log.records[log.last].hash if log.records else "",
        clean=all(check.verdict != "failed" for check in checks),
        checks=checks,
    )


def _told(log: Log) -> tuple[common.Created | None, LoggedSeed, int | None]:
    """What the log says of the game: how it was created, its seed, and the version that finished it."""
    first = log.commits.get(1)
    created = first.events[0] if first is not None and first.events else None
    if not isinstance(created, common.Created):
        created = None
    commitment = created.commitment if created else ""
    for version in sorted(log.commits):
        for event in log.commits[version].events:
            if isinstance(event, common.Finished):
                return created, LoggedSeed(commitment, event.seed), version
    return created, LoggedSeed(commitment, ""), None


def _check_seed(
    created: common.Created | None, seed: LoggedSeed, finished_at: int | None, log: Log, ledger: Ledger
) -> bytes | None:
    """The revealed seed's bytes, matching the commitment or not; None when there are none."""
    if finished_at is None:
        whole = len(log.commits) == log.last
        reason = "the game is not finished" if whole else "no commit that can be read finishes the game"
        ledger.skip("seed", f"{reason}: the seed is revealed at the end")
        ledger.note(
            "draws", f"{reason}, so only the ranges of words were checked: the seed is revealed at the end"
        )
        return None
    if not _SEED.fullmatch(seed.revealed):
        ledger.fail("seed", finished_at, f"{quote(seed.revealed)} is no seed: 64 digits 0-9 a-f are expected")
        ledger.note("draws", "no seed is revealed, so only the ranges of words were checked")
        return None
    value = bytes.fromhex(seed.revealed)
    commitment = hashlib.sha256(value).hexdigest()
    if created is None:
        ledger.skip("seed", "the commit that commits to the seed is missing or cannot be read")
    elif commitment != created.commitment:
        ledger.fail(
            "seed",
            finished_at,
            f"the seed revealed at version {finished_at} is not the one that version 1 commits to: "
            f"its SHA-256 is {commitment}, the commitment is {quote(created.commitment)}",
        )
    return value
