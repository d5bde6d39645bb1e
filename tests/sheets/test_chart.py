"""The chart of running totals: where everything stands, worked with pen and paper, and what the
drawing holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.i18n import Language
from scorepad.sheets.chart import draw_chart_as_svg, draw_line_sample
from scorepad.sheets.chart_boxes import Box
from scorepad.sheets.chart_data import PAPER, SCREEN, Chart, Course, Frame
from scorepad.sheets.chart_layout import Plan, Threshold, lay_out_chart
from scorepad.sheets.text_width import measure_width, shorten_names

ITALIAN, ENGLISH = Language.ITALIAN, Language.ENGLISH
OPENINGS = ((1500, 90), (3000, 120))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def six_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are all six units wide."""
    for module in ("text_width", "chart_layout"):
        name = f"scorepad.sheets.{module}.measure_width"
        monkeypatch.setattr(name, lambda text, _: 6.0 * len(text))


def chart_of(*totals: tuple[int, ...], target: int | None = 5000, **more: object) -> Chart:
    names = ("Noi", "Loro", "Essi", "Anna", "Bruno", "Carla")
    courses = tuple(Course(name, each) for name, each in zip(names, totals, strict=False))
    return Chart(**{"language": ITALIAN, "courses": courses, "target": target, **more})


TWELVE = chart_of(
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
    assert plan.plot[:4] == (23, 166, 16, 92)
    assert plan.zero == 79.3
    assert [(mark.text, mark.at) for mark in plan.scores] == [
        ("0", 79.3),
        ("200", 54),
        ("400", 28.7),
    ]
    assert [(mark.text, mark.at) for mark in plan.hands] == [("1", 94.5), ("2", 166)]
    assert plan.target == Threshold(
        16, "traguardo 500", is_right=False, box=Box(25.5, 4, 103.5, 16)
    )
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
    scores = lay_out_chart(chart_of(*totals, target=target)).scores
    assert [mark.text for mark in scores] == figures.split()


def test_a_match_taken_over_from_paper_starts_at_its_totals_and_goes_on_counting_its_hands() -> (
    None
):
    chart = chart_of((1240, 1860, 2700), (-85, 370, 725), before=4)
    plan = lay_out_chart(chart)
    assert [mark.text for mark in plan.hands] == ["5", "6"]
    assert plan.hands[0].at == plan.tracks[0].points[1][0]
    assert plan.tracks[0].points[0][1] < plan.zero < plan.tracks[1].points[0][1]


def test_of_sixty_hands_every_few_bear_a_marker_and_the_last_one_always() -> None:
    plan = lay_out_chart(chart_of(tuple(range(0, 6100, 100)), tuple(range(0, 3050, 50))))
    assert [mark.text for mark in plan.hands] == ["10", "20", "30", "40", "50", "60"]
    marked = plan.tracks[0].marked
    assert marked[-1] == plan.tracks[0].points[-1]
    assert 10 <= len(marked) <= 30
    assert (
        min(after[0] - before[0] for before, after in pairwise(marked))
        >= 0.7 * SCREEN.text_size - 0.2
    )


# ---------------------------------------------------------------- nothing on anything


def label_boxes(plan: Plan) -> Iterator[Box]:
    size = plan.frame.text_size
    for track in plan.tracks:
        wide = max(measure_width(track.name, size), measure_width(track.total, size * 1.13))
        yield Box(track.x, track.y - 1.2 * size, track.x + wide, track.y + 1.2 * size)


def rule_boxes(plan: Plan) -> Iterator[Box]:
    size = plan.frame.text_size
    for rule in (*plan.openings, *filter(None, [plan.target])):
        wide = measure_width(rule.text, size)
        left = plan.plot.right - size / 4 - wide if rule.is_right else plan.plot.left + size / 4
        yield Box(left, rule.at - 1.2 * size, left + wide, rule.at)


matches = st.integers(1, 40).flatmap(
    lambda hands: st.lists(
        st.lists(st.integers(-900, 2500), min_size=hands, max_size=hands), min_size=2, max_size=6
    )
)  # fmt: skip


def running(made: list[int]) -> tuple[int, ...]:
    return tuple(sum(made[:number]) for number in range(len(made) + 1))


@given(matches, st.sampled_from([None, 30, 5000, 15000]), st.sampled_from([SCREEN, PAPER]))
def test_no_label_lies_on_another_or_outside_the_drawing(
    made: list[list[int]], target: int | None, frame: Frame
) -> None:  # fmt: skip
    plan = lay_out_chart(chart_of(*map(running, made), target=target, openings=OPENINGS), frame)
    boxes = list(label_boxes(plan))
    for number, box in enumerate(boxes):
        assert box.top >= -0.2
        assert box.bottom <= frame.height + 0.2
        assert box.right <= frame.width + 0.2
        for other in boxes[:number]:
            assert box.bottom <= other.top + 0.2 or other.bottom <= box.top + 0.2


@given(matches)
def test_what_is_written_on_an_opening_line_lies_on_no_side_s_line_and_on_no_other_text(
    made: list[list[int]],
) -> None:
    plan = lay_out_chart(chart_of(*map(running, made), openings=OPENINGS))
    *openings, target = rule_boxes(plan)
    for number, box in enumerate(openings):
        for other in (*openings[:number], target):
            assert not box.overlaps(other)
        for track in plan.tracks:
            for one, after in pairwise(track.points):
                steps = [
                    (one[0] + (after[0] - one[0]) * n / 40, one[1] + (after[1] - one[1]) * n / 40)
                    for n in range(41)
                ]
                assert not [
                    1 for x, y in steps if box.left < x < box.right and box.top < y < box.bottom
                ]


@given(matches, st.sampled_from([SCREEN, PAPER]))
def test_no_line_across_the_plot_runs_through_what_is_written_on_another(
    made: list[list[int]], frame: Frame
) -> None:
    plan = lay_out_chart(chart_of(*map(running, made), openings=OPENINGS), frame)
    heights = [
        plan.zero,
        *(mark.at for mark in (*plan.scores, *plan.openings, *filter(None, [plan.target]))),
    ]
    for height in heights:
        left, right = plan.find_ends_of_line(height)
        assert left < right
        for box in rule_boxes(plan):
            assert not (
                box.top < height < box.bottom and left < box.right - 0.2 and right > box.left + 0.2
            )


def test_where_a_line_runs_through_the_left_end_the_opening_is_written_at_the_right_one() -> None:
    openings = {rule.text: rule.is_right for rule in lay_out_chart(TWELVE).openings}
    assert openings == {"si apre con 90": True, "si apre con 120": False}


def test_an_opening_that_has_no_room_is_left_out() -> None:
    crossing = chart_of(
        (0, 1700, 1400, 1700), (0, 1400, 1700, 1400), target=None, openings=((1500, 90),)
    )
    assert lay_out_chart(crossing).openings == ()


# ---------------------------------------------------------------- names


@pytest.mark.usefixtures("six_each")
@pytest.mark.parametrize(
    ("names", "room", "told"),
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
    names: list[str], room: int, told: tuple[str, str]
) -> None:
    assert shorten_names(names, room, 10) == told


# ---------------------------------------------------------------- the drawing


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def test_the_drawing_says_what_it_is_and_what_it_shows() -> None:
    drawing = parsed(draw_chart_as_svg(TWELVE))
    assert drawing.get("role") == "img"
    title, desc = drawing.find(f"{SVG}title"), drawing.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.get("id") == drawing.get("aria-labelledby")
    assert desc.get("id") == drawing.get("aria-describedby")
    assert title.text == "I totali, smazzata per smazzata"
    assert desc.text == "In 12 smazzate: Noi da 0 a 6.695; Loro da 0 a 4.505. Il traguardo è 5.000."
    on_paper = parsed(draw_chart_as_svg(TWELVE, PAPER)).findtext(f"{SVG}title")
    assert on_paper == f"{title.text}. {desc.text}"


@pytest.mark.parametrize("frame", [SCREEN, PAPER])
def test_a_name_is_text_and_never_markup(frame: Frame) -> None:
    names = ("<b>&\"'</b>", "</svg><script>")
    chart = Chart(ITALIAN, tuple(Course(name, (0, 100)) for name in names), None)
    drawing = parsed(draw_chart_as_svg(chart, frame))
    assert [text.text for text in drawing.iter(f"{SVG}text")][-2] == names[0]
    assert not list(drawing.iter(f"{SVG}script"))


@pytest.mark.parametrize(
    ("frame", "colours"),
    [(SCREEN, {"currentColor", "none"}), (PAPER, {"#000", "#888", "none"})],
    ids=["on a page those of its style", "on paper black and grey"],
)
def test_the_drawing_has_its_colours_and_needs_no_style_sheet(
    frame: Frame, colours: set[str]
) -> None:
    svg = draw_chart_as_svg(TWELVE, frame)
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) == colours
    assert "style" not in svg


def test_sides_are_told_apart_by_strokes_and_markers() -> None:
    drawing = parsed(draw_chart_as_svg(chart_of((0, 900), (0, 300), (0, 600))))
    groups = [group for group in drawing.iter(f"{SVG}g") if group.get("class") in ("a", "b", "c")]
    strokes = [group.find(f"{SVG}path").get("stroke-dasharray") for group in groups]
    assert strokes == [None, "8 4", "2 4"]
    assert len({group.findall(f"{SVG}path")[1].get("d", "") for group in groups}) == 3
    assert [draw_line_sample(position).count("stroke-dasharray") for position in range(3)] == [
        0,
        1,
        1,
    ]


def test_letters_are_twelve_pixels_on_the_smallest_phone() -> None:
    """288 of its 320 pixels are the page's."""
    assert SCREEN.text_size * 288 / SCREEN.width >= 12
