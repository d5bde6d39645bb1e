"""The sentences of the match sheet: how far the match goes, how it ended, who dealt and went out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.matches.events import EndHow, Ending, HandState, Replacement
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.sheets.outcome import say_who_won
from scorepad.sheets.printed_names import PrintedNames, isolate_direction
from scorepad.sheets.score_table import single_and_pair, special_hands

_DOT = " · "
"""Between the facts of a hand."""


class SheetFact(NamedTuple):
    """A fact of the match: its name and its value, as "Target" and "5000 points"."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SheetTexts:
    """The sentences about a match and its hands, with the names as they are printed."""

    match: MatchState
    names: PrintedNames
    words: Words

    @property
    def _settings(self) -> Settings:
        return self.match.rules.settings

    def _points(self, points: int) -> str:
        """So many points, or units in a game that counts units."""
        return self.words.t(f"sheets.{self._settings.unit}", points=points)

    # ------------------------------------------------------------------ the match

    @property
    def goal(self) -> SheetFact:
        """How far the match goes: its target or, in a game with a number of hands, that number; and
        after how many minutes it ends at the latest, if the players set a time.
        """
        goal = self._goal_of_rules
        minutes = self.match.rules.ends.minutes
        if not minutes:
            return goal
        at_most = self.words.t("web.length.minutes", minutes=minutes)
        return SheetFact(goal.name, f"{goal.value}, {at_most}")

    @property
    def _goal_of_rules(self) -> SheetFact:
        """The number of hands of the match, or its target in points."""
        t = self.words.t
        if self._settings.match_deals is not None:
            hands = t("sheets.all-deals", count=self._settings.match_deals)
            return SheetFact(t("sheets.number-of-hands"), hands)
        if self._settings.target is None:
            return SheetFact(t("setting.target"), t("value.target.unlimited"))
        return SheetFact(t("setting.target"), self._points(self._settings.target))

    @property
    def result(self) -> str:
        """How the match ended, who won it, and who is level if nobody did; or that it goes on, and
        until when.
        """
        if not self.match.status.finished:
            return self._going_on()
        sentences = self._how_it_ended()
        winner = self.match.status.winner
        if winner is not None:
            total = self._points(self.match.sides[winner].total)
            won = say_who_won(self.names.state, winner, self.words)
            sentences.append(self.words.t("sheets.won", won=won, points=total))
        return " ".join(sentences)

    def _going_on(self) -> str:
        """That the match goes on after so many hands, and which is the last if that was agreed."""
        going_on = self.words.plural("share.going-on", self._hands_counted) + "."
        ending = self.match.ending
        if ending is None or ending.hands is None:
            return going_on
        last_hand = self.match.called(ending.hands)
        key = "sheets.up-to-hand"
        if last_hand == self.match.coming:
            key = "sheets.last-hand"
        return f"{going_on} {self.words.t(key, number=last_hand)}"

    def _how_it_ended(self) -> list[str]:
        """The sentences on a match that was ended before its goal, or in which the highest totals are
        equal; none for a match that was won as usual.
        """
        ending = self.match.ending
        nobody_won = self.match.status.winner is None
        if not self.match.ended_early or ending is None:
            if nobody_won:
                return [self.words.plural("sheets.even", self._hands_counted)]
            return []

        sentences = [self._agreed_end(ending)]
        was_broken_off = ending.how is EndHow.BROKEN_OFF
        if nobody_won and not was_broken_off:
            sentences.append(self._level(ending))
        return sentences

    def _agreed_end(self, ending: Ending) -> str:
        """How the match was ended by agreement: broken off, after some hands, or by giving up."""
        key = f"match.ended.{ending.how}"
        if ending.how is EndHow.BROKEN_OFF:
            key = "sheets.ended.broken-off"
        side_giving_up = ""
        if ending.side is not None:
            side_giving_up = self.names.sides[ending.side]
        return self.words.plural(key, self._hands_counted, side=side_giving_up)

    def _level(self, ending: Ending) -> str:
        """Which sides have the same highest total, and how much it is."""
        totals = tuple(side.total for side in self.match.sides)
        leading = ending.highest(totals)
        names = [self.names.sides[position] for position in leading]
        total = self._points(totals[leading[0]])
        return self.words.t("sheets.level", names=self.words.listing(names), points=total)

    @property
    def _hands_counted(self) -> int:
        """The number of hands of the match, with those played on paper before."""
        return self.match.called(len(self.match.hands))

    def replacement(self, index: int) -> str:
        """Who took the seat of another player, and from which hand on.

        A player who was replaced later is printed by the name of then, the last one by the name that
        the seat has now.
        """
        replacement = self.match.replacements[index]
        name_later = self._name_when_replaced(replacement, index)
        key = "sheets.replaced" if replacement.was else "sheets.seated"
        return self.words.t(
            key,
            number=self.match.called(replacement.number),
            name=isolate_direction(name_later) or self.names.name_player_in_seat(replacement.seat),
            was=isolate_direction(replacement.was),
        )

    def _name_when_replaced(self, replacement: Replacement, index: int) -> str:
        """The name of the player who came with a replacement, when the next one took that seat; empty
        if nobody did.
        """
        for later in self.match.replacements[index + 1 :]:
            if later.seat == replacement.seat:
                return later.was
        return ""

    # ------------------------------------------------------------------ a hand

    def deal(self, hand: HandState) -> str:
        """Who dealt, who sat out, and who played with whom if pairs are made anew in every hand."""
        facts = [
            self.words.t(
                "sheets.dealer", name=self.names.name_player_in_seat(hand.turn.dealer, hand.number)
            )
        ]
        for resting in hand.turn.resting:
            name = self.names.name_player_in_seat(resting, hand.number)
            facts.append(self.words.t("sheets.rests", name=name))
        if self._settings.partnership != "fixed":
            facts += self._partnership(hand)
        return _DOT.join(facts)

    def _partnership(self, hand: HandState) -> list[str]:
        """Who played alone, and the pair against that player; or that each played alone."""
        single, pair = single_and_pair(hand, self.names.sides, self.words)
        if not single:
            return [self.words.t("sheets.each-alone")]
        return [
            self.words.t("sheets.single", name=single),
            self.words.t("sheets.pair", names=pair),
        ]

    def ended(self, hand: HandState) -> str:
        """Who went out (played the last card, which ends the hand), who showed a special hand, and
        whether the hand was corrected, agreed, contested or confirmed.
        """
        facts = [*self._who_went_out(hand), *self._special_hands(hand), *self._checks(hand)]
        return _DOT.join(facts)

    def _who_went_out(self, hand: HandState) -> list[str]:
        """Who went out, or that nobody did; nothing for agreed sums, which do not say it."""
        counted = hand.counted.hand
        if counted.out:
            return [self.words.t("sheets.out", name=self.names.name_finisher(hand))]
        if counted.is_summed:
            return []
        return [self.words.t("sheets.nobody-out")]

    def _special_hands(self, hand: HandState) -> list[str]:
        """Which sides showed a special hand, and which hand it was."""
        facts = []
        for side, special in special_hands(hand.counted.hand, self.names.sides):
            name = self.words.t(f"value.special.{special}")
            facts.append(self.words.t("sheets.special", side=side, name=name))
        return facts

    def _checks(self, hand: HandState) -> list[str]:
        """Whether a hand was corrected, agreed although it breaks rules, contested or confirmed."""
        facts = []
        if hand.is_corrected:
            facts.append(self.words.t("web.hand.corrected"))
        if hand.counted.agreed:
            facts.append(self.words.t("match.mark.agreed"))
        if hand.contest is not None:
            facts.append(self.words.t("sheets.contested"))
        elif hand.confirmed is not None:
            facts.append(self._confirmed(hand))
        elif hand.waits:
            facts.append(self.words.t("match.mark.waits"))
        return facts

    def _confirmed(self, hand: HandState) -> str:
        """When a hand was confirmed; the day is left out if it is that of the match, which is printed
        in the head of the sheet.
        """
        assert hand.confirmed is not None, "the hand has been confirmed"
        at = hand.confirmed.astimezone()
        day_of_match = self.match.started.astimezone().date()
        key = "sheets.confirmed-later"
        if at.date() == day_of_match:
            key = "sheets.confirmed"
        return self.words.t(key, day=self.words.day(at), clock=self.words.clock(at))

    def opening(self, side: SideScore) -> str:
        """The minimum that a side needed to open (lay its first melds) in a hand, and whether it did
        not open at all; empty if there is none.
        """
        if side.opening_minimum is None:
            return ""
        if side.opened is False:
            return self.words.t("sheets.not-opened", minimum=side.opening_minimum)
        return self.words.figure(side.opening_minimum)
