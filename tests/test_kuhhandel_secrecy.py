"""Nobody can tell two games of Kuhhandel apart that differ only in other people's money (kuhhandel.md §11, §17.17)."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.codec import encode_json
from fairdeal.games.kuhhandel import (
    AuctionClosed,
    Bid,
    BidderExposed,
    CounterTrade,
    Decide,
    Pass,
    Pay,
    ReofferTrade,
    Sold,
    StartAuction,
    StartTrade,
    some_of,
)
from fairdeal.games.kuhhandel_money import Heap, payment_fault, payments, size, total
from fairdeal.visibility import Viewer
from fairdeal_local import Table
from fairdeal_replays.frames import frames
from fairdeal_rules import Rejected
from support.harness import blind_to, moves_of, outcomes_of, play_random
from support.kuhhandel import CANDIDATES, OPTION_SETS, START, at, auction, brisk
from support.scenario import Scenario, given

A, B, C = range(3)
ATTEMPTS = tuple(action for action in CANDIDATES[::6] if getattr(action, "amount", 0) < 10**6)
WATCHED: list[tuple[str, Viewer]] = [
    *(("default", viewer) for viewer in (0, 1, 2, "table")),
    *((name, viewer) for name in ("timer", "strict_round_robin", "first_edition") for viewer in (1, "table")),
    ("no_empty_offers", 2),
]


DEALT = {"0": 4, "10": 5, "50": 2, "100": 2, "200": 1}
RICH = {"10": 4, "50": 1}
POOR = {"0": 4, "10": 1}


ENOUGH = 4
"""So many secret moves must differ between two games that are compared."""


# Two games at once, which differ as much as the viewer must not notice


class Twins:
    """Two tables of the same deal and the same public course; what `viewer` must not know differs at random."""

    def __init__(self, viewer: Viewer, seed: int, **opening: Any) -> None:
        self.viewer = viewer
        self.random = Random(seed)
        self.opening = opening
        self.one = Table.open(dealer=seed, **opening)
        self.other = Table.open(dealer=seed, **opening)
        self.options = self.one.state.options
        self.differing = 0
        self.last = False
        """Whether the viewer is about to learn something in which the two differ."""

    def play(self, most: int) -> None:
        while not self.one.finished and not self.last and len(self.one.log) < most:
            found = next((pair for pair in self._pairs() if pair is not None), None)
            if found is None:
                return
            seat, action, counterpart = found
            self.differing += action != counterpart
            self.one.act(seat, action)
            self.other.act(seat, counterpart)

    def _pairs(self) -> Iterator[tuple[int, Action, Action] | None]:
        for _ in range(40):
            seat = self.random.choice(self.one.view().to_act)
            offers = self.one.view(seat).offers
            (offer,) = self.random.choices(offers, [brisk(offer) for offer in offers])
            action = offer.sample(self.random)
            counterpart = self._counterpart(seat, action)
            yield None if counterpart is None else (seat, action, counterpart)

    def _counterpart(self, seat: int, action: Action) -> Action | None:
        """A move for the other table that is to look the same, or None if there is none at hand."""
        match action:
            case Decide():
                return action if self._decides_alike(action) else None
            case Bid() if self.options.strict_bids:
                # A richer bidder may always bid; a poorer one is a different public course.
                return action if total(self.other.state.money[seat]) >= action.amount else None
            case Pay():
                cards = self._payment(seat, action.cards)
                return None if cards is None else Pay(cards=cards)
            case StartTrade():
                heap = self._offer(seat, action.target, action.offer)
                return None if heap is None else StartTrade(action.target, action.species, heap)
            case ReofferTrade():
                heap = self._offer(seat, self.one.state.trade.target, action.cards)
                return None if heap is None else ReofferTrade(cards=heap)
            case CounterTrade():
                heap = self._counter(seat, action.cards)
                return None if heap is None else CounterTrade(cards=heap)
            case _:
                return action

    def _decides_alike(self, action: Decide) -> bool:
        """An exposure shows a hand, so it must be the same one; otherwise both can pay."""
        running = self.one.state.auction
        buyer = running.auctioneer if action.preempt else running.high
        here, there = self.one.state.money[buyer], self.other.state.money[buyer]
        if total(here) < running.price:
            return bool(here == there)
        return total(there) >= running.price

    def _payment(self, seat: int, cards: Heap) -> Heap | None:
        running = self.one.state.auction
        payee = running.auctioneer if seat == running.high else running.high
        hand = self.other.state.money[seat]
        rule, price = self.options.payment_rule, running.price
        if self.viewer in (seat, payee) or self.options.public_payments == "cards":
            return cards if payment_fault(hand, price, cards, rule) is None else None
        counts = self.options.public_payments == "count" or self.options.show_money_counts
        found = [paid for paid in payments(hand, price, rule) if not counts or size(paid) == size(cards)]
        return self.random.choice(found) if found else None

    def _offer(self, seat: int, target: int, cards: Heap) -> Heap | None:
        if self.viewer == seat:
            return cards if self._held(seat, cards) else None
        if self.viewer == target:
            heap = self._any(seat, cards)
            if heap is not None and self.random.random() < 0.2:
                self.last = heap != cards
                return heap
            return cards if self._held(seat, cards) else None
        return self._any(seat, cards)

    def _any(self, seat: int, cards: Heap) -> Heap | None:
        """Other cards of this seat, as many, and nothing that is public about them different."""
        for _ in range(60):
            heap = some_of(self.other.state.money[seat], self.random)
            zeros = self.options.zero_cards_return and self.options.show_money_counts
            if size(heap) != size(cards) or (zeros and heap.get("0", 0) != cards.get("0", 0)):
                continue
            if self.options.reveal_heaps == "all" and total(heap) != total(cards):
                continue
            return heap
        return None

    def _counter(self, seat: int, cards: Heap) -> Heap | None:
        trade, other_trade = self.one.state.trade, self.other.state.trade
        if self.viewer in (seat, trade.challenger):
            return cards if self._held(seat, cards) and trade.offer == other_trade.offer else None
        lead = total(trade.offer) - total(cards)
        for _ in range(60):
            heap = self._any(seat, cards)
            if heap is not None:
                other_lead = total(other_trade.offer) - total(heap)
                if (lead > 0) == (other_lead > 0) and (lead < 0) == (other_lead < 0):
                    return heap
        return None

    def _held(self, seat: int, cards: Heap) -> bool:
        hand = self.other.state.money[seat]
        return all(hand.get(name, 0) >= count for name, count in cards.items())

    def compare(self) -> None:
        """Events, views, refusals and replays are the same to the byte for the viewer."""
        script = outcomes_of(self.one.log)
        moves, other_moves = moves_of(self.one.log), moves_of(self.other.log)
        if self.one.finished:
            # The end reveals the seed, which is not the same for a script: compare up to it.
            moves, other_moves = moves[:-1], other_moves[:-1]
        blind_to(self.viewer, script, script, moves, ATTEMPTS, other_moves, **self.opening)
        for one, other in zip(self._replay(self.one), self._replay(self.other), strict=True):
            assert one == other, f"{self.viewer} can tell the replays apart"

    def _replay(self, table: Table) -> list[bytes]:
        return [encode_json(frame) for frame in frames(table.log, self.viewer)]


@pytest.mark.parametrize(("name", "viewer"), WATCHED)
def test_other_peoples_money_is_out_of_sight(name: str, viewer: Viewer) -> None:
    options = {"max_trades_after_deck": 6, **OPTION_SETS[name]}
    for seed in range(20):
        twins = Twins(viewer, seed, ruleset="kuhhandel", players=3, options=options)
        twins.play(most=200)
        if twins.differing >= ENOUGH:
            twins.compare()
            return
    raise AssertionError("the two games hardly ever differed: this shows nothing")


def test_the_twins_differ_in_every_kind_of_secret() -> None:
    """The comparison above would be worth nothing if payments, offers, counters and new offers never differed."""
    kinds = set()
    for seed in range(30):
        twins = Twins("table", seed, ruleset="kuhhandel", players=3, options={"max_trades_after_deck": 30})
        twins.play(most=400)
        for (_, action), (_, other) in zip(moves_of(twins.one.log), moves_of(twins.other.log), strict=True):
            if action != other:
                kinds.add(type(action))
        if kinds == {Pay, StartTrade, CounterTrade, ReofferTrade}:
            return
    raise AssertionError(f"only {kinds} differed")


# First refusal


def decision(auctioneers: Heap, **options: Any) -> Scenario:
    """A decides about a bid of 90 by B."""
    more = (*auction((B, 90)), AuctionClosed(bidder=B, price=90))
    position = at(auctioneers, START, START, dealt=DEALT)
    return given("kuhhandel", *position, *more, players=3, options=options)


def test_a_poor_auctioneer_is_asked_like_a_rich_one() -> None:
    rich, poor = decision(RICH), decision(POOR)
    for scenario in (rich, poor):
        assert scenario.view().phase == "auction_decision"
        assert scenario.view().to_act == (A,)
        assert [type(offer).__name__ for offer in scenario.view(A).offers] == ["DecideOffer"]
    for viewer in ("table", "seat:1", "seat:2"):
        assert rich.views.encoded()[viewer] == poor.views.encoded()[viewer]


def test_a_refusal_for_lack_of_money_reaches_the_auctioneer_alone() -> None:
    poor = decision(POOR)
    before = poor.views.encoded(), poor.game.version, poor.game.hash
    poor.when(A, Decide(preempt=True)).refused("cannot_afford")
    assert poor.rejected is not None
    assert poor.rejected.details == {"total": 10}
    assert (poor.views.encoded(), poor.game.version, poor.game.hash) == before, "nothing happened to anybody"
    poor.when(B, Decide(preempt=True)).refused("not_auctioneer")


def test_a_sale_looks_the_same_whether_or_not_the_auctioneer_could_have_bought() -> None:
    rich, poor = decision(RICH), decision(POOR)
    for scenario in (rich, poor):
        scenario.when(A, Decide(preempt=False)).then(Sold(auctioneer=A, bidder=B, price=90))
        scenario.when(B, Pay(cards={"10": 4, "50": 1}))
    for viewer in ("table", "seat:1", "seat:2"):
        assert rich.views.encoded()[viewer] == poor.views.encoded()[viewer]


def test_a_bluff_that_is_bought_out_is_never_discovered() -> None:
    scenario = given("kuhhandel", *at(START, POOR, START), *auction((B, 90)), players=3)
    scenario.when(C, Pass()).when(A, Decide(preempt=True)).when(A, Pay(cards={"10": 4, "50": 1}))
    assert scenario.rejected is None
    assert not any(isinstance(event, BidderExposed) for event in scenario.events)
    assert scenario.view().table.animals[A] == {"cow": 1}
    assert scenario.view(B).hand.money == {"0": 4, "10": 5, "50": 1}


def test_who_has_one_way_to_pay_is_asked_like_everybody() -> None:
    for hand in ({"50": 1}, {"10": 5, "50": 2, "100": 1}):
        scenario = given("kuhhandel", *at(START, hand, START), *auction((B, 50)), players=3)
        scenario.when(C, Pass()).when(A, Decide(preempt=False)).then(Sold(auctioneer=A, bidder=B, price=50))
        assert scenario.view().to_act == (B,)


def test_a_strict_refusal_of_a_bid_reaches_the_bidder_alone() -> None:
    options = {"strict_bids": True}
    rich = given("kuhhandel", *at(START, RICH, START, dealt=DEALT), *auction(), players=3, options=options)
    poor = given("kuhhandel", *at(START, POOR, START, dealt=DEALT), *auction(), players=3, options=options)
    poor.when(B, Bid(amount=20)).refused("cannot_afford")
    for viewer in ("table", "seat:0", "seat:2"):
        assert rich.views.encoded()[viewer] == poor.views.encoded()[viewer]
    assert rich.view(B).offer(Bid).most == 90
    assert poor.view(B).offer(Bid).most == 10


# Trades


def offered(heap: Heap, **options: Any) -> Scenario:
    """A, B and C own a cow each; A offers B this heap."""
    hand = {"0": 3, "10": 3, "50": 3}
    position = at(hand, hand, hand, animals=({"cow": 1}, {"cow": 1}, {"cow": 1}))
    scenario = given("kuhhandel", *position, players=3, options=options)
    return scenario.when(A, StartTrade(target=B, species="cow", offer=heap))


HIDDEN = ({"0": 3}, {"10": 3}, {"50": 3}, {"0": 1, "10": 1, "50": 1})


@pytest.mark.parametrize("heap", HIDDEN[1:])
def test_the_target_knows_only_how_many_cards_lie_before_it(heap: Heap) -> None:
    one, other = offered(HIDDEN[0]), offered(heap)
    for viewer in ("table", "seat:1", "seat:2"):
        assert one.views.encoded()[viewer] == other.views.encoded()[viewer]
    assert one.view(B).table.trade.offered == 3
    assert one.view(A).hand.laid == {"0": 3}
    answers: tuple[Callable[[], Action], ...] = (
        lambda: CounterTrade(cards={"50": 4}),
        lambda: StartAuction(),
        lambda: ReofferTrade(cards={}),
        lambda: Pass(),
    )
    for answer in answers:
        one.when(B, answer())
        other.when(B, answer())
        assert one.rejected is not None
        assert other.rejected is not None
        assert (one.rejected.code, one.rejected.message, one.rejected.details) == (
            (other.rejected.code, other.rejected.message, other.rejected.details)
        )


def test_after_an_accept_the_two_know_the_heap_and_nobody_else() -> None:
    seen = []
    for heap in HIDDEN:
        scenario = offered(heap)
        scenario.when(B, scenario.view(B).offers[0].sample(Random(1)))
        for seat in (A, B):
            assert scenario.view(seat).hand.last_trade.offer == heap
            assert scenario.view(seat).hand.last_trade.counter is None
        seen.append((scenario.views.encoded()["table"], scenario.views.encoded()["seat:2"]))
    assert len(set(seen)) == 1


def test_after_a_counter_the_two_know_both_heaps_and_nobody_else() -> None:
    seen = []
    for heap, counter in (
        ({"50": 2}, {"10": 2}),
        ({"50": 1, "0": 1}, {"0": 2}),
        ({"10": 2}, {"0": 1, "10": 1}),
    ):
        scenario = offered(heap).when(B, CounterTrade(cards=counter))
        for seat in (A, B):
            known = scenario.view(seat).hand.last_trade
            assert (known.offer, known.counter) == (heap, counter)
        seen.append((scenario.views.encoded()["table"], scenario.views.encoded()["seat:2"]))
    assert len(set(seen)) == 1
    assert scenario.view().table.last_trade.offered == scenario.view().table.last_trade.countered == 2


def test_a_tie_tells_the_others_that_it_was_one_and_no_more() -> None:
    seen = []
    for heap, counter in (
        ({"50": 1, "0": 1}, {"50": 1, "0": 1}),
        ({"0": 2}, {"0": 2}),
        ({"10": 2}, {"10": 2}),
    ):
        scenario = offered(heap).when(B, CounterTrade(cards=counter))
        assert scenario.view().phase == "trade_reoffer"
        seen.append((scenario.views.encoded()["table"], scenario.views.encoded()["seat:2"]))
    assert len(set(seen)) == 1


def test_heaps_are_shown_to_all_only_where_the_table_agreed_to_it() -> None:
    hidden = offered({"50": 2}).when(B, CounterTrade(cards={"10": 1}))
    assert hidden.view().table.last_trade.totals is None
    shown = offered({"50": 2}, reveal_heaps="all").when(B, CounterTrade(cards={"10": 1}))
    assert shown.view().table.last_trade.totals == (100, 10)


def test_what_is_refused_says_nothing_of_what_others_hold() -> None:
    """Every refusal to every seat, with everybody else's money different."""
    other_hand = {"0": 1, "10": 2, "50": 1, "100": 2, "200": 1}
    for viewer in range(3):
        answers = []
        for others in (START, other_hand):
            hands = [START if seat == viewer else others for seat in range(3)]
            scenario = given("kuhhandel", *at(*hands, dealt=DEALT), *auction((B, 30)), players=3)
            answers.append([_refusal(scenario, viewer, action) for action in ATTEMPTS])
        assert answers[0] == answers[1]
        assert sum(answer is not None for answer in answers[0]) > 20


def _refusal(scenario: Scenario, seat: int, action: Action) -> tuple[str, str, dict[str, Any]] | None:
    try:
        scenario.game.rules.decide(scenario.game.state, seat, action, None, lambda event: None)  # type: ignore[arg-type]
    except Rejected as rejected:
        return rejected.code, rejected.message, rejected.details
    return None


def test_the_state_of_a_running_game_holds_nothing_of_what_comes() -> None:
    """The deck is no more than what everybody can count: four of each, less what lies open."""

    def each(table: Table) -> None:
        state = table.state
        lot = state.auction.lot if state.auction else ()
        for species, left in state.deck.items():
            assert left == 4 - sum(owned[species] for owned in state.animals) - lot.count(species)

    play_random(Table.open("kuhhandel", 4, {"max_trades_after_deck": 3}, dealer=9), Random(9), each=each)
