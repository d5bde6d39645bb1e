"""The pad: everything that can be done with a match, one verb each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from typing import Any

from scorepad.matches import hands, matches, undoing
from scorepad.matches.access import access_of
from scorepad.matches.answers import Kept, NewMatchRefused, NoteWanted, Refused, RenameRefused, Saved, Stale
from scorepad.matches.checking import Checking
from scorepad.matches.course import Course
from scorepad.matches.desk import Clock, Desk, Sent, found_again
from scorepad.matches.doors import Doors
from scorepad.matches.exporting import Exports
from scorepad.matches.hands import Correction, Typed
from scorepad.matches.house import house_options
from scorepad.matches.importing import Imports
from scorepad.matches.kinds import EntryKind
from scorepad.matches.labels import read_labels
from scorepad.matches.office import Office
from scorepad.matches.payloads import Beginning
from scorepad.matches.pulse import Pulse, pulse_of, tag_of_all, tag_of_phones
from scorepad.matches.records import Records
from scorepad.matches.refereeing import Refereeing
from scorepad.matches.values import MatchState, NewMatch, OpenHand, Said, Summaries
from scorepad.matches.who import Access, DeviceId, MatchId, RequestId
from scorepad.rules.judge import Judgement
from scorepad.rules.variants import settle
from scorepad.storage import Storage

NOTHING_SAID = Said()
Hand = Mapping[str, Any]
"""A hand as in the JSON contract, sides by `SIDE_KEYS`, without the variant, the options and the scores before."""


def utc_now() -> datetime:
    """The machine's own clock."""
    return datetime.now(UTC)


class Pad:
    """The matches of a data file. Any number of threads may use one pad.

    Every verb that names a match raises MatchNotFound where the device may not see it, those that write NotAllowed
    where it may only look, and RequestRefused for a request id that was used for something else: to start a match, for
    one with other content too, which elsewhere is stale. What is answered as saved or kept is on the disk. StorageError
    passes through.

    Beside its own verbs, for matches and hands, it has rooms: `doors` for keys and devices, `checking` where one side
    counts and the other checks, `course` for whatever else happens to a match, `referee` for rulings kept with one,
    `records` for looking back, `exports` and `imports` for matches as a file.
    """

    def __init__(self, storage: Storage, clock: Clock = utc_now) -> None:
        self._office = Office(storage, clock)
        self.doors = Doors(self._office)
        self.checking = Checking(self._office)
        self.course = Course(self._office)
        self.referee = Refereeing(self._office)
        self.records = Records(self._office)
        self.exports = Exports(self._office)
        self.imports = Imports(self._office)

    @property
    def generation(self) -> int:
        """How often another program has replaced or changed the data file."""
        return self._office.storage.generation

    # ------------------------------------------------------------------------------------------------ looking

    def access(self, match: MatchId, device: DeviceId) -> Access:
        """What the device may do with the match; none where there is no such match."""
        with self._office.storage.reading() as rows:
            return access_of(rows, match, device)

    def pulse(self, match: MatchId, device: DeviceId) -> Pulse:
        """How far the match has come, for an open page that asks whether it is still fresh."""
        with self._office.storage.reading() as rows:
            return pulse_of(rows, match, device)

    def tag_of_all(self, device: DeviceId) -> str:
        """How far the matches of the device have come, in one word, for open pages that list them."""
        with self._office.storage.reading() as rows:
            return tag_of_all(rows, device)

    def tag_of_phones(self, match: MatchId, device: DeviceId) -> str:
        """How far the match has come and who may come to it, in one word, for open pages that tell of both."""
        with self._office.storage.reading() as rows:
            return tag_of_phones(rows, match, device)

    def summaries(self, device: DeviceId, in_progress: int | None = None, finished: int | None = None) -> Summaries:
        """The matches that the device may see, the last one changed first; of each kind all, or the first so many."""
        with self._office.storage.reading() as rows:
            return matches.list_matches(rows, device, in_progress, finished)

    def state(self, match: MatchId, device: DeviceId) -> MatchState:
        """The match as it stands."""
        return self._office.view(match, device).state

    def open(self, match: MatchId, device: DeviceId) -> OpenHand:
        """The hand to be typed now; version 0 while nothing of it has been kept. Raises MatchOver."""
        return hands.open_hand(self._office.view(match, device, to_write=True))

    def preview(
        self, match: MatchId, device: DeviceId, hand: Hand, number: int | None = None, said: Said = NOTHING_SAID
    ) -> Judgement:
        """What the rules say of a hand while it is typed; `number` is that of the hand being corrected.

        Stores nothing. Raises contract.Unusable.
        """
        return hands.preview(self._office.view(match, device, to_write=True), hand, number, said)

    # ------------------------------------------------------------------------------------------------ matches

    def start(self, request: RequestId, device: DeviceId, new: NewMatch) -> Saved | NewMatchRefused:
        """Start a match, which the device then owns. Raises ChoiceError for rules that do not exist."""
        rules = settle(new.variant, new.preset, new.options)
        labels = matches.check_new(new, rules)
        if isinstance(labels, NewMatchRefused):
            return labels
        sent = Sent.of(request, device, asdict(new))
        with self._office.storage.writing() as rows:
            again = found_again(rows, self._office.shelf, sent, EntryKind.START, None)
            begins = Beginning(new.dealer, house_options(rules), new.carried, new.played, new.practice)
            return again or matches.start(rows, sent, self._office.clock(), rules, labels, begins)

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

        `seen` is the last entry that the device had seen, where it says so: what it left as it was then, it leaves as
        it is now, and what others have changed since it does not change.
        """

        def act(desk: Desk) -> Saved | RenameRefused:
            wanted, _ = read_labels(names, players, place, desk.log.rules.settings)
            return matches.rename(desk, request, wanted, seen)

        sent = Sent.of(request, device, names, players, place)
        return self._office.submit(EntryKind.RENAME, sent, match, act)

    # ------------------------------------------------------------------------------------------------ hands

    def keep(
        self, match: MatchId, device: DeviceId, hand_id: str, seen_version: int, draft: Mapping[str, str]
    ) -> Kept | Stale:
        """Keep the fields of the open hand as typed so far. Raises MatchOver where there is none to come."""
        with self._office.storage.writing() as rows:
            desk = self._office.desk(rows, match, device)
            return hands.keep(desk, Typed(hand_id, seen_version, draft))

    def count(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what was typed
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        hand_id: str,
        seen_version: int,
        hand: Hand,
        draft: Mapping[str, str] | None = None,
        said: Said = NOTHING_SAID,
    ) -> Saved | Refused | Stale:
        """Count the open hand. `draft` are its fields as sent: kept if the rules refuse the hand.

        Raises MatchOver and contract.Unusable; then nothing was stored.
        """
        typed, sent = Typed(hand_id, seen_version, draft), Sent.of(request, device, hand_id, hand, *astuple(said))
        return self._office.submit(
            EntryKind.HAND, sent, match, lambda desk: hands.count(desk, request, typed, hand, said)
        )

    def correct(  # noqa: PLR0913, PLR0917 - who asks, which hand, and what it should be
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        seen_entry: int,
        hand: Hand,
        note: str = "",
        said: Said = NOTHING_SAID,
        draft: Mapping[str, str] | None = None,
    ) -> Saved | Refused | NoteWanted | Stale:
        """Count a past hand again; `seen_entry` is the entry of the version that was corrected.

        `draft` are its fields as typed. Where the other side had confirmed it that takes a note. Raises
        contract.Unusable.
        """
        correction = Correction(number, seen_entry, hand, note, said, draft or {})
        sent = Sent.of(request, device, number, seen_entry, hand, note, *astuple(said))
        return self._office.submit(
            EntryKind.CORRECTION, sent, match, lambda desk: hands.correct(desk, request, correction)
        )

    def undo(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_sequence: int, note: str = ""
    ) -> Saved | NoteWanted | Stale:
        """Undo the last thing done that still stands, if `seen_sequence` is still the last of the match.

        What the other side had agreed to takes a note.
        """
        sent = Sent.of(request, device, seen_sequence, note)
        return self._office.submit(
            EntryKind.UNDO, sent, match, lambda desk: undoing.undo(desk, request, seen_sequence, note)
        )
