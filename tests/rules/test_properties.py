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

KEY_OF_TEXT = re.compile(r"\b(problem|item|setting|needed|family|card|takes)\.[a-z0-9]")
"""A key of the catalogue of texts, such as `item.samba`: where it stands, its text is missing."""


@given(hands())
@settings(max_examples=examples(600))
def test_every_hand_is_scored_or_has_an_error(hand: dict[str, Any]) -> None:
    answer = score_hand(hand)

    # The answer is plain JSON, whatever the hand was.
    assert json.loads(json.dumps(answer)) == answer
    assert_no_problem_is_reported_twice(answer["problems"])

    # With an error there is no score; with warnings alone there is one.
    severities = {problem["severity"] for problem in answer["problems"]}
    if "error" in severities:
        assert not answer["valid"]
        assert answer["sides"] is None
        assert answer["match"] is None
    else:
        assert answer["valid"]
        for name, side in answer["sides"].items():
            assert_score_adds_up(side, hand["before"][name])


def assert_no_problem_is_reported_twice(problems: list[dict[str, Any]]) -> None:
    codes_and_places = [(problem["code"], problem["where"]) for problem in problems]
    assert len(codes_and_places) == len(set(codes_and_places))


def assert_score_adds_up(side: dict[str, Any], total_before: int) -> None:
    """Check that the lines of a side add up, and that every line of the rules cites a source."""
    assert side["hand"] == sum(line["points"] for line in side["lines"])
    assert side["total"] == total_before + side["hand"]
    for line in side["lines"]:
        assert line["count"] != 0
        # What the players entered or agreed on themselves needs no source.
        may_lack_sources = line["item"] in ("sum", "adjustment", "penalty")
        assert line["sources"] or may_lack_sources


def places_by_code(answer: dict[str, Any]) -> dict[str, set[str]]:
    """Return the places of the problems of a hand by their code.

    For example `{"meld-too-short": {"/sides/noi/melds/0"}}`.
    """
    places: dict[str, set[str]] = {}
    for problem in answer["problems"]:
        places.setdefault(problem["code"], set()).add(problem["where"])
    return places


def exchange_sides(hand: dict[str, Any]) -> dict[str, Any]:
    """Return the same hand with its sides in the opposite order: that of the keys of `before`."""
    return {**hand, "before": dict(reversed(hand["before"].items()))}


def sort_lines(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the sides of an answer with their score lines sorted, which may come in any order."""
    sides = {}
    for name, side in answer["sides"].items():
        sides[name] = {**side, "lines": sorted(json.dumps(line) for line in side["lines"])}
    return sides


rulesets_with_sides_of_equal_size = rulesets().filter(
    lambda rules: len(set(rules.settings.sides)) == 1
)


@given(hands(rulesets_with_sides_of_equal_size))
@settings(max_examples=examples(300))
def test_order_of_sides_does_not_change_the_answer(hand: dict[str, Any]) -> None:
    answer = score_hand(hand)
    answer_exchanged = score_hand(exchange_sides(hand))

    assert answer["valid"] == answer_exchanged["valid"]
    assert answer["match"] == answer_exchanged["match"]

    # It has the same problems.
    places = places_by_code(answer)
    places_exchanged = places_by_code(answer_exchanged)
    assert places.keys() == places_exchanged.keys()

    # They are at the same places. Only in tagliagola, where two players are partners for a hand, a
    # problem of both is reported under the first of them.
    if hand["variant"] != "tagliagola":
        assert places == places_exchanged

    # Its score has the same lines.
    if answer["valid"]:
        assert sort_lines(answer) == sort_lines(answer_exchanged)


@given(hands())
@settings(max_examples=examples(300))
def test_answers_in_both_languages_differ_only_in_messages(hand: dict[str, Any]) -> None:
    italian = score_hand(hand, "it")
    english = score_hand(hand, "en")

    # Take the messages out of both answers. They differ, and are whole sentences.
    for problem, problem_in_english in zip(italian["problems"], english["problems"], strict=True):
        message = problem.pop("message")
        message_in_english = problem_in_english.pop("message")
        assert message != message_in_english
        assert_is_sentence(message)
        assert_is_sentence(message_in_english)

    # All the rest is equal.
    assert italian == english


def assert_is_sentence(message: str) -> None:
    """Check that a message ends as a sentence, and has no key of a text and no placeholder."""
    assert not KEY_OF_TEXT.search(message)
    assert "%(" not in message
    assert message.endswith(".")


def count_melds(melds: list[Any], rules: Ruleset) -> dict[str, Any]:
    """Count the melds of a side as players do: its canastas, and the points of its cards.

    A meld is a text (`"3xK 2"`: three kings and a two), or a mapping whose `cards` are such a text.
    """
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


rulesets_with_totals = rulesets().filter(
    lambda rules: rules.settings.counted_by == "cards-or-totals"
)


@given(hands(rulesets_with_totals, tidy=st.just(True)))
@settings(max_examples=examples(400))
def test_totals_of_legal_melds_are_possible(hand: dict[str, Any]) -> None:
    # Take a random hand that is played by the rules.
    assume(score_hand(hand)["valid"])
    rules = read_hand_request(json.dumps(hand)).rules

    for name, side in hand["sides"].items():
        if "melds" not in side:
            continue

        # A side that entered its melds enters its totals in their place, as it may: how many
        # canastas it has, and the points of all its cards. Its first melds are left out with them.
        other_entries = {key: side[key] for key in side if key not in ("melds", "opening")}
        side_with_totals = {**other_entries, "totals": count_melds(side["melds"], rules)}
        sides = {**hand["sides"], name: side_with_totals}

        answer = score_hand({**hand, "sides": sides})

        # These totals are possible, as it really laid these cards.
        assert "totals-impossible" not in places_by_code(answer)


@given(rulesets())
@settings(max_examples=examples(150))
def test_thawed_rules_equal_the_frozen_ones(rules: Ruleset) -> None:
    # A match is stored with its rules, "frozen" as JSON.
    stored = json.dumps(freeze(rules))

    thawed = thaw(json.loads(stored))

    # Rules count as equal if they have the same digest. Compare all the rest too.
    assert thawed == rules
    assert repr(thawed) == repr(rules)
