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


WORKED_IN_CLASSICA = {"losers-canastas", "concealed-lay-offs", "wilds-reclaimed"}
"""House rules of few tables: what classica's worked hands show holds in the games that take them."""


def read_cases(variant: str) -> list[tuple[str, dict[str, Any]]]:
    """The worked cases of a variant, each with its id for the test run."""
    cases = []
    for file in sorted((CASES / variant).glob("*.json")):
        for case in read_data(file):
            cases.append((f"{variant}/{file.stem}: {case['case']}", case))
    return cases


def worked_hands_of(variant: str) -> list[dict[str, Any]]:
    return [case["hand"] for _, case in read_cases(variant)]


def is_played_with(hand: dict[str, Any], option: str) -> bool:
    """Whether a hand names an option. Three sides choose the option of the number of players."""
    if option in hand.get("options", {}):
        return True
    return option == PLAYERS and len(hand.get("before", {})) == 3


VARIANTS_WITH_RULES_OF_THEIR_OWN = [name for name in variant_ids() if name not in TABLE_SIZES]


@pytest.mark.parametrize("variant", VARIANTS_WITH_RULES_OF_THEIR_OWN)
def test_every_variant_has_twenty_worked_hands(variant: str) -> None:
    assert len(worked_hands_of(variant)) >= 20


@pytest.mark.parametrize("variant", VARIANTS_WITH_RULES_OF_THEIR_OWN)
def test_every_option_that_bears_on_the_score_has_ten_worked_hands(variant: str) -> None:
    options = get_variant(variant).options.keys() - OPTIONS_OF_PLAY
    if variant != "classica":
        options -= WORKED_IN_CLASSICA
    hands = worked_hands_of(variant)

    for option in options:
        hands_with_option = [hand for hand in hands if is_played_with(hand, option)]
        assert len(hands_with_option) >= 10, option


@pytest.mark.parametrize("variant", sorted(TABLE_SIZES))
def test_every_other_table_size_has_ten_worked_hands(variant: str) -> None:
    assert len(worked_hands_of(variant)) >= 10


ANSWERED = []
"""Cases whose hand is answered: with a score, or with what is wrong with it."""
UNUSABLE = []
"""Cases whose hand cannot be read."""
for folder in sorted(CASES.iterdir()):
    for case_id, worked_case in read_cases(folder.name):
        if "unusable" in worked_case["expect"]:
            UNUSABLE.append(pytest.param(worked_case, id=case_id))
        else:
            ANSWERED.append(pytest.param(worked_case, id=case_id))


@pytest.mark.parametrize("case", ANSWERED)
def test_worked_hand_has_the_expected_answer(case: dict[str, Any]) -> None:
    answer = score_hand(case["hand"])

    expected = case["expect"]
    problems = [[each["severity"], each["code"], each["where"]] for each in answer["problems"]]
    assert sorted(problems) == sorted(expected["problems"])
    assert answer["valid"] is expected["valid"]
    if not expected["valid"]:
        assert answer["sides"] is None
        assert answer["match"] is None
        return

    assert answer["match"] == expected["match"]
    for name, expected_side in expected["sides"].items():
        side = answer["sides"][name]
        side["lines"] = [item_count_and_points(line) for line in side["lines"]]
        for key, value in expected_side.items():
            assert side[key] == value, key


@pytest.mark.parametrize("case", UNUSABLE)
def test_worked_hand_that_cannot_be_read_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(Unusable) as error:
        score_hand(case["hand"])
    assert case["expect"]["unusable"] in error.value.message(words("it"))


def item_count_and_points(line: dict[str, Any]) -> list[Any]:
    """A line of a score as a worked hand has it: `["cards", 14, 170]`."""
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]
