"""Every snippet in the README is a file, and every one of those files is run here."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from fairdeal.game import Player
from fairdeal.wire import Keys
from fairdeal_bots.practice import play_out
from fairdeal_bots.registry import bot_for
from fairdeal_local import Table
from redis_server import RedisServer
from support.needs import skip_unless
from support.workers import Worker

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SNIPPET = re.compile(r"<!-- (?P<path>\S+) -->\n```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def service() -> Iterator[dict[str, str]]:
    """Everything running on a Redis of its own; gives the environment for a script that uses it."""
    with (
        RedisServer() as server,
        Worker(server.url, "fairdeal", "rules", "views", "replays", "bots") as worker,
    ):
        _wait_until_served(server.url)
        yield os.environ | {"FAIRDEAL_REDIS_URL": server.url}
        assert worker.alive


def _wait_until_served(url: str, seconds: float = 60) -> None:
    """Wait until a worker holds the leases of all partitions in every role."""
    leases = [
        Keys("fairdeal", p).lease(role) for p in range(8) for role in ("rules", "views", "replays", "bots")
    ]
    deadline = time.monotonic() + seconds
    with redis.Redis.from_url(url) as client:
        while client.exists(*leases) < len(leases):
            assert time.monotonic() < deadline, f"not all partitions were served within {seconds} s"
            time.sleep(0.05)


def run(*argv: str, env: dict[str, str], seconds: float = 60) -> str:
    done = subprocess.run(
        argv, env=env, capture_output=True, text=True, timeout=seconds, cwd=ROOT, check=False
    )
    assert done.returncode == 0, f"{argv} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_snippets_are_the_files() -> None:
    text = README.read_text()
    found = list(SNIPPET.finditer(text))
    assert {Path(match["path"]).name for match in found} == {"backend.py", "wire.sh", "six_lines.py"}
    if os.environ.get("FAIRDEAL_UPDATE_README"):
        filled = SNIPPET.sub(
            lambda m: f"<!-- {m['path']} -->\n```{m['language']}\n{(ROOT / m['path']).read_text()}```", text
        )
        README.write_text(filled)
        return
    for match in found:
        assert match["text"] == (ROOT / match["path"]).read_text(), (
            f"{match['path']} and the README differ: FAIRDEAL_UPDATE_README=1 pytest tests/test_readme.py"
        )


def test_every_promise_names_tests_that_exist() -> None:
    promises = README.read_text().partition("## What is promised")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(test_\w+)`", promises))
    assert len(named) >= 8
    missing = {name for name in named if not (ROOT / "tests" / f"{name}.py").exists()}
    assert not missing


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text()):
        assert (ROOT / target).exists(), f"the README links to {target}, which is not there"


@pytest.mark.parametrize(("tampered", "verdict"), [(False, 0), (True, 1)])
def test_six_lines_tell_a_fair_game_from_another(tmp_path: Path, tampered: bool, verdict: int) -> None:
    game = Table.open("perudo", players=[Player(id="a", entropy="salt"), Player(id="b")])
    play_out(game, dict.fromkeys(range(2), bot_for("perudo", "bot:random")))
    lines = [{"version": w.commit.version, "h": w.hash.hex(), "c": w.body.decode()} for w in game.written]
    if tampered:
        number, line = next((n, x) for n, x in enumerate(lines) if n and '"dice":[[' in str(x["c"]))
        other = re.sub(r'"dice":\[\[(\d)', lambda m: f'"dice":[[{int(m[1]) % 6 + 1}', str(line["c"]), count=1)
        lines[number] = line | {"c": other}
    file = tmp_path / "game.ndjson"
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    argv = [sys.executable, "tests/snippets/six_lines.py", str(file)]
    done = subprocess.run(argv, cwd=ROOT, check=False, timeout=30)
    assert done.returncode == verdict


def test_the_backend_plays_a_game(service: dict[str, str]) -> None:
    said = run(sys.executable, "tests/snippets/backend.py", env=service)
    assert "places by seat:" in said
    assert "'Finished'" in said.splitlines()[-1]


def test_the_wire_answers_redis_cli(service: dict[str, str]) -> None:
    skip_unless(shutil.which("redis-cli"), "The wire snippet needs redis-cli: apt-get install redis-tools")
    said = run("bash", "tests/snippets/wire.sh", env=service)
    assert said.count('"status":"accepted"') + said.count('\\"status\\":\\"accepted\\"') == 3
    assert "bid_not_higher" in said
    assert "game.created" in said


def test_a_stranger_needs_nothing_but_the_wire(service: dict[str, str]) -> None:
    said = run(sys.executable, "tests/snippets/stranger.py", service["FAIRDEAL_REDIS_URL"], env=service)
    assert "all as committed to" in said
