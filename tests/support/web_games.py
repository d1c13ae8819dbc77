"""The drawn tables in a browser: the page that loads a game's module, and seeded games to look at."""

import json
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from shutil import which
from typing import Any, Final

import msgspec
from playwright.sync_api import ConsoleMessage, Page, Route, sync_playwright

import fairdeal_gateway
from fairdeal import game
from fairdeal.action import Action
from fairdeal.games import game_module
from fairdeal.tagged import module_records, tag_of
from fairdeal.visibility import Event, Viewer, redact
from fairdeal_bots import bots_of
from fairdeal_bots.bot import Bot, move_of
from fairdeal_local import Table

WEB: Final = Path(fairdeal_gateway.__file__).parent / "web"
PROBE: Final = Path(__file__).with_name("web_probe.js")
BROWSER: Final = which("chromium") or which("chromium-browser") or which("google-chrome")
NAMES: Final = ("ann", "bob", "cy", "dora", "eve", "finn")
EAGER: Final = 0.05
"""How often a generated game has a move of a seat that is not waited for, such as a call."""
POLICY: Final = "default-src 'self'"
Cell = tuple[int, dict[str, Any]]
"""Seats and options of a game."""
_STYLES: Final = "".join(
    f'<link rel="stylesheet" href="/web/{file.relative_to(WEB)}">'
    for file in sorted(WEB.rglob("*.css"), reverse=True)
)
_PAGE: Final = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
{_STYLES}
<script type="module" src="/probe.js"></script><body></body></html>"""


@dataclass
class Browser:
    """The page of the probe, and what its console has complained of."""

    page: Page
    complaints: list[str]

    def call(self, function: str, *arguments: Any) -> Any:
        """One of the probe's functions. Raises playwright's Error if it throws."""
        return self.page.evaluate("([name, args]) => window.probe[name](...args)", [function, arguments])

    def for_each(self, function: str, ruleset: str, jobs: Sequence[Any], *more: Any) -> list[Any]:
        """The same for many jobs, in few round trips."""
        code = """async ([name, ruleset, jobs, more]) => {
            const done = [];
            for (const job of JSON.parse(jobs)) done.push(await window.probe[name](ruleset, job, ...more));
            return JSON.stringify(done);
        }"""
        done: list[Any] = []
        for start in range(0, len(jobs), 40):
            text = json.dumps(jobs[start : start + 40])  # as text it crosses over much faster
            done += json.loads(self.page.evaluate(code, [function, ruleset, text, more]))
        return done


@contextmanager
def opened(width: int = 360) -> Iterator[Browser]:
    """A browser with the probe's page, of this width, under the policy that the gateway sends."""
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            page = browser.new_page(viewport={"width": width, "height": 800})
            page.on("console", complain)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.route("**/*", _serve)
            page.goto("http://table.test/")
            page.wait_for_function("window.probe !== undefined", timeout=10_000)
            yield Browser(page, complaints)
        finally:
            browser.close()


def _serve(route: Route) -> None:
    path = route.request.url.removeprefix("http://table.test/")
    if not path:
        route.fulfill(
            body=_PAGE, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY}
        )
        return
    file = PROBE if path == "probe.js" else WEB.parent / path
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if file.is_file():
        route.fulfill(body=file.read_bytes(), content_type=f"{kind}; charset=utf-8")
    else:
        route.fulfill(status=404 if path != "favicon.ico" else 204, body="")


# Games to look at


def builtins(record: Any) -> Any:
    """A record as it comes out of its JSON."""
    return msgspec.json.decode(msgspec.json.encode(record))


def job_of(table: Table, viewer: int | None) -> dict[str, Any]:
    """What the page is given for a viewer, `None` for the table."""
    view = table.view("table" if viewer is None else viewer)
    return {"view": builtins(view), "names": list(NAMES[: len(table.players)]), "seat": viewer}


def bots_by_chance(ruleset: str, seats: int, seed: int) -> dict[int, Bot]:
    """Sensible bots and random ones, by turns."""
    kinds = bots_of(ruleset)
    sensible = next(bot for name, bot in kinds.items() if name != "random")
    return {seat: sensible if (seat + seed) % 2 else kinds["random"] for seat in range(seats)}


def step(table: Table, bots: Mapping[int, Bot], random: Random, eager: float = 0.0) -> bool:
    """One move of a bot; False if none of them moves. Now and then an `eager` one moves though nobody waits for it."""
    if random.random() < eager:
        view = table.view(random.choice(list(bots)))
        if view.offers:
            table.act(view.seat, random.choice(view.offers).sample(random))
            return True
    for seat in random.sample(list(bots), len(bots)):
        action = move_of(bots[seat], table.view(seat))
        if action is not None:
            table.act(seat, action)
            return True
    return False


def games(ruleset: str, cells: Sequence[Cell], count: int) -> Iterator[Table]:
    """Tables of each cell (seats, options) at each of their states, `count` games of each cell."""
    for seats, options in cells:
        for seed in range(count):
            table = Table.open(ruleset, NAMES[:seats], options, seed, clock=60_000)
            bots = bots_by_chance(ruleset, seats, seed)
            random = Random(seed)
            yield table
            for _ in range(3000):
                if table.finished or not step(table, bots, random, EAGER):
                    break
                yield table


def edges(ruleset: str, seats: int) -> Iterator[Table]:
    """A table before its start, and one that ends by the clock, by giving up, by the host."""
    table = Table.open(ruleset, NAMES[:seats], dealer=5, start="when_ready", clock=60_000)
    yield table
    for seat in range(seats):
        table.act(seat, game.Ready())
        yield table
    for _ in range(8):
        table.clock_expired()
        yield table
    table.act(0, game.Resign())
    yield table
    table.host(game.Reseat(seat=1, player="zoe"))
    yield table
    table.host(game.Cancel(reason="a storm"))
    yield table


def events_of(table: Table, since: int, viewer: int | None) -> list[Any]:
    """The events of the commits after `since` as a viewer gets them."""
    shown: Viewer = "table" if viewer is None else viewer
    return [builtins(redact(event, shown)) for commit in table.log[since:] for event in commit.events]


@dataclass
class Survey:
    """What was met in many games: views with what the page is given for them, and events as somebody got them."""

    views: list[tuple[Any, dict[str, Any]]]
    told: list[dict[str, Any]]


def survey(ruleset: str, cells: Sequence[Cell], count: int, most: int) -> Survey:
    """About `most` views of `count` games of each cell, every situation among them; and all their events.

    A situation is a phase, and which offers a viewer has. Events are kept as two viewers by chance got them.
    """
    new: list[tuple[Any, dict[str, Any]]] = []
    more: list[tuple[Any, dict[str, Any]]] = []
    told: dict[tuple[int, int | None], list[Any]] = {}
    met: set[tuple[Any, ...]] = set()
    random = Random(7)
    known, since = None, 0
    for table in chain(edges(ruleset, cells[0][0]), games(ruleset, cells, count)):
        since = since if table is known else 0
        known = table
        viewers = [None, *range(len(table.players))]
        for viewer in random.sample(viewers, 2):
            told.setdefault((len(table.players), viewer), []).extend(events_of(table, since, viewer))
        since = len(table.log)
        for viewer in viewers if since < 100 or random.random() < 0.2 else ():
            view = table.view("table" if viewer is None else viewer)
            situation = (view.phase, viewer is None, frozenset(offer.action_type() for offer in view.offers))
            if situation not in met:
                met.add(situation)
                new.append((view, job_of(table, viewer)))
            elif random.random() < 0.01 and len(more) < most:
                more.append((view, job_of(table, viewer)))
    jobs = [
        {"events": events, "names": list(NAMES[:seats]), "seat": viewer}
        for (seats, viewer), events in told.items()
    ]
    return Survey(new[: 2 * most] + more[: max(0, most - len(new))], jobs)


def event_types(ruleset: str) -> set[str]:
    """The types of all events of a ruleset's own."""
    module = game_module(ruleset)
    return {tag_of(record) for record in module_records(module.__name__, vars(module), Event)}


def action_types(ruleset: str) -> set[str]:
    """The types of all actions of a ruleset's own."""
    module = game_module(ruleset)
    return {tag_of(record) for record in module_records(module.__name__, vars(module), Action)}
