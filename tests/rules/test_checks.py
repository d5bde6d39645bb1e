"""Checks that the worked hands do not reach."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from scorepad.i18n import words
from scorepad.rules.judging import judge
from scorepad.rules.score import PARTY_LINES
from scorepad.rules.score_lines import Line
from scorepad.rules.table import build_table
from scorepad.rules.variants import Ruleset, settle
from scorepad.schemas import build_score_answer, read_hand_request
from tests.rules.hands import hand, side


def problems(**hand: object) -> set[tuple[str, str]]:
    asked = read_hand_request(json.dumps({"variant": "classica", **hand}))
    told = build_score_answer(asked.judge(), asked.names, words("it"))
    return {(problem["code"], problem["where"]) for problem in told["problems"]}


def test_an_adjustment_is_a_multiple_of_five() -> None:
    noi = {"adjustments": [{"points": -20, "reason": "x"}, {"points": 7, "reason": "x"}]}
    assert problems(sides={"noi": noi}) == {("points-not-multiple", "/sides/noi/adjustments/1")}


def test_who_plays_alone_and_went_out_cannot_hold_a_red_three() -> None:
    anna = {"melds": ["7xK", "7xQ"], "red_threes_held": 1}
    found = problems(
        variant="due", before={"Anna": 0, "Bea": 0}, sides={"Anna": anna}, out={"side": "Anna"}
    )
    assert found == {("out-cards-left", "/sides/Anna/red_threes_held")}


def test_who_plays_alone_and_went_out_cannot_hold_a_card() -> None:
    anna = {"melds": ["7xK", "7xQ"]}
    for left, found in (
        ("", set()),
        ([""], set()),
        ("4", {("out-cards-left", "/sides/Anna/left")}),
        (["4"], {("out-cards-left", "/sides/Anna/left/0")}),
    ):
        sides = {"Anna": {**anna, "left": left}}
        assert (
            problems(variant="due", before={"Anna": 0, "Bea": 0}, sides=sides, out={"side": "Anna"})
            == found
        )


def test_of_the_hands_given_apart_that_of_who_went_out_must_be_empty() -> None:
    noi = {"melds": ["7xK"], "left": ["4", ""]}
    assert problems(sides={"noi": noi}, out={"side": "noi", "player": 0}) == {
        ("out-cards-left", "/sides/noi/left/0")
    }
    assert not problems(sides={"noi": noi}, out={"side": "noi", "player": 1})
    assert not problems(sides={"noi": noi}, out={"side": "noi"})
    both = {"melds": ["7xK"], "left": ["4", "9"]}
    assert problems(sides={"noi": both}, out={"side": "noi"}) == {
        ("out-cards-left", "/sides/noi/left")
    }


def test_what_stands_under_a_wrong_name_is_judged_all_the_same() -> None:
    found = problems(sides={"nio": {"melds": ["2xK"], "left": "9"}}, out={"side": "noi"})
    assert found == {("side-unknown", "/sides/nio"), ("meld-too-short", "/sides/nio/melds/0")}
    # Who went out under a name that is nobody's is told as well.
    found = problems(sides={"nio": {"melds": ["7xK"], "left": ["4", ""]}}, out={"side": "nio"})
    assert found == {("side-unknown", "/sides/nio"), ("side-unknown", "/out/side")}


def test_of_a_meld_with_an_unknown_card_only_what_is_sure_is_told() -> None:
    assert problems(sides={"noi": {"melds": ["2xK ?"]}}) == {("card-unknown", "/sides/noi/melds/0")}
    found = problems(sides={"noi": {"melds": ["K Q 4x2 3r ?"]}})
    assert found == {
        ("card-unknown", "/sides/noi/melds/0"),
        ("meld-mixed-ranks", "/sides/noi/melds/0"),
        ("meld-too-many-wilds", "/sides/noi/melds/0"),
        ("meld-red-three", "/sides/noi/melds/0"),
    }


@pytest.mark.parametrize("points", [-5, -1000])
def test_negative_totals_say_nothing_of_the_opening(points: int) -> None:
    assert problems(sides={"noi": {"totals": {"cards": points}}}) == {
        ("totals-impossible", "/sides/noi/totals")
    }


def test_an_opening_cannot_hold_black_threes_unless_it_was_the_last_turn_too() -> None:
    noi = {"melds": ["7xA", "3x3b"], "opening": {"melds": ["7xA", "3x3b"]}}
    assert problems(sides={"noi": noi}, out={"side": "noi"}) == {
        ("opening-below-minimum", "/sides/noi/opening")
    }
    assert not problems(sides={"noi": noi}, out={"side": "noi", "concealed": True})


def test_a_side_beside_totals_may_note_its_opening() -> None:
    noi = {"totals": {"cards": 200}, "opening": {"melds": ["3x4"]}}
    assert problems(sides={"noi": noi}) == {("opening-below-minimum", "/sides/noi/opening")}


def test_what_a_stranger_holds_is_no_hand_of_the_table() -> None:
    # Whether one string of cards is one hand or several is said only of those who play.
    noi = {"melds": ["3xA"], "left": "4"}
    found = problems(variant="sette", sides={"noi": noi, "nio": {"melds": ["3xQ 2"], "left": "9"}})
    assert found == {("side-unknown", "/sides/nio"), ("hands-not-apart", "/sides/noi/left")}


def test_a_hand_that_is_shown_goes_out_without_a_discard() -> None:
    noi = {"special": "pairs"}
    for out in ({"side": "noi"}, {"side": "noi", "discard": None}):
        assert not problems(variant="moderna", sides={"noi": noi}, out=out)
    # Who melds must discard.
    noi = {"melds": ["7xK", "7xQ"]}
    assert problems(
        variant="moderna", sides={"noi": noi}, out={"side": "noi", "discard": None}
    ) == {("out-discard-missing", "/out/discard")}


@pytest.mark.parametrize(
    ("variant", "meld", "codes"),
    [
        ("uruguaiana", "8x2 ?", set()),  # with a natural card for the token it may be long
        ("cubana", "8x2 ?", {"meld-too-long"}),  # here nothing is longer than seven
        ("cubana", "2xK 4x2 ?", {"meld-too-many-wilds"}),
        ("cubana", "4x2 ?", set()),  # a wild card for the token, and they are wild cards alone
        ("classica", "4x2 ?", {"meld-too-many-wilds"}),
        ("samba", "Kh Ah 3x2 ?", set()),  # a queen of hearts, and it is a broken sequence
        ("samba", "2xK 3x2 ?", set()),
        ("mini", "6x2 ?", {"meld-too-long"}),
    ],
)
def test_of_a_meld_with_an_unknown_card_nothing_is_told_that_the_card_could_set_right(
    variant: str, meld: str, codes: set[str]
) -> None:
    found = problems(variant=variant, sides={"noi": {"melds": [meld]}})
    assert found == {(code, "/sides/noi/melds/0") for code in {"card-unknown", *codes}}


def test_an_opening_noted_beside_a_partners_totals_is_held_against_all_that_the_pair_laid() -> None:
    pair = {
        "Anna": {"totals": {"cards": 30}},
        "Bea": {"melds": ["5xK"], "opening": {"melds": ["3xA"]}},
    }
    table = {
        "variant": "tagliagola",
        "before": {"Anna": 0, "Bea": 0, "Carla": 0},
        "single": "Carla",
    }
    # 30 + 50 points laid together can hold three aces, 30 alone could not.
    assert not problems(**table, sides=pair)
    pair["Anna"] = {"sum": 200}
    # Of a sum nobody knows what was laid.
    assert problems(**table, sides=pair) == {("not-checked", "/sides/Anna/sum")}


def rules_with(variant: str, **settings: Any) -> Ruleset:
    """The rules of a variant in which a table has changed these settings."""
    rules = settle(variant)
    return replace(rules, settings=replace(rules.settings, **settings))


def codes_under(rules: Ruleset, **hand: object) -> set[str]:
    asked = read_hand_request(json.dumps({"variant": str(rules.variant), **hand}))
    return {finding.code for finding in judge(rules, asked.hand).findings}


def test_cards_left_of_two_players_may_stand_together_where_no_rule_looks_at_one_player() -> None:
    sides = {"noi": {"melds": ["7xK", "7xQ"]}, "loro": {"melds": ["7x9"], "left": "4 9"}}
    assert "hands-not-apart" in codes_under(settle("moderna"), sides=sides)
    rules = rules_with("moderna", held_together=())
    assert "hands-not-apart" not in codes_under(rules, sides=sides)


def test_a_rank_may_be_melded_twice_where_that_is_usual() -> None:
    sides = {"noi": {"melds": ["3xK", "4xK"]}}
    assert "meld-rank-repeated" in codes_under(settle("classica"), sides=sides)
    rules = rules_with("classica", repeated_rank="usual")
    assert "meld-rank-repeated" not in codes_under(rules, sides=sides)


def test_negative_totals_of_one_of_a_pair_say_nothing_about_its_opening() -> None:
    # Bea and Carla lay together against Anna: 15 points are no opening.
    bea: dict[str, object] = {"totals": {"canastas": {}, "cards": -5}}
    carla: dict[str, object] = {"totals": {"canastas": {}, "cards": 15}}
    hand: dict[str, object] = {"before": {"Anna": 0, "Bea": 0, "Carla": 0}, "single": "Anna"}
    rules = settle("tagliagola")
    found = codes_under(rules, sides={"Bea": bea, "Carla": carla}, **hand)
    assert "totals-impossible" in found
    assert "opening-impossible" not in found
    assert "opening-impossible" in codes_under(rules, sides={"Carla": carla}, **hand)


def test_no_points_left_of_one_of_a_pair_do_not_hide_the_number_of_cards_left() -> None:
    bea = side("3xK", left=0)  # told in points
    carla = side("3xQ", left="K 4")
    table = build_table(settle("tagliagola"), hand(side("7x9"), bea, carla, single=0), (0, 0, 0))
    party = table.parties[1]
    assert [line.number for line in PARTY_LINES["cards-left"](table, party)] == [2]


def test_an_opening_without_a_minimum_is_not_unknown() -> None:
    noi = {"totals": {"canastas": {"natural-canasta": 2, "mixed-canasta": 1}, "cards": 200}}
    hand: dict[str, object] = {"sides": {"noi": noi}, "out": {"side": "noi", "concealed": True}}
    rules = rules_with("canastone", concealed_out="opening-turn")
    assert "opening-unknown" in codes_under(rules, **hand)
    rules = rules_with("canastone", concealed_out="own-melds-only")
    assert "opening-unknown" not in codes_under(rules, **hand)


def test_red_threes_are_not_needed_to_go_out_where_any_number_will_do() -> None:
    noi = {"melds": ["7xK", "7xQ"], "red_threes": 1}
    hand: dict[str, object] = {"sides": {"noi": noi}, "out": {"side": "noi"}}
    assert "out-red-threes-missing" in codes_under(settle("messicana"), **hand)
    rules = rules_with("messicana", out_red_threes="any")
    assert "out-red-threes-missing" not in codes_under(rules, **hand)


@pytest.mark.parametrize("families", [(), (("natural", 1),)])
def test_red_threes_count_against_who_has_not_what_going_out_needs(
    families: tuple[tuple[str, int], ...],
) -> None:
    rules = rules_with("samba", red_threes_condition="out-needs", canasta_families_needed=families)
    sides = {"noi": {"melds": ["7xK"], "red_threes": 1}}
    asked = read_hand_request(json.dumps({"variant": "samba", "sides": sides}))
    made = judge(rules, asked.hand).sides
    assert made is not None
    (line,) = [line for line in made[0].lines if line.item == "red-threes"]
    assert (line.count, line.points) == (1, -100)
    assert made[0].before == 0


def test_a_line_is_stored_without_what_does_not_apply() -> None:
    asked = read_hand_request(
        json.dumps({"variant": "classica", "sides": {"noi": {"red_threes": 1}}})
    )
    made = asked.judge().sides
    assert made is not None
    stored = TypeAdapter(Line).dump_python(made[0].lines[0], mode="json")
    assert stored.keys() == {"item", "count", "points", "sources", "standing"}
