"""Logs of earlier versions, in which a noted penalty was written into the typed fields of its hand.

Export files hold them. When one is imported, the fields lose the penalty again, so that it stands
in the log alone.
"""

from __future__ import annotations

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
"""An event that wrote a penalty into the typed fields of its hand."""


class WithoutPenalties(NamedTuple):
    """What a log becomes when the penalties are taken out of the typed fields of its hands."""

    changed_events: dict[int, Event]
    """The events that change, by the sequence of their entry in the log."""
    open_fields: Mapping[str, str]
    """The fields of the open hand."""


class _Draft(NamedTuple):
    """The typed fields of a hand without the penalties that were written into them."""

    number: int
    """The number of the hand on the pad."""
    counted: LogEntry | None
    """The entry of the log that counted the hand, and has its fields; None for the open hand."""
    fields: dict[str, str] | None
    """None if somebody typed over a penalty afterwards, so that it cannot be taken out."""


def take_out_penalties(log: Sequence[LogEntry], typed: Mapping[str, str]) -> WithoutPenalties:
    """Take the noted penalties out of the typed fields of all hands of a log.

    `typed` are the fields of the open hand. If somebody typed over a penalty of a hand after it was
    noted, all penalties of that hand stay as typed.
    """
    drafts = _drafts_without_penalties(log, typed)
    typed_over = {draft.number for draft in drafts if draft.fields is None}
    changed_events: dict[int, Event] = {}
    # A penalty without `fields` counts by its own entry, no longer by the fields of the hand.
    for entry in log:
        penalty = _typed_penalty(entry)
        if penalty is not None and penalty.number not in typed_over:
            changed_events[entry.sequence] = replace(penalty, fields={})

    open_fields = typed
    for draft in drafts:
        if draft.number in typed_over:
            continue
        assert draft.fields is not None, "its number would be in `typed_over`"
        if draft.counted is None:
            open_fields = draft.fields
        else:
            counted = replace(draft.counted.event, draft=draft.fields)
            changed_events[draft.counted.sequence] = counted
    return WithoutPenalties(changed_events, open_fields)


def _drafts_without_penalties(log: Sequence[LogEntry], typed: Mapping[str, str]) -> list[_Draft]:
    """The fields of each hand into which penalties were written, without these penalties; the open
    hand, whose fields are `typed`, comes last.

    Raises LookupError for an inconsistent log.
    """
    penalties = _PenaltiesInForce(log)
    drafts = []
    number_of_hands = 0
    for entry in log:
        penalties.follow(entry)
        event = entry.event
        if isinstance(event, NewHand):
            number_of_hands += 1
            noted = penalties.of_hand(event.number)
            if noted:
                drafts.append(_Draft(event.number, entry, _without_penalties(event.draft, noted)))
        elif isinstance(event, Undo) and event.undone_kind == NewHand.kind:
            number_of_hands -= 1
        elif isinstance(event, Redo) and event.undone_kind == NewHand.kind:
            number_of_hands += 1

    number_of_open_hand = number_of_hands + 1
    noted = penalties.of_hand(number_of_open_hand)
    if noted:
        drafts.append(_Draft(number_of_open_hand, None, _without_penalties(typed, noted)))
    return drafts


class _PenaltiesInForce:
    """The penalties that are noted and not undone at some point of a log.

    The log is followed entry by entry from its beginning.
    """

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self._log = log
        self._penalties: dict[int, TypedPenalty] = {}
        """Those in force, by the entry that noted them; the last noted or redone one comes last."""
        self._undone: dict[int, int] = {}
        """The entry that each undo was about, by the entry of the undo."""

    def follow(self, entry: LogEntry) -> None:
        """Take account of the next entry. Raises LookupError for a redo without its undo."""
        event = entry.event
        if isinstance(event, Undo):
            self._undone[entry.sequence] = event.entry
            self._penalties.pop(event.entry, None)
        elif isinstance(event, Redo):
            self._note(self._log[self._undone[event.entry] - 1])
        else:
            self._note(entry)

    def _note(self, entry: LogEntry) -> None:
        """Add the penalty of an entry, if it noted one."""
        penalty = _typed_penalty(entry)
        if penalty is not None:
            self._penalties[entry.sequence] = penalty

    def of_hand(self, number: int) -> list[TypedPenalty]:
        """The penalties in force of the hand with this number, the last noted one last."""
        return [penalty for penalty in self._penalties.values() if penalty.number == number]


def _typed_penalty(entry: LogEntry) -> TypedPenalty | None:
    """The penalty of an entry that wrote it into the typed fields; None for any other entry."""
    event = entry.event
    if isinstance(event, NotedPenalty | RulingKept) and event.fields:
        return event
    return None


def _without_penalties(
    fields: Mapping[str, str], penalties: Sequence[TypedPenalty]
) -> dict[str, str] | None:
    """The fields as they were before these penalties; None if one of them was typed over."""
    if len(penalties) > _MOST_PENALTIES:
        return None
    restored = dict(fields)
    for penalty in reversed(penalties):  # the last noted one first
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
