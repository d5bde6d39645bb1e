"""The hands of a match: typed, counted, corrected, undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorepad.matches.access import RequestId
from scorepad.matches.errors import MatchOver
from scorepad.matches.events import Contest, Correction, Counted, EntryKind, Hand, Penalty, RulingKept, Undo
from scorepad.matches.judgement import counted_sides, judge_hand
from scorepad.matches.names import says_something, tidy_note
from scorepad.matches.projection import MatchState, OpenHand, Undoable
from scorepad.matches.results import Kept, NoteWanted, Refused, Said, Saved, Stale
from scorepad.matches.transaction import Transaction, require_going_on
from scorepad.rules.judge import Judgement


@dataclass(frozen=True, slots=True)
class Typed:
    """What a form holds of the open hand: which one, the version that the device had seen, and the fields, if sent."""

    hand_id: str
    version: int
    draft: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Recount:
    """A hand counted again: its number, the entry that the device had seen of it, the hand, why, and notes.

    `draft` are the fields as typed, empty where none were.
    """

    number: int
    seen_entry: int
    hand: Mapping[str, Any]
    note: str
    said: Said
    draft: Mapping[str, str] = field(default_factory=dict)


def open_hand(match: MatchState) -> OpenHand:
    """The hand to be typed: what is stored of it, or an empty one, version 0. Raises MatchOver."""
    if match.open_hand is not None:
        return match.open_hand
    if match.standing.finished:
        raise MatchOver(match.id)
    return OpenHand(match.coming_id, 0, len(match.hands) + 1, {}, match.changed)


def keep(tx: Transaction, typed: Typed) -> Kept | Stale:
    """Store what has been typed so far. Raises MatchOver where that would begin a hand of a finished match."""
    if not _is_fresh(tx, typed):
        seen = tx.cache.draft(tx.match.id, typed.hand_id, typed.version)
        return replace(tx.stale, seen=seen)
    return Kept(_store_draft(tx, typed) or open_hand(tx.match))


def count(
    tx: Transaction, request: RequestId, typed: Typed, hand: Mapping[str, Any], said: Said
) -> Saved | Refused | Stale:
    """Count the open hand, if the rules allow it. Raises MatchOver and Unusable."""
    if not _is_fresh(tx, typed):
        return tx.stale
    match = tx.match
    require_going_on(match)
    judgement = _judge(match, len(match.hands) + 1, hand, said)
    if not judgement.is_valid:
        return Refused(judgement, _store_draft(tx, typed))
    counted = Hand(
        number=len(match.hands) + 1,
        hand=dict(hand),
        before=match.scores[-1],
        sides=counted_sides(judgement),
        findings=judgement.findings,
        draft=dict(tx.draft if typed.draft is None else typed.draft),
        remark=tidy_note(said.remark),
        agreed=_agreement(said, judgement),
        by=tx.side,
        played=match.played,
    )
    saved = tx.append(counted, request)
    tx.drop_draft()
    return saved


def correct(tx: Transaction, request: RequestId, wanted: Recount) -> Saved | Refused | NoteWanted | Stale:
    """Correct a counted hand; the scores after it follow. Raises Unusable."""
    if not tx.match.has_hand(wanted.number, wanted.seen_entry):
        return tx.stale
    hand = tx.match.hands[wanted.number - 1]
    if hand.checked.confirmed and not says_something(wanted.note):
        return NoteWanted()
    remark = _merged_remark(hand.versions[-1].counted.remark, hand.remark, tidy_note(wanted.said.remark))
    if remark is None:
        return tx.stale
    return count_again(tx, request, Correction, replace(wanted, said=replace(wanted.said, remark=remark)))


def count_again(
    tx: Transaction, request: RequestId, event: type[Correction | Contest], wanted: Recount
) -> Saved | Refused:
    """Store another count of a hand, if the rules allow it. Raises Unusable."""
    match = tx.match
    judgement = _judge(match, wanted.number, wanted.hand, wanted.said)
    if not judgement.is_valid:
        return Refused(judgement, match.open_hand)
    counted = event(
        number=wanted.number,
        hand=dict(wanted.hand),
        before=match.scores[wanted.number - 1],
        sides=counted_sides(judgement),
        findings=judgement.findings,
        draft=dict(wanted.draft),
        replaces=wanted.seen_entry,
        note=tidy_note(wanted.note),
        remark=tidy_note(wanted.said.remark),
        agreed=_agreement(wanted.said, judgement),
        by=tx.side,
        played=match.played,
    )
    return tx.append(counted, request)


def preview(match: MatchState, hand: Mapping[str, Any], number: int | None, said: Said) -> Judgement:
    """Judge a hand while it is typed; `number` is that of the hand being corrected.

    A number that the match no longer has is taken for the coming hand. Raises Unusable.
    """
    hands = len(match.scores)
    return _judge(match, number if number is not None and 1 <= number <= hands else hands, hand, said)


def _judge(match: MatchState, number: int, hand: Mapping[str, Any], said: Said) -> Judgement:
    before = match.scores[number - 1]
    return judge_hand(match.rules, hand, before, match.called(number), by_agreement=says_something(said.agreed))


def _agreement(said: Said, judgement: Judgement) -> str:
    """Why the table agreed; empty where nothing needed it."""
    return tidy_note(said.agreed) if any(finding.is_error for finding in judgement.findings) else ""


def _merged_remark(counted: str, stands: str, sent: str) -> str | None:
    """The note on a hand after a correction: what stands unless that was changed; None where both changed it."""
    if sent in (stands, counted):
        return stands
    return sent if stands == counted else None


def _is_fresh(tx: Transaction, typed: Typed) -> bool:
    """Whether the device had seen what is stored, or sends the same fields."""
    if typed.hand_id != tx.match.coming_id:
        return False
    if tx.record is None:
        return typed.version == 0
    return typed.version == tx.record.version or typed.draft == tx.record.draft


def _store_draft(tx: Transaction, typed: Typed) -> OpenHand | None:
    """Store the fields that were sent, if they differ; what is stored then."""
    if typed.draft is not None and typed.draft != tx.draft:
        if tx.record is None:
            require_going_on(tx.match)
        return tx.put_draft(typed.draft)
    return tx.match.open_hand


# ---------------------------------------------------------------------------------------------------- undo


def undo(tx: Transaction, request: RequestId, seen_sequence: int, note: str) -> Saved | NoteWanted | Stale:
    """Undo the last thing done, if the device had seen it; a hand becomes the open hand again, as it was typed.

    Where somebody is typing the next hand already, that stays. What the other side had agreed to takes a note.
    """
    match, last = tx.match, tx.match.undoable
    if seen_sequence != match.sequence or last is None:
        return tx.stale
    if last.guarded and not says_something(note):
        return NoteWanted()
    is_typed = last.kind == EntryKind.HAND and _is_typed(tx)
    saved = tx.append(Undo(last.entry, last.kind, last.number, tidy_note(note)), request)
    if is_typed:
        return replace(saved, keeps_typed=True)
    if last.kind == EntryKind.HAND:
        _reopen(tx, last)
    else:
        restore_fields(tx, last.entry)
    return saved


def _reopen(tx: Transaction, last: Undoable) -> None:
    """Put the fields of an undone hand back."""
    tx.drop_draft()
    counted = tx.match.log[last.entry - 1].event
    if isinstance(counted, Counted) and counted.draft:
        tx.put_draft(counted.draft)


def _is_typed(tx: Transaction) -> bool:
    """Whether somebody typed anything of the coming hand, beside what the last undo put back."""
    if tx.record is None:
        return False
    log = tx.match.log
    turned = log[tx.match.turned_at - 1].event
    back = log[turned.entry - 1].event if isinstance(turned, Undo) else None
    restored = back.draft if isinstance(back, Counted) else {}
    return _filled(tx.record.draft) not in ({}, _filled(restored))


def _filled(draft: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in draft.items() if text.strip()}


def restore_fields(tx: Transaction, entry: int) -> None:
    """Put the fields back that a penalty or a ruling changed, as far as nobody has changed them since."""
    event = tx.match.log[entry - 1].event
    if tx.record is None or not isinstance(event, Penalty | RulingKept):
        return
    draft = dict(tx.record.draft)
    for name, (before, after) in event.fields.items():
        if draft.get(name) == after:
            draft[name] = before
            if not before:
                del draft[name]
    tx.put_draft(draft)  # another version even without a change: other pages are stale by now
