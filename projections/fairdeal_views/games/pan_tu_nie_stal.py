"""Pan tu nie stał!: what is seen (pan_tu_nie_stal.md §7). `pan_tu_nie_stal_fold` of the contract folds the table."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from fairdeal.games import pan_tu_nie_stal
from fairdeal.games.pan_tu_nie_stal import (
    CardDrawn,
    CardsPlayed,
    GameOver,
    HandDealt,
    Options,
    SeatLeft,
    ShopSettled,
)
from fairdeal.games.pan_tu_nie_stal_fold import Board, fold, open_board
from fairdeal.games.pan_tu_nie_stal_queues import BRAWLER, RUNNER
from fairdeal.games.pan_tu_nie_stal_table import (
    Hand,
    Phase,
    awaited,
    led,
    must_act,
    open_queues,
    phase_of,
    uncovered,
)
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.projection import Projection


class Seen(Projection[Board, Hand]):
    hand_events = frozenset({HandDealt, CardDrawn, CardsPlayed, ShopSettled, SeatLeft, GameOver})

    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> Board:
        return open_board(players, options, msgspec.convert(options, Options).show_won)

    def open_hand(self, seat: int, options: dict[str, Any]) -> Hand:
        return Hand()

    def fold_table(self, table: Board, event: Event) -> None:
        fold(table, event)

    def fold_hand(self, hand: Hand, table: Board, event: Event, seat: int) -> None:
        change = _HAND_FOLDS.get(type(event))
        if change is not None:
            change(hand, event, seat)

    def offers(self, table: Board, hand: Hand, seat: int) -> Sequence[Offer]:
        return () if seat != awaited(table) else _OFFERS[phase_of(table)](table, hand, seat)

    def phase(self, table: Board) -> str:
        return phase_of(table)

    def to_act(self, table: Board) -> Sequence[int]:
        seat = awaited(table)
        return () if seat is None else (seat,)


# The hand


def _own_deal(hand: Hand, event: HandDealt, seat: int) -> None:
    for card in event.cards or ():
        hand.cards[card] = hand.cards.get(card, 0) + 1


def _own_draw(hand: Hand, event: CardDrawn, seat: int) -> None:
    if event.card is not None:
        hand.cards[event.card] = hand.cards.get(event.card, 0) + 1


def _own_play(hand: Hand, event: CardsPlayed, seat: int) -> None:
    if event.seat == seat:
        card = event.cards[0]
        hand.cards[card] -= len(event.cards)
        if not hand.cards[card]:
            del hand.cards[card]


def _own_awards(hand: Hand, event: ShopSettled | GameOver, seat: int) -> None:
    hand.won += [award.token for award in event.awards if award.seat == seat]


def _own_leave(hand: Hand, event: SeatLeft, seat: int) -> None:
    if event.seat == seat:
        hand.cards = {}


_HAND_FOLDS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    HandDealt: _own_deal,
    CardDrawn: _own_draw,
    CardsPlayed: _own_play,
    ShopSettled: _own_awards,
    SeatLeft: _own_leave,
    GameOver: _own_awards,
}


# Offers


def _looking(table: Board, hand: Hand, seat: int) -> list[Offer]:
    """What the look at the queues leaves open (§5.1)."""
    queues, numbers = table.queues, list(led(table))
    shops = {number: tuple(queues[number].goods) for number in numbers if queues[number].kind == "shop"}
    offers: list[Offer] = []
    if shops:
        offers.append(pan_tu_nie_stal.ClaimOffer(queues=shops))
    if len(shops) < len(numbers):
        offers.append(pan_tu_nie_stal.StartBazaarOffer())
    if not numbers or table.agreed.optional_claim:
        offers.append(pan_tu_nie_stal.CheckedOffer())
    return offers


def _picking(table: Board, hand: Hand, seat: int) -> list[Offer]:
    return [pan_tu_nie_stal.PickOffer(tokens=tuple(table.queues[-1].goods))]


def _refilling(table: Board, hand: Hand, seat: int) -> list[Offer]:
    return [pan_tu_nie_stal.RefillBazaarOffer()]


def _acting(table: Board, hand: Hand, seat: int) -> list[Offer]:
    """Actions as long as there are any, runners always (§5.3)."""
    offers: list[Offer] = []
    queues = open_queues(table)
    if table.actions_left:
        if table.decks[seat]:
            offers.append(pan_tu_nie_stal.DrawOffer())
        if hand.cards and queues:
            fights = BRAWLER in hand.cards
            covers = {number: uncovered(table.queues[number]) for number in queues} if fights else {}
            offers.append(pan_tu_nie_stal.PlayOffer(queues=queues, cards=dict(hand.cards), covers=covers))
    limit = table.agreed.runner_limit
    if RUNNER in hand.cards and queues and (limit is None or table.runners < limit):
        offers.append(pan_tu_nie_stal.PlayFreeOffer(queues=queues))
    if not must_act(table):
        offers.append(pan_tu_nie_stal.EndTurnOffer())
    return offers


_OFFERS: Final[dict[Phase, Callable[[Board, Hand, int], list[Offer]]]] = {
    "check": _looking,
    "final_check": _looking,
    "bazaar_pick": _picking,
    "bazaar_refill": _refilling,
    "act": _acting,
}
