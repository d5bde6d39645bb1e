"""Checks that the worked hands do not reach, and what is to be known of a rule beside where it is
broken.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as search
from hypothesis import strategies as st
from pydantic import TypeAdapter

from scorepad.rules.hand import Hand, PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.score import PARTY_LINES
from scorepad.rules.score_lines import Line
from scorepad.rules.table import build_table
from scorepad.rules.variants import Ruleset, settle
from scorepad.schemas import read_hand_request
from tests.data import read_data
from tests.examples import examples
from tests.hands_read import score_hand
from tests.rules.hands import hand, judge_hand, problem_codes, side, side_with_totals, went_out
from tests.rules.hands_drawn import hands

TAGLIAGOLA = settle("tagliagola")
CHECKED = read_data("rules/checks.json")
"""Hands in groups with what they are about, and all that is wrong with each: rule and place."""
UNDER_SETTINGS = read_data("rules/checks-under-settings.json")
"""Hands with a problem that they do not have where a table has changed a setting."""


def rules_with(variant: str, **settings: Any) -> Ruleset:
    """The rules of a variant in which a table has changed these settings."""
    rules = settle(variant)
    return replace(rules, settings=replace(rules.settings, **settings))


@pytest.mark.parametrize("group", CHECKED, ids=lambda group: group["about"][:80])
def test_all_problems_of_a_hand_are_reported_with_their_places(group: dict[str, Any]) -> None:
    for row in group["hands"]:
        answer = score_hand(row["hand"])
        problems = [[problem["code"], problem["where"]] for problem in answer["problems"]]
        assert sorted(problems) == row["problems"], row


def list_codes(rules: Ruleset, **hand: object) -> set[str]:
    """The codes of the problems of a hand, given as JSON, under these rules."""
    request = read_hand_request(json.dumps({"variant": str(rules.variant), **hand}))
    return problem_codes(judge(rules, request.hand))


@pytest.mark.parametrize("row", UNDER_SETTINGS, ids=lambda row: row["about"])
def test_a_problem_is_none_under_other_settings(row: dict[str, Any]) -> None:
    usual = settle(row["variant"])
    assert row["code"] in list_codes(usual, **row["hand"])

    settings = {}
    for name, value in row["settings"].items():
        settings[name] = () if value == [] else value  # JSON has no tuples
    changed = rules_with(row["variant"], **settings)
    assert row["code"] not in list_codes(changed, **row["hand"])


def test_negative_totals_of_one_partner_say_nothing_about_the_opening_of_the_pair() -> None:
    # Bea and Carla are partners against Anna. They need 50 points to open: 15 alone are too few,
    # but beside impossible totals nothing is said of that.
    hand: dict[str, object] = {"before": {"Anna": 0, "Bea": 0, "Carla": 0}, "single": "Anna"}
    impossible: dict[str, object] = {"totals": {"canastas": {}, "cards": -5}}
    too_few: dict[str, object] = {"totals": {"canastas": {}, "cards": 15}}

    codes = list_codes(TAGLIAGOLA, sides={"Carla": too_few}, **hand)
    assert "opening-impossible" in codes

    codes = list_codes(TAGLIAGOLA, sides={"Bea": impossible, "Carla": too_few}, **hand)
    assert "totals-impossible" in codes
    assert "opening-impossible" not in codes


def test_cards_left_are_counted_though_the_partner_told_only_points() -> None:
    anna = side("7x9")
    bea = side("3xK", left=0)  # told in points
    carla = side("3xQ", left="K 4")
    table = build_table(TAGLIAGOLA, hand(anna, bea, carla, single=0), (0, 0, 0))
    bea_and_carla = table.parties[1]

    lines = PARTY_LINES["cards-left"](table, bea_and_carla)

    assert [line.number for line in lines] == [2]


@pytest.mark.parametrize("families", [(), (("natural", 1),)])
def test_red_threes_count_against_a_side_that_may_not_go_out(
    families: tuple[tuple[str, int], ...],
) -> None:
    # Going out takes two canastas in samba, and "noi" have one.
    rules = rules_with("samba", red_threes_condition="out-needs", canasta_families_needed=families)

    judgement = judge(rules, hand(side("7xK", red_threes=1), side()))

    noi = judgement.sides[0]
    (line,) = [line for line in noi.lines if line.item == "red-threes"]
    assert line.count == 1
    assert line.points == -100
    assert noi.before == 0


def test_a_line_is_stored_without_what_does_not_apply() -> None:
    judgement = judge_hand(hand(side(red_threes=1), side()))
    (red_threes,) = judgement.sides[0].lines

    stored = TypeAdapter(Line).dump_python(red_threes, mode="json")

    assert stored.keys() == {"item", "count", "points", "sources", "standing"}


def test_a_pair_may_have_opened_by_the_lower_of_its_two_minimums() -> None:
    # Bea at 3000 points would need 120, Carla at 0 needs 50; Bea laid the 60 points.
    played = hand(side("3xA"), side("3xA"), side(), single=0)
    judgement = judge_hand(played, TAGLIAGOLA, before=(0, 3000, 0))
    assert problem_codes(judgement) == set()


def test_a_pair_that_cannot_have_opened_is_reported_under_the_player_whose_cards_they_are() -> None:
    # The lower minimum of the pair is Carla's 50: fours and kings are 15 + 30 = 45, 5 too few.
    played = hand(side("3xA"), side_with_totals(0), side("3x4", "3xK"), single=0)
    judgement = judge_hand(played, TAGLIAGOLA, before=(0, 3000, 0))

    (finding,) = judgement.findings
    assert finding.code == "opening-impossible"
    assert finding.where == ("sides", 2)
    assert finding.arguments["minimum"] == 50
    assert finding.arguments["score"] == 0
    assert finding.arguments["missing"] == 5


def test_penalties_of_a_pair_come_in_the_order_in_which_they_were_written() -> None:
    bea = SideEntry(penalties=(PenaltyEntry("house", 40, "x"), PenaltyEntry("draw-out-of-turn")))
    carla = SideEntry(
        penalties=(PenaltyEntry("permission-then-no-out"), PenaltyEntry("house", 10, "y"))
    )

    judgement = judge(TAGLIAGOLA, hand(side("3xA"), bea, carla, single=0))

    for scored in judgement.sides[1:]:  # each of the pair has the penalties of both
        assert [(line.code, line.count, line.points) for line in scored.lines] == [
            ("house", 2, -50),
            ("draw-out-of-turn", 1, -100),
            ("permission-then-no-out", 1, -100),
        ]


def test_whether_a_pair_opened_is_not_checked_where_one_of_them_entered_only_a_sum() -> None:
    bea = side(red_threes=1)
    carla = SideEntry(sum=300)

    judgement = judge(TAGLIAGOLA, hand(side("3xA"), bea, carla, single=0))

    assert problem_codes(judgement) == {"not-checked"}
    assert judgement.sides[2].hand == 300


def list_problems_wrong_by_themselves(played: Hand) -> set[tuple[Any, ...]]:
    """The problems, with their places, that do not depend on who are partners."""
    findings = judge(TAGLIAGOLA, played).findings
    return {(finding.code, finding.where) for finding in findings if finding.nature.by_itself}


@given(hands(st.just(TAGLIAGOLA)))
@search(max_examples=examples(150))
def test_what_is_wrong_by_itself_is_so_whoever_plays_alone(drawn: dict[str, Any]) -> None:
    played = read_hand_request(json.dumps(drawn)).hand
    problems = list_problems_wrong_by_themselves(replace(played, single=None))
    for single in (0, 1, 2):
        assert list_problems_wrong_by_themselves(replace(played, single=single)) == problems


def test_a_rank_melded_by_two_players_is_wrong_only_where_they_are_a_pair() -> None:
    anna = side("7xA")
    bea = side("3xK", left="4")
    carla = side("3xK", left="5")
    played = hand(anna, bea, carla, out=went_out(0))

    anna_alone = judge(TAGLIAGOLA, replace(played, single=0))
    (finding,) = [each for each in anna_alone.findings if each.code == "meld-rank-repeated"]
    assert finding.where == ("sides", 2, "melds", 0)
    assert not finding.nature.by_itself

    bea_alone = judge(TAGLIAGOLA, replace(played, single=1))
    assert "meld-rank-repeated" not in problem_codes(bea_alone)


@given(hands())
@search(max_examples=examples(200))
def test_only_a_problem_of_an_opening_names_a_minimum(drawn: dict[str, Any]) -> None:
    judgement = read_hand_request(json.dumps(drawn)).judge()
    for finding in judgement.findings:
        names_minimum = isinstance(finding.arguments.get("minimum"), int)
        assert finding.nature.of_opening == names_minimum
