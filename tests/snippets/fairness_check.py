"""Was this game of Perudo altered, was it dealt fairly? Usage: python fairness_check.py game.ndjson"""

import hashlib
import hmac
import json
import sys


def words(seed, entropy):
    """The dealer's stream: nothing but the seed and what the players added to it."""
    key = hmac.digest(seed, entropy, "sha256")
    for i in range(2**64):
        block = hmac.digest(key, b"fairdeal/draw/1|" + i.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(block[j : j + 4], "big") for j in range(0, 32, 4))


def below(n, stream):
    """A number from 0 to n - 1, each as likely as the others."""
    return next(word for word in stream if word < 2**32 // n * n) % n


def need(holds, otherwise):
    if not holds:
        raise ValueError(otherwise)


def check(lines):
    hash, events = bytes(32), []
    for line in map(json.loads, lines):
        if "c" in line:
            hash = hashlib.sha256(hash + line["c"].encode()).digest()
            need(hash.hex() == line["h"], f"version {line['version']} was altered")
            events += json.loads(line["c"])["events"]
    created, finished = events[0], events[-1]
    need("seed" in finished, "the game is not finished, so its seed is not revealed yet")
    seed = bytes.fromhex(finished["seed"])
    need(hashlib.sha256(seed).hexdigest() == created["commitment"], "another seed was committed to")
    entropy = created["entropy"]
    for event in events:
        if event["type"] == "game.readied" and event["entropy"] is not None:
            entropy[event["seat"]] = event["entropy"]
    texts = [(text or "").encode() for text in entropy]
    stream = words(seed, b"".join(b"%d:%s" % (len(text), text) for text in texts))
    dice = 0
    for event in events:
        if event["type"] == "perudo.starter_drawn":
            need(event["seat"] == below(len(entropy), stream), f"this seat was not drawn: {event}")
        for die in (die for roll in event.get("rolls", event.get("dice", [])) for die in roll):
            need(die == 1 + below(6, stream), f"these dice were not rolled: {event}")
            dice += 1
    return f"fair: all {dice} dice are as the seed says that was committed to before the first of them"


try:
    with open(sys.argv[1], encoding="utf-8") as lines:
        print(check(lines))
except (OSError, LookupError, TypeError, ValueError) as error:
    print(f"not proved fair: {error}")
    sys.exit(1)
