"""Games looked back at: in Redis, in a file, in the archive."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from typer.testing import CliRunner

from fairdeal.wire import Keys, deployment_key, partition_of
from fairdeal_cli import demo
from fairdeal_cli.app import app
from fairdeal_cli.bots import names_of, told_apart
from fairdeal_local import Table
from fairdeal_replays.export import archived_name, write_export

runner = CliRunner()
PARTITIONS = 4


def export_of(game: str, *, finished: bool = True) -> bytes:
    """A game's export: created, and given up at once unless it is to go on."""
    table = Table.open("perudo", ["ann", "bob"], {"dice_per_player": 1}, dealer=4, name=game)
    if finished:
        table.act(0, {"type": "game.resign"})
    commits = [(one.commit.version, one.hash.hex(), one.body) for one in table.written]
    return write_export("anywhere", game, commits, None, 1_700_000_000_000)


class Place:
    """A deployment without workers."""

    def __init__(self, url: str, namespace: str) -> None:
        self.where = ["--redis-url", url, "--namespace", namespace]
        self.namespace = namespace
        self.client = redis.Redis.from_url(url)
        self.client.hset(deployment_key(namespace), mapping={"partitions": PARTITIONS, "created_at": 1})

    def run(self, *arguments: str, code: int = 0, **environment: str) -> Any:
        result = runner.invoke(app, [*arguments, *self.where], env=environment)
        assert result.exit_code == code, result.output
        return result


@pytest.fixture
def place(redis_url: str, namespace: str) -> Iterator[Place]:
    made = Place(redis_url, namespace)
    yield made
    made.client.close()


def test_an_archived_game_is_found_where_the_archive_is(place: Place, tmp_path: Path) -> None:
    file = tmp_path / archived_name(place.namespace, PARTITIONS, "old")
    file.parent.mkdir(parents=True)
    file.write_bytes(export_of("old"))
    archive = {"FAIRDEAL_ARCHIVE": str(tmp_path)}
    assert json.loads(place.run("audit", "old", "--json", **archive).stdout)["clean"] is True
    assert "ann resigns." in place.run("replay", "old", **archive).stdout
    copy = tmp_path / "copy.ndjson"
    place.run("export", "old", "-o", str(copy), **archive)
    assert copy.read_bytes() == file.read_bytes()
    told = place.run("audit", "old", code=2)
    assert "FAIRDEAL_ARCHIVE" in told.stderr


def test_a_file_needs_no_redis(tmp_path: Path) -> None:
    file = tmp_path / "game.ndjson"
    file.write_bytes(export_of("alone"))
    nowhere = ["--redis-url", "redis://127.0.0.1:1/0"]
    assert runner.invoke(app, ["audit", str(file), *nowhere]).exit_code == 0
    frames = runner.invoke(app, ["replay", str(file), "--as", "seat:1", "--json", *nowhere])
    assert frames.exit_code == 0, frames.output
    assert [json.loads(line)["version"] for line in frames.stdout.splitlines()] == [1, 2]
    assert all(json.loads(line)["view"]["seat"] == 1 for line in frames.stdout.splitlines())


def test_an_audit_says_what_a_running_game_leaves_unproved(tmp_path: Path) -> None:
    file = tmp_path / "game.ndjson"
    file.write_bytes(export_of("running", finished=False))
    told = runner.invoke(app, ["audit", str(file)])
    assert told.exit_code == 0, told.output
    assert "ok, ranges only" in told.stdout
    assert "clean so far: running" in told.stdout
    assert "not proved until the game ends and reveals its seed" in told.stdout.splitlines()[-1]
    file.write_bytes(export_of("ended"))
    told = runner.invoke(app, ["audit", str(file)])
    assert "clean: ended" in told.stdout
    assert "ranges only" not in told.stdout
    assert "not proved" not in told.stdout


def test_what_is_no_game_says_so(tmp_path: Path) -> None:
    file = tmp_path / "no.ndjson"
    file.write_text("nonsense\n")
    for command in ("audit", "replay"):
        result = runner.invoke(app, [command, str(file)])
        assert result.exit_code == 2
        assert "no export" in result.stderr
        assert runner.invoke(app, [command, str(tmp_path / "none.ndjson")]).exit_code == 2
    file.write_bytes(export_of("g"))
    assert runner.invoke(app, ["replay", str(file), "--as", "seat:9"]).exit_code == 2
    assert runner.invoke(app, ["replay", str(file), "--as", "dealer"]).exit_code == 2


def test_a_parked_directory_entry_is_taken_up_again(place: Place) -> None:
    keys = Keys(place.namespace, partition_of("g1", PARTITIONS))
    parked = {"incident": "cafe", "version": 3, "error": "ValueError: no", "at": 5}
    place.client.hset(keys.parked("replays"), "g1", json.dumps(parked))
    assert "g1" in place.run("status").stdout
    assert json.loads(place.run("rebuild", "--json").stdout)["unparked"] == ["g1"]
    assert not place.client.exists(keys.parked("replays"))
    assert place.run("rebuild", "--game", "nobody", code=2).stderr


def test_status_shows_only_what_is_not_well(place: Place) -> None:
    roles = ["rules", "views", "replays", "bots"]
    for number in range(PARTITIONS):
        for role in roles:
            place.client.set(Keys(place.namespace, number).lease(role), "somebody")
    told = place.run("status").stdout
    assert f"All is well in {4 * PARTITIONS} of {4 * PARTITIONS} places" in told
    assert "somebody" not in told
    assert place.run("status", "--all").stdout.count("somebody") == 4 * PARTITIONS
    place.client.delete(Keys(place.namespace, 2).lease("views"))
    place.client.xadd(Keys(place.namespace, 3).commands, {"body": "{}"})
    told = place.run("status").stdout
    assert [line.split()[:3] for line in told.splitlines() if line[:1].isdigit() and "views" in line] == [
        ["2", "views", "nobody"]
    ]
    assert [line.split()[:3] for line in told.splitlines() if line[:1].isdigit() and "rules" in line] == [
        ["3", "rules", "somebody"]
    ]
    assert f"All is well in {4 * PARTITIONS - 2} of {4 * PARTITIONS} places" in told


def test_the_demo_removes_its_namespace_and_nothing_else(place: Place, redis_url: str) -> None:
    other = Keys(place.namespace, 1).log("g")
    place.client.set(other, "stays")
    mine = [Keys("demo-x", 0).log("demo"), Keys("demo-x", 7).commands, deployment_key("demo-x")]
    for key in mine:
        place.client.set(key, "goes")
    demo._remove(redis_url, "demo-x")
    assert not place.client.exists(*mine)
    assert place.client.exists(other)


def test_bots_are_told_apart_and_called_by_their_names() -> None:
    assert told_apart(["ann", "bot:odds", "bot:odds", "bot:odds"]) == [
        "ann",
        "bot:odds",
        "bot:odds:2",
        "bot:odds:3",
    ]
    assert told_apart(["ann", "ann"]) == ["ann", "ann"]  # for the service to refuse
    assert names_of(["ann", "bot:odds:bob", "bot:odds:2", "bot:odds"]) == [
        "ann",
        "bob",
        "bot:odds:2",
        "bot:odds",
    ]
    assert names_of(["bob", "bot:odds:bob"]) == ["bob", "bot:odds:bob"]
