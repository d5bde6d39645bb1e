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

TypedPenalty = NotedPenalty | RulingKept


class _Draft(NamedTuple):
    """The typed fields of a hand, stored by the entry with this sequence; 0 for the open hand.

    `fields` are those without its noted penalties; None if one of these was typed over.
    """

    number: int
    sequence: int
    fields: dict[str, str] | None


def take_out_penalties(
    log: Sequence[LogEntry], typed: Mapping[str, str]
) -> tuple[dict[int, Event], Mapping[str, str]]:
    """The events to be changed, by sequence, and the fields of the open hand, which are `typed` now.

    If a penalty of a hand was typed over after it was noted, all of that hand stay as typed.
    """
    drafts = _drafts(log, typed)
    typed_over = {draft.number for draft in drafts if draft.fields is None}
    changed: dict[int, Event] = {}
    for entry in log:
        penalty = _typed_penalty(entry)
        if penalty is not None and penalty.number not in typed_over:
            changed[entry.sequence] = replace(penalty, fields={})
    for draft in drafts:
        if draft.number in typed_over or draft.fields is None:
            continue
        if draft.sequence == 0:
            typed = draft.fields
        else:
            counted = log[draft.sequence - 1].event
            changed[draft.sequence] = replace(counted, draft=draft.fields)
    return changed, typed


def _drafts(log: Sequence[LogEntry], typed: Mapping[str, str]) -> list[_Draft]:
    """The typed fields of each hand with typed penalties, without those in force at that time.

    Raises LookupError for an inconsistent log.
    """
    in_force: defaultdict[int, dict[int, TypedPenalty]] = defaultdict(dict)
    undone: dict[int, int] = {}
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
            if event.undone == NewHand.kind:
                hands -= 1
        elif isinstance(event, Redo):
            if event.undone == NewHand.kind:
                hands += 1
            again = log[undone[event.entry] - 1]
            penalty = _typed_penalty(again)
            if penalty is not None:
                in_force[penalty.number][again.sequence] = penalty
    coming = hands + 1
    if in_force[coming]:
        drafts.append(_Draft(coming, 0, _without_penalties(typed, in_force[coming])))
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
    plain = dict(fields)
    for penalty in reversed(list(penalties.values())):
        if len(penalty.fields) > _MOST_FIELDS:
            return None
        for name, (before, after) in penalty.fields.items():
            if plain.get(name, "") != after:
                return None
            plain[name] = before
            if not before:
                del plain[name]
    return plain
