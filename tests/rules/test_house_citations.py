"""What a house figure decides is a house rule: no line, finding or ruling that it changes cites the
parent's sources.

Each setting is changed in a file of its own. The hands and questions worked by hand for the parent
are then judged by the parent and by the file: wherever a figure differs, it follows from the house
figure.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import tomlkit

from scorepad.referee.answering import give_ruling
from scorepad.referee.ruling import Reason, Ruling
from scorepad.rules.definitions import SETTING_KEYS, Ruleset, Standing
from scorepad.rules.judging import Finding, Judgement, judge
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import parse_own_variant, settle, settle_variant
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.ruling_json import read_question
from tests.data import read_data
from tests.rules.test_cases import worked_hands_of
from tests.rules.worked_rulings import list_worked_rulings

Given = Mapping[str, Any]
HOUSE: Mapping[str, Any] = read_data("rules/house-figures.toml")
ALONE: Mapping[str, list[Any]] = HOUSE["alone"]
TOGETHER: list[Given] = HOUSE["together"]
FIXED = {"meld-one-rank", "penalties-known"}
"""Settings with a single value."""
ELSEWHERE = {
    "sides", "resting", "partnership", "unit", "natural-after-opening", "wild-meld-naturals", "sequences", "incomplete",
    "wilds-blocked", "thirteen", "black-threes-aside", "black-threes-exposed", "out-red-threes",
    "held-together", "special-hands", "threes-together", "upcard", "upcard-pile", "upcard-big-piles",
    "upcard-wilds-redeal", "pile", "pile-tops", "dead-ranks", "talon", "turn-card", "special-hands-courtesy",
    "out-partner-foot", "opening-canasta", "meld-longest-out", "talon-from",
    "talon-with-pile",
}  # fmt: skip
"""Settings that the hands and questions of classica do not bear on, or that bring keys of their own
into a hand.
"""


def list_files() -> list[Any]:
    """The files of house rules: the settings that each changes."""
    files = []
    for key, values in ALONE.items():
        if key not in FIXED:
            files += [{key: value} for value in values]
    files += TOGETHER
    return [pytest.param(changed, id=json.dumps(changed)[:60]) for changed in files]


def read_house_rules(changed: Given) -> Ruleset:
    """The rules of a file that extends classica and changes these settings."""
    settings = {key: {"value": value, "standing": "house"} for key, value in changed.items()}
    text = tomlkit.dumps({"id": "casa", "extends": "classica", "settings": settings})
    return settle_variant(parse_own_variant("casa.toml", text), None, {})


def is_plain_classica(request: Mapping[str, Any]) -> bool:
    """Whether a hand or question is one of classica without options."""
    return (
        request["variant"] == "classica"
        and not request.get("options")
        and not request.get("preset")
    )


@cache
def list_hands() -> list[dict[str, Any]]:
    """The worked hands of classica, and one in which a side laid nothing."""
    hands = [hand for hand in worked_hands_of("classica") if is_plain_classica(hand)]
    hands.append(
        {
            "variant": "classica",
            "sides": {"noi": {"red_threes": 4, "left": "A 3b JK"}, "loro": {"melds": ["7xK"]}},
            "out": {"side": "loro"},
        }
    )
    return hands


@cache
def list_questions() -> list[Any]:
    """The questions of the worked rulings of classica."""
    asked = [case["ask"] for _, case in list_worked_rulings()]
    return [read_question(json.dumps(ask)).question for ask in asked if is_plain_classica(ask)]


def is_cited_as_house_rule(entry: Line | Finding | Reason) -> bool:
    return entry.standing is Standing.AGREED and not entry.sources


def without_citation(line: Line) -> Line:
    return replace(line, sources=(), standing=None, read=())


def list_lines_changed(before: Judgement, now: Judgement) -> Iterator[Line]:
    """The lines of a hand whose figures differ, or that there were not."""
    for side_before, side_now in zip(before.sides or (), now.sides or (), strict=False):
        lines_before = [without_citation(line) for line in side_before.lines]
        for line in side_now.lines:
            if without_citation(line) not in lines_before:
                yield line


def figures(entry: Finding | Reason) -> str:
    """The figures of a finding or a reason, without the name of the game."""
    return str({name: figure for name, figure in entry.arguments.items() if name != "game"})


def list_findings_changed(before: Judgement, now: Judgement) -> Iterator[Finding]:
    """The findings that there were too, with other figures."""
    known = {(each.code, each.where): figures(each) for each in before.findings}
    for finding in now.findings:
        place = (finding.code, finding.where)
        if place in known and known[place] != figures(finding):
            yield finding


def list_reasons_changed(before: Ruling, now: Ruling) -> Iterator[Reason]:
    """The reasons that there were too, with other figures."""
    codes = {reason.code for reason in before.reasons}
    known = {(reason.code, figures(reason)) for reason in before.reasons}
    for reason in now.reasons:
        if reason.code in codes and (reason.code, figures(reason)) not in known:
            yield reason


@pytest.mark.parametrize("changed", list_files())
def test_no_line_or_finding_that_a_house_rule_changes_cites_a_source(changed: Given) -> None:
    classica = settle("classica")
    house_rules = read_house_rules(changed)
    for request in list_hands():
        try:
            hand = read_hand_request(json.dumps(request)).hand
        except Unusable:
            continue
        if len(hand.sides) != 2:
            continue

        before = judge(classica, hand)
        now = judge(house_rules, hand)

        for line in list_lines_changed(before, now):
            assert is_cited_as_house_rule(line), request
        for finding in list_findings_changed(before, now):
            assert is_cited_as_house_rule(finding), request


@pytest.mark.parametrize("changed", list_files())
def test_no_reason_that_a_house_rule_changes_cites_a_source(changed: Given) -> None:
    classica = settle("classica")
    house_rules = read_house_rules(changed)
    for question in list_questions():
        before = give_ruling(classica, question)
        now = give_ruling(house_rules, question)
        for reason in list_reasons_changed(before, now):
            assert is_cited_as_house_rule(reason), question


def test_every_setting_is_changed_by_a_file_or_listed_with_the_reason() -> None:
    changed = set(ALONE)
    for settings in TOGETHER:
        changed |= settings.keys()
    assert changed | FIXED | ELSEWHERE == set(SETTING_KEYS)
    assert not (changed - FIXED) & ELSEWHERE
