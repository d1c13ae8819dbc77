"""What every ruleset has to prove over generated games: bounded, lawful, offered exactly, and blind."""

import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.dealer import Seeded
from fairdeal.game import Finished
from fairdeal.receipt import Rejected
from fairdeal.view import Offer, decode_view, join_parts
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Scripted, Table
from fairdeal_rules.ruleset import rules_for

Move = tuple[int, Action]

_ANY_DEALER = Seeded(bytes(32))
"""Deals where what is drawn matters to nobody."""


def play_random(
    table: Table,
    random: Random,
    *,
    weigh: Callable[[Offer], float] = lambda offer: 1.0,
    impatience: float = 0.1,
    most: int = 5000,
    check_every: int = 1,
    each: Callable[[Table], None] = lambda table: None,
) -> Table:
    """Play offers by chance until the game is over, in at most `most` moves; the same table.

    A seat that is waited for moves, or with the chance `impatience` any seat that has an offer; `weigh` says
    how likely an offer is. After each commit come the invariants, after every so many `check`, then `each`.
    """
    check(table)
    each(table)
    for _ in range(most):
        if table.finished:
            return table
        awaited = table.view("table").to_act
        assert awaited, f"nobody is waited for at version {table.version}"
        seats = range(len(table.players)) if random.random() < impatience else awaited
        choices = [(seat, offer) for seat in seats for offer in table.view(seat).offers]
        choices = choices or [(seat, offer) for seat in awaited for offer in table.view(seat).offers]
        assert choices, f"the seats {awaited} are waited for and have no offer at version {table.version}"
        ((seat, offer),) = random.choices(choices, [weigh(offer) for _, offer in choices])
        action = offer.sample(random)
        assert offer.admits(action), f"{offer} does not admit its own sample {action}"
        table.act(seat, action)
        if table.version % check_every == 0:
            check(table)
        elif broken := table.violations():
            raise AssertionError(f"version {table.version}: {broken}")
        each(table)
    raise AssertionError(f"the game is not over after {most} moves")


def check(table: Table) -> None:
    """No invariant is broken, and one seat's stored view (another each time) reads back as the view shown."""
    broken = table.violations()
    assert not broken, f"version {table.version}: {broken}"
    parts = table.encoded()
    seat = table.version % len(table.players)
    stored = decode_view(join_parts(parts["table"], parts[f"seat:{seat}"]))
    assert msgspec.to_builtins(stored) == msgspec.to_builtins(table.view(seat))


def offers_equal_acceptance(table: Table, candidates: Iterable[Action]) -> None:
    """At every seat the rules accept a candidate exactly if the seat's view offers it, and a sample of each offer.

    A refused action leaves no trace. The rules decide on copies of the state, so the table stays as it is.
    """
    rules = rules_for(table.view("table").ruleset)
    state = pickle.loads(pickle.dumps(table.state))
    before = pickle.dumps(state)
    tried = tuple(candidates)
    for seat in range(len(table.players)):
        view = table.view(seat)
        assert not (table.finished and view.offers), f"seat {seat} has offers after the end"
        where = f"version {table.version}, seat {seat} with the offers {view.offers}"
        for action in tried:
            if not view.admits(action):
                accepted = not table.finished and accepts(rules, state, seat, action)
                assert not accepted, f"not offered but accepted: {action}; {where}"
        assert pickle.dumps(state) == before, f"a refused action left a trace; {where}"
        samples = (offer.sample(Random(table.version)) for offer in view.offers)
        for action in (*filter(view.admits, tried), *samples):
            accepted = accepts(rules, pickle.loads(before), seat, action)
            assert accepted, f"offered but refused: {action}; {where}"


def accepts(rules: Any, state: Any, seat: int, action: Action) -> bool:
    """Whether the rules accept this action of a seat; if so the state has moved on, so give them a copy."""
    try:
        rules.decide(state, seat, action, _ANY_DEALER, lambda event: rules.evolve(state, event))
    except Rejected:
        return False
    return True


def moves_of(log: Iterable[Commit]) -> list[Move]:
    """The seats' moves of a log, in order."""
    return [(c.command.seat, c.command.action) for c in log if c.command.seat is not None]


def outcomes_of(log: Iterable[Commit]) -> list[Any]:
    """Everything that was drawn in a log, in order: the script that deals the same game again."""
    return [outcome for commit in log for event in commit.events for outcome in drawn_outcomes(event)]


def blind_to(
    viewer: Viewer,
    first: Sequence[Any],
    second: Sequence[Any],
    moves: Sequence[Move],
    attempts: Sequence[Action] = (),
    other_moves: Sequence[Move] | None = None,
    **opening: Any,
) -> None:
    """Prove that `viewer` cannot tell two games apart that differ only in what happened out of their sight.

    `first` and `second` are the scripts of the two games, `moves` are played in both, or `other_moves` in the
    second, and `opening` is what `Table.open` takes. After each move a seat also tries in vain those of the
    `attempts` that it is not offered. Compared to the byte: each commit's events as the viewer sees them, the
    stored views, and each refusal.
    """
    one = _transcript(viewer, first, moves, attempts, opening)
    other = _transcript(viewer, second, moves if other_moves is None else other_moves, attempts, opening)
    assert len(one) == len(other)
    for step, (left, right) in enumerate(zip(one, other, strict=True)):
        assert left == right, f"{viewer} can tell the games apart at step {step}"


def _transcript(
    viewer: Viewer,
    script: Sequence[Any],
    moves: Sequence[Move],
    attempts: Sequence[Action],
    opening: dict[str, Any],
) -> list[bytes]:
    table = Table.open(dealer=Scripted(script), **opening)
    transcript = _received(viewer, table, table.log[-1])
    for seat, action in moves:
        transcript += _received(viewer, table, table.act(seat, action))
        if isinstance(viewer, int):
            view = table.view(viewer)
            transcript += (_refusal(table, viewer, tried) for tried in attempts if not view.admits(tried))
    return transcript


def _refusal(table: Table, seat: int, action: Action) -> bytes:
    try:
        table.act(seat, action)
    except Rejected as rejected:
        answer = {"code": rejected.code, "message": rejected.message, "details": rejected.details}
        return json.dumps(answer, sort_keys=True).encode()
    raise AssertionError(f"seat {seat} was not offered {action}, yet it was accepted")


def _received(viewer: Viewer, table: Table, commit: Commit) -> list[bytes]:
    parts = table.encoded()
    events = [encode_json(redact(event, viewer)) for event in commit.events]
    own = [parts[f"seat:{viewer}"]] if isinstance(viewer, int) else []
    return [*events, parts["table"], *own, msgspec.json.encode(table.view("table").to_act)]


def seed_is_told_at_the_end(table: Table) -> None:
    """The seed of a game that is over stands in its last event, in none before, and in no view."""
    finished = table.log[-1].events[-1]
    assert isinstance(finished, Finished)
    for written in table.written[:-1]:
        assert finished.seed.encode() not in written.body
    for part in table.encoded().values():
        assert finished.seed.encode() not in part
