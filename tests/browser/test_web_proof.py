"""The proof in the browser: good files hold, altered ones are caught and the commit at fault is named."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from fairdeal.commit import EVENTS, GENESIS, chain
from fairdeal.visibility import drawn_fields
from fairdeal_audit import audit_export
from support.site import Site

OPTIONS: dict[str, dict[str, Any]] = {
    "perudo": {"dice_per_player": 2},
    "kuhhandel": {"lot_size": 2, "max_trades_after_deck": 2},
    "real_or_fake": {},
    "demoludy": {"points_target": 2},
}
"""Games that bots bring to an end soon."""
WHOLE = ("perudo", "kuhhandel", "real_or_fake")
"""The rulesets of which the page recomputes every draw."""


@pytest.fixture(scope="module")
def exports(site: Site) -> dict[str, bytes]:
    """The export of a finished game of each ruleset."""
    bots = ["bot:random:ann", "bot:random:bob", "bot:random:cy"]
    games = {name: site.open(name, bots, options=options) for name, options in OPTIONS.items()}
    for game in games.values():
        site.finished(game)
    audit = site.mint("audit")
    return {name: site.bytes_of(f"games/{game}/export", audit) for name, game in games.items()}


# A file taken apart and put together again

Lines = list[dict[str, Any]]


def lines_of(export: bytes) -> Lines:
    return [json.loads(line) for line in export.splitlines()]


def file_of(lines: Lines, *, seal: bool = True) -> bytes:
    """The file of these lines; `seal` makes its last line fit."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    last = lines[-1] | ({"sha256": hashlib.sha256(body).hexdigest()} if seal else {})
    return body + json.dumps(last).encode() + b"\n"


def commits_of(lines: Lines) -> Lines:
    return [line for line in lines if "c" in line]


def rewrite(lines: Lines, version: int, change: Callable[[Any], None], *, rehash: bool) -> None:
    """Alter a commit; `rehash` makes the whole chain fit again, as somebody who knows the format would."""
    line = commits_of(lines)[version - 1]
    commit = json.loads(line["c"])
    change(commit)
    line["c"] = json.dumps(commit, separators=(",", ":"))
    if rehash:
        before = GENESIS
        for one in commits_of(lines):
            before = chain(before, one["c"].encode())
            one["h"] = before.hex()


def version_with(lines: Lines, type: str, nth: int = 0) -> int:
    """The version of the nth commit that has an event of this type."""
    found = [
        line["version"]
        for line in commits_of(lines)
        if any(event["type"] == type for event in json.loads(line["c"])["events"])
    ]
    return int(found[nth])


def event_of(commit: Any, type: str) -> Any:
    return next(event for event in commit["events"] if event["type"] == type)


# What may be done to a file: (lines) → which check fails at which version


def a_word_in_a_commit(lines: Lines) -> tuple[str, int | None]:
    rewrite(lines, 3, lambda commit: commit["command"].update(id="another"), rehash=False)
    return "chain", 3


def a_hash(lines: Lines) -> tuple[str, int | None]:
    commits_of(lines)[4]["h"] = "0" * 64
    return "chain", 5


def a_commit_taken_out(lines: Lines) -> tuple[str, int | None]:
    lines.remove(commits_of(lines)[3])
    return "chain", 4


def two_commits_exchanged(lines: Lines) -> tuple[str, int | None]:
    first, second = lines.index(commits_of(lines)[5]), lines.index(commits_of(lines)[6])
    lines[first], lines[second] = lines[second], lines[first]
    return "chain", 6


def a_die_with_a_new_chain(lines: Lines) -> tuple[str, int | None]:
    version = version_with(lines, "perudo.round_started", 1)

    def turn(commit: Any) -> None:
        dice = next(dice for dice in event_of(commit, "perudo.round_started")["dice"] if dice)
        dice[0] = dice[0] % 6 + 1

    rewrite(lines, version, turn, rehash=True)
    return "draws", version


def skipped_words_with_a_new_chain(lines: Lines) -> tuple[str, int | None]:
    version = version_with(lines, "perudo.round_started", 1)
    rewrite(
        lines,
        version,
        lambda commit: commit.update(draws=[word + 1 for word in commit["draws"]]),
        rehash=True,
    )
    return "draws", version


def a_seed_with_a_new_chain(lines: Lines) -> tuple[str, int | None]:
    version = version_with(lines, "game.finished")
    rewrite(
        lines, version, lambda commit: event_of(commit, "game.finished").update(seed="ab" * 32), rehash=True
    )
    return "commitment", version


def entropy_with_a_new_chain(lines: Lines) -> tuple[str, int | None]:
    def add(commit: Any) -> None:
        commit["command"]["action"]["players"][0]["entropy"] = "mine"
        event_of(commit, "game.created")["entropy"][0] = "mine"

    rewrite(lines, 1, add, rehash=True)
    return "draws", 1


ALTERED = [
    a_word_in_a_commit,
    a_hash,
    a_commit_taken_out,
    two_commits_exchanged,
    a_die_with_a_new_chain,
    skipped_words_with_a_new_chain,
    a_seed_with_a_new_chain,
    entropy_with_a_new_chain,
]


def check(page: Any, content: bytes) -> None:
    """Choose a file on the proof page, and wait for the verdict."""
    page.locator("input[type=file]").set_input_files(
        {"name": "game.ndjson", "mimeType": "application/x-ndjson", "buffer": content}
    )
    page.locator("[data-summary], [role=alert]").first.wait_for()


def verdict(page: Any, name: str) -> str:
    value: str = page.locator(f"[data-check={name}]").get_attribute("data-verdict")
    return value


@pytest.mark.parametrize("ruleset", OPTIONS)
def test_a_good_file_holds_without_asking_the_server(
    page: Any, exports: dict[str, bytes], ruleset: str
) -> None:
    page.goto("/#/proof")
    page.get_by_text("Drop an exported game here").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    check(page, exports[ruleset])
    assert page.locator("[data-clean=true]").count() == 1, page.locator("main").inner_text()
    assert {verdict(page, name) for name in ("file", "chain", "commitment", "draws")} == {"ok"}
    assert asked == []
    told = page.get_by_text("drawn outcome").inner_text()
    drawn, recomputed = numbers_of(told)
    assert drawn > 0
    assert recomputed == drawn if ruleset in WHOLE else recomputed < drawn


def numbers_of(told: str) -> tuple[int, int]:
    """(drawn outcomes, recomputed) of the sentence that tells them."""
    words = told.replace(",", "").split()
    return int(words[words.index("drawn") - 1]), int(words[words.index("them") - 2])


@pytest.mark.parametrize("alter", ALTERED)
def test_an_altered_file_is_caught_and_the_commit_named(
    page: Any, exports: dict[str, bytes], alter: Callable[[Lines], tuple[str, int | None]]
) -> None:
    lines = lines_of(exports["perudo"])
    name, version = alter(lines)
    content = file_of(lines)
    page.goto("/#/proof")
    check(page, content)
    assert page.locator("[data-clean=false]").count() == 1
    assert verdict(page, name) == "failed"
    assert f"Commit {version}:" in page.locator(f"[data-check={name}]").inner_text()
    assert f"Commit {version} is at fault" in page.locator("[data-summary]").inner_text()
    # The command line comes to the same verdict.
    audit = audit_export(content)
    same = audit.check("seed" if name == "commitment" else name)  # type: ignore[arg-type]
    assert (same.verdict, same.version) == ("failed", version)


def test_a_file_that_was_cut_off_or_altered_outside_its_commits(page: Any, exports: dict[str, bytes]) -> None:
    page.goto("/#/proof")
    check(page, exports["perudo"].rsplit(b"\n", 2)[0] + b"\n")
    assert "cut off" in page.locator("[data-check=file]").inner_text()
    lines = lines_of(exports["perudo"])
    lines[0]["exported_at"] += 1
    check(page, file_of(lines, seal=False))
    page.get_by_text("The file is at fault.").wait_for()
    assert verdict(page, "chain") == "ok"


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe", b'{"fairdeal_export": 99}\n', b"[1]\n"])
def test_what_is_no_export_is_told_in_words(page: Any, content: bytes) -> None:
    page.goto("/#/proof")
    check(page, content)
    assert "This file cannot be checked" in page.get_by_role("alert").inner_text()


def more_seats_than_words_can_tell(lines: Lines) -> None:
    rewrite(
        lines,
        1,
        lambda commit: event_of(commit, "game.created").update(players={"length": 10**10}),
        rehash=True,
    )
    version = version_with(lines, "perudo.round_started")
    rewrite(
        lines,
        version,
        lambda commit: commit["events"].insert(0, {"type": "perudo.starter_drawn", "seat": 0}),
        rehash=True,
    )


def entropy_of_a_seat_far_away(lines: Lines) -> None:
    readied = {"type": "game.readied", "seat": 2**32 - 2, "entropy": "x"}
    rewrite(lines, 1, lambda commit: commit["events"].append(readied), rehash=True)


def an_end_upon_an_end(lines: Lines) -> None:
    lines[-1:] = [{"end": True}] * 30_000 + lines[-1:]


@pytest.mark.parametrize(
    "alter", [more_seats_than_words_can_tell, entropy_of_a_seat_far_away, an_end_upon_an_end]
)
def test_a_file_that_is_made_to_keep_the_page_busy_is_at_fault(
    page: Any, exports: dict[str, bytes], alter: Callable[[Lines], None]
) -> None:
    lines = lines_of(exports["perudo"])
    alter(lines)
    page.goto("/#/proof")
    check(page, file_of(lines))
    assert page.locator("[data-clean=true]").count() == 0


def test_a_file_of_more_lines_than_any_game_has_is_not_begun(page: Any, exports: dict[str, bytes]) -> None:
    first = exports["perudo"].partition(b"\n")[0]
    page.goto("/#/proof")
    check(page, first + b"\n" + b'{"version":1,"h":"","c":""}\n' * 50_000)
    assert "50001 lines" in page.get_by_role("alert").inner_text()


def test_a_token_is_taken_out_of_an_address_that_is_no_proper_one(
    page: Any, site: Site, complaints: list[str]
) -> None:
    page.goto(f"/#/table/%E0?token={site.mint('watch')}")
    page.wait_for_url("**/#/table/%E0")
    # There is no such game: the page says so, and the browser's console too.
    page.get_by_text("There is nothing to show.").wait_for()
    assert all("404" in text for text in complaints), complaints
    complaints.clear()


def test_a_dropped_file_is_checked(page: Any, exports: dict[str, bytes]) -> None:
    page.goto("/#/proof")
    page.get_by_text("Drop an exported game here").wait_for()
    page.evaluate(
        """text => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "dropped.ndjson"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        exports["perudo"].decode(),
    )
    page.locator("[data-clean=true]").wait_for()
    assert "dropped.ndjson" in page.locator("[data-clean]").inner_text()


def test_with_an_audit_token_the_export_comes_by_itself(
    page: Any, site: Site, exports: dict[str, bytes]
) -> None:
    game = lines_of(exports["perudo"])[0]["game"]
    seed = json.loads(commits_of(lines_of(exports["perudo"]))[-1]["c"])["events"][-1]["seed"]
    page.goto(f"/#/proof/{game}?token={site.mint('audit', game)}")
    page.get_by_text(seed).wait_for()
    page.get_by_role("button", name="Verify in this browser").click()
    page.get_by_text("All that this browser can check holds.").wait_for()
    page.get_by_role("button", name="Ask the server for its audit").click()
    page.get_by_text("The server finds no fault.").wait_for()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the export").click()
    assert coming.value.suggested_filename == f"{game}.ndjson"


def test_the_page_knows_every_drawn_field_of_the_contract(page: Any) -> None:
    page.goto("/#/proof")
    known = page.evaluate("import('/web/draws.js').then((draws) => draws.DRAWN)")
    drawn = {type: list(drawn_fields(event)) for type, event in EVENTS.items() if drawn_fields(event)}
    assert known == drawn
