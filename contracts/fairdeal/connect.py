"""Connections to Redis, the same for every part: plain or Cluster, bounded in time, answers in bytes."""

from typing import Any, Final
from urllib.parse import urlsplit

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialWithJitterBackoff
from redis.retry import Retry

CONNECT_S: Final = 3.0
"""How long one attempt to connect may take, seconds."""

ANSWER_S: Final = 10.0
"""How long an answer may take, seconds. A read that blocks at the server must block for less."""

RETRIES: Final = 4
"""Further attempts after a connection broke: over within about a second, before any lease is."""

_SCHEMES: Final = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")


class BadAddress(ValueError):
    """A Redis URL that cannot be used; the message says which forms can."""


def connect(url: str) -> Any:
    """An asyncio client, `redis.asyncio.Redis` or `RedisCluster`, that connects at its first use.

    `redis://`, `rediss://` (TLS) and `unix://` are one server; `redis+cluster://` and `rediss+cluster://`
    name any node of a Redis Cluster. Commands are sent again when the connection breaks: each must bear being
    carried out twice. Close it with `await client.aclose()`. Raises `BadAddress`.
    """
    plain, cluster = split_cluster(url)
    retry = AsyncRetry(_backoff(), RETRIES)
    kind = redis.asyncio.RedisCluster if cluster else redis.asyncio.Redis
    return _from_url(kind, url, plain, retry)


def connect_sync(url: str) -> Any:
    """The same as `connect` for code without an event loop: `redis.Redis` or `redis.RedisCluster`."""
    plain, cluster = split_cluster(url)
    retry = Retry(_backoff(), RETRIES)
    return _from_url(redis.RedisCluster if cluster else redis.Redis, url, plain, retry)


def split_cluster(url: str) -> tuple[str, bool]:
    """(the URL as redis-py reads it, whether it names a Cluster). Raises `BadAddress`."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in _SCHEMES:
        raise BadAddress(
            f"{without_password(url)!r} is no Redis address. Write redis://host:port/db, rediss://… for TLS, "
            "unix:///path/to/socket, or redis+cluster://host:port for Redis Cluster"
        )
    plain, cluster, _ = scheme.partition("+cluster")
    if cluster and urlsplit(url).path.strip("/") not in ("", "0"):
        raise BadAddress(f"{without_password(url)!r} names a database, and Redis Cluster has only database 0")
    return f"{plain}://{rest}", bool(cluster)


def without_password(url: str) -> str:
    """The URL fit for a log or an error."""
    scheme, separator, rest = url.partition("://")
    credentials, at, place = rest.rpartition("@")
    if not at:
        return url
    user = credentials.partition(":")[0]
    return f"{scheme}{separator}{user}:…@{place}"


def _backoff() -> ExponentialWithJitterBackoff:
    return ExponentialWithJitterBackoff(base=0.02, cap=0.5)


def _from_url(kind: Any, url: str, plain: str, retry: Any) -> Any:
    try:
        client: Any = kind.from_url(
            plain,
            # RESP3 is no faster here (hiredis: about 30,000 XADD/s either way) and answers in other shapes.
            protocol=2,
            retry=retry,
            socket_connect_timeout=CONNECT_S,
            socket_timeout=ANSWER_S,
            socket_keepalive=True,
            health_check_interval=15,
            max_connections=1024,
        )
    except (ValueError, TypeError, redis.RedisError) as error:
        raise BadAddress(f"{without_password(url)!r} is no Redis address: {error}") from None
    return client
