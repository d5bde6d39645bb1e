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
    find_undone_entries,
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

    def restore_fields(self) -> dict[str, str] | None:
        """Return the fields as they were before the penalties were written into them.

        If a penalty changed `b.penalties.draw-out-of-turn` from empty to `1`, it is empty again.
        None if a player has changed such a field after that, so that it cannot be restored.
        """
        if not _can_be_real(self.penalties):
            return None
        restored = dict(self.fields)
        # The last text comes first: what a field held before it was written by the one before.
        for written in _list_written_texts(self.penalties):
            if restored.get(written.field, "") != written.text_after:
                return None
            if written.text_before:
                restored[written.field] = written.text_before
            else:
                restored.pop(written.field, None)
        return restored


class _WrittenText(NamedTuple):
    """A text that a penalty wrote into a field of a form."""

    field: str
    text_before: str
    """What the field held before; empty if nothing."""
    text_after: str


def _list_written_texts(penalties: Sequence[TypedPenalty]) -> list[_WrittenText]:
    """List the texts that penalties wrote into a form, those of the last penalty first.

    A penalty has, for each field that it wrote into, the text before and after:
    `{"b.penalties.draw-out-of-turn": ("", "1")}`.
    """
    written = []
    for penalty in reversed(penalties):
        for field, (text_before, text_after) in penalty.fields.items():
            written.append(_WrittenText(field, text_before, text_after))
    return written


def _can_be_real(penalties: Sequence[TypedPenalty]) -> bool:
    """Tell whether one form can have had so many penalties, each in so many fields.

    A file that somebody changed may have any number of them, and would take long to read.
    """
    if len(penalties) > _MOST_PENALTIES:
        return False
    return all(len(penalty.fields) <= _MOST_FIELDS for penalty in penalties)


def take_out_penalties(log: Sequence[LogEntry], open_fields: Mapping[str, str]) -> WithoutPenalties:
    """Take the penalties out of the forms into which an earlier version of the program wrote them.

    Each hand (round) of a match has a form. A penalty is an entry of the log as well, and would be
    counted twice otherwise. `open_fields` is the form of the hand that is still being played.

    If a player changed what a penalty wrote, all penalties of that hand stay in its form alone.
    Raises LookupError for an inconsistent log.
    """
    forms = _find_forms_with_penalties(log, open_fields)
    # A hand that was undone and counted again has two forms. If one stays, both stay.
    hands_typed_over = {form.number for form in forms if form.restore_fields() is None}
    changed_events = _let_penalties_count_by_entry(log, hands_typed_over)
    for form in forms:
        fields = form.restore_fields()
        if fields is None or form.number in hands_typed_over:
            continue
        if form.counted is None:  # the hand that is still being played
            open_fields = fields
        else:
            changed_events[form.counted.sequence] = replace(form.counted.event, draft=fields)
    return WithoutPenalties(changed_events, open_fields)


def _let_penalties_count_by_entry(
    log: Sequence[LogEntry], hands_typed_over: Collection[int]
) -> dict[int, Event]:
    """Let the penalties of a log count by their entries, and no longer by the form of their hand.

    A penalty counts by its entry if it has no `fields`, the texts that it wrote into the form. So
    the result has copies without them, by the position of the entry: `{7: penalty}`. Penalties of
    `hands_typed_over` (numbers of hands) go on counting by the form, and are left out.
    """
    penalties: dict[int, Event] = {}
    for entry in log:
        penalty = _find_typed_penalty(entry)
        if penalty is not None and penalty.number not in hands_typed_over:
            penalties[entry.sequence] = replace(penalty, fields={})
    return penalties


def _find_forms_with_penalties(
    log: Sequence[LogEntry], open_fields: Mapping[str, str]
) -> list[_FormWithPenalties]:
    """Find the forms into which penalties were written, each with these penalties.

    A form has what the players typed of one hand (round). `open_fields` is the form of the hand
    that is still being played; it comes last. Raises LookupError for an inconsistent log.
    """
    forms = []
    penalties_so_far = _PenaltiesInForce(log)
    for entry in log:
        penalties_so_far.follow(entry)
        hand = entry.event
        if isinstance(hand, NewHand):  # a hand was counted, with the penalties noted up to here
            form = _FormWithPenalties(
                number=hand.number,
                counted=entry,
                fields=hand.draft,
                penalties=penalties_so_far.of_hand(hand.number),
            )
            forms.append(form)

    open_number = _find_number_of_open_hand(log)
    open_form = _FormWithPenalties(
        number=open_number,
        counted=None,
        fields=open_fields,
        penalties=penalties_so_far.of_hand(open_number),
    )
    forms.append(open_form)
    return [form for form in forms if form.penalties]


def _find_number_of_open_hand(log: Sequence[LogEntry]) -> int:
    """Find the number of the hand (round) being played: after two counted hands it is 3.

    A hand whose entry was undone is not counted.
    """
    undone = find_undone_entries(log)
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
        """Begin before the first entry of a log, where no penalty is noted."""
        self._log = log

        # The penalties in force: the position of its entry in the log → the penalty. They are in
        # the order in which they were noted or redone.
        self._penalties: dict[int, TypedPenalty] = {}

        # A redo names the undo which it reverts, not the entry that is in force again. So this is
        # kept: the position of an undo in the log → that of the entry which it took back.
        self._undone_by_undo: dict[int, int] = {}

    def follow(self, entry: LogEntry) -> None:
        """Take account of the next entry of the log: it may note, undo or redo a penalty.

        Raises LookupError for a redo of which there is no undo.
        """
        event = entry.event
        if isinstance(event, Undo):
            undone_sequence = event.entry
            self._undone_by_undo[entry.sequence] = undone_sequence
            self._penalties.pop(undone_sequence, None)  # if it was a penalty that is undone
        elif isinstance(event, Redo):
            redone_sequence = self._undone_by_undo[event.entry]  # it names the undo
            redone_entry = self._log[redone_sequence - 1]  # the first entry has the sequence 1
            self._add_penalty_of(redone_entry)
        else:
            self._add_penalty_of(entry)

    def _add_penalty_of(self, entry: LogEntry) -> None:
        """Add the penalty that an entry notes; do nothing if it notes none."""
        penalty = _find_typed_penalty(entry)
        if penalty is not None:
            self._penalties[entry.sequence] = penalty

    def of_hand(self, number: int) -> list[TypedPenalty]:
        """Return the penalties in force of the hand (round) with this number, in their order."""
        return [penalty for penalty in self._penalties.values() if penalty.number == number]


def _find_typed_penalty(entry: LogEntry) -> TypedPenalty | None:
    """Return the penalty that an entry notes, if an earlier version wrote it into the form as well.

    None for any other entry, and for a penalty that stands in the log alone.
    """
    event = entry.event
    if isinstance(event, NotedPenalty | RulingKept) and was_typed_into_form(event):
        return event
    return None
