"""Matches taken out of the data file, whole, as values of JSON: nothing of them is left out but what opens them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorepad.matches.access import admit
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.kinds import EntryKind
from scorepad.matches.who import Access, DeviceId, MatchId, is_keeper
from scorepad.storage.digests import known_as
from scorepad.storage.errors import BrokenFile
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, OpenHandRecord
from scorepad.storage.writing import as_moment

if TYPE_CHECKING:
    from scorepad.matches.office import Office


@dataclass(frozen=True, slots=True)
class Exported:
    """Matches as the export file tells them, with their rules by digest; `unread` are those that are garbled."""

    rulesets: Mapping[str, Mapping[str, Any]]
    matches: tuple[dict[str, Any], ...]
    unread: tuple[MatchId, ...] = ()

    def encoded(self) -> bytes:
        """The export file."""
        from scorepad.schemas.exports import encode

        return encode(self.rulesets, list(self.matches))


class Exports:
    """Takes matches out. Sees only those that the device may see. StorageError passes through."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def match(self, match: MatchId, device: DeviceId) -> Exported:
        """One match. Raises MatchNotFound, and BrokenFile where it is garbled."""
        with self._office.storage.reading() as rows:
            admit(rows, match, device)
            return _linked(rows, [_carried(rows, match, device)])

    def every(self, device: DeviceId) -> Exported:
        """Every match that the device may see, practice included, the one changed last last."""
        told, unread = [], []
        with self._office.storage.reading() as rows:
            for name in _ids(rows, device):
                try:
                    told.append(_carried(rows, name, device))
                except (BrokenFile, MatchNotFound):
                    unread.append(name)
            return _linked(rows, told, tuple(unread))

    def names(self, device: DeviceId) -> tuple[MatchId, ...]:
        """The matches that `every` takes, in its order."""
        with self._office.storage.reading() as rows:
            return _ids(rows, device)


def _ids(rows: Reading, device: DeviceId) -> tuple[MatchId, ...]:
    found = rows.matches_in_order()
    if not is_keeper(device):
        mark = known_as(device)
        found = tuple(match for match in found if rows.access(match, mark))
    return tuple(map(MatchId, found))


def _linked(rows: Reading, told: list[dict[str, Any]], unread: tuple[MatchId, ...] = ()) -> Exported:
    """The matches with the rules that they name. Of rematches only those that are told as well."""
    names = {match["id"] for match in told}
    for match in told:
        match["rematch"] = match["rematch"] if match["rematch"] in names else None
    digests = dict.fromkeys(digest for match in told for digest in rules_named(match))
    return Exported({digest: rows.ruleset(digest) for digest in digests}, tuple(told), unread)


def rules_named(match: Mapping[str, Any]) -> Iterable[str]:
    """The digests of all rules that a match, as the file tells it, was ever played by."""
    yield match["ruleset"]
    yield from (each["payload"]["ruleset"] for each in match["entries"] if each["kind"] == EntryKind.RULES)


def _carried(rows: Reading, match: str, device: DeviceId) -> dict[str, Any]:
    """A match as the file tells it. What is being typed is for those who may type."""
    record, access = admit(rows, match, device)
    told: dict[str, Any] = {
        "id": record.id,
        "started": as_moment(record.started),
        "ruleset": record.ruleset,
        "entries": [entry_json(entry) for entry in rows.entries(record.id)],
        "devices": [
            {"number": number, "device": mark}
            for mark, number in sorted(rows.numbers(record.id).items(), key=lambda each: each[1])
        ],
        "open_hand": _open_hand(rows.open_hand(record.id), access),
        "rematch": rows.rematch(record.id),
    }
    for digest in rules_named(told):
        rows.ruleset(digest)  # BrokenFile, before anything of it is told
    return told


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as the file tells it."""
    return {
        "kind": entry.kind,
        "at": as_moment(entry.at),
        "device": entry.device,
        "request": entry.request,
        "sent": entry.sent,
        "payload": entry.payload,
    }


def _open_hand(record: OpenHandRecord | None, access: Access) -> dict[str, Any] | None:
    if record is None or not access.can_write:
        return None
    return {
        "id": record.id,
        "version": record.version,
        "draft": dict(record.draft),
        "device": record.device,
        "kept_at": as_moment(record.kept_at),
    }
