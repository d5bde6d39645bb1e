"""Which findings a page shows: not those that only follow from others."""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.rules.hand import Hand
from scorepad.rules.judging import Finding
from scorepad.rules.table import Pointer

_DECISIVE_FIRST = (
    "card-unknown", "meld-red-three", "meld-kind-not-allowed", "meld-sequence-broken", "meld-mixed-ranks",
    "meld-too-many-wilds", "meld-too-few-naturals", "meld-too-long", "meld-too-short", "black-threes-not-out",
)  # fmt: skip
"""Of the errors of one meld only the first of these is shown: the others follow from it, or depend
on it.
"""
_FOLLOWS_FROM_MELDS = (
    "opening-impossible",
    "out-canastas-missing",
    "out-meld-incomplete",
    "out-wild-meld-incomplete",
)
"""Not shown for a side with a wrong meld, the likely cause."""
_FOLLOWS_FROM = {
    "totals-impossible": ("points-not-multiple",),
    "opening-impossible": ("totals-impossible", "points-not-multiple"),
    "deck-exceeded": ("red-threes-exceeded",),
}


def findings_to_show(findings: Sequence[Finding], hand: Hand) -> list[Finding]:
    """The findings without the errors that only follow from another one."""
    errors = [finding for finding in findings if finding.is_error]
    shown = []
    for finding in findings:
        if not finding.is_error or not _follows_from_another(finding, errors, hand):
            shown.append(finding)
    return shown


def _follows_from_another(finding: Finding, errors: Sequence[Finding], hand: Hand) -> bool:
    """Whether an error only follows from another one of these errors."""
    is_about_meld = meld_number(finding.where) is not None
    if is_about_meld and finding.code in _DECISIVE_FIRST:
        return _is_less_decisive(finding, errors)
    causes = _FOLLOWS_FROM.get(finding.code, ())
    for error in errors:
        if side_at(error.where, hand) != side_at(finding.where, hand):
            continue
        if error.code in causes:
            return True
        is_about_wrong_meld = meld_number(error.where) is not None
        if is_about_wrong_meld and finding.code in _FOLLOWS_FROM_MELDS:
            return True
    return False


def _is_less_decisive(finding: Finding, errors: Sequence[Finding]) -> bool:
    """Whether the same meld has an error that is more decisive than this one."""
    rank = _DECISIVE_FIRST.index(finding.code)
    more_decisive_codes = _DECISIVE_FIRST[:rank]
    for error in errors:
        if error.where == finding.where and error.code in more_decisive_codes:
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
