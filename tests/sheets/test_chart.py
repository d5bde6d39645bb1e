"""The chart of running totals: where its lines and texts stand, and what the drawing (SVG) holds.

A unit of length is that of the drawing. Heights are counted from the top downward.
"""

from collections.abc import Iterator
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

# From 1500 points on a side's first cards must be worth 90, from 3000 on 120. The chart has a
# horizontal line at each of these scores.
OPENINGS_OF_90_AND_120 = ((1500, 90), (3000, 120))
# Coordinates are rounded to one decimal, so two of them may be wrong by this much together.
ROUNDING = 0.2
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def letters_of_width_6(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every letter be six units wide, so that widths can be worked out by hand."""
    for module in ("text_width", "chart_layout"):
        name = f"scorepad.sheets.{module}.measure_width"
        monkeypatch.setattr(name, lambda text, _size: 6.0 * len(text))


def make_chart(*totals: tuple[int, ...], target: int | None = 5000, **more: object) -> Chart:
    """Make the chart of a match whose sides had these totals at the start and after each hand."""
    names = ("Noi", "Loro", "Essi", "Anna", "Bruno", "Carla")
    courses = tuple(Course(name, each) for name, each in zip(names, totals, strict=False))
    return Chart(Language.ITALIAN, courses, target, **more)


CHART_OF_TWELVE_HANDS = make_chart(
    (0, 430, 1310, 1420, 2180, 2510, 2850, 3915, 4400, 4805, 5470, 6280, 6695),
    (0, 370, 860, 1085, 1540, 2170, 2640, 3450, 3550, 3930, 4080, 4205, 4505),
    openings=OPENINGS_OF_90_AND_120,
)


@pytest.fixture
def small_plan(letters_of_width_6: None) -> Plan:
    """Lay out a drawing of 200 by 120, with letters of size 10 that are 6 wide each.

    The sides have these totals at the start and after each of two hands. The match ends at 500.
    """
    chart = make_chart((0, 100, 300), (0, -100, 100), target=500)
    return lay_out_chart(chart, Frame(200, 120, 10))


def test_lines_have_the_room_that_texts_leave(small_plan: Plan) -> None:
    # The plot is the area of the lines, in a drawing of 200 by 120.
    plot = small_plan.plot

    # At its left stand scores: "400" is 18 wide, and 5 are free.
    assert plot.left == 23  # 18 + 5
    # At its right stand names: "Loro" is 24 wide, and 10 are free.
    assert plot.right == 166  # 200 − 24 − 10
    # Above it is a row of text, 12 high, and below it are two. A gap of 4 is between.
    assert plot.top == 16  # 12 + 4
    assert plot.bottom == 92  # 120 − 2 × 12 − 4


def test_scores_and_hands_are_spread_evenly(small_plan: Plan) -> None:
    # The scores go from −100, at a height of 92, to 500, at 16: 76 units for 600 points. Heights
    # are counted from the top.
    scores = [(mark.text, mark.at) for mark in small_plan.scores]
    assert scores == [
        ("0", 79.3),  # 92 − 76 / 6 = 79.33
        ("200", 54),  # 92 − 76 × 3 / 6
        ("400", 28.7),  # 92 − 76 × 5 / 6 = 28.67
    ]
    assert small_plan.zero == 79.3

    # The start of the match is at 23, and the second hand at 166.
    hands = [(mark.text, mark.at) for mark in small_plan.hands]
    assert hands == [("1", 94.5), ("2", 166)]  # (23 + 166) / 2


def test_text_of_target_stands_on_its_line_at_the_left(small_plan: Plan) -> None:
    # The line of the target is the upper edge of the plot, which is 16 below that of the drawing.
    # The text is a row (12) high and has 13 letters of width 6. It begins 2.5 beside the edge, at
    # 23.
    box = Box(left=25.5, top=4, right=103.5, bottom=16)  # 23 + 2.5, 16 − 12, 25.5 + 13 × 6
    assert small_plan.target == Threshold(16, "traguardo 500", is_right=False, box=box)


def test_line_of_a_side_goes_from_total_to_total_and_ends_at_its_name(small_plan: Plan) -> None:
    # The start is at x = 23, the two hands are at 94.5 and 166.
    noi, loro = small_plan.tracks
    # The name and the last total stand 8 to the right of the end of the line, at the same height.
    # They need no thin line ("leader") that leads to them.
    assert noi == Track(
        points=((23, 79.3), (94.5, 66.7), (166, 41.3)),  # 0, 100, 300: 12.67 for 100 points
        marked=((94.5, 66.7), (166, 41.3)),  # a marker after each hand
        x=174,
        y=41.3,
        name="Noi",
        total="300",
        has_leader=False,
    )
    assert loro == Track(
        points=((23, 79.3), (94.5, 92), (166, 66.7)),  # 0, −100, 100
        marked=((94.5, 92), (166, 66.7)),
        x=174,
        y=66.7,
        name="Loro",
        total="100",
        has_leader=False,
    )


@pytest.mark.parametrize(
    ("totals", "target", "scores"),
    [
        (((0, 430), (0, 60)), 5000, ["0", "1.000", "2.000", "3.000", "4.000", "5.000"]),
        (((0, 3, 8), (0, -1, 4)), 30, ["0", "5", "10", "15", "20", "25", "30"]),
        (((0, 1860, 15330), (0, 2480, 13130)), None, ["0", "5.000", "10.000", "15.000"]),
        (
            ((0, -1250), (0, 850)),
            5000,
            ["−1.000", "0", "1.000", "2.000", "3.000", "4.000", "5.000"],
        ),
        (((0, 0), (0, 0)), None, ["0", "1"]),
    ],
    ids=["classic", "mini", "no target", "below zero", "no points at all"],
)
def test_axis_has_round_figures(
    totals: tuple[tuple[int, ...], ...], target: int | None, scores: list[str]
) -> None:
    # The totals are those of two sides at the start and after each hand. Without a target the match
    # ends after a number of hands.
    plan = lay_out_chart(make_chart(*totals, target=target))
    assert [mark.text for mark in plan.scores] == scores


def test_chart_of_match_from_paper_starts_at_its_totals_and_next_hand() -> None:
    # Four hands were played on paper, after which Noi had 1240 points and Loro −85.
    plan = lay_out_chart(make_chart((1240, 1860, 2700), (-85, 370, 725), before=4))

    # The first hand in the chart is number 5.
    first_hand, second_hand = plan.hands
    assert first_hand.text == "5"
    assert second_hand.text == "6"

    # The lines of the sides have points (x, y) at the start and at each hand; y is counted from the
    # top. At the start that of 1240 is above zero, that of −85 below.
    line_of_noi, line_of_loro = [track.points for track in plan.tracks]
    y_of_1240 = line_of_noi[0][1]
    y_of_minus_85 = line_of_loro[0][1]
    assert y_of_1240 < plan.zero < y_of_minus_85

    # The number 5 stands below the second point, which is that of the first hand.
    x_of_1860 = line_of_noi[1][0]
    assert first_hand.at == x_of_1860


def test_markers_of_many_hands_keep_apart_and_include_the_last() -> None:
    # In each of sixty hands the sides make 100 and 50 points.
    totals_of_noi = tuple(100 * hand for hand in range(61))
    totals_of_loro = tuple(50 * hand for hand in range(61))
    plan = lay_out_chart(make_chart(totals_of_noi, totals_of_loro))

    # Only every tenth hand has a number below the chart.
    assert [mark.text for mark in plan.hands] == ["10", "20", "30", "40", "50", "60"]

    # The line of a side has a marker at some of the hands, and at the last.
    line_of_noi = plan.tracks[0]
    assert line_of_noi.marked[-1] == line_of_noi.points[-1]
    assert 10 <= len(line_of_noi.marked) <= 30

    # From one to the next it is at least 0.7 times the size of a letter. (Coordinates are rounded.)
    least_distance = 0.7 * SCREEN.text_size
    for (x, _), (next_x, _) in pairwise(line_of_noi.marked):
        assert next_x - x >= least_distance - ROUNDING


def test_opening_is_written_at_the_right_where_a_line_crosses_the_left() -> None:
    opening_of_90, opening_of_120 = lay_out_chart(CHART_OF_TWELVE_HANDS).openings

    # At 1500 points a line of the chart says "90 are needed to open". At the left the lines of the
    # sides rise through this height, so the text stands at the right.
    assert opening_of_90.text == "si apre con 90"
    assert opening_of_90.is_right
    # They reach 3000 points further to the right.
    assert opening_of_120.text == "si apre con 120"
    assert not opening_of_120.is_right


def test_opening_is_left_out_if_lines_of_sides_cross_its_text() -> None:
    # A side with 1500 points or more needs 90 to open. The chart could say so at a height of 1500,
    # at the left or at the right end. But the lines of both sides go to and fro across this height,
    # so that they would run through the text at both ends.
    noi = (0, 1700, 1400, 1700)
    loro = (0, 1400, 1700, 1400)

    chart = make_chart(noi, loro, target=None, openings=((1500, 90),))

    assert lay_out_chart(chart).openings == ()


def box_of_label(track: Track, size: float) -> Box:
    """Return the space of a side's name and total at the end of its line, in letters of this size.

    They are two rows, each 1.2 times as high as a letter. The total is in bold, 1.13 times as wide.
    """
    width = max(measure_width(track.name, size), measure_width(track.total, size * 1.13))
    return Box(track.x, track.y - 1.2 * size, track.x + width, track.y + 1.2 * size)


def box_of_text(threshold: Threshold, plan: Plan) -> Box:
    """Return the space of a text such as "target 5.000", which stands on a horizontal line."""
    size = plan.frame.text_size
    width = measure_width(threshold.text, size)

    # It is a quarter of a letter from the left edge of the plot, or from the right edge.
    gap = size / 4
    left = plan.plot.left + gap
    if threshold.is_right:
        left = plan.plot.right - gap - width

    # A row of text is 1.2 times as high as a letter. Heights are counted from the top.
    height_of_line = threshold.at
    return Box(left, height_of_line - 1.2 * size, left + width, height_of_line)


@st.composite
def totals_of_sides(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """Draw a match of up to 40 hands: the totals of two to six sides at the start and after each."""
    hands = draw(st.integers(1, 40))
    points = st.lists(st.integers(-900, 2500), min_size=hands, max_size=hands)
    sides = draw(st.lists(points, min_size=2, max_size=6))
    return [tuple(accumulate(made, initial=0)) for made in sides]


@given(
    totals_of_sides(), st.sampled_from([None, 30, 5000, 15000]), st.sampled_from([SCREEN, PAPER])
)
def test_labels_of_sides_stay_inside_and_do_not_overlap(
    totals: list[tuple[int, ...]], target: int | None, frame: Frame
) -> None:
    plan = lay_out_chart(make_chart(*totals, target=target, openings=OPENINGS_OF_90_AND_120), frame)

    # A label is the name and total of a side, to the right of the end of its line.
    labels = [box_of_label(track, frame.text_size) for track in plan.tracks]
    for box in labels:
        assert box.top >= -ROUNDING
        assert box.bottom <= frame.height + ROUNDING
        assert box.right <= frame.width + ROUNDING
    for one, other in combinations(labels, 2):
        one_is_above = one.bottom <= other.top + ROUNDING
        other_is_above = other.bottom <= one.top + ROUNDING
        assert one_is_above or other_is_above


def points_along(track: Track) -> Iterator[tuple[float, float]]:
    """Yield 41 points of each stretch of a side's line, from one hand to the next."""
    for (start_x, start_y), (end_x, end_y) in pairwise(track.points):
        for step in range(41):
            share = step / 40
            yield start_x + (end_x - start_x) * share, start_y + (end_y - start_y) * share


def contains(box: Box, x: float, y: float) -> bool:
    return box.left < x < box.right and box.top < y < box.bottom


@given(totals_of_sides())
def test_texts_of_openings_touch_no_line_of_a_side_and_no_other_text(
    totals: list[tuple[int, ...]],
) -> None:
    # The chart has a horizontal line at 1500 points, with the text that 90 are needed to open, and
    # one at 3000, where it is 120. Another is at the target. An opening without room is left out.
    plan = lay_out_chart(make_chart(*totals, openings=OPENINGS_OF_90_AND_120))
    texts_of_openings = [box_of_text(opening, plan) for opening in plan.openings]
    text_of_target = box_of_text(plan.target, plan)

    for one, other in combinations([*texts_of_openings, text_of_target], 2):
        assert not one.overlaps(other)

    # The line of a side is looked at in small steps. It may run through the text of the target,
    # which is never left out, but not through that of an opening.
    for line_of_side in plan.tracks:
        for x, y in points_along(line_of_side):
            for text in texts_of_openings:
                assert not contains(text, x, y)


@given(totals_of_sides(), st.sampled_from([SCREEN, PAPER]))
def test_horizontal_lines_stop_before_texts(totals: list[tuple[int, ...]], frame: Frame) -> None:
    plan = lay_out_chart(make_chart(*totals, openings=OPENINGS_OF_90_AND_120), frame)

    # The lines at the target, and at the scores from which opening needs more points, have a text.
    lines_with_text = [*plan.openings, plan.target]
    texts = [box_of_text(line, plan) for line in lines_with_text]

    # There are also lines at zero and at the scores that are written on the left.
    heights = [plan.zero]
    heights += [mark.at for mark in plan.scores]
    heights += [line.at for line in lines_with_text]

    for height in heights:
        left, right = plan.find_ends_of_line(height)
        assert left < right

        # Where a text is in the way, the line ends before it or begins after it. (Coordinates are
        # rounded to one decimal.)
        for text in texts:
            if text.top < height < text.bottom:
                ends_before_text = right <= text.left + ROUNDING
                begins_after_text = left >= text.right - ROUNDING
                assert ends_before_text or begins_after_text


@pytest.mark.usefixtures("letters_of_width_6")
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
def test_long_names_are_shortened_and_still_differ(
    names: list[str], room: int, shortened: tuple[str, str]
) -> None:
    # Every letter is 6 wide, so 10 letters have room in 60, and 8 in 48.
    assert shorten_names(names, room, 10) == shortened


def parse_svg(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def test_drawing_has_title_and_description() -> None:
    drawing = parse_svg(draw_chart_as_svg(CHART_OF_TWELVE_HANDS))

    # A screen reader finds the title, "The totals, hand by hand", by its id.
    assert drawing.get("role") == "img"
    title = drawing.find(f"{SVG}title")
    assert title.get("id") == drawing.get("aria-labelledby")
    assert title.text == "I totali, smazzata per smazzata"

    # Likewise the description: "In 12 hands: … from 0 to 6.695; …". These are the last totals.
    description = drawing.find(f"{SVG}desc")
    assert description.get("id") == drawing.get("aria-describedby")
    assert description.text == (
        "In 12 smazzate: Noi da 0 a 6.695; Loro da 0 a 4.505. Il traguardo è 5.000."
    )


def test_title_on_paper_includes_the_description() -> None:
    drawing = parse_svg(draw_chart_as_svg(CHART_OF_TWELVE_HANDS, PAPER))

    # A PDF has one text for a picture: "The totals, hand by hand. In 12 hands: …".
    assert drawing.findtext(f"{SVG}title") == (
        "I totali, smazzata per smazzata. "
        "In 12 smazzate: Noi da 0 a 6.695; Loro da 0 a 4.505. Il traguardo è 5.000."
    )


@pytest.mark.parametrize("frame", [SCREEN, PAPER])
def test_names_in_the_drawing_are_escaped(frame: Frame) -> None:
    # Both sides have names with tags in them.
    bold = Course("<b>&\"'</b>", (0, 100))
    script = Course("</svg><script>", (0, 100))

    drawing = parse_svg(draw_chart_as_svg(Chart(Language.ITALIAN, (bold, script), None), frame))

    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert "<b>&\"'</b>" in texts
    assert not list(drawing.iter(f"{SVG}script"))


@pytest.mark.parametrize(
    ("frame", "colours"),
    [(SCREEN, {"currentColor", "none"}), (PAPER, {"#000", "#888", "none"})],
    ids=["on a page those of its style", "on paper black and grey"],
)
def test_drawing_has_its_colours_without_style_sheet(frame: Frame, colours: set[str]) -> None:
    drawing = parse_svg(draw_chart_as_svg(CHART_OF_TWELVE_HANDS, frame))

    # The page allows no styles within it, neither as an element nor as an attribute.
    assert not list(drawing.iter(f"{SVG}style"))
    colours_used = set()
    for element in drawing.iter():
        assert "style" not in element.attrib
        colours_used.add(element.get("fill"))
        colours_used.add(element.get("stroke"))
    colours_used.discard(None)
    assert colours_used == colours


def test_sides_differ_by_strokes_and_markers() -> None:
    drawing = parse_svg(draw_chart_as_svg(make_chart((0, 900), (0, 300), (0, 600))))

    # The group of a side has its line first, then a marker for each hand.
    strokes = []
    markers = set()
    for letter_of_side in ("a", "b", "c"):
        side = drawing.find(f".//{SVG}g[@class='{letter_of_side}']")
        line, first_marker, *_ = side.findall(f"{SVG}path")
        strokes.append(line.get("stroke-dasharray"))
        markers.add(first_marker.get("d"))

    # A whole line, dashes, dots; and markers of three forms.
    assert strokes == [None, "8 4", "2 4"]
    assert len(markers) == 3


@pytest.mark.parametrize(("position", "is_dashed"), [(0, False), (1, True), (2, True)])
def test_line_sample_is_dashed_for_all_sides_but_the_first(position: int, is_dashed: bool) -> None:
    assert ("stroke-dasharray" in draw_line_sample(position)) == is_dashed


def test_letters_are_at_least_twelve_pixels_on_the_smallest_phone() -> None:
    # The smallest phone is 320 pixels wide, and the chart 288 of them.
    pixels_per_unit = 288 / SCREEN.width
    assert SCREEN.text_size * pixels_per_unit >= 12
