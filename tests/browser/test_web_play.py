"""Playing and watching in a browser: whole games by mouse and by keys, spectators, reconnecting."""

import json
import re
import time
from random import Random
from typing import Any

import pytest

from support.site import Site, until

ENABLED = """
root => [...root.querySelectorAll('button')]
  .map((node, index) => [node, index])
  .filter(([node]) => !node.disabled)
  .map(([node, index]) => [index, node.matches('.g-main') ? 12 : 1])
"""
"""The enabled buttons, and how likely each is: those that send are clicked more often than those that choose."""


def sit_down(page: Any, site: Site, game: str, seat: int = 0) -> None:
    """Open the table by a seat's link, as an invitation is."""
    token = site.mint("seat", game, seat=seat)
    page.goto(f"/#/table/{game}?token={token}")
    page.get_by_role("region", name="Table", exact=True).wait_for()


def play(page: Any, random: Random, seconds: float) -> int:
    """Click enabled buttons of one's moves by chance until the game is over; how many clicks it took."""
    from playwright.sync_api import Error

    moves = page.get_by_role("region", name="Your moves")
    outcome = page.get_by_role("region", name="Outcome")
    deadline = time.monotonic() + seconds
    clicks = 0
    while not outcome.is_visible():
        assert time.monotonic() < deadline, f"the game is not over after {clicks} clicks and {seconds:g} s"
        try:
            enabled = moves.evaluate(ENABLED, timeout=500)
            if not enabled:
                page.wait_for_timeout(20)
                continue
            numbers, weights = zip(*enabled, strict=True)
            moves.get_by_role("button").nth(*random.choices(numbers, weights)).click(timeout=500, force=True)
            clicks += 1
        except Error:
            continue  # what was to be clicked was drawn anew meanwhile
    return clicks


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "seconds"),
    [
        ("perudo", 3, {"dice_per_player": 2}, 30),
        ("kuhhandel", 3, {"lot_size": 2, "auction_mode": "round_robin", "max_trades_after_deck": 2}, 60),
    ],
)
def test_a_whole_game_is_played_by_clicking(
    page: Any, site: Site, ruleset: str, players: int, options: dict[str, Any], seconds: float
) -> None:
    others = ["bot:random:ann", "bot:random:bob"][: players - 1]
    game = site.open(ruleset, ["me", *others], options=options)
    sit_down(page, site, game)
    assert play(page, Random(3), seconds) > 0
    summary = site.finished(game)
    assert summary["winners"]
    names = ["me", "ann", "bob"]
    for seat in summary["winners"]:
        assert names[seat] in page.get_by_role("region", name="Outcome").inner_text()
    assert page.get_by_text("The game is over").count() > 0
    assert page.get_by_role("button", name="Resign").count() == 0


def test_a_game_is_opened_from_the_form_and_played_by_keys_alone(page: Any, site: Site) -> None:
    page.goto(f"/#token={site.host}")
    page.get_by_role("heading", name="Lobby").wait_for()
    assert "token" not in page.url
    page.get_by_role("link", name="New game").first.click()
    page.get_by_role("radio", name=re.compile("Perudo")).check()
    page.get_by_role("button", name="Take Seat 3 away").click()
    page.get_by_text("All 28 options").click()
    page.get_by_label("Dice per player").fill("1")
    page.get_by_role("button", name="Open the game").press("Enter")
    page.wait_for_url(re.compile("#/table/"))
    outcome = page.get_by_role("region", name="Outcome")
    random = Random(5)
    for _ in range(600):
        if outcome.is_visible():
            break
        page.keyboard.press("Tab")
        mine = page.evaluate("document.activeElement.matches('.moves button')")
        if mine and random.random() < 0.5:
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
    assert outcome.is_visible(), "the game is not over after 600 keys"


def test_resigning_asks_first(page: Any, site: Site) -> None:
    game = site.open("perudo", ["me", "you", "they"])
    sit_down(page, site, game)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Keep playing").click()
    assert site.ask(f"games/{game}/view")["table"]["resigned"] == []
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_text("resigned").first.wait_for()
    assert site.ask(f"games/{game}/view")["table"]["resigned"] == [0]


def test_what_is_half_filled_outlives_the_others_moves(page: Any, site: Site) -> None:
    game = site.open("perudo", ["me", "you", "they"], start="when_ready")
    sit_down(page, site, game)
    words = page.get_by_label("Your own random words")
    words.fill("seven blue cows")
    words.press("Home")
    for seat in (1, 2):
        token = site.mint("seat", game, seat=seat)
        site.ask(f"games/{game}/commands", {"action": {"type": "game.ready"}}, token=token)
        page.get_by_text(f"{['me', 'you', 'they'][seat]} is there.").wait_for()
    assert words.input_value() == "seven blue cows"
    assert page.evaluate("[document.activeElement.dataset.key, document.activeElement.selectionStart]") == [
        "entropy",
        0,
    ]
    page.get_by_role("button", name="I am ready").click()
    page.get_by_text("All are there").first.wait_for()
    frames = site.ask(f"games/{game}/replay", token=site.mint("audit", game))["frames"]
    said = [event for frame in frames for event in frame["events"] if event["type"] == "game.readied"]
    assert said[-1]["entropy"] == "seven blue cows"


def test_on_a_narrow_screen_the_moves_come_before_the_rest_of_the_table(page: Any, site: Site) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    game = site.open("perekupai", ["me", "you", "they"])
    first = site.ask(f"games/{game}/view")["to_act"][0]
    sit_down(page, site, game, first)
    moves = page.get_by_role("region", name="Your moves")
    market = page.get_by_role("heading", name="Cars on the market")
    assert moves.bounding_box()["y"] < 600, "they do not begin on the first screen"
    assert market.bounding_box()["y"] > moves.bounding_box()["y"]
    assert page.get_by_label("What happened", exact=True).bounding_box()["y"] > market.bounding_box()["y"]


def test_a_refused_move_is_told_in_words(page: Any, site: Site, complaints: list[str]) -> None:
    game = site.open("perudo", ["me", "you"], options={"start_rule": "seat_0"})
    sit_down(page, site, game)
    # The move is made for a version that nobody is at any more when it arrives.
    page.route("**/commands", lambda route: route.continue_(post_data=stale(route.request.post_data)))
    page.get_by_role("button", name=re.compile("^Bid ")).click()
    page.get_by_role("alert").get_by_text("The table has moved on").wait_for()
    assert all("409" in text for text in complaints), complaints
    complaints.clear()


def stale(body: str) -> str:
    return json.dumps(json.loads(body) | {"expect": 0})


LISTEN = """
const ask = window.fetch;
window.heard = [];
window.fetch = async (...what) => {
  const answer = await ask(...what);
  answer.clone().text().then((text) => window.heard.push([answer.url, text]), () => {});
  return answer;
};
"""
"""Keeps every body that the page receives; that of a stream once it has ended."""


def test_a_spectator_gets_no_secret_and_everything_late(page: Any, site: Site) -> None:
    game = site.open("perudo", ["me", "bot:random:ann", "bot:random:bob"], options={"dice_per_player": 2})
    watch = site.mint("watch", game, delay_s=2)
    until("something to see with the delay", lambda: seen(site, game, watch))
    page.add_init_script(LISTEN)
    page.goto(f"/#/table/{game}?token={watch}")
    page.get_by_text("2 seconds late").wait_for()
    before = site.ask(f"games/{game}/view")["version"]
    seat = site.mint("seat", game, seat=0)
    site.ask(f"games/{game}/commands", {"action": {"type": "game.resign"}}, token=seat)
    assert site.ask(f"games/{game}/replay", token=watch)["head"] <= before
    assert page.get_by_role("region", name="Your moves").count() == 0
    page.get_by_role("region", name="Outcome").wait_for()
    page.get_by_text("The game is over").first.wait_for()
    page.wait_for_function("() => window.heard.some(([url]) => url.includes('/events'))")
    frames = [
        frame for url, text in page.evaluate("window.heard") if game in url for frame in frames_of(text)
    ]
    assert len(frames) > 3
    assert sum(event["type"] == "perudo.round_started" for frame in frames for event in frame["events"]) > 0
    for frame in frames:
        view = frame["view"]
        assert not view.get("hand"), view
        assert not view.get("offers"), view
        for event in frame["events"]:
            assert event.get("dice") is None, event
            assert "seed" not in event or event["type"] == "game.finished"


def seen(site: Site, game: str, token: str) -> bool:
    try:
        return bool(site.ask(f"games/{game}/view", token=token))
    except OSError:
        return False


def frames_of(text: str) -> list[dict[str, Any]]:
    """The frames in a page of a replay or in a stream of events."""
    if text.startswith("{"):
        frames: list[dict[str, Any]] = json.loads(text)["frames"]
        return frames
    data = re.findall(r"event: frame\r?\n(?:id: \d+\r?\n)?data: (.*)|data: (\{\"version\".*)", text)
    return [json.loads(one or other) for one, other in data]


def test_a_drawing_that_cannot_be_fetched_is_asked_for_again(
    page: Any, site: Site, complaints: list[str]
) -> None:
    game = site.open("perudo", ["me", "you"], options={"start_rule": "seat_0"})
    page.route("**/web/games/perudo.js", lambda route: route.abort(), times=1)
    sit_down(page, site, game)
    page.get_by_role("button", name=re.compile("^Bid ")).wait_for()
    assert complaints
    assert all("ERR_" in text for text in complaints), complaints
    complaints.clear()


def test_the_table_comes_back_after_the_gateway_was_gone(
    page: Any, site: Site, complaints: list[str]
) -> None:
    game = site.open("perudo", ["me", "you"], options={"start_rule": "seat_0"})
    sit_down(page, site, game)
    page.get_by_text("Live", exact=True).wait_for()
    site.stop_gateway()
    page.get_by_text("Reconnecting").wait_for()
    site.start_gateway()
    site.ask(
        f"games/{game}/commands",
        {"action": {"type": "perudo.bid", "quantity": 1, "face": 3}},
        token=site.mint("seat", game, seat=0),
    )
    page.get_by_text("Live", exact=True).wait_for(timeout=20_000)
    page.get_by_text(re.compile("me bids")).wait_for()
    assert page.get_by_text(re.compile("me bids")).count() == 1
    assert all("ERR_" in text for text in complaints), complaints
    complaints.clear()
