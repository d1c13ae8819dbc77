"""Replays: what each viewer gets of a game, step by step."""

import pytest

from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.games import perudo
from fairdeal.visibility import Viewer, redact
from fairdeal_local import Scripted, Table
from fairdeal_replays import frames
from support.following import played


def test_frames_show_what_the_live_views_showed() -> None:
    table = played("g", seed=3)
    shown = Table.open("perudo", players=3, name="g", dealer=3)
    viewers: tuple[Viewer, ...] = (0, 1, 2, "table", "audit")
    replays = {viewer: list(frames(table.log, viewer)) for viewer in viewers}
    for number, commit in enumerate(table.log):
        if commit.command.seat is not None:
            shown.act(commit.command.seat, commit.command.action)
        for viewer in viewers:
            frame = replays[viewer][number]
            assert (frame.version, frame.at) == (commit.version, commit.at)
            assert encode_json(frame.view) == encode_json(shown.view(viewer))
            assert frame.events == tuple(redact(event, viewer) for event in commit.events)
    assert {len(replay) for replay in replays.values()} == {table.version}


def test_frames_of_a_seat_hold_no_other_seats_dice() -> None:
    """Two games that differ only in what others hold give this viewer the same frames to the byte."""

    def replay(dice: list[int], viewer: Viewer) -> list[bytes]:
        table = Table.open("perudo", players=["ann", "bob", "cy"], dealer=Scripted([6, 3, 2, *dice]))
        table.act(0, perudo.Bid(quantity=2, face=4))
        return [encode_json(frame) for frame in frames(table.log, viewer)]

    mine = [2, 3, 4, 5, 6]
    one = [*mine, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5]
    other = [*mine, 6, 6, 6, 2, 2, 3, 4, 3, 4, 3]
    assert replay(one, 0) == replay(other, 0)
    assert replay(one, "table") == replay(other, "table")
    assert replay(one, 1) != replay(other, 1)
    assert replay(one, "audit") != replay(other, "audit")


def test_the_audits_events_are_whole_and_only_the_audits() -> None:
    table = played("g", moves=1)
    (whole,) = frames(table.log, "audit", to_version=1)
    assert whole.events == table.log[0].events
    rolled = whole.events[-1]
    assert isinstance(rolled, perudo.RoundStarted)
    assert rolled.dice is not None
    assert all(rolled.dice)
    (shown,) = frames(table.log, 1, to_version=1)
    assert shown.events[-1].dice == (None, rolled.dice[1], None)


@pytest.mark.parametrize(
    ("first", "last", "versions"), [(1, 3, [1, 2, 3]), (2, 2, [2]), (4, None, [4, 5]), (9, 9, [])]
)
def test_a_part_of_a_replay_is_that_part_of_the_whole(
    first: int, last: int | None, versions: list[int]
) -> None:
    log = played("g", moves=4).log
    whole = {frame.version: encode_json(frame) for frame in frames(log, 0)}
    part = list(frames(iter(log), 0, first, last))
    assert [frame.version for frame in part] == versions
    assert all(encode_json(frame) == whole[frame.version] for frame in part)


def test_frames_do_not_change_when_the_replay_goes_on() -> None:
    log = played("g", moves=4).log
    replay = frames(log, 0)
    first = next(replay)
    before = encode_json(first)
    list(replay)
    assert encode_json(first) == before


def test_a_seat_that_is_not_there_and_a_log_with_a_gap_are_refused() -> None:
    log = played("g", moves=3).log
    with pytest.raises(ValueError, match="no seat 3; its seats are 0 to 2"):
        list(frames(log, 3))
    with pytest.raises(ValueError, match="version 3 follows version 1"):
        list(frames([log[0], log[2]], "table"))
    assert list(frames(list[Commit](), "table")) == []
