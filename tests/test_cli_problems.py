"""What a rejection says to a person."""

from typing import Any

import pytest

from fairdeal.receipt import Rejected
from fairdeal_cli.problems import reason


@pytest.mark.parametrize(
    ("message", "details", "told"),
    [
        ("A bid is for 1 to 19 dice, not 99", {"highest": 19}, "A bid is for 1 to 19 dice, not 99"),
        ("Not above 3 × 5", {"standing": {"quantity": 3, "face": 5}}, "Not above 3 × 5"),
        ("Too low", {"least_bid": 40}, "Too low (least bid 40)"),
        ("Wait", {"turn": 1, "open": [2, 3], "by": {"seat": 4}}, "Wait (turn 1, open 2 3, by seat 4)"),
        ("You have 19", {"cash": 1}, "You have 19 (cash 1)"),
        ("Bad", {"path": "$.action.face"}, "Bad at $.action.face"),
        ("Nothing", {"open": []}, "Nothing"),
    ],
)
def test_details_are_words_and_said_once(message: str, details: dict[str, Any], told: str) -> None:
    assert reason(Rejected("code", message, **details)) == told
