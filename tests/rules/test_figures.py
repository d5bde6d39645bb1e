"""What the data of a variant decides of play: players, cards, openings and what a table may choose.

What a hand scores is held by the worked hands (`tests/cases`).
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.rules.variants import get_variant, settle, variant_ids

SEATED = ("sides", "resting", "decks", "dealt", "drawn", "hands_each")
DEALT: dict[str, tuple[Any, ...]] = {
    # players of each side, those who sit out, decks, cards dealt, cards drawn, hands of a player
    "classica": ((2, 2), (0, 0), 2, 11, 1, 1),
    "due": ((1, 1), (0, 0), 2, 15, 2, 1),
    "tre": ((1, 1, 1), (0, 0, 0), 2, 13, 1, 1),
    "tagliagola": ((1, 1, 1), (0, 0, 0), 2, 13, 2, 1),
    "sei": ((3, 3), (0, 0), 2, 11, 1, 1),
    "cinque": ((2, 3), (0, 1), 2, 11, 1, 1),
    "uruguaiana": ((2, 2), (0, 0), 2, 11, 1, 1),
    "cubana": ((2, 2), (0, 0), 2, 13, 1, 1),
    "messicana": ((2, 2), (0, 0), 3, 13, 1, 1),
    "sette": ((2, 2), (0, 0), 2, 11, 1, 1),
    "samba": ((2, 2), (0, 0), 3, 15, 2, 1),
    "bolivia": ((2, 2), (0, 0), 3, 15, 2, 1),
    "canastone": ((2, 2), (0, 0), 3, 15, 2, 1),
    "mini": ((2, 2), (0, 0), 3, 9, 2, 1),
    "moderna": ((2, 2), (0, 0), 2, 13, 1, 1),
    "hand-and-foot": ((2, 2), (0, 0), 5, 13, 2, 2),
}


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_seats_its_players_and_deals_their_cards(variant: str) -> None:
    settings = settle(variant).settings
    assert tuple(getattr(settings, name) for name in SEATED) == DEALT[variant]


CLASSIC_STEPS: dict[int, int | None] = {
    -5: 15,
    0: 50,
    1495: 50,
    1499: 50,
    1500: 90,
    2995: 90,
    3000: 120,
    9000: 120,
}
SAMBA_STEPS: dict[int, int | None] = {
    -5: 15,
    0: 50,
    1495: 50,
    1500: 90,
    2995: 90,
    3000: 120,
    6995: 120,
    7000: 150,
}
OPENINGS: dict[str, dict[int, int | None]] = {
    **dict.fromkeys(("classica", "due", "tre", "tagliagola", "sei", "cinque"), CLASSIC_STEPS),
    **dict.fromkeys(("uruguaiana", "messicana", "sette"), CLASSIC_STEPS),
    "cubana": {-5: 15, 0: 50, 1500: 90, 3000: 120, 4995: 120, 5000: 150},
    **dict.fromkeys(("samba", "bolivia"), SAMBA_STEPS),
    "canastone": {
        -5: 15, 0: 50, 2995: 50, 3000: 90, 4995: 90, 5000: 120, 6995: 120, 7000: 160, 9995: 160, 10_000: 180,
        11_995: 180, 12_000: 200,
    },
    "mini": {-5: None, 0: None, 29: None},
    "moderna": {-5: 125, 0: 125, 2995: 125, 3000: 155, 4995: 155, 5000: 180},
}  # fmt: skip


@pytest.mark.parametrize("variant", OPENINGS)
def test_the_opening_minimum_rises_with_the_score(variant: str) -> None:
    settings = settle(variant).settings
    assert {score: settings.opening_minimum(score, 1) for score in OPENINGS[variant]} == OPENINGS[
        variant
    ]


def test_the_opening_minimum_of_hand_and_foot_rises_with_the_hand() -> None:
    settings = settle("hand-and-foot").settings
    assert [settings.opening_minimum(9000, deal) for deal in (1, 2, 3, 4)] == [50, 90, 120, 150]


CLASSIC_OPTIONS = {
    "wild-limit", "canasta-size", "wild-on-canasta", "concealed-canasta", "opening-steps", "red-threes-unopened",
    "held-red-three",
    "black-threes-out", "concealed-out", "upcard", "pile", "end-of-stock", "target",
}  # fmt: skip
OPTIONS: dict[str, set[str]] = {
    **dict.fromkeys(("classica", "tre", "sei", "cinque"), CLASSIC_OPTIONS),
    "due": CLASSIC_OPTIONS | {"code"},
    "tagliagola": CLASSIC_OPTIONS | {"dealt", "canastas-needed"},
    "uruguaiana": CLASSIC_OPTIONS - {"pile"},
    "cubana": CLASSIC_OPTIONS - {"pile", "canasta-size", "red-threes-unopened", "opening-steps"},
    "messicana": CLASSIC_OPTIONS | {"thirteen"},
    "sette": CLASSIC_OPTIONS | {"sevens-held"},
    "samba": {"pile-layoff", "red-threes-may-be-kept", "black-three-canasta", "target"},
    "bolivia": {
        "pile-layoff", "red-threes-may-be-kept", "black-three-canasta", "target", "dirty-escalera", "black-threes-held",
    },
    "canastone": {
        "wild-opening", "wild-limit", "wilds-block-mixed", "out-bonus", "red-threes-mode", "upcard",
        "upcard-black-three", "target",
    },
    "mini": {"players", "hand-groups", "target"},
    "moderna": {"target"},
    "hand-and-foot": {"held-red-three", "books-needed"},
}  # fmt: skip


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_takes_the_options_that_the_rules_name(variant: str) -> None:
    assert set(get_variant(variant).options) == OPTIONS[variant]


@pytest.mark.parametrize("variant", variant_ids())
def test_the_presets_belong_to_the_classic_game_and_its_table_sizes(variant: str) -> None:
    sizes = ("classica", "due", "tre", "tagliagola", "sei", "cinque")
    presets = {"wikipedia", "giochi", "getty", "enciclopedia"} if variant in sizes else set()
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


@pytest.mark.parametrize("variant", variant_ids())
def test_a_concealed_going_out_without_a_bonus_of_its_own_has_that_of_any_going_out(
    variant: str,
) -> None:
    settings = get_variant(variant).settings
    concealed = settings["concealed-out-bonus"]
    assert (
        concealed.cited.read != "no-higher-bonus" or concealed.value == settings["out-bonus"].value
    )
