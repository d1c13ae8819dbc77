"""The local table: the same rules and the same views as the service, driven by plain calls."""

from collections.abc import Sequence
from typing import Any, Literal

from fairdeal import clock, dealer, game
from fairdeal.action import Action
from fairdeal.codec import decode_command_json, encode_json
from fairdeal.commit import Commit
from fairdeal.dealer import Dealer, Scripted, Seed
from fairdeal.envelope import Command, action_from
from fairdeal.receipt import Rejected
from fairdeal.view import View
from fairdeal_rules.game import Game, Written
from fairdeal_views.fold import Fold

START_MS = 1_700_000_000_000
"""The time of the first commit, in epoch milliseconds; each further command comes one millisecond later."""


class Seeded:
    """The real dealer, from a seed of your choice: an int, a text or 32 bytes. Equal seeds deal alike."""

    def __init__(self, seed: int | str | bytes) -> None:
        raw = seed if isinstance(seed, bytes) else str(seed).encode()
        self.seed = Seed(raw if len(raw) == 32 else dealer.make_seed(raw, "local", "local", "0-0").value)


class Table:
    """One game in this process: `act`, `view`, `log`. Use `Table.open`."""

    def __init__(self, name: str, seeded: "Seeded | Scripted") -> None:
        self._scripted = seeded if isinstance(seeded, Scripted) else None
        self._seed = Seed(bytes(32)) if isinstance(seeded, Scripted) else seeded.seed
        self._game = Game(name, lambda _game, _entry: self._seed, self._deal)
        self._fold = Fold(name)
        self._written: list[Written] = []
        self._now = START_MS
        self._sent = 0

    @classmethod
    def open(
        cls,
        ruleset: str,
        players: Sequence[str | game.Player] | int = 2,
        options: dict[str, Any] | None = None,
        dealer: "Seeded | Scripted | int | str | bytes" = 0,
        *,
        clock: game.Clock | int | None = None,
        start: game.Start = "at_once",
        name: str = "local",
    ) -> "Table":
        """Create a game and, unless `start="when_ready"`, deal it.

        `players` are ids (or just how many); `dealer` is `Scripted([...])`, `Seeded(seed)` or a seed;
        `clock` is milliseconds a turn. Raises `Rejected` (`bad_options`, `bad_players`, `unknown_ruleset`).
        """
        ids = [f"player{seat}" for seat in range(players)] if isinstance(players, int) else players
        seeded = dealer if isinstance(dealer, Seeded | Scripted) else Seeded(dealer)
        table = cls(name, seeded)
        table.host(
            game.Create(
                ruleset=ruleset,
                players=tuple(p if isinstance(p, game.Player) else game.Player(id=p) for p in ids),
                options=options or {},
                clock=game.Clock(turn_ms=clock) if isinstance(clock, int) else clock,
                start=start,
            )
        )
        return table

    def _deal(self, seed: Seed, entropy: bytes, word: int) -> Dealer:
        return self._scripted or dealer.Seeded(seed.value, entropy, word)

    def act(self, seat: int | None, action: Action | dict[str, Any], *, expect: int | None = None) -> Commit:
        """Play an action of a seat. Raises `Rejected` and then changes nothing.

        A plain dict works too. Raises msgspec.ValidationError for what would not be read on the wire either
        (the service answers that with `invalid`). After any other exception, such as a script that has run
        out, the state may be half moved: open a new table.
        """
        sent, now = self._sent + 1, self._now + 1
        command = decode_command_json(
            encode_json(
                Command(
                    id=f"c{sent}", game=self._game.id, seat=seat, expect=expect, action=action_from(action)
                )
            )
        )
        written = self._game.play(command, f"{now}-0")
        self._sent, self._now = sent, now
        self._written.append(written)
        self._fold.apply(written.commit)
        return written.commit

    def host(self, action: Action | dict[str, Any]) -> Commit:
        """Play an action of the host: `game.create`, `game.cancel`, `game.reseat`."""
        return self.act(None, action)

    def clock_expired(self) -> Commit:
        """Let the time pass to the deadline and let the clock play. Raises `Rejected` (`too_early`) without one."""
        now = self._now
        if self._game.deadline is not None:
            self._now = max(now, self._game.deadline - 1)
        try:
            return self.host(clock.Expired(version=self.version))
        except Rejected:
            self._now = now
            raise

    def view(self, viewer: int | Literal["table", "audit"] = "table") -> View[Any, Any]:
        """What a seat, or `table`, sees now."""
        if isinstance(viewer, int) and not 0 <= viewer < len(self._fold.hands):
            raise IndexError(f"There is no seat {viewer}; the seats are 0 to {len(self._fold.hands) - 1}")
        return self._fold.view(viewer)

    def encoded(self) -> dict[str, bytes]:
        """The views as they are stored: `table`, `seat:0` … as JSON."""
        return self._fold.encoded()

    @property
    def players(self) -> list[str]:
        return list(self._game.players)

    @property
    def version(self) -> int:
        return self._game.version

    @property
    def log(self) -> list[Commit]:
        """All commits so far, oldest first."""
        return [written.commit for written in self._written]

    @property
    def written(self) -> list[Written]:
        """All commits with their JSON and chain hashes, as a log would hold them."""
        return list(self._written)

    @property
    def finished(self) -> bool:
        return self._game.finished

    @property
    def outcome(self) -> game.Outcome | None:
        return self._game.outcome

    @property
    def deadline(self) -> int | None:
        """When the clock plays, in epoch milliseconds."""
        return self._game.deadline

    @property
    def state(self) -> Any:
        """The ruleset's own state, secrets and all: for tests of rules only."""
        return self._game.state

    def violations(self) -> list[str]:
        """The ruleset's invariants that do not hold now."""
        return self._game.rules.violations(self._game.state)
