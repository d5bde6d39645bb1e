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


def omit_consequences(findings: Sequence[Finding], hand: Hand) -> list[Finding]:
    """Leave out the errors in a hand (round) that are only the likely consequence of another error.

    The page shows the rest. An unknown card in a meld (a group of cards laid on the table) makes
    the meld too short as well: then only the unknown card is reported. Warnings all stay.
    """
    errors = [finding for finding in findings if finding.is_error]
    shown = []
    for finding in findings:
        is_consequence = finding.is_error and _has_cause_among(errors, finding, hand)
        if not is_consequence:
            shown.append(finding)
    return shown


def _has_cause_among(errors: Sequence[Finding], error: Finding, hand: Hand) -> bool:
    """Tell whether one of the errors in a hand (round) is the likely cause of `error`.

    Once the cause is corrected, `error` will then be gone too.
    """
    is_fault_of_one_meld = _is_about_meld(error) and error.code in _MELD_ERRORS_BY_WEIGHT
    if is_fault_of_one_meld:
        # Its cause can only be a more important fault of the same meld (group of cards).
        return _has_heavier_error(errors, error)

    side = find_side_of_part(error.where, hand)
    errors_of_side = [other for other in errors if find_side_of_part(other.where, hand) == side]
    return any(_is_likely_cause(other, error) for other in errors_of_side)


def _is_likely_cause(cause: Finding, error: Finding) -> bool:
    """Tell whether one error of a side is the likely cause of another error of that side.

    - `points-not-multiple` and `totals-impossible` → True: no cards have such a number of points
    - `meld-too-short` and `opening-impossible` → True: a meld (a group of cards laid on the table)
      is wrong, and with it the melds that the side laid first
    - `opening-impossible` and `meld-too-short` → False
    """
    known_causes = _CAUSES_OF_ERRORS.get(error.code, ())
    if cause.code in known_causes:
        return True
    return _is_about_meld(cause) and error.code in _FOLLOWS_FROM_WRONG_MELD


def _is_about_meld(finding: Finding) -> bool:
    """Tell whether an error or a warning is about one single meld.

    A meld is a group of cards laid on the table.
    """
    return find_meld_index(finding.where) is not None


def _has_heavier_error(errors: Sequence[Finding], meld_error: Finding) -> bool:
    """Tell whether one of these errors is about the same meld as `meld_error`, and more important.

    A meld is a group of cards laid on the table. A card that is not known is more important than a
    meld that is too short, since it may be the very card that is lacking.
    """
    weight = _MELD_ERRORS_BY_WEIGHT.index(meld_error.code)  # the most important error has 0
    heavier_codes = _MELD_ERRORS_BY_WEIGHT[:weight]
    for other in errors:
        if other.where == meld_error.where and other.code in heavier_codes:
            return True
    return False


def find_meld_index(where: Pointer) -> int | None:
    """Return the index of a meld among those of its side, from the path to it in the hand (round).

    A meld is a group of cards laid on the table.

    - `("sides", 0, "melds", 2)` → 2
    - `("sides", 0, "left")` → None: this is not a meld
    """
    match where:
        case ("sides", _, "melds", int(number)):
            return number
    return None


def find_side_of_part(where: Pointer, hand: Hand) -> int | None:
    """Find the side (its index) to which a part of the hand belongs, from the path to that part.

    - `("sides", 1, "left")` → 1
    - `("out",)` → the side that ended the round by playing its last card, None if nobody did
    - `("sides",)` → None: this is what all sides typed
    """
    match where:
        case ("out", *_) if hand.out is not None:
            return hand.out.side
        case ("sides", int(side), *_):
            return side
    return None
