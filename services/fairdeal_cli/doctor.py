"""`fairdeal doctor`: what is wrong with a deployment, and what to do about it."""

import asyncio
from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec
import typer
from redis.asyncio import RedisCluster
from redis.exceptions import ResponseError
from rich.text import Text

from fairdeal.connect import without_password
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import grid, say, say_json
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.embedded import OLDEST
from fairdeal_cli.problems import Exit
from fairdeal_cli.roles import all_roles
from fairdeal_views.parking import Parked
from fairdeal_views.survey import Progress, Survey, survey
from fairdeal_worker.deployment import secret_fingerprint
from fairdeal_worker.settings import Settings

Level = Literal["ok", "note", "wrong"]

SECOND_LOOK_S: Final = 2.0
"""How long after the first look the second one comes, which tells a delay from a standstill."""
FULL: Final = 0.8
"""The share of `maxmemory` from which on it is time to act."""
LATE_MS: Final = 5000
"""How long a deadline may have passed before the clock counts as not running."""
NEEDED: Final = ("rules", "views")
"""Roles without which no game goes on or nobody sees it."""


class Finding(msgspec.Struct, frozen=True):
    """One check's verdict. `advice` is what to do, empty when all is well."""

    level: Level
    check: str
    found: str
    advice: str = ""


class Server(msgspec.Struct, frozen=True):
    """What one Redis server says of itself. `fsync` is None when it may not be asked."""

    name: str
    version: str
    policy: str
    used: int
    limit: int
    """Bytes; 0 for none."""
    aof: bool
    fsync: str | None
    write_failed: bool
    """Whether its last write to disk failed."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "doctor", panel="Operate")(doctor)


async def doctor(settings: Settings, *, as_json: Json = False) -> None:
    """Check Redis and the deployment in it: what is wrong, and what to do. Exit code 1 when something is."""
    async with redis_of(settings) as redis:
        findings = [finding for server in await _servers(redis, settings) for finding in judge_server(server)]
        first = await survey(redis, settings.namespace, all_roles())
        second = first
        if _unsettled(first):
            await asyncio.sleep(SECOND_LOOK_S)
            second = await survey(redis, settings.namespace, all_roles())
    findings += [*judge_deployment(second, settings), *judge_progress(first, second)]
    _tell(findings, as_json=as_json)
    if any(finding.level == "wrong" for finding in findings):
        raise typer.Exit(Exit.NO)


# Redis


async def _servers(redis: Any, settings: Settings) -> list[Server]:
    if isinstance(redis, RedisCluster):
        await redis.initialize()
        return [await _server(redis, node.name, {"target_nodes": node}) for node in redis.get_primaries()]
    return [await _server(redis, without_password(settings.redis_url), {})]


async def _server(redis: Any, name: str, where: dict[str, Any]) -> Server:
    info: dict[str, Any] = {}
    for section in ("server", "memory", "persistence"):
        info |= await redis.info(section, **where)
    try:
        fsync = (await redis.config_get("appendfsync", **where)).get("appendfsync")
    except ResponseError:
        fsync = None  # hosted servers often keep CONFIG to themselves
    return Server(
        name=name,
        version=info["redis_version"],
        policy=info["maxmemory_policy"],
        used=info["used_memory"],
        limit=info["maxmemory"],
        aof=bool(info["aof_enabled"]),
        fsync=fsync,
        write_failed="err" in (info.get("aof_last_write_status"), info.get("rdb_last_bgsave_status")),
    )


def judge_server(server: Server) -> Iterator[Finding]:
    """What one server's own account says of it."""
    major, minor = (int(part) for part in server.version.split(".")[:2])
    yield _verdict(
        "redis version",
        (major, minor) >= OLDEST,
        f"{server.name} is {server.version}",
        f"Run Redis {OLDEST[0]}.{OLDEST[1]} or newer",
    )
    yield _verdict(
        "eviction",
        server.policy == "noeviction",
        f"maxmemory-policy is {server.policy}",
        "Redis may throw games away when it is full: CONFIG SET maxmemory-policy noeviction, and in redis.conf",
    )
    yield from _judge_memory(server)
    yield _judge_persistence(server)


def _judge_memory(server: Server) -> Iterator[Finding]:
    used = f"{server.used / 2**20:.0f} MiB used"
    if not server.limit:
        yield Finding(
            "note",
            "memory",
            f"{used}, no maxmemory",
            "Set maxmemory, so that a full Redis answers with an error",
        )
        return
    share = server.used / server.limit
    yield _verdict(
        "memory",
        share < FULL,
        f"{used}, {share:.0%} of maxmemory",
        "Raise maxmemory, or set FAIRDEAL_ARCHIVE so that finished games leave Redis",
    )


def _judge_persistence(server: Server) -> Finding:
    if server.write_failed:
        return Finding(
            "wrong", "persistence", "the last write to disk failed", "Look at Redis's log and its disk"
        )
    if not server.aof:
        return Finding(
            "note",
            "persistence",
            "appendonly is off: a restart loses games",
            "For games that must last: appendonly yes and appendfsync always",
        )
    if server.fsync == "always":
        return Finding("ok", "persistence", "every accepted command is on disk before it is answered")
    return Finding(
        "note",
        "persistence",
        f"appendfsync is {server.fsync or 'not to be asked'}: a crash of the machine may lose the last second",
        "If accepted must mean on disk: appendfsync always",
    )


# The deployment


def _unsettled(look: Survey) -> bool:
    return any(
        progress.lag > 0 or progress.worker is None
        for partition in look.partitions
        for progress in partition.progress
    )


def judge_deployment(look: Survey, settings: Settings) -> Iterator[Finding]:
    """Whether this process fits the deployment, and what waits in it."""
    deployment = look.deployment
    yield Finding("ok", "deployment", f"{deployment.namespace}, {deployment.partitions} partitions")
    if settings.secret and deployment.secret is not None:
        yield _verdict(
            "secret",
            secret_fingerprint(settings) == deployment.secret,
            f"the deployment's fingerprint is {deployment.secret}, ours {secret_fingerprint(settings)}",
            "Give this process the FAIRDEAL_SECRET that the deployment was created with",
        )
    else:
        yield Finding("ok", "secret", f"the deployment's fingerprint is {deployment.secret or 'not set yet'}")
    overdue = max((partition.overdue_ms for partition in look.partitions), default=0)
    if overdue > LATE_MS:
        yield Finding(
            "wrong",
            "clock",
            f"a deadline passed {overdue / 1000:.0f} s ago and nobody has played for it",
            "The rules workers play the clock: see whether they run, and their logs",
        )
    dead = sum(partition.dead for partition in look.partitions)
    if dead:
        yield Finding("note", "dead letters", f"{dead}", "See them with `fairdeal dead list`")


def judge_progress(first: Survey, second: Survey) -> Iterator[Finding]:
    """What each role does or fails to do, from two looks at some distance."""
    for number, role in enumerate(second.workers):
        before = [partition.progress[number] for partition in first.partitions]
        now = [partition.progress[number] for partition in second.partitions]
        findings = [*_judge_leases(role, second.workers[role], now), *_judge_role(role, before, now)]
        if not findings:
            lag = sum(progress.lag for progress in now)
            findings = [Finding("ok", role, f"all {len(now)} partitions served, {lag} entries to do")]
        yield from findings


def _judge_leases(role: str, workers: dict[str, int], now: list[Progress]) -> Iterator[Finding]:
    without = [partition for partition, progress in enumerate(now) if progress.worker is None]
    if not without:
        return
    level: Level = "wrong" if role in NEEDED or workers else "note"
    if not workers:
        yield Finding(level, role, "no worker runs in this role", f"Start one: fairdeal work {role}")
        return
    yield Finding(
        level,
        role,
        f"nobody serves {_partitions(without)}, though {len(workers)} run",
        "After a worker's death this lasts one lease. If it stays, look at the workers' logs",
    )


def _judge_role(role: str, before: list[Progress], now: list[Progress]) -> Iterator[Finding]:
    for partition, (earlier, progress) in enumerate(zip(before, now, strict=True)):
        where = f"partition {partition} at {progress.entry}"
        if progress.missing:
            yield Finding(
                "wrong",
                role,
                f"{where}: {progress.missing} entries were removed before they were read",
                "Somebody trimmed or flushed the stream. Receipts tell senders which commands to send again"
                if role == "rules"
                else "The logs are whole: `fairdeal rebuild` brings it up to date",
            )
        elif progress.lag < 0:
            yield Finding(
                "wrong",
                role,
                f"{where}: the position is ahead of its stream, which ends at {progress.last}",
                "The stream was deleted or restored from an older backup without its position: restore both",
            )
        elif progress.lag and progress.worker and earlier.entry == progress.entry:
            yield Finding(
                "wrong",
                role,
                f"{where}: {progress.lag} entries wait and nothing moves (start {progress.attempts} from there)",
                f"Look at the log of {progress.worker}; one that kills its worker is set aside at the fourth start",
            )
        if progress.parked:
            yield Finding(
                "wrong",
                role,
                f"partition {partition}: parked {_games(progress.parked)}",
                "Find the incident in the worker's log, mend the cause, then `fairdeal rebuild --game GAME`",
            )


def _games(parked: dict[str, Parked]) -> str:
    return ", ".join(f"{game} (incident {why.incident})" for game, why in sorted(parked.items()))


def _partitions(numbers: list[int]) -> str:
    return f"partition{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _verdict(check: str, good: bool, found: str, advice: str) -> Finding:
    return Finding("ok", check, found) if good else Finding("wrong", check, found, advice)


_STYLES: Final = {"ok": "green", "note": "yellow", "wrong": "bold red"}


def _tell(findings: list[Finding], *, as_json: bool) -> None:
    if as_json:
        say_json({"well": all(finding.level != "wrong" for finding in findings), "findings": findings})
        return
    table = grid("", "check", "found", "what to do")
    for finding in findings:
        table.add_row(
            Text(finding.level, _STYLES[finding.level]),
            finding.check,
            Text(finding.found),
            Text(finding.advice),
        )
    say(table)
