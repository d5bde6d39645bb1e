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
        for side in self.match.sides:
            written_total = self.words.figure(side.total)
            if len(written_total) > _WIDEST_USUAL_TOTAL:
                return True
        return False

    def are_leaders_level(self) -> bool:
        """Tell whether a match goes on although a side has reached the target.

        It goes on only because two sides lead with the same total: one alone would have won.
        """
        status = self.match.status
        if status.finished or status.target is None:
            return False
        is_target_reached = self._highest_total() >= status.target
        return is_target_reached

    def _highest_total(self) -> int:
        return max(side.total for side in self.match.sides)

    def explain_minimum(self, side: SideState) -> str:
        """Say why a side has its opening minimum: how many points its first cards must have.

        - "hand 3 of 4" in a game in which it goes by the number of the hand (round)
        - "from 1,500 points", "under 1,500 points" or "below zero" in others: by the side's total
        - nothing if the minimum is always the same, or if there is none
        """
        if side.minimum is None:
            return ""
        settings = self.match.rules.settings
        if settings.opening_by == "deal":  # by the number of the hand
            hands = settings.match_deals or 0
            # It says: "hand {number} of {hands}"
            return self.words.t("web.minimum.deal", number=self.match.next_hand_number, hands=hands)
        return self._explain_minimum_by_total(side)

    def _explain_minimum_by_total(self, side: SideState) -> str:
        """Say for which totals a side's opening minimum holds: "from 1,500 points".

        Empty if the minimum is always the same.
        """
        settings = self.match.rules.settings
        minimum_at_zero = settings.opening_minimum(score=0, deal=1)
        if side.total < 0 and side.minimum != minimum_at_zero:
            return self.words.t("web.minimum.below-zero")  # "below zero"
        if side.minimum_from:  # the total from which this minimum holds
            # It says: "from {score} points"
            return self.words.t("web.minimum.from", score=side.minimum_from)

        # It holds from the beginning, up to the total from which the next one holds.
        for start, _minimum in settings.opening_steps:
            if start > max(side.total, 0):
                return self.words.t("web.minimum.under", score=start)  # "under {score} points"
        return ""

    def say_points_missing(self, side: SideState) -> str:
        """Say how many points a side lacks.

        - "300 to go" or "target reached" in a match to a target
        - "300 behind" the leading side in a match without a target
        - nothing for the side that leads such a match, and when the match is over
        """
        if self.match.status.finished:
            return ""
        if side.to_target == 0:
            return self.words.t("web.distance.none")  # "target reached"
        if side.to_target is not None:
            return self.words.t("web.distance", points=side.to_target)  # "{points} to go"
        points_behind = self._highest_total() - side.total
        if points_behind == 0:
            return ""
        return self.words.t("web.distance.behind", points=points_behind)  # "{points} behind"

    def name_winners(self) -> str:
        """Name the players of the side that won: "Anna–Bea". Empty if nobody won."""
        winner = self.match.status.winner
        if winner is None:
            return ""
        return "–".join(self.match.sides[winner].players)

    # ------------------------------------------------------------------ what comes next

    def write_title_of_next_hand(self) -> str:
        """Write the title of the hand (round) that comes next.

        "Hand 3", or "Hand 3 of 4" in a game with a fixed number of hands.
        """
        hands_of_match = self.match.rules.settings.match_deals
        if hands_of_match is None:
            return self.words.t("web.coming", number=self.match.next_hand_number)  # "Hand {number}"
        # It says: "Hand {number} of {hands}"
        return self.words.t(
            "web.coming.of", number=self.match.next_hand_number, hands=hands_of_match
        )

    def list_awaited_checks(self, can_check: Sequence[bool]) -> list[AwaitedCheck]:
        """List the hands (rounds) that somebody still has to check, each with a text and a link.

        `can_check` tells for each hand whether this device may check it; it is empty if there is
        nothing to check.
        """
        if not can_check:
            return []
        checks: list[AwaitedCheck] = []
        for hand, is_ours in zip(self.match.hands, can_check, strict=True):
            if hand.contest:
                # It says: "Hand 3: the two counts differ. Choose the one to keep."
                button = "checking.choose" if self.match.access.can_write else ""
                checks.append(self._make_awaited_check(hand, "checking.is-contested", button))
            elif hand.waits and is_ours:
                # It says: "Hand 3 waits for you to check it."
                checks.append(self._make_awaited_check(hand, "checking.is-yours", "checking.look"))
            elif hand.waits:
                # It says: "Hand 3 waits for the other side to check it."
                checks.append(self._make_awaited_check(hand, "checking.is-theirs", ""))
        return checks

    def _make_awaited_check(self, hand: HandState, text_key: str, button_key: str) -> AwaitedCheck:
        """Make the line about a hand (round) that somebody has to check.

        The keys are those of the messages in it: `checking.is-yours` and `checking.look`. It has no
        button if `button_key` is empty.
        """
        number = self.match.number_for_players(hand.number)
        button = ""
        if button_key:
            button = self.words.t(button_key)
        return AwaitedCheck(
            text=self.words.t(text_key, number=number),
            button=button,
            url=url_for("matches.check_hand", match=self.match.id, number=hand.number),
        )
