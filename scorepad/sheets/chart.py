"""The chart of running totals, for pages and paper.

On a page the style sheet colours it; on paper it needs only a font. Lines differ by stroke and
marker, and each is labelled.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n import Language
from scorepad.i18n import words as words_in
from scorepad.matches.projection import MatchState
from scorepad.rules.settings import Settings
from scorepad.sheets.chart_data import SCREEN, Chart, Course, Frame
from scorepad.sheets.chart_layout import plan_of
from scorepad.sheets.pdf import render


def running_chart(
    state: MatchState, language: Language, names: Sequence[str] | None = None
) -> Chart:
    """The chart of the totals of a match; `names` of its sides if they differ from those on a page.

    A match may have begun on paper: then the chart begins with the totals of the sides there.
    """
    if names is None:
        names = [side.name for side in state.sides]
    no_points = (0,) * len(state.sides)
    totals_at_start = state.carried or no_points
    courses = []
    for side, name in enumerate(names):
        totals_after_hands = [hand.sides[side].total for hand in state.hands]
        courses.append(Course(name, (totals_at_start[side], *totals_after_hands)))
    return Chart(
        language=language,
        courses=tuple(courses),
        target=state.status.target,
        openings=_higher_openings(state.rules.settings),
        before=state.played,
    )


def _higher_openings(settings: Settings) -> tuple[tuple[int, int], ...]:
    """The scores at which the minimum for an opening rises, each with the new minimum.

    The opening is what a side lays first in a hand: `((1500, 90), (3000, 120))`. Empty if the
    minimum does not depend on the score.
    """
    if settings.opening_by != "score":
        return ()
    return settings.opening_steps[1:]  # the first minimum holds from the start


def chart_svg(chart: Chart, frame: Frame = SCREEN) -> str:
    """The chart as an `<svg>` element."""
    plan = plan_of(chart, frame)
    return render(
        "chart.svg",
        words_in(chart.language),
        plan=plan,
        plot=plan.plot,
        frame=frame,
        described=chart_in_words(chart),
    )


def line_sample(position: int) -> str:
    """A sample of this side's line, shown beside its name."""
    return render("line.svg", words_in(Language.ITALIAN), position=position)


def chart_in_words(chart: Chart) -> str:
    """A description of the chart in a sentence or two."""
    words = words_in(chart.language)
    sides = []
    for course in chart.courses:
        first = course.totals[0]
        last = course.totals[-1]
        sides.append(words.t("share.chart.course", side=course.name, first=first, last=last))
    description = words.plural("share.chart.text", chart.hands, sides="; ".join(sides))
    if chart.target is not None:
        description += f" {words.t('share.chart.goal', points=chart.target)}"
    return description
