"""The rules of canasta: variants, and the check and score of a hand.

`settle` returns the rules in force at a table, `read_cards` reads cards, `judge` checks and scores a
hand. All are pure functions on immutable values. A hand that the rules forbid is no error: its
faults are values, the `findings` of the judgement.

>>> from scorepad.rules import Hand, HeldInPoints, MeldEntry, SideEntry, judge, read_cards, settle
>>> rules = settle("classica")
>>> us = SideEntry(melds=(MeldEntry(read_cards("7xQ")),))
>>> them = SideEntry(left=HeldInPoints(85))
>>> judgement = judge(rules, Hand((us, them)))
>>> [(side.hand, side.total) for side in judgement.sides]
[(570, 570), (-85, -85)]

Two errors are raised: `UnreadableError` for what cannot be read, and `ChoiceError` for a variant,
preset, option or value that does not exist.
"""

from scorepad.errors import ChoiceError, UnreadableError
from scorepad.rules.cards import (
    NOTHING,
    Cards,
    Kind,
    Reading,
    Suit,
    parse_cards,
    read_cards,
    write_cards,
)
from scorepad.rules.definitions import Citation, Cited, Ruleset, Source, Standing, Variant
from scorepad.rules.hand import (
    Adjustment,
    Hand,
    HeldByPlayer,
    HeldInPoints,
    HeldTogether,
    MeldEntry,
    Out,
    PenaltyEntry,
    SideEntry,
    Totals,
)
from scorepad.rules.judging import Finding, Judgement, MatchStatus, judge
from scorepad.rules.score_lines import ITEMS, Line, SideScore
from scorepad.rules.settings import Settings
from scorepad.rules.variants import default_variant, get_variant, settle, sources, variant_ids

__all__ = [
    "ITEMS", "NOTHING", "Adjustment", "Cards", "ChoiceError", "Citation", "Cited", "Finding", "Hand",
    "HeldByPlayer", "HeldInPoints", "HeldTogether", "Judgement", "Kind", "Line", "MatchStatus",
    "MeldEntry", "Out", "PenaltyEntry", "Reading", "Ruleset", "Settings", "SideEntry", "SideScore",
    "Source", "Standing", "Suit", "Totals", "UnreadableError", "Variant", "default_variant",
    "get_variant", "judge", "parse_cards", "read_cards", "settle", "sources", "variant_ids",
    "write_cards",
]  # fmt: skip
