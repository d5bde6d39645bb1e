"""The hands of a match: typed, counted, corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorepad.matches.answers import Kept, NoteWanted, Refused, Saved, Stale
from scorepad.matches.desk import Desk, View, saved
from scorepad.matches.errors import MatchOver
from scorepad.matches.judging import counted_sides, judge_hand
from scorepad.matches.kinds import EntryKind
from scorepad.matches.notes import says_something, tidy_note
from scorepad.matches.payloads import Counted, counted_json
from scorepad.matches.values import OpenHand, Said
from scorepad.matches.who import RequestId
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
        seen = desk.seen.shelf.draft(desk.log.match.id, typed.hand_id, typed.version)
        return replace(desk.seen.stale, seen=seen)
    return Kept(_kept(desk, typed) or open_hand(desk.seen))


def count(desk: Desk, request: RequestId, typed: Typed, hand: Mapping[str, Any], said: Said) -> Saved | Refused | Stale:
    """Count the open hand, if the rules allow it. Raises MatchOver and contract.Unusable."""
    if not _is_fresh(desk.seen, typed):
        return desk.seen.stale
    log = desk.log
    if log.standing.finished:
        raise MatchOver(log.match.id)
    before = log.scores[-1]
    judgement = judge_hand(log.rules, hand, before, log.deals + 1, by_agreement=says_something(said.agreed))
    if not judgement.is_valid:
        return Refused(judgement, _kept(desk, typed))
    draft = typed.draft if typed.draft is not None else _draft(desk.seen)
    counted = Counted(
        len(log.hands) + 1, hand, before, counted_sides(judgement), judgement.findings, draft,
        said=_needed(said, judgement), by=desk.side, played=log.begins.played,
    )  # fmt: skip
    entry = desk.append(EntryKind.HAND, request, counted_json(counted))
    desk.clear()
    return saved(entry, log.rules)


@dataclass(frozen=True, slots=True)
class Correction:
    """A hand counted again: its number, the entry that the device had seen of it, the hand, why, and what was said.

    `draft` are the fields as typed, empty where none were.
    """

    number: int
    seen_entry: int
    hand: Mapping[str, Any]
    note: str
    said: Said
    draft: Mapping[str, str] = field(default_factory=dict)


def correct(desk: Desk, request: RequestId, correction: Correction) -> Saved | Refused | NoteWanted | Stale:
    """Put a counted hand right; the scores after it follow. Raises contract.Unusable."""
    if not stands_as_seen(desk, correction.number, correction.seen_entry):
        return desk.seen.stale
    marks = desk.log.marks[correction.number - 1]
    if marks.confirmed and not says_something(correction.note):
        return NoteWanted()
    remark = _remark(
        desk.log.hands[correction.number - 1][-1].counted.said.remark, marks.remark, correction.said.remark
    )
    if remark is None:
        return desk.seen.stale
    wanted = replace(correction, said=replace(correction.said, remark=remark))
    return count_again(desk, request, EntryKind.CORRECTION, wanted)


def _remark(counted: str, stands: str, sent: str) -> str | None:
    """The note on a hand after a correction: what stands there unless that was changed; None where both changed it."""
    sent = tidy_note(sent)
    if sent in (stands, counted):
        return stands
    return sent if stands == counted else None


def stands_as_seen(desk: Desk, number: int, seen_entry: int) -> bool:
    """Whether a hand is there, and counts as the device had seen it."""
    hands = desk.log.hands
    return 1 <= number <= len(hands) and hands[number - 1][-1].entry.sequence == seen_entry


def count_again(desk: Desk, request: RequestId, kind: EntryKind, wanted: Correction) -> Saved | Refused:
    """Another counting of a hand, if the rules allow it. Raises contract.Unusable."""
    log = desk.log
    before, played = log.scores[wanted.number - 1], log.begins.played
    agreed = says_something(wanted.said.agreed)
    judgement = judge_hand(log.rules, wanted.hand, before, wanted.number + played, by_agreement=agreed)
    if not judgement.is_valid:
        return Refused(judgement, desk.seen.open_hand)
    counted = Counted(
        wanted.number, wanted.hand, before, counted_sides(judgement), judgement.findings, wanted.draft,
        note=tidy_note(wanted.note), replaces=wanted.seen_entry,
        said=_needed(wanted.said, judgement), by=desk.side, played=played,
    )  # fmt: skip
    return saved(desk.append(kind, request, counted_json(counted)), log.rules)


def _needed(said: Said, judgement: Judgement) -> Said:
    """What was said, without an agreement that nothing called for."""
    broken = any(finding.is_error for finding in judgement.findings)
    return Said(tidy_note(said.remark), tidy_note(said.agreed) if broken else "")


def preview(seen: View, hand: Mapping[str, Any], number: int | None, said: Said) -> Judgement:
    """What the rules say of a hand while it is being typed; `number` is that of the hand being corrected.

    A number that the match no longer has is taken for the coming hand. Raises contract.Unusable.
    """
    scores = seen.log.scores
    asked = number if number is not None and 1 <= number <= len(scores) else len(scores)
    deal = asked + seen.log.begins.played
    return judge_hand(seen.log.rules, hand, scores[asked - 1], deal, by_agreement=says_something(said.agreed))


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
