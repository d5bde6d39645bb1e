"""The chart of running totals: where everything stands, worked with pen and paper, and what the
drawing holds.
"""

from __future__ import annotations

import re
from itertools import accumulate, combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.i18n import Language
from scorepad.sheets.chart import draw_chart_as_svg, draw_line_sample
from scorepad.sheets.chart_boxes import Box
from scorepad.sheets.chart_data import PAPER, SCREEN, Chart, Course, Frame
from scorepad.sheets.chart_layout import Plan, Threshold, Track, lay_out_chart
from scorepad.sheets.text_width import measure_width, shorten_names

OPENINGS = ((1500, 90), (3000, 120))
ROUNDING = 0.2
"""Coordinates have one decimal."""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def six_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are all six units wide."""
    for module in ("text_width", "chart_layout"):
        name = f"scorepad.sheets.{module}.measure_width"
        monkeypatch.setattr(name, lambda text, _size: 6.0 * len(text))


def chart_of(*totals: tuple[int, ...], target: int | None = 5000, **more: object) -> Chart:
    """The chart of a match whose sides had these totals at the beginning and after each hand."""
    names = ("Noi", "Loro", "Essi", "Anna", "Bruno", "Carla")
    courses = tuple(Course(name, each) for name, each in zip(names, totals, strict=False))
    return Chart(Language.ITALIAN, courses, target, **more)


TWELVE_HANDS = chart_of(
    (0, 430, 1310, 1420, 2180, 2510, 2850, 3915, 4400, 4805, 5470, 6280, 6695),
    (0, 370, 860, 1085, 1540, 2170, 2640, 3450, 3550, 3930, 4080, 4205, 4505),
    openings=OPENINGS,
)


# ---------------------------------------------------------------- by hand


@pytest.mark.usefixtures("six_each")
def test_a_small_chart_stands_where_pen_and_paper_put_it() -> None:
    """Two rows of 12 and 4 more at the foot, one and 4 at the head: from 16 down to 92, 76 for 600
    points.

    Left: «400» and half a letter, 18 + 5. Right: 200 less «Loro» and a letter, 24 + 10. The two
    hands share 143.
    """
    chart = chart_of((0, 100, 300), (0, -100, 100), target=500)
    plan = lay_out_chart(chart, Frame(200, 120, 10))
    assert (plan.plot.left, plan.plot.right) == (23, 166)
    assert (plan.plot.top, plan.plot.bottom) == (16, 92)
    assert plan.zero == 79.3
    assert [(mark.text, mark.at) for mark in plan.scores] == [
        ("0", 79.3),
        ("200", 54),
        ("400", 28.7),
    ]
    assert [(mark.text, mark.at) for mark in plan.hands] == [("1", 94.5), ("2", 166)]
    box = Box(25.5, 4, 103.5, 16)
    assert plan.target == Threshold(16, "traguardo 500", is_right=False, box=box)
    ours, theirs = plan.tracks
    assert ours.points == ((23, 79.3), (94.5, 66.7), (166, 41.3))
    assert theirs.points == ((23, 79.3), (94.5, 92), (166, 66.7))
    assert ours.marked == ours.points[1:]
    assert ours[2:] == (174, 41.3, "Noi", "300", False)
    assert theirs[2:] == (174, 66.7, "Loro", "100", False)


@pytest.mark.parametrize(
    ("totals", "target", "figures"),
    [
        (((0, 430), (0, 60)), 5000, "0 1.000 2.000 3.000 4.000 5.000"),
        (((0, 3, 8), (0, -1, 4)), 30, "0 5 10 15 20 25 30"),
        (((0, 1860, 15330), (0, 2480, 13130)), None, "0 5.000 10.000 15.000"),
        (((0, -1250), (0, 850)), 5000, "−1.000 0 1.000 2.000 3.000 4.000 5.000"),
        (((0, 0), (0, 0)), None, "0 1"),
    ],
)
def test_the_axis_bears_round_figures_as_people_write_them(
    totals: tuple[tuple[int, ...], ...], target: int | None, figures: str
) -> None:
    plan = lay_out_chart(chart_of(*totals, target=target))
    assert [mark.text for mark in plan.scores] == figures.split()


def test_a_match_taken_over_from_paper_starts_at_its_totals_and_goes_on_counting_its_hands() -> (
    None
):
    plan = lay_out_chart(chart_of((1240, 1860, 2700), (-85, 370, 725), before=4))
    assert [mark.text for mark in plan.hands] == ["5", "6"]
    (_, ours), (first_hand, _), _ = plan.tracks[0].points
    (_, theirs), *_ = plan.tracks[1].points
    assert plan.hands[0].at == first_hand
    assert ours < plan.zero < theirs


def test_of_sixty_hands_every_few_bear_a_marker_and_the_last_one_always() -> None:
    plan = lay_out_chart(chart_of(tuple(range(0, 6100, 100)), tuple(range(0, 3050, 50))))
    assert [mark.text for mark in plan.hands] == ["10", "20", "30", "40", "50", "60"]
    track = plan.tracks[0]
    assert track.marked[-1] == track.points[-1]
    assert 10 <= len(track.marked) <= 30
    for (left, _), (right, _) in pairwise(track.marked):
        assert right - left >= 0.7 * SCREEN.text_size - ROUNDING


def test_where_a_line_runs_through_the_left_end_the_opening_is_written_at_the_right_one() -> None:
    ninety, hundred_and_twenty = lay_out_chart(TWELVE_HANDS).openings
    assert (ninety.text, ninety.is_right) == ("si apre con 90", True)
    assert (hundred_and_twenty.text, hundred_and_twenty.is_right) == ("si apre con 120", False)


def test_an_opening_that_has_no_room_is_left_out() -> None:
    crossing = [(0, 1700, 1400, 1700), (0, 1400, 1700, 1400)]
    plan = lay_out_chart(chart_of(*crossing, target=None, openings=((1500, 90),)))
    assert plan.openings == ()


# ---------------------------------------------------------------- nothing on anything


def box_of_label(track: Track, size: float) -> Box:
    """What a side's name and total take at the end of its line, in letters of this size."""
    width = max(measure_width(track.name, size), measure_width(track.total, size * 1.13))
    return Box(track.x, track.y - 1.2 * size, track.x + width, track.y + 1.2 * size)


def box_of_text(threshold: Threshold, plan: Plan) -> Box:
    """What the text of an opening or of the target takes above its line."""
    size = plan.frame.text_size
    width = measure_width(threshold.text, size)
    left = plan.plot.left + size / 4
    if threshold.is_right:
        left = plan.plot.right - size / 4 - width
    return Box(left, threshold.at - 1.2 * size, left + width, threshold.at)


@st.composite
def matches(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """The totals of two to six sides at the beginning and after each hand."""
    hands = draw(st.integers(1, 40))
    points = st.lists(st.integers(-900, 2500), min_size=hands, max_size=hands)
    sides = draw(st.lists(points, min_size=2, max_size=6))
    return [tuple(accumulate(made, initial=0)) for made in sides]


@given(matches(), st.sampled_from([None, 30, 5000, 15000]), st.sampled_from([SCREEN, PAPER]))
def test_no_label_lies_on_another_or_outside_the_drawing(
    totals: list[tuple[int, ...]], target: int | None, frame: Frame
) -> None:
    plan = lay_out_chart(chart_of(*totals, target=target, openings=OPENINGS), frame)
    boxes = [box_of_label(track, frame.text_size) for track in plan.tracks]
    for box in boxes:
        assert box.top >= -ROUNDING
        assert box.bottom <= frame.height + ROUNDING
        assert box.right <= frame.width + ROUNDING
    for one, other in combinations(boxes, 2):
        assert one.bottom <= other.top + ROUNDING or other.bottom <= one.top + ROUNDING


@given(matches())
def test_what_is_written_on_an_opening_line_lies_on_no_side_s_line_and_on_no_other_text(
    totals: list[tuple[int, ...]],
) -> None:
    plan = lay_out_chart(chart_of(*totals, openings=OPENINGS))
    assert plan.target is not None
    openings = [box_of_text(threshold, plan) for threshold in plan.openings]
    for one, other in combinations([*openings, box_of_text(plan.target, plan)], 2):
        assert not one.overlaps(other)
    for track in plan.tracks:
        for (start_x, start_y), (end_x, end_y) in pairwise(track.points):
            for step in range(41):
                x = start_x + (end_x - start_x) * step / 40
                y = start_y + (end_y - start_y) * step / 40
                for box in openings:
                    assert not (box.left < x < box.right and box.top < y < box.bottom)


@given(matches(), st.sampled_from([SCREEN, PAPER]))
def test_no_line_across_the_plot_runs_through_what_is_written_on_another(
    totals: list[tuple[int, ...]], frame: Frame
) -> None:
    plan = lay_out_chart(chart_of(*totals, openings=OPENINGS), frame)
    assert plan.target is not None
    thresholds = [*plan.openings, plan.target]
    for height in (plan.zero, *(line.at for line in (*plan.scores, *thresholds))):
        left, right = plan.find_ends_of_line(height)
        assert left < right
        for box in (box_of_text(threshold, plan) for threshold in thresholds):
            if box.top < height < box.bottom:
                assert right <= box.left + ROUNDING or left >= box.right - ROUNDING


# ---------------------------------------------------------------- names


@pytest.mark.usefixtures("six_each")
@pytest.mark.parametrize(
    ("names", "room", "shortened"),
    [
        (["Noi", "Associazione ricreativa"], 60, ("Noi", "Associazi…")),
        (["Giocatore 1", "Giocatore 2"], 48, ("Gioc…e 1", "Gioc…e 2")),
        (
            ["Gli amici del bar di sotto", "Gli amici del tavolo di sotto"],
            48,
            ("1 Gli a…", "2 Gli a…"),
        ),
    ],
    ids=["one is long", "they begin alike", "nothing tells them apart"],
)
def test_a_long_name_is_cut_and_still_tells_who(
    names: list[str], room: int, shortened: tuple[str, str]
) -> None:
    assert shorten_names(names, room, 10) == shortened


# ---------------------------------------------------------------- the drawing


def parse(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def test_the_drawing_says_what_it_is_and_what_it_shows() -> None:
    drawing = parse(draw_chart_as_svg(TWELVE_HANDS))
    assert drawing.get("role") == "img"
    title, description = drawing.find(f"{SVG}title"), drawing.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.get("id") == drawing.get("aria-labelledby")
    assert description.get("id") == drawing.get("aria-describedby")
    assert title.text == "I totali, smazzata per smazzata"
    assert description.text == (
        "In 12 smazzate: Noi da 0 a 6.695; Loro da 0 a 4.505. Il traguardo è 5.000."
    )
    on_paper = parse(draw_chart_as_svg(TWELVE_HANDS, PAPER)).findtext(f"{SVG}title")
    assert on_paper == f"{title.text}. {description.text}"


@pytest.mark.parametrize("frame", [SCREEN, PAPER])
def test_a_name_is_text_and_never_markup(frame: Frame) -> None:
    names = ("<b>&\"'</b>", "</svg><script>")
    courses = tuple(Course(name, (0, 100)) for name in names)
    drawing = parse(draw_chart_as_svg(Chart(Language.ITALIAN, courses, None), frame))
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert texts[-2] == names[0]
    assert not list(drawing.iter(f"{SVG}script"))


@pytest.mark.parametrize(
    ("frame", "colours"),
    [(SCREEN, {"currentColor", "none"}), (PAPER, {"#000", "#888", "none"})],
    ids=["on a page those of its style", "on paper black and grey"],
)
def test_the_drawing_has_its_colours_and_needs_no_style_sheet(
    frame: Frame, colours: set[str]
) -> None:
    svg = draw_chart_as_svg(TWELVE_HANDS, frame)
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) == colours
    assert "style" not in svg


def test_sides_are_told_apart_by_strokes_and_markers() -> None:
    drawing = parse(draw_chart_as_svg(chart_of((0, 900), (0, 300), (0, 600))))
    strokes, markers = [], set()
    for group in drawing.iter(f"{SVG}g"):
        if group.get("class") in ("a", "b", "c"):
            line, marker = group.findall(f"{SVG}path")[:2]
            strokes.append(line.get("stroke-dasharray"))
            markers.add(marker.get("d"))
    assert strokes == [None, "8 4", "2 4"]
    assert len(markers) == 3


def test_the_sample_of_the_first_side_alone_is_not_dashed() -> None:
    is_dashed = ["stroke-dasharray" in draw_line_sample(position) for position in range(3)]
    assert is_dashed == [False, True, True]


def test_letters_are_twelve_pixels_on_the_smallest_phone() -> None:
    """288 of its 320 pixels are the page's."""
    assert SCREEN.text_size * 288 / SCREEN.width >= 12
