"""Rules frozen by an earlier version: what was decided since then is filled in as those matches were played.

A setting by which points are scored, and that did not exist when a match began, was then the same for every variant, so
that its value of those days stands here for ever. Figures that the frozen rules hold are never touched.

What only rulings use decides no points. Where the frozen rules lack such a setting they take the variant's own, under
the options of the match, as it is told today, with its sources: another game's would be no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_ADDED: Mapping[str, Any] = {
    "hands_each": 1, "unit": "points", "match_deals": None, "counted_by": "cards-or-totals", "natural_only": (),
    "wild_melds": "never", "wild_melds_shortest": 3, "wild_melds_longest": None, "incomplete": (),
    "wilds_blocked": "nothing", "canastas_count": "always", "thirteen": "never", "opening_by": "score",
    "opening_deals": (), "opening_naturals_up_to": 0, "opening_wild_melds": "as-others",
    "opening_natural_group": "not-needed", "red_threes_by_canastas": (), "red_threes_by_families": (),
    "red_threes_kept": "exposed", "black_threes_aside": (), "black_threes_exposed": (), "cards_by_canastas": (1,),
    "left_black_three": 5, "left_wild": 0, "left_group": 0, "held_together": (), "special_hands": (),
    "out_red_threes": "any", "out_bonus_canastas": (), "out_bonus_adds": "highest", "wild_meld_naturals": "unspoken",
}  # fmt: skip
_ONLY_RULED: Mapping[str, Any] = {
    "natural_after_opening": (), "freezing": "discarded-wild", "black_three_discarded": "stops", "stop_ranks": (),
    "first_round_black_threes": "allowed", "discard_fitting": "allowed", "threes_together": 0, "upcard_wild": "freeze",
    "upcard_red_three": "freeze", "upcard_black_three": "cover", "upcard_freezes": "as-turned",
    "upcard_pile": "turned", "upcard_big_piles": (), "upcard_wilds_redeal": 0, "pile_naturals": 1,
    "pile_naturals_frozen": 2, "pile_top_laid_off": "not-frozen", "pile_tops": (), "pile_drawn": 0,
    "pile_layoff": "whole-pile",
}  # fmt: skip
"""What only rulings use, with the classic game's values: they hold where the match's options are known no more."""
_WORDS: Mapping[str, str] = {"upcard": "upcard_wild", "pile": "pile_naturals"}
"""Words that say nothing without the settings in which they are told, and one of those."""
_RENAMED: Mapping[tuple[str, str], str] = {
    ("cards_left", "subtracted"): "points",
    ("upcard", "mini"): "not-told",
}


def renewed(
    frozen: Mapping[str, Any], today: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
) -> dict[str, Any]:
    """Frozen rules with every setting that there is today.

    `today` freezes rules with the same options anew; it answers None where they cannot be chosen any more.
    """
    then = frozen["settings"]
    lacking = [key for key in _ONLY_RULED if key not in then]
    lacking += [word for word, told in _WORDS.items() if told not in then]
    own = (today(frozen) if lacking else None) or {"settings": {}, "cited": {}}
    settings = {**_ADDED, **_ONLY_RULED, **then}
    settings |= {key: own["settings"][key] for key in lacking if key in own["settings"]}
    for (name, word), now in _RENAMED.items():
        settings[name] = now if settings[name] == word else settings[name]
    places = {name: own["cited"][name] for name in _names(lacking) if name in own["cited"]}
    return {**frozen, **_with_rests(frozen, today), "settings": settings, "cited": {**frozen["cited"], **places}}


def _with_rests(
    frozen: Mapping[str, Any], today: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
) -> dict[str, Any]:
    """Checks and lines with the settings that they rest on, where they were frozen without."""
    if all("rests" in rule for rule in (*frozen["checks"], *frozen["lines"])):
        return {}
    now = today(frozen) or {"checks": (), "lines": ()}
    rests = {kind: {rule["id"]: rule["rests"] for rule in now[kind]} for kind in ("checks", "lines")}
    return {
        kind: [
            {"id": rule["id"], "severity": rule["severity"], "rests": known.get(rule["id"], ())}
            for rule in frozen[kind]
        ]
        for kind, known in rests.items()
    }


def _names(keys: list[str]) -> list[str]:
    """Settings as the data and the citations call them."""
    return [key.replace("_", "-") for key in keys]
