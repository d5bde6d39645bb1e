"""Numbers of cards and canastas in sentences: their plurals and genders in both languages."""

from __future__ import annotations

from collections.abc import Callable

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
from scorepad.rules.cards import Kind

NATURAL, ANY, HERE = say_number_of_natural_cards, say_number_of_cards, say_how_many_cards_are_here


@pytest.mark.parametrize(
    ("counted", "language", "kind", "count", "told"),
    [
        (NATURAL, "it", "8", 1, "un otto naturale"),
        (NATURAL, "it", "8", 2, "due otto naturali"),
        (NATURAL, "it", "Q", 1, "una donna naturale"),
        (NATURAL, "it", "Q", 3, "tre donne naturali"),
        (NATURAL, "it", "A", 2, "due assi naturali"),
        (NATURAL, "it", "K", 20, "20 re naturali"),
        (NATURAL, "en", "8", 1, "one natural eight"),
        (NATURAL, "en", "6", 2, "two natural sixes"),
        (ANY, "it", "2", 4, "quattro pinelle"),
        (ANY, "it", "2", 1, "una pinella"),
        (ANY, "it", "3r", 3, "tre 3 rossi"),
        (ANY, "en", "8", 1, "an eight"),
        (ANY, "en", "3r", 3, "three red threes"),
        (HERE, "it", "8", 0, "qui non ce ne sono"),
        (HERE, "it", "8", 1, "qui ce n'è uno"),
        (HERE, "it", "Q", 1, "qui ce n'è una"),
        (HERE, "it", "2", 1, "qui ce n'è una"),
        (HERE, "it", "Q", 3, "qui ce ne sono tre"),
        (HERE, "en", "Q", 0, "there are none here"),
        (HERE, "en", "Q", 1, "there is one here"),
        (HERE, "en", "Q", 2, "there are two here"),
    ],
)
def test_cards_are_counted(
    counted: Callable[..., str], language: str, kind: str, count: int, told: str
) -> None:
    assert counted(Kind(kind), count, words(language)) == told


@pytest.mark.parametrize(
    ("language", "game", "family", "count", "told"),
    [
        ("it", "classica", "any", 1, "una canasta"),
        ("it", "due", "any", 2, "due canaste"),
        ("it", "hand-and-foot", "any", 1, "un libro"),
        ("it", "hand-and-foot", "mixed", 2, "due libri sporchi"),
        ("it", "bolivia", "sequence", 1, "un'escalera"),
        ("en", "canastone", "mixed", 1, "one mixed canasta"),
        ("en", "hand-and-foot", "any", 5, "five books"),
    ],
)
def test_canastas_are_counted(language: str, game: str, family: str, count: int, told: str) -> None:
    assert say_number_of_canastas(game, family, count, words(language)) == told


@pytest.mark.parametrize(
    ("language", "game", "families", "told"),
    [
        ("it", "canastone", [("natural", 1), ("mixed", 1)], "una dev'essere naturale e una mista"),
        ("it", "mini", [("natural", 1), ("mixed", 1)], "una dev'essere pura e una sporca"),
        ("it", "bolivia", [("sequence", 1)], "una dev'essere un'escalera"),
        ("it", "hand-and-foot", [("natural", 2), ("mixed", 2), ("wild", 1)],
         "due devono essere puliti, due sporchi e uno di matte"),
        ("en", "canastone", [("natural", 1), ("mixed", 1)], "one must be natural and one mixed"),
    ],
)  # fmt: skip
def test_what_canastas_must_be(
    language: str, game: str, families: list[tuple[str, int]], told: str
) -> None:
    assert say_what_canastas_must_be(game, families, words(language)) == told


def test_the_canastas_that_there_are() -> None:
    assert say_how_many_canastas_are_here("classica", 1, words("it")) == "qui ce n'è una"
    assert say_how_many_canastas_are_here("hand-and-foot", 1, words("it")) == "qui ce n'è uno"
    assert say_how_many_canastas_are_here("classica", 0, words("it")) == "qui non ce ne sono"
