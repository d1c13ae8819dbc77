"""`fairdeal doctor`: each thing that can be wrong is found, named, and comes with what to do."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import redis
from typer.testing import CliRunner

from fairdeal.wire import Keys, deployment_key, workers_key
from fairdeal_cli.app import app
from fairdeal_cli.doctor import Server, judge_deployment, judge_progress, judge_server
from fairdeal_cli.roles import all_roles
from fairdeal_views.survey import survey
from fairdeal_worker.deployment import secret_fingerprint
from fairdeal_worker.settings import Settings
from redis_server import RedisServer

runner = CliRunner()

WELL = Server("redis", "8.2.3", "noeviction", 10 * 2**20, 100 * 2**20, True, "always", False)


def found(findings: Iterator[Any], check: str) -> list[Any]:
    return [finding for finding in findings if finding.check == check]


def test_a_well_server_has_nothing_to_mend() -> None:
    assert {finding.level for finding in judge_server(WELL)} == {"ok"}


@pytest.mark.parametrize(
    ("change", "check", "level", "advice"),
    [
        ({"version": "6.2.14"}, "redis version", "wrong", "7.0"),
        ({"policy": "allkeys-lru"}, "eviction", "wrong", "noeviction"),
        ({"used": 90 * 2**20}, "memory", "wrong", "maxmemory"),
        ({"limit": 0}, "memory", "note", "maxmemory"),
        ({"aof": False}, "persistence", "note", "appendonly yes"),
        ({"fsync": "everysec"}, "persistence", "note", "appendfsync always"),
        ({"fsync": None}, "persistence", "note", "appendfsync always"),
        ({"write_failed": True}, "persistence", "wrong", "disk"),
    ],
)
def test_a_sick_server_is_told_what_to_do(
    change: dict[str, Any], check: str, level: str, advice: str
) -> None:
    (finding,) = found(judge_server(msgspec.structs.replace(WELL, **change)), check)
    assert finding.level == level
    assert advice in finding.advice


class Deployment:
    """A deployment of two partitions as its keys would be, without any worker."""

    def __init__(self, url: str, namespace: str) -> None:
        self.url = url
        self.namespace = namespace
        self.settings = Settings(redis_url=url, namespace=namespace, partitions=2, secret="mine")
        self.client = redis.Redis.from_url(url)
        self.keys = [Keys(namespace, 0), Keys(namespace, 1)]
        self.client.hset(deployment_key(namespace), mapping={"partitions": 2, "created_at": 1})
        for role in all_roles():
            self.client.zadd(workers_key(namespace, role.name), {"w": self.now()})
            for keys in self.keys:
                self.client.set(keys.lease(role.name), "w")

    def now(self) -> int:
        seconds, micros = self.client.time()
        return seconds * 1000 + micros // 1000

    def judged(self) -> list[Any]:
        async def look() -> Any:
            async with redis.asyncio.Redis.from_url(self.url) as client:
                return await survey(client, self.namespace, all_roles())

        seen = asyncio.run(look())
        return [*judge_deployment(seen, self.settings), *judge_progress(seen, seen)]

    def wrong(self, check: str) -> str:
        (finding,) = [one for one in self.judged() if one.check == check and one.level == "wrong"]
        assert finding.advice
        return f"{finding.found} | {finding.advice}"


@pytest.fixture
def deployment(redis_url: str, namespace: str) -> Iterator[Deployment]:
    made = Deployment(redis_url, namespace)
    yield made
    made.client.close()


def test_a_deployment_at_rest_is_well(deployment: Deployment) -> None:
    assert {finding.level for finding in deployment.judged()} == {"ok"}


def test_a_partition_without_a_lease(deployment: Deployment) -> None:
    deployment.client.delete(deployment.keys[1].lease("rules"))
    assert "partition 1" in deployment.wrong("rules")


def test_a_role_without_a_worker(deployment: Deployment) -> None:
    deployment.client.delete(*(keys.lease("views") for keys in deployment.keys))
    deployment.client.delete(workers_key(deployment.namespace, "views"))
    assert "fairdeal work views" in deployment.wrong("views")


def test_a_position_that_does_not_move(deployment: Deployment) -> None:
    keys = deployment.keys[0]
    deployment.client.xadd(keys.commands, {"a": "b"})
    deployment.client.hset(keys.position("rules"), mapping={"entry": "0-0", "count": 0, "attempts": 2})
    assert "1 entries wait and nothing moves (start 2" in deployment.wrong("rules")


def test_entries_that_were_removed_before_they_were_read(deployment: Deployment) -> None:
    keys = deployment.keys[0]
    entries = [deployment.client.xadd(keys.commands, {"n": n}) for n in range(5)]
    deployment.client.hset(keys.position("rules"), mapping={"entry": entries[1], "count": 2, "attempts": 0})
    assert "1 entries" not in str(deployment.judged()[0])
    deployment.client.xtrim(keys.commands, minid=entries[4], approximate=False)
    assert "2 entries were removed" in deployment.wrong("rules")


def test_a_stream_behind_its_position(deployment: Deployment) -> None:
    keys = deployment.keys[0]
    deployment.client.xadd(keys.commands, {"a": "b"})
    deployment.client.hset(keys.position("rules"), mapping={"entry": "9999999999999-0", "count": 7})
    assert "ahead of its stream" in deployment.wrong("rules")


def test_a_parked_game(deployment: Deployment) -> None:
    parked = {"incident": "cafe", "version": 3, "error": "ValueError: no", "at": 5}
    deployment.client.hset(deployment.keys[1].parked("views"), "g1", json.dumps(parked))
    assert "g1" in deployment.wrong("views")


def test_a_deadline_that_nobody_plays_for(deployment: Deployment) -> None:
    deployment.client.zadd(deployment.keys[0].deadlines, {"g1": deployment.now() - 60_000})
    assert "60 s ago" in deployment.wrong("clock")


def test_another_secret(deployment: Deployment) -> None:
    other = secret_fingerprint(msgspec.structs.replace(deployment.settings, secret="another"))
    deployment.client.hset(deployment_key(deployment.namespace), "secret", other)
    told = deployment.wrong("secret")
    assert other in told
    assert secret_fingerprint(deployment.settings) in told


def test_dead_letters_are_noted(deployment: Deployment) -> None:
    deployment.client.xadd(deployment.keys[0].dead, {"reason": "malformed"})
    (finding,) = [one for one in deployment.judged() if one.check == "dead letters"]
    assert (finding.level, finding.found) == ("note", "1")


def test_the_command_ends_with_one_when_something_is_wrong() -> None:
    with RedisServer(maxmemory_policy="allkeys-lru") as server:
        made = Deployment(server.url, "sick")
        result = runner.invoke(app, ["doctor", "--redis-url", server.url, "--namespace", "sick", "--json"])
        made.client.close()
    assert result.exit_code == 1, result.output
    told = json.loads(result.stdout)
    assert told["well"] is False
    assert [one["check"] for one in told["findings"] if one["level"] == "wrong"] == ["eviction"]


def test_the_command_ends_with_zero_when_all_is_well(deployment: Deployment) -> None:
    where = ["--redis-url", deployment.url, "--namespace", deployment.namespace]
    result = runner.invoke(app, ["doctor", *where])
    assert result.exit_code == 0, result.output
    assert "noeviction" in result.output


def test_without_a_deployment_it_cannot_run(redis_url: str) -> None:
    result = runner.invoke(app, ["doctor", "--redis-url", redis_url, "--namespace", "nobody"])
    assert result.exit_code == 2
    assert "There is no deployment 'nobody'" in result.stderr
    assert "next" in result.stderr
