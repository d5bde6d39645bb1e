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


def read_cases(variant: str) -> list[Any]:
    """The worked hands of a variant, each with its name."""
    found = []
    for file in sorted((CASES / variant).glob("*.json")):
        for case in read_data(file):
            found.append(pytest.param(case, id=f"{variant}/{file.stem}: {case['case']}"))
    return found


def hands_of(variant: str) -> list[dict[str, Any]]:
    return [param.values[0]["hand"] for param in read_cases(variant)]


def is_played_with(hand: dict[str, Any], option: str) -> bool:
    """Whether a hand names an option, or sits down to it by its number of players."""
    if option in hand.get("options", {}):
        return True
    return option == PLAYERS and len(hand.get("before", {})) == 3


@pytest.mark.parametrize("variant", [name for name in variant_ids() if name not in TABLE_SIZES])
def test_every_variant_has_twenty_worked_hands_and_every_option_of_its_score_ten(
    variant: str,
) -> None:
    hands = hands_of(variant)
    assert len(hands) >= 20

    options = get_variant(variant).options.keys() - OPTIONS_OF_PLAY
    if variant != "classica":
        options -= WORKED_IN_CLASSICA
    for option in options:
        hands_with_option = [hand for hand in hands if is_played_with(hand, option)]
        assert len(hands_with_option) >= 10, option


@pytest.mark.parametrize("variant", sorted(TABLE_SIZES))
def test_the_other_table_sizes_have_worked_hands_of_their_own(variant: str) -> None:
    assert len(hands_of(variant)) >= 10


ALL_CASES = [case for folder in sorted(CASES.iterdir()) for case in read_cases(folder.name)]


@pytest.mark.parametrize("case", ALL_CASES)
def test_a_worked_hand_comes_out_as_worked(case: dict[str, Any]) -> None:
    expected = case["expect"]
    if "unusable" in expected:
        with pytest.raises(Unusable) as error:
            score_hand(case["hand"])
        assert expected["unusable"] in error.value.message(words("it"))
        return

    answer = score_hand(case["hand"])

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


def item_count_and_points(line: dict[str, Any]) -> list[Any]:
    """A line as a worked hand has it: `["cards", 14, 170]`."""
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]
