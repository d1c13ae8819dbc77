"""How long this gateway's own commands took, over the last minutes."""

from collections import deque
from time import time
from typing import Final

import msgspec

BUCKET_S: Final = 5
KEPT: Final = 60
"""How many buckets are kept: five minutes."""
MOST: Final = 2000
"""How many times of one bucket are kept; its percentiles are of these."""


class LatencySample(msgspec.Struct, frozen=True):
    """The commands that were answered in some seconds from `at` (epoch ms) on; times in ms."""

    at: int
    p50: float
    p90: float
    p99: float
    count: int


class Latency:
    """Times, in buckets."""

    def __init__(self) -> None:
        self._buckets: deque[tuple[int, list[float], int]] = deque(maxlen=KEPT)

    def add(self, seconds: float) -> None:
        """Count one command's time."""
        bucket = int(time()) // BUCKET_S
        if not self._buckets or self._buckets[-1][0] != bucket:
            self._buckets.append((bucket, [], 0))
        number, times, count = self._buckets[-1]
        if len(times) < MOST:
            times.append(seconds * 1000)
        self._buckets[-1] = (number, times, count + 1)

    def samples(self) -> list[LatencySample]:
        """One a bucket in which there were commands, oldest first."""
        oldest = int(time()) // BUCKET_S - KEPT
        return [_sample(*bucket) for bucket in self._buckets if bucket[0] > oldest]


def _sample(bucket: int, times: list[float], count: int) -> LatencySample:
    ordered = sorted(times)

    def quantile(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)

    return LatencySample(bucket * BUCKET_S * 1000, quantile(0.5), quantile(0.9), quantile(0.99), count)
