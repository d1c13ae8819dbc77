"""The OpenAPI document: valid, true of the routes, its examples of its schemas; and schemathesis against a gateway."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from fairdeal_gateway.described import OPERATIONS
from fairdeal_gateway.examples import GAME, examples
from fairdeal_gateway.openapi import document, openapi, paths
from fairdeal_gateway.operations import operations
from fairdeal_gateway.routes import ROUTES
from fairdeal_local import Table
from fairdeal_replays import frames
from redis_server import RedisServer
from support.following import played
from support.gateway import Door, Stage, open_door
from support.workers import Worker, serving

NAMESPACE = "gateway-openapi"

DOCUMENT: dict[str, Any] = json.loads(document())


def test_the_document_is_what_openapi_31_says() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    for name, schema in DOCUMENT["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema.get("description"), name
    text = document().decode()
    assert "$defs" not in text
    for reference in set(_references(DOCUMENT)):
        place: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def test_every_route_is_described_and_nothing_else() -> None:
    served = {
        (method, path.replace(":str", "").replace("{token_id}", "{id}"))
        for handler in (*ROUTES, operations)
        for path in handler.paths
        for method in handler.http_methods
    }
    assert served == set(paths())
    assert openapi.paths == {"/openapi.json"}
    scopes = {
        (method, path): handler.opt.get("scopes", ())
        for handler in (*ROUTES, operations)
        for path in handler.paths
        for method in handler.http_methods
    }
    for operation in OPERATIONS:
        path = operation.path.replace("{game}", "{game:str}").replace("{id}", "{token_id:str}")
        assert set(scopes[operation.method.upper(), path]) == set(operation.scopes), path


def test_examples_are_of_their_schemas() -> None:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for media in (media for body in bodies for media in body.get("content", {}).values()):
                for name, example in media.get("examples", {}).items():
                    problem = _invalid(media["schema"], example["value"])
                    assert problem is None, f"{method} {path} {name}: {problem}"
    shown = {name for operation in OPERATIONS for name in (operation.id, f"{operation.id}:request")}
    assert set(examples()) <= shown
    assert all(f"{one.id}:request" in examples() for one in OPERATIONS if one.body is not None)


def _invalid(schema: Any, value: Any) -> str | None:
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "components": DOCUMENT["components"],
        **schema,
    }
    error = next(Draft202012Validator(whole).iter_errors(value), None)
    return None if error is None else str(error.message)[:300]


@pytest.mark.parametrize(
    "ruleset", ["perudo", "kuhhandel", "demoludy", "real_or_fake", "perekupai", "pan_tu_nie_stal"]
)
def test_frames_of_every_ruleset_are_of_the_schema(ruleset: str) -> None:
    table = Table.open(ruleset, players=3, name="g", dealer=5)
    random = Random(5)
    while not table.finished and table.version < 25:
        seat = random.choice(table.view().to_act)
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    for viewer in ("table", 1):
        for frame in list(frames(table.log, viewer))[-3:]:  # type: ignore[arg-type]
            assert (
                _invalid({"$ref": "#/components/schemas/SeenFrame"}, json.loads(msgspec.json.encode(frame)))
                is None
            )


# schemathesis


@pytest.fixture(scope="module")
def workers(redis_server: RedisServer) -> Iterator[None]:
    with Worker(redis_server.url, NAMESPACE, "rules", "views", "replays"):
        yield


@pytest.fixture
async def door(redis_url: str, redis_client: Any, workers: None) -> AsyncIterator[Door]:
    await serving(redis_client, NAMESPACE, "replays")
    # A finished game: its streams end by themselves.
    await Stage(redis_client, NAMESPACE, 8).show(played(GAME))
    async with open_door(redis_url, NAMESPACE) as door:
        yield door


_CONFIG = """
[checks.positive_data_acceptance]
# What the schema allows the rules may still refuse: they know the game.
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "422"]
"""


@pytest.mark.parametrize(
    ("scope", "phases"),
    [("host", "examples,coverage,fuzzing"), ("audit", "examples,fuzzing")],
    ids=["host", "audit"],
)
async def test_schemathesis_finds_nothing(door: Door, scope: str, phases: str, tmp_path: Path) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text(_CONFIG)
    token = door.mint(scope).token
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"),
        *(
            f"{door.base}/openapi.json",
            "-H",
            f"Authorization: Bearer {token}",
            "--max-examples",
            "6",
            "--seed",
            "1",
        ),
        *("--phases", phases, "--no-color", "--request-timeout", "10"),
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), 420)
    assert process.returncode == 0, said.decode()[-6000:]
