"""Non-interference at the gateway: with the secrets swapped that a token does not see, all its bytes are the same."""

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.games import perudo
from fairdeal_local import Scripted, Table
from fairdeal_replays import frames
from support.gateway import Door, Stage, next_of, soon
from support.harness import moves_of, outcomes_of

Viewer = int | str


def headers_of(door: Door, viewer: Viewer) -> dict[str, str]:
    return door.auth("watch", "g") if viewer == "table" else door.auth("seat", "g", seat=viewer)


async def received(door: Door, stage: Stage, viewer: Viewer, table: Table) -> list[str]:
    """Everything that a token gets of a game that is played while it watches: live, resumed, seen, replayed."""
    headers = headers_of(door, viewer)
    got: list[str] = []
    await stage.show(table, 1)
    socket_token = headers["Authorization"].removeprefix("Bearer ")
    async with door.events("g", headers) as live, door.socket("g", socket_token) as socket:
        got.append((await next_of(live))["raw"])
        got.append(str(await soon("a frame", socket.recv())))
        for version in range(2, table.version + 1):
            await stage.show(table, version)
            got.append((await next_of(live))["raw"])
            got.append(str(await soon("a frame", socket.recv())))
    async with door.events("g", headers, after=0) as past:
        got += [(await next_of(past))["raw"] for _ in range(table.version)]
    for path in ("/games/g/view", "/games/g/replay", "/games/g/replay?from=3&to=9", "/games/g/view?as=table"):
        answer = await door.http.get(path, headers=headers)
        assert answer.status_code == 200
        got += [answer.text, str(answer.headers.get("content-length"))]
    for path in ("/games/g/audit", "/games/g/export", "/games/g/view?as=seat:5", "/games/g/events?as=audit"):
        answer = await door.http.get(path, headers=headers)
        assert answer.status_code >= 400
        got.append(answer.text)
    await wipe(stage)
    return got


async def wipe(stage: Stage) -> None:
    keys = stage.keys("g")
    await stage.redis.delete(keys.log("g"), keys.view("g"), keys.updates)


def perudo_pair(viewer: Viewer) -> tuple[Table, Table]:
    """Two games of Perudo in the middle of a round that differ in the dice which `viewer` does not see."""
    opening: dict[str, Any] = {"players": ["ann", "bob", "cy"], "name": "g"}
    first = Table.open("perudo", dealer=11, **opening)
    for quantity in (1, 2, 3, 4, 5):
        first.act(first.view("table").to_act[0], perudo.Bid(quantity=quantity, face=5))
    script = outcomes_of(first.log)
    dice = 5
    hidden = [
        start + index
        for seat in range(3)
        for index in range(dice)
        if seat != viewer
        for start in [len(script) - 3 * dice + seat * dice]
    ]
    swapped = list(script)
    for place in hidden:
        swapped[place] = script[place] % 6 + 1
    second = Table.open("perudo", dealer=Scripted(swapped), **opening)
    for seat, action in moves_of(first.log):
        second.act(seat, action)
    return replayed(first, script, opening), second


def replayed(table: Table, script: Sequence[Any], opening: dict[str, Any]) -> Table:
    """The same game from its script, so that both have the same commitment."""
    again = Table.open("perudo", dealer=Scripted(script), **opening)
    for seat, action in moves_of(table.log):
        again.act(seat, action)
    return again


@pytest.mark.parametrize("viewer", ["table", 0, 1, 2])
async def test_a_token_gets_the_same_bytes_whatever_it_does_not_see(
    door: Door, stage: Stage, viewer: Viewer
) -> None:
    first, second = perudo_pair(viewer)
    assert [w.body for w in first.written] != [w.body for w in second.written], "nothing was swapped"
    one = await received(door, stage, viewer, first)
    other = await received(door, stage, viewer, second)
    assert len(one) == len(other)
    for left, right in zip(one, other, strict=True):
        assert left == right


async def test_a_swapped_hand_is_seen_by_its_own_seat(door: Door, stage: Stage) -> None:
    first, second = perudo_pair("table")
    assert await received(door, stage, 0, first) != await received(door, stage, 0, second)


@pytest.mark.parametrize("ruleset", ["kuhhandel", "demoludy", "real_or_fake", "perekupai", "pan_tu_nie_stal"])
async def test_no_frame_holds_what_its_viewer_may_not_see(door: Door, stage: Stage, ruleset: str) -> None:
    table = Table.open(ruleset, players=3, name="g", dealer=3)
    random = Random(3)
    while not table.finished and table.version < 40:
        seat = random.choice(table.view().to_act)
        table.act(seat, random.choice(table.view(seat).offers).sample(random))
    await stage.show(table)
    for viewer in ("table", 0, 1, 2):
        replay = (await door.http.get("/games/g/replay", headers=headers_of(door, viewer))).json()
        assert replay["frames"] == _frames(table, viewer)
        assert not re.search(r'"command"|"draws"|"entry"', json.dumps(replay["frames"]))


def _frames(table: Table, viewer: Any) -> list[Any]:
    shown = json.loads(msgspec.json.encode(list(frames(table.log, viewer))))
    for frame in shown:
        if viewer == "table":
            for name in ("seat", "hand", "offers"):
                del frame["view"][name]
    return list(shown)
