"""Rules frozen by an earlier version: what was decided since then is filled in as those matches were played.

A setting that did not exist when a match began was then the same for every variant, so that its value of those days
stands here for ever. Figures that the frozen rules hold are never touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ADDED: Mapping[str, Any] = {
    "hands_each": 1, "unit": "points", "match_deals": None, "counted_by": "cards-or-totals", "natural_only": (),
    "wild_melds": "never", "wild_melds_shortest": 3, "wild_melds_longest": None, "incomplete": (),
    "wilds_blocked": "nothing", "canastas_count": "always", "thirteen": "never", "opening_by": "score",
    "opening_deals": (), "opening_naturals_up_to": 0, "opening_wild_melds": "as-others",
    "opening_natural_group": "not-needed", "red_threes_by_canastas": (), "red_threes_by_families": (),
    "red_threes_kept": "exposed", "black_threes_aside": (), "black_threes_exposed": (), "cards_by_canastas": (1,),
    "left_black_three": 5, "left_wild": 0, "left_group": 0, "held_together": (), "special_hands": (),
    "out_red_threes": "any", "out_bonus_canastas": (), "out_bonus_adds": "highest", "upcard_black_three": "cover",
    "pile_layoff": "whole-pile", "freezing": "discarded-wild", "stop_ranks": (),
    "first_round_black_threes": "allowed", "black_three_discarded": "stops", "discard_fitting": "allowed",
    "threes_together": 0, "upcard_wild": "freeze", "upcard_red_three": "freeze", "upcard_freezes": "as-turned",
    "upcard_pile": "turned", "upcard_big_piles": (), "upcard_wilds_redeal": 0, "pile_naturals": 1,
    "pile_naturals_frozen": 2, "pile_top_laid_off": "not-frozen", "pile_tops": (), "pile_drawn": 0,
    "natural_after_opening": (), "wild_meld_naturals": "unspoken",
}  # fmt: skip
_RENAMED: Mapping[str, Mapping[str, str]] = {
    "cards_left": {"subtracted": "points"},
    "upcard": {"mini": "not-told"},
}
_FOLLOWED: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("upcard", "giochi"): {"upcard_red_three": "stay", "upcard_black_three": "stay"},
    ("upcard", "getty"): {"upcard_red_three": "cover"},
    ("upcard", "enciclopedia"): {
        "upcard_wild": "stay-and-freeze", "upcard_red_three": "cover", "upcard_black_three": "stay-and-freeze",
    },
    ("upcard", "turn-until-natural"): {
        "upcard_wild": "cover", "upcard_red_three": "cover", "upcard_freezes": "never",
    },
    ("upcard", "cover-and-freeze"): {"upcard_red_three": "redeal", "upcard_pile": "by-number"},
    ("upcard", "big-pile"): {
        "upcard_wild": "big-pile", "upcard_red_three": "redeal", "upcard_pile": "by-number",
        "upcard_big_piles": (50, 20),
    },
    ("upcard", "turn-and-count"): {
        "upcard_wild": "cover", "upcard_red_three": "cover", "upcard_freezes": "never", "upcard_pile": "by-number",
        "upcard_wilds_redeal": 3,
    },
    ("freezing", "never"): {"pile_naturals": 2, "pile_top_laid_off": "incomplete"},
    ("pile", "enciclopedia"): {
        "pile_naturals_frozen": 1, "pile_top_laid_off": "never", "black_three_discarded": "freezes",
    },
    ("pile", "two-naturals-and-a-card"): {
        "pile_naturals": 2, "pile_naturals_frozen": 3, "pile_top_laid_off": "never", "pile_drawn": 1,
    },
    ("pile", "mini"): {
        "pile_naturals": 2, "pile_top_laid_off": "never", "discard_fitting": "forbidden", "threes_together": 4,
        "pile_tops": ({"card": "2", "more": 4, "used": "melded"}, {"card": "3r", "more": 3, "used": "discarded"}),
    },
}  # fmt: skip
"""What was already decided by one word, and is told in settings of its own since."""
_TOLD_SINCE = "pile_naturals"
"""Where this setting is there, those words are followed by settings of their own already."""


def renewed(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Frozen rules with every setting that there is today."""
    then = frozen["settings"]
    settings = {**_ADDED, **then}
    for (name, word), follows in _FOLLOWED.items():
        if then.get(name) == word and _TOLD_SINCE not in then:
            settings.update(follows)
    for name, values in _RENAMED.items():
        settings[name] = values.get(settings[name], settings[name])
    return {**frozen, "settings": settings}
