"""The picture of a result, to share."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart import draw_chart_as_svg, make_chart
from scorepad.sheets.chart_data import Chart, Frame
from scorepad.sheets.outcome import (
    describe_result,
    list_players_beside_side_name,
    name_game_of_match,
)
from scorepad.sheets.pdf import make_pdf_with_stand_ins, render
from scorepad.sheets.printed_names import Lacking, PrintedNames
from scorepad.sheets.text_width import measure_width

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
_COLUMN_PADDING = 64
"""The part of each column that stays empty, in pixels."""
_POINTS_PER_PIXEL = 72 / 96
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

    def name_size(self, side: PictureSide) -> int:
        """Choose the text size for the name of a side, in pixels. It may take two rows."""
        return self._choose_text_size([side.name], largest=72, smallest=24, rows=2)

    @property
    def total_size(self) -> int:
        """The text size of the totals, in pixels: one for all sides."""
        totals = [side.total for side in self.sides]
        return self._choose_text_size(totals, largest=130, smallest=40)

    def _choose_text_size(
        self, texts: Sequence[str], *, largest: int, smallest: int, rows: int = 1
    ) -> int:
        """Choose the text size, in pixels, at which each of some texts fits into a column.

        The picture has a column for each side, and a text may take this number of rows. The size is
        as large as possible, but never beyond `largest`. A very long text gets `smallest`, and
        simply takes more rows.
        """
        column_width = COLUMNS / len(self.sides) - _COLUMN_PADDING
        room = column_width * rows
        # Measured at a size of one pixel: at 50 pixels the text is 50 times as wide.
        widest_text = max(measure_width(text, size=1) for text in texts)
        fitting_size = int(room / max(widest_text, 1))  # a text may be empty
        return max(smallest, min(largest, fitting_size))


def make_picture(state: MatchState, words: Words, lacking: Lacking = frozenset()) -> Picture:
    """Collect what the picture of a result shows.

    `lacking` are characters that no font of this machine has: names with them get an addition by
    which they can be told apart.
    """
    names = PrintedNames(state, words, lacking)
    state_with_names = names.state
    result = describe_result(state_with_names, words)
    return Picture(
        game=name_game_of_match(state, words),
        when=_describe_day_and_place(state, words),
        sides=_list_sides(state_with_names, words),
        sentence=result.sentence,
        how=result.how,
        chart=_make_chart_of_picture(state, names, words),
        lacking=bool(lacking),
    )


def _describe_day_and_place(state: MatchState, words: Words) -> str:
    """Say when and where the match was played: "21 November 2026 · Rimini", or only the day."""
    day = words.day(state.started.astimezone())
    if not state.venue:
        return day
    return f"{day} · {state.venue}"


def _list_sides(state: MatchState, words: Words) -> tuple[PictureSide, ...]:
    """Collect what the picture shows of each side: its name, its players and its total."""
    sides = []
    for position, side in enumerate(state.sides):
        picture_side = PictureSide(
            name=side.name,
            players=list_players_beside_side_name(state, position, words),
            total=words.figure(side.total),
            won=position == state.status.winner,
        )
        sides.append(picture_side)
    return tuple(sides)


def _make_chart_of_picture(state: MatchState, names: PrintedNames, words: Words) -> Chart | None:
    """Make the chart of the totals for the picture; None before the first hand (round).

    A chart also shows from which score a side needs more points to lay its first cards. That
    matters while a match is played, and not for its result.
    """
    if not state.hands:
        return None
    chart = make_chart(state, words.language, names.in_chart)
    return replace(chart, openings=())


def make_picture_png(state: MatchState, words: Words) -> bytes:
    """Make the picture of a result as a PNG file. Raises NoPdf if this machine cannot do it."""

    def render_picture_without(lacking: Lacking) -> str:
        """Render the picture for a machine whose fonts do not have these characters."""
        return render_picture(make_picture(state, words, lacking), words)

    pdf = make_pdf_with_stand_ins(render_picture_without)
    return convert_pdf_to_png(pdf)


def render_picture(picture: Picture, words: Words) -> str:
    """Render a picture as a page of HTML, which is then printed and converted."""
    chart = draw_chart_as_svg(picture.chart, CHART) if picture.chart else ""
    markup = Markup(chart)  # noqa: S704 - the chart escapes its texts
    return render("picture.html", words, picture=picture, chart=markup)


def convert_pdf_to_png(pdf: bytes) -> bytes:
    """Convert the first page of a PDF to a PNG file, each pixel of its style sheet to one pixel."""
    import pypdfium2  # it comes with WeasyPrint, by the extra `pdf`

    with _pdfium, pypdfium2.PdfDocument(pdf) as document:  # one thread at a time
        image = document[0].render(scale=1 / _POINTS_PER_PIXEL).to_pil().convert("RGB")
    png = BytesIO()
    image.save(png, "PNG", optimize=True)
    return png.getvalue()
