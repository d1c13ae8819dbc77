"""Pan tu nie stał!: what has to hold of a state (pan_tu_nie_stal.md §12)."""

from collections.abc import Iterator

import msgspec

from fairdeal.games.foreign_goods import GOODS as FOREIGN
from fairdeal.games.pan_tu_nie_stal_queues import GOODS, QUEUES, Queue, counts, pack, recount, score
from fairdeal.games.pan_tu_nie_stal_table import awaited, playing
from fairdeal_rules.games.pan_tu_nie_stal_state import Cards, State

Laws = Iterator[tuple[str, bool]]
"""A sentence, and whether it holds."""


def invariants(state: State) -> Laws:
    """The invariants of pan_tu_nie_stal.md §12 that concern one state, each with whether it holds."""
    yield from _tokens(state)
    yield from _cards(state)
    for number, queue in enumerate(state.table.queues):
        yield from _queue(state, number, queue)
    yield from _turn(state)
    over = state.over
    if over is not None:
        scores = tuple([score(*goods) for goods in zip(state.won, state.table.foreign, strict=True)])
        yield "the scores can be reckoned from the tokens", over.scores == scores


def _tokens(state: State) -> Laws:
    """Invariants 1 and 9."""
    table = state.table
    shops = [queue for queue in table.queues if queue.kind == "shop"]
    claims = [queue.claim.token for queue in shops if queue.claim is not None]
    regular = [*state.tokens, *table.removed, *claims]
    regular += [token for queue in shops for token in queue.goods]
    regular += [token for won in state.won for token in won]
    yield "each regular token is in exactly one place", sorted(regular) == sorted(GOODS)
    foreign = list(state.foreign)
    foreign += [token for queue in table.queues if queue.kind == "bazaar" for token in queue.goods]
    foreign += [token for own in table.foreign for token in own]
    expected = sorted(FOREIGN) if state.options.expansion_bazaar else []
    yield "each foreign token is in exactly one place", sorted(foreign) == expected
    yield "the stack is as high as its tokens", table.stack == len(state.tokens)
    yield "the foreign stack is as high as its tokens", table.foreign_stack == len(state.foreign)
    yield "an even number of tokens is left", not table.stack % 2
    yield "as many tokens were won as counted", table.won_counts == list(map(len, state.won))


def _cards(state: State) -> Laws:
    """Invariant 2."""
    table = state.table
    full = pack(state.options.deck_size, state.options.specials)
    queued: list[Cards] = [{} for _ in state.hands]
    for queue in table.queues:
        for one in queue.line:
            queued[one.seat][one.card] = queued[one.seat].get(one.card, 0) + 1
    for seat, hand in enumerate(state.hands):
        found: Cards = dict.fromkeys(full, 0)
        for pile in (hand, state.decks[seat], table.box[seat], queued[seat]):
            for card, copies in pile.items():
                found[card] += copies
        whole = sum(found.values()) + table.box_unseen[seat] == sum(full.values())
        no_more = all(copies <= full[card] for card, copies in found.items())
        yield f"each card of seat {seat} is in one place", whole and no_more
        stays = not table.box_unseen[seat] or seat in table.places
        yield f"seat {seat} has unseen cards in the box only if it left", stays
        yield f"hand {seat} is as big as its cards", table.hands[seat] == sum(hand.values())
        yield f"hand {seat} counts no card that is not there", all(copies > 0 for copies in hand.values())
        yield f"deck {seat} is as high as its cards", table.decks[seat] == sum(state.decks[seat].values())


def _queue(state: State, number: int, queue: Queue) -> Laws:
    """Invariants 3, 4 and 7, and that what is kept of a queue is what can be reckoned."""
    options, line = state.options, queue.line
    if queue.kind == "bazaar":
        yield "the Bazaar has no claims", queue.claim is None
    elif state.over is None:
        full = len(queue.goods) == 2 and queue.claim is None
        half = len(queue.goods) == 1 and queue.claim is not None
        closed = not queue.goods and queue.claim is None and not line
        yield f"shop {number} has two goods, one and a claim, or nothing", full or half or closed
    values = counts(line, options.mother_duration == "standing")
    bare = [s.covered_by is None for s in line]
    yield (
        f"covered cards in queue {number} count nothing, all others something",
        all((value > 0) == free for value, free in zip(values, bare, strict=True)),
    )
    again = msgspec.structs.replace(queue)
    recount(again, options.mother_duration == "standing", options.absent_counts_zero)
    kept = (queue.totals, queue.leader) == (again.totals, again.leader)
    yield f"totals and advantage of queue {number} are right", kept
    coverers = [s.covered_by for s in line if s.covered_by is not None]
    yield f"each cover in queue {number} lies on one card", len(set(coverers)) == len(coverers)
    yield (
        f"only brawlers that came later cover in queue {number}",
        all(
            place < s.covered_by < len(line) and line[s.covered_by].card == "brawler"
            for place, s in enumerate(line)
            if s.covered_by is not None
        ),
    )


def _turn(state: State) -> Laws:
    """Invariants 6 and 8, and that somebody who can act is waited for."""
    table, seats = state.table, len(state.hands)
    bazaars = [queue.kind for queue in table.queues].count("bazaar")
    yield "there are as many queues as seats ask for", len(table.queues) == QUEUES[seats]
    yield "there is a Bazaar if it was agreed on", bazaars == state.options.expansion_bazaar
    yield "a turn has two actions", 0 <= table.actions_left <= 2
    yield "no queue is used twice in a turn", len(set(table.checked)) == len(table.checked)
    if state.over is not None:
        yield "nobody is waited for after the end", awaited(table) is None
        return
    yield "a seat that plays is waited for", awaited(table) in playing(table)
    picking = table.picking
    if picking is not None:
        falling = picking.totals == sorted(picking.totals, reverse=True)
        yield "picks go by falling totals", falling and len(picking.totals) == len(picking.order)
        yield (
            "only seats that are present pick",
            all(total > 0 for total in picking.totals) or (not state.options.absent_counts_zero),
        )
        yield "there is something to pick", bool(table.queues[-1].goods)
    else:
        yield "the seat on turn plays", table.turn in playing(table)
    spent = [seat for seat in playing(table) if not table.hands[seat] and not table.decks[seat]]
    yield "the last round has begun if a seat has no cards left", not spent or table.last_round_by is not None
