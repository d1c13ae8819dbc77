"""`fairdeal up` and `fairdeal demo` as real processes: they do what they say and leave nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import jwt
import pytest
import redis
from typer.testing import CliRunner

from fairdeal_cli.app import app

BOUND_S = 120.0
"""How long anything here may take on a machine that is busy with other tests."""


class Fairdeal:
    """A `fairdeal` process whose descendants, and whose temporary files, can all be found."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.mark = f"FAIRDEAL_TEST_MARK={uuid4().hex}"
        self.folder = folder
        name, _, value = self.mark.partition("=")
        self.environment = os.environ | {name: value, "TMPDIR": str(folder)}
        self.environment.pop("FAIRDEAL_REDIS_URL", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fairdeal_cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            text=True,
        )
        self.said = ""

    def read_until(self, pattern: str) -> str:
        """Read its output up to a line that matches; returns the first group."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            match = re.search(pattern, line)
            if match:
                return match[1]
        raise AssertionError(f"{pattern!r} never came; it said:\n{self.said}")

    def end(self) -> int:
        """Wait for its end; returns the exit code."""
        rest, _ = self.process.communicate(timeout=BOUND_S)
        self.said += rest
        return self.process.returncode

    def processes(self) -> list[int]:
        """This process and all its descendants that are alive, by the mark in their environment."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                alive = (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                if alive and self.mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except (OSError, IndexError):
                continue
        return found

    def nothing_is_left(self) -> None:
        wait_until(lambda: not self.processes(), "all its processes to be gone")
        assert list(self.folder.iterdir()) == []


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + BOUND_S
    while not condition():
        assert time.monotonic() < deadline, f"waited {BOUND_S:.0f} s for {what}"
        time.sleep(0.05)


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds descendants by /proc")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Fairdeal]]:
    """Starts `fairdeal` processes, each with a temporary folder of its own; ends what a failed test leaves."""
    started: list[Fairdeal] = []

    def make(*arguments: str) -> Fairdeal:
        started.append(Fairdeal(tmp_path_factory.mktemp("tmp"), *arguments))
        return started[-1]

    yield make
    for one in started:
        for pid in one.processes():
            os.kill(pid, signal.SIGKILL)
        one.process.wait(BOUND_S)
        assert one.process.stdout is not None
        one.process.stdout.close()


def test_the_demo_shows_a_takeover_and_a_clean_audit_and_leaves_nothing(
    start: Callable[..., Fairdeal],
) -> None:
    demo = start("demo")
    assert demo.end() == 0, demo.said
    said = demo.said
    assert re.search(r"kill -9 \d+  rules-[12]", said), said
    assert re.search(r"rules-[12] has taken over", said), said
    assert re.search(r"\w+ wins\.", said), said
    for check in ("chain", "seed", "draws", "execution", "conservation", "views"):
        assert re.search(rf"^{check} +ok", said, re.MULTILINE), said
    assert "clean: demo, perudo@1" in said
    commits, receipts = (
        int(found[1])
        for name in ("commits in the log", "receipts")
        if (found := re.search(rf"{name} +(\d+)", said))
    )
    assert commits == receipts > 10
    assert "\x1b[" not in said  # plain lines where stdout is no terminal
    demo.nothing_is_left()


def test_a_demo_that_is_interrupted_leaves_nothing(start: Callable[..., Fairdeal]) -> None:
    demo = start("demo")
    demo.read_until(r"(worker processes serve)")
    demo.process.send_signal(signal.SIGINT)
    assert demo.end() == 130
    demo.nothing_is_left()


def test_a_demo_that_is_killed_leaves_no_process(start: Callable[..., Fairdeal]) -> None:
    demo = start("demo")
    demo.read_until(r"(worker processes serve)")
    assert len(demo.processes()) > 5
    demo.process.kill()
    demo.process.wait(BOUND_S)
    wait_until(lambda: not demo.processes(), "all processes of a killed demo to be gone")


class Up:
    """A running `fairdeal up`, and the other commands run against it."""

    def __init__(self, up: Fairdeal) -> None:
        self.up = up
        self.url = up.read_until(r"Redis  (redis://\S+)")
        up.read_until(r"(Ctrl-C ends it)")

    def run(self, *arguments: str, code: int = 0, stdin: str | None = None) -> str:
        """Run a command, check its exit code, return its stdout."""
        done = CliRunner().invoke(app, arguments, env={"FAIRDEAL_REDIS_URL": self.url}, input=stdin)
        assert done.exit_code == code, f"{arguments}: {done.exit_code}\n{done.output}"
        return done.stdout


@pytest.fixture(scope="module")
def running(start: Callable[..., Fairdeal]) -> Iterator[Up]:
    """One that the tests share, each with games of its own; in the end it leaves nothing."""
    up = Up(start("up", "--durable"))
    yield up
    up.up.process.send_signal(signal.SIGINT)
    assert up.up.end() == 0, up.up.said
    up.up.nothing_is_left()


def test_a_game_is_played_watched_replayed_and_audited_by_commands(running: Up, tmp_path: Path) -> None:
    run = running.run
    assert "ann" in run("new", "perudo", "--players", "ann,bob", "--game", "g1", "-o", "dice_per_player=1")
    view = json.loads(run("view", "g1", "--json"))
    first, second = (view["to_act"][0], 1 - view["to_act"][0])
    refused = run("act", "g1", str(second), "perudo.bid", "quantity=1", "face=2", "--json", code=1)
    assert json.loads(refused)["code"] == "not_your_turn"
    receipt = json.loads(
        run(
            "act", "g1", str(first), '{"type": "perudo.bid", "quantity": 2, "face": 6}', "--id", "x", "--json"
        )
    )
    assert receipt == json.loads(
        run("act", "g1", str(first), "perudo.bid", "quantity=2", "face=6", "--id", "x", "--json")
    )
    run("act", "g1", str(second), "perudo.dudo", "--expect", "1", code=1)
    run("act", "g1", f"seat:{second}", "dudo", "--expect", "1", code=1)
    run("act", "g1", str(second), "xyzzy", code=2)
    run("act", "nobody", "0", "dudo", code=2)
    run("act", "g1", str(second), "perudo.dudo", "--expect", "2")
    assert "The bid stands" not in run("view", "g1", "--as", f"seat:{first}", "--at-least", "3")
    story = run("watch", "g1")
    assert "wins" in story
    assert run("replay", "g1") == story
    assert run("replay", "g1", "--as", "audit").count(" rolls [") > story.count(" rolls [")
    wait_until(lambda: json.loads(run("games", "--json"))["games"], "the directory to list the game")
    assert json.loads(run("games", "--player", "ann", "--json"))["games"][0]["status"] == "finished"
    run("audit", "g1")
    run("replay", "g1", "--as", "seat:7", code=2)
    run("audit", "nobody", code=2)

    export = tmp_path / "g1.ndjson"
    run("export", "g1", "-o", str(export))
    assert json.loads(run("audit", str(export), "--json"))["clean"] is True
    assert run("replay", str(export)) == story
    export.write_bytes(export.read_bytes().replace(b"ann", b"eve"))
    told = json.loads(run("audit", str(export), "--json", code=1))
    assert {check["name"] for check in told["checks"] if check["verdict"] == "failed"} >= {"file", "chain"}

    assert "1 game: 1 same" in run("rebuild", "--game", "g1")
    status = json.loads(run("status", "--json"))
    assert {role: len(workers) for role, workers in status["workers"].items()} == {
        "rules": 1,
        "views": 1,
        "replays": 1,
        "bots": 1,
    }
    run("doctor")


def test_a_person_plays_online_against_bots(running: Up) -> None:
    said = running.run("play", "--redis-url", running.url, "--bots", "2", stdin="help\nquit\n")
    assert "Your game is" in said
    assert "Type a bid such as" in said
    assert "You resign." in said
    assert "You leave the table." in said
    assert "stays yours" not in said
    said = running.run("play", "--redis-url", running.url, "--bots", "2", stdin="")
    assert "You resign." not in said
    assert "Seat 0 stays yours in the game" in said
    assert "fairdeal play --online" in said


def test_what_cannot_be_handled_is_listed_sent_again_and_purged(running: Up) -> None:
    run = running.run
    run("new", "perudo", "--players", "ann,bob", "--game", "g9")
    with redis.Redis.from_url(running.url) as client:
        for number in range(8):
            client.xadd(f"{{fairdeal:{number}}}:commands", {"nonsense": str(number)})
    wait_until(lambda: len(json.loads(run("dead", "list", "--json"))) == 8, "eight dead letters")
    letter = json.loads(run("dead", "list", "--json"))[0]["id"]
    assert "malformed" in run("dead", "inspect", letter)
    run("dead", "replay", letter, code=2)
    run("dead", "purge", letter, "--yes")
    run("dead", "inspect", letter, code=2)
    crashed = {
        "__data__": '{"id":"c9","game":"g9","seat":0,"action":{"type":"game.resign"}}',
        "entry": "5-0",
        "reason": "crashed",
        "incident": "cafe",
        "error": "ValueError",
    }
    with redis.Redis.from_url(running.url) as client:
        client.xadd("{fairdeal:0}:dead", crashed)
    (again,) = [one["id"] for one in json.loads(run("dead", "list", "--json")) if one["incident"] == "cafe"]
    (outcome,) = json.loads(run("dead", "replay", again, "--json"))
    assert outcome["receipt"]["status"] == "accepted"
    run("dead", "purge", "--all", "-y")
    assert json.loads(run("dead", "list", "--json")) == []


def test_a_worker_that_dies_is_started_again_and_a_killed_up_leaves_no_process(
    start: Callable[..., Fairdeal],
) -> None:
    up = Up(start("up"))
    (name,) = json.loads(up.run("status", "--json"))["workers"]["views"]
    os.kill(int(name.split("-")[-2]), signal.SIGKILL)
    assert up.up.read_until(r"The worker (\w+) ended with exit code -9 and is started again") == "views"
    up.run("new", "perudo", "--players", "ann,bob", "--game", "g1")

    def shown() -> bool:
        status = json.loads(up.run("status", "--json"))
        return all(one["lag"] == 0 for partition in status["partitions"] for one in partition["progress"])

    wait_until(shown, "the new views worker to have done all")
    assert json.loads(up.run("view", "g1", "--json"))["version"] == 1
    up.up.process.kill()
    up.up.process.wait(BOUND_S)
    wait_until(lambda: not up.up.processes(), "all processes of a killed `up` to be gone")


def test_up_with_a_data_folder_goes_on_where_it_ended(start: Callable[..., Fairdeal], tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = Up(start("up", "--data", str(data)))
    first.run("new", "perudo", "--players", "ann,bob", "--game", "g1")
    first.up.process.send_signal(signal.SIGTERM)
    assert first.up.end() == 0, first.up.said
    second = Up(start("up", "--data", str(data)))
    seat = json.loads(second.run("view", "g1", "--json"))["to_act"][0]
    second.run("act", "g1", str(seat), "perudo.bid", "quantity=1", "face=2")
    assert (data / "secret").stat().st_mode & 0o077 == 0


def test_up_does_not_start_a_redis_beside_the_one_that_is_named(
    start: Callable[..., Fairdeal], redis_url: str
) -> None:
    up = start("up", "--redis-url", redis_url, "--durable")
    assert up.end() == 2
    assert "--durable" in up.said


# The web table


def _fetch(url: str, token: str | None = None, **headers: str) -> bytes:
    request = urllib.request.Request(
        url, headers=headers | ({"Authorization": f"Bearer {token}"} if token else {})
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        content: bytes = answer.read()
        return content


def test_up_prints_the_web_table_s_address_with_a_host_s_token(running: Up) -> None:
    address = re.search(r"web +(http://127\.0\.0\.1:\d+/)#token=(\S+)", running.up.said)
    assert address is not None, running.up.said
    base, token = address[1], address[2]
    assert b"<html" in _fetch(base)
    assert json.loads(_fetch(f"{base}token", token))["scope"] == "host"
    assert json.loads(_fetch(f"{base}operations", token))["deployment"]["partitions"] == 8
    for log in running.up.folder.rglob("*.log"):
        assert token not in log.read_text(errors="replace")


def test_the_gateway_of_up_has_no_dealer_s_secret(running: Up) -> None:
    environments = {
        part: Path(f"/proc/{pid}/environ").read_bytes()
        for pid in running.up.processes()
        for part in ("gateway", "rules")
        if f"\0{part}".encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    }
    assert b"FAIRDEAL_SECRET=" in environments["rules"]
    assert b"FAIRDEAL_SECRET" not in environments["gateway"]
    assert b"FAIRDEAL_TOKEN_SECRET=" in environments["gateway"]
    assert b"FAIRDEAL_TOKEN_SECRET" not in environments["rules"]


def test_the_demo_leaves_its_game_on_the_web_table_until_it_is_ended(start: Callable[..., Fairdeal]) -> None:
    demo = start("demo", "--web")
    address = demo.read_until(r"(http://127\.0\.0\.1:\d+/#/replay/demo\?token=\S+)")
    base, _, token = address.partition("#/replay/demo?token=")
    replay = json.loads(_fetch(f"{base}games/demo/replay?as=audit", token))
    assert replay["frames"][-1]["view"]["phase"] == "finished"
    assert json.loads(_fetch(f"{base}games/demo/audit", token))["clean"]
    demo.process.send_signal(signal.SIGINT)
    assert demo.end() == 0
    assert "All processes are stopped" in demo.said
    assert demo.processes() == []


def test_a_token_is_minted_by_command() -> None:
    environment = {"FAIRDEAL_TOKEN_SECRET": "a secret for tokens, of at least 32 characters"}
    runner = CliRunner(env=environment)
    result = runner.invoke(app, ["token", "seat", "--game", "g", "--seat", "1", "--json"])
    assert result.exit_code == 0, result.output
    minted = json.loads(result.stdout)
    claims = jwt.decode(minted["token"], environment["FAIRDEAL_TOKEN_SECRET"], algorithms=["HS256"])
    assert (claims["scope"], claims["game"], claims["seat"], claims["jti"]) == ("seat", "g", 1, minted["id"])
    assert CliRunner(env=environment).invoke(app, ["token", "seat"]).exit_code == 2
    refused = CliRunner(env={"FAIRDEAL_TOKEN_SECRET": ""}).invoke(app, ["token", "host"])
    assert refused.exit_code == 2
    assert "FAIRDEAL_TOKEN_SECRET" in refused.stderr
