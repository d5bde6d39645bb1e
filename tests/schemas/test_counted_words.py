"""Numbers of cards and canastas in sentences: their plurals and genders in both languages."""

from __future__ import annotations

import pytest

from scorepad.i18n import words
from scorepad.i18n.counted import (
    canastas_here,
    canastas_required,
    cards_here,
    counted_canastas,
    counted_cards,
    counted_natural_cards,
)
from scorepad.rules.cards import Kind


@pytest.mark.parametrize(
    ("language", "kind", "count", "told"),
    [
        ("it", "8", 1, "un otto naturale"),
        ("it", "8", 2, "due otto naturali"),
        ("it", "Q", 1, "una donna naturale"),
        ("it", "Q", 3, "tre donne naturali"),
        ("it", "A", 2, "due assi naturali"),
        ("it", "K", 20, "20 re naturali"),
        ("en", "8", 1, "one natural eight"),
        ("en", "6", 2, "two natural sixes"),
    ],
)
def test_natural_cards_are_counted(language: str, kind: str, count: int, told: str) -> None:
    assert counted_natural_cards(Kind(kind), count, words(language)) == told


@pytest.mark.parametrize(
    ("language", "kind", "count", "told"),
    [
        ("it", "2", 4, "quattro pinelle"),
        ("it", "2", 1, "una pinella"),
        ("it", "3r", 3, "tre 3 rossi"),
        ("en", "8", 1, "an eight"),
        ("en", "3r", 3, "three red threes"),
    ],
)
def test_any_cards_are_counted(language: str, kind: str, count: int, told: str) -> None:
    assert counted_cards(Kind(kind), count, words(language)) == told


@pytest.mark.parametrize(
    ("language", "kind", "count", "told"),
    [
        ("it", "8", 0, "qui non ce ne sono"),
        ("it", "8", 1, "qui ce n'è uno"),
        ("it", "Q", 1, "qui ce n'è una"),
        ("it", "2", 1, "qui ce n'è una"),
        ("it", "Q", 3, "qui ce ne sono tre"),
        ("en", "Q", 0, "there are none here"),
        ("en", "Q", 1, "there is one here"),
        ("en", "Q", 2, "there are two here"),
    ],
)
def test_the_cards_that_there_are(language: str, kind: str, count: int, told: str) -> None:
    assert cards_here(Kind(kind), count, words(language)) == told


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
    assert counted_canastas(game, family, count, words(language)) == told


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
    assert canastas_required(game, families, words(language)) == told


def test_the_canastas_that_there_are() -> None:
    assert canastas_here("classica", 1, words("it")) == "qui ce n'è una"
    assert canastas_here("hand-and-foot", 1, words("it")) == "qui ce n'è uno"
    assert canastas_here("classica", 0, words("it")) == "qui non ce ne sono"
