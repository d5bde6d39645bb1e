"""Hands worked by hand from the sources, card by card: see `tests/cases`."""

from pathlib import Path
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import PLAYERS
from tests.data import read_data
from tests.hands_read import score_hand

# A worked case is a hand in JSON and the answer expected to it, worked out by a person with the
# sources. Each folder has those of one variant.
CASES = Path(__file__).parents[1] / "cases"
TABLE_SIZES = {"due", "tre", "sei", "cinque"}
"""Variants that change classica only by the number of players."""
OPTIONS_OF_PLAY = {
    "dealt",
    "end-of-stock",
    "freezing",
    "pile",
    "pile-layoff",
    "pile-taken",
    "special-hands-courtesy",
    "talon",
    "talon-from",
    "talon-with-pile",
    "thirteen",
    "upcard",
    "upcard-black-three",
    "wild-on-canasta",
    "wilds-block-mixed",
}
"""Options that decide how cards are played, and neither what a hand scores nor whether it is valid."""


WORKED_IN_CLASSICA_ALONE = {"losers-canastas", "concealed-lay-offs", "wilds-reclaimed"}
"""Rare options of several games: the worked hands of classica show what they do."""


def read_cases(variant: str) -> list[tuple[str, dict[str, Any]]]:
    """Read the worked cases of a variant; return each with its id for the test run."""
    cases = []
    for file in sorted((CASES / variant).glob("*.json")):
        for case in read_data(file):
            cases.append((f"{variant}/{file.stem}: {case['case']}", case))
    return cases


def worked_hands_of(variant: str) -> list[dict[str, Any]]:
    """Return the hands of the worked cases of a variant, each as JSON that is sent to be scored."""
    return [case["hand"] for _, case in read_cases(variant)]


def is_played_with(hand: dict[str, Any], option: str) -> bool:
    """Tell whether a hand is played with an option of its variant.

    A hand names its options. Only the number of players, an option too, is chosen by a hand of
    three sides without being named.
    """
    if option in hand.get("options", {}):
        return True
    return option == PLAYERS and len(hand.get("before", {})) == 3


def list_options_that_need_worked_hands(variant: str) -> list[str]:
    """List the options of a variant whose effect on the score its worked hands have to show.

    A worked hand is one whose score a person worked out with the sources.
    """
    options = []
    for option in get_variant(variant).options:
        # It decides how cards are played, not what they score: when the pile is frozen, for example.
        if option in OPTIONS_OF_PLAY:
            continue
        # It is rare, and several games have it: the worked hands of classica show what it does.
        if option in WORKED_IN_CLASSICA_ALONE and variant != "classica":
            continue
        options.append(option)
    return options


VARIANTS_WITH_RULES_OF_THEIR_OWN = [name for name in variant_ids() if name not in TABLE_SIZES]


@pytest.mark.parametrize("variant", VARIANTS_WITH_RULES_OF_THEIR_OWN)
def test_every_variant_has_twenty_worked_hands(variant: str) -> None:
    # A worked hand is one in JSON whose score a person worked out with the sources.
    assert len(worked_hands_of(variant)) >= 20


@pytest.mark.parametrize("variant", VARIANTS_WITH_RULES_OF_THEIR_OWN)
def test_every_option_that_bears_on_the_score_has_ten_worked_hands(variant: str) -> None:
    # An option is a choice of the table, such as another limit of wild cards in a meld.
    hands = worked_hands_of(variant)
    for option in list_options_that_need_worked_hands(variant):
        hands_with_option = [hand for hand in hands if is_played_with(hand, option)]
        assert len(hands_with_option) >= 10, option


@pytest.mark.parametrize("variant", sorted(TABLE_SIZES))
def test_every_other_table_size_has_ten_worked_hands(variant: str) -> None:
    # These are classica for two, three, five and six players: most of it is shown by its hands.
    assert len(worked_hands_of(variant)) >= 10


VALID = []
"""Cases whose hand is answered with a score."""
INVALID = []
"""Cases whose hand is answered with what is wrong with it, and no score."""
UNUSABLE = []
"""Cases whose hand cannot be read."""
for folder in sorted(CASES.iterdir()):
    for case_id, worked_case in read_cases(folder.name):
        parameter = pytest.param(worked_case, id=case_id)
        if "unusable" in worked_case["expect"]:
            UNUSABLE.append(parameter)
        elif worked_case["expect"]["valid"]:
            VALID.append(parameter)
        else:
            INVALID.append(parameter)


def assert_problems(answer: dict[str, Any], expected: list[list[Any]]) -> None:
    """Check that an answer has these problems: `["error", "meld-too-short", place]`."""
    problems = [[each["severity"], each["code"], each["where"]] for each in answer["problems"]]
    assert sorted(problems) == sorted(expected)


@pytest.mark.parametrize("case", VALID)
def test_worked_hand_has_the_score_worked_from_the_sources(case: dict[str, Any]) -> None:
    expected = case["expect"]

    answer = score_hand(case["hand"])

    # The hand is valid: its problems are at most warnings.
    assert answer["valid"]
    assert_problems(answer, expected["problems"])
    assert answer["match"] == expected["match"]

    for name, expected_side in expected["sides"].items():
        side = answer["sides"][name]

        # A person worked out the score lines of each side, such as ["cards", 14, 170] for 14 cards
        # that are worth 170 points. Write the lines of the answer like these.
        lines = [item_count_and_points(line) for line in side["lines"]]
        side_as_worked = {**side, "lines": lines}

        # The person may also have worked out its total and more, by the keys of the answer.
        for key, value in expected_side.items():
            assert side_as_worked[key] == value, key


@pytest.mark.parametrize("case", INVALID)
def test_worked_hand_against_the_rules_has_problems_and_no_score(case: dict[str, Any]) -> None:
    # A hand that breaks a rule is never scored in part.
    answer = score_hand(case["hand"])

    assert_problems(answer, case["expect"]["problems"])
    assert answer["valid"] is False
    assert answer["sides"] is None
    assert answer["match"] is None


@pytest.mark.parametrize("case", UNUSABLE)
def test_worked_hand_that_cannot_be_read_is_refused(case: dict[str, Any]) -> None:
    # For example black threes laid aside, which only the game "cubana" counts. The message names
    # what is wrong: "black_threes_aside".
    with pytest.raises(Unusable) as error:
        score_hand(case["hand"])
    assert case["expect"]["unusable"] in error.value.message(words("it"))


def item_count_and_points(line: dict[str, Any]) -> list[Any]:
    """Write a line of a score as worked cases have it: `["cards", 14, 170]`."""
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]
