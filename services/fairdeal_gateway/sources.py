"""Games as they are kept: stored views, logs, and the exports of those that have moved to the archive."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from fairdeal.client.watching import Eyes, stored_view
from fairdeal.visibility import Viewer
from fairdeal.wire import Keys
from fairdeal_audit import AuditImpossible, Report, audit_export, read_export, read_game
from fairdeal_gateway.delay import Delay, Horizon, horizon_of
from fairdeal_gateway.frames import Sight
from fairdeal_gateway.gateway import Gateway
from fairdeal_gateway.history import Walk, walk_bodies
from fairdeal_gateway.problems import Refused, no_such_seat, unknown_game
from fairdeal_gateway.viewers import check_seat
from fairdeal_replays.export import archived_name, export_game
from fairdeal_views.fold import Fold
from fairdeal_views.logs import Body

REPLAY_PAGE = 500
"""The most frames of one page."""
REPLAY_BYTES = 4 * 2**20
"""How long a page may grow, about, before it says where to go on."""


async def view_of(gateway: Gateway, game: str, viewer: Eyes, delay: Delay) -> bytes:
    """A view as JSON. Raises `Refused`, and redis's errors."""
    keys = await gateway.deployment.keys_of(game)
    if not delay:
        try:
            stored = await stored_view(gateway.pipe, keys, game, viewer)
        except IndexError:
            raise no_such_seat(game, int(viewer)) from None
        if stored is not None:
            return stored
    # The view is not stored yet, or a former one is asked for: the log has it.
    fold = await _fold_of(gateway, keys, game, delay)
    check_seat(fold, viewer)
    return Sight(fold).view(viewer)


async def _fold_of(gateway: Gateway, keys: Keys, game: str, delay: Delay) -> Fold:
    redis = gateway.pipe.redis
    fold = await Walk(redis, keys, game).to_end(await horizon_of(redis, keys, game, delay))
    if fold.version:
        return fold
    if delay and await redis.exists(keys.log(game)):
        raise Refused(
            404, "unknown_game", "Nothing of this game may be seen yet: this token sees it with a delay"
        )
    raise unknown_game(game)


async def replay_of(
    gateway: Gateway, game: str, viewer: Viewer, delay: Delay, start: int, stop: int | None
) -> bytes:
    """A page of a replay as JSON: `frames`, `head`, `next`. Raises `Refused`, and redis's errors."""
    keys = await gateway.deployment.keys_of(game)
    frames: list[bytes] = []
    size, following, head = 0, None, 0
    fold = Fold(game)
    steps = await _steps(gateway, keys, game, delay, fold)
    async with aclosing(steps):
        async for sight, happened in steps:
            head = happened.version
            if head < start or (stop is not None and head > stop) or following is not None:
                continue
            check_seat(fold, viewer)
            if len(frames) >= REPLAY_PAGE or size > REPLAY_BYTES:
                following = head
                continue
            frames.append(sight.frame(viewer, happened.events).json)
            size += len(frames[-1])
    if head:
        check_seat(fold, viewer)
    last = b"null" if following is None else b"%d" % following
    return b'{"frames":[%b],"head":%d,"next":%b}' % (b",".join(frames), head, last)


async def _steps(
    gateway: Gateway, keys: Keys, game: str, delay: Delay, fold: Fold
) -> AsyncGenerator[Any, None]:
    """The steps of a game in Redis, or in the archive. Raises `Refused` when it is in neither."""
    redis = gateway.pipe.redis
    horizon = await horizon_of(redis, keys, game, delay)
    if await redis.exists(keys.log(game)):
        walk = Walk(redis, keys, game)
        walk.fold = fold
        return walk.on(horizon)
    bodies: list[Body] = [
        (record.version, record.body, record.hash.encode())
        for record in read_export(await _archived(gateway, keys, game)).records
    ]
    if delay.commits:
        horizon = Horizon(max(0, len(bodies) - delay.commits), horizon.at)
    return walk_bodies(fold, bodies, horizon)


async def audit_of(gateway: Gateway, game: str) -> Report:
    """The audit of a game in Redis or in the archive, done in a thread. Raises `Refused`, and redis's errors."""
    keys = await gateway.deployment.keys_of(game)
    partitions = len(await gateway.deployment.keys())
    async with gateway.audits:
        try:
            stored = await read_game(gateway.pipe.redis, gateway.settings.namespace, partitions, game)
        except AuditImpossible:
            export = await _archived(gateway, keys, game)
            return await asyncio.to_thread(audit_export, export)
        return await asyncio.to_thread(stored.audit)


async def export_of(gateway: Gateway, game: str) -> bytes:
    """A game as one file. Raises `Refused`, and redis's errors."""
    keys = await gateway.deployment.keys_of(game)
    partitions = len(await gateway.deployment.keys())
    try:
        return await export_game(gateway.pipe.redis, gateway.settings.namespace, partitions, game)
    except LookupError:
        return await _archived(gateway, keys, game)


async def _archived(gateway: Gateway, keys: Keys, game: str) -> bytes:
    """The export of a game that is no longer in Redis. Raises `Refused`."""
    settings = gateway.settings
    if not settings.archive:
        raise unknown_game(game)
    partitions = len(await gateway.deployment.keys())
    file = Path(settings.archive, archived_name(settings.namespace, partitions, game))
    try:
        return await asyncio.to_thread(file.read_bytes)
    except OSError:
        raise unknown_game(game) from None
