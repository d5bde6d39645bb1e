"""What the bar at the foot of a hand's page says: what is wrong or missing, and what is stored."""

from __future__ import annotations

from datetime import datetime

from scorepad.web.base import Errors
from scorepad.web.hand_entry.hand_page import HandPage, Side

_MESSAGES_ABOVE_ALL_FIELDS = "hand-messages"
"""The id of the place for messages that belong to no field."""


class BarTexts:
    """The texts of the bar; `kept_at` is when the typed texts were last stored, None if never."""

    def __init__(self, page: HandPage, kept_at: datetime | None) -> None:
        self._page = page
        self._words = page.words
        self._kept_at = kept_at

    @property
    def errors(self) -> Errors:
        return self._page.report.errors

    @property
    def missing(self) -> Errors:
        """Return what is still to be typed."""
        return self._page.report.missing_errors

    @property
    def is_missing_reported(self) -> bool:
        """Tell whether the bar says that something is missing: not before anything is typed."""
        return bool(self.missing) and bool(self._page.parsed.draft)

    @property
    def link_to_first_error(self) -> str:
        """Return the link to the field of the first error, or to the messages above all fields."""
        field = self.errors[0].field or _MESSAGES_ABOVE_ALL_FIELDS
        return f"#{field}"

    @property
    def link_to_first_missing(self) -> str:
        return f"#{self.missing[0].field}"

    @property
    def summary(self) -> str:
        """Say how much has to be corrected or typed: "There are 2 things to put right".

        The script of the page shows it above the form if the hand (round) cannot be saved.
        """
        return self._words.plural("web.error.summary", len(self.errors) + len(self.missing))

    @property
    def status(self) -> str:
        """Write what is read aloud when it changes: the number of errors, or the scores."""
        if self.errors:
            return self._words.plural("hand.live.problems", len(self.errors))
        scores = [self._write_score(side) for side in self._page.sides]
        return " ".join(score for score in scores if score)

    def _write_score(self, side: Side) -> str:
        """Write the score of a side as it is read out; empty if it is not known.

        "We: +570 in this hand, 1,205 in all."
        """
        score = self._page.report.scores[side.position]
        if score is None:
            return ""
        return self._words.t(
            "hand.live.text",
            side=side.name,
            hand=self._words.signed(score.hand),
            total=self._words.figure(score.total),
        )

    @property
    def stored(self) -> str:
        """Say when the typed texts were stored; empty if they are not."""
        if self._kept_at is None:
            return ""
        return self._words.t("hand.kept", time=self._words.clock(self._kept_at.astimezone()))
