"""The chapters of the rulebook, and which settings each tells."""

from __future__ import annotations

from collections.abc import Mapping

PENALTIES = "penalties"
"""The chapter that lists the penalties."""

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "turn": ("drawn", "thirteen", "discard-fitting", "threes-together"),
    "preparing": (
        "sides", "partnership", "resting", "decks", "dealt", "hands-each", "first-dealer", "cut", "first-player",
        "deal-passes", "first-exchange", "upcard", "upcard-wild", "upcard-red-three", "upcard-black-three",
        "upcard-freezes", "upcard-pile", "upcard-big-piles", "upcard-wilds-redeal",
    ),
    "cards": ("card-points", "unit"),
    "melds": (
        "meld-one-rank", "sequences", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
        "natural-only", "natural-after-opening", "meld-wilds-stay", "meld-lay-off", "wild-melds", "wild-melds-shortest",
        "wild-melds-longest", "wild-meld-naturals", "wilds-blocked", "incomplete", "repeated-rank",
    ),
    "canastas": ("canasta-length", "canastas", "canastas-count", "wild-on-canasta", "concealed-canasta"),
    "opening": (
        "opening-by", "opening-steps", "opening-below-zero", "opening-deals", "opening-counts",
        "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "pile": (
        "pile", "pile-naturals", "pile-top-laid-off", "pile-layoff", "pile-drawn", "pile-tops", "freezing",
        "pile-naturals-frozen",
    ),
    "red-threes": (
        "meld-red-threes", "red-threes-kept", "red-three-values", "red-threes-condition", "red-threes-otherwise",
        "red-threes-by-canastas", "red-threes-by-families", "held-red-three", "held-red-three-counts",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "first-round-black-threes", "black-threes", "black-threes-fewest",
        "black-threes-longest", "black-threes-wilds", "black-threes-aside", "black-threes-exposed",
    ),
    "out": (
        "canastas-needed", "canasta-families-needed", "out-red-threes", "permission", "out-empty-handed",
        "last-discard", "last-discard-special", "concealed-out", "end-of-stock",
    ),
    "count": (
        "counted-by", "cards-by-canastas", "out-bonus", "concealed-out-bonus", "out-bonus-canastas", "out-bonus-adds",
        "cards-left", "left-black-three", "left-wild", "left-group", "held-together", "special-hands",
        "table-agreement",
    ),
    "winning": ("target", "match-deals"),
    PENALTIES: ("penalties-known",),
}  # fmt: skip
"""The chapters in the order of the page, each with its settings in order; every setting stands in one of them."""
