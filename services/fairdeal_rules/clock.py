"""The clock: deadlines that have passed by Redis's time become `clock.expired` commands on the stream.

The command takes its place in the order of the stream like any other. A seat's action that arrived at or
after the deadline is refused as `too_late` even when it stands before the clock's own command, so the
deadline is exact to the millisecond however busy the workers are. Only `game.resign` needs no time.
"""

from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from fairdeal.clock import Expired
from fairdeal.codec import encode_json
from fairdeal.envelope import Command
from fairdeal.wire import BODY, Keys
from fairdeal_worker.scripts import Script

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

due_games = Script("fairdeal_rules", "due.lua")

AT_ONCE: Final = 256
"""How many games' deadlines are taken up in one go."""
AGAIN_S: Final = 5.0
"""After this long a deadline that still stands is submitted again: the first command may have been lost."""


async def submit_expired(
    redis: Any, keys: Keys, submitted: dict[str, float], log: "FilteringBoundLogger"
) -> float | None:
    """Submit `clock.expired` for each game whose deadline has passed, with the version that it was set for.

    `submitted` remembers what was submitted lately, by `<game> <deadline>`. Returns the seconds until the
    next deadline, or None when there is none. Raises redis.exceptions.RedisError.
    """
    fresh = passed = 0
    while True:
        # Past those that were submitted lately, so that games whose clock is stuck hold up no other.
        now, due, coming = await due_games(redis, [keys.deadlines], [passed, AT_ONCE])
        for game, deadline in zip(due[::2], due[1::2], strict=True):
            fresh += await _submit(redis, keys, game.decode(), int(float(deadline)), submitted, log)
        passed += len(due) // 2
        if len(due) < 2 * AT_ONCE or fresh >= AT_ONCE:
            break
    for name, at in list(submitted.items()):
        if monotonic() - at > AGAIN_S:
            del submitted[name]
    return max(0.001, (float(coming) - int(now)) / 1000) if coming else None


async def _submit(
    redis: Any, keys: Keys, game: str, deadline: int, submitted: dict[str, float], log: "FilteringBoundLogger"
) -> bool:
    """Submit one game's, unless that was done lately; whether it was submitted now."""
    name = f"{game} {deadline}"
    if name in submitted:
        return False
    newest = await redis.xrevrange(keys.log(game), count=1)
    if not newest:
        log.warning("deadline_without_game", game=game)
        await redis.zrem(keys.deadlines, game)
        return False
    version = int(newest[0][0].partition(b"-")[0])
    submitted[name] = monotonic()
    # The id is the deadline's, so that submitting it again has no further effect and leaves no further receipt.
    command = Command(id=f"clock-{version}-{deadline}", game=game, action=Expired(version=version))
    await redis.xadd(keys.commands, {BODY: encode_json(command)})
    log.info("clock_expired", game=game, version=version, command=command.id)
    return True
