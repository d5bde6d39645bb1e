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
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.chart_data import Chart, Frame
from scorepad.sheets.outcome import game_of, players_of, result_of
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.printed_names import Lacking, PrintedNames
from scorepad.sheets.text_width import width_of

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

    def size(self, texts: Sequence[str], largest: int, smallest: int, rows: int = 1) -> int:
        """The largest text size, in pixels, at which each text fits into this number of rows of a
        column.
        """
        room = COLUMNS / len(self.sides) - _COLUMN_PADDING
        longest = max(width_of(text, 1) for text in texts)
        fitting = int(room * rows / max(longest, 1))
        return max(smallest, min(largest, fitting))


def picture_of(state: MatchState, words: Words, lacking: Lacking = frozenset()) -> Picture:
    """The result, on a machine without glyphs for the `lacking` characters."""
    names = PrintedNames(state, words, lacking)
    named = names.state
    sides = []
    for position, side in enumerate(named.sides):
        players = players_of(named, position, words)
        is_winner = position == state.status.winner
        sides.append(PictureSide(side.name, players, words.figure(side.total), is_winner))
    chart = None
    if state.hands:
        chart = replace(running_chart(state, words.language, names.drawn), openings=())
    result = result_of(named, words)
    day = words.day(state.started.astimezone())
    return Picture(
        game=game_of(state, words),
        when=f"{day} · {state.where}" if state.where else day,
        sides=tuple(sides),
        sentence=result.sentence,
        how=result.how,
        chart=chart,
        lacking=bool(lacking),
    )


def picture_png(state: MatchState, words: Words) -> bytes:
    """The picture as a PNG file. Raises NoPdf."""

    def html_for_lacking(lacking: Lacking) -> str:
        return picture_html(picture_of(state, words, lacking), words)

    return png_of(pdf_for_lacking(html_for_lacking))


def picture_html(picture: Picture, words: Words) -> str:
    """The picture as a page of HTML."""
    chart = chart_svg(picture.chart, CHART) if picture.chart else ""
    markup = Markup(chart)  # noqa: S704 - the chart escapes its texts
    return render("picture.html", words, picture=picture, chart=markup)


def png_of(pdf: bytes) -> bytes:
    """The first page of a PDF as PNG, each pixel of CSS one pixel."""
    import pypdfium2

    with _pdfium, pypdfium2.PdfDocument(pdf) as document:
        image = document[0].render(scale=1 / _POINTS_PER_PIXEL).to_pil().convert("RGB")
    png = BytesIO()
    image.save(png, "PNG", optimize=True)
    return png.getvalue()
