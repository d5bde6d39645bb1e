"""Every variant's figures as the rules page tells them, beside what the data says."""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.rules.settings import Settings
from scorepad.rules.variants import get_variant, settle, variant_ids

CLASSIC = {"natural-canasta": 500, "mixed-canasta": 300}
SEQUENCES = {**CLASSIC, "samba": 1500}
TWO_DECKS, THREE_DECKS = (100, 200, 300, 800), (100, 200, 300, 400, 500, 1000)

FIGURES: dict[str, dict[str, Any]] = {
    "classica": {
        "sides": (2, 2), "decks": 2, "dealt": 11, "drawn": 1, "meld_shortest": 3, "meld_naturals": 2, "wild_limit": 3,
        "canastas": CLASSIC, "concealed_canasta": 0, "red_three_values": TWO_DECKS, "held_red_three": 500,
        "black_threes_fewest": 2, "black_threes_longest": 6, "canastas_needed": 1, "out_bonus": 100,
        "concealed_out_bonus": 200, "target": 5000, "meld_longest": None, "left_black_three": 5,
    },
    "due": {"sides": (1, 1), "dealt": 15, "drawn": 2, "canastas_needed": 2, "target": 5000},
    "tre": {"sides": (1, 1, 1), "dealt": 13, "drawn": 1, "canastas_needed": 1, "target": 5000},
    "tagliagola": {"sides": (1, 1, 1), "dealt": 13, "drawn": 2, "canastas_needed": 1, "target": 7500},
    "sei": {"sides": (3, 3), "dealt": 11, "drawn": 1, "canastas_needed": 1, "target": 5000},
    "cinque": {"sides": (2, 3), "resting": (0, 1), "dealt": 11, "drawn": 1, "canastas_needed": 1, "target": 5000},
    "uruguaiana": {
        "decks": 2, "dealt": 11, "wild_melds_shortest": 3, "wild_melds_longest": None, "target": 5000,
        "canastas": {**CLASSIC, "wild-canasta": 2000}, "canastas_needed": 1,
    },
    "cubana": {
        "dealt": 13, "target": 7500, "meld_longest": 7, "wild_melds_longest": 7, "concealed_out_bonus": 100,
        "canastas": {**CLASSIC, "twos-canasta": 4000, "four-jokers-canasta": 3000, "wild-canasta": 2000},
        "red_three_values": (100, 300, 500, 1000), "black_threes_aside": (5, 10, 15, 100), "canastas_needed": 1,
    },
    "messicana": {
        "decks": 3, "dealt": 13, "canastas": {**CLASSIC, "sevens-canasta": 1000}, "canastas_needed": 2, "target": 5000,
        "red_three_values": (100, 200, 300, 400, 500, 1200), "concealed_out_bonus": 200,
    },
    "sette": {"decks": 2, "dealt": 11, "canastas": {**CLASSIC, "sevens-canasta": 2000}, "target": 5000},
    "samba": {
        "decks": 3, "dealt": 15, "drawn": 2, "target": 10_000, "wild_limit": 2, "canastas": SEQUENCES,
        "out_bonus": 200, "concealed_out_bonus": 200, "canastas_needed": 2, "red_three_values": THREE_DECKS,
        "black_threes_fewest": 3, "black_threes_longest": 6, "held_red_three": 500,
    },
    "bolivia": {
        "decks": 3, "dealt": 15, "drawn": 2, "target": 15_000, "canastas": {**SEQUENCES, "bolivia": 2500},
        "wild_melds_shortest": 3, "wild_melds_longest": 7, "canastas_needed": 2, "left_black_three": 5,
        "canasta_families_needed": (("sequence", 1),),
    },
    "canastone": {
        "decks": 3, "dealt": 15, "drawn": 2, "target": 15_000, "wild_limit": 3, "wild_melds_longest": 7,
        "canastas": {
            **CLASSIC, "mixed-aces-canasta": 500, "natural-aces-canasta": 1000, "wild-canasta": 2000,
            "twos-canasta": 3000, "six-jokers-canasta": 5000,
        },
        "out_bonus": 300, "concealed_out_bonus": 500, "red_three_values": (100, 200, 300, 800, 1000, 1200),
        "canasta_families_needed": (("natural", 1), ("mixed", 1)),
    },
    "mini": {
        "decks": 3, "drawn": 2, "dealt": 9, "target": 30, "canasta_length": 5, "meld_longest": 5, "meld_naturals": 1,
        "canastas": {"natural-canasta": 2, "mixed-canasta": 1, "wild-canasta": 5, "twos-canasta": 10},
        "wild_melds_shortest": 5, "wild_melds_longest": 5, "wild_limit": 2, "left_wild": 3, "left_group": 3,
        "out_bonus": 0, "concealed_out_bonus": 0, "canasta_families_needed": (("natural", 1), ("mixed", 1)),
    },
    "moderna": {
        "decks": 2, "dealt": 13, "drawn": 1, "target": 8500, "meld_longest": 7, "wild_limit": 2,
        "canastas": {
            **CLASSIC, "natural-aces-canasta": 2500, "sevens-canasta": 2500, "wild-canasta": 2000,
            "four-jokers-canasta": 2500, "twos-canasta": 3000,
        },
        "red_three_values": (100, 300, 500, 1000), "black_threes_exposed": (100, 300, 500, 1000), "held_red_three": 5,
        "left_black_three": 5, "canastas_needed": 2, "out_bonus": 100, "concealed_out_bonus": 100,
        "special_hands": (("pairs", 2500), ("wild-pairs", 2000), ("straight", 3000), ("garbage", 3000)),
    },
    "hand-and-foot": {
        "decks": 5, "dealt": 13, "hands_each": 2, "drawn": 2, "match_deals": 4, "target": None, "meld_longest": 7,
        "canastas": {**CLASSIC, "wild-canasta": 1500}, "held_red_three": 100, "left_black_three": 5, "out_bonus": 100,
        "red_three_values": tuple(100 * count for count in range(1, 11)), "canastas_needed": 5,
        "canasta_families_needed": (("natural", 2), ("mixed", 2), ("wild", 1)), "concealed_out_bonus": 100,
    },
}  # fmt: skip


def told(settings: Settings, key: str) -> Any:
    if key == "canastas":
        return {kind.item: kind.points for kind in settings.canastas}
    return getattr(settings, key)


@pytest.mark.parametrize("variant", variant_ids())
def test_the_figures_of_a_variant_are_those_of_the_rules(variant: str) -> None:
    settings = settle(variant).settings
    assert {key: told(settings, key) for key in FIGURES[variant]} == FIGURES[variant]


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
        (
            "due",
            {"code": "usa-3"},
            {"dealt": 15, "drawn": 1, "canastas_needed": 2, "first_exchange": True},
        ),
        ("tagliagola", {"dealt": 11, "canastas-needed": 2}, {"dealt": 11, "canastas_needed": 2}),
        (
            "samba",
            {"red-threes-may-be-kept": True},
            {"held_red_three": 750, "held_red_three_counts": "once"},
        ),
        (
            "bolivia",
            {"red-threes-may-be-kept": True},
            {"held_red_three": 750, "held_red_three_counts": "once"},
        ),
        ("samba", {"black-three-canasta": True}, {"black_threes_longest": None}),
        ("bolivia", {"black-threes-held": 100}, {"left_black_three": 100}),
        ("bolivia", {"dirty-escalera": True}, {"sequences": "dirty"}),
        ("canastone", {"wild-limit": "two"}, {"wild_limit": 2}),
        ("canastone", {"target": 12_000}, {"target": 12_000}),
        ("mini", {"players": 2}, {"sides": (1, 1), "dealt": 12}),
        ("mini", {"players": 3}, {"sides": (1, 1, 1), "dealt": 10}),
        ("mini", {"target": 7}, {"target": 7}),
        ("hand-and-foot", {"held-red-three": 500}, {"held_red_three": 500}),
        (
            "hand-and-foot",
            {"books-needed": "one-one"},
            {"canasta_families_needed": (("natural", 1), ("mixed", 1))},
        ),
        ("classica", {"concealed-canasta": 100}, {"concealed_canasta": 100}),
    ],
)
def test_an_option_changes_the_figures_that_the_rules_name(
    variant: str, options: dict[str, str | int | bool], changed: dict[str, Any]
) -> None:
    settings = settle(variant, None, options).settings
    assert {key: getattr(settings, key) for key in changed} == changed


PENALTIES = {
    "red-three-not-exposed": 500, "pile-taken-without-meld": 50, "pile-taken-top-card-unused": 200,
    "draw-out-of-turn": 100, "meld-out-of-turn-opponents": 100, "meld-out-of-turn-partner": 200,
    "permission-then-no-out": 100, "house": None,
}  # fmt: skip


@pytest.mark.parametrize("variant", variant_ids())
def test_penalties_are_the_same_in_every_variant_but_the_mini(variant: str) -> None:
    penalties = {code: penalty.points for code, penalty in settle(variant).penalties.items()}
    assert penalties == ({} if variant == "mini" else PENALTIES)


@pytest.mark.parametrize("variant", variant_ids())
def test_a_concealed_going_out_without_a_bonus_of_its_own_has_that_of_any_going_out(
    variant: str,
) -> None:
    settings = get_variant(variant).settings
    concealed = settings["concealed-out-bonus"]
    assert (
        concealed.cited.read != "no-higher-bonus" or concealed.value == settings["out-bonus"].value
    )
