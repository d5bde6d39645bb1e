"""Logs of earlier versions, in which a noted penalty was written into the typed fields of its hand.

Export files hold them. When one is imported, the fields lose the penalty again, so that it stands
in the log alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorepad.matches.events import (
    Event,
    LogEntry,
    NewHand,
    NotedPenalty,
    Redo,
    RulingKept,
    Undo,
    undone_entries,
    was_typed_into_form,
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


class _TypedOverError(Exception):
    """A penalty cannot be taken out of a form, because somebody typed over what it had written."""


@dataclass(frozen=True, slots=True)
class _FormWithPenalties:
    """The typed fields of a hand, and the penalties that were written into them."""

    number: int
    """The number of the hand on the pad."""
    counted: LogEntry | None
    """The entry of the log that counted the hand with these fields; None for the open hand, the
    one that is still being played.
    """
    fields: Mapping[str, str]
    penalties: list[TypedPenalty]
    """In the order in which they were noted."""

    def fields_without_penalties(self) -> dict[str, str]:
        """The fields as they were before the penalties were written into them.

        Raises _TypedOverError if one of these fields has another text now than after the penalty.
        """
        restored = dict(self.fields)
        for written in _written_texts(self.penalties):
            if restored.get(written.field, "") != written.text_after:
                raise _TypedOverError
            if written.text_before:
                restored[written.field] = written.text_before
            else:
                restored.pop(written.field, None)
        return restored

    def is_typed_over(self) -> bool:
        """Whether one of the penalties was typed over, so that they cannot be taken out."""
        try:
            self.fields_without_penalties()
        except _TypedOverError:
            return True
        return False


class _WrittenText(NamedTuple):
    """A text that a penalty wrote into a field of a form."""

    field: str
    text_before: str
    """What the field held before; empty if nothing."""
    text_after: str


def _written_texts(penalties: Sequence[TypedPenalty]) -> list[_WrittenText]:
    """The texts that these penalties wrote into a form, those of the last penalty first.

    Raises _TypedOverError if there are more than any form can have.
    """
    if len(penalties) > _MOST_PENALTIES:
        raise _TypedOverError
    written = []
    for penalty in reversed(penalties):
        if len(penalty.fields) > _MOST_FIELDS:
            raise _TypedOverError
        for field, (text_before, text_after) in penalty.fields.items():
            written.append(_WrittenText(field, text_before, text_after))
    return written


def take_out_penalties(log: Sequence[LogEntry], open_fields: Mapping[str, str]) -> WithoutPenalties:
    """Take the noted penalties out of the typed fields of all hands of a log.

    `open_fields` are the fields of the open hand, which is still being played. If somebody typed
    over a penalty of a hand after it was noted, all penalties of that hand stay as typed. Raises
    LookupError for an inconsistent log.
    """
    forms = _forms_with_penalties(log, open_fields)
    hands_to_leave = {form.number for form in forms if form.is_typed_over()}
    changed_events = _penalties_without_fields(log, hands_to_leave)
    for form in forms:
        if form.number in hands_to_leave:
            continue
        fields = form.fields_without_penalties()
        if form.counted is None:
            open_fields = fields
        else:
            changed_events[form.counted.sequence] = replace(form.counted.event, draft=fields)
    return WithoutPenalties(changed_events, open_fields)


def _penalties_without_fields(
    log: Sequence[LogEntry], hands_to_leave: Collection[int]
) -> dict[int, Event]:
    """The penalties of a log without the fields that they were written into, by the sequence of
    their entries. Those of `hands_to_leave`, by the number of the hand, are left out.

    A penalty without `fields` counts by its own entry, and no longer by the fields of its hand.
    """
    penalties: dict[int, Event] = {}
    for entry in log:
        penalty = _typed_penalty(entry)
        if penalty is not None and penalty.number not in hands_to_leave:
            penalties[entry.sequence] = replace(penalty, fields={})
    return penalties


def _forms_with_penalties(
    log: Sequence[LogEntry], open_fields: Mapping[str, str]
) -> list[_FormWithPenalties]:
    """The fields of each hand into which penalties were written, with these penalties; the open
    hand, whose fields are `open_fields`, comes last.

    Raises LookupError for an inconsistent log.
    """
    forms = []
    penalties = _PenaltiesInForce(log)
    for entry in log:
        penalties.follow(entry)
        hand = entry.event
        if isinstance(hand, NewHand):
            of_hand = penalties.of_hand(hand.number)
            forms.append(_FormWithPenalties(hand.number, entry, hand.draft, of_hand))

    open_number = _number_of_open_hand(log)
    of_open_hand = penalties.of_hand(open_number)
    forms.append(_FormWithPenalties(open_number, None, open_fields, of_open_hand))
    return [form for form in forms if form.penalties]


def _number_of_open_hand(log: Sequence[LogEntry]) -> int:
    """The number of the hand being played after this log: one more than the hands counted in it.

    A hand whose count was undone is not counted.
    """
    undone = undone_entries(log)
    counted_hands = 0
    for entry in log:
        if isinstance(entry.event, NewHand) and entry.sequence not in undone:
            counted_hands += 1
    return counted_hands + 1


class _PenaltiesInForce:
    """The penalties that are noted and not undone at some point of a log.

    The log is followed entry by entry from its beginning.
    """

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self._log = log
        self._penalties: dict[int, TypedPenalty] = {}
        """Those in force, by the sequence of the entry that noted them, in the order in which they
        were noted or redone.
        """
        self._undone_by_undo: dict[int, int] = {}
        """The sequence of the entry that each undo took back, by the sequence of the undo."""

    def follow(self, entry: LogEntry) -> None:
        """Take account of the next entry of the log: a penalty may be noted, undone or redone.

        Raises LookupError for a redo without its undo.
        """
        event = entry.event
        if isinstance(event, Undo):
            self._undone_by_undo[entry.sequence] = event.entry
            self._penalties.pop(event.entry, None)
        elif isinstance(event, Redo):
            redone = self._undone_by_undo[event.entry]
            self._add_penalty_of(self._log[redone - 1])  # the first entry has the sequence 1
        else:
            self._add_penalty_of(entry)

    def _add_penalty_of(self, entry: LogEntry) -> None:
        """Add the penalty that an entry noted, if it noted one."""
        penalty = _typed_penalty(entry)
        if penalty is not None:
            self._penalties[entry.sequence] = penalty

    def of_hand(self, number: int) -> list[TypedPenalty]:
        """The penalties in force of the hand with this number, the last noted one last."""
        return [penalty for penalty in self._penalties.values() if penalty.number == number]


def _typed_penalty(entry: LogEntry) -> TypedPenalty | None:
    """The penalty of an entry that wrote it into the typed fields; None for any other entry."""
    event = entry.event
    if isinstance(event, NotedPenalty | RulingKept) and was_typed_into_form(event):
        return event
    return None
