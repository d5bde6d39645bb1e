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
from scorepad.web.hand_entry.findings_shown import find_side_of_part, omit_consequences
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
    def messages_by_key(self) -> dict[str | None, list[FieldMessage]]:
        """Group the messages by the form field beside which they stand: `{"a.melds": [...]}`.

        Messages that stand above all fields have the key None.
        """
        messages_by_key: dict[str | None, list[FieldMessage]] = {}
        for message in self.messages:
            if message.key not in messages_by_key:
                messages_by_key[message.key] = []
            messages_by_key[message.key].append(message)
        return messages_by_key

    @cached_property
    def errors(self) -> Errors:
        """List the errors in the hand (round) for the summary above the form, without warnings."""
        return _make_error_summary(
            message for message in self.messages if message.tone is Tone.ERROR
        )

    @cached_property
    def missing_errors(self) -> Errors:
        """List what is still to be typed, to be shown below the summary of the errors.

        A line that stands in that summary (`errors`) already is left out.
        """
        lines = []
        for line in _make_error_summary(self.missing):
            if line not in self.errors:
                lines.append(line)
        return tuple(lines)


def _make_error_summary(messages: Iterable[FieldMessage]) -> Errors:
    """Make the lines of an error summary, each with a text and a link to a form field.

    The link is the HTML id of the field. Two messages with the same text and field give only one
    line.
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
    """Report on a hand (a round of the game) that is being typed into the form.

    The page shows the result beside the form: what is unreadable or missing, which rules of the
    game are broken, and the score of each side as far as it is known.

    `names` are those of the sides. `judge` is the function that applies the rules. `is_final` is
    True when the hand is to be saved: then missing input is an error.
    """
    judged = _judge_typed_hand(parsed, judge)
    writer = MessageWriter(parsed, names, words, is_final=is_final, is_agreed=judged.can_be_counted)
    missing = _describe_missing_input(parsed, writer)
    messages = _describe_unreadable_input(parsed, writer)
    if is_final:  # what is missing is an error now
        messages += missing
    messages += _describe_unusable_value(judged.unusable, parsed, writer)
    messages += _describe_broken_rules(judged.findings, parsed, writer)
    return Report(
        messages=tuple(sorted(messages, key=_sort_key_of_message)),
        missing=tuple(missing),
        scores=_remove_scores(judged.scores, parsed.unfinished),
        agreement=_decide_agreement(parsed, judged.findings, judged.unusable),
        is_opening_unknown=any(finding.code == _OPENING_UNKNOWN for finding in judged.findings),
    )


def _describe_missing_input(parsed: TypedHand, writer: MessageWriter) -> list[FieldMessage]:
    """Write a message for each field that still has to be filled in, such as who went out."""
    return [writer.describe_problem(problem) for problem in parsed.problems if problem.missing]


def _describe_unreadable_input(parsed: TypedHand, writer: MessageWriter) -> list[FieldMessage]:
    """Write a message for each field whose text cannot be read, such as `12a` for a number."""
    return [writer.describe_problem(problem) for problem in parsed.problems if not problem.missing]


def _describe_unusable_value(
    unusable: Unusable | None, parsed: TypedHand, writer: MessageWriter
) -> list[FieldMessage]:
    """Write the message about a value that can be read but not used, if there is one.

    `unusable` is the exception that the rules raised for it, for example for a last discard of
    several cards where it must be one. The list is empty or has one message.
    """
    if unusable is None:
        return []
    if parsed.is_single_missing:
        # Which values can be used depends on the side that plays alone against the others, and
        # that is still to be typed.
        return []
    return [writer.describe_unusable_value(unusable, _find_part_with_unusable_value(unusable))]


def _describe_broken_rules(
    findings: Iterable[Finding], parsed: TypedHand, writer: MessageWriter
) -> list[FieldMessage]:
    """Write the messages about the rules of the game that a typed hand (round) breaks.

    A broken rule that is only the likely consequence of another one gets no message.
    """
    # The page shows this finding as a hint of its own: it is no broken rule.
    broken_rules = [finding for finding in findings if finding.code != _OPENING_UNKNOWN]

    messages: list[FieldMessage] = []
    for finding in omit_consequences(broken_rules, parsed.hand):
        messages += writer.describe_broken_rule(finding)
    return messages


def _decide_agreement(
    parsed: TypedHand, findings: Sequence[Finding], unusable: Unusable | None
) -> Agreement:
    """Decide whether the page offers the players to count a hand (round) although it breaks rules.

    Some rules can never be set aside, for example that a card must exist. For the others the offer
    is made when nothing else is wrong, that is, no typed value is missing, unreadable or unusable.
    """
    errors = [finding for finding in findings if finding.is_error]
    if not errors:
        return Agreement.NOT_OFFERED
    can_all_be_agreed = all(error.may_be_agreed for error in errors)
    if not can_all_be_agreed:
        return Agreement.NEVER

    # The players type in the offer itself what they agreed: that field may still be wrong.
    other_problems = [problem for problem in parsed.problems if problem.key != AGREED]
    if other_problems or unusable is not None:
        return Agreement.NOT_OFFERED
    return Agreement.POSSIBLE


def _sort_key_of_message(message: FieldMessage) -> tuple[int, str]:
    """Return the sort key that puts a message where its field stands on the page.

    The order is: messages above all fields, questions about the hand (who went out), the fields of
    the sides (`a.melds` before `b.melds`), the other fields of the hand (the last discard).
    """
    if message.key is None:  # above all fields
        return 0, ""
    if message.key in (SINGLE, OUT, CONCEALED):  # the questions about the hand
        return 1, ""
    if message.key in HAND_KEYS:  # the last discard and the remarks
        return 3, ""
    side, _, _ = message.key.partition(".")  # `a` of `a.melds`
    return 2, side


# ---------------------------------------------------------------------------------------- the score


class _JudgedHand(NamedTuple):
    """What came of applying the rules to a typed hand.

    `scores` are those that are known, `findings` the rules that are broken for certain. `unusable`
    says which value the rules cannot be applied to, if there is one: then nothing else was found.
    `can_be_counted`: the hand keeps the rules, or the players agreed to count it all the same.
    """

    scores: Scores
    findings: tuple[Finding, ...] = ()
    unusable: Unusable | None = None
    can_be_counted: bool = False


def _judge_typed_hand(parsed: TypedHand, judge: Judge) -> _JudgedHand:
    """Apply the rules of the game to a typed hand (round): find broken rules, and score the sides.

    An error of one side does not hide the score of the others: they are scored without that side.
    """
    if not parsed.draft:  # nothing is typed
        return _JudgedHand(scores=_make_unknown_scores(parsed.hand))
    try:
        judgement = judge(parsed.hand)
    except Unusable as unusable:
        wrong_part = _find_part_with_unusable_value(unusable)
        scores = _score_sides_without_errors(parsed, judge, [wrong_part])
        return _JudgedHand(scores, unusable=unusable)

    if judgement.sides is not None:
        scores = judgement.sides
    else:  # errors prevent scoring the whole hand
        wrong_parts = [finding.where for finding in judgement.findings if finding.is_error]
        scores = _score_sides_without_errors(parsed, judge, wrong_parts)
    return _JudgedHand(
        scores,
        findings=_select_certain_findings(judgement.findings, parsed),
        can_be_counted=judgement.is_valid,
    )


def _select_certain_findings(findings: Iterable[Finding], parsed: TypedHand) -> tuple[Finding, ...]:
    """Select the broken rules (findings) that are certain, whatever is still to be typed.

    As long as it is not typed which side plays alone against two others, only faults within a
    single card, number or group of cards are certain: all others depend on who plays with whom.
    """
    if not parsed.is_single_missing:
        return tuple(findings)
    return tuple(finding for finding in findings if finding.nature.by_itself)


def _score_sides_without_errors(
    parsed: TypedHand, judge: Judge, wrong_parts: Iterable[Pointer]
) -> Scores:
    """Score the sides of a typed hand (round) whose own fields have no error.

    `wrong_parts` are the paths to what is wrong, such as `("sides", 0, "melds", 1)`.

    - only side 0 of two sides has an error → `(None, score of side 1)`
    - an error concerns the whole hand, or a score can depend on what is wrong → None for all sides

    The scores come from a copy of the hand in which the fields of the wrong sides are empty.
    """
    unknown = _make_unknown_scores(parsed.hand)
    wrong_sides = _find_sides_of_parts(wrong_parts, parsed.hand)
    if wrong_sides is None:  # an error concerns the whole hand
        return unknown
    if _can_score_depend_on_other_side(parsed.rules.settings):
        return unknown

    hand_of_other_sides = _empty_entries_of_sides(parsed.hand, wrong_sides)
    scores = _try_to_score(hand_of_other_sides, judge)
    if scores is None:
        return unknown
    return _remove_scores(scores, wrong_sides)


def _find_sides_of_parts(parts: Iterable[Pointer], hand: Hand) -> set[int] | None:
    """Find the sides, by index, to which these parts of a hand (round) belong.

    - `[("sides", 0, "melds", 1), ("sides", 0, "left")]` → `{0}`
    - `[("sides", 0, "left"), ("sides",)]` → None: the second part is what all sides typed
    """
    sides = set()
    for part in parts:
        side = find_side_of_part(part, hand)
        if side is None:
            return None
        sides.add(side)
    return sides


def _try_to_score(hand: Hand, judge: Judge) -> Scores | None:
    """Score all sides of a hand (round).

    Returns None if the hand breaks rules, or has a value that the rules cannot use.
    """
    try:
        judgement = judge(hand)
    except Unusable:
        return None
    return judgement.sides


def _make_unknown_scores(hand: Hand) -> Scores:
    """Return the scores of a hand (round) of which no score is known: None for each side."""
    return (None,) * len(hand.sides)


def _remove_scores(scores: Scores, sides: Collection[int]) -> Scores:
    """Return a copy of the scores with None for these sides, whose score is not known.

    The scores of three sides without side 1 → `(score, None, score)`.
    """
    remaining = list(scores)
    for side in sides:
        remaining[side] = None
    return tuple(remaining)


def _can_score_depend_on_other_side(settings: Settings) -> bool:
    """Tell whether the score of a side can depend on the cards that another side laid on the table.

    If it can, no side is scored as long as another one has an error.
    """
    if settings.partnership != "fixed":
        return True  # two sides can play together, and score the same cards
    if settings.red_threes_otherwise == "to-opponents":
        return True  # red threes (bonus cards) of a side that laid too little count for the others
    # The same may hold for a side that lacks some kinds of canastas (groups of seven cards or more).
    return any(share.opponents for share in settings.red_threes_by_families)


def _empty_entries_of_sides(hand: Hand, wrong_sides: Collection[int]) -> Hand:
    """Return a copy of a hand (round) in which nothing is typed for these sides, given by index.

    If one of them went out (ended the round by playing its last card), nobody did in the copy.
    """
    sides = list(hand.sides)
    for position in wrong_sides:
        sides[position] = SideEntry()
    out = hand.out
    if out is not None and out.side in wrong_sides:
        out = None
    return replace(hand, sides=tuple(sides), out=out)


def _find_part_with_unusable_value(error: Unusable) -> Pointer:
    """Find the part of a hand (round) whose value cannot be used, from the key in the error.

    The key names a side by its letter, the result by its index: `sides/a/left/0` → `("sides", 0,
    "left", 0)`.
    """
    names = error.key.split("/")
    pointer = [_read_step_of_path(name) for name in names]
    is_in_a_side = names[0] == "sides" and len(names) > 1 and names[1] in SIDE_KEYS
    if is_in_a_side:
        pointer[1] = SIDE_KEYS.index(names[1])
    return tuple(pointer)


def _read_step_of_path(text: str) -> str | int:
    """Turn one step of a path into an index if it is one: `"0"` → 0, `"left"` → `"left"`."""
    is_index = text.isascii() and text.isdigit()
    if is_index:
        return int(text)
    return text
