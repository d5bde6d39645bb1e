"""What is sent from the page of the phones: which code or which phone, and what shall become of it."""

from __future__ import annotations

from wtforms import HiddenField, StringField
from wtforms.validators import AnyOf, Regexp

from scorepad.matches.access import Access
from scorepad.matches.events import AccessAction
from scorepad.web.forms import PadForm

RENEW, WITHDRAW = AccessAction.RENEW.value, AccessAction.WITHDRAW.value
HAND_ON, REMOVE = AccessAction.HAND_ON.value, AccessAction.REMOVE.value
NO_SIDE = "none"


class CodeForm(PadForm):
    """A code, and whether it is made anew or withdrawn."""

    access = HiddenField(validators=[AnyOf((Access.WRITE, Access.VIEW))])
    do = StringField(validators=[AnyOf((RENEW, WITHDRAW))])


class PhoneForm(PadForm):
    """A phone, and whether the match is handed on to it or it is sent out."""

    mark = HiddenField(validators=[Regexp(r"[0-9a-f]{64}\Z")])
    do = StringField(validators=[AnyOf((HAND_ON, REMOVE))])


class SeatForm(PadForm):
    """The side that this phone counts for, by its position."""

    side = StringField(validators=[AnyOf((NO_SIDE, "0", "1", "2"))])

    @property
    def position(self) -> int | None:
        """The side, None for none."""
        return None if self.side.data == NO_SIDE else int(self.side.data)
