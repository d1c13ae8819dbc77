"""`fairdeal status`: workers, leases, positions, and what waits."""

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from fairdeal.connect import without_password
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import grid, say, say_json
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.roles import all_roles
from fairdeal_cli.survey import Survey, survey
from fairdeal_worker.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "status", panel="Operate")(status)


async def status(settings: Settings, *, as_json: Json = False) -> None:
    """Show workers, leases, position and lag of every partition and role, dead letters, parked games."""
    async with redis_of(settings) as redis:
        look = await survey(redis, settings.namespace, all_roles())
    if as_json:
        say_json(msgspec.to_builtins(look))
        return
    deployment = look.deployment
    address = without_password(settings.redis_url)
    say(f"{deployment.namespace} in {address}, {deployment.partitions} partitions", "", _roles(look), "")
    say(_progress(look))
    waiting = sum(partition.deadlines for partition in look.partitions)
    dead = sum(partition.dead for partition in look.partitions)
    say("", f"{waiting} games on the clock, {dead} dead letters" + (" (fairdeal dead list)" if dead else ""))


def _roles(look: Survey) -> Table:
    table = grid("role", "workers", "served", "to do", "parked")
    for number, (role, workers) in enumerate(look.workers.items()):
        progress = [partition.progress[number] for partition in look.partitions]
        served = sum(one.worker is not None for one in progress)
        whole = f"{served}/{len(progress)}"
        table.add_row(
            role,
            Text("\n".join(sorted(workers)) or "none"),
            Text(whole, "" if served == len(progress) else "yellow"),
            str(sum(one.lag for one in progress)),
            str(sum(len(one.parked) for one in progress)),
        )
    return table


def _progress(look: Survey) -> Table:
    table = grid("partition", "role", "worker", "position", "done", "to do", "missing", "starts", "parked")
    for partition in look.partitions:
        for one in partition.progress:
            table.add_row(
                str(partition.partition),
                one.role,
                Text(one.worker) if one.worker else Text("nobody", "yellow"),
                one.entry,
                str(one.count),
                str(one.lag),
                Text(str(one.missing), "bold red" if one.missing else ""),
                str(one.attempts),
                Text(", ".join(sorted(one.parked)), "bold red"),
            )
    return table
