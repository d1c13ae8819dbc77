"""Nobody can tell two games of Perekupai apart that differ only in what lies out of their sight (§11, §15.9)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.commit import Commit
from fairdeal.decks import read_tables
from fairdeal.game import Resign
from fairdeal.games.perekupai import (
    AcquisitionPlayed,
    AskMoney,
    Buy,
    CarBought,
    CardsDiscarded,
    CardsDrawn,
    CardsReshuffled,
    CardStolen,
    CarInspected,
    CarSold,
    Choose,
    DeclineBuy,
    DefectRemoved,
    Discard,
    EndTurn,
    Inspect,
    MarketRefilled,
    Pass,
    PlayScam,
    Repair,
    ScamPlayed,
    Scrap,
    Scrapped,
    SeatLeft,
    StartBuy,
    StartSale,
    SurpriseRevealed,
    SurprisesDrawn,
    SurprisesPeeked,
    SurprisesRepaired,
    SurprisesReshuffled,
    Work,
)
from fairdeal.games.perekupai_deck import DECKS
from fairdeal.visibility import Viewer, drawn_outcomes, redact
from fairdeal_local import Table
from support.harness import blind_to, moves_of, outcomes_of, play_random, seed_is_told_at_the_end
from support.perekupai import SETS, SHORT, lively, play, play_some, say, scene, shelved

ATTEMPTS: tuple[Action, ...] = (
    *(StartBuy(), DeclineBuy(), Work(), Pass(), EndTurn(), AskMoney(9)),
    *(kind(slot) for kind in (Inspect, Buy) for slot in (0, 4, 9)),
    *(PlayScam(f"h{n}", car=car) for n in (1, 3) for car in (None, "c6", "c7")),
    *(play(f"h{n}", *target) for n in (1, 2, 5) for target in ((), (1,), ("s1",))),
    *(kind(cards) for kind in (Choose, Discard) for cards in (("h1",), ("s1",), ("h1", "h2"))),
    *(Repair("c6", ("s1",)), StartSale("c6", "b1"), Scrap("c2")),
)
"""What a seat tries in vain; where it is offered it is left alone."""


def twin_cars() -> list[dict[str, Any]]:
    """Cars in pairs that look alike from the front: the house's, each twice, with other technical sides."""
    pairs = []
    for number, car in enumerate(read_tables("perekupai_cars")["car"]):
        other = {"id": f"T{number}", "sale": car["sale"] + 150, "surprises": (car["surprises"] + 1) % 4}
        pairs += [car, {**car, **other, "defects": ["Of another kind"]}]
    return pairs


TWINS = shelved("twins", car=twin_cars())
FRONTS = {car.id: (car.maker, car.model) for car in DECKS.named(TWINS).car}


class Hidden:
    """A drawn card as it wanders: who has ever seen it, and with which others it might be exchanged unnoticed."""

    def __init__(self, kind: str, sort: str, knowers: set[Viewer], epoch: object) -> None:
        self.kind = kind
        self.sort = sort
        self.knowers = knowers
        self.epoch = epoch
        """Out of which deck it was drawn; for a car, what its front shows."""
        self.returned: int | None = None
        """Into which deck it was shuffled unseen."""


class Course:
    """A log read card by card: its script can be written out again with other hidden cards."""

    def __init__(self, log: Sequence[Commit], seats: int) -> None:
        self.script: list[Any] = []
        self.all: list[Hidden] = []
        self.hands: list[dict[str, Hidden]] = [{} for _ in range(seats)]
        self.surprises: dict[str, dict[str, Hidden]] = {}
        """Face-down surprises by car and id."""
        self.cars: dict[str, Hidden] = {}
        self.owners: dict[str, int] = {}
        self.used_cards: list[Hidden] = []
        self.used_surprises: list[Hidden] = []
        self.decks = {"card": 0, "surprise": 0}
        for commit in log:
            for event in commit.events:
                self._read(event)

    def _draw(self, kind: str, sort: str, knowers: set[Viewer], epoch: object = None) -> Hidden:
        drawn = Hidden(kind, sort, knowers, self.decks[sort] if epoch is None else epoch)
        self.all.append(drawn)
        self.script.append(drawn)
        return drawn

    def _read(self, event: Any) -> None:
        match event:
            case CardsDrawn(seat=seat):
                for held in event.cards or ():
                    self.hands[seat][held.id] = self._draw(held.card.id, "card", {seat})
            case CardStolen(seat=seat, source=source):
                # Which copy of a kind goes depends on the hand.
                for card in self.hands[source].values():
                    card.knowers.add("table")
                stolen = self.hands[source].pop(str(event.lost))
                self.hands[seat][event.card.id if event.card else ""] = stolen
                self.script.append(stolen)
            case AcquisitionPlayed(seat=seat) | ScamPlayed(seat=seat):
                self.hands[seat].pop(str(event.id)).knowers.add("table")
            case CardsDiscarded(seat=seat):
                for id in event.ids or ():
                    self.hands[seat].pop(id).knowers.add("table")
            case SurprisesDrawn(seat=seat, car=car):
                self.owners[car] = seat
                mods = {mod.id for mod in event.mods}
                for id, kind in zip(event.ids, event.drawn or (), strict=True):
                    drawn = self._draw(kind, "surprise", {"table"} if id in mods else {seat})
                    if id not in mods:
                        self.surprises.setdefault(car, {})[id] = drawn
            case SurpriseRevealed(car=car) | DefectRemoved(car=car):
                self._shown(car, event.surprise.id)
            case SurprisesRepaired(car=car):
                for surprise in event.surprises:
                    self._shown(car, surprise.id)
            case SurprisesPeeked(seat=seat, car=car):
                for hidden in self.surprises.get(car, {}).values():
                    hidden.knowers.add(seat)
            case CarSold(car=car) | Scrapped(car=car):
                self._car_gone(car, shown=getattr(event, "unnoticed", None) is not None)
            case MarketRefilled():
                if event.drawn is not None:
                    self.cars[event.car.id] = self._draw(event.drawn, "car", set(), FRONTS.get(event.drawn))
            case CarInspected(seat=seat, car=car):
                self.cars[car].knowers.add(seat)
            case CarBought(car=car):
                self.cars[car].knowers.add("table")
            case CardsReshuffled():
                self._reshuffle("card", self.used_cards)
            case SurprisesReshuffled():
                self._reshuffle("surprise", self.used_surprises)
            case SeatLeft(seat=seat):
                self.used_cards += self.hands[seat].values()
                self.hands[seat] = {}
                for car, owner in self.owners.items():
                    if owner == seat:
                        self._car_gone(car, shown=False)
            case _:
                self.script += drawn_outcomes(event)

    def _shown(self, car: str, id: str) -> None:
        hidden = self.surprises[car].pop(id, None)
        if hidden is not None:
            hidden.knowers.add("table")

    def _car_gone(self, car: str, shown: bool) -> None:
        for hidden in self.surprises.pop(car, {}).values():
            hidden.knowers |= {"table"} if shown else set()
            self.used_surprises.append(hidden)

    def _reshuffle(self, sort: str, used: list[Hidden]) -> None:
        self.decks[sort] += 1
        for hidden in used:
            hidden.returned = self.decks[sort]
        used.clear()

    def dealt_anew(self, viewer: Viewer, random: Random) -> tuple[list[Any], int]:
        """The script with the cards that the viewer never saw exchanged among their like, and how many differ."""
        groups: dict[Any, list[Hidden]] = {}
        for hidden in self.all:
            if not hidden.knowers & {viewer, "table"}:
                groups.setdefault((hidden.sort, hidden.epoch, hidden.returned), []).append(hidden)
        kinds: dict[int, str] = {}
        for group in groups.values():
            dealt = random.sample([hidden.kind for hidden in group], len(group))
            kinds |= {id(hidden): kind for hidden, kind in zip(group, dealt, strict=True)}
        differences = sum(hidden.kind != kinds.get(id(hidden), hidden.kind) for hidden in self.all)
        script = [
            kinds.get(id(given), given.kind) if isinstance(given, Hidden) else given for given in self.script
        ]
        return script, differences


def game_of(name: str, seed: int, moves: int) -> tuple[Table, dict[str, Any]]:
    """So many moves of an option set with cars that have twins; a seat resigns on the way if the seed is odd."""
    opening: dict[str, Any] = {
        "ruleset": "perekupai",
        "players": 3 + seed % 3,
        "options": {**SETS[name], "deck": TWINS},
    }
    table, random = Table.open(dealer=seed, **opening), Random(seed)
    if seed % 2:
        play_some(table, random, moves // 2).act(0, Resign())
    return play_some(table, random, moves), opening


@pytest.mark.parametrize("name", ["default", "friendly", "big"])
def test_what_others_hold_and_hide_is_out_of_sight(name: str) -> None:
    """Hands, face-down surprises and technical sides are exchanged; to the viewer all stays the same to the byte."""
    differences = 0
    for seed in range(4):
        random = Random(seed)
        table, opening = game_of(name, seed, random.randrange(60, 200))
        viewers: list[Viewer] = [random.randrange(1, len(table.players)), "table"]
        for viewer in viewers:
            script, different = Course(table.log, len(table.players)).dealt_anew(viewer, random)
            differences += different
            first, tried = outcomes_of(table.log), ATTEMPTS[seed::4]
            blind_to(viewer, first, script, moves_of(table.log), tried, **opening)
    assert differences > 50


def test_a_course_is_read_rightly() -> None:
    for name in SETS:
        table, _ = game_of(name, 1, 200)
        course = Course(table.log, len(table.players))
        script = [given.kind if isinstance(given, Hidden) else given for given in course.script]
        assert script == outcomes_of(table.log)


def test_the_proof_would_see_a_difference() -> None:
    """A viewer that is dealt other cards itself can tell."""
    table, opening = game_of("default", 2, 20)
    course = Course(table.log, len(table.players))
    for hidden in course.all:
        hidden.knowers.discard(1)
    script, _ = course.dealt_anew(1, Random(1))
    with pytest.raises(AssertionError, match="can tell the games apart"):
        blind_to(1, outcomes_of(table.log), script, moves_of(table.log), **opening)


def test_technical_sides_are_known_to_exactly_those_who_saw_them() -> None:
    for seed in range(3):
        table, _ = game_of("big", seed, 150)
        seen: dict[str, set[int]] = {}
        for commit in table.log:
            for event in commit.events:
                if isinstance(event, CarInspected):
                    seen.setdefault(event.car, set()).add(event.seat)
                elif isinstance(event, CarBought):
                    seen.pop(event.car, None)
        for seat in range(len(table.players)):
            knows = {car for car, seats in seen.items() if seat in seats}
            assert set(table.view(seat).hand.techs) == knows


def test_no_view_names_what_lies_face_down_elsewhere() -> None:
    """Not the kind, not the name, not the value: a hidden surprise is an id and nothing else."""
    scenario = scene("", "", "", cars={1: ["C03 S11 S07 S05"]})
    parts = scenario.views.encoded()
    for part in ("table", "seat:0", "seat:2"):
        for word in ("S11", "S07", "S05", "Suvirinta", "Ryja", "Susuktas"):
            assert word.encode() not in parts[part]
    assert b"Suvirinta" in parts["seat:1"]


def test_ids_tell_nothing_of_kind_or_of_when_a_hand_card_came() -> None:
    """A seat's card ids are its own: others see neither them nor which of the cards was played."""
    scenario = scene("A10 A14", "A10", "", cash={1: 500})
    say(scenario, (0, play("h1", 1)))
    played = scenario.events[0]
    others = encode_json(redact(played, 1))
    assert b'"h1"' not in others
    # Played first or second, the event is the same to others.
    other = scene("A14 A10", "A10", "", cash={1: 500})
    say(other, (0, play("h2", 1)))
    assert encode_json(redact(other.events[0], 1)) == others


def test_a_card_that_changes_hands_gets_a_new_id() -> None:
    scenario = scene("A12 A01", "A05 A09", draws=["A09"])
    say(scenario, (0, play("h1", 1)), (1, Pass()))
    (stolen,) = (event for event in scenario.events if isinstance(event, CardStolen))
    assert redact(stolen, 0).lost is None
    assert redact(stolen, 1).card is None
    assert [held.id for held in scenario.view(0).hand.cards] == ["h2", "h3"]


def test_windows_open_for_seats_that_cannot_use_them() -> None:
    """Whatever the others hold, a sale goes through the same windows and asks the same seats."""
    asked = []
    for hand in ("", "A02 A03 A04 A07 A08 A19", "A18"):
        scenario = scene("", hand, "", cars={0: ["C01 S01"]}, draws=[5, 5, "B03", "A10", "A11"])
        say(scenario, (0, StartSale("c1", "b1")))
        order = []
        while scenario.view().phase != "gap":
            order.append((scenario.view().phase, scenario.view().to_act))
            say(scenario, (scenario.view().to_act[0], Pass()))
        asked.append(order)
    assert asked[0] == asked[1] == asked[2]


def test_the_log_of_a_running_game_names_no_car_before_it_is_drawn() -> None:
    table, _ = game_of("default", 0, 200)
    drawn: set[str] = set()
    for commit in table.log:
        for event in commit.events:
            if isinstance(event, MarketRefilled) and event.drawn:
                drawn.add(event.drawn)
    body = b"".join(written.body for written in table.written)
    for kind in set(FRONTS) - drawn:
        assert f'"{kind}"'.encode() not in body


def test_the_seed_is_in_no_view_and_no_event_before_the_end() -> None:
    table = Table.open("perekupai", 2, SHORT["small"], dealer=3)
    play_random(table, Random(3), weigh=lively, check_every=50)
    seed_is_told_at_the_end(table)


def test_the_deck_is_named_and_not_shown() -> None:
    table, _ = game_of("default", 0, 60)
    view = table.view().table
    assert view.options["deck_sha256"] == DECKS.sha256(TWINS)
    seen = {buyer.name for buyer in view.buyers} | set(view.used_buyers)
    for buyer in DECKS.named(TWINS).buyer:
        assert (buyer.name.encode() in table.encoded()["table"]) == (buyer.name in seen)
