"""A Redis Cluster of three nodes on 127.0.0.1."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import redis

from redis_server import RedisServer, free_port

SLOTS = ((0, 5460), (5461, 10922), (10923, 16383))
FORMING_S = 30.0


@contextmanager
def redis_cluster() -> Iterator[list[RedisServer]]:
    """Three masters that share all slots and agree on it."""
    with ExitStack() as stack:
        nodes = [
            stack.enter_context(
                RedisServer(
                    appendonly=True,
                    cluster_enabled="yes",
                    cluster_node_timeout="5000",
                    cluster_port=str(free_port()),
                )
            )
            for _ in SLOTS
        ]
        clients = [stack.enter_context(redis.Redis(port=node.port)) for node in nodes]
        for number, (client, (first, last)) in enumerate(zip(clients, SLOTS, strict=True), 1):
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number)
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
        for client, node in zip(clients, nodes, strict=True):
            bus = int(client.config_get("cluster-port")["cluster-port"])
            clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        deadline = time.monotonic() + FORMING_S
        while not all(_is_whole(client) for client in clients):
            assert time.monotonic() < deadline, f"waited {FORMING_S} s in vain for the cluster to form"
            time.sleep(0.05)
        yield nodes


def _is_whole(client: redis.Redis) -> bool:
    info = client.execute_command("CLUSTER INFO")
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(len(SLOTS))
