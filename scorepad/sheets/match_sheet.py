"""The match sheet on A4, as PDF: a page with the result and a row for each hand, and on request the lines of each hand.

Figures are points, or units where the game counts in those; what belongs to each side comes in the order of the sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted, EndHow, LogEntry, RulingKept
from scorepad.matches.projection import HandState, MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.judge import SideScore
from scorepad.rules.score import Line
from scorepad.rules.settings import Partnership
from scorepad.rules.variants import sources
from scorepad.sheets.chart import LARGE, PAPER, Chart, chart_svg, running_chart
from scorepad.sheets.pdf import Fact, pdf_for_lacking, render
from scorepad.sheets.result import (
    Key,
    Lacking,
    Names,
    Row,
    is_concealed,
    isolated,
    keyed,
    line_label,
    single_and_pair,
    special_hands,
    table_of,
)

CHART_FROM = 2
"""The hands from which on a chart shows more than the table."""
MARK = "§"
"""Marks a line that is a reading of the sources; the fonts of the sheets have it."""

Cell = tuple[int | None, int]
"""What a side has of a line: how many (None where only points were given), and the points."""


class SheetHand(NamedTuple):
    """A counted hand on the sheet, in words.

    `deal` says who dealt, who sat out and who played with whom; `ended` how it ended and how far it is checked. `marks`
    are those of its rows.
    """

    number: int
    deal: list[str]
    ended: list[str]
    openings: list[str]
    rows: tuple[Row, ...]
    marks: list[str]
    sides: tuple[SideScore, ...]


class Footnote(NamedTuple):
    """Something about a hand below the table: what, a detail, and the sentences it rests on, each with its source."""

    number: int
    text: str
    detail: str = ""
    reasons: tuple[tuple[str, str], ...] = ()


class Change(NamedTuple):
    """What a correction changed of a side: the line as it was and as it became (None where there was none)."""

    side: str
    what: str
    before: Cell | None
    after: Cell | None


class Recount(NamedTuple):
    """A hand counted again: when, with which note, and what that changed; or would, until it is agreed to."""

    number: int
    at: datetime
    note: str
    changes: list[Change]


def match_sheet(state: MatchState, words: Words, *, details: bool = False, large: bool = False) -> bytes:
    """The match sheet as PDF; `details`: the lines of every hand on further pages; `large`: in 18 pt. Raises NoPdf."""
    return pdf_for_lacking(lambda lacking: match_sheet_html(state, words, lacking, details=details, large=large))


def match_sheet_html(
    state: MatchState, words: Words, lacking: Lacking = frozenset(), *, details: bool = False, large: bool = False
) -> str:
    """The match sheet as HTML, for a machine that has no glyph for the `lacking` characters."""
    sheet = MatchSheet(state, words, lacking)
    chart = Markup(chart_svg(sheet.chart, LARGE if large else PAPER) if sheet.chart else "")  # noqa: S704 - escaped
    values = {"sheet": sheet, "chart": chart, "is_lacking": bool(lacking), "details": details, "large": large}
    return render("match.html", words, **values)


class MatchSheet:
    """What stands on the match sheet, for its template.

    Attributes: `match`, `names`, `title`, `place`, `day`, `hands`; `readings`, the arguments of the readings among the
    lines, in the order of their marks.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking = frozenset()) -> None:
        self.match, self.words, self.text = state, words, words.text
        self.names = Names(state, words, lacking)
        self.title = " – ".join(self.names.sides)
        self.place = isolated(state.place)
        self.day = words.day(state.started.astimezone().date())
        self.readings: list[tuple[str, ...]] = []
        self.hands = [self._hand(hand) for hand in state.hands]

    def reading(self, arguments: tuple[str, ...]) -> str:
        """Why lines with this mark are a reading of the sources, behind the mark."""
        why = " ".join(self.text(f"read.{name}") for name in arguments)
        return f"{self._mark(arguments)} {self.text('sheets.reading', why=why)}"

    def _number(self, of: Any) -> int:
        """The number of a hand among all those of the match: those played on paper before count as well."""
        return self.match.called(of.number)

    def _counted(self, points: int) -> str:
        """So many points, or units."""
        return self.text(f"sheets.{self.match.rules.settings.unit}", points=points)

    # ---------------------------------------------------------------- the head

    @property
    def goal(self) -> Fact:
        """How far the match goes: the target or, where a number of hands decides, that number."""
        settings = self.match.rules.settings
        if settings.match_deals is not None:
            return Fact(self.text("sheets.number-of-hands"), self.text("sheets.all-deals", count=settings.match_deals))
        target = self.text("value.target.unlimited") if settings.target is None else self._counted(settings.target)
        return Fact(self.text("setting.target"), target)

    @property
    def options(self) -> list[Fact]:
        """What the table plays otherwise than its codification, or than the variant where it chose none."""
        options = self.match.rules.options
        return [
            Fact(self.text(f"option.{name}"), value_word(name, options[name], self.words)) for name in self.match.house
        ]

    @property
    def replacements(self) -> list[str]:
        """Who took whose place, and when; each by the name that stands there now, or stood when the next came."""
        taken, found = self.match.replacements, []
        for position, each in enumerate(taken):
            later = (other.was for other in taken[position + 1 :] if other.seat == each.seat)
            name = isolated(next(later, "")) or self.names.seat(each.seat)
            key = "sheets.replaced" if each.was else "sheets.seated"
            found.append(self.text(key, number=self._number(each), name=name, was=isolated(each.was)))
        return found

    @property
    def signers(self) -> list[str]:
        """Every player who has a name; a side whose players have none signs as a side."""
        sides = zip(self.names.sides, self.names.players, strict=True)
        return [each for name, players in sides for each in players or (name,)]

    @property
    def result(self) -> str:
        """How the match ended, or that it goes on and until when; who is level where nobody won it."""
        state, words, sides = self.match, self.words, self.names.sides
        hands, ending, winner = state.called(len(state.hands)), state.ending, state.standing.winner
        if not state.standing.finished:
            told = [f"{words.plural('share.going-on', hands)}."]
            if ending is not None and ending.hands is not None:
                key = "sheets.last-hand" if ending.hands == len(state.hands) + 1 else "sheets.up-to-hand"
                told.append(self.text(key, number=state.called(ending.hands)))
            return " ".join(told)
        told = []
        if state.ended_early and ending:
            is_broken_off = ending.how is EndHow.BROKEN_OFF
            key = "sheets.ended.broken-off" if is_broken_off else f"checking.ended.{ending.how}"
            told.append(words.plural(key, hands, side="" if ending.side is None else sides[ending.side]))
            if winner is None and not is_broken_off:
                highest = ending.highest(tuple(side.total for side in state.sides))
                names = words.listing(sides[side] for side in highest)
                points = self._counted(state.sides[highest[0]].total)
                told.append(self.text("sheets.level", names=names, points=points))
        elif winner is None:
            told.append(words.plural("sheets.even", hands))
        if winner is not None:
            points = self._counted(state.sides[winner].total)
            told.append(self.text("sheets.won", name=sides[winner], points=points))
        return " ".join(told)

    # ---------------------------------------------------------------- the hands

    def _hand(self, hand: HandState) -> SheetHand:
        rows = table_of(hand.counted, self.names.sides, self.match.rules.variant, self.words, by_reason=False).rows
        return SheetHand(
            number=self._number(hand),
            deal=self._deal(hand),
            ended=self._ended(hand),
            openings=self._openings(hand),
            rows=rows,
            marks=[self._mark(arguments) for arguments in [row.arguments for row in rows]],
            sides=hand.sides,
        )

    def _deal(self, hand: HandState) -> list[str]:
        """Who dealt, who sat out, and who played with whom where pairs are made anew in every hand."""
        text, seat = self.text, self.names.seat
        told = [text("sheets.dealer", name=seat(hand.turn.dealer, hand.number))]
        told += [text("sheets.rests", name=seat(resting, hand.number)) for resting in hand.turn.resting]
        if self.match.rules.settings.partnership is Partnership.FIXED:
            return told
        if hand.single is None:
            return [*told, text("sheets.each-alone")]
        single, pair = single_and_pair(hand, self.names.sides, self.words)
        return [*told, text("sheets.single", name=single), text("sheets.pair", names=pair)]

    def _ended(self, hand: HandState) -> list[str]:
        """Who went out and showed a special hand; then whether it was corrected, agreed, contested or confirmed."""
        played, names, told, text = hand.counted.hand, self.names.sides, list[str](), self.text
        out = played.get("out")
        if out:
            told.append(text("sheets.out", name=names[SIDE_KEYS.index(out["side"])]))
        elif not all("sum" in side for side in played["sides"].values()):  # of agreed sums nobody knows
            told.append(text("sheets.nobody-out"))
        for side, special in special_hands(played, names):
            told.append(text("sheets.special", side=side, name=text(f"value.special.{special}")))
        if hand.is_corrected:
            told.append(text("web.hand.corrected"))
        if hand.counted.agreed:
            told.append(text("checking.mark.agreed"))
        if hand.contest is not None:
            told.append(text("sheets.contested"))
        elif hand.confirmed is not None:
            # The day of the match stands in the head of the sheet.
            at = hand.confirmed.astimezone()
            is_that_day = at.date() == self.match.started.astimezone().date()
            key = "sheets.confirmed" if is_that_day else "sheets.confirmed-later"
            told.append(text(key, day=self.words.day(at), clock=self.words.clock(at)))
        elif hand.waits:
            told.append(text("checking.mark.waits"))
        return told

    def _openings(self, hand: HandState) -> list[str]:
        """The opening minimum of each side, and whether it never opened; empty where there was none."""
        return [
            ""
            if side.opening_minimum is None
            else self.text("sheets.not-opened", minimum=side.opening_minimum)
            if side.opened is False
            else self.words.figure(side.opening_minimum)
            for side in hand.sides
        ]

    def _mark(self, arguments: tuple[str, ...]) -> str:
        """The mark of a reading, by which its argument is found below the table; empty for any other line."""
        if not arguments:
            return ""
        if arguments not in self.readings:
            self.readings.append(arguments)
        return f"{MARK}{self.readings.index(arguments) + 1}"

    # ---------------------------------------------------------------- below the table

    @property
    def chart(self) -> Chart | None:
        """The running totals; None before the second hand."""
        if len(self.match.hands) < CHART_FROM:
            return None
        return running_chart(self.match, self.words.language, self.names.drawn)

    @property
    def chart_names(self) -> list[str]:
        """Who is meant where the chart goes by numbers."""
        called = zip(self.names.sides, self.names.drawn, strict=True)
        return [self.text("sheets.chart-name", number=drawn, name=name) for name, drawn in called if name != drawn]

    @property
    def brief(self) -> list[Footnote]:
        """Penalties, rulings and whatever else was noted of a hand, each in a line, in the order of the hands."""
        corrected = self.text("web.hand.corrected").capitalize()
        corrections = [
            Footnote(each.number, corrected, self.text("sheets.note", note=each.note))
            for each in self.corrections
            if each.note
        ]
        notes = [*self.penalties, *self.rulings, *self.agreements, *self.doubts, *self.remarks, *corrections]
        return sorted(notes, key=lambda note: note.number)

    @property
    def penalties(self) -> list[Footnote]:
        """Every penalty and every agreed correction of points, each with the reason given for it."""
        found = []
        for hand in self.match.hands:
            number, sides = self._number(hand), hand.counted.hand["sides"]
            for name, key in zip(self.names.sides, SIDE_KEYS, strict=False):
                side = sides.get(key, {})
                for each in side.get("penalties", ()):
                    given: dict[str, Any] = {"code": each} if isinstance(each, str) else each
                    rule = self.match.rules.penalties[given["code"]]
                    points, cited = rule.costs(given.get("points")), map(str, rule.cited.citations)
                    what, lost = self.text(f"penalty.{rule.code}"), None if points is None else -points
                    found.append(self._penalty(number, name, what, lost, given.get("reason"), cited))
                for each in side.get("adjustments", ()):
                    what = self.text("item.adjustment")
                    found.append(self._penalty(number, name, what, each["points"], each["reason"]))
        return found

    def _penalty(
        self, number: int, side: str, what: str, points: int | None, reason: str | None, cited: Iterable[str] = ()
    ) -> Footnote:
        figure = "" if points is None else f" {self.words.signed(points)}"
        source = self._source(cited)
        return Footnote(number, f"{side}: {what}{figure}", isolated(reason or ""), (("", source),) if source else ())

    @property
    def rulings(self) -> list[Footnote]:
        """The rulings of the referee that the table kept, in their order."""
        return [self._ruling(kept.event) for kept in self.match.rulings]

    def _ruling(self, kept: RulingKept) -> Footnote:
        ruling = ruling_text(kept, self.match.rules.variant, self.words)
        side = None if kept.side is None else self.names.sides[kept.side]
        facts = [] if side is None else [f"{self.text('referee.who')}: {side}"]
        facts += [f"{label}: {isolated(text)}" for label, text in ruling.case]
        reasons = tuple((isolated(reason.text), self._source(reason.sources)) for reason in ruling.reasons)
        if kept.points is not None and side is not None:
            facts.append(self.text("referee.kept.penalty", side=side, points=self.words.signed(-kept.points)))
        return Footnote(self._number(kept), ruling.head, "; ".join(facts), reasons)

    @property
    def agreements(self) -> list[Footnote]:
        """The hands that the table counted although the rules refuse them."""
        found = []
        for hand in self.match.hands:
            if hand.counted.agreed:
                broken = tuple(
                    (fact(each, self.names.sides, self.words), self._source(each.sources))
                    for each in hand.counted.broken
                )
                because = self.text("sheets.agreed-because", reason=isolated(hand.counted.agreed))
                found.append(Footnote(self._number(hand), because, reasons=broken))
        return found

    @property
    def sums(self) -> list[str]:
        """The hands of which only the sum that the table agreed is known, of a side or of all."""
        found: dict[tuple[str, ...], list[str]] = {}
        for hand in self.match.hands:
            with_lines = zip(self.names.sides, hand.sides, strict=True)
            sides = tuple(name for name, side in with_lines if any(line.item == "sum" for line in side.lines))
            if sides:
                found.setdefault(sides, []).append(self.words.figure(self._number(hand)))
        listing = self.words.listing
        return [
            self.words.plural("sheets.sum-of", len(numbers), numbers=listing(numbers), sides=listing(sides))
            for sides, numbers in found.items()
        ]

    @property
    def doubts(self) -> list[Footnote]:
        """The rules that hands only break since an earlier one was corrected."""
        return [
            Footnote(self._number(hand), message(doubt, self.names.sides, self.words), self._source(doubt.sources))
            for hand in self.match.hands
            for doubt in hand.doubts
        ]

    @property
    def remarks(self) -> list[Footnote]:
        """The notes on hands."""
        return [Footnote(self._number(hand), isolated(hand.remark)) for hand in self.match.hands if hand.remark]

    @property
    def corrections(self) -> list[Recount]:
        """Every time that a hand was counted again, and that counting held."""
        return [
            self._recount(hand, before, after)
            for hand in self.match.hands
            for before, after in zip(hand.versions, hand.versions[1:], strict=False)
        ]

    @property
    def contests(self) -> list[Recount]:
        """The hands that the other side counted otherwise, as long as nobody has chosen between the two countings."""
        return [
            self._recount(hand, hand.versions[-1], hand.contest)
            for hand in self.match.hands
            if hand.contest is not None
        ]

    def _recount(self, hand: HandState, before: LogEntry[Counted], after: LogEntry[Counted]) -> Recount:
        changes, variant = list[Change](), self.match.rules.variant
        for name, was, now in zip(self.names.sides, before.event.lines, after.event.lines, strict=True):
            old, new = _cells(keyed(was, by_reason=False)), _cells(keyed(now, by_reason=False))
            for key in dict.fromkeys((*old, *new)):
                if old.get(key) == new.get(key):
                    continue
                concealed = is_concealed((after if key in new else before).event.hand)
                what = line_label(key[0], key[1], None, self.words, concealed=concealed, variant=variant)
                if key[0] == "sum":
                    what += f" ({self.text('sheets.unverified')})"
                changes.append(Change(name, what, old.get(key), new.get(key)))
            sums = [sum(line.points for line in lines) for lines in (was, now)]
            if sums[0] != sums[1]:
                changes.append(Change(name, self.text("sheets.hand-total"), (None, sums[0]), (None, sums[1])))
        return Recount(self._number(hand), after.at.astimezone(), isolated(after.event.why), changes)

    def _source(self, places: Iterable[str]) -> str:
        """The first of these places by the title of its source and its section; empty for none."""
        place = next(iter(places), "")
        name, _, section = place.partition(":")
        titles = {str(key): source.title for key, source in sources().items()}
        return self.text("sheets.source", title=titles[name], section=section) if name in titles else place


def _cells(lines: Mapping[Key, Line]) -> dict[Key, Cell]:
    return {key: (line.count, line.points) for key, line in lines.items()}
