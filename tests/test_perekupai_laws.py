"""What holds of every game of Perekupai (perekupai.md §15), over generated games of every option set."""

import pickle
from collections import Counter, defaultdict
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.clock import RanOut
from fairdeal.game import Cancelled, Finished, Resign
from fairdeal.games.perekupai import (
    ActionStarted,
    AskMoney,
    CardsDrawn,
    CarSold,
    CashChanged,
    DefectRemoved,
    DieRolled,
    EndTriggered,
    EndTurn,
    ExtraActionGranted,
    MoneyAsked,
    PlayEnded,
    RollResolved,
    RoundStarted,
    SaleStarted,
    SeatLeft,
    SurpriseRevealed,
    SurprisesDrawn,
    SurpriseSkipped,
    SurprisesRepaired,
    TurnStarted,
)
from fairdeal_audit import audit_log
from fairdeal_local import Scripted, Table
from fairdeal_rules import Rejected
from fairdeal_rules.game import DESERTED_AFTER
from support.harness import (
    accepts,
    check,
    moves_of,
    offers_equal_acceptance,
    outcomes_of,
    play_random,
)
from support.perekupai import CARDS, SETS, SHORT, candidates, events_of, lively, play_some
from support.perekupai_counts import count, lines

PHASES = {
    *("gap", "buy", "sale_open", "sale_pick_buyer", "att_window", "hag_window", "final_window"),
    *("react", "pick", "discard_down"),
}


def opened(name: str, seed: int, **more: Any) -> Table:
    return Table.open("perekupai", 2 + seed % 5, SHORT[name], dealer=f"{name} {seed}", **more)


def finished(name: str, seed: int) -> Table:
    return play_random(opened(name, seed), Random(seed), weigh=lively, check_every=20)


# Offers and acceptance


@pytest.mark.parametrize("name", SETS)
def test_offers_are_exactly_what_is_accepted(name: str) -> None:
    """In every phase, over random commands and offers that are slightly changed."""
    seen: Counter[str] = Counter()
    for seed in range(6 if name == "default" else 2):
        table, random = opened(name, seed), Random(seed)

        def each(table: Table, random: Random = random) -> None:
            phase = table.view("table").phase
            if not table.finished and random.random() < 1 / (1 + seen[phase]):
                seen[phase] += 1
                offers_equal_acceptance(table, candidates(table, random))

        play_random(table, random, weigh=lively, each=each, check_every=20)
    # Rare phases are seen at the default table; the others have few windows, small hands or no reactions.
    assert (PHASES if name == "default" else {"gap", "buy"}) - {"sale_pick_buyer"} <= seen.keys()


def test_every_command_is_refused_to_seats_that_are_not_waited_for() -> None:
    table, random = finished_until("default", 7, 120), Random(1)
    (awaited,) = table.view().to_act
    rules = table._game.rules
    for seat in set(range(len(table.players))) - {awaited}:
        for action in candidates(table, random):
            state = pickle.loads(pickle.dumps(table.state))
            accepted = accepts(rules, state, seat, action)
            assert accepted == (isinstance(action, AskMoney) and table.view(seat).admits(action)), action


def finished_until(name: str, seed: int, version: int) -> Table:
    """A game that was played by chance so far."""
    return play_some(opened(name, seed), Random(seed), version)


def test_a_refused_command_leaves_the_game_as_it_was() -> None:
    refused = 0
    for seed, name in enumerate(SETS):
        random = Random(seed)
        table = finished_until(name, seed, 60)
        before = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
        for seat in range(len(table.players)):
            for action in candidates(table, random, 3):
                if not table.view(seat).admits(action):
                    with pytest.raises(Rejected):
                        table.act(seat, action)
                    refused += 1
        after = pickle.dumps(table.state), table.encoded(), table.version, table.written[-1].hash
        assert after == before
    assert refused > 500


# Laws of a whole game


def laws_of(table: Table) -> None:
    """Invariants 6, 7, 8 and 11 over the events of a game."""
    options = table.state.options
    turns: Counter[int] = Counter()
    number = used = extra = 0
    rolls = hidden = shown = skipped = unnoticed = 0
    last_bank = table.state.table.bank
    triggered: int | None = None
    rounds: list[RoundStarted] = []
    face_down: dict[str, set[str]] = defaultdict(set)
    for commit in table.log:
        events = commit.events
        for place, event in enumerate(events):
            match event:
                case RoundStarted():
                    rounds.append(event)
                case TurnStarted():
                    assert event.turn == number + 1, "turn numbers strictly rise (6)"
                    number, used, extra = event.turn, 0, 0
                    turns[event.seat] += 1
                case ActionStarted():
                    used += 1
                    assert used <= options.actions_per_turn + extra, "no more actions than there are (6)"
                case ExtraActionGranted():
                    assert not extra, "one extra action a turn (6)"
                    extra = event.count
                case SurprisesDrawn():
                    face_down[event.car] = {defect.id for defect in event.defects or ()}
                case SurprisesRepaired():
                    face_down[event.car] -= {surprise.id for surprise in event.surprises}
                case DefectRemoved():
                    face_down[event.car].discard(event.surprise.id)
                case SaleStarted():
                    rolls = shown = skipped = unnoticed = 0
                    hidden = len(face_down[event.car])
                case DieRolled(test="attentiveness") if not is_reroll(events, place):
                    rolls += 1
                case RollResolved(test="attentiveness"):
                    unnoticed += event.won
                case SurpriseRevealed():
                    face_down[event.car].discard(event.surprise.id)
                    shown += not follows_a_test(events, place)
                case SurpriseSkipped():
                    skipped += 1
                case CarSold():
                    assert rolls == hidden - shown - skipped, "one roll for each untested surprise (7)"
                    bonus = event.draws - 1 - unnoticed - skipped
                    assert 0 <= bonus <= 2, "1 + unnoticed + bonus cards (7)"
                    price_is_right(event, events[place + 1 :])
                case EndTriggered():
                    assert triggered is None, "the end is triggered once"
                    triggered = event.round
                case _:
                    pass
        spread = [turns[seat] for seat in range(len(table.players)) if seat not in table.state.table.out]
        assert max(spread) - min(spread) <= 1, "no seat is two turns ahead (11)"
    assert last_bank == 44000 - sum(table.state.table.cash)
    ended = [event for event in events_of(table.log) if isinstance(event, PlayEnded)]
    if triggered is not None and ended[0].reason == "final_round":
        assert rounds[-1].final
        assert rounds[-1].round == triggered + 1
        assert [event.final for event in rounds].count(True) == 1
        assert len(set(spread)) == 1, "everybody had as many turns (11)"


def is_reroll(events: tuple[Any, ...], place: int) -> bool:
    """Whether a roll is a card's doing."""
    return any(getattr(event, "op", None) == "reroll" for event in events[max(0, place - 1) : place])


def follows_a_test(events: tuple[Any, ...], place: int) -> bool:
    return place > 0 and isinstance(events[place - 1], RollResolved)


def price_is_right(sold: CarSold, after: tuple[Any, ...]) -> None:
    price = sold.price
    parts = sum(msgspec.structs.astuple(price)[:-1])
    assert price.final >= max(parts, 0), "never below the sum, nor below 0 (8)"
    paid = [e.delta for e in after if isinstance(e, CashChanged) and e.seat == sold.seat][:1]
    assert paid == ([price.final] if price.final else paid[:0]), "the bank pays exactly that (8)"


@pytest.mark.parametrize("name", SETS)
def test_whole_games_keep_the_laws(name: str) -> None:
    for seed in range(2):
        table = finished(name, seed)
        laws_of(table)
        ended = table.log[-1].events[-1]
        assert isinstance(ended, Finished)
        assert ended.outcome.scores == tuple(score.total for score in table.view().table.scores)


def test_a_seat_that_may_work_is_never_without_a_move() -> None:
    """Invariant 12: in a gap `work` is always there."""
    table, random = opened("default", 3), Random(3)

    def each(table: Table) -> None:
        if not table.finished and table.view().phase == "gap":
            (seat,) = table.view().to_act
            assert "perekupai.work" in {
                str(type(offer).__struct_config__.tag) for offer in table.view(seat).offers
            }

    play_random(table, random, weigh=lively, each=each, check_every=50)


@pytest.mark.parametrize("name", SETS)
def test_what_was_drawn_deals_the_same_game_again(name: str) -> None:
    """Invariant 10: all draws are in the log, in their order, and nothing else decides."""
    table = finished(name, 1)
    dealer = Scripted(outcomes_of(table.log))
    again = Table.open("perekupai", table.players, SHORT[name], dealer)
    for seat, action in moves_of(table.log):
        again.act(seat, action)
    assert dealer.left == 0
    assert [c.events[:-1] for c in again.log[1:]] == [c.events[:-1] for c in table.log[1:]]


def test_the_memory_of_a_running_game_holds_no_order() -> None:
    """Decks are pools in the order of the deck's file; only cars put under the deck have a place in it."""
    state = finished_until("default", 4, 200).state
    for pool, entries in (
        (state.cars, state.printed.cars),
        (state.buyers, state.printed.buyers),
        (state.surprises, state.printed.surprises),
        (state.cards, state.printed.cards),
        (state.used_cards, state.printed.cards),
    ):
        assert list(pool) == list(entries)


# Resigning and running out of time


@pytest.mark.parametrize("name", ["default", "big"])
def test_resigning_in_every_phase_leaves_a_lawful_game(name: str) -> None:
    phases: Counter[str] = Counter()
    for seed in range(8):
        random = Random(seed)
        table = Table.open("perekupai", 6, {**SHORT[name], "target": 4000}, dealer=seed)

        def each(table: Table, random: Random = random) -> None:
            if table.finished:
                return
            phase = table.view().phase
            if random.random() < 0.2 / (1 + 4 * phases[phase]):
                phases[phase] += 1
                own = random.random() < 0.6
                seat = table.view().to_act[0] if own else random.choice(table.state.table.playing())
                table.act(seat, Resign())
                check(table)
                assert not table.view(seat).offers
                assert not table.view(seat).hand.cards
                if not table.finished:
                    with pytest.raises(Rejected) as refused:
                        table.act(seat, Resign())
                    assert refused.value.code == "out_of_game"
                    offers_equal_acceptance(table, candidates(table, random, 1))

        play_random(table, random, weigh=lively, each=each, check_every=50)
        outcome = table.outcome
        assert outcome is not None
        for place, seat in enumerate(table.view().table.out):
            assert outcome.places[seat] == 6 - place
            assert outcome.scores is not None
            assert outcome.scores[seat] == 0
    assert {"gap", "buy", "react", "pick"} <= phases.keys()


def test_who_resigns_leaves_everything() -> None:
    table = finished_until("default", 9, 150)
    shown = table.view().table
    seat = max(range(len(shown.cash)), key=lambda seat: len(shown.cars[seat]))
    gone = table.act(seat, Resign()).events
    left = next(event for event in gone if isinstance(event, SeatLeft))
    after = table.view().table
    assert (left.cash, left.cards) == (shown.cash[seat], shown.hands[seat])
    assert (after.cash[seat], after.hands[seat], after.cars[seat]) == (0, 0, [])
    assert after.bank == shown.bank + left.cash


@pytest.mark.parametrize("name", SETS)
def test_the_clock_plays_every_phase_to_its_end(name: str) -> None:
    phases: set[str] = set()
    for seed in range(2):
        random = Random(seed)
        table = opened(name, seed, clock=1000)
        for _ in range(6000):
            if table.finished:
                break
            phase = table.view().phase
            if random.random() < (0.1 if phase == "gap" else 0.4):
                phases.add(phase)
                awaited = table.view().to_act
                commit = table.clock_expired()
                assert commit.events[0].seats == awaited  # type: ignore[attr-defined]
                assert len(commit.events) > 1
                assert not table.violations()
            else:
                (seat,) = table.view().to_act
                offers = table.view(seat).offers
                (offer,) = random.choices(offers, [lively(offer) for offer in offers])
                table.act(seat, offer.sample(random))
        assert table.finished
    assert {"gap", "buy"} <= phases
    assert name != "default" or {"sale_open", "hag_window", "final_window", "react"} <= phases


def test_asking_for_money_gives_nobody_more_time() -> None:
    table = Table.open("perekupai", 2, dealer=1, clock=1000)
    deadline = table.deadline
    commit = table.act(0, AskMoney(1))
    assert commit.events == (MoneyAsked(seat=0, asked=1, cash=1000),)
    assert table.deadline == table.view().deadline == deadline
    table.clock_expired()
    assert table.deadline != deadline


def test_a_clock_alone_ends_turns_for_ever_but_a_table_that_works_comes_to_its_end() -> None:
    """With `end_early` off the clock works, so that even a deserted game ends."""
    table = Table.open("perekupai", 2, {"end_early": False, "target": 2000}, dealer=1, clock=1000)
    for _ in range(200):
        if table.finished:
            break
        table.clock_expired()
    assert table.finished
    drawn = [event for event in events_of(table.log) if isinstance(event, CardsDrawn)]
    assert len(drawn) > 4
    assert not any(isinstance(c.command.action, EndTurn) for c in table.log)


def test_a_deserted_game_is_called_off_after_a_thousand_moves_by_the_clock_alone() -> None:
    table = Table.open("perekupai", 2, dealer=1, clock=1000)
    for _ in range(DESERTED_AFTER - 1):
        table.clock_expired()
    table.act(table.view().to_act[0], EndTurn())  # somebody is there after all: the count starts anew
    for _ in range(DESERTED_AFTER):
        table.clock_expired()
    assert not table.finished
    commit = table.clock_expired()
    assert [type(event) for event in commit.events] == [RanOut, Cancelled, Finished]
    assert table.outcome is not None
    assert (commit.events[1].reason, table.outcome.reason) == ("deserted", "cancelled")  # type: ignore[attr-defined]
    assert audit_log((w.commit.version, w.hash.hex(), w.body) for w in table.written).clean


def test_every_card_and_every_effect_comes_up() -> None:
    """A fortieth of the table that `support/perekupai_counts.py` prints of 1,000 games; `pytest -s` shows it."""
    counts = count(25)
    print(*lines(counts), sep="\n")
    for kind in CARDS.cards:
        assert counts.drawn[kind] >= 50
        assert counts.acquisitions[kind] >= 2
        assert counts.scams[kind] >= 2
    ops = {str(e.__struct_config__.tag) for card in CARDS.cards.values() for e in card.acquisition.effects}
    ops |= {str(e.__struct_config__.tag) for card in CARDS.cards.values() for e in card.scam.effects}
    assert len(ops) == 27
    assert {op for op in ops if not counts.effects[op]} == set()
