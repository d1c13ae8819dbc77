"""Who may ask what: a token in the `Authorization` header, its scope, its game, its rate."""

import asyncio
from typing import Any, Final

from litestar import Request
from litestar.di import NamedDependency

from fairdeal.wire import is_command_id, is_game_id
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.problems import Refused, malformed, unknown_game
from fairdeal_gateway.tokens import Grant, Scope

TheGateway = NamedDependency[Gateway]
"""The gateway, as a route asks for it."""

ALL: Final[tuple[Scope, ...]] = ("host", "seat", "watch", "audit")

BODY_S: Final = 10.0
"""How long a body may take to come."""

SCOPES: Final = "scopes"
"""The key of a route's scopes among its options."""
OF_ITS_GAME: Final = "of_its_game"
"""The key of whether a token for one game is admitted where the path names none: the handler looks further."""
COST: Final = "cost"
"""The key of what a request to a route counts, where it is not one."""


async def granted(request: Request[Any, Any, Any], gateway: TheGateway) -> Grant:
    """The grant of a request, if its token allows the route and its game. Raises `Refused`, `Unreachable`."""
    opt = request.route_handler.opt
    grant = await gateway.check(bearer(request.headers.get("authorization")))
    gateway.limits.take(grant.jti, opt.get(COST, 1))
    game = request.path_params.get("game")
    allow(grant, opt[SCOPES], grant.game if game is None and opt.get(OF_ITS_GAME) else game)
    return grant


def bearer(header: str | None) -> str:
    """The token in an `Authorization` header. Raises `Refused`."""
    if not header:
        raise Refused(401, "no_token", "This needs a token: send `Authorization: Bearer <token>`")
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused(401, "bad_token", "The header must read `Authorization: Bearer <token>`")
    return token.strip()


def allow(grant: Grant, scopes: tuple[Scope, ...], game: str | None) -> None:
    """Raise `Refused` unless the token is of one of the scopes, and for this game or all; None: for all games."""
    if grant.scope not in scopes:
        raise Refused(
            403, "not_allowed", f"A token of the scope `{grant.scope}` may not do this; {_either(scopes)} may"
        )
    if game is not None and not is_game_id(game):
        raise unknown_game(game[:80])
    if grant.game is not None and grant.game != game:
        raise Refused(403, "not_allowed", f"This token is for the game {grant.game!r} alone")


def _either(scopes: tuple[Scope, ...]) -> str:
    return " and ".join(f"`{scope}`" for scope in scopes)


def command_id(request: Request[Any, Any, Any]) -> str | None:
    """The command's id: the `Idempotency-Key`, if there is one. Raises `Refused`."""
    key = request.headers.get("idempotency-key")
    if key is not None and not is_command_id(key):
        raise malformed("An Idempotency-Key is 1 to 64 printable ASCII characters", "Idempotency-Key")
    return key


async def body_of(request: Request[Any, Any, Any]) -> bytes:
    """A request's whole body. Raises `Refused` when it takes too long to come."""
    try:
        async with asyncio.timeout(BODY_S):
            return await request.body()
    except TimeoutError:
        raise Refused(408, "too_slow", f"The body was not here within {BODY_S:g} s") from None
