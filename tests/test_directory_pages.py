"""Pages of the directory: order, filters, cursors, ties; on a plain server and on a Cluster."""

import random
from typing import Any

import pytest

from fairdeal.codec import encode_json
from fairdeal.directory import BadCursor, Status, Summary, indexes, list_games
from fairdeal.wire import Keys, partition_of
from support.cluster import cluster_of_one

PARTITIONS = 4


def summary(game: str, created_at: int, **given: Any) -> Summary:
    fields: dict[str, Any] = {
        "ruleset": "perudo@1",
        "status": "playing",
        "players": ("ann", "bob"),
        "version": 1,
        "updated_at": created_at,
        **given,
    }
    return Summary(game=game, created_at=created_at, **fields)


async def enter(client: Any, namespace: str, *summaries: Summary) -> None:
    """Write summaries as the replays worker's script does."""
    for entry in summaries:
        keys = Keys(namespace, partition_of(entry.game, PARTITIONS))
        await client.hset(keys.directory, entry.game, encode_json(entry))
        for index in indexes(entry):
            await client.zadd(keys.directory_index(index), {entry.game: entry.created_at})


async def pages(client: Any, namespace: str, limit: int, **filters: Any) -> list[list[str]]:
    """All pages, each as the games' ids."""
    found: list[list[str]] = []
    before: str | None = None
    while True:
        page = await list_games(client, namespace, PARTITIONS, limit=limit, before=before, **filters)
        found.append([entry.game for entry in page.games])
        before = page.next
        if before is None:
            return found
        assert len(found) < 1000, "the pages do not come to an end"


def flat(found: list[list[str]]) -> list[str]:
    return [game for page in found for game in page]


async def test_games_of_all_partitions_come_newest_first(redis_client: Any, namespace: str) -> None:
    entries = [summary(f"g{number}", 1000 + number) for number in range(25)]
    await enter(redis_client, namespace, *entries)
    assert len({partition_of(entry.game, PARTITIONS) for entry in entries}) == PARTITIONS
    found = await pages(redis_client, namespace, 10)
    assert [len(page) for page in found] == [10, 10, 5]
    assert flat(found) == [f"g{number}" for number in reversed(range(25))]
    page = await list_games(redis_client, namespace, PARTITIONS, limit=25)
    assert page.next is None
    assert page.games[0] == entries[-1]


async def test_no_games_are_one_empty_page(redis_client: Any, namespace: str) -> None:
    assert await pages(redis_client, namespace, 10) == [[]]
    assert await pages(redis_client, namespace, 10, player="nobody") == [[]]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
async def test_ties_neither_repeat_nor_hide_a_game(redis_client: Any, namespace: str, limit: int) -> None:
    """However many games share a millisecond, and however small a page is."""
    entries = [summary(f"g{number}", 1000 + number // 20) for number in range(60)]
    await enter(redis_client, namespace, *entries)
    places = sorted(((entry.created_at, entry.game) for entry in entries), reverse=True)
    assert flat(await pages(redis_client, namespace, limit)) == [game for _, game in places]


async def test_games_made_meanwhile_do_not_shift_the_pages(redis_client: Any, namespace: str) -> None:
    await enter(redis_client, namespace, *(summary(f"g{number}", 1000 + number) for number in range(10)))
    first = await list_games(redis_client, namespace, PARTITIONS, limit=4)
    await enter(redis_client, namespace, *(summary(f"new{number}", 2000 + number) for number in range(5)))
    second = await list_games(redis_client, namespace, PARTITIONS, limit=4, before=first.next)
    assert [entry.game for entry in first.games + second.games] == [f"g{n}" for n in range(9, 1, -1)]


STATUSES: tuple[Status, ...] = ("waiting", "playing", "finished", "cancelled")


def all_kinds() -> list[Summary]:
    chance = random.Random(5)
    return [
        summary(
            f"g{number}",
            chance.randrange(1000, 1020),
            status=chance.choice(STATUSES),
            ruleset=chance.choice(("perudo@1", "perudo@2", "kuhhandel@1")),
            players=tuple(chance.sample(("ann", "bob", "cy", "status:playing"), 2)),
        )
        for number in range(80)
    ]


@pytest.mark.parametrize("status", [None, "waiting", "cancelled"])
@pytest.mark.parametrize("ruleset", [None, "perudo", "perudo@1", "chess"])
@pytest.mark.parametrize("player", [None, "ann", "status:playing"])
async def test_filters_find_what_a_plain_search_finds(
    redis_client: Any, namespace: str, status: Status | None, ruleset: str | None, player: str | None
) -> None:
    entries = all_kinds()
    await enter(redis_client, namespace, *entries)
    name = ruleset and ruleset.partition("@")[0]
    wanted = [
        (entry.created_at, entry.game)
        for entry in entries
        if status in (None, entry.status)
        and name in (None, entry.ruleset.partition("@")[0])
        and (player is None or player in entry.players)
    ]
    found = await pages(redis_client, namespace, 6, status=status, ruleset=ruleset, player=player)
    assert flat(found) == [game for _, game in sorted(wanted, reverse=True)]
    assert all(len(page) == 6 for page in found[:-1])


async def test_a_rare_combination_says_where_to_go_on(
    redis_client: Any, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairdeal.directory.SCANNED", 10)
    entries = [summary(f"g{number}", 1000 + number) for number in range(50)]
    await enter(redis_client, namespace, summary("rare", 990, status="finished"), *entries)
    found = await pages(redis_client, namespace, 3, player="ann", status="finished")
    assert flat(found) == ["rare"]
    assert len(found) > 2


async def test_a_bad_cursor_and_a_bad_limit_are_refused(redis_client: Any, namespace: str) -> None:
    for cursor in ("", "x", "é", "bm9uc2Vuc2U", "W10", "WyJhIiwiYiJd"):
        with pytest.raises(BadCursor, match="pass on the `next`"):
            await list_games(redis_client, namespace, PARTITIONS, before=cursor)
    for limit in (0, -1, 501):
        with pytest.raises(ValueError, match="1 to 500"):
            await list_games(redis_client, namespace, PARTITIONS, limit=limit)


async def test_pages_come_from_a_cluster_too() -> None:
    async with cluster_of_one() as cluster:
        await enter(cluster, "c", *(summary(f"g{number}", 1000 + number) for number in range(25)))
        found = await pages(cluster, "c", 10, player="bob")
    assert flat(found) == [f"g{n}" for n in reversed(range(25))]
