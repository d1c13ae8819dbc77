"""Nobody can tell two games of Pan tu nie stał! apart that differ only in cards out of their sight (§7, §12.10)."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal import (
    CardDrawn,
    CardsPlayed,
    Checked,
    Claim,
    Draw,
    EndTurn,
    GoodsPlaced,
    HandDealt,
    PairRemoved,
    Pick,
    Play,
    PlayFree,
    RefillBazaar,
    StartBazaar,
)
from fairdeal.games.pan_tu_nie_stal_queues import CARDS, GOODS, pack
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Scripted, Table
from support.harness import blind_to, moves_of, outcomes_of, play_random, seed_is_told_at_the_end
from support.pan_tu_nie_stal import SETS, script

ATTEMPTS: tuple[Action, ...] = (
    *(Play(queue, (card,) * count) for queue in (0, 1, 3) for card in CARDS for count in (1, 2)),
    *(Play(0, ("brawler",), (place,)) for place in (0, 1, 5)),
    *(Claim(queue, token) for queue in (0, 1) for token in ("T01", "T20")),
    *(Pick("G-red-3"), PlayFree(0), PlayFree(1), RefillBazaar(True), StartBazaar()),
    *(Checked(), Draw(), EndTurn()),
)
"""What a seat tries in vain; where it is offered it is left alone."""


class Course:
    """A log read card by card: its script can be written out again with other cards that nobody has played."""

    def __init__(self, log: Sequence[Commit], seats: int) -> None:
        self.script: list[Any] = []
        self.held: list[list[int]] = [[] for _ in range(seats)]
        """Where in the script the cards stand that each seat drew and has not played."""
        self.played: list[Counter[str]] = [Counter() for _ in range(seats)]
        for event in (event for commit in log for event in commit.events):
            drawn = list(drawn_outcomes(event))
            if isinstance(event, HandDealt | CardDrawn):
                self.held[event.seat] += range(len(self.script), len(self.script) + len(drawn))
            self.script += drawn
            if isinstance(event, CardsPlayed):
                self.played[event.seat].update(event.cards)
                for card in event.cards:
                    held = self.held[event.seat]
                    held.remove(next(place for place in held if self.script[place] == card))

    def with_other_cards(self, viewer: Viewer, full: dict[str, int], random: Random) -> list[Any]:
        """The script if every seat but the viewer held any others of the cards that it has not played."""
        changed = list(self.script)
        for seat, held in enumerate(self.held):
            if seat != viewer:
                left = list((Counter(full) - self.played[seat]).elements())
                for place, card in zip(held, random.sample(left, len(held)), strict=True):
                    changed[place] = card
        return changed


def game_of(name: str, seed: int) -> tuple[Table, dict[str, Any]]:
    """A finished game of an option set, in which a seat resigned if the seed is odd, and how it was opened."""
    opening: dict[str, Any] = {"ruleset": "pan_tu_nie_stal", "players": 2 + seed % 4, "options": SETS[name]}

    def each(table: Table) -> None:
        if seed % 2 and table.version == 30 and not table.finished:
            table.act(0, Resign())

    table = Table.open(dealer=f"secret {name} {seed}", **opening)
    return play_random(table, Random(seed), each=each, check_every=50), opening


@pytest.mark.parametrize("name", SETS)
def test_other_people_s_cards_are_out_of_sight(name: str) -> None:
    differences = 0
    for seed in range(3):
        random = Random(seed)
        table, opening = game_of(name, seed)
        options = table.view().table.options
        full = pack(options["deck_size"], options["specials"])
        for cut in (random.randrange(2, len(table.log) // 2), len(table.log) * 2 // 3):
            prefix = table.log[:cut]
            course = Course(prefix, len(table.players))
            first = outcomes_of(prefix)
            assert course.script == first
            viewers: list[Viewer] = [random.randrange(len(table.players)), "table"]
            for viewer in viewers:
                second = course.with_other_cards(viewer, full, random)
                differences += sum(one != other for one, other in zip(first, second, strict=True))
                blind_to(viewer, first, second, moves_of(prefix), ATTEMPTS, **opening)
    assert differences > 50


def test_the_proof_would_see_a_difference() -> None:
    table, opening = game_of("bazaar", 2)
    prefix = table.log[:12]
    course = Course(prefix, len(table.players))
    changed = course.with_other_cards("table", pack(20, (3, 2, 2, 2)), Random(1))
    blind_to("table", outcomes_of(prefix), changed, moves_of(prefix), **opening)
    with pytest.raises(AssertionError, match="can tell the games apart"):
        blind_to(1, outcomes_of(prefix), changed, moves_of(prefix), **opening)


def test_views_and_redacted_events_name_no_card_that_is_not_the_viewer_s() -> None:
    """Only seat 1 holds cards of the value 2, and nothing that others get ever mentions one."""
    hands = ("rrrrr", "pprrr", "rrrrv")
    dealer = Scripted(script(3, *hands, goods=["T01 T09", "T02 T16", "r1"], starter=1, later=["brawler"]))
    table = Table.open("pan_tu_nie_stal", 3, dealer=dealer)
    table.act(1, Checked())
    table.act(1, Draw())
    for viewer in (0, 1, 2, "table"):
        seen = b"".join(encode_json(redact(e, viewer)) for c in table.log for e in c.events)
        stored = encode_json(table.view(viewer).hand) + encode_json(table.view(viewer).offers)
        stored += encode_json(table.view().table.queues)
        assert (b"pushy" in seen + stored) == (viewer == 1)
        assert (b"brawler" in seen + stored) == (viewer == 1)


@pytest.mark.parametrize("name", SETS)
def test_tokens_of_the_stacks_are_unknown_to_the_log_too(name: str) -> None:
    """A token is first named when it is put face-up, and the state holds the others only as a set."""
    table, _ = game_of(name, 3)
    unseen = {*GOODS, *FOREIGN}
    for written in table.written[:-1]:
        for event in written.commit.events:
            if isinstance(event, GoodsPlaced | PairRemoved):
                unseen -= set(event.tokens)
        assert not [token for token in unseen if f'"{token}"'.encode() in written.body]
    assert table.state.tokens == sorted(table.state.tokens)
    assert table.state.foreign == [token for token in FOREIGN if token in table.state.foreign]


def test_the_state_of_a_running_game_holds_no_order_of_a_deck() -> None:
    table = Table.open("pan_tu_nie_stal", 4, dealer=4)
    for deck in table.state.decks:
        assert list(deck) == list(CARDS)


def test_who_won_what_is_left_out_of_the_table_if_agreed_and_kept_in_the_own_hand() -> None:
    seen = 0
    for seed in range(4):
        table, _ = game_of("by_choice", seed)
        assert table.view().table.won is None
        hands: list[Any] = [table.view(seat).hand for seat in range(len(table.players))]
        won = [hand.won for hand in hands]
        assert won == table.state.won
        assert table.view().table.won_counts == list(map(len, won))
        seen += sum(map(len, won))
    assert seen > 4


def test_the_seed_is_in_no_view_and_no_event_before_the_end() -> None:
    table, _ = game_of("bazaar", 3)
    seed_is_told_at_the_end(table)
