"""The form of a count: what stands in it once. The fields of the sides follow the rules and are read apart."""

from __future__ import annotations

from wtforms import HiddenField

from scorepad.web.forms import PadForm


class CountForm(PadForm):
    """A hand being counted: which one, what was seen of it, and why a past one is corrected."""

    hand = HiddenField()
    version = HiddenField()
    seen = HiddenField()
    number = HiddenField()
    note = HiddenField()
    contest = HiddenField()
    refused = HiddenField()
    do = HiddenField()

    @property
    def seen_version(self) -> int:
        """The version of the draft that the page showed."""
        return _whole(self.version.data)

    @property
    def seen_entry(self) -> int:
        """The entry of the version that the page showed of a past hand."""
        return _whole(self.seen.data)

    @property
    def hand_number(self) -> int:
        """The number of the hand that the page showed."""
        return _whole(self.number.data)

    @property
    def reason(self) -> str:
        """Why a past hand is corrected, or contested."""
        return self.note.data or ""

    @property
    def is_contest(self) -> bool:
        """Whether a past hand is counted by the other side, beside the first count."""
        return bool(self.contest.data)

    @property
    def was_refused(self) -> bool:
        """Whether the page had been refused: then what may be agreed to is offered while it is mended."""
        return bool(self.refused.data)


def _whole(text: str | None) -> int:
    """A figure that the page carried; -1, which nothing has, for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else -1  # noqa: PLR2004 - digits
