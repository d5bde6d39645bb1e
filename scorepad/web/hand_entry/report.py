"""The report on a hand while it is typed: its scores, and the messages for its fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
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

    NOT_NEEDED = ""
    """No rule is broken, or something else must be corrected first."""
    POSSIBLE = "possible"
    NEVER = "never"
    """A broken rule is one that no table can set aside, such as a card that does not exist."""


@dataclass(slots=True)
class Report:
    """The report on a hand: its messages, and the scores of the sides that no error can change.

    `missing`: input still to be typed; when the hand is saved it is an error too.
    `is_opening_unknown`: totals do not show with which cards a side opened; this is not an error.
    """

    messages: tuple[FieldMessage, ...] = ()
    missing: tuple[FieldMessage, ...] = ()
    scores: Scores = (None, None, None)
    agreement: Agreement = Agreement.NOT_NEEDED
    is_opening_unknown: bool = False

    beside: dict[str | None, list[FieldMessage]] = dataclass_field(default_factory=dict)
    """The messages by key of the field."""
    errors: Errors = ()
    """The errors, as lines of a summary, each once."""
    missing_errors: Errors = ()
    """The missing input, as lines of a summary, without what is already an error."""

    def __post_init__(self) -> None:
        errors = []
        for message in self.messages:
            if message.key not in self.beside:
                self.beside[message.key] = []
            self.beside[message.key].append(message)
            if message.tone is Tone.ERROR:
                errors.append(message)
        self.errors = _summarize(errors)
        self.missing_errors = tuple(
            error for error in _summarize(self.missing) if error not in self.errors
        )


def _summarize(messages: Iterable[FieldMessage]) -> Errors:
    """The lines of a summary of messages, each once, with a link to the field."""
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
    """Report on a hand as far as it is typed.

    `names` are those of the sides. `is_final`: the hand is to be saved, so missing input is an
    error.
    """
    outcome = _judge_typed_hand(parsed, judge)
    is_agreed = outcome.judgement is not None and outcome.judgement.is_valid
    writer = MessageWriter(parsed, names, words, is_final, is_agreed)

    messages = []
    missing = []
    for problem in parsed.problems:
        message = writer.problem_message(problem)
        if problem.missing:
            missing.append(message)
        else:
            messages.append(message)
    if is_final:
        messages += missing
    if outcome.unusable and not parsed.is_single_missing:
        where = _pointer_to_unusable(outcome.unusable)
        messages.append(writer.unusable_message(outcome.unusable, where))
    findings = _known_findings(parsed, outcome.judgement)
    shown = [finding for finding in findings if finding.code != "opening-unknown"]
    for finding in findings_to_show(shown, parsed.hand):
        messages += writer.finding_messages(finding)

    return Report(
        messages=tuple(sorted(messages, key=_page_order)),
        missing=tuple(missing),
        scores=_without_scores_of(outcome.scores, parsed.unfinished),
        agreement=_possible_agreement(parsed, findings, outcome.unusable),
        is_opening_unknown=len(shown) < len(findings),
    )


def _known_findings(parsed: TypedHand, judgement: Judgement | None) -> list[Finding]:
    """The broken rules of a hand. Until it is known which sides play together, those that depend on
    it are left out.
    """
    if judgement is None:
        return []
    if not parsed.is_single_missing:
        return list(judgement.findings)
    return [finding for finding in judgement.findings if finding.nature.by_itself]


def _possible_agreement(
    parsed: TypedHand, findings: Sequence[Finding], unusable: Unusable | None
) -> Agreement:
    """Whether the table can agree to count the hand although it breaks these rules."""
    errors = [finding for finding in findings if finding.is_error]
    if not all(error.may_be_agreed for error in errors):
        return Agreement.NEVER
    other_problems = [problem for problem in parsed.problems if problem.key != AGREED]
    if unusable or other_problems:
        return Agreement.NOT_NEEDED
    if not errors:
        return Agreement.NOT_NEEDED
    return Agreement.POSSIBLE


def _page_order(message: FieldMessage) -> tuple[int, str]:
    """Sort key of a message: by part of the page, and in the part of the sides by side."""
    if message.key is None:
        return 0, ""
    if message.key in (SINGLE, OUT, CONCEALED):
        return 1, ""
    if message.key in HAND_KEYS:  # the last discard and the remarks
        return 3, ""
    side, _, _ = message.key.partition(".")
    return 2, side


# ---------------------------------------------------------------------------------------- the score


class _JudgedDraft(NamedTuple):
    """What came of judging a typed hand: the judgement, or the value that made it unusable; and the
    scores as far as they are known.
    """

    judgement: Judgement | None
    unusable: Unusable | None
    scores: Scores


def _judge_typed_hand(parsed: TypedHand, judge: Judge) -> _JudgedDraft:
    """Judge the readable input of a hand. If only some of its sides have errors, the scores of the
    others are known all the same.
    """
    if not parsed.draft:
        return _JudgedDraft(None, None, _no_scores(parsed.hand))
    try:
        judgement = judge(parsed.hand)
    except Unusable as unusable:
        wrong_part = _pointer_to_unusable(unusable)
        return _JudgedDraft(None, unusable, _scores_of_other_sides(parsed, judge, [wrong_part]))
    if judgement.sides:
        return _JudgedDraft(judgement, None, judgement.sides)
    wrong_parts = [finding.where for finding in judgement.findings if finding.is_error]
    return _JudgedDraft(judgement, None, _scores_of_other_sides(parsed, judge, wrong_parts))


def _scores_of_other_sides(
    parsed: TypedHand, judge: Judge, wrong_parts: Iterable[Pointer]
) -> Scores:
    """The scores of the sides to which none of these wrong parts of the hand belongs.

    They are judged again in a hand in which the other sides have nothing. No score is known if a
    wrong part concerns the whole hand, or if the score of a side depends on the others.
    """
    wrong_sides = set()
    for where in wrong_parts:
        side = side_at(where, parsed.hand)
        if side is None:
            return _no_scores(parsed.hand)
        wrong_sides.add(side)
    if _sides_share_scores(parsed.rules.settings):
        return _no_scores(parsed.hand)
    try:
        judgement = judge(_without_entries_of(parsed.hand, wrong_sides))
    except Unusable:
        return _no_scores(parsed.hand)
    if judgement.sides is None:
        return _no_scores(parsed.hand)
    return _without_scores_of(judgement.sides, wrong_sides)


def _no_scores(hand: Hand) -> Scores:
    return (None,) * len(hand.sides)


def _without_scores_of(scores: Scores, sides: Collection[int]) -> Scores:
    """The scores with None for these sides."""
    remaining = list(scores)
    for side in sides:
        remaining[side] = None
    return tuple(remaining)


def _sides_share_scores(settings: Settings) -> bool:
    """Whether the score of a side can depend on the melds of another."""
    if settings.partnership != "fixed" or settings.red_threes_otherwise == "to-opponents":
        return True
    return any(share.opponents for share in settings.red_threes_by_families)


def _without_entries_of(hand: Hand, wrong_sides: Collection[int]) -> Hand:
    """The hand with nothing typed for these sides; if one of them went out, nobody did."""
    sides = list(hand.sides)
    for position in wrong_sides:
        sides[position] = SideEntry()
    out = hand.out
    if out is not None and out.side in wrong_sides:
        out = None
    return replace(hand, sides=tuple(sides), out=out)


def _pointer_to_unusable(error: Unusable) -> Pointer:
    """The part of the hand that has the unusable value: `sides/a/left/0` → `("sides", 0, "left", 0)`."""
    parts: list[str | int] = []
    for part in error.key.split("/"):
        is_index = part.isascii() and part.isdigit()
        parts.append(int(part) if is_index else part)
    if parts[0] == "sides" and len(parts) > 1 and parts[1] in SIDE_KEYS:
        parts[1] = SIDE_KEYS.index(str(parts[1]))
    return tuple(parts)
