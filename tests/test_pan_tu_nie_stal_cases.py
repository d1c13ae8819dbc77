"""Pan tu nie stał!: the golden cases of pan_tu_nie_stal.md §11 by their ids, and what else its sections say."""

from typing import Any

import pytest

from fairdeal.game import Finished, Resign, Resigned
from fairdeal.games.pan_tu_nie_stal import (
    BazaarStarted,
    CardDrawn,
    CardsPlayed,
    Checked,
    Claim,
    ClaimMade,
    Draw,
    EndTurn,
    FinalCheckStarted,
    GameOver,
    GoodPicked,
    GoodsPlaced,
    LastRound,
    LineCleared,
    PairRemoved,
    Pick,
    PlayFree,
    QueuesChecked,
    RefillAsked,
    RefillBazaar,
    RefillChosen,
    SeatLeft,
    ShopSettled,
    StartBazaar,
    TurnStarted,
)
from fairdeal.games.pan_tu_nie_stal_queues import GOODS, Holding, score
from fairdeal.receipt import Rejected
from fairdeal_local import Scripted, Table
from support.pan_tu_nie_stal import at, cards, play, script, token, tokens, worth
from support.scenario import Scenario, given

RED, GREEN, BLUE = 0, 1, 2
BRACELET, WINE, MANGLE, OTHER = tokens("r5 g3 b4 y1")
SHOPS = ["T01 T03", "T02 T04"]
"""Goods of two shops."""


def pan(*events: Any, players: int = 3, dealer: Any = None, **options: Any) -> Scenario:
    return given("pan_tu_nie_stal", *events, players=players, options=options, dealer=dealer)


def totals(scenario: Scenario, queue: int) -> list[int]:
    return list(scenario.view().table.queues[queue].totals)


# The rulebook's examples


def at_the_bazaar(goods: str, line: str, **more: Any) -> Any:
    return at("r", "r", "r", goods=[*SHOPS, goods], lines={2: line}, **more)


RULEBOOK_LINE = "0v 1p 2r 0r 1r"
"""Red 4, green 3, blue 1."""


def distributed(goods: str, *picks: tuple[int, str]) -> Scenario:
    """The rulebook's example at the Bazaar, with these picks and all but the last of the goods taken."""
    scenario = pan(*at_the_bazaar(goods, RULEBOOK_LINE), dealer=Scripted([token("y5")]))
    scenario.when(RED, StartBazaar()).then(
        BazaarStarted(seat=RED, queue=2, order=(RED, GREEN, BLUE), totals=(4, 3, 1))
    )
    for seat, good in picks:
        assert scenario.view().to_act == (seat,)
        for other in {RED, GREEN, BLUE} - {seat}:
            scenario.when(other, Pick(good)).refused("not_your_turn")
        scenario.when(seat, Pick(good))
        assert scenario.events[0] == GoodPicked(seat=seat, token=good)
    assert scenario.events[1:] == (LineCleared(queue=2), GoodsPlaced(queue=2, tokens=(token("y5"),)))
    return scenario


def test_g1_rulebook_example_the_one_with_the_advantage_picks_first_and_the_rest_goes_round() -> None:
    picks = ((RED, BRACELET), (GREEN, WINE), (BLUE, MANGLE), (RED, OTHER))
    table = distributed("r5 g3 b4 y1", *picks).view().table
    assert table.foreign == [[BRACELET, OTHER], [WINE], [MANGLE]]
    assert table.queues[2].line == []
    assert table.queues[2].goods == [token("y5")]
    assert (table.stage, table.turn, table.checked) == ("check", RED, [2])


def test_g2_rulebook_example_of_five_goods_green_takes_a_second_one() -> None:
    picks = ((RED, BRACELET), (GREEN, WINE), (BLUE, MANGLE), (RED, OTHER), (GREEN, token("r1")))
    table = distributed("r5 g3 b4 y1 r1", *picks).view().table
    assert list(map(len, table.foreign)) == [2, 2, 1]


def test_g3_rulebook_scoring_example() -> None:
    """8 points of foreign goods, 15 of regular ones, 2 for two countries."""
    assert score([worth(7), worth(8)], tokens("r5 b3")) == 25
    # The same at the end of a game: the last shop is emptied.
    goods, foreign = [worth(2), "", ""], {1: "r5 b3"}
    lines, claims = {0: "1v 1p 1c"}, {0: (0, worth(1))}
    end = at("r", "r", "r", goods=goods, lines=lines, claims=claims, won={1: f"{worth(5)} {worth(8)}"},
             foreign=foreign, turn=1, dry=True)  # fmt: skip
    scenario = pan(*end).when(1, Claim(0, worth(2)))
    assert scenario.happened(GameOver).scores == (1, 25, 0)


def test_g4_rulebook_setup_of_three_players() -> None:
    table = Table.open("pan_tu_nie_stal", 3, dealer=4).view().table
    assert [queue.kind for queue in table.queues] == ["shop", "shop", "bazaar"]
    assert [len(queue.goods) for queue in table.queues] == [2, 2, 1]
    assert (table.stack, table.foreign_stack) == (32, 24)


def test_rulebook_the_goods_of_both_games_are_not_mixed() -> None:
    table = Table.open("pan_tu_nie_stal", 5, dealer=4).view().table
    assert all(good in GOODS for queue in table.queues[:-1] for good in queue.goods)
    assert all(good.startswith("G-") for good in table.queues[-1].goods)


def test_rulebook_a_tie_for_a_later_place_goes_to_the_seat_nearer_to_the_first_clockwise() -> None:
    line = "3v 0p 2p 1r 4p"
    start = at("r", "r", "r", "r", "r", goods=[*SHOPS, "T05 T09", "g2 p3"], lines={3: line}, turn=3)
    scenario = pan(*start, players=5).when(3, StartBazaar())
    scenario.then(BazaarStarted(seat=3, queue=3, order=(3, 4, 0, 2, 1), totals=(3, 2, 2, 2, 1)))


@pytest.mark.parametrize("seats", range(2, 6))
def test_rulebook_the_bazaar_takes_the_place_of_one_shop(seats: int) -> None:
    queues = {2: 2, 3: 3, 4: 4, 5: 4}[seats]
    kinds = [queue.kind for queue in Table.open("pan_tu_nie_stal", seats).view().table.queues]
    assert kinds == ["shop"] * (queues - 1) + ["bazaar"]
    without = Table.open("pan_tu_nie_stal", seats, {"expansion_bazaar": False}).view().table
    assert [queue.kind for queue in without.queues] == ["shop"] * queues


def test_rulebook_without_foreign_goods_none_is_put_on_the_bazaar_and_it_takes_no_cards() -> None:
    gone = {0: " ".join(f"{colour}{value}" for colour in "rpbyg" for value in range(1, 6))}
    claimed = at(
        "rr", "r", "r", goods=["T03", "T02 T04", ""], lines={0: "0v 0p"}, claims={0: (0, "T01")}, foreign=gone
    )
    scenario = pan(*claimed, dealer=Scripted(["T10", "T20"])).when(0, Claim(0, "T03"))
    assert [type(event) for event in scenario.events] == [ShopSettled, LineCleared, GoodsPlaced]
    scenario.when(0, Checked()).when(0, play(2, "r")).refused("queue_closed")


# Advantage (§4)


def test_g6_a_tie_for_the_first_place_at_the_bazaar_gives_nobody_the_advantage() -> None:
    scenario = pan(*at_the_bazaar("g2 p3", "0v 1p 1r 2r"))
    scenario.when(0, StartBazaar()).refused("no_advantage")
    scenario.when(0, Checked()).then(QueuesChecked(seat=0))


def test_g7_source_three_two_and_one_with_a_claim_of_five_is_one() -> None:
    line = at(
        "r", "r", "r", goods=[worth(4), "T02 T04", ""], lines={0: "0v 0p 0r"}, claims={0: (0, worth(5))}
    )
    assert totals(pan(*line), 0) == [1, 0, 0]


def test_g8_source_five_with_a_claim_of_two_is_three() -> None:
    line = at("r", "r", "r", goods=[worth(4), "T02 T04", ""], lines={0: "0v 0p"}, claims={0: (0, worth(2))})
    assert totals(pan(*line), 0) == [3, 0, 0]


def lined(line: str, **options: Any) -> list[int]:
    return totals(pan(*at("r", "r", "r", goods=[*SHOPS, ""], lines={0: line}), **options), 0)


def test_g9_the_third_colleague_counts_three_and_covered_ones_are_not_counted_with() -> None:
    assert lined("0c 0c 0c") == [6, 0, 0]
    assert lined("0c 0c 0c 1b>1") == [3, 1, 0]
    assert lined("0c 1c 0c 1c") == [3, 3, 0]


def test_g10_a_mother_makes_every_card_count_one() -> None:
    assert lined("0c 0c 0c 1m") == [3, 1, 0]
    assert lined("0v 0p 1m 2f") == [2, 1, 1]


def test_a_covered_mother_levels_no_more() -> None:
    assert lined("0v 0p 1m 2b>2") == [5, 0, 1]


def test_a_mother_levels_for_good_what_lies_there_when_she_comes_if_agreed() -> None:
    assert lined("0v 1m 0p", mother_duration="on_play") == [3, 1, 0]
    assert lined("0v 1m 0p 2b>1", mother_duration="on_play") == [3, 0, 1]
    assert lined("0c 1m 0c", mother_duration="on_play") == [3, 1, 0]


def test_a_brawler_may_cover_a_brawler_and_what_it_covered_stays_covered() -> None:
    assert lined("0v 1b>0 0b>1") == [1, 0, 0]


def test_g12_a_tie_in_a_shop_gives_nobody_the_advantage() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, ""], lines={0: "0v 1r 1p"}))
    scenario.when(0, Claim(0, "T01")).refused("no_advantage")
    scenario.when(0, Checked()).then(QueuesChecked(seat=0))


@pytest.mark.parametrize(("absent_counts_zero", "leads"), [(True, False), (False, True)])
def test_alone_with_nothing_left_has_the_advantage_only_if_absent_seats_do_not_count(
    absent_counts_zero: bool, leads: bool
) -> None:
    lone = at("r", "r", "r", goods=[worth(4), "T02 T04", ""], lines={0: "0r"}, claims={0: (0, worth(8))})
    table = pan(*lone, absent_counts_zero=absent_counts_zero).view().table
    assert table.queues[0].totals == [-7, 0, 0]
    assert table.queues[0].leader == (0 if leads else None)


# Claims and shops (§5.1)


def test_g13_a_claim_weighs_down_the_one_who_has_it_until_another_settles() -> None:
    """The trace of §14: seats A and B and a shop with goods worth 8 and 2."""
    a, b, eight, two = 0, 1, worth(8), worth(2)
    start = at("rr", "rr", goods=[f"{eight} {two}", "r1"], lines={0: "0p 0f"})
    later = Scripted(["regular", "regular", "regular", "regular", "regular", worth(3), worth(5), token("b2")])
    scenario = pan(*start, players=2, dealer=later)
    scenario.when(a, Checked()).refused("claims_left")
    scenario.when(a, Claim(0, eight)).then(ClaimMade(seat=a, queue=0, token=eight))
    assert totals(scenario, 0) == [-4, 0]
    assert scenario.view().table.queues[0].goods == [two]
    for action in (Checked(), Draw(), Draw(), EndTurn()):
        scenario.when(a, action)
    scenario.when(b, Checked()).when(b, play(0, "r")).when(b, Draw()).when(b, EndTurn())
    assert totals(scenario, 0) == [-4, 1]
    scenario.when(a, Claim(0, two)).refused("no_advantage")
    for action in (Checked(), Draw(), Draw(), EndTurn()):
        scenario.when(a, action)
    scenario.when(b, Claim(0, two)).then(
        ShopSettled(seat=b, queue=0, awards=(Holding(a, eight), Holding(b, two))),
        LineCleared(queue=0),
        GoodsPlaced(queue=0, tokens=(worth(3), worth(5))),
        GoodsPlaced(queue=1, tokens=(token("b2"),)),
    )
    assert scenario.view().table.won == [[eight], [two]]


def test_g14_who_still_leads_after_a_claim_takes_both_goods_of_a_shop() -> None:
    low, high = worth(2), worth(4)
    start = at("r", "r", "r", goods=[high, "T02 T04", "r1"], lines={0: "0v 0p 1p"}, claims={0: (0, low)})
    scenario = pan(*start, dealer=Scripted([worth(3), worth(5), token("b2")]))
    assert totals(scenario, 0) == [3, 2, 0]
    scenario.when(0, Claim(0, high))
    assert scenario.happened(ShopSettled).awards == (Holding(0, low), Holding(0, high))
    assert scenario.view().table.won == [[low, high], [], []]
    assert scenario.view().table.box == [{"veteran": 1, "pushy": 1}, {"pushy": 1}, {}]


def test_a_shop_gives_one_good_a_turn() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, "r1"], lines={0: "0v 0p"}))
    scenario.when(0, Claim(0, "T01")).when(0, Claim(0, "T03")).refused("queue_used")
    scenario.when(0, Checked()).then(QueuesChecked(seat=0))


def test_a_claim_names_a_shop_that_is_led_and_a_good_that_lies_there() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, "r1 r2"], lines={0: "0v", 2: "0v"}))
    scenario.when(1, Claim(0, "T01")).refused("not_your_turn")
    scenario.when(0, Claim(5, "T01")).refused("no_such_queue")
    scenario.when(0, Claim(2, token("r1"))).refused("no_such_queue")
    scenario.when(0, Claim(1, "T02")).refused("no_advantage")
    scenario.when(0, Claim(0, "T02")).refused("no_such_token")
    scenario.when(0, Draw()).refused("wrong_phase")
    scenario.when(0, Claim(0, "T03")).then(ClaimMade(seat=0, queue=0, token="T03"))


def test_g16_of_two_players_a_refill_with_two_goods_of_one_value_is_drawn_again() -> None:
    start = at("r", "r", goods=[worth(3), "r1"], lines={0: "0v 0p"}, claims={0: (0, worth(2))})
    fours = (worth(4), worth(4, 1))
    draws = [*fours, worth(1), worth(5), token("b2")]
    scenario = pan(*start, players=2, dealer=Scripted(draws)).when(0, Claim(0, worth(3)))
    refilled = (PairRemoved(tokens=fours), GoodsPlaced(queue=0, tokens=(worth(1), worth(5))))
    assert scenario.events[2:4] == refilled
    assert scenario.view().table.removed == list(fours)
    off = pan(*start, players=2, dealer=Scripted([*fours, token("b2")]), pair_rule_two_players=False)
    off.when(0, Claim(0, worth(3)))
    assert off.events[2] == GoodsPlaced(queue=0, tokens=fours)


def test_g16_at_the_setup_too() -> None:
    goods = [f"{worth(4)} {worth(4, 1)} {worth(1)} {worth(5)}", "b2"]
    table = Table.open("pan_tu_nie_stal", 2, dealer=Scripted(script(2, "rrrrr", "rrrrr", goods=goods)))
    assert table.view().table.removed == [worth(4), worth(4, 1)]
    assert table.view().table.queues[0].goods == [worth(1), worth(5)]


def test_a_shop_that_cannot_be_refilled_stays_closed_and_adds_nothing_to_the_bazaar() -> None:
    start = at(
        "rr", "r", "r", goods=["T03", "T02 T04", "r1"], lines={0: "0v 0p"}, claims={0: (0, "T01")}, dry=True
    )
    scenario = pan(*start).when(0, Claim(0, "T03"))
    assert [type(event) for event in scenario.events] == [ShopSettled, LineCleared]
    scenario.when(0, Checked()).when(0, play(0, "r")).refused("queue_closed")
    scenario.when(0, PlayFree(0)).refused("queue_closed")


def test_with_optional_claims_a_seat_may_pass_over_its_advantage() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, "r1"], lines={0: "0v", 2: "0v"}), optional_claim=True)
    scenario.when(0, Checked()).then(QueuesChecked(seat=0))


@pytest.mark.parametrize("add", [True, False])
def test_the_seat_that_settles_may_decide_on_the_refill_of_the_bazaar(add: bool) -> None:
    start = at("r", "r", "r", goods=["T03", "T02 T04", "r1"], lines={0: "0v 0p"}, claims={0: (0, "T01")})
    dealer = Scripted(["T10", "T20", *([token("b2")] if add else [])])
    scenario = pan(*start, dealer=dealer, bazaar_refill="settling_seat_decides").when(0, Claim(0, "T03"))
    assert scenario.events[-1] == RefillAsked(seat=0)
    assert scenario.view().phase == "bazaar_refill"
    scenario.when(0, Checked()).refused("wrong_phase")
    scenario.when(1, RefillBazaar(add)).refused("not_your_turn")
    placed = (GoodsPlaced(queue=2, tokens=(token("b2"),)),) if add else ()
    scenario.when(0, RefillBazaar(add)).then(RefillChosen(seat=0, add=add), *placed)
    scenario.when(0, Checked()).then(QueuesChecked(seat=0))


# The Bazaar (§5.2)


def test_goods_added_in_the_same_look_take_part_in_the_picking() -> None:
    start = at(
        "r", "r", "r", goods=["T03", "T02 T04", "r1"], lines={0: "0v 0p", 2: "0r"}, claims={0: (0, "T01")}
    )
    scenario = pan(*start, dealer=Scripted(["T10", "T20", token("b2"), token("y5")]))
    scenario.when(0, Claim(0, "T03")).when(0, StartBazaar())
    assert scenario.view(0).offers[0].tokens == tokens("r1 b2")
    scenario.when(0, Pick(token("b2"))).when(0, Pick(token("r2"))).refused("no_such_token")
    scenario.when(0, Pick(token("r1")))
    assert scenario.view().table.foreign == [list(tokens("b2 r1")), [], []]
    scenario.when(0, StartBazaar()).refused("queue_used")


def test_a_seat_whose_cards_are_all_covered_gets_nothing_at_the_bazaar() -> None:
    scenario = pan(*at_the_bazaar("g2 p3", "1r 0b>0 2r 0v")).when(0, StartBazaar())
    assert scenario.happened(BazaarStarted).order == (0, 2)


def test_without_the_expansion_there_is_no_bazaar() -> None:
    plain = at("r", "r", "r", goods=[*SHOPS, "T05 T09"])
    scenario = pan(*plain, expansion_bazaar=False).when(0, StartBazaar()).refused("no_such_queue")
    assert scenario.view().table.foreign_stack == 0


# Actions (§5.3)


def test_g17_cards_played_together_are_of_one_kind() -> None:
    scenario = pan(*at("rrrp", "r", "r", goods=[*SHOPS, "r1"], act=True))
    scenario.when(0, play(0, "rrp")).refused("mixed_kinds")
    played = CardsPlayed(seat=0, queue=0, cards=cards("rrr"), covers=(), free=False)
    scenario.when(0, play(0, "rrr")).then(played)
    assert scenario.view().table.actions_left == 1


def test_g18_a_runner_may_be_played_after_both_actions() -> None:
    draws = Scripted(["regular", "regular"])
    scenario = pan(*at("ff", "r", "r", goods=[*SHOPS, "r1"], act=True), dealer=draws)
    scenario.when(0, Draw()).when(0, Draw()).when(0, Draw()).refused("no_actions_left")
    scenario.when(0, play(0, "f")).refused("no_actions_left")
    scenario.when(0, PlayFree(0)).then(CardsPlayed(seat=0, queue=0, cards=("runner",), covers=(), free=True))
    scenario.when(0, PlayFree(2)).when(0, PlayFree(2)).refused("not_in_hand")
    scenario.when(0, EndTurn()).then(TurnStarted(seat=1, turn=2))


def test_runners_may_be_played_as_an_action_and_nothing_else_free() -> None:
    scenario = pan(*at("ffr", "r", "r", goods=[*SHOPS, "r1"], act=True))
    scenario.when(0, PlayFree(0, "regular")).refused("not_a_runner")
    scenario.when(0, play(0, "ff"))
    assert (scenario.view().table.actions_left, scenario.view().table.runners) == (1, 0)


def test_the_free_runners_of_a_turn_may_be_limited() -> None:
    scenario = pan(*at("ff", "r", "r", goods=[*SHOPS, "r1"], act=True), runner_limit=1)
    scenario.when(0, PlayFree(0)).when(0, PlayFree(0)).refused("runner_limit")
    scenario.when(0, play(0, "f"))


def test_actions_are_compulsory_as_long_as_there_are_cards() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, "r1"], act=True, spent=[0]))
    scenario.when(0, EndTurn()).refused("actions_left")
    scenario.when(0, Draw()).refused("deck_empty")
    scenario.when(0, play(0, "r"))
    assert scenario.events[-1] == LastRound(seat=0)
    scenario.when(0, play(0, "r")).refused("not_in_hand")
    scenario.when(0, EndTurn()).then(TurnStarted(seat=1, turn=2))


def test_what_cannot_be_played() -> None:
    scenario = pan(*at("rrb", "r", "r", goods=[*SHOPS, "r1"], lines={0: "1v 1p 1b>0"}, act=True))
    scenario.when(1, play(0, "r")).refused("not_your_turn")
    scenario.when(0, play(3, "r")).refused("no_such_queue")
    scenario.when(0, play(0, "")).refused("nothing_played")
    scenario.when(0, play(0, "v")).refused("not_in_hand")
    scenario.when(0, play(0, "rrr")).refused("not_in_hand")
    scenario.when(0, play(0, "r", 1)).refused("bad_cover")
    scenario.when(0, play(0, "b", 0)).refused("bad_cover")
    scenario.when(0, play(0, "b", 9)).refused("bad_cover")
    scenario.when(0, play(0, "b", 1, 2)).refused("bad_cover")
    scenario.when(0, Claim(0, "T01")).refused("wrong_phase")
    scenario.when(0, Pick(token("r1"))).refused("wrong_phase")
    scenario.when(0, RefillBazaar(True)).refused("wrong_phase")
    scenario.when(0, play(0, "b", 1)).then(
        CardsPlayed(seat=0, queue=0, cards=("brawler",), covers=(1,), free=False)
    )
    assert totals(scenario, 0) == [1, 1, 0]


def test_two_brawlers_cover_a_card_each_or_none() -> None:
    line = at("bb", "r", "r", goods=[*SHOPS, "r1"], lines={0: "1v 1p 2r"}, act=True)
    pan(*line).when(0, play(0, "bb", 1, 1)).refused("bad_cover")
    both = pan(*line).when(0, play(0, "bb", 1, 0))
    assert [standing.covered_by for standing in both.view().table.queues[0].line] == [4, 3, None, None, None]
    assert totals(both, 0) == [2, 0, 1]
    assert totals(pan(*line).when(0, play(0, "bb")), 0) == [2, 5, 1]


# The end (§8)


def test_g20_the_last_goods_of_the_shops_end_the_game_at_once() -> None:
    start = at("r", "r", "r", goods=[worth(3), "", "r1 r2 b5"], lines={0: "0v 0p", 2: "0v"},
               claims={0: (0, worth(2))}, dry=True)  # fmt: skip
    scenario = pan(*start).when(0, Claim(0, worth(3)))
    assert scenario.events[2] == GameOver(reason="goods", awards=(), scores=(5, 0, 0))
    outcome = scenario.happened(Finished).outcome
    assert (outcome.winners, outcome.scores, outcome.reason) == ((0,), (5, 0, 0), "goods")
    assert scenario.view().table.foreign == [[], [], []]


def ran_out(*later: str, **options: Any) -> Scenario:
    """Seat 1 plays its last card and has the advantage in shop 0, where it has a claim of 2 already.

    `later` is drawn after the last turns.
    """
    start = at("rrrr", "v", "rrrr", goods=[worth(3), f"{worth(5)} {worth(7)}", "r1"], lines={0: "1p"},
               claims={0: (1, worth(2))}, turn=1, act=True, spent=[1])  # fmt: skip
    dealer = Scripted(["regular"] * 4 + list(later))
    scenario = pan(*start, dealer=dealer, **options).when(1, play(0, "v"))
    assert scenario.events[-1] == LastRound(seat=1)
    scenario.when(1, EndTurn()).then(TurnStarted(seat=2, turn=2))
    for seat in (2, 0):
        for action in (Checked(), Draw(), Draw()):
            scenario.when(seat, action)
        scenario.when(seat, EndTurn())
    return scenario


def test_every_other_seat_has_one_more_turn_and_then_all_look_once_more() -> None:
    scenario = ran_out(worth(4), worth(8), token("b2")).then(FinalCheckStarted(seat=1))
    assert scenario.view().phase == "final_check"
    scenario.when(1, Draw()).refused("wrong_phase")
    scenario.when(1, Checked()).refused("claims_left")
    scenario.when(1, Claim(0, worth(3)))
    scenario.when(1, Checked()).then(QueuesChecked(seat=1), FinalCheckStarted(seat=2))
    scenario.when(2, Checked()).then(QueuesChecked(seat=2), FinalCheckStarted(seat=0))
    scenario.when(0, Checked())
    assert scenario.events[1] == GameOver(reason="cards", awards=(), scores=(0, 5, 0))


@pytest.mark.parametrize("count", [True, False])
def test_without_a_final_check_claims_on_cards_count_or_are_lost(count: bool) -> None:
    scenario = ran_out(final_check=False, claims_count_at_end=count)
    awards = (Holding(1, worth(2)),) if count else ()
    assert scenario.happened(GameOver) == GameOver(reason="cards", awards=awards, scores=(0, 2 * count, 0))


def test_a_second_seat_that_runs_out_in_the_last_round_changes_nothing() -> None:
    start = at("r", "r", "rrrr", goods=[*SHOPS, "r1"], act=True, spent=[0, 1])
    scenario = pan(*start, dealer=Scripted(["regular"] * 2), final_check=False)
    scenario.when(0, play(0, "r")).when(0, EndTurn()).when(1, Checked()).when(1, play(0, "r"))
    assert len(scenario.events) == 1
    scenario.when(1, EndTurn()).then(TurnStarted(seat=2, turn=3))
    scenario.when(2, Checked()).when(2, Draw()).when(2, Draw()).when(2, EndTurn())
    assert scenario.happened(Finished).outcome.reason == "cards"


def test_ties_are_shared() -> None:
    start = at("r", "r", "r", goods=[worth(3), "", ""], lines={0: "0v 0p"}, claims={0: (1, worth(3, 1))},
               won={1: worth(2), 0: worth(2, 1)}, dry=True)  # fmt: skip
    outcome = pan(*start).when(0, Claim(0, worth(3))).happened(Finished).outcome
    assert (outcome.winners, outcome.places, outcome.scores) == ((0, 1), (1, 1, 3), (5, 5, 0))


# Giving up (§6)


def test_who_gives_up_keeps_goods_and_cards_in_queues_and_has_no_more_turns() -> None:
    start = at("rr", "r", "rr", goods=[*SHOPS, "r1"], lines={0: "0v 1r"}, won={0: worth(8)})
    scenario = pan(*start).when(0, Resign())
    scenario.then(Resigned(seat=0), SeatLeft(seat=0, place=3, count=19), TurnStarted(seat=1, turn=2))
    table = scenario.view().table
    assert totals(scenario, 0) == [3, 1, 0]
    assert (table.box_unseen, table.hands[0], table.decks[0]) == ([19, 0, 0], 0, 0)
    scenario.when(0, Checked()).refused("out_of_game")
    scenario.when(0, Resign()).refused("out_of_game")
    scenario.when(1, Resign())
    outcome = scenario.happened(Finished).outcome
    assert (outcome.winners, outcome.places, outcome.reason) == ((2,), (3, 2, 1), "last_seat")
    assert outcome.scores == (8, 0, 0)


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_who_gives_up_while_goods_are_picked_drops_out_of_the_order(gone: int) -> None:
    goods = "r5 g3 b4 y1 r1"
    scenario = pan(*at_the_bazaar(goods, RULEBOOK_LINE), dealer=Scripted([token("y5")]))
    scenario.when(0, StartBazaar()).when(0, Pick(BRACELET)).when(gone, Resign())
    left = [seat for seat in (1, 2, 0) if seat != gone]
    for turn, good in enumerate((WINE, MANGLE, OTHER, token("r1"))):
        scenario.when(left[turn % 2], Pick(good))
    assert scenario.events[1:3] == (LineCleared(queue=2), GoodsPlaced(queue=2, tokens=(token("y5"),)))
    goes_on = (TurnStarted(seat=1, turn=2),) if gone == 0 else ()
    assert scenario.events[3:] == goes_on
    assert scenario.view().to_act == ((1,) if gone == 0 else (0,))


def test_the_last_one_to_pick_gives_up_and_leaves_the_goods() -> None:
    scenario = pan(*at_the_bazaar("g2 p3", "0v"), dealer=Scripted([token("y5")]))
    scenario.when(0, StartBazaar()).when(0, Resign())
    assert [type(event) for event in scenario.events[2:]] == [LineCleared, GoodsPlaced, TurnStarted]
    assert scenario.view().table.queues[2].goods == list(tokens("g2 p3 y5"))


def test_who_ran_out_first_may_give_up_in_the_last_round() -> None:
    scenario = ran_out()
    scenario.when(1, Resign())
    assert scenario.events[-1] == FinalCheckStarted(seat=2)


def test_who_is_asked_about_the_refill_may_give_up() -> None:
    start = at("r", "r", "r", goods=["T03", "T02 T04", "r1"], lines={0: "0v 0p"}, claims={0: (0, "T01")})
    dealer = Scripted(["T10", "T20"])
    scenario = pan(*start, dealer=dealer, bazaar_refill="settling_seat_decides").when(0, Claim(0, "T03"))
    scenario.when(0, Resign())
    assert scenario.events[-1] == TurnStarted(seat=1, turn=2)
    scenario.when(1, Checked())


def test_a_card_is_drawn_out_of_sight_of_the_others() -> None:
    scenario = pan(*at("r", "r", "r", goods=[*SHOPS, "r1"], act=True), dealer=Scripted(["veteran"]))
    scenario.when(0, Draw()).then(CardDrawn(seat=0, deck_left=18, card="veteran"), viewer=0)
    scenario.then(CardDrawn(seat=0, deck_left=18, card=None), viewer=1)
    scenario.then(CardDrawn(seat=0, deck_left=18, card=None), viewer="table")


def test_a_table_takes_two_to_five_seats() -> None:
    for seats in (1, 6):
        with pytest.raises(Rejected, match="2 to 5 seats"):
            Table.open("pan_tu_nie_stal", seats)
