"""Kuhhandel: what must hold of every state (kuhhandel.md §17)."""

from collections.abc import Iterator

from fairdeal.games.kuhhandel import ANIMALS, DONKEY, QUARTET, VALUES
from fairdeal.games.kuhhandel_money import MONEY, Heap, plus, size, total
from fairdeal_rules.games.kuhhandel_state import State, contenders, incomplete, quartets, score, stakes


def violations(state: State) -> list[str]:
    """The invariants that a state breaks, a sentence each."""
    groups = (_animals, _money, _phases, _auction, _trade, _end)
    return [sentence for group in groups for sentence, holds in group(state) if not holds]


Claims = Iterator[tuple[str, bool]]


def _animals(state: State) -> Claims:
    lot = state.auction.lot if state.auction else ()
    for species in VALUES:
        owned = [animals[species] for animals in state.animals]
        there = state.deck[species] + lot.count(species) + sum(owned)
        yield f"there are {there} of {species}", there == QUARTET
        yield f"{species} is owned {owned} times", min(owned) >= 0 and max(owned) <= QUARTET
    yield "the deck's count is off", state.deck_left == sum(state.deck.values()) <= ANIMALS
    yield "the donkeys' count is off", state.donkeys == QUARTET - state.deck[DONKEY]


def _money(state: State) -> Claims:
    heaps = [*state.money, *_on_the_table(state)]
    out: Heap = {}
    for heap in heaps:
        out = plus(out, heap)
    box, start = MONEY[state.options.money_set]
    yield "money was created or destroyed", plus(out, state.bank) == box
    yield "a heap has a count below one", all(count > 0 for heap in heaps for count in heap.values())
    yield "the ceiling is not what was dealt and paid out", total(out) == state.ceiling
    cards = state.seats * (size(start) + state.donkeys)
    yield f"{size(out)} cards are out of the bank, should be {cards}", size(out) == cards


def _on_the_table(state: State) -> list[Heap]:
    return [state.trade.offer, state.trade.counter] if state.trade else []


def _phases(state: State) -> Claims:
    kind = state.phase.partition("_")[0]
    yield f"an auction runs in {state.phase}", (state.auction is not None) == (kind == "auction")
    yield f"a trade runs in {state.phase}", (state.trade is not None) == (kind == "trade")
    yield "it is nobody's turn", 0 <= state.turn < state.seats
    if state.phase == "trade_reoffer":
        yield "heaps lie on the table though the offer is to be made anew", not any(_on_the_table(state))
    if state.phase == "turn" and not state.deck_left:
        for seat in range(state.seats):
            may_trade = any(stakes(state, seat, other) for other in range(state.seats) if other != seat)
            yield f"seat {seat} is incomplete but cannot trade", incomplete(state, seat) == may_trade
        yield (
            "the turn is with a seat that cannot act",
            state.ended is not None or incomplete(state, state.turn),
        )
    if state.ended is None and kind == "turn":
        yield "a seat that has resigned is waited for", state.turn not in state.resigned


def _auction(state: State) -> Claims:
    auction = state.auction
    if auction is None:
        return
    out = {auction.auctioneer, *auction.excluded}
    yield "the auctioneer or an excluded seat bids", not out & auction.bids.keys()
    yield "the high bid is not the highest", auction.price == max(auction.bids.values(), default=0)
    yield "the high bidder did not bid it", auction.bids.get(auction.high, 0) == auction.price  # type: ignore[arg-type]
    yield "a bid exceeds all money there is", auction.price <= state.ceiling
    yield "a bid is off the step", all(bid % state.options.bid_step == 0 for bid in auction.bids.values())
    yield "more than two calls stand", 0 <= auction.calls <= 2 or state.phase != "auction_open"
    if state.phase == "auction_open" and state.ended is None:
        left = contenders(state, auction)
        yield "an open auction waits for nobody", bool(left)
        yield "the bidding is with a seat that cannot bid", auction.turn is None or auction.turn in left
    if state.phase == "auction_payment":
        assert auction.payer is not None
        parties = (auction.auctioneer, auction.high)
        yield "somebody else pays", auction.payer in parties
        yield "the payer cannot pay", total(state.money[auction.payer]) >= auction.price


def _trade(state: State) -> Claims:
    trade = state.trade
    if trade is None:
        return
    counts = (state.animals[trade.challenger][trade.species], state.animals[trade.target][trade.species])
    yield "the stake is not the smaller count", trade.stake == min(counts)
    yield "the stake is neither one nor two", trade.stake in (1, 2)
    yield "two are at stake otherwise than two against two", (trade.stake == 2) == (counts == (2, 2))
    yield "a seat trades with itself", trade.challenger != trade.target
    yield "a challenger trades out of turn", trade.challenger == state.turn
    yield "a third round", trade.round in (1, 2)


def _end(state: State) -> Claims:
    complete = [len(quartets(state, seat)) for seat in range(state.seats)]
    everything = sum(complete) == len(VALUES)
    yield (
        "all is complete and the game goes on",
        (state.ended == "all_complete") == (everything and state.auction is None),
    )
    limit = state.options.max_trades_after_deck
    if limit is not None:
        yield "more trades than the limit", state.late_trades <= limit
    if state.ended == "all_complete":
        yield (
            "the game ends before forty animals are auctioned",
            state.deck_left == 0 and state.donkeys == QUARTET,
        )
        yield "a score is beyond all bounds", all(score(state, seat) <= 38500 for seat in range(state.seats))
