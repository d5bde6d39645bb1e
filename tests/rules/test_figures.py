"""What the data of a variant decides of play: players, cards, openings and what a table may choose.

What a hand scores is held by the worked hands (`tests/cases`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorepad.rules.variants import get_variant, settle, variant_ids

FIGURES = tomllib.loads(Path(__file__).with_name("figures.toml").read_text("utf-8"))


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_seats_its_players_and_deals_their_cards(variant: str) -> None:
    settings, figures = settle(variant).settings, FIGURES[variant]
    assert list(settings.sides) == figures["sides"]
    assert list(settings.resting) == figures["resting"]
    for name in ("decks", "dealt", "drawn", "hands_each"):
        assert getattr(settings, name) == figures[name.replace("_", "-")], name


@pytest.mark.parametrize("variant", [name for name in FIGURES if "openings" in FIGURES[name]])
def test_the_opening_minimum_rises_with_the_score(variant: str) -> None:
    settings = settle(variant).settings
    for score, minimum in FIGURES[variant]["openings"]:
        assert settings.opening_minimum(score, 1) == (None if minimum == "none" else minimum), score


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_takes_the_options_that_the_rules_name(variant: str) -> None:
    assert sorted(get_variant(variant).options) == FIGURES[variant]["options"]


@pytest.mark.parametrize("variant", variant_ids())
def test_presets_belong_to_classic_and_its_table_sizes_and_to_the_american_games(
    variant: str,
) -> None:
    sizes = ("classica", "due", "tre", "tagliagola", "sei", "cinque")
    presets = {"wikipedia", "giochi", "getty", "enciclopedia"} if variant in sizes else set()
    if variant == "moderna":
        presets = {"canasta-league", "pagat"}
    if variant == "hand-and-foot":
        presets = {"pagat", "bicycle", "rummy-games"}
    assert set(get_variant(variant).presets) == presets


@pytest.mark.parametrize(
    ("variant", "options", "changed"),
    [
        ("due", {"code": "usa-1"}, {"dealt": 11, "drawn": 1, "canastas_needed": 1}),
        ("due", {"code": "usa-2"}, {"dealt": 15, "drawn": 1, "canastas_needed": 1}),
        ("due", {"code": "usa-3"}, {"drawn": 1, "canastas_needed": 2, "first_exchange": True}),
        ("tagliagola", {"dealt": 11, "canastas-needed": 2}, {"dealt": 11, "canastas_needed": 2}),
        ("mini", {"players": 2}, {"sides": (1, 1), "dealt": 12}),
        ("mini", {"players": 3}, {"sides": (1, 1, 1), "dealt": 10}),
    ],
)
def test_an_option_changes_what_is_dealt(
    variant: str, options: dict[str, str | int | bool], changed: dict[str, Any]
) -> None:
    settings = settle(variant, None, options).settings
    assert {key: getattr(settings, key) for key in changed} == changed
