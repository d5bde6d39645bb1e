"""What the pages of a match say of a hand in words: its marks, who played and went out, its doubts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.matches.events import Counted, HandState, LogEntry
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Finding, Seat
from scorepad.rules.settings import Settings
from scorepad.sheets.printed_names import seat_out, side_out
from scorepad.sheets.score_table import single_and_pair
from scorepad.web.presenters import moment, player_name


@dataclass(frozen=True, slots=True)
class HandTexts:
    """The sentences about the hands of a match, in the words of its rules."""

    match: MatchState
    words: Words

    # ------------------------------------------------------------------ the row of a hand

    def alone(self, hand: HandState) -> str:
        """Who played alone against whom, in a game in which pairs change from hand to hand; else
        empty.
        """
        single, pair = single_and_pair(hand, self.match.names, self.words)
        if not single:
            return ""
        return self.words.t("web.alone", single=single, pair=pair)

    def has_agreed_sum(self, hand: HandState) -> bool:
        """Whether the hand of a side was given as one sum, without its cards."""
        return any(side.sum is not None for side in hand.counted.hand.sides)

    def has_marks(self, hand: HandState) -> bool:
        """Whether the row of a hand has a mark: that it was corrected, given as a sum, counted although
        it breaks rules, contested, confirmed, or that it waits to be confirmed.
        """
        was_checked = hand.confirmed is not None or hand.contest is not None
        was_counted_otherwise = hand.is_corrected or bool(hand.counted.agreed)
        return was_checked or was_counted_otherwise or hand.waits or self.has_agreed_sum(hand)

    def out(self, hand: HandState) -> str:
        """Who went out (played the last card, which ends the hand), or that nobody did, as short as a
        row needs it. Empty for a hand given only as sums, which does not say it.
        """
        counted = hand.counted.hand
        if counted.out:
            return self.words.t("sheets.out", name=self._shortest_name_out(hand))
        if counted.is_summed:
            return ""
        return self.words.t("sheets.nobody-out")

    def _shortest_name_out(self, hand: HandState) -> str:
        """The player who went out, or the side if no player with a name is given."""
        seat = seat_out(self.match, hand)
        if seat:
            return self.match.player_in_seat(seat, hand.number)
        return side_out(hand, self.match.names)

    def doubt(self, hand: HandState) -> str:
        """Why a hand is in doubt after a correction of an earlier one; empty if it is not."""
        sentences = [self._doubt_of_finding(finding) for finding in hand.doubts]
        without_repeats = dict.fromkeys(sentences)
        return "; ".join(without_repeats)

    def _doubt_of_finding(self, finding: Finding) -> str:
        """Why a hand is in doubt because of one rule that it breaks now, with the side if it is about
        one: "We could not have opened with 50".
        """
        key = f"web.doubt.{finding.code}"
        if finding.nature.of_opening:
            key = "web.doubt.opening"
        if not self.words.has(key):
            return self.words.t("web.hand.doubt")
        minimum = finding.arguments.get("minimum", 0)
        assert isinstance(minimum, int), "an opening minimum is a number of points"
        return self.words.t(key, side=self._side_of_finding(finding), minimum=minimum)

    def _side_of_finding(self, finding: Finding) -> str:
        """The name of the side whose entry breaks a rule; empty if the finding is about no side."""
        for part in finding.where[1:2]:  # `("sides", 0, "melds")` is about the first side
            if isinstance(part, int):
                return self.match.names[part]
        return ""

    def codes_in_rulebook(self, hand: HandState) -> list[str]:
        """The codes of the rules that a hand breaks, for the links to the rulebook, each once."""
        findings = (*hand.doubts, *hand.counted.broken, *hand.warnings)
        codes = [finding.code for finding in findings]
        return list(dict.fromkeys(codes))

    def count_caption(self, hand: HandState, count: LogEntry[Counted], index: int) -> str:
        """When a hand was counted, and by which side if that is known.

        `index` is 0 for the count in force and 1 for the other one of a contested hand.
        """
        when = moment(count.at, self.words)
        counted_by = count.event.by
        if counted_by is not None:
            side = self.match.names[counted_by]
            return self.words.t("checking.counted-by", side=side, when=when)
        if hand.contest is None:
            return self.words.t("checking.counted", when=when)
        return self.words.t(f"checking.counted.{index}", when=when)

    # ------------------------------------------------------------------ about a hand

    def about(self, hand: HandState) -> str:
        """The facts of a hand, each as a sentence: the opening minimums, the dealer, who sat out, who
        played alone, and who went out.
        """
        sentences = (
            self._minimums(hand),
            self.words.t("web.hand.dealt-by", player=self._player(hand.turn.dealer, hand)),
            self._resting(hand),
            self._partnership(hand),
            self._ending(hand),
        )
        return " ".join(sentence for sentence in sentences if sentence)

    def _minimums(self, hand: HandState) -> str:
        """The points that each side needed to open (lay its first melds), in one figure if they are
        the same for all; empty if there are none.
        """
        minimums = [side.opening_minimum for side in hand.sides]
        required = [minimum for minimum in minimums if minimum is not None]
        if not required:
            return ""
        is_same_for_all = len(required) > 1 and len(set(minimums)) == 1
        if is_same_for_all:
            return self.words.t("web.hand.minimums.each", points=required[0])
        texts = []
        for name, minimum in zip(self.match.names, minimums, strict=True):
            if minimum is not None:
                texts.append(self.words.t("web.hand.minimum", side=name, points=minimum))
        return self.words.t("web.hand.minimums", minimums=self.words.listing(texts))

    def _resting(self, hand: HandState) -> str:
        """Who sat out a hand; empty if nobody did."""
        if not hand.turn.resting:
            return ""
        return self.words.t("web.rested", players=self._players(hand.turn.resting, hand))

    def _partnership(self, hand: HandState) -> str:
        """Who played alone against whom, or that each did, in a game in which pairs change from hand to
        hand; empty in others.
        """
        single, pair = single_and_pair(hand, self.match.names, self.words)
        if single:
            key = "web.hand.took-the-pile"
            if hand.counted.hand.single is None:
                key = "web.hand.pile-not-taken"
            return self.words.t(key, single=single, pair=pair)
        if self._settings.partnership == "single-taker":
            return self.words.t("web.hand.each-alone")
        return ""

    def _ending(self, hand: HandState) -> str:
        """Who went out (played the last card, which ends the hand), or that nobody did; empty for a
        hand given only as sums, which does not say it.
        """
        counted = hand.counted.hand
        if counted.out:
            key = "web.hand.out-concealed" if counted.out.concealed else "web.hand.out"
            return self.words.t(key, side=self._who_went_out(hand))
        if counted.is_summed:
            return ""
        return self.words.t("web.hand.nobody-out")

    def _who_went_out(self, hand: HandState) -> str:
        """The player who went out, with the side; the side alone if no player with a name is given."""
        seat = seat_out(self.match, hand)
        if seat:
            return self._player(seat, hand)
        return side_out(hand, self.match.names)

    # ------------------------------------------------------------------ the hand to come

    @property
    def resting_next(self) -> str:
        """Who sits out the hand to be played; empty if nobody does."""
        seats = self.match.next_turn.resting
        if not seats:
            return ""
        names = [player_name(seat, state=self.match, words=self.words) for seat in seats]
        return self.words.t("web.resting", players=self.words.listing(names))

    # ------------------------------------------------------------------ helpers

    @property
    def _settings(self) -> Settings:
        return self.match.rules.settings

    def _player(self, seat: Seat, hand: HandState) -> str:
        """The player who sat in a seat in a hand, with the side: "Anna (We)"."""
        return player_name(seat, hand.number, state=self.match, words=self.words)

    def _players(self, seats: Iterable[Seat], hand: HandState) -> str:
        """The players who sat in these seats in a hand, as a list in words."""
        return self.words.listing([self._player(seat, hand) for seat in seats])
