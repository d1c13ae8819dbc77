"""The command `fairdeal bench`: measures, and tells figures and ratios."""

import os
import platform
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from fairdeal.games import RULESETS
from fairdeal_cli.bench import RATE, Figures, What
from fairdeal_cli.choosing import check_ruleset, complete_ruleset
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import grid, say, say_json
from fairdeal_cli.parts import new_secret
from fairdeal_rules.ruleset import rules_for
from fairdeal_worker.settings import settings_from

MIX: Final = "mix"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "bench", panel="Develop")(bench)


def bench(
    what: Annotated[What, typer.Argument(help="Which layer.")] = What.ALL,
    *,
    ruleset: Annotated[
        str,
        typer.Option(
            help=f"Which game is played; {MIX}: as many games of each.", autocompletion=complete_ruleset
        ),
    ] = "perudo",
    seconds: Annotated[
        float, typer.Option(help="How long each measurement lasts, about.", min=0.2, max=60)
    ] = 3.0,
    as_json: Json = False,
) -> None:
    """Measure this machine: each layer alone and all together, with an embedded Redis that syncs every commit."""
    if ruleset != MIX:
        check_ruleset(ruleset)
    rulesets = RULESETS if ruleset == MIX else (ruleset,)
    settings = settings_from({}, namespace="bench", secret=new_secret())
    # What is measured takes a while to import, and no other command has a use for it.
    from fairdeal_cli.bench.measure import measure

    figures = measure(what, rulesets, settings, seconds)
    told = {
        "machine": {
            "cpus": os.cpu_count(),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "ruleset": ", ".join(rules_for(name).tag for name in rulesets),
        "seconds": seconds,
        "figures": figures,
        "ratios": ratios(figures),
    }
    if as_json:
        say_json(told)
    else:
        _tell(figures)


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
    if "gateway" in figures:
        _tell_gateway(table, figures["gateway"])
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


def _tell_gateway(table: Table, figure: dict[str, Any]) -> None:
    table.add_row("idle", f"{figure['idle']:,}", f"event streams, all open after {figure['open_s']:.1f} s")
    each = figure["bytes_each_idle"] / 1024
    table.add_row(
        "", f"{each:.0f} KiB", f"of memory each, {figure['idle_cpu']:.0%} of a core for all of them"
    )
    table.add_row(
        "active",
        f"{figure['active']:,}",
        f"more; {figure['frames']:,} of {figure['frames_due']:,} frames of {figure['commits']:,} commits came, "
        f"{figure['active_cpu']:.0%} of a core",
    )
    table.add_row(
        "",
        f"{figure['p50_ms']:.0f} ms",
        f"from commit to watcher for half of the frames; p99 {figure['p99_ms']:.0f} ms, max {figure['max_ms']:.0f} ms",
    )
    table.add_row(
        "memory", f"{figure['memory_bytes'] / 2**20:.0f} MiB", "of the whole gateway, with everybody watching"
    )
