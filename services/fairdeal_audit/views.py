"""Views: what is stored for the viewers is what the log gives."""

from collections.abc import Mapping

import msgspec

from fairdeal_audit.chain import Log
from fairdeal_audit.execution import Stop
from fairdeal_audit.report import Ledger, quote
from fairdeal_views.fold import Fold

Views = Mapping[str, bytes | str]
"""The stored views of a game: `version`, `fold`, `table`, `seat:0` …"""


def check_views(log: Log, id: str, views: Views | None, stop: Stop | None, ledger: Ledger) -> None:
    """Fold the log up to the views' version and compare every part. `stop` is where the log loses its sense."""
    if not views:
        ledger.skip("views", "there are no stored views")
        return
    stored = {name: part.encode() if isinstance(part, str) else part for name, part in views.items()}
    text = stored.pop("version", b"").decode(errors="replace")
    tag = stored.pop("fold", b"").decode(errors="replace")
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 9:
        ledger.fail("views", None, f"the stored views are of version {quote(text)}, which is no version")
        return
    version = int(text)
    if version > log.last:
        ledger.fail(
            "views", version, f"the stored views are of version {version}, the log ends at {log.last}"
        )
        return
    if stop is not None and version >= stop.version:
        ledger.skip("views", f"the stored views are of version {version}, and {stop.reason}")
        return
    fold = _fold(log, id, version, ledger)
    if fold is None:
        return
    ruleset, _, projection = tag.rpartition("/")
    if ruleset != fold.ruleset or not projection.isdigit():
        ledger.fail("views", version, f"the stored views were made by {quote(tag)}, not by {fold.fold_tag}")
    elif tag != fold.fold_tag:
        ledger.skip("views", f"the stored views were made by {tag}, this release makes {fold.fold_tag}")
    else:
        _compare(stored, fold, version, ledger)


def _fold(log: Log, id: str, version: int, ledger: Ledger) -> Fold | None:
    fold = Fold(id)
    for number in range(1, version + 1):
        commit = log.commits[number]
        try:
            fold.apply(
                commit if commit.version == number else msgspec.structs.replace(commit, version=number)
            )
        except Exception as error:
            ledger.fail("views", number, f"the commit cannot be folded: {type(error).__name__}: {error}")
            return None
    return fold


def _compare(stored: dict[str, bytes], fold: Fold, version: int, ledger: Ledger) -> None:
    try:
        fresh = fold.encoded()
    except Exception as error:
        ledger.fail("views", version, f"the views cannot be made: {type(error).__name__}: {error}")
        return
    for part in fresh.keys() | stored.keys():
        if part not in stored:
            ledger.fail("views", version, f"the part {part} is not stored")
        elif part not in fresh:
            ledger.fail("views", version, f"the stored part {quote(part)} is none of this game")
        elif stored[part] != fresh[part]:
            at = next(
                (
                    i
                    for i, (one, other) in enumerate(zip(stored[part], fresh[part], strict=False))
                    if one != other
                ),
                min(len(stored[part]), len(fresh[part])),
            )
            ledger.fail(
                "views", version, f"the stored part {part} differs from what the log gives, from byte {at} on"
            )
