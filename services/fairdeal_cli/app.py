"""All commands, put together."""

import typer

from fairdeal_cli import about, demo, doctor, gateway, history, online, play, running, status, upkeep
from fairdeal_cli.bench import command as bench_command
from fairdeal_cli.usage import Commands

app = typer.Typer(
    name="fairdeal",
    cls=Commands,
    help="Games of bluffing, bidding and haggling for other people's backends. Begin with `fairdeal demo`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (demo, play, online, history, running, gateway, status, doctor, upkeep, about, bench_command):
    module.register(app)
