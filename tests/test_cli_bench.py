"""`fairdeal bench`: it measures what it says, in bounded time; how fast is no test's business."""

import json
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from fairdeal.game import Create
from fairdeal.games import RULESETS
from fairdeal_cli.app import app
from fairdeal_cli.bench.prepared import play_out, whole_games
from fairdeal_cli.bench.stored import prepare, record_commits
from fairdeal_worker.settings import Settings

runner = CliRunner()
SETTINGS = Settings(namespace="bench", partitions=2, secret="bench", batch=64)


def test_the_layers_alone_are_measured_without_redis() -> None:
    for layer in ("rules", "views", "audit"):
        result = runner.invoke(app, ["bench", layer, "--seconds", "0.2", "--json"])
        assert result.exit_code == 0, result.output
        told = json.loads(result.stdout)
        assert list(told["figures"]) == [layer]
        assert told["figures"][layer]["done"] > 0
        assert told["ruleset"] == "perudo@1"


def test_all_layers_together() -> None:
    result = runner.invoke(app, ["bench", "--seconds", "0.5", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert set(told["figures"]) == {"rules", "views", "audit", "commit", "pipeline", "latency", "memory"}
    figures = told["figures"]
    assert figures["pipeline"]["per_s"] > 0
    assert figures["latency"]["done"] == 496  # half a second at the given rate, the same for each partition
    assert 0 < figures["latency"]["p50_ms"] <= figures["latency"]["p99_ms"] <= figures["latency"]["max_ms"]
    assert figures["memory"]["log_bytes"] > 100
    assert told["ratios"]["commit/pipeline"] == pytest.approx(
        figures["commit"]["per_s"] / figures["pipeline"]["per_s"]
    )


def test_the_figures_are_told_in_words() -> None:
    result = runner.invoke(app, ["bench", "rules", "--seconds", "0.2"])
    assert "decisions/s" in result.stdout


def test_prepared_commands_keep_the_order_of_their_streams() -> None:
    last: dict[int, tuple[int, int]] = {}
    for partition, move in play_out(["perudo"], SETTINGS, 400, 1_700_000_000_000):
        milliseconds, _, number = move.entry.partition("-")
        entry = (int(milliseconds), int(number))
        assert entry > last.get(partition, (0, 0))
        last[partition] = entry
    assert set(last) == {0, 1}


@pytest.mark.parametrize("rulesets", [["perudo"], RULESETS], ids=["perudo", "mix"])
async def test_a_worker_accepts_every_prepared_command(rulesets: Sequence[str]) -> None:
    streams = prepare(rulesets, SETTINGS, 400)
    played = {
        c.command.action.ruleset for m in streams.values() for c in m if type(c.command.action) is Create
    }
    assert played == set(rulesets)
    calls, _ = await record_commits(streams, SETTINGS)
    assert len(calls) == 8  # 200 commands a partition in batches of 64
    bodies = b"".join(call[5] for call in calls)
    for moves in streams.values():
        for move in moves:
            assert move.written.body in bodies


def test_whole_games_end() -> None:
    for moves in whole_games(["perudo"], SETTINGS, 3):
        assert b"game.finished" in moves[-1].written.body
