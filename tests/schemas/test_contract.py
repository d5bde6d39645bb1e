"""The JSON contract, to the letter."""

import json

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import settle
from scorepad.schemas import Unusable, read_hand_request
from tests.data import read_data
from tests.hands_read import hand_request, score_hand

EXAMPLE = read_data("schemas/example-hand.json")
"""A hand as programs send it, and its answer with the first source of each line."""


def test_the_example_is_answered_to_the_letter() -> None:
    answer = score_hand(EXAMPLE["hand"])
    for side in answer["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]
    assert json.dumps(answer) == json.dumps(EXAMPLE["answer"]), "the order of the keys too"


def test_a_problem_has_all_its_fields_and_a_message_in_the_language_asked_for() -> None:
    hand = {"variant": "classica", "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}}}
    assert score_hand(hand)["problems"] == EXAMPLE["problems"]

    message = score_hand(hand, "en")["problems"][0]["message"]
    assert message.startswith(
        "This meld may hold at most 3 wild cards (natural cards: 2), and it holds 4."
    )


def test_names_are_free_text_and_pointers_escape_them() -> None:
    hand = {
        "variant": "classica",
        "before": {"a/b": 0, "~": 0},
        "sides": {"a/b": {"melds": ["K"]}, "~": {}},
    }
    pointers = [problem["where"] for problem in score_hand(hand)["problems"]]
    assert "/sides/a~1b/melds/0" in pointers


UNUSABLE = read_data("schemas/unusable-hands.json")
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


@pytest.mark.parametrize(
    ("names", "left", "players"),
    [
        (["a", "b"], "4 5", (1, 1)),  # the cards of one player each
        (["a", "b"], ["4", "5"], (2, 2)),  # the cards of two players each
        (["a", "b", "c"], "4 5", (1, 1, 1)),
    ],
)
def test_who_sits_at_a_mini_is_known_by_its_sides(
    names: list[str], left: object, players: tuple[int, ...]
) -> None:
    hand = {
        "variant": "mini",
        "before": dict.fromkeys(names, 0),
        "sides": {name: {"left": left} for name in names},
    }
    request = read_hand_request(json.dumps(hand))
    assert request.rules.settings.sides == players


def test_sides_that_are_left_out_laid_and_held_nothing() -> None:
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


def test_a_hand_of_a_match_is_scored_by_its_rules_from_its_totals() -> None:
    hand = {"sides": {"a": {"melds": ["7xQ"]}}, "out": {"side": "a"}}

    judgement = hand_request(hand, settle("classica"), ("a", "b"), (1400, 0)).judge()

    # 1400, a natural canasta 500, its cards 70, going out 100.
    assert [side.total for side in judgement.sides] == [2070, 0]


def test_a_hand_of_a_match_may_not_name_a_variant() -> None:
    with pytest.raises(Unusable):
        hand_request({"sides": {}, "variant": "classica"}, settle("classica"), ("a", "b"), (0, 0))
