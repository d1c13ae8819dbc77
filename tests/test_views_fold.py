"""What a fold keeps from one version to the next is never old: its parts are those that a fold anew would make."""

from random import Random

import pytest

from fairdeal.codec import encode_json
from fairdeal.games import RULESETS
from fairdeal.view import SeatPart, TablePart, View
from fairdeal_local import Table
from fairdeal_rules.ruleset import rules_for
from fairdeal_views.fold import Fold
from fairdeal_views.projection import projection_for
from support.harness import play_random


def parts_of(views: Fold) -> dict[str, bytes]:
    """The stored parts, made from whole views."""
    table: View[object, object] = views.view("table")
    shown = TablePart(**{field: getattr(table, field) for field in TablePart.__struct_fields__})
    parts = {"table": encode_json(shown)}
    for seat in range(len(views.hands)):
        view: View[object, object] = views.view(seat)
        parts[f"seat:{seat}"] = encode_json(SeatPart(seat=seat, hand=view.hand, offers=view.offers))
    return parts


@pytest.mark.parametrize("ruleset", RULESETS)
def test_parts_kept_from_earlier_versions_are_as_good_as_new(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encoded at every version, whether or not the projection says which events change hands."""
    seats = rules_for(ruleset).players[0]
    log = play_random(Table.open(ruleset, seats, dealer=5), Random(5)).log
    kept, anew = Fold("g"), Fold("g")
    stored = []
    for commit in log:
        kept.apply(commit)
        stored.append(kept.encoded())
        assert stored[-1] == parts_of(kept), f"version {commit.version}"
    monkeypatch.setattr(type(projection_for(ruleset)), "hand_events", None)
    for commit, parts in zip(log, stored, strict=True):
        anew.apply(commit)
        assert parts_of(anew) == parts, f"version {commit.version}"


def test_a_seat_that_is_ready_has_no_offer_any_more() -> None:
    table = Table.open("perudo", 2, start="when_ready")
    before = table.encoded()
    table.act(1, {"type": "game.ready"})
    after = table.encoded()
    assert b"game.ready" in before["seat:1"]
    assert b"game.ready" not in after["seat:1"]
    assert before["seat:0"] == after["seat:0"]
