"""Undo: the last thing done that still stands, as deep as the match. It is an entry itself, so nothing is lost."""

from __future__ import annotations

from scorepad.pad.answers import NoteWanted, Saved, Stale
from scorepad.pad.desk import Desk, saved
from scorepad.pad.folding import EntryKind
from scorepad.pad.notes import says_something, tidy_note
from scorepad.pad.payloads import Undone, counted_from, undone_json
from scorepad.pad.values import Undoable
from scorepad.pad.who import RequestId


def undo(desk: Desk, request: RequestId, seen_sequence: int, note: str) -> Saved | NoteWanted | Stale:
    """Undo the last thing done, if the device had seen it; a hand becomes the open hand again, as it was typed.

    What the other side had agreed to is undone only with a note.
    """
    log = desk.log
    if seen_sequence != log.sequence or not log.undoable:
        return desk.seen.stale
    last = log.undoable[-1]
    if last.guarded and not says_something(note):
        return NoteWanted()
    undone = Undone(last.entry, last.kind, last.number, tidy_note(note))
    entry = desk.append(EntryKind.UNDO, request, undone_json(undone))
    if last.kind == EntryKind.HAND:
        _reopen(desk, last)
    elif last.kind == EntryKind.PENALTY:
        _take_back(desk, last)
    return saved(entry, log.rules)


def _reopen(desk: Desk, last: Undoable) -> None:
    """Put the fields of an undone hand back, unless the next hand is being typed already."""
    record = desk.seen.record
    if record is not None and any(text.strip() for text in record.draft.values()):
        return
    draft = counted_from(desk.log.entries[last.entry - 1].payload).draft
    if draft:
        desk.type_in(draft)


def _take_back(desk: Desk, last: Undoable) -> None:
    """Put the fields back that a noted penalty changed, as far as nobody has changed them since."""
    record = desk.seen.record
    if record is None:
        return
    fields: dict[str, list[str]] = desk.log.entries[last.entry - 1].payload["fields"]
    draft = dict(record.draft)
    for name, (was, became) in fields.items():
        if draft.get(name) == became:
            draft[name] = was
            if not was:
                del draft[name]
    desk.type_in(draft)  # a version more, even of nothing: what another page shows is stale by now
