"""The referee: questions of the table, answered by the checks and score lines that judge a hand."""

from scorepad.referee import (
    best_going_out,
    best_opening,
    discard,
    going_out,
    irregularities,
    meld,
    opening,
    pile,
    red_threes,
    stock,
)
from scorepad.referee.answers import Reason, Ruling, Verdict, rule
from scorepad.referee.questions import AnyQuestion

__all__ = [
    "AnyQuestion", "Reason", "Ruling", "Verdict", "best_going_out", "best_opening", "discard", "going_out",
    "irregularities", "meld", "opening", "pile", "red_threes", "rule", "stock",
]  # fmt: skip
