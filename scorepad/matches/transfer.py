"""Export and import of whole matches as JSON, without their keys.

Times are in UTC with microseconds. Devices are given as in the data file, by a digest that gives no access.

An import takes all of a file or nothing. Every exported file can be imported; a file from elsewhere must not harm
existing matches. So a file is decoded strictly, every text and number in it is limited, and each match is projected
and rendered in words once before it is stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError
from pydantic_core import from_json

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.findings import message
from scorepad.matches import access
from scorepad.matches.access import KEEPER, SIDE_KEYS, Access, AccessChange, DeviceId, Keys, MatchId, MatchNotFound
from scorepad.matches.events import Counted, Event, LogEntry, Redo, RulesChange, Start, Undo, UnknownEntry, event_type
from scorepad.matches.history import actors, audit
from scorepad.matches.projection import MatchState, RulesOf
from scorepad.matches.rulings import ruling_text
from scorepad.matches.transaction import Service
from scorepad.rules.checks import CHECKS
from scorepad.rules.score import ITEMS, LINES
from scorepad.rules.settings import LARGEST
from scorepad.rules.variants import FROZEN_VERSION, Ruleset, thaw, variant_ids
from scorepad.schemas.fields import Input, Unusable, echo
from scorepad.schemas.hands import HandInput
from scorepad.storage.connection import BrokenFile
from scorepad.storage.rows import (
    DeviceRecord,
    Entry,
    MatchRecord,
    OpenHand,
    ReadTransaction,
    WriteTransaction,
    as_moment,
    known_as,
)

FORMAT = "scorepad-matches"
VERSION = 1
"""The version of the file format."""
LARGEST_FILE = 256 * 2**20
"""Most bytes of a file: some ten thousand matches."""
_LONGEST_TEXT, _LONGEST_WORD, _LONGEST_LIST = 20_000, 200, 2_000
"""Most characters of a text, and of a key or a name; most values of a list or an object."""
_MOST_DECKS, _MOST_PLAYERS = 8, 6
_WRONG = (LookupError, TypeError, ValueError, AttributeError, AssertionError, NewerError, Unusable)
"""Exceptions raised by projecting an invalid log."""

Json = Mapping[str, Any]
_PLAIN: dict[str, Any] = {"ensure_ascii": True, "allow_nan": False, "separators": (",", ":")}


def _moment(text: object) -> datetime:
    """A time in UTC with microseconds. Raises ValueError for any other text."""
    moment = datetime.fromisoformat(str(text))
    _require(as_moment(moment) == text)
    return moment


Moment = Annotated[datetime, BeforeValidator(_moment)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}$")]
"""The id of a match."""
Mark = Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_WORD)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, StringConstraints(max_length=_LONGEST_TEXT)]


class EntryInput(Input):
    """An entry of the log, ordered by its place in the list. `sent` is a digest of the content sent."""

    kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,40}$")]
    at: Moment
    device: Mark
    request: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
    sent: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    payload: dict[str, Any]


class OpenHandInput(Input):
    """The open hand."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,40}-[0-9]{1,7}$")]
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    draft: Annotated[dict[Mark, Text], Field(max_length=2_000)]
    device: Mark
    kept_at: Moment


class CarriedMatch(Input):
    """A whole match.

    `devices` are all that ever entered it: digest and number in order of entry. `rematch` is its rematch in this
    file; `seal` a digest of the rest.
    """

    id: Name
    started: Moment
    ruleset: Digest
    entries: Annotated[list[EntryInput], Field(min_length=1, max_length=100_000)]
    devices: Annotated[dict[Mark, Annotated[int, Field(ge=1, le=100_000)]], Field(max_length=10_000)]
    open_hand: OpenHandInput | None
    rematch: Name | None
    seal: Digest


class ExportFile(Input):
    """The file: matches, most recently changed last, and their frozen rules by digest."""

    format: Literal["scorepad-matches"]
    version: Literal[1]
    rulesets: Annotated[dict[Digest, dict[str, Any]], Field(max_length=100_000)]
    matches: Annotated[list[CarriedMatch], Field(max_length=100_000)]


class Exported(NamedTuple):
    """Matches in the format of the export file, with their rules by digest; `unread` are garbled matches."""

    rulesets: Mapping[str, Json]
    matches: tuple[dict[str, Any], ...]
    unread: tuple[MatchId, ...] = ()

    def encoded(self) -> bytes:
        """The export file."""
        return encode(self.rulesets, self.matches)


class Exports(Service):
    """Exports the matches that the device may see."""

    def match(self, match: MatchId, device: DeviceId) -> Exported:
        """Export one match. Raises MatchNotFound, and BrokenFile if it is garbled."""
        with self.reading() as rows:
            return _exported([_carried(rows, match, device)])

    def every(self, device: DeviceId) -> Exported:
        """Export every match that the device may see, practice included, most recently changed last."""
        found, unread = [], []
        with self.reading() as rows:
            for name in _names(rows, device):
                try:
                    found.append(_carried(rows, name, device))
                except (BrokenFile, MatchNotFound):
                    unread.append(name)
        return _exported(found, unread)

    def names(self, device: DeviceId) -> tuple[MatchId, ...]:
        """The matches that `every` exports, in its order."""
        with self.reading() as rows:
            return tuple(_names(rows, device))


def _names(rows: ReadTransaction, device: DeviceId) -> list[MatchId]:
    mark = None if access.is_keeper(device) else known_as(device)
    return [
        MatchId(match) for match in rows.matches_in_order() if mark is None or rows.role(match, mark)[0] != Access.NONE
    ]


def _exported(found: Sequence[tuple[dict[str, Any], Mapping[str, Json]]], unread: Iterable[MatchId] = ()) -> Exported:
    """Matches with the rules of each; references to rematches not among them are dropped."""
    names, rulesets = {match["id"] for match, _ in found}, dict[str, Json]()
    for match, rules in found:
        match["rematch"] = match["rematch"] if match["rematch"] in names else None
        rulesets |= rules
    return Exported(rulesets, tuple(match for match, _ in found), tuple(unread))


def _carried(rows: ReadTransaction, match: str, device: DeviceId) -> tuple[dict[str, Any], dict[str, Json]]:
    """A match in the format of the file, and all rules that it ever had. Raises MatchNotFound, BrokenFile."""
    record, granted, _ = access.admit(rows, match, device)
    typed = rows.open_hand(match) if granted.can_write else None
    entries = rows.entries(match)
    digests = [record.ruleset, *(entry.payload["ruleset"] for entry in entries if entry.kind == RulesChange.kind)]
    carried = {
        "id": record.id,
        "started": as_moment(record.started),
        "ruleset": record.ruleset,
        "entries": [_json_of(entry, EntryInput) for entry in entries],
        "devices": {each.device: each.number for each in rows.devices(match)},
        "open_hand": _json_of(typed, OpenHandInput) if typed else None,
        "rematch": rows.rematch(match),
    }
    return carried, {digest: dict(rows.ruleset(digest)) for digest in digests}


def _json_of(record: Entry | OpenHand, form: type[Input]) -> dict[str, Any]:
    """A row in the format of the file."""
    values = ((name, getattr(record, name)) for name in form.model_fields)
    return {name: as_moment(value) if isinstance(value, datetime) else value for name, value in values}


def seal_of(match: Json) -> str:
    """A digest of a match, to detect corruption and manual edits.

    SHA-256 of the match without its `seal` as JSON in ASCII, keys sorted, without spaces.
    """
    text = json.dumps({key: value for key, value in match.items() if key != "seal"}, sort_keys=True, **_PLAIN)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def encode(rulesets: Mapping[str, Json], matches: Iterable[Json]) -> bytes:
    """The file, one line for each match. The same matches give the same bytes."""
    lines = ",\n".join(json.dumps({**match, "seal": seal_of(match)}, **_PLAIN) for match in matches)
    rules = ",\n".join(f"{json.dumps(digest)}:{json.dumps(frozen, **_PLAIN)}" for digest, frozen in rulesets.items())
    head = f'{{"format":"{FORMAT}","version":{VERSION},\n"rulesets":{{\n{rules}\n}},\n"matches":[\n{lines}\n]}}\n'
    return head.encode("ascii")


# ---------------------------------------------------------------------------------------------------- import


class Imported(NamedTuple):
    """The matches imported, in the order of the file, and those that existed already, as in the file or further on.

    `keys` are those of each match imported from a browser, shown only once; `hidden` are existing matches that the
    device may not see.
    """

    taken: tuple[MatchId, ...]
    here: tuple[MatchId, ...]
    hidden: tuple[MatchId, ...]
    keys: Mapping[MatchId, Keys]


class ReadMatch(NamedTuple):
    """A validated match of the file: its data, its projection, and the frozen rules that it refers to."""

    data: CarriedMatch
    state: MatchState
    frozen: Mapping[str, Json]


class Imports(Service):
    """Imports matches."""

    def take(self, source: bytes, device: DeviceId) -> Imported:
        """Import the matches of an export file, which the device then owns.

        An existing match with the same log, or with more entries, is left unchanged. Raises Unusable and stores
        nothing for another kind of file, a later format, a damaged match, and an existing match whose log in the file
        has more or other entries.
        """
        return self.put(read_file(source), device)

    def put(self, matches: Sequence[ReadMatch], device: DeviceId) -> Imported:
        """Import the matches of a decoded file. Raises Unusable as `take` does for existing matches."""
        with self.context.storage.writing() as rows:
            here = {
                read.state.id: access.access_of(rows, read.state.id, device) for read in matches if _is_here(rows, read)
            }
            fresh = [read for read in matches if read.state.id not in here]
            now, keys = self.context.clock(), {}
            for read in fresh:
                _put(rows, read)
            for read in fresh:
                if read.data.rematch:
                    rows.put_rematch(read.state.id, read.data.rematch)
                if device != KEEPER:
                    rows.grant(read.state.id, known_as(device), Access.OWN, now)
                    keys[read.state.id] = access.make_keys(rows, read.state.id, now)
        seen = tuple(match for match, granted in here.items() if granted is not Access.NONE)
        hidden = tuple(match for match, granted in here.items() if granted is Access.NONE)
        return Imported(tuple(read.state.id for read in fresh), seen, hidden, keys)


# ---------------------------------------------------------------------------------------------------- reading


def read_file(source: bytes) -> tuple[ReadMatch, ...]:
    """Read an export file. Raises Unusable for another kind of file, a later format, or a damaged match."""
    file = decode(source)
    rules = {digest: _trusted(digest, frozen) for digest, frozen in file.rulesets.items()}
    found = tuple(_read(match, rules, file.rulesets) for match in file.matches)
    names = {match.id for match in file.matches}
    requests = [entry.request for match in file.matches for entry in match.entries]
    linked = {match.rematch for match in file.matches} - {None}
    if len(names) < len(found) or len(set(requests)) < len(requests) or not linked <= names:
        raise Unusable("files.damaged-file")
    return found


def decode(source: bytes) -> ExportFile:
    """Decode the file and verify its format and seals. Raises Unusable."""
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)
    try:
        data = from_json(source, allow_inf_nan=False)
    except ValueError:
        # An invalid document that begins like an export was cut short; anything else is another file.
        begins = source.lstrip()[: len(FORMAT) + 20].startswith(f'{{"format":"{FORMAT}"'.encode())
        raise Unusable("files.cut-short" if begins else "files.not-ours") from None
    try:
        file = ExportFile.model_validate(data)
    except ValidationError as trouble:
        match trouble.errors(include_url=False)[0]:
            case {"loc": ("matches", int(number), *_)}:
                match = data["matches"][number]
                raise _damaged(match.get("id") if isinstance(match, dict) else None) from None
            case {"loc": ("version",), "input": int(version)} if version > VERSION:
                raise Unusable("files.newer", version=version, known=VERSION) from None
            case {"loc": () | ("version" | "format",)}:
                raise Unusable("files.not-ours") from None
        raise Unusable("files.damaged-file") from None
    for match in data["matches"]:
        if match["seal"] != seal_of(match):
            raise _damaged(match["id"])
    return file


def _damaged(match: object) -> Unusable:
    return Unusable("files.damaged", match=echo(match or "?"))


def _trusted(digest: str, frozen: Json) -> Ruleset:
    """Frozen rules, verified by their digest because other matches may share them. Raises Unusable."""
    version = frozen.get("version")
    if type(version) is int and version > FROZEN_VERSION:
        raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
    text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
    try:
        _require(frozen.get("digest") == digest == hashlib.sha256(text.encode()).hexdigest())
        rules = thaw(frozen)
        sides = rules.settings.sides
        _require(all(rule.id in CHECKS for rule in rules.checks) and all(rule.id in LINES for rule in rules.lines))
        _require(len(sides) in (2, 3) and min(sides) >= 1 and sum(sides) <= _MOST_PLAYERS)
        _require(1 <= rules.settings.decks <= _MOST_DECKS)
    except _WRONG:
        raise Unusable("files.damaged-rules") from None
    # Custom rules contain their names; a variant of the package must be known here.
    if rules.variant not in variant_ids() and not rules.words:
        raise Unusable("files.unknown-variant", given=echo(rules.variant))
    return rules


def _read(data: CarriedMatch, rules: Mapping[str, Ruleset], frozen: Mapping[str, Json]) -> ReadMatch:
    """Project a match of the file. Raises Unusable if it is invalid."""
    try:
        log = [_entry(data.id, number, each) for number, each in enumerate(data.entries, 1)]
        named = {data.ruleset, *(entry.event.ruleset for entry in log if isinstance(entry.event, RulesChange))}
        record = MatchRecord(data.id, data.ruleset, data.started)
        state = MatchState(record, rules[record.ruleset], rules.__getitem__).replay(log)
        _check_match(state, data, rules.__getitem__)
        return ReadMatch(data, state, {digest: frozen[digest] for digest in named})
    except UnknownEntry as newer:
        raise Unusable("files.newer-entry", match=data.id, given=echo(newer.kind)) from None
    except _WRONG:
        raise _damaged(data.id) from None


def _entry(match: str, number: int, each: EntryInput) -> LogEntry:
    """An entry of the file. Raises UnknownEntry, and ValueError for an invalid payload."""
    record = Entry(match, number, **dict(each))
    decoder = event_type(record).adapter
    _check_sizes(each.payload)
    event: Event = decoder.validate_json(json.dumps(each.payload), strict=True)
    match event:
        case AccessChange(access=granted):
            _require(granted not in (Access.NONE, Access.OWN))  # there are no such keys
        case Counted(hand=hand):
            HandInput.model_validate(hand)
    return LogEntry(replace(record, payload=event.payload()), event)


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError


def _check_sizes(value: object) -> None:
    """Limit texts, numbers and lists. Raises ValueError."""
    match value:
        case str():
            _require(len(value) <= _LONGEST_TEXT)
        case int():
            _require(-LARGEST <= value <= LARGEST)
        case list() | dict():
            _require(len(value) <= _LONGEST_LIST)
            if isinstance(value, dict):
                _require(all(len(key) <= _LONGEST_WORD for key in value))
                value = list(value.values())
            for each in value:
                _check_sizes(each)


def _check_match(match: MatchState, data: CarriedMatch, rules_of: RulesOf) -> None:
    """Compute what the pages show, to detect an invalid log before it is stored. Raises one of `_WRONG`."""
    for entry in match.log:
        _require(isinstance(entry.event, Start) == (entry.sequence == 1))
        if isinstance(entry.event, Undo | Redo):
            earlier = match.log[entry.event.entry - 1]
            _require(earlier.sequence < entry.sequence)
            if isinstance(entry.event, Undo):
                _require(earlier.record.kind == entry.event.undone and earlier.event.can_be_undone)
            else:
                _require(isinstance(earlier.event, Undo) and earlier.event.undone == entry.event.undone)
    sides = match.rules.settings.sides
    _require(len(match.labels.names) == len(sides) and tuple(map(len, match.labels.players)) == sides)
    replaced = [each.number for each in match.replacements]
    _require(replaced == sorted(replaced))
    _require(len(set(data.devices.values())) == len(data.devices))
    _require(data.open_hand is None or data.open_hand.id.startswith(f"{match.id}-"))
    for number, hand in enumerate(match.hands, 1):
        for counted in (version.event for version in hand.versions):
            _require(counted.number == number and len(counted.sides) == len(counted.before) == len(sides))
            _require(all(line.item in (*ITEMS, *match.rules.items) for lines in counted.lines for line in lines))
            for finding in counted.findings:
                _require(finding.code in CHECKS)
                for language in LANGUAGES:
                    message(finding, SIDE_KEYS[: len(sides)], words(language))
    for kept in match.rulings:
        for language in LANGUAGES:
            ruling_text(kept.event, match.rules.variant, words(language))
    match.summary()
    list(match.parts())
    audit(match, rules_of, actors(match.log, (), ""))


# ---------------------------------------------------------------------------------------------------- storing


def _is_here(rows: ReadTransaction, read: ReadMatch) -> bool:
    """Whether the match exists already. Raises Unusable if entries of the file would be lost."""
    record = rows.match(read.state.id)
    if record is None:
        return False
    ours, theirs = rows.entries(record.id), tuple(entry.record for entry in read.state.log)
    if record.ruleset == read.data.ruleset:
        if ours[: len(theirs)] == theirs:
            return True
        if theirs[: len(ours)] == ours:
            raise Unusable("files.further-in-file", match=record.id)
    raise Unusable("files.otherwise-here", match=record.id)


def _put(rows: WriteTransaction, read: ReadMatch) -> None:
    """Store a match. Raises Unusable."""
    state, typed = read.state, read.data.open_hand
    if any(rows.requested(entry.record.request) is not None for entry in state.log):
        raise _damaged(state.id)  # a request id is unique in a data file
    rows.add_match(state.record, read.frozen[state.record.ruleset])
    for digest, frozen in read.frozen.items():
        rows.add_ruleset(digest, frozen)
    *_, last = [rows.append(entry.record) for entry in state.log]
    for device, number in read.data.devices.items():  # without access here
        rows.put(DeviceRecord(state.id, device, Access.NONE, state.started, number))
    if typed:
        rows.put(OpenHand(state.id, **dict(typed)))
    rows.put(replace(state.summary(), place=last.place))
