"""What a house figure decides is a house rule: no line, finding or ruling that it changes cites the
parent's sources.

Each setting is changed in a file of its own. The hands and questions worked by hand for the parent
are then judged by the parent and by the file: wherever a figure differs, it follows from the house
figure.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import tomlkit

from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import AnyQuestion
from scorepad.referee.ruling import Reason, Ruling
from scorepad.rules.definitions import SETTING_KEYS, Ruleset, Standing
from scorepad.rules.hand import Hand
from scorepad.rules.judging import Finding, Judgement, judge
from scorepad.rules.score_lines import Line
from scorepad.rules.variants import parse_own_variant, settle, settle_variant
from scorepad.schemas import Unusable, read_hand_request
from scorepad.schemas.ruling_json import read_question
from tests.data import read_data
from tests.rules.test_cases import worked_hands_of
from tests.rules.worked_rulings import list_worked_rulings

# A file of house rules extends a game of the app and changes its settings. What follows from such a
# setting cites no source, as the table made it up; everything else cites the sources of the game.
SettingValues = Mapping[str, Any]
HOUSE_FIGURES: Mapping[str, Any] = read_data("rules/house-figures.toml")
CHANGED_ALONE: Mapping[str, list[Any]] = HOUSE_FIGURES["alone"]
"""Values of settings that a file of house rules changes by themselves."""
CHANGED_TOGETHER: list[SettingValues] = HOUSE_FIGURES["together"]
SINGLE_VALUED = {"meld-one-rank", "penalties-known"}
"""Settings with a single value."""
NOT_TRIED = {
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


def list_house_rules() -> list[Any]:
    """List the files of house rules that are tried, each by the settings that it changes.

    That is one setting, such as `{"out-bonus": 150}`, once for each value in `house-figures.toml`;
    or several together. A setting with a single value cannot be changed.
    """
    house_rules = []
    for key, values in CHANGED_ALONE.items():
        if key not in SINGLE_VALUED:
            house_rules += [{key: value} for value in values]
    house_rules += CHANGED_TOGETHER
    return [pytest.param(changed, id=json.dumps(changed)[:60]) for changed in house_rules]


def read_house_rules(changed: SettingValues) -> Ruleset:
    """Read a file of house rules that extends classica and changes these settings."""
    settings = {key: {"value": value, "standing": "house"} for key, value in changed.items()}
    text = tomlkit.dumps({"id": "casa", "extends": "classica", "settings": settings})
    return settle_variant(parse_own_variant("casa.toml", text), None, {})


def is_plain_classica(request: Mapping[str, Any]) -> bool:
    """Tell whether a hand or question is one of classica without options."""
    return (
        request["variant"] == "classica"
        and not request.get("options")
        and not request.get("preset")
    )


def list_hands() -> list[Hand]:
    """List the worked hands of classica for two sides, and one in which a side laid nothing."""
    requests = [hand for hand in worked_hands_of("classica") if is_plain_classica(hand)]
    # This side laid nothing. It had four red threes, and was left with an ace, a black three and a
    # joker. The other side laid seven kings and went out.
    requests.append(
        {
            "variant": "classica",
            "sides": {"noi": {"red_threes": 4, "left": "A 3b JK"}, "loro": {"melds": ["7xK"]}},
            "out": {"side": "loro"},
        }
    )
    hands = []
    for request in requests:
        with suppress(Unusable):  # some are worked to show that they cannot be read
            hands.append(read_hand_request(json.dumps(request)).hand)
    return [hand for hand in hands if len(hand.sides) == 2]


@cache
def judge_hands_by_classica() -> list[tuple[Hand, Judgement]]:
    """Judge the hands by classica, which the house rules change; return each with its judgement."""
    classica = settle("classica")
    return [(hand, judge(classica, hand)) for hand in list_hands()]


@cache
def rule_on_questions_by_classica() -> list[tuple[AnyQuestion, Ruling]]:
    """Answer the questions of the worked rulings by classica; return each with its ruling."""
    classica = settle("classica")
    rulings = []
    for _, case in list_worked_rulings():
        if is_plain_classica(case["ask"]):
            question = read_question(json.dumps(case["ask"])).question
            rulings.append((question, give_ruling(classica, question)))
    return rulings


def is_cited_as_house_rule(entry: Line | Finding | Reason) -> bool:
    return entry.standing is Standing.AGREED and not entry.sources


def without_citation(line: Line) -> Line:
    """Return a score line with its figures alone, to compare it with another."""
    return replace(line, sources=(), standing=None, read=())


def list_changed_lines(usual: Judgement, by_house_rules: Judgement) -> list[Line]:
    """List the score lines of a hand that are new, or have other figures, by house rules.

    Where a source is cited for a line does not matter here. A hand that breaks a rule has no score,
    and so no lines.
    """
    if usual.sides is None or by_house_rules.sides is None:
        return []
    changed = []
    for usual_side, side in zip(usual.sides, by_house_rules.sides, strict=True):
        usual_lines = [without_citation(line) for line in usual_side.lines]
        for line in side.lines:
            if without_citation(line) not in usual_lines:
                changed.append(line)
    return changed


def figures(entry: Finding | Reason) -> str:
    """Write the figures of a finding or a reason as a text, without the name of the game."""
    return str({name: figure for name, figure in entry.arguments.items() if name != "game"})


def list_changed_findings(usual: Judgement, by_house_rules: Judgement) -> list[Finding]:
    """List the findings (problems of a hand) by both rules that have other figures by house rules.

    For example an opening of too few points, where the house rules have another minimum.
    """
    usual_figures = {(each.code, each.where): figures(each) for each in usual.findings}
    changed = []
    for finding in by_house_rules.findings:
        code_and_place = (finding.code, finding.where)
        if code_and_place not in usual_figures:
            continue
        if usual_figures[code_and_place] != figures(finding):
            changed.append(finding)
    return changed


def list_changed_reasons(usual: Ruling, by_house_rules: Ruling) -> list[Reason]:
    """List the reasons given by both rules that have other figures by house rules."""
    usual_codes = {reason.code for reason in usual.reasons}
    usual_figures = {(reason.code, figures(reason)) for reason in usual.reasons}
    changed = []
    for reason in by_house_rules.reasons:
        if reason.code in usual_codes and (reason.code, figures(reason)) not in usual_figures:
            changed.append(reason)
    return changed


@pytest.mark.parametrize("changed_settings", list_house_rules())
def test_score_lines_and_findings_changed_by_house_rule_cite_no_source(
    changed_settings: SettingValues,
) -> None:
    # The house rules change settings of classica: {"out-bonus": 150} gives 150 points for going
    # out, instead of 100. Score the same hands by classica and by the house rules.
    house_rules = read_house_rules(changed_settings)
    for hand, usual in judge_hands_by_classica():
        by_house_rules = judge(house_rules, hand)

        # Every difference follows from the changed setting, and no source says that.
        for line in list_changed_lines(usual, by_house_rules):
            assert is_cited_as_house_rule(line), hand
        for finding in list_changed_findings(usual, by_house_rules):
            assert is_cited_as_house_rule(finding), hand


@pytest.mark.parametrize("changed_settings", list_house_rules())
def test_reasons_changed_by_house_rule_cite_no_source(changed_settings: SettingValues) -> None:
    # The house rules change settings of classica, such as {"out-bonus": 150}. Ask the referee the
    # same questions by classica and by the house rules.
    house_rules = read_house_rules(changed_settings)
    for question, usual in rule_on_questions_by_classica():
        by_house_rules = give_ruling(house_rules, question)

        # Every difference follows from the changed setting, and no source says that.
        for reason in list_changed_reasons(usual, by_house_rules):
            assert is_cited_as_house_rule(reason), question


def list_settings_tried() -> set[str]:
    """List the settings that the house rules of these tests change.

    Each test uses one file of house rules. Most files change one setting, others several together.
    """
    tried = set(CHANGED_ALONE)
    for settings in CHANGED_TOGETHER:
        tried |= settings.keys()

    # `CHANGED_ALONE` may have settings with a single value, of which no file is made: there is no
    # other value to change them to.
    return tried - SINGLE_VALUED


def test_every_setting_is_tried_or_listed_as_not_tried() -> None:
    # If this fails for a new setting, give it a value in `house-figures.toml`.
    assert list_settings_tried() | SINGLE_VALUED | NOT_TRIED == set(SETTING_KEYS)


def test_no_setting_listed_as_not_tried_is_tried() -> None:
    assert list_settings_tried().isdisjoint(NOT_TRIED)
