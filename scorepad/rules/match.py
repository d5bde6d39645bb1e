"""The match as a fold over its hands: where it stands, and who has won."""

from __future__ import annotations

from dataclasses import dataclass

from scorepad.rules.settings import Settings

LARGEST = 9_999_999
"""Seven digits: a match score, or a figure of a hand, is never larger, nor further below zero."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands: its target in points, whether it is over, and the side that won (its position).

    `target` is None where a number of hands ends the match; then the highest may be equal and nobody wins.
    """

    target: int | None
    finished: bool
    winner: int | None


def standing(totals: tuple[int, ...], settings: Settings, hands: int) -> Standing:
    """Where a match stands after so many hands.

    It is over once a side reaches the target, unless the highest are equal, or after its last hand.
    """
    highest = max(totals)
    winners = [position for position, total in enumerate(totals) if total == highest]
    winner = winners[0] if len(winners) == 1 else None
    if settings.match_deals is not None and hands >= settings.match_deals:
        return Standing(settings.target, finished=True, winner=winner)
    if settings.target is None or highest < settings.target or winner is None:
        return Standing(settings.target, finished=False, winner=None)
    return Standing(settings.target, finished=True, winner=winner)
