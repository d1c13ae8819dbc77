"""One suite for the local table and for the service on real Redis: what holds for one holds for the other."""

import random
from collections.abc import AsyncIterator
from typing import Any, Protocol

import pytest

from fairdeal import Client, Rejected
from fairdeal.codec import decode_commit
from fairdeal.commit import Commit
from fairdeal.games import perudo
from fairdeal.view import View
from fairdeal.wire import Keys, partition_of
from fairdeal_audit import audit_log
from fairdeal_local import Table
from support.workers import Worker, serving

PLAYERS = ["ann", "bob", "cy"]


class Place(Protocol):
    """Where games are hosted: the few things that both can do."""

    async def open(self, **options: Any) -> None: ...
    async def act(self, seat: int | None, action: Any, expect: int | None = None) -> int: ...
    async def view(self, viewer: Any) -> View[Any, Any]: ...
    async def log(self) -> list[tuple[int, str, bytes]]: ...


class Local:
    """The local table."""

    def __init__(self) -> None:
        self.table: Table

    async def open(self, start: Any = "at_once", **options: Any) -> None:
        self.table = Table.open("perudo", players=PLAYERS, options=options, dealer=7, start=start)

    async def act(self, seat: int | None, action: Any, expect: int | None = None) -> int:
        return self.table.act(seat, action, expect=expect).version

    async def view(self, viewer: Any) -> View[Any, Any]:
        return self.table.view(viewer)

    async def log(self) -> list[tuple[int, str, bytes]]:
        return [(w.commit.version, w.hash.hex(), w.body) for w in self.table.written]


class Service:
    """Worker processes on a real Redis, through the client."""

    def __init__(self, client: Client, redis: Any, namespace: str) -> None:
        self.client = client
        self.redis = redis
        self.namespace = namespace
        self.game = ""
        self.version = 0

    async def open(self, start: Any = "at_once", **options: Any) -> None:
        receipt = await self.client.create("perudo", PLAYERS, options=options, start=start, timeout=20)
        self.game, self.version = receipt.game, receipt.version or 0

    async def act(self, seat: int | None, action: Any, expect: int | None = None) -> int:
        if seat is None:
            receipt = await self.client.host(self.game, action, expect=expect, timeout=20)
        else:
            receipt = await self.client.act(self.game, seat, action, expect=expect, timeout=20)
        assert receipt.version is not None
        self.version = receipt.version
        return receipt.version

    async def view(self, viewer: Any) -> View[Any, Any]:
        return await self.client.view(self.game, viewer, at_least=self.version, timeout=20)

    async def log(self) -> list[tuple[int, str, bytes]]:
        keys = Keys(self.namespace, partition_of(self.game, 8))
        entries = await self.redis.xrange(keys.log(self.game))
        return [(n, fields[b"h"].decode(), fields[b"c"]) for n, (_, fields) in enumerate(entries, 1)]


@pytest.fixture(params=["local", "service"])
async def place(
    request: pytest.FixtureRequest, redis_client: Any, redis_url: str, namespace: str
) -> AsyncIterator[Place]:
    if request.param == "local":
        yield Local()
        return
    with Worker(redis_url, namespace, "rules", "views"):
        await serving(redis_client, namespace, "rules")
        async with Client(redis_url, namespace=namespace) as client:
            yield Service(client, redis_client, namespace)


async def test_a_game_from_its_first_view_to_a_clean_audit(place: Place) -> None:
    await place.open(dice_per_player=2, start_rule="seat_0")
    view = await place.view("table")
    assert (view.version, view.phase, view.to_act, view.outcome) == (1, "bidding", (0,), None)
    chance = random.Random(5)
    for _ in range(500):
        view = await place.view("table")
        if view.outcome is not None:
            break
        (seat,) = view.to_act
        own = await place.view(seat)
        assert len(own.hand.dice) == own.table.dice[seat]
        await place.act(seat, chance.choice(own.offers).sample(chance), expect=own.version)
    assert view.outcome is not None, "the game did not end within 500 moves"
    assert (view.phase, view.to_act, view.offers) == ("finished", (), ())
    assert len(view.outcome.winners) == 1
    assert view.outcome.places[view.outcome.winners[0]] == 1
    assert audit_log(await place.log()).clean


async def test_a_rejection_has_a_code_and_leaves_no_trace(place: Place) -> None:
    await place.open(start_rule="seat_0")
    before = await place.log()
    for seat, action, code in [
        (1, perudo.Bid(quantity=1, face=2), "not_your_turn"),
        (0, perudo.Dudo(), "no_bid"),
        (0, perudo.Bid(quantity=1, face=1), "opening_aces_forbidden"),
        (0, perudo.Bid(quantity=0, face=2), "quantity_out_of_range"),
        (3, perudo.Dudo(), "not_seated"),
        (None, {"type": "game.reseat", "seat": 0, "player": "bob"}, "bad_players"),
    ]:
        with pytest.raises(Rejected) as refused:
            await place.act(seat, action)
        assert refused.value.code == code
    with pytest.raises(Rejected) as refused:
        await place.act(0, perudo.Bid(quantity=1, face=2), expect=9)
    assert refused.value.code == "stale"
    assert await place.log() == before


async def test_a_spectator_and_another_seat_see_no_dice(place: Place) -> None:
    await place.open(start_rule="seat_0")
    table = await place.view("table")
    assert (table.seat, table.hand, table.offers) == (None, None, ())
    hands = [(await place.view(seat)).hand.dice for seat in range(3)]
    assert all(len(hand) == 5 for hand in hands)
    assert (await place.view(1)).offers == ()


async def test_a_game_that_waits_for_its_players(place: Place) -> None:
    await place.open(start="when_ready")
    view = await place.view(1)
    assert (view.phase, view.to_act) == ("waiting", (0, 1, 2))
    assert [type(offer).__name__ for offer in view.offers] == ["ReadyOffer"]
    with pytest.raises(Rejected) as refused:
        await place.act(0, perudo.Dudo())
    assert refused.value.code == "wrong_phase"
    for seat in (2, 0):
        await place.act(seat, {"type": "game.ready", "entropy": f"salt {seat}"})
    assert (await place.view("table")).to_act == (1,)
    await place.act(1, {"type": "game.ready"})
    assert (await place.view("table")).phase == "bidding"
    commits: list[Commit] = [decode_commit(body) for _, _, body in await place.log()]
    assert [commit.draws is not None for commit in commits] == [False, False, False, True]
    assert audit_log(await place.log()).clean


async def test_the_host_may_reseat_and_cancel(place: Place) -> None:
    await place.open()
    await place.act(None, {"type": "game.reseat", "seat": 1, "player": "bot:random"})
    assert (await place.view("table")).table.players == ["ann", "bot:random", "cy"]
    await place.act(None, {"type": "game.cancel", "reason": "the café closes"})
    view = await place.view("table")
    assert view.outcome is not None
    assert (view.outcome.reason, view.outcome.winners) == ("cancelled", ())
    with pytest.raises(Rejected) as refused:
        await place.act(0, perudo.Dudo())
    assert refused.value.code == "finished"
    assert audit_log(await place.log()).clean


async def test_resigning_is_open_to_every_seat_at_any_time(place: Place) -> None:
    await place.open(start_rule="seat_0")
    await place.act(1, {"type": "game.resign"})
    view = await place.view("table")
    assert (view.table.resigned, view.table.dice[1]) == ([1], 0)
    await place.act(0, {"type": "game.resign"})
    view = await place.view("table")
    assert view.outcome is not None
    assert view.outcome.winners == (2,)
