"""The result of a match as a picture to send: a page of its own, made like the sheets and rendered to pixels.

The same values give the same bytes. Nothing stands in the file but what is to be seen.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from io import BytesIO

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart import Chart, Frame, chart_svg, running_chart, width_of
from scorepad.sheets.names import Lacking, Names
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.result import game_of, players_of, standing_of

SIZE = 1080
"""Pixels that the picture is wide and high."""
COLUMNS = 920
"""Pixels that the columns of the sides share."""
CHART = Frame(COLUMNS, 328, 24, on_paper=True, colours=("#17553a", "#a23b08", "#3d3a9c"))
"""In the colours of the sides, as on a page by day."""
_POINT = 72 / 96
"""Points to a pixel of CSS."""
_pdfium = threading.Lock()
"""PDFium is not safe to use from several threads."""


@dataclass(frozen=True, slots=True)
class PictureSide:
    """A side: its name, its players if they are named, its total as people write it, and whether it won."""

    name: str
    players: str
    total: str
    won: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands in the picture. `chart` is None before the first hand; `lacking`: some characters have no glyph."""

    game: str
    when: str
    sides: tuple[PictureSide, ...]
    sentence: str
    how: str
    chart: Chart | None
    lacking: bool = False

    def size(self, texts: list[str], largest: int, smallest: int, rows: int = 1) -> int:
        """The largest size of letters, in pixels, in which each text fits into so many rows of a column."""
        room = COLUMNS / len(self.sides) - 64
        longest = max(width_of(text, 1) for text in texts)
        return max(smallest, min(largest, int(room * rows / max(longest, 1))))


def picture_of(state: MatchState, words: Words, lacking: Lacking = frozenset()) -> Picture:
    """The result, for a machine that has no glyph for the `lacking` characters."""
    names = Names(state, words, lacking)
    named = replace(
        state,
        sides=tuple(
            replace(side, name=name, players=players)
            for side, name, players in zip(state.sides, names.sides, names.players, strict=True)
        ),
    )
    standing, winner = standing_of(named, words), state.standing.winner
    chart = running_chart(state, words.language, names.drawn) if state.hands else None
    return Picture(
        game=game_of(state, words),
        when=" · ".join(filter(None, (words.day(state.started.astimezone()), state.place))),
        sides=tuple(
            PictureSide(side.name, players_of(named, number, words), words.figure(side.total), won=number == winner)
            for number, side in enumerate(named.sides)
        ),
        sentence=standing.sentence,
        how=standing.how,
        chart=None if chart is None else replace(chart, openings=()),
        lacking=bool(lacking),
    )


def picture_png(state: MatchState, words: Words) -> bytes:
    """The picture as a PNG file. Raises NoPdf."""
    return png_of(pdf_for_lacking(lambda lacking: picture_html(picture_of(state, words, lacking), words)))


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
