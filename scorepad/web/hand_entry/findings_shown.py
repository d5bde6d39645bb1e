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
    """Which of the errors and warnings about a hand to show: all but the errors that are the likely
    consequence of another error.
    """
    errors = [finding for finding in findings if finding.is_error]
    shown = []
    for finding in findings:
        is_consequence = finding.is_error and _has_cause_among(errors, finding, hand)
        if not is_consequence:
            shown.append(finding)
    return shown


def _has_cause_among(errors: Sequence[Finding], error: Finding, hand: Hand) -> bool:
    """Whether one of the errors of a hand is the likely cause of `error`, which will then be gone
    too once the cause is corrected.
    """
    is_fault_of_one_meld = _is_about_meld(error) and error.code in _MELD_ERRORS_BY_WEIGHT
    if is_fault_of_one_meld:  # its cause can only be another fault of the same meld
        return _has_heavier_error(errors, error)

    side = side_at(error.where, hand)
    errors_of_side = [other for other in errors if side_at(other.where, hand) == side]
    return any(_is_likely_cause(other, error) for other in errors_of_side)


def _is_likely_cause(cause: Finding, error: Finding) -> bool:
    """Whether `cause`, an error of a side, is the likely cause of another error of the same side.

    For example, a number of points that no cards can give is the likely cause of impossible totals.
    """
    known_causes = _CAUSES_OF_ERRORS.get(error.code, ())
    if cause.code in known_causes:
        return True
    # A meld (a set of cards laid on the table) that is wrong makes other rules seem broken.
    return _is_about_meld(cause) and error.code in _FOLLOWS_FROM_WRONG_MELD


def _is_about_meld(finding: Finding) -> bool:
    """Whether an error or a warning is about one single meld (a set of cards laid on the table)."""
    return meld_number(finding.where) is not None


def _has_heavier_error(errors: Sequence[Finding], meld_error: Finding) -> bool:
    """Whether one of these errors is about the same meld (set of cards laid on the table) as
    `meld_error`, and more important.
    """
    weight = _MELD_ERRORS_BY_WEIGHT.index(meld_error.code)  # the most important error has 0
    heavier_codes = _MELD_ERRORS_BY_WEIGHT[:weight]
    for other in errors:
        if other.where == meld_error.where and other.code in heavier_codes:
            return True
    return False


def meld_number(where: Pointer) -> int | None:
    """The index of a meld (a set of cards laid on the table) among those of its side, taken from the
    path to it: `("sides", 0, "melds", 2)` → 2. None if the path leads to something else.
    """
    match where:
        case ("sides", _, "melds", int(number)):
            return number
    return None


def side_at(where: Pointer, hand: Hand) -> int | None:
    """The index of the side to which a part of the hand belongs, by the path to the part:
    `("sides", 1, "left")` → 1.

    The path `("out",)` leads to who ended the hand by playing the last card, and so belongs to the
    side that did. None if the part belongs to no side.
    """
    match where:
        case ("out", *_) if hand.out is not None:
            return hand.out.side
        case ("sides", int(side), *_):
            return side
    return None
