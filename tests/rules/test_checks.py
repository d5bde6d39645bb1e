"""Checks that the worked hands do not reach."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
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

CHECKED = json.loads(Path(__file__).with_name("checks.json").read_text("utf-8"))
"""Hands in groups with what they are about, and all that is wrong with each: rule and place."""


@pytest.mark.parametrize("group", CHECKED, ids=lambda group: group["about"][:80])
def test_of_a_hand_all_is_told_that_is_wrong_and_where(group: dict[str, Any]) -> None:
    for row in group["hands"]:
        asked = read_hand_request(json.dumps(row["hand"]))
        found = build_score_answer(asked.judge(), asked.names, words("it"))["problems"]
        assert sorted([each["code"], each["where"]] for each in found) == row["problems"], row


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
