"""Nobody can tell two games of Demoludy apart that differ only in cards out of their sight (demoludy.md §9, §12.10)."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.games.demoludy import (
    ActionPlayed,
    AuctionOpened,
    AuctionWon,
    CardDrawn,
    CardsPlaced,
    CardsSwapped,
    CardTaken,
    DeckReshuffled,
    DollarAsked,
    EndTurn,
    HandDealt,
    KeepOut,
    Open,
    PlayAction,
    SeatLeft,
    SkipOpen,
    StartSkipped,
    Swap,
    TableDiscarded,
    TakenBack,
    TopRevealed,
    Withdraw,
    Withdrawn,
)
from fairdeal.games.demoludy_cards import ACTION_CARDS, pack
from fairdeal.games.foreign_goods import COLOURS, GOODS
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Scripted, Table
from support.demoludy import SETS, bid, opens, place
from support.harness import Move, blind_to, moves_of, outcomes_of, play_random, seed_is_told_at_the_end

ATTEMPTS: tuple[Action, ...] = (
    *(opens(colour, f"{colour}2") for colour in "rpbyg"),
    *(bid(f"{colour}3", hidden) for colour in "rpbyg" for hidden in ("", "r3")),
    *(bid(text) for text in ("$10", "$7 $7", "")),
    *(place("", text) for text in ("policeman", "r2 b2", "$10")),
    *(PlayAction(name, target_seat=seat) for name in ACTION_CARDS for seat in (None, 0, 1)),
    *(PlayAction(name, target_seat=1, own_card=0, target_card=0) for name in ACTION_CARDS),
    *(SkipOpen(), EndTurn(), Withdraw(), KeepOut(), Swap("red"), Open("red", ())),
)
"""What a seat tries in vain; where it is offered it is left alone."""


class Card:
    """One drawn card as it wanders: who has ever seen it, and whether the course depends on what it is."""

    def __init__(self, kind: str, knowers: set[Viewer], deck: int) -> None:
        self.kind = kind
        self.knowers = knowers
        self.fixed = False
        self.deck = deck
        """Out of which deck it was drawn: the first, or that of a later reshuffle."""


class Course:
    """A log read card by card: its script and its moves can be written out again with other secret cards."""

    def __init__(self, log: Sequence[Commit], seats: int) -> None:
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.rows: list[list[Card]] = [[] for _ in range(seats)]
        self.hidden: list[list[Card]] = [[] for _ in range(seats)]
        self.discard: list[Card] = []
        self.decks = 0
        self.script: list[Any] = []
        self.moves: list[tuple[int, Action, list[Card]]] = []
        for commit in log:
            laid: list[Card] = []
            for event in commit.events:
                laid += self._read(event)
            if commit.command.seat is not None:
                self.moves.append((commit.command.seat, commit.command.action, laid))

    def _read(self, event: Any) -> list[Card]:
        """Follow an event; the cards that were laid face-down by it."""
        match event:
            case HandDealt(seat=seat, cards=kinds):
                self._deal(seat, kinds or ())
            case CardDrawn(seat=seat, card=kind):
                self._deal(seat, (str(kind),))
            case AuctionOpened(seat=seat) | CardsPlaced(seat=seat):
                self.rows[seat] += [self._show(seat, kind) for kind in event.cards]
                laid = [self._take(seat, kind) for kind in Counter(event.hidden).elements()]
                self.hidden[seat] += laid
                if isinstance(event, AuctionOpened):
                    self.script += drawn_outcomes(event)
                return laid
            case ActionPlayed(seat=seat, card=kind):
                self.discard.append(self._show(seat, kind))
            case CardTaken(seat=seat, source=source, card=kind):
                taken = self._take(source, str(kind))
                taken.knowers.add(seat)
                self.hands[seat].append(taken)
                self.script.append(taken)
            case DollarAsked(seat=seat, target_seat=target, card=kind):
                # The answer depends on the hand, and it is given to all.
                for card in self.hands[target]:
                    card.fixed = True
                    card.knowers |= {"table"} if event.shown else {seat} if event.hand else set()
                if kind is not None:
                    given = self._take(target, kind)
                    given.knowers.add(seat)
                    self.hands[seat].append(given)
            case TableDiscarded(seat=seat, positions=positions):
                self.discard += [self.rows[seat].pop(position) for position in reversed(positions)]
            case TakenBack(seat=seat, position=position):
                self.hands[seat].append(self.rows[seat].pop(position))
            case CardsSwapped(seat=seat, position=own, target_seat=target, target_position=theirs):
                mine, other = self.rows[seat], self.rows[target]
                mine[own], other[theirs] = other[theirs], mine[own]
            case Withdrawn(seat=seat) | AuctionWon(seat=seat):
                for card in self.hidden[seat] if event.revealed else ():
                    card.knowers.add("table")
                self.discard += self.rows[seat] + self.hidden[seat]
                self.rows[seat], self.hidden[seat] = [], []
            case StartSkipped(seat=seat):
                # To have nothing to open with is seen by all.
                for card in self.hands[seat]:
                    card.fixed = True
            case SeatLeft(seat=seat):
                self.discard += self.hands[seat]
                self.hands[seat] = []
            case DeckReshuffled():
                self.discard = []
                self.decks += 1
            case _:
                self.script += drawn_outcomes(event)
        return []

    def _deal(self, seat: int, kinds: Sequence[str]) -> None:
        dealt = [Card(kind, {seat}, self.decks) for kind in kinds]
        self.hands[seat] += dealt
        self.script += dealt

    def _take(self, seat: int, kind: str) -> Card:
        # Of equal cards one that all know, if there is one: what is known goes first.
        found = max((c for c in self.hands[seat] if c.kind == kind), key=lambda c: len(c.knowers))
        self.hands[seat].remove(found)
        return found

    def _show(self, seat: int, kind: str) -> Card:
        shown = self._take(seat, kind)
        shown.knowers.add("table")
        return shown

    def secret_from(self, viewer: Viewer) -> list[Card]:
        """The cards in hands, face-down on the table and in the discard that the viewer never saw."""
        piles = [*self.hands, *self.hidden, self.discard]
        known = {viewer, "table"}
        return [card for pile in piles for card in pile if not card.fixed and not card.knowers & known]

    def with_others(self, cards: Sequence[Card], kinds: Sequence[str]) -> tuple[list[Any], list[Move]]:
        """The script and the moves if these cards were of these kinds."""
        changed = {id(card): kind for card, kind in zip(cards, kinds, strict=True)}

        def kind_of(card: Card) -> str:
            return changed.get(id(card), card.kind)

        script = [kind_of(given) if isinstance(given, Card) else given for given in self.script]
        moves: list[Move] = []
        for seat, action, laid in self.moves:
            hidden = dict(Counter(map(kind_of, laid)))
            moves.append((seat, msgspec.structs.replace(action, hidden=hidden) if laid else action))
        return script, moves


def exchanged(cards: Sequence[Card], random: Random, any_hidden: bool) -> list[str]:
    """The kinds of these cards dealt anew among those out of one deck.

    Unless any card may be hidden a product is exchanged for a product only: it may have lain face-down.
    """
    groups: dict[Any, list[Card]] = {}
    for card in cards:
        groups.setdefault((card.deck, any_hidden or card.kind.startswith("P-")), []).append(card)
    kinds: dict[int, str] = {}
    for group in groups.values():
        dealt = random.sample([card.kind for card in group], len(group))
        kinds |= {id(card): kind for card, kind in zip(group, dealt, strict=True)}
    return [kinds[id(card)] for card in cards]


def game_of(name: str, seed: int) -> tuple[Table, dict[str, Any]]:
    """A finished game of an option set, in which a seat resigned if the seed is odd, and how it was opened."""
    opening: dict[str, Any] = {"ruleset": "demoludy", "players": 3 + seed % 3, "options": SETS[name]}

    def each(table: Table) -> None:
        if seed % 2 and table.version == 20 and not table.finished:
            table.act(0, Resign())

    table = Table.open(dealer=seed, **opening)
    return play_random(table, Random(seed), each=each), opening


@pytest.mark.parametrize("name", SETS)
def test_other_people_s_cards_are_out_of_sight(name: str) -> None:
    differences = 0
    for seed in range(4):
        random = Random(seed)
        table, opening = game_of(name, seed)
        for cut in (random.randrange(2, len(table.log)), len(table.log) - 1):
            prefix = table.log[:cut]
            course = Course(prefix, len(table.players))
            viewers: list[Viewer] = [random.randrange(len(table.players)), "table"]
            for viewer in viewers:
                cards = course.secret_from(viewer)
                kinds = exchanged(cards, random, SETS[name].get("hidden_any_card", True))
                differences += sum(card.kind != kind for card, kind in zip(cards, kinds, strict=True))
                script, moves = course.with_others(cards, kinds)
                first = outcomes_of(prefix)
                blind_to(viewer, first, script, moves_of(prefix), ATTEMPTS, other_moves=moves, **opening)
    assert differences > 100


def test_a_course_is_read_rightly() -> None:
    for name in SETS:
        table, _ = game_of(name, 1)
        course = Course(table.log[:-1], len(table.players))
        assert course.with_others([], []) == (outcomes_of(table.log[:-1]), moves_of(table.log[:-1]))


def test_the_proof_would_see_a_difference() -> None:
    table, opening = game_of("both", 2)
    prefix = table.log[:15]
    course = Course(prefix, len(table.players))
    secret = [card for card in course.secret_from(0) if card.knowers == {1}]
    script, moves = course.with_others(secret, [card.kind for card in secret[1:]] + [secret[0].kind])
    blind_to(0, outcomes_of(prefix), script, moves_of(prefix), other_moves=moves, **opening)
    with pytest.raises(AssertionError, match="can tell the games apart"):
        blind_to(1, outcomes_of(prefix), script, moves_of(prefix), other_moves=moves, **opening)


def test_views_and_redacted_events_name_no_card_that_is_not_the_viewer_s() -> None:
    """A game of two kinds of card: nothing that others get ever mentions what a seat alone holds."""
    dealt = ["P-red-2"] * 4 + ["P-red-3"] + ["P-blue-7", "P-blue-7", "P-blue-5", "P-blue-5", "P-blue-5"]
    table = Table.open("demoludy", 3, dealer=Scripted([0, *dealt, *["P-green-2"] * 4, "P-green-3", "USD10"]))
    table.act(0, opens("r", "r2"))
    for viewer in (0, 2, "table"):
        seen = b"".join(encode_json(redact(e, viewer)) for c in table.log for e in c.events)  # type: ignore[type-var]
        stored = encode_json(table.view(viewer))  # type: ignore[arg-type]
        assert b"P-blue" not in seen + stored
        assert (b"USD10" in seen + stored) == (viewer == 0)


@pytest.mark.parametrize("name", ["points", "strict"])
def test_tokens_under_a_top_are_unknown_to_the_log_too(name: str) -> None:
    """A token is first named when it is turned up, and the state holds those below only as a set."""
    for seed in range(5):
        table, _ = game_of(name, seed)
        unseen = set(GOODS)
        for written in table.written[:-1]:
            turned = [e.token for e in written.commit.events if isinstance(e, TopRevealed)]
            unseen -= set(turned)
            for token in unseen:
                assert token.encode() not in written.body
        for colour in COLOURS:
            assert table.state.unseen[colour] == sorted(unseen & set(table.state.unseen[colour]))


def test_the_state_of_a_running_game_holds_no_order_of_the_deck() -> None:
    table = Table.open("demoludy", 4, SETS["both"], dealer=4)
    assert list(table.state.deck) == list(pack(True))
    for colour in COLOURS:
        assert table.state.unseen[colour] == sorted(table.state.unseen[colour])


def test_the_seed_is_in_no_view_and_no_event_before_the_end() -> None:
    table, _ = game_of("both", 3)
    seed_is_told_at_the_end(table)
