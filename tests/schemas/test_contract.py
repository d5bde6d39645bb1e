"""The JSON contract, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from tests.hands_read import hand_request

EXAMPLE = json.loads(Path(__file__).with_name("example-hand.json").read_text("utf-8"))
"""A hand as programs send it, and its answer with the first source of each line."""


def told(hand: dict[str, Any], language: str = "it") -> dict[str, Any]:
    asked = read_hand_request(json.dumps(hand))
    return build_score_answer(asked.judge(), asked.names, words(language))


def test_the_example_is_answered_to_the_letter() -> None:
    given = told(EXAMPLE["hand"])
    for side in given["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]
    assert json.dumps(given) == json.dumps(EXAMPLE["answer"]), "the order of the keys too"


def test_a_problem_has_all_its_fields_and_a_message_in_the_language_asked_for() -> None:
    hand = {"variant": "classica", "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}}}
    assert told(hand)["problems"] == EXAMPLE["problems"]
    english = told(hand, "en")["problems"][0]["message"]
    assert english.startswith(
        "This meld may hold at most 3 wild cards (natural cards: 2), and it holds 4."
    )


def test_names_are_free_text_and_pointers_escape_them() -> None:
    hand = {
        "variant": "classica",
        "before": {"a/b": 0, "~": 0},
        "sides": {"a/b": {"melds": ["K"]}, "~": {}},
    }
    assert {problem["where"] for problem in told(hand)["problems"]} >= {"/sides/a~1b/melds/0"}


UNUSABLE = json.loads(Path(__file__).with_name("unusable-hands.json").read_text("utf-8"))
"""By variant: what a hand has that cannot be used, and the key that is named."""


@pytest.mark.parametrize("variant", UNUSABLE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_input_that_cannot_be_used_names_its_key_in_one_line(variant: str, language: str) -> None:
    for row in UNUSABLE[variant]:
        with pytest.raises(Unusable) as error:
            read_hand_request(json.dumps({"variant": variant, "sides": {}, **row["hand"]}))
        line = error.value.message(words(language))
        assert row["named"] in line, row
        assert "\n" not in line
        assert not line.startswith(("unusable.", "choice."))
        assert "takes." not in line
        assert "%(" not in line


def test_who_sits_at_a_mini_is_told_by_its_sides() -> None:
    # Strings are single players, lists are pairs, three names are three who play alone.
    def players(before: dict[str, int], left: object) -> tuple[int, ...]:
        hand = {
            "variant": "mini",
            "before": before,
            "sides": {name: {"left": left} for name in before},
        }
        return read_hand_request(json.dumps(hand)).rules.settings.sides

    two = {"a": 0, "b": 0}
    assert players(two, "4 5") == (1, 1)
    assert players(two, ["4", "5"]) == (2, 2)
    assert players({**two, "c": 0}, "4 5") == (1, 1, 1)


def test_left_out_sides_laid_and_held_nothing_and_are_answered() -> None:
    given = told({"variant": "classica", "sides": {}})
    nothing = {
        "lines": [], "hand": 0, "total": 0, "opened": False, "opening_minimum": 50, "next_opening_minimum": 50,
    }  # fmt: skip
    assert given["sides"] == {"noi": nothing, "loro": nothing}


def test_a_hand_of_a_match_is_read_without_its_variant() -> None:
    rules = settle("classica")
    asked = hand_request(
        {"sides": {"a": {"melds": ["7xQ"]}}, "out": {"side": "a"}}, rules, ("a", "b"), (1400, 0)
    )
    judgement = asked.judge()
    assert judgement.sides is not None
    # 500 + 70 + 100
    assert [side.total for side in judgement.sides] == [2070, 0]
    with pytest.raises(Unusable):
        hand_request({"sides": {}, "variant": "classica"}, rules, ("a", "b"), (0, 0))
