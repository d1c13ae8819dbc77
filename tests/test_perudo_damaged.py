"""Views of Perudo from logs that no rules ever wrote: whatever they hold, folding ends and raises nothing."""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.commit import EVENTS
from fairdeal.game import Resigned, Started
from fairdeal.games.perudo import BidPlaced, PlayerEliminated
from fairdeal.view import decode_view, join_parts
from fairdeal.visibility import Event
from fairdeal_local import Table
from fairdeal_views.fold import Fold, Happened

SPOKEN = [record for tag, record in EVENTS.items() if tag.startswith("perudo.")]


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Anything of a field's type, whether or not it makes sense: seats that are not there, dice of seven eyes."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return values(parts[0])
    if origin in (Union, UnionType):
        return st.one_of(map(values, parts))
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple:
        return st.lists(values(parts[0]), max_size=4).map(tuple)
    return {int: st.integers(-2, 7), bool: st.booleans(), type(None): st.none()}[hint]


def built(record: type[Event]) -> st.SearchStrategy[Event]:
    hints = get_type_hints(record, include_extras=True)
    return st.builds(record, **{field: values(hints[field]) for field in record.__struct_fields__})


def views_of(*events: Event, counts: bool = True) -> Fold:
    """What three seats see after these events, each of them a commit of its own."""
    options = {"show_dice_counts": counts, "calza": True}
    opening = Table.open("perudo", 3, options, start="when_ready").log[0]
    views = Fold("g")
    views.apply(opening)
    for version, event in enumerate((Started(), *events), 2):
        views.apply(Happened(version, f"{version}-0", (event,)))
        parts = views.encoded()
        for seat in range(3):
            decode_view(join_parts(parts["table"], parts[f"seat:{seat}"]))
    return views


@given(st.lists(st.one_of(*map(built, SPOKEN), built(Resigned)), max_size=25), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_events_in_any_order_give_views(events: list[Event], counts: bool) -> None:
    views_of(*events, counts=counts)


def test_nobody_is_waited_for_when_everybody_is_out() -> None:
    everybody = [PlayerEliminated(seat=seat, place=1) for seat in range(3)]
    views = views_of(*everybody, BidPlaced(seat=0, quantity=1, face=2))
    assert views.to_act == ()
    assert [views.offers(seat) for seat in range(3)] == [()] * 3
