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
from scorepad.sheets.chart_layout import lay_out_chart
from scorepad.sheets.pdf import render


def make_chart(state: MatchState, language: Language, names: Sequence[str] | None = None) -> Chart:
    """Collect the data for the chart of a match: the total of each side after each hand (round).

    `names` are those of the sides, if they differ from their names on a page. In a match that began
    on paper, the totals begin with those from there.
    """
    if names is None:
        names = [side.name for side in state.sides]
    no_points = (0,) * len(state.sides)
    totals_at_start = state.carried or no_points  # `carried` are the totals from paper
    courses = []
    for side, name in enumerate(names):
        totals = [totals_at_start[side]]
        for hand in state.hands:
            totals.append(hand.sides[side].total)
        courses.append(Course(name, tuple(totals)))
    return Chart(
        language=language,
        courses=tuple(courses),
        target=state.status.target,
        openings=_find_scores_with_higher_minimum(state.rules.settings),
        before=state.played,  # hands on paper
    )


def _find_scores_with_higher_minimum(settings: Settings) -> tuple[tuple[int, int], ...]:
    """Find the scores from which a side needs more points to lay its first cards in a hand.

    Each comes with the new minimum: `((1500, 90), (3000, 120))`. Empty in games where the minimum
    does not depend on the score.
    """
    if settings.opening_by != "score":
        return ()
    return settings.opening_steps[1:]  # the first minimum is not a rise: it holds from the start


def draw_chart_as_svg(chart: Chart, frame: Frame = SCREEN) -> str:
    """Draw a chart as an `<svg>` element. `frame` has the size of the drawing and of its texts."""
    plan = lay_out_chart(chart, frame)
    return render(
        "chart.svg",
        words_in(chart.language),
        plan=plan,
        plot=plan.plot,
        frame=frame,
        described=describe_chart(chart),
    )


def draw_line_sample(position: int) -> str:
    """Draw a short piece of the line of a side, to be shown beside its name, as an `<svg>` element.

    `position` is that of the side: the lines differ in stroke and colour.
    """
    return render("line.svg", words_in(Language.ITALIAN), position=position)


def describe_chart(chart: Chart) -> str:
    """Describe a chart in words, for people who cannot see it.

    "In 9 hands: We from 0 to 5,200; They from 0 to 3,100. The target is 5,000."
    """
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
