"""What the gateway takes from the environment besides the deployment's own settings: `FAIRDEAL_<NAME>`."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from fairdeal_worker.settings import BadSettings, Positive, read_settings

SHORTEST_SECRET: Final = 32
"""The fewest characters of a token secret: HMAC-SHA256 is no stronger than its key."""


class GatewaySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each field is read from `FAIRDEAL_<FIELD>`; the default stands where that is not set."""

    token_secret: str = ""
    """What tokens are signed with, the same for all gateways, never the dealer's; or `FAIRDEAL_TOKEN_SECRET_FILE`."""
    token_max_s: Positive = 30 * 24 * 3600
    """The longest life of a token, seconds."""
    http_host: str = "127.0.0.1"
    """The address that the gateway listens on."""
    http_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    """Its port; 0 takes a free one."""
    cors: str = ""
    """Origins of other web pages that may ask, separated by commas, `*` for all; empty: this gateway's own alone."""
    rate: Positive = 50
    """How many requests a second one token may make."""
    rate_burst: Positive = 200
    """How many requests one token may make at once, after it was quiet."""
    streams: Positive = 20_000
    """The most event streams and WebSockets of one gateway."""
    stream_queue: Positive = 256
    """How many frames a watcher may be behind before it is dropped."""


def gateway_settings_from(environ: Mapping[str, str] | None = None, **overrides: object) -> GatewaySettings:
    """The gateway's settings; overrides that are None are ignored. Raises `BadSettings`."""
    settings = read_settings(GatewaySettings, ("token_secret",), environ, **overrides)
    if not settings.token_secret:
        raise BadSettings(
            "There is no FAIRDEAL_TOKEN_SECRET, and without one no token can be signed. Set it (or "
            "FAIRDEAL_TOKEN_SECRET_FILE) to a long random text, another than FAIRDEAL_SECRET: openssl rand -hex 32"
        )
    if len(settings.token_secret) < SHORTEST_SECRET:
        raise BadSettings(
            f"FAIRDEAL_TOKEN_SECRET has {len(settings.token_secret)} characters, and at least {SHORTEST_SECRET} "
            "are needed: openssl rand -hex 32"
        )
    return settings
