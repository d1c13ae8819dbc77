"""Real or Fake: what must hold of every state after a commit (real_or_fake.md §11)."""

from collections.abc import Iterator

from fairdeal.games.real_or_fake import NOTE, Wealth
from fairdeal.games.real_or_fake_cards import (
    BLANK,
    DECK,
    SERIES,
    Cards,
    all_objects,
    insider_pool,
    size,
    worth,
)
from fairdeal_rules.games.real_or_fake_state import State, all_cards

Claims = Iterator[tuple[str, bool]]


def violations(state: State) -> list[str]:
    """The invariants that a state breaks, a sentence each."""
    groups = (_money, _objects, _insiders, _seats, _phases, _auction, _end)
    return [sentence for group in groups for sentence, holds in group(state) if not holds]


def _money(state: State) -> Claims:
    everything = state.options.start_money * state.seats
    yield "money was created or destroyed", sum(state.cash) + state.bank == everything
    yield "a seat has less than nothing", min(state.cash) >= 0
    yield "money is no multiple of the smallest note", not any(cash % NOTE for cash in state.cash)
    yield "the bank has paid", state.bank >= 0 or state.options.start_bonus > 0


def _objects(state: State) -> Claims:
    heaps = [state.unseen, state.house, state.set_aside, state.new, *state.hands, *state.tables]
    found: Cards = dict.fromkeys(SERIES, 0)
    for heap in heaps:
        for series, count in heap.items():
            found[series] += count
    yield "not every object card is in exactly one place", found == all_objects()
    yield "a count is below one", all(count > 0 for heap in heaps[1:] for count in heap.values())
    yield "a pile has less than nothing", min(state.piles.values()) >= 0
    yield "the piles hold other cards than nobody has seen", sum(state.piles.values()) == size(state.unseen)
    house, full = size(state.house), DECK.auction_house_size
    if state.ended is None:
        yield "the house holds an odd number of cards", house % DECK.cards_per_draw == 0
    bids = state.auction is not None and state.auction.kind == "house"
    stays = state.options.no_bid_house == "stay"
    yield "the house is overfull", house < full or (house == full and (bids or stays or _over(state)))


def _over(state: State) -> bool:
    return state.ended is not None


def _insiders(state: State) -> Claims:
    options = state.options
    found = dict(state.insider_pool)
    for cards in state.insiders:
        for card in cards:
            found[card] += 1
    sold = sum(map(len, state.insiders))
    yield "not every insider card is in exactly one place", found == insider_pool(options.insider_deck)
    yield "an odd number of insider cards is sold", sold % 2 == 0
    yield "insider cards were sold that were not placed", state.insider_left == options.insider_placed - sold
    yield "the insider pile has less than nothing", state.insider_left >= 0


def _seats(state: State) -> Claims:
    for seat, position in enumerate(state.positions):
        if seat in state.bankrupt:
            yield f"seat {seat} is bankrupt and has money", state.cash[seat] == 0
            yield f"seat {seat} is bankrupt and has hidden cards", not state.hands[seat]
            yield f"seat {seat} is bankrupt and has a piece", position is None
        else:
            on_board = position is not None and 0 <= position < len(state.board)
            yield f"the piece of seat {seat} is off the board", on_board
    yield "a seat left twice", len(set(state.bankrupt)) == len(state.bankrupt)


def _phases(state: State) -> Claims:
    yield "cards are new to nobody", bool(state.new) <= (state.new_seat is not None)
    if state.ended is not None:
        return
    yield f"somebody sorts in {state.phase}", (state.new_seat is not None) == (state.phase == "new_cards")
    yield f"an auction runs in {state.phase}", (state.auction is not None) == (state.phase == "bid")
    yield "a bankrupt seat sorts", state.new_seat not in state.bankrupt
    on_turn = state.phase in ("arrange", "trade")
    yield "a bankrupt seat has the turn", not on_turn or state.turn not in state.bankrupt
    if state.phase == "trade":
        others = (cards for seat, cards in enumerate(state.tables) if seat != state.turn)
        yield "there is nothing to buy", any(others)


def _auction(state: State) -> Claims:
    auction, options = state.auction, state.options
    if auction is None:
        return
    high, out = auction.high, {*auction.excluded, *state.bankrupt}
    asked = auction.bidder
    yield "a seat bids that is out", not out.intersection(auction.bidders)
    yield "nobody is asked", asked in auction.bidders and (high is None or asked != high.seat)
    yield "the starter is out of the game", auction.starter not in state.bankrupt
    least = options.min_bid if high is None else high.amount + options.bid_step
    yield "a seat is asked that cannot bid", state.cash[asked] >= least
    if high is not None:
        yield "the high bidder is out", high.seat in auction.bidders
        yield "the high bid is below the least", high.amount >= options.min_bid
        yield "the high bidder cannot pay", high.amount <= state.cash[high.seat]
        yield "the high bid is no multiple of the smallest note", high.amount % NOTE == 0
    there = size(state.house) if auction.kind == "house" else state.insider_left
    yield "fewer cards than two are auctioned", there >= DECK.cards_per_draw


def _end(state: State) -> Claims:
    options = state.options
    living = state.seats - len(state.bankrupt)
    alone = living == 0 or (living == 1 and options.last_living_ends)
    over = alone or not all(state.piles.values())
    yield "the game is over and goes on, or the other way round", over == _over(state)
    if not _over(state):
        return
    shown = [
        cards
        for seat, cards in enumerate(state.insiders)
        if seat not in state.bankrupt or options.bankrupt_insider == "shown"
    ]
    marked = {card for cards in shown for card in cards if card != BLANK}
    yield "the fakes are not what the shown insider cards mark", set(state.fakes) == marked
    for seat, wealth in enumerate(state.wealth):
        cards = all_cards(state, seat)
        living_seat = seat not in state.bankrupt
        collections = worth(cards, options.value_table, state.fakes) if living_seat else 0
        total = state.cash[seat] + collections
        yield (
            f"the wealth of seat {seat} is miscounted",
            wealth == Wealth(cash=state.cash[seat], cards=cards, collections=collections, total=total),
        )
