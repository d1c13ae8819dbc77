"""A second, naive reading of kuhhandel.md: it follows whole games from commands alone and must agree throughout."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from fairdeal.action import Action
from fairdeal.games.kuhhandel import (
    AcceptTrade,
    AuctionStarted,
    Bid,
    Call,
    CounterTrade,
    Decide,
    Options,
    Pass,
    Pay,
    ReofferTrade,
    StarterDrawn,
    StartTrade,
)
from fairdeal_local import Table
from support.harness import play_random
from support.kuhhandel import OPTION_SETS, brisk

_IN_ORDER = ["rooster", "goose", "cat", "dog", "sheep", "goat", "donkey", "pig", "cow", "horse"]
PRICES = dict(zip(_IN_ORDER, (10, 40, 90, 160, 250, 350, 500, 650, 800, 1000), strict=True))
GAMES = [
    *(("default", seats) for seats in (3, 4)),
    *((name, 3 + number % 3) for number, name in enumerate(reversed(OPTION_SETS))),
]


class Model:
    """The table as a careful person with pencil and paper would keep it. `deck_order` is filled as it is drawn."""

    def __init__(self, seats: int, options: Options, starter: int) -> None:
        self.o = options
        self.n = seats
        start = {"classic": "0 0 10 10 10 10 50", "first_edition": "0 0 10 10 10 10 10"}
        dealt = start.get(options.money_set, "0 0 10 10 10 20 50").split()
        self.hands = [Counter(dealt) for _ in range(seats)]
        self.animals: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.turn = starter
        self.auctioned = 0
        self.donkeys = 0
        self.late = 0
        self.doves: list[int] = []
        self.over = False
        self.phase = "turn"

    def do(self, seat: int, action: Action, lot: tuple[str, ...]) -> None:
        name = type(action).__name__
        getattr(self, f"do_{name}")(seat, action, lot)

    # The auction

    def do_StartAuction(self, seat: int, action: Any, lot: tuple[str, ...]) -> None:
        self.auctioned += len(lot)
        for species in lot:
            if species == "donkey":
                for hand in self.hands:
                    hand[["50", "100", "200", "500"][self.donkeys]] += 1
                self.donkeys += 1
        self.auctioneer, self.lot = seat, lot
        self.bids: list[tuple[int, int]] = []
        self.out: set[int] = set()
        self.reopen()

    def reopen(self) -> None:
        self.phase = "auction_open"
        self.silent: set[int] = set()
        self.maybe_close()

    def top(self) -> tuple[int, int] | None:
        return max(((amount, seat) for seat, amount in self.bids), default=None)

    def maybe_close(self) -> None:
        top = self.top()
        bidders = set(range(self.n)) - {self.auctioneer} - self.out
        if bidders - self.silent - ({top[1]} if top else set()) == set():
            self.close()

    def close(self) -> None:
        if self.top() is None:
            self.take(self.auctioneer)
        else:
            self.phase = "auction_decision"

    def do_Bid(self, seat: int, action: Bid, lot: Any) -> None:
        self.bids.append((seat, action.amount))
        if self.o.auction_mode == "open_outcry":
            self.silent = set()
        self.maybe_close()

    def do_Pass(self, seat: int, action: Pass, lot: Any) -> None:
        self.silent.add(seat)
        self.maybe_close()

    def do_Call(self, seat: int, action: Call, lot: Any) -> None:
        if action.step == 3:
            self.close()

    def do_Decide(self, seat: int, action: Decide, lot: Any) -> None:
        top = self.top()
        assert top is not None
        price, winner = top
        self.payer, self.payee = (seat, winner) if action.preempt else (winner, seat)
        if worth(self.hands[self.payer]) >= price:
            self.phase = "auction_payment"
            return
        assert not action.preempt
        self.out.add(winner)
        keep = [] if self.o.overbid_resolution == "restart" else self.bids
        self.bids = [(bidder, amount) for bidder, amount in keep if bidder != winner]
        self.reopen()

    def do_Pay(self, seat: int, action: Pay, lot: Any) -> None:
        top = self.top()
        assert top is not None
        assert worth(Counter(action.cards)) >= top[0]
        self.give(self.payer, self.payee, Counter(action.cards))
        self.take(self.payer)

    def give(self, giver: int, taker: int, cards: "Counter[str]") -> None:
        self.hands[giver] -= cards
        self.hands[taker] += cards

    def take(self, seat: int) -> None:
        self.animals[seat].update(self.lot)
        self.end_turn(seat)

    # The trade

    def do_StartTrade(self, seat: int, action: StartTrade, lot: Any) -> None:
        self.challenger, self.target, self.species = seat, action.target, action.species
        both = (self.animals[seat][action.species], self.animals[action.target][action.species])
        self.stake = 2 if both == (2, 2) else 1
        self.round = 1
        self.lay(Counter(action.offer))
        self.late += self.auctioned == 40

    def lay(self, offer: "Counter[str]") -> None:
        self.offer = +offer
        self.hands[self.challenger] -= self.offer
        self.phase = "trade_response"

    def do_AcceptTrade(self, seat: int, action: AcceptTrade, lot: Any) -> None:
        self.hands[seat] += self.offer
        self.move(self.challenger)

    def do_CounterTrade(self, seat: int, action: CounterTrade, lot: Any) -> None:
        counter = +Counter(action.cards)
        self.hands[seat] -= counter
        heaps = {self.challenger: self.offer, self.target: counter}
        mine, theirs = worth(self.offer), worth(counter)
        winner = None if mine == theirs else self.challenger if mine > theirs else self.target
        for owner, heap in heaps.items():
            other = self.target if owner == self.challenger else self.challenger
            if winner is None:
                keeper = other if self.o.tie_money == "swap" else owner
            elif self.o.trade_money == "swap":
                keeper = other
            else:
                keeper = owner if owner != winner else other
            for card, count in heap.items():
                self.hands[owner if card == "0" and self.o.zero_cards_return else keeper][card] += count
        if winner is not None:
            self.move(winner)
        elif self.round == 1:
            self.round, self.phase = 2, "trade_reoffer"
        else:
            free = {"challenger_free": self.challenger, "target_free": self.target, "no_transfer": None}
            self.move(free[self.o.second_tie])

    def do_ReofferTrade(self, seat: int, action: ReofferTrade, lot: Any) -> None:
        self.lay(Counter(action.cards))

    def move(self, winner: int | None) -> None:
        if winner is not None:
            self.animals[winner][self.species] += self.stake
            self.animals[self.target if winner == self.challenger else self.challenger][self.species] -= (
                self.stake
            )
        self.end_turn(winner)

    # The end of a turn, and of the game

    def end_turn(self, gained: int | None) -> None:
        self.phase = "turn"
        if gained is not None:
            full = {species for species, count in self.animals[gained].items() if count == 4}
            if {"rooster", "goose"} <= full or {"cat", "dog"} <= full or {"sheep", "goat"} <= full:
                self.doves.append(gained)
        after = [(self.turn + step) % self.n for step in range(1, self.n + 1)]
        if self.auctioned == 40:
            after = [seat for seat in after if any(count % 4 for count in self.animals[seat].values())]
            self.over = not after or (
                self.o.max_trades_after_deck is not None and self.late >= self.o.max_trades_after_deck
            )
        if not self.over:
            self.turn = after[0]

    def scores(self) -> list[int]:
        full = [[PRICES[s] for s, count in animals.items() if count == 4] for animals in self.animals]
        if self.o.scoring == "product":
            return [sum(prices) * len(prices) for prices in full]
        bonus = self.doves[:1] if self.o.scoring == "sum_plus_dove" else []
        return [sum(prices) + 500 * (seat in bonus) for seat, prices in enumerate(full)]


def worth(cards: "Counter[str]") -> int:
    return sum(int(card) * count for card, count in cards.items())


def drawn(table: Table, kind: type) -> list[Any]:
    return [event for event in table.log[-1].events if isinstance(event, kind)]


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_the_model_agrees_after_every_commit(name: str, seats: int) -> None:
    table = Table.open("kuhhandel", seats, OPTION_SETS[name], dealer=f"{name} {seats}")
    opening = drawn(table, StarterDrawn)
    model = Model(seats, table.state.options, opening[0].seat if opening else 0)

    def each(table: Table) -> None:
        command = table.log[-1].command
        if command.seat is not None:
            lots = drawn(table, AuctionStarted)
            model.do(command.seat, command.action, lots[0].lot if lots else ())
        agree(table, model)

    play_random(table, Random(f"{name} {seats}"), weigh=brisk, each=each, most=2000)
    assert table.outcome is not None
    scores = model.scores()
    assert list(table.outcome.scores or ()) == scores
    best = [seat for seat in range(seats) if scores[seat] == max(scores)]
    assert list(table.outcome.winners) == best
    order = sorted(scores, reverse=True)
    assert list(table.outcome.places) == [order.index(score) + 1 for score in scores]


def agree(table: Table, model: Model) -> None:
    """Hands, animals, payouts, whose turn it is and what is going on, as the seats and the table see it."""
    shown = table.view()
    assert [Counter(table.view(seat).hand.money) for seat in range(model.n)] == model.hands
    assert [Counter(owned) for owned in shown.table.animals] == [+animals for animals in model.animals]
    assert shown.table.donkeys == model.donkeys
    assert shown.table.deck_left == 40 - model.auctioned
    assert table.finished == model.over
    if model.over:
        return
    assert shown.phase == model.phase
    assert shown.table.turn == model.turn
    if shown.table.money_counts is not None:
        assert shown.table.money_counts == [hand.total() for hand in model.hands]
    if shown.phase.startswith("auction"):
        top = model.top()
        high = shown.table.auction.high
        assert (None if high is None else (high.amount, high.seat)) == top
        assert set(shown.table.auction.exposed) == model.out
