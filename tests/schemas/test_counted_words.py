"""Numbers of cards and canastas in sentences: their plurals and genders in both languages."""

from __future__ import annotations

import json
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
from scorepad.rules.cards import Kind

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
