"""The command `fairdeal bench`: measures, and tells figures and ratios."""

import asyncio
import os
import platform
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from fairdeal.connect import connect
from fairdeal.games import RULESETS
from fairdeal_cli.bench.alone import measure_audit, measure_rules, measure_views
from fairdeal_cli.bench.stored import (
    RATE,
    Streams,
    drain,
    measure_commit,
    measure_latency,
    measure_memory,
    measure_pipeline,
    prepare,
)
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import grid, say, say_json
from fairdeal_cli.embedded import embedded
from fairdeal_cli.parts import Parts, ending_cleanly, new_secret
from fairdeal_cli.problems import Problem
from fairdeal_rules.ruleset import rules_for
from fairdeal_worker.settings import Settings, settings_from

QUICK_S: Final = 0.3
"""How long the rules are measured to know how many commands to prepare."""

Figures = dict[str, dict[str, Any]]


class What(StrEnum):
    """What to measure."""

    ALL = "all"
    PIPELINE = "pipeline"
    COMMIT = "commit"
    RULES = "rules"
    VIEWS = "views"
    AUDIT = "audit"


_ALONE: Final = {What.RULES: measure_rules, What.VIEWS: measure_views, What.AUDIT: measure_audit}


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "bench", panel="Develop")(bench)


def bench(
    what: Annotated[What, typer.Argument(help="Which layer.")] = What.ALL,
    *,
    ruleset: Annotated[
        str, typer.Option(help="Which game is played.", autocompletion=lambda: list(RULESETS))
    ] = "perudo",
    seconds: Annotated[
        float, typer.Option(help="How long each measurement lasts, about.", min=0.2, max=60)
    ] = 3.0,
    as_json: Json = False,
) -> None:
    """Measure this machine: each layer alone and all together, with an embedded Redis that syncs every commit."""
    if ruleset not in RULESETS:
        raise Problem(f"There is no ruleset {ruleset!r}", "", f"Choose among {', '.join(RULESETS)}")
    settings = settings_from({}, namespace="bench", secret=new_secret())
    figures: Figures = {}
    for layer, measure in _ALONE.items():
        if what in (What.ALL, layer):
            figures[layer] = measure(ruleset, settings, seconds)
    if what in (What.ALL, What.COMMIT, What.PIPELINE):
        with ending_cleanly():
            figures |= _with_redis(what, ruleset, settings, seconds)
    told = {
        "machine": {
            "cpus": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "ruleset": rules_for(ruleset).tag,
        "seconds": seconds,
        "figures": figures,
        "ratios": ratios(figures),
    }
    if as_json:
        say_json(told)
    else:
        _tell(figures)


def _with_redis(what: What, ruleset: str, settings: Settings, seconds: float) -> Figures:
    figures: Figures = {}
    # A worker plays no more than the rules alone, so that many last for as long as is measured.
    rate = measure_rules(ruleset, settings, QUICK_S)["per_s"]
    throughput = int(rate * seconds) // settings.partitions * settings.partitions
    latency = int(RATE * seconds) // settings.partitions * settings.partitions
    streams = prepare(ruleset, settings, throughput + latency)
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
    redis = connect(settings.redis_url)
    try:
        return await measure_commit(redis, streams, settings, seconds)
    finally:
        await redis.aclose()


async def _pipeline(
    settings: Settings, parts: Parts, first: Streams, rest: Streams, seconds: float
) -> Figures:
    redis = connect(settings.redis_url)
    try:
        figures = {"pipeline": await measure_pipeline(redis, parts, first, settings, seconds)}
        await drain(redis, settings, sum(map(len, first.values())))
        figures["memory"] = await measure_memory(redis, first.values(), settings)
        figures["latency"] = await measure_latency(redis, rest, settings)
    finally:
        await redis.aclose()
    return figures


_RATIOS: Final = (
    ("commit/pipeline", "the packed commit alone is so many times as fast as the pipeline"),
    ("rules/pipeline", "the rules alone are so many times as fast as the pipeline"),
    ("views/pipeline", "one views worker keeps up with so many such pipelines, at the least"),
    ("audit/rules", "the audit takes in commits so fast beside playing them"),
)


def ratios(figures: Figures) -> dict[str, float]:
    """How the layers compare, as far as they were measured."""
    return {
        name: figures[above]["per_s"] / figures[below]["per_s"]
        for name, _ in _RATIOS
        for above, below in [name.split("/")]
        if above in figures and below in figures
    }


def _tell(figures: Figures) -> None:
    table = grid("layer", "", "")
    words = {
        "rules": "decisions/s, {us_each:.0f} µs each",
        "views": "commits/s folded and encoded, {us_each:.0f} µs each",
        "audit": "commits/s audited, {us_each:.0f} µs each",
        "commit": "commits/s by the script alone, batches of {batch:.0f} in {ms_each_batch:.1f} ms",
        "pipeline": "accepted commands/s by one worker, every commit on disk",
    }
    for name, figure in figures.items():
        if name in words:
            table.add_row(name, f"{figure['per_s']:,.0f}", words[name].format(**figure))
    if "latency" in figures:
        figure = figures["latency"]
        table.add_row(
            "latency",
            f"{figure['p50_ms']:.1f} ms",
            f"half of all at {RATE:,} commands/s; p99 {figure['p99_ms']:.1f} ms, max {figure['max_ms']:.1f} ms",
        )
    if "memory" in figures:
        figure = figures["memory"]
        table.add_row(
            "memory",
            f"{figure['log_bytes']:.0f} B",
            f"of log a commit, and {figure['receipt_bytes']:.0f} B of receipt",
        )
    meanings = dict(_RATIOS)
    for name, ratio in ratios(figures).items():
        table.add_row(name, f"{ratio:.2f}", meanings[name])
    say(table)
