"""The audit of an export file: whatever happens to the file is found, and where."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal_audit import AuditImpossible, Record, Report, audit_export, read_export
from fairdeal_local import Table
from fairdeal_replays.export import write_export
from support.logs import export_of, forged, played, records_of, sealed, to_json, views_of


@pytest.fixture(scope="module")
def table() -> Table:
    return played(seed=4, players=2, options={"dice_per_player": 2})


@pytest.fixture(scope="module")
def records(table: Table) -> list[Record]:
    return records_of(table)


@pytest.fixture(scope="module")
def export(table: Table, records: list[Record]) -> bytes:
    return export_of(records, views_of(table))


def failed(report: Report) -> dict[str, int | None]:
    return {check.name: check.version for check in report.checks if check.verdict == "failed"}


def says(report: Report) -> str:
    return str(report.check("file").message)


def line_of(export: bytes, position: int) -> int:
    """The number of the line that a byte of the file is in, from 1."""
    return export.count(b"\n", 0, position) + 1


# Good files


def test_a_good_file_is_clean(export: bytes, records: list[Record], table: Table, tmp_path: Path) -> None:
    path = tmp_path / "game.ndjson"
    path.write_bytes(export)
    for source in (export, path, str(path)):
        report = audit_export(source)
        assert {check.verdict for check in report.checks} == {"ok"}
        assert report.checks[0].name == "file"
        assert (report.commits, report.finished) == (table.version, True)
    read = read_export(export)
    assert read.records == records
    assert read.views is not None
    assert read.faults == []
    assert read.header is not None
    assert (read.header.game, read.header.namespace) == ("local", "fairdeal")


def test_what_is_written_as_an_export_reads_back(export: bytes, records: list[Record], table: Table) -> None:
    views = {name: part.decode() for name, part in views_of(table).items()}
    written = write_export("fairdeal", "local", records, views, 1_796_040_000_123)
    assert written == export
    assert audit_export(write_export("fairdeal", "local", records, None, 0)).clean


def test_a_file_without_views_and_of_a_game_that_still_runs_is_clean(records: list[Record]) -> None:
    report = audit_export(export_of(records[:5]))
    assert report.clean
    assert report.check("views").verdict == "skipped"
    assert not report.finished


def test_a_text_that_needs_care_in_json_survives() -> None:
    table = played(seed=1, players=['a"b\\', "żółw\u2028\x7f"], options={"dice_per_player": 1})
    export = export_of(records_of(table), views_of(table))
    assert audit_export(export).clean


# Altered files


def test_no_flipped_bit_goes_unnoticed(export: bytes) -> None:
    """Bits all over the file, every bit of its edges; inside a commit's line the version is named."""
    commits = export.count(b'\n{"version":')
    edge = range(8 * 20)
    bits = {*edge, *(8 * len(export) - 1 - bit for bit in range(8 * 60))}
    bits |= set(Random(7).sample(range(8 * len(export)), 300))
    for bit in sorted(bits):
        position = bit // 8
        flipped = bytearray(export)
        flipped[position] ^= 1 << bit % 8
        line = line_of(export, position)
        try:
            report = audit_export(bytes(flipped))
        except AuditImpossible:
            assert line == 1
            continue
        where = f"bit {bit % 8} of byte {position} in line {line}: {report}"
        assert not report.clean, where
        assert report.check("file").verdict == "failed", where
        if 2 <= line <= commits + 1:
            assert line - 1 in failed(report).values(), where


def test_a_file_that_is_cut_anywhere_is_found(export: bytes) -> None:
    for length in [*range(0, len(export), 97), *range(len(export) - 120, len(export))]:
        try:
            report = audit_export(export[:length])
        except AuditImpossible:
            assert line_of(export, length) == 1
        else:
            assert failed(report)["file"] is None or line_of(export, length) > failed(report)["file"]
            assert not report.clean


def lines_of(export: bytes) -> list[bytes]:
    """All lines but the end, each with its newline."""
    return export.splitlines(keepends=True)[:-1]


def test_a_commit_taken_out_put_in_twice_or_swapped_is_found(export: bytes) -> None:
    lines = lines_of(export)
    whole = {
        "removed": (lines[:5] + lines[6:], 5),
        "doubled": (lines[:6] + lines[5:], 5),
        "swapped": ([*lines[:5], lines[6], lines[5], *lines[7:]], 5),
        "last one removed": (lines[:-2] + lines[-1:], None),
    }
    for what, (altered, version) in whole.items():
        for file in (b"".join(altered) + export.splitlines(keepends=True)[-1], sealed(b"".join(altered))):
            report = audit_export(file)
            assert not report.clean, what
            if version is not None:
                assert failed(report)["chain"] == version, what
    # Even a file that is right in itself cannot hide that its chain has a gap.
    header = json.loads(lines[0])
    header["commits"] -= 1
    report = audit_export(sealed(b"".join([to_json(header) + b"\n", *lines[1:5], *lines[6:]])))
    assert failed(report) == {"chain": 5}


def test_a_broken_line_is_named_with_its_version(export: bytes) -> None:
    lines = lines_of(export)
    for broken in (b"\n", b"{\n", b"null\n", b"\xff\n", b"[" * 5000 + b"\n", lines[4][:-2] + b',"x":1}\n'):
        report = audit_export(sealed(b"".join([*lines[:4], broken, *lines[5:]])))
        assert failed(report)["file"] == 4
        assert "line 5, which should hold version 4" in says(report)
        assert failed(report)["chain"] == 4
        assert report.commits == len(lines) - 3


def test_two_broken_lines_are_both_counted(export: bytes) -> None:
    lines = lines_of(export)
    report = audit_export(sealed(b"".join([*lines[:4], b"{\n", b"{\n", *lines[6:]])))
    assert failed(report)["file"] == 4
    # And the number of commits is wrong.
    assert report.check("file").faults == 3


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [*lines[:-1], b'{"views":5}\n'], "line"),
        (lambda lines: [*lines, lines[-1]], "once more"),
        (lambda lines: [*lines, b"{}\n"], "cannot be read"),
        (lambda lines: [lines[0].replace(b'"commits":', b'"commits":1'), *lines[1:]], "commits, it holds"),
        (lambda lines: [lines[0].replace(b"perudo@1", b"perudo@2"), *lines[1:]], "perudo@2"),
        (lambda lines: [b"{}\n", *lines[1:]], "header"),
        (lambda lines: lines[1:], "header"),
    ],
)
def test_what_does_not_belong_in_a_file_is_found(export: bytes, spoil: Any, message: str) -> None:
    report = audit_export(sealed(b"".join(spoil(lines_of(export)))))
    assert "file" in failed(report)
    assert message in says(report)


@pytest.mark.parametrize(
    ("end", "message"),
    [
        (b"", "has no end"),
        (b'{"end":true,"sha256":"' + b"0" * 64 + b'"}\n', "was altered"),
        (b'{"end":false,"sha256":"' + b"0" * 64 + b'"}\n', "cannot be read"),
        (b'{"end":true}\n', "cannot be read"),
    ],
)
def test_the_end_has_to_be_right(export: bytes, end: bytes, message: str) -> None:
    report = audit_export(b"".join(lines_of(export)) + end)
    assert list(failed(report)) == ["file"]
    assert message in says(report)


def test_nothing_stands_after_the_end_and_the_end_is_ended(export: bytes) -> None:
    assert "after the end" in says(audit_export(export + b"\n"))
    assert "after the end" in says(audit_export(export + lines_of(export)[2]))
    assert "not ended" in says(audit_export(export[:-1]))
    assert "was altered" in says(audit_export(export[:-10] + b"A" + export[-9:]))


def test_whose_log_it_is_said_to_be_is_checked(records: list[Record]) -> None:
    assert failed(audit_export(export_of(records, game="other")))["chain"] == 1


def test_a_forger_who_seals_the_file_anew_is_found_by_the_other_checks(records: list[Record]) -> None:
    def bid_more(commit: dict[str, Any]) -> None:
        commit["command"]["action"]["quantity"] += 1

    assert records[1].body.count(b"perudo.bid_placed") == 1
    assert failed(audit_export(export_of(forged(records, {2: bid_more})))) == {"execution": 2}


# What is no export


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"hello",
        b"{}\n",
        b"\x00" * 50,
        b"\x89PNG\r\n",
        b"[" * 100_000,
        b'{"end":true,"sha256":""}\n',
    ],
)
def test_what_is_no_export_cannot_be_audited(data: bytes) -> None:
    with pytest.raises(AuditImpossible, match="no export of a game"):
        audit_export(data)


def test_a_later_format_is_left_to_a_later_release(records: list[Record]) -> None:
    with pytest.raises(AuditImpossible, match="format 2, this release reads format 1"):
        audit_export(export_of(records, fairdeal_export=2))


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(AuditImpossible, match=r"no\.ndjson cannot be read: No such file"):
        audit_export(tmp_path / "no.ndjson")
    with pytest.raises(AuditImpossible, match="cannot be read"):
        audit_export(str(tmp_path))


# Whatever the bytes are


GAME = played(seed=4, players=2, options={"dice_per_player": 1})
FILE = export_of(records_of(GAME), views_of(GAME))


@given(
    start=st.integers(0, len(FILE)),
    length=st.integers(0, 60),
    put=st.binary(max_size=30)
    | st.sampled_from([b"null", b"[[[[", b"9" * 400, b'"', b"{}", b"\\u0000", b"\n"]),
    seal=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_no_damage_is_an_exception(start: int, length: int, put: bytes, seal: bool) -> None:
    damaged = FILE[:start] + put + FILE[start + length :]
    if seal:
        damaged = sealed(b"".join(damaged.splitlines(keepends=True)[:-1]))
    try:
        report = audit_export(damaged)
    except AuditImpossible:
        assert start <= FILE.index(b"\n")
    else:
        assert report.clean <= (damaged == FILE or seal)
        assert report.checks[0].name == "file"
