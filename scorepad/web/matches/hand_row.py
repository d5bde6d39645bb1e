"""The row of a hand on the page of its match: what it shows closed, and what when it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from flask import url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import describe_finding
from scorepad.matches.events import Counted, HandState, LogEntry
from scorepad.matches.projection import MatchState
from scorepad.rules.judging import Finding
from scorepad.sheets.score_table import ScoreRow, ScoreTable, list_special_hands
from scorepad.web.citations import citations_html
from scorepad.web.matches.check_page import make_score_table
from scorepad.web.matches.hand_texts import HandTexts
from scorepad.web.matches.kept_rulings import RulingLine, list_rulings_of_hand
from scorepad.web.presenters import hand_anchor, moment
from scorepad.web.rulebook_links import anchor, line_anchor, rules_url, url_with_anchor


class ScoreInRow(NamedTuple):
    """The score of a side in a hand, and its total after the hand."""

    side: str
    points: str
    total: str


class Mark(NamedTuple):
    """A mark on the row of a hand, such as "corrected", with the class of its looks."""

    text: str
    css_class: str
    is_read_after_comma: bool = True
    """Whether a comma before it is read aloud."""


class RuleLink(NamedTuple):
    """A link to a rule in the rulebook; `url` is empty if the rulebook does not have it."""

    text: str
    url: str


class LineSources(NamedTuple):
    """The sources of the rule behind a line of the score, as HTML, and its place in the rulebook."""

    label: str
    rule_url: str
    sources: Markup


class OtherCount(NamedTuple):
    """A count of the hand that does not apply: an earlier one, or that of the other side."""

    caption: str
    reason: str
    """Why it was entered, as a sentence; empty if no reason was given."""
    table: ScoreTable


_URGENT = "mark-doubt"
"""The class of a mark that asks for something to be done."""
_CALM = "mark-corrected"


class HandRow:
    """What the page of a match shows of one hand (round of the game)."""

    def __init__(
        self,
        match: MatchState,
        hand: HandState,
        words: Words,
        order: Sequence[int],
        *,
        is_last: bool,
    ) -> None:
        """Prepare the row. `order` has the sides in the order of their columns.

        `is_last`: it is the last hand of a match that goes on, and its row is shown open.
        """
        self._match = match
        self._hand = hand
        self._words = words
        self._texts = HandTexts(match, words)
        self._counted = hand.counted
        self.order = order
        self.number = match.number_for_players(hand.number)
        self.title = words.t("web.hand.title", number=self.number)  # "Hand 3"
        self.id = hand_anchor(hand.number)
        self.is_open = is_last or bool(hand.doubts) or hand.contest is not None
        self.table = make_score_table(hand.counted, match, words)

    # ------------------------------------------------------------------ the closed row

    @cached_property
    def who_went_out(self) -> str:
        """Say who ended the hand (round) by playing the last card: "went out: Anna"."""
        return self._texts.say_who_went_out_briefly(self._hand)

    @cached_property
    def scores(self) -> list[ScoreInRow]:
        """List the scores of the sides in the order of their columns."""
        scores = []
        for position in self.order:
            side = self._hand.sides[position]
            scores.append(
                ScoreInRow(
                    side=self._match.names[position],
                    points=self._words.signed(side.hand),
                    total=self._words.figure(side.total),
                )
            )
        return scores

    @cached_property
    def marks(self) -> list[Mark]:
        """List what is special about the hand, such as "corrected"."""
        hand = self._hand
        marks = []
        alone = self._texts.say_who_played_alone(hand)
        if alone:
            marks.append(Mark(alone, "mark-alone"))
        doubt = self._texts.explain_doubt(hand)
        if doubt:
            marks.append(Mark(doubt, _URGENT, is_read_after_comma=False))
        if hand.is_corrected:
            corrected = self._words.t("web.hand.corrected")
            marks.append(Mark(corrected, _CALM, is_read_after_comma=False))
        if self._texts.has_agreed_sum(hand):
            marks.append(Mark(self._words.t("match.mark.sum"), _CALM))
        if self._counted.agreed:
            marks.append(Mark(self._words.t("match.mark.agreed"), _CALM))
        if hand.contest:
            marks.append(Mark(self._words.t("match.mark.contested"), _URGENT))
        elif hand.confirmed:
            marks.append(Mark(self._words.t("match.mark.confirmed"), _CALM))
        elif hand.waits:
            marks.append(Mark(self._words.t("match.mark.waits"), _URGENT))
        return marks

    # ------------------------------------------------------------------ what opens: broken rules

    @cached_property
    def doubts(self) -> list[str]:
        """Describe the rules that the hand breaks since an earlier one was corrected."""
        return [self._describe_finding(finding) for finding in self._hand.doubts]

    @cached_property
    def warnings(self) -> list[str]:
        return [self._describe_finding(finding) for finding in self._hand.warnings]

    def _describe_finding(self, finding: Finding) -> str:
        return describe_finding(finding, self._match.names, self._words)

    @cached_property
    def agreement(self) -> list[str]:
        """Say why the table counted the hand although it breaks rules, and which it breaks."""
        return self._texts.describe_agreement(self._counted)

    @property
    def links_to_broken_rules(self) -> list[RuleLink]:
        """List links to the rules that the hand breaks; none if they are not in the rulebook."""
        if not self._rulebook_url:
            return []
        links = []
        for code in self._texts.list_broken_rules(self._hand):
            rule = self._words.t(f"rulebook.problem.{code}")
            text = f"{self._words.t('rulebook.link')}: {rule}"
            links.append(RuleLink(text, url_with_anchor(self._rulebook_url, anchor("check", code))))
        return links

    @cached_property
    def _rulebook_url(self) -> str:
        return rules_url(self._match.rules)

    # ------------------------------------------------------------------ what opens: the counts

    @property
    def reason(self) -> str:
        """Say why the hand was counted as it is now; empty if no reason was given."""
        return self._write_reason(self._counted)

    def _write_reason(self, counted: Counted) -> str:
        if not counted.reason:
            return ""
        return self._words.t("web.version.reason", reason=counted.reason)

    @cached_property
    def contest(self) -> OtherCount | None:
        """Return the count of the other side if it differs, until one of the two is chosen."""
        entry = self._hand.contest
        if entry is None:
            return None
        caption = self._texts.write_caption_of_count(self._hand, entry, 1)
        return self._show_count(entry, caption)

    @cached_property
    def earlier_counts(self) -> list[OtherCount]:
        """List the counts that were corrected later, the first one first."""
        counts = []
        for index, entry in enumerate(self._hand.versions[:-1], start=1):
            when = self._write_moment(entry.at)
            caption = self._words.t("web.version", number=index, when=when)
            counts.append(self._show_count(entry, caption))
        return counts

    def _show_count(self, entry: LogEntry[Counted], caption: str) -> OtherCount:
        return OtherCount(
            caption=caption,
            reason=self._write_reason(entry.event),
            table=make_score_table(entry.event, self._match, self._words),
        )

    def _write_moment(self, when: datetime) -> str:
        return moment(when, self._words)

    # ------------------------------------------------------------------ what opens: the rest

    @property
    def notes(self) -> list[str]:
        """List the sentences about the hand: what was shown and agreed, who dealt, who came in."""
        notes = [
            *self._list_special_hands(),
            *self._list_house_penalties(),
            self._texts.describe_hand(self._hand),
        ]
        if self._hand.remark:
            notes.append(self._words.t("match.remark", text=self._hand.remark))
        notes += self._list_replacements()
        if self._hand.confirmed:
            when = self._write_moment(self._hand.confirmed)
            notes.append(self._words.t("checking.confirmed-at", when=when))
        return notes

    def _list_special_hands(self) -> list[str]:
        """Say which sides showed a special hand, a set of cards that wins the round at once."""
        notes = []
        for side, code in list_special_hands(self._counted.hand, self._match.names):
            name = self._words.t(f"value.special.{code}")
            notes.append(self._words.t("web.hand.special", side=side, name=name))
        return notes

    def _list_house_penalties(self) -> list[str]:
        """List the penalties that the players made up, with points and a reason of their own."""
        notes = []
        for name, side in zip(self._match.names, self._counted.hand.sides, strict=True):
            for penalty in side.penalties:
                if penalty.reason and penalty.points is not None:
                    notes.append(
                        self._words.t(
                            "web.hand.reason",
                            side=name,
                            points=penalty.points,
                            reason=penalty.reason,
                        )
                    )
        return notes

    def _list_replacements(self) -> list[str]:
        """Say which players came in with this hand (round), in whose place."""
        notes = []
        for replacement in self._match.replacements:
            if replacement.number != self._hand.number:
                continue
            key = "match.replaced" if replacement.was else "match.seated"
            notes.append(self._words.t(key, name=replacement.name, was=replacement.was))
        return notes

    @property
    def kept_rulings(self) -> list[RulingLine]:
        """List the answers of the referee that the players kept with this hand (round)."""
        return list_rulings_of_hand(self._match, self._hand.number, self._words)

    @property
    def sources(self) -> list[LineSources]:
        """List the sources of the rules behind the lines of the score."""
        return [self._find_sources(row) for row in self.table.rows]

    def _find_sources(self, row: ScoreRow) -> LineSources:
        return LineSources(
            label=row.label,
            rule_url=url_with_anchor(self._rulebook_url, line_anchor(row.item, row.code)),
            sources=citations_html(row.sources, self._words),
        )

    # ------------------------------------------------------------------ what can be done

    @property
    def can_be_changed(self) -> bool:
        """Tell whether this device may correct the hand, and write a remark on it."""
        return self._match.access.can_write

    @property
    def url_to_correct(self) -> str:
        return url_for("hand_entry.correct", match=self._match.id, number=self._hand.number)

    @property
    def url_to_remark(self) -> str:
        return url_for("actions.remark", match=self._match.id, number=self._hand.number)
