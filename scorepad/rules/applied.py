"""The settings that a figure follows from besides those that its line or finding cites.

Sources are cited for what decided a case, and no others. Where the table changed a setting on which
a figure depends as well, the figure is the table's own, and no source states it.
"""

from __future__ import annotations

from collections.abc import Mapping

_CANASTA = ("canasta-length", "canastas", "canastas-count", "wild-limit")
CANASTA_OR_NOT = ("canasta-length", "wild-limit", "wild-melds", "sequences")
"""What decides which melds are canastas, for figures that follow from the canastas of a side."""
_MELDS = (
    "card-points", "decks", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
    "natural-only", "wild-melds", "wild-melds-shortest", "wild-melds-longest", "sequences", "black-threes",
    "black-threes-fewest", "black-threes-longest", "black-threes-wilds", "canasta-length", "canastas",
)  # fmt: skip
_OPENING = ("card-points", "opening-naturals-up-to", "opening-natural-group", "opening-wild-melds")

OF_ITEMS: Mapping[str, tuple[str, ...]] = {
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
"""By the item of a score line; canastas are `OF_CANASTAS`."""
OF_CANASTAS = _CANASTA
"""Of the line of a kind of canasta."""

OF_CHECKS: Mapping[str, tuple[str, ...]] = {
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
