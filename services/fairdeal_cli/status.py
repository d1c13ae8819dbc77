"""`fairdeal status`: workers, leases, positions, and what waits."""

from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from fairdeal.connect import without_password
from fairdeal_cli.command import Json, command
from fairdeal_cli.console import counted, grid, say, say_json
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.roles import all_roles
from fairdeal_views.survey import Progress, Survey, survey
from fairdeal_worker.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "status", panel="Operate")(status)


async def status(
    settings: Settings,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Show the partitions and roles as well where all is well.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show workers, leases, position and lag of the partitions and roles, dead letters, parked games.

    Where a role is served, has done everything and holds no game parked, all is well: without --all only
    the number of these is told.

    The columns:

    - served: how many partitions have a worker in the role
    - worker: who holds the partition's lease
    - position: the last entry of the stream that is done, and how many are done
    - to do: how many entries wait
    - missing: how many of them are no longer in the stream (ask `fairdeal doctor`)
    - starts: how often work was begun after the position
    - parked: games that the role failed at and leaves alone
    """
    async with redis_of(settings) as redis:
        look = await survey(redis, settings.namespace, all_roles())
    if as_json:
        say_json(msgspec.to_builtins(look))
        return
    deployment = look.deployment
    address = without_password(settings.redis_url)
    partitions = counted(deployment.partitions, "partition")
    say(f"{deployment.namespace} in {address}, {partitions}", "", _roles(look), "")
    places = [(partition.partition, one) for partition in look.partitions for one in partition.progress]
    shown = [(number, one) for number, one in places if everything or not _is_well(one)]
    if shown:
        say(_progress(shown))
    if well := len(places) - len(shown):
        say(
            f"All is well in {well} of {len(places)} places, each a partition in a role; --all shows them too."
        )
    waiting = sum(partition.deadlines for partition in look.partitions)
    dead = sum(partition.dead for partition in look.partitions)
    letters = counted(dead, "dead letter") + (" (fairdeal dead list)" if dead else "")
    say("", f"{counted(waiting, 'game')} on the clock, {letters}")


def _is_well(one: Progress) -> bool:
    """Whether there is nothing to be said of a partition's role: served, nothing waits, missing or parked."""
    return one.worker is not None and not (one.lag or one.missing or one.parked)


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


def _progress(shown: list[tuple[int, Progress]]) -> Table:
    table = grid("partition", "role", "worker", "position", "done", "to do", "missing", "starts", "parked")
    for number, one in shown:
        table.add_row(
            str(number),
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
