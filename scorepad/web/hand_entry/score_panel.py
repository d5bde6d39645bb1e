"""The panel of a hand's page that shows its score while it is typed, line by line."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from scorepad.i18n.settings_in_words import (
    describe_points_of_equal_cards,
    name_canastas_of_family,
)
from scorepad.rules.score_lines import Line
from scorepad.rules.settings import OutBonus, Settings
from scorepad.sheets.score_table import LineKey, label_line
from scorepad.web import hand_fields
from scorepad.web.hand_entry.field_messages import FieldMessage, Tone
from scorepad.web.hand_entry.hand_page import OUT_ITEM, HandPage, Side, choose_usual_out_bonus
from scorepad.web.hand_fields import side_of_key
from scorepad.web.rule_words import describe_needs_to_go_out
from scorepad.web.rulebook_links import line_anchor, rules_url, url_with_anchor


class WhyUnscored(StrEnum):
    """Why a side of a hand has no score yet; the values are the ends of message keys."""

    ERROR = "mending"
    """An error has to be corrected first."""
    MISSING = "all"
    """Something is not typed yet."""


class ShownScoreLine(NamedTuple):
    """A line of a side's score: its label, its points, and the address of its rule.

    The address is empty if the rulebook does not have these rules.
    """

    label: str
    points: str
    rule_url: str


class ShownScore(NamedTuple):
    """The score of a side in the hand: its lines, their sum, and its new total in the match."""

    lines: list[ShownScoreLine]
    points_of_hand: str
    new_total: str


class SideInPanel(NamedTuple):
    """What the panel shows of a side: its score if that is known, else why it is not."""

    name: str
    total_before: str
    """How many points it had before the hand, as a sentence."""
    score: ShownScore | None
    reason_for_no_score: str


class ScorePanel:
    """What the panel with the score shows: how it is counted by these rules, and each side's score."""

    def __init__(self, page: HandPage) -> None:
        self._page = page
        self._words = page.words
        self._rules = page.parsed.rules
        self._settings = page.parsed.rules.settings

    # ------------------------------------------------------------------ how it is counted

    @property
    def explanations(self) -> list[str]:
        """List the sentences that explain how a hand (round) is counted by these rules.

        "Going out: 100, concealed 200." is one of them.
        """
        sentences = [
            self._explain_second_count(),
            self._say_number_of_hands_each(),
            self._say_what_going_out_needs(),
            self._say_worth_of_going_out(),
            self._explain_cards_left(),
            *self._list_points_of_equal_cards(),
            self._explain_unknown_opening(),
            self._say_how_cards_are_typed(),
        ]
        return [sentence for sentence in sentences if sentence]

    def _explain_second_count(self) -> str:
        if not self._page.hand.contests:
            return ""
        return self._words.t("hand.contest.text")

    def _say_number_of_hands_each(self) -> str:
        """Say how many hands of cards each player is dealt, if it is more than one."""
        if self._settings.hands_each <= 1:
            return ""
        return self._words.t("hand.hands-each", count=self._settings.hands_each)

    def _say_what_going_out_needs(self) -> str:
        """Say what a side needs in order to end the hand (round) by playing its last card."""
        needs = describe_needs_to_go_out(self._rules, self._words)
        needed = "; ".join(need for need in needs if need)
        return self._words.t("hand.out-needs", needed=needed)

    def _explain_cards_left(self) -> str:
        """Say what cards left in hand cost, where that is not the sum of their points."""
        if self._settings.cards_left == "points":
            return ""
        return self._words.t(
            f"hand.left.{self._settings.cards_left}",
            wild=self._settings.left_wild,
            group=self._settings.left_group,
        )

    def _list_points_of_equal_cards(self) -> list[str]:
        """List the fields whose points grow with the number: "Red threes: 100 each, all 4 …"."""
        sentences = []
        for field in self._page.parsed.columns[0].fields.values():
            if len(field.points_each) > 1:
                points = describe_points_of_equal_cards(field.points_each, self._words)
                sentences.append(f"{self._page.label(field)}: {points}")
        return sentences

    def _explain_unknown_opening(self) -> str:
        if not self._page.report.is_opening_unknown:
            return ""
        return self._words.t("hand.opening.unknown")

    def _say_how_cards_are_typed(self) -> str:
        """Say how cards are typed one by one, where their points may also be typed."""
        if self._settings.counted_by == "cards":
            return ""
        key_in_this_game = f"hand.cards.hint.{self._rules.variant}"
        return self._words.t(self._words.find_known_key(key_in_this_game, "hand.cards.hint"))

    def _say_worth_of_going_out(self) -> str:
        """Say what going out is worth in these rules, as a sentence; empty if it is worth nothing.

        "Going out: 100, concealed 200." To go out is to end the round by playing the last card, and
        to go out concealed is to lay down all cards at once. Some rules add a part about several
        canastas (groups of seven or more cards).
        """
        settings = self._settings
        if settings.out_bonus == 0:
            return ""
        usual_worth = self._words.t(
            self._find_message_key_of_out_worth(),
            points=settings.out_bonus,
            concealed=settings.concealed_out_bonus,
        )
        parts = [usual_worth]
        for bonus in settings.out_bonus_canastas:
            parts.append(self._say_worth_with_canastas(bonus))
        return "; ".join(parts) + "."

    def _say_worth_with_canastas(self, bonus: OutBonus) -> str:
        """Say how many points a side gets for ending the round if it has several canastas.

        A canasta is a group of seven or more cards: "1,000 with at least 5 canastas, among them …".
        """
        # It says: "{points} with at least {canastas} canastas, among them {families}"
        message_key = "hand.out.worth.canastas"
        is_added_to_usual_points = self._settings.out_bonus_adds == "sum"
        if is_added_to_usual_points:
            message_key = "hand.out.worth.more"  # the same with "{points} more"
        return self._words.t(
            message_key,
            points=bonus.points,
            canastas=bonus.canastas,
            families=self._list_required_canastas(bonus),
        )

    def _find_message_key_of_out_worth(self) -> str:
        """Return the message key of the usual points for going out (ending the round).

        The points for going out concealed, with all cards laid down at once, are said too if the
        form asks for that.
        """
        settings = self._settings
        if not hand_fields.needs_concealed(self._rules):
            return "hand.out.worth"  # "Going out: 100"
        if settings.concealed_out_bonus == settings.out_bonus:
            return "hand.out.worth.alike"  # "Going out: 100, concealed too"
        return "hand.out.worth.concealed"  # "Going out: 100, concealed 200"

    def _list_required_canastas(self, bonus: OutBonus) -> str:
        """List in words the canastas (groups of seven or more cards) that a side needs for a bonus.

        A natural canasta has no wild cards (jokers and twos), a mixed one has some. A bonus for
        five natural canastas and a mixed one names both kinds with their numbers.
        """
        counts = {"natural": bonus.natural, "mixed": bonus.mixed}
        names = []
        for family, count in counts.items():
            if count:
                names.append(
                    name_canastas_of_family(self._rules.variant, family, count, self._words)
                )
        return self._words.listing(names)

    # ------------------------------------------------------------------ the score of each side

    @property
    def sides(self) -> list[SideInPanel]:
        """List the sides in the order of their columns."""
        return [self._describe_side(side) for side in self._page.sides]

    def _describe_side(self, side: Side) -> SideInPanel:
        score = self._describe_score(side)
        reason_for_no_score = ""
        if score is None:
            reason = self._explain_missing_score(side)
            reason_for_no_score = self._words.t(f"hand.live.none.{reason}")
        return SideInPanel(
            name=side.name,
            total_before=self._words.t("hand.before", score=side.before),
            score=score,
            reason_for_no_score=reason_for_no_score,
        )

    def _describe_score(self, side: Side) -> ShownScore | None:
        """Describe the score of a side in this hand (round); None if it is not known."""
        score = self._page.report.scores[side.position]
        if score is None:
            return None
        return ShownScore(
            lines=[self._describe_line(line) for line in score.lines],
            points_of_hand=self._words.signed(score.hand),
            new_total=self._words.figure(score.total),
        )

    def _describe_line(self, line: Line) -> ShownScoreLine:
        """Describe a line: "Red threes (2)", "+200", and the address of the rule on red threes."""
        return ShownScoreLine(
            label=self._write_line_label(line),
            points=self._words.signed(line.points),
            rule_url=url_with_anchor(self._rulebook_url, line_anchor(line.item, line.code)),
        )

    @cached_property
    def _rulebook_url(self) -> str:
        return rules_url(self._rules)

    def _write_line_label(self, line: Line) -> str:
        """Write the label of a line of the score, with the number of things that it counts.

        - two red threes → "Red threes (2)"
        - one red three, or a line that counts nothing → "Red threes"
        """
        if line.item == OUT_ITEM:
            return self._write_label_of_going_out(line)
        name = self._find_line_name(line)
        if line.count is None or line.count <= 1:
            return name
        return self._words.t("hand.line", name=name, count=line.count)  # "{name} ({count})"

    def _write_label_of_going_out(self, line: Line) -> str:
        """Write the label of the line with the points for going out (ending the round).

        Some rules give more points to a side with several canastas (groups of seven or more cards).
        If the side got them, the label says for how many: "Going out with at least 5 canastas".
        """
        usual_bonus = choose_usual_out_bonus(self._settings, is_concealed=self._is_concealed_out)
        canastas = _find_canastas_of_bonus(self._settings, line.points, usual_bonus)
        if canastas is None:
            return self._find_line_name(line)
        # It says: "Going out with at least {canastas} canastas"
        return self._words.t("hand.line.out.canastas", canastas=canastas)

    def _find_line_name(self, line: Line) -> str:
        """Return the name of a line of the score without any number, for example "Red threes"."""
        return label_line(
            LineKey(line.item, line.code, line.reason),
            self._words,
            concealed=self._is_concealed_out,
            variant=self._rules.variant,
        )

    @property
    def _is_concealed_out(self) -> bool:
        """Tell whether a player went out concealed, as far as it matters in this match.

        That is to end the hand (round) with all cards laid down at once. If the rules do not ask
        for it, a tick that is still in the box means nothing → False.
        """
        return self._page.is_concealed_ticked and hand_fields.needs_concealed(self._rules)

    def _explain_missing_score(self, side: Side) -> WhyUnscored:
        """Say why a side has no score yet: because of an error, or because something is missing.

        - an error in a field of this side → an error
        - an error elsewhere, and everything is typed for this side → an error
        - anything else → something is still to be typed
        """
        errors = self._list_errors_in_typed_texts()
        for error in errors:
            is_of_this_side = error.key is not None and side_of_key(error.key) == side.position
            if is_of_this_side:
                return WhyUnscored.ERROR

        is_all_typed = side.position not in self._page.parsed.unfinished
        if errors and is_all_typed:
            return WhyUnscored.ERROR
        return WhyUnscored.MISSING

    def _list_errors_in_typed_texts(self) -> list[FieldMessage]:
        """List the errors in what is typed. Messages that only say what is missing are left out."""
        errors = []
        for message in self._page.report.messages:
            is_about_missing = message in self._page.report.missing
            if message.tone is Tone.ERROR and not is_about_missing:
                errors.append(message)
        return errors


def _find_canastas_of_bonus(settings: Settings, points: int, usual_bonus: int) -> int | None:
    """Find for how many canastas (groups of seven or more cards) a side got its bonus.

    `points` are those that it got for going out (ending the round). They tell which bonus of the
    rules it was: 1,000 points for five canastas → 5. None if they are only the usual ones.
    """
    if points <= usual_bonus:
        return None
    for bonus in settings.out_bonus_canastas:
        points_with_bonus = bonus.points
        if settings.out_bonus_adds == "sum":  # otherwise it replaces the usual bonus
            points_with_bonus += usual_bonus
        if points == points_with_bonus:
            return bonus.canastas
    return None
