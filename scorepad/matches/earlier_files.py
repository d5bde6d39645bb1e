"""Logs of earlier versions, in which a noted penalty was written into the typed fields of its hand.

Export files hold them. When one is imported, the fields lose the penalty again, so that it stands
in the log alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.events import (
    Event,
    LogEntry,
    NewHand,
    NotedPenalty,
    Redo,
    RulingKept,
    Undo,
)

_MOST_PENALTIES = 200
"""Penalties of a hand that are taken out of its fields; nobody notes as many."""
_MOST_FIELDS = 2
"""Fields that a penalty was written into: points and reason of a house penalty, else one."""

_OPEN_HAND = 0

TypedPenalty = NotedPenalty | RulingKept
"""An event that wrote a penalty into the typed fields of its hand."""


class _Draft(NamedTuple):
    """The typed fields of a hand without the penalties that were written into them."""

    number: int
    """The number of the hand on the pad."""
    sequence: int
    """The entry of the log that has the fields; `_OPEN_HAND` for those of the open hand."""
    fields: dict[str, str] | None
    """None if a penalty was typed over, so that it cannot be taken out."""


def take_out_penalties(
    log: Sequence[LogEntry], typed: Mapping[str, str]
) -> tuple[dict[int, Event], Mapping[str, str]]:
    """Take the noted penalties out of the typed fields of all hands of a log.

    `typed` are the fields of the open hand. Returns the events that change, by their sequence in
    the log, and the new fields of the open hand. If a penalty of a hand was typed over after it was
    noted, all penalties of that hand stay as typed.
    """
    drafts = _drafts_without_penalties(log, typed)
    typed_over = {draft.number for draft in drafts if draft.fields is None}
    changed_events: dict[int, Event] = {}
    for entry in log:
        penalty = _typed_penalty(entry)
        if penalty is not None and penalty.number not in typed_over:
            changed_events[entry.sequence] = replace(penalty, fields={})
    open_fields = typed
    for draft in drafts:
        if draft.fields is None or draft.number in typed_over:
            continue
        if draft.sequence == _OPEN_HAND:
            open_fields = draft.fields
        else:
            counted = log[draft.sequence - 1].event
            changed_events[draft.sequence] = replace(counted, draft=draft.fields)
    return changed_events, open_fields


def _drafts_without_penalties(log: Sequence[LogEntry], typed: Mapping[str, str]) -> list[_Draft]:
    """The fields of each hand into which penalties were written, without these penalties; the open
    hand, whose fields are `typed`, comes last.

    Raises LookupError for an inconsistent log.
    """
    # The penalties of each hand that are not undone, by hand and by the entry that noted them.
    in_force: defaultdict[int, dict[int, TypedPenalty]] = defaultdict(dict)
    undone: dict[int, int] = {}  # by the entry that undid it
    drafts = []
    hands = 0
    for entry in log:
        event = entry.event
        penalty = _typed_penalty(entry)
        if penalty is not None:
            in_force[penalty.number][entry.sequence] = penalty
        elif isinstance(event, NewHand):
            hands += 1
            if in_force[event.number]:
                fields = _without_penalties(event.draft, in_force[event.number])
                drafts.append(_Draft(event.number, entry.sequence, fields))
        elif isinstance(event, Undo):
            undone[entry.sequence] = event.entry
            in_force[event.number or 0].pop(event.entry, None)
            if event.undone_kind == NewHand.kind:
                hands -= 1
        elif isinstance(event, Redo):
            if event.undone_kind == NewHand.kind:
                hands += 1
            redone = log[undone[event.entry] - 1]
            penalty = _typed_penalty(redone)
            if penalty is not None:
                in_force[penalty.number][redone.sequence] = penalty
    next_number = hands + 1
    if in_force[next_number]:
        fields = _without_penalties(typed, in_force[next_number])
        drafts.append(_Draft(next_number, _OPEN_HAND, fields))
    return drafts


def _typed_penalty(entry: LogEntry) -> TypedPenalty | None:
    """The penalty of an entry that wrote it into the typed fields; None for any other entry."""
    event = entry.event
    if isinstance(event, NotedPenalty | RulingKept) and event.fields:
        return event
    return None


def _without_penalties(
    fields: Mapping[str, str], penalties: Mapping[int, TypedPenalty]
) -> dict[str, str] | None:
    """The fields as they were before these penalties; None if one of them was typed over."""
    if len(penalties) > _MOST_PENALTIES:
        return None
    restored = dict(fields)
    last_noted_first = reversed(list(penalties.values()))
    for penalty in last_noted_first:
        if len(penalty.fields) > _MOST_FIELDS:
            return None
        for name, (text_before, text_after) in penalty.fields.items():
            if restored.get(name, "") != text_after:
                return None
            if text_before:
                restored[name] = text_before
            else:
                restored.pop(name, None)
    return restored
