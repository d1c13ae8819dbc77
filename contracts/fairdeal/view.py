"""The view: what a viewer sees now, and the moves that a seat may make.

A view is enough to render the table and to act, with nothing else known. It is stored in two parts, the
table once and each seat's own, so that a spectator cannot be served a secret by mistake.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, Union, cast, dataclass_transform

import msgspec

from fairdeal.action import Action
from fairdeal.game import Outcome, Ready
from fairdeal.tagged import tag_of

if TYPE_CHECKING:
    from types import ModuleType


class Random(Protocol):
    """What an offer needs to pick among its choices; `random.Random` is one."""

    def randrange(self, start: int, stop: int | None = None, /) -> int: ...
    def choice(self, seq: Sequence[Any], /) -> Any: ...
    def random(self) -> float: ...


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class _OfferMeta(msgspec.StructMeta):
    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        of: type[Action] | None = None,
        **config: Any,
    ) -> Any:
        if of is not None:
            config["tag"] = tag_of(of)
        cls = super().__new__(mcls, name, bases, namespace, **config)
        if of is not None:
            _actions[cls] = of
        return cls


_actions: dict[type, type[Action]] = {}


class Offer(msgspec.Struct, metaclass=_OfferMeta, frozen=True, kw_only=True, omit_defaults=True):
    """A move that a seat may make now, with its choices as fields: `class BidOffer(Offer, of=Bid): ...`.

    Its `type` is the action's. All offers of a view together admit exactly the actions that the rules would
    accept of this seat. The common `game.resign` is open to every seat in play and is never listed.
    """

    def action_type(self) -> type[Action]:
        """The action that this offers."""
        return _actions[type(self)]

    def admits(self, action: Action) -> bool:
        """Whether the rules would accept this action by force of this offer."""
        return isinstance(action, self.action_type())

    def sample(self, random: Random) -> Action:
        """One of the admitted actions, by chance."""
        return self.action_type()()


T = TypeVar("T")
H = TypeVar("H")


class TablePart(msgspec.Struct, Generic[T], frozen=True):
    """What everybody sees; stored once for each game."""

    game: str
    ruleset: str
    version: int
    phase: str
    to_act: tuple[int, ...]
    deadline: int | None
    table: T
    outcome: Outcome | None


class SeatPart(msgspec.Struct, Generic[H], frozen=True):
    """What one seat sees besides: its hand and its offers."""

    seat: int
    hand: H
    offers: tuple[Any, ...]


class View(msgspec.Struct, Generic[T, H], frozen=True, kw_only=True):
    """What a viewer sees now. `seat`, `hand` and `offers` are null and empty for the viewer `table`.

    `phase` is the ruleset's, or `waiting` before the start and `finished` after the end. `to_act` are the
    seats that are waited for. `deadline` is in epoch milliseconds, null without a clock.
    """

    game: str
    ruleset: str
    version: int
    phase: str
    to_act: tuple[int, ...]
    deadline: int | None
    table: T
    seat: int | None = None
    hand: H | None = None
    offers: tuple[Any, ...] = ()
    outcome: Outcome | None = None

    def offer(self, action: type[Action]) -> Any:
        """This view's offer of an action, or None."""
        return next((offer for offer in self.offers if offer.action_type() is action), None)

    def admits(self, action: Action) -> bool:
        """Whether any offer of this view admits the action."""
        return any(offer.admits(action) for offer in self.offers)


class Table(msgspec.Struct, kw_only=True):
    """The base of every ruleset's table: who sits where and which rules are agreed on."""

    players: list[str]
    options: dict[str, Any]
    resigned: list[int] = []


def join_parts(table: bytes, seat: bytes | None) -> bytes:
    """The JSON of a view from its stored parts."""
    return table if seat is None else table[:-1] + b"," + seat[1:]


class ReadyOffer(Offer, of=Ready):
    """A seat may say that it is there."""


_decoders: dict[str, msgspec.json.Decoder[Any]] = {}


def offers_of(module: "ModuleType") -> tuple[type[Offer], ...]:
    """The offers that a ruleset's contract defines, and the common ones."""
    own = tuple(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Offer) and value.__module__ == module.__name__
    )
    return (ReadyOffer, *own)


def view_type(ruleset: str) -> Any:
    """The type of a ruleset's views, `View[<its Table>, <its Hand>]` with its own offers."""
    from fairdeal.games import game_module

    module = game_module(ruleset)
    offers: Any = Union[offers_of(module)]  # noqa: UP007
    return msgspec.defstruct(
        "View",
        [
            ("table", module.Table),
            ("hand", module.Hand | None, None),
            ("offers", tuple[offers, ...], ()),
        ],
        bases=(View,),
        frozen=True,
        kw_only=True,
        module=module.__name__,
    )


class _Which(msgspec.Struct):
    ruleset: str


_which = msgspec.json.Decoder(_Which)


def decode_view(data: bytes) -> View[Any, Any]:
    """A view from JSON, with the ruleset's own table, hand and offers.

    Raises msgspec.ValidationError, and KeyError for a ruleset that this release does not know.
    """
    name = _which.decode(data).ruleset.partition("@")[0]
    decoder = _decoders.get(name)
    if decoder is None:
        decoder = _decoders[name] = msgspec.json.Decoder(view_type(name))
    return cast("View[Any, Any]", decoder.decode(data))


class Frame(msgspec.Struct, frozen=True):
    """One step of a replay for one viewer: the commit's redacted events, and the view after it."""

    version: int
    at: int
    events: tuple[Any, ...]
    view: View[Any, Any]
