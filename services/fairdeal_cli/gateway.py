"""`fairdeal gateway` and `token`: games over HTTP, and who may see them."""

import asyncio
import os
import sys
from typing import Annotated, Final, Literal

import msgspec
import typer

from fairdeal_cli.command import Json, command
from fairdeal_cli.console import say, say_json
from fairdeal_cli.ids import check_game
from fairdeal_cli.loops import loop_factory
from fairdeal_cli.problems import Problem
from fairdeal_worker.settings import Settings

NEEDS: Final = ("litestar", "uvicorn", "httptools", "websockets", "jwt", "brotli")

Host = Annotated[str | None, typer.Option(help="The address to listen on. Default: 127.0.0.1.")]
HttpPort = Annotated[
    int | None, typer.Option("--port", help="The port. Default: 8080; 0 takes a free one.", min=0, max=65535)
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    command(app, "gateway", panel="Run")(gateway)
    command(app, "token", panel="Run")(token)


def gateway(settings: Settings, *, host: Host = None, port: HttpPort = None) -> None:
    """Serve games over HTTP, server-sent events and WebSocket, with the web table, until SIGTERM or Ctrl-C."""
    check_installed()
    from fairdeal_gateway.serve import serve
    from fairdeal_gateway.settings import gateway_settings_from
    from fairdeal_worker.logs import configure_logs

    own = gateway_settings_from(http_host=host, http_port=port)
    configure_logs(settings)
    # The dealer's secret is no business of a process that players talk to.
    os.environ.pop("FAIRDEAL_SECRET", None)
    alone = msgspec.structs.replace(settings, secret="")
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        try:
            runner.run(serve(alone, own))
        except SystemExit:
            raise Problem(
                f"The gateway could not listen on {own.http_host}:{own.http_port}",
                "another process uses this port, or the address is not this machine's",
                "Choose another --port or --host",
            ) from None


def token(
    scope: Annotated[Literal["host", "seat", "watch", "audit"], typer.Argument(help="What it is for.")],
    settings: Settings,
    *,
    game: Annotated[
        str | None, typer.Option(help="For this game alone. A seat's token needs one."), check_game
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Which seat, 0 for the first.", min=0)] = None,
    expires: Annotated[
        int | None, typer.Option(metavar="SECONDS", help="How long it lives. Default: a day.", min=1)
    ] = None,
    delay_commits: Annotated[
        int, typer.Option(help="For `watch`: show nothing of the newest so many commits.", min=0)
    ] = 0,
    delay_s: Annotated[int, typer.Option(help="For `watch`: show nothing younger, in seconds.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """Sign a token for the gateway, with FAIRDEAL_TOKEN_SECRET, and print it.

    - host: creates games, sees the directory, mints the others
    - seat: sees and acts for one seat of one game
    - watch: sees what everybody at the table sees, with a delay if you like
    - audit: sees everything; for nobody who plays
    """
    check_installed()
    from fairdeal_gateway.problems import Refused
    from fairdeal_gateway.settings import gateway_settings_from
    from fairdeal_gateway.tokens import Mint, TokenRequest

    own = gateway_settings_from()
    try:
        minted = Mint(own.token_secret, settings.namespace, own.token_max_s).mint(
            TokenRequest(scope, game, seat, expires, delay_commits, delay_s)
        )
    except Refused as refused:
        raise Problem(
            "There is no such token", refused.problem.detail, "See `fairdeal token --help`"
        ) from None
    if as_json:
        say_json(minted)
    else:
        say(minted.token)


def is_installed() -> bool:
    """Whether the libraries are there that the gateway needs."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in NEEDS)


def check_installed() -> None:
    """Raise `Problem` when a library is missing."""
    if not is_installed():
        raise Problem(
            "The gateway's libraries are not installed",
            f"it needs {', '.join(NEEDS)}; this is {sys.executable}",
            "pip install 'fairdeal[gateway]'",
        )
