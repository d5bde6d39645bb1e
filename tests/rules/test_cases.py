"""Hands worked by hand from the sources, card by card: see `tests/cases`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import scorepad.rules as rules_package
from scorepad.i18n import words
from scorepad.rules.definitions import SETTING_KEYS
from scorepad.rules.variants import get_variant, variant_ids
from scorepad.schemas import Unusable, build_score_answer, read_hand_request
from scorepad.schemas.hand_requests import PLAYERS

CASES = Path(__file__).parents[1] / "cases"
TABLE_SIZES = {"due", "tre", "sei", "cinque"}
"""Variants that change classica only by the number of players."""


def _cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{file.parent.name}/{file.stem}: {case['case']}")
        for file in sorted(CASES.glob("*/*.json"))
        for case in json.loads(file.read_text("utf-8"))
    ]


def _hands(variant: str) -> list[dict[str, Any]]:
    return [
        case["hand"]
        for file in sorted((CASES / variant).glob("*.json"))
        for case in json.loads(file.read_text("utf-8"))
    ]


def _scored_by() -> set[str]:
    """The settings that the checks and the score read; the others decide only how the cards are
    played.
    """
    rules = Path(rules_package.__file__).parent
    names = ("bounds", "checks", "judging", "score", "table", "turn_checks")
    files = [rules / f"{name}.py" for name in names]
    named = set(re.findall(r"\.([a-z_]+)", "\n".join(file.read_text("utf-8") for file in files)))
    named |= set(re.findall(r"self\.([a-z_]+)", (rules / "settings.py").read_text("utf-8")))
    return {key for key in SETTING_KEYS if key.replace("-", "_") in named}


def _scoring_options(variant: str) -> list[str]:
    """The options of a variant that change a score, or whether a hand is valid."""
    scored = _scored_by()
    return [
        option.id
        for option in get_variant(variant).options.values()
        if option.sets in scored or any(scored.intersection(value.sets) for value in option.values)
    ]


def _bears_on(hand: dict[str, Any], option: str) -> bool:
    """Whether a hand names an option, or sits down to it by its number of players."""
    if option in hand.get("options", {}):
        return True
    return option == PLAYERS and len(hand.get("before", {})) == 3


def test_what_only_decides_play_is_no_option_of_the_score() -> None:
    assert not {"pile", "upcard", "end-of-stock", "wild-on-canasta", "dealt"}.intersection(
        _scored_by()
    )
    assert _scoring_options("classica") == [
        "wild-limit", "canasta-size", "concealed-canasta", "opening-steps", "red-threes-unopened", "held-red-three",
        "black-threes-out", "concealed-out", "target",
    ]  # fmt: skip


@pytest.mark.parametrize("variant", [name for name in variant_ids() if name not in TABLE_SIZES])
def test_every_variant_has_twenty_worked_hands_and_every_option_of_its_score_ten(
    variant: str,
) -> None:
    hands = _hands(variant)
    assert len(hands) >= 20
    few = {
        option: count
        for option in _scoring_options(variant)
        if (count := sum(_bears_on(hand, option) for hand in hands)) < 10
    }
    assert not few


def test_the_other_table_sizes_have_worked_hands_of_their_own() -> None:
    assert all(len(_hands(variant)) >= 10 for variant in TABLE_SIZES)


@pytest.mark.parametrize("case", _cases())
def test_a_worked_hand_comes_out_as_worked(case: dict[str, Any]) -> None:
    expected = case["expect"]
    source = json.dumps(case["hand"])
    if "unusable" in expected:
        with pytest.raises(Unusable) as error:
            read_hand_request(source)
        assert expected["unusable"] in error.value.message(words("it"))
        return
    asked = read_hand_request(source)
    told = build_score_answer(asked.judge(), asked.names, words("it"))
    problems = [
        [problem["severity"], problem["code"], problem["where"]] for problem in told["problems"]
    ]
    assert sorted(problems) == sorted(expected["problems"])
    assert told["valid"] is expected["valid"]
    if not expected["valid"]:
        assert told["sides"] is None
        assert told["match"] is None
        return
    assert told["match"] == expected["match"]
    for name, side in expected["sides"].items():
        given = told["sides"][name]
        assert [_short(line) for line in given["lines"]] == [list(line) for line in side["lines"]]
        assert {key: given[key] for key in side if key != "lines"} == {
            k: v for k, v in side.items() if k != "lines"
        }


def _short(line: dict[str, Any]) -> list[Any]:
    name = f"penalty:{line['code']}" if "code" in line else line["item"]
    return [name, line["count"], line["points"]]
