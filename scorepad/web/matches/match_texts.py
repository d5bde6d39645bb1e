"""What the page of a match says in words: how the sides stand, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.matches.events import HandState
from scorepad.matches.projection import MatchState, SideState
from scorepad.sheets.outcome import describe_end
from scorepad.web.matches.hand_texts import HandTexts
from scorepad.web.presenters import (
    hand_anchor,
    has_long_word,
    is_long,
    moment,
    names_of_players,
    size_class,
)

_WIDEST_USUAL_TOTAL = 5
"""Characters of a total as it is written, such as `5.095`; longer ones are in a smaller font."""

_BETWEEN_FACTS = "\N{NO-BREAK SPACE}· "


class AwaitedCheck(NamedTuple):
    """A hand that somebody still has to check, as the page of the match reports it."""

    text: str
    button: str
    """The text of the button that leads to the check; empty if this device cannot do it."""
    url: str


class DoubtfulHand(NamedTuple):
    """A hand that has to be checked again, because an earlier one was corrected."""

    text: str
    """What is in doubt: "Hand 3 – We: opening in doubt …"."""
    anchor: str


class ColumnHead(NamedTuple):
    """The head of a side's column: its name, its total, and what it still needs."""

    name: str
    name_class: str
    """The classes for the size of the name."""
    players: str
    """The names of its players; empty if it is called by them."""
    total: str
    total_class: str
    """The class of a total in a smaller font; empty for the usual one."""
    has_won: bool
    minimum: str
    """The points that its first cards must have; empty if there is no minimum."""
    reason_for_minimum: str
    distance: str
    """How many points it lacks: "300 to go"; empty if that is not said."""
    way_made: int | None
    """How many of the points of the target it has; None in a match without a target."""


class SentenceWithNames(NamedTuple):
    """A sentence in three parts, of which the middle one has names that should stay on one line.

    `names` is empty if there are none.
    """

    before: str
    names: str
    after: str


class MatchEnd(NamedTuple):
    """How a match ended: who won, and by what."""

    winners: SentenceWithNames
    how: str


@dataclass(frozen=True, slots=True)
class MatchTexts:
    """The sentences about a match as a whole, in the words of its rules."""

    match: MatchState
    words: Words

    # ------------------------------------------------------------------ how the sides stand

    def list_heads(self, order: Sequence[int]) -> list[ColumnHead]:
        """List the heads of the columns, one for each side; `order` has the sides as shown."""
        total_class = "wide" if self._has_wide_total() else ""
        heads = []
        for position in order:
            side = self.match.sides[position]
            heads.append(
                ColumnHead(
                    name=side.name,
                    name_class=_find_class_of_name(side.name),
                    players=", ".join(names_of_players(side.players)),
                    total=self.words.figure(side.total),
                    total_class=total_class,
                    has_won=self.match.status.winner == position,
                    minimum="" if side.minimum is None else self.words.figure(side.minimum),
                    reason_for_minimum=self._explain_minimum(side),
                    distance=self._say_points_missing(side),
                    way_made=None if side.to_target is None else max(side.total, 0),
                )
            )
        return heads

    def _has_wide_total(self) -> bool:
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

    def _explain_minimum(self, side: SideState) -> str:
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

    def _say_points_missing(self, side: SideState) -> str:
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

    @property
    def line(self) -> str:
        """Write which match it is in one line: "Classica · Rimini · 3 May 2026, 21:40"."""
        game = self.words.t(f"variant.{self.match.rules.variant}.name")
        facts = (game, self.match.venue, moment(self.match.started, self.words))
        return _BETWEEN_FACTS.join(fact for fact in facts if fact)

    @property
    def end(self) -> MatchEnd | None:
        """Say how the match ended; None if it goes on."""
        if not self.match.status.finished:
            return None
        result = describe_end(self.match, self.words)
        return MatchEnd(_keep_names_together(result.sentence, self._name_winners()), result.how)

    def _name_winners(self) -> str:
        """Name the players of the side that won: "Anna–Bea". Empty if nobody won."""
        winner = self.match.status.winner
        if winner is None:
            return ""
        return "–".join(self.match.sides[winner].players)

    # ------------------------------------------------------------------ what is to be looked at

    def list_doubtful_hands(self) -> list[DoubtfulHand]:
        """List the hands (rounds) that have to be checked again, each with what is in doubt."""
        hand_texts = HandTexts(self.match, self.words)
        doubtful_hands = []
        for hand in self.match.hands:
            if hand.doubts:
                number = self.match.number_for_players(hand.number)
                title = self.words.t("web.hand.title", number=number)  # "Hand 3"
                text = f"{title} – {hand_texts.explain_doubt(hand)}"
                doubtful_hands.append(DoubtfulHand(text, hand_anchor(hand.number)))
        return doubtful_hands

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


def _find_class_of_name(name: str) -> str:
    """Find the classes of the heading with a name: a long name is written in a smaller font."""
    if is_long(name) or has_long_word(name):
        return f"{size_class(name)} long"
    return size_class(name)


def _keep_names_together(sentence: str, names: str) -> SentenceWithNames:
    """Divide a sentence into what stands before, in and after the names in it.

    "Anna–Bea won: 5,200 to 3,100" and "Anna–Bea" → `("", "Anna–Bea", " won: …")`. A sign that
    follows the names at once, such as a full stop, is kept with them.
    """
    if not names or names not in sentence:
        return SentenceWithNames(sentence, "", "")
    before, _, after = sentence.partition(names)
    sign, blank, rest = after.partition(" ")
    return SentenceWithNames(before, names + sign, blank + rest)
