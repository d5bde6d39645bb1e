"""What is to be known of a rule beside where it is broken holds for every hand that breaks it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.rules.hand import Hand
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from scorepad.schemas import read_hand_request
from tests.examples import examples
from tests.rules.hands import codes, hand, side, went_out
from tests.rules.hands_drawn import hands

TAGLIAGOLA = settle("tagliagola")


def certain(played: Hand) -> set[tuple[Any, ...]]:
    """What is wrong by itself."""
    found = judge(TAGLIAGOLA, played).findings
    return {(finding.code, finding.where) for finding in found if finding.nature.by_itself}


@given(hands(st.just(TAGLIAGOLA)))
@settings(max_examples=examples(150))
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
@settings(max_examples=examples(200))
def test_of_an_opening_that_is_wrong_the_minimum_is_told(drawn: dict[str, Any]) -> None:
    asked = read_hand_request(json.dumps(drawn))
    for finding in asked.judge().findings:
        assert finding.nature.of_opening is isinstance(finding.arguments.get("minimum"), int)
