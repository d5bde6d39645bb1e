"""Which findings a page shows: not those that only follow from others."""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.rules.hand import Hand
from scorepad.rules.judging import Finding
from scorepad.rules.table import Pointer

_FAULTS_OF_MELD = (
    "card-unknown", "meld-red-three", "meld-kind-not-allowed", "meld-sequence-broken", "meld-mixed-ranks",
    "meld-too-many-wilds", "meld-too-few-naturals", "meld-too-long", "meld-too-short", "black-threes-not-out",
)  # fmt: skip
"""The errors that one meld can have, the most important one first. If it has several, only the first
in this order is shown: the others follow from it, or depend on it.
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
        has_cause = any(_is_likely_cause(error, finding, hand) for error in errors)
        if not finding.is_error or not has_cause:
            shown.append(finding)
    return shown


def _is_likely_cause(cause: Finding, error: Finding, hand: Hand) -> bool:
    """Tell whether one error in a hand (round) is the likely cause of another.

    If it is, then once the players correct the one, the other is probably gone too.
    """
    is_fault_of_one_meld = _is_about_meld(error) and error.code in _FAULTS_OF_MELD
    if is_fault_of_one_meld:
        # Its cause can only be a more important fault of the same meld (group of cards).
        return cause.where == error.where and _is_more_important(cause.code, error.code)

    if find_side_of_part(cause.where, hand) != find_side_of_part(error.where, hand):
        return False
    if cause.code in _CAUSES_OF_ERRORS.get(error.code, ()):
        return True
    return _is_about_meld(cause) and error.code in _FOLLOWS_FROM_WRONG_MELD


def _is_about_meld(finding: Finding) -> bool:
    """Tell whether an error or a warning is about one single meld.

    A meld is a group of cards laid on the table.
    """
    return find_meld_index(finding.where) is not None


def _is_more_important(fault: str, other_fault: str) -> bool:
    """Tell whether one fault of a meld (a group of cards) is more important than another.

    An unknown card is more important than too few cards: it may be the very card that is lacking.
    """
    number_of_more_important = _FAULTS_OF_MELD.index(other_fault)  # they stand before it
    return fault in _FAULTS_OF_MELD[:number_of_more_important]


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
