"""Matches: stored as a log of events, projected, exported and imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from scorepad.errors import NewerError
from scorepad.matches.access import Access, DeviceId, MatchId, choose_list_holder, find_access
from scorepad.matches.actions import Actions
from scorepad.matches.devices import Devices
from scorepad.matches.hands import CheckingService, Hands
from scorepad.matches.history import Records
from scorepad.matches.projection import MatchState
from scorepad.matches.service import Clock, ServiceContext, utc_now
from scorepad.matches.transfer import Exports, Imports
from scorepad.matches.versions import Version, make_short_digest, read_version
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import package_ids
from scorepad.storage import Storage
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import MatchList, SummaryRecord, hash_device_id
from scorepad.storage.scratch import ScratchFile


class Summaries(NamedTuple):
    """The matches of a device, in progress and finished, most recently changed first: all, or the
    first few.

    `practice` are the practice matches that the device entered itself; the other lists omit them.
    """

    in_progress: tuple[SummaryRecord, ...]
    finished: tuple[SummaryRecord, ...]
    practice: tuple[SummaryRecord, ...] = ()
    all_in_progress: int = 0
    """The number of all matches in progress, listed here or not; `all_finished` likewise."""
    all_finished: int = 0


class Pad(Hands):
    """The matches of a data file. Thread-safe.

    Methods that take a match raise MatchNotFound if the device may not see it. Methods that write
    raise NotAllowed if it may only view, and RequestRefused for a request id used for something
    else; if the content differs, starting a match raises it too, other methods return Stale. What
    is returned as saved is on the disk. All methods may raise StorageError.

    The pad itself has the methods for hands; `actions` has other actions on a match, `checking` the
    checks of the other side, `devices` keys and devices, `records` history; `exports` and `imports`
    transfer matches as a file.
    """

    def __init__(self, storage: Storage, clock: Clock = utc_now) -> None:
        super().__init__(ServiceContext(storage, clock))
        self.actions = Actions(self.context)
        self.checking = CheckingService(self.context)
        self.devices = Devices(self.context)
        self.records = Records(self.context)
        self.exports = Exports(self.context)
        self.imports = Imports(self.context)

    @property
    def replacements(self) -> int:
        """How often the data file was replaced while it was open."""
        return self.context.storage.replacements

    def states(
        self, device: DeviceId, unread: list[MatchId], *, own_variants_only: bool = False
    ) -> Iterator[MatchState]:
        """The matches that the device may see, one by one, without practice matches.

        A match that cannot be read is left out, and its id is added to the list `unread`. With
        `own_variants_only`, matches by variants of the package are left out without being read.
        """
        for match in self.exports.list_visible_matches(device):
            if own_variants_only and self._variant_of(match) in package_ids():
                continue
            state = self.records.read_uncached(match, device)
            if state is None:
                unread.append(match)
            elif not state.practice:
                yield state

    def _variant_of(self, match: MatchId) -> str:
        """The variant of a match, by its summary; empty if it was deleted meanwhile."""
        with self.reading() as rows:
            summary = rows.summary(match)
        if summary is None:
            return ""
        return summary.variant

    def rules_of_own_variants(self, matches: Iterable[SummaryRecord]) -> dict[str, Ruleset]:
        """The rules of the matches that are played by house rules, by the id of the match.

        Pages need them to name such a variant: its name stands in its rules. Matches by a variant
        that comes with the program are left out, and those whose rules cannot be read.
        """
        variants_of_program = package_ids()
        rules: dict[str, Ruleset] = {}
        with self.reading() as rows:
            read_rules = self.context.rules_of(rows)
            for match in matches:
                if match.variant in variants_of_program:
                    continue
                record = rows.match(match.id)
                if record is None:  # deleted meanwhile
                    continue
                # Rules that are damaged, or those of a later version of the program.
                with suppress(BrokenFile, NewerError):
                    rules[match.id] = read_rules(record.ruleset)
        return rules

    def scratch_file(self) -> ScratchFile:
        """A temporary file of limited length beside the data file, for what is sent. To be closed."""
        return ScratchFile(self.context.storage.path)

    def access(self, match: MatchId, device: DeviceId) -> Access:
        """What the device may do with the match; none if there is no such match."""
        with self.reading() as rows:
            return find_access(rows, match, device)

    def version(self, match: MatchId, device: DeviceId) -> Version:
        """The version of the match, for pages that poll it; does not read the log."""
        with self.reading() as rows:
            return read_version(rows, match, device)

    def tag_of_all(self, device: DeviceId) -> str:
        """The version of the lists of matches of the device, as an ETag."""
        with self.reading() as rows:
            return make_short_digest(rows.list_versions(choose_list_holder(device)))

    def tag_of_devices(self, match: MatchId, device: DeviceId) -> str:
        """The version of the match and of its devices, as an ETag."""
        with self.reading() as rows:
            devices = []
            for grant in rows.list_devices_with_access(match):
                devices.append((grant.number, grant.access, grant.side, grant.name))
            version = read_version(rows, match, device)
            return f"{version.tag}.{make_short_digest(devices)}"

    def summaries(
        self, device: DeviceId, in_progress: int | None = None, finished: int | None = None
    ) -> Summaries:
        """The matches that the device may see, most recently changed first.

        `in_progress` and `finished` are the most matches of these two lists; None for all of them.
        """
        # The command line, and a browser with admin access, may see every match.
        holder = choose_list_holder(device)
        with self.reading() as rows:
            number_of_matches = {each.kind: each.matches for each in rows.list_versions(holder)}
            return Summaries(
                in_progress=rows.summaries(holder, MatchList.IN_PROGRESS, in_progress),
                finished=rows.summaries(holder, MatchList.FINISHED, finished),
                # Only those that the device entered itself, even if it may see others.
                practice=rows.summaries(hash_device_id(device), MatchList.PRACTICE),
                all_in_progress=number_of_matches.get(MatchList.IN_PROGRESS, 0),
                all_finished=number_of_matches.get(MatchList.FINISHED, 0),
            )
