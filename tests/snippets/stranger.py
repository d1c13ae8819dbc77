"""A stranger's whole integration: a plain Redis connection, the wire contract, the standard library.

Creates a two-seat game, plays both seats from their views to the end, gets a receipt for every command,
then recomputes the chain and every die from the revealed seed. Usage: stranger.py redis://host:port/0
"""

import hashlib
import hmac
import json
import random
import sys
import time
import uuid
import zlib

import redis

server = redis.Redis.from_url(sys.argv[1])
game = f"stranger-{uuid.uuid4().hex[:8]}"
partition = zlib.crc32(game.encode()) % int(server.hget("fairdeal:deployment", "partitions"))
key = f"{{fairdeal:{partition}}}:".__add__
chance = random.Random(4)
last_reply = "0-0"


def command(action, seat=None, **more):
    """Send one command and wait for its receipt, 10 s at the most."""
    global last_reply
    body = {"id": uuid.uuid4().hex, "game": game, "reply_to": "stranger", "action": action, **more}
    if seat is not None:
        body["seat"] = seat
    server.xadd(key("commands"), {"__data__": json.dumps(body)})
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for _, entries in server.xread({key("replies:stranger"): last_reply}, block=1000) or []:
            for last, fields in entries:
                last_reply = last
                receipt = json.loads(fields[b"__data__"])
                if receipt["command"] == body["id"]:
                    return receipt
    raise SystemExit(f"no receipt for {body} within 10 s")


def view(version):
    """The table and both seats' parts, at this version or later."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        stored = server.hgetall(key(f"view:{game}"))
        if stored and int(stored[b"version"]) >= version:
            return {name.decode(): json.loads(part) for name, part in stored.items() if name != b"fold"}
        time.sleep(0.005)
    raise SystemExit(f"no view of version {version} within 10 s")


def choose(offers):
    """One of the offered moves: mostly a low bid, sometimes a doubt."""
    by_type = {offer["type"]: offer for offer in offers}
    bid = by_type.get("perudo.bid")
    if bid is None or ("perudo.dudo" in by_type and chance.random() < 0.4):
        return {"type": "perudo.dudo"}
    face = chance.choice(sorted(bid["quantities"]))
    return {"type": "perudo.bid", "face": int(face), "quantity": bid["quantities"][face][0]}


receipt = command(
    {
        "type": "game.create",
        "ruleset": "perudo",
        "players": [{"id": "me", "entropy": "salt"}, {"id": "also me"}],
    }
)
commands = 1
while True:
    assert receipt["status"] == "accepted", receipt
    now = view(receipt["version"])
    if now["table"]["outcome"]:
        break
    (seat,) = now["table"]["to_act"]
    receipt = command(choose(now[f"seat:{seat}"]["offers"]), seat, expect=now["table"]["version"])
    commands += 1

# The chain, over the bytes as they are.
log = server.xrange(key(f"log:{game}"))
assert len(log) == commands
hash = bytes(32)
for version, (entry, fields) in enumerate(log, 1):
    hash = hashlib.sha256(hash + fields[b"c"]).digest()
    assert entry.decode() == f"{version}-0"
    assert fields[b"h"].decode() == hash.hex()

# The dice, from the seed that the last event reveals.
events = [event for _, fields in log for event in json.loads(fields[b"c"])["events"]]
seed = bytes.fromhex(events[-1]["seed"])
assert hashlib.sha256(seed).hexdigest() == events[0]["commitment"]
stream_key = hmac.digest(seed, b"4:salt0:", "sha256")


def words():
    block = 0
    while True:
        raw = hmac.digest(stream_key, b"fairdeal/draw/1|" + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(raw[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


stream = (1 + word % 6 for word in words() if word < 2**32 // 6 * 6)
dice = 0
for event in events:
    for die in (die for roll in event.get("rolls", event.get("dice", [])) for die in roll):
        assert die == next(stream), event
        dice += 1
print(f"{commands} commands, {commands} receipts, {dice} dice, all as committed to: {game}")
