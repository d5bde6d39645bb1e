"""The JSON contract, to the letter."""

import json
import re
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable, read_hand_request
from tests.data import read_data
from tests.hands_read import hand_request, score_hand

EXAMPLE = read_data("schemas/example-hand.json")
"""A hand as programs send it, and its answer with the first source of each line."""


def test_example_hand_has_the_expected_answer() -> None:
    answer = score_hand(EXAMPLE["hand"])

    # The expected answer has the first source of each line alone.
    for side in answer["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]
    assert json.dumps(answer) == json.dumps(EXAMPLE["answer"]), "the order of the keys too"


HAND_WITH_TOO_MANY_WILD_CARDS = {
    "variant": "classica",
    "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}},
}


def test_problem_has_all_its_fields() -> None:
    assert score_hand(HAND_WITH_TOO_MANY_WILD_CARDS)["problems"] == EXAMPLE["problems"]


def test_message_of_problem_is_in_the_language_asked_for() -> None:
    problem = score_hand(HAND_WITH_TOO_MANY_WILD_CARDS, "en")["problems"][0]
    assert problem["message"].startswith(
        "This meld may hold at most 3 wild cards (natural cards: 2), and it holds 4."
    )


def test_names_of_sides_are_escaped_in_pointers() -> None:
    hand = {
        "variant": "classica",
        "before": {"a/b": 0, "~": 0},
        "sides": {"a/b": {"melds": ["K"]}, "~": {}},
    }
    pointers = [problem["where"] for problem in score_hand(hand)["problems"]]
    assert "/sides/a~1b/melds/0" in pointers  # a slash in a name is written ~1


UNUSABLE_BY_VARIANT = read_data("schemas/unusable-hands.json")
"""What a hand of a variant has that cannot be used, and the key that is named."""


@pytest.mark.parametrize("variant", UNUSABLE_BY_VARIANT)
@pytest.mark.parametrize("language", ["it", "en"])
def test_refusal_of_unusable_hand_names_its_key_in_one_line(variant: str, language: str) -> None:
    """A row of the table has what is wrong with the hand, and the key that the message names."""
    for row in UNUSABLE_BY_VARIANT[variant]:
        with pytest.raises(Unusable) as error:
            read_hand_request(json.dumps({"variant": variant, "sides": {}, **row["hand"]}))

        message = error.value.message(words(language))
        assert row["named"] in message, row
        assert "\n" not in message
        # A text that is missing would be shown by its key, such as `takes.cards`, and an argument
        # that is missing as `%(key)s`.
        assert not re.search(r"\b(unusable|choice|takes)\.|%\(", message)


@pytest.mark.parametrize(
    ("sides", "players"),
    [
        pytest.param({"a": {"left": "4 5"}, "b": {"left": "4 5"}}, (1, 1), id="one each"),
        pytest.param({"a": {"left": ["4", "5"]}, "b": {"left": ["4", "5"]}}, (2, 2), id="two each"),
        pytest.param(
            {"a": {"left": "4 5"}, "b": {"left": "4 5"}, "c": {"left": "4 5"}},
            (1, 1, 1),
            id="three sides",
        ),
    ],
)
def test_number_of_players_of_mini_follows_from_its_sides(
    sides: dict[str, Any], players: tuple[int, ...]
) -> None:
    hand = {"variant": "mini", "before": dict.fromkeys(sides, 0), "sides": sides}
    request = read_hand_request(json.dumps(hand))
    assert request.rules.settings.sides == players


def test_side_that_is_left_out_scores_nothing() -> None:
    answer = score_hand({"variant": "classica", "sides": {}})

    nothing = {
        "lines": [],
        "hand": 0,
        "total": 0,
        "opened": False,
        "opening_minimum": 50,
        "next_opening_minimum": 50,
    }
    assert answer["sides"] == {"noi": nothing, "loro": nothing}


def test_hand_of_match_is_added_to_its_totals() -> None:
    hand = {"sides": {"a": {"melds": ["7xQ"]}}, "out": {"side": "a"}}
    request = hand_request(hand, settle("classica"), names=("a", "b"), before=(1400, 0))

    judgement = request.judge()

    # 1400, a natural canasta 500, its cards 70, going out 100.
    assert [side.total for side in judgement.sides] == [2070, 0]


def test_hand_of_match_that_names_a_variant_is_refused() -> None:
    hand = {"sides": {}, "variant": "classica"}
    with pytest.raises(Unusable):
        hand_request(hand, settle("classica"), names=("a", "b"), before=(0, 0))
