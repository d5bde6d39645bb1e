"""The form of an end that the table agrees on."""

from __future__ import annotations

from wtforms import Field, IntegerField, StringField, ValidationError

from scorepad.pad.values import EndHow, Ending, MatchState
from scorepad.web.figures import Misread, read_figure
from scorepad.web.forms import PadForm
from scorepad.web.frame import language, page_words

MOST_HANDS = 999
"""More hands than anybody plays."""


class EndForm(PadForm):
    """How the match ends, and how many of its hands had been counted when the page was shown. Made by `end_form`."""

    sides: int
    played: int
    """The hands played on paper before."""
    is_agreed: bool
    """Whether an end to come was agreed already."""
    deals: int | None
    """The hands after which it ends by its rules."""
    seen = IntegerField()
    how = StringField()
    number = StringField()

    @property
    def ending(self) -> Ending:
        """The end that was chosen."""
        how, _, side = str(self.how.data).partition(":")
        if how == EndHow.LAST_HAND:
            return Ending(EndHow.LAST_HAND, hands=int(self.seen.data) + 1)
        if how == EndHow.HANDS:
            asked = read_figure(self.number.data or "", language())
            assert isinstance(asked, int)
            return Ending(EndHow.HANDS, hands=asked - self.played)
        return Ending(EndHow(how), side=int(side) if side else None)

    def see(self, hands: int) -> None:
        """Show the match after so many hands on the pad, whatever was sent."""
        self.seen.data, self.seen.raw_data = hands, None

    def validate_seen(self, field: Field) -> None:
        """Refuse what no page of ours gave."""
        if not isinstance(field.data, int) or not 0 <= field.data <= MOST_HANDS:
            self.see(0)
            raise ValidationError(page_words().text("web.error.expired"))

    def validate_how(self, field: Field) -> None:
        """Refuse an end that is none."""
        if field.data not in choices_of(self.sides, is_agreed=self.is_agreed):
            raise ValidationError(page_words().text("course.end.choose"))

    def validate_number(self, field: Field) -> None:
        """Refuse a hand that was played already, or never will be; it is read only where that end was chosen."""
        if self.how.data != EndHow.HANDS:
            return
        asked, speech = read_figure(field.data or "", language()), page_words()
        next_one = self.played + (self.seen.data if isinstance(self.seen.data, int) else 0) + 1
        if asked is None:
            raise ValidationError(speech.text("course.end.number-missing"))
        if isinstance(asked, Misread) or asked == 0:
            raise ValidationError(speech.text("course.end.number-wrong", number=next_one + 1))
        if asked < next_one:
            raise ValidationError(speech.text("course.end.number-small", asked=asked, number=next_one))
        if self.deals is not None and asked >= self.deals:
            raise ValidationError(speech.text("course.end.number-large", hands=self.deals))
        if asked > MOST_HANDS:
            raise ValidationError(speech.text("course.end.number-huge", most=MOST_HANDS))


def choices_of(sides: int, *, is_agreed: bool) -> tuple[str, ...]:
    """What the form may send: each way to end, giving up once for each side; and none, where one was agreed."""
    given_up = tuple(f"{EndHow.GIVEN_UP}:{side}" for side in range(sides))
    taken_back = (EndHow.BY_RULES,) if is_agreed else ()
    return (*taken_back, EndHow.LAST_HAND, EndHow.HANDS, EndHow.TIME, *given_up, EndHow.BROKEN_OFF)


def end_form(state: MatchState) -> type[EndForm]:
    """The form for a match."""
    told = {
        "sides": len(state.sides),
        "played": state.played,
        "is_agreed": state.ending is not None,
        "deals": state.rules.settings.match_deals,
    }
    return type("EndForm", (EndForm,), told)
