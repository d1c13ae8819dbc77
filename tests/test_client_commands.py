"""Commands through the client: exactly once, whatever gets lost; every refusal an error that says why."""

import asyncio
import logging
from typing import Any

import msgspec
import pytest

from fairdeal import (
    BadAddress,
    Busy,
    Client,
    ClientClosed,
    CommandFailed,
    NoDeployment,
    NoReceipt,
    Rejected,
    WrongPartitions,
)
from fairdeal.client import deployment
from fairdeal.codec import encode_json
from fairdeal.game import Cancel, Player, Ready, Reseat
from fairdeal.games import perudo
from fairdeal.receipt import Receipt
from fairdeal.wire import BODY, Keys, partition_of
from redis_server import RedisServer
from support.stand_in import StandIn
from support.workers import eventually

PLAYERS = ["ann", "bob"]


@pytest.fixture
async def service(redis_url: str, namespace: str) -> Any:
    async with StandIn(redis_url, namespace) as stand_in:
        yield stand_in


@pytest.fixture
async def client(service: StandIn, redis_url: str, namespace: str) -> Any:
    async with Client(redis_url, namespace=namespace) as client:
        yield client


def keys_of(service: StandIn, game: str) -> Keys:
    return service.keys[partition_of(game, len(service.keys))]


async def on_turn(client: Client, game: str) -> int:
    return (await client.view(game)).to_act[0]


async def test_a_game_is_created_and_played(client: Client) -> None:
    created = await client.create("perudo", PLAYERS, {"dice_per_player": 2})
    assert (created.status, created.version) == ("accepted", 1)
    seat = await on_turn(client, created.game)
    played = await client.act(created.game, seat, perudo.Bid(quantity=1, face=3), expect=1)
    assert (played.game, played.version) == (created.game, 2)
    as_dict = {"type": "perudo.bid", "quantity": 2, "face": 3}
    assert (await client.act(created.game, 1 - seat, as_dict)).version == 3
    assert (await client.host(created.game, Reseat(seat=0, player="cy"))).version == 4
    view = await client.view(created.game, seat, at_least=4)
    assert view.table.players[0] == "cy"
    assert view.hand is not None
    assert len(view.hand.dice) == 2


async def test_all_that_creating_takes_arrives(client: Client) -> None:
    players = [Player(id="ann", entropy="a"), "bob"]
    created = await client.create("perudo", players, clock=5000, start="when_ready", game="mine")
    assert created.game == "mine"
    view = await client.view("mine")
    assert (view.phase, view.deadline is not None) == ("waiting", True)
    await client.act("mine", 0, Ready(entropy="b"))
    await client.act("mine", 1, Ready())
    assert (await client.view("mine", at_least=3)).phase == "bidding"


async def test_a_refusal_is_the_error_of_the_local_table_and_brings_the_receipt(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    seat = await on_turn(client, created.game)
    with pytest.raises(Rejected) as refused:
        await client.act(created.game, 1 - seat, perudo.Dudo(), command_id="early")
    assert refused.value.code == "not_your_turn"
    assert refused.value.details == {"turn": seat}
    assert refused.value.receipt == Receipt(
        "early",
        created.game,
        "rejected",
        version=1,
        code="not_your_turn",
        message=refused.value.message,
        details={"turn": seat},
    )
    with pytest.raises(Rejected, match="stale"):
        await client.act(created.game, seat, perudo.Bid(quantity=1, face=3), expect=7)
    with pytest.raises(Rejected, match="unknown_game"):
        await client.act("nowhere", 0, perudo.Dudo())
    with pytest.raises(Rejected, match="game_exists"):
        await client.create("perudo", PLAYERS, game=created.game)
    with pytest.raises(Rejected, match="unknown_ruleset"):
        await client.create("poker", PLAYERS)


async def test_what_was_not_understood_names_its_place(client: Client) -> None:
    created = await client.create("perudo", PLAYERS)
    bad: Any = perudo.Bid(quantity="three", face=3)  # type: ignore[arg-type]
    with pytest.raises(Rejected, match="malformed") as refused:
        await client.act(created.game, 0, bad)
    assert refused.value.details["path"] == "$.action.quantity"
    with pytest.raises(msgspec.ValidationError, match="quantity"):
        await client.act(created.game, 0, {"type": "perudo.bid", "quantity": "three", "face": 3})


async def test_names_that_cannot_be_are_refused_here(client: Client, redis_url: str) -> None:
    with pytest.raises(ValueError, match="cannot name a game"):
        await client.act("no spaces", 0, perudo.Dudo())
    with pytest.raises(ValueError, match="cannot be a command's id"):
        await client.act("g", 0, perudo.Dudo(), command_id="ä")
    with pytest.raises(ValueError, match="cannot name a client"):
        Client(redis_url, name="a b")
    with pytest.raises(ValueError, match="cannot name a namespace"):
        Client(redis_url, namespace="{}")
    with pytest.raises(ValueError, match="has no view"):
        await client.view("g", "audit")  # type: ignore[arg-type]
    with pytest.raises(BadAddress):
        Client("localhost")


async def test_a_failure_of_the_service_says_which_incident(
    redis_client: Any, service: StandIn, client: Client
) -> None:
    service.working.clear()
    waiting = asyncio.create_task(client.act("g", 0, perudo.Dudo(), command_id="c"))
    keys = keys_of(service, "g")
    await eventually("the command", lambda: redis_client.xlen(keys.commands))
    failed = Receipt("c", "g", "failed", code="internal", message="a fault", incident="i-7")
    await redis_client.xadd(keys.replies(client.name), {BODY: encode_json(failed)})
    with pytest.raises(CommandFailed, match="i-7") as raised:
        await waiting
    assert raised.value.receipt == failed


async def test_a_lost_reply_is_made_up_for_and_the_command_takes_effect_once(
    service: StandIn, client: Client
) -> None:
    service.drop_replies = True
    created = await client.create("perudo", PLAYERS, command_id="once")
    assert (created.status, created.version) == ("accepted", 1)
    with pytest.raises(Rejected, match="not_seated"):
        await client.act(created.game, 5, perudo.Dudo())
    assert service.handled.count("once") == 1


async def test_the_same_id_again_gets_the_same_receipt(service: StandIn, client: Client) -> None:
    first = await client.create("perudo", PLAYERS, game="g", command_id="c")
    again = await client.create("perudo", ["cy", "di"], game="g", command_id="c")
    assert again == first
    seat = await on_turn(client, "g")
    bid = perudo.Bid(quantity=1, face=2)
    both = await asyncio.gather(*(client.act("g", seat, bid, command_id="d") for _ in range(2)))
    assert both[0] == both[1]
    assert (await client.view("g", at_least=2)).version == 2


async def test_a_lost_command_is_sent_again(redis_client: Any, service: StandIn, client: Client) -> None:
    service.working.clear()
    keys = keys_of(service, "g")
    waiting = asyncio.create_task(client.create("perudo", PLAYERS, game="g", command_id="c"))
    await eventually("the command", lambda: redis_client.xlen(keys.commands))
    await redis_client.delete(keys.commands)
    service.working.set()
    assert (await waiting).version == 1
    assert service.handled == ["c"]


async def test_a_command_in_the_queue_is_not_sent_again(
    redis_client: Any, service: StandIn, client: Client
) -> None:
    service.working.clear()
    keys = keys_of(service, "g")
    with pytest.raises(NoReceipt):
        await client.create("perudo", PLAYERS, game="g", timeout=1.8)
    assert await redis_client.xlen(keys.commands) == 1


async def test_no_receipt_says_what_it_waited_for_and_that_sending_again_is_safe(
    service: StandIn, client: Client
) -> None:
    service.working.clear()
    with pytest.raises(NoReceipt) as late:
        await client.create("perudo", PLAYERS, game="g", command_id="c", timeout=0.3)
    text = str(late.value)
    assert "0.3 s for the receipt of command 'c' to game 'g'" in text
    assert keys_of(service, "g").commands in text
    assert "again with command_id='c' is safe" in text
    assert (late.value.command, late.value.game) == ("c", "g")
    assert isinstance(late.value, TimeoutError)
    service.working.set()
    assert (await client.create("perudo", PLAYERS, game="g", command_id="c")).version == 1
    assert (await client.view("g")).version == 1


async def test_a_cancelled_wait_leaves_nothing_behind(service: StandIn, client: Client) -> None:
    service.working.clear()
    waiting = asyncio.create_task(client.create("perudo", PLAYERS, game="g"))
    await asyncio.sleep(0.1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(0)
    assert not client._commands._waiting
    service.working.set()
    assert (await client.view("g")).version == 1


async def test_replies_that_cannot_be_read_or_are_not_ours_are_left_out(
    redis_client: Any, service: StandIn, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    await client.create("perudo", PLAYERS, game="g")
    replies = keys_of(service, "g").replies(client.name)
    with caplog.at_level(logging.WARNING, "fairdeal.client"):
        await redis_client.xadd(replies, {BODY: b"\xff"})
        await redis_client.xadd(replies, {"other": "1"})
        await redis_client.xadd(replies, {BODY: encode_json(Receipt("x", "g", "accepted", version=9))})
        await client.host("g", Cancel(reason="enough"))
    assert "cannot be read" in caplog.text


async def test_thousands_at_once(service: StandIn, client: Client) -> None:
    created = await asyncio.gather(*(client.create("perudo", PLAYERS, timeout=60) for _ in range(500)))
    assert len({receipt.game for receipt in created}) == 500
    refused = await asyncio.gather(
        *(client.act(one.game, 7, perudo.Dudo(), timeout=60) for one in created for _ in range(4)),
        return_exceptions=True,
    )
    assert {type(error) for error in refused} == {Rejected}
    assert {error.code for error in refused if isinstance(error, Rejected)} == {"not_seated"}
    assert len(service.handled) == 2500, "nothing was sent twice"


async def test_commands_of_one_client_arrive_in_the_order_in_which_they_were_sent(
    service: StandIn, client: Client
) -> None:
    await client.create("perudo", PLAYERS, game="g")
    seats = [Reseat(seat=0, player=f"p{number}") for number in range(100)]
    receipts = await asyncio.gather(*(client.host("g", seat) for seat in seats))
    assert [receipt.version for receipt in receipts] == list(range(2, 102))


async def test_two_clients_of_one_name_do_not_disturb_each_other(
    service: StandIn, redis_url: str, namespace: str
) -> None:
    async with (
        Client(redis_url, "shop", namespace) as one,
        Client(redis_url, "shop", namespace) as other,
    ):
        a, b = await asyncio.gather(one.create("perudo", PLAYERS), other.create("perudo", PLAYERS))
        assert a.game != b.game


async def test_a_full_redis_is_busy_and_takes_the_command_later(namespace: str) -> None:
    with RedisServer() as server:
        async with (
            StandIn(server.url, namespace) as service,
            Client(server.url, namespace=namespace) as client,
        ):
            await client.create("perudo", PLAYERS, game="g")
            await service.redis.config_set("maxmemory", "1")
            with pytest.raises(Busy, match="is full"):
                await client.host("g", Cancel(reason="enough"), command_id="c")
            await service.redis.config_set("maxmemory", "0")
            assert (await client.host("g", Cancel(reason="enough"), command_id="c")).version == 2


async def test_a_closed_client_says_so_to_who_waits_and_who_comes(
    service: StandIn, redis_url: str, namespace: str
) -> None:
    client = Client(redis_url, namespace=namespace)
    await client.create("perudo", PLAYERS, game="g")
    service.working.clear()
    waiting = asyncio.create_task(client.host("g", Cancel(reason="enough"), timeout=60))
    views = client.watch("g")
    await anext(views)
    watching = asyncio.ensure_future(anext(views))
    await asyncio.sleep(0.1)
    await client.close()
    for task in (waiting, watching):
        with pytest.raises(ClientClosed):
            await asyncio.wait_for(task, 5)
    for call in (client.view("g"), client.host("g", Cancel(reason="x")), client.games()):
        with pytest.raises(ClientClosed):
            await asyncio.wait_for(call, 5)
    await client.close()


async def test_a_deployment_that_is_not_there_says_what_to_start(
    redis_url: str, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deployment, "WAIT_S", 0.3)
    async with Client(redis_url, namespace=namespace) as client:
        calls = [client.create("perudo", PLAYERS), client.view("g"), client.games()]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(answer) for answer in answers} == {NoDeployment}
        assert "Start a rules worker" in str(answers[0])
        assert namespace in str(answers[0])


async def test_a_deployment_is_waited_for(redis_url: str, namespace: str) -> None:
    async with Client(redis_url, namespace=namespace) as client:
        waiting = asyncio.create_task(client.create("perudo", PLAYERS))
        await asyncio.sleep(0.2)
        async with StandIn(redis_url, namespace, 3):
            assert (await waiting).version == 1


async def test_partitions_that_are_insisted_on_must_be_the_deployments(
    service: StandIn, redis_url: str, namespace: str
) -> None:
    async with Client(redis_url, namespace=namespace, partitions=2) as client:
        assert (await client.create("perudo", PLAYERS)).version == 1
    async with Client(redis_url, namespace=namespace, partitions=3) as client:
        with pytest.raises(WrongPartitions, match="has 2 partitions"):
            await client.create("perudo", PLAYERS)
