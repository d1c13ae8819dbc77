"""The shape of the repository: who imports what, what a game consists of, where things lie."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from fairdeal.commit import EVENTS
from fairdeal.games import RULESETS, game_module
from fairdeal.visibility import audiences
from fairdeal_rules.ruleset import Ruleset, rules_for
from fairdeal_views.projection import Projection, projection_for
from support.needs import skip_unless

ROOT = Path(__file__).parent.parent
GAMES = ("contracts/fairdeal/games", "services/fairdeal_rules/games", "projections/fairdeal_views/games")

TOP_LEVEL = {
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"),
    *("contracts", "services", "projections", "tests", "deploy"),
}
"""All that may lie at the top, with files and folders whose name begins with a dot."""

PURE = {
    *("collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "typing"),
    *("msgspec", "fairdeal", "fairdeal_rules", "fairdeal_views"),
}
"""What a file of a game may import, by top-level name; import-linter says which way inside ours."""

LONGEST = 300
LONGER: dict[str, str] = {
    "contracts/fairdeal/games/*.py": "a game's language is one file: actions, events, options, what is shown",
    "services/fairdeal_rules/games/*.py": "a game's rules are one file, read from top to bottom in one order",
    "projections/fairdeal_views/games/*.py": "what is seen of a game is one file, beside the other two",
    "services/fairdeal_rules/game.py": "folding a game and deciding for it are one state, and read as one",
    "services/fairdeal_rules/worker.py": "a batch's way from entries to the packed commit, in that order",
}
"""Source files that may be longer than `LONGEST` lines, and why."""

MACHINE = re.compile(
    r"/(?:home|root|Users|work)/"
    r"|\b(?:py" + r"pi\.org|python" + r"hosted\.org|npm" + r"js\.(?:org|com)|docker" + r"\.io|ghcr" + r"\.io)"
)
"""A path of somebody's machine, or the host of a registry."""


@cache
def tracked() -> tuple[str, ...]:
    """The repository's files, as git lists them."""
    skip_unless((ROOT / ".git").exists(), "this is no git checkout, so nothing lists the repository's files")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return tuple(name for name in listed.stdout.split("\0") if name and (ROOT / name).exists())


def sources() -> Iterator[str]:
    for name in tracked():
        if name.startswith(("contracts/", "services/", "projections/")) and name.endswith((".py", ".lua")):
            yield name


def imports(path: Path) -> set[str]:
    """The top-level names of the modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").partition(".")[0])
    return found


def test_imports_go_down_only() -> None:
    # In a process of its own: it sets up logging anew, which silences the loggers of all tests after it.
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_every_field_of_an_event_has_an_audience(event: type) -> None:
    assert audiences(event).keys() == set(event.__struct_fields__)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_is_three_files_of_one_name(ruleset: str) -> None:
    for folder in GAMES:
        assert f"{folder}/{ruleset}.py" in tracked()
    module = game_module(ruleset)
    assert {"Options", "Table", "Hand"} <= vars(module).keys()
    assert isinstance(rules_for(ruleset), Ruleset)
    assert isinstance(projection_for(ruleset), Projection)
    assert rules_for(ruleset).name == ruleset


@pytest.mark.parametrize("folder", GAMES)
def test_every_file_of_a_game_is_pure(folder: str) -> None:
    for name in tracked():
        path = Path(name)
        if path.parent.as_posix() == folder and path.name != "__init__.py":
            assert imports(ROOT / name) <= PURE, f"{name} imports {imports(ROOT / name) - PURE}"


def test_the_top_level_holds_the_promised_folders_and_nothing_else() -> None:
    top = {name.partition("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_every_package_has_a_readme_and_its_types() -> None:
    packages = {Path(name).parent for name in tracked() if name.endswith("/py.typed")}
    assert len(packages) > 5
    missing = [
        f"{package}/{name}"
        for package in sorted(packages)
        for name in ("README.md", "__init__.py")
        if f"{package}/{name}" not in tracked()
    ]
    assert not missing, f"missing: {', '.join(missing)}"


def test_long_files_have_a_reason() -> None:
    lines = {name: len((ROOT / name).read_text().splitlines()) for name in sources()}
    long = {name: count for name, count in lines.items() if count > LONGEST}
    for name, count in long.items():
        assert any(fnmatch(name, pattern) for pattern in LONGER), (
            f"{name} has {count} lines: split it where a reader would look, or give its reason in LONGER"
        )
    for pattern in LONGER:
        assert "*" in pattern or pattern in long, f"{pattern} is no longer too long: take it out of LONGER"


def test_no_file_names_a_machine_s_path_or_a_registry_s_host() -> None:
    found = []
    for name in tracked():
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        found += [f"{name}: {match.group()}" for match in MACHINE.finditer(text)]
    assert not found, found
