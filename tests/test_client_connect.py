"""Redis addresses: which are taken, what becomes of them, and that no error shows a password."""

from typing import Any

import pytest
import redis

from fairdeal.connect import BadAddress, connect, connect_sync, split_cluster, without_password
from redis_server import RedisServer


@pytest.mark.parametrize(
    ("url", "plain", "cluster"),
    [
        ("redis://127.0.0.1:6379/2", "redis://127.0.0.1:6379/2", False),
        ("rediss://user:word@host:6380", "rediss://user:word@host:6380", False),
        ("unix:///run/redis.sock?db=1", "unix:///run/redis.sock?db=1", False),
        ("redis+cluster://host:7000", "redis://host:7000", True),
        ("redis+cluster://host:7000/0", "redis://host:7000/0", True),
        ("rediss+cluster://:word@host:7000", "rediss://:word@host:7000", True),
    ],
)
def test_an_address_is_one_server_or_a_cluster(url: str, plain: str, cluster: bool) -> None:
    assert split_cluster(url) == (plain, cluster)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://host",
        "unix+cluster:///run/redis.sock",
        "redis+cluster://host/3",
        "redis://u:secret@host:port",
        "",
    ],
)
@pytest.mark.parametrize("opens", [connect, connect_sync])
def test_a_bad_address_is_refused_without_its_password(url: str, opens: Any) -> None:
    with pytest.raises(BadAddress) as refused:
        opens(url)
    assert "secret" not in str(refused.value)


def test_a_password_is_left_out_of_what_is_shown() -> None:
    assert without_password("redis://user:secret@host:1/2") == "redis://user:…@host:1/2"
    assert without_password("rediss+cluster://:se@cret@host") == "rediss+cluster://:…@host"
    assert without_password("redis://host:1") == "redis://host:1"


async def test_both_clients_answer_in_bytes(redis_url: str, namespace: str) -> None:
    client = connect(redis_url)
    await client.set(namespace, "ä")
    assert await client.get(namespace) == "ä".encode()
    await client.aclose()
    with connect_sync(redis_url) as plain:
        assert plain.get(namespace) == "ä".encode()


def test_a_connection_that_broke_is_made_again() -> None:
    with RedisServer(appendonly=True) as server, connect_sync(server.url) as client:
        client.set("key", 1)
        server.kill()
        with pytest.raises(redis.ConnectionError):
            client.get("key")
        server.start()
        assert client.get("key") == b"1"
