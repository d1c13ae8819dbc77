"""The routes: what is asked of games, one function each."""

from typing import Any, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from fairdeal.codec import encode_json
from fairdeal.directory import MOST, BadCursor
from fairdeal.game import Create
from fairdeal.wire import is_game_id
from fairdeal_gateway import asked
from fairdeal_gateway.access import ALL, COST, OF_ITS_GAME, SCOPES, TheGateway, allow, body_of, command_id
from fairdeal_gateway.asked import Asked
from fairdeal_gateway.events import EventStream
from fairdeal_gateway.gateway import game_for
from fairdeal_gateway.problems import decoded, malformed
from fairdeal_gateway.records import Health, NewCommand, NewGame, NewToken, Opened, TokenInfo
from fairdeal_gateway.rulesets import rulesets
from fairdeal_gateway.sources import audit_of, export_of, replay_of, view_of
from fairdeal_gateway.tokens import Grant, TokenRequest
from fairdeal_gateway.viewers import eyes_of, viewer_of

Game = FromPath[str]
TheGrant = NamedDependency[Grant]

_new_game: Final = msgspec.json.Decoder(NewGame)
_new_command: Final = msgspec.json.Decoder(NewCommand)
_new_token: Final = msgspec.json.Decoder(NewToken)


def json(value: Any, status: int = 200) -> Response[bytes]:
    """An answer in JSON; bytes are taken as they are."""
    body = value if isinstance(value, bytes) else encode_json(value)
    return Response(
        body, status_code=status, media_type="application/json", headers={"Cache-Control": "no-store"}
    )


# Games


@post("/games", opt={SCOPES: ("host",), OF_ITS_GAME: True})
async def create_game(request: Asked, gateway: TheGateway, grant: TheGrant) -> Response[bytes]:
    """Create a game."""
    key = command_id(request)
    wanted: NewGame = decoded(_new_game, await body_of(request))
    game = wanted.game if wanted.game is not None else grant.game or game_for(key)
    allow(grant, ("host",), game)
    action = Create(
        ruleset=wanted.ruleset,
        players=wanted.players,
        options=wanted.options,
        clock=wanted.clock,
        start=wanted.start,
    )
    receipt = await gateway.send(grant, game, action, None, key)
    return json(Opened(game, receipt), 201)


@get("/games", opt={SCOPES: ("host", "audit")})
async def list_games(request: Asked, gateway: TheGateway, grant: TheGrant) -> Response[bytes]:
    """A page of games, newest first."""
    try:
        page = await gateway.client.games(
            asked.status(request),
            asked.text(request, "ruleset"),
            asked.text(request, "player"),
            asked.number(request, "limit", 1, MOST) or 50,
            asked.text(request, "before"),
        )
    except BadCursor as error:
        raise malformed(str(error), "before") from None
    return json(page)


@post("/games/{game:str}/commands", opt={SCOPES: ("seat", "host")}, status_code=200)
async def command(request: Asked, gateway: TheGateway, grant: TheGrant, game: Game) -> Response[bytes]:
    """Play an action."""
    key = command_id(request)
    wanted: NewCommand = decoded(_new_command, await body_of(request))
    return json(await gateway.send(grant, game, wanted.action, wanted.expect, key))


@get("/games/{game:str}/view", opt={SCOPES: ALL})
async def view(request: Asked, gateway: TheGateway, grant: TheGrant, game: Game) -> Response[bytes]:
    """What a viewer sees now."""
    return json(await view_of(gateway, game, eyes_of(grant, asked.text(request, "as")), grant.delay))


@get("/games/{game:str}/replay", opt={SCOPES: ALL, COST: 5})
async def replay(request: Asked, gateway: TheGateway, grant: TheGrant, game: Game) -> Response[bytes]:
    """A game step by step."""
    viewer = viewer_of(grant, asked.text(request, "as"))
    start, stop = asked.number(request, "from", 1) or 1, asked.number(request, "to", 1)
    return json(await replay_of(gateway, game, viewer, grant.delay, start, stop))


@get("/games/{game:str}/audit", opt={SCOPES: ("audit",), COST: 20})
async def audit(gateway: TheGateway, grant: TheGrant, game: Game) -> Response[bytes]:
    """Prove that a game was not altered, was dealt fairly and kept the rules."""
    return json(await audit_of(gateway, game))


@get("/games/{game:str}/export", opt={SCOPES: ("audit",), COST: 10})
async def export(gateway: TheGateway, grant: TheGrant, game: Game) -> Response[bytes]:
    """A game with all its commits and hashes, as one file."""
    headers = {"Content-Disposition": f'attachment; filename="{game}.ndjson"', "Cache-Control": "no-store"}
    return Response(await export_of(gateway, game), media_type="application/x-ndjson", headers=headers)


class _Streaming(Response[None]):
    """An answer that is an ASGI application of its own."""

    def __init__(self, stream: EventStream) -> None:
        super().__init__(None)
        self._stream = stream

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        return self._stream  # type: ignore[return-value]


@get("/games/{game:str}/events", opt={SCOPES: ALL})
async def events(request: Asked, gateway: TheGateway, grant: TheGrant, game: Game) -> Response[None]:
    """Every frame as it comes, as server-sent events."""
    viewer, after = viewer_of(grant, asked.text(request, "as")), asked.number(request, "after", 0)
    last = request.headers.get("last-event-id")
    if last is not None:
        after = asked.bounded(last, "Last-Event-ID", 0)
    return _Streaming(EventStream(gateway.hub, gateway.watching, grant, game, viewer, after))


# Tokens


@post("/tokens", opt={SCOPES: ("host",), OF_ITS_GAME: True})
async def mint_token(request: Asked, gateway: TheGateway, grant: TheGrant) -> Response[bytes]:
    """A token for a player, a spectator or an auditor."""
    wanted: NewToken = decoded(_new_token, await body_of(request))
    allow(grant, ("host",), wanted.game)
    minted = gateway.mint.mint(TokenRequest(**msgspec.structs.asdict(wanted)))
    gateway.log.info("token_minted", token_id=minted.id, scope=wanted.scope, game=wanted.game, by=grant.jti)
    return json(minted, 201)


@delete("/tokens/{token_id:str}", opt={SCOPES: ("host",), OF_ITS_GAME: True})
async def revoke_token(gateway: TheGateway, grant: TheGrant, token_id: FromPath[str]) -> None:
    """Take a token back."""
    if not is_game_id(token_id):
        raise malformed("That is no token's id", "id")
    await gateway.revocations.revoke(token_id)
    gateway.watching.end_token(token_id, "revoked_token")
    gateway.log.info("token_revoked", token_id=token_id, by=grant.jti)


@get("/token", opt={SCOPES: ALL, OF_ITS_GAME: True})
async def token_info(grant: TheGrant) -> Response[bytes]:
    """What this token is for."""
    info = TokenInfo(
        grant.scope, grant.game, grant.seat, grant.exp * 1000, grant.delay_commits, grant.delay_s
    )
    return json(info)


# What anybody may ask


@get("/rulesets")
async def list_rulesets() -> Response[bytes]:
    """What can be played."""
    return json(rulesets())


@get("/health/live")
async def live(gateway: TheGateway) -> Response[bytes]:
    """Whether this process answers."""
    return json(Health("ok", gateway.watching.count, gateway.hub.games))


@get("/health/ready")
async def ready(gateway: TheGateway) -> Response[bytes]:
    """Whether it reaches its deployment. Answers 503 when not."""
    await gateway.deployment.keys()
    await gateway.pipe.call("PING")
    return json(Health("ok", gateway.watching.count, gateway.hub.games))


ROUTES: Final[list[Any]] = [
    create_game,
    list_games,
    command,
    view,
    events,
    replay,
    audit,
    export,
    mint_token,
    revoke_token,
    token_info,
    list_rulesets,
    live,
    ready,
]
