"""The chart of running totals, laid out in a frame, and the picture of a result.

`templates/sheets/chart.svg` draws the chart for pages and paper.

On a page the style sheet colours it; on paper it needs only a font. Lines differ by stroke and
marker, and each is labelled. The texts around the plot are measured first, and the plot gets the
remaining space. Units are those of the frame; y grows downward.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice, pairwise
from math import ceil, floor
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Language, Words, words
from scorepad.matches.projection import MatchState
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.result import Lacking, Names, game_of, players_of, result_of

Point = tuple[float, float]


class Course(NamedTuple):
    """A side's course in the match: its name, and its total before the first hand and after each."""

    name: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a chart. `target` in points, None if a number of hands decides.

    `openings` are the scores from which another opening minimum applies, each with that minimum;
    `before` is the number of hands played before those of the chart.
    """

    language: Language
    courses: tuple[Course, ...]
    target: int | None = None
    openings: tuple[tuple[int, int], ...] = ()
    before: int = 0

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.courses[0].totals) - 1


class Frame(NamedTuple):
    """The size of a drawing and of its text. `colours` of the sides, if they have their own on
    paper.
    """

    width: float
    height: float
    text: float
    on_paper: bool = False
    colours: tuple[str, ...] = ()


SCREEN = Frame(336, 268, 14)
"""288 px wide on the smallest phone: letters of 12 px there."""
PAPER = Frame(680, 236, 12, on_paper=True)
"""The width of the print area of A4, in CSS pixels: text of 9 points."""
LARGE = Frame(680, 230, 22, on_paper=True)
"""The same in large print."""


class Mark(NamedTuple):
    """A position on an axis, or a line across the plot, with the box of its text at the left or
    right end.
    """

    at: float
    text: str
    is_right: bool = False
    box: Box | None = None


class Track(NamedTuple):
    """A side's line: all its points, those with a marker, and the label at its end.

    The label has two rows of text around `y`, with a leader from the line's end if it is off.
    """

    points: tuple[Point, ...]
    marked: tuple[Point, ...]
    x: float
    y: float
    name: str
    total: str
    is_off: bool


class Plot(NamedTuple):
    """The plot: its edges, the scores at the lower and the upper edge, and its width in hands."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    hands: int

    def height(self, score: float) -> float:
        """The y coordinate of a score."""
        return round(
            self.bottom - (score - self.low) * (self.bottom - self.top) / (self.high - self.low), 1
        )

    def across(self, hand: int) -> float:
        """The x coordinate of a hand; 0 is the start of the match."""
        return round(self.left + hand * (self.right - self.left) / max(1, self.hands), 1)


class Plan(NamedTuple):
    """A chart laid out in a frame; `zero` is the line at score 0."""

    frame: Frame
    plot: Plot
    zero: float
    scores: tuple[Mark, ...]
    hands: tuple[Mark, ...]
    target: Mark | None
    openings: tuple[Mark, ...]
    tracks: tuple[Track, ...]

    def extent(self, at: float) -> Point:
        """The left and right end of a horizontal line at this y coordinate: it stops at the texts
        of other lines.
        """
        left, right = self.plot.left, self.plot.right
        for line in (*self.openings, self.target):
            if line and line.box and line.box.top < at < line.box.bottom:
                left, right = (left, line.box.left) if line.is_right else (line.box.right, right)
        return left, right


def running_chart(
    state: MatchState, language: Language, names: Sequence[str] | None = None
) -> Chart:
    """The chart of a match; `names` of its sides if they differ from those on a page."""
    named = tuple(side.name for side in state.sides) if names is None else names
    begun, settings = state.carried or (0,) * len(state.sides), state.rules.settings
    return Chart(
        language=language,
        courses=tuple(
            Course(name, (begun[side], *(hand.sides[side].total for hand in state.hands)))
            for side, name in enumerate(named)
        ),
        target=state.status.target,
        openings=settings.opening_steps[1:] if settings.opening_by == "score" else (),
        before=state.played,
    )


def chart_svg(chart: Chart, frame: Frame = SCREEN) -> str:
    """The chart as an `<svg>` element."""
    plan, say = plan_of(chart, frame), words(chart.language)
    return render(
        "chart.svg", say, plan=plan, plot=plan.plot, frame=frame, described=described(chart)
    )


def line_sample(position: int) -> str:
    """A sample of this side's line, shown beside its name."""
    return render("line.svg", words(Language.ITALIAN), position=position)


def described(chart: Chart) -> str:
    """A description of the chart in a sentence or two."""
    say = words(chart.language)
    sides = "; ".join(
        say.text(
            "share.chart.course", side=course.name, first=course.totals[0], last=course.totals[-1]
        )
        for course in chart.courses
    )
    target = "" if chart.target is None else f" {say.text('share.chart.goal', points=chart.target)}"
    return f"{say.plural('share.chart.text', chart.hands, sides=sides)}{target}"


# ------------------------------------------------------------------------ text in an unknown font

_NARROW = frozenset("iljtfrI.,:;!|'’()[]-· ")
_BROAD = frozenset("mwMWQOGD@%–…−+")


def width_of(text: str, size: float) -> float:
    """The greatest width of a text of this size, in the widest of the usual system fonts."""
    return round(sum(map(_width, text)) * size, 1)


def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in ("W", "F") or ord(character) > 0xFFFF:  # noqa: PLR2004 - emoji
        return 1.1
    return 0.38 if character in _NARROW else 0.93 if character in _BROAD else 0.62


def labels_of(names: Sequence[str], room: float, size: float) -> tuple[str, ...]:
    """Names shortened to this width and still distinct: cut at the end, else in the middle, else
    numbered.
    """
    for cut in (_head, _both_ends):
        short = tuple(_fitted(name, room, size, cut) for name in names)
        if len(set(short)) == len(names):
            return short
    return tuple(
        _fitted(f"{number} {name}", room, size, _head) for number, name in enumerate(names, 1)
    )


def _fitted(name: str, room: float, size: float, cut: Callable[[str, int], str]) -> str:
    """The name, shortened to fit."""
    shorter = (cut(name, length) for length in range(len(name) - 1, 0, -1))
    return next((each for each in (name, *shorter) if width_of(each, size) <= room), cut(name, 1))


def _head(name: str, length: int) -> str:
    return f"{name[:length].rstrip()}…"


def _both_ends(name: str, length: int) -> str:
    """The beginning and the end of a name: numbered names differ at the end."""
    head = (length + 1) // 2
    return f"{name[:head].rstrip()}…{name[len(name) - (length - head) :].lstrip()}"


# -------------------------------------------------------------------- placing texts without overlap


class Box(NamedTuple):
    """A rectangle of the drawing: its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)

    def is_crossed(self, line: Sequence[Point]) -> bool:
        """Whether a line that runs from left to right crosses it."""
        for one, other in pairwise(line):
            left, right = max(self.left, one[0]), min(self.right, other[0])
            if left <= right and one[0] != other[0]:
                slope = (other[1] - one[1]) / (other[0] - one[0])
                ends = sorted(one[1] + slope * (x - one[0]) for x in (left, right))
                if ends[0] < self.bottom and ends[1] > self.top:
                    return True
        return False


def spread(wanted: Sequence[float], height: float, first: float, last: float) -> list[float]:
    """Positions for boxes of this height, each as near as possible to the one wanted, without
    overlap.

    The middle of each is between `first` and `last`, in the order of `wanted`. Boxes that would
    overlap form a group centred on their wanted positions.
    """

    def start(group: list[int]) -> float:
        extent = (len(group) - 1) * height
        middle = sum(wanted[position] for position in group) / len(group)
        return max(first, min(last - extent, middle - extent / 2))

    groups: list[list[int]] = []
    for position in sorted(range(len(wanted)), key=lambda each: (wanted[each], each)):
        groups.append([position])
        while len(groups) > 1 and start(groups[-1]) < start(groups[-2]) + len(groups[-2]) * height:
            groups[-2:] = [groups[-2] + groups[-1]]
    placed = {
        position: start(group) + row * height
        for group in groups
        for row, position in enumerate(group)
    }
    return [round(placed[position], 1) for position in range(len(wanted))]


# ------------------------------------------------------------------------ layout

ROW = 1.2
"""Height of a row of text, in units of the text size."""
BOLD = 1.13
"""The width of bold text relative to regular."""
LABELS = 0.28
"""The greatest share of the width for labels."""
MARKER_DISTANCE = 0.7
"""The least distance between markers of a line, in units of the text size."""
LABEL_DISTANCE = 0.8
"""The distance between a line's end and its label, in units of the text size."""
NEAR = 0.5
"""The greatest offset of a label from its line without a leader, in units of the text size."""


def plan_of(chart: Chart, frame: Frame = SCREEN) -> Plan:
    """The chart laid out in a frame."""
    say, text = words(chart.language), frame.text
    names = labels_of([course.name for course in chart.courses], frame.width * LABELS, text)
    totals = [say.figure(course.totals[-1]) for course in chart.courses]
    ends = max(
        width_of(each, size) for row, size in ((names, text), (totals, text * BOLD)) for each in row
    )
    plot, figures = _plot(chart, frame, ends)
    tracks = _tracks(chart, plot, tuple(zip(names, totals, strict=True)), frame)
    target, openings = _rules(chart, plot, tracks, text)
    hands = _numbered(plot, chart.before, text)
    return Plan(
        frame,
        plot,
        zero=plot.height(0),
        scores=tuple(Mark(plot.height(figure), say.figure(figure)) for figure in figures),
        hands=tuple(
            Mark(plot.across(number - chart.before), say.figure(number)) for number in hands
        ),
        target=target,
        openings=openings,
        tracks=tracks,
    )


def _plot(chart: Chart, frame: Frame, ends: float) -> tuple[Plot, list[int]]:
    """The plot, as large as the texts around it allow, and the round numbers beside it."""
    text, every = frame.text, [0, *(total for course in chart.courses for total in course.totals)]
    low, high = min(every), max(every if chart.target is None else [*every, chart.target])
    high = max(high, low + 1)
    top, bottom = round(text * ROW + 4, 1), round(frame.height - 2 * text * ROW - 4, 1)
    step = _round_step((high - low) / max(1, floor((bottom - top) / (2 * text))))
    figures = [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
    left = (
        max(width_of(words(chart.language).figure(figure), text) for figure in figures) + text / 2
    )
    right = frame.width - ends - text
    return Plot(round(left, 1), round(right, 1), top, bottom, low, high, chart.hands), figures


def _round_step(least: float) -> int:
    """The smallest 1, 2 or 5 times a power of ten that is not less than `least`."""
    power = 1
    while 5 * power < least:
        power *= 10
    return next(figure * power for figure in (1, 2, 5) if figure * power >= least)


def _numbered(plot: Plot, before: int, text: float) -> range:
    """The numbers of the hands written under the plot, after `before` earlier ones."""
    last = before + plot.hands
    step = _round_step(
        (width_of(str(last), text) + text / 2) * max(1, plot.hands) / (plot.right - plot.left)
    )
    return range((before // step + 1) * step, last + 1, step)


def _tracks(
    chart: Chart, plot: Plot, ends: Sequence[tuple[str, str]], frame: Frame
) -> tuple[Track, ...]:
    """The lines of the sides; `ends` are the name and the total at the end of each."""
    lines = [
        tuple((plot.across(hand), plot.height(total)) for hand, total in enumerate(course.totals))
        for course in chart.courses
    ]
    row, x = frame.text * ROW, round(plot.right + frame.text * LABEL_DISTANCE, 1)
    places = spread([line[-1][1] for line in lines], 2 * row, row, frame.height - row)
    # A marker on every hand or, if too close, on every few, and always on the last.
    each = ceil(MARKER_DISTANCE * frame.text / ((plot.right - plot.left) / max(1, chart.hands)))
    return tuple(
        Track(
            line,
            line[:0:-each][::-1] or line,
            *(x, y, name, total),
            is_off=abs(y - line[-1][1]) > frame.text * NEAR,
        )
        for line, y, (name, total) in zip(lines, places, ends, strict=True)
    )


def _rules(
    chart: Chart, plot: Plot, tracks: Sequence[Track], text: float
) -> tuple[Mark | None, tuple[Mark, ...]]:  # fmt: skip
    """The line of the target, and those at which the opening minimum rises, if their texts are
    legible.
    """
    say, taken = words(chart.language), list[Box]()

    def written(rule: Mark) -> bool:
        """Whether the text has room on this line; then no other text may be there."""
        box = rule.box
        has_room = (
            box
            and not any(map(box.meets, taken))
            and not any(box.is_crossed(track.points) for track in tracks)
        )
        taken.extend([box] if box and has_room else [])
        return bool(has_room)

    target, openings = None, list[Mark]()
    if chart.target is not None:
        ends = _either_end(
            chart.target, say.text("share.chart.target", points=chart.target), plot, text
        )
        target = next(filter(written, ends), ends[0])
    for start, minimum in chart.openings:
        if 0 < start < plot.high:
            ends = _either_end(start, say.text("share.chart.opening", points=minimum), plot, text)
            openings += islice(filter(written, ends), 1)
    return target, tuple(openings)


def _either_end(score: int, message: str, plot: Plot, text: float) -> tuple[Mark, Mark]:
    """The line at this score with its text at the left end, and at the right one."""
    at, wide, gap = plot.height(score), width_of(message, text), text / 4
    boxes = [
        Box(left, at - text * ROW, left + wide, at)
        for left in (plot.left + gap, plot.right - gap - wide)
    ]
    return Mark(at, message, is_right=False, box=boxes[0]), Mark(
        at, message, is_right=True, box=boxes[1]
    )


# ---------------------------------------------------------------- the picture of a result, to share

SIZE = 1080
"""Width and height of the picture in pixels."""
COLUMNS = 920
"""Total width of the sides' columns in pixels."""
CHART = Frame(
    COLUMNS,
    328,
    24,
    on_paper=True,
    colours=("#17553a", "#a23b08", "#3d3a9c", "#8a1550", "#00607a", "#5c4a00"),
)
_POINT = 72 / 96
"""Points to a pixel of CSS."""
_pdfium = threading.Lock()
"""PDFium is not thread-safe."""


class PictureSide(NamedTuple):
    """A side: its name, its players if named, its formatted total, and whether it won."""

    name: str
    players: str
    total: str
    won: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The contents of the picture. `chart` is None before the first hand; `lacking`: some
    characters have no glyph.
    """

    game: str
    when: str
    sides: tuple[PictureSide, ...]
    sentence: str
    how: str
    chart: Chart | None
    lacking: bool = False

    def size(self, texts: list[str], largest: int, smallest: int, rows: int = 1) -> int:
        """The largest text size, in pixels, at which each text fits into this number of rows of a
        column.
        """
        room = COLUMNS / len(self.sides) - 64
        longest = max(width_of(text, 1) for text in texts)
        return max(smallest, min(largest, int(room * rows / max(longest, 1))))


def picture_of(state: MatchState, words: Words, lacking: Lacking = frozenset()) -> Picture:
    """The result, on a machine without glyphs for the `lacking` characters."""
    names = Names(state, words, lacking)
    named = names.state
    result, winner = result_of(named, words), state.status.winner
    chart = running_chart(state, words.language, names.drawn) if state.hands else None
    return Picture(
        game=game_of(state, words),
        when=" · ".join(filter(None, (words.day(state.started.astimezone()), state.place))),
        sides=tuple(
            PictureSide(
                side.name,
                players_of(named, number, words),
                words.figure(side.total),
                won=number == winner,
            )
            for number, side in enumerate(named.sides)
        ),
        sentence=result.sentence,
        how=result.how,
        chart=None if chart is None else replace(chart, openings=()),
        lacking=bool(lacking),
    )


def picture_png(state: MatchState, words: Words) -> bytes:
    """The picture as a PNG file. Raises NoPdf."""
    return png_of(
        pdf_for_lacking(lambda lacking: picture_html(picture_of(state, words, lacking), words))
    )


def picture_html(picture: Picture, words: Words) -> str:
    """The picture as a page of HTML."""
    chart = Markup(chart_svg(picture.chart, CHART) if picture.chart else "")  # noqa: S704 - it escapes its texts
    return render("picture.html", words, picture=picture, chart=chart)


def png_of(pdf: bytes) -> bytes:
    """The first page of a PDF as PNG, each pixel of CSS one pixel."""
    import pypdfium2

    with _pdfium, pypdfium2.PdfDocument(pdf) as document:
        image = document[0].render(scale=1 / _POINT).to_pil().convert("RGB")
    made = BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()
