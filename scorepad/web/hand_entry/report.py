"""The report on a hand while it is typed: its scores, and the messages for its fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.rules.hand import Hand, SideEntry
from scorepad.rules.judging import Finding, Judgement
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.base import Errors, FieldError
from scorepad.web.hand_entry.field_messages import FieldMessage, MessageWriter, Tone
from scorepad.web.hand_entry.findings_shown import findings_to_show, side_at
from scorepad.web.hand_fields import (
    AGREED,
    CONCEALED,
    HAND_KEYS,
    OUT,
    SINGLE,
    html_id,
)
from scorepad.web.typed_hand import TypedHand

Judge = Callable[[Hand], Judgement]
"""Judges a hand by the rules of the match; raises Unusable for one that they cannot be applied to."""
Scores = tuple[SideScore | None, ...]
"""The score of each side, None where it is not known."""


class Agreement(StrEnum):
    """Whether the table can agree to count a hand although it breaks rules."""

    NOT_OFFERED = ""
    """No rule is broken, or something else must be corrected first."""
    POSSIBLE = "possible"
    NEVER = "never"
    """A broken rule is one that no table can set aside, such as a card that does not exist."""


_OPENING_UNKNOWN = "opening-unknown"
"""The code of the finding that totals do not show with which cards a side opened. It is shown as a
hint, not as a message.
"""


@dataclass(frozen=True)
class Report:
    """The report on a hand: its messages, and the scores of the sides that no error can change.

    `missing`: input still to be typed; when the hand is saved it is an error too.
    `is_opening_unknown`: totals do not show with which cards a side opened; this is not an error.
    """

    messages: tuple[FieldMessage, ...] = ()
    missing: tuple[FieldMessage, ...] = ()
    scores: Scores = (None, None, None)
    agreement: Agreement = Agreement.NOT_OFFERED
    is_opening_unknown: bool = False

    @cached_property
    def beside(self) -> dict[str | None, list[FieldMessage]]:
        """The messages beside each form field, by the key of the field: `{"a.melds": [...]}`. Those
        that stand above all fields have the key None.
        """
        messages_by_key: dict[str | None, list[FieldMessage]] = {}
        for message in self.messages:
            if message.key not in messages_by_key:
                messages_by_key[message.key] = []
            messages_by_key[message.key].append(message)
        return messages_by_key

    @cached_property
    def errors(self) -> Errors:
        """The errors, as lines of the summary above the form."""
        return _summarize(message for message in self.messages if message.tone is Tone.ERROR)

    @cached_property
    def missing_errors(self) -> Errors:
        """The messages about what is still to be typed, as lines of a summary that can stand below
        that of `errors`: lines that `errors` has already are left out.
        """
        lines = []
        for line in _summarize(self.missing):
            if line not in self.errors:
                lines.append(line)
        return tuple(lines)


def _summarize(messages: Iterable[FieldMessage]) -> Errors:
    """The lines of a summary of messages, each with its text and the HTML id of the form field to
    which it links. Messages with the same text and field give only one line.
    """
    lines: list[FieldError] = []
    for message in messages:
        field_id = html_id(message.leads_to) if message.leads_to else None
        line = FieldError(field_id, message.text)
        if line not in lines:
            lines.append(line)
    return tuple(lines)


def build_report(
    parsed: TypedHand, names: tuple[str, ...], words: Words, *, judge: Judge, is_final: bool
) -> Report:
    """Report on a hand as it is typed: what is unreadable or missing, which rules are broken, and the
    score of each side as far as it is known.

    `names` are those of the sides. `judge` is the function that applies the rules. `is_final`: the
    hand is to be saved, so missing input is an error.
    """
    judged = _judge_typed_hand(parsed, judge)
    findings = _certain_findings(parsed, judged.judgement)  # the rules that the hand breaks
    writer = MessageWriter(parsed, names, words, is_final=is_final, is_agreed=judged.can_be_counted)

    missing = _missing_messages(parsed, writer)
    messages = _unreadable_messages(parsed, writer)
    if is_final:
        messages += missing
    unusable_message = _unusable_message(judged.unusable, parsed, writer)
    if unusable_message is not None:
        messages.append(unusable_message)
    messages += _finding_messages(findings, parsed, writer)

    return Report(
        messages=tuple(sorted(messages, key=_page_order)),
        missing=tuple(missing),
        scores=_without_scores_of(judged.scores, parsed.unfinished),
        agreement=_possible_agreement(parsed, findings, judged.unusable),
        is_opening_unknown=any(finding.code == _OPENING_UNKNOWN for finding in findings),
    )


def _missing_messages(parsed: TypedHand, writer: MessageWriter) -> list[FieldMessage]:
    """The messages about what is still to be typed of a hand."""
    return [writer.problem_message(problem) for problem in parsed.problems if problem.missing]


def _unreadable_messages(parsed: TypedHand, writer: MessageWriter) -> list[FieldMessage]:
    """The messages about what is typed of a hand but cannot be read, such as `12a` for a number."""
    return [writer.problem_message(problem) for problem in parsed.problems if not problem.missing]


def _unusable_message(
    unusable: Unusable | None, parsed: TypedHand, writer: MessageWriter
) -> FieldMessage | None:
    """The message about the typed value with which the rules cannot be applied (`unusable`), such as
    a last discard of several cards. None if there is no such value.
    """
    if unusable is None:
        return None
    if parsed.is_single_missing:
        # What fits depends on which side plays alone against the others, which is still to be typed.
        return None
    return writer.unusable_message(unusable, _pointer_to_unusable(unusable))


def _finding_messages(
    findings: Iterable[Finding], parsed: TypedHand, writer: MessageWriter
) -> list[FieldMessage]:
    """The messages about the rules that a typed hand breaks (`findings`).

    A broken rule that is only the likely consequence of another one gets no message.
    """
    # One of the findings is no broken rule. The page shows it as a hint, apart from the messages.
    broken_rules = [finding for finding in findings if finding.code != _OPENING_UNKNOWN]

    messages: list[FieldMessage] = []
    for finding in findings_to_show(broken_rules, parsed.hand):
        messages += writer.finding_messages(finding)
    return messages


def _certain_findings(parsed: TypedHand, judgement: Judgement | None) -> list[Finding]:
    """The rules that a typed hand certainly breaks (findings), whatever is typed next. There are none
    if the rules could not be applied (`judgement` is None).

    In some games one side plays alone against the others together. As long as it is not typed which
    one, only faults of a single card, number or meld (a set of cards) are certain.
    """
    if judgement is None:
        return []
    is_side_alone_unknown = parsed.is_single_missing
    if is_side_alone_unknown:
        return [finding for finding in judgement.findings if finding.nature.by_itself]
    return list(judgement.findings)


def _possible_agreement(
    parsed: TypedHand, findings: Sequence[Finding], unusable: Unusable | None
) -> Agreement:
    """Whether the page offers the players to count a hand although it breaks these rules (findings).

    Some rules can never be set aside. Otherwise it is offered if nothing else is wrong: no typed
    value is missing, unreadable or `unusable`.
    """
    errors = [finding for finding in findings if finding.is_error]
    if not errors:
        return Agreement.NOT_OFFERED
    for error in errors:
        if not error.may_be_agreed:
            return Agreement.NEVER

    if unusable is not None:
        return Agreement.NOT_OFFERED
    for problem in parsed.problems:
        # The players type in the offer itself what they agreed: that field may still be wrong.
        if problem.key != AGREED:
            return Agreement.NOT_OFFERED
    return Agreement.POSSIBLE


def _page_order(message: FieldMessage) -> tuple[int, str]:
    """The sort key that puts messages into the order of the page: above all fields, the questions
    about the hand, the fields of each side (`a` before `b`), and the other fields of the hand.
    """
    if message.key is None:
        return 0, ""
    if message.key in (SINGLE, OUT, CONCEALED):
        return 1, ""
    if message.key in HAND_KEYS:  # the last discard and the remarks
        return 3, ""
    side, _, _ = message.key.partition(".")
    return 2, side


# ---------------------------------------------------------------------------------------- the score


class _JudgedHand(NamedTuple):
    """What came of judging a typed hand.

    `scores` are those that are known. `judgement` is None if nothing is typed, or if a value cannot
    be used with the rules: then `unusable` says which one.
    """

    scores: Scores
    judgement: Judgement | None = None
    unusable: Unusable | None = None

    @property
    def can_be_counted(self) -> bool:
        """Whether the rules allow the hand, or the table may and did agree to it."""
        return self.judgement is not None and self.judgement.is_valid


def _judge_typed_hand(parsed: TypedHand, judge: Judge) -> _JudgedHand:
    """Apply the rules to a typed hand: find which of them are broken, and score the sides.

    If a side has an error, the other sides are scored without it.
    """
    if not parsed.draft:  # nothing is typed
        return _JudgedHand(scores=_no_scores(parsed.hand))
    try:
        judgement = judge(parsed.hand)
    except Unusable as unusable:
        wrong_part = _pointer_to_unusable(unusable)
        scores = _scores_of_other_sides(parsed, judge, [wrong_part])
        return _JudgedHand(scores=scores, unusable=unusable)

    if judgement.sides is not None:  # all sides have a score
        return _JudgedHand(scores=judgement.sides, judgement=judgement)
    wrong_parts = [finding.where for finding in judgement.findings if finding.is_error]
    scores = _scores_of_other_sides(parsed, judge, wrong_parts)
    return _JudgedHand(scores=scores, judgement=judgement)


def _scores_of_other_sides(
    parsed: TypedHand, judge: Judge, wrong_parts: Iterable[Pointer]
) -> Scores:
    """The scores of the sides without errors; None for the others, and for all sides if no score can
    be known.

    `wrong_parts` are the parts of the hand with errors: `("sides", 0, "melds", 1)`. The scores are
    worked out with a copy of the hand in which nothing is typed for the sides of these parts.
    """
    wrong_sides = _sides_of_parts(wrong_parts, parsed.hand)
    if wrong_sides is None:  # an error concerns the whole hand
        return _no_scores(parsed.hand)
    if _sides_share_scores(parsed.rules.settings):  # none can be scored without the others
        return _no_scores(parsed.hand)

    hand_of_other_sides = _without_entries_of(parsed.hand, wrong_sides)
    scores = _try_to_score(hand_of_other_sides, judge)
    if scores is None:
        return _no_scores(parsed.hand)
    return _without_scores_of(scores, wrong_sides)


def _sides_of_parts(parts: Iterable[Pointer], hand: Hand) -> set[int] | None:
    """The sides, by index, to which these parts of a hand belong: `("sides", 0, "melds", 1)` → {0}.

    None if one of the parts belongs to no side, but to the whole hand.
    """
    sides = set()
    for part in parts:
        side = side_at(part, hand)
        if side is None:
            return None
        sides.add(side)
    return sides


def _try_to_score(hand: Hand, judge: Judge) -> Scores | None:
    """The scores of all sides in a hand; None if the hand breaks rules, or has a value to which the
    rules cannot be applied.
    """
    try:
        judgement = judge(hand)
    except Unusable:
        return None
    return judgement.sides


def _no_scores(hand: Hand) -> Scores:
    """None for each side of a hand, which means that its score is not known."""
    return (None,) * len(hand.sides)


def _without_scores_of(scores: Scores, sides: Collection[int]) -> Scores:
    """A copy of the scores in which these sides, by index, have None: their score is not known."""
    remaining = list(scores)
    for side in sides:
        remaining[side] = None
    return tuple(remaining)


def _sides_share_scores(settings: Settings) -> bool:
    """Whether by these rules the score of a side can depend on the cards that another side laid on
    the table: because two sides can play a hand together, and score the same cards, or because red
    threes, which are bonus cards, can count for the opponents.
    """
    can_play_together = settings.partnership != "fixed"
    # Red threes of a side that laid nothing, or too little.
    can_threes_change_sides = settings.red_threes_otherwise == "to-opponents"
    # Red threes of a side that lacks some kinds of canastas (sets of seven cards or more).
    can_canastas_decide = any(share.opponents for share in settings.red_threes_by_families)
    return can_play_together or can_threes_change_sides or can_canastas_decide


def _without_entries_of(hand: Hand, wrong_sides: Collection[int]) -> Hand:
    """A copy of the hand in which nothing is typed for these sides, by index.

    If one of them went out (ended the hand by playing the last card), nobody did in the copy.
    """
    sides = list(hand.sides)
    for position in wrong_sides:
        sides[position] = SideEntry()
    out = hand.out
    if out is not None and out.side in wrong_sides:
        out = None
    return replace(hand, sides=tuple(sides), out=out)


def _pointer_to_unusable(error: Unusable) -> Pointer:
    """The path to the value of a hand with which it cannot be scored, taken from the key of the error:
    `sides/a/left/0` → `("sides", 0, "left", 0)`. The letter of a side becomes its index.
    """
    names = error.key.split("/")
    pointer = [_pointer_part(name) for name in names]
    is_in_a_side = names[0] == "sides" and len(names) > 1 and names[1] in SIDE_KEYS
    if is_in_a_side:
        pointer[1] = SIDE_KEYS.index(names[1])
    return tuple(pointer)


def _pointer_part(text: str) -> str | int:
    """One step of the path to a value: an index becomes a number, `0` → 0; a name such as `left` stays
    as it is.
    """
    is_index = text.isascii() and text.isdigit()
    if is_index:
        return int(text)
    return text
