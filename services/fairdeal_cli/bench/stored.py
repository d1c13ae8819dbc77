"""What needs Redis: the packed commit alone, the whole pipeline, its latency, and memory for each commit."""

import asyncio
import logging
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import perf_counter, time
from typing import Any, Final

import structlog

from fairdeal.codec import decode_receipt
from fairdeal.wire import BODY, Keys
from fairdeal_cli.bench import RATE, quantile
from fairdeal_cli.bench.prepared import CLIENT, Move, body_of, play_out
from fairdeal_cli.parts import Parts
from fairdeal_cli.problems import Problem
from fairdeal_rules.store import commit as commit_script
from fairdeal_rules.worker import RulesHandler
from fairdeal_worker.role import ORIGIN, Entry, Partition, Position
from fairdeal_worker.settings import Settings

_FLUSH_S: Final = 0.002
_PATIENCE_S: Final = 60.0
"""How long the pipeline may take beyond what it is measured for."""

Streams = dict[int, list[Move]]
"""Each partition's moves, in the order of its stream."""


def prepare(rulesets: Sequence[str], settings: Settings, commands: int) -> Streams:
    """So many commands, spread over all partitions."""
    streams: Streams = defaultdict(list)
    for partition, move in play_out(rulesets, settings, commands, int(time() * 1000)):
        streams[partition].append(move)
    return streams


# The packed commit


def _silent() -> Any:
    """A logger that writes nothing but errors: what a worker logs costs the same, what it prints is no figure."""
    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr), wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR)
    )


class _Recorder:
    """Answers a rules handler like a Redis without any games, and keeps the calls of its script."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._asked = 0

    def pipeline(self, transaction: bool) -> "_Recorder":
        self._asked = 0
        return self

    def xrange(self, key: str) -> None:
        self._asked += 1

    def hgetall(self, key: str) -> None:
        self._asked += 1

    async def execute(self, *, raise_on_error: bool = True) -> list[Any]:
        return [[], {}] * (self._asked // 2)

    async def exists(self, key: str) -> int:
        return 0

    async def evalsha(self, sha: str, keys: int, *arguments: Any) -> list[bytes]:
        self.calls.append((keys, *arguments))
        return [b"ok"]


async def record_commits(streams: Streams, settings: Settings) -> tuple[list[tuple[Any, ...]], float]:
    """The script calls that a rules worker makes for these streams, and the seconds that it took to decide them."""
    recorder = _Recorder()
    began = perf_counter()
    for number, moves in streams.items():
        handler = RulesHandler(
            Partition(
                keys=Keys(settings.namespace, number),
                redis=recorder,
                settings=settings,
                log=_silent(),
                worker="bench",
            )
        )
        await handler.start(Position(ORIGIN, 0, 1))
        entries = [Entry(move.entry, {BODY.encode(): body_of(move)}) for move in moves]
        for first in range(0, len(entries), settings.batch):
            await handler.handle(entries[first : first + settings.batch])
    return recorder.calls, perf_counter() - began


async def measure_commit(redis: Any, streams: Streams, settings: Settings, seconds: float) -> dict[str, Any]:
    """Commits a second by commit.lua alone: prebuilt arguments, one connection, nothing else running."""
    calls, decided_s = await record_commits(streams, settings)
    sha = await redis.script_load(commit_script.source)
    each = sum(map(len, streams.values())) / len(calls)
    done = 0
    began = perf_counter()
    for call in calls:
        answer = await redis.evalsha(sha, *call)
        if answer != [b"ok"]:
            raise Problem("The commit script refused a prepared commit", str(answer), "This is a defect")
        done += 1
        if perf_counter() - began >= seconds:
            break
    took = perf_counter() - began
    commands = sum(map(len, streams.values()))
    return {
        "per_s": done * each / took,
        "ms_each_batch": 1e3 * took / done,
        "batch": each,
        "worker_without_redis_per_s": commands / decided_s,
    }


# The pipeline


async def measure_pipeline(
    redis: Any, parts: Parts, streams: Streams, settings: Settings, seconds: float
) -> dict[str, Any]:
    """Accepted commands a second by one worker process from streams that are full when it starts."""
    total = sum(map(len, streams.values()))
    await _fill(redis, settings, streams)
    parts.start("rules", "rules")
    counted: list[tuple[float, int]] = []
    deadline = perf_counter() + seconds + _PATIENCE_S
    while not counted or (counted[-1][1] < total and counted[-1][0] - counted[0][0] < seconds):
        done = await _done(redis, settings)
        if done:
            counted.append((perf_counter(), done))
        if perf_counter() > deadline:
            raise Problem(
                f"The worker had done {done} of {total} commands when the time was over",
                "; ".join(part.last_words for part in parts.running),
                "Look at that; on a busy machine give it more --seconds",
            )
        await asyncio.sleep(0.02)
    (began, first), (ended, last) = counted[0], counted[-1]
    if last == first:
        raise Problem("The worker was done before it could be measured", "", "Give it more --seconds")
    return {"per_s": (last - first) / (ended - began), "done": last, "took_s": ended - began}


async def _fill(redis: Any, settings: Settings, streams: Streams) -> None:
    for number, moves in streams.items():
        key = Keys(settings.namespace, number).commands
        for first in range(0, len(moves), 1000):
            pipeline = redis.pipeline(transaction=False)
            for move in moves[first : first + 1000]:
                pipeline.xadd(key, {BODY: body_of(move)}, id=move.entry)
            await pipeline.execute()


async def _done(redis: Any, settings: Settings) -> int:
    pipeline = redis.pipeline(transaction=False)
    for number in range(settings.partitions):
        pipeline.hget(Keys(settings.namespace, number).position("rules"), "count")
    return sum(int(count or 0) for count in await pipeline.execute())


async def drain(redis: Any, settings: Settings, total: int) -> None:
    """Wait until the worker has done so many commands. Raises `Problem` when it takes too long."""
    deadline = perf_counter() + _PATIENCE_S
    while await _done(redis, settings) < total:
        if perf_counter() > deadline:
            raise Problem(
                f"The worker has not done {total} commands", f"waited {_PATIENCE_S:.0f} s", "Try again"
            )
        await asyncio.sleep(0.05)


async def measure_latency(redis: Any, streams: Streams, settings: Settings) -> dict[str, Any]:
    """Milliseconds from the moment a command is due to be sent until its receipt is read, at a steady rate."""
    moves = [
        (number, move) for turn in zip(*streams.values(), strict=True) for number, move in enumerate(turn)
    ]
    answered: dict[str, float] = {}
    reader = asyncio.create_task(_read_replies(redis, settings, len(moves), answered))
    due: dict[str, float] = {}
    await asyncio.sleep(0.2)  # the reader finds out where the replies end now
    began = perf_counter()
    sent = 0
    while sent < len(moves):
        pipeline = redis.pipeline(transaction=False)
        while sent < len(moves) and began + sent / RATE <= perf_counter():
            number, move = moves[sent]
            due[move.command.id] = began + sent / RATE
            pipeline.xadd(Keys(settings.namespace, number).commands, {BODY: body_of(move)}, id=move.entry)
            sent += 1
        if len(pipeline):
            await pipeline.execute()
        await asyncio.sleep(_FLUSH_S)
    async with asyncio.timeout(_PATIENCE_S):
        await reader
    waits = sorted(1e3 * (answered[id] - at) for id, at in due.items())
    return {
        "commands_per_s": RATE,
        "p50_ms": quantile(waits, 0.5),
        "p99_ms": quantile(waits, 0.99),
        "max_ms": waits[-1],
        "done": len(waits),
    }


async def _read_replies(redis: Any, settings: Settings, expected: int, answered: dict[str, float]) -> None:
    keys = [Keys(settings.namespace, number).replies(CLIENT) for number in range(settings.partitions)]
    last: dict[str, Any] = {}
    for key in keys:
        newest = await redis.xrevrange(key, count=1)
        last[key] = newest[0][0] if newest else ORIGIN
    while len(answered) < expected:
        for key, entries in await redis.xread(last, count=1000, block=1000):
            now = perf_counter()
            last[key.decode()] = entries[-1][0]
            for _, fields in entries:
                receipt = decode_receipt(fields[BODY.encode()])
                if receipt.status != "accepted":
                    raise Problem("A prepared command was not accepted", str(receipt), "This is a defect")
                answered[receipt.command] = now


# Memory


async def measure_memory(redis: Any, streams: Iterable[Sequence[Move]], settings: Settings) -> dict[str, Any]:
    """Redis's bytes for each commit, in logs and in receipts, over the games of these streams."""
    log_bytes = receipt_bytes = commits = 0
    for number, moves in enumerate(streams):
        keys = Keys(settings.namespace, number)
        for game in dict.fromkeys(move.command.game for move in moves):
            pipeline = redis.pipeline(transaction=False)
            pipeline.memory_usage(keys.log(game), samples=0)
            pipeline.memory_usage(keys.receipts(game), samples=0)
            pipeline.xlen(keys.log(game))
            log, receipts, length = await pipeline.execute()
            log_bytes += log or 0
            receipt_bytes += receipts or 0
            commits += length
    return {"log_bytes": log_bytes / commits, "receipt_bytes": receipt_bytes / commits, "commits": commits}
