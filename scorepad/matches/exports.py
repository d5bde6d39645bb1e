"""The export file: matches whole, as JSON, but for the keys that open them.

Moments are in UTC with microseconds. Devices stand as the data file knows them, by a digest that opens nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from scorepad.matches.access import Access, DeviceId, MatchId, admit, is_keeper
from scorepad.matches.errors import MatchNotFound
from scorepad.matches.events import EntryKind
from scorepad.matches.transaction import Service
from scorepad.schemas.fields import Form
from scorepad.storage.errors import BrokenFile
from scorepad.storage.rows import Entry, OpenHand, Reading, as_moment, known_as

FORMAT = "scorepad-matches"
VERSION = 1
"""Of the form of the file."""
_PLAIN: dict[str, Any] = {"ensure_ascii": True, "allow_nan": False, "separators": (",", ":")}


def _checked_moment(text: str) -> str:
    datetime.fromisoformat(text)  # ValueError for the 31st of February
    return text


Moment = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00$"),
    AfterValidator(_checked_moment),
]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}$")]
"""The id of a match."""
Mark = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, StringConstraints(max_length=20_000)]


class EntryForm(Form):
    """An entry of the log; its place in the list is its order. `sent` is a digest of what was sent."""

    kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,40}$")]
    at: Moment
    device: Mark
    request: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
    sent: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    payload: dict[str, Any]


class DeviceForm(Form):
    """A device that ever came to the match, by its digest, and its number in the order of coming."""

    number: Annotated[int, Field(ge=1, le=100_000)]
    device: Mark


class OpenHandForm(Form):
    """The hand being typed."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}-[0-9]{1,7}$")]
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    draft: Annotated[dict[Mark, Text], Field(max_length=2_000)]
    device: Mark
    kept_at: Moment


class CarriedMatch(Form):
    """A match whole. `rematch` is the match of this file that began as its rematch; `seal` a digest of the rest."""

    id: Name
    started: Moment
    ruleset: Digest
    entries: Annotated[list[EntryForm], Field(min_length=1, max_length=100_000)]
    devices: Annotated[list[DeviceForm], Field(max_length=10_000)]
    open_hand: OpenHandForm | None
    rematch: Name | None
    seal: Digest


class ExportFile(Form):
    """The file: matches, the one changed last last, and by their digest the frozen rules that they are played by."""

    format: Literal["scorepad-matches"]
    version: Literal[1]
    rulesets: Annotated[dict[Digest, dict[str, Any]], Field(max_length=100_000)]
    matches: Annotated[list[CarriedMatch], Field(max_length=100_000)]


@dataclass(frozen=True, slots=True)
class Exported:
    """Matches in the form of the export file, with their rules by digest; `unread` are those that are garbled."""

    rulesets: Mapping[str, Mapping[str, Any]]
    matches: tuple[dict[str, Any], ...]
    unread: tuple[MatchId, ...] = ()

    def encoded(self) -> bytes:
        """The export file."""
        return encode(self.rulesets, list(self.matches))


class Exports(Service):
    """Exports the matches that the device may see."""

    def match(self, match: MatchId, device: DeviceId) -> Exported:
        """One match. Raises MatchNotFound, and BrokenFile where it is garbled."""
        with self.context.storage.reading() as rows:
            return _linked(rows, [_carried(rows, match, device)])

    def every(self, device: DeviceId) -> Exported:
        """Every match that the device may see, practice included, the one changed last last."""
        found, unread = [], []
        with self.context.storage.reading() as rows:
            for name in _names(rows, device):
                try:
                    found.append(_carried(rows, name, device))
                except (BrokenFile, MatchNotFound):
                    unread.append(name)
            return _linked(rows, found, tuple(unread))

    def names(self, device: DeviceId) -> tuple[MatchId, ...]:
        """The matches that `every` exports, in its order."""
        with self.context.storage.reading() as rows:
            return _names(rows, device)


def _names(rows: Reading, device: DeviceId) -> tuple[MatchId, ...]:
    found = rows.matches_in_order()
    if not is_keeper(device):
        mark = known_as(device)
        found = tuple(match for match in found if rows.access(match, mark))
    return tuple(map(MatchId, found))


def _linked(rows: Reading, matches: list[dict[str, Any]], unread: tuple[MatchId, ...] = ()) -> Exported:
    """The matches with the rules that they name; a rematch that is not among them is left out."""
    names = {match["id"] for match in matches}
    for match in matches:
        match["rematch"] = match["rematch"] if match["rematch"] in names else None
    digests = dict.fromkeys(digest for match in matches for digest in rules_named(match))
    return Exported({digest: rows.ruleset(digest) for digest in digests}, tuple(matches), unread)


def rules_named(match: Mapping[str, Any]) -> Iterable[str]:
    """The digests of all rules that a match of the file was ever played by."""
    yield match["ruleset"]
    yield from (each["payload"]["ruleset"] for each in match["entries"] if each["kind"] == EntryKind.RULES)


def _carried(rows: Reading, match: str, device: DeviceId) -> dict[str, Any]:
    """A match in the form of the file. Raises MatchNotFound, BrokenFile."""
    record, access = admit(rows, match, device)
    numbers = sorted(rows.numbers(record.id).items(), key=lambda each: each[1])
    carried = {
        "id": record.id,
        "started": as_moment(record.started),
        "ruleset": record.ruleset,
        "entries": [entry_json(entry) for entry in rows.entries(record.id)],
        "devices": [{"number": number, "device": mark} for mark, number in numbers],
        "open_hand": _open_hand(rows.open_hand(record.id), access),
        "rematch": rows.rematch(record.id),
    }
    for digest in rules_named(carried):
        rows.ruleset(digest)  # BrokenFile, before anything of it is exported
    return carried


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry in the form of the file."""
    return {
        "kind": entry.kind,
        "at": as_moment(entry.at),
        "device": entry.device,
        "request": entry.request,
        "sent": entry.sent,
        "payload": entry.payload,
    }


def _open_hand(record: OpenHand | None, access: Access) -> dict[str, Any] | None:
    if record is None or not access.can_write:
        return None
    return {
        "id": record.id,
        "version": record.version,
        "draft": dict(record.draft),
        "device": record.device,
        "kept_at": as_moment(record.kept_at),
    }


def seal_of(match: Mapping[str, Any]) -> str:
    """A digest of a match, to find what a memory card or a hand has changed.

    SHA-256 of the match without its `seal` as JSON in ASCII, keys sorted, without spaces.
    """
    text = json.dumps({key: value for key, value in match.items() if key != "seal"}, sort_keys=True, **_PLAIN)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def encode(rulesets: Mapping[str, Mapping[str, Any]], matches: list[dict[str, Any]]) -> bytes:
    """The file, a line for each match: the same matches, the same bytes."""
    lines = ",\n".join(json.dumps({**match, "seal": seal_of(match)}, **_PLAIN) for match in matches)
    rules = ",\n".join(f"{json.dumps(digest)}:{json.dumps(frozen, **_PLAIN)}" for digest, frozen in rulesets.items())
    head = f'{{"format":"{FORMAT}","version":{VERSION},\n"rulesets":{{\n{rules}\n}},\n"matches":[\n{lines}\n]}}\n'
    return head.encode("ascii")
