"""Who sits at a table when bots do: their ids, and what a person reads instead."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from fairdeal_bots import bots_of, is_bot

NAMES: Final = ("ann", "bob", "cy", "dora", "eve", "finn", "gus", "hal")


def bot_players(ruleset: str, count: int) -> list[str]:
    """So many players that are bots, of every kind that plays this ruleset but `random`, if there is one."""
    kinds = [kind for kind in bots_of(ruleset) if kind != "random"] or ["random"]
    names = [NAMES[number] if number < len(NAMES) else str(number) for number in range(count)]
    return [f"bot:{kinds[number % len(kinds)]}:{name}" for number, name in enumerate(names)]


def told_apart(players: Sequence[str]) -> list[str]:
    """The players, bots that were named twice numbered: `bot:random`, `bot:random:2`."""
    seen: Counter[str] = Counter()
    distinct = []
    for player in players:
        seen[player] += 1
        again = seen[player] > 1 and is_bot(player)
        distinct.append(f"{player}:{seen[player]}" if again else player)
    return distinct


def names_of(players: Sequence[str]) -> list[str]:
    """What each player is called in a story: their id, but `ann` for `bot:odds:ann` as long as nobody else is."""
    short = [_short(player) for player in players]
    often = Counter(short)
    return [name if often[name] == 1 else player for name, player in zip(short, players, strict=True)]


def _short(player: str) -> str:
    """`ann` of `bot:odds:ann`; a number alone is no name."""
    kind, _, name = player.rpartition(":")
    return name if is_bot(kind) and not name.isdigit() else player
