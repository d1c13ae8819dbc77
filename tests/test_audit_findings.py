"""The audit of a log: good ones are clean, and whatever is forged is found, with the version at fault."""

import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal import game
from fairdeal.dealer import Dealer, Seed, Seeded
from fairdeal.games import RULESETS, perudo
from fairdeal_audit import AuditImpossible, Finding, Record, Report, audit_log
from fairdeal_audit.report import LONGEST
from fairdeal_local import Scripted, Table
from fairdeal_rules.games.perudo import Rules
from fairdeal_rules.ruleset import rules_for
from fairdeal_views.games.perudo import Seen
from support.logs import (
    chained,
    edited,
    event_of,
    forged,
    play_on,
    played,
    records_of,
    to_json,
    versions_with,
    views_of,
)


def failed(report: Report) -> dict[str, int | None]:
    """The failed checks with the first version at fault."""
    return {check.name: check.version for check in report.checks if check.verdict == "failed"}


def verdicts(report: Report) -> dict[str, str]:
    return {check.name: check.verdict for check in report.checks}


ALL_OK = dict.fromkeys(("chain", "seed", "draws", "execution", "conservation", "views"), "ok")


@pytest.fixture(scope="module")
def table() -> Table:
    """A finished game of three."""
    return played(seed=3)


@pytest.fixture(scope="module")
def records(table: Table) -> list[Record]:
    return records_of(table)


# Good logs


@pytest.mark.parametrize(
    "opening",
    [
        {"players": 2},
        {"players": 6},
        {"options": {"start_rule": "random", "calza": True, "show_dice_counts": False}},
        {"options": {"start_rule": "two_dice_sum_tied_reroll", "preset": "dudo"}},
        {"players": [game.Player(id="ann", entropy="żółw"), game.Player(id="bob"), game.Player(id="cy")]},
    ],
)
def test_a_finished_game_is_clean(opening: dict[str, Any]) -> None:
    table = played(**opening)
    report = audit_log(records_of(table), views_of(table))
    assert verdicts(report) == ALL_OK
    assert (report.clean, report.finished, report.commits) == (True, True, table.version)
    assert (report.game, report.ruleset) == ("local", "perudo@1")
    assert report.head == table.written[-1].hash.hex()


def test_every_beginning_of_a_game_is_clean(table: Table, records: list[Record]) -> None:
    for length in range(1, len(records)):
        report = audit_log(records[:length])
        assert report.clean
        assert not report.finished
        assert verdicts(report) == {**ALL_OK, "seed": "skipped", "views": "skipped"}
        assert "not finished" in str(report.check("seed").message)
        assert "only the ranges" in str(report.check("draws").message)


def test_a_game_with_all_that_may_happen_is_clean() -> None:
    """Waiting, entropy, a new player on a seat, the clock, a resignation: every common action is re-executed."""
    table = Table.open("perudo", ["ann", "bob", "cy"], dealer=5, clock=1000, start="when_ready")
    table.act(2, game.Ready(entropy="mine"))
    table.act(0, game.Ready())
    table.host(game.Reseat(seat=1, player="dan"))
    table.act(1, game.Ready(entropy="and mine"))
    table.clock_expired()
    table.clock_expired()
    turn = table.view("table").to_act[0]
    table.act(turn, game.Resign(), expect=table.version)
    play_on(table, Random(5))
    report = audit_log(records_of(table), views_of(table))
    assert verdicts(report) == ALL_OK


@pytest.mark.parametrize("started", [True, False])
def test_a_cancelled_game_is_clean(started: bool) -> None:
    table = Table.open("perudo", 2, start="at_once" if started else "when_ready")
    table.host(game.Cancel(reason="rain"))
    assert verdicts(audit_log(records_of(table), views_of(table))) == ALL_OK


def test_stored_views_may_be_behind_the_log(records: list[Record]) -> None:
    earlier = played(seed=3, most=5)
    assert verdicts(audit_log(records, views_of(earlier))) == ALL_OK


def test_the_report_is_plain_json(records: list[Record]) -> None:
    report = audit_log(records[:4])
    told = json.loads(msgspec.json.encode(report))
    assert told["clean"] is True
    assert [check["name"] for check in told["checks"]] == list(ALL_OK)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    with pytest.raises(KeyError):
        report.check("file")


def test_no_log_is_no_audit() -> None:
    with pytest.raises(AuditImpossible, match="no commits"):
        audit_log([])


# Each value of each commit


UNPROVABLE = {("command", "id"), ("entry",)}
"""What a log alone cannot prove when its whole chain is computed anew: a name nobody else mentions, and a
time that still lies between its neighbours'."""


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in some JSON that hold no others."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def change(value: Any, path: tuple[Any, ...]) -> None:
    """Change the value at a path to one that it is not."""
    for key in path[:-1]:
        value = value[key]
    old = value[path[-1]]
    if isinstance(old, bool):
        new: Any = not old
    elif isinstance(old, int | float):
        new = old + 1
    else:
        new = {"x": 1} if old == {} else [0] if old == [] else "x" if old is None else old + "x"
    value[path[-1]] = new


def test_no_value_of_a_finished_game_can_be_changed_unnoticed() -> None:
    records = records_of(played(seed=8, players=3, options={"dice_per_player": 1}))
    tried = 0
    for record in records:
        for path in leaves(json.loads(record.body)):
            if path in UNPROVABLE:
                continue
            tried += 1
            altered = forged(records, {record.version: lambda commit, p=path: change(commit, p)})
            report = audit_log(altered, game="local")
            where = f"{path} of version {record.version}: {report}"
            assert not report.clean, where
            # A commitment and a seed belie each other, and the one that came last is named.
            at = len(records) if path[-1] == "commitment" else record.version
            assert min(version or 0 for version in failed(report).values()) == at, where
    assert tried > 100


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_is_audited(ruleset: str) -> None:
    """A whole game by chance is clean, and of its values a sample cannot be changed unnoticed."""
    table = Table.open(ruleset, rules_for(ruleset).players[0], dealer=1)
    records = records_of(play_on(table, Random(1), most=300))
    assert audit_log(records, views_of(table)).clean
    places = [(r.version, path) for r in records for path in leaves(json.loads(r.body))]
    for version, path in Random(1).sample(places, 30):
        if path not in UNPROVABLE:
            report = audit_log(
                forged(records, {version: lambda commit, p=path: change(commit, p)}), game="local"
            )
            assert not report.clean, f"{path} of version {version}"


# The chain


def test_a_changed_byte_is_named_by_the_chain(records: list[Record]) -> None:
    for victim in (1, 7, len(records)):
        changed = [
            r._replace(body=r.body.replace(b'"c', b'"d', 1)) if r.version == victim else r for r in records
        ]
        report = audit_log(changed)
        assert failed(report)["chain"] == victim
        assert "altered" in str(report.check("chain").message)


@pytest.mark.parametrize("hash", ["", "zz", "a" * 63, "A" * 64, "é" * 64, " " + "a" * 63, "0" * 64])
def test_a_changed_hash_is_named(records: list[Record], hash: str) -> None:
    changed = [r._replace(hash=hash) if r.version == 4 else r for r in records]
    assert failed(audit_log(changed)) == {"chain": 4}


def test_a_hash_is_written_in_small_letters(records: list[Record]) -> None:
    changed = [r._replace(hash=r.hash.upper()) if r.version == 4 else r for r in records]
    assert failed(audit_log(changed)) == {"chain": 4}


def test_a_missing_commit_is_named(records: list[Record]) -> None:
    report = audit_log([r for r in records if r.version != 6])
    assert failed(report) == {"chain": 6}
    assert "version 6 is missing" in str(report.check("chain").message)
    for name in ("draws", "execution", "conservation"):
        assert report.check(name).verdict == "skipped"
        assert "version 6" in str(report.check(name).message)
    assert report.check("seed").verdict == "ok"


def test_a_missing_first_commit_is_named(records: list[Record]) -> None:
    report = audit_log(records[1:])
    assert failed(report) == {"chain": 1}
    assert report.check("seed").verdict == "skipped"


def test_two_swapped_commits_are_named(records: list[Record]) -> None:
    swapped = [*records[:4], records[5], records[4], *records[6:]]
    report = audit_log(swapped)
    assert failed(report) == {"chain": 5}
    assert report.check("execution").verdict == "ok"


def test_a_doubled_commit_is_named(records: list[Record]) -> None:
    report = audit_log([*records[:6], records[5], *records[6:]])
    assert failed(report) == {"chain": 6}
    assert "twice" in str(report.check("chain").message)
    assert report.check("chain").faults == 1


def test_another_commit_of_the_same_version_is_named(records: list[Record]) -> None:
    report = audit_log([*records[:6], records[5]._replace(body=records[4].body), *records[6:]])
    assert failed(report)["chain"] == 7


def test_commits_that_change_their_number_or_their_game_are_named(records: list[Record]) -> None:
    def renumber(commit: dict[str, Any]) -> None:
        commit["version"] = 9

    def rename(commit: dict[str, Any]) -> None:
        commit["game"] = "other"

    def rename_command(commit: dict[str, Any]) -> None:
        commit["command"]["game"] = "other"

    for edit, says in ((renumber, "version 9"), (rename, "'other'"), (rename_command, "command is of game")):
        report = audit_log(forged(records, {5: edit}))
        assert failed(report)["chain"] == 5
        assert says in str(report.check("chain").message)
        assert failed(report).get("execution", 5) == 5
        assert report.check("chain").faults == 1


def test_whose_log_it_is_said_to_be_is_checked(records: list[Record]) -> None:
    report = audit_log(records, game="g42")
    assert report.game == "g42"
    assert failed(report)["chain"] == 1


@pytest.mark.parametrize(
    "entry",
    ["1700000000004-0", "1700000000003-99", "0-1", "now", "1_7-0", " 1-0", "1-0\n", "-1-0", "9" * 30 + "-0"],
)
def test_entries_only_rise(records: list[Record], entry: str) -> None:
    def move(commit: dict[str, Any]) -> None:
        commit["entry"] = entry

    report = audit_log(forged(records, {5: move}))
    assert failed(report)["chain"] == 5


def test_a_command_takes_effect_once(records: list[Record]) -> None:
    def again(commit: dict[str, Any]) -> None:
        commit["command"]["id"] = "c2"

    report = audit_log(forged(records, {5: again}))
    assert failed(report) == {"execution": 5}
    assert "at version 2 already" in str(report.check("execution").message)


# Seed and draws


def test_a_forged_seed_is_found(records: list[Record]) -> None:
    """Another seed than the one committed to; with a commitment that fits it, the dice tell."""
    other = Seed(b"another seed of thirty-two bytes")

    def reveal(commit: dict[str, Any]) -> None:
        event_of(commit, "game.finished")["seed"] = other.revealed

    def commit_to(commit: dict[str, Any]) -> None:
        event_of(commit, "game.created")["commitment"] = other.commitment

    last = len(records)
    assert failed(audit_log(forged(records, {last: reveal}))) == {"seed": last, "draws": 1}
    assert failed(audit_log(forged(records, {1: commit_to}))) == {"seed": last}
    assert failed(audit_log(forged(records, {1: commit_to, last: reveal}))) == {"draws": 1}


@pytest.mark.parametrize("seed", ["", "x", "ab" * 31, "AB" * 32, "ab" * 33, "a b" * 16])
def test_a_seed_that_is_none_is_found(records: list[Record], seed: str) -> None:
    def reveal(commit: dict[str, Any]) -> None:
        event_of(commit, "game.finished")["seed"] = seed

    report = audit_log(forged(records, {len(records): reveal}))
    assert failed(report) == {"seed": len(records)}
    assert "only the ranges" in str(report.check("draws").message)


def test_changed_entropy_changes_every_draw() -> None:
    players = [game.Player(id="ann", entropy="mine"), game.Player(id="bob")]
    records = records_of(played(players=players))

    def swap(commit: dict[str, Any]) -> None:
        commit["command"]["action"]["players"][0]["entropy"] = "yours"
        event_of(commit, "game.created")["entropy"][0] = "yours"

    assert failed(audit_log(forged(records, {1: swap}))) == {"draws": 1}


class Loaded(Seeded):
    """The real dealer, but one of its dice is turned."""

    turned = 0

    def die(self, sides: int = 6) -> int:
        first = self.word
        value = super().die(sides)
        return value % sides + 1 if first == self.turned else value


class CheatsTable(Table):
    """A table whose dealer turns a die: everything else of its log is as it should be."""

    def _deal(self, seed: Seed, entropy: bytes, word: int) -> Dealer:
        return Loaded(seed.value, entropy, word)


@pytest.mark.parametrize("turned", [0, 4, 21, 40])
def test_one_turned_die_in_an_otherwise_flawless_game_is_found(
    turned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loaded, "turned", turned)
    table = play_on(CheatsTable.open("perudo", 3, dealer=11), Random(11))
    records = records_of(table)
    version = next(c.version for c in table.log if c.draws and c.draws[0] <= turned < c.draws[1])
    report = audit_log(records, views_of(table))
    assert failed(report) == {"draws": version}
    assert report.check("draws").faults == 1
    assert "the dealer's stream gives" in str(report.check("draws").message)
    assert audit_log(records[:-1]).clean


def test_a_die_that_is_changed_in_the_log_is_found(records: list[Record]) -> None:
    version = versions_with(records, "perudo.round_started")[2]

    def turn(commit: dict[str, Any]) -> None:
        dice = event_of(commit, "perudo.round_started")["dice"][0]
        dice[0] = dice[0] % 6 + 1

    report = audit_log(forged(records, {version: turn}))
    assert failed(report)["draws"] == version
    # The round's end showed the die as it was.
    assert failed(report)["execution"] == versions_with(records, "perudo.dice_revealed")[2]


def test_a_die_that_cannot_be_is_found(records: list[Record]) -> None:
    version = versions_with(records, "perudo.round_started")[1]

    def turn(commit: dict[str, Any]) -> None:
        event_of(commit, "perudo.round_started")["dice"][0][0] = 7

    report = audit_log(forged(records, {version: turn}))
    assert failed(report)["draws"] == failed(report)["execution"] == version
    # What follows is judged on its own.
    assert report.check("draws").faults == 1


@pytest.mark.parametrize(("more", "says"), [(True, "draw only"), (False, "run out")])
def test_a_die_too_many_or_too_few_is_found(records: list[Record], more: bool, says: str) -> None:
    version = versions_with(records, "perudo.round_started")[1]

    def change(commit: dict[str, Any]) -> None:
        dice = commit["events"][-1]["dice"][-1]
        dice.append(1) if more else dice.pop()

    report = audit_log(forged(records, {version: change}))
    assert failed(report)["draws"] == failed(report)["execution"] == version
    assert says in str(report.check("draws").message)


@pytest.mark.parametrize("finished", [True, False])
def test_ranges_of_words_follow_one_another(records: list[Record], finished: bool) -> None:
    version = versions_with(records, "perudo.round_started")[1]
    if not finished:
        records = records[:-1]
    start, end = json.loads(records[version - 1].body)["draws"]
    for draws in (
        [start + 1, end],
        [start - 1, end],
        [start, start],
        [start, end - 1],
        [-1, 0],
        [10**30, 10**31],
    ):

        def move(commit: dict[str, Any], draws: list[int] = draws) -> None:
            commit["draws"] = draws

        assert failed(audit_log(forged(records, {version: move})))["draws"] == version

    def drop(commit: dict[str, Any]) -> None:
        del commit["draws"]

    report = audit_log(forged(records, {version: drop}))
    assert failed(report)["draws"] == version
    assert "no words" in str(report.check("draws").message)


def test_words_that_nobody_used_are_found(records: list[Record]) -> None:
    def use(commit: dict[str, Any]) -> None:
        commit["draws"] = [0, 1]

    bid = versions_with(records, "perudo.bid_placed")[0]
    assert "draws" in failed(audit_log(forged(records, {bid: use})))


# Execution


def test_a_changed_field_that_was_not_drawn_is_found(records: list[Record]) -> None:
    version = versions_with(records, "perudo.dudo_called")[1]

    def lose_more(commit: dict[str, Any]) -> None:
        event_of(commit, "perudo.die_lost")["lost"] += 1

    report = audit_log(forged(records, {version: lose_more}))
    assert failed(report)["execution"] == version
    assert "perudo.die_lost" in str(report.check("execution").message)
    assert failed(report)["conservation"] == version


def test_a_changed_command_is_found(records: list[Record]) -> None:
    version = versions_with(records, "perudo.bid_placed")[2]

    def bid_more(commit: dict[str, Any]) -> None:
        commit["command"]["action"]["quantity"] += 1

    report = audit_log(forged(records, {version: bid_more}))
    assert failed(report) == {"execution": version}
    assert report.check("execution").faults == 1


def test_a_command_that_the_rules_refuse_is_found(records: list[Record]) -> None:
    version = versions_with(records, "perudo.bid_placed")[2]

    def another_seat(commit: dict[str, Any]) -> None:
        seat = (commit["command"]["seat"] + 1) % 3
        commit["command"]["seat"] = commit["events"][0]["seat"] = seat

    report = audit_log(forged(records, {version: another_seat}))
    assert failed(report)["execution"] == version
    assert "(not_your_turn)" in str(report.check("execution").message)


def test_a_stale_command_is_found(records: list[Record]) -> None:
    def expect(commit: dict[str, Any]) -> None:
        commit["command"]["expect"] = 2

    report = audit_log(forged(records, {5: expect}))
    assert failed(report) == {"execution": 5}
    assert "(stale)" in str(report.check("execution").message)


def test_a_move_after_the_end_is_found(records: list[Record]) -> None:
    extra = json.loads(records[-2].body)
    last = json.loads(records[-1].body)
    extra["version"] = len(records) + 1
    extra["entry"] = last["entry"].replace("-0", "-1")
    extra["command"]["id"] = "late"
    extra.pop("draws", None)
    report = audit_log(chained([*(r.body for r in records), to_json(extra)]))
    assert failed(report)["execution"] == len(records) + 1
    assert "(finished)" in str(report.check("execution").message)


def test_a_commit_taken_out_of_a_renumbered_chain_is_found(records: list[Record]) -> None:
    """The forger leaves a raise out, numbers the rest anew and computes the chain again."""
    bids = versions_with(records, "perudo.bid_placed")
    gone = next(v for v in bids if v + 1 in bids)
    bodies = []
    for record in records:
        if record.version < gone:
            bodies.append(record.body)
        elif record.version > gone:

            def renumber(commit: dict[str, Any], version: int = record.version - 1) -> None:
                commit["version"] = version

            bodies.append(edited(record.body, renumber))
    report = audit_log(chained(bodies))
    assert failed(report)["execution"] == gone
    assert "chain" not in failed(report)


def test_other_bytes_for_the_same_commit_are_found(records: list[Record]) -> None:
    spaced = [r.body.replace(b":", b": ", 1) if r.version == 4 else r.body for r in records]
    report = audit_log(chained(spaced))
    assert failed(report) == {"execution": 4}
    assert "other bytes" in str(report.check("execution").message)


def test_one_bad_commit_does_not_drown_the_rest(records: list[Record]) -> None:
    bids = versions_with(records, "perudo.bid_placed")

    def bid_more(commit: dict[str, Any]) -> None:
        commit["command"]["action"]["quantity"] += 1

    report = audit_log(forged(records, dict.fromkeys([bids[1], bids[3], bids[4]], bid_more)))
    assert failed(report) == {"execution": bids[1]}
    assert report.check("execution").faults == 3


def test_rules_that_crash_are_a_finding(records: list[Record], monkeypatch: pytest.MonkeyPatch) -> None:
    decide = Rules.decide

    def crash(self: Rules, state: Any, seat: int, action: Any, dealer: Any, emit: Any) -> None:
        if isinstance(action, perudo.Dudo):
            raise ZeroDivisionError("by nought")
        decide(self, state, seat, action, dealer, emit)

    monkeypatch.setattr(Rules, "decide", crash)
    report = audit_log(records)
    dudos = versions_with(records, "perudo.dudo_called")
    assert failed(report) == {"execution": dudos[0]}
    assert report.check("execution").faults == len(dudos)
    assert "ZeroDivisionError: by nought" in str(report.check("execution").message)


def test_invariants_that_break_or_crash_are_findings(
    records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rules, "violations", lambda self, state: ["a die was lost"] * (state.round == 2))
    second = versions_with(records, "perudo.round_started")[1]
    report = audit_log(records)
    assert failed(report) == {"conservation": second}
    assert report.check("conservation").message == "a die was lost"
    monkeypatch.setattr(Rules, "violations", lambda self, state: [state.nothing])
    assert failed(audit_log(records)) == {"conservation": 1}


# What cannot be read


def replaced(records: list[Record], version: int, body: bytes) -> list[Record]:
    return chained(body if r.version == version else r.body for r in records)


UNREADABLE: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda body: b"", "truncated"),
    (lambda body: b"\xff" + body, "malformed"),
    (lambda body: body[:-1], "truncated"),
    (lambda body: b"[" * 100_000, ""),
    (lambda body: b'{"game":' * 100_000, ""),
    (lambda body: body.replace(b"perudo.bid_placed", b"perudo.bid_moved"), "knows nothing of that name"),
    (lambda body: body.replace(b'"perudo.bid"', b'"chess.move"'), "knows nothing of that name"),
    (lambda body: body.replace(b'"version":4', b'"version":' + b"9" * 5000), "range"),
    (lambda body: body.replace(b'"version":4', b'"version":null'), "$.version"),
    (lambda body: body.replace(b'"id":"c4"', b'"id":"c4\\n"'), "$.command.id"),
    (lambda body: body.replace(b"local", b"\xc3\x28", 1), ""),
    (lambda body: b"null", "object"),
]


@pytest.mark.parametrize(("spoil", "says"), UNREADABLE)
def test_a_commit_that_cannot_be_read_is_named(
    records: list[Record], table: Table, spoil: Callable[[bytes], bytes], says: str
) -> None:
    assert 4 in versions_with(records, "perudo.bid_placed")
    report = audit_log(replaced(records, 4, spoil(records[3].body)), views_of(table))
    assert failed(report)["chain"] == 4
    assert "cannot be read" in str(report.check("chain").message)
    assert says in str(report.check("chain").message)
    assert verdicts(report) == {
        "chain": "failed",
        "seed": "ok",
        **dict.fromkeys(("draws", "execution", "conservation", "views"), "skipped"),
    }
    assert "version 4 cannot be read" in str(report.check("execution").message)


def test_huge_numbers_in_a_commit_are_findings(records: list[Record]) -> None:
    for number in (10**30, 10**4200, -(10**4200)):
        for old in (b'"version":4', b'"quantity":', b'"seat":'):
            old_value = old if old != b'"version":4' else b'"version":'
            body = records[3].body.replace(
                old, old_value + str(number).encode() + b"0" * (old[-1:] == b"4"), 1
            )
            report = audit_log(replaced(records, 4, body))
            assert 4 in failed(report).values()
            assert all(len(check.message or "") <= LONGEST for check in report.checks)


def test_deep_options_are_findings(records: list[Record]) -> None:
    for depth in (100, 900, 3000):
        deep = b'{"a":' * depth + b"1" + b"}" * depth
        body = (
            records[0]
            .body.replace(b'"events"', b'"x":1,"events"')
            .replace(b'"options":{', b'"options":{"a":' + deep + b",")
        )
        report = audit_log(replaced(records, 1, body))
        assert 1 in failed(report).values()


@pytest.mark.parametrize("tag", ["perudo@2", "perudo@one", "chess@1", "", "@1"])
def test_a_ruleset_that_this_release_does_not_know_is_named(
    records: list[Record], table: Table, tag: str
) -> None:
    def rename(commit: dict[str, Any]) -> None:
        event_of(commit, "game.created")["ruleset"] = tag

    report = audit_log(forged(records, {1: rename}), views_of(table))
    assert failed(report)["execution"] == 1
    assert report.ruleset == tag
    assert report.check("conservation").verdict == "skipped"


@pytest.mark.parametrize(
    "events", [[], [{"type": "game.started"}], [{"type": "game.cancelled", "reason": "x"}]]
)
def test_a_log_that_does_not_open_a_game_is_no_game(
    records: list[Record], table: Table, events: list[Any]
) -> None:
    def hollow(commit: dict[str, Any]) -> None:
        commit["events"] = events

    for stored in (None, views_of(table)):
        report = audit_log(forged(records, {1: hollow}), stored)
        assert failed(report)["execution"] == 1
        assert report.check("draws").verdict in ("failed", "skipped")
        assert report.check("seed").verdict == "skipped"


def test_events_that_cannot_be_folded_are_a_finding(records: list[Record], table: Table) -> None:
    version = versions_with(records, "perudo.die_lost")[0]

    def nobody(commit: dict[str, Any]) -> None:
        event_of(commit, "perudo.die_lost")["seat"] = 99

    report = audit_log(forged(records, {version: nobody}), views_of(table))
    assert failed(report) == {"execution": version}
    for name in ("conservation", "views"):
        assert report.check(name).verdict == "skipped"
        assert "cannot be folded" in str(report.check(name).message)
    earlier = audit_log(forged(records, {version: nobody}), views_of(played(seed=3, most=version - 1)))
    assert earlier.check("views").verdict == "ok"


def test_no_rules_are_asked_about_a_state_that_cannot_be(records: list[Record], table: Table) -> None:
    """Folding or deciding on from there might never end: everybody is out, and whose turn is it?"""
    version = versions_with(records, "perudo.bid_placed")[1]

    def all_out(commit: dict[str, Any]) -> None:
        out = [{"type": "perudo.player_eliminated", "seat": seat, "place": 1} for seat in range(3)]
        commit["events"] = [*out, *commit["events"]]

    report = audit_log(forged(records, {version: all_out}), views_of(table))
    assert failed(report) == {"execution": version, "conservation": version}
    assert report.check("execution").faults == 1
    assert "breaks the ruleset's invariants" in str(report.check("draws").message)
    assert report.check("views").verdict == "skipped"


def test_a_projection_that_crashes_is_a_finding(
    records: list[Record], table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: Seen, table: Any, event: Any) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(Seen, "fold_table", crash)
    report = audit_log(records, views_of(table))
    assert failed(report) == {"views": 1}
    assert "ZeroDivisionError: by nought" in str(report.check("views").message)


# Views


def test_changed_views_are_found(records: list[Record], table: Table) -> None:
    good = views_of(table)
    for part in ("table", "seat:0", "seat:2"):
        views = {**good, part: good[part].replace(b"[", b"[0,", 1)}
        assert views != good
        report = audit_log(records, views)
        assert failed(report) == {"views": len(records)}
        assert part in str(report.check("views").message)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"table": None}, "table"),
        ({"seat:1": None}, "seat:1"),
        ({"seat:3": b"{}"}, "seat:3"),
        ({"version": None}, "no version"),
        ({"version": b"-1"}, "no version"),
        ({"version": b"1e2"}, "no version"),
        ({"version": "²".encode()}, "no version"),
        ({"version": b"\xff"}, "no version"),
        ({"version": b"9" * 5000}, "no version"),
        ({"version": b"9999"}, "the log ends at"),
        ({"version": b"3"}, "differs"),
        ({"fold": None}, "not by perudo@1/1"),
        ({"fold": b"chess@1/1"}, "not by perudo@1/1"),
        ({"fold": b"perudo@1/x"}, "not by perudo@1/1"),
    ],
)
def test_views_that_are_not_whole_are_found(
    records: list[Record], table: Table, change: dict[str, bytes | None], says: str
) -> None:
    views = {name: part for name, part in {**views_of(table), **change}.items() if part is not None}
    report = audit_log(records, views)
    assert list(failed(report)) == ["views"]
    assert says in str(report.check("views").message)


def test_views_of_another_release_are_not_judged(records: list[Record], table: Table) -> None:
    views = {**views_of(table), "fold": b"perudo@1/2", "table": b"{}"}
    report = audit_log(records, views)
    assert report.clean
    assert report.check("views").verdict == "skipped"
    assert "perudo@1/2" in str(report.check("views").message)


def test_views_may_come_as_text(records: list[Record], table: Table) -> None:
    views = {name: part.decode() for name, part in views_of(table).items()}
    assert verdicts(audit_log(records, views)) == ALL_OK


# Faults of reading


def test_what_was_found_when_reading_is_in_the_report() -> None:
    finding = Finding("chain", 1, "the entry is odd")
    report = audit_log([], game="g", faults=[finding])
    assert failed(report) == {"chain": 1}
    assert {verdict for name, verdict in verdicts(report).items() if name != "chain"} == {"skipped"}
    assert (report.game, report.commits, report.head) == ("g", 0, "")


def test_a_script_is_no_fair_dealer() -> None:
    """A table of scripted dice has a flawless log, but for the draws."""
    table = Table.open("perudo", 2, {"dice_per_player": 1}, Scripted([6, 2, 3, 3]))
    table.act(0, perudo.Bid(quantity=2, face=3))
    assert audit_log(records_of(table)).clean
    table.act(1, perudo.Dudo())
    assert table.finished
    assert failed(audit_log(records_of(table), views_of(table))) == {"draws": 1}


def test_the_audit_changes_nothing_that_it_is_given(records: list[Record], table: Table) -> None:
    views = views_of(table)
    before = copy.deepcopy((records, views))
    first = audit_log(records, views)
    assert (records, views) == before
    assert audit_log(records, views) == first
    assert hashlib.sha256(records[-1].body).digest()
