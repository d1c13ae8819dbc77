"""The rules worker, batch by batch, against a real Redis."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
import structlog

from fairdeal.codec import decode_commit
from fairdeal.commit import GENESIS, chain
from fairdeal.games import perudo
from fairdeal.receipt import Receipt
from fairdeal.wire import ARCHIVED, Keys, partition_of
from fairdeal_rules.worker import ROLE, RulesHandler
from fairdeal_worker import Entry, Partition, Position, PositionMoved, Settings
from fairdeal_worker.role import ORIGIN

GAME = "g1"
CREATE = {"type": "game.create", "ruleset": "perudo", "players": [{"id": "ann"}, {"id": "bob"}]}


class Desk:
    """One partition's stream with a handler that reads it, as the worker's machinery would."""

    def __init__(self, redis: Any, settings: Settings) -> None:
        self.redis = redis
        self.settings = settings
        self.keys = Keys(settings.namespace, partition_of(GAME, settings.partitions))
        self.shared: dict[str, Any] = {}
        self.handler: RulesHandler

    async def start(self, attempts: int = 1) -> None:
        partition = Partition(
            self.keys, self.redis, self.settings, structlog.get_logger(), "worker", self.shared
        )
        handler = ROLE.handler(partition)
        assert isinstance(handler, RulesHandler)
        self.handler = handler
        entry, count = await self.redis.hmget(self.keys.position("rules"), ["entry", "count"])
        await handler.start(Position(entry.decode() if entry else ORIGIN, int(count or 0), attempts))

    async def send(self, body: bytes | dict[str, Any], **more: Any) -> str:
        """Append a command (with an id, the game and `reply_to` unless given) or raw bytes; returns its entry."""
        if isinstance(body, dict):
            body = msgspec.json.encode({"game": GAME, "reply_to": "me", **body, **more})
        entry: bytes = await self.redis.xadd(self.keys.commands, {"__data__": body})
        return entry.decode()

    async def unread(self) -> list[Entry]:
        done = await self.redis.hget(self.keys.position("rules"), "entry")
        found = await self.redis.xrange(self.keys.commands, min=b"(" + (done or b"0-0"))
        return [Entry(entry.decode(), fields) for entry, fields in found]

    async def work(self) -> None:
        await self.handler.handle(await self.unread())

    async def replies(self) -> list[Receipt]:
        found = await self.redis.xrange(self.keys.replies("me"))
        return [msgspec.json.decode(fields[b"__data__"], type=Receipt) for _, fields in found]

    async def dead(self) -> list[dict[bytes, bytes]]:
        return [fields for _, fields in await self.redis.xrange(self.keys.dead)]

    async def bodies(self, game: str = GAME) -> list[bytes]:
        return [fields[b"c"] for _, fields in await self.redis.xrange(self.keys.log(game))]

    async def turn(self) -> int:
        loaded = self.shared["games"].get(GAME)
        turn: int = loaded.game.state.turn
        return turn


@pytest.fixture
async def desk(redis_client: Any, namespace: str) -> Desk:
    made = Desk(redis_client, Settings(namespace=namespace, secret="s", replies_kept=1000))
    await made.start()
    return made


async def opened(desk: Desk) -> int:
    """Create the game; returns the seat on turn."""
    await desk.send({"id": "create", "action": CREATE})
    await desk.work()
    return await desk.turn()


def bid(quantity: int, face: int) -> dict[str, Any]:
    return {"type": "perudo.bid", "quantity": quantity, "face": face}


async def test_a_batch_is_decided_in_order_and_answered(desk: Desk) -> None:
    await desk.send({"id": "a", "action": CREATE})
    await desk.send({"id": "b", "action": CREATE})
    await desk.send({"id": "c", "seat": 7, "action": bid(1, 2)})
    await desk.work()
    replies = await desk.replies()
    assert [(r.command, r.status, r.code, r.version) for r in replies] == [
        ("a", "accepted", None, 1),
        ("b", "rejected", "game_exists", 1),
        ("c", "rejected", "not_seated", 1),
    ]
    assert (await desk.redis.hgetall(desk.keys.receipts(GAME)))[b"a"] == b"1"
    assert await desk.redis.hget(desk.keys.position("rules"), "count") == b"3"


async def test_the_log_is_a_chain(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.send({"id": "bid", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    hash = GENESIS
    for version, (entry, fields) in enumerate(await desk.redis.xrange(desk.keys.log(GAME)), 1):
        hash = chain(hash, fields[b"c"])
        assert (entry.decode(), fields[b"h"].decode()) == (f"{version}-0", hash.hex())
        assert decode_commit(fields[b"c"]).version == version


async def test_the_same_id_has_one_effect_and_one_receipt(desk: Desk) -> None:
    seat = await opened(desk)
    for _ in range(5):
        await desk.send({"id": "bid", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    await desk.send({"id": "bid", "seat": seat, "action": bid(2, 3)})
    await desk.work()
    await desk.start()
    await desk.send({"id": "bid", "seat": seat, "action": {"type": "perudo.dudo"}})
    await desk.send({"id": "bid", "seat": seat, "action": {"type": "no.such"}})
    await desk.work()
    answers = [receipt for receipt in await desk.replies() if receipt.command == "bid"]
    assert len(answers) == 8
    assert set(map(msgspec.json.encode, answers)) == {
        b'{"command":"bid","game":"g1","status":"accepted","version":2}'
    }
    assert len(await desk.bodies()) == 2


async def test_a_rejection_too_is_remembered(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.send({"id": "x", "seat": 1 - seat, "action": bid(1, 2)})
    await desk.work()
    await desk.start()
    await desk.send({"id": "x", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    _, first, again = await desk.replies()
    assert first == again
    assert (first.status, first.code) == ("rejected", "not_your_turn")


async def test_stale_expectations_and_finished_games_are_refused(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.send({"id": "old", "seat": seat, "expect": 7, "action": bid(1, 2)})
    await desk.send({"id": "cancel", "action": {"type": "game.cancel", "reason": "closing time"}})
    await desk.send({"id": "late", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    codes = [(r.status, r.code) for r in await desk.replies()]
    assert codes[1:] == [("rejected", "stale"), ("accepted", None), ("rejected", "finished")]
    events = decode_commit((await desk.bodies())[-1]).events
    assert [type(event).__name__ for event in events] == ["Cancelled", "Finished"]


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        (
            b'{"id":"x","game":"g1","reply_to":"me","action":{"type":"perudo.bid","quantity":1}}',
            "malformed",
            "$.action",
        ),
        (
            b'{"id":"x","game":"g1","reply_to":"me","action":{"type":"perudo.fly"}}',
            "unknown_action",
            "$.action.type",
        ),
        (
            b'{"id":"x","game":"g1","reply_to":"me","action":{"type":"perudo.dudo"},"more":1}',
            "malformed",
            "$",
        ),
        (
            b'{"id":"x","game":"g1","reply_to":"me","seat":"0","action":{"type":"perudo.dudo"}}',
            "malformed",
            "$.seat",
        ),
        (b'{"id":"x","game":"g1","reply_to":"me","action":' + b"[" * 9000, "malformed", "$"),
        (b'{"id":"x","game":"g1","reply_to":"me","action":"\xff"}', "malformed", "$"),
        (b'{"id":"x","game":"g1","reply_to":"me","pad":"' + b"x" * 10_000_000 + b'"}', "too_large", "$"),
    ],
    ids=["missing", "unknown", "extra", "type", "deep", "utf8", "large"],
)
async def test_what_is_not_understood_is_answered_when_there_is_somebody_to_answer(
    desk: Desk, body: bytes, code: str, path: str
) -> None:
    seat = await opened(desk)
    await desk.send(body)
    await desk.send({"id": "next", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    _, invalid, served = await desk.replies()
    assert (invalid.command, invalid.status, invalid.code) == ("x", "invalid", code)
    assert (invalid.path or "").startswith(path)
    assert served.status == "accepted"
    assert await desk.dead() == []


@pytest.mark.parametrize(
    "body",
    [b"\x00\xff\x17", b"null", b"[]", b'{"game":"g1"}', b'{"id":"x"}', b"", b'{"id":"' + b"x" * 200_000],
)
async def test_what_nobody_can_be_told_of_becomes_a_dead_letter(desk: Desk, body: bytes) -> None:
    seat = await opened(desk)
    await desk.send(body)
    await desk.send({"id": "next", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    (letter,) = await desk.dead()
    assert body.startswith(letter[b"__data__"])
    assert len(letter[b"__data__"]) >= min(len(body), desk.settings.max_body - 100)
    assert letter[b"reason"] in (b"malformed", b"too_large")
    assert (await desk.replies())[-1].status == "accepted"


async def test_an_entry_without_a_body_becomes_a_dead_letter(desk: Desk) -> None:
    await desk.redis.xadd(desk.keys.commands, {"colour": "blue"})
    await desk.work()
    (letter,) = await desk.dead()
    assert (letter[b"colour"], letter[b"reason"]) == (b"blue", b"malformed")


async def test_a_command_on_the_wrong_stream_is_told_where_it_belongs(desk: Desk) -> None:
    stray = next(f"g{n}" for n in range(2, 99) if partition_of(f"g{n}", 8) != desk.keys.partition)
    await desk.send({"id": "x", "game": stray, "action": CREATE})
    await desk.work()
    (answer,) = await desk.replies()
    assert (answer.status, answer.path) == ("invalid", "$.game")
    assert f"partition {partition_of(stray, 8)}" in (answer.message or "")
    assert not await desk.redis.exists(desk.keys.receipts(stray))


async def test_crashing_rules_cost_their_command_a_receipt_and_nobody_else_anything(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairdeal_rules.games import perudo as rules

    seat = await opened(desk)
    before = await desk.bodies()
    decide = rules.Rules.decide

    def crash(self: Any, state: Any, seat: int, action: Any, dealer: Any, emit: Any) -> None:
        if isinstance(action, perudo.Dudo):
            emit(perudo.BidPlaced(seat=seat, quantity=9, face=6))
            raise ZeroDivisionError("a bug")
        decide(self, state, seat, action, dealer, emit)

    monkeypatch.setattr(rules.Rules, "decide", crash)
    await desk.send({"id": "one", "seat": seat, "action": bid(1, 2)})
    await desk.send({"id": "boom", "seat": 1 - seat, "action": {"type": "perudo.dudo"}})
    await desk.send({"id": "two", "seat": 1 - seat, "action": bid(2, 2)})
    await desk.work()
    _, one, boom, two = await desk.replies()
    assert (one.version, boom.status, boom.code, two.version) == (2, "failed", "internal", 3)
    (letter,) = await desk.dead()
    assert letter[b"incident"].decode() == boom.incident
    assert b"ZeroDivisionError" in letter[b"error"]
    bodies = await desk.bodies()
    assert bodies[: len(before)] == before
    assert [type(decode_commit(body).command.action).__name__ for body in bodies] == ["Create", "Bid", "Bid"]


async def test_a_log_that_cannot_be_read_stops_its_game_only(desk: Desk) -> None:
    await opened(desk)
    await desk.redis.xadd(desk.keys.log(GAME), {"c": b'{"nonsense"', "h": "00"}, id="2-0")
    await desk.start()
    other = next(f"h{n}" for n in range(99) if partition_of(f"h{n}", 8) == desk.keys.partition)
    await desk.send({"id": "x", "seat": 0, "action": bid(1, 2)})
    await desk.send({"id": "y", "game": other, "action": CREATE})
    await desk.work()
    _, failed, fine = await desk.replies()
    assert (failed.status, failed.code, fine.status) == ("failed", "internal", "accepted")
    assert failed.incident
    assert await desk.redis.xlen(desk.keys.log(GAME)) == 2


async def test_another_worker_has_moved_on(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.send({"id": "bid", "seat": seat, "action": bid(1, 2)})
    entries = await desk.unread()
    rival = Desk(desk.redis, desk.settings)
    await rival.start()
    await rival.handler.handle(entries)
    bodies = await desk.bodies()
    with pytest.raises(PositionMoved):
        await desk.handler.handle(entries)
    assert await desk.bodies() == bodies
    assert [r.command for r in await desk.replies()] == ["create", "bid"]
    await desk.start()
    await desk.send({"id": "dudo", "seat": 1 - seat, "action": {"type": "perudo.dudo"}})
    await desk.work()
    assert (await desk.replies())[-1].version == 3


async def test_at_the_third_start_commands_are_handled_one_at_a_time(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.start(attempts=3)
    await desk.send({"id": "a", "seat": seat, "action": bid(1, 2)})
    await desk.send({"id": "b", "seat": 1 - seat, "action": bid(2, 2)})
    entries = await desk.unread()
    seen: list[tuple[bytes, bytes]] = []
    batch = desk.handler._batch

    async def watched(entries: Sequence[Entry], attempts: int = 0) -> None:
        await batch(entries, attempts)
        position = await desk.redis.hgetall(desk.keys.position("rules"))
        seen.append((position[b"entry"], position[b"attempts"]))

    desk.handler._batch = watched  # type: ignore[method-assign]
    await desk.handler.handle(entries)
    assert seen == [(entries[0].id.encode(), b"2"), (entries[1].id.encode(), b"0")]
    assert [r.status for r in await desk.replies()] == ["accepted"] * 3


async def test_a_command_that_ended_the_process_alone_is_set_aside(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.start(attempts=4)
    await desk.send({"id": "killer", "seat": seat, "action": bid(1, 2)})
    await desk.send({"id": "fine", "seat": seat, "action": bid(1, 3)})
    await desk.work()
    _, killer, fine = await desk.replies()
    assert (killer.status, killer.code, fine.status) == ("failed", "internal", "accepted")
    (letter,) = await desk.dead()
    assert (letter[b"reason"], letter[b"incident"].decode()) == (b"killed_worker", killer.incident)
    assert await desk.redis.hget(desk.keys.position("rules"), "attempts") == b"0"
    assert await desk.redis.hget(desk.keys.position("rules"), "count") == b"3"


async def test_what_is_left_of_an_archived_game_still_answers(desk: Desk) -> None:
    await desk.redis.hset(desk.keys.receipts(GAME), ARCHIVED, "1")
    await desk.send({"id": "x", "seat": 0, "action": bid(1, 2)})
    await desk.send({"id": "y", "action": CREATE})
    await desk.work()
    assert [r.code for r in await desk.replies()] == ["finished", "game_exists"]


async def test_trimming_keeps_what_nobody_has_read(desk: Desk) -> None:
    await opened(desk)
    for number in range(400):
        await desk.send({"id": f"n{number}", "seat": 9, "action": bid(1, 2)})
    await desk.work()
    for number in range(5):
        await desk.send({"id": f"m{number}", "seat": 9, "action": bid(1, 2)})
    await desk.handler.tick()
    assert await desk.redis.xlen(desk.keys.commands) < 150
    assert len(await desk.unread()) == 5


async def test_a_deadline_that_has_passed_becomes_a_command(desk: Desk) -> None:
    await desk.send({"id": "create", "action": {**CREATE, "clock": {"turn_ms": 100}}})
    await desk.work()
    assert await desk.redis.zcard(desk.keys.deadlines) == 1
    wait = await desk.handler.tick()
    assert wait is not None
    assert wait <= 0.1
    await desk.redis.zadd(desk.keys.deadlines, {GAME: 1})
    await desk.handler.tick()
    await desk.handler.tick()
    (expired,) = await desk.unread()
    assert b'"clock.expired","version":1' in expired.fields[b"__data__"]


async def test_commands_that_were_removed_unread_are_reported_and_counted(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    await opened(desk)
    for number in range(3):
        await desk.send({"id": f"lost{number}", "action": CREATE})
    await desk.redis.xtrim(desk.keys.commands, maxlen=0)
    await desk.start()
    said = capsys.readouterr().out
    assert "gap" in said
    assert "missing=3" in said
    await desk.send({"id": "next", "action": CREATE})
    await desk.work()
    added = (await desk.redis.xinfo_stream(desk.keys.commands))["entries-added"]
    assert int(await desk.redis.hget(desk.keys.position("rules"), "count")) == added


async def test_an_entry_of_very_many_fields_is_one_small_dead_letter(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.redis.xadd(desk.keys.commands, {f"field{n}": "x" * 100 for n in range(9000)})
    await desk.send({"id": "next", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    (letter,) = await desk.dead()
    assert letter[b"fields_left_out"] == b"8968"
    assert len(letter) < 50
    assert (await desk.replies())[-1].status == "accepted"


@pytest.mark.parametrize("what", ["archived", "unreadable"])
async def test_receipts_of_a_game_that_is_not_in_memory_are_kept(desk: Desk, what: str) -> None:
    await opened(desk)
    if what == "archived":
        await desk.redis.delete(desk.keys.log(GAME))
        await desk.redis.hset(desk.keys.receipts(GAME), ARCHIVED, "archived")
    else:
        await desk.redis.xadd(desk.keys.log(GAME), {"c": b"?", "h": "00"}, id="2-0")
    await desk.start()
    await desk.send({"id": "late", "seat": 0, "action": bid(1, 2)})
    await desk.send(b'{"id":"odd","game":"g1","action":1}')
    await desk.work()
    assert await desk.redis.ttl(desk.keys.receipts(GAME)) == -1
    await desk.send({"id": "create", "action": CREATE})
    await desk.work()
    assert (await desk.replies())[-1].version == 1


async def test_a_log_that_was_mended_is_read_again(desk: Desk) -> None:
    seat = await opened(desk)
    await desk.redis.xadd(desk.keys.log(GAME), {"c": b"?", "h": "00"}, id="2-0")
    await desk.start()
    await desk.send({"id": "x", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    await desk.redis.xdel(desk.keys.log(GAME), "2-0")
    body = (await desk.bodies())[0]
    await desk.redis.delete(desk.keys.log(GAME))
    await desk.redis.xadd(desk.keys.log(GAME), {"c": body, "h": chain(GENESIS, body).hex()}, id="1-0")
    await desk.send({"id": "y", "seat": seat, "action": bid(1, 2)})
    await desk.work()
    assert [receipt.status for receipt in await desk.replies()] == ["accepted", "failed", "accepted"]


async def test_a_key_of_another_type_stops_its_game_only(desk: Desk) -> None:
    other = next(f"h{n}" for n in range(99) if partition_of(f"h{n}", 8) == desk.keys.partition)
    await desk.redis.rpush(desk.keys.log(other), "not a log")
    await desk.send({"id": "x", "game": other, "action": CREATE})
    await desk.send({"id": "y", "action": CREATE})
    await desk.work()
    assert [receipt.status for receipt in await desk.replies()] == ["failed", "accepted"]


async def test_the_clock_of_a_game_that_cannot_be_read_stops(desk: Desk) -> None:
    await desk.send({"id": "create", "action": {**CREATE, "clock": {"turn_ms": 100}}})
    await desk.work()
    await desk.redis.xadd(desk.keys.log(GAME), {"c": b"?", "h": "00"}, id="2-0")
    await desk.start()
    await desk.redis.zadd(desk.keys.deadlines, {GAME: 5})
    await desk.handler.tick()
    await desk.work()
    assert await desk.redis.zcard(desk.keys.deadlines) == 0
    (letter,) = await desk.dead()
    assert b"clock-2-5" in letter[b"__data__"]


async def test_games_whose_clock_is_stuck_hold_up_no_other(desk: Desk) -> None:
    games = [f"s{n}" for n in range(5000) if partition_of(f"s{n}", 8) == desk.keys.partition][:400]
    for game in games:
        await desk.redis.xadd(desk.keys.log(game), {"c": b"?", "h": "00"}, id="1-0")
    await desk.redis.zadd(desk.keys.deadlines, {game: number for number, game in enumerate(games)})
    await desk.handler.tick()
    await desk.handler.tick()
    assert len(await desk.unread()) == 400


async def test_who_is_ready_too_late_is_too_late(desk: Desk) -> None:
    await desk.send({"id": "create", "action": {**CREATE, "clock": {"turn_ms": 100}, "start": "when_ready"}})
    created = (await desk.unread())[0].id
    late = f"{int(created.partition('-')[0]) + 100}-0"
    body = {"id": "r", "game": GAME, "seat": 0, "reply_to": "me", "action": {"type": "game.ready"}}
    await desk.redis.xadd(desk.keys.commands, {"__data__": msgspec.json.encode(body)}, id=late)
    await desk.work()
    assert [receipt.code for receipt in await desk.replies()] == [None, "too_late"]


async def test_a_cache_smaller_than_a_batch_forgets_nothing_in_hand(
    redis_client: Any, namespace: str
) -> None:
    desk = Desk(redis_client, Settings(namespace=namespace, secret="s", cache_games=1))
    await desk.start()
    games = [f"c{n}" for n in range(200) if partition_of(f"c{n}", 8) == desk.keys.partition][:8]
    for round in range(2):
        for game in games:
            await desk.send({"id": f"create{round}", "game": game, "action": CREATE})
        await desk.work()
    assert [receipt.status for receipt in await desk.replies()] == ["accepted"] * 8 + ["rejected"] * 8
    assert len(desk.shared["games"]) == 1


async def test_a_refusal_quotes_no_more_than_a_receipt_may_hold(desk: Desk) -> None:
    await desk.send({"id": "x", "action": {**CREATE, "options": {"preset": "p" * 50_000}}})
    await desk.work()
    (refused,) = await desk.replies()
    assert refused.code == "bad_options"
    assert len(refused.message or "") <= 300
