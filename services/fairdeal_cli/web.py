"""The gateway as a part of `up` and `demo`: its port, its token secret, and the address to open."""

import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import Final
from urllib.error import URLError

import msgspec

from fairdeal_cli.console import say
from fairdeal_cli.embedded import free_port, usual_port
from fairdeal_cli.parts import READY_S, Part, Parts, kept_secret
from fairdeal_cli.problems import Problem
from fairdeal_worker.settings import Settings

USUAL_HTTP_PORT: Final = 8080


class Web(msgspec.Struct, frozen=True):
    """A gateway that runs here, and what its tokens are signed with."""

    port: int
    secret: str
    namespace: str

    def address(self, page: str = "/", **wanted: object) -> str:
        """The address of a page of the web table, with a token ready behind the `#`: no server ever sees it."""
        token = self.token(**wanted)
        place = f"token={token}" if page == "/" else f"{page}?token={token}"
        return f"http://127.0.0.1:{self.port}/#{place}"

    def token(self, **wanted: object) -> str:
        """A token, a host's unless another scope is named."""
        from fairdeal_gateway.settings import GatewaySettings
        from fairdeal_gateway.tokens import Mint, TokenRequest

        request = msgspec.convert({"scope": "host", **wanted}, TokenRequest)
        return Mint(self.secret, self.namespace, GatewaySettings().token_max_s).mint(request).token


def start_web(parts: Parts, settings: Settings, port: int | None, data: Path | None = None) -> Web:
    """Start the gateway beside the workers, and wait until it answers. Raises `Problem`."""
    # Who listens there already would answer in the gateway's place, and `up` would say that all is well.
    if port is not None and usual_port(port) is None:
        raise Problem(
            f"The web table could not listen on 127.0.0.1:{port}",
            "Another process uses this port",
            "Name a free port with --http-port, or leave it out: then a free one is found",
        )
    port = port or usual_port(USUAL_HTTP_PORT) or free_port()
    secret = _token_secret(data)
    part = parts.start_gateway(port, secret)
    _wait(parts, part, port)
    return Web(port, secret, settings.namespace)


def _token_secret(data: Path | None) -> str:
    """What tokens are signed with: named, kept beside the data, or for once."""
    from fairdeal_gateway.settings import GatewaySettings
    from fairdeal_worker.settings import read_settings

    return read_settings(GatewaySettings, ("token_secret",)).token_secret or kept_secret(data, "token-secret")


def _wait(parts: Parts, part: Part, port: int) -> None:
    deadline = time.monotonic() + READY_S
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live", timeout=2):
                return
        except (URLError, OSError):
            pass
        if part in parts.ended():
            raise Problem(
                "The gateway ended as soon as it was started", part.last_words, "Mend that and start again"
            )
        if time.monotonic() > deadline:
            raise Problem(
                f"The gateway did not answer within {READY_S:.0f} s",
                part.last_words,
                "Is the machine overloaded?",
            )
        time.sleep(0.05)


def show(address: str) -> None:
    """Open an address in the person's browser; where there is none, say so."""
    if not webbrowser.open(address):
        say("There is no browser to open here: open the address yourself.")
