"""Real or Fake: how an auction goes round, which rules and views follow alike (real_or_fake.md §5.2).

`seats` is how many the game has, `out` the seats that are bankrupt or have resigned.
"""

from collections.abc import Collection

from fairdeal.games.real_or_fake import Auction, Options, PlacedBid


def in_turn_order(seats: int, out: Collection[int], starter: int) -> list[int]:
    """All living seats, clockwise from the starter on."""
    order = ((starter + step) % seats for step in range(seats))
    return [seat for seat in order if seat not in out]


def open_bidding(auction: Auction, seats: int, out: Collection[int], starter: int) -> None:
    """Begin, or begin anew, among all living seats that did not overbid."""
    living = in_turn_order(seats, out, starter)
    auction.bidders = [seat for seat in living if seat not in auction.excluded]
    auction.starter = auction.bidder = starter
    auction.high = None


def least_bid(auction: Auction, options: Options) -> int:
    """What has to be bid at least."""
    return options.min_bid if auction.high is None else auction.high.amount + options.bid_step


def place_bid(auction: Auction, seat: int, amount: int) -> None:
    """The bid stands, and the next seat that is in is asked."""
    auction.high = PlacedBid(seat, amount)
    _ask_next(auction, seat)


def leave(auction: Auction, seat: int) -> None:
    """The seat is out for good; if it was asked, the next one is."""
    if auction.bidder == seat:
        _ask_next(auction, seat)
    auction.bidders.remove(seat)


def _ask_next(auction: Auction, seat: int) -> None:
    place = auction.bidders.index(seat) + 1
    auction.bidder = auction.bidders[place % len(auction.bidders)]


def heir(auction: Auction, seats: int, out: Collection[int]) -> int:
    """The starter of an auction or, if it is out of the auction for good, the next seat that is not.

    If all are, the starter or, if it has left the game, the next seat that has not.
    """
    living = in_turn_order(seats, out, auction.starter)
    able = [seat for seat in living if seat not in auction.excluded]
    return next(iter(able or living), auction.starter)
