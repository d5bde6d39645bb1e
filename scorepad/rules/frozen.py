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
    "first_round_black_threes": "allowed",
}  # fmt: skip
_RENAMED: Mapping[str, Mapping[str, str]] = {"cards_left": {"subtracted": "points"}}


def renewed(frozen: Mapping[str, Any]) -> dict[str, Any]:
    """Frozen rules with every setting that there is today."""
    settings = {**_ADDED, **frozen["settings"]}
    for name, values in _RENAMED.items():
        settings[name] = values.get(settings[name], settings[name])
    return {**frozen, "settings": settings}
