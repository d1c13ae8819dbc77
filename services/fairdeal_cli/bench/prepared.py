"""Games played out beforehand, so that a measurement spends its time on what it measures.

The commands stand at entries of our choice, so their games' seeds, and with them every outcome, are known
before any worker has seen them: each command is accepted when its turn comes.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import Final, NamedTuple

from fairdeal.codec import encode_json
from fairdeal.dealer import Seed, make_seed
from fairdeal.envelope import Command
from fairdeal.game import Create, Player
from fairdeal.wire import partition_of
from fairdeal_rules.game import Game, Written
from fairdeal_rules.ruleset import rules_for
from fairdeal_views.fold import Fold
from fairdeal_worker.settings import Settings

SEATS: Final = 5
"""How many play each game, as far as the ruleset allows it."""
TOGETHER: Final = 25
"""How many games of a partition are played at the same time."""
CLIENT: Final = "bench"
"""Where receipts are sent."""


class Move(NamedTuple):
    """One command at its entry, and the commit that it will cause."""

    entry: str
    command: Command
    written: Written


class Playing:
    """One game that is being played out, and the moves so far."""

    def __init__(self, name: str, ruleset: str, settings: Settings, random: Random) -> None:
        secret, namespace = settings.secret.encode(), settings.namespace

        def seed_for(game: str, entry: str) -> Seed:
            return make_seed(secret, namespace, game, entry)

        self._game = Game(name, seed_for)
        self._fold = Fold(name)
        self._ruleset = ruleset
        self._random = random
        self.moves: list[Move] = []

    @property
    def finished(self) -> bool:
        return self._game.finished

    def play(self, entry: str) -> Move:
        """Play the next move as the command that stands at this entry."""
        command = self._next()
        written = self._game.play(command, entry)
        self._fold.apply(written.commit)
        move = Move(entry, command, written)
        self.moves.append(move)
        return move

    def _next(self) -> Command:
        id = f"{self._game.id}-{len(self.moves)}"
        if not self.moves:
            fewest, most = rules_for(self._ruleset).players
            players = tuple(Player(id=f"p{seat}") for seat in range(min(max(SEATS, fewest), most)))
            return Command(id, self._game.id, Create(ruleset=self._ruleset, players=players), reply_to=CLIENT)
        seat = self._fold.to_act[0]
        offer = self._random.choice(self._fold.offers(seat))
        return Command(id, self._game.id, offer.sample(self._random), seat=seat, reply_to=CLIENT)


def play_out(
    rulesets: Sequence[str], settings: Settings, commands: int, start_ms: int
) -> Iterator[tuple[int, Move]]:
    """(partition, move) for so many commands, in the order of their entries; games of all partitions alternate.

    So do the rulesets among the games of each partition.
    """
    random = Random(1)  # noqa: S311
    names = _names(settings.partitions)
    tables: list[list[Playing]] = [[] for _ in range(settings.partitions)]
    kinds = [cycle(rulesets) for _ in range(settings.partitions)]

    def opened(partition: int) -> Playing:
        return Playing(next(names[partition]), next(kinds[partition]), settings, random)

    for number in range(commands):
        partition, turn = number % settings.partitions, number // settings.partitions
        playing = tables[partition]
        place = turn % TOGETHER
        if place == len(playing):
            playing.append(opened(partition))
        elif playing[place].finished:
            playing[place] = opened(partition)
        yield partition, playing[place].play(f"{start_ms + turn // 100}-{turn % 100}")


def whole_games(rulesets: Sequence[str], settings: Settings, games: int) -> list[Sequence[Move]]:
    """So many games from their first move to their last, of each ruleset in turn."""
    random = Random(2)  # noqa: S311
    played: list[Sequence[Move]] = []
    for number, ruleset in enumerate(islice(cycle(rulesets), games)):
        table = Playing(f"bench-{number}", ruleset, settings, random)
        while not table.finished:
            table.play(f"{len(table.moves) + 1}-0")
        played.append(table.moves)
    return played


def body_of(move: Move) -> bytes:
    """The command as it stands in the stream."""
    return encode_json(move.command)


def _names(partitions: int) -> list[Iterator[str]]:
    """For each partition the names of its games."""

    def named(partition: int) -> Iterator[str]:
        number = 0
        while True:
            name = f"bench-{partition}-{number}"
            if partition_of(name, partitions) == partition:
                yield name
            number += 1

    return [named(partition) for partition in range(partitions)]
