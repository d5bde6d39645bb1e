"""What pages say of how a match can end before a side has won it, and of who is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.matches.events import EndHow
from scorepad.matches.projection import MatchState, SideState
from scorepad.web.forms import Choice


@dataclass(frozen=True, slots=True)
class EndingTexts:
    """The sentences about the end of a match, in the words of its rules."""

    match: MatchState
    words: Words

    def offer(self, how: EndHow) -> Choice:
        """Offer a way to end the match, with its name and what it means.

        "Time is up: it ends now", for example, with "Whoever is ahead wins: We, 1,205 to 215."
        """
        label = self.words.t(f"match.end.{how}")
        return Choice(how, label, detail=" ".join(self._explain(how)))

    def _explain(self, how: EndHow) -> list[str]:
        """Explain in one or two sentences what happens if the match ends in this way."""
        if how is EndHow.TIME:  # it ends now
            return [self._say_who_is_ahead("match.end.ahead", "match.end.level")]

        ahead_now = self._say_who_is_ahead("match.end.ahead-now", "match.end.level-now")
        explanation_key = f"match.end.{how}.detail"
        if how is EndHow.LAST_HAND:
            # "After hand 3 whoever is ahead wins."
            after = self.words.t("match.end.after", number=self.match.next_hand_number)
            return [after, ahead_now]
        if how is EndHow.HANDS:  # after a number of hands
            return [self.words.t(explanation_key), ahead_now]
        return [self.words.t(explanation_key)]

    def _say_who_is_ahead(self, key_if_ahead: str, key_if_tied: str) -> str:
        """Say who of all sides is ahead, by the message of one of these keys."""
        return self._compare(self.match.sides, key_if_ahead, key_if_tied)

    def offer_giving_up(self, value: str, position: int) -> Choice:
        """Offer that the side at this position gives up, and say who wins then.

        `value` is what the form sends for this choice.
        """
        loser = self.match.sides[position]
        label = self.words.t("match.end.given-up", side=loser.name)  # "Giving up: They"
        others = [side for side in self.match.sides if side is not loser]
        if len(others) == 1:
            winner = self.words.t("match.end.other", side=others[0].name)  # "Winner: We."
            return Choice(value, label, winner)
        # It says: "Of the others whoever is ahead wins: Anna, 1,205 to 980."
        winner = self._compare(others, "match.end.others", "match.end.others-level")
        return Choice(value, label, winner)

    def _compare(self, sides: Sequence[SideState], key_if_ahead: str, key_if_tied: str) -> str:
        """Say which of these sides has the highest total, or that several have it.

        The message of `key_if_ahead` names that side and the totals; that of `key_if_tied` has the
        totals alone.
        """
        by_total = sorted(sides, key=_total_of, reverse=True)
        totals = self._write_totals(by_total)
        first, second = by_total[0], by_total[1]
        if first.total == second.total:
            return self.words.t(key_if_tied, totals=totals)
        return self.words.t(key_if_ahead, side=first.name, totals=totals)

    def write_totals(self) -> str:
        """Write the totals of the match, in the order of its sides: "1,205 to 215"."""
        return self._write_totals(self.match.sides)

    def _write_totals(self, sides: Sequence[SideState]) -> str:
        """Write the totals of these sides: "1,205 to 215", or "1,205 to 215 and 80" for three."""
        first, *others = sides
        other_totals = self.words.listing([self.words.figure(side.total) for side in others])
        return self.words.t("match.end.totals", own=first.total, others=other_totals)


def _total_of(side: SideState) -> int:
    """Return the total of a side, by which sides are sorted."""
    return side.total
