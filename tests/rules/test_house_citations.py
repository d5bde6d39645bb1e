"""What a house figure decides is a house rule: no line, finding or ruling that it changes cites the
parent's sources.

Each setting is changed in a file of its own. The hands and questions worked by hand for the parent
are then judged by the parent and by the file: wherever a figure differs, it follows from the house
figure.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from scorepad.referee.answering import give_ruling
from scorepad.rules.definitions import SETTING_KEYS, Ruleset, Standing
from scorepad.rules.judging import Finding, Judgement, judge
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import parse_own_variant, settle, settle_variant
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.ruling_json import read_question
from tests.rules.test_cases import hands_of
from tests.rules.worked_rulings import list_worked_rulings

Given = Mapping[str, Any]
HOUSE: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("house-figures.toml").read_text("utf-8")
)
ALONE: Mapping[str, list[Any]] = HOUSE["alone"]
TOGETHER: list[Given] = HOUSE["together"]
FIXED = {"meld-one-rank", "penalties-known"}
"""Settings with a single value."""
ELSEWHERE = {
    "sides", "resting", "partnership", "unit", "natural-after-opening", "wild-meld-naturals", "sequences", "incomplete",
    "wilds-blocked", "thirteen", "black-threes-aside", "black-threes-exposed", "out-red-threes",
    "held-together", "special-hands", "threes-together", "upcard", "upcard-pile", "upcard-big-piles",
    "upcard-wilds-redeal", "pile", "pile-tops", "dead-ranks", "talon", "turn-card", "special-hands-courtesy",
    "out-partner-foot", "opening-canasta",
}  # fmt: skip
"""Settings that the hands and questions of classica do not bear on, or that bring keys of their own
into a hand.
"""


def files() -> list[Any]:
    """The files: the settings that each gives."""
    alone = [{key: value} for key, values in ALONE.items() if key not in FIXED for value in values]
    return [pytest.param(given, id=json.dumps(given)[:60]) for given in (*alone, *TOGETHER)]


def house(given: Given, parent: str = "classica") -> Ruleset:
    """The rules of a file that gives these settings."""
    settings = {key: {"value": value, "standing": "house"} for key, value in given.items()}
    text = tomlkit.dumps({"id": "casa", "extends": parent, "settings": settings})
    return settle_variant(parse_own_variant("casa.toml", text), None, {})


@cache
def hands() -> list[dict[str, Any]]:
    found = []
    for hand in hands_of("classica"):
        if not hand.get("options") and not hand.get("preset"):
            found.append(hand)
    unopened = {
        "variant": "classica",
        "sides": {"noi": {"red_threes": 4, "left": "A 3b JK"}, "loro": {"melds": ["7xK"]}},
    }
    return [*found, {**unopened, "out": {"side": "loro"}}]


@cache
def questions() -> list[Any]:
    asked = [case["ask"] for _, case in list_worked_rulings()]
    plain = [each for each in asked if each["variant"] == "classica" and not each.get("options")]
    return [read_question(json.dumps(each)).question for each in plain if not each.get("preset")]


def is_house(entry: Any) -> bool:
    return entry.standing is Standing.AGREED and not entry.sources


def lines_changed(before: Judgement, now: Judgement) -> Iterator[Line]:
    """The lines of a hand whose figures differ, or that there were not."""
    for was, side in zip(before.sides or (), now.sides or (), strict=False):
        known = [replace(line, sources=(), standing=None, read=()) for line in was.lines]
        for line in side.lines:
            if replace(line, sources=(), standing=None, read=()) not in known:
                yield line


def figures(entry: Any) -> str:
    """The figures of a finding or a reason, without the name of the game."""
    return str({name: figure for name, figure in entry.arguments.items() if name != "game"})


def findings_changed(before: Judgement, now: Judgement) -> Iterator[Finding]:
    """The findings that there were too, with other figures."""
    known = {(each.code, each.where): figures(each) for each in before.findings}
    for each in now.findings:
        place = (each.code, each.where)
        if place in known and known[place] != figures(each):
            yield each


@pytest.mark.parametrize("given", files())
def test_no_line_or_finding_that_a_house_figure_changes_cites_a_source(given: Given) -> None:
    rules, parent = house(given), settle("classica")
    wrong = []
    for raw in hands():
        try:
            hand = read_hand_request(json.dumps(raw)).hand
        except Unusable:
            continue
        if len(hand.sides) != len(parent.settings.sides):
            continue
        before, now = judge(parent, hand), judge(rules, hand)
        wrong += [(raw, line) for line in lines_changed(before, now) if not is_house(line)]
        wrong += [(raw, each) for each in findings_changed(before, now) if not is_house(each)]
    assert wrong == []


@pytest.mark.parametrize("given", files())
def test_no_reason_that_a_house_figure_changes_cites_a_source(given: Given) -> None:
    rules, parent = house(given), settle("classica")
    wrong = []
    for asked in questions():
        before, now = give_ruling(parent, asked), give_ruling(rules, asked)
        codes = {reason.code for reason in before.reasons}
        known = {(reason.code, figures(reason)) for reason in before.reasons}
        for reason in now.reasons:
            is_changed = reason.code in codes and (reason.code, figures(reason)) not in known
            if is_changed and not is_house(reason):
                wrong.append((asked, reason))
    assert wrong == []


def test_every_setting_is_changed_or_cannot_be() -> None:
    changed = {*ALONE, *(key for given in TOGETHER for key in given)}
    assert set(SETTING_KEYS) - changed - FIXED == ELSEWHERE
