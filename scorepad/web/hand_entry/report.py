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
    html_id,
)
from scorepad.web.hand_reading import TypedHand

Judge = Callable[[Hand], Judgement]
"""Judges a hand; raises Unusable."""


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
    scores: tuple[SideScore | None, ...] = (None, None, None)
    agreement: Agreement = Agreement.NOT_NEEDED
    is_opening_unknown: bool = False

    beside: dict[str | None, list[FieldMessage]] = dataclass_field(default_factory=dict)
    """The messages by field."""
    errors: Errors = ()
    """The errors, as lines of a summary, each once."""
    missing_errors: Errors = ()
    """The missing input, as lines of a summary, without what is already an error."""

    def __post_init__(self) -> None:
        for message in self.messages:
            self.beside.setdefault(message.key, []).append(message)
        self.errors = _summary(message for message in self.messages if message.tone is Tone.ERROR)
        self.missing_errors = tuple(
            error for error in _summary(self.missing) if error not in self.errors
        )


def _summary(messages: Iterable[FieldMessage]) -> Errors:
    lines = []
    for message in messages:
        field_id = html_id(message.leads_to) if message.leads_to else None
        lines.append(FieldError(field_id, message.text))
    return tuple(dict.fromkeys(lines))


def report(
    parsed: TypedHand, names: tuple[str, ...], judge: Judge, words: Words, *, final: bool = False
) -> Report:
    """Judge a hand as far as it is typed. `final`: it is to be saved, so missing input is an error."""
    outcome = _judge_typed_hand(judge, parsed)
    is_agreed = outcome.judgement is not None and outcome.judgement.is_valid
    writer = MessageWriter(parsed, names, words, final, is_agreed)

    messages = []
    missing = []
    for problem in parsed.problems:
        if problem.missing:
            missing.append(writer.of_problem(problem))
        else:
            messages.append(writer.of_problem(problem))
    if final:
        messages += missing
    if outcome.unusable and not parsed.unseated:
        messages.append(writer.of_unusable(outcome.unusable, _pointer_of(outcome.unusable)))
    findings = _known_findings(parsed, outcome.judgement)
    shown = [finding for finding in findings if finding.code != "opening-unknown"]
    for finding in findings_to_show(shown, parsed.hand):
        messages += writer.of_finding(finding)

    scores: list[SideScore | None] = list(outcome.scores)
    for position in parsed.unfinished:
        scores[position] = None
    return Report(
        messages=tuple(sorted(messages, key=_page_order)),
        missing=tuple(missing),
        scores=tuple(scores),
        agreement=_agreement(parsed, findings, outcome.unusable),
        is_opening_unknown=len(shown) < len(findings),
    )


def _known_findings(parsed: TypedHand, judgement: Judgement | None) -> list[Finding]:
    """The findings without those that depend on which sides lay together, until that is known."""
    if judgement is None:
        return []
    if not parsed.unseated:
        return list(judgement.findings)
    return [finding for finding in judgement.findings if finding.nature.by_itself]


def _agreement(
    parsed: TypedHand, findings: Sequence[Finding], unusable: Unusable | None
) -> Agreement:
    """Whether the table can agree to count the hand with these findings."""
    errors = [finding for finding in findings if finding.is_error]
    if not all(error.may_be_agreed for error in errors):
        return Agreement.NEVER
    other_problems = [problem for problem in parsed.problems if problem.key != AGREED]
    if unusable or other_problems or not errors:
        return Agreement.NOT_NEEDED
    return Agreement.POSSIBLE


def _page_order(message: FieldMessage) -> tuple[int, str]:
    """Going out comes first on the page, then the sides, then the remarks."""
    if message.key is None:
        return 0, ""
    if message.key not in HAND_KEYS:
        return 2, message.key[0]
    is_about_going_out = HAND_KEYS.index(message.key) <= HAND_KEYS.index(CONCEALED)
    return (1 if is_about_going_out else 3), ""


# ---------------------------------------------------------------------------------------- the score


class _TypedJudgement(NamedTuple):
    """The judgement of a typed hand, or the value that made it unusable; and by side the score, None
    if it is not known.
    """

    judgement: Judgement | None
    unusable: Unusable | None
    scores: tuple[SideScore | None, ...]


def _judge_typed_hand(judge: Judge, parsed: TypedHand) -> _TypedJudgement:
    """Judge the readable input. If all errors are of some sides, the scores of the others are still
    known.
    """
    hand = parsed.hand
    no_scores = (None,) * len(hand.sides)
    if not parsed.draft:
        return _TypedJudgement(None, None, no_scores)
    try:
        judgement = judge(hand)
    except Unusable as unusable:
        scores = _scores_without(judge, parsed, [_pointer_of(unusable)])
        return _TypedJudgement(None, unusable, scores or no_scores)
    if judgement.sides:
        return _TypedJudgement(judgement, None, judgement.sides)
    errors = [finding.where for finding in judgement.findings if finding.is_error]
    scores = _scores_without(judge, parsed, errors)
    return _TypedJudgement(judgement, None, scores or no_scores)


def _scores_without(
    judge: Judge, parsed: TypedHand, wrong_parts: Iterable[Pointer]
) -> tuple[SideScore | None, ...] | None:
    """The scores of the sides to which none of these wrong parts of the hand belongs; None if the
    sides cannot be scored by themselves.
    """
    wrong_sides = set()
    for where in wrong_parts:
        side = side_at(where, parsed.hand)
        if side is None:  # it concerns the hand as a whole
            return None
        wrong_sides.add(side)
    if _sides_share_scores(parsed.rules.settings):
        return None
    try:
        judgement = judge(_without_sides(parsed.hand, wrong_sides))
    except Unusable:
        return None
    if judgement.sides is None:
        return None
    scores: list[SideScore | None] = list(judgement.sides)
    for side in wrong_sides:
        scores[side] = None
    return tuple(scores)


def _sides_share_scores(settings: Settings) -> bool:
    """Whether the score of a side can depend on the melds of another."""
    return (
        any(share.opponents for share in settings.red_threes_by_families)
        or settings.red_threes_otherwise == "to-opponents"
        or settings.partnership != "fixed"
    )


def _without_sides(hand: Hand, wrong_sides: Collection[int]) -> Hand:
    """The hand with nothing typed for these sides."""
    sides = []
    for position, side in enumerate(hand.sides):
        sides.append(SideEntry() if position in wrong_sides else side)
    out = hand.out
    if out is not None and out.side in wrong_sides:
        out = None
    return replace(hand, sides=tuple(sides), out=out)


def _pointer_of(error: Unusable) -> Pointer:
    """Where an unusable value stands in the hand."""
    parts: list[str | int] = []
    for part in error.key.split("/"):
        parts.append(int(part) if part.isascii() and part.isdigit() else part)
    if parts[0] == "sides" and len(parts) > 1 and parts[1] in SIDE_KEYS:
        parts[1] = SIDE_KEYS.index(str(parts[1]))
    return tuple(parts)
