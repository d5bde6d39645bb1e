"""Export and import of whole matches as files, without their keys.

An import takes all of a file or nothing. An export is written match by match, each read in a
transaction of its own: a transaction over all of them would hold up whoever saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from scorepad.matches import access, file_format
from scorepad.matches.access import ADMIN, Access, DeviceId, MatchId, MatchNotFound
from scorepad.matches.events import AccessChange, RulesChange
from scorepad.matches.file_format import EntryInput, Json, OpenHandInput
from scorepad.matches.file_reader import VerifiedMatch, VerifiedRow, read_rows_to_store
from scorepad.matches.keys import Keys, store_new_keys
from scorepad.matches.service import Service
from scorepad.schemas.fields import Input, Unusable, quote
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import (
    DeviceRecord,
    Entry,
    FrozenRules,
    MatchRecord,
    OpenHand,
    ReadTransaction,
    WriteTransaction,
    as_moment,
    hash_device_id,
)
from scorepad.storage.scratch import ScratchFile

AnyFile = IO[bytes] | ScratchFile


# ------------------------------------------------------------------------------------------- export


class Exports(Service):
    """Exports the matches that the device may see."""

    def names(self, device: DeviceId) -> tuple[MatchId, ...]:
        """The ids of the matches that the device may see, practice included, most recently changed
        last.
        """
        sees_all = access.is_admin(device)
        mark = hash_device_id(device)
        with self.reading() as rows:
            names = []
            for match in rows.matches_in_order():
                if sees_all or _has_access(rows, match, mark):
                    names.append(MatchId(match))
            return tuple(names)

    def scratch_file(self, match: MatchId | None, device: DeviceId) -> ScratchFile:
        """An export of a match, or of all that can be read, in a temporary file.

        The file is at its beginning, ready to be sent; the caller closes it after that. Raises
        MatchNotFound and BrokenFile for a single match, and the errors of `ScratchFile`.
        """
        path = self.context.storage.path
        whole = ScratchFile(path)
        try:
            with ScratchFile(path) as rules, ScratchFile(path) as matches:
                parts = _Parts(rules, matches)
                self._write_parts(parts, match, device)
                parts.write_to(whole)
            whole.seek(0)
        except BaseException:  # whatever ends the export, nobody gets the file to close it
            whole.close()
            raise
        return whole

    def write(
        self, target: IO[bytes], match: MatchId | None, device: DeviceId
    ) -> tuple[MatchId, ...]:
        """Write a match, or all, to a file; returns the matches that cannot be read. Raises
        MatchNotFound, BrokenFile.

        Raises an error only before the first byte is written.
        """
        with TemporaryFile() as rules, TemporaryFile() as matches:
            parts = _Parts(rules, matches)
            unread = self._write_parts(parts, match, device)
            parts.write_to(target)
        return unread

    def _write_parts(
        self, parts: _Parts, match: MatchId | None, device: DeviceId
    ) -> tuple[MatchId, ...]:
        """Write a match, or all, with their rules; returns the matches that cannot be read."""
        if match is not None:
            self._write_match(parts, match, device, matches_of_file=[match])
            return ()
        readable = list(self.names(device))
        unreadable: list[MatchId] = []
        while True:
            parts.empty()
            newly_unreadable = self._write_all(parts, readable, device)
            if not newly_unreadable:
                return tuple(unreadable)
            # A match that was written may have one of these as its rematch, which would be missing
            # in the file. So everything is written again without them.
            unreadable += newly_unreadable
            readable = [name for name in readable if name not in unreadable]

    def _write_all(
        self, parts: _Parts, matches: Sequence[MatchId], device: DeviceId
    ) -> list[MatchId]:
        """Write these matches; returns those that cannot be read, or were deleted meanwhile."""
        matches_of_file = frozenset(matches)
        unreadable = []
        for match in matches:
            try:
                self._write_match(parts, match, device, matches_of_file)
            except (BrokenFile, MatchNotFound):
                unreadable.append(match)
        return unreadable

    def _write_match(
        self,
        parts: _Parts,
        match: MatchId,
        device: DeviceId,
        matches_of_file: Collection[str],
    ) -> None:
        """Write a match, and before it its rules if no earlier match had them.

        `matches_of_file` are the ids of all matches of the file: only one of these can be its
        rematch there. Raises MatchNotFound, BrokenFile.
        """
        with self.reading() as rows:
            exported = _exported_match(rows, match, device, matches_of_file)
            new_rules = {}
            for digest in exported.rulesets:
                if digest not in parts.written:
                    new_rules[digest] = rows.ruleset(digest)
        # Written only now that all is read: a match that cannot be read leaves nothing behind, and
        # the transaction does not wait for the disk.
        for digest, frozen in new_rules.items():
            parts.write_rules(digest, frozen)
        parts.write_match(exported.content)


def _has_access(rows: ReadTransaction, match: str, mark: str) -> bool:
    """Whether the device with this stored form of its id has any access to the match."""
    granted, _ = rows.role(match, mark)
    return granted != Access.NONE


class _Parts:
    """The two parts of an export, which are written at the same time: rules and matches.

    In the file all rules come before the matches. But which rules they are shows only once each
    match is read, so the two parts are files of their own until the end.
    """

    def __init__(self, rules: AnyFile, matches: AnyFile) -> None:
        self._rules = rules
        self._matches = matches
        self._has_match = False
        self.written: set[str] = set()
        """The digests of the rules written."""

    def write_rules(self, digest: str, frozen: Json) -> None:
        """Append frozen rules, which have this digest."""
        if self.written:
            self._rules.write(b",\n")
        self._rules.write(file_format.rules_line(digest, frozen))
        self.written.add(digest)

    def write_match(self, match: Json) -> None:
        """Append a match with its seal."""
        if self._has_match:
            self._matches.write(b",\n")
        for piece in file_format.match_pieces(match):
            self._matches.write(piece)
        self._has_match = True

    def empty(self) -> None:
        """Delete what was written."""
        for part in (self._rules, self._matches):
            part.seek(0)
            part.truncate()
        self._has_match = False
        self.written.clear()

    def write_to(self, target: AnyFile) -> None:
        """Write the whole file: its head, the rules, and the matches."""
        target.write(file_format.HEAD)
        _append_part(self._rules, target)
        target.write(file_format.BETWEEN)
        _append_part(self._matches, target)
        target.write(file_format.END)


def _append_part(part: AnyFile, target: AnyFile) -> None:
    """Copy a whole part to the end of the target."""
    part.seek(0)
    copyfileobj(part, target)


class ExportedMatch(NamedTuple):
    """A match as it stands in an export file."""

    content: dict[str, Any]
    """The match in the format of the file, without its seal."""
    rulesets: list[str]
    """The digests of all rules that it ever had."""


def _exported_match(
    rows: ReadTransaction, match: str, device: DeviceId, matches_of_file: Collection[str]
) -> ExportedMatch:
    """A match as a device may export it: with the open hand only if it may write.

    `matches_of_file` are the ids of all matches of the file. A rematch that is not among them is
    left out. Raises MatchNotFound, BrokenFile.
    """
    admission = access.admit(rows, match, device)
    record = admission.record
    entries = rows.entries(match)
    open_hand = rows.open_hand(match) if admission.access.can_write else None
    rematch = rows.rematch(match)
    content = {
        "id": record.id,
        "started": as_moment(record.started),
        "ruleset": record.ruleset,
        "entries": [_row_as_json(entry, EntryInput) for entry in entries],
        "devices": {each.device: each.number for each in rows.devices(match)},
        "open_hand": None if open_hand is None else _row_as_json(open_hand, OpenHandInput),
        "rematch": rematch if rematch in matches_of_file else None,
    }
    return ExportedMatch(content, _digests_of_rules(record, entries))


def _digests_of_rules(record: MatchRecord, entries: Iterable[Entry]) -> list[str]:
    """The digests of all rules that a match ever had, the first ones first.

    They are taken from the rows of its log: an export need not work out the match.
    """
    digests = [record.ruleset]
    for entry in entries:
        if entry.kind == RulesChange.kind and entry.payload["ruleset"] not in digests:
            digests.append(entry.payload["ruleset"])
    return digests


def _row_as_json(record: Entry | OpenHand, form: type[Input]) -> dict[str, Any]:
    """The values of a row that the file has by this form, with moments as text."""
    values = {}
    for name in form.model_fields:
        value = getattr(record, name)
        if isinstance(value, datetime):
            value = as_moment(value)
        values[name] = value
    return values


# ------------------------------------------------------------------------------------------- import


class Imported(NamedTuple):
    """The matches imported, in the order of the file, and those that existed already, as in the
    file or further on.

    `keys` are those of each match imported from a browser, shown only once; `hidden` are existing
    matches that the device may not see.
    """

    taken: tuple[MatchId, ...]
    here: tuple[MatchId, ...]
    hidden: tuple[MatchId, ...]
    keys: Mapping[MatchId, Keys]


class Imports(Service):
    """Imports matches."""

    def take(self, source: bytes, device: DeviceId) -> Imported:
        """Import the matches of an export file, which the device then owns.

        An existing match with the same log, or with more entries, is left unchanged. Raises
        Unusable and stores nothing for another kind of file, a later format, a damaged match, and
        an existing match whose log in the file has more or other entries.
        """
        return self.put(read_rows_to_store(source), device)

    def put(self, rows_of_file: Iterable[VerifiedRow], device: DeviceId) -> Imported:
        """Import the verified rows of a file, all of them or none.

        Raises Unusable if the log of a match that exists already has more or other entries in the
        file.
        """
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            running = _Import(rows, device, now)
            for row in rows_of_file:
                if isinstance(row, FrozenRules):
                    rows.add_ruleset(row.digest, row.frozen)
                elif rows.match(row.record.id) is None:
                    running.add_match(row)
                else:
                    running.pass_over_match(row)
            running.store_rematches()
        return running.result()


@dataclass(slots=True)
class _Import:
    """An import in a write transaction, and what has become of the matches of the file so far."""

    rows: WriteTransaction
    device: DeviceId
    now: datetime
    taken: list[MatchId] = field(default_factory=list)
    here: list[MatchId] = field(default_factory=list)
    hidden: list[MatchId] = field(default_factory=list)
    keys: dict[MatchId, Keys] = field(default_factory=dict)
    rematches: dict[MatchId, str] = field(default_factory=dict)
    """The rematch of each match that is new here and has one."""

    def add_match(self, read: VerifiedMatch) -> None:
        """Store a match that is new here, owned by the device, with new keys.

        The command line needs neither, since it has access to every match.
        """
        match = MatchId(read.record.id)
        _store_imported_match(self.rows, read)
        self.taken.append(match)
        if read.rematch is not None:
            self.rematches[match] = read.rematch
        if self.device != ADMIN:
            self.rows.grant(match, hash_device_id(self.device), Access.OWN, self.now)
            self.keys[match] = store_new_keys(self.rows, match, self.now)

    def pass_over_match(self, read: VerifiedMatch) -> None:
        """Leave a match as it is that exists here already.

        Raises Unusable if its log in the file has entries that it does not have here.
        """
        _require_nothing_new(self.rows, read)
        match = MatchId(read.record.id)
        if access.access_of(self.rows, match, self.device) is Access.NONE:
            self.hidden.append(match)
        else:
            self.here.append(match)

    def store_rematches(self) -> None:
        """Store which match is the rematch of which, once all of them are stored: a rematch may come
        first in the file, or last.
        """
        for match, rematch in self.rematches.items():
            self.rows.put_rematch(match, rematch)

    def result(self) -> Imported:
        """The matches imported, and those that were here already."""
        return Imported(tuple(self.taken), tuple(self.here), tuple(self.hidden), self.keys)


def _require_nothing_new(rows: WriteTransaction, read: VerifiedMatch) -> None:
    """Check that a match that exists here has all entries that it has in the file, and perhaps more.

    Raises Unusable if its log in the file has more or other entries, which would be lost.
    """
    match = read.record.id
    log_here = rows.entries(match)
    log_of_file = read.entries
    record_here = rows.match(match)
    has_same_rules = record_here is not None and record_here.ruleset == read.record.ruleset
    if has_same_rules and _begins_with(log_here, log_of_file):
        return
    if has_same_rules and _begins_with(log_of_file, log_here):
        raise Unusable("files.further-in-file", match=match)
    raise Unusable("files.otherwise-here", match=match)


def _begins_with(log: Sequence[Entry], beginning: Sequence[Entry]) -> bool:
    """Whether the first entries of a log are these."""
    return log[: len(beginning)] == beginning


def _store_imported_match(rows: WriteTransaction, read: VerifiedMatch) -> None:
    """Store a match of a file, whose rules are stored already. Its devices have no access here.

    Raises Unusable if another match has one of its request ids, which are unique in a data file.
    """
    _require_new_requests(rows, read)
    rows.add_match(read.record)
    last_row = _append_entries(rows, read.entries)
    _store_devices(rows, read)
    if read.open_hand is not None:
        rows.put(read.open_hand)
    rows.put(replace(read.summary, last_row=last_row))


def _require_new_requests(rows: ReadTransaction, read: VerifiedMatch) -> None:
    """Raise Unusable if an entry of a match here has the request id of one of these entries."""
    for entry in read.entries:
        if rows.requested(entry.request) is not None:
            raise Unusable("files.damaged", match=quote(read.record.id))


def _append_entries(rows: WriteTransaction, entries: Iterable[Entry]) -> int:
    """Store the log of a match. Returns the row of the last entry by which the match was changed:
    one about access, who may see or change it, does not change the match itself.
    """
    last_row = 0
    for entry in entries:
        stored = rows.append(entry)
        if entry.kind != AccessChange.kind:
            last_row = stored.row
    return last_row


def _store_devices(rows: WriteTransaction, read: VerifiedMatch) -> None:
    """Store the devices that ever entered a match of a file, with their numbers but without access:
    they are those of another data file.
    """
    match = read.record
    for device, number in read.devices.items():
        rows.put(DeviceRecord(match.id, device, Access.NONE, match.started, number))
