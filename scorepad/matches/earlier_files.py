"""Logs of earlier versions, in which a noted penalty was written into the typed fields of its hand.

Export files hold them. When one is imported, the fields lose the penalty again, so that it stands
in the log alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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
    was_noted_by_earlier_version,
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
    """The form of a hand, with its typed fields, into which penalties were written."""

    number: int
    """The number of the hand on the pad."""
    counted: LogEntry | None
    """The entry of the log that counted the hand with this form; None for the open hand, the one
    that is still being played.
    """
    penalties: list[TypedPenalty]
    """In the order in which they were noted."""
    fields_without_penalties: Mapping[str, str] | None
    """The fields as they were before the penalties were written into them; None if a player has
    changed what was written, so that they cannot be restored.
    """


def _restore_fields(
    fields: Mapping[str, str], penalties: Sequence[TypedPenalty]
) -> dict[str, str] | None:
    """Return the fields of a form as they were before the penalties were written into them.

    If a penalty changed `b.penalties.draw-out-of-turn` from empty to `1`, it is empty again. None
    if a player has changed such a field after that, so that it cannot be restored.
    """
    if not _can_be_real(penalties):
        return None
    restored = dict(fields)
    # The last text comes first: what a field held before it was written by the one before.
    for written in _list_written_texts(penalties):
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
    hands_that_stay = {form.number for form in forms if form.fields_without_penalties is None}
    return WithoutPenalties(
        changed_events={
            **_empty_fields_of_penalties(log, hands_that_stay),
            **_replace_forms_of_counts(forms, hands_that_stay),
        },
        open_fields=_find_new_open_fields(forms, hands_that_stay, open_fields),
    )


def _replace_forms_of_counts(
    forms: Iterable[_FormWithPenalties], hands_that_stay: Collection[int]
) -> dict[int, Event]:
    """Make the events that count a hand (a round) anew, with a form without penalties.

    The result is by the position of the event in the log. Hands with the numbers `hands_that_stay`
    are left out, and so is the hand that is not counted yet.
    """
    changed_counts: dict[int, Event] = {}
    for form in forms:
        if form.counted is None or form.number in hands_that_stay:
            continue
        changed_count = replace(form.counted.event, draft=form.fields_without_penalties)
        changed_counts[form.counted.sequence] = changed_count
    return changed_counts


def _find_new_open_fields(
    forms: Iterable[_FormWithPenalties],
    hands_that_stay: Collection[int],
    open_fields: Mapping[str, str],
) -> Mapping[str, str]:
    """Return the form of the hand (round) being played, without the penalties written into it.

    It is returned as it is, `open_fields`, if it has no penalties, or if its number is one of
    `hands_that_stay`.
    """
    for form in forms:
        is_being_played = form.counted is None
        if is_being_played and form.number not in hands_that_stay:
            assert form.fields_without_penalties is not None, "else the hand stays as it is"
            return form.fields_without_penalties
    return open_fields


def _empty_fields_of_penalties(
    log: Sequence[LogEntry], hands_that_stay: Collection[int]
) -> dict[int, Event]:
    """Make the penalties of a log anew, without the texts (`fields`) that they wrote into a form.

    Without them the program takes a penalty from the log, as it does with those noted today. The
    result is by the position of the penalty in the log. Penalties of the hands (rounds) with the
    numbers `hands_that_stay` are left out.
    """
    changed_penalties: dict[int, Event] = {}
    for entry in log:
        penalty = _find_typed_penalty(entry)
        if penalty is not None and penalty.number not in hands_that_stay:
            changed_penalties[entry.sequence] = replace(penalty, fields={})
    return changed_penalties


def _find_forms_with_penalties(
    log: Sequence[LogEntry], open_fields: Mapping[str, str]
) -> list[_FormWithPenalties]:
    """Find the forms into which penalties were written, each with these penalties.

    A form has what the players typed of one hand (round). `open_fields` is the form of the hand
    that is still being played; it comes last. Raises LookupError for an inconsistent log.
    """
    forms = []
    penalties_so_far = _PenaltiesInForce()
    for entry in log:
        penalties_so_far.follow(log, entry)
        count = entry.event
        if isinstance(count, NewHand):
            penalties = penalties_so_far.of_hand(count.number)
            forms.append(_make_form(count.number, entry, count.draft, penalties))

    open_number = _find_number_of_open_hand(log)
    open_penalties = penalties_so_far.of_hand(open_number)
    forms.append(_make_form(open_number, None, open_fields, open_penalties))
    return [form for form in forms if form.penalties]


def _make_form(
    number: int,
    counted: LogEntry | None,
    fields: Mapping[str, str],
    penalties: list[TypedPenalty],
) -> _FormWithPenalties:
    """Make the form of a hand (a round), and find out what it was without its penalties."""
    restored = _restore_fields(fields, penalties)
    return _FormWithPenalties(number, counted, penalties, fields_without_penalties=restored)


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


def _find_redone_entry(log: Sequence[LogEntry], redo: Redo) -> LogEntry:
    """Find the entry of the log that a redo brings back, by way of the undo that it names.

    Raises LookupError if the redo names no undo.
    """
    undo = log[redo.entry - 1].event  # the first entry has the number 1
    if isinstance(undo, Undo):
        return log[undo.entry - 1]
    raise LookupError(redo.entry)


class _PenaltiesInForce:
    """The penalties that are noted and not undone at some point of a log.

    The log is followed entry by entry from its beginning.
    """

    def __init__(self) -> None:
        """Begin before the first entry of a log, where no penalty is noted."""
        # By the number of the entry that noted it, in the order of noting or redoing.
        self._penalties: dict[int, TypedPenalty] = {}

    def follow(self, log: Sequence[LogEntry], entry: LogEntry) -> None:
        """Take account of the next entry of the log: it may note, undo or redo a penalty.

        Raises LookupError for a redo of which there is no undo.
        """
        event = entry.event
        if isinstance(event, Undo):
            self._penalties.pop(event.entry, None)  # the undone entry may have noted no penalty
        elif isinstance(event, Redo):
            self._add_penalty_of(_find_redone_entry(log, event))
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
    if isinstance(event, NotedPenalty | RulingKept) and was_noted_by_earlier_version(event):
        return event
    return None
