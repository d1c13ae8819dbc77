"""`fairdeal up`, `redis` and `work`: processes that run until they are told to stop."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from redis.exceptions import RedisError

from fairdeal.connect import BadAddress, without_password
from fairdeal_cli.command import command
from fairdeal_cli.console import counted, say
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.embedded import Embedded, embedded, usual_port
from fairdeal_cli.gateway import is_installed
from fairdeal_cli.loops import loop_factory
from fairdeal_cli.parts import Part, Parts, ending_cleanly, kept_secret
from fairdeal_cli.problems import Problem
from fairdeal_cli.roles import WHERE, all_roles, role_named
from fairdeal_cli.web import Web, show, start_web
from fairdeal_worker.deployment import DeploymentMismatch
from fairdeal_worker.settings import Settings

Port = Annotated[
    int | None,
    typer.Option(
        help="Redis's port on 127.0.0.1. Default: 6379, or a free one when that is taken.", min=1, max=65535
    ),
]
Data = Annotated[Path | None, typer.Option(help="Keep everything in this folder. Default: keep nothing.")]
Durable = Annotated[bool, typer.Option(help="Put every write on disk before it is answered.")]

LOOK_S: Final = 0.25
_TOO_SOON_S: Final = 5.0
"""A worker that ends sooner than this after its start is not started again: it would end again."""


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "up", panel="Run")(up)
    command(app, "work", panel="Run")(work)
    command(app, "redis", panel="Run")(redis_alone)


def up(
    settings: Settings,
    *,
    port: Port = None,
    data: Data = None,
    durable: Durable = False,
    http_port: Annotated[
        int | None,
        typer.Option(
            help="The web table's port. Default: 8080, or a free one when that is taken.", min=1, max=65535
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the web table in your browser.")] = False,
) -> None:
    """Run everything until Ctrl-C: an embedded Redis (unless you name one), a worker for each role, the web table."""
    with ending_cleanly():
        try:
            with (
                _redis(settings, port, data, durable) as (server, complete, folder),
                Parts(complete, folder) as parts,
            ):
                _start_all(parts, complete)
                web = start_web(parts, complete, http_port, data) if is_installed() else None
                _tell_all(complete, folder, web)
                if web is not None and open_page:
                    show(web.address())
                _watch(parts, server)
        except KeyboardInterrupt:
            say("Stopped; nothing is left running.")


@contextmanager
def _redis(
    settings: Settings, port: int | None, data: Path | None, durable: bool
) -> Iterator[tuple[Embedded | None, Settings, Path]]:
    """The server if one is started here, the settings with a Redis and a secret, and a folder for logs."""
    named = named_redis(settings)
    if named and (port or data or durable):
        raise Problem(
            f"Redis at {without_password(settings.redis_url)} is not started here",
            "--port, --data and --durable are for the embedded one",
            "Leave them out, or unset FAIRDEAL_REDIS_URL and --redis-url",
        )
    if named:
        with tempfile.TemporaryDirectory(prefix="fairdeal-logs-") as folder:
            yield None, settings, Path(folder)
        return
    with embedded(port=port or usual_port(), data=data, durable=durable) as server:
        secret = settings.secret or kept_secret(data, "secret")
        yield server, msgspec.structs.replace(settings, redis_url=server.url, secret=secret), server.folder


def named_redis(settings: Settings) -> bool:
    """Whether somebody named a Redis, by option or environment; then none is started."""
    default = next(field.default for field in msgspec.structs.fields(Settings) if field.name == "redis_url")
    return settings.redis_url != default or bool(os.environ.get("FAIRDEAL_REDIS_URL"))


def _start_all(parts: Parts, settings: Settings) -> None:
    for role in WHERE:
        parts.start(role, role)
    asyncio.run(_wait(parts, settings))


def _tell_all(settings: Settings, folder: Path, web: Web | None) -> None:
    table = web.address() if web else "not installed: pip install 'fairdeal[gateway]'"
    say(
        f"fairdeal runs: {len(WHERE)} workers, {counted(settings.partitions, 'partition')}",
        "",
        f"  web    {table}",
        f"  Redis  {without_password(settings.redis_url)}",
        f"  logs   {folder}/*.log",
        "",
        f"Try in another terminal:  export FAIRDEAL_REDIS_URL={settings.redis_url}",
        "                          fairdeal new perudo --players ann,bot:random,bot:random",
        "                          fairdeal status",
        "Ctrl-C ends it.",
    )


async def _wait(parts: Parts, settings: Settings) -> None:
    async with redis_of(settings) as redis:
        await parts.wait_served(redis, list(WHERE))


def _watch(parts: Parts, server: Embedded | None) -> None:
    """Start again what ends by itself, for ever. Raises `Problem` when Redis has ended, or a worker at once."""
    started = {part.name: time.monotonic() for part in parts.running}
    while True:
        for part in parts.ended():
            _tell_end(part, time.monotonic() - started[part.name])
            parts.again(part)
            started[part.name] = time.monotonic()
        if server is not None:
            server.check()
        time.sleep(LOOK_S)


def _tell_end(part: Part, lived_s: float) -> None:
    code = part.process.returncode
    # A signal's work (a negative code) is somebody's doing, and no fault that comes again.
    if code >= 0 and lived_s < _TOO_SOON_S:
        raise Problem(
            f"The worker {part.name} ended after {lived_s:.1f} s with exit code {code}",
            part.last_words,
            f"Mend that and start again; its log was {part.log}",
        )
    say(f"The worker {part.name} ended with exit code {code} and is started again; its log: {part.log}")


def redis_alone(*, port: Port = None, data: Data = None, durable: Durable = False) -> None:
    """Run the embedded Redis alone until Ctrl-C."""
    with ending_cleanly():
        try:
            with embedded(port=port or usual_port(), data=data, durable=durable) as server:
                _tell_redis(server, data)
                while True:
                    server.check()
                    time.sleep(LOOK_S)
        except KeyboardInterrupt:
            say("Stopped.")


def _tell_redis(server: Embedded, data: Path | None) -> None:
    say(
        f"Redis {server.version} runs at {server.url}",
        f"It keeps its data in {data}." if data else "It keeps nothing: its data end with it.",
        f"  export FAIRDEAL_REDIS_URL={server.url}",
        "Ctrl-C ends it.",
    )


def work(
    roles: Annotated[list[str], typer.Argument(help="rules, views, replays, bots or all.")],
    settings: Settings,
) -> None:
    """Run a worker in these roles until SIGTERM or Ctrl-C; it hands its partitions over and ends."""
    # FastStream takes a second to import, and only a worker has a use for it.
    from fairdeal_worker.logs import configure_logs, logger
    from fairdeal_worker.run import run as serve

    unknown = [role for role in roles if role not in WHERE and role != "all"]
    if unknown:
        raise Problem(f"There is no role {unknown[0]!r}", "", f"Choose among {', '.join(WHERE)} and all")
    chosen = all_roles() if "all" in roles else tuple(role_named(role) for role in dict.fromkeys(roles))
    configure_logs(settings)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        try:
            runner.run(serve(settings, chosen))
        except (DeploymentMismatch, RedisError, BadAddress):
            raise  # these say all there is to say
        except Exception as error:
            logger(roles=[role.name for role in chosen]).error("worker_failed", exc_info=error)
            raise
