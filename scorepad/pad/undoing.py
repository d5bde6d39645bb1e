"""Undo: the last thing done that still stands, as deep as the match. It is an entry itself, so nothing is lost."""

from __future__ import annotations

from scorepad.pad.desk import Desk, saved
from scorepad.pad.log import EntryKind
from scorepad.pad.payloads import Undone, counted_from, undone_json
from scorepad.pad.values import RequestId, Saved, Stale, Undoable


def undo(desk: Desk, request: RequestId, seen_sequence: int) -> Saved | Stale:
    """Undo the last thing done, if the device had seen it; a hand becomes the open hand again, as it was typed."""
    log = desk.log
    if seen_sequence != log.sequence or not log.undoable:
        return desk.seen.stale
    last = log.undoable[-1]
    entry = desk.append(EntryKind.UNDO, request, undone_json(Undone(last.entry, last.kind, last.number)))
    if last.kind == EntryKind.HAND:
        _reopen(desk, last)
    return saved(entry, log.rules)


def _reopen(desk: Desk, last: Undoable) -> None:
    """Put the fields of an undone hand back, unless the next hand is being typed already."""
    record = desk.seen.record
    if record is not None and any(text.strip() for text in record.draft.values()):
        return
    draft = counted_from(desk.log.entries[last.entry - 1].payload).draft
    if draft:
        desk.type_in(draft)
