"""The gateway under watchers: many event streams of games that rest, and some of games that are played."""

import asyncio
import os
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from fairdeal import Client
from fairdeal.client.tasks import end
from fairdeal_cli.bench import quantile
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.embedded import embedded
from fairdeal_cli.parts import Parts, ending_cleanly
from fairdeal_cli.web import Web, start_web
from fairdeal_gateway.files import allow_many_files
from fairdeal_worker.settings import Settings

IDLE: Final = 5000
ACTIVE: Final = 500
GAMES: Final = 50
"""How many games are watched idly, and how many are played; the streams are spread over them."""

PACE_S: Final = 1.0
"""How long each played game rests between two commits."""

AT_ONCE: Final = 100
"""How many streams are opened at the same time."""

_PATIENCE_S: Final = 60.0
_AT: Final = re.compile(rb'"version":\d+,"at":(\d+),')


def measure_streams(
    settings: Settings, seconds: float, idle: int = IDLE, active: int = ACTIVE
) -> dict[str, Any]:
    """Open the streams, play for so many seconds, and tell times (ms), memory (bytes) and frames. Raises `Problem`."""
    allow_many_files()
    with (
        ending_cleanly(),
        embedded() as server,
        tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder,
    ):
        here = msgspec.structs.replace(settings, redis_url=server.url)
        with Parts(here, Path(folder)) as parts:
            for role in ("rules", "views"):
                parts.start(role, role)
            asyncio.run(_served(parts, here))
            web = start_web(parts, here, None)
            gateway = next(part.process.pid for part in parts.running if part.name == "gateway")
            return asyncio.run(_measure(here, web, gateway, seconds, idle, active))


async def _served(parts: Parts, settings: Settings) -> None:
    async with redis_of(settings) as redis:
        await parts.wait_served(redis, ("rules", "views"))


async def _measure(
    settings: Settings, web: Web, gateway: int, seconds: float, idle: int, active: int
) -> dict[str, Any]:
    resting = [f"rest{number}" for number in range(GAMES)]
    played = [f"play{number}" for number in range(GAMES)]
    async with Client(settings.redis_url, namespace=settings.namespace) as client:
        for game in (*resting, *played):
            await client.create("perudo", ["ann", "bob", "cy"], start="when_ready", game=game)
        before = _memory(gateway)
        began = time.perf_counter()
        readers = await _open(web, [resting[number % GAMES] for number in range(idle)])
        opened_s = time.perf_counter() - began
        rested = _memory(gateway)
        cpu = _cpu_s(gateway)
        await asyncio.sleep(seconds)
        idle_cpu = (_cpu_s(gateway) - cpu) / seconds
        readers += await _open(web, [played[number % GAMES] for number in range(active)])
        delays: list[float] = []
        watching = [asyncio.create_task(_watch(reader, delays)) for reader, _ in readers[idle:]]
        cpu = _cpu_s(gateway)
        commits = await _play(client, played, seconds)
        await asyncio.sleep(1.0)
        busy_cpu = (_cpu_s(gateway) - cpu) / (seconds + 1.0)
        after = _memory(gateway)
        await end(watching)
        for _, writer in readers:
            writer.close()
    ordered = sorted(delays)
    return {
        "idle": idle,
        "active": active,
        "open_s": opened_s,
        "bytes_each_idle": (rested - before) / max(idle, 1),
        "memory_bytes": after,
        "idle_cpu": idle_cpu,
        "active_cpu": busy_cpu,
        "commits": commits,
        "frames": len(ordered),
        "frames_due": commits * (active // GAMES),
        "p50_ms": quantile(ordered, 0.5),
        "p99_ms": quantile(ordered, 0.99),
        "max_ms": quantile(ordered, 1.0),
    }


Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _open(web: Web, games: Sequence[str]) -> list[Connection]:
    """One stream for each of these games (again and again the same ones), each at its first frame."""
    opened: list[Connection] = []
    for start in range(0, len(games), AT_ONCE):
        opened += await asyncio.gather(
            *(_stream(web.port, game, web.token(scope="watch")) for game in games[start : start + AT_ONCE])
        )
    return opened


async def _stream(port: int, game: str, token: str) -> Connection:
    async with asyncio.timeout(_PATIENCE_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        ask = f"GET /games/{game}/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(ask.encode())
        await reader.readuntil(b"event: frame")
        return reader, writer


async def _watch(reader: asyncio.StreamReader, delays: list[float]) -> None:
    """Note for each frame how long after its commit it came: both clocks are this machine's."""
    await reader.readuntil(b"}}\n\n")  # what is left of the first frame
    while True:
        await reader.readuntil(b"event: frame")
        frame = await reader.readuntil(b"}\n\n")
        found = _AT.search(frame)
        assert found is not None, "a frame says when it was"
        delays.append(time.time() * 1000 - float(found[1]))


async def _play(client: Client, games: Sequence[str], seconds: float) -> int:
    """Commit something in each game at an even pace; how many commits there were."""
    done = 0
    until = time.perf_counter() + seconds
    round_ = 0
    while time.perf_counter() < until:
        round_ += 1
        for number, game in enumerate(games):
            action = {"type": "game.reseat", "seat": 0, "player": f"guest{round_}-{number}"}
            await client.host(game, action)
            done += 1
            await asyncio.sleep(PACE_S / len(games))
    return done


def _memory(pid: int) -> int:
    """A process's resident memory in bytes; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def _cpu_s(pid: int) -> float:
    """The seconds of a core that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))
