"""The chart of running totals as SVG: for a page, whose style gives it its colours, or whole in itself, for paper.

The sides are told apart by the stroke of their lines and the shape of their markers, and each line bears its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from markupsafe import escape

from scorepad.i18n import words
from scorepad.sheets.chart_plan import BASE, ROW, plan_of
from scorepad.sheets.chart_values import PAPER, SCREEN, Chart, Course, Frame, Plan, Rule, Track
from scorepad.sheets.text import printable

__all__ = ["PAPER", "SCREEN", "Chart", "Course", "Theme", "chart_svg", "line_sample", "told"]

TITLE, TOLD = "andamento-titolo", "andamento-detto"
"""Ids of what the chart is called and what it tells, on a page."""


class Theme(StrEnum):
    """Where a chart is drawn."""

    PAGE = "page"
    """Inside a page: classes, coloured by `share.css`."""
    PAPER = "paper"
    """By itself, black on white."""


def _round(x: float, y: float, r: float) -> str:
    return f"M{_n(x - r)},{_n(y)}a{_n(r)},{_n(r)} 0 1,0 {_n(2 * r)},0a{_n(r)},{_n(r)} 0 1,0 -{_n(2 * r)},0z"


def _square(x: float, y: float, r: float) -> str:
    return f"M{_n(x - r)},{_n(y - r)}h{_n(2 * r)}v{_n(2 * r)}h-{_n(2 * r)}z"


def _triangle(x: float, y: float, r: float) -> str:
    return f"M{_n(x)},{_n(y - 1.3 * r)}l{_n(1.3 * r)},{_n(2.3 * r)}h-{_n(2.6 * r)}z"


@dataclass(frozen=True, slots=True)
class Look:
    """How a side's line is told from the others: the strokes of its line, and the outline of a marker of a radius."""

    name: str
    dashes: tuple[float, ...]
    marker: Callable[[float, float, float], str]


LOOKS = (Look("a", (), _round), Look("b", (8, 4), _square), Look("c", (2, 4), _triangle))
"""A whole line with rounds, a dashed one with squares, a dotted one with triangles."""

_INK = {Theme.PAGE: "currentColor", Theme.PAPER: "#000"}
_FAINT = {Theme.PAGE: "currentColor", Theme.PAPER: "#888"}
_FONTS = "Open Sans, Open Sans Extended, DejaVu Sans, Noto Sans, sans-serif"
"""Those of the sheets."""
_RADIUS = 0.25


def chart_svg(chart: Chart, theme: Theme = Theme.PAGE, frame: Frame = SCREEN) -> str:
    """The chart as an `<svg>` element; for paper it needs nothing from outside but a font."""
    return "".join(_svg(plan_of(chart, frame), chart, theme))


def told(chart: Chart) -> str:
    """What the chart shows, in a sentence or two."""
    say = words(chart.language)
    sides = "; ".join(
        say.text("share.chart.course", side=course.name, first=course.totals[0], last=course.totals[-1])
        for course in chart.courses
    )
    target = "" if chart.target is None else f" {say.text('share.chart.goal', points=chart.target)}"
    return f"{say.plural('share.chart.told', chart.hands, sides=sides)}{target}"


def line_sample(position: int) -> str:
    """A piece of the line of this side, to stand beside its name."""
    look = LOOKS[position]
    return (
        f'<svg class="sample {look.name}" viewBox="0 0 36 12" aria-hidden="true">'
        f'<path class="line" d="M0,6h36" fill="none" {_stroke("currentColor", 2.5)}{_dashes(look.dashes, 1)}/>'
        f'<path d="{look.marker(18, 6, 4)}" fill="currentColor"/></svg>'
    )


def _svg(plan: Plan, chart: Chart, theme: Theme) -> Iterator[str]:
    frame = plan.frame
    named = f'class="running" aria-labelledby="{TITLE}" aria-describedby="{TOLD}"'
    sized = f'width="{_n(frame.width)}" height="{_n(frame.height)}" font-family="{_FONTS}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(frame.width)} {_n(frame.height)}" role="img" '
        f'font-size="{_n(frame.text)}" fill="{_INK[theme]}" {named if theme is Theme.PAGE else sized}>'
    )
    yield from _named(chart, theme)
    yield from _grid(plan, theme)
    yield from _axis(plan, words(chart.language).text("share.chart.hands"))
    for look, track in zip(LOOKS, plan.tracks, strict=False):
        yield from _track(look, track, plan, theme)
    yield "</svg>"


def _named(chart: Chart, theme: Theme) -> Iterator[str]:
    """What the chart is called and what it tells; on paper in one, because a PDF has one text in place of a picture."""
    name = words(chart.language).text("share.chart.name")
    if theme is Theme.PAPER:
        yield f"<title>{_text(f'{name}. {told(chart)}')}</title>"
        return
    yield f'<title id="{TITLE}">{_text(name)}</title>'
    yield f'<desc id="{TOLD}">{_text(told(chart))}</desc>'


def _grid(plan: Plan, theme: Theme) -> Iterator[str]:
    """The lines across the plot: of round figures, of nothing, where the opening rises, of the target."""
    faint, ink, thin = _FAINT[theme], _INK[theme], plan.frame.text / 14
    yield f'<path class="grid" {_across(plan, (mark.at for mark in plan.scores))} {_stroke(faint, thin / 2)}/>'
    yield f'<path class="zero" {_across(plan, (plan.zero,))} {_stroke(ink, thin)}/>'
    if plan.openings:
        dots = f"{_stroke(faint, thin)}{_dashes((1, 4), thin)}"
        yield f'<path class="opening" {_across(plan, (rule.at for rule in plan.openings))} {dots}/>'
        yield from _on_lines("opening", plan.openings, plan)
    if plan.target is not None:
        yield f'<path class="target" {_across(plan, (plan.target.at,))} {_stroke(ink, 1.5 * thin)}/>'
        yield from _on_lines("target", (plan.target,), plan)


def _across(plan: Plan, heights: Iterable[float]) -> str:
    """Lines from one edge of the plot to the other."""
    drawn = "".join(f"M{_n(plan.left)},{_n(at)}H{_n(plan.right)}" for at in heights)
    return f'd="{drawn}" fill="none"'


def _stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{_n(width)}"'


def _on_lines(name: str, rules: Iterable[Rule], plan: Plan) -> Iterator[str]:
    gap = plan.frame.text / 4
    for rule in rules:
        x, end = (plan.right - gap, ' text-anchor="end"') if rule.is_right else (plan.left + gap, "")
        y = rule.at - plan.frame.text * BASE
        yield f'<text class="{name}" x="{_n(x)}" y="{_n(y)}"{end}>{_text(rule.text)}</text>'


def _axis(plan: Plan, hands: str) -> Iterator[str]:
    """The figures beside and under the plot."""
    size = plan.frame.text
    yield '<g class="axis" text-anchor="end">'
    for mark in plan.scores:
        yield f'<text x="{_n(plan.left - size / 2)}" y="{_n(mark.at + size * BASE)}">{mark.text}</text>'
    yield '</g><g class="axis" text-anchor="middle">'
    for mark in plan.hands:
        yield f'<text x="{_n(mark.at)}" y="{_n(plan.bottom + size * ROW)}">{mark.text}</text>'
    middle, foot = (plan.left + plan.right) / 2, plan.bottom + 2 * size * ROW
    yield f'<text x="{_n(middle)}" y="{_n(foot)}">{_text(hands)}</text></g>'


def _track(look: Look, track: Track, plan: Plan, theme: Theme) -> Iterator[str]:
    """A side's line, its markers, and its name and total at the end."""
    scale, label, end = plan.frame.text / 14, track.label, track.points[-1]
    ink, radius = _INK[theme], plan.frame.text * _RADIUS
    yield f'<g class="{look.name}" fill="{ink}" stroke-linejoin="round">'
    yield (
        f'<path class="line" d="M{"L".join(f"{_n(x)},{_n(y)}" for x, y in track.points)}" fill="none" '
        f"{_stroke(ink, 2.5 * scale)}{_dashes(look.dashes, scale)}/>"
    )
    yield f'<path d="{"".join(look.marker(x, y, radius) for x, y in track.marked)}"/>'
    if label.is_off:
        yield (
            f'<path class="leader" d="M{_n(end[0] + radius)},{_n(end[1])}L{_n(label.x - radius / 2)},{_n(label.y)}" '
            f'fill="none" {_stroke(ink, scale)}/>'
        )
    x, y = _n(label.x), _n(label.y - plan.frame.text * (ROW / 2 - BASE))
    yield f'<text x="{x}" y="{y}">{_text(label.name)}'
    yield f'<tspan x="{x}" dy="{ROW}em" font-weight="700">{label.total}</tspan></text></g>'


def _dashes(dashes: Iterable[float], scale: float) -> str:
    drawn = " ".join(_n(each * scale) for each in dashes)
    return f' stroke-dasharray="{drawn}"' if drawn else ""


def _n(number: float) -> str:
    """A number as SVG has it, to a tenth."""
    return f"{number:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    return str(escape(printable(text)))
