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
GROUPS_OF_HANDS = read_data("rules/checks.json")
"""Hands in groups with what they are about, and all that is wrong with each: rule and place."""
ROWS_WITH_SETTINGS = read_data("rules/checks-under-settings.json")
"""Hands with a problem that they do not have where a table has changed a setting."""


def rules_with(variant: str, **settings: Any) -> Ruleset:
    """Build the rules of a variant in which a table has changed these settings."""
    rules = settle(variant)
    return replace(rules, settings=replace(rules.settings, **settings))


@pytest.mark.parametrize("group", GROUPS_OF_HANDS, ids=lambda group: group["about"][:80])
def test_all_problems_of_hand_are_reported_with_their_places(group: dict[str, Any]) -> None:
    # A group has hands about one rule: "An adjustment is a multiple of five." Each has its problems
    # as code and place: ["points-not-multiple", "/sides/noi/adjustments/1"].
    for row in group["hands"]:
        answer = score_hand(row["hand"])
        problems = [[problem["code"], problem["where"]] for problem in answer["problems"]]
        assert sorted(problems) == row["problems"], row


def list_codes(rules: Ruleset, **hand: object) -> set[str]:
    """Judge a hand, given as JSON, under these rules; return the codes of its problems."""
    request = read_hand_request(json.dumps({"variant": str(rules.variant), **hand}))
    return problem_codes(judge(rules, request.hand))


@pytest.mark.parametrize("row", ROWS_WITH_SETTINGS, ids=lambda row: row["about"])
def test_problem_goes_away_under_other_settings(row: dict[str, Any]) -> None:
    # A row has a hand and the code of its problem. In classica, for example, a side with two melds
    # of kings has the problem "meld-rank-repeated".
    usual_rules = settle(row["variant"])
    assert row["code"] in list_codes(usual_rules, **row["hand"])

    # It also has settings under which this is no problem: {"repeated_rank": "usual"}.
    settings = {}
    for name, value in row["settings"].items():
        settings[name] = () if value == [] else value  # JSON has no tuples
    changed_rules = rules_with(row["variant"], **settings)
    assert row["code"] not in list_codes(changed_rules, **row["hand"])


# In tagliagola three play: one alone against two who are partners for the hand. What the two have
# counts together. Here it is always Anna, the first, who plays alone against Bea and Carla.


def hand_of_anna_against_pair(anna: SideEntry, bea: SideEntry, carla: SideEntry) -> Hand:
    """Build a hand of tagliagola, in which Anna plays alone against the pair of Bea and Carla.

    What the two partners have counts together.
    """
    return hand(anna, bea, carla, single=0)


def test_pair_with_15_points_cannot_have_opened() -> None:
    # The pair counted its cards as 15 points. Its first melds, which open the game for a side, have
    # to be worth 50.
    played = hand_of_anna_against_pair(side(), side(), side_with_totals(cards=15))
    assert "opening-impossible" in problem_codes(judge(TAGLIAGOLA, played))


def test_opening_of_pair_is_not_judged_beside_impossible_totals() -> None:
    # Bea and Carla are partners. The first melds of a pair, its opening, have to be worth 50 points.
    # Carla counted 15 points of cards, Bea −5, which is impossible: a slip of the pen.
    anna = side()
    bea = side_with_totals(cards=-5)
    carla = side_with_totals(cards=15)

    codes = problem_codes(judge(TAGLIAGOLA, hand_of_anna_against_pair(anna, bea, carla)))
    assert "totals-impossible" in codes

    # The pair may have opened: what Bea really has may be enough, together with the 15 points.
    assert "opening-impossible" not in codes


def test_cards_left_are_counted_though_partner_entered_only_points() -> None:
    # Bea and Carla are partners. What they are left with can be entered in points, as Bea does, or
    # card by card: Carla has a king and a four.
    anna = side("7x9")
    bea = side("3xK", left=0)
    carla = side("3xQ", left="K 4")
    played = hand_of_anna_against_pair(anna, bea, carla)

    # Make the score line of the cards left in hand, which partners have together.
    table = build_table(TAGLIAGOLA, played, before=(0, 0, 0))
    _anna, bea_and_carla = table.parties
    make_lines = PARTY_LINES["cards-left"]
    (line,) = make_lines(table, bea_and_carla)

    # It says how many cards they are: those of Carla.
    assert line.number == 2


@pytest.mark.parametrize("families_needed", [(), (("natural", 1),)])
def test_red_threes_count_against_side_that_may_not_go_out(
    families_needed: tuple[tuple[str, int], ...],
) -> None:
    # In samba a side needs two canastas to go out; at some tables one of them has to be natural.
    # Without what it needs, its red threes count against it.
    rules = rules_with(
        "samba", red_threes_condition="out-needs", canasta_families_needed=families_needed
    )

    # This side has one canasta, of seven kings, and one red three, which is worth 100 points.
    first_side, _second_side = judge(rules, hand(side("7xK", red_threes=1), side())).sides

    (red_threes,) = [line for line in first_side.lines if line.item == "red-threes"]
    assert red_threes.count == 1
    assert red_threes.points == -100

    # The side had no points before this hand.
    assert first_side.before == 0


def test_score_line_is_stored_without_fields_that_do_not_apply() -> None:
    # A side has a red three and nothing else: its score has one line.
    judgement = judge_hand(hand(side(red_threes=1), side()))
    (red_threes,) = judgement.sides[0].lines

    stored = TypeAdapter(Line).dump_python(red_threes, mode="json")

    # Not `code` (of a penalty or a bonus) and not `reason` (of what the table agreed on).
    assert stored.keys() == {"item", "count", "points", "sources", "standing"}


def test_pair_may_have_opened_by_its_lower_minimum() -> None:
    # How many points the first melds of a side need rises with its score in the match. Bea, with
    # 3,000 points, would need 120; Carla, with 0, needs 50. As partners both need only 50.
    # Three aces are 60 points.
    played = hand_of_anna_against_pair(anna=side("3xA"), bea=side("3xA"), carla=side())
    judgement = judge_hand(played, TAGLIAGOLA, before=(0, 3000, 0))

    assert problem_codes(judgement) == set()


def test_impossible_opening_of_pair_is_reported_under_player_with_cards() -> None:
    # Bea and Carla are partners. Bea laid nothing, Carla three fours and three kings: together the
    # pair has 3 × 5 + 3 × 10 = 45 points.
    anna = side("3xA")
    bea = side_with_totals(cards=0)
    carla = side("3x4", "3xK")
    played = hand_of_anna_against_pair(anna, bea, carla)

    # Before this hand Bea had 3,000 points in the match, Anna and Carla 0.
    judgement = judge_hand(played, TAGLIAGOLA, before=(0, 3000, 0))

    # The first melds of the pair need 50 points, as Carla has a score of 0. 5 of them are missing.
    (finding,) = judgement.findings
    assert finding.code == "opening-impossible"
    assert finding.arguments["minimum"] == 50
    assert finding.arguments["score"] == 0
    assert finding.arguments["missing"] == 5

    # Bea laid no cards. The problem is shown beside Carla's: she is the third player, number 2.
    assert finding.where == ("sides", 2)


def test_penalties_of_pair_are_added_up_in_the_order_entered() -> None:
    # A penalty of the code "house" is one that the table made up, with its points and a reason. The
    # others are penalties of the rules, of 100 points each.
    drew_out_of_turn = PenaltyEntry("draw-out-of-turn")
    did_not_go_out = PenaltyEntry("permission-then-no-out")
    bea = SideEntry(penalties=(PenaltyEntry("house", 40, "late"), drew_out_of_turn))
    carla = SideEntry(penalties=(did_not_go_out, PenaltyEntry("house", 10, "talking")))

    judgement = judge(TAGLIAGOLA, hand_of_anna_against_pair(side("3xA"), bea, carla))

    # Each of the two loses the points of both.
    _score_of_anna, score_of_bea, score_of_carla = judgement.sides
    for score in (score_of_bea, score_of_carla):
        assert [(line.code, line.count, line.points) for line in score.lines] == [
            ("house", 2, -50),  # 40 + 10
            ("draw-out-of-turn", 1, -100),
            ("permission-then-no-out", 1, -100),
        ]


def test_opening_of_pair_is_not_checked_where_one_entered_only_a_sum() -> None:
    # Carla entered only that her hand is worth 300 points. Nobody knows with which cards.
    bea = side(red_threes=1)
    carla = SideEntry(sum=300)

    judgement = judge(TAGLIAGOLA, hand_of_anna_against_pair(side("3xA"), bea, carla))

    # The hand has the warning that this was not checked, and the sum counts as it is.
    assert problem_codes(judgement) == {"not-checked"}
    _score_of_anna, _score_of_bea, score_of_carla = judgement.sides
    assert score_of_carla.hand == 300


def list_problems_independent_of_partners(played: Hand) -> set[tuple[Any, ...]]:
    """Judge a hand of tagliagola; list its problems that do not depend on who are partners.

    A meld of two cards is such a problem, a rank that both partners melded is not. Each is listed
    by its code and place.
    """
    findings = judge(TAGLIAGOLA, played).findings
    return {(finding.code, finding.where) for finding in findings if finding.nature.by_itself}


@given(hands(st.just(TAGLIAGOLA)))
@search(max_examples=examples(150))
def test_problem_of_one_meld_does_not_depend_on_partners(hand_json: dict[str, Any]) -> None:
    # A random hand of tagliagola, a game for three: in each hand one plays alone, and the other two
    # are partners.
    played = read_hand_request(json.dumps(hand_json)).hand

    # A meld of two cards, for example, is a problem whoever plays alone: nobody, or player 0, 1, 2.
    nobody_alone = replace(played, single=None)
    problems = list_problems_independent_of_partners(nobody_alone)
    for player in (0, 1, 2):
        player_alone = replace(played, single=player)
        assert list_problems_independent_of_partners(player_alone) == problems


@pytest.fixture
def kings_of_bea_and_of_carla() -> Hand:
    """Build a hand in which Bea and Carla each laid three kings, and Anna went out."""
    anna = side("7xA")
    bea = side("3xK", left="4")
    carla = side("3xK", left="5")
    return hand(anna, bea, carla, out=went_out(0))


def test_rank_melded_by_both_players_of_pair_is_reported(kings_of_bea_and_of_carla: Hand) -> None:
    # Bea and Carla each laid three kings. Now Anna, player 0, plays alone: the other two are
    # partners, and may have only one meld of kings together.
    anna_alone = replace(kings_of_bea_and_of_carla, single=0)

    findings = judge(TAGLIAGOLA, anna_alone).findings

    # The problem is reported at the first meld of Carla, who is player 2.
    (repeated,) = [finding for finding in findings if finding.code == "meld-rank-repeated"]
    assert repeated.where == ("sides", 2, "melds", 0)

    # It is not in this meld by itself: it depends on who are partners.
    assert not repeated.nature.by_itself


def test_rank_melded_by_two_opponents_is_allowed(kings_of_bea_and_of_carla: Hand) -> None:
    # Bea, the second player, is alone, against Anna and Carla.
    bea_alone = replace(kings_of_bea_and_of_carla, single=1)
    assert "meld-rank-repeated" not in problem_codes(judge(TAGLIAGOLA, bea_alone))


@given(hands())
@search(max_examples=examples(200))
def test_problems_of_an_opening_and_no_others_name_a_minimum(hand_json: dict[str, Any]) -> None:
    # Judge a random hand of any game. Each finding is a problem of this hand.
    judgement = read_hand_request(json.dumps(hand_json)).judge()

    # The first melds of a side, its opening, need a minimum of points, which rises with its score.
    # The message of a problem of an opening names it as a figure: {"minimum": 50}.
    for finding in judgement.findings:
        minimum = finding.arguments.get("minimum")
        assert isinstance(minimum, int) == finding.nature.of_opening, finding
