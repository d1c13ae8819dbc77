"""`fairdeal demo`: the whole service on this machine, a worker killed in the middle of a game, and the proof."""

import asyncio
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.text import Text

from fairdeal import Client
from fairdeal.connect import connect_sync, without_password
from fairdeal.wire import Keys, partition_of
from fairdeal_audit import audit_game
from fairdeal_bots import bot_for, move_of
from fairdeal_cli.bots import bot_players
from fairdeal_cli.choosing import Ruleset, check_ruleset
from fairdeal_cli.command import command
from fairdeal_cli.console import say
from fairdeal_cli.deployment import redis_of
from fairdeal_cli.drawing import AnyView, drawing_for
from fairdeal_cli.embedded import embedded
from fairdeal_cli.gateway import check_installed
from fairdeal_cli.history import tell_report
from fairdeal_cli.parts import Part, Parts, ending_cleanly, new_secret
from fairdeal_cli.problems import Exit, Problem
from fairdeal_cli.roles import WHERE
from fairdeal_cli.running import LOOK_S, named_redis
from fairdeal_cli.story import live_frames, tell_frame
from fairdeal_cli.web import start_web
from fairdeal_rules import Rejected
from fairdeal_rules.ruleset import rules_for
from fairdeal_views.survey import lease_holder
from fairdeal_worker.settings import Settings

GAME: Final = "demo"
SEATS: Final = 5
PLAYER: Final = "zoe"
"""Who sits on seat 0, played by the demo itself: so the game waits while a worker is killed."""
KILL_AT: Final = 15
"""From this version on the worker is killed at our next turn, at our second one in any case."""
PACE_S: Final = 0.15
"""How long each commit stays the newest line."""
PACED_S: Final = 15.0
"""For how long: the rest of a long game goes by as fast as it is played."""
BOUND_S: Final = 55.0
"""The demo ends within a minute, whatever happens."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "demo", panel="Begin here")(demo)


def demo(
    settings: Settings,
    ruleset: Ruleset = "perudo",
    *,
    web: Annotated[
        bool, typer.Option("--web", help="Then show the game on the web table, until Ctrl-C.")
    ] = False,
) -> None:
    """See it work: bots play a game over the streams, a worker is killed, the game goes on and is audited.

    Takes about half a minute, needs nothing installed, and leaves nothing behind.
    """
    check_ruleset(ruleset)
    if web:
        check_installed()
    with (
        ending_cleanly(),
        _redis(settings) as complete,
        tempfile.TemporaryDirectory(prefix="fairdeal-demo-") as logs,
        Parts(complete, Path(logs)) as parts,
    ):
        asyncio.run(_within_bounds(_Demo(complete, parts, ruleset)))
        if web:
            _show_on_the_web(parts, complete)
    say("", "All processes are stopped and all files removed.", *_next())


def _show_on_the_web(parts: Parts, settings: Settings) -> None:
    """Serve the finished game until Ctrl-C, with a token that sees all of it. Raises `Problem`."""
    page = start_web(parts, settings, None).address(f"/replay/{GAME}", scope="audit", game=GAME)
    say(
        "", Text("The game on the web table, step by step and through every seat's eyes", "bold"), f"  {page}"
    )
    say(Text("Ctrl-C ends it.", "dim"))
    try:
        while True:
            for part in parts.ended():
                raise Problem(f"The {part.name} ended by itself", part.last_words, "Start the demo again")
            time.sleep(LOOK_S)
    except KeyboardInterrupt:
        say("")


async def _within_bounds(shown: "_Demo") -> None:
    try:
        async with asyncio.timeout(BOUND_S):
            await shown.run()
    except TimeoutError:
        raise Problem(
            f"The demo was not over after {BOUND_S:.0f} s",
            "; ".join(f"{part.name}: {part.last_words}" for part in shown.parts.running),
            "This machine is busy: try again when it is not",
        ) from None


@contextmanager
def _redis(settings: Settings) -> Iterator[Settings]:
    """Settings of a deployment that lives as long as the demo: in an embedded Redis, or in the one that is named."""
    if not named_redis(settings):
        with embedded() as server:
            say(f"Redis {server.version} runs at {server.url}, for this demo alone.")
            yield msgspec.structs.replace(settings, redis_url=server.url, secret=new_secret())
        return
    namespace = f"demo-{new_secret()[:8]}"
    say(
        f"Using Redis at {without_password(settings.redis_url)}, in the namespace {namespace}, removed at the end."
    )
    try:
        yield msgspec.structs.replace(settings, namespace=namespace, secret=new_secret())
    finally:
        _remove(settings.redis_url, namespace)


def _remove(url: str, namespace: str) -> None:
    with connect_sync(url) as redis:
        for pattern in (f"{{{namespace}:*", f"{namespace}:*"):
            for key in redis.scan_iter(match=pattern, count=1000):
                redis.delete(key)


class _Demo:
    """One showing."""

    def __init__(self, settings: Settings, parts: Parts, ruleset: str) -> None:
        self.parts = parts
        self._settings = settings
        self._ruleset = ruleset
        self._keys = Keys(settings.namespace, partition_of(GAME, settings.partitions))
        self._redis: Any = None
        self._bot = bot_for(ruleset, bot_players(ruleset, 1)[0])
        self._killed: Part | None = None
        self._other = ""
        self._takeover_s: float | None = None

    async def run(self) -> None:
        """Show everything. Raises `Problem`."""
        began = monotonic()
        async with redis_of(self._settings) as self._redis:
            await self._start_workers()
            async with Client(self._settings.redis_url, namespace=self._settings.namespace) as client:
                await self._play(client)
            await self._audit()
            await self._tell_figures(monotonic() - began)

    async def _start_workers(self) -> None:
        for name, role in (
            ("rules-1", "rules"),
            ("rules-2", "rules"),
            *((role, role) for role in WHERE if role != "rules"),
        ):
            self.parts.start(name, role)
        await self.parts.wait_served(self._redis, list(WHERE))
        names = ", ".join(f"{part.name} ({part.process.pid})" for part in self.parts.running)
        say(
            f"{len(self.parts.running)} worker processes serve {self._settings.partitions} partitions: {names}.",
            Text(f"Their logs, while it lasts: tail -f {self.parts.running[0].log.parent}/*.log", "dim"),
            "",
        )

    async def _play(self, client: Client) -> None:
        _, most = rules_for(self._ruleset).players
        drawing = drawing_for(self._ruleset)
        players = [PLAYER, *bot_players(self._ruleset, min(SEATS, most) - 1)]
        await client.create(self._ruleset, players, drawing.demo_options, game=GAME)
        say(
            Text(
                f"{PLAYER} is played by this process through the client, the others by the bots worker.",
                "dim",
            ),
            "",
        )
        turns, began = 0, monotonic()
        async for frame in live_frames(client, GAME, 0):
            tell_frame(frame, 0)
            if monotonic() - began < PACED_S:
                await asyncio.sleep(PACE_S)
            if frame.view.seat not in frame.view.to_act or not frame.view.offers:
                continue
            turns += 1
            if self._killed is None and (frame.version >= KILL_AT or turns == 2):
                await self._kill()
            await self._move(client, frame.view)
        say("")

    async def _move(self, client: Client, view: AnyView) -> None:
        """Play our seat as a backend would: from its view, through the client."""
        action = move_of(self._bot, view)
        if action is None:
            return
        began = monotonic()
        try:
            await client.act(GAME, 0, action, expect=view.version, timeout=BOUND_S)
        except Rejected as rejected:
            if rejected.code != "stale":
                raise
            # Where several may move at once somebody else was faster: their move is the next frame.
        if self._killed is not None and self._takeover_s is None:
            self._takeover_s = monotonic() - began
            say(
                Text.assemble(
                    (f"{self._other} has taken over", "bold green"),
                    f": {PLAYER}'s command got its receipt after {self._takeover_s:.1f} s.",
                ),
                Text("Nothing was lost, nothing was done twice, nobody had to send anything again.", "dim"),
                "",
            )

    async def _kill(self) -> None:
        self._killed = part = await self._holder()
        self._other = next(
            one.name for one in self.parts.running if one.roles == part.roles and one is not part
        )
        part.process.send_signal(signal.SIGKILL)
        say(
            "",
            Text.assemble(
                (f"kill -9 {part.process.pid}", "bold red"),
                f"  {part.name}, which holds the lease of this game's partition {self._keys.partition}.",
            ),
            Text(f"{PLAYER} moves all the same; the command waits in its stream.", "dim"),
        )

    async def _holder(self) -> Part:
        """The rules worker that holds the lease of the game's partition: its name holds its process's id."""
        holder = await lease_holder(self._redis, self._keys, "rules")
        for part in self.parts.running:
            if holder is not None and f"-{part.process.pid}-" in holder:
                return part
        raise Problem(f"No worker of the demo holds the lease: it is {holder}'s", "", "Try again")

    async def _audit(self) -> None:
        report = await audit_game(self._redis, self._settings.namespace, self._settings.partitions, GAME)
        say(Text("The audit of the game", "bold"))
        tell_report(report)
        if not report.clean:
            raise Problem(
                "The audit of the demo's game is not clean", "", "This is a defect: report it", Exit.NO
            )

    async def _tell_figures(self, took_s: float) -> None:
        keys = self._keys
        commands = (await self._redis.xinfo_stream(keys.commands))["entries-added"]
        commits = await self._redis.xlen(keys.log(GAME))
        receipts = await self._redis.hlen(keys.receipts(GAME))
        log_bytes = await self._redis.memory_usage(keys.log(GAME), samples=0)
        used = (await self._redis.info("memory"))["used_memory"]
        takeover = "no worker was killed" if self._takeover_s is None else f"{self._takeover_s:.1f} s"
        say(
            "",
            f"  commands sent        {commands}",
            f"  commits in the log   {commits}, {log_bytes / commits:.0f} bytes each",
            f"  receipts             {receipts}, one for each command, however often it was sent",
            f"  takeover             {takeover}, lease time {self._settings.lease_ms / 1000:g} s",
            f"  Redis                {used / 2**20:.1f} MiB in all",
            f"  whole demo           {took_s:.0f} s",
        )


def _next() -> tuple[str, ...]:
    return (
        "",
        "What to try next:",
        "  fairdeal play perudo    sit down with bots yourself, in this terminal",
        "  fairdeal up             run everything until Ctrl-C, for your own backend",
        "  fairdeal rulesets       see what can be played",
    )
