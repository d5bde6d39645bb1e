"""What the pages of a match say of a hand in words: its marks, who played and went out, its doubts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.findings import describe_finding_without_remedy
from scorepad.matches.events import Counted, HandState, LogEntry
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Finding, Seat
from scorepad.rules.settings import Settings
from scorepad.sheets.printed_names import find_seat_of_finisher, name_side_that_went_out
from scorepad.sheets.score_table import name_single_and_pair
from scorepad.web.presenters import moment, player_name


@dataclass(frozen=True, slots=True)
class HandTexts:
    """The sentences about the hands of a match, in the words of its rules."""

    match: MatchState
    words: Words

    # ------------------------------------------------------------------ the row of a hand

    def say_who_played_alone(self, hand: HandState) -> str:
        """Say who played alone against whom: "Anna against Bruno and Carla".

        Empty unless pairs change from hand (round) to hand in this game, and one side was alone in
        this hand.
        """
        single, pair = name_single_and_pair(hand, self.match.names, self.words)
        if not single:
            return ""
        return self.words.t("web.alone", single=single, pair=pair)  # "{single} against {pair}"

    def has_agreed_sum(self, hand: HandState) -> bool:
        """Tell whether the points of a side were entered as one agreed sum, without its cards."""
        return any(side.sum is not None for side in hand.counted.hand.sides)

    def say_who_went_out_briefly(self, hand: HandState) -> str:
        """Say who went out (ended the round by playing the last card), in few words for a row.

        - "went out: Anna", or "nobody went out"
        - nothing if only sums of points were entered, since these do not say who went out
        """
        counted = hand.counted.hand
        if counted.out:
            # It says: "went out: {name}"
            return self.words.t("sheets.out", name=self._find_shortest_name_of_finisher(hand))
        if counted.is_summed:
            return ""
        return self.words.t("sheets.nobody-out")  # "nobody went out"

    def _find_shortest_name_of_finisher(self, hand: HandState) -> str:
        """Return the player who went out (ended the round), or the side if no player is named."""
        seat = find_seat_of_finisher(self.match, hand)
        if seat:
            return self.match.find_player_in_seat(seat, hand.number)
        return name_side_that_went_out(hand, self.match.names)

    def explain_doubt(self, hand: HandState) -> str:
        """Explain why a hand (round) has to be checked again after an earlier hand was corrected.

        "We: opening in doubt, with the corrected scores 90 were needed". Empty for a hand without a
        doubt.
        """
        sentences: list[str] = []
        for finding in hand.doubts:
            sentence = self._explain_doubt_of_finding(finding)
            if sentence not in sentences:
                sentences.append(sentence)
        return "; ".join(sentences)

    def _explain_doubt_of_finding(self, finding: Finding) -> str:
        """Explain why a hand (round) has to be checked again, by one rule that it now breaks.

        - the first cards that a side laid are now worth too little → "We: opening in doubt, with
          the corrected scores 90 were needed"
        - the match was already over → "We: target reached before this hand"
        - any other rule → "check again"
        """
        side = self._find_side_of_finding(finding)
        if finding.nature.of_opening:
            minimum = finding.arguments.get("minimum", 0)
            assert isinstance(minimum, int), "an opening minimum is a number of points"
            return self.words.t("web.doubt.opening", side=side, minimum=minimum)
        key = f"web.doubt.{finding.code}"
        if self.words.has(key):
            return self.words.t(key, side=side)
        return self.words.t("web.hand.doubt")  # "check again"

    def _find_side_of_finding(self, broken_rule: Finding) -> str:
        """Return the name of the side that breaks a rule; empty if the rule is not about one side."""
        match broken_rule.where:  # `("sides", 0, "melds")`, the melds of the first side
            case (_, int(position), *_):
                return self.match.names[position]
            case _:
                return ""

    def list_broken_rules(self, hand: HandState) -> list[str]:
        """List the codes of the rules that a hand (round) breaks, for links to the rulebook.

        A rule that is broken twice is listed once.
        """
        codes: list[str] = []
        for finding in (*hand.doubts, *hand.counted.broken, *hand.warnings):
            if finding.code not in codes:
                codes.append(finding.code)
        return codes

    def describe_agreement(self, counted: Counted) -> list[str]:
        """Say why the table counted a hand (round) although it breaks rules, and which rules.

        Empty for a hand that keeps the rules.
        """
        if not counted.agreed:
            return []
        sentences = [self.words.t("match.agreed", reason=counted.agreed)]
        for finding in counted.broken:
            sentences.append(describe_finding_without_remedy(finding, self.match.names, self.words))
        return sentences

    def write_caption_of_count(self, hand: HandState, count: LogEntry[Counted], index: int) -> str:
        """Write the caption above a count of a hand (round): by which side and when.

        - "Count: We (3 May 2026, 21:40)"
        - "The count (3 May 2026, 21:40)" if the side is not known
        - "First count (…)" or "Second count (…)" if the hand has two counts, by unknown sides

        `index` is 0 for the first count shown and 1 for the second one.
        """
        when = moment(count.at, self.words)
        counted_by = count.event.by
        if counted_by is not None:
            side = self.match.names[counted_by]
            # It says: "Count: {side} ({when})"
            return self.words.t("checking.counted-by", side=side, when=when)
        has_two_counts = hand.contest is not None
        if has_two_counts:
            return self.words.t(f"checking.counted.{index}", when=when)
        return self.words.t("checking.counted", when=when)  # "The count ({when})"

    # ------------------------------------------------------------------ about a hand

    def describe_hand(self, hand: HandState) -> str:
        """Describe a hand (round) in some sentences, for the page on which its score is looked at.

        They say which points each side needed to begin, who dealt, who sat out, who played alone,
        and who went out: "Opening minimum: 50 each. Dealt by Anna (We). Bruno (They) went out."
        """
        dealer = self._name_player(hand.turn.dealer, hand)
        sentences = (
            self._describe_minimums(hand),
            self.words.t("web.hand.dealt-by", player=dealer),  # "Dealt by {player}."
            self._say_who_sat_out(hand),
            self._say_who_played_with_whom(hand),
            self._say_who_ended_hand(hand),
        )
        return " ".join(sentence for sentence in sentences if sentence)

    def _describe_minimums(self, hand: HandState) -> str:
        """Say how many points the first cards of each side had to have.

        - "Opening minimum: 50 each."
        - "Opening minimum: We 50 and They 90."
        - nothing if no side needed any
        """
        minimums = [side.opening_minimum for side in hand.sides]
        required = [minimum for minimum in minimums if minimum is not None]
        if not required:
            return ""
        has_several_sides = len(required) > 1
        if has_several_sides and len(set(minimums)) == 1:
            # It says: "Opening minimum: {points} each."
            return self.words.t("web.hand.minimums.each", points=required[0])
        texts = []
        for name, minimum in zip(self.match.names, minimums, strict=True):
            if minimum is not None:
                # It says: "{side} {points}"
                texts.append(self.words.t("web.hand.minimum", side=name, points=minimum))
        # It says: "Opening minimum: {minimums}."
        return self.words.t("web.hand.minimums", minimums=self.words.listing(texts))

    def _say_who_sat_out(self, hand: HandState) -> str:
        """Say who sat out a hand (round): "Carla (They) sat out." Empty if nobody did."""
        if not hand.turn.resting:
            return ""
        # It says: "{players} sat out."
        return self.words.t("web.rested", players=self._name_players(hand.turn.resting, hand))

    def _say_who_played_with_whom(self, hand: HandState) -> str:
        """Say who played alone against whom, in a game in which pairs change from round to round.

        In such a game the player who takes the discard pile first plays alone.

        - "Anna took the pile first, against the pair Bruno and Carla."
        - "Nobody took the pile: Anna, who went out, played against the pair Bruno and Carla."
        - "Nobody took the pile: each alone."
        - nothing in any other game
        """
        single, pair = name_single_and_pair(hand, self.match.names, self.words)
        if not single:
            do_pairs_change = self._settings.partnership == "single-taker"
            if do_pairs_change:
                return self.words.t("web.hand.each-alone")  # "Nobody took the pile: each alone."
            return ""

        was_pile_taken = hand.counted.hand.single is not None
        if was_pile_taken:
            return self.words.t("web.hand.took-the-pile", single=single, pair=pair)
        return self.words.t("web.hand.pile-not-taken", single=single, pair=pair)

    def _say_who_ended_hand(self, hand: HandState) -> str:
        """Say who went out, that is, ended the hand (round) by playing the last card.

        - "Anna (We) went out.", or "Anna (We) went out concealed." if she laid down all cards at
          once
        - "Nobody went out."
        - nothing if only sums of points were entered, since these do not say who went out
        """
        going_out = hand.counted.hand.out
        if going_out:
            key = "web.hand.out-concealed" if going_out.concealed else "web.hand.out"
            return self.words.t(key, side=self._name_finisher(hand))
        if hand.counted.hand.is_summed:
            return ""
        return self.words.t("web.hand.nobody-out")  # "Nobody went out."

    def _name_finisher(self, hand: HandState) -> str:
        """Name the player who went out (ended the round) with the side, "Anna (We)".

        If no player with a name was entered, it is the side alone.
        """
        seat = find_seat_of_finisher(self.match, hand)
        if seat:
            return self._name_player(seat, hand)
        return name_side_that_went_out(hand, self.match.names)

    # ------------------------------------------------------------------ helpers

    @property
    def _settings(self) -> Settings:
        return self.match.rules.settings

    def _name_player(self, seat: Seat, hand: HandState) -> str:
        """Name the player who sat in a seat in a hand (round), with the side: "Anna (We)"."""
        return player_name(seat, hand.number, state=self.match, words=self.words)

    def _name_players(self, seats: Iterable[Seat], hand: HandState) -> str:
        """Name the players who sat in these seats in a round: "Anna (We) and Bruno (They)"."""
        return self.words.listing([self._name_player(seat, hand) for seat in seats])
