"""The checked-in documents are what the records say, and what the records say is true of real games."""

import json
import os
import shutil
import subprocess
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from fairdeal import schema
from fairdeal.codec import Malformed, decode_command, decode_commit, decode_receipt, encode_json
from fairdeal.commit import EVENTS, GENESIS, AnyEvent, chain
from fairdeal.envelope import ACTIONS, AnyAction, Command
from fairdeal.games import RULESETS
from fairdeal.schema.asyncapi import draft7
from fairdeal.schema.records import document, example_of
from fairdeal.visibility import audiences
from fairdeal.wire import Keys, partition_of
from fairdeal_local import Table
from fairdeal_replays.export import write_export
from fairdeal_replays.summary import Listing
from fairdeal_rules.ruleset import rules_for
from support.harness import play_random
from support.needs import skip_unless

CONTRACTS = Path(__file__).parent.parent / "contracts"
PARSE = """
const { Parser } = require("@asyncapi/parser");
const text = require("fs").readFileSync(process.argv[1], "utf8");
new Parser().parse(text).then(({ document, diagnostics }) => {
  console.log(JSON.stringify({ parsed: document !== undefined, diagnostics }));
});
"""
ERROR, WARNING = 0, 1


@cache
def written(path: str) -> Any:
    return json.loads((CONTRACTS / path).read_bytes())


@cache
def validator(path: str) -> Draft202012Validator:
    return Draft202012Validator(written(path))


SCHEMAS = sorted(path for path in schema.documents() if path.startswith("schema/"))


def test_checked_in_documents_are_those_of_the_records() -> None:
    drifted = schema.check(CONTRACTS)
    assert not drifted, f"{', '.join(drifted)} differ from the records: run `fairdeal schema` and commit"


def test_documents_are_the_same_at_every_call() -> None:
    assert schema.documents() == schema.documents()


def test_write_mends_what_check_finds(tmp_path: Path) -> None:
    every = sorted(schema.documents())
    assert schema.write(tmp_path) == every
    assert schema.write(tmp_path) == schema.check(tmp_path) == []
    (tmp_path / "schema" / "command.json").write_text("{}")
    (tmp_path / "schema" / "of_a_former_release.json").write_text("{}")
    (tmp_path / "asyncapi.json").unlink()
    drifted = ["asyncapi.json", "schema/command.json", "schema/of_a_former_release.json"]
    assert schema.check(tmp_path) == drifted
    assert schema.write(tmp_path) == drifted
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.json")) == every


@pytest.mark.parametrize("path", SCHEMAS)
def test_every_schema_is_one_and_says_what_it_is(path: str) -> None:
    content = written(path)
    Draft202012Validator.check_schema(content)
    assert content["title"]
    assert content["description"]
    for name, definition in content.get("$defs", {}).items():
        assert definition["description"], f"{path}: {name} has no docstring"


@pytest.mark.parametrize("path", [path for path in SCHEMAS if "examples" in written(path)])
def test_examples_of_schemas_are_records(path: str) -> None:
    kind = AnyAction if path.endswith("actions.json") else AnyEvent
    for example in written(path)["examples"]:
        validator(path).validate(example)
        record = msgspec.json.decode(json.dumps(example), type=kind)
        assert msgspec.to_builtins(record)["type"] == example["type"]


def test_every_action_and_event_is_in_one_document_with_an_example() -> None:
    for kind, records in (("actions", ACTIONS), ("events", EVENTS)):
        shown = [
            example["type"]
            for group in (schema.COMMON, *RULESETS)
            for example in written(f"schema/{group}/{kind}.json")["examples"]
        ]
        assert sorted(shown) == sorted(records)


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_every_field_of_an_event_tells_its_audience(event: type) -> None:
    tag = event.__struct_config__.tag
    fields = written("schema/commit.json")["$defs"][tag]["properties"]
    for name, audience in audiences(event).items():
        assert fields[name]["x-audience"] == (list(audience) if isinstance(audience, tuple) else audience)


# Real games


def seats_of(ruleset: str) -> int:
    fewest, most = rules_for(ruleset).players
    return min(fewest + 1, most)


@pytest.fixture(scope="module", params=RULESETS)
def played(request: pytest.FixtureRequest) -> tuple[Table, list[Any]]:
    """A game of each ruleset, played to its end; and views of it, one of each kind."""
    views: dict[Hashable, Any] = {}

    def look(table: Table) -> None:
        for viewer in ("table", *range(len(table.players))):
            view = table.view(viewer)
            kind = (viewer == "table", view.phase, frozenset(type(offer) for offer in view.offers))
            views.setdefault(kind, json.loads(encode_json(view)))

    table = Table.open(request.param, seats_of(request.param), dealer=1)
    return play_random(table, Random(1), each=look), list(views.values())


def test_real_views_and_options_are_as_the_schemas_say(played: tuple[Table, list[Any]]) -> None:
    table, views = played
    ruleset = table.view("table").ruleset.partition("@")[0]
    validator(f"schema/{ruleset}/options.json").validate(
        msgspec.to_builtins(table.log[0].events[0])["options"]
    )
    assert len(views) > 2
    for view in views:
        validator(f"schema/{ruleset}/view.json").validate(view)


def test_real_commits_are_as_the_schemas_say(played: tuple[Table, list[Any]]) -> None:
    kinds = {
        (type(commit.command.action), *map(type, commit.events)): json.loads(written.body)
        for commit, written in zip(played[0].log, played[0].written, strict=True)
    }
    assert len(kinds) > 2
    for body in list(kinds.values())[:60]:
        validator("schema/commit.json").validate(body)
        validator("schema/command.json").validate(body["command"])


def test_real_exports_and_summaries_are_as_the_schemas_say(played: tuple[Table, list[Any]]) -> None:
    written, parts = played[0].written[:20], played[0].encoded()
    log = [(number, commit.hash.hex(), commit.body) for number, commit in enumerate(written, 1)]
    views = {name: part.decode() for name, part in parts.items()}
    for line in write_export("fairdeal", "g42", log, views, 1_700_000_000_000).splitlines():
        validator("schema/export.json").validate(json.loads(line))
    listing = Listing(None)
    for number, commit in enumerate(played[0].written, 1):
        listing.apply((number, commit.body, commit.hash))
        if number in (1, 2, played[0].version):
            validator("schema/summary.json").validate(json.loads(encode_json(listing.current())))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"id": "", "game": "g42", "action": {"type": "game.resign"}},
        {"id": "1", "game": "g 42", "action": {"type": "game.resign"}},
        {"id": "1", "game": "g42\n", "action": {"type": "game.resign"}},
        {"id": "1", "game": "g42", "action": {"type": "game.resign"}, "seat": -1},
        {"id": "1", "game": "g42", "action": {"type": "game.resign"}, "saet": 1},
        {"id": "1", "game": "g42", "action": {"type": "game.resigned"}},
        {"id": "1", "game": "g42", "action": {"type": "game.resign", "seat": 1}},
        {"id": "1", "game": "g42", "action": {"type": "game.cancel", "reason": ""}},
    ],
)
def test_what_the_codec_refuses_the_schema_refuses(wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        decode_command(json.dumps(wrong).encode())
    assert not validator("schema/command.json").is_valid(wrong)


# Types that a ruleset might use


class Part(msgspec.Struct):
    """A part."""

    pair: tuple[int, str]
    """A number and
    its name."""
    count: dict[int, int] = {}
    inner: "Part | None" = None


def test_tuples_keys_and_recursion_are_described() -> None:
    checker = Draft202012Validator(document(Part, "Part", "A part."))
    good = [{"pair": [1, "a"], "count": {"10": 2}, "inner": {"pair": [2, "b"], "inner": None}}]
    bad = [{"pair": [1, 2]}, {"pair": [1, "a", 3]}, {"pair": [1, "a"], "count": {"ten": 2}}]
    bad.append({"pair": [1, "a"], "inner": {"pair": []}})
    assert all(checker.is_valid(value) for value in good)
    assert not any(checker.is_valid(value) for value in bad)
    assert msgspec.convert(example_of(Part), Part) == Part(pair=(0, "text"))


def test_a_type_that_json_lacks_is_refused() -> None:
    class Wrong(msgspec.Struct):
        """Holds bytes."""

        raw: bytes

    with pytest.raises(TypeError, match="JSON has no such type"):
        document(Wrong, "Wrong", "Holds bytes.")


def test_draft_7_says_tuples_and_references_in_its_own_way() -> None:
    turned = draft7(document(Part, "Part", "A part."))
    assert turned["properties"]["pair"]["description"] == "A number and its name."
    assert turned["properties"]["pair"]["items"] == [{"type": "integer"}, {"type": "string"}]
    assert turned["properties"]["pair"]["additionalItems"] is False
    assert turned["properties"]["inner"]["anyOf"][0] == {"$ref": "#/components/schemas/Part"}


# AsyncAPI


def messages(name: str) -> Any:
    return written("asyncapi.json")["components"]["messages"][name]


def payloads(name: str) -> Iterator[bytes]:
    for example in messages(name)["examples"]:
        yield json.dumps(example["payload"]).encode()


def test_examples_of_messages_are_read_by_the_codec() -> None:
    commands = [decode_command(body) for body in payloads("command")]
    receipts = [decode_receipt(body) for body in payloads("receipt")]
    commits = [decode_commit(body) for body in payloads("commit")]
    assert {type(command) for command in commands} == {Command}
    assert [receipt.status for receipt in receipts] == ["accepted", "rejected", "invalid", "failed"]
    assert [commit.version for commit in commits] == [1]
    (example,) = messages("commit")["examples"]
    assert example["headers"]["h"] == chain(GENESIS, encode_json(commits[0])).hex()


def test_addresses_are_the_keys_with_the_braces_in_the_hash_tag() -> None:
    document = written("asyncapi.json")
    keys = Keys("fairdeal", 3)
    given = {"hashtag": "{fairdeal:3}", "game": "g42", "client": "shop-7"}
    assert given["hashtag"] in document["components"]["parameters"]["hashtag"]["examples"]
    addresses = {}
    for name, channel in document["channels"].items():
        address = channel["address"]
        for parameter in channel["parameters"]:
            address = address.replace("{" + parameter + "}", given[parameter])
        addresses[name] = address
    assert addresses == {
        "commands": keys.commands,
        "replies": keys.replies("shop-7"),
        "log": keys.log("g42"),
        "doorbell": keys.doorbell,
        "updates": keys.updates,
        "dead": keys.dead,
    }


def test_the_partition_in_the_description_is_the_formula_s() -> None:
    description = " ".join(written("asyncapi.json")["info"]["description"].split())
    assert f"game `g42` is of partition {partition_of('g42', 8)}." in description


def test_the_official_parser_accepts_the_document() -> None:
    modules = os.environ.get("FAIRDEAL_ASYNCAPI_PARSER")
    node = shutil.which("node")
    skip_unless(node and modules, "FAIRDEAL_ASYNCAPI_PARSER names no node_modules with @asyncapi/parser")
    assert node
    assert modules
    answer = subprocess.run(
        [node, "-e", PARSE, str(CONTRACTS / "asyncapi.json")],
        env={**os.environ, "NODE_PATH": modules},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    result = json.loads(answer.stdout)
    assert result["parsed"]
    assert [found for found in result["diagnostics"] if found["severity"] in (ERROR, WARNING)] == []
