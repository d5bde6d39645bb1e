"""What people read of cards: numbers of them in both languages, and which of several things is wrong
with those that were laid, in words that hold at their table.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.i18n.counted import (
    say_how_many_canastas_are_here,
    say_how_many_cards_are_here,
    say_number_of_canastas,
    say_number_of_cards,
    say_number_of_natural_cards,
    say_what_canastas_must_be,
)
from scorepad.i18n.findings import describe_finding
from scorepad.rules.cards import Kind
from scorepad.rules.judging import Finding, judge
from scorepad.schemas import read_hand_request

WORDS = json.loads(Path(__file__).with_name("counted-words.json").read_text("utf-8"))
COUNTED = {
    "natural": say_number_of_natural_cards,
    "any": say_number_of_cards,
    "here": say_how_many_cards_are_here,
}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("what", COUNTED)
def test_cards_are_counted(what: str, language: str) -> None:
    for kind, count, told in WORDS["cards"][what][language]:
        assert COUNTED[what](Kind(kind), count, words(language)) == told


@pytest.mark.parametrize(("language", "game", "family", "count", "told"), WORDS["canastas"])
def test_canastas_are_counted(language: str, game: str, family: str, count: int, told: str) -> None:
    assert say_number_of_canastas(game, family, count, words(language)) == told


@pytest.mark.parametrize(("language", "game", "families", "told"), WORDS["canastas must be"])
def test_what_canastas_must_be(
    language: str, game: str, families: list[tuple[str, int]], told: str
) -> None:
    assert say_what_canastas_must_be(game, families, words(language)) == told


def test_the_canastas_that_there_are() -> None:
    assert say_how_many_canastas_are_here("classica", 1, words("it")) == "qui ce n'è una"
    assert say_how_many_canastas_are_here("hand-and-foot", 1, words("it")) == "qui ce n'è uno"
    assert say_how_many_canastas_are_here("classica", 0, words("it")) == "qui non ce ne sono"


def found(variant: str, melds: list[str], code: str) -> Finding:
    """What the pad finds in a hand of a side that went out with these melds."""
    sides = {"noi": {"melds": melds}, "loro": {}}
    hand = {
        "variant": variant,
        "before": {"noi": 0, "loro": 0},
        "sides": sides,
        "out": {"side": "noi"},
    }
    read = read_hand_request(json.dumps(hand))
    return next(each for each in judge(read.rules, read.hand).findings if each.code == code)


PROBLEMS = tomllib.loads(Path(__file__).with_name("laid-words.toml").read_text("utf-8"))["problems"]


@pytest.mark.parametrize(("variant", "melds", "code", "italian", "english"), PROBLEMS)
def test_the_pad_says_the_rule_in_force_and_no_other_game(
    variant: str, melds: list[str], code: str, italian: str, english: str
) -> None:
    finding = found(variant, melds, code)
    assert italian in describe_finding(finding, ("noi", "loro"), words("it"))
    assert english in describe_finding(finding, ("noi", "loro"), words("en"))


def test_of_a_short_meld_of_wild_cards_the_mini_names_its_own_source_first() -> None:
    assert found("mini", ["3x2"], "meld-too-short").sources[0] == "W:Variante mini"
