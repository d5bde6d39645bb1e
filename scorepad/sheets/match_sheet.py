"""The match sheet on A4, as PDF: a page with the result and a row for each hand, optionally the
lines of each hand.

Points are units if the game counts in units; values by side are in the order of the sides.
"""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.chart_data import LARGE, PAPER, Chart
from scorepad.sheets.footnotes import Footnotes
from scorepad.sheets.outcome import won_words
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.printed_names import Lacking, PrintedNames, isolated
from scorepad.sheets.score_table import ScoreRow, build_score_table, single_and_pair, special_hands

CHART_FROM = 2
"""The least number of hands for a chart."""
HANDS_BESIDE_CHART = 10
"""In large print, the most hands with room for the chart below them on the first page."""
READING_SIGN = "§"
"""Marks a line based on a reading of the sources; the fonts of the sheets include it."""


class MarkedRow(NamedTuple):
    """A row of a hand, and the mark of the reading that it is based on; empty if there is none."""

    row: ScoreRow
    mark: str


def make_match_sheet(
    state: MatchState, words: Words, *, details: bool = False, large: bool = False
) -> bytes:
    """The match sheet as PDF; `details`: the lines of every hand on further pages; `large`: in 18
    pt. Raises NoPdf.
    """
    return pdf_for_lacking(
        lambda lacking: match_sheet_html(state, words, lacking, details=details, large=large)
    )


def match_sheet_html(
    state: MatchState,
    words: Words,
    lacking: Lacking = frozenset(),
    *,
    details: bool = False,
    large: bool = False,
) -> str:
    """The match sheet as HTML, for a machine without glyphs for the `lacking` characters."""
    sheet = MatchSheet(state, words, lacking)
    chart = ""
    if sheet.chart:
        chart = chart_svg(sheet.chart, LARGE if large else PAPER)
    return render(
        "match.html",
        words,
        sheet=sheet,
        footnotes=sheet.footnotes,
        match=state,
        names=sheet.names,
        chart=Markup(chart),  # noqa: S704 - it escapes its texts
        is_lacking=bool(lacking),
        details=details,
        large=large,
        hands_beside_chart=HANDS_BESIDE_CHART,
        value_word=value_word,
        isolated=isolated,
        special_hands=special_hands,
        single_and_pair=single_and_pair,
        won_words=won_words,
    )


class MatchSheet:
    """The values shown by the template of the match sheet.

    Attributes: `names`, `title`, `place`, `day`; `rows`, by hand, the rows of its table, each with
    its mark; `readings`, the arguments of the lines that are readings, in the order of their marks;
    `footnotes`, what stands below the table.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        self.match = state
        self.words = words
        self.names = PrintedNames(state, words, lacking)
        self.title = " – ".join(self.names.sides)
        self.place = isolated(state.place)
        self.day = words.day(state.started.astimezone().date())
        rows_of_hands = [self._rows_of(hand) for hand in state.hands]
        self.readings = _readings(rows_of_hands)
        self.rows = [self._marked(rows) for rows in rows_of_hands]
        self.footnotes = Footnotes(state, self.names, words)

    def reading(self, arguments: tuple[str, ...]) -> str:
        """The mark, and why its lines are a reading of the sources."""
        why = " ".join(self.words.t(f"read.{name}") for name in arguments)
        return f"{self._mark(arguments)} {self.words.t('sheets.reading', why=why)}"

    @property
    def signers(self) -> list[str]:
        """All named players; a side without named players signs as a side."""
        signers: list[str] = []
        for name, players in zip(self.names.sides, self.names.players, strict=True):
            signers += players or (name,)
        return signers

    @property
    def chart(self) -> Chart | None:
        """The running totals; None before the second hand."""
        if len(self.match.hands) < CHART_FROM:
            return None
        return running_chart(self.match, self.words.language, self.names.drawn)

    def _rows_of(self, hand: HandState) -> tuple[ScoreRow, ...]:
        variant = self.match.rules.variant
        return build_score_table(
            hand.counted, self.names.sides, variant, self.words, by_reason=False
        ).rows

    def _marked(self, rows: tuple[ScoreRow, ...]) -> list[MarkedRow]:
        return [MarkedRow(row, self._mark(row.arguments)) for row in rows]

    def _mark(self, arguments: tuple[str, ...]) -> str:
        """The mark of a reading, which refers to its argument below the table; empty for any other
        line.
        """
        if not arguments:
            return ""
        return f"{READING_SIGN}{self.readings.index(arguments) + 1}"


def _readings(rows_of_hands: list[tuple[ScoreRow, ...]]) -> list[tuple[str, ...]]:
    """The arguments of all readings, each once, in the order of their first lines."""
    readings: list[tuple[str, ...]] = []
    for rows in rows_of_hands:
        for row in rows:
            if row.arguments and row.arguments not in readings:
                readings.append(row.arguments)
    return readings
