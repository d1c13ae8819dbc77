"""A second reading of real_or_fake.md: slow, with single cards on single heaps, without the rules' code.

It follows a log by the seats' commands and by what was drawn alone, and says what must be true after each.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fairdeal.commit import Commit
from fairdeal.game import Resign
from fairdeal.games import real_or_fake as said
from fairdeal.visibility import drawn_outcomes

SERIES = ("art", "wines", "rugs", "gemstones", "antiques", "art_glass", "cars", "toys", "vintage_clothes")
HOUSE_BOARD = list("SNHOTNAOHNITOHNOANHTONIOHNAT")
LETTERS = {
    "start": "S",
    "new_acquisition": "N",
    "trade": "H",
    "auction_object": "O",
    "tax_raid": "T",
    "auction": "A",
    "insider": "I",
}


class Over(Exception):
    """The game is over."""


class Model:
    """A game, as a patient referee would keep it on paper."""

    def __init__(self, seats: int, options: dict[str, Any], drawn: Iterator[Any]) -> None:
        self.o = options
        self.seats = range(seats)
        own_board = options["board"] != "house28"
        self.board = [LETTERS[square] for square in options["board"]] if own_board else HOUSE_BOARD
        self.cash = [options["start_money"]] * seats
        self.bank = 0
        self.hand: list[list[str]] = []
        self.table: list[list[str]] = [[] for _ in self.seats]
        self.insider: list[list[str]] = [[] for _ in self.seats]
        self.at: list[int | None] = [0] * seats
        self.out: list[int] = []
        self.house: list[str] = []
        self.gone: list[str] = []
        self.drawn = drawn
        self.pending: tuple[int, list[str]] = (0, [])
        """Who has which cards to sort."""
        for _ in self.seats:
            self.hand.append([next(drawn) for _ in range(options["start_cards"])])
        rest = 108 - seats * options["start_cards"]
        self.objects = rest // 2
        self.news = rest - self.objects
        self.lots = options["insider_placed"]
        self.result: tuple[list[str], list[int]] | None = None
        rolling = list(self.seats)
        while len(rolling) > 1:
            rolls = [next(drawn) + next(drawn) for _ in rolling]
            rolling = [seat for seat, roll in zip(rolling, rolls, strict=True) if roll == max(rolls)]
        self.turn = rolling[0]
        self.doing = self.arranging()
        self.asked = next(self.doing)

    # Each step is a generator that yields whom it asks and what for, and is sent the answer

    def follow(self, seat: int, action: Any, drawn: Iterator[Any]) -> None:
        """Take in one command of a seat and what was drawn for it."""
        self.drawn = drawn
        try:
            if isinstance(action, Resign):
                self.resigns(seat)
            else:
                assert (seat, type(action)) in self.asked, f"{action} of seat {seat}, asked were {self.asked}"
                self.asked = self.doing.send(action)
        except Over:
            self.count()

    def arranging(self) -> Any:
        while True:
            seat = self.turn
            action = yield {(seat, said.Arrange), (seat, said.Roll)}
            if isinstance(action, said.Arrange):
                for series, count in action.to_table.items():
                    move(self.hand[seat], self.table[seat], [series] * count)
                for series, count in action.to_hand.items():
                    move(self.table[seat], self.hand[seat], [series] * count)
                continue
            yield from self.moves(seat)
            self.turn = next(s for s in self.round(seat + 1) if s not in self.out)

    def round(self, first: int) -> list[int]:
        n = len(self.seats)
        return [(first + step) % n for step in range(n)]

    def moves(self, seat: int) -> Any:
        place = self.at[seat]
        assert place is not None
        steps = next(self.drawn) + next(self.drawn)
        for _ in range(steps):
            place += 1
            if place == len(self.board):
                place = 0
                self.pay(seat, -self.o["start_bonus"])
        self.at[seat] = place
        yield from getattr(self, f"on_{self.board[place]}")(seat)

    def pay(self, seat: int, amount: int) -> None:
        self.cash[seat] -= amount
        self.bank += amount

    def on_S(self, seat: int) -> Any:
        yield from ()

    def on_N(self, seat: int) -> Any:
        new = [next(self.drawn) for _ in range(min(2, self.news))]
        self.news -= len(new)
        if not self.news:
            self.hand[seat] += new
            raise Over
        yield from self.sorting(seat, new)

    def sorting(self, seat: int, new: list[str]) -> Any:
        self.pending = (seat, new)
        action = yield {(seat, said.Sort)}
        self.pending = (seat, [])
        if action is None:
            return
        for series, count in action.to_table.items():
            move(new, self.table[seat], [series] * count)
        self.hand[seat] += new

    def on_H(self, seat: int) -> Any:
        if not any(self.table[other] for other in self.seats if other != seat):
            return
        action = yield {(seat, said.Buy), (seat, said.Decline)}
        if not isinstance(action, said.Buy):
            return
        bought = [card for card in self.table[action.seat] if card == action.series]
        self.table[action.seat] = [card for card in self.table[action.seat] if card != action.series]
        price = self.o["value_table"][len(bought)]
        assert price <= self.cash[seat]
        self.cash[seat] -= price
        if action.seat in self.out:
            self.bank += price
        else:
            self.cash[action.seat] += price
        yield from self.sorting(seat, bought)

    def on_T(self, seat: int) -> Any:
        tax = self.o["tax_per_card"] * len(self.hand[seat])
        if tax > self.cash[seat]:
            self.leaves(seat)
        else:
            self.pay(seat, tax)
        yield from ()

    def leaves(self, seat: int) -> None:
        self.pay(seat, self.cash[seat])
        self.table[seat] += self.hand[seat]
        self.hand[seat] = []
        self.at[seat] = None
        self.out.append(seat)
        left = len(self.seats) - len(self.out)
        if left == 0 or (left == 1 and self.o["last_living_ends"]):
            raise Over

    def on_A(self, seat: int) -> Any:
        if len(self.house) >= 2:
            yield from self.house_auction(seat)

    def on_O(self, seat: int) -> Any:
        if len(self.house) >= 10:
            return
        for _ in range(min(2, self.objects)):
            self.objects -= 1
            (self.house if self.objects else self.gone).append(next(self.drawn))
        if not self.objects:
            raise Over
        if len(self.house) == 10:
            yield from self.house_auction(seat)

    def on_I(self, seat: int) -> Any:
        if self.lots:
            winner, price, starter = yield from self.auction(seat)
            if winner is None:
                winner, price = starter, 0
            self.pay(winner, price)
            self.insider[winner] += [next(self.drawn), next(self.drawn)]
            self.lots -= 2

    def house_auction(self, seat: int) -> Any:
        winner, price, starter = yield from self.auction(seat)
        if winner is None:
            if self.o["no_bid_house"] == "stay":
                return
            if self.o["no_bid_house"] == "discard":
                self.gone += self.house
                self.house = []
                return
            winner, price = starter, 0
        self.pay(winner, price)
        prize, self.house = self.house, []
        yield from self.sorting(winner, prize)

    def auction(self, starter: int) -> Any:
        """Bid, anew if need be; the winner or None, the price, and who counts as the starter."""
        barred: set[int] = set()
        result = None
        while result is None:
            starter, asking = self.able(starter, barred)
            result = yield from self.bidding(asking, barred)
        return *result, self.able(starter, barred)[0]

    def bidding(self, asking: list[int], barred: set[int]) -> Any:
        """Bid round and round; the winner or None and the price, or nothing if it has to begin anew."""
        high, leader = 0, None
        while asking and asking != [leader]:
            seat = asking.pop(0)
            least = high + self.o["bid_step"] if leader is not None else self.o["min_bid"]
            if self.cash[seat] < least:
                continue
            action = yield {(seat, said.Bid), (seat, said.Pass)}
            while isinstance(action, Resign) and not {leader, seat} & set(self.out):
                # Somebody else left while this seat was asked.
                action = yield {(seat, said.Bid), (seat, said.Pass)}
            asking = [other for other in asking if other not in self.out]
            if leader in self.out:
                return None
            if seat in self.out or isinstance(action, said.Pass):
                continue
            assert action.amount >= least
            assert action.amount % 1000 == 0
            if action.amount > self.cash[seat]:
                assert self.o["overbid"] == "redo"
                barred.add(seat)
                return None
            high, leader = action.amount, seat
            asking.append(seat)
        return leader, high

    def able(self, starter: int, barred: set[int]) -> tuple[int, list[int]]:
        """Who starts if this seat cannot, and who may bid."""
        living = [seat for seat in self.round(starter) if seat not in self.out]
        able = [seat for seat in living if seat not in barred]
        return (able or living)[0], able

    def resigns(self, seat: int) -> None:
        holder, new = self.pending
        if holder == seat:
            self.hand[seat] += new
            self.pending = (seat, [])
        waited_for = {other for other, _ in self.asked}
        bidding = any(kind is said.Bid for _, kind in self.asked)
        self.leaves(seat)
        if bidding:
            self.asked = self.doing.send(Resign())
        elif seat in waited_for:
            if any(kind is said.Sort for _, kind in self.asked):
                self.asked = self.doing.send(None)
            elif any(kind is said.Decline for _, kind in self.asked):
                self.asked = self.doing.send(said.Decline())
            else:
                self.turn = next(s for s in self.round(seat + 1) if s not in self.out)
                self.doing = self.arranging()
                self.asked = next(self.doing)

    def count(self) -> None:
        holder, new = self.pending
        self.hand[holder] += new
        self.pending = (holder, [])
        self.asked = set()
        counted = [
            cards
            for seat, cards in enumerate(self.insider)
            if seat not in self.out or self.o["bankrupt_insider"] == "shown"
        ]
        fakes = {card for cards in counted for card in cards} - {"blank"}
        totals = []
        for seat in self.seats:
            owned = Counter(self.hand[seat] + self.table[seat])
            worth = sum(self.o["value_table"][owned[s]] for s in SERIES if s not in fakes)
            totals.append(0 if seat in self.out else self.cash[seat] + worth)
        self.result = (sorted(fakes, key=SERIES.index), totals)

    def agrees(self, table: Any, hands: list[Any], to_act: tuple[int, ...]) -> None:
        """The views say what this model says."""
        assert {seat for seat, _ in self.asked} == set(to_act)
        if table.cash is not None:
            assert table.cash == self.cash
        assert table.bank == self.bank
        assert table.positions == self.at
        assert table.bankrupt == self.out
        assert Counter(table.house) == Counter(self.house)
        assert Counter(table.set_aside) == Counter(self.gone)
        assert (table.new_acquisitions, table.auction_objects) == (self.news, self.objects)
        assert table.insider_pile == self.lots
        for seat in self.seats:
            assert Counter(hands[seat].cards) == Counter(self.hand[seat])
            assert Counter(table.open_cards[seat]) == Counter(self.table[seat])
            assert table.hands[seat] == len(self.hand[seat])
            assert hands[seat].insiders == self.insider[seat]
            assert table.insiders[seat] == len(self.insider[seat])
            assert hands[seat].cash == self.cash[seat]
            holder, new = self.pending
            assert Counter(hands[seat].new) == (Counter(new) if holder == seat else Counter())


def move(source: list[str], target: list[str], cards: list[str]) -> None:
    """Take single cards from one heap to another."""
    for card in cards:
        source.remove(card)
        target.append(card)


def drawn_in(commit: Commit) -> Iterator[Any]:
    """What the dealer gave for a commit, one by one."""
    return (outcome for event in commit.events for outcome in drawn_outcomes(event))
