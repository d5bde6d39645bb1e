"""Transactions on one match: what is submitted, what is stored, and the results."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, Self

from scorepad.caches import LruCache
from scorepad.errors import ScorepadError
from scorepad.matches.access import DeviceId, MatchError, MatchId, RequestId
from scorepad.matches.events import AccessChange, Counted, Event, RulesOf, decode_log_entry
from scorepad.matches.keys import Keys
from scorepad.matches.projection import LARGEST_LOG, SPARE_LOG, MatchState, log_size
from scorepad.rules.judging import Judgement
from scorepad.storage.rows import (
    Entry,
    OpenHand,
    ReadTransaction,
    WriteTransaction,
    hash_device_id,
)

LARGEST_DRAFT = 2**16
"""Most characters of the fields of an open hand, with their names."""
NO_REQUEST = RequestId("")
"""The request id of a transaction that appends nothing."""
_REQUEST = re.compile(r"[!-~]{1,200}")


# ------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Saved:
    """The action is stored. `again`: the request had been stored before, and this is its first
    result.
    """

    match: MatchId
    number: int | None = None
    """The number of the hand concerned."""
    judgement: Judgement | None = None
    again: bool = False
    keeps_typed: bool = False
    """Whether the open hand keeps its typed fields, so that an undone hand is not restored into it.
    """
    keys: Keys | None = None
    """The keys of a match just started, shown only once."""
    sequence: int = field(default=0, compare=False)
    """The last entry of the match after it; 0 if nothing had to be stored."""


class Refused(NamedTuple):
    """The rules refuse the hand; only the draft was stored. `open_hand` is the stored draft, if
    any.
    """

    judgement: Judgement
    open_hand: OpenHand | None = None


@dataclass(frozen=True, slots=True)
class ReasonWanted:
    """A reason is required to change or undo what the other side agreed to. Nothing was stored."""


class Stale(NamedTuple):
    """The match had changed; holds the current state. Nothing was stored."""

    current: OpenHand | None
    state: MatchState
    base: Mapping[str, str] | None = None
    """The fields of the open hand as the device had seen them; None if no longer cached."""


# ----------------------------------------------------------------------------------------- refusals


class MatchOver(MatchError):
    """The match `id` is finished: no further hand can be counted. Corrections and undo are still
    possible.
    """


class LogFull(MatchError):
    """The log of the match `id` is as long as it may be. It can still be ended, and its last
    actions undone.
    """


class DraftTooLong(MatchError):
    """More is typed into the open hand of the match `id` than a hand can have."""


class RequestRefused(ScorepadError):
    """A request id that is malformed, or was used for something else."""

    def __init__(self, request: str) -> None:
        super().__init__(request)
        self.request = request


class SentOtherwise(RequestRefused):
    """A request id repeated with other content: the first submission is kept."""


# ------------------------------------------------------------------------------------- transactions


class Submission(NamedTuple):
    """One submission of a form: its request id, the device that sent it, as stored, and a digest of
    its content.
    """

    request: RequestId
    device: str
    content: str

    @classmethod
    def from_content(cls, request: RequestId, device: DeviceId, *content: object) -> Self:
        """Make the submission of a form by a device.

        `content` is what the form says: texts, numbers, lists, mappings and dataclasses of them.
        Only a digest of it is kept, by which a form that is sent twice is told from another one.
        """
        # Sorted keys, so that the same content always has the same digest.
        text = json.dumps(content, sort_keys=True, default=_convert_to_json_type)
        digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return cls(request, hash_device_id(device), digest)

    def entry(self, match: str, sequence: int, event: Event, now: datetime) -> Entry:
        """Make the entry of a match's log that stores what this submission did (the event).

        `sequence` is the position of the entry in the log.
        """
        return Entry(
            match=match,
            sequence=sequence,
            kind=event.kind,
            at=now,
            device=self.device,
            request=self.request,
            payload=event.payload(),
            sent=self.content,
        )


def _convert_to_json_type(value: Any) -> object:
    """Convert a mapping or a dataclass into a dict, and a set into a list, which `json` can encode.

    Values inside that `json` cannot encode either are passed to this function in turn. Raises
    TypeError for any other value: two contents that differ in it would have the same digest.
    """
    if is_dataclass(value) and not isinstance(value, type):  # as are nearly all of them
        return _list_attributes_that_differ_from_default(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, frozenset):
        return sorted(value)  # so that the same set always looks the same
    raise TypeError(f"a submission cannot hold a {type(value).__name__}")


def _list_attributes_that_differ_from_default(instance: Any) -> dict[str, object]:
    """List the attributes of a dataclass, without those that have their default value.

    So a form that waits on a phone has the same digest after an update that adds an attribute.
    """
    attributes = {}
    for attribute in fields(instance):
        attribute_value = getattr(instance, attribute.name)
        if attribute_value != attribute.default:
            attributes[attribute.name] = attribute_value
    return attributes


@dataclass(slots=True)
class Transaction:
    """A match inside a write transaction. `match` is its current state, updated with each entry
    appended.
    """

    rows: WriteTransaction
    match: MatchState
    now: datetime
    submission: Submission
    """The submission under which entries are stored."""
    rules_of: RulesOf
    drafts: LruCache[Mapping[str, str]]
    """The cache in which drafts stored are kept."""
    has_appended: bool = False
    """Whether an entry was appended to the log, so that the match must be cached anew."""

    def make_stale_result(self, shown_draft: Mapping[str, str] | None = None) -> Stale:
        """Make the result for a page that shows an earlier state of the match than the present one.

        `shown_draft` are the form fields that the page showed of the hand (round) being played;
        None if they are not known.
        """
        return Stale(current=self.match.open_hand, state=self.match, base=shown_draft)

    @property
    def draft(self) -> Mapping[str, str]:
        """The stored form fields of the hand (round) being played; empty if nothing is typed."""
        if self.match.open_hand is None:
            return {}
        return self.match.open_hand.draft

    def require_going_on(self) -> None:
        """Raise MatchOver if the match is finished: no further hand (round) can be played."""
        if self.match.status.finished:
            raise MatchOver(self.match.id)

    def append(
        self, event: Event, *, request: RequestId | None = None, judgement: Judgement | None = None
    ) -> Saved:
        """Append an event to the log of the match, and bring the state of the match up to date.

        `request` is the request id of the entry, by default that of the submission. `judgement` is
        the score of a counted hand, which is passed on in the result. If this raises LogFull or
        NoRoomToSave, the whole transaction is rolled back, and nothing is stored.
        """
        self._require_room_on_disk(event)
        entry = self._append_to_log(event, request or self.submission.request)
        self._require_room_in_log(entry, event)
        self._update_state(entry, event)
        return Saved(self.match.id, event.hand_number, judgement, sequence=entry.sequence)

    def _require_room_on_disk(self, event: Event) -> None:
        """Raise NoRoomToSave if the disk is nearly full.

        Access can be changed even then: who lost a phone must be able to shut it out.
        """
        changes_access = isinstance(event, AccessChange)
        if not changes_access:
            self.rows.require_room_to_save()

    def _append_to_log(self, event: Event, request: RequestId) -> Entry:
        """Append an event to the log of the match, under this request id.

        Returns the entry as it is stored, with its row in the file and its size.
        """
        submission = self.submission._replace(request=request)
        next_sequence = self.match.sequence + 1
        return self.rows.append(submission.entry(self.match.id, next_sequence, event, self.now))

    def _update_state(self, entry: Entry, event: Event) -> None:
        """Apply a new entry to the state of the match, and store the new summary for lists."""
        self.match = self.match.with_entry(entry, event, self.rules_of)
        self.rows.put(self.match.summary())
        self.has_appended = True

    def _require_room_in_log(self, entry: Entry, event: Event) -> None:
        """Raise LogFull if the log of the match gets too long with this entry.

        Some room is kept for what ends the match or takes something back (`is_short`), so that a
        full match can still be finished.
        """
        largest = LARGEST_LOG
        if event.is_short:
            largest += SPARE_LOG
        if self.match.size + log_size([entry]) > largest:
            raise LogFull(self.match.id)

    def put_draft(self, draft: Mapping[str, str]) -> OpenHand:
        """Store what the players have typed so far of the hand (round) being played.

        `draft` are the form fields with their texts. Each time they are stored as the next version.
        Raises DraftTooLong and NoRoomToSave.
        """
        if _count_characters_of_draft(draft) > LARGEST_DRAFT:
            raise DraftTooLong(self.match.id)
        self.rows.require_room_to_save()

        earlier = self.match.open_hand
        open_hand = OpenHand(
            match=self.match.id,
            id=self.match.current_hand_id,
            version=1 if earlier is None else earlier.version + 1,
            draft=draft,
            device=self.submission.device,
            kept_at=self.now,
        )
        self.rows.put(open_hand)
        self.match = replace(self.match, open_hand=open_hand)
        # The data file has only the latest version. A page may still show this one later, and is
        # then told what has changed since.
        self.drafts.put((open_hand.match, open_hand.id, open_hand.version), draft)
        return open_hand

    def drop_draft(self) -> None:
        """Delete what is typed of the hand (round) being played, if anything is."""
        if self.match.open_hand is not None:
            self.rows.drop_open_hand(self.match.id)
            self.match = replace(self.match, open_hand=None)


def _count_characters_of_draft(draft: Mapping[str, str]) -> int:
    """Count the characters of form fields, names included: `{"a.cards": "150"}` → 10."""
    return sum(len(name) + len(text) for name, text in draft.items())


def find_first_result(
    rows: ReadTransaction,
    sent: Submission,
    event_type: type[Event],
    match: MatchState | None = None,
) -> Saved | None:
    """Find the result that a form had when it was sent before; None if this is the first time.

    A form may arrive twice, and must take effect once. It is known by the random id of its request.
    `event_type` is the kind of entry that it appends to the log, `match` the match that it is
    about; None for a form that starts a match.

    Raises RequestRefused for an id that is malformed or was used for something else, and
    SentOtherwise if the form had other content the first time.
    """
    if not _REQUEST.fullmatch(sent.request):
        raise RequestRefused(sent.request)
    entry = rows.find_entry_of_request(sent.request)
    if entry is None:
        return None
    if entry.kind != event_type.kind:
        raise RequestRefused(sent.request)
    if not _may_get_result_of(entry, sent, match):
        raise RequestRefused(sent.request)
    if entry.sent != sent.content:  # digests of the content
        raise SentOtherwise(sent.request)
    return _make_repeated_result(entry, match)


def _may_get_result_of(entry: Entry, sent: Submission, match: MatchState | None) -> bool:
    """Tell whether a form may get the result of a log entry that has its request id.

    It may if both are about the same match. A form that starts a match is about none yet (None).
    Then both must come from the same device: another one that knows the request id must not learn
    which match was started with it.
    """
    if match is None:
        return entry.device == sent.device
    return entry.match == match.id


def _make_repeated_result(entry: Entry, match: MatchState | None) -> Saved:
    """Make the result of a form that was sent again, from the log entry that it stored before.

    If the entry counted a hand (round) of the match, the result has its score again.
    """
    event = decode_log_entry(entry).event
    judgement = None
    if match is not None and isinstance(event, Counted):
        scores_before = event.before
        judgement = event.score_again(match.rules.settings, scores_before)
    return Saved(
        match=MatchId(entry.match),
        number=event.hand_number,
        judgement=judgement,
        again=True,
        sequence=entry.sequence,
    )
