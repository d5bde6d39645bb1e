"""The checks: what may not be in a hand, one function for each rule id of the data."""

from scorepad.rules.checks import figures, going_out, melds, opening, supply
from scorepad.rules.checks.registry import CHECKS, Excess, Figure, Needed, SideName, Trouble, may_be_agreed

__all__ = [
    "CHECKS", "Excess", "Figure", "Needed", "SideName", "Trouble", "figures", "going_out", "may_be_agreed", "melds",
    "opening", "supply",
]  # fmt: skip
