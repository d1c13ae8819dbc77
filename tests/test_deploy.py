"""The deployment files say what the code takes, and the real server takes what they say."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import redis
import typer
import yaml

from fairdeal.codec import encode_json
from fairdeal.receipt import Receipt
from fairdeal.schema.records import notes_of
from fairdeal.wire import Keys
from fairdeal_cli.app import app
from fairdeal_cli.roles import WHERE
from fairdeal_gateway.settings import GatewaySettings
from fairdeal_local import Table
from fairdeal_worker.settings import Settings, read_settings, settings_from
from redis_server import RedisServer
from support.harness import play_random
from support.perudo import talkative

DEPLOY = Path(__file__).parent.parent / "deploy"
KINDS: Any = (Settings, GatewaySettings)
BYTES_BESIDE_JSON = 190
"""What a commit may cost in Redis beyond its JSON, the chain hash's 64 digits and the receipt included."""


def expected_env() -> str:
    """`env.example` as the settings would have it: every field's note, name and default, commented out."""
    return "\n".join(
        f"# {notes_of(kind)[field.name]}\n#FAIRDEAL_{field.name.upper()}={field.default}\n"
        for kind in KINDS
        for field in msgspec.structs.fields(kind)
    )


def settings_listed() -> str:
    """`env.example` without its opening words."""
    return (DEPLOY / "env.example").read_text().partition("\n\n")[2]


def test_env_example_lists_every_setting_with_its_comment_and_default() -> None:
    assert settings_listed() == expected_env(), (
        "deploy/env.example and Settings differ: make them say the same"
    )


def test_env_example_uncommented_is_what_a_process_without_settings_has() -> None:
    lines = re.findall(r"^#(FAIRDEAL_\w+)=(.*)$", settings_listed(), re.MULTILINE)
    assert settings_from(dict(lines)) == Settings()
    assert read_settings(GatewaySettings, (), dict(lines)) == GatewaySettings()


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def workers(compose: Any) -> dict[str, Any]:
    return {name: service for name, service in compose["services"].items() if name != "redis"}


def test_compose_runs_every_role_and_the_rules_twice(compose: Any) -> None:
    commands = {name: service["command"] for name, service in workers(compose).items()}
    gateway = {"gateway": ["gateway", "--host", "0.0.0.0"]}
    assert commands == {role: ["work", role] for role in WHERE} | gateway
    assert compose["services"]["rules"]["deploy"]["replicas"] == 2


@pytest.mark.parametrize(
    ("service", "variable"), [("rules", "FAIRDEAL_SECRET_FILE"), ("gateway", "FAIRDEAL_TOKEN_SECRET_FILE")]
)
def test_compose_gives_each_secret_to_one_service_alone(compose: Any, service: str, variable: str) -> None:
    (secret,) = compose["services"][service]["secrets"]
    assert [name for name, one in compose["services"].items() if secret in one.get("secrets", [])] == [
        service
    ]
    assert compose["services"][service]["environment"][variable] == f"/run/secrets/{secret}"
    assert [name for name, one in workers(compose).items() if variable in one["environment"]] == [service]
    assert (
        compose["secrets"][secret]["file"].removeprefix("./") in (DEPLOY / ".gitignore").read_text().split()
    )


def test_compose_sets_only_what_settings_know(compose: Any) -> None:
    known = {f"FAIRDEAL_{field.name.upper()}" for kind in KINDS for field in msgspec.structs.fields(kind)}
    for service in workers(compose).values():
        assert service["environment"].keys() <= known | {"FAIRDEAL_SECRET_FILE", "FAIRDEAL_TOKEN_SECRET_FILE"}
        assert service["environment"]["FAIRDEAL_REDIS_URL"] == "redis://redis:6379/0"


def test_compose_restarts_everything_and_lets_it_end_in_peace(compose: Any) -> None:
    for name, service in compose["services"].items():
        assert service["restart"] == "unless-stopped", name
        assert service["ulimits"]["nofile"] >= 65536, name
        assert int(service["stop_grace_period"].removesuffix("s")) * 1000 > 2 * Settings().lease_ms, name
    for name, service in workers(compose).items():
        assert service["depends_on"] == {"redis": {"condition": "service_healthy"}}, name


def test_compose_names_only_what_is_there(compose: Any) -> None:
    for service in compose["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = (DEPLOY / source).is_file() if source.startswith(".") else source in compose["volumes"]
            assert there, volume
    build = compose["x-worker"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    for wanted in re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE):
        assert all((DEPLOY.parent / path).exists() for path in wanted.split()), wanted


def test_the_readme_names_commands_that_there_are() -> None:
    named = set(re.findall(r"\bfairdeal ([a-z]+)", (DEPLOY / "README.md").read_text()))
    assert named >= {"doctor", "status", "rebuild", "dead", "audit"}
    assert named <= typer.main.get_command(app).commands.keys()


def test_the_night_s_table_quotes_what_is_really_said() -> None:
    services = DEPLOY.parent / "services"
    said = re.sub(r'"\s+f?"', "", "".join(path.read_text() for path in services.rglob("*.py")))
    table = (DEPLOY / "README.md").read_text().partition("## At 3 a.m.")[2]
    quoted = re.findall(r"^\| `(.+?)`(?:, `(.+?)`)? \|", table, re.MULTILINE)
    parts = [part.strip() for row in quoted for text in row for part in text.split("…") if part.strip()]
    assert len(parts) > 6
    assert [part for part in parts if part not in said] == []


def conf() -> dict[str, str]:
    lines = (DEPLOY / "redis.conf").read_text().splitlines()
    pairs = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {name: value.strip('"') for name, value in pairs}


@pytest.fixture(scope="module")
def deployed() -> Iterator[redis.Redis]:
    """A client of the real server, started with `redis.conf`."""
    server = RedisServer(include=str(DEPLOY / "redis.conf"))
    with server, redis.Redis(port=server.port) as client:
        yield client


def test_the_server_takes_every_line_of_redis_conf(deployed: redis.Redis) -> None:
    units = {"kb": 2**10, "mb": 2**20, "gb": 2**30}
    for name, value in conf().items():
        if value[-2:] in units:
            value = str(int(value[:-2]) * units[value[-2:]])
        assert deployed.config_get(name) == {name: value}


def test_what_an_accepted_command_needs_to_last_is_in_redis_conf() -> None:
    said = conf()
    assert (said["appendonly"], said["appendfsync"], said["maxmemory-policy"]) == (
        "yes",
        "always",
        "noeviction",
    )


def test_a_commit_costs_little_besides_its_json(deployed: redis.Redis) -> None:
    """Its hash, its place in the stream, its command's receipt; one of twenty commands is rejected besides."""
    keys = Keys("memory", 0)
    cost = commits = 0
    for seed in range(6):
        table = play_random(Table.open("perudo", 6, dealer=seed), Random(seed), weigh=talkative)
        game = f"01JD{seed:022d}"
        log, receipts = keys.log(game), keys.receipts(game)
        for version, written in enumerate(table.written, 1):
            deployed.xadd(log, {"c": written.body, "h": written.hash.hex()}, id=f"{version}-0")
            deployed.hset(receipts, f"01JE{version:022d}", str(version))
            if version % 20 == 0:
                rejected = Receipt("01JF", game, "rejected", version, "stale", message="x" * 150)
                deployed.hset(receipts, f"01JF{version:022d}", encode_json(rejected))
            cost -= len(written.body)
        cost += sum(deployed.memory_usage(key, samples=0) for key in (log, receipts))
        commits += table.version
    assert cost / commits <= BYTES_BESIDE_JSON
