"""The client without an event loop: the same answers, plain iterators, and an end that is one."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal import ClientClosed, Rejected, SyncClient, UnknownGame
from fairdeal.game import Cancel, Reseat
from fairdeal.games import perudo
from support.stand_in import StandIn

PLAYERS = ["ann", "bob"]


@pytest.fixture
def client(redis_url: str, namespace: str) -> Iterator[SyncClient]:
    """A client beside a service that runs in a thread of its own."""
    up, down = threading.Event(), threading.Event()

    async def serve() -> None:
        async with StandIn(redis_url, namespace):
            up.set()
            await asyncio.to_thread(down.wait)

    service = threading.Thread(target=lambda: asyncio.run(serve()))
    service.start()
    assert up.wait(10), "waited 10 s in vain for the service"
    try:
        with SyncClient(redis_url, "shop", namespace) as client:
            yield client
    finally:
        down.set()
        service.join()


def test_a_game_from_creation_to_replay(client: SyncClient) -> None:
    assert client.name == "shop"
    created = client.create("perudo", PLAYERS)
    game = created.game
    view = client.view(game, at_least=1)
    seat = view.to_act[0]
    played = client.act(game, seat, perudo.Bid(quantity=1, face=2), expect=view.version)
    assert played.version == 2
    with pytest.raises(Rejected, match="not_your_turn"):
        client.act(game, seat, perudo.Dudo())
    with pytest.raises(UnknownGame):
        client.view("nowhere")
    views = client.watch(game, 0, from_version=1)
    assert next(views).version == 2
    client.host(game, Cancel(reason="enough"))
    assert [view.phase for view in views] == ["finished"]
    assert [frame.version for frame in client.replay(game, 0, 2)] == [2, 3]
    assert client.games().games == ()


def test_threads_share_a_client(client: SyncClient) -> None:
    game = client.create("perudo", PLAYERS).game

    def move(number: int) -> int:
        return client.host(game, Reseat(seat=0, player=f"p{number}"), timeout=30).version or 0

    with ThreadPoolExecutor(16) as threads:
        assert sorted(threads.map(move, range(100))) == list(range(2, 102))


def test_an_iterator_that_is_left_and_a_client_that_is_closed(client: SyncClient) -> None:
    game = client.create("perudo", PLAYERS).game
    for view in client.watch(game):
        assert view.version == 1
        break
    views = client.watch(game)
    next(views)
    client.close()
    with pytest.raises(ClientClosed):
        next(views)
    with pytest.raises(ClientClosed):
        client.view(game)
    client.close()
    assert not any(thread.name == "fairdeal-client" for thread in threading.enumerate())
