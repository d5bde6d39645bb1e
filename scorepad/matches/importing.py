"""Matches taken in from an export file: all of it, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from scorepad.errors import NewerError
from scorepad.matches.access import access_of
from scorepad.matches.codes import new_keys
from scorepad.matches.exporting import entry_json, rules_named
from scorepad.matches.folding import fold
from scorepad.matches.log import Log
from scorepad.matches.states import summary_record
from scorepad.matches.who import KEEPER, Access, DeviceId, Keys, MatchId
from scorepad.rules.variants import Ruleset
from scorepad.schemas.unusable import Unusable
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord
from scorepad.storage.writing import Writing

if TYPE_CHECKING:
    from scorepad.matches.office import Office

_WRONG = (LookupError, TypeError, ValueError, AttributeError, AssertionError, NewerError, Unusable)
"""What reading a log runs into that no pad has written."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file: the matches taken in, in its order, and those that were here already, as told or further.

    `keys` are those of each match taken in from a browser, told this once; `hidden` are those here already that the
    device may not see.
    """

    taken: tuple[MatchId, ...]
    here: tuple[MatchId, ...] = ()
    hidden: tuple[MatchId, ...] = ()
    keys: Mapping[MatchId, Keys] | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A match of the file, known to be whole: as told, its log, and the frozen rules that it names."""

    told: Mapping[str, Any]
    log: Log
    frozen: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """An export file that can be taken in, whatever is here already."""

    matches: tuple[_Read, ...]


def read_file(source: bytes) -> ReadFile:
    """Read an export file. Raises Unusable for what is none, a later form of it, or holds a match that is damaged."""
    from scorepad.matches.importing_trials import trusted
    from scorepad.schemas.exports import decode

    told = decode(source)
    rules = {digest: trusted(digest, frozen) for digest, frozen in told["rulesets"].items()}
    found = tuple(_read(match, rules, told["rulesets"]) for match in told["matches"])
    _check_apart(found)
    return ReadFile(found)


class Imports:
    """Takes matches in. StorageError passes through."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def take(self, source: bytes, device: DeviceId) -> Imported:
        """Take in the matches of an export file, which from now on are this device's.

        A match that is here already, with the same log or one that goes on from it, stays as it is. Raises Unusable,
        and then nothing was stored: for what is no such file, a later form of it, a match that is damaged, and a match
        that is here already but goes further in the file, or otherwise.
        """
        return self.put(read_file(source), device)

    def put(self, file: ReadFile, device: DeviceId) -> Imported:
        """Take in the matches of a file that was read. Raises Unusable as `take` does, for what is here already."""
        found = file.matches
        with self._office.storage.writing() as rows:
            here: list[_Read] = []
            fresh: list[_Read] = []
            for read in found:
                (here if _is_here(rows, read) else fresh).append(read)
            _check_requests(rows, fresh)
            now = self._office.clock()
            keys = {MatchId(read.log.match.id): _put(rows, read, device, now) for read in fresh}
            for read in fresh:
                if read.told["rematch"]:
                    rows.put_rematch(read.log.match.id, read.told["rematch"])
            return _told(rows, fresh, here, device, keys)


def _told(
    rows: Reading, fresh: list[_Read], here: list[_Read], device: DeviceId, keys: Mapping[MatchId, Keys | None]
) -> Imported:
    seen = [MatchId(read.log.match.id) for read in here]
    hidden = dict.fromkeys(match for match in seen if access_of(rows, match, device) is Access.NONE)
    return Imported(
        taken=tuple(MatchId(read.log.match.id) for read in fresh),
        here=tuple(match for match in seen if match not in hidden),
        hidden=tuple(hidden),
        keys={match: each for match, each in keys.items() if each is not None},
    )


def _read(told: Mapping[str, Any], rules: Mapping[str, Ruleset], frozen: Mapping[str, Mapping[str, Any]]) -> _Read:
    """A match of the file as this pad would read it. Raises Unusable where it could not."""
    from scorepad.matches.importing_trials import trial

    named = tuple(rules_named(told))
    if any(digest not in rules for digest in named):
        raise Unusable("files.damaged", match=told["id"])
    record = MatchRecord(told["id"], told["ruleset"], datetime.fromisoformat(told["started"]))
    entries = tuple(_entry(told, number, each) for number, each in enumerate(told["entries"], 1))
    try:
        log = fold(record, entries, lambda digest: rules[digest])
        trial(log, told, lambda digest: rules[digest])
    except _WRONG:
        raise Unusable("files.damaged", match=told["id"]) from None
    return _Read(told, log, {digest: frozen[digest] for digest in named})


def _entry(told: Mapping[str, Any], number: int, each: Mapping[str, Any]) -> Entry:
    return Entry(
        told["id"], number, each["kind"], datetime.fromisoformat(each["at"]), each["device"], each["request"],
        each["payload"], each["sent"],
    )  # fmt: skip


def _check_apart(found: tuple[_Read, ...]) -> None:
    """Each match once, and each request; a rematch is another match of the file."""
    names = [read.log.match.id for read in found]
    requests = [entry.request for read in found for entry in read.log.entries]
    linked = {read.told["rematch"] for read in found} - {None}
    if len(set(names)) < len(names) or len(set(requests)) < len(requests) or not linked <= set(names):
        raise Unusable("files.damaged-file")


def _is_here(rows: Reading, read: _Read) -> bool:
    """Whether the match is here already. Raises Unusable where what the file tells of it would be lost."""
    record = rows.match(read.log.match.id)
    if record is None:
        return False
    ours, theirs = [entry_json(entry) for entry in rows.entries(record.id)], read.told["entries"]
    if record.ruleset == read.told["ruleset"]:
        if ours[: len(theirs)] == theirs:
            return True
        if theirs[: len(ours)] == ours:
            raise Unusable("files.further-in-file", match=record.id)
    raise Unusable("files.otherwise-here", match=record.id)


def _check_requests(rows: Reading, fresh: list[_Read]) -> None:
    """The name of a submission stands for one thing in a file for ever."""
    for read in fresh:
        if any(rows.requested(entry.request) is not None for entry in read.log.entries):
            raise Unusable("files.damaged", match=read.log.match.id)


def _put(rows: Writing, read: _Read, device: DeviceId, now: datetime) -> Keys | None:
    """A match with all that belongs to it; its keys are made anew, for a browser that may show them."""
    log, told = read.log, read.told
    name = log.match.id
    rows.add_match(log.match, read.frozen[log.match.ruleset])
    for digest, frozen in read.frozen.items():
        rows.add_ruleset(digest, frozen)
    *_, last = [rows.append(entry) for entry in log.entries]
    for each in told["devices"]:
        rows.put_number(name, each["device"], each["number"])
    if told["open_hand"]:
        rows.put_open_hand(_open_hand(name, told["open_hand"]))
    rows.put_summary(replace(summary_record(log), place=last.place))
    if device == KEEPER:
        return None
    rows.grant(name, known_as(device), Access.OWN, now)
    return new_keys(rows, name, now)


def _open_hand(match: str, told: Mapping[str, Any]) -> OpenHandRecord:
    kept_at = datetime.fromisoformat(told["kept_at"])
    return OpenHandRecord(match, told["id"], told["version"], told["draft"], told["device"], kept_at)
