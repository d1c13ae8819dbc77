"""Demoludy: what is seen (demoludy.md §9)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.game import Finished
from fairdeal.games import demoludy
from fairdeal.games.demoludy import Hand, Options, Row, Stack, Table, Targets
from fairdeal.games.demoludy_cards import (
    ACTION_CARDS,
    DOLLARS,
    PRODUCTS,
    TEN,
    Front,
    add,
    fits,
    left_of,
    pack,
    remove,
    worth,
)
from fairdeal.games.demoludy_laying import most_worth
from fairdeal.games.foreign_goods import COLOURS, GOODS, Colour
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.projection import Projection


class Seen(Projection[Table, Hand]):
    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> Table:
        agreed = msgspec.convert(options, Options)
        tokens = {colour: [t for t, good in GOODS.items() if good.colour == colour] for colour in COLOURS}
        hidden = agreed.variant_points
        return Table(
            players=list(players),
            options=options,
            hands=[0] * len(players),
            deck=sum(pack(agreed.variant_actions).values()),
            stacks={
                colour: Stack(unseen=len(goods)) if hidden else Stack(seen=goods)
                for colour, goods in tokens.items()
            },
            cars=[[] for _ in players],
            rows=[Row() for _ in players],
        )

    def open_hand(self, seat: int, options: dict[str, Any]) -> Hand:
        return Hand()

    def fold_table(self, table: Table, event: Event) -> None:
        fold = _TABLE_FOLDS.get(type(event))
        if fold is not None:
            fold(table, event)

    def fold_hand(self, hand: Hand, table: Table, event: Event, seat: int) -> None:
        fold = _HAND_FOLDS.get(type(event))
        if fold is not None:
            fold(hand, event, seat)

    def offers(self, table: Table, hand: Hand, seat: int) -> Sequence[Offer]:
        if seat != table.turn:
            return ()
        return _OFFERS[table.phase](table, hand, seat, msgspec.convert(table.options, Options))

    def phase(self, table: Table) -> str:
        return table.phase

    def to_act(self, table: Table) -> Sequence[int]:
        return () if table.turn is None else (table.turn,)


# The table: cards


def _hand_dealt(table: Table, event: demoludy.HandDealt) -> None:
    table.hands[event.seat] += event.count
    table.deck = event.deck_left


def _card_drawn(table: Table, event: demoludy.CardDrawn) -> None:
    table.hands[event.seat] += 1
    table.deck = event.deck_left


def _deck_reshuffled(table: Table, event: demoludy.DeckReshuffled) -> None:
    table.deck = event.count
    table.discard = {}
    table.discard_unseen = 0


def _card_taken(table: Table, event: demoludy.CardTaken) -> None:
    _given(table, event.source, event.seat)


def _dollar_asked(table: Table, event: demoludy.DollarAsked) -> None:
    if event.answer:
        _given(table, event.target_seat, event.seat)
    if event.shown is not None:
        table.shown = demoludy.Shown(event.target_seat, event.shown)


def _given(table: Table, source: int, seat: int) -> None:
    table.hands[source] -= 1
    table.hands[seat] += 1


# The table: the auction


def _starter_drawn(table: Table, event: demoludy.StarterDrawn) -> None:
    table.starter = table.turn = event.seat


def _auction_opened(table: Table, event: demoludy.AuctionOpened) -> None:
    table.prize = table.stacks[GOODS[event.token].colour].seen.pop()
    table.bidders = _playing(table)
    table.phase = "bidding"
    _lay(table, event)
    _next_turn(table, event.seat)


def _cards_placed(table: Table, event: demoludy.CardsPlaced) -> None:
    _lay(table, event)
    table.played += len(event.cards) + event.hidden_count
    table.hiding = table.hiding or event.hidden_count > 0


def _lay(table: Table, event: demoludy.AuctionOpened | demoludy.CardsPlaced) -> None:
    row = table.rows[event.seat]
    row.cards.extend(event.cards)
    row.hidden += event.hidden_count
    row.total = event.total
    table.hands[event.seat] -= len(event.cards) + event.hidden_count
    table.tens.extend([event.seat] * event.cards.count(TEN))


def _playing(table: Table) -> list[int]:
    return [seat for seat in range(len(table.players)) if seat not in table.places]


def _next_turn(table: Table, seat: int) -> None:
    table.played = 0
    table.hiding = False
    if table.bidders:
        table.turn = left_of(table.bidders, seat)


def _turn_ended(table: Table, event: demoludy.TurnEnded) -> None:
    _next_turn(table, event.seat)


def _withdrawn(table: Table, event: demoludy.Withdrawn) -> None:
    _clear(table, event)
    table.bidders.remove(event.seat)
    if table.turn == event.seat:
        _next_turn(table, event.seat)
    if event.owes_token:
        table.phase = "returning"
        table.turn = event.seat


def _clear(table: Table, event: demoludy.Withdrawn | demoludy.AuctionWon) -> None:
    for card in event.cards:
        add(table.discard, card)
    if event.revealed is None:
        table.discard_unseen += event.hidden_count
    else:
        for card, count in event.revealed.items():
            add(table.discard, card, count)
    table.rows[event.seat] = Row()


def _start_skipped(table: Table, event: demoludy.StartSkipped) -> None:
    table.played = 0
    table.starter = table.turn = left_of(_playing(table), event.seat)


def _auction_won(table: Table, event: demoludy.AuctionWon) -> None:
    _clear(table, event)
    table.bidders = []
    table.tens = []
    table.played = 0
    table.hiding = False
    table.phase = "swapping"
    table.starter = table.turn = event.seat


# The table: action cards


def _action_played(table: Table, event: demoludy.ActionPlayed) -> None:
    table.hands[event.seat] -= 1
    add(table.discard, event.card)
    table.played += 1


def _table_discarded(table: Table, event: demoludy.TableDiscarded) -> None:
    row = table.rows[event.seat]
    for position in reversed(event.positions):
        add(table.discard, row.cards.pop(position))
    _count(row)


def _count(row: Row) -> None:
    row.total = worth(row.cards, row.hidden)


def _taken_back(table: Table, event: demoludy.TakenBack) -> None:
    row = table.rows[event.seat]
    row.cards.pop(event.position)
    _count(row)
    table.hands[event.seat] += 1
    if event.card == TEN:
        table.tens.remove(event.played_by)


def _cards_swapped(table: Table, event: demoludy.CardsSwapped) -> None:
    own, other = table.rows[event.seat], table.rows[event.target_seat]
    own.cards[event.position] = event.target_card
    other.cards[event.target_position] = event.card
    _count(own)
    _count(other)


# The table: tokens and seats


def _top_revealed(table: Table, event: demoludy.TopRevealed) -> None:
    stack = table.stacks[GOODS[event.token].colour]
    stack.seen.append(event.token)
    stack.unseen -= 1


def _token_taken(table: Table, event: demoludy.TokenTaken) -> None:
    table.cars[event.seat].append(event.token)
    _prize_gone(table)


def _token_returned(table: Table, event: demoludy.TokenReturned) -> None:
    table.stacks[GOODS[event.token].colour].seen.append(event.token)
    if event.seat is None:
        _prize_gone(table)
        return
    table.cars[event.seat].remove(event.token)
    if table.phase == "returning" and table.turn == event.seat:
        table.phase = "bidding"
        _next_turn(table, event.seat)


def _prize_gone(table: Table) -> None:
    table.prize = None
    table.tens = []  # also of an auction that nobody won
    table.phase = "opening"
    table.turn = table.starter


def _target_reached(table: Table, event: demoludy.TargetReached) -> None:
    table.places[event.seat] = event.place


def _seat_left(table: Table, event: demoludy.SeatLeft) -> None:
    table.discard_unseen += event.count
    table.hands[event.seat] = 0
    table.places[event.seat] = event.place
    if table.starter == event.seat:
        table.starter = left_of(_playing(table), event.seat)
        if table.phase == "opening":
            table.turn = table.starter
            table.played = 0


def _finished(table: Table, event: Finished) -> None:
    table.turn = None


_TABLE_FOLDS: dict[type, Callable[[Table, Any], None]] = {
    demoludy.StarterDrawn: _starter_drawn,
    demoludy.TopRevealed: _top_revealed,
    demoludy.HandDealt: _hand_dealt,
    demoludy.AuctionOpened: _auction_opened,
    demoludy.CardsPlaced: _cards_placed,
    demoludy.TurnEnded: _turn_ended,
    demoludy.Withdrawn: _withdrawn,
    demoludy.StartSkipped: _start_skipped,
    demoludy.DeckReshuffled: _deck_reshuffled,
    demoludy.CardDrawn: _card_drawn,
    demoludy.ActionPlayed: _action_played,
    demoludy.CardTaken: _card_taken,
    demoludy.DollarAsked: _dollar_asked,
    demoludy.TableDiscarded: _table_discarded,
    demoludy.TakenBack: _taken_back,
    demoludy.CardsSwapped: _cards_swapped,
    demoludy.AuctionWon: _auction_won,
    demoludy.TokenTaken: _token_taken,
    demoludy.TokenReturned: _token_returned,
    demoludy.TargetReached: _target_reached,
    demoludy.SeatLeft: _seat_left,
    Finished: _finished,
}


# The hand


def _own_deal(hand: Hand, event: demoludy.HandDealt, seat: int) -> None:
    for card in event.cards or ():
        add(hand.cards, card)


def _own_draw(hand: Hand, event: demoludy.CardDrawn, seat: int) -> None:
    if event.card is not None:
        add(hand.cards, event.card)


def _own_laid(hand: Hand, event: demoludy.AuctionOpened | demoludy.CardsPlaced, seat: int) -> None:
    if event.hidden is None:
        return
    for card in event.cards:
        remove(hand.cards, card)
    for card, count in event.hidden.items():
        remove(hand.cards, card, count)
        add(hand.hidden, card, count)


def _own_cleared(hand: Hand, event: demoludy.Withdrawn | demoludy.AuctionWon, seat: int) -> None:
    if event.seat == seat:
        hand.hidden = {}


def _own_action(hand: Hand, event: demoludy.ActionPlayed, seat: int) -> None:
    if event.seat == seat:
        remove(hand.cards, event.card)


def _own_card_taken(hand: Hand, event: demoludy.CardTaken, seat: int) -> None:
    _own_given(hand, event.card, event.seat == seat)


def _own_dollar(hand: Hand, event: demoludy.DollarAsked, seat: int) -> None:
    _own_given(hand, event.card, event.seat == seat)
    if event.hand is not None and event.seat == seat:
        hand.shown = demoludy.Shown(event.target_seat, event.hand)


def _own_given(hand: Hand, card: str | None, got: bool) -> None:
    """A card changed hands between two seats, which alone know which one."""
    if card is not None:
        (add if got else remove)(hand.cards, card)


def _own_taken_back(hand: Hand, event: demoludy.TakenBack, seat: int) -> None:
    if event.seat == seat:
        add(hand.cards, event.card)


def _own_leave(hand: Hand, event: demoludy.SeatLeft, seat: int) -> None:
    if event.seat == seat:
        hand.cards = {}


_HAND_FOLDS: dict[type, Callable[[Hand, Any, int], None]] = {
    demoludy.HandDealt: _own_deal,
    demoludy.CardDrawn: _own_draw,
    demoludy.AuctionOpened: _own_laid,
    demoludy.CardsPlaced: _own_laid,
    demoludy.Withdrawn: _own_cleared,
    demoludy.AuctionWon: _own_cleared,
    demoludy.ActionPlayed: _own_action,
    demoludy.CardTaken: _own_card_taken,
    demoludy.DollarAsked: _own_dollar,
    demoludy.TakenBack: _own_taken_back,
    demoludy.SeatLeft: _own_leave,
}


# Offers


def _opening(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    colours: dict[Colour, dict[str, int]] = {}
    for colour in COLOURS:
        products = {
            card: count
            for card, count in hand.cards.items()
            if card in PRODUCTS and PRODUCTS[card].colour == colour
        }
        if products and table.stacks[colour].seen:
            colours[colour] = products
    if not colours:
        return [demoludy.SkipOpenOffer(), *_actions(table, hand, seat, options)]
    opens = demoludy.OpenOffer(
        colours=colours,
        dollars={card: count for card, count in hand.cards.items() if card in DOLLARS},
        tens=1,
        hidden=_hideable(hand, options),
    )
    return [opens, *_actions(table, hand, seat, options)]


def _hideable(hand: Hand, options: Options) -> dict[str, int]:
    return {card: count for card, count in hand.cards.items() if options.hidden_any_card or card in PRODUCTS}


def _bidding(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    assert table.prize is not None
    colour = GOODS[table.prize].colour
    blocked = bool(table.tens) if options.ten_limit == "per_auction" else seat in table.tens
    tens = 0 if blocked else 1
    cards = {
        card: count for card, count in hand.cards.items() if fits(card, colour) and (tens or card != TEN)
    }
    own = table.rows[seat]
    hidden = {} if own.hidden and not table.hiding else _hideable(hand, options)
    to_beat = max(table.rows[other].total for other in table.bidders if other != seat)
    offers: list[Offer] = []
    if cards or hidden:
        offers.append(demoludy.PlaceOffer(cards=cards, tens=tens, hidden=hidden))
        at_least = max(1, to_beat + 1 - own.total)
        if most_worth(cards, tens, hidden) >= at_least:
            offers.append(demoludy.BidOffer(cards=cards, tens=tens, hidden=hidden, at_least=at_least))
    if table.played and own.total > to_beat:
        offers.append(demoludy.EndTurnOffer())
    return [*offers, demoludy.WithdrawOffer(), *_actions(table, hand, seat, options)]


def _actions(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    held = [card for card in hand.cards if card in ACTION_CARDS]
    if not held:
        return []
    front = Front(
        [row.cards for row in table.rows],
        [row.hidden for row in table.rows],
        table.hands,
        table.bidders,
        options.last_card_counts_hidden,
    )
    playable = {
        card: Targets(*targets) for card in held if (targets := front.targets(card, seat)) is not None
    }
    return [demoludy.PlayActionOffer(cards=playable)] if playable else []


def _swapping(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    return [demoludy.KeepOutOffer(), demoludy.SwapOffer(colours=_own_colours(table, seat))]


def _returning(table: Table, hand: Hand, seat: int, options: Options) -> list[Offer]:
    return [demoludy.ReturnTokenOffer(colours=_own_colours(table, seat))]


def _own_colours(table: Table, seat: int) -> tuple[Colour, ...]:
    return tuple(GOODS[token].colour for token in table.cars[seat])


_OFFERS: Mapping[demoludy.Phase, Callable[[Table, Hand, int, Options], list[Offer]]] = {
    "opening": _opening,
    "bidding": _bidding,
    "swapping": _swapping,
    "returning": _returning,
}
