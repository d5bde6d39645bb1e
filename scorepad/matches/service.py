"""The service: everything that can be done with the matches of a data file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from typing import Any

from scorepad.matches import actions, hands
from scorepad.matches.access import Access, DeviceId, MatchId, RequestId, access_of, holder_of
from scorepad.matches.actions import Actions, house_options
from scorepad.matches.checking import CheckingService
from scorepad.matches.devices import Devices
from scorepad.matches.events import EntryKind, Start
from scorepad.matches.exports import Exports
from scorepad.matches.hands import Recount, Typed
from scorepad.matches.imports import Imports
from scorepad.matches.names import read_labels
from scorepad.matches.projection import MatchState, MatchSummary, NewMatch, OpenHand, Summaries
from scorepad.matches.records import Records
from scorepad.matches.results import Kept, NewMatchRefused, NoteWanted, Refused, RenameRefused, Said, Saved, Stale
from scorepad.matches.transaction import (
    Clock,
    Context,
    Submission,
    Transaction,
    Version,
    tag_of_all,
    tag_of_devices,
    version_of,
)
from scorepad.rules.judge import Judgement
from scorepad.rules.variants import settle
from scorepad.storage import Storage
from scorepad.storage.records import Kind, known_as

NOTHING_SAID = Said()
HandJson = Mapping[str, Any]
"""A hand as in the JSON contract, sides by `SIDE_KEYS`, without the variant, the options and the scores before."""


def utc_now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


class Pad:
    """The matches of a data file. Thread-safe.

    Methods that name a match raise MatchNotFound where the device may not see it, those that write NotAllowed where it
    may only view, and RequestRefused for a request id that was used for something else: to start a match, for one with
    other content too, which elsewhere is stale. What is returned as saved or kept is on the disk. StorageError passes
    through everything.

    `devices` holds what can be done with keys and devices, `checking` with the checks of the other side, `actions` with
    a match beside its hands, `records` with the past; `exports` and `imports` matches as a file.
    """

    def __init__(self, storage: Storage, clock: Clock = utc_now) -> None:
        self._context = Context(storage, clock)
        self.devices = Devices(self._context)
        self.checking = CheckingService(self._context)
        self.actions = Actions(self._context)
        self.records = Records(self._context)
        self.exports = Exports(self._context)
        self.imports = Imports(self._context)

    @property
    def generation(self) -> int:
        """How often another program has replaced or changed the data file."""
        return self._context.storage.generation

    # ------------------------------------------------------------------------------------------------ reading

    def access(self, match: MatchId, device: DeviceId) -> Access:
        """What the device may do with the match; none where there is no such match."""
        with self._context.storage.reading() as rows:
            return access_of(rows, match, device)

    def version(self, match: MatchId, device: DeviceId) -> Version:
        """The version of the match, for an open page that polls it."""
        with self._context.storage.reading() as rows:
            return version_of(rows, match, device)

    def tag_of_all(self, device: DeviceId) -> str:
        """The version of the lists of matches of the device, as an ETag."""
        with self._context.storage.reading() as rows:
            return tag_of_all(rows, device)

    def tag_of_devices(self, match: MatchId, device: DeviceId) -> str:
        """The version of the match and of its devices, as an ETag."""
        with self._context.storage.reading() as rows:
            return tag_of_devices(rows, match, device)

    def summaries(self, device: DeviceId, in_progress: int | None = None, finished: int | None = None) -> Summaries:
        """The matches that the device may see, the last one changed first; of each kind all, or the first so many."""
        with self._context.storage.reading() as rows:
            holder = holder_of(device)
            counts = {each.kind: each.matches for each in rows.lists(holder)}
            going_on = rows.summaries(holder, Kind.IN_PROGRESS, in_progress)
            over = rows.summaries(holder, Kind.FINISHED, finished)
            # Of practice matches only those that the device came into itself, whatever else it may see.
            practice = rows.summaries(known_as(device), Kind.PRACTICE)
        return Summaries(
            tuple(map(MatchSummary.of, going_on.rows)),
            tuple(map(MatchSummary.of, over.rows)),
            tuple(map(MatchId, (*going_on.garbled, *over.garbled, *practice.garbled))),
            tuple(map(MatchSummary.of, practice.rows)),
            counts.get(Kind.IN_PROGRESS, 0),
            counts.get(Kind.FINISHED, 0),
        )

    def state(self, match: MatchId, device: DeviceId, *, to_write: bool = False) -> MatchState:
        """The match as it stands; `to_write`: for a device that may write."""
        return self._context.state(match, device, to_write=to_write)

    def open(self, match: MatchId, device: DeviceId) -> OpenHand:
        """The hand to be typed now; version 0 while nothing of it is stored. Raises MatchOver."""
        return hands.open_hand(self.state(match, device, to_write=True))

    def preview(
        self, match: MatchId, device: DeviceId, hand: HandJson, number: int | None = None, said: Said = NOTHING_SAID
    ) -> Judgement:
        """Judge a hand while it is typed; `number` is that of the hand being corrected.

        Stores nothing. Raises Unusable.
        """
        return hands.preview(self.state(match, device, to_write=True), hand, number, said)

    # ------------------------------------------------------------------------------------------------ matches

    def start(self, request: RequestId, device: DeviceId, new: NewMatch) -> Saved | NewMatchRefused:
        """Start a match, which the device then owns. Raises ChoiceError for rules that do not exist."""
        rules = settle(new.variant, new.preset, new.options)
        labels = actions.check_new(new, rules)
        if isinstance(labels, NewMatchRefused):
            return labels
        event = Start(
            **asdict(labels),
            dealer=new.dealer,
            house=house_options(rules),
            carried=new.carried,
            played=new.played,
            practice=new.practice,
        )
        sent = Submission.of(request, device, asdict(new))
        with self._context.storage.writing() as rows:
            again = self._context.first_result(rows, sent, EntryKind.START, None)
            return again or actions.start(rows, sent, self._context.clock(), rules, event)

    def rename(  # noqa: PLR0913, PLR0917 - who asks, and every name
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        names: Sequence[str],
        players: Sequence[Sequence[str]],
        place: str,
        seen: int | None = None,
    ) -> Saved | RenameRefused | Stale:
        """Give the match, its sides and its players these names.

        `seen` is the last entry that the device had seen, where it says so: names that it left as they were then stay
        as they are now, and names that others have changed since are not changed.
        """

        def act(tx: Transaction) -> Saved | RenameRefused:
            wanted, _ = read_labels(names, players, place, tx.match.rules.settings)
            return actions.rename(tx, request, wanted, seen)

        sent = Submission.of(request, device, names, players, place)
        return self._context.submit(EntryKind.RENAME, sent, match, act)

    # ------------------------------------------------------------------------------------------------ hands

    def keep(
        self, match: MatchId, device: DeviceId, hand_id: str, seen_version: int, draft: Mapping[str, str]
    ) -> Kept | Stale:
        """Store the fields of the open hand as typed so far. Raises MatchOver where there is none to come."""
        with self._context.transaction(match, device) as tx:
            return hands.keep(tx, Typed(hand_id, seen_version, draft))

    def count(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what was typed
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        hand_id: str,
        seen_version: int,
        hand: HandJson,
        draft: Mapping[str, str] | None = None,
        said: Said = NOTHING_SAID,
    ) -> Saved | Refused | Stale:
        """Count the open hand. `draft` are its fields as sent: stored if the rules refuse the hand.

        Raises MatchOver and Unusable; then nothing was stored.
        """
        typed, sent = Typed(hand_id, seen_version, draft), Submission.of(request, device, hand_id, hand, *astuple(said))
        return self._context.submit(EntryKind.HAND, sent, match, lambda tx: hands.count(tx, request, typed, hand, said))

    def correct(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: HandJson,
        note: str = "",
        said: Said = NOTHING_SAID,
        draft: Mapping[str, str] | None = None,
    ) -> Saved | Refused | NoteWanted | Stale:
        """Correct a past hand; `seen_entry` is the entry of the version that the device had seen.

        `draft` are its fields as typed. Where the other side had confirmed it that takes a note. Raises Unusable.
        """
        wanted = Recount(number, seen_entry, hand, note, said, draft or {})
        sent = Submission.of(request, device, number, seen_entry, hand, note, *astuple(said))
        return self._context.submit(EntryKind.CORRECTION, sent, match, lambda tx: hands.correct(tx, request, wanted))

    def undo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int, note: str = ""
    ) -> Saved | NoteWanted | Stale:
        """Undo the last thing done that still stands, if `seen_sequence` is still the last of the match.

        What the other side had agreed to takes a note.
        """
        sent = Submission.of(request, device, seen_sequence, note)
        return self._context.submit(
            EntryKind.UNDO, sent, match, lambda tx: hands.undo(tx, request, seen_sequence, note)
        )
