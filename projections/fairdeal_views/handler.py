"""The views worker: what each viewer sees, stored for everybody who asks."""

from typing import Any, ClassVar

from fairdeal_views.doorbell import doorbell
from fairdeal_views.fold import Fold, decode_happened
from fairdeal_views.follower import Follower
from fairdeal_views.logs import Body
from fairdeal_worker.role import Role
from fairdeal_worker.scripts import Script


class Kept:
    """One game's fold, and what is stored of it as far as this worker knows."""

    __slots__ = ("fold", "fresh", "parts", "tag", "version")

    def __init__(self, game: str, stored: dict[str, bytes]) -> None:
        """`stored` is the view's hash; empty when there is none."""
        self.fold = Fold(game)
        self.version = int(stored.pop("version", 0))
        self.tag = stored.pop("fold", b"").decode()
        self.parts = stored
        self.fresh: dict[str, bytes] | None = None


class ViewsHandler(Follower[Kept]):
    """Folds logs into views and stores the parts that changed."""

    role: ClassVar[str] = "views"
    script: ClassVar[Script] = Script("fairdeal_views", "store.lua")

    def ask(self, pipeline: Any, game: str) -> None:
        pipeline.hgetall(self.keys.view(game))

    def open(self, game: str, answer: dict[bytes, bytes]) -> Kept:
        return Kept(game, {field.decode(): value for field, value in answer.items()})

    def ask_version(self, pipeline: Any, game: str) -> None:
        pipeline.hget(self.keys.view(game), "version")

    def version_in(self, answer: bytes | None) -> int:
        return int(answer or 0)

    def version(self, state: Kept) -> int:
        return state.fold.version

    def apply(self, state: Kept, commit: Body) -> None:
        state.fold.apply(decode_happened(commit[1]))

    def script_needs(self) -> tuple[str, list[Any]]:
        return self.keys.updates, [self.partition.settings.updates_kept]

    def write(self, state: Kept) -> list[Any] | None:
        fold = state.fold
        if fold.version <= state.version:
            if fold.version < state.version:
                self.partition.log.error(
                    "view_ahead",
                    game=fold.game,
                    view=state.version,
                    version=fold.version,
                    next="the log has lost commits that were shown already; restore it, then rebuild the view",
                )
            return None
        parts = state.fresh = fold.encoded()
        known = state.parts
        fields: list[str] = []
        for name, part in parts.items():
            if known.get(name) != part:
                fields += (name, part.decode())
        if fold.fold_tag != state.tag:
            fields += ("fold", fold.fold_tag)
        version = str(state.version) if state.version else ""
        return [fold.game, version, state.tag, str(fold.version), fields]

    def stored(self, state: Kept) -> None:
        if state.fresh is not None:
            state.parts, state.fresh = state.fresh, None
            state.version, state.tag = state.fold.version, state.fold.fold_tag


ROLE = Role("views", stream=doorbell, handler=ViewsHandler)
