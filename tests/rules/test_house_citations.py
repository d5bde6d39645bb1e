"""What a house figure decides is a house rule: no line, finding or ruling that it changes cites the
parent's sources.

Each setting is changed in a file of its own. The hands and questions worked by hand for the parent
are then judged by the parent and by the file: wherever a figure differs, it follows from the house
figure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
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
from tests.rules.test_cases import _hands
from tests.rules.test_worked_rulings import cases

CARDS = dict.fromkeys(["JK", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3b"], 15)
NATURAL = {
    "item": "natural-canasta",
    "points": 700,
    "shape": "group",
    "wilds": [0, 0],
    "family": "natural",
}
MIXED = {
    "item": "mixed-canasta",
    "points": 400,
    "shape": "group",
    "wilds": [1, 3],
    "family": "mixed",
}
WILD = {"item": "wild-canasta", "points": 900, "shape": "wilds", "family": "wild"}
Given = Mapping[str, Any]
ALONE: dict[str, list[Any]] = {
    "drawn": [2], "first-exchange": [True], "target": [3000], "match-deals": [4], "card-points": [CARDS],
    "counted-by": ["cards"], "meld-shortest": [4], "meld-longest": [7], "meld-naturals": [1, 3],
    "wild-limit": [2, 4], "wild-ratio": ["not-more-than-naturals", "fewer-than-naturals"],
    "natural-only": [["K"]], "black-threes": ["never"], "black-threes-fewest": [4],
    "black-threes-longest": [3], "black-threes-wilds": ["pure"], "canasta-length": [6, 8],
    "wild-on-canasta": ["forbidden"], "canastas": [[NATURAL, MIXED]], "canastas-count": ["with-out-needs"],
    "concealed-canasta": [100], "opening-steps": [[[0, 60], [1500, 100], [3000, 130]]], "opening-below-zero": [30],
    "red-three-values": [[150, 300, 450, 1200]], "red-threes-condition": ["out-needs"],
    "red-threes-otherwise": ["to-opponents", "zero"], "held-red-three": [300], "held-red-three-counts": ["once"],
    "red-threes-kept": ["may-be-kept"], "canastas-needed": [2], "canasta-families-needed": [[["natural", 1]]],
    "permission": ["must-ask"], "last-discard": ["obligatory"], "last-discard-special": ["any"], "out-bonus": [150],
    "concealed-out-bonus": [400], "concealed-out": ["own-melds-only"], "left-black-three": [100],
    "cards-by-canastas": [[0, 1]], "freezing": ["always", "never"], "black-three-discarded": ["freezes"],
    "stop-ranks": [["7"]], "first-round-black-threes": ["forbidden"], "discard-fitting": ["forbidden"],
    "upcard-wild": ["cover", "stay"], "upcard-red-three": ["cover", "stay"], "upcard-black-three": ["stay"],
    "upcard-freezes": ["never"], "pile-naturals": [2], "pile-naturals-frozen": [3],
    "pile-top-laid-off": ["never"], "pile-drawn": [1], "pile-layoff": ["top-card-only"], "end-of-stock": ["at-once"],
    "dealt": [13], "hands-each": [2], "opening-naturals-up-to": [50], "opening-natural-group": ["needed"],
    "opening-pile": ["never"], "opening-wild-melds": ["not-alone"], "repeated-rank": ["not-incomplete"],
    "out-bonus-adds": ["sum"], "wild-melds-shortest": [4], "wild-melds-longest": [7], "left-wild": [5],
    "left-group": [3], "decks": [1],
}  # fmt: skip
"""Values of settings that a file may change alone."""
TOGETHER: list[Given] = [
    {"decks": 3, "red-three-values": [100, 200, 300, 800, 900, 1000]},
    {"wild-melds": "allowed", "canastas": [NATURAL, MIXED, WILD]},
    {"opening-by": "deal", "opening-deals": [60, 90]},
    {"red-threes-condition": "canastas", "red-threes-by-canastas": [-1, 1]},
    {"cards-left": "groups", "left-group": 3, "left-wild": 10},
    {
        "out-bonus-canastas": [{"points": 500, "canastas": 2, "natural": 0, "mixed": 0}],
        "out-bonus-adds": "sum",
    },
    {
        "red-threes-condition": "families",
        "red-threes-by-families": [
            {"having": having, "own": 1, "opponents": 1}
            for having in ("both", "natural", "mixed", "none")
        ],
    },
]
FIXED = {"meld-one-rank", "meld-wilds-stay", "penalties-known"}
"""Settings with a single value."""
ELSEWHERE = {
    "sides", "resting", "partnership", "unit", "natural-after-opening", "wild-meld-naturals", "sequences", "incomplete",
    "wilds-blocked", "thirteen", "black-threes-aside", "black-threes-exposed", "out-red-threes",
    "held-together", "special-hands", "threes-together", "upcard", "upcard-pile", "upcard-big-piles",
    "upcard-wilds-redeal", "pile", "pile-tops",
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
    found = [
        hand for hand in _hands("classica") if not hand.get("options") and not hand.get("preset")
    ]
    unopened = {
        "variant": "classica",
        "sides": {"noi": {"red_threes": 4, "left": "A 3b JK"}, "loro": {"melds": ["7xK"]}},
    }
    return [*found, {**unopened, "out": {"side": "loro"}}]


@cache
def questions() -> list[Any]:
    asked = [case["ask"] for _, case in cases()]
    plain = [each for each in asked if each["variant"] == "classica" and not each.get("options")]
    return [read_question(json.dumps(each)).question for each in plain if not each.get("preset")]


def is_house(entry: Any) -> bool:
    return entry.standing is Standing.AGREED and not entry.sources


def lines_changed(before: Judgement, now: Judgement) -> Iterator[Line]:
    """The lines of a hand whose figures differ, or that there were not."""
    for was, side in zip(before.sides or (), now.sides or (), strict=False):
        known = {(line.item, line.code, line.reason, line.count, line.points) for line in was.lines}
        for line in side.lines:
            if (line.item, line.code, line.reason, line.count, line.points) not in known:
                yield line


def figures(entry: Any) -> str:
    """The figures of a finding or a reason, without the name of the game."""
    return str({name: figure for name, figure in entry.arguments.items() if name != "game"})


def findings_changed(before: Judgement, now: Judgement) -> Iterator[Finding]:
    """The findings that there were too, with other figures."""
    places = {(each.code, each.where) for each in before.findings}
    known = {(each.code, each.where, figures(each)) for each in before.findings}
    for each in now.findings:
        if (each.code, each.where) in places and (
            each.code,
            each.where,
            figures(each),
        ) not in known:
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
        known = {(why.code, figures(why)) for why in before.reasons}
        codes = {why.code for why in before.reasons}
        changed = [
            why
            for why in now.reasons
            if why.code in codes and (why.code, figures(why)) not in known
        ]
        wrong += [(asked, why) for why in changed if not is_house(why)]
    assert wrong == []


def test_every_setting_is_changed_or_cannot_be() -> None:
    changed = {*ALONE, *(key for given in TOGETHER for key in given)}
    assert set(SETTING_KEYS) - changed - FIXED == ELSEWHERE
