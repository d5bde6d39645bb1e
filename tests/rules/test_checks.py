"""Checks that the worked hands do not reach, and what is to be known of a rule beside where it is
broken.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as search
from hypothesis import strategies as st
from pydantic import TypeAdapter

from scorepad.i18n import words
from scorepad.rules.hand import Hand, PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.score import PARTY_LINES
from scorepad.rules.score_lines import Line
from scorepad.rules.table import build_table
from scorepad.rules.variants import Ruleset, settle
from scorepad.schemas import build_score_answer, read_hand_request
from tests.examples import examples
from tests.rules.hands import codes, counted, hand, judged, side, went_out
from tests.rules.hands_drawn import hands

TAGLIAGOLA = settle("tagliagola")
CHECKED = json.loads(Path(__file__).with_name("checks.json").read_text("utf-8"))
"""Hands in groups with what they are about, and all that is wrong with each: rule and place."""
UNDER_SETTINGS = json.loads(
    Path(__file__).with_name("checks-under-settings.json").read_text("utf-8")
)
"""Hands with a problem that they do not have where a table has changed a setting."""


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


@pytest.mark.parametrize("row", UNDER_SETTINGS, ids=lambda row: row["about"])
def test_a_problem_is_none_under_other_settings(row: dict[str, Any]) -> None:
    rules = settle(row["variant"])
    assert row["code"] in codes_under(rules, **row["hand"])
    changed = {
        name: tuple(value) if value == [] else value for name, value in row["settings"].items()
    }
    assert row["code"] not in codes_under(rules_with(row["variant"], **changed), **row["hand"])


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


# ----------------------------------------------------------------------- a pair against one player


def test_a_pair_that_cannot_have_opened_is_told_by_the_lower_of_its_two_minimums_where_its_cards_lie() -> (
    None
):
    # The pair stands at 3000 (120) and 0 (50): 60 points can have opened, 45 cannot, whoever wrote
    # them down.
    scores = (0, 3000, 0)
    assert not codes(
        judged(hand(side("3xA"), side("3xA"), side(), single=0), TAGLIAGOLA, before=scores)
    )
    too_low = judged(
        hand(side("3xA"), counted(0), side("3x4", "3xK"), single=0), TAGLIAGOLA, before=scores
    )
    (finding,) = too_low.findings
    assert finding.code == "opening-impossible"
    assert finding.where == ("sides", 2)
    told = {name: finding.arguments[name] for name in ("minimum", "score", "missing")}
    assert told == {"minimum": 50, "score": 0, "missing": 5}


def test_penalties_of_a_pair_come_in_the_order_in_which_they_were_written() -> None:
    loro = SideEntry(penalties=(PenaltyEntry("house", 40, "x"), PenaltyEntry("draw-out-of-turn")))
    altri = SideEntry(
        penalties=(PenaltyEntry("permission-then-no-out"), PenaltyEntry("house", 10, "y"))
    )
    judgement = judge(TAGLIAGOLA, hand(side("3xA"), loro, altri, single=0))
    assert judgement.sides is not None
    for scored in judgement.sides[1:]:
        assert [(line.code, line.count, line.points) for line in scored.lines] == [
            ("house", 2, -50),
            ("draw-out-of-turn", 1, -100),
            ("permission-then-no-out", 1, -100),
        ]


def test_melds_without_an_opening_cannot_be_told_apart_from_a_sum_so_that_nothing_is_said_of_it() -> (
    None
):
    # altri of the pair is known only as a sum: whether the pair opened cannot be said.
    judgement = judge(
        TAGLIAGOLA, hand(side("3xA"), side(red_threes=1), SideEntry(sum=300), single=0)
    )
    assert codes(judgement) == {"not-checked"}
    assert judgement.sides is not None
    assert judgement.sides[2].hand == 300


# ------------------------------------------------------------ what is known of a rule by its nature


def certain(played: Hand) -> set[tuple[Any, ...]]:
    """What is wrong by itself."""
    found = judge(TAGLIAGOLA, played).findings
    return {(finding.code, finding.where) for finding in found if finding.nature.by_itself}


@given(hands(st.just(TAGLIAGOLA)))
@search(max_examples=examples(150))
def test_what_is_wrong_by_itself_is_so_whoever_plays_alone(drawn: dict[str, Any]) -> None:
    played = read_hand_request(json.dumps(drawn)).hand
    for single in (0, 1, 2):
        assert certain(replace(played, single=single)) == certain(replace(played, single=None))


def test_a_rank_melded_by_two_is_wrong_only_where_they_are_a_pair() -> None:
    # Who goes out alone leaves the others as a pair; where one of the others plays alone, each has
    # kings of its own.
    played = hand(side("7xA"), side("3xK", left="4"), side("3xK", left="5"), out=went_out(0))
    against_anna = judge(TAGLIAGOLA, replace(played, single=0))
    against_bea = judge(TAGLIAGOLA, replace(played, single=1))
    (finding,) = [each for each in against_anna.findings if each.code == "meld-rank-repeated"]
    assert finding.where == ("sides", 2, "melds", 0)
    assert not finding.nature.by_itself
    assert "meld-rank-repeated" not in codes(against_bea)


@given(hands())
@search(max_examples=examples(200))
def test_of_an_opening_that_is_wrong_the_minimum_is_told(drawn: dict[str, Any]) -> None:
    asked = read_hand_request(json.dumps(drawn))
    for finding in asked.judge().findings:
        assert finding.nature.of_opening is isinstance(finding.arguments.get("minimum"), int)
