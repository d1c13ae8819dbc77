"""Nobody can tell two games of Real or Fake apart that differ only in cards they do not see (real_or_fake.md §7)."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.games.real_or_fake import (
    Acquired,
    Arrange,
    ArrangeOffer,
    Bid,
    Buy,
    Decline,
    HandDealt,
    HouseFilled,
    InsiderTaken,
    Pass,
    Roll,
    Sort,
)
from fairdeal.games.real_or_fake_cards import SERIES, insider_pool
from fairdeal.view import Offer
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Scripted, Table
from fairdeal_replays.frames import frames
from support.harness import blind_to, moves_of, play_random, seed_is_told_at_the_end
from support.real_or_fake import OPTION_SETS, brisk, events_of

ATTEMPTS: tuple[Action, ...] = (
    *(Roll(), Decline(), Pass(), Sort(), Bid(amount=1500), Bid(amount=10**9), Bid(amount=1000)),
    *(Arrange(to_table={series: count}) for series in SERIES for count in (1, 4)),
    *(Sort(to_table={series: 1}) for series in SERIES),
    *(Buy(seat=seat, series=series) for seat in range(4) for series in ("art", "cars")),
)


def secretive(offer: Offer) -> float:
    """Weigh offers so that many cards stay hidden."""
    return 0.02 if isinstance(offer, ArrangeOffer) else brisk(offer)


def course(name: str, seed: int, resigning: bool) -> tuple[list[Commit], dict[str, Any]]:
    """The log of a game up to its last move but one, so that nothing is revealed, and how it was opened."""
    opening = {"ruleset": "real_or_fake", "players": 3 + seed % 3, "options": OPTION_SETS[name]}
    random = Random(f"{name} {seed}")

    def each(table: Table) -> None:
        if resigning and table.version == 60 and not table.finished and not table.state.bankrupt:
            table.act(random.randrange(len(table.players)), Resign())

    table = play_random(Table.open(dealer=f"{name} {seed}", **opening), random, weigh=secretive, each=each)
    return table.log[:-1], opening


class Slots:
    """The cards of a log that its viewer never sees, each where the script names it: those may be swapped.

    A card was never shown if it was kept when it came, and if at no later time its seat held fewer hidden ones of
    that series than there are slots for it. Insider cards are not shown before the end at all.
    """

    def __init__(self, log: Sequence[Commit], viewer: Viewer, opening: dict[str, Any]) -> None:
        self.script: list[Any] = []
        drawn: list[tuple[int, int, Any, int]] = []  # place in the script, seat, card, version
        self.insiders: list[int] = []
        for commit in log:
            for event in commit.events:
                if isinstance(event, HandDealt | Acquired) and event.seat != viewer:
                    laid_out = _laid_out(log, commit.version) if isinstance(event, Acquired) else Counter()
                    for place, card in enumerate(event.cards or (), len(self.script)):
                        if not laid_out[card]:
                            drawn.append((place, event.seat, card, commit.version))
                        laid_out[card] -= laid_out[card] > 0
                if isinstance(event, InsiderTaken) and event.seat != viewer:
                    self.insiders += range(len(self.script), len(self.script) + event.count)
                self.script += drawn_outcomes(event)
        self.objects = self._never_shown(log, opening, drawn)

    def _never_shown(
        self, log: Sequence[Commit], opening: dict[str, Any], drawn: list[tuple[int, int, Any, int]]
    ) -> list[int]:
        held: list[list[Counter[str]]] = []
        again = Table.open(dealer=Scripted(self.script), **opening)
        held.append(hidden(again))
        for seat, action in moves_of(log):
            again.act(seat, action)
            held.append(hidden(again))
        places = []
        reserved: Counter[tuple[int, str]] = Counter()
        for place, seat, card, version in reversed(drawn):
            least = min(hands[seat][card] for hands in held[version - 1 :])
            if least > reserved[seat, card]:
                reserved[seat, card] += 1
                places.append(place)
        return places

    def swapped(self, random: Random, log: Sequence[Commit], opening: dict[str, Any]) -> list[Any]:
        """The script with other cards in these slots: out of the same slots, or never drawn at all."""
        script = list(self.script)
        cards = Counter(dict.fromkeys(SERIES, 12))
        cards.subtract(_drawn(log, (HandDealt, Acquired, HouseFilled)))
        deck: Any = insider_pool(opening["options"].get("insider_deck", "9+27"))
        marks = Counter(deck)
        marks.subtract(_drawn(log, (InsiderTaken,)))
        for places, left in ((self.objects, cards), (self.insiders, marks)):
            pool = [script[place] for place in places] + list(left.elements())
            random.shuffle(pool)
            for place, card in zip(places, pool, strict=False):
                script[place] = card
        return script


def _laid_out(log: Sequence[Commit], version: int) -> Counter[str]:
    """The new cards of this commit that were laid open when they were sorted."""
    sorts = (commit.command.action for commit in log[version:])
    return Counter(next((action.to_table for action in sorts if isinstance(action, Sort)), {}))


def _drawn(log: Sequence[Commit], kinds: tuple[type, ...]) -> Counter[Any]:
    return Counter(
        card for event in events_of(log) if isinstance(event, kinds) for card in drawn_outcomes(event)
    )


def hidden(table: Table) -> list[Counter[str]]:
    """How many cards of each series every seat holds that nobody else sees."""
    state = table.state
    hands = [Counter(hand) for hand in state.hands]
    if state.new_seat is not None:
        hands[state.new_seat].update(state.new)
    return hands


@pytest.mark.parametrize("name", OPTION_SETS)
@pytest.mark.parametrize("resigning", [False, True], ids=["", "resigning"])
def test_what_others_hold_is_out_of_sight(name: str, resigning: bool) -> None:
    seed = len(name)
    log, opening = course(name, seed, resigning)
    random = Random(seed)
    differing = 0
    shares: list[tuple[Viewer, float]] = [("table", 1.0), (0, 0.2), (1, 0.5), (2, 0.8)]
    for viewer, share in shares:
        so_far = log[: int(share * len(log))]
        slots = Slots(so_far, viewer, opening)
        other = slots.swapped(random, so_far, opening)
        differing += sum(one != two for one, two in zip(slots.script, other, strict=True))
        attempts = random.sample(ATTEMPTS, 12)
        blind_to(viewer, slots.script, other, moves_of(so_far), attempts, **opening)
    assert differing > 20, "the two games hardly differ: this shows nothing"


def test_the_replays_of_two_such_games_are_the_same() -> None:
    log, opening = course("default", 1, resigning=False)
    slots = Slots(log, 2, opening)
    replays = []
    for script in (slots.script, slots.swapped(Random(1), log, opening)):
        table = Table.open(dealer=Scripted(script), **opening)
        for seat, action in moves_of(log):
            table.act(seat, action)
        replays.append([encode_json(frame) for frame in frames(table.log, 2)])
    assert replays[0] == replays[1]


def test_the_proof_would_see_a_difference() -> None:
    """Cards that the viewer does see are not the same in both games."""
    log, opening = course("default", 4, resigning=False)
    slots = Slots(log, 1, opening)
    other = slots.swapped(Random(2), log, opening)
    assert slots.script != other
    moves = moves_of(log)
    blind_to(1, slots.script, other, moves, **opening)
    owners = {
        event.seat
        for commit in log
        for event in commit.events
        if isinstance(event, HandDealt | InsiderTaken) and event.seat != 1
    }
    told = 0
    for seat in owners:
        try:
            blind_to(seat, slots.script, other, moves, **opening)
        except AssertionError as error:
            told += "can tell the games apart" in str(error)
    assert told


def test_events_hide_exactly_the_cards_that_only_their_owner_sees() -> None:
    log, _ = course("default", 2, resigning=False)
    seen = Counter()  # type: ignore[var-annotated]
    for event in events_of(log):
        for viewer in ("table", 0, 1, 2, 3):
            shown = redact(event, viewer)
            if isinstance(event, HandDealt | Acquired | InsiderTaken):
                assert (shown.cards is None) == (viewer != event.seat)
                assert msg_without_cards(shown) == msg_without_cards(event)
                seen[type(event)] += 1
            else:
                assert shown is event
    assert set(seen) == {HandDealt, Acquired, InsiderTaken}


def msg_without_cards(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__ if name != "cards"}


def test_the_state_of_a_running_game_holds_nothing_of_what_comes() -> None:
    """What is not drawn yet is no more than what is left over, for the piles and the insider cards alike."""

    def each(table: Table) -> None:
        state = table.state
        for series, left in state.unseen.items():
            heaps = [state.house, state.set_aside, state.new, *state.hands, *state.tables]
            assert left == 12 - sum(heap.get(series, 0) for heap in heaps)
        for card, left in state.insider_pool.items():
            there = insider_pool("9+27")[card]
            assert left == there - sum(cards.count(card) for cards in state.insiders)
        assert list(state.unseen) == list(SERIES)

    play_random(Table.open("real_or_fake", 4, dealer=9), Random(9), weigh=brisk, each=each)


def test_the_seed_is_told_at_the_end_and_not_before() -> None:
    table = play_random(Table.open("real_or_fake", 3, dealer=5), Random(5), weigh=brisk)
    seed_is_told_at_the_end(table)


def test_the_order_of_a_hand_tells_nothing_of_when_its_cards_came() -> None:
    """Shown hands (of the bankrupt, and at the end) are in the order of the series."""
    for seed in range(6):
        table = Table.open("real_or_fake", 4, {"start_money": 30_000}, dealer=seed)
        play_random(table, Random(seed), weigh=brisk)
        shown = [event.cards for event in events_of(table.log) if type(event).__name__ == "WentBankrupt"]  # type: ignore[attr-defined]
        shown += [wealth.cards for wealth in table.view().table.wealth]
        for cards in shown:
            assert list(cards) == [series for series in SERIES if series in cards]
