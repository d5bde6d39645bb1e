"""What the data of a variant decides of play: players, cards, openings and what a table may choose.

What a hand scores is held by the worked hands (`tests/cases`).
"""

from typing import Any

import pytest

from scorepad.rules.variants import get_variant, settle, variant_ids
from tests.data import read_data

FIGURES = read_data("rules/figures.toml")


@pytest.mark.parametrize("variant", variant_ids())
def test_variant_has_the_expected_seats_decks_and_cards(variant: str) -> None:
    # In `figures.toml`, for example, classica has sides = [2, 2]: two sides of two players.
    settings = settle(variant).settings
    expected = FIGURES[variant]
    assert list(settings.sides) == expected["sides"]
    assert list(settings.resting) == expected["resting"]  # players who sit out, of each side
    assert settings.decks == expected["decks"]

    # The cards that a player is dealt, and those that they draw in their turn. In some games a
    # player has several hands of cards.
    assert settings.dealt == expected["dealt"]
    assert settings.drawn == expected["drawn"]
    assert settings.hands_each == expected["hands-each"]


OPENINGS = []
"""Variants with a score and the points that a side with that score needs to open."""
for name in FIGURES:
    for score_of_side, minimum in FIGURES[name].get("openings", []):
        OPENINGS.append((name, score_of_side, None if minimum == "none" else minimum))


@pytest.mark.parametrize(("variant", "score", "expected"), OPENINGS)
def test_opening_minimum_follows_from_the_score(
    variant: str, score: int, expected: int | None
) -> None:
    # The first melds of a side open the game for it, and need a minimum of points, which rises with
    # its score in the match: 50 points from 0, 90 from 1,500 in classica. None: no minimum.
    assert settle(variant).settings.opening_minimum(score, deal=1) == expected


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
def test_only_classic_and_american_games_have_presets(variant: str) -> None:
    # A preset is the rules of a game as one of its sources has them: "wikipedia", "pagat".
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
def test_option_changes_settings(
    variant: str, options: dict[str, str | int | bool], expected: dict[str, Any]
) -> None:
    # A table chooses options of a game. In "due" (for two), for example, the option "code" chooses
    # between three American versions: by "usa-1" a player is dealt 11 cards, by "usa-2" 15.
    settings = settle(variant, options=options).settings

    # They change these settings, which are attributes here: `canastas_needed` to go out is what the
    # option "canastas-needed" sets.
    for name, value in expected.items():
        assert getattr(settings, name) == value


@pytest.mark.parametrize("variant", variant_ids())
def test_variant_has_the_expected_options(variant: str) -> None:
    assert sorted(get_variant(variant).options) == FIGURES[variant]["options"]
