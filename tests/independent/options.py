"""Which options and presets a variant takes, with their values (rules: "Who takes which")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Unusable(Exception):
    """What cannot be read as a hand at all: no problem of the hand, but of the input."""


Values = tuple[Any, ...]
Table = dict[str, Values]
"""Option name -> the values it takes, the first of them the default."""

CLASSIC: Table = {
    "wild-limit": ("three", "not-more-than-naturals", "fewer-than-naturals"),
    "canasta-size": ("seven-or-more", "exactly-seven"),
    "wild-on-canasta": ("allowed", "forbidden"),
    "concealed-canasta": (0, 100),
    "opening-steps": ("classic", "no-fifteen", "fifty"),
    "red-threes-unopened": ("negative", "to-opponents", "zero"),
    "held-red-three": ("each", "once"),
    "black-threes-out": ("with-wilds", "pure"),
    "concealed-out": ("opening-turn", "own-melds-only"),
    "upcard": ("wikipedia", "giochi", "getty", "enciclopedia"),
    "pile": ("wikipedia", "enciclopedia"),
    "end-of-stock": ("hand-ends", "giochi"),
    "pile-taken": ("whole-pile", "top-seven"),
    "talon": ("none", "four-three"),
    "losers-canastas": ("all", "capped"),
    "wilds-reclaimed": ("never", "natural-canasta"),
    "concealed-lay-offs": ("forbidden", "allowed", "allowed-1000"),
}
BOTH = (False, True)
SAMBA: Table = {
    "pile-layoff": ("whole-pile", "top-card-only"),
    "red-threes-may-be-kept": BOTH,
    "black-three-canasta": BOTH,
}
CANASTONE: Table = {
    "wild-limit": ("three", "two"),
    "wild-opening": BOTH,
    "wilds-block-mixed": BOTH,
    "out-bonus": ("highest", "sum"),
    "red-threes-mode": ("paid", "shared"),
    "upcard": ("cover-and-freeze", "big-pile", "turn-until-natural"),
    "upcard-black-three": ("cover", "freeze"),
}


def _without(table: Table, *names: str) -> Table:
    return {name: values for name, values in table.items() if name not in names}


OPTIONS: dict[str, Table] = {
    "classica": CLASSIC,
    "due": CLASSIC | {"code": ("attested", "usa-1", "usa-2", "usa-3")},
    "tre": CLASSIC,
    "sei": CLASSIC,
    "cinque": CLASSIC,
    "tagliagola": CLASSIC | {"dealt": (13, 11), "canastas-needed": (1, 2)},
    "uruguaiana": _without(CLASSIC, "pile"),
    "cubana": _without(CLASSIC, "pile", "canasta-size", "red-threes-unopened", "opening-steps"),
    "messicana": CLASSIC | {"thirteen": ("first-canasta", "initial-meld")},
    "sette": CLASSIC | {"sevens-held": ("three", "four")},
    "samba": SAMBA,
    "bolivia": SAMBA | {"dirty-escalera": BOTH, "black-threes-held": (5, 100)},
    "canastone": CANASTONE,
    "mini": {"hand-groups": ("all", "per-rank")},
    "moderna": {
        "opening-group": ("natural", "or-wilds"),
        "splash": BOTH,
        "special-hands": ("league", "four"),
        "incomplete-wilds": ("always-2000", "four-jokers-2500"),
        "special-hands-courtesy": BOTH,
    },
    "hand-and-foot": {
        "held-red-three": (100, 500),
        "dealt": (13, 11),
        "books": ("with-wild-books", "clean-and-dirty"),
        "books-needed": ("two-two-one", "one-one-one", "one-one"),
        "out-conditions": ("ask-and-foot", "last-discard"),
        "upcard": ("buried", "left-lying"),
        "freezing": ("never", "discarded-wild"),
    },
}
VARIANTS = tuple(OPTIONS)

TARGETS = {
    "tagliagola": 7500,
    "cubana": 7500,
    "samba": 10000,
    "bolivia": 15000,
    "canastone": 15000,
    "mini": 30,
    "moderna": 8500,
}
"""The targets that are not 5000; hand-and-foot has none."""

PRESETS: dict[str, dict[str, Any]] = {
    "wikipedia": {},
    "giochi": {
        "opening-steps": "fifty",
        "canasta-size": "exactly-seven",
        "concealed-out": "own-melds-only",
        "upcard": "giochi",
        "end-of-stock": "giochi",
    },
    "getty": {
        "wild-limit": "not-more-than-naturals",
        "concealed-canasta": 100,
        "black-threes-out": "pure",
        "upcard": "getty",
    },
    "enciclopedia": {
        "opening-steps": "no-fifteen",
        "red-threes-unopened": "zero",
        "pile": "enciclopedia",
        "upcard": "enciclopedia",
    },
}
PRESETS_OF_MODERNA: dict[str, dict[str, Any]] = {
    "canasta-league": {},
    "pagat": {
        "opening-group": "or-wilds",
        "splash": True,
        "special-hands": "four",
        "incomplete-wilds": "four-jokers-2500",
    },
}
PRESETS_OF_HAND_AND_FOOT: dict[str, dict[str, Any]] = {
    "pagat": {},
    "bicycle": {
        "dealt": 11,
        "books": "clean-and-dirty",
        "books-needed": "one-one",
        "out-conditions": "last-discard",
    },
    "rummy-games": {"books-needed": "one-one-one", "held-red-three": 500},
}
WITH_PRESETS = ("classica", "due", "tre", "tagliagola", "sei", "cinque")
THREE_SIDED = ("tre", "tagliagola")


def resolve(variant: str, preset: Any, given: Any) -> dict[str, Any]:
    """Every option of the variant with its value: what was given, before the preset, before the
    default.
    """
    table = OPTIONS[variant]
    values: dict[str, Any] = {name: allowed[0] for name, allowed in table.items()}
    if variant != "hand-and-foot":
        values["target"] = TARGETS.get(variant, 5000)
    values |= _preset(variant, preset)
    if not isinstance(given, Mapping):
        raise Unusable("options")
    for name, value in given.items():
        _check(variant, name, value)
        values[name] = value
    return values


def _preset(variant: str, preset: Any) -> dict[str, Any]:
    if preset is None:
        return {}
    presets = PRESETS if variant in WITH_PRESETS else {}
    if variant == "moderna":
        presets = PRESETS_OF_MODERNA
    if variant == "hand-and-foot":
        presets = PRESETS_OF_HAND_AND_FOOT
    if not isinstance(preset, str) or preset not in presets:
        raise Unusable("preset")
    return presets[preset]


def _check(variant: str, name: str, value: Any) -> None:
    if name == "target" and variant != "hand-and-foot":
        step = 1 if variant == "mini" else 500
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0 or value % step:
            raise Unusable(name)
        return
    allowed = OPTIONS[variant].get(name, ())
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise Unusable(name)
    if name == "red-threes-unopened" and value == "to-opponents" and variant in THREE_SIDED:
        raise Unusable(name)
