"""The running totals of a match as a chart's values, for pages, pictures and paper."""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n import Language
from scorepad.pad.values import MatchState
from scorepad.rules.settings import Settings
from scorepad.rules.terms import OpeningBy
from scorepad.sheets.chart_values import Chart, Course


def running_totals(state: MatchState) -> tuple[tuple[int, ...], ...]:
    """Each side's totals: what it began with, and after every hand."""
    begun = state.carried or (0,) * len(state.sides)
    return tuple(
        (begun[position], *(hand.sides[position].total for hand in state.hands)) for position in range(len(state.sides))
    )


def running_chart(state: MatchState, language: Language, names: Sequence[str] | None = None) -> Chart:
    """The chart of a match; `names` of its sides where they stand otherwise than on a page."""
    named = tuple(side.name for side in state.sides) if names is None else names
    settings = state.rules.settings
    return Chart(
        language=language,
        courses=tuple(Course(*each) for each in zip(named, running_totals(state), strict=True)),
        target=state.standing.target,
        openings=_openings(settings),
        before=state.played,
    )


def _openings(settings: Settings) -> tuple[tuple[int, int], ...]:
    """The scores from which the opening minimum rises, where it goes by the score."""
    return settings.opening_steps[1:] if settings.opening_by is OpeningBy.SCORE else ()
