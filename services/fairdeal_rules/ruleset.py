"""The seam of a game's rules: what every `fairdeal_rules.games.<ruleset>.Rules` supplies."""

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from fairdeal.action import Action
from fairdeal.codec import fault
from fairdeal.dealer import Dealer
from fairdeal.game import Outcome, Resign
from fairdeal.games import RULESETS, game_module
from fairdeal.receipt import Rejected
from fairdeal.tagged import module_records
from fairdeal.visibility import Event

S = TypeVar("S")
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741

Emit = Callable[[Event], None]
"""Records an event and evolves the state by it at once."""


class Ruleset(Generic[S, O]):
    """The rules of one game: pure, without Redis, time or chance of their own.

    State `S` is any mutable object; only `evolve` changes it. Everything reads top to bottom in one order:
    options, state, opening, evolve, decide, what the clock does.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    players: ClassVar[tuple[int, int]]
    """The fewest and the most seats, unless `check_seats` knows better."""
    Options: type[O]
    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    """Options by name: `{"preset": "asmodee", ...}` stands for these, plus what differs."""

    def complete_options(self, options: O, logged: dict[str, Any] | None) -> O:
        """Fill in what a deployment alone can say; raise `Rejected("bad_options", …)` for what it does not have.

        `logged` are the options as the log has them, where a game that was played is decided again.
        """
        return options

    def check_seats(self, options: O, seats: int) -> None:
        """Raise `Rejected("bad_players", …)` for a number of seats that may not play with these options."""
        fewest, most = self.players
        if not fewest <= seats <= most:
            raise Rejected("bad_players", f"{self.name} takes {fewest} to {most} seats, not {seats}")

    def check_options(self, options: O, seats: int) -> None:
        """Raise `Rejected("bad_options", …)` for options that contradict each other or this many seats."""

    def open(self, options: O, seats: int) -> S:
        """The state before anything happened. Draws nothing."""
        raise NotImplementedError

    def begin(self, state: S, dealer: Dealer, emit: Emit) -> None:
        """Set up and open the first turn, once everybody is there."""
        raise NotImplementedError

    def decide(self, state: S, seat: int, action: Action, dealer: Dealer, emit: Emit) -> None:
        """Play an action of a seat: raise `Rejected` before the first `emit`, or emit what happens.

        `game.resign` comes here too; the rules emit `game.Resigned` themselves, then what follows from it.
        """
        raise NotImplementedError

    def evolve(self, state: S, event: Event) -> None:
        """Change the state by an event. Total, draws nothing, asks no clock; ignores events it has no use for."""
        raise NotImplementedError

    def overdue(self, state: S) -> Sequence[tuple[int, Action]]:
        """What the clock plays for each seat that lets its time run out: empty only when nobody is awaited.

        An action that a former one of the same list has made impossible is skipped.
        """
        raise NotImplementedError

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it runs. The service then adds `game.finished`."""
        raise NotImplementedError

    def allowance(self, state: S, turn_ms: int | None) -> int | None:
        """Milliseconds until the clock plays, from the commit just made or the one that `deadline_for` goes back to.

        None for no deadline. By default the game's clock; a ruleset with a timer of its own answers that instead.
        """
        return turn_ms

    def deadline_for(self, state: S) -> object:
        """What the allowance runs for: it counts from the first of the latest commits with an equal answer.

        None, as by default, counts it from each commit anew.
        """
        return None

    def violations(self, state: S) -> list[str]:
        """The invariants that this state breaks, one sentence each; empty when all is well."""
        raise NotImplementedError

    @property
    def tag(self) -> str:
        """Name and version, `perudo@1`."""
        return f"{self.name}@{self.version}"

    @cached_property
    def actions(self) -> frozenset[type[msgspec.Struct]]:
        """The actions that `decide` takes: all that the ruleset's contract defines, and `game.resign`."""
        module = game_module(self.name)
        return frozenset((Resign, *module_records(module.__name__, vars(module), Action)))

    def resolve_options(self, given: dict[str, Any], seats: int, logged: dict[str, Any] | None = None) -> O:
        """Options as the rules know them; `logged` as for `complete_options`.

        Raises `Rejected`: `bad_options` with the path of the fault, `bad_players` for too few or too many seats.
        """
        merged = dict(given)
        preset = merged.pop("preset", None)
        if preset is not None:
            if not isinstance(preset, str) or preset not in self.presets:
                raise Rejected(
                    "bad_options",
                    f"There is no preset {preset!r}; there are: {', '.join(sorted(self.presets)) or 'none'}",
                    path="$.action.options.preset",
                )
            merged = {**self.presets[preset], **merged}
        try:
            options = msgspec.convert(merged, self.Options)
        except msgspec.ValidationError as error:
            message, path = fault(error)
            where = "$.action.options" + path.removeprefix("$")
            raise Rejected("bad_options", message, path=where) from None
        options = self.complete_options(options, logged)
        self.check_seats(options, seats)
        self.check_options(options, seats)
        return options


class UnknownRuleset(LookupError):
    """No such ruleset, or not this version of it, in this release."""


_rules: dict[str, Ruleset[Any, Any]] = {}


def rules_for(ruleset: str) -> Ruleset[Any, Any]:
    """The rules of `perudo`, or of exactly `perudo@1`. Raises `UnknownRuleset`."""
    rules = _rules.get(ruleset)
    if rules is None:
        name, _, version = ruleset.partition("@")
        if name not in RULESETS:
            raise UnknownRuleset(f"There is no ruleset {name!r}; there are: {', '.join(RULESETS)}")
        module = import_module(f"fairdeal_rules.games.{name}")
        rules = cast("Ruleset[Any, Any]", module.Rules())
        if version and version != str(rules.version):
            raise UnknownRuleset(f"This release plays {rules.tag}, not {ruleset}")
        _rules[ruleset] = rules
    return rules
