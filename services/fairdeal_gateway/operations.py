"""How the deployment stands, for its operators: the survey, rates, this gateway's latencies, dead letters."""

from time import monotonic
from typing import Final

import msgspec
from litestar import Response, get

from fairdeal.codec import open_envelope
from fairdeal.wire import BODY, Keys
from fairdeal_bots import ROLE as BOTS
from fairdeal_gateway.access import COST, SCOPES, TheGateway
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.latency import LatencySample
from fairdeal_gateway.rates import Counts, Rate
from fairdeal_gateway.routes import TheGrant, json
from fairdeal_replays import ROLE as REPLAYS
from fairdeal_rules.worker import ROLE as RULES
from fairdeal_views import ROLE as VIEWS
from fairdeal_views.survey import Deployment, PartitionSurvey, Survey, survey

ROLES: Final = (RULES, VIEWS, REPLAYS, BOTS)

DEAD: Final = 50
"""The most dead letters that are shown."""


class Dead(msgspec.Struct, frozen=True):
    """A dead letter, without what it said: that may be a player's secret."""

    partition: int
    entry: str
    game: str | None
    reason: str
    incident: str
    at: int
    """Epoch milliseconds."""


class Operations(msgspec.Struct, frozen=True):
    """A deployment at one moment. `rates` are empty until it was asked twice within some seconds."""

    deployment: Deployment
    now: int
    workers: dict[str, dict[str, int]]
    partitions: tuple[PartitionSurvey, ...]
    rates: list[Rate]
    latency: list[LatencySample]
    dead: list[Dead]


@get("/operations", opt={SCOPES: ("host",), COST: 2})
async def operations(gateway: TheGateway, grant: TheGrant) -> Response[bytes]:
    """How the deployment stands."""
    look = await survey(gateway.pipe.redis, gateway.settings.namespace, ROLES)
    return json(
        Operations(
            deployment=look.deployment,
            now=look.now,
            workers=look.workers,
            partitions=look.partitions,
            rates=gateway.rates.add(monotonic(), _counts(look)),
            latency=gateway.latency.samples(),
            dead=await _dead(gateway, look),
        )
    )


def _counts(look: Survey) -> Counts:
    """The views' stream is the doorbell, which rings once a commit."""
    place = next(number for number, role in enumerate(ROLES) if role is VIEWS)
    return [
        (one.commands.added, one.progress[place].count + one.progress[place].lag) for one in look.partitions
    ]


class _Header(msgspec.Struct):
    game: str | None = None


_header: Final = msgspec.json.Decoder(_Header)


async def _dead(gateway: Gateway, look: Survey) -> list[Dead]:
    found: list[Dead] = []
    for one in look.partitions:
        if one.dead:
            keys = Keys(look.deployment.namespace, one.partition)
            letters = await gateway.pipe.redis.xrevrange(keys.dead, count=DEAD)
            found += (_letter(one.partition, entry, fields) for entry, fields in letters)
    return sorted(found, key=lambda letter: letter.at, reverse=True)[:DEAD]


def _letter(partition: int, entry: bytes, fields: dict[bytes, bytes]) -> Dead:
    try:
        game = _header.decode(open_envelope(fields.get(BODY.encode(), b""))).game
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
        game = None
    return Dead(
        partition=partition,
        entry=fields.get(b"entry", b"").decode(errors="replace"),
        game=game,
        reason=fields.get(b"reason", b"").decode(errors="replace"),
        incident=fields.get(b"incident", b"").decode(errors="replace"),
        at=int(entry.partition(b"-")[0]),
    )
