"""How many commands and commits a second, from what was counted at each look."""

from collections import deque
from typing import Final

import msgspec

RATE_S: Final = 10.0
"""Over how many of the last seconds rates are counted, about."""


class Rate(msgspec.Struct, frozen=True):
    """What one partition did a second, over the last seconds."""

    partition: int
    commands_per_s: float
    commits_per_s: float


Counts = list[tuple[int, int]]
"""(commands, commits) that were ever added, by partition."""


class Rates:
    """Counts of the last seconds, one a look."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, Counts]] = deque(maxlen=64)

    def add(self, now_s: float, counts: Counts) -> list[Rate]:
        """Note these counts; the rates since the oldest look of the last seconds."""
        while self._looks and now_s - self._looks[0][0] > RATE_S:
            self._looks.popleft()
        rates: list[Rate] = []
        if self._looks and len(self._looks[0][1]) == len(counts):
            since, before = self._looks[0]
            span = max(now_s - since, 0.001)
            rates = [
                Rate(
                    number,
                    round(max(0, now[0] - then[0]) / span, 2),
                    round(max(0, now[1] - then[1]) / span, 2),
                )
                for number, (now, then) in enumerate(zip(counts, before, strict=True))
            ]
        self._looks.append((now_s, counts))
        return rates
