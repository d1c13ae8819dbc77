"""What every command promises: errors in words, exit codes that mean something, JSON for programs."""

import asyncio
import json

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from typer.testing import CliRunner

from fairdeal_cli import about
from fairdeal_cli.app import app
from fairdeal_cli.embedded import free_port
from fairdeal_cli.problems import Problem
from fairdeal_worker import run
from fairdeal_worker.settings import Settings

runner = CliRunner()


def test_no_redis_says_how_to_get_one() -> None:
    url = f"redis://user:hunter2@127.0.0.1:{free_port()}/0"
    result = runner.invoke(app, ["status", "--redis-url", url])
    assert result.exit_code == 2
    assert "does not answer" in result.stderr
    assert "fairdeal up" in result.stderr
    assert "hunter2" not in result.output
    assert "Traceback" not in result.output


def test_a_problem_is_json_when_json_is_asked_for() -> None:
    url = f"redis://127.0.0.1:{free_port()}/0"
    result = runner.invoke(app, ["status", "--redis-url", url, "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert set(json.loads(result.stderr)["error"]) == {"what", "why", "next"}


def test_a_bad_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRDEAL_REDIS_URL", "localhost:6379")
    result = runner.invoke(app, ["status"])
    assert result.exit_code == 2
    assert "redis://host:port/db" in result.stderr


def test_a_bad_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRDEAL_PARTITIONS", "many")
    result = runner.invoke(app, ["status"])
    assert result.exit_code == 2
    assert "FAIRDEAL_PARTITIONS" in result.stderr


def test_a_defect_is_said_to_be_one_and_shown_with_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError("by nobody")

    monkeypatch.setattr(about, "describe", broken)
    result = runner.invoke(app, ["rulesets"])
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stderr
    assert "--traceback" in result.stderr
    result = runner.invoke(app, ["rulesets", "--traceback"])
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Problem("no")])
def test_interruption_and_problems_have_their_codes(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> None:
        raise error

    monkeypatch.setattr(about, "describe", broken)
    result = runner.invoke(app, ["rulesets"])
    assert result.exit_code == (130 if isinstance(error, KeyboardInterrupt) else 2)


def test_every_command_has_help_and_no_secret_default() -> None:
    names = [command.name or "" for command in app.registered_commands]
    assert {"demo", "up", "play", "audit", "doctor", "bench"} <= set(names)
    for name in names:
        result = runner.invoke(app, [name, "--help"], env={"COLUMNS": "200"})
        assert result.exit_code == 0, result.output
        assert "--traceback" in result.output


def test_rulesets_tell_their_options_and_presets() -> None:
    told = json.loads(runner.invoke(app, ["rulesets", "perudo", "--json"]).stdout)
    assert told["seats"] == [2, 6]
    assert told["options"]["calza"] == {
        "default": False,
        "values": "true or false",
        "note": "Whether Calza may be called at all; the other `calza_` options say nothing without it.",
    }
    assert "asmodee" in told["presets"]
    words = runner.invoke(app, ["rulesets", "perudo"])
    assert "dice_per_player" in words.stdout
    assert "preset=asmodee" in words.stdout


def test_schema_finds_and_mends_drift(tmp_path) -> None:
    folder = tmp_path / "contracts"
    folder.mkdir()
    assert runner.invoke(app, ["schema", "--folder", str(folder), "--check"]).exit_code == 1
    written = runner.invoke(app, ["schema", "--folder", str(folder)])
    assert written.exit_code == 0, written.output
    assert (folder / "asyncapi.json").is_file()
    assert runner.invoke(app, ["schema", "--folder", str(folder), "--check"]).exit_code == 0
    (folder / "asyncapi.json").write_text("{}")
    drifted = runner.invoke(app, ["schema", "--folder", str(folder), "--check"])
    assert drifted.exit_code == 1
    assert "asyncapi.json" in drifted.stdout
    assert runner.invoke(app, ["schema", "--folder", str(tmp_path / "nowhere")]).exit_code == 2


def test_version_names_what_is_installed() -> None:
    told = json.loads(runner.invoke(app, ["version", "--json"]).stdout)
    assert told["fairdeal"]
    assert "perudo@1" in told["rulesets"]
    assert told["redis-server"][0].isdigit()


def test_a_shell_completes_rulesets_and_their_options() -> None:
    def complete(words: str) -> list[str]:
        environment = {
            "_FAIRDEAL_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        }
        return runner.invoke(app, [], env=environment, prog_name="fairdeal").stdout.split()

    assert complete("fairdeal new peru") == ["perudo"]
    assert complete("fairdeal new perudo -o dice") == ["dice_per_player=5"]
    assert "preset=asmodee" in complete("fairdeal play perudo --option pre")
    assert complete("fairdeal new -o dice") == []


@pytest.mark.parametrize(
    "words",
    [
        ["new", "perudo", "--players", "ann,bob", "--game", "we ird"],
        ["view", "we ird"],
        ["act", "we ird", "0", "perudo.dudo"],
        ["watch", "we ird"],
        ["export", "we ird"],
        ["replay", "we ird"],
        ["audit", "we ird"],
        ["rebuild", "--game", "we ird"],
        ["play", "--online", "we ird"],
    ],
)
def test_what_cannot_be_a_games_id_is_said_before_redis_is_asked(words: list[str]) -> None:
    result = runner.invoke(app, [*words, "--redis-url", "redis://127.0.0.1:1/0"])
    assert result.exit_code == 2
    assert "'we ird' is no game's id" in result.stderr
    assert "1 to 64 of A-Z a-z 0-9 _ -" in result.stderr
    assert "defect" not in result.stderr


def test_what_cannot_be_a_commands_id_is_said() -> None:
    result = runner.invoke(app, ["act", "g", "0", "perudo.dudo", "--id", "ä"])
    assert result.exit_code == 2
    assert "'ä' is no command's id" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["view", "g"],
        ["watch", "g"],
        ["act", "g", "seat:0", "perudo.dudo"],
        ["new", "perudo", "--players", "ann,bob"],
    ],
)
def test_a_client_without_redis_says_how_to_get_one(words: list[str]) -> None:
    result = runner.invoke(app, [*words, "--redis-url", f"redis://127.0.0.1:{free_port()}/0"])
    assert result.exit_code == 2
    assert "does not answer" in result.stderr
    assert "Start everything with `fairdeal up`" in result.stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["view"], "Missing argument 'game'"),
        (["view", "g", "--colour"], "No such option: --colour"),
        (["view", "g", "--at-least", "soon"], "Invalid value for '--at-least'"),
        (["games", "--status", "odd"], "Invalid value for '--status'"),
        (["dead", "list", "--colour"], "No such option: --colour"),
        (["veiw", "g"], "No such command 'veiw'"),
    ],
)
def test_wrong_usage_is_json_when_json_is_asked_for(words: list[str], what: str) -> None:
    result = runner.invoke(app, [*words, "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    told = json.loads(result.stderr)["error"]
    assert what.lower() in told["what"].lower()
    assert told["next"].endswith("--help`")
    plain = runner.invoke(app, words)
    assert plain.exit_code == 2
    assert "Usage:" in plain.stderr


def test_json_leaves_out_what_is_not_said() -> None:
    result = runner.invoke(app, ["rulesets", "chess", "--json"])
    assert set(json.loads(result.stderr)["error"]) == {"what", "next"}


def test_a_worker_that_waits_for_redis_says_so_once_not_at_each_try(monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[str] = []
    tries: list[int] = []

    class Log:
        def warning(self, event: str, **more: object) -> None:
            words.append(event)

    async def refused(*given: object, **more: object) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise RedisConnectionError("nobody there")

    monkeypatch.setattr(run, "join_deployment", refused)
    monkeypatch.setattr(run, "monotonic", lambda: 100.0)
    asyncio.run(run._first_contact(None, Settings(), Log(), deals=False))
    assert len(tries) == 3
    assert words == ["waiting_for_redis"]
