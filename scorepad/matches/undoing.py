"""Undo: the last thing done that still stands, as deep as the match. It is an entry itself, so nothing is lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorepad.matches.answers import NoteWanted, Saved, Stale
from scorepad.matches.desk import Desk, saved
from scorepad.matches.kinds import EntryKind
from scorepad.matches.notes import says_something, tidy_note
from scorepad.matches.payloads import Undone, counted_from, undone_from, undone_json
from scorepad.matches.values import Undoable
from scorepad.matches.who import RequestId


def undo(desk: Desk, request: RequestId, seen_sequence: int, note: str) -> Saved | NoteWanted | Stale:
    """Undo the last thing done, if the device had seen it; a hand becomes the open hand again, as it was typed.

    Where somebody was typing the next one already, that stays.

    What the other side had agreed to is undone only with a note.
    """
    log = desk.log
    if seen_sequence != log.sequence or not log.undoable:
        return desk.seen.stale
    last = log.undoable[-1]
    if last.guarded and not says_something(note):
        return NoteWanted()
    typed = last.kind == EntryKind.HAND and _is_typed(desk)
    undone = Undone(last.entry, last.kind, last.number, tidy_note(note))
    entry = desk.append(EntryKind.UNDO, request, undone_json(undone))
    if last.kind == EntryKind.HAND:
        if typed:
            return replace(saved(entry, log.rules), keeps_typed=True)
        _reopen(desk, last)
    elif last.kind in (EntryKind.PENALTY, EntryKind.RULING):
        put_back(desk, last.entry)
    return saved(entry, log.rules)


def _reopen(desk: Desk, last: Undoable) -> None:
    """Put the fields of an undone hand back."""
    desk.clear()
    draft = counted_from(desk.log.entries[last.entry - 1].payload).draft
    if draft:
        desk.type_in(draft)


def _is_typed(desk: Desk) -> bool:
    """Whether a person typed something of the coming hand: what the last undoing put back nobody typed for it."""
    log, record = desk.log, desk.seen.record
    if record is None:
        return False
    turned = log.entries[log.turned_at - 1]
    back = log.entries[undone_from(turned.payload).entry - 1] if turned.kind == EntryKind.UNDO else None
    return _written(record.draft) not in ({}, _written(counted_from(back.payload).draft) if back else {})


def _written(draft: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in draft.items() if text.strip()}


def put_back(desk: Desk, entry: int) -> None:
    """Put the fields back that a noted penalty changed, as far as nobody has changed them since."""
    record = desk.seen.record
    if record is None:
        return
    fields: dict[str, list[str]] = desk.log.entries[entry - 1].payload.get("fields", {})
    draft = dict(record.draft)
    for name, (was, became) in fields.items():
        if draft.get(name) == became:
            draft[name] = was
            if not was:
                del draft[name]
    desk.type_in(draft)  # a version more, even of nothing: what another page shows is stale by now
