"""The form that keeps a ruling with the match, and whose its penalty is."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from flask import url_for
from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.matches.actions import penalty_points
from scorepad.matches.projection import MatchState
from scorepad.web.fields import Choice, choice_field
from scorepad.web.forms import PadForm
from scorepad.web.frame import device_id, page_words, the_pad
from scorepad.web.referee.answering import Answered
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.pages import Keeping

NOBODY = "nobody"
"""In place of a side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A question whose ruling is to be kept: what was asked, of which hand, by which rules, and whose penalty it is."""

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = StringField()

    def args(self) -> dict[str, str]:
        """What was asked, as an address says it."""
        return dict(parse_qsl(self.asked.data or "", keep_blank_values=True))

    def check_whose(self, sides: int) -> None:
        """Ask whose the penalty is. Raises ValidationError."""
        if self.whose.data not in {NOBODY, *map(str, range(sides))}:
            raise ValidationError(page_words().text("referee.keep.whose.missing"))

    @property
    def side(self) -> int | None:
        """The side that the penalty is taken from; None where none is."""
        return int(self.whose.data) if (self.whose.data or "").isdigit() else None

    def tell(self, field: Field, text: str) -> None:
        """Say beside a field what is wrong."""
        field.errors = (*field.errors, text)


class TakeBackForm(PadForm):
    """Takes a kept ruling back."""


def keeping_of(asking: Asking, answered: Answered, form: KeepForm | None) -> Keeping | None:
    """The form beside an answer; None for who may only look, and once the match is over."""
    state, words = asking.situation.match, asking.situation.words
    assert state is not None
    if not state.access.can_write or state.standing.finished:
        return None
    kept = form or _fresh(asking, state)
    points = penalty_points(answered.ruling)
    return Keeping(
        action=url_for("referee.keep", match=state.id, question=asking.question.name),
        form=kept,
        asked=str(kept.asked.data),
        hand=str(kept.hand.data),
        about=words.text("referee.keep.about", number=state.coming),
        whose=choice_field(kept.whose, words.text("referee.keep.whose", points=words.signed(-points)),
                           _sides(state)) if points else None,
    )  # fmt: skip


def _fresh(asking: Asking, state: MatchState) -> KeepForm:
    form = KeepForm(formdata=None)
    typed = {**asking.situation.typed, **dict(asking.said())}
    form.asked.data = urlencode({name: text for name, text in typed.items() if not name.endswith("-suit")})
    form.hand.data = the_pad().open(state.id, device_id()).id
    form.rules.data = state.rules.digest
    return form


def _sides(state: MatchState) -> tuple[Choice, ...]:
    sides = tuple(Choice(str(position), side.name) for position, side in enumerate(state.sides))
    return (*sides, Choice(NOBODY, page_words().text("referee.keep.nobody")))
