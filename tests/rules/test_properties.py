"""What must hold for every hand of every variant, legal or not."""

import json
import re
from collections import Counter
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorepad.rules.cards import parse_cards
from scorepad.rules.definitions import Ruleset
from scorepad.rules.table import find_kind_of_canasta, read_meld
from scorepad.rules.variants import freeze, thaw
from scorepad.schemas import read_hand_request
from tests.examples import examples
from tests.hands_read import score_hand
from tests.rules.hands_drawn import hands, rulesets

RAW_KEY = re.compile(r"\b(problem|item|setting|needed|family|card|takes)\.[a-z0-9]")


@given(hands())
@settings(max_examples=examples(600))
def test_every_hand_is_scored_whole_or_refused_with_reasons(hand: dict[str, Any]) -> None:
    answer = score_hand(hand)

    assert json.loads(json.dumps(answer)) == answer
    severities = {problem["severity"] for problem in answer["problems"]}
    assert answer["valid"] == ("error" not in severities)
    places = [(problem["code"], problem["where"]) for problem in answer["problems"]]
    assert len(places) == len(set(places)), "no problem is told twice"
    if not answer["valid"]:
        assert answer["sides"] is None
        assert answer["match"] is None
        return
    for name, side in answer["sides"].items():
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


def sorted_lines(side: dict[str, Any]) -> list[str]:
    return sorted(json.dumps(line) for line in side["lines"])


@given(hands(rulesets().filter(lambda rules: len(set(rules.settings.sides)) == 1)))
@settings(max_examples=examples(300))
def test_exchanging_the_sides_exchanges_the_scores(hand: dict[str, Any]) -> None:
    exchanged = {**hand, "before": dict(reversed(hand["before"].items()))}

    answer = score_hand(hand)
    answer_exchanged = score_hand(exchanged)

    places = places_by_code(answer)
    places_exchanged = places_by_code(answer_exchanged)
    assert places.keys() == places_exchanged.keys()
    if hand["variant"] != "tagliagola":
        # What a temporary pair breaks together is told under whoever of them is named first.
        assert places == places_exchanged
    assert answer["valid"] == answer_exchanged["valid"]
    assert answer["match"] == answer_exchanged["match"]
    if not answer["valid"]:
        return
    for name, side in answer["sides"].items():
        side_exchanged = answer_exchanged["sides"][name]
        assert sorted_lines(side) == sorted_lines(side_exchanged)
        assert {**side, "lines": None} == {**side_exchanged, "lines": None}


@given(hands())
@settings(max_examples=examples(300))
def test_the_same_hand_has_the_same_answer_in_both_languages_but_for_the_words(
    hand: dict[str, Any],
) -> None:
    italian = score_hand(hand, "it")
    english = score_hand(hand, "en")

    for problem, in_english in zip(italian["problems"], english["problems"], strict=True):
        message = problem.pop("message")
        english_message = in_english.pop("message")
        assert message != english_message
        assert_is_sentence(message)
        assert_is_sentence(english_message)
    assert italian == english


def assert_is_sentence(message: str) -> None:
    """No key of a text and no placeholder stands in it."""
    assert not RAW_KEY.search(message)
    assert "%(" not in message
    assert message.endswith(".")


def count_melds(melds: list[Any], rules: Ruleset) -> dict[str, Any]:
    """The totals of a side that laid these melds."""
    canastas: Counter[str] = Counter()
    points = 0
    for entry in melds:
        cards = entry if isinstance(entry, str) else entry["cards"]
        meld = read_meld(parse_cards(cards))
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
    assume(score_hand(hand)["valid"])
    rules = read_hand_request(json.dumps(hand)).rules
    for name, side in hand["sides"].items():
        if "melds" not in side:
            continue
        side_counted = {**side, "totals": count_melds(side["melds"], rules)}
        del side_counted["melds"]
        side_counted.pop("opening", None)

        answer = score_hand({**hand, "sides": {**hand["sides"], name: side_counted}})

        assert "totals-impossible" not in places_by_code(answer)


@given(rulesets())
@settings(max_examples=examples(150))
def test_rules_frozen_and_thawed_are_the_same_rules(rules: Ruleset) -> None:
    stored = json.dumps(freeze(rules))
    thawed = thaw(json.loads(stored))
    assert thawed == rules
    assert repr(thawed) == repr(rules), "rulesets are equal by their digest alone"
