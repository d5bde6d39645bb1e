"""The match sheet on A4, as PDF: a page with the result and a row for each hand, optionally the
lines of each hand.

Points are units if the game counts in units; values by side are in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.chart_data import LARGE, PAPER, Chart, Frame
from scorepad.sheets.footnotes import Footnotes
from scorepad.sheets.pdf import pdf_for_lacking, render
from scorepad.sheets.printed_names import Lacking, PrintedNames, isolate_direction
from scorepad.sheets.score_table import (
    ScoreRow,
    ScoreTable,
    build_score_table,
)
from scorepad.sheets.sheet_texts import SheetTexts

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
    """The two columns of each side: what a hand counts, and the total of the match after it.

    A hand counts points, or units in some games: `sheets.points-head`, `sheets.units-head`.
    """
    counted_in_hand = SheetColumn(
        name="points",
        head=f"sheets.{settings.unit}-head",
        read_figure=attrgetter("hand"),
    )
    total_after_hand = SheetColumn(
        name="running",
        head="sheets.running-head",
        read_figure=attrgetter("total"),
        is_running=True,
    )
    return counted_in_hand, total_after_hand


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
    html_for_lacking = partial(match_sheet_html, state, words, details=details, large=large)
    return pdf_for_lacking(html_for_lacking)


def match_sheet_html(
    state: MatchState,
    words: Words,
    lacking: Lacking = frozenset(),
    *,
    details: bool = False,
    large: bool = False,
) -> str:
    """The match sheet as HTML, for a machine that has no glyphs for the `lacking` characters."""
    sheet = MatchSheet(state, words, lacking)
    return render(
        "match.html",
        words,
        sheet=sheet,
        match=state,
        names=sheet.names,
        footnotes=sheet.footnotes,
        texts=SheetTexts(state, sheet.names, words),
        chart=sheet.chart_in_frame(LARGE if large else PAPER),
        details=details,
        large=large,
    )


class MatchSheet:
    """The values shown by the template of the match sheet.

    Attributes: `names`, `title`, `venue`, `day`; `is_lacking`, whether some characters cannot be
    printed on this machine; `columns`, those of each side in the table of hands; `carried`, the
    totals of the sides before the first hand; `rows`, the rows of each hand; `inferences`, the
    reasons for inferred rules, in the order of their signs (`§1` is the first); `footnotes`.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        """Take the values from a match; `lacking` are the characters that cannot be printed here."""
        self.match = state
        self.words = words
        # The head of the sheet
        self.names = PrintedNames(state, words, lacking)
        self.is_lacking = bool(lacking)
        self.title = " – ".join(self.names.sides)
        self.venue = isolate_direction(state.venue)
        self.day = words.day(state.started.astimezone().date())
        # The table with a row for each hand
        self.columns = side_columns(state.rules.settings)
        no_points = (0,) * len(state.sides)
        self.carried = state.carried or no_points  # totals of a match that began on paper
        # The details
        tables = [self._score_table(hand) for hand in state.hands]
        self.inferences = _inferences(tables)
        self.rows = [_rows_with_signs(table, self.inferences) for table in tables]
        self.footnotes = Footnotes(state, self.names, words)

    @property
    def bonuses_in_words(self) -> str:
        """The bonuses of house rules, each with its points: "Perfect hand +100; …"."""
        bonuses = []
        for code, bonus in self.match.rules.bonuses.items():
            name = self.words.t(f"bonus.{code}")
            bonuses.append(f"{name} {self.words.signed(bonus.points)}")
        return "; ".join(bonuses)

    @property
    def house_rules_in_words(self) -> str:
        """The options that the table chose otherwise than usual: "Wild cards: at most three; …"."""
        chosen = []
        for option in self.match.house:
            value = describe_option_value(option, self.match.rules.options[option], self.words)
            chosen.append(f"{self.words.t(f'option.{option}')}: {value}")
        return "; ".join(chosen)

    @property
    def names_in_chart(self) -> str:
        """The names of the sides that the chart shows by a number, for lack of room: "1 = Anna"."""
        names = []
        for name, name_in_chart in zip(self.names.sides, self.names.in_chart, strict=True):
            if name != name_in_chart:
                in_words = self.words.t("sheets.chart-name", number=name_in_chart, name=name)
                names.append(in_words)
        return " · ".join(names)

    @property
    def begins_on_paper(self) -> bool:
        """Whether the match began on paper, so that totals or hands were carried over."""
        return bool(self.match.carried or self.match.played)

    def has_opening_minimum(self, hand: HandState) -> bool:
        """Whether a side needed so many points to open (lay its first melds) in a hand."""
        return any(side.opening_minimum is not None for side in hand.sides)

    def inference_note(self, inference: tuple[str, ...]) -> str:
        """The note that explains a sign such as `§1`: why the rule of the lines with it is inferred.

        `inference` are the codes of the reasons: `("as-classic",)`.
        """
        why = " ".join([self.words.t(f"read.{reason}") for reason in inference])
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
        return running_chart(self.match, self.words.language, self.names.in_chart)

    def chart_in_frame(self, frame: Frame) -> Markup:
        """The chart as SVG, in a size for this sheet; empty before the second hand."""
        if self.chart is None:
            return Markup()
        svg = chart_svg(self.chart, frame)
        return Markup(svg)  # noqa: S704 - it escapes its texts

    @property
    def has_room_for_large_chart(self) -> bool:
        """Whether, in large print, the rows of all hands and the chart fit on the first page."""
        return len(self.match.hands) <= HANDS_BESIDE_CHART

    def _score_table(self, hand: HandState) -> ScoreTable:
        """The lines of a hand's score in force, one side beside the other.

        Points that were agreed for different reasons are in one row: the footnotes have the reasons.
        """
        return build_score_table(
            hand.counted,
            self.names.sides,
            self.match.rules.variant,
            self.words,
            by_reason=False,
        )


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
