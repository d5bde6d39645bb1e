"""The makers of score lines, one function for each line rule of the data."""

from scorepad.rules.lines import agreed, in_hand, laid, out, threes
from scorepad.rules.lines.registry import LINES

__all__ = ["LINES", "agreed", "in_hand", "laid", "out", "threes"]
