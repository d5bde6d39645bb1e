"""The match sheet on A4, as PDF: a page with the result and a row for each hand, optionally the
lines of each hand.

Points are units if the game counts in units; values by side are in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.sheets.chart import draw_chart_as_svg, make_chart
from scorepad.sheets.chart_data import LARGE, PAPER, Chart, Frame
from scorepad.sheets.footnotes import Footnotes
from scorepad.sheets.pdf import make_pdf_with_stand_ins, render
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
    """Describe the two columns of each side in the table of hands (rounds).

    The first has what a hand counts, under "points", or under "units" in a game that counts in
    units. The second has the total of the match after the hand, under "total".
    """
    counted_in_hand = SheetColumn(
        name="points",
        head=f"sheets.{settings.unit}-head",
        read_figure=lambda score: score.hand,
    )
    total_after_hand = SheetColumn(
        name="running",
        head="sheets.running-head",
        read_figure=lambda score: score.total,
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
    """Make the sheet of a match as PDF: the result, and a row for each hand (round).

    `details` adds pages with all lines of every score, `large` prints in 18 points. Raises NoPdf if
    this machine cannot make a PDF.
    """

    def render_sheet_without(lacking: Lacking) -> str:
        """Render the sheet for a machine whose fonts do not have these characters."""
        return render_match_sheet(state, words, lacking, details=details, large=large)

    return make_pdf_with_stand_ins(render_sheet_without)


def render_match_sheet(
    state: MatchState,
    words: Words,
    lacking: Lacking = frozenset(),
    *,
    details: bool = False,
    large: bool = False,
) -> str:
    """Render the sheet of a match as HTML, which is then made a PDF.

    `lacking` are characters without a glyph in any font of this machine: names with them get an
    addition by which they can be told apart. For `details` and `large` see `make_match_sheet`.
    """
    sheet = MatchSheet(state, words, lacking)
    return render(
        "match.html",
        words,
        sheet=sheet,
        match=state,
        names=sheet.names,
        footnotes=sheet.footnotes,
        texts=SheetTexts(state, sheet.names, words),
        chart=sheet.draw_chart(LARGE if large else PAPER),
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

        # The details: each score as a table. A sign such as "§1" in a row is the place of its
        # inference (why a rule that is in no book is applied) in the list of all inferences.
        tables = [self._build_score_table(hand) for hand in state.hands]
        self.inferences = _list_all_inferences(tables)
        self.rows = [_add_signs_to_rows(table, self.inferences) for table in tables]
        self.footnotes = Footnotes(state, self.names, words)

    @property
    def names_in_chart(self) -> str:
        """The legend for sides whose names the chart cannot show, with emoji in them, say.

        "side 1: Marta 😀 · side 2: Gino 🎲"
        """
        names = []
        for name, name_in_chart in zip(self.names.sides, self.names.in_chart, strict=True):
            if name != name_in_chart:
                in_words = self.words.t("sheets.chart-name", number=name_in_chart, name=name)
                names.append(in_words)
        return " · ".join(names)

    @property
    def begins_on_paper(self) -> bool:
        """Whether the match began on paper, so that totals or hands (rounds) were carried over."""
        return bool(self.match.carried or self.match.played)

    def has_opening_minimum(self, hand: HandState) -> bool:
        """Tell whether any side needed a minimum of points to lay its first cards in a hand."""
        return any(side.opening_minimum is not None for side in hand.sides)

    def explain_inference(self, reasons: tuple[str, ...]) -> str:
        """Explain a sign such as "§1", which marks lines whose rule is in no rule book.

        `reasons` say why the rule is applied all the same: `("as-classic",)` → "§1 Inferred: The
        sources collected here give this game no rule of its own on this point, so the classic rule
        applies."
        """
        sign = _find_sign(reasons, self.inferences)
        sentences = [self.words.t(f"read.{reason}") for reason in reasons]
        explanation = self.words.t("sheets.reading", why=" ".join(sentences))  # "Inferred: …"
        return f"{sign} {explanation}"

    @property
    def signers(self) -> list[str]:
        """Who signs the sheet: all players with a name, and each side that has no such player."""
        signers: list[str] = []
        for name, players in zip(self.names.sides, self.names.players, strict=True):
            signers += players or (name,)
        return signers

    @property
    def chart(self) -> Chart | None:
        """The chart of the totals; None before the second hand (round), when it shows nothing."""
        if len(self.match.hands) < CHART_FROM:
            return None
        return make_chart(self.match, self.words.language, self.names.in_chart)

    def draw_chart(self, frame: Frame) -> Markup:
        """Draw the chart as SVG, in a size for this sheet; empty before the second hand."""
        if self.chart is None:
            return Markup()
        svg = draw_chart_as_svg(self.chart, frame)
        return Markup(svg)  # noqa: S704 - it escapes its texts

    @property
    def has_room_for_large_chart(self) -> bool:
        """Whether, in large print, the rows of all hands and the chart fit on the first page."""
        return len(self.match.hands) <= HANDS_BESIDE_CHART

    def _build_score_table(self, hand: HandState) -> ScoreTable:
        """Lay out the score of a hand (round) as a table, with a column for each side.

        Points that the players agreed on are in one row, whatever the reasons: the footnotes have
        these.
        """
        return build_score_table(
            hand.counted,
            self.names.sides,
            self.match.rules.variant,
            self.words,
            by_reason=False,
        )


def _list_all_inferences(tables: list[ScoreTable]) -> list[tuple[str, ...]]:
    """List why rules are applied in some scores although they are in no rule book.

    Each inference is a tuple of reasons, such as `("as-classic",)`, which are the ends of message
    keys. It is in the list once, where the tables first have it.
    """
    inferences: list[tuple[str, ...]] = []
    for table in tables:
        for inference in table.inferences:
            if inference not in inferences:
                inferences.append(inference)
    return inferences


def _add_signs_to_rows(table: ScoreTable, inferences: Sequence[tuple[str, ...]]) -> list[SheetRow]:
    """Add a sign such as "§1" to each row of a score whose rule is in no rule book.

    `inferences` are all on the sheet; the notes that explain them have the signs too.
    """
    rows = []
    for row in table.rows:
        sign = ""  # for a row whose rule is in a book
        if row.inference:
            sign = _find_sign(row.inference, inferences)
        rows.append(SheetRow(row, sign))
    return rows


def _find_sign(inference: tuple[str, ...], inferences: Sequence[tuple[str, ...]]) -> str:
    """Find the sign of an inference by its place in the list of all inferences on the sheet.

    An inference is why a rule is applied that is in no rule book. The first one → "§1", the second
    → "§2".
    """
    number = inferences.index(inference) + 1
    return f"{INFERENCE_SIGN}{number}"
