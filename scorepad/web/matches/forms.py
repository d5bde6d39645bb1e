"""The forms of the actions on a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wtforms import BooleanField, Field, FileField, HiddenField, StringField, TextAreaField, ValidationError
from wtforms.validators import DataRequired

from scorepad.matches.actions import Noted
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.names import NameProblem, tidy
from scorepad.matches.projection import MatchState, SideState
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.judge import Seat, seating
from scorepad.rules.table import HOUSE
from scorepad.web.base import language, page_words, t
from scorepad.web.forms import (
    LONGEST_NOTE,
    NUMERIC,
    Choice,
    ChoiceField,
    HiddenNumber,
    Misread,
    PadForm,
    add_error,
    at_most,
    lazy,
    one_line,
    problem_text,
    read_figure,
)
from scorepad.web.hand_fields import unread
from scorepad.web.presenters import places_shown, player

MOST_HANDS = 999
"""Largest number of a hand after which an end may be agreed."""


class UndoForm(PadForm):
    """Undo the last entry; with a note where the other side had confirmed it."""

    seen = HiddenNumber()
    note = StringField(
        lazy("checking.note"), [at_most(LONGEST_NOTE, "count.error.long")], description=lazy("checking.note.hint")
    )


class RemarkForm(PadForm):
    """The remark on a counted hand, and the one that the page showed."""

    seen = HiddenField()
    text = TextAreaField(
        lazy("course.remark.text"),
        [at_most(LONGEST_NOTE, length=lambda text: len(one_line(text)))],
        description=lazy("course.remark.hint", limit=LONGEST_NOTE),
    )


class DeleteForm(PadForm):
    """The confirmation without which no match is deleted."""

    sure = BooleanField(lazy("course.delete.sure"), [DataRequired(lazy("course.delete.not-sure"))])


class CheckForm(PadForm):
    """The log entries that the page showed: of the counting that stands, and of the other one (0 for none)."""

    seen = HiddenNumber()
    other = HiddenNumber()

    @property
    def shown(self) -> tuple[int, int]:
        """Both entries."""
        return self.seen.data, self.other.data


class ImportForm(PadForm):
    """A file of matches."""

    file = FileField(
        lazy("files.take.file"), description=lazy("files.take.told"), render_kw={"accept": ".json,application/json"}
    )


class PenaltyForm(PadForm):
    """A penalty in the open hand `hand`: whose, which, and for a house penalty its points and reason."""

    hand = HiddenField()
    side = ChoiceField(lazy("course.penalty.side"), message="course.penalty.whose")
    code = ChoiceField(lazy("course.penalty.which"), message="course.penalty.choose")
    points = StringField(
        lazy("course.penalty.points"),
        description=lazy("course.penalty.points.hint", step=SMALLEST_POINTS),
        render_kw=NUMERIC,
    )
    reason = StringField(lazy("course.penalty.reason"), [at_most(LONGEST_NOTE)])

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.draft = state.open_hand.draft if state.open_hand else {}
        self.side.choices = tuple(Choice(str(place), side.name) for place, side in enumerate(state.sides))
        self.code.choices = tuple(_penalty_choices(state))

    @property
    def noted(self) -> Noted:
        """The penalty of a valid form."""
        side, code = int(self.side.data), str(self.code.data)
        if code != HOUSE:
            return Noted(side, code)
        points = read_figure(self.points.data or "", language())
        assert isinstance(points, int)
        return Noted(side, code, points, (self.reason.data or "").strip())

    def validate(self, extra_validators: Any = None) -> bool:
        """Refuse, last, a penalty whose field in the open hand cannot be read: nothing can be added to it."""
        if not super().validate(extra_validators):
            return False
        text = "" if self.code.data == HOUSE else unread(self.draft, int(self.side.data), self.code.data, language())
        if text:
            add_error(self.code, t("course.penalty.unread", text=text))
        return not text

    def validate_points(self, field: Field) -> None:
        """Refuse points that are none, and points or a reason of a penalty that has its own."""
        typed = (field.data or "").strip()
        if self.code.data != HOUSE:
            if (typed or (self.reason.data or "").strip()) and self.code.data:
                raise ValidationError(t("course.penalty.other"))
            return
        points = read_figure(typed, language())
        if points is None:
            raise ValidationError(t("course.penalty.points-missing"))
        if points is Misread.MINUS:
            raise ValidationError(t("course.penalty.points-minus"))
        if not isinstance(points, int) or points <= 0 or points % SMALLEST_POINTS:
            raise ValidationError(t("course.penalty.points-wrong", step=SMALLEST_POINTS))

    def validate_reason(self, field: Field) -> None:
        """Refuse a house penalty without a reason."""
        if self.code.data == HOUSE and not (field.data or "").strip():
            raise ValidationError(t("course.penalty.reason-missing"))


def _penalty_choices(state: MatchState) -> Iterator[Choice]:
    words = page_words()
    for code, penalty in state.rules.penalties.items():
        name = t(f"penalty.{code}")
        if penalty.points is None:
            yield Choice(code, name, t("course.penalty.house.note"))
        else:
            label = t("course.penalty.choice", name=name, points=words.signed(-penalty.points))
            remedy = t(f"remedy.{penalty.remedy}") if penalty.remedy else ""
            yield Choice(code, label, remedy, places_shown(map(str, penalty.cited.citations), words))


class ReplaceForm(PadForm):
    """A seat, who sat there when the page was shown, and who takes the place. Made by `replace_form`."""

    seat = ChoiceField(lazy("course.replace.seat"), message="course.replace.choose")
    name = StringField(lazy("course.replace.name"))

    @property
    def chosen(self) -> Seat:
        """The seat of a valid form."""
        side, index = str(self.seat.data).split("-")
        return int(side), int(index)

    @property
    def was(self) -> str:
        """Who sat there."""
        return self[f"was-{self.seat.data}"].data or ""

    def fill(self, state: MatchState) -> None:
        """Remember who sits there now."""
        for side, index in seating(state.rules.settings):
            stands = state.sides[side]
            self[f"was-{side}-{index}"].data = stands.name if len(stands.players) == 1 else stands.players[index]

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Show what is wrong with the name."""
        for text in dict.fromkeys(map(problem_text, problems)):
            add_error(self.name, text)

    def validate_name(self, field: Field) -> None:
        """Refuse no name, and the name of who sits there already."""
        name = tidy(field.data or "")
        if not name:
            raise ValidationError(t("course.replace.missing"))
        if f"was-{self.seat.data}" in self and name == self.was:
            raise ValidationError(t("course.replace.same"))


def replace_form(state: MatchState) -> ReplaceForm:
    """The form for the seats of a match."""
    seats = seating(state.rules.settings)
    fields = {f"was-{side}-{index}": HiddenField() for side, index in seats}
    form: ReplaceForm = type("ReplaceForm", (ReplaceForm,), fields)()
    form.seat.choices = tuple(
        Choice(f"{side}-{index}", player((side, index), state.sides, page_words())) for side, index in seats
    )
    return form


class EndForm(PadForm):
    """An end that the table agrees on, and how many hands had been counted when the page was shown."""

    seen = HiddenNumber()
    how = ChoiceField(lazy("course.end.how"), message="course.end.choose")
    number = StringField(lazy("course.end.number"), render_kw=NUMERIC)

    def __init__(self, state: MatchState, **values: Any) -> None:
        super().__init__(**values)
        self.show(state)

    def show(self, state: MatchState) -> None:
        """Offer the ends of this match as it stands."""
        self.state = state
        self.how.choices = tuple(_end_choices(state))
        self.number.description = t("course.end.number.hint", hands=state.coming - 1)

    @property
    def ending(self) -> Ending:
        """The end of a valid form."""
        how, _, side = str(self.how.data).partition(":")
        if how == EndHow.LAST_HAND:
            return Ending(EndHow.LAST_HAND, hands=self.seen.data + 1)
        if how == EndHow.HANDS:
            number = read_figure(self.number.data or "", language())
            assert isinstance(number, int)
            return Ending(EndHow.HANDS, hands=number - self.state.played)
        return Ending(EndHow(how), side=int(side) if side else None)

    def validate_seen(self, field: Field) -> None:
        """Refuse what no page of ours sends; the form is shown again for the match as it stands."""
        if field.data is None or field.data > MOST_HANDS:
            field.data = len(self.state.hands)
            raise ValidationError(t("web.error.expired"))

    def validate_number(self, field: Field) -> None:
        """Refuse a hand that was played already, or never will be; read only where that end is chosen."""
        if self.how.data != EndHow.HANDS:
            return
        number, deals = read_figure(field.data or "", language()), self.state.rules.settings.match_deals
        following = self.state.played + self.seen.data + 1
        if number is None:
            raise ValidationError(t("course.end.number-missing"))
        if isinstance(number, Misread) or number == 0:
            raise ValidationError(t("course.end.number-wrong", number=following + 1))
        if number < following:
            raise ValidationError(t("course.end.number-small", asked=number, number=following))
        if deals is not None and number >= deals:
            raise ValidationError(t("course.end.number-large", hands=deals))
        if number > MOST_HANDS:
            raise ValidationError(t("course.end.number-huge", most=MOST_HANDS))


def _end_choices(state: MatchState) -> Iterator[Choice]:
    """Each way to end the match, with who wins by it as it stands."""
    if state.ending is not None:
        yield Choice(EndHow.BY_RULES, t("course.end.by-rules"), t("course.end.by-rules.note"))
    after = t("course.end.after", number=state.coming)
    now = _ahead(state.sides, "course.end.ahead-now", "course.end.level-now")
    yield Choice(EndHow.LAST_HAND, t("course.end.last-hand"), f"{after} {now}")
    yield Choice(EndHow.HANDS, t("course.end.hands"), f"{t('course.end.hands.note')} {now}")
    yield Choice(EndHow.TIME, t("course.end.time"), _ahead(state.sides, "course.end.ahead", "course.end.level"))
    for place, side in enumerate(state.sides):
        others = [other for other in state.sides if other is not side]
        if len(others) == 1:
            note = t("course.end.other", side=others[0].name)
        else:
            note = _ahead(others, "course.end.others", "course.end.others-level")
        yield Choice(f"{EndHow.GIVEN_UP}:{place}", t("course.end.given-up", side=side.name), note)
    yield Choice(EndHow.BROKEN_OFF, t("course.end.broken-off"), t("course.end.broken-off.note"))


def _ahead(sides: Sequence[SideState], ahead: str, level: str) -> str:
    """Who leads among these sides with their totals, the highest first; or that the highest are level."""
    first, *others = ranked = sorted(sides, key=lambda side: -side.total)
    totals = totals_words(ranked)
    if first.total == others[0].total:
        return t(level, totals=totals)
    return t(ahead, side=first.name, totals=totals)


def totals_words(sides: Sequence[SideState]) -> str:
    """The totals of these sides, in their order."""
    first, *others = sides
    words = page_words()
    return t("course.end.totals", own=first.total, others=words.listing(words.figure(side.total) for side in others))
