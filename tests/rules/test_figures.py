"""What the data of a variant decides of play: players, cards, openings and what a table may choose.

What a hand scores is held by the worked hands (`tests/cases`).
"""

from typing import Any

import pytest

from scorepad.rules.variants import get_variant, settle, variant_ids
from tests.data import read_data

FIGURES = read_data("rules/figures.toml")


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_seats_its_players_and_deals_their_cards(variant: str) -> None:
    settings = settle(variant).settings
    expected = FIGURES[variant]
    assert list(settings.sides) == expected["sides"]
    assert list(settings.resting) == expected["resting"]
    assert settings.decks == expected["decks"]
    assert settings.dealt == expected["dealt"]
    assert settings.drawn == expected["drawn"]
    assert settings.hands_each == expected["hands-each"]


@pytest.mark.parametrize("variant", [name for name in FIGURES if "openings" in FIGURES[name]])
def test_the_opening_minimum_rises_with_the_score(variant: str) -> None:
    settings = settle(variant).settings
    for score, minimum in FIGURES[variant]["openings"]:
        expected = None if minimum == "none" else minimum
        assert settings.opening_minimum(score, 1) == expected, score


CLASSIC_PRESETS = {"wikipedia", "giochi", "getty", "enciclopedia"}


PRESETS = {
    "classica": CLASSIC_PRESETS,
    "due": CLASSIC_PRESETS,
    "tre": CLASSIC_PRESETS,
    "tagliagola": CLASSIC_PRESETS,
    "sei": CLASSIC_PRESETS,
    "cinque": CLASSIC_PRESETS,
    "moderna": {"canasta-league", "pagat"},
    "hand-and-foot": {"pagat", "bicycle", "rummy-games"},
}


@pytest.mark.parametrize("variant", variant_ids())
def test_presets_belong_to_the_classic_and_the_american_games(variant: str) -> None:
    assert set(get_variant(variant).presets) == PRESETS.get(variant, set())


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("due", {"code": "usa-1"}, {"dealt": 11, "drawn": 1, "canastas_needed": 1}),
        ("due", {"code": "usa-2"}, {"dealt": 15, "drawn": 1, "canastas_needed": 1}),
        ("due", {"code": "usa-3"}, {"drawn": 1, "canastas_needed": 2, "first_exchange": True}),
        ("tagliagola", {"dealt": 11, "canastas-needed": 2}, {"dealt": 11, "canastas_needed": 2}),
        ("mini", {"players": 2}, {"sides": (1, 1), "dealt": 12}),
        ("mini", {"players": 3}, {"sides": (1, 1, 1), "dealt": 10}),
    ],
)
def test_an_option_changes_the_settings(
    variant: str, options: dict[str, str | int | bool], expected: dict[str, Any]
) -> None:
    settings = settle(variant, None, options).settings
    for name, value in expected.items():
        assert getattr(settings, name) == value


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_takes_the_options_that_the_rules_name(variant: str) -> None:
    assert sorted(get_variant(variant).options) == FIGURES[variant]["options"]
