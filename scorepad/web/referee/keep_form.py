"""The form that keeps a ruling with the match, and asks whose its penalty is."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from wtforms import HiddenField

from scorepad.matches.projection import MatchState
from scorepad.web.base import device_id, page_words, t, the_pad
from scorepad.web.forms import Choice, ChoiceField, PadForm
from scorepad.web.referee.case import Case

NOBODY = "nobody"
"""The choice of no side: the ruling is kept without its penalty."""


class KeepForm(PadForm):
    """A ruling to keep: the question as URL parameters, the open hand, the rules' digest, whose the penalty is."""

    asked = HiddenField()
    hand = HiddenField()
    rules = HiddenField()
    whose = ChoiceField(message=None)

    @property
    def args(self) -> dict[str, str]:
        """The question as URL parameters."""
        return dict(parse_qsl(self.asked.data or "", keep_blank_values=True))

    @property
    def side(self) -> int | None:
        """The side that the penalty is taken from; None for none."""
        return int(self.whose.data) if (self.whose.data or "").isdigit() else None

    def offer(self, state: MatchState, points: int) -> None:
        """Ask whose the penalty of so many points is; without points ask nothing."""
        if not points:
            self.whose.choices = ()
            return
        self.whose.label.text = t("referee.keep.whose", points=page_words().signed(-points))
        sides = tuple(Choice(str(position), side.name) for position, side in enumerate(state.sides))
        self.whose.choices = (*sides, Choice(NOBODY, t("referee.keep.nobody")))


def keep_form(case: Case, state: MatchState, form: KeepForm | None, points: int) -> KeepForm:
    """The form beside a ruling: a new one, or the one that was submitted."""
    if form is None:
        form = KeepForm(formdata=None)
        typed = {**case.situation.typed, **dict(case.answers())}
        form.asked.data = urlencode({name: text for name, text in typed.items() if not name.endswith("-suit")})
        form.hand.data = the_pad().open(state.id, device_id()).id
        form.rules.data = state.rules.digest
    form.offer(state, points)
    return form
