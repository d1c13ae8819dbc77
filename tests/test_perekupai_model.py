"""A second reading of Perekupai's arithmetic: every amount of generated games is reckoned anew from the deck files.

It knows no code of the game: a ledger of what each event says, the printed cards, and the rules' formulas (§7, §9).
"""

from collections import defaultdict
from random import Random
from typing import Any

import msgspec
import pytest

from fairdeal.decks import read_tables
from fairdeal_audit import audit_log
from fairdeal_local import Table
from support.harness import play_random
from support.perekupai import SHORT, events_of, lively

CARS = {car["id"]: car for car in read_tables("perekupai_cars")["car"]}
BUYERS = {buyer["id"]: buyer for buyer in read_tables("perekupai_buyers")["buyer"]}
SURPRISES = {surprise["id"]: surprise for surprise in read_tables("perekupai_surprises")["surprise"]}
CARDS = {card["id"]: card for card in read_tables("perekupai_acquisitions")["card"]}
DEALERS = {dealer["id"]: dealer for dealer in read_tables("perekupai_dealers")["dealer"]}


class Ledger:
    """What the rules say should have been paid, event by event."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        self.options = options
        self.cash = [options["start_money"]] * seats
        self.dealer = [""] * seats
        self.permanents: list[dict[str, str]] = [{} for _ in range(seats)]
        self.market: dict[str, str] = {}
        self.cars: dict[str, dict[str, Any]] = {}
        self.buyers: dict[str, str] = {}
        self.discount = 0
        self.sale: dict[str, Any] = {}
        self.roll: dict[str, Any] = {}
        self.checked: dict[str, int] = defaultdict(int)

    def standing(self, seat: int, op: str, **more: Any) -> int:
        effects = list(DEALERS[self.dealer[seat]]["effects"])
        for kind in self.permanents[seat].values():
            effects += CARDS[kind]["scam"]["effects"]
        field = {"roll_bonus": "delta", "repair_discount": "per_surprise", "sale_draw_bonus": "count"}
        return sum(
            e[field.get(op, "amount")]
            for e in effects
            if e["op"] == op and all(e.get(key) == value for key, value in more.items())
        )

    def read(self, event: dict[str, Any]) -> None:
        name = event["type"].removeprefix("perekupai.")
        reader = getattr(self, f"_{name}", None)
        if reader is not None:
            self.checked[name] += 1
            reader(event)

    def _dealer_drawn(self, e: dict[str, Any]) -> None:
        self.dealer[e["seat"]] = e["drawn"]

    def _cash_changed(self, e: dict[str, Any]) -> None:
        self.cash[e["seat"]] += e["delta"]
        assert self.cash[e["seat"]] == e["total"] >= 0

    def _market_refilled(self, e: dict[str, Any]) -> None:
        if e["drawn"] is not None:
            self.market[e["car"]["id"]] = e["drawn"]

    def _buyer_revealed(self, e: dict[str, Any]) -> None:
        self.buyers[e["buyer"]["id"]] = e["drawn"]

    def _action_started(self, e: dict[str, Any]) -> None:
        self.discount = 0

    def _discount_granted(self, e: dict[str, Any]) -> None:
        self.discount += e["amount"]

    def _car_bought(self, e: dict[str, Any]) -> None:
        kind = self.market[e["car"]]
        off = self.standing(e["seat"], "purchase_discount") + self.discount
        assert e["price"] == max(0, CARS[kind]["purchase"] - off)
        assert e["tech"]["sale"] == CARS[kind]["sale"]
        self.cars[e["car"]] = {"kind": kind, "seat": e["seat"], "hidden": {}, "seen": {}, "mods": {}}

    def _surprises_drawn(self, e: dict[str, Any]) -> None:
        car = self.cars[e["car"]]
        for id, kind in zip(e["ids"], e["drawn"], strict=True):
            value = SURPRISES[kind]["value"]
            car["hidden" if value < 0 else "mods"][id] = ("surprise", value)

    def _repaired(self, car: dict[str, Any], id: str) -> int:
        found = car["hidden"].pop(id, None) or car["seen"].pop(id)
        return int(found[1])

    def _surprises_repaired(self, e: dict[str, Any]) -> None:
        car = self.cars[e["car"]]
        discount = self.standing(e["seat"], "repair_discount")
        values = [-self._repaired(car, surprise["id"]) for surprise in e["surprises"]]
        assert e["cost"] == sum(max(0, value // 2 - value // 2 % 50 - discount) for value in values)

    def _defect_removed(self, e: dict[str, Any]) -> None:
        self._repaired(self.cars[e["car"]], e["surprise"]["id"])

    def _worked(self, e: dict[str, Any]) -> None:
        assert e["amount"] == 150 + self.standing(e["seat"], "loader_bonus")

    def _scrapped(self, e: dict[str, Any]) -> None:
        half = CARS[self.cars.pop(e["car"])["kind"]]["purchase"] / 2
        assert e["amount"] == half // 50 * 50 + self.standing(e["seat"], "scrap_bonus")

    def _scam_played(self, e: dict[str, Any]) -> None:
        if e["mod"] is None:
            self.permanents[e["seat"]][e["permanent"]["id"]] = e["permanent"]["kind"]
        else:
            scam = CARDS[e["mod"]["kind"]]["scam"]
            value = sum(effect["value"] for effect in scam["effects"])
            self.cars[e["car"]]["mods"][e["mod"]["id"]] = ("scam", value)

    def _permanent_replaced(self, e: dict[str, Any]) -> None:
        del self.permanents[e["seat"]][e["permanent"]]

    def _mod_destroyed(self, e: dict[str, Any]) -> None:
        del self.cars[e["car"]]["mods"][e["mod"]]

    def _sale_started(self, e: dict[str, Any]) -> None:
        self.sale = {
            "car": e["car"],
            "seat": e["seat"],
            "buyer": e["buyer"],
            "delta": 0,
            "good": 0,
            "haggle": 0,
        }

    def _buyer_chosen(self, e: dict[str, Any]) -> None:
        self.sale["buyer"] = e["buyer"]

    def _die_rolled(self, e: dict[str, Any]) -> None:
        bonus = self.standing(self.sale["seat"], "roll_bonus", test=e["test"])
        kept = self.roll["deltas"] if self.roll else 0
        assert (e["bonus"], e["deltas"], e["total"]) == (bonus, kept, e["die"] + bonus + kept)
        assert 1 <= e["die"] <= 10
        assert e["target"] == BUYERS[self.buyers[self.sale["buyer"]]][e["test"]]
        self.roll = dict(e)

    def _roll_modified(self, e: dict[str, Any]) -> None:
        self.roll["deltas"] += e["delta"]
        self.roll["total"] += e["delta"]
        assert e["total"] == self.roll["total"]

    def _roll_resolved(self, e: dict[str, Any]) -> None:
        assert e["won"] == (self.roll["total"] >= self.roll["target"])
        if e["test"] == "haggling":
            level = CARS[self.cars[self.sale["car"]]["kind"]]["level"]
            self.sale["haggle"] = (50, 100, 150)[level - 1] * (1 if e["won"] else -1)
        self.roll = {}

    def _surprise_revealed(self, e: dict[str, Any]) -> None:
        car = self.cars[e["car"]]
        id = e["surprise"]["id"]
        car["seen"][id] = car["hidden"].pop(id)
        assert e["surprise"]["value"] == car["seen"][id][1]

    def _surprise_unnoticed(self, e: dict[str, Any]) -> None:
        self.sale["good"] += 1

    def _surprise_skipped(self, e: dict[str, Any]) -> None:
        self.sale["good"] += 1

    def _price_changed(self, e: dict[str, Any]) -> None:
        self.sale["delta"] += e["delta"]

    def _car_sold(self, e: dict[str, Any]) -> None:
        car, buyer = self.cars.pop(e["car"]), BUYERS[self.buyers[e["buyer"]]]
        printed, seat = CARS[car["kind"]], e["seat"]
        likes = [
            pref["amount"]
            for pref in buyer["prefs"]
            if pref.get("maker") == printed["maker"] or pref.get("model") == printed["model"]
        ]
        parts = {
            "sale": printed["sale"],
            "defects": sum(value for _, value in car["seen"].values()),
            "surprise_mods": sum(value for of, value in car["mods"].values() if of == "surprise"),
            "scam_mods": sum(value for of, value in car["mods"].values() if of == "scam"),
            "haggle": self.sale["haggle"],
            "preferences": sum(likes),
            "sale_bonus": self.standing(seat, "sale_bonus"),
            "deltas": self.sale["delta"],
        }
        assert e["price"] == {**parts, "final": max(self.options["price_floor"], sum(parts.values()))}
        assert len(car["hidden"]) == self.sale["good"]
        assert e["draws"] == 1 + self.sale["good"] + self.standing(seat, "sale_draw_bonus")
        assert printed["level"] in {1: (1,), 2: (1, 2), 3: (2, 3)}[buyer["level"]]

    def _play_ended(self, e: dict[str, Any]) -> None:
        for seat, score in enumerate(e["scores"]):
            cars = [CARS[car["kind"]]["purchase"] for car in self.cars.values() if car["seat"] == seat]
            unsold = sum(cars) if self.options["unsold_cars"] == "purchase_price" else 0
            bonus = self.standing(seat, "end_bonus")
            assert score == {
                "cash": self.cash[seat],
                "end_bonus": bonus,
                "cars": unsold,
                "total": self.cash[seat] + bonus + unsold,
            }


@pytest.mark.parametrize("name", SHORT)
def test_every_amount_is_what_the_rules_say(name: str) -> None:
    checked: dict[str, int] = defaultdict(int)
    for seed in range(6):
        seats = 2 + seed % 3
        options = {**SHORT[name], "target": SHORT[name]["target"] + 1000}
        table = Table.open("perekupai", seats, options, dealer=f"model {name} {seed}")
        play_random(table, Random(seed), weigh=lively, check_every=100)
        ledger = Ledger(seats, table.view().table.options)
        for event in events_of(table.log):
            ledger.read(msgspec.to_builtins(event))
        for read, count in ledger.checked.items():
            checked[read] += count
    wanted = (
        "car_bought",
        "worked",
        "scrapped",
        "surprises_repaired",
        "roll_resolved",
        "car_sold",
        "play_ended",
    )
    assert all(checked[read] for read in wanted), dict(checked)


def test_generated_games_are_audited_clean() -> None:
    for seed, name in enumerate(SHORT):
        table = Table.open("perekupai", 2 + seed, SHORT[name], dealer=f"audit {name}")
        play_random(table, Random(seed), weigh=lively, check_every=100)
        records = [(w.commit.version, w.hash.hex(), w.body) for w in table.written]
        report = audit_log(records)
        assert report.clean, report
        assert all(check.verdict == "ok" for check in report.checks if check.name != "views"), report
