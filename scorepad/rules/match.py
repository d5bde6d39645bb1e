"""The match as a fold over its hands: where it stands, and who has won."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands: its target in points, whether it is over, and the side that won (its position)."""

    target: int
    finished: bool
    winner: int | None


def standing(totals: tuple[int, ...], target: int) -> Standing:
    """Where a match stands after a hand: over once a side reaches the target, unless the highest are equal."""
    highest = max(totals)
    winners = [position for position, total in enumerate(totals) if total == highest]
    if highest < target or len(winners) > 1:
        return Standing(target, finished=False, winner=None)
    return Standing(target, finished=True, winner=winners[0])
