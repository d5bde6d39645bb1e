"""The settings that points or a finding follow from besides those that are cited for them.

Sources are cited for what decided a case, and no others. Where the table changed another setting on
which the points depend as well, they are the table's own, and no source states them.
"""

from __future__ import annotations

from collections.abc import Mapping

SETTINGS_OF_CANASTAS = ("canasta-length", "wild-limit", "wild-melds", "sequences")
"""What decides which melds are canastas, for points that follow from the canastas of a side."""
_MELDS = (
    "card-points", "decks", "meld-shortest", "meld-longest", "meld-naturals", "wild-limit", "wild-ratio",
    "natural-only", "wild-melds", "wild-melds-shortest", "wild-melds-longest", "sequences", "black-threes",
    "black-threes-fewest", "black-threes-longest", "black-threes-wilds", "canasta-length", "canastas",
)  # fmt: skip
_OPENING = ("card-points", "opening-naturals-up-to", "opening-natural-group", "opening-wild-melds")

CHECKS_ALSO_DEPEND_ON: Mapping[str, tuple[str, ...]] = {
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
