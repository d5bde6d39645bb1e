"""The chart of running totals as one SVG, for pages, sheets and pictures.

On a page the style sheet gives it its colours; on paper it needs nothing from outside but a font. The sides are told
apart by the stroke of their lines and the shape of their markers, and each line bears its name. What stands around the
plot is measured first, and the plot gets the rest; units are those of the frame, y grows downward.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

from markupsafe import escape

from scorepad.i18n import Language, words
from scorepad.matches.projection import MatchState
from scorepad.rules.settings import OpeningBy
from scorepad.sheets.names import printable

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Course:
    """A side's way through the match: its name, and its total before the first hand and after each."""

    name: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart tells. `target` in points, None where a number of hands decides.

    `openings` are the scores from which another opening minimum holds, each with that minimum; `before` are the hands
    played before those that it tells of.
    """

    language: Language
    courses: tuple[Course, ...]
    target: int | None = None
    openings: tuple[tuple[int, int], ...] = ()
    before: int = 0

    @property
    def hands(self) -> int:
        """How many hands it tells of."""
        return len(self.courses[0].totals) - 1


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a drawing and of its letters."""

    width: float
    height: float
    text: float
    on_paper: bool = False
    """Black on white; on a page it takes the colours of the style sheet."""
    colours: tuple[str, ...] = ()
    """Colours of the sides, where they have some of their own on paper."""

    @property
    def ink(self) -> str:
        """The colour of lines and text."""
        return "#000" if self.on_paper else "currentColor"

    @property
    def faint(self) -> str:
        """The colour of the lines behind those of the sides."""
        return "#888" if self.on_paper else "currentColor"


SCREEN = Frame(336, 268, 14)
"""288 px wide on the smallest phone: letters of 12 px there."""
PAPER = Frame(680, 236, 12, on_paper=True)
"""As wide as what is printed on a sheet of A4, in CSS pixels: letters of 9 points."""
LARGE = Frame(680, 330, 22, on_paper=True)
"""The same in large print."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis, and what is written there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the plot, and what is written on it: at its left end, or at its right one."""

    at: float
    text: str
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """What stands at the end of a line: two rows of text around `y`, with a leader from the line's end if it is off."""

    x: float
    y: float
    name: str
    total: str
    is_off: bool


@dataclass(frozen=True, slots=True)
class Track:
    """A line through the plot: all its points, those that bear a marker, and its label."""

    points: tuple[Point, ...]
    marked: tuple[Point, ...]
    label: Label


@dataclass(frozen=True, slots=True)
class Plan:
    """A chart laid out. `left`, `right`, `top`, `bottom` are the edges of the plot, `zero` the line of no points."""

    frame: Frame
    left: float
    right: float
    top: float
    bottom: float
    zero: float
    scores: tuple[Mark, ...]
    hands: tuple[Mark, ...]
    target: Rule | None
    openings: tuple[Rule, ...]
    tracks: tuple[Track, ...]


def running_chart(state: MatchState, language: Language, names: Sequence[str] | None = None) -> Chart:
    """The chart of a match; `names` of its sides where they stand otherwise than on a page."""
    named = tuple(side.name for side in state.sides) if names is None else names
    begun, settings = state.carried or (0,) * len(state.sides), state.rules.settings
    return Chart(
        language=language,
        courses=tuple(
            Course(name, (begun[side], *(hand.sides[side].total for hand in state.hands)))
            for side, name in enumerate(named)
        ),
        target=state.standing.target,
        openings=settings.opening_steps[1:] if settings.opening_by is OpeningBy.SCORE else (),
        before=state.played,
    )


# ---------------------------------------------------------------------------- text where nobody knows the font


_NARROW = frozenset("iljtfrI.,:;!|'’()[]-· ")
_BROAD = frozenset("mwMWQOGD@%–…−+")
_WIDTHS = {"narrow": 0.38, "broad": 0.93, "usual": 0.62, "double": 1.1}
"""In heights of the letters: rather too wide than too narrow, for the broadest of the usual system fonts."""
CUT = "…"


def width_of(text: str, size: float) -> float:
    """How wide a text is at most, about, in letters of this size."""
    return round(sum(_WIDTHS[_kind(character)] for character in text) * size, 1)


def labels_of(names: Sequence[str], room: float, size: float) -> tuple[str, ...]:
    """Names that fit into this room and still tell each other apart."""
    for cut in (_after, _between):
        short = tuple(_fitted(name, lambda text: width_of(text, size) <= room, cut) for name in names)
        if len(set(short)) == len(names):
            return short
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return tuple(_fitted(name, lambda text: width_of(text, size) <= room, _after) for name in numbered)


def _fitted(name: str, fits: Callable[[str], bool], cut: Callable[[str, int], str]) -> str:
    """The name, or as much of it as fits."""
    if fits(name):
        return name
    kept = next((length for length in range(len(name) - 1, 1, -1) if fits(cut(name, length))), 1)
    return cut(name, kept)


def _after(name: str, length: int) -> str:
    return f"{name[:length].rstrip()}{CUT}"


def _between(name: str, length: int) -> str:
    """The beginning and the end of a name: those of a row of numbered ones differ at the end."""
    head = (length + 1) // 2
    return f"{name[:head].rstrip()}{CUT}{name[len(name) - (length - head) :].lstrip()}"


def _kind(character: str) -> str:
    if unicodedata.east_asian_width(character) in ("W", "F") or ord(character) > 0xFFFF:  # noqa: PLR2004 - emoji
        return "double"
    if character in _NARROW:
        return "narrow"
    return "broad" if character in _BROAD else "usual"


# -------------------------------------------------- where texts go so that none lies on another, nor on a line


@dataclass(frozen=True, slots=True)
class Box:
    """A piece of the drawing: its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two have any piece in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_crossed(self, way: Sequence[Point]) -> bool:
        """Whether a line that runs from left to right comes through it."""
        return any(self._is_cut(one, other) for one, other in pairwise(way))

    def _is_cut(self, one: Point, other: Point) -> bool:
        left, right = max(self.left, one[0]), min(self.right, other[0])
        if left > right or one[0] == other[0]:
            return False
        slope = (other[1] - one[1]) / (other[0] - one[0])
        ends = sorted(one[1] + slope * (x - one[0]) for x in (left, right))
        return ends[0] < self.bottom and ends[1] > self.top


def spread(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Places for boxes of this height, each as near as can be to the one wanted, none on another.

    The middle of each lies between `first` and `last`; they stand in the order of what was wanted.
    """
    order = sorted(range(len(wanted)), key=lambda position: (wanted[position], position))
    groups: list[list[int]] = []
    for position in order:
        groups.append([position])
        while len(groups) > 1 and _middle(groups[-1], wanted) - _middle(groups[-2], wanted) < _room(groups, height):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = dict.fromkeys(order, 0.0)
    for group in groups:
        start = _middle(group, wanted) - (len(group) - 1) * height / 2
        placed.update({position: start + number * height for number, position in enumerate(group)})
    return _kept_in(order, placed, height, (first, last))


def _kept_in(order: list[int], placed: dict[int, float], height: float, bounds: tuple[float, float]) -> list[float]:
    """The places, pushed off the lower edge and then off the upper one."""
    limit = bounds[1]
    for position in reversed(order):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - height
    limit = bounds[0]
    for position in order:
        placed[position] = max(placed[position], limit)
        limit = placed[position] + height
    return [round(placed[position], 1) for position in range(len(order))]


def _middle(group: list[int], wanted: Sequence[float]) -> float:
    return sum(wanted[position] for position in group) / len(group)


def _room(groups: list[list[int]], height: float) -> float:
    """How far the middles of the last two groups must be apart."""
    return (len(groups[-1]) + len(groups[-2])) * height / 2


# ------------------------------------------------------------------------------------------------------ layout


ROW = 1.2
"""Height of a row of text, in letters."""
BASE = 0.35
"""Letters by which a row's foot stands under its middle."""
BOLD = 1.13
"""How much wider bold letters are."""
NAMES = 0.28
"""The share of the width that labels may take."""
APART = 0.7
"""Letters that the markers of a line are apart at least."""
BESIDE = 0.8
"""Letters between the end of a line and its label."""
OFF = 0.5
"""Letters by which a label may be off its line without a leader."""


@dataclass(frozen=True, slots=True)
class _Field:
    """The plot: its edges, the scores at the lower and the upper one, and how many hands it is wide."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    hands: int

    def height(self, score: float) -> float:
        """Where this score stands."""
        return round(self.bottom - (score - self.low) * (self.bottom - self.top) / (self.high - self.low), 1)

    def across(self, hand: int) -> float:
        """Where this hand stands; 0 is the start of the match."""
        return round(self.left + hand * (self.right - self.left) / max(1, self.hands), 1)


def plan_of(chart: Chart, frame: Frame = SCREEN) -> Plan:
    """The chart laid out on a frame."""
    say, text = words(chart.language), frame.text
    names = labels_of([course.name for course in chart.courses], frame.width * NAMES, text)
    sums = tuple(say.figure(course.totals[-1]) for course in chart.courses)
    widest = max(width_of(each, size) for row, size in ((names, text), (sums, text * BOLD)) for each in row)
    field, figures = _field(chart, frame, widest)
    tracks = _tracks(chart, field, tuple(zip(names, sums, strict=True)), frame)
    target, openings = _rules(chart, field, tracks, text)
    return Plan(
        frame,
        field.left,
        field.right,
        field.top,
        field.bottom,
        field.height(0),
        scores=tuple(Mark(field.height(figure), say.figure(figure)) for figure in figures),
        hands=tuple(
            Mark(field.across(number - chart.before), say.figure(number)) for number in _told(field, chart.before, text)
        ),
        target=target,
        openings=openings,
        tracks=tracks,
    )


def _field(chart: Chart, frame: Frame, ends: float) -> tuple[_Field, list[int]]:
    """The plot, as large as what is written around it leaves it, and the round figures beside it."""
    text, (low, high) = frame.text, _reach(chart)
    top, bottom = round(text * ROW + 4, 1), round(frame.height - 2 * text * ROW - 4, 1)
    step = _step((high - low) / max(1, floor((bottom - top) / (2 * text))))
    figures = [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
    left = max(width_of(words(chart.language).figure(figure), text) for figure in figures) + text / 2
    right = frame.width - ends - text
    return _Field(round(left, 1), round(right, 1), top, bottom, low, high, chart.hands), figures


def _reach(chart: Chart) -> tuple[int, int]:
    """The lowest and the highest score that the chart shows: nothing, every total, and the target."""
    every = [0, *(total for course in chart.courses for total in course.totals)]
    low, high = min(every), max(every if chart.target is None else [*every, chart.target])
    return low, max(high, low + 1)


def _step(least: float) -> int:
    """The smallest round figure that is no less: 1, 2 or 5, with any number of noughts."""
    power = 1
    while True:
        for figure in (1, 2, 5):
            if figure * power >= least:
                return figure * power
        power *= 10


def _told(field: _Field, before: int, text: float) -> range:
    """The numbers of the hands that are written under the plot; so many were played before."""
    last = before + field.hands
    step = _step((width_of(str(last), text) + text / 2) * max(1, field.hands) / (field.right - field.left))
    return range((before // step + 1) * step, last + 1, step)


def _tracks(chart: Chart, field: _Field, said: Sequence[tuple[str, str]], frame: Frame) -> tuple[Track, ...]:
    """The lines of the sides; `said` are the name and the total at the end of each."""
    ways = [
        tuple((field.across(hand), field.height(total)) for hand, total in enumerate(course.totals))
        for course in chart.courses
    ]
    row = frame.text * ROW
    places = spread([way[-1][1] for way in ways], 2 * row, row, frame.height - row)
    x = round(field.right + frame.text * BESIDE, 1)
    return tuple(
        Track(way, _marked(way, frame.text), Label(x, y, *told, is_off=abs(y - way[-1][1]) > frame.text * OFF))
        for way, y, told in zip(ways, places, said, strict=True)
    )


def _marked(way: tuple[Point, ...], text: float) -> tuple[Point, ...]:
    """The points that bear a marker: every hand or, where they stand too close, every few, and always the last."""
    hands = len(way) - 1
    if not hands:
        return way
    each = ceil(APART * text / ((way[-1][0] - way[0][0]) / hands))
    return tuple(way[number] for number in range(hands, 0, -each))[::-1]


def _rules(
    chart: Chart, field: _Field, tracks: Sequence[Track], text: float
) -> tuple[Rule | None, tuple[Rule, ...]]:  # fmt: skip
    """The line of the target, and those at which the opening minimum rises, as far as what they say can be read."""
    say, taken = words(chart.language), list[Box]()

    def written(rule: Rule) -> Rule | None:
        """The line with its text at the end where it has room; None where it has none."""
        for each, box in _either_end(rule, field, text):
            if not any(map(box.meets, taken)) and not any(box.is_crossed(track.points) for track in tracks):
                taken.append(box)
                return each
        return None

    target = None
    if chart.target is not None:
        wanted = Rule(field.height(chart.target), say.text("share.chart.target", points=chart.target))
        target = written(wanted) or wanted
    rising = [(start, minimum) for start, minimum in chart.openings if 0 < start < field.high]
    openings = (
        written(Rule(field.height(start), say.text("share.chart.opening", points=minimum))) for start, minimum in rising
    )
    return target, tuple(filter(None, openings))


def _either_end(rule: Rule, field: _Field, text: float) -> Iterator[tuple[Rule, Box]]:
    """The line with its text at its left end, and at its right one; and the room that the text takes."""
    wide, gap = width_of(rule.text, text), text / 4
    for is_right, left in ((False, field.left + gap), (True, field.right - gap - wide)):
        yield Rule(rule.at, rule.text, is_right), Box(left, rule.at - text * ROW, left + wide, rule.at)


# ----------------------------------------------------------------------------------------------------- drawing


TITLE, TOLD = "andamento-titolo", "andamento-detto"
"""Ids of what the chart is called and what it tells, on a page."""


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

_FONTS = "Open Sans, Open Sans Extended, DejaVu Sans, Noto Sans, sans-serif"
"""Those of the sheets."""
_RADIUS = 0.25


def chart_svg(chart: Chart, frame: Frame = SCREEN) -> str:
    """The chart as an `<svg>` element."""
    return "".join(_svg(plan_of(chart, frame), chart))


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


def _svg(plan: Plan, chart: Chart) -> Iterator[str]:
    frame = plan.frame
    named = f'class="running" aria-labelledby="{TITLE}" aria-describedby="{TOLD}"'
    sized = f'width="{_n(frame.width)}" height="{_n(frame.height)}" font-family="{_FONTS}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(frame.width)} {_n(frame.height)}" role="img" '
        f'font-size="{_n(frame.text)}" fill="{frame.ink}" {sized if frame.on_paper else named}>'
    )
    yield from _named(chart, frame)
    yield from _grid(plan)
    yield from _axis(plan, words(chart.language).text("share.chart.hands"))
    inks = plan.frame.colours or (plan.frame.ink,) * len(LOOKS)
    for look, ink, track in zip(LOOKS, inks, plan.tracks, strict=False):
        yield from _track(look, ink, track, plan)
    yield "</svg>"


def _named(chart: Chart, frame: Frame) -> Iterator[str]:
    """What the chart is called and what it tells; on paper in one, because a PDF has one text in place of a picture."""
    name = words(chart.language).text("share.chart.name")
    if frame.on_paper:
        yield f"<title>{_text(f'{name}. {told(chart)}')}</title>"
        return
    yield f'<title id="{TITLE}">{_text(name)}</title>'
    yield f'<desc id="{TOLD}">{_text(told(chart))}</desc>'


def _grid(plan: Plan) -> Iterator[str]:
    """The lines across the plot: of round figures, of nothing, where the opening rises, of the target."""
    faint, ink, thin = plan.frame.faint, plan.frame.ink, plan.frame.text / 14
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


def _track(look: Look, ink: str, track: Track, plan: Plan) -> Iterator[str]:
    """A side's line, its markers, and its name and total at the end."""
    scale, label, end = plan.frame.text / 14, track.label, track.points[-1]
    radius = plan.frame.text * _RADIUS
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
