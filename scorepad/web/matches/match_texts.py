"""What the page of a match says in words: how the sides stand, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState, SideState

_WIDEST_USUAL_TOTAL = 5
"""Characters of a total as it is written, such as `5.095`; longer ones are in a smaller font."""


class AwaitedCheck(NamedTuple):
    """A hand that somebody still has to check, as the page of the match reports it."""

    text: str
    button: str
    """The text of the button that leads to the check; empty if this device cannot do it."""
    url: str


@dataclass(frozen=True, slots=True)
class MatchTexts:
    """The sentences about a match as a whole, in the words of its rules."""

    match: MatchState
    words: Words

    # ------------------------------------------------------------------ how the sides stand

    def has_wide_total(self) -> bool:
        """Tell whether a total is so long that the totals are written in a smaller font."""
        written_totals = [self.words.figure(side.total) for side in self.match.sides]
        return max(len(total) for total in written_totals) > _WIDEST_USUAL_TOTAL

    def are_leaders_level(self) -> bool:
        """Tell whether the match goes on only because the highest totals are equal, although they
        have reached the target.
        """
        status = self.match.status
        if status.finished or status.target is None:
            return False
        return self._highest_total() >= status.target

    def _highest_total(self) -> int:
        return max(side.total for side in self.match.sides)

    def minimum_reason(self, side: SideState) -> str:
        """Say why a side has its opening minimum: "from 1,500 points", "below 1,500 points".

        The opening minimum is how many points the first cards that the side lays in the next hand
        must have. Empty if there is none, or if it is always the same.
        """
        if side.minimum is None:
            return ""
        settings = self.match.rules.settings
        if settings.opening_by == "deal":
            hands = settings.match_deals or 0
            return self.words.t("web.minimum.deal", number=self.match.coming, hands=hands)

        minimum_at_zero = settings.opening_minimum(0, 1)
        if side.total < 0 and side.minimum != minimum_at_zero:
            return self.words.t("web.minimum.below-zero")
        if side.minimum_from:
            return self.words.t("web.minimum.from", score=side.minimum_from)
        # The side is still in the first step, which ends where the next one starts.
        for start, _minimum in settings.opening_steps:
            if start > 0 and start > side.total:
                return self.words.t("web.minimum.under", score=start)
        return ""

    def distance(self, side: SideState) -> str:
        """Say how many points a side lacks: to the target, or behind the leading side in a match
        without one. Empty once the match is over, and for the side that leads such a match.
        """
        if self.match.status.finished:
            return ""
        if side.to_target == 0:
            return self.words.t("web.distance.none")
        if side.to_target is not None:
            return self.words.t("web.distance", points=side.to_target)
        points_behind = self._highest_total() - side.total
        if points_behind == 0:
            return ""
        return self.words.t("web.distance.behind", points=points_behind)

    def winners(self) -> str:
        """The players of the side that won, joined by dashes: "Anna–Bea"; empty if nobody won."""
        winner = self.match.status.winner
        if winner is None:
            return ""
        return "–".join(self.match.sides[winner].players)

    # ------------------------------------------------------------------ what comes next

    def next_hand(self) -> str:
        """The title of the hand that comes next: "Hand 3", or "Hand 3 of 11"."""
        hands_of_match = self.match.rules.settings.match_deals
        if hands_of_match is None:
            return self.words.t("web.coming", number=self.match.coming)
        return self.words.t("web.coming.of", number=self.match.coming, hands=hands_of_match)

    def cards_dealt(self) -> str:
        """How many cards each player gets, and how many are drawn in a turn."""
        settings = self.match.rules.settings
        key = "web.cards"
        if settings.hands_each != 1:  # as in games with a second hand of cards, a foot
            key = "web.cards.hands"
        return self.words.plural(
            key, settings.drawn, dealt=settings.dealt, hands=settings.hands_each
        )

    def awaited_checks(self, can_check: Sequence[bool]) -> list[AwaitedCheck]:
        """The hands that a side still has to confirm, or of which the table must choose a count.

        `can_check` says for each hand whether this device may check it; empty if there is nothing
        to check.
        """
        if not can_check:
            return []
        checks: list[AwaitedCheck] = []
        for hand, is_ours in zip(self.match.hands, can_check, strict=True):
            if hand.contest:
                button = "checking.choose" if self.match.access.can_write else ""
                checks.append(self._awaited_check(hand, "checking.is-contested", button))
            elif hand.waits and is_ours:
                checks.append(self._awaited_check(hand, "checking.is-yours", "checking.look"))
            elif hand.waits:
                checks.append(self._awaited_check(hand, "checking.is-theirs", ""))
        return checks

    def _awaited_check(self, hand: HandState, text_key: str, button_key: str) -> AwaitedCheck:
        """An awaited check with its texts; without a button if `button_key` is empty."""
        number = self.match.called(hand.number)
        return AwaitedCheck(
            text=self.words.t(text_key, number=number),
            button=self.words.t(button_key) if button_key else "",
            url=url_for("matches.check_hand", match=self.match.id, number=hand.number),
        )
