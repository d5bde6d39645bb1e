"""The referee: questions of the table, answered by the same checks that judge a hand."""

from scorepad.rules.rulings import (
    discarding,
    going_out,
    melding,
    opening,
    penalties,
    piling,
    stock,
    threes,
    upcard,
    ways_opening,
    ways_out,
    ways_pile,
)
from scorepad.rules.rulings.answers import Reason, Ruling, Verdict
from scorepad.rules.rulings.asked import Asked
from scorepad.rules.rulings.registry import rule

__all__ = [
    "Asked", "Reason", "Ruling", "Verdict", "discarding", "going_out", "melding", "opening", "penalties", "piling",
    "rule", "stock", "threes", "upcard", "ways_opening", "ways_out", "ways_pile",
]  # fmt: skip
