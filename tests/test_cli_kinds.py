"""What a field takes, in words."""

import re
from typing import Annotated, Any, Literal

import msgspec
import pytest

from fairdeal.games import RULESETS
from fairdeal_cli.about import describe
from fairdeal_cli.kinds import in_words

Number = Annotated[int, msgspec.Meta(ge=0, le=50, multiple_of=10)]


class Part(msgspec.Struct):
    name: str
    numbers: tuple[Number, ...] = ()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (bool, "true or false"),
        (Annotated[int, msgspec.Meta(ge=1, le=5)], "a whole number from 1 to 5"),
        (Annotated[int, msgspec.Meta(ge=1)], "a whole number from 1"),
        (Annotated[int, msgspec.Meta(le=5)], "a whole number up to 5"),
        (Annotated[float, msgspec.Meta(gt=0, lt=1)], "a number above 0 below 1"),
        (Number, "a whole number from 0 to 50 in steps of 10"),
        (Literal[1, "difference", "x"], "1, difference or x"),
        (Number | None, "a whole number from 0 to 50 in steps of 10 or null"),
        (Annotated[str, msgspec.Meta(max_length=4)], "a text of at most 4 characters"),
        (Annotated[str, msgspec.Meta(pattern="^a$")], "a text that matches ^a$"),
        (tuple[int, str], "a list: a whole number, a text"),
        (list[Literal["a", "b"]], "a list, each a or b"),
        (
            Literal["plain"]
            | Annotated[tuple[Literal["a", "b"], ...], msgspec.Meta(min_length=1, max_length=60)],
            "plain or a list of 1 to 60, each a or b",
        ),
        (dict[str, int], "an object of a text: a whole number"),
        (
            Part,
            "an object of name: a text; numbers: a list, each a whole number from 0 to 50 in steps of 10",
        ),
        (Any, "a value"),
    ],
)
def test_types_are_told_in_words(kind: Any, words: str) -> None:
    assert in_words(kind) == words


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_ruleset_shows_python_to_who_chooses_its_options(ruleset: str) -> None:
    for name, option in describe(ruleset)["options"].items():
        said = option["values"]
        assert said, name
        assert said != "a value", name
        assert not re.search(r"typing|Literal|Annotated|None|<class|\bint\b|\bbool\b|Meta", said), (
            name,
            said,
        )
