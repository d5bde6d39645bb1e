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
        assert all(line["count"] != 0 for line in side["lines"])
        assert all(
            line["sources"] or line["item"] in ("sum", "adjustment", "penalty")
            for line in side["lines"]
        )


def _as_told(result: dict[str, Any], names: list[str]) -> tuple[Any, ...]:
    """An answer without regard to the order of the sides."""
    if result["sides"] is None:
        return (result["valid"],)
    lines = {name: sorted(map(json.dumps, result["sides"][name].pop("lines"))) for name in names}
    return result["sides"], lines, result["match"]


@given(hands(rulesets().filter(lambda rules: len(set(rules.settings.sides)) == 1)))
@settings(max_examples=examples(300))
def test_exchanging_the_sides_exchanges_the_scores(hand: dict[str, Any]) -> None:
    names = list(hand["before"])
    swapped = {**hand, "before": {name: hand["before"][name] for name in reversed(names)}}
    one, other = told(hand), told(swapped)
    assert {problem["code"] for problem in one["problems"]} == {
        problem["code"] for problem in other["problems"]
    }
    if hand["variant"] != "tagliagola":
        # What a temporary pair breaks together is told under whoever of them is named first.
        assert {(p["code"], p["where"]) for p in one["problems"]} == {
            (p["code"], p["where"]) for p in other["problems"]
        }
    assert _as_told(one, names) == _as_told(other, names)


@given(hands())
@settings(max_examples=examples(300))
def test_the_same_hand_has_the_same_answer_in_both_languages_but_for_the_words(
    hand: dict[str, Any],
) -> None:
    italian, english = told(hand, "it"), told(hand, "en")
    for problem, in_english in zip(italian["problems"], english["problems"], strict=True):
        messages = problem.pop("message"), in_english.pop("message")
        assert messages[0] != messages[1]
        for message in messages:
            assert not RAW_KEY.search(message)
            assert "%(" not in message
            assert message.endswith(".")
    assert italian == english


def _counted(laid: list[Any], rules: Ruleset) -> dict[str, Any]:
    """The totals of a side that laid these melds."""
    melds = [
        read_meld(parse_cards(meld if isinstance(meld, str) else meld["cards"])) for meld in laid
    ]
    kinds = [find_kind_of_canasta(meld, rules.settings) for meld in melds]
    canastas = Counter(kind.item for kind in kinds if kind is not None)
    return {
        "canastas": canastas,
        "cards": sum(meld.cards.points(rules.settings.card_points) for meld in melds),
    }


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
            beside = {key: value for key, value in side.items() if key not in ("melds", "opening")}
            counted = beside | {"totals": _counted(side["melds"], rules)}
            problems = told({**hand, "sides": {**hand["sides"], name: counted}})["problems"]
            assert "totals-impossible" not in {problem["code"] for problem in problems}


@given(rulesets())
@settings(max_examples=examples(150))
def test_rules_frozen_and_thawed_are_the_same_rules(rules: Ruleset) -> None:
    again = thaw(json.loads(json.dumps(freeze(rules))))
    assert again == rules
    assert repr(again) == repr(rules), "rulesets are equal by their digest alone"
