"""Kuhhandel's timed auction by the service's own clock: a real Redis, a real rules worker, and nobody who closes it."""

from typing import Any

import msgspec
import pytest

from fairdeal.clock import Expired, RanOut
from fairdeal.codec import decode_commit
from fairdeal.commit import Commit
from fairdeal.games.kuhhandel import AuctionClosed, BidMade, Passed
from fairdeal.receipt import Receipt
from fairdeal.wire import BODY, Keys, partition_of
from support.workers import Worker, eventually, serving

GAME = "auction"
SECOND = 1000
A, B, C = range(3)
CREATE = {
    "type": "game.create",
    "ruleset": "kuhhandel",
    "players": [{"id": "ann"}, {"id": "bob"}, {"id": "cy"}],
    "options": {"start_rule": "seat_0", "auction_close": "timer", "auction_seconds": 1},
}
START = {"type": "kuhhandel.start_auction"}


def bid(amount: int) -> dict[str, Any]:
    return {"type": "kuhhandel.bid", "amount": amount}


class Stream:
    """The commands of one game and what became of them."""

    def __init__(self, redis: Any, namespace: str) -> None:
        self.redis = redis
        self.keys = Keys(namespace, partition_of(GAME, 1))

    async def send(self, *commands: tuple[str, int | None, dict[str, Any], str]) -> None:
        """Let commands (id, seat, action, entry) arrive all at once; the entry `*` is stamped by Redis."""
        async with self.redis.pipeline(transaction=True) as pipe:
            for id, seat, action, entry in commands:
                command = {"id": id, "game": GAME, "reply_to": "me", "action": action}
                body = msgspec.json.encode(command if seat is None else {**command, "seat": seat})
                pipe.xadd(self.keys.commands, {BODY: body}, id=entry)
            await pipe.execute()

    async def answers(self) -> dict[str, str]:
        """What each command was answered: `accepted`, or why not."""
        found = await self.redis.xrange(self.keys.replies("me"))
        receipts = [msgspec.json.decode(fields[b"__data__"], type=Receipt) for _, fields in found]
        return {receipt.command: receipt.code or receipt.status for receipt in receipts if receipt.command}

    async def answered(self, count: int) -> dict[str, str]:
        """The same, as soon as so many were answered."""

        async def enough() -> bool:
            return len(await self.answers()) >= count

        await eventually(f"{count} receipts", enough)
        return await self.answers()

    async def log(self) -> list[Commit]:
        entries = await self.redis.xrange(self.keys.log(GAME))
        return [decode_commit(fields[b"c"]) for _, fields in entries]

    async def closed(self) -> Commit:
        """The commit that closed the auction, as soon as there is one."""

        async def newest() -> Commit | None:
            log = await self.log()
            return log[-1] if log and isinstance(log[-1].events[-1], AuctionClosed) else None

        closed: Commit = await eventually("the clock to close the auction", newest)
        return closed


@pytest.fixture
def stream(redis_client: Any, namespace: str) -> Stream:
    return Stream(redis_client, namespace)


async def test_the_clock_closes_an_auction_a_second_after_the_last_bid_with_nobody_acting(
    stream: Stream, redis_client: Any, redis_url: str, namespace: str
) -> None:
    with Worker(redis_url, namespace, "rules", partitions=1):
        await serving(redis_client, namespace, "rules", 1)
        await stream.send(("create", None, CREATE, "*"), ("start", A, START, "*"), ("first", B, bid(10), "*"))
        closed = await stream.closed()
        await stream.send(("after", C, bid(20), "*"))
        answers = await stream.answered(4)
        assert answers == {
            "create": "accepted",
            "start": "accepted",
            "first": "accepted",
            "after": "wrong_phase",
        }
        bidding = (await stream.log())[2]
        assert bidding.events == (BidMade(seat=B, amount=10),)
        assert closed.command.action == Expired(version=3)
        assert closed.at >= bidding.at + SECOND
        assert closed.events == (RanOut(seats=(C,)), Passed(seat=C), AuctionClosed(bidder=B, price=10))
        assert await redis_client.zcard(stream.keys.deadlines) == 0, "this game has no clock beside the timer"


async def test_a_bid_is_in_time_or_late_by_the_millisecond_of_its_entry(
    stream: Stream, redis_client: Any, redis_url: str, namespace: str
) -> None:
    """Commands with the entries that Redis would have stamped: a millisecond before a deadline, and upon it."""
    seconds, _ = await redis_client.time()
    start = (seconds - 1) * SECOND
    first = start + SECOND - 1  # a millisecond before the end of the first second
    second = first + SECOND - 1  # likewise of the second one, which began with that bid
    deadline = second + SECOND
    await stream.send(
        ("create", None, CREATE, f"{start}-0"),
        ("start", A, START, f"{start}-1"),
        ("first", B, bid(10), f"{first}-0"),
        ("second", C, bid(20), f"{second}-0"),
        ("pass", A, {"type": "kuhhandel.pass"}, f"{second}-1"),
        ("upon", B, bid(30), f"{deadline}-0"),
        ("beyond", B, bid(30), f"{deadline + 1}-0"),
    )
    with Worker(redis_url, namespace, "rules", partitions=1):
        closed = await stream.closed()
        assert await stream.answered(7) == {
            "create": "accepted",
            "start": "accepted",
            "first": "accepted",
            "second": "accepted",
            "pass": "auctioneer_cannot_pass",
            "upon": "too_late",
            "beyond": "too_late",
        }
        assert closed.command.action == Expired(version=4)
        assert closed.at > deadline
        assert closed.events == (RanOut(seats=(B,)), Passed(seat=B), AuctionClosed(bidder=C, price=20))
