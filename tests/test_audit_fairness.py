"""The README's own verifier, which knows nothing of ours, agrees with the audit."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fairdeal import game
from fairdeal_audit import Record, audit_export
from fairdeal_local import Table
from support.logs import event_of, export_of, forged, play_on, played, records_of, versions_with, views_of
from support.readme import ROOT, same_snippets

SCRIPT = Path(__file__).parent / "snippets" / "fairness_check.py"


def verdict(export: bytes, folder: Path) -> tuple[int, str]:
    """What the script says of an export: its exit code and its one line."""
    path = folder / "game.ndjson"
    path.write_bytes(export)
    # Nothing but the standard library is at hand, and asserts would not count.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-O", str(SCRIPT), str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


@pytest.mark.parametrize(
    "opening",
    [
        {"players": 5},
        {"options": {"start_rule": "random", "calza": True}},
        {"options": {"start_rule": "two_dice_sum_tied_reroll", "show_dice_counts": False}},
        {
            "players": [
                game.Player(id="ann", entropy="żółw"),
                game.Player(id="bob"),
                game.Player(id="cy", entropy=""),
            ]
        },
    ],
)
def test_a_fair_game_is_proved_fair(opening: dict[str, Any], tmp_path: Path) -> None:
    table = played(**opening)
    export = export_of(records_of(table), views_of(table))
    assert audit_export(export).clean
    code, line = verdict(export, tmp_path)
    drawn = sum(
        sum(map(len, event.get("rolls", event.get("dice", ()))))
        for record in records_of(table)
        for event in json.loads(record.body)["events"]
    )
    assert (code, line.split(" are")[0]) == (0, f"fair: all {drawn} dice")


def test_entropy_that_came_with_ready_counts(tmp_path: Path) -> None:
    table = Table.open("perudo", ["ann", "bob"], dealer=6, start="when_ready")
    table.act(1, game.Ready(entropy="mine"))
    table.act(0, game.Ready())
    assert verdict(export_of(records_of(play_on(table, Random(6)))), tmp_path)[0] == 0


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return records_of(played(seed=9))


def turn_a_die(commit: dict[str, Any]) -> None:
    dice = event_of(commit, "perudo.round_started")["dice"][0]
    dice[-1] = dice[-1] % 6 + 1


def reveal_another_seed(commit: dict[str, Any]) -> None:
    event_of(commit, "game.finished")["seed"] = "ab" * 32


def reveal_no_seed(commit: dict[str, Any]) -> None:
    event_of(commit, "game.finished")["seed"] = "a seed"


def test_unfair_and_altered_games_are_told(records: list[Record], tmp_path: Path) -> None:
    good = export_of(records)
    third_roll = versions_with(records, "perudo.round_started")[2]
    last = len(records)
    cases = {
        "were not rolled": export_of(forged(records, {third_roll: turn_a_die})),
        "another seed was committed to": export_of(forged(records, {last: reveal_another_seed})),
        "fromhex": export_of(forged(records, {last: reveal_no_seed})),
        "is not finished": export_of(records[:-1]),
        "version 5 was altered": good.replace(b'\\"id\\":\\"c5\\"', b'\\"id\\":\\"d5\\"'),
        "version 4 was altered": b"".join(
            line for number, line in enumerate(good.splitlines(keepends=True), 1) if number != 4
        ),
        "": good[: len(good) // 2],
    }
    for says, export in cases.items():
        assert not audit_export(export).clean or says == "is not finished"
        code, line = verdict(export, tmp_path)
        assert code == 1
        assert line.startswith("not proved fair: ")
        assert says in line


def test_the_readmes_example_tells_the_verdict(records: list[Record], tmp_path: Path) -> None:
    assert same_snippets(ROOT / "services/fairdeal_audit/README.md") == ["tests/snippets/audit.py"]
    path = tmp_path / "game.ndjson"
    for content, code, last in (
        (export_of(records), 0, f"clean {records[-1].hash}"),
        (export_of(forged(records, {1: turn_a_die})), 0, "not clean "),
        (b"hello", 1, ""),
    ):
        path.write_bytes(content)
        done = subprocess.run(
            [sys.executable, ROOT / "tests/snippets/audit.py", path],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == code, done.stderr
        assert last in done.stdout
    assert "no export of a game" in done.stderr
