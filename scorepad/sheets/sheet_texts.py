"""The sentences of the match sheet: how far the match goes, how it ended, who dealt and went out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.matches.events import EndHow, Ending, HandState, Replacement
from scorepad.matches.projection import MatchState
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.sheets.outcome import say_who_won
from scorepad.sheets.printed_names import PrintedNames, isolate_direction
from scorepad.sheets.score_table import list_special_hands, name_single_and_pair

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
        """The settings of the rules by which the match is played."""
        return self.match.rules.settings

    def _format_points(self, points: int) -> str:
        """Say a number of points: "5,000 points", or "50 units" in a game that counts in units."""
        return self.words.t(f"sheets.{self._settings.unit}", points=points)

    # ------------------------------------------------------------------ the match

    @property
    def goal(self) -> SheetFact:
        """What ends the match: "Target" "5,000 points", or "Hands" "4, the higher total wins".

        If the players set a time limit, it is said too: "5,000 points, 90 minutes at most".
        """
        goal = self._goal_of_rules
        minutes = self.match.rules.ends.minutes
        if not minutes:
            return goal
        at_most = self.words.t("web.length.minutes", minutes=minutes)
        return SheetFact(goal.name, f"{goal.value}, {at_most}")

    @property
    def _goal_of_rules(self) -> SheetFact:
        """What ends the match by its rules.

        - a number of hands (rounds): "Hands", "4, the higher total wins"
        - a number of points: "Target", "5,000 points"
        - neither: "Target", "none"
        """
        t = self.words.t
        if self._settings.match_deals is not None:
            hands = t("sheets.all-deals", count=self._settings.match_deals)
            return SheetFact(t("sheets.number-of-hands"), hands)
        if self._settings.target is None:
            return SheetFact(t("setting.target"), t("value.target.unlimited"))
        return SheetFact(t("setting.target"), self._format_points(self._settings.target))

    @property
    def result(self) -> str:
        """How the match ended and who won it, or that it goes on.

        - "We won: 5,200 points."
        - ended early: "Time up after 5 hands. We won: 3,200 points."
        - nobody won: "A tie after 9 hands: nobody wins."
        - not finished: "Match in progress: 3 hands played. The match goes on to hand 6."
        """
        if not self.match.status.finished:
            return self._describe_match_in_progress()

        sentences = self._list_sentences_on_end()
        winner = self.match.status.winner
        if winner is not None:
            total = self._format_points(self.match.sides[winner].total)
            won = say_who_won(self.names.state, winner, self.words)
            sentences.append(self.words.t("sheets.won", won=won, points=total))
        return " ".join(sentences)

    def _describe_match_in_progress(self) -> str:
        """Say how many hands (rounds) were played, and which one is the last if that was agreed.

        "Match in progress: 3 hands played. The match goes on to hand 6."
        """
        progress = self.words.plural("share.going-on", self._number_of_hands_played) + "."
        agreed_end = self.match.ending
        if agreed_end is None or agreed_end.hands is None:
            return progress

        # Players also count the hands that they played on paper before.
        last_hand = self.match.number_for_players(agreed_end.hands)
        next_hand = self.match.next_hand_number
        if last_hand == next_hand:
            outlook = self.words.t("sheets.last-hand")  # "The next hand is the last."
        else:
            outlook = self.words.t("sheets.up-to-hand", number=last_hand)
        return f"{progress} {outlook}"

    def _list_sentences_on_end(self) -> list[str]:
        """Say how a finished match ended, apart from who won it.

        - it was won as usual: nothing
        - the highest totals are equal: "A tie after 9 hands: nobody wins."
        - it was ended early: "Time up after 5 hands.", and if nobody won, also "Tied at 900 points:
          We and They. Nobody wins."
        """
        agreed_end = self.match.ending
        if self.match.ended_early and agreed_end is not None:
            return self._list_sentences_on_agreed_end(agreed_end)

        nobody_won = self.match.status.winner is None
        if nobody_won:
            return [self.words.plural("sheets.even", self._number_of_hands_played)]
        return []

    def _list_sentences_on_agreed_end(self, ending: Ending) -> list[str]:
        """Say how the players ended the match before its rules did, and that nobody won, if so.

        "Time up after 5 hands." and "Tied at 900 points: We and They. Nobody wins."
        """
        sentences = [self._describe_agreed_end_of_match(ending)]
        nobody_won = self.match.status.winner is None
        # The sentence on a match that was broken off says already that nobody wins.
        was_broken_off = ending.how is EndHow.BROKEN_OFF
        if nobody_won and not was_broken_off:
            sentences.append(self._describe_tie(ending))
        return sentences

    def _describe_agreed_end_of_match(self, ending: Ending) -> str:
        """Say how the players ended the match before its rules did.

        - "Broken off after 2 hands: nobody wins."
        - "Ended by agreement after 5 hands."
        - "They gave up after 5 hands."
        """
        if ending.how is EndHow.BROKEN_OFF:
            key = "sheets.ended.broken-off"  # on paper it says too that nobody wins
        else:
            key = f"match.ended.{ending.how}"
        side_giving_up = ""
        if ending.side is not None:
            side_giving_up = self.names.sides[ending.side]
        return self.words.plural(key, self._number_of_hands_played, side=side_giving_up)

    def _describe_tie(self, ending: Ending) -> str:
        """Say which sides share the highest total.

        "Tied at 900 points: We and They. Nobody wins." A side that gave up (`ending` knows it) is
        not among them, however many points it has.
        """
        totals = tuple(side.total for side in self.match.sides)
        leading_sides = ending.find_leading_sides(totals)  # their positions among the sides
        names = [self.names.sides[side] for side in leading_sides]
        shared_total = totals[leading_sides[0]]
        return self.words.t(
            "sheets.level",
            names=self.words.listing(names),
            points=self._format_points(shared_total),
        )

    @property
    def _number_of_hands_played(self) -> int:
        """The number of hands (rounds) of the match, with those played on paper before."""
        return self.match.number_for_players(len(self.match.hands))

    def list_facts(self) -> list[SheetFact]:
        """List what is printed below the goal and the first dealer, as far as the match has it.

        That is the preset, the bonuses, the house rules, and the players who were replaced.
        """
        rules = self.match.rules
        facts = []
        if rules.preset:
            preset = self.words.t(f"preset.{rules.preset}")
            facts.append(SheetFact(self.words.t("web.new.preset"), preset))
        if rules.bonuses:
            facts.append(SheetFact(self.words.t("own.bonuses"), self._describe_bonuses()))
        if self.match.house:
            house_rules = self._describe_house_rules()
            facts.append(SheetFact(self.words.t("match.rules.house"), house_rules))
        facts += self._list_replacements()
        return facts

    def _describe_bonuses(self) -> str:
        """Write the bonuses that players added: "Perfect hand +100; No red threes +50"."""
        bonuses = []
        for code, bonus in self.match.rules.bonuses.items():
            name = self.words.t(f"bonus.{code}")
            bonuses.append(f"{name} {self.words.signed(bonus.points)}")
        return "; ".join(bonuses)

    def _describe_house_rules(self) -> str:
        """Write the options for which the players chose another value than usual.

        "A wild card on a complete canasta: forbidden; Wild cards in a meld: three at most"
        """
        chosen = []
        for option in self.match.house:
            name = self.words.t(f"option.{option}")
            value = self.match.rules.options[option]
            chosen.append(f"{name}: {describe_option_value(option, value, self.words)}")
        return "; ".join(chosen)

    def _list_replacements(self) -> list[SheetFact]:
        """List the players who took the place of others; only the first row has a name."""
        facts = []
        name = self.words.t("sheets.replacements")
        for index in range(len(self.match.replacements)):
            facts.append(SheetFact(name, self._describe_replacement(index)))
            name = ""
        return facts

    def _describe_replacement(self, index: int) -> str:
        """Say who took a seat of the match, and from which hand (round) on.

        `index` is the number of the replacement among all of the match, from 0 on.

        - "from hand 5 on Carla in place of Ada"
        - the seat had no name before: "from hand 5 on Carla plays"
        """
        replacement = self.match.replacements[index]
        previous_player = replacement.was
        key = "sheets.replaced" if previous_player else "sheets.seated"
        return self.words.t(
            key,
            number=self.match.number_for_players(replacement.number),  # the hand from which on
            name=self._name_new_player(replacement, index),
            was=isolate_direction(previous_player),
        )

    def _name_new_player(self, replacement: Replacement, index: int) -> str:
        """Return the name of the player who took a seat with the replacement of this index.

        Carla came for Ada, and later Dino for Carla: the first replacement → "Carla". The seat is
        Dino's now, but the later replacement tells whose it was before.
        """
        seat = replacement.seat
        for later in self.match.replacements[index + 1 :]:
            if later.seat != seat:
                continue
            new_player = later.was  # until this replacement
            if new_player:
                return isolate_direction(new_player)
            break
        return self.names.name_player_in_seat(seat)

    # ------------------------------------------------------------------ a hand

    def describe_deal(self, hand: HandState) -> str:
        """Say who dealt the cards of a hand (round), who sat out, and who played with whom.

        "dealer: Ada · sits out: Bea". Who played with whom is said only in games where it changes
        from hand to hand: "dealer: Ada · plays alone: Anna · pair: Bruno and Carla".
        """
        dealer = self.names.name_player_in_seat(hand.turn.dealer, hand.number)
        facts = [self.words.t("sheets.dealer", name=dealer)]
        for resting in hand.turn.resting:
            name = self.names.name_player_in_seat(resting, hand.number)
            facts.append(self.words.t("sheets.rests", name=name))
        if self._settings.partnership != "fixed":
            facts += self._describe_partnership(hand)
        return _DOT.join(facts)

    def _describe_partnership(self, hand: HandState) -> list[str]:
        """Say who played with whom, in a game where that changes from hand to hand.

        - `["plays alone: Anna", "pair: Bruno and Carla"]`
        - `["each alone"]`
        """
        single, pair = name_single_and_pair(hand, self.names.sides, self.words)
        if not single:
            return [self.words.t("sheets.each-alone")]
        return [
            self.words.t("sheets.single", name=single),
            self.words.t("sheets.pair", names=pair),
        ]

    def describe_end_of_hand(self, hand: HandState) -> str:
        """Say who ended a hand (round), who had a special hand, and whether the score was checked.

        "went out: Marta · corrected · confirmed at 21:05"
        """
        facts = [
            *self._say_who_went_out(hand),
            *self._list_special_hands(hand),
            *self._list_marks_of_score(hand),
        ]
        return _DOT.join(facts)

    def _say_who_went_out(self, hand: HandState) -> list[str]:
        """Say who ended a hand by playing the last card: `["went out: Marta"]`.

        - nobody did: `["nobody went out"]`
        - only the sum of the points was entered, so that nobody knows: empty
        """
        entered_hand = hand.counted.hand
        if entered_hand.out:
            return [self.words.t("sheets.out", name=self.names.name_finisher(hand))]
        if entered_hand.is_summed:
            return []
        return [self.words.t("sheets.nobody-out")]

    def _list_special_hands(self, hand: HandState) -> list[str]:
        """List the sides that had a special hand (a set of cards that wins the round at once).

        `["We, special hand: straight"]`
        """
        facts = []
        for side, special in list_special_hands(hand.counted.hand, self.names.sides):
            name = self.words.t(f"value.special.{special}")
            facts.append(self.words.t("sheets.special", side=side, name=name))
        return facts

    def _list_marks_of_score(self, hand: HandState) -> list[str]:
        """List what the players did about the score of a hand, after it was entered.

        `["corrected", "confirmed at 21:05"]`
        """
        marks = []
        if hand.is_corrected:
            marks.append(self.words.t("web.hand.corrected"))
        if hand.counted.agreed:
            # "agreed at the table": the players count it although it breaks a rule.
            marks.append(self.words.t("match.mark.agreed"))

        if hand.contest is not None:
            marks.append(self.words.t("sheets.contested"))  # "contested, to be decided"
        elif hand.confirmed is not None:
            marks.append(self._say_when_confirmed(hand.confirmed))
        elif hand.waits:
            marks.append(self.words.t("match.mark.waits"))  # "to be confirmed"
        return marks

    def _say_when_confirmed(self, moment: datetime) -> str:
        """Say when the score of a hand was confirmed.

        - on the day of the match, which the sheet shows at the top: "confirmed at 21:05"
        - on another day: "confirmed on 22 November 2026 at 09:30"
        """
        local_time = moment.astimezone()
        day_of_match = self.match.started.astimezone().date()
        key = "sheets.confirmed-later"
        if local_time.date() == day_of_match:
            key = "sheets.confirmed"
        return self.words.t(key, day=self.words.day(local_time), clock=self.words.clock(local_time))

    def describe_opening(self, side: SideScore) -> str:
        """Say how many points a side needed to lay its first cards in a hand (round).

        - "50"
        - the side laid no cards at all: "50, did not open"
        - no such minimum: empty
        """
        if side.opening_minimum is None:
            return ""
        if side.opened is False:  # None if only totals were entered
            return self.words.t("sheets.not-opened", minimum=side.opening_minimum)
        return self.words.figure(side.opening_minimum)
