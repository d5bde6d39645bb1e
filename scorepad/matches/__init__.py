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
        """Yield the matches that a device may see, one by one, except practice matches.

        Each is read from the data file when it is asked for. If it cannot be read, its id is added to
        the list `unread` instead. With `own_variants_only`, only matches by house rules are read.
        """
        for match in self.exports.list_visible_matches(device):
            if own_variants_only:
                comes_with_program = self._variant_of(match) in package_ids()
                if comes_with_program:
                    continue
            state = self.records.read_uncached(match, device)
            if state is None:
                unread.append(match)
            elif not state.practice:
                yield state

    def _variant_of(self, match: MatchId) -> str:
        """Find the id of the game that a match plays, such as `classica`; empty if it was deleted.

        It is read from the summary of the match, which is faster than reading its log.
        """
        with self.reading() as rows:
            summary = rows.summary(match)
        if summary is None:
            return ""
        return summary.variant

    def rules_of_own_variants(self, matches: Iterable[SummaryRecord]) -> dict[str, Ruleset]:
        """Read the rules of those matches that are played by house rules: `{"7k2mxq4hba": rules}`.

        Pages need them for the name of the game, which stands in the rules. Matches by a game that
        comes with the program are left out, and those whose rules cannot be read.
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
        """Create a temporary file beside the data file, for something that is sent.

        Its length is limited. The caller closes it, which deletes it.
        """
        return ScratchFile(self.context.storage.path)

    def access(self, match: MatchId, device: DeviceId) -> Access:
        """Find out what a device may do with a match; NONE if there is no such match."""
        with self.reading() as rows:
            return find_access(rows, match, device)

    def version(self, match: MatchId, device: DeviceId) -> Version:
        """Return the version of what a device sees of a match, for pages that ask often.

        It is found without reading the log of the match.
        """
        with self.reading() as rows:
            return read_version(rows, match, device)

    def tag_of_all(self, device: DeviceId) -> str:
        """Return an ETag for a page with the lists of matches that a device may see.

        It changes whenever one of these matches has changed, and if one is added or deleted.
        """
        with self.reading() as rows:
            return make_short_digest(rows.list_versions(choose_list_holder(device)))

    def tag_of_devices(self, match: MatchId, device: DeviceId) -> str:
        """Return an ETag for a page that shows a match with the devices that have access to it.

        It changes with the match, and if a device enters, leaves, or gets another side or name.
        """
        with self.reading() as rows:
            devices = []
            for record in rows.list_devices_with_access(match):
                devices.append((record.number, record.access, record.side, record.name))
            version = read_version(rows, match, device)
            return f"{version.tag}.{make_short_digest(devices)}"

    def summaries(
        self, device: DeviceId, in_progress: int | None = None, finished: int | None = None
    ) -> Summaries:
        """Return the lists of matches that a device may see, the most recently changed first.

        `in_progress` and `finished` are the most matches in these two lists; None for all. The
        result also has how many there are in all, for a link to the rest.

        With admin access these are the matches of all devices. But practice matches are always only
        those that the device entered itself.
        """
        holder = choose_list_holder(device)
        with self.reading() as rows:
            lengths: dict[str, int] = {MatchList.IN_PROGRESS: 0, MatchList.FINISHED: 0}
            for version in rows.list_versions(holder):  # an empty list may have none
                lengths[version.kind] = version.matches
            return Summaries(
                in_progress=rows.summaries(holder, MatchList.IN_PROGRESS, in_progress),
                finished=rows.summaries(holder, MatchList.FINISHED, finished),
                practice=rows.summaries(hash_device_id(device), MatchList.PRACTICE),
                all_in_progress=lengths[MatchList.IN_PROGRESS],
                all_finished=lengths[MatchList.FINISHED],
            )
