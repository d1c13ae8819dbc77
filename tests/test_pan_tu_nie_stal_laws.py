"""Pan tu nie stał! over generated games: the invariants of pan_tu_nie_stal.md §12, a naive model, offers, the clock.

`FAIRDEAL_GAMES` says how many games each of the generating tests plays.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.clock import RanOut
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    BazaarStarted,
    CardDrawn,
    CardsPlayed,
    GameOver,
    GoodPicked,
    GoodsPlaced,
    LineCleared,
    Options,
    SeatLeft,
    ShopSettled,
    TurnStarted,
)
from fairdeal.games.pan_tu_nie_stal_queues import GOODS
from fairdeal.games.pan_tu_nie_stal_table import phase_of
from fairdeal.view import Offer
from fairdeal.visibility import drawn_outcomes
from fairdeal_local import Table
from support.harness import offers_equal_acceptance, play_random
from support.pan_tu_nie_stal import SETS, at, candidates
from support.pan_tu_nie_stal_model import Model, standing
from support.scenario import given

GAMES = int(os.environ.get("FAIRDEAL_GAMES", "8"))
PHASES = {"check", "act", "bazaar_pick", "final_check"}


def opened(name: str, seed: int, **more: Any) -> Table:
    """A table of an option set with 2 to 5 seats."""
    return Table.open("pan_tu_nie_stal", 2 + seed % 4, SETS[name], dealer=f"{name} {seed}", **more)


def phases_of(name: str) -> set[str]:
    """The phases that games of an option set come to."""
    never = {"bazaar_pick"} if name == "base" else set()
    if not SETS[name].get("final_check", True):
        never |= {"final_check"}
    return (PHASES | ({"bazaar_refill"} if name == "by_choice" else set())) - never


def drawn_in(commit: Commit) -> Any:
    return (outcome for event in commit.events for outcome in drawn_outcomes(event))


def busy(offer: Offer) -> float:
    """Weigh offers so that seats run out of cards sooner."""
    return 0.4 if offer.action_type().__name__ == "Draw" else 1.0


# The naive model


@pytest.mark.parametrize("name", SETS)
def test_a_second_reading_of_the_rules_plays_the_same_games(name: str) -> None:
    """Every commit leads both to the same state, and the laws hold; seats resign here and there."""
    for seed in range(GAMES):
        table, random = opened(name, seed), Random(seed)
        options = msgspec.convert(table.view().table.options, Options)
        model = Model(options, len(table.players), drawn_in(table.log[0]))

        def follow(table: Table, model: Model = model) -> None:
            if table.version > 1:
                command = table.log[-1].command
                assert command.seat is not None
                model.play(command.seat, command.action, drawn_in(table.log[-1]))
            over = table.state.over
            assert (None if over is None else list(over.scores)) == model.scores
            if over is None:
                assert standing(table.state) == model.standing()

        def each(table: Table, random: Random = random, follow: Any = follow) -> None:
            follow(table)
            if not table.finished and random.random() < 0.004:
                left = [seat for seat in range(len(table.players)) if seat not in table.state.table.places]
                table.act(random.choice(left), Resign())
                follow(table)

        laws_of(play_random(table, random, weigh=busy, each=each))


# Laws of whole games


def laws_of(table: Table) -> None:
    """What §12 says of a whole game."""
    events = [event for commit in table.log for event in commit.events]
    bazaar = len(table.view().table.queues) - 1 if table.view().table.options["expansion_bazaar"] else None
    if bazaar is not None:
        _goods_of_the_bazaar(events, bazaar, table)
    _picks_are_even(events)
    _turns_end(events, len(table.players))
    _box_only_grows(events)
    over = next(event for event in events if isinstance(event, GameOver))
    assert sum(over.scores) <= 147 + 75 + 5 * len(table.players)


def _goods_of_the_bazaar(events: list[Any], bazaar: int, table: Table) -> None:
    """Invariants 4 and 5: refills, distributions and one, while the stack lasts."""
    shops = [event for event in events if isinstance(event, GoodsPlaced) and event.queue != bazaar]
    refills = len(shops) - bazaar
    cleared = [event for event in events if isinstance(event, LineCleared) and event.queue == bazaar]
    added = [event for event in events if isinstance(event, GoodsPlaced) and event.queue == bazaar]
    most = min(len(FOREIGN), refills + len(cleared) + 1)
    if table.view().table.options["bazaar_refill"] == "automatic":
        assert len(added) == most
    else:
        assert len(cleared) + 1 <= len(added) <= most
    assert all(len(event.tokens) == 1 for event in added)


def _picks_are_even(events: list[Any]) -> None:
    """Invariant 6: in pick order, and the numbers of picks differ by one at most."""
    order: tuple[int, ...] = ()
    picks: list[int] = []
    for event in events:
        match event:
            case BazaarStarted(order=order):
                picks = []
            case SeatLeft(seat=seat):
                order = ()
            case GoodPicked(seat=seat) if order:
                assert seat == order[len(picks) % len(order)]
                picks.append(seat)
                counts = [picks.count(one) for one in order]
                assert max(counts) - min(counts) <= 1


def _turns_end(events: list[Any], seats: int) -> None:
    """Invariant 8: two paid actions a turn, 42 a seat; who has cards left takes both."""
    paid: Counter[int] = Counter()
    in_turn = 0
    for event in events:
        match event:
            case TurnStarted():
                in_turn = 0
            case CardDrawn(seat=seat) | CardsPlayed(seat=seat, free=False):
                paid[seat] += 1
                in_turn += 1
                assert in_turn <= 2
    assert all(count <= 42 for count in paid.values())


def _box_only_grows(events: list[Any]) -> None:
    """Invariant 2: nothing that was played comes back: each seat plays at most its cards."""
    played: Counter[int] = Counter()
    for event in events:
        if isinstance(event, CardsPlayed):
            played[event.seat] += len(event.cards)
    assert all(count <= 21 for count in played.values())


# Offers


@pytest.mark.parametrize("name", SETS)
def test_offers_are_exactly_what_the_rules_accept(name: str) -> None:
    """In every phase, for every seat, over sensible and mad commands; every forced choice is come by."""
    phases: Counter[str] = Counter()
    forced: Counter[str] = Counter()
    for seed in range(GAMES):
        table, random = opened(name, seed), Random(seed)

        def each(table: Table, random: Random = random) -> None:
            if table.finished or random.random() < 0.25:
                offers_equal_acceptance(table, candidates(table, random))
            phases[table.view().phase] += 1
            for seat in table.view().to_act:
                offers = table.view(seat).offers
                if len(offers) == 1:
                    forced[offers[0].action_type().__name__] += 1

        play_random(table, random, weigh=busy, each=each)
    assert phases.keys() >= phases_of(name)
    assert {"Checked", "EndTurn", "Play"} <= forced.keys()
    if name != "base":
        assert "Pick" in forced
    if name == "by_choice":
        assert "RefillBazaar" in forced
    else:
        assert "Claim" in forced


def test_who_has_only_runners_left_and_an_empty_deck_has_to_play_them() -> None:
    """Ambiguity 18: as an action or at no cost, but the turn does not end before."""
    start = at("f", "r", "r", goods=["T01 T03", "T02 T04", "r1"], act=True, spent=[0])
    offers = given("pan_tu_nie_stal", *start, players=3).view(0).offers
    assert [offer.action_type().__name__ for offer in offers] == ["Play", "PlayFree"]


def test_who_leads_the_bazaar_alone_has_to_start_it() -> None:
    start = at("r", "r", "r", goods=["T01 T03", "T02 T04", "r1"], lines={2: "0r"})
    offers = given("pan_tu_nie_stal", *start, players=3).view(0).offers
    assert [offer.action_type().__name__ for offer in offers] == ["StartBazaar"]


# The clock


@pytest.mark.parametrize("name", SETS)
def test_the_clock_plays_every_phase_to_the_end(name: str) -> None:
    phases: Counter[str] = Counter()
    for seed in range(max(4, GAMES)):
        table, random = opened(name, seed, clock=1000), Random(seed)
        for _ in range(3000):
            if table.finished:
                break
            awaited = table.view().to_act
            if random.random() < (0.1 if table.view().phase == "act" else 0.4):
                phases[phase_of(table.state.table)] += 1
                commit = table.clock_expired()
                assert commit.events[0] == RanOut(seats=awaited)
                assert len(commit.events) > 1
            else:
                table.act(awaited[0], random.choice(table.view(awaited[0]).offers).sample(random))
            assert not table.violations()
        assert table.finished
    assert phases.keys() >= phases_of(name)


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("name", SETS)
def test_the_clock_alone_ends_a_game(name: str, seats: int) -> None:
    table = Table.open("pan_tu_nie_stal", seats, SETS[name], dealer=name, clock=1000)
    for _ in range(600):
        if table.finished:
            break
        table.clock_expired()
        assert not table.violations()
    assert table.finished
    assert table.outcome is not None
    assert table.outcome.reason in ("cards", "goods")


# Giving up


@pytest.mark.parametrize("waited_for", [True, False])
@pytest.mark.parametrize("name", SETS)
def test_a_seat_may_give_up_in_every_phase(name: str, waited_for: bool) -> None:
    """The one that is waited for or another: the others go on to the end, and its place is behind theirs."""
    for number, phase in enumerate(sorted(phases_of(name))):
        random = Random(number)
        gone: list[int] = []

        def each(table: Table, random: Random = random, phase: str = phase, gone: Any = gone) -> None:
            view = table.view()
            if view.phase == phase and not gone and random.random() < 0.5:
                seats = [seat for seat in range(len(table.players)) if (seat in view.to_act) == waited_for]
                gone.append(random.choice(seats))
                table.act(gone[0], Resign())

        while not gone:
            table = play_random(opened(name, 1 + random.randrange(300)), random, weigh=busy, each=each)
        assert table.outcome is not None
        places = table.outcome.places
        assert all(places[gone[0]] > place for seat, place in enumerate(places) if seat != gone[0])


# Tokens, once more


def test_every_good_that_was_shown_is_somewhere_at_the_end() -> None:
    for seed in range(GAMES):
        table = play_random(opened("bazaar", seed), Random(seed), check_every=50)
        events = [event for commit in table.log for event in commit.events]
        shown = {one for event in events if isinstance(event, GoodsPlaced) for one in event.tokens}
        won = [award.token for e in events if isinstance(e, ShopSettled | GameOver) for award in e.awards]
        won += [event.token for event in events if isinstance(event, GoodPicked)]
        lying = [one for queue in table.view().table.queues for one in queue.goods]
        assert sorted(won + lying) == sorted(shown)
        assert shown <= GOODS.keys() | FOREIGN.keys()
