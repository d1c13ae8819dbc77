"""What is measured, in which order, with which Redis."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from fairdeal_cli.bench import RATE, Figures, What
from fairdeal_cli.bench.alone import measure_audit, measure_rules, measure_views
from fairdeal_cli.bench.stored import (
    Streams,
    drain,
    measure_commit,
    measure_latency,
    measure_memory,
    measure_pipeline,
    prepare,
)
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.embedded import embedded
from fairdeal_cli.gateway import check_installed
from fairdeal_cli.parts import Parts, ending_cleanly
from fairdeal_worker.settings import Settings

QUICK_S: Final = 0.3
"""How long the rules are measured to know how many commands to prepare."""

BATCHES: Final = 4
"""The fewest batches of each partition that the pipeline is measured with."""

_ALONE: Final = {What.RULES: measure_rules, What.VIEWS: measure_views, What.AUDIT: measure_audit}


def measure(what: What, rulesets: Sequence[str], settings: Settings, seconds: float) -> Figures:
    """Measure these layers, each for so many seconds. Raises `Problem`."""
    if what is What.GATEWAY:
        check_installed()
        from fairdeal_cli.bench.streams import measure_streams

        return {"gateway": measure_streams(settings, seconds)}
    figures = {
        str(layer): measure_layer(rulesets, settings, seconds)
        for layer, measure_layer in _ALONE.items()
        if what in (What.ALL, layer)
    }
    if what in (What.ALL, What.COMMIT, What.PIPELINE):
        with ending_cleanly():
            figures |= _with_redis(what, rulesets, settings, seconds)
    return figures


def _with_redis(what: What, rulesets: Sequence[str], settings: Settings, seconds: float) -> Figures:
    figures: Figures = {}
    # A worker plays no more than the rules alone, so that many last for as long as is measured.
    rate = measure_rules(rulesets, settings, QUICK_S)["per_s"]
    least = BATCHES * settings.batch * settings.partitions
    throughput = max(least, int(rate * seconds) // settings.partitions * settings.partitions)
    latency = int(RATE * seconds) // settings.partitions * settings.partitions
    streams = prepare(rulesets, settings, throughput + latency)
    tail = latency // settings.partitions
    first = {number: moves[:-tail] for number, moves in streams.items()}
    rest = {number: moves[-tail:] for number, moves in streams.items()}
    if what in (What.ALL, What.COMMIT):
        with embedded(durable=True) as server:
            here = msgspec.structs.replace(settings, redis_url=server.url)
            figures["commit"] = asyncio.run(_commit(here, first, seconds))
    if what in (What.ALL, What.PIPELINE):
        with (
            embedded(durable=True) as server,
            tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder,
        ):
            here = msgspec.structs.replace(settings, redis_url=server.url)
            with Parts(here, Path(folder)) as parts:
                figures |= asyncio.run(_pipeline(here, parts, first, rest, seconds))
    return figures


async def _commit(settings: Settings, streams: Streams, seconds: float) -> dict[str, Any]:
    async with redis_of(settings) as redis:
        return await measure_commit(redis, streams, settings, seconds)


async def _pipeline(
    settings: Settings, parts: Parts, first: Streams, rest: Streams, seconds: float
) -> Figures:
    async with redis_of(settings) as redis:
        figures = {"pipeline": await measure_pipeline(redis, parts, first, settings, seconds)}
        await drain(redis, settings, sum(map(len, first.values())))
        figures["memory"] = await measure_memory(redis, first.values(), settings)
        figures["latency"] = await measure_latency(redis, rest, settings)
    return figures
