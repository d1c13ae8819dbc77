"""Golden files: playthroughs that a change must not alter unawares, and logs that must replay for ever."""

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from fairdeal.codec import decode_commit, encode_json
from fairdeal.commit import GENESIS, Commit, chain
from fairdeal.dealer import Seed
from fairdeal.game import Finished
from fairdeal_rules.game import Game, Written, deal
from fairdeal_rules.ruleset import UnknownRuleset, rules_for
from fairdeal_views.fold import Fold

GOLDEN = Path(__file__).parent.parent / "golden"
UPDATE = "FAIRDEAL_UPDATE_GOLDEN"
"""Set to 1 to rewrite the playthroughs, and to write logs that are missing; no log is ever rewritten."""


class Line(msgspec.Struct):
    """One commit of a golden log: `c` is its JSON as it was hashed, `h` the chain hash in hex."""

    version: int
    h: str
    c: str


def same_text(name: str, text: str) -> None:
    """The file `golden/<name>` holds exactly this text."""
    path = GOLDEN / name
    if os.environ.get(UPDATE) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: run once with {UPDATE}=1 and read what it holds"
    assert text == path.read_text(encoding="utf-8"), f"{name} has changed; if on purpose, run with {UPDATE}=1"


def golden_log(name: str, written: Iterable[Written]) -> list[Line]:
    """The lines of the log `golden/<name>`; written from this game if it is missing and updating is on."""
    path = GOLDEN / name
    if not path.exists() and os.environ.get(UPDATE) == "1":
        lines = [Line(w.commit.version, w.hash.hex(), w.body.decode()) for w in written]
        path.write_bytes(b"".join(encode_json(line) + b"\n" for line in lines))
    assert path.exists(), f"{path} is missing: run once with {UPDATE}=1"
    return msgspec.json.Decoder(Line).decode_lines(path.read_bytes())


def replays(lines: Iterable[Line]) -> Fold:
    """Fold a log byte for byte: encoding, chain, rules and views; the views at its end.

    If this release still plays the log's version of the ruleset, its commands are decided again from the
    revealed seed, and give the same bytes.
    """
    lines = list(lines)
    commits = [decode_commit(line.c.encode()) for line in lines]
    hash = GENESIS
    views = Fold(commits[0].game)
    for commit, line in zip(commits, lines, strict=True):
        assert commit.version == line.version
        assert encode_json(commit).decode() == line.c, f"version {commit.version} is encoded otherwise now"
        hash = chain(hash, line.c.encode())
        assert hash.hex() == line.h, f"the chain is broken at version {commit.version}"
        views.apply(commit)
    _decide_again(commits, lines)
    return views


def _decide_again(commits: list[Commit], lines: list[Line]) -> None:
    created, finished = commits[0].events[0], commits[-1].events[-1]
    assert isinstance(finished, Finished)
    try:
        rules_for(created.ruleset)  # type: ignore[attr-defined]
    except UnknownRuleset:
        return
    seed = Seed(bytes.fromhex(finished.seed))
    replayed = Game(commits[0].game, lambda _game, _entry: seed, deal, created.options)  # type: ignore[attr-defined]
    for commit, line in zip(commits, lines, strict=True):
        written = replayed.play(commit.command, commit.entry)
        assert written.body.decode() == line.c, f"version {commit.version} is decided otherwise now"
