"""Which findings a page shows: not those that only follow from others."""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.rules.hand import Hand
from scorepad.rules.judging import Finding
from scorepad.rules.table import Pointer

_MELD_ERRORS_BY_WEIGHT = (
    "card-unknown", "meld-red-three", "meld-kind-not-allowed", "meld-sequence-broken", "meld-mixed-ranks",
    "meld-too-many-wilds", "meld-too-few-naturals", "meld-too-long", "meld-too-short", "black-threes-not-out",
)  # fmt: skip
"""The errors that one meld can have. If it has several, the first in this order is shown: the others
follow from it, or depend on it.
"""
_FOLLOWS_FROM_WRONG_MELD = (
    "opening-impossible",
    "out-canastas-missing",
    "out-meld-incomplete",
    "out-wild-meld-incomplete",
)
"""The errors of a side that are not shown if one of its melds is wrong, which is the likely cause."""
_CAUSES_OF_ERRORS = {
    "totals-impossible": ("points-not-multiple",),
    "opening-impossible": ("totals-impossible", "points-not-multiple"),
    "deck-exceeded": ("red-threes-exceeded",),
}
"""For some errors, those of the same side that are the likely cause of them."""


def findings_to_show(findings: Sequence[Finding], hand: Hand) -> list[Finding]:
    """The findings without the errors that only follow from another one."""
    errors = [finding for finding in findings if finding.is_error]
    shown = []
    for finding in findings:
        if not finding.is_error or not _has_cause_among(errors, finding, hand):
            shown.append(finding)
    return shown


def _has_cause_among(errors: Sequence[Finding], error: Finding, hand: Hand) -> bool:
    """Whether one of these errors of the hand is the likely cause of another of them, `error`: once
    the cause is corrected, that one will be gone too.
    """
    if _is_about_meld(error) and error.code in _MELD_ERRORS_BY_WEIGHT:
        return _has_heavier_error(errors, error)

    side = side_at(error.where, hand)
    errors_of_same_side = [other for other in errors if side_at(other.where, hand) == side]
    return any(_is_cause(other, error) for other in errors_of_same_side)


def _is_cause(cause: Finding, error: Finding) -> bool:
    """Whether an error of a side is the likely cause of another error of this side."""
    if cause.code in _CAUSES_OF_ERRORS.get(error.code, ()):
        return True
    return _is_about_meld(cause) and error.code in _FOLLOWS_FROM_WRONG_MELD


def _is_about_meld(finding: Finding) -> bool:
    """Whether a finding is about a single meld (a set of cards laid on the table)."""
    return meld_number(finding.where) is not None


def _has_heavier_error(errors: Sequence[Finding], meld_error: Finding) -> bool:
    """Whether the meld with this error has another one that weighs more, and is shown instead."""
    weight = _MELD_ERRORS_BY_WEIGHT.index(meld_error.code)
    heavier_codes = _MELD_ERRORS_BY_WEIGHT[:weight]
    for other in errors:
        if other.where == meld_error.where and other.code in heavier_codes:
            return True
    return False


def meld_number(where: Pointer) -> int | None:
    """The number of the meld in a part of the hand: `("sides", 0, "melds", 2)` → 2.

    None if the part is not a meld.
    """
    match where:
        case ("sides", _, "melds", int(number)):
            return number
    return None


def side_at(where: Pointer, hand: Hand) -> int | None:
    """The position of the side to which a part of the hand belongs: `("sides", 1, "left")` → 1.

    Going out belongs to the side that did. None for the hand as a whole.
    """
    match where:
        case ("out", *_) if hand.out is not None:
            return hand.out.side
        case ("sides", int(side), *_):
            return side
    return None
