"""What people read of cards: numbers of them in both languages, and which of several things is wrong
with those that were laid, in words that hold at their table.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from scorepad.i18n import Words, words
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
from scorepad.rules.judging import Finding
from scorepad.schemas import read_hand_request
from tests.data import read_data

WORDS = read_data("schemas/counted-words.json")
PROBLEMS = read_data("schemas/laid-words.toml")["problems"]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("say_number", "rows"),
    [
        (say_number_of_natural_cards, WORDS["cards"]["natural"]),
        (say_number_of_cards, WORDS["cards"]["any"]),
        (say_how_many_cards_are_here, WORDS["cards"]["here"]),
    ],
)
def test_number_of_cards_is_said_in_words(
    say_number: Callable[[Kind, int, Words], str], rows: dict[str, Any], language: str
) -> None:
    # Such as ["8", 2, "due otto naturali"]: of the rank 8, two natural cards, in Italian.
    for kind, count, expected in rows[language]:
        assert say_number(Kind(kind), count, words(language)) == expected


@pytest.mark.parametrize(("language", "game", "family", "count", "expected"), WORDS["canastas"])
def test_number_of_canastas_is_said_in_words(
    language: str, game: str, family: str, count: int, expected: str
) -> None:
    # The words depend on the game: in hand and foot a mixed canasta is a "libro sporco", a dirty
    # book. Two of them are "due libri sporchi".
    assert say_number_of_canastas(game, family, count, words(language)) == expected


@pytest.mark.parametrize(("language", "game", "families", "expected"), WORDS["canastas must be"])
def test_families_of_canastas_needed_are_said_in_words(
    language: str, game: str, families: list[tuple[str, int]], expected: str
) -> None:
    # To go out, a side of canastone needs one natural canasta and one mixed canasta. In English this
    # is "one must be natural and one mixed".
    assert say_what_canastas_must_be(game, families, words(language)) == expected


@pytest.mark.parametrize(
    ("game", "count", "expected"),
    [
        # "There is one here": "una", because a canasta is feminine in Italian.
        ("classica", 1, "qui ce n'è una"),
        # In hand and foot canastas are called books, and a book is masculine.
        ("hand-and-foot", 1, "qui ce n'è uno"),
        # "There are none here."
        ("classica", 0, "qui non ce ne sono"),
    ],
)
def test_number_of_canastas_here_is_said_in_words(game: str, count: int, expected: str) -> None:
    assert say_how_many_canastas_are_here(game, count, words("it")) == expected


def find_problem(variant: str, melds: list[str], code: str) -> Finding:
    """Judge a hand of a side that went out with these melds; return the problem with this code."""
    hand = {
        "variant": variant,
        "before": {"noi": 0, "loro": 0},
        "sides": {"noi": {"melds": melds}, "loro": {}},
        "out": {"side": "noi"},
    }
    findings = read_hand_request(json.dumps(hand)).judge().findings
    problems = [finding for finding in findings if finding.code == code]
    return problems[0]


@pytest.mark.parametrize(("variant", "melds", "code", "italian", "english"), PROBLEMS)
def test_problem_of_melds_is_described_by_the_rule_of_the_game(
    variant: str, melds: list[str], code: str, italian: str, english: str
) -> None:
    # Too many wild cards, for example: classica allows three in a meld, moderna none with sevens. A
    # sentence must say which.
    problem = find_problem(variant, melds, code)
    assert italian in describe_finding(problem, ("noi", "loro"), words("it"))
    assert english in describe_finding(problem, ("noi", "loro"), words("en"))


def test_short_meld_of_wild_cards_in_mini_cites_source_of_mini_first() -> None:
    # In mini a meld of twos alone, which are wild, is laid with five cards at once. Three are too few.
    # The rule is one of mini, as its source tells it.
    problem = find_problem("mini", ["3x2"], "meld-too-short")
    assert problem.sources[0] == "W:Variante mini"
