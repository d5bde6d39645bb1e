"""The settings that points or a finding follow from besides those that are cited for them.

Sources are cited for what decided a case, and no others. Where the table changed another setting on
which the points depend as well, they are the table's own, and no source states them.
"""

from __future__ import annotations

from collections.abc import Mapping

CANASTA_OR_NOT = ("canasta-length", "wild-limit", "wild-melds", "sequences")
"""What decides which melds are canastas, for points that follow from the canastas of a side."""
_MELDS = (
    "card-points", "decks", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
    "natural-only", "wild-melds", "wild-melds-shortest", "wild-melds-longest", "sequences", "black-threes",
    "black-threes-fewest", "black-threes-longest", "black-threes-wilds", "canasta-length", "canastas",
)  # fmt: skip
_OPENING = ("card-points", "opening-naturals-up-to", "opening-natural-group", "opening-wild-melds")

APPLIED_IN_LINES: Mapping[str, tuple[str, ...]] = {
    "concealed-canasta": ("canasta-length",),
    "cards": ("cards-by-canastas",),
    "red-threes": (
        "red-three-values", "red-threes-condition", "red-threes-otherwise", "red-threes-by-canastas",
        "red-threes-by-families",
    ),
    "black-threes": ("black-threes-exposed", "red-threes-by-canastas"),
    "cards-left": ("card-points", "left-black-three", "left-wild", "left-group"),
    "out": ("out-bonus-canastas",),
}  # fmt: skip
"""By the item of a score line; for canastas `APPLIED_IN_CANASTA_LINES`."""
APPLIED_IN_CANASTA_LINES = ("canasta-length", "canastas", "canastas-count", "wild-limit")
"""For the line of any kind of canasta."""

APPLIED_IN_CHECKS: Mapping[str, tuple[str, ...]] = {
    "opening-below-minimum": _OPENING,
    "opening-impossible": _OPENING,
    "opening-unknown": _OPENING,
    "totals-impossible": _MELDS,
    "out-canastas-missing": ("canastas-needed",),
    "meld-too-many-wilds": ("wild-limit", "wild-ratio"),
    "red-threes-exceeded": ("decks",),
    "deck-exceeded": ("decks",),
}
"""By the code of a finding."""
