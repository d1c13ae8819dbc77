"""Perudo: what is seen (perudo.md §9).

Every fold takes any event in any order, raises nothing and ends: what a damaged log shows may be nonsense, but
it holds nobody up.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import msgspec

from fairdeal.game import Finished, Resigned
from fairdeal.games import perudo
from fairdeal.games.perudo import ACE, FACES, MAX_QUANTITY, NUMBERS
from fairdeal.view import Offer
from fairdeal.visibility import Event
from fairdeal_views.projection import Projection


class Table(perudo.Table, dict=True):
    """The table, and beside it what is never shown because the rest of it says so."""

    @cached_property
    def agreed(self) -> perudo.Options:
        """The options as a record."""
        return msgspec.convert(self.options, perudo.Options)


class Seen(Projection[Table, perudo.Hand]):
    hand_events = frozenset({perudo.RoundStarted, perudo.DiceRevealed, perudo.PlayerEliminated})

    def open_table(self, players: Sequence[str], options: dict[str, Any]) -> Table:
        table = Table(players=list(players), options=options, dice=None, bag=None)
        if table.agreed.show_dice_counts:
            table.dice, table.bag = [table.agreed.dice_per_player] * len(players), 0
        return table

    def open_hand(self, seat: int, options: dict[str, Any]) -> perudo.Hand:
        return perudo.Hand()

    def fold_table(self, table: Table, event: Event) -> None:
        fold = _FOLDS.get(type(event))
        if fold is not None:
            fold(table, event)

    def fold_hand(self, hand: perudo.Hand, table: Table, event: Event, seat: int) -> None:
        if isinstance(event, perudo.RoundStarted):
            hand.dice = (event.dice[seat] if event.dice else None) or ()
        elif isinstance(event, perudo.DiceRevealed) or (
            isinstance(event, perudo.PlayerEliminated) and event.seat == seat
        ):
            hand.dice = ()

    def offers(self, table: Table, hand: perudo.Hand, seat: int) -> Sequence[Offer]:
        options = table.agreed
        if seat in table.eliminated or (seat != table.turn and not options.calza):
            return ()
        if table.declaring:
            return (perudo.DeclareOffer(),) if seat == table.turn else ()
        offers: list[Offer] = []
        if seat == table.turn:
            quantities = _legal_quantities(table, options, seat, len(hand.dice))
            if quantities:
                offers.append(perudo.BidOffer(quantities=quantities))
            if table.bid is not None:
                offers.append(perudo.DudoOffer())
        if options.calza and _may_call_calza(table, options, seat, len(hand.dice)):
            offers.append(perudo.CalzaOffer())
        return offers

    def phase(self, table: Table) -> str:
        return "declaring" if table.declaring else "bidding"

    def to_act(self, table: Table) -> Sequence[int]:
        return () if table.turn is None else (table.turn,)


# The table


def _start_rolled(table: Table, event: perudo.StartRolled) -> None:
    table.roll_off.append(perudo.RollOff(event.seats, event.rolls))


def _round_started(table: Table, event: perudo.RoundStarted) -> None:
    table.round = event.round
    table.kind = event.kind
    table.starter = table.turn = event.starter
    table.declaring = False
    table.bid = None
    table.bids = []
    table.palafico_seat = None
    if event.kind == "palafico":
        table.palafico_seat = event.starter
        if event.starter not in table.palafico_done:
            table.palafico_done.append(event.starter)
    if event.round > 1:
        table.roll_off = []


def _bid_placed(table: Table, event: perudo.BidPlaced) -> None:
    table.bid = perudo.StandingBid(event.seat, event.quantity, event.face)
    table.bids.append(table.bid)
    table.turn = _next_active(table, event.seat)


def _next_active(table: Table, seat: int) -> int | None:
    seats = len(table.players)
    clockwise = ((seat + step) % seats for step in range(1, seats + 1))
    return next((following for following in clockwise if following not in table.eliminated), None)


def _called(table: Table, event: perudo.DudoCalled | perudo.CalzaCalled) -> None:
    if table.bid is None:
        return
    table.last_reveal = perudo.Reveal(
        round=table.round,
        kind=table.kind,
        call="dudo" if isinstance(event, perudo.DudoCalled) else "calza",
        caller=event.seat,
        bid=table.bid,
        hands=(),
        order=(),
        wild=False,
        count=0,
    )


def _dice_revealed(table: Table, event: perudo.DiceRevealed) -> None:
    reveal = table.last_reveal
    if reveal is None:
        return
    reveal.hands = event.hands
    reveal.order = _order_of_showing(reveal)
    reveal.wild = reveal.kind == "standard" and reveal.bid.face != ACE
    reveal.count = event.count


def _order_of_showing(reveal: perudo.Reveal) -> tuple[int, ...]:
    """The seats with dice, clockwise from the caller on; the bidder comes last after a Dudo (perudo.md §8.2)."""
    seats = len(reveal.hands)
    order = [seat for step in range(seats) if reveal.hands[seat := (reveal.caller + step) % seats]]
    if reveal.call == "dudo" and reveal.bid.seat in order:
        order.remove(reveal.bid.seat)
        order.append(reveal.bid.seat)
    return tuple(order)


def _die_lost(table: Table, event: perudo.DieLost) -> None:
    _change_dice(table, event.seat, -event.lost)


def _die_regained(table: Table, event: perudo.DieRegained) -> None:
    _change_dice(table, event.seat, event.gained)


def _no_die_regained(table: Table, event: perudo.NoDieRegained) -> None:
    _change_dice(table, event.seat, 0)


def _change_dice(table: Table, seat: int, change: int) -> None:
    if table.last_reveal is not None:
        table.last_reveal.changes[seat] = change
    if table.dice is not None and table.bag is not None and 0 <= seat < len(table.dice):
        table.dice[seat] += change
        table.bag -= change


def _resigned(table: Table, event: Resigned) -> None:
    if table.dice is not None and table.bag is not None and 0 <= event.seat < len(table.dice):
        table.bag += table.dice[event.seat]
        table.dice[event.seat] = 0


def _player_eliminated(table: Table, event: perudo.PlayerEliminated) -> None:
    table.eliminated.append(event.seat)


def _palafico_earned(table: Table, event: perudo.PalaficoEarned) -> None:
    table.declaring = True
    table.turn = event.seat
    table.bid = None
    table.bids = []


def _finished(table: Table, event: Finished) -> None:
    table.turn = None
    table.declaring = False


_FOLDS: dict[type, Callable[[Table, Any], None]] = {
    perudo.StartRolled: _start_rolled,
    perudo.RoundStarted: _round_started,
    perudo.BidPlaced: _bid_placed,
    perudo.DudoCalled: _called,
    perudo.CalzaCalled: _called,
    perudo.DiceRevealed: _dice_revealed,
    perudo.DieLost: _die_lost,
    perudo.DieRegained: _die_regained,
    perudo.NoDieRegained: _no_die_regained,
    Resigned: _resigned,
    perudo.PlayerEliminated: _player_eliminated,
    perudo.PalaficoEarned: _palafico_earned,
    Finished: _finished,
}


# Offers


def _legal_quantities(
    table: Table, options: perudo.Options, seat: int, dice: int
) -> dict[int, tuple[int, int]]:
    """The lowest and the highest quantity for each face that may be bid; `dice` are the seat's own."""
    highest = _highest_quantity(table, options)
    if table.bid is None:
        aces = table.kind == "palafico" or options.opening_aces
        return dict.fromkeys(FACES if aces else NUMBERS, (1, highest))
    locked = table.kind == "palafico" and not _may_change_value(table, options, seat, dice)
    quantities = {}
    for face in (table.bid.face,) if locked else FACES:
        span = _raise_span(table, table.bid, options, face, highest)
        if span[0] <= span[1]:
            quantities[face] = span
    return quantities


def _highest_quantity(table: Table, options: perudo.Options) -> int:
    if not options.cap_bid_to_dice:
        return MAX_QUANTITY
    if table.dice is None:
        return options.dice_per_player * len(table.players)
    return sum(table.dice)


def _raise_span(
    table: Table, bid: perudo.StandingBid, options: perudo.Options, face: int, highest: int
) -> tuple[int, int]:
    """The quantities of a face that raise the standing bid: (lowest, highest), crossed when there are none."""
    palafico = table.kind == "palafico"
    if (face == ACE) != (bid.face == ACE) and (not palafico or options.palafico_ace_conversion):
        if face != ACE:
            return 2 * bid.quantity + (options.ace_return == "double_plus_one"), highest
        half = max(1, (bid.quantity + (options.ace_half_rounding == "up")) // 2)
        # No number of aces above half the standing bid can have been bid before: each way back from
        # aces at least doubles.
        repeated = any(earlier.face == ACE and earlier.quantity == half for earlier in table.bids)
        return half + repeated, highest
    if face < bid.face:
        if options.raise_style == "one_thing" or (
            palafico and options.palafico_exempt_scope == "raise_value"
        ):
            return 1, 0
        return bid.quantity + 1, highest
    if face == bid.face:
        return bid.quantity + 1, highest
    return bid.quantity, bid.quantity if options.raise_style == "one_thing" else highest


def _may_change_value(table: Table, options: perudo.Options, seat: int, dice: int) -> bool:
    if options.palafico_lock_lifts_after_circle and len(table.bids) >= _active(table):
        return True
    if seat == table.palafico_seat:
        return options.palafico_opener_may_raise_value
    if dice != 1 or options.palafico_exempt == "nobody":
        return False
    return options.palafico_exempt == "any_one_die" or seat in table.palafico_done


def _active(table: Table) -> int:
    return len(table.players) - len(table.eliminated)


def _may_call_calza(table: Table, options: perudo.Options, seat: int, dice: int) -> bool:
    if table.bid is None or table.kind == "palafico":
        return False
    if _active(table) == 2 and not options.calza_two_players:
        return False
    at_start = options.dice_per_player * len(table.players)
    if table.dice is not None and sum(table.dice) < options.calza_min_dice_fraction * at_start:
        return False
    if seat == table.turn and not options.calza_by_player_in_turn:
        return False
    if seat == table.bid.seat and not options.calza_by_bidder:
        return False
    return dice < options.dice_per_player or not options.calza_requires_missing_die
