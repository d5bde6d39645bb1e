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

    def list_visible_matches(self, device: DeviceId) -> tuple[MatchId, ...]:
        """Return the ids of all matches that a device may see, the most recently changed one last.

        Matches for practice are included.
        """
        sees_all = access.is_admin(device)
        stored_device = hash_device_id(device)
        with self.reading() as rows:
            visible = []
            for match in rows.list_matches_in_order():
                if sees_all or _may_see(rows, match, stored_device):
                    visible.append(MatchId(match))
            return tuple(visible)

    def write_scratch_file(self, match: MatchId | None, device: DeviceId) -> ScratchFile:
        """Write an export file into a temporary file, ready to be sent, and return that.

        It has one match, or with None all that the device may see and that can be read. The caller
        closes it once it is sent, which deletes it. Raises MatchNotFound and BrokenFile for a
        single match, and the errors of `ScratchFile`.
        """
        path = self.context.storage.path
        export = ScratchFile(path)
        try:
            with ScratchFile(path) as rules, ScratchFile(path) as matches:
                parts = _ExportParts(rules, matches)
                self._write_parts(parts, match, device)
                parts.write_whole_file(export)
            export.seek(0)
        except BaseException:  # whatever ends the export, nobody gets the file to close it
            export.close()
            raise
        return export

    def write_export(
        self, target: IO[bytes], match: MatchId | None, device: DeviceId
    ) -> tuple[MatchId, ...]:
        """Write an export file with one match, or with None all that the device may see.

        Returns the ids of matches that are left out because they cannot be read. For a single match
        raises MatchNotFound or BrokenFile instead. After an error, nothing is written to `target`.
        """
        # All is read before the first byte is written.
        with TemporaryFile() as rules, TemporaryFile() as matches:
            parts = _ExportParts(rules, matches)
            unread = self._write_parts(parts, match, device)
            parts.write_whole_file(target)
        return unread

    def _write_parts(
        self, parts: _ExportParts, match: MatchId | None, device: DeviceId
    ) -> tuple[MatchId, ...]:
        """Write one match, or with None all that the device may see, and the rules of each.

        Returns the ids of matches that are left out because they cannot be read. For a single match
        raises MatchNotFound or BrokenFile instead.
        """
        if match is not None:
            self._write_match(parts, match, device, matches_of_file=[match])
            return ()
        return self._write_readable_matches(parts, device)

    def _write_readable_matches(self, parts: _ExportParts, device: DeviceId) -> tuple[MatchId, ...]:
        """Write all matches that the device may see. Returns those that cannot be read.

        A match names its rematch only if that is in the file too. So if a match turns out to be
        unreadable, all is deleted and written again without it.
        """
        to_write = list(self.list_visible_matches(device))
        left_out: list[MatchId] = []
        while True:
            unreadable = self._write_matches(parts, to_write, device)
            if not unreadable:
                return tuple(left_out)
            parts.delete_all()
            left_out += unreadable
            to_write = [match for match in to_write if match not in left_out]

    def _write_matches(
        self, parts: _ExportParts, matches: Sequence[MatchId], device: DeviceId
    ) -> list[MatchId]:
        """Write these matches. Returns those that cannot be read, or were deleted meanwhile."""
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
        parts: _ExportParts,
        match: MatchId,
        device: DeviceId,
        matches_of_file: Collection[str],
    ) -> None:
        """Write a match, and also its rules if no earlier match has the same.

        `matches_of_file` are the ids of all matches that the file will have. A rematch that is not
        among them is left out. Raises MatchNotFound, BrokenFile.
        """
        with self.reading() as rows:
            prepared = _prepare_match(rows, match, device, matches_of_file)
            new_rules = {}
            for digest in prepared.rulesets:
                if digest not in parts.written_rules:
                    new_rules[digest] = rows.ruleset(digest)

        # Written only now that all is read: a match that cannot be read leaves nothing behind, and
        # the transaction does not wait for the disk.
        for digest, frozen in new_rules.items():
            parts.write_rules(digest, frozen)
        parts.write_match(prepared.content)


def _may_see(rows: ReadTransaction, match: str, stored_device: str) -> bool:
    """Tell whether a device may at least view a match.

    `stored_device` is the id of the device as `hash_device_id` returns it.
    """
    role = rows.find_role(match, stored_device)
    return role.access != Access.NONE


class _ExportParts:
    """The two parts of an export, which are written at the same time: rules and matches.

    In the file all rules come before the matches. But which rules they are shows only once each
    match is read, so the two parts are files of their own until the end.
    """

    def __init__(self, rules: AnyFile, matches: AnyFile) -> None:
        """Begin with two empty files, one for each part."""
        self._rules = rules
        self._matches = matches
        self._has_match = False
        self.written_rules: set[str] = set()
        """The digests of the rules that were written."""

    def write_rules(self, digest: str, frozen: Json) -> None:
        """Append the rules of a match; `digest` is their key in the file."""
        if self.written_rules:
            self._rules.write(b",\n")
        self._rules.write(file_format.encode_rules(digest, frozen))
        self.written_rules.add(digest)

    def write_match(self, match: Json) -> None:
        """Append a match, with a checksum of its content (`seal`)."""
        if self._has_match:
            self._matches.write(b",\n")
        for piece in file_format.encode_match(match):
            self._matches.write(piece)
        self._has_match = True

    def delete_all(self) -> None:
        """Delete all that was written, to begin again."""
        for part in (self._rules, self._matches):
            part.seek(0)
            part.truncate()
        self._has_match = False
        self.written_rules.clear()

    def write_whole_file(self, target: AnyFile) -> None:
        """Write the whole file, with the two parts in their places."""
        target.write(file_format.HEAD)
        _copy_whole(self._rules, target)
        target.write(file_format.BETWEEN)
        _copy_whole(self._matches, target)
        target.write(file_format.END)


def _copy_whole(source: AnyFile, target: AnyFile) -> None:
    """Append the whole content of a file to another one."""
    source.seek(0)
    copyfileobj(source, target)


class ExportedMatch(NamedTuple):
    """A match as it stands in an export file."""

    content: dict[str, Any]
    """The match in the format of the file, without its seal."""
    rulesets: list[str]
    """The digests of all rules that it ever had."""


def _prepare_match(
    rows: ReadTransaction, match: str, device: DeviceId, matches_of_file: Collection[str]
) -> ExportedMatch:
    """Read a match, and convert it into the JSON object that an export file has for it.

    A device that may only view does not get the hand (round) that is being played. A rematch is
    left out unless it is in the file too: `matches_of_file` are the ids of all its matches. Raises
    MatchNotFound, BrokenFile.
    """
    admission = access.admit(rows, match, device)
    record = admission.record
    entries = rows.entries(match)

    open_hand = None
    if admission.access.can_write:
        stored_hand = rows.open_hand(match)
        if stored_hand is not None:
            open_hand = _convert_row_to_json(stored_hand, OpenHandInput)
    rematch = rows.rematch(match)
    if rematch not in matches_of_file:
        rematch = None
    content = {
        "id": record.id,
        "started": as_moment(record.started),
        "ruleset": record.ruleset,
        "entries": [_convert_row_to_json(entry, EntryInput) for entry in entries],
        "devices": {each.device: each.number for each in rows.devices(match)},
        "open_hand": open_hand,
        "rematch": rematch,
    }
    return ExportedMatch(content, _list_digests_of_all_rules(record.ruleset, entries))


def _list_digests_of_all_rules(first_digest: str, entries: Iterable[Entry]) -> list[str]:
    """List the digests of all rules that a match ever had, each once, in the order of time.

    A digest is the key of stored rules: `first_digest` is that of the rules at the start. Each
    change of rules is an entry of the log, with the digest of the new ones.
    """
    digests = [first_digest]
    for entry in entries:
        if entry.kind != RulesChange.kind:
            continue
        digest = entry.payload["ruleset"]
        if digest not in digests:
            digests.append(digest)
    return digests


def _convert_row_to_json(record: Entry | OpenHand, form: type[Input]) -> dict[str, Any]:
    """Convert a stored row into the JSON object that an export file has for it.

    The object has the fields of `form`, which have the names of attributes of the row. Times become
    text.
    """
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

    def import_file(self, source: bytes, device: DeviceId) -> Imported:
        """Import the matches of an export file, which then belong to the device.

        A match that exists here is left unchanged. Raises Unusable and stores nothing if the file
        is damaged or no export file of this version, and if it has entries of such a match that are
        missing here.
        """
        return self.import_rows(read_rows_to_store(source), device)

    def import_rows(self, rows_of_file: Iterable[VerifiedRow], device: DeviceId) -> Imported:
        """Store the verified rows of an export file, all of them or none.

        Its matches then belong to the device. One that exists here is left unchanged. Raises
        Unusable if such a match has entries in the file that it does not have here.
        """
        now = self.context.clock()
        with self.context.storage.writing() as rows:
            running = _Import(rows, device, now)
            for row in rows_of_file:
                if isinstance(row, FrozenRules):  # the rules of a match
                    rows.add_ruleset(row.digest, row.frozen)
                    continue
                exists_here = rows.match(row.record.id) is not None
                if exists_here:
                    running.pass_over_match(row)
                else:
                    running.add_match(row)
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

    def add_match(self, new_match: VerifiedMatch) -> None:
        """Store a match that does not exist here, which the device owns then."""
        match = MatchId(new_match.record.id)
        _store_imported_match(self.rows, new_match)
        self.taken.append(match)
        if new_match.rematch is not None:
            self.rematches[match] = new_match.rematch
        is_command_line = self.device == ADMIN
        if not is_command_line:  # it has access to every match, and needs to own none
            self._make_device_owner(match)

    def _make_device_owner(self, match: MatchId) -> None:
        """Let the device own a match just stored, and make the keys by which others enter it."""
        self.rows.grant(match, hash_device_id(self.device), Access.OWN, self.now)
        self.keys[match] = store_new_keys(self.rows, match, self.now)

    def pass_over_match(self, match_of_file: VerifiedMatch) -> None:
        """Leave a match unchanged that exists here already, and note it for the answer.

        Raises Unusable if it has entries in the file that it does not have here.
        """
        _require_known_entries(self.rows, match_of_file)
        match = MatchId(match_of_file.record.id)
        access_here = access.find_access(self.rows, match, self.device)
        if access_here is Access.NONE:
            self.hidden.append(match)  # the page must not link to it
        else:
            self.here.append(match)

    def store_rematches(self) -> None:
        """Store which match is the rematch of which.

        Call it once all matches are stored: in the file, a rematch may come before or after.
        """
        for match, rematch in self.rematches.items():
            self.rows.put_rematch(match, rematch)

    def result(self) -> Imported:
        """Return which matches were imported, and which were here already."""
        return Imported(tuple(self.taken), tuple(self.here), tuple(self.hidden), self.keys)


def _require_known_entries(rows: WriteTransaction, match_of_file: VerifiedMatch) -> None:
    """Raise Unusable if a match has entries in a file that it does not have in the data file.

    They would be lost, because a match that exists is not imported again. Fewer entries than here
    are fine: the match went on since it was exported.
    """
    match = match_of_file.record.id
    log_here = rows.entries(match)
    log_of_file = match_of_file.entries
    record_here = rows.match(match)
    has_same_rules = record_here is not None and record_here.ruleset == match_of_file.record.ruleset
    if has_same_rules and _begins_with(log_here, log_of_file):
        return
    if has_same_rules and _begins_with(log_of_file, log_here):
        # "The match … is here already, but in the file it goes further."
        raise Unusable("files.further-in-file", match=match)
    # "The match … is here already, but in the file it went on otherwise."
    raise Unusable("files.otherwise-here", match=match)


def _begins_with(log: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Tell whether a log begins with these entries; also if it has no others."""
    return log[: len(entries)] == entries


def _store_imported_match(rows: WriteTransaction, new_match: VerifiedMatch) -> None:
    """Store a match of an export file. Its rules must be stored already.

    The devices that entered it elsewhere get no access here. Raises Unusable if a match here has
    one of its request ids, which are unique in a data file.
    """
    _require_unused_request_ids(rows, new_match)
    rows.add_match(new_match.record)
    last_row = _append_entries(rows, new_match.entries)
    _store_devices_without_access(rows, new_match)
    if new_match.open_hand is not None:
        rows.put(new_match.open_hand)
    rows.put(replace(new_match.summary, last_row=last_row))


def _require_unused_request_ids(rows: ReadTransaction, new_match: VerifiedMatch) -> None:
    """Raise Unusable if a match here has a request id of this match, which is new here.

    A request id is the random id of a form that was sent, so the file must have been changed.
    """
    for entry in new_match.entries:
        if rows.find_entry_of_request(entry.request) is not None:
            # "The match … in the file is damaged, or somebody changed it by hand."
            raise Unusable("files.damaged", match=quote(new_match.record.id))


def _append_entries(rows: WriteTransaction, entries: Iterable[Entry]) -> int:
    """Store the log of a match. Returns the row of the last entry that changed the match.

    Lists of matches are ordered by that row. An entry about access, such as a new key, does not
    change the match itself.
    """
    last_row = 0
    for entry in entries:
        stored = rows.append(entry)
        if entry.kind != AccessChange.kind:
            last_row = stored.row
    return last_row


def _store_devices_without_access(rows: WriteTransaction, new_match: VerifiedMatch) -> None:
    """Store the devices that ever entered a match of an export file, so that its log can name them.

    They are known by their numbers. They get no access, since they entered it in another data file.
    """
    match = new_match.record
    for device, number in new_match.devices.items():
        record = DeviceRecord(
            match=match.id,
            device=device,
            access=Access.NONE,
            granted=match.started,
            number=number,
        )
        rows.put(record)
