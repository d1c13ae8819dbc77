"""The golden cases of demoludy.md §11, by id, and the fine print of its §5 to §8."""

from typing import Any

import pytest

from fairdeal.game import Resign
from fairdeal.games.demoludy import (
    ActionPlayed,
    AuctionOpened,
    AuctionWon,
    CardDrawn,
    CardsPlaced,
    CardsSwapped,
    CardTaken,
    DeckReshuffled,
    DollarAsked,
    EndTurn,
    HandDealt,
    KeepOut,
    PlayAction,
    ReturnToken,
    SeatLeft,
    SkipOpen,
    StartSkipped,
    Swap,
    TableDiscarded,
    TakenBack,
    TargetReached,
    TokenReturned,
    TokenTaken,
    TopRevealed,
    Withdraw,
    Withdrawn,
)
from fairdeal.receipt import Rejected
from fairdeal.visibility import redact
from fairdeal_local import Scripted, Table
from support.demoludy import at, bid, card, cards, opens, place, script, some, token
from support.scenario import Scenario, given

ACTIONS = {"variant_actions": True}
POINTS = {"variant_points": True}


def play(position: tuple[Any, ...], players: int = 3, **options: Any) -> Scenario:
    scenario = given("demoludy", *position, players=players, options=options)
    assert not scenario.game.rules.violations(scenario.game.state)
    return scenario


def totals(table: Table) -> list[int]:
    return [row.total for row in table.view().table.rows]


# Whole auctions, as the rulebook tells them


def example_1() -> Table:
    hands = ("r2 r3 b2 b2 b2", "r3 p2 p2 p2 p2", "g2 g2 g2 g2 y2")
    draws = "y2 y2 y3 y3 y3"
    return Table.open("demoludy", ["Olek", "Beata", "Tomek"], {}, Scripted(script(0, *hands, draws=draws)))


def test_g1_the_rulebook_s_first_example() -> None:
    table = example_1()
    assert table.view().table.deck == 96 - 15
    said = []
    for seat, action in [
        (0, opens("r", "r2")),
        (1, bid("r3")),
        (2, Withdraw()),
        (0, bid("r3")),
        (1, Withdraw()),
    ]:
        table.act(seat, action)
        said.append(totals(table)[seat])
    assert said == [2, 3, 0, 5, 0]
    drawn = [event.seat for commit in table.log for event in commit.events if isinstance(event, CardDrawn)]
    assert drawn == [0, 1, 2, 0, 1], "the winner does not draw after the last pass"
    shown = table.view().table
    assert shown.hands == [5, 6, 6]
    assert sum(shown.discard.values()) + shown.discard_unseen == 3
    assert shown.deck == 76
    assert shown.cars[0] == [token("r5")]
    assert (shown.phase, shown.turn, shown.prize) == ("opening", 0, None)


def test_g1b_who_withdrew_neither_acts_nor_draws() -> None:
    table = example_1()
    for seat, action in [(0, opens("r", "r2")), (1, bid("r3")), (2, Withdraw())]:
        table.act(seat, action)
    for action in (bid("g2"), place("", "g2"), EndTurn(), Withdraw(), SkipOpen(), opens("g", "g2")):
        with pytest.raises(Rejected):
            table.act(2, action)
    assert table.view(2).offers == ()
    table.act(0, bid("r3"))
    assert table.view().table.turn == 1, "the turn passes over who withdrew"


def example_2() -> Table:
    hands = ("b2 $7 r2 r2 r2", "b4 p2 p2 p2 p2", "b5 b4 g2 g2 g2")
    draws = "y2 y2 y3 y3 y3 y3 y3"
    table = Table.open("demoludy", ["Olek", "Beata", "Tomek"], {}, Scripted(script(0, *hands, draws=draws)))
    for seat, action in [
        (0, opens("b", "b2")),
        (1, bid("b4")),
        (2, bid("b5 b4")),
        (0, bid("$7", "r2")),
        (1, Withdraw()),
        (2, bid("", "g2 g2")),
    ]:
        table.act(seat, action)
    return table


def test_g2_the_rulebook_s_second_example() -> None:
    table = example_2()
    bids = [e.total for c in table.log for e in c.events if isinstance(e, AuctionOpened | CardsPlaced)]
    assert bids == [2, 4, 9, 10, 11]
    table.act(0, Withdraw())
    shown = table.view().table
    assert shown.hands == [5, 6, 3]
    assert sum(shown.discard.values()) + shown.discard_unseen == 3 + 1 + 4
    assert shown.discard_unseen == 3
    assert shown.cars == [[], [], [token("b5")]]
    assert shown.turn == 2


def test_g2b_hidden_cards_in_a_second_turn() -> None:
    table = example_2()
    for action in (bid("", "r2 r2"), place("", "r2")):
        with pytest.raises(Rejected) as refused:
            table.act(0, action)
        assert refused.value.code == "hidden_used"


def test_g3_an_auction_is_not_opened_without_a_product() -> None:
    scenario = play(at("b2 $7 $7 $10", "b2", "b2", actions=False))
    for action in (opens("b", "$7"), opens("b", "$7 $10"), opens("b", "", "b2"), opens("b", "$7", "b2")):
        scenario.when(0, action).refused("no_product")
    scenario.when(0, opens("b")).refused("no_product")
    scenario.when(0, opens("b", "b2 $7", "$10")).then(
        AuctionOpened(
            seat=0,
            token=token("b5"),
            cards=cards("b2 $7"),
            hidden_count=1,
            total=10,
            hidden=some("$10"),
        ),
        ...,
    )


@pytest.mark.parametrize("limit", ["per_auction", "per_player"])
def test_g4_one_ten(limit: str) -> None:
    position = at("b2 b2", "$10 b4", "b2", prize="b5", rows={0: "b2"}, turn=1, actions=False)
    scenario = play(position, ten_limit=limit).when(1, bid("$10"))
    assert scenario.view().table.tens == [1]
    scenario.when(2, Withdraw()).when(0, bid("b2 b2")).refused("not_highest")
    other = at("b2", "b4", "$10 b7", prize="b5", rows={0: "b2", 1: "$10"}, turn=2, actions=False)
    second = play(other, ten_limit=limit).when(2, bid("$10 b7"))
    if limit == "per_auction":
        second.refused("ten_used")
    else:
        assert second.view().table.tens == [1, 2]
    same = at("b2", "$10 b4", "b7", prize="b5", rows={0: "b2", 1: "$10"}, turn=1, actions=False)
    play(same, ten_limit=limit).when(1, bid("$10")).refused("ten_used")
    both = at("b2 $10 $10", "b4", "b7", actions=False)
    play(both, ten_limit=limit).when(0, opens("b", "b2 $10 $10")).refused("ten_used")


def test_a_face_down_ten_is_any_hidden_card() -> None:
    position = at("b2", "$10 b4", "b2", prize="b5", rows={0: "b2", 2: "$10"}, turn=1, actions=False)
    play(position).when(1, bid("b4", "$10")).refused("not_highest")
    play(position).when(1, place("b4", "$10")).then(
        CardsPlaced(seat=1, cards=cards("b4"), hidden_count=1, total=5, hidden=some("$10"))
    )


def test_g5_any_number_of_sevens() -> None:
    position = at("b2", "$7 $7 $7", "b2", prize="b5", rows={0: "b2"}, turn=1, actions=False)
    play(position).when(1, bid("$7 $7")).then(
        CardsPlaced(seat=1, cards=cards("$7 $7"), hidden_count=0, total=14, hidden={}), ...
    )
    play(position).when(1, bid("$7 $7 $7")).then(...)


def test_g6_a_colour_that_is_owned_goes_back() -> None:
    position = at(
        "r2", "b4", "b2", prize="r4", rows={0: "r3"}, out=[1], owned={0: "r5"}, turn=2, actions=False
    )
    scenario = play(position).when(2, Withdraw())
    assert scenario.happened(TokenReturned) == TokenReturned(token=token("r4"), seat=None)
    table = scenario.view().table
    assert table.cars[0] == [token("r5")]
    assert table.stacks["red"].seen[-1] == token("r4")
    assert (table.phase, table.turn) == ("opening", 0)


def test_g7_the_fourth_colour_wins_at_once() -> None:
    position = at(
        "r2", "b4", "b2", prize="g5", rows={1: "g3"}, out=[0], owned={1: "r5 b5 y5"}, turn=2, actions=False
    )
    scenario = play(position).when(2, Withdraw())
    assert scenario.happened(TargetReached) == TargetReached(seat=1, place=1)
    assert scenario.game.outcome is not None
    assert scenario.game.outcome.winners == (1,)
    assert scenario.game.outcome.places == (2, 1, 2)


# Variant 1


def points(prize: str, owned: str, **options: Any) -> Scenario:
    """Seat 1 wins the prize with these goods on its car."""
    position = at(
        "r2",
        "b4",
        "b2",
        prize=prize,
        rows={1: "r3"},
        out=[0],
        owned={1: owned},
        turn=2,
        unseen=True,
        actions=False,
    )
    return play(position, variant_points=True, **options).when(2, Withdraw())


def test_g10_a_fifth_country_is_swapped() -> None:
    scenario = points("g4", "b1 r2 y3 p1")
    assert (scenario.view().phase, scenario.view().to_act) == ("swapping", (1,))
    scenario.when(0, KeepOut()).refused("not_your_turn")
    scenario.when(1, Swap("green")).refused("not_owned")
    scenario.when(1, Swap("blue")).then(
        TokenReturned(token=token("b1"), seat=1),
        TokenTaken(seat=1, token=token("g4")),
        TargetReached(seat=1, place=1),
        ...,
    )
    assert scenario.game.outcome is not None
    assert scenario.game.outcome.winners == (1,)
    assert scenario.view().table.stacks["blue"].seen[-1] == token("b1")


def test_a_fifth_country_may_be_kept_out() -> None:
    scenario = (
        points("g1", "b3 r2 y3 p1").when(1, KeepOut()).then(TokenReturned(token=token("g1"), seat=None))
    )
    table = scenario.view().table
    assert table.stacks["green"].seen[-1] == token("g1")
    assert (table.phase, table.turn, len(table.cars[1])) == ("opening", 1, 4)


@pytest.mark.parametrize(("owned", "wins"), [("b1 r2 y4", True), ("b1 r2 y3", False)], ids=["10", "9"])
def test_ambiguity_16_a_sum_of_exactly_ten_wins(owned: str, wins: bool) -> None:
    scenario = points("g3", owned)
    assert (scenario.game.outcome is not None) == wins
    assert scenario.view().phase == ("finished" if wins else "opening")


def test_three_countries_do_not_win_whatever_their_sum() -> None:
    assert points("g5", "b5 r5").game.outcome is None


def test_of_two_of_one_colour_the_higher_stays() -> None:
    better = points("b4", "b2 r1")
    assert better.events[-2:] == (
        TokenReturned(token=token("b2"), seat=1),
        TokenTaken(seat=1, token=token("b4")),
    )
    worse = points("b2", "b4 r1")
    assert worse.happened(TokenReturned) == TokenReturned(token=token("b2"), seat=None)
    assert worse.view().table.cars[1] == [token("b4"), token("r1")]


def test_an_exchange_within_a_colour_can_win() -> None:
    scenario = points("b5", "b1 r2 y2 p1")
    assert scenario.game.outcome is not None


def test_a_new_top_is_turned_up_only_where_nobody_knows_it() -> None:
    """The prize leaves its stack: a token is drawn; a returned one covers it; it shows again undrawn."""
    hands = ("b2 b3 r2 r2 r2", "p2 p2 p2 p2 p3", "g2 g2 g2 g2 g3")
    dealer = Scripted(script(0, *hands, tops="r1 p1 b3 y1 g1"))
    table = Table.open("demoludy", 3, POINTS, dealer)
    assert table.view().table.stacks["blue"].unseen == 4
    dealer.extend([token("b1"), *cards("b2 y2 y2")])
    commit = table.act(0, opens("b", "b2"))
    assert commit.events[1] == TopRevealed(token=token("b1"))
    table.act(1, Withdraw())
    table.act(2, Withdraw())
    assert table.view().table.cars[0] == [token("b3")]
    # The top is b1: winning it gives b1 back on top of what was drawn when it left.
    dealer.extend([token("b5"), *cards("y3 y3 y3")])
    table.act(0, opens("b", "b3"))
    assert table.view().table.stacks["blue"].seen == [token("b5")]
    table.act(1, Withdraw())
    table.act(2, Withdraw())
    assert table.view().table.stacks["blue"].seen == [token("b5"), token("b1")]
    assert table.view().table.stacks["blue"].unseen == 2
    dealer.extend(cards("y4"))
    commit = table.act(0, opens("b", "b2"))
    assert not [event for event in commit.events if isinstance(event, TopRevealed)]
    assert table.state.seen["blue"] == [token("b5")]


# Variant 2


def plays(
    scenario: Scenario,
    seat: int,
    name: str,
    *,
    on: int | None = None,
    own: int | None = None,
    theirs: int | None = None,
) -> Scenario:
    return scenario.when(seat, PlayAction(name, target_seat=on, own_card=own, target_card=theirs))


def test_g11_policeman() -> None:
    position = at("r4", "policeman r5", "r7 b2", prize="r5", rows={0: "r2"}, turn=1)
    scenario = given("demoludy", *position, players=3, options=ACTIONS, dealer=Scripted(cards("r7 b3")))
    plays(scenario, 1, "policeman", on=2).then(
        ActionPlayed(seat=1, card="policeman", target_seat=2), CardTaken(seat=1, source=2, card=card("r7"))
    )
    taken = scenario.happened(CardTaken)
    assert [redact(taken, viewer).card for viewer in (0, 1, 2, "table")] == [
        None,
        card("r7"),
        card("r7"),
        None,
    ]
    assert scenario.view().table.hands == [1, 2, 1]
    scenario.when(1, bid("r7")).then(...)
    assert scenario.view().table.rows[1].total == 7


def test_ambiguity_15_policeman_and_money_changer_reach_seats_that_withdrew() -> None:
    position = at("r4", "policeman money_changer", "r7 $7", prize="r5", rows={0: "r2"}, out=[2], turn=1)
    plays(play(position, **ACTIONS), 1, "policeman", on=2).then(...)
    plays(play(position, **ACTIONS), 1, "money_changer", on=2).then(...)


@pytest.mark.parametrize("name", ["policeman", "money_changer"])
def test_nobody_takes_from_an_empty_hand_or_from_oneself(name: str) -> None:
    position = at("r4", f"{name} r5", "", prize="r5", rows={0: "r2", 2: "r3"}, turn=1)
    for target in (1, 2, 3, None):
        plays(play(position, **ACTIONS), 1, name, on=target).refused("bad_target")
    lonely = at("", f"{name} r5", "", prize="r5", rows={0: "r2", 2: "r3"}, turn=1)
    plays(play(lonely, **ACTIONS), 1, name, on=0).refused("cannot_be_carried_out")


def test_g12_customs_officer() -> None:
    position = at(
        "r4",
        "r5",
        "customs_officer r5",
        "r4",
        prize="r5",
        rows={0: "r2 r3", 1: "r4 + b2 b2", 3: "r7"},
        turn=2,
    )
    scenario = plays(play(position, 4, **ACTIONS), 2, "customs_officer")
    scenario.then(
        ActionPlayed(seat=2, card="customs_officer", target_seat=None),
        TableDiscarded(seat=0, positions=(1,), cards=cards("r3")),
        TableDiscarded(seat=1, positions=(0,), cards=cards("r4")),
    )
    rows = scenario.view().table.rows
    assert [(row.cards, row.hidden, row.total) for row in rows] == [
        ([card("r2")], 0, 2),
        ([], 2, 2),
        ([], 0, 0),
        ([card("r7")], 0, 7),
    ]


def test_customs_officer_takes_the_card_that_was_named_last_in_its_command() -> None:
    table = Table.open(
        "demoludy",
        3,
        ACTIONS,
        Scripted(script(0, "r2 r7 r3 b2 b2", "customs_officer b3 b3 b3 b3", "g2 g2 g2 g2 g3", draws="y2")),
    )
    table.act(0, opens("r", "r2 r7 r3"))
    table.act(1, PlayAction("customs_officer"))
    assert table.view().table.rows[0].cards == list(cards("r2 r7"))


def test_customs_officer_needs_somebody_to_lose_a_card() -> None:
    position = at("r4", "customs_officer r5", "r4", prize="r5", rows={0: "r2", 2: "+ b2 b2"}, turn=1)
    plays(play(position, **ACTIONS), 1, "customs_officer").refused("cannot_be_carried_out")


def test_g13_a_product_then_car_trouble() -> None:
    for dollar, value in (("$7", 7), ("$10", 10)):
        position = at("r4", "r5 car_trouble", "r4", prize="r5", rows={0: f"r2 {dollar}"}, turn=1)
        scenario = play(position, **ACTIONS).when(1, place("r5"))
        plays(scenario, 1, "car_trouble", on=0, theirs=1).then(
            ActionPlayed(seat=1, card="car_trouble", target_seat=0),
            TableDiscarded(seat=0, positions=(1,), cards=cards(dollar)),
        )
        assert [row.total for row in scenario.view().table.rows] == [2 + value - value, 5, 0]
        scenario.when(1, EndTurn()).then(...)


def test_a_discarded_ten_still_blocks_the_other() -> None:
    position = at("r4", "$10 car_trouble", "r4", prize="r5", rows={0: "r2 $10"}, turn=1)
    scenario = plays(play(position, **ACTIONS), 1, "car_trouble", on=0, theirs=1)
    scenario.when(1, bid("$10")).refused("ten_used")


def test_g19_car_trouble_spares_the_last_card() -> None:
    position = at("r4", "r5 car_trouble", "r4", prize="r5", rows={0: "r2", 2: "r3 r4"}, turn=1)
    plays(play(position, **ACTIONS), 1, "car_trouble", on=0, theirs=0).refused("bad_target")
    alone = at("r4", "r5 car_trouble", "r4", prize="r5", rows={0: "r2", 2: "r3"}, turn=1)
    plays(play(alone, **ACTIONS), 1, "car_trouble", on=0, theirs=0).refused("cannot_be_carried_out")


@pytest.mark.parametrize("counts", [True, False], ids=["counts", "does not count"])
def test_a_face_down_card_in_front(counts: bool) -> None:
    position = at("r4", "r5 car_trouble", "r4", prize="r5", rows={0: "r2 + b2"}, turn=1)
    scenario = play(position, **ACTIONS, last_card_counts_hidden=counts)
    plays(scenario, 1, "car_trouble", on=0, theirs=0)
    if counts:
        assert scenario.view().table.rows[0].total == 1
    else:
        scenario.refused("cannot_be_carried_out")


def test_petrol_station_frees_the_very_ten() -> None:
    position = at("r4", "petrol_station", "r4 $10", prize="r5", rows={0: "r2", 1: "$10 r3"}, turn=1)
    scenario = plays(play(position, **ACTIONS), 1, "petrol_station", own=0).then(
        ActionPlayed(seat=1, card="petrol_station", target_seat=None),
        TakenBack(seat=1, position=0, card=card("$10"), played_by=1),
    )
    assert scenario.view().table.tens == []
    assert scenario.view(1).hand.cards == some("$10")
    scenario.when(1, bid("$10")).then(...)
    assert scenario.view().table.rows[1].total == 13


def test_petrol_station_leaves_a_last_card() -> None:
    position = at("r4", "petrol_station", "r4", prize="r5", rows={0: "r2", 1: "r3"}, turn=1)
    plays(play(position, **ACTIONS), 1, "petrol_station", own=0).refused("cannot_be_carried_out")


def test_a_swapped_ten_counts_for_who_laid_it() -> None:
    """Seat 1 takes back the $10 that seat 0 laid: seat 0's is freed, not seat 1's (per player)."""
    position = at("r4", "bazaar petrol_station", "r4", prize="r5", rows={0: "$10 r2", 1: "r3 $10"}, turn=1)
    scenario = play(position, **ACTIONS, ten_limit="per_player")
    plays(scenario, 1, "bazaar", on=0, own=1, theirs=0).then(...)
    plays(scenario, 1, "petrol_station", own=1).then(
        ActionPlayed(seat=1, card="petrol_station", target_seat=None),
        TakenBack(seat=1, position=1, card=card("$10"), played_by=0),
    )
    assert scenario.view().table.tens == [1]
    scenario.when(1, bid("$10")).refused("ten_used")


def test_g15_bazaar() -> None:
    position = at("r4", "r5", "bazaar r7", prize="r5", rows={0: "r4 $10 r5", 2: "r2 r3"}, turn=2)
    scenario = plays(play(position, **ACTIONS), 2, "bazaar", on=0, own=0, theirs=1).then(
        ActionPlayed(seat=2, card="bazaar", target_seat=0),
        CardsSwapped(
            seat=2, position=0, card=card("r2"), target_seat=0, target_position=1, target_card=card("$10")
        ),
    )
    rows = scenario.view().table.rows
    assert rows[2].cards == list(cards("$10 r3"))
    assert rows[0].cards == list(cards("r4 r2 r5")), "each takes the other's place in the order"
    assert (rows[2].total, rows[0].total) == (5 + 8, 19 - 8)


def test_bazaar_may_swap_last_cards_but_no_face_down_ones() -> None:
    last = at("r4", "bazaar", "r4", prize="r5", rows={0: "r5", 1: "r2"}, turn=1)
    plays(play(last, **ACTIONS), 1, "bazaar", on=0, own=0, theirs=0).then(...)
    hidden = at("r4", "bazaar", "r4", prize="r5", rows={0: "r5", 1: "+ r2"}, turn=1)
    plays(play(hidden, **ACTIONS), 1, "bazaar", on=0, own=0, theirs=0).refused("cannot_be_carried_out")


def test_g16_money_changer_gets_the_highest_dollar() -> None:
    position = at("r4", "money_changer", "$7 $10 r2", prize="r5", rows={0: "r2"}, turn=1)
    scenario = plays(play(position, **ACTIONS), 1, "money_changer", on=2)
    asked = scenario.happened(DollarAsked)
    assert (asked.answer, asked.card, asked.hand, asked.shown) == (True, card("$10"), None, None)
    assert [redact(asked, viewer).card for viewer in (0, 1, 2, "table")] == [
        None,
        card("$10"),
        card("$10"),
        None,
    ]
    assert scenario.view(2).hand.cards == some("$7 r2")
    assert scenario.view(1).hand.cards == some("$10")


@pytest.mark.parametrize(
    ("proof", "seen"), [("asker", [False, True, True, False]), ("all", [True] * 4), ("none", [False] * 4)]
)
def test_g16b_who_holds_no_dollar_proves_it(proof: str, seen: list[bool]) -> None:
    position = at("r4", "money_changer", "r7 b2 b2", prize="r5", rows={0: "r2"}, turn=1)
    scenario = plays(play(position, **ACTIONS, money_changer_proof=proof), 1, "money_changer", on=2)
    asked = scenario.happened(DollarAsked)
    assert not asked.answer
    views = [redact(asked, viewer) for viewer in (0, 1, 2, "table")]
    assert [bool(event.hand or event.shown) for event in views] == seen
    shown = scenario.view(1).hand.shown if proof == "asker" else scenario.view().table.shown
    assert shown is None if proof == "none" else (shown.seat, shown.cards) == (2, some("r7 b2 b2"))
    assert scenario.view(0).hand.shown is None


def test_g17_brotherhood() -> None:
    rows = {0: "r3 r5 r3", 1: "r3 r3", 3: "r3 + b2"}
    position = at("r4", "r5", "brotherhood r5", "r4", prize="r5", rows=rows, turn=2)
    plays(play(position, 4, **ACTIONS), 2, "brotherhood").then(
        ActionPlayed(seat=2, card="brotherhood", target_seat=None),
        TableDiscarded(seat=3, positions=(0,), cards=cards("r3")),
        TableDiscarded(seat=0, positions=(0, 2), cards=cards("r3 r3")),
        TableDiscarded(seat=1, positions=(1,), cards=cards("r3")),
    )


def test_brotherhood_strikes_the_own_vodka_too() -> None:
    position = at("r4", "brotherhood r7", "r4", prize="r5", rows={0: "r2", 1: "r3 r2"}, turn=1)
    plays(play(position, **ACTIONS), 1, "brotherhood").then(
        ActionPlayed(seat=1, card="brotherhood", target_seat=None),
        TableDiscarded(seat=1, positions=(0,), cards=cards("r3")),
    )
    none = at("r4", "brotherhood r7", "r4", prize="r5", rows={0: "r3", 1: "r2"}, turn=1)
    plays(play(none, **ACTIONS), 1, "brotherhood").refused("cannot_be_carried_out")


def test_g18_being_ahead_does_not_save_from_playing() -> None:
    position = at("r4", "r5 policeman", "r4", prize="r5", rows={0: "r2", 1: "r7"}, turn=1)
    play(position, **ACTIONS).when(1, EndTurn()).refused("no_card_played")
    play(position, **ACTIONS).when(1, Withdraw()).then(...)
    play(position, **ACTIONS).when(1, bid("r5")).then(...)
    scenario = plays(play(position, **ACTIONS), 1, "policeman", on=0)
    scenario.when(1, EndTurn()).then(...)


def test_the_opener_may_play_policeman_first_and_has_to_open_all_the_same() -> None:
    position = at("policeman petrol_station brotherhood customs_officer b2", "b4", "b2")
    scenario = play(position, **ACTIONS)
    for name in ("petrol_station", "brotherhood", "customs_officer"):
        plays(scenario, 0, name).refused("cannot_be_carried_out")
    plays(scenario, 0, "policeman", on=1).then(...)
    scenario.when(0, EndTurn()).refused("wrong_phase")
    scenario.when(0, SkipOpen()).refused("can_open")
    scenario.when(0, opens("b", "b2")).then(...)
    assert scenario.view().table.played == 0


def test_action_cards_are_for_variant_2_and_lie_face_down_only() -> None:
    plain = at("b2", "r5", "b2", prize="r5", rows={0: "r2"}, turn=1, actions=False)
    plays(play(plain), 1, "policeman", on=0).refused("no_action_cards")
    position = at("b2", "policeman r5", "b2", prize="r5", rows={0: "r2"}, turn=1)
    scenario = play(position, **ACTIONS)
    scenario.when(1, place("policeman")).refused("wrong_colour")
    plays(scenario, 1, card("r5"), on=0).refused("not_an_action_card")
    plays(scenario, 1, "bazaar", on=0, own=0, theirs=0).refused("not_in_hand")
    scenario.when(1, bid("r5", "policeman")).then(...)


def test_a_card_is_played_on_what_it_needs_and_on_nothing_else() -> None:
    hand = "policeman customs_officer car_trouble petrol_station bazaar money_changer brotherhood"
    position = at("r2 r2", hand, "r2", prize="r5", rows={0: "r3 r2", 1: "r3 r4", 2: "r3 r5"}, turn=1)
    needs = {
        "policeman": (True, False, False),
        "customs_officer": (False, False, False),
        "car_trouble": (True, False, True),
        "petrol_station": (False, True, False),
        "bazaar": (True, True, True),
        "money_changer": (True, False, False),
        "brotherhood": (False, False, False),
    }
    for name, wanted in needs.items():
        for given_ in ((a, b, c) for a in (True, False) for b in (True, False) for c in (True, False)):
            scenario = play(position, **ACTIONS)
            on, own, theirs = (0 if named else None for named in given_)
            plays(scenario, 1, name, on=on, own=own, theirs=theirs)
            if given_ == wanted:
                assert scenario.rejected is None
            else:
                scenario.refused("bad_target")


# Raising, opening, drawing


def test_ambiguity_10_an_equal_total_is_not_enough() -> None:
    position = at("r2", "r4 r3", "r2", prize="r5", rows={0: "r4"}, turn=1, actions=False)
    play(position).when(1, bid("r4")).refused("not_highest")
    scenario = play(position).when(1, place("r4"))
    scenario.when(1, EndTurn()).refused("not_highest")
    scenario.when(1, place("r3")).when(1, EndTurn()).then(...)


def test_several_placements_in_one_turn_hide_once() -> None:
    position = at("r2", "r4 b2 b2 b3 r3", "r2", prize="r5", rows={0: "r4"}, turn=1, actions=False)
    scenario = play(position).when(1, place("", "b2")).when(1, place("r4", "b2 b3"))
    scenario.when(1, EndTurn()).then(...)
    assert scenario.view().table.rows[1].hidden == 3


def test_ambiguity_8_everybody_passes_at_once() -> None:
    position = at("r2", "r4", "r2", prize="r5", rows={0: "r2"}, turn=1, actions=False)
    scenario = play(position).when(1, Withdraw()).when(2, Withdraw())
    won = scenario.happened(AuctionWon)
    assert (won.seat, won.token) == (0, token("r5"))


def test_ambiguity_20_withdrawing_after_placing_loses_the_cards() -> None:
    position = at("r2", "r4 b2", "r2", prize="r5", rows={0: "r7"}, turn=1, actions=False)
    scenario = play(position).when(1, place("r4", "b2")).when(1, Withdraw())
    assert scenario.events[0] == Withdrawn(
        seat=1, cards=cards("r4"), hidden_count=1, revealed=None, owes_token=False
    )
    assert isinstance(scenario.events[1], CardDrawn)


def test_hidden_cards_are_shown_on_the_discard_only_if_agreed() -> None:
    position = at("r2", "r4", "r2", prize="r5", rows={0: "r7", 1: "+ b2 y3"}, turn=1, actions=False)
    scenario = play(position, reveal_hidden_on_discard=True).when(1, Withdraw())
    assert scenario.happened(Withdrawn).revealed == some("b2 y3")
    assert scenario.view().table.discard == some("b2 y3")
    scenario = play(position).when(1, Withdraw())
    assert scenario.view().table.discard_unseen == 2


def test_hidden_products_only() -> None:
    position = at("r2", "r4 $7 b2", "r2", prize="r5", rows={0: "r2"}, turn=1, actions=False)
    scenario = play(position, hidden_any_card=False)
    scenario.when(1, place("", "$7")).refused("products_only")
    scenario.when(1, place("", "b2")).then(...)


def test_what_may_be_laid_at_all() -> None:
    position = at("r2", "r4 b2 r2", "r2", prize="r5", rows={0: "r2"}, turn=1, actions=False)
    scenario = play(position)
    scenario.when(1, place()).refused("nothing_placed")
    scenario.when(1, bid()).refused("nothing_placed")
    scenario.when(1, place("b2")).refused("wrong_colour")
    scenario.when(1, place("r4 r4")).refused("not_in_hand")
    scenario.when(1, place("r4", "r4")).refused("not_in_hand")
    scenario.when(1, place("", "b2 b2")).refused("not_in_hand")
    scenario.when(1, opens("r", "r4")).refused("wrong_phase")
    scenario.when(2, place("r2")).refused("not_your_turn")


def test_a_bid_that_is_refused_lays_nothing() -> None:
    position = at("r2", "r4 b2", "r2", prize="r5", rows={0: "r7"}, turn=1, actions=False)
    scenario = play(position)
    before = scenario.view(1)
    scenario.when(1, bid("r4", "b2")).refused("not_highest")
    assert scenario.view(1) == before
    assert scenario.rejected is not None
    assert scenario.rejected.details == {"total": 5, "to_beat": 7}


def test_ambiguity_6_a_starter_who_cannot_open_draws_and_leaves_it_to_the_left() -> None:
    position = at("$7 $10", "b4", "b2", actions=False)
    scenario = play(position).when(0, opens("b", "$7")).refused("no_product")
    scenario.when(0, SkipOpen())
    assert scenario.events[0] == StartSkipped(seat=0)
    assert scenario.happened(CardDrawn).seat == 0
    assert scenario.view().to_act == (1,)
    scenario.when(1, SkipOpen()).refused("can_open")


def test_products_of_an_empty_stack_do_not_open() -> None:
    owned = {seat: f"r{5 - seat}" for seat in range(5)}
    position = at("r2 $7", "b4", "b2", "b2", "b2", owned=owned, actions=False)
    scenario = play(position, 5).when(0, opens("r", "r2")).refused("stack_empty")
    scenario.when(0, SkipOpen()).then(StartSkipped(seat=0), ...)


def test_g20_the_discard_becomes_the_deck() -> None:
    position = at("r2 b2", "b4", "b2", discarded="all", actions=False)
    scenario = play(position)
    assert scenario.view().table.deck == 0
    scenario.when(0, opens("b", "b2"))
    reshuffled = scenario.happened(DeckReshuffled)
    assert reshuffled.count == 96 - 4
    assert scenario.events.index(reshuffled) < scenario.events.index(scenario.happened(CardDrawn))
    assert scenario.view().table.deck == reshuffled.count - 1
    assert scenario.view().table.discard == {}


def test_ambiguity_18_without_deck_and_discard_nobody_draws() -> None:
    left = [
        name
        for name, count in play(at("", "", "", actions=False)).game.state.deck.items()
        for _ in range(count)
    ]
    short = {
        **{card(f"{c}{v}"): f"{c}{v}" for c in "rpbyg" for v in (2, 3, 4, 5, 7)},
        "USD7": "$7",
        "USD10": "$10",
    }
    everything = " ".join(short[name] for name in left)
    scenario = play(at(everything, "", "", actions=False)).when(0, opens("b", "b2"))
    assert [type(event) for event in scenario.events] == [AuctionOpened]
    scenario.when(1, Withdraw())
    assert [type(event) for event in scenario.events] == [Withdrawn]


def test_the_drawn_card_is_for_its_seat_alone() -> None:
    table = example_1()
    dealt = [event for event in table.log[0].events if isinstance(event, HandDealt)]
    for event in dealt:
        for viewer in (0, 1, 2, "table"):
            assert (redact(event, viewer).cards is not None) == (viewer == event.seat)  # type: ignore[arg-type]


# House rules


def test_a_ten_that_loses_costs_a_token() -> None:
    position = at(
        "r7", "r4", "r2", prize="r5", rows={0: "r7 r5", 1: "$10"}, owned={1: "b5 g5"}, turn=1, actions=False
    )
    scenario = play(position, ten_loss_penalty=True).when(1, Withdraw())
    assert scenario.events[0].owes_token  # type: ignore[attr-defined]
    assert (scenario.view().phase, scenario.view().to_act) == ("returning", (1,))
    scenario.when(2, Withdraw()).refused("wrong_phase")
    scenario.when(1, ReturnToken("red")).refused("not_owned")
    scenario.when(1, ReturnToken("green")).then(TokenReturned(token=token("g5"), seat=1))
    assert (scenario.view().phase, scenario.view().to_act) == ("bidding", (2,))


def test_the_penalty_comes_before_the_prize() -> None:
    position = at(
        "r7",
        "r4",
        "r2",
        prize="r5",
        rows={0: "r7 r5", 1: "$10"},
        out=[2],
        owned={1: "b5"},
        turn=1,
        actions=False,
    )
    scenario = play(position, ten_loss_penalty=True).when(1, Withdraw())
    assert scenario.view().table.prize == token("r5")
    scenario.when(1, ReturnToken("blue"))
    assert [type(event) for event in scenario.events] == [TokenReturned, AuctionWon, TokenTaken]


def test_a_ten_blocks_no_auction_after_one_that_ends_without_a_winner() -> None:
    """The last bidder resigns while another seat owes a token for its $10: nobody wins, and the next one is new."""
    rows = {0: "r7 r5", 1: "$10"}
    position = at(
        "r7", "b4 $10", "r2", prize="r5", rows=rows, out=[2], owned={1: "b5"}, turn=1, actions=False
    )
    scenario = play(position, ten_loss_penalty=True).when(1, Withdraw()).when(0, Resign())
    scenario.when(1, ReturnToken("blue"))
    assert scenario.events[-1] == TokenReturned(token=token("r5"), seat=None)
    assert (scenario.view().phase, scenario.view().to_act) == ("opening", (1,))
    assert scenario.view().table.tens == []
    assert not scenario.game.rules.violations(scenario.game.state)
    (offer,) = scenario.view(1).offers
    assert offer.admits(opens("blue", "b4 $10"))
    assert scenario.when(1, opens("blue", "b4 $10")).happened(AuctionOpened).total == 14


def test_who_has_no_token_or_took_the_ten_back_owes_none() -> None:
    poor = at("r7", "r4", "r2", prize="r5", rows={0: "r7 r5", 1: "$10"}, turn=1, actions=False)
    assert not play(poor, ten_loss_penalty=True).when(1, Withdraw()).events[0].owes_token  # type: ignore[attr-defined]
    back = at(
        "r7", "petrol_station", "r2", prize="r5", rows={0: "r7 r5", 1: "$10 r2"}, owned={1: "b5"}, turn=1
    )
    scenario = play(back, **ACTIONS, ten_loss_penalty=True)
    plays(scenario, 1, "petrol_station", own=0).when(1, Withdraw())
    assert not scenario.happened(Withdrawn).owes_token


def test_attacke_s_first_player_has_four_cards() -> None:
    table = Table.open("demoludy", 4, {"starter_hand": 4}, dealer=3)
    starter = table.view().table.starter
    assert table.view().table.hands == [4 if seat == starter else 5 for seat in range(4)]


def test_play_on_for_places() -> None:
    position = at(
        "r2 b3", "b4", "b2", prize="g5", rows={1: "g3"}, out=[0], owned={1: "r5 b5 y5"}, turn=2, actions=False
    )
    scenario = play(position, play_on=True).when(2, Withdraw())
    assert scenario.game.outcome is None
    table = scenario.view().table
    assert (table.places, table.hands[1], table.turn) == ({1: 1}, 0, 2)
    assert scenario.view(1).offers == ()
    scenario.when(2, opens("b", "b2")).then(...)
    assert scenario.view().table.bidders == [0, 2]
    scenario.when(1, Withdraw()).refused("out_of_game")


def test_play_on_ends_when_what_is_left_cannot_be_worth_the_target() -> None:
    """With 20 and 17 points gone the best that is left is 4 + 4 + 3 + 3: two seats would bid for ever."""
    owned = {0: "r5 b5 g5 y5", 1: "r4 b4 p5"}
    rows = {1: "y7", 2: "y3"}
    position = list(
        at(
            "",
            "y2",
            "y2",
            "y2",
            prize="y4",
            rows=rows,
            out=[3],
            owned=owned,
            unseen=True,
            turn=2,
            actions=False,
        )
    )
    opened = next(at for at, event in enumerate(position) if isinstance(event, AuctionOpened))
    position[opened:opened] = [TargetReached(seat=0, place=1), SeatLeft(seat=0, place=1, count=0)]
    options = {**POINTS, "points_target": 16, "play_on": True}
    scenario = play(tuple(position), players=4, **options)
    assert scenario.view().outcome is None
    scenario.when(2, Withdraw())
    assert scenario.happened(TargetReached) == TargetReached(seat=1, place=2)
    assert scenario.view().outcome.places == (1, 2, 3, 3)


def test_two_seats_only_as_an_experiment() -> None:
    with pytest.raises(Rejected) as refused:
        Table.open("demoludy", 2)
    assert refused.value.code == "bad_players"
    assert Table.open("demoludy", 2, {"min_players": 2}).view().to_act
    with pytest.raises(Rejected) as refused:
        Table.open("demoludy", 6, {"min_players": 2})
    assert refused.value.code == "bad_players"


@pytest.mark.parametrize(("seats", "within"), [(2, 9), (3, 12), (5, 12)])
def test_a_target_that_may_be_out_of_reach_is_refused(seats: int, within: int) -> None:
    options = {"variant_points": True, "min_players": 2, "countries_target": 3}
    assert Table.open("demoludy", seats, {**options, "points_target": within})
    with pytest.raises(Rejected) as refused:
        Table.open("demoludy", seats, {**options, "points_target": within + 1})
    assert refused.value.code == "bad_options"
    assert refused.value.details["path"] == "$.action.options.points_target"
    assert Table.open("demoludy", seats, {**options, "points_target": within + 1, "variant_points": False})
