"""The fields of a match that was begun on paper: the total of each side, and how many hands were played there."""

from __future__ import annotations

from typing import Any

from wtforms import BooleanField, Field, StringField, ValidationError

from scorepad.i18n import Words
from scorepad.rules.entries import Place
from scorepad.web.figures import Misread, read_figure
from scorepad.web.frame import language, page_words
from scorepad.web.matches.forms import LabelsForm
from scorepad.web.matches.tables import default_names

PLAYED = "played"


class PaperForm(LabelsForm):
    """What a match brings from paper. Its fields are made by `paper_fields`, for as many sides as there are."""

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names of the sides as they will be: those typed, or the usual ones."""
        usual = default_names(self.side_sizes, page_words())
        return tuple(typed.strip() or name for typed, name in zip(self.names, usual, strict=True))

    @property
    def has_paper(self) -> bool:
        """Whether anything of it was typed."""
        typed = [self[total_field(side)].data or "" for side in self._sides] + [self._played_typed]
        return any(map(str.strip, typed)) or any(self[below_field(side)].data for side in self._sides)

    @property
    def carried(self) -> tuple[int, ...]:
        """The totals of the sides in points, below zero where the switch says so; none where nothing was typed."""
        if not self.has_paper:
            return ()
        totals = ((_figure(self[total_field(side)]), self[below_field(side)].data) for side in self._sides)
        return tuple(-total if below else total for total, below in totals)

    @property
    def hands_played(self) -> int:
        """How many hands were played on paper."""
        return _figure(self[PLAYED]) if self._played_typed.strip() else 0

    def told_of(self, where: Place, text: str, speech: Words) -> str:
        """What is wrong with a total, with whose it is."""
        kind, *side = where
        if kind != "carried" or not side:
            return super().told_of(where, text, speech)
        return speech.text("course.carried-of", side=self.side_names[int(side[0])], text=text)

    @property
    def _sides(self) -> range:
        return range(len(self.side_sizes))

    @property
    def _played_typed(self) -> str:
        """The number of hands as typed; empty too where it is not asked."""
        return str(self[PLAYED].data or "") if PLAYED in self else ""


def paper_fields(sides: int, *, by_hands: bool) -> dict[str, Any]:
    """The fields for so many sides; `by_hands`: a number of hands ends the match, so that they are asked too."""
    fields: dict[str, Any] = {}
    for side in range(sides):
        fields[total_field(side)] = StringField(validators=[_total_of(side)])
        fields[below_field(side)] = BooleanField()
    return fields | ({PLAYED: StringField(validators=[_check_played])} if by_hands else {})


def total_field(side: int) -> str:
    """The field of a side's total on paper."""
    return f"carried-{side}"


def below_field(side: int) -> str:
    """The switch that says that this total is below zero."""
    return f"carried-{side}-below"


def _total_of(side: int) -> Any:
    """Refuses what is no total, and one that is missing beside another."""

    def check(form: PaperForm, field: Field) -> None:
        read = read_figure(field.data or "", language())
        if isinstance(read, int) or (read is None and not form.has_paper):
            return
        why = {None: "missing", Misread.MINUS: "minus"}.get(read, "figure")
        speech = page_words()
        text = speech.text(f"course.carried-{why}")
        raise ValidationError(speech.text("course.carried-of", side=form.side_names[side], text=text))

    return check


def _check_played(_form: PaperForm, field: Field) -> None:
    if isinstance(read_figure(field.data or "", language()), Misread):
        raise ValidationError(page_words().text("course.played-figure"))


def _figure(field: Field) -> int:
    """The figure in a field that was found to hold one."""
    read = read_figure(field.data or "", language())
    return read if isinstance(read, int) else 0
