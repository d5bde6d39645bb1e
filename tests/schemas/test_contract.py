"""The JSON contract, to the letter."""

import json
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
    # The file example-hand.json has a hand as a program sends it, and the whole answer.
    answer = score_hand(EXAMPLE["hand"])

    # In the file, each line of the score has only the first of its sources.
    for side in answer["sides"].values():
        for line in side["lines"]:
            line["sources"] = line["sources"][:1]

    # Compared as texts, the keys must also be in the same order.
    assert json.dumps(answer) == json.dumps(EXAMPLE["answer"])


def test_problem_of_a_hand_has_the_expected_fields() -> None:
    # The second meld is two kings with four twos. Twos are wild, and a meld has three at most.
    hand = {"variant": "classica", "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}}}

    answer = score_hand(hand)

    # The file example-hand.json has this one problem: {"severity": "error", "code":
    # "meld-too-many-wilds", "where": "/sides/noi/melds/1", …}, with a message and its sources.
    assert answer["problems"] == EXAMPLE["problems"]


def test_message_of_problem_is_in_the_language_asked_for() -> None:
    # The second meld is two kings with four twos, which are wild.
    hand = {"variant": "classica", "sides": {"noi": {"melds": ["7xQ", "2xK 4x2"]}}}

    (problem,) = score_hand(hand, "en")["problems"]

    assert problem["message"].startswith(
        "This meld may hold at most 3 wild cards (natural cards: 2), and it holds 4."
    )


def test_names_of_sides_are_escaped_in_pointers() -> None:
    # The sides are called "a/b" and "~". A meld of one king is too short, which is a problem.
    hand = {
        "variant": "classica",
        "before": {"a/b": 0, "~": 0},
        "sides": {"a/b": {"melds": ["K"]}, "~": {}},
    }

    # A problem names its place by a JSON pointer, in which a slash of a name is written ~1.
    pointers = [problem["where"] for problem in score_hand(hand)["problems"]]
    assert "/sides/a~1b/melds/0" in pointers


UNUSABLE_BY_VARIANT = read_data("schemas/unusable-hands.json")
"""What a hand of a variant has that cannot be used, and the key that is named."""


@pytest.mark.parametrize("variant", UNUSABLE_BY_VARIANT)
@pytest.mark.parametrize("language", ["it", "en"])
def test_refusal_of_unusable_hand_names_its_key_in_one_line(variant: str, language: str) -> None:
    # A row has a hand, or the part of it that is wrong, and the key that the message must name:
    # {"hand": {"sides": {"noi": {"meld": []}}}, "named": "sides/noi/meld"}. There is no key "meld".
    for row in UNUSABLE_BY_VARIANT[variant]:
        hand = {"variant": variant, "sides": {}, **row["hand"]}
        with pytest.raises(Unusable) as error:
            read_hand_request(json.dumps(hand))

        message = error.value.message(words(language))
        assert row["named"] in message, row
        assert "\n" not in message

        # A text that the catalogue lacks is shown by its key, such as "takes.cards". An argument
        # that nobody filled in is shown as "%(key)s".
        for sign_of_missing_text in ("unusable.", "choice.", "takes.", "%("):
            assert sign_of_missing_text not in message


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
    # Each side sends the cards left in its hands: one text for one player, two texts for two.
    hand = {"variant": "mini", "before": dict.fromkeys(sides, 0), "sides": sides}

    request = read_hand_request(json.dumps(hand))

    # The setting is the number of players of each side.
    assert request.rules.settings.sides == players


def test_side_that_is_left_out_scores_nothing() -> None:
    # Neither side sends anything of the hand.
    answer = score_hand({"variant": "classica", "sides": {}})

    # With 0 points, a side needs 50 to lay its first melds, in this hand and in the next one.
    nothing = {
        "lines": [],
        "hand": 0,
        "total": 0,
        "opened": False,
        "opening_minimum": 50,
        "next_opening_minimum": 50,
    }
    # Without names of their own, the sides are called "noi" (we) and "loro" (they).
    assert answer["sides"] == {"noi": nothing, "loro": nothing}


def test_hand_of_match_is_added_to_its_totals() -> None:
    # Before this hand side "a" has 1400 points and side "b" none. Side "a" lays seven queens.
    hand = {"sides": {"a": {"melds": ["7xQ"]}}, "out": {"side": "a"}}
    request = hand_request(hand, settle("classica"), names=("a", "b"), before=(1400, 0))

    judgement = request.judge()

    # 1400 + 500 for a canasta without wild cards + 7 x 10 for its cards + 100 for going out.
    assert [side.total for side in judgement.sides] == [2070, 0]


def test_hand_of_match_that_names_a_variant_is_refused() -> None:
    # A match has its rules: which game it is cannot be said once more with a hand.
    hand = {"sides": {}, "variant": "classica"}
    with pytest.raises(Unusable):
        hand_request(hand, settle("classica"), names=("a", "b"), before=(0, 0))
