"""The checks: what may not be in a hand, one function for each rule id of the data."""

from scorepad.rules.checks import figures, going_out, melds, opening, supply
from scorepad.rules.checks.registry import CHECKS, Excess, Figure, Nature, Needed, SideName, Trouble, nature_of

__all__ = [
    "CHECKS", "Excess", "Figure", "Nature", "Needed", "SideName", "Trouble", "figures", "going_out", "melds",
    "nature_of", "opening", "supply",
]  # fmt: skip
