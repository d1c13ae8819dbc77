"""Every page: the lobby's filter and counts, the replay's controls, operations, barriers, and a first load's weight."""

import re
from typing import Any

import pytest

from support.chromium import barriers
from support.site import Site, until

BOTS = ("bot:random:ann", "bot:random:bob", "bot:random:cy")
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    """A finished game of Perudo."""
    game = site.open("perudo", BOTS, options={"dice_per_player": 2})
    site.finished(game)
    return game


def test_the_lobby_filters_and_counts_live(page: Any, site: Site, finished: str) -> None:
    page.goto(f"/#token={site.host}")
    listed = page.locator("[data-game]")
    page.locator(f"[data-game='{finished}']").wait_for()
    playing = page.get_by_role("radio", name=re.compile("^Playing"))
    before = count_of(playing)
    game = site.open("kuhhandel", ["zoe", "yan", "xi"])
    page.locator(f"[data-game='{game}']").wait_for()
    assert count_of(playing) == before + 1
    playing.check()
    assert {one.get_attribute("data-status") for one in listed.all()} == {"playing"}
    page.get_by_role("radio", name=re.compile("^Kuhhandel")).check()
    assert [one.get_attribute("data-game") for one in listed.all()] == [game]
    page.get_by_role("radio", name=re.compile("^All")).first.check()
    page.get_by_label("Game or player").fill("ZOE")
    assert listed.count() == 1
    page.get_by_label("Game or player").fill("nobody of that name")
    page.get_by_text("No game fits this filter.").wait_for()
    page.get_by_label("Game or player").fill("")
    page.get_by_role("link", name=f"Table of {game}").click()
    page.get_by_role("heading", name=game).wait_for()


def count_of(radio: Any) -> int:
    return int(re.sub(r"\D", "", radio.locator("..").inner_text()))


def test_a_replay_is_scrubbed_by_buttons_slider_keys_and_links(page: Any, site: Site, finished: str) -> None:
    audit = site.mint("audit", finished)
    head = site.ask(f"games/{finished}/view")["version"]
    page.goto(f"/#/replay/{finished}?token={audit}")
    shows(page, 1, head)
    press = {
        name: page.get_by_role("button", name=name, exact=True)
        for name in ("First", "Previous commit", "Next commit", "Next event", "Previous event", "Last")
    }
    press["Next commit"].click()
    shows(page, 2, head)
    press["Previous commit"].click()
    shows(page, 1, head)
    for key, version in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", head), ("Home", 1)):
        page.keyboard.press(key)
        shows(page, version, head)
    press["Last"].click()
    shows(page, head, head)
    assert page.get_by_role("region", name="Outcome").is_visible()
    page.get_by_role("slider", name="Version").fill("3")
    shows(page, 3, head)
    press["First"].click()
    shows(page, 1, head)
    # The first commit has several events: stepping goes through them before it comes to the next commit.
    press["Next event"].click()
    page.wait_for_function("() => document.querySelectorAll('.feed [aria-current]').length === 1")
    first = page.locator(".feed [aria-current]").inner_text()
    press["Next event"].click()
    page.wait_for_function(
        "was => document.querySelector('.feed [aria-current]')?.innerText !== was", arg=first
    )
    shows(page, 1, head)
    press["Previous event"].click()
    page.wait_for_function(
        "was => document.querySelector('.feed [aria-current]')?.innerText === was", arg=first
    )
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => parseInt(document.querySelector('output').value) > 2")
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("Home")
    shows(page, 1, head)
    # A link to a moment, opened anew, shows the same moment through the same eyes.
    page.get_by_label("Seen by").select_option("seat:1")
    page.keyboard.press("End")
    shows(page, head, head)
    page.wait_for_url(f"**/#/replay/{finished}?v={head}&as=seat%3A1")
    page.goto(f"/#/replay/{finished}?v=4&as=seat:2")
    shows(page, 4, head)
    assert page.get_by_label("Seen by").input_value() == "seat:2"


def shows(page: Any, version: int, head: int) -> None:
    page.locator("output", has_text=re.compile(f"^{version} / {head}$")).wait_for()


def test_the_viewer_decides_what_a_replay_shows(page: Any, site: Site, finished: str) -> None:
    page.goto(f"/#/replay/{finished}?as=table&token={site.mint('audit', finished)}")
    page.get_by_label("Seen by").wait_for()
    told = {}
    for viewer in ("table", "seat:0", "audit"):
        page.get_by_label("Seen by").select_option(viewer)
        page.wait_for_url(re.compile(f"as={viewer.replace(':', '%3A')}$"))
        feed = page.locator(".feed")
        before = set(told.values()) | {""}
        until(
            f"a story of its own for {viewer}",
            lambda feed=feed, before=before: feed.inner_text() not in before,
        )
        told[viewer] = feed.inner_text()


def test_operations_show_a_worker_that_was_killed(page: Any, site: Site) -> None:
    second = site.worker("views")

    def shared() -> Any:
        workers = site.ask("operations")["workers"]["views"]
        return len(workers) == 2

    until("the second worker to register", shared)
    page.goto(f"/#token={site.host}")
    page.get_by_role("link", name="Operations").click()
    rows = page.locator("tr[data-role=views]")
    until("two workers that share the places", lambda: sorted(leases(rows)) == [2, 2])
    second.kill()
    # The survivor takes over every place, and the dead one is told as silent or is no longer listed.
    holders = page.locator("td[data-role=views] code")
    until("one worker that holds every lease", lambda: one_of_four(holders.all_inner_texts()))
    until(
        "the dead worker to be told", lambda: rows.count() == 1 or "silent" in "".join(rows.all_inner_texts())
    )
    page.get_by_text("all served").wait_for()


def leases(rows: Any) -> list[int]:
    return [int(text) for text in rows.locator("td.num").all_inner_texts()]


def one_of_four(names: list[str]) -> bool:
    return len(names) == 4 and len(set(names)) == 1


def test_operations_tell_the_reason_of_a_dead_letter(page: Any, site: Site) -> None:
    import redis

    from fairdeal.wire import Keys
    from support.site import NAMESPACE

    with redis.Redis.from_url(site.redis.url) as client:
        keys = Keys(NAMESPACE, 1)
        client.xadd(keys.commands, {"__data__": b"\xff no command at all"})
        until("the dead letter", lambda: client.xlen(keys.dead))
    page.goto(f"/#token={site.host}")
    page.get_by_role("link", name="Operations").click()
    letters = page.get_by_role("region", name="Dead letters", exact=True)
    letters.get_by_role("row").nth(1).wait_for()
    reason = site.ask("operations")["dead"][0]["reason"]
    assert reason
    assert reason in letters.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_serious_barriers(browser: Any, site: Site, finished: str, scheme: str) -> None:
    """axe-core on every page, light at 360 px and dark at 1280, and no page is wider than its window."""
    context = browser.new_context(base_url=site.url, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    seat = site.open(
        "perudo", ["me", "you", "they"], options={"start_rule": "seat_0"}, clock={"turn_ms": 600_000}
    )
    cow = site.open("kuhhandel", ["me", "you", "they"])
    page.goto("/")
    page.get_by_role("heading", name="Welcome").wait_for()
    found = barriers(page)
    page.goto(f"/#token={site.host}")
    page.locator("[data-game]").first.wait_for()
    for game in (seat, cow):
        page.goto(f"/#/table/{game}?token={site.mint('seat', game, seat=0)}")
        page.locator(".feed li").first.wait_for()
    page.goto(f"/#/proof/{finished}?token={site.mint('audit')}")
    pages = {
        "#/": "[data-game]",
        "#/new": ".seats li",
        f"#/table/{seat}": ".moves button",
        f"#/table/{cow}": ".feed li",
        f"#/table/{finished}": ".g-result",
        f"#/replay/{finished}?v=5&as=audit": ".feed li",
        f"#/proof/{finished}": ".facts .hash",
        "#/operations": ".matrix",
    }
    for address, there in pages.items():
        page.goto("/" + address)
        page.locator(there).first.wait_for()
        if address.startswith("#/proof"):
            page.get_by_role("button", name="Verify in this browser").click()
            page.locator("[data-summary]").wait_for()
            page.locator("summary", has_text="Every commit").click()
        if address == "#/new":
            page.get_by_text("All 28 options").click()
        for width in (1280, 900, 360) if scheme == "light" else (360, 900, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{address} at {width} px is {wide} px wide")
        found += [f"{address} at {width} px: {one}" for one in barriers(page)]
    page.get_by_role("button", name="Access").click()
    found += barriers(page)
    context.close()
    assert found == [], "\n".join(found)


def test_a_first_load_is_light_and_comes_from_here_alone(page: Any, site: Site) -> None:
    loaded: dict[str, int] = {}
    page.on(
        "response",
        lambda answer: loaded.update({answer.url: len(answer.body())}) if is_file(answer.url) else None,
    )
    page.goto(f"/#token={site.host}")
    page.get_by_role("heading", name="Lobby").wait_for()
    # The heaviest drawing of all.
    game = site.open("perekupai", ["me", "you", "they"])
    page.goto(f"/#/table/{game}?token={site.mint('seat', game, seat=0)}")
    page.locator(".feed li").first.wait_for()
    assert all(url.startswith(site.url) for url in loaded)
    assert len(loaded) > 10
    assert sum(loaded.values()) < MOST_BYTES, loaded


def is_file(url: str) -> bool:
    return "/games/" not in url or url.endswith((".js", ".css"))


def test_the_theme_is_chosen_and_kept(page: Any) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch to dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    page.get_by_role("button", name="Switch to light").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
