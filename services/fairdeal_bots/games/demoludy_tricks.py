"""What `bot:steady` does with Demoludy's action cards."""

from collections.abc import Iterator, Sequence

from fairdeal.games.demoludy import Hand, PlayAction, PlayActionOffer, Table
from fairdeal.games.demoludy_cards import (
    BAZAAR,
    BROTHERHOOD,
    CAR_TROUBLE,
    CUSTOMS_OFFICER,
    MONEY_CHANGER,
    PETROL_STATION,
    POLICEMAN,
    VALUES,
    Front,
    worth,
)
from fairdeal.view import View

SteadyView = View[Table, Hand]


def rob(view: SteadyView) -> PlayAction | None:
    """Money Changer and Policeman cost nothing: on whoever has the most cards."""
    offer: PlayActionOffer | None = view.offer(PlayAction)
    for card in (MONEY_CHANGER, POLICEMAN):
        if offer is not None and card in offer.cards:
            target = max(offer.cards[card].seats, key=view.table.hands.__getitem__)
            return PlayAction(card, target_seat=target)
    return None


def take_back(view: SteadyView) -> PlayAction | None:
    """Before withdrawing, Petrol Station saves the best card on the table."""
    offer: PlayActionOffer | None = view.offer(PlayAction)
    if offer is None or PETROL_STATION not in offer.cards:
        return None
    assert view.seat is not None
    row = view.table.rows[view.seat].cards
    return PlayAction(PETROL_STATION, own_card=max(range(len(row)), key=lambda at: VALUES[row[at]]))


def tricks(view: SteadyView) -> Iterator[tuple[int, PlayAction]]:
    """What may be done to the cards on the table, each with how many points nearer to the lead it brings."""
    offer: PlayActionOffer | None = view.offer(PlayAction)
    if offer is None:
        return
    seat = view.seat
    assert seat is not None
    rows = [list(row.cards) for row in view.table.rows]
    lead = _lead(view, seat, rows)
    for card, targets in offer.cards.items():
        if card in (CUSTOMS_OFFICER, BROTHERHOOD):
            yield _lead(view, seat, _struck(view, seat, card)) - lead, PlayAction(card)
        for target, places in targets.seats.items():
            for theirs in range(places):
                if card == CAR_TROUBLE:
                    after = [list(row) for row in rows]
                    del after[target][theirs]
                    play = PlayAction(card, target_seat=target, target_card=theirs)
                    yield _lead(view, seat, after) - lead, play
                elif card == BAZAAR:
                    own = min(range(targets.own_cards), key=lambda at: VALUES[rows[seat][at]])
                    after = [list(row) for row in rows]
                    after[seat][own], after[target][theirs] = rows[target][theirs], rows[seat][own]
                    play = PlayAction(card, target_seat=target, own_card=own, target_card=theirs)
                    yield _lead(view, seat, after) - lead, play


def _lead(view: SteadyView, seat: int, rows: Sequence[Sequence[str]]) -> int:
    """How far ahead of all others a seat would be with these rows; negative when it is behind."""
    totals = {s: worth(rows[s], view.table.rows[s].hidden) for s in view.table.bidders}
    return totals[seat] - max(total for s, total in totals.items() if s != seat)


def _struck(view: SteadyView, seat: int, card: str) -> list[list[str]]:
    """The rows after Customs Officer or Brotherhood."""
    table = view.table
    rows = [list(row.cards) for row in table.rows]
    hidden = [row.hidden for row in table.rows]
    front = Front(rows, hidden, table.hands, table.bidders, table.options["last_card_counts_hidden"])
    if card == CUSTOMS_OFFICER:
        struck = [s for s in table.bidders if s != seat and front.can_lose(s)]
        return [row[:-1] if s in struck else row for s, row in enumerate(rows)]
    lost = [front.lost_vodka(s) for s in range(len(rows))]
    return [[card for at, card in enumerate(row) if at not in lost[s]] for s, row in enumerate(rows)]
