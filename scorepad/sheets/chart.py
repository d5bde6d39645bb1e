"""The chart of running totals, for pages and paper.

On a page the style sheet colours it; on paper it needs only a font. Lines differ by stroke and
marker, and each is labelled.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorepad.i18n import Language
from scorepad.i18n import words as words_in
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart_data import SCREEN, Chart, Course, Frame
from scorepad.sheets.chart_layout import plan_of
from scorepad.sheets.pdf import render


def running_chart(
    state: MatchState, language: Language, names: Sequence[str] | None = None
) -> Chart:
    """The chart of a match; `names` of its sides if they differ from those on a page."""
    if names is None:
        names = [side.name for side in state.sides]
    carried = state.carried or (0,) * len(state.sides)
    courses = []
    for side, name in enumerate(names):
        after_hands = [hand.sides[side].total for hand in state.hands]
        courses.append(Course(name, (carried[side], *after_hands)))
    settings = state.rules.settings
    return Chart(
        language=language,
        courses=tuple(courses),
        target=state.status.target,
        openings=settings.opening_steps[1:] if settings.opening_by == "score" else (),
        before=state.played,
    )


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
