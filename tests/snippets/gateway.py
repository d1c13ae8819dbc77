import os

import httpx

base, host = os.environ["FAIRDEAL_GATEWAY"], os.environ["FAIRDEAL_HOST_TOKEN"]
with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {host}"}) as http:
    wanted = {"ruleset": "perudo", "players": [{"id": "ann"}, {"id": "bot:odds"}]}
    game = http.post("/games", json=wanted, headers={"Idempotency-Key": "order-7"}).json()["game"]
    seat = http.post("/tokens", json={"scope": "seat", "game": game, "seat": 0}).json()["token"]

with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {seat}"}) as player:
    with player.stream("GET", f"/games/{game}/events") as events:  # a break? Go on with Last-Event-ID
        first = next(line for line in events.iter_lines() if line.startswith("data: "))
    print(first[:60])
    answer = player.post(f"/games/{game}/commands", json={"action": {"type": "game.resign"}})
    print(answer.status_code, answer.json())
