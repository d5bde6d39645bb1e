"""The form of a penalty: whose, which, and for one of the table's own its points and reason."""

from __future__ import annotations

from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.pad.course import Noted
from scorepad.rules.checks.figures import SMALLEST_POINTS
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import Misread, read_figure
from scorepad.web.forms import LONGEST_NOTE, PadForm
from scorepad.web.frame import language, page_words


class PenaltyForm(PadForm):
    """A penalty for the open hand, by that hand's name. Made by `penalty_form`."""

    rules: Ruleset
    hand = HiddenField()
    side = StringField()
    code = StringField()
    points = StringField()
    reason = StringField()

    @property
    def noted(self) -> Noted:
        """The penalty that was found to be whole."""
        side, code = int(self.side.data), str(self.code.data)
        if code != HOUSE:
            return Noted(side, code)
        points = read_figure(self.points.data or "", language())
        assert isinstance(points, int)
        return Noted(side, code, points, (self.reason.data or "").strip())

    @property
    def is_house(self) -> bool:
        """Whether it is one of the table's own."""
        return bool(self.code.data == HOUSE)

    def validate_side(self, field: Field) -> None:
        """Refuse a side that does not play."""
        if field.data not in {str(side) for side, _ in enumerate(self.rules.settings.sides)}:
            raise ValidationError(page_words().text("course.penalty.whose"))

    def validate_code(self, field: Field) -> None:
        """Refuse a penalty that the game does not know."""
        if field.data not in self.rules.penalties:
            raise ValidationError(page_words().text("course.penalty.choose"))

    def validate_points(self, field: Field) -> None:
        """Refuse points that are none, and those typed for a penalty that has its own."""
        typed, speech = (field.data or "").strip(), page_words()
        if not self.is_house:
            if (typed or (self.reason.data or "").strip()) and self.code.data:
                raise ValidationError(speech.text("course.penalty.other"))
            return
        points = read_figure(typed, language())
        if points is None:
            raise ValidationError(speech.text("course.penalty.points-missing"))
        if points is Misread.MINUS:
            raise ValidationError(speech.text("course.penalty.points-minus"))
        if not isinstance(points, int) or points <= 0 or points % SMALLEST_POINTS:
            raise ValidationError(speech.text("course.penalty.points-wrong", step=SMALLEST_POINTS))

    def validate_reason(self, field: Field) -> None:
        """Refuse a penalty of the table's own of which nobody says why."""
        if self.is_house and not (field.data or "").strip():
            raise ValidationError(page_words().text("course.penalty.reason-missing"))
        if len(field.data or "") > LONGEST_NOTE:
            raise ValidationError(page_words().text("course.long", limit=LONGEST_NOTE))


def penalty_form(rules: Ruleset) -> type[PenaltyForm]:
    """The form for a table that plays by these rules."""
    return type("PenaltyForm", (PenaltyForm,), {"rules": rules})
