"""The hands of a match: typed, counted, corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.pad.desk import Desk, View, saved
from scorepad.pad.errors import MatchOver
from scorepad.pad.judging import counted_sides, judge_hand
from scorepad.pad.log import EntryKind
from scorepad.pad.payloads import Counted, counted_json
from scorepad.pad.values import Kept, OpenHand, Refused, RequestId, Saved, Stale
from scorepad.rules.judge import Judgement


@dataclass(frozen=True, slots=True)
class Typed:
    """What a form holds of the open hand: which one, the version that the device had seen, and the fields, if sent."""

    hand_id: str
    version: int
    draft: Mapping[str, str] | None


def open_hand(seen: View) -> OpenHand:
    """The hand to be typed: what is kept of it, or an empty one, version 0. Raises MatchOver."""
    if seen.open_hand is not None:
        return seen.open_hand
    if seen.log.standing.finished:
        raise MatchOver(seen.log.match.id)
    return OpenHand(seen.coming_id, 0, len(seen.log.hands) + 1, {}, seen.log.changed)


def keep(desk: Desk, typed: Typed) -> Kept | Stale:
    """Keep what has been typed so far. Raises MatchOver where that would begin a hand of a finished match."""
    if not _is_fresh(desk.seen, typed):
        return desk.seen.stale
    return Kept(_kept(desk, typed) or open_hand(desk.seen))


def count(desk: Desk, request: RequestId, typed: Typed, hand: Mapping[str, Any]) -> Saved | Refused | Stale:
    """Count the open hand, if the rules allow it. Raises MatchOver and contract.Unusable."""
    if not _is_fresh(desk.seen, typed):
        return desk.seen.stale
    log = desk.log
    if log.standing.finished:
        raise MatchOver(log.match.id)
    before = log.scores[-1]
    judgement = judge_hand(log.rules, hand, before, len(log.hands) + 1)
    if not judgement.is_valid:
        return Refused(judgement, _kept(desk, typed))
    draft = typed.draft if typed.draft is not None else _draft(desk.seen)
    counted = Counted(len(log.hands) + 1, hand, before, counted_sides(judgement), judgement.findings, draft)
    entry = desk.append(EntryKind.HAND, request, counted_json(counted))
    desk.clear()
    return saved(entry, log.rules)


@dataclass(frozen=True, slots=True)
class Correction:
    """A hand counted again: its number, the entry that the device had seen of it, the hand, and why."""

    number: int
    seen_entry: int
    hand: Mapping[str, Any]
    note: str


def correct(desk: Desk, request: RequestId, correction: Correction) -> Saved | Refused | Stale:
    """Put a counted hand right; the scores after it follow. Raises contract.Unusable."""
    log = desk.log
    if not 1 <= correction.number <= len(log.hands):
        return desk.seen.stale
    if log.hands[correction.number - 1][-1].entry.sequence != correction.seen_entry:
        return desk.seen.stale
    before = log.scores[correction.number - 1]
    judgement = judge_hand(log.rules, correction.hand, before, correction.number)
    if not judgement.is_valid:
        return Refused(judgement, desk.seen.open_hand)
    counted = Counted(
        correction.number, correction.hand, before, counted_sides(judgement), judgement.findings,
        note=correction.note.strip(), replaces=correction.seen_entry,
    )  # fmt: skip
    return saved(desk.append(EntryKind.CORRECTION, request, counted_json(counted)), log.rules)


def preview(seen: View, hand: Mapping[str, Any], number: int | None) -> Judgement:
    """What the rules say of a hand while it is being typed; `number` is that of the hand being corrected.

    A number that the match no longer has is taken for the coming hand. Raises contract.Unusable.
    """
    scores = seen.log.scores
    asked = number if number is not None and 1 <= number <= len(scores) else len(scores)
    return judge_hand(seen.log.rules, hand, scores[asked - 1], asked)


def _is_fresh(seen: View, typed: Typed) -> bool:
    """Whether the device had seen what is kept; who sends the very same fields has."""
    if typed.hand_id != seen.coming_id:
        return False
    if seen.record is None:
        return typed.version == 0
    return typed.version == seen.record.version or typed.draft == seen.record.draft


def _kept(desk: Desk, typed: Typed) -> OpenHand | None:
    """What is kept of the open hand, with the fields that were sent."""
    if typed.draft is not None and typed.draft != _draft(desk.seen):
        if desk.seen.record is None and desk.log.standing.finished:
            raise MatchOver(desk.log.match.id)
        return desk.type_in(typed.draft)
    return desk.seen.open_hand


def _draft(seen: View) -> Mapping[str, str]:
    return seen.record.draft if seen.record else {}
