"""What must hold for every hand of every variant, legal or not."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorepad.i18n import words
from scorepad.rules.cards import parse_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import find_kind_of_canasta, read_meld
from scorepad.rules.variants import freeze, thaw
from scorepad.schemas import build_score_answer, read_hand_request
from tests.examples import examples
from tests.rules.hands_drawn import hands, rulesets

RAW_KEY = re.compile(r"\b(problem|item|setting|needed|family|card|takes)\.[a-z0-9]")


def told(hand: dict[str, Any], language: str = "it") -> dict[str, Any]:
    asked = read_hand_request(json.dumps(hand))
    return build_score_answer(asked.judge(), asked.names, words(language))


@given(hands())
@settings(max_examples=examples(600))
def test_every_hand_is_scored_whole_or_refused_with_reasons(hand: dict[str, Any]) -> None:
    result = told(hand)
    errors = [problem for problem in result["problems"] if problem["severity"] == "error"]
    assert result["valid"] is not bool(errors)
    places = [(problem["code"], problem["where"]) for problem in result["problems"]]
    assert len(places) == len(set(places))
    assert json.loads(json.dumps(result)) == result
    if not result["valid"]:
        assert result["sides"] is result["match"] is None
        return
    for name, side in result["sides"].items():
        assert side["hand"] == sum(line["points"] for line in side["lines"])
        assert side["total"] == hand["before"][name] + side["hand"]
        for line in side["lines"]:
            assert line["count"] != 0
            assert line["sources"] or line["item"] in ("sum", "adjustment", "penalty")


def places_by_code(answer: dict[str, Any]) -> dict[str, set[str]]:
    """The places of the problems of each kind."""
    places: dict[str, set[str]] = {}
    for problem in answer["problems"]:
        places.setdefault(problem["code"], set()).add(problem["where"])
    return places


@given(hands(rulesets().filter(lambda rules: len(set(rules.settings.sides)) == 1)))
@settings(max_examples=examples(300))
def test_exchanging_the_sides_exchanges_the_scores(hand: dict[str, Any]) -> None:
    swapped = {**hand, "before": dict(reversed(hand["before"].items()))}
    one, other = told(hand), told(swapped)
    assert places_by_code(one).keys() == places_by_code(other).keys()
    if hand["variant"] != "tagliagola":
        # What a temporary pair breaks together is told under whoever of them is named first.
        assert places_by_code(one) == places_by_code(other)
    assert one["valid"] is other["valid"]
    assert one["match"] == other["match"]
    for name, side in (one["sides"] or {}).items():
        lines = sorted(map(json.dumps, side.pop("lines")))
        assert lines == sorted(map(json.dumps, other["sides"][name].pop("lines")))
        assert side == other["sides"][name]


@given(hands())
@settings(max_examples=examples(300))
def test_the_same_hand_has_the_same_answer_in_both_languages_but_for_the_words(
    hand: dict[str, Any],
) -> None:
    italian, english = told(hand, "it"), told(hand, "en")
    for problem, in_english in zip(italian["problems"], english["problems"], strict=True):
        assert problem["message"] != in_english["message"]
        for message in (problem.pop("message"), in_english.pop("message")):
            assert not RAW_KEY.search(message)
            assert "%(" not in message
            assert message.endswith(".")
    assert italian == english


def _counted(laid: list[Any], rules: Ruleset) -> dict[str, Any]:
    """The totals of a side that laid these melds."""
    canastas: Counter[str] = Counter()
    points = 0
    for entry in laid:
        meld = read_meld(parse_cards(entry if isinstance(entry, str) else entry["cards"]))
        points += meld.cards.points(rules.settings.card_points)
        kind = find_kind_of_canasta(meld, rules.settings)
        if kind is not None:
            canastas[kind.item] += 1
    return {"canastas": canastas, "cards": points}


@given(
    hands(
        rulesets().filter(lambda rules: rules.settings.counted_by == "cards-or-totals"),
        tidy=st.just(True),
    )
)
@settings(max_examples=examples(400))
def test_whatever_may_be_laid_may_be_counted_at_the_table(hand: dict[str, Any]) -> None:
    assume(told(hand)["valid"])
    rules = read_hand_request(json.dumps(hand)).rules
    for name, side in hand["sides"].items():
        if "melds" in side:
            counted = {**side, "totals": _counted(side["melds"], rules)}
            del counted["melds"]
            counted.pop("opening", None)
            answer = told({**hand, "sides": {**hand["sides"], name: counted}})
            assert "totals-impossible" not in places_by_code(answer)


@given(rulesets())
@settings(max_examples=examples(150))
def test_rules_frozen_and_thawed_are_the_same_rules(rules: Ruleset) -> None:
    again = thaw(json.loads(json.dumps(freeze(rules))))
    assert again == rules
    assert repr(again) == repr(rules), "rulesets are equal by their digest alone"
