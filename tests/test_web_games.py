"""The drawn tables of the web page: they show every state and event, and their controls form what is legal."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

import pytest

from fairdeal.envelope import action_from
from fairdeal_local import Table
from support import web_games
from support.needs import skip_unless
from support.web_games import Browser, Cell, Survey

CELLS: Final[dict[str, list[Cell]]] = {
    "perudo": [
        (4, {"calza": True, "palafico_declared": True, "calza_by_player_in_turn": True}),
        (3, {"start_rule": "random", "show_dice_counts": False, "cap_bid_to_dice": False}),
    ],
    "kuhhandel": [
        (4, {"lot_size": 2, "scoring": "sum_plus_dove"}),
        (3, {"auction_mode": "round_robin", "public_payments": "cards", "payment_rule": "exact_if_possible"}),
        (3, {"bid_step": 30, "payment_rule": "any", "reveal_heaps": "all", "allow_empty_offer": False}),
    ],
    "demoludy": [
        (4, {"variant_actions": True, "variant_points": True, "play_on": True}),
        (3, {"variant_actions": True, "ten_loss_penalty": True, "money_changer_proof": "all"}),
    ],
    "real_or_fake": [
        (4, {"start_bonus": 5000, "start_money": 40000}),
        (
            3,
            {
                "hide_cash": True,
                "overbid": "redo",
                "bid_step": 3000,
                "no_bid_house": "stay",
                "start_money": 9000,
            },
        ),
    ],
    "perekupai": [(3, {}), (5, {"window_mode": "only_if_playable", "actions_per_turn": 3})],
    "pan_tu_nie_stal": [
        (4, {"specials": (1, 1, 3, 4), "mother_duration": "on_play", "runner_limit": 1}),
        (3, {"expansion_bazaar": False, "optional_claim": True}),
        (2, {"show_won": False, "bazaar_refill": "settling_seat_decides"}),
    ],
}
"""Seats and options of the games that are looked at."""

GAMES: Final = {"perekupai": 6, "demoludy": 12, "real_or_fake": 10}
"""Games of each cell, 4 where nothing rare has to come up."""
VIEWS: Final = 45
"""Views of each ruleset that are drawn and played with."""


SILENT: Final = {
    "kuhhandel.turn_started",
    "kuhhandel.heaps_taken",
    "demoludy.turn_ended",
    "real_or_fake.turn_started",
    "real_or_fake.trade_opened",
    "perekupai.decks_laid",
    "perekupai.turn_ended",
    "perekupai.action_started",
    "perekupai.cash_changed",
    "perekupai.window_opened",
    "perekupai.passed",
    "perekupai.acquisition_resolved",
    "perekupai.effect_applied",
    "pan_tu_nie_stal.queues_checked",
    "perekupai.chosen",
}
"""Events that no line is worth: what follows tells them. An effect is told only when it does nothing."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    skip_unless(web_games.BROWSER, "The drawn tables need Chromium, which is not installed")
    with web_games.opened() as browser:
        yield browser


@pytest.fixture(params=list(CELLS))
def ruleset(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@cache
def surveyed(ruleset: str) -> Survey:
    return web_games.survey(ruleset, CELLS[ruleset], GAMES.get(ruleset, 4), VIEWS)


def test_every_state_can_be_drawn_and_read(browser: Browser, ruleset: str) -> None:
    browser.complaints.clear()
    jobs = [job for _, job in surveyed(ruleset).views]
    for job, faults in zip(jobs, browser.for_each("look", ruleset, jobs), strict=True):
        assert not faults, f"{ruleset} as {job['seat']} in {job['view']['phase']}: {faults}"
    assert not browser.complaints


def test_every_event_has_its_words(browser: Browser, ruleset: str) -> None:
    browser.complaints.clear()
    told = surveyed(ruleset).told
    types = {event["type"] for job in told for event in job["events"]}
    missing = web_games.event_types(ruleset) - types
    assert not missing, f"No generated game of {ruleset} came to {missing}"
    silent = set(types)
    for job, sentences in zip(told, browser.for_each("say", ruleset, told), strict=True):
        for event, sentence in zip(job["events"], sentences, strict=True):
            assert isinstance(sentence, str)
            assert not any(word in sentence for word in ("undefined", "NaN", "[object", "null")), (
                event,
                sentence,
            )
            if sentence:
                silent.discard(event["type"])
    assert silent <= SILENT, f"{silent - SILENT} are never told"
    assert not browser.complaints


def test_controls_form_every_kind_of_action_and_legal_ones_only(browser: Browser, ruleset: str) -> None:
    browser.complaints.clear()
    offered = [(view, job) for view, job in surveyed(ruleset).views if job["view"]["offers"]]
    jobs = [job for _, job in offered]
    played = browser.for_each("play", ruleset, jobs, {"seed": 11, "tries": 400})
    types: set[str] = set()
    for (view, job), result in zip(offered, played, strict=True):
        where = f"{ruleset} as {job['seat']} in {view.phase}"
        for action in result["actions"]:
            assert view.admits(action_from(action)), f"{where}: {action} is not among {job['view']['offers']}"
            types.add(action["type"])
        assert not result["missing"], f"{where}: no control forms {result['missing']}"
    missing = web_games.action_types(ruleset) - types
    assert not missing, f"No generated view of {ruleset} offered {missing}"
    assert not browser.complaints


def test_a_whole_game_is_played_by_the_controls(browser: Browser, ruleset: str) -> None:
    browser.complaints.clear()
    seats, options = CELLS[ruleset][0]
    table = Table.open(ruleset, web_games.NAMES[:seats], options, 21)
    bots = web_games.bots_by_chance(ruleset, seats, 1)
    del bots[0]
    random = Random(3)
    own = 0
    for number in range(4000):
        if table.finished:
            break
        view = table.view(0)
        if 0 in view.to_act and (random.random() < 0.5 or not web_games.step(table, bots, random)):
            action = browser.call("move", ruleset, web_games.job_of(table, 0), number)
            assert action is not None, f"No control forms any of {view.offers}"
            table.act(0, action)
            own += 1
        elif 0 not in view.to_act:
            assert web_games.step(table, bots, random)
    assert table.finished, "The game is not over after 4000 steps"
    assert own > 3
    assert not browser.complaints


def test_a_number_is_set_by_keys_and_keeps_the_focus(browser: Browser) -> None:
    table = Table.open("kuhhandel", 3, {"start_rule": "seat_0"}, 1)
    table.act(0, {"type": "kuhhandel.start_auction"})
    browser.call("show", "kuhhandel", web_games.job_of(table, 1))
    page = browser.page
    page.focus("[data-key=amount]")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("[document.activeElement.dataset.key, document.activeElement.value]") == [
        "amount",
        "30",
    ]
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("35")
    assert page.is_disabled("[data-key=bid]")
    assert "steps of 10" in page.inner_text("#why-bid")
    page.keyboard.press("Backspace")
    page.keyboard.type("0")
    page.keyboard.press("Tab")
    page.focus("[data-key=bid]")
    page.keyboard.press("Enter")
    assert page.evaluate("window.sent") == [{"type": "kuhhandel.bid", "amount": 30}]
