"""The match sheet on A4, as PDF: a page with the result and a row for each hand, optionally the
lines of each hand.

Points are units if the game counts in units; values by side are in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import value_word
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.chart_data import LARGE, PAPER, Chart
from scorepad.sheets.footnotes import Footnotes
from scorepad.sheets.outcome import won_words
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.printed_names import Lacking, PrintedNames, isolated
from scorepad.sheets.score_table import (
    ScoreRow,
    ScoreTable,
    build_score_table,
    single_and_pair,
    special_hands,
)

CHART_FROM = 2
"""The least number of hands for a chart."""
HANDS_BESIDE_CHART = 10
"""In large print, the most hands with room for the chart below them on the first page."""
INFERENCE_SIGN = "§"
"""Marks a line whose rule is inferred from the sources; the fonts of the sheets include it."""


class SheetColumn(NamedTuple):
    """A column of figures that every side has in the table with a row for each hand.

    `name` is its class in the style sheet, `head` the key of the message at its head. `read_figure`
    takes the figure from a side's score of a hand. `is_running`: it is the total after the hand, and
    so has a figure before the first hand, too.
    """

    name: str
    head: str
    read_figure: Callable[[SideScore], int]
    is_running: bool = False


def side_columns(settings: Settings) -> tuple[SheetColumn, ...]:
    """The columns of each side, from left to right, in a game with these settings."""
    return (
        SheetColumn("points", f"sheets.{settings.unit}-head", lambda score: score.hand),
        SheetColumn("running", "sheets.running-head", lambda score: score.total, is_running=True),
    )


class SheetRow(NamedTuple):
    """A line of a hand's score, and the sign of the note that says why its rule is inferred: `§1`.

    The sign is empty if a source states the rule.
    """

    row: ScoreRow
    sign: str


def make_match_sheet(
    state: MatchState, words: Words, *, details: bool = False, large: bool = False
) -> bytes:
    """The match sheet as PDF; `details`: the lines of every hand on further pages; `large`: in 18
    pt. Raises NoPdf.
    """

    def html_for_lacking(lacking: Lacking) -> str:
        return match_sheet_html(state, words, lacking, details=details, large=large)

    return pdf_for_lacking(html_for_lacking)


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

    Attributes: `names`, `title`, `venue`, `day`; `columns`, those of each side in the table of hands;
    `carried`, the totals of the sides before the first hand; `rows`, the rows of each hand;
    `inferences`, the reasons for inferred rules, in the order of their signs (`§1` is the first);
    `footnotes`.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        """Take the values from a match; `lacking` are the characters that cannot be printed here."""
        self.match = state
        self.words = words
        self.names = PrintedNames(state, words, lacking)
        self.title = " – ".join(self.names.sides)
        self.venue = isolated(state.venue)
        self.day = words.day(state.started.astimezone().date())
        self.columns = side_columns(state.rules.settings)
        no_points = (0,) * len(state.sides)
        self.carried = state.carried or no_points  # totals of a match that began on paper
        self.footnotes = Footnotes(state, self.names, words)

        tables = [self._score_table(hand) for hand in state.hands]
        self.inferences = _inferences(tables)
        self.rows = [_rows_with_signs(table, self.inferences) for table in tables]

    def inference_note(self, inference: tuple[str, ...]) -> str:
        """Why a rule is inferred from the sources, after its sign."""
        why = " ".join(self.words.t(f"read.{reason}") for reason in inference)
        sign = _sign_of_inference(inference, self.inferences)
        return f"{sign} {self.words.t('sheets.reading', why=why)}"

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

    def _score_table(self, hand: HandState) -> ScoreTable:
        variant = self.match.rules.variant
        names = self.names.sides
        return build_score_table(hand.counted, names, variant, self.words, by_reason=False)


def _inferences(tables: list[ScoreTable]) -> list[tuple[str, ...]]:
    """The inferences of all rows, each once, in the order of their first rows."""
    inferences: list[tuple[str, ...]] = []
    for table in tables:
        for inference in table.inferences:
            if inference not in inferences:
                inferences.append(inference)
    return inferences


def _rows_with_signs(table: ScoreTable, inferences: Sequence[tuple[str, ...]]) -> list[SheetRow]:
    """The rows of a hand, each with the sign of its inference."""
    rows = []
    for row in table.rows:
        rows.append(SheetRow(row, _sign_of_inference(row.inference, inferences)))
    return rows


def _sign_of_inference(inference: tuple[str, ...], inferences: Sequence[tuple[str, ...]]) -> str:
    """The sign of an inference, which is its number in the list of all: `§1`; empty without one."""
    if not inference:
        return ""
    number = inferences.index(inference) + 1
    return f"{INFERENCE_SIGN}{number}"
