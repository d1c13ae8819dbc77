import hashlib, hmac, json, struct
from sys import argv

events = [e for row in open(argv[1]) if '"c":' in row for e in json.loads(json.loads(row)["c"])["events"]]
seed, salts = bytes.fromhex(events[-1]["seed"]), [(salt or "").encode() for salt in events[0]["entropy"]]
key = hmac.digest(seed, b"".join(b"%d:%s" % (len(salt), salt) for salt in salts), "sha256")
blocks = (hmac.digest(key, b"fairdeal/draw/1|" + i.to_bytes(8, "big"), "sha256") for i in range(2**31))
dice = (1 + word % 6 for block in blocks for word in struct.unpack(">8I", block) if word < 2**32 // 6 * 6)
fair = all(die == next(dice) for e in events for roll in e.get("rolls", e.get("dice", [])) for die in roll)
raise SystemExit(not (fair and hashlib.sha256(seed).hexdigest() == events[0]["commitment"]))
