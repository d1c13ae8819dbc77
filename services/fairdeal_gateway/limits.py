"""How much one token may ask: a bucket of tokens for each, which fills again as time goes by."""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Final

from fairdeal_gateway.problems import Refused

KNOWN: Final = 50_000
"""How many tokens' buckets are kept; who was quiet the longest starts again with a full one."""


class Limits:
    """Rates by token. A heavy request costs more than one."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, jti: str, cost: float = 1.0) -> None:
        """Count a request. Raises `Refused`: `too_many_requests`, with when to try again."""
        now = self._clock()
        left, at = self._buckets.pop(jti, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        cost = min(cost, self._burst)
        allowed = left >= cost
        self._buckets[jti] = (left - cost if allowed else left, now)
        if len(self._buckets) > KNOWN:
            self._buckets.popitem(last=False)
        if not allowed:
            raise Refused(
                429,
                "too_many_requests",
                f"This token may make {self._rate:g} requests a second, {self._burst:g} at once",
                retry_s=max(1, ceil((cost - left) / self._rate)),
            )
