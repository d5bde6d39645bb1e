"""Matches imported from an export file: all of it, or nothing.

What a pad has written passes; what anybody else wrote must not harm the matches that are here. So a file is decoded
strictly, every text and figure in it is limited, and each match is projected and worded once before it is stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.findings import message
from scorepad.matches.access import KEEPER, SIDE_KEYS, Access, DeviceId, Keys, MatchId, access_of, new_keys
from scorepad.matches.audit import actors, audit
from scorepad.matches.events import (
    ADAPTERS,
    EVENTS,
    AccessChange,
    Counted,
    Event,
    LogEntry,
    Rename,
    Replacement,
    Start,
    Undo,
)
from scorepad.matches.exports import FORMAT, VERSION, ExportFile, entry_json, rules_named, seal_of
from scorepad.matches.projection import MatchState, RulesOf
from scorepad.matches.rulings import told_ruling
from scorepad.matches.statistics import outline_of
from scorepad.matches.transaction import Context
from scorepad.rules.checks import CHECKS
from scorepad.rules.match import LARGEST
from scorepad.rules.score import ITEMS, LINES
from scorepad.rules.variants import FROZEN_VERSION, Ruleset, thaw, variant_ids
from scorepad.schemas.fields import Unusable, echo
from scorepad.schemas.hands import HandForm
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord, known_as
from scorepad.storage.rows import Reading, Writing

LARGEST_FILE = 256 * 2**20
"""Bytes of a file that is read at all: some ten thousand matches."""
_LONGEST_TEXT, _LONGEST_WORD, _LONGEST_LIST = 20_000, 200, 2_000
"""Characters of a text, and of a key or a name; values of a list or an object."""
_MOST_DECKS, _MOST_PLAYERS = 8, 6
_WRONG = (LookupError, TypeError, ValueError, AttributeError, AssertionError, NewerError, Unusable)
"""What a log raises that no pad has written."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Imported:
    """The matches imported, in the order of the file, and those that were here already, as in the file or further.

    `keys` are those of each match imported from a browser, shown this once; `hidden` are matches here already that the
    device may not see.
    """

    taken: tuple[MatchId, ...]
    here: tuple[MatchId, ...] = ()
    hidden: tuple[MatchId, ...] = ()
    keys: Mapping[MatchId, Keys] | None = None


@dataclass(frozen=True, slots=True)
class _ReadMatch:
    """A match of the file that is known to be whole: as in the file, projected, and the frozen rules that it names."""

    told: Json
    state: MatchState
    frozen: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """An export file that can be imported, whatever is here already."""

    matches: tuple[_ReadMatch, ...]


class Imports:
    """Imports matches."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def take(self, source: bytes, device: DeviceId) -> Imported:
        """Import the matches of an export file, which the device owns from now on.

        A match that is here already, with the same log or one that goes on from it, stays as it is. Raises Unusable,
        and then nothing was stored: for what is no such file, a later form of it, a match that is damaged, and a match
        that is here already but goes further in the file, or otherwise.
        """
        return self.put(read_file(source), device)

    def put(self, file: ReadFile, device: DeviceId) -> Imported:
        """Import the matches of a file that was read. Raises Unusable as `take` does, for what is here already."""
        with self._context.storage.writing() as rows:
            here: list[MatchId] = []
            fresh: list[_ReadMatch] = []
            for read in file.matches:
                if _is_here(rows, read):
                    here.append(read.state.id)
                else:
                    fresh.append(read)
            _check_requests(rows, fresh)
            now = self._context.clock()
            keys = {read.state.id: _put(rows, read, device, now) for read in fresh}
            for read in fresh:
                if read.told["rematch"]:
                    rows.put_rematch(read.state.id, read.told["rematch"])
            hidden = dict.fromkeys(match for match in here if access_of(rows, match, device) is Access.NONE)
            return Imported(
                taken=tuple(read.state.id for read in fresh),
                here=tuple(match for match in here if match not in hidden),
                hidden=tuple(hidden),
                keys={match: each for match, each in keys.items() if each is not None},
            )


# ---------------------------------------------------------------------------------------------------- reading


def read_file(source: bytes) -> ReadFile:
    """Read an export file. Raises Unusable for what is none, a later form of it, or holds a match that is damaged."""
    told = decode(source)
    rules = {digest: _trusted(digest, frozen) for digest, frozen in told["rulesets"].items()}
    found = tuple(_read(match, rules, told["rulesets"]) for match in told["matches"])
    names = [read.state.id for read in found]
    requests = [entry.record.request for read in found for entry in read.state.log]
    linked = {read.told["rematch"] for read in found} - {None}
    if len(set(names)) < len(names) or len(set(requests)) < len(requests) or not linked <= set(names):
        raise Unusable("files.damaged-file")
    return ReadFile(found)


def decode(source: bytes) -> dict[str, Any]:
    """The file as JSON, once its form and its seals are right. Raises Unusable."""
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)
    told = _parsed(source)
    version = told.get("version")
    if told.get("format") != FORMAT or type(version) is not int or version < 1:
        raise Unusable("files.not-ours")
    if version > VERSION:
        raise Unusable("files.newer", version=version, known=VERSION)
    for match in told["matches"] if isinstance(told.get("matches"), list) else ():
        if not isinstance(match, dict) or match.get("seal") != seal_of(match):
            raise _damaged(match)
    try:
        ExportFile.model_validate(told)
    except ValidationError as trouble:
        place = trouble.errors(include_url=False, include_input=False)[0]["loc"]
        if place[:1] == ("matches",) and len(place) > 1 and isinstance(place[1], int):
            raise _damaged(told["matches"][place[1]]) from None
        raise Unusable("files.damaged-file") from None
    return told


def _parsed(source: bytes) -> dict[str, Any]:
    try:
        told = from_json(source, allow_inf_nan=False)
    except ValueError:
        # What begins as our file and does not end was cut short; anything else is another file.
        begins = source.lstrip()[: len(FORMAT) + 20].startswith(f'{{"format":"{FORMAT}"'.encode())
        raise Unusable("files.cut-short" if begins else "files.not-ours") from None
    if not isinstance(told, dict):
        raise Unusable("files.not-ours")
    return told


def _damaged(match: object) -> Unusable:
    name = match.get("id") if isinstance(match, dict) else None
    return Unusable("files.damaged", match=echo(name or "?"))


def _trusted(digest: str, frozen: Json) -> Ruleset:
    """Frozen rules, once they are what their digest says: other matches may share them. Raises Unusable."""
    version = frozen.get("version")
    if type(version) is int and version > FROZEN_VERSION:
        raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
    text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
    if frozen.get("digest") != digest or hashlib.sha256(text.encode()).hexdigest() != digest:
        raise Unusable("files.damaged-rules")
    try:
        rules = thaw(frozen)
    except (NewerError, ValidationError, LookupError, TypeError, AttributeError):
        raise Unusable("files.damaged-rules") from None
    if rules.variant not in variant_ids():
        raise Unusable("files.unknown-variant", given=echo(rules.variant))
    if not _is_playable(rules):
        raise Unusable("files.damaged-rules")
    return rules


def _is_playable(rules: Ruleset) -> bool:
    """Whether the checks and lines of these rules exist here, and the number of sides, players and decks is usual."""
    sides = rules.settings.sides
    ours = all(rule.id in CHECKS for rule in rules.checks) and all(rule.id in LINES for rule in rules.lines)
    seated = len(sides) in (2, 3) and all(side >= 1 for side in sides) and sum(sides) <= _MOST_PLAYERS
    return ours and seated and 1 <= rules.settings.decks <= _MOST_DECKS


def _read(told: Json, rules: Mapping[str, Ruleset], frozen: Mapping[str, Json]) -> _ReadMatch:
    """A match of the file, projected. Raises Unusable where it cannot be."""
    try:
        log = [_entry(told, number, each) for number, each in enumerate(told["entries"], 1)]
        named = tuple(rules_named(told))
        record = MatchRecord(told["id"], told["ruleset"], datetime.fromisoformat(told["started"]))
        state = MatchState(record, rules[record.ruleset], rules.__getitem__).replay(log)
        _check_match(state, told, rules.__getitem__)
    except _NewerEntry as newer:
        raise Unusable("files.newer-entry", match=told["id"], given=echo(newer.kind)) from None
    except _WRONG:
        raise _damaged(told) from None
    return _ReadMatch(told, state, {digest: frozen[digest] for digest in named})


class _NewerEntry(Exception):
    """An entry of a kind that this program does not know: a later one wrote it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def _entry(told: Json, number: int, each: Json) -> LogEntry:
    event = _event(each["kind"], each["payload"])
    at = datetime.fromisoformat(each["at"])
    record = Entry(told["id"], number, event.kind, at, each["device"], each["request"], event.payload(), each["sent"])
    return LogEntry(record, event)


def _event(kind: str, payload: Json) -> Event:
    """The event of a payload. Raises _NewerEntry, and ValueError for one that does not fit."""
    event_type = EVENTS.get(kind)
    if event_type is None:
        raise _NewerEntry(kind)
    _check_sizes(payload)
    event: Event = ADAPTERS[event_type].validate_json(json.dumps(payload), strict=True)
    if isinstance(event, Start | Rename | Replacement):
        names = (*event.names, event.place, *(name for players in event.players for name in players))
        if any(len(name) > _LONGEST_WORD for name in names):
            raise ValueError("name")
    if isinstance(event, AccessChange) and event.access in (Access.NONE, Access.OWN):
        raise ValueError("access")  # there are no such keys
    if isinstance(event, Counted):
        HandForm.model_validate(event.hand)
    return event


def _check_sizes(value: object) -> None:
    """Limit texts, figures and lists. Raises ValueError."""
    match value:
        case str():
            is_right = len(value) <= _LONGEST_TEXT
        case int():
            is_right = -LARGEST <= value <= LARGEST
        case list():
            is_right = len(value) <= _LONGEST_LIST
            for each in value:
                _check_sizes(each)
        case dict():
            is_right = len(value) <= _LONGEST_LIST and all(len(key) <= _LONGEST_WORD for key in value)
            for each in value.values():
                _check_sizes(each)
        case _:
            is_right = True
    if not is_right:
        raise ValueError("size")


def _check_match(match: MatchState, told: Json, rules_of: RulesOf) -> None:
    """Read a match as every page will. Raises ValueError, or whatever reading runs into."""
    _check_order(match)
    sides = match.rules.settings.sides
    if len(match.labels.names) != len(sides) or tuple(map(len, match.labels.players)) != sides:
        raise ValueError("names")
    replaced = [each.number for each in match.replacements]
    if replaced != sorted(replaced):
        raise ValueError("replacements")
    for number, hand in enumerate(match.hands, 1):
        for version in hand.versions:
            _check_counted(version.counted, number, len(sides))
    numbers = {each["device"]: each["number"] for each in told["devices"]}
    if len(numbers) < len(told["devices"]) or len(set(numbers.values())) < len(numbers):
        raise ValueError("devices")
    if told["open_hand"] and not told["open_hand"]["id"].startswith(f"{match.id}-"):
        raise ValueError("open hand")
    for kept in match.rulings:
        for language in LANGUAGES:
            told_ruling(kept, match.rules.variant, words(language))
    outline_of(match)
    audit(match, rules_of, actors(match.log, numbers, {}, ""))


def _check_order(match: MatchState) -> None:
    """A match starts once, and nothing is undone that was not done."""
    for entry in match.log:
        if isinstance(entry.event, Start) != (entry.sequence == 1):
            raise ValueError("start")
        if isinstance(entry.event, Undo):
            undone = match.log[entry.event.entry - 1]
            fits = undone.sequence < entry.sequence and undone.record.kind == entry.event.undone
            if not fits or not undone.event.can_be_undone:
                raise ValueError("undo")


def _check_counted(counted: Counted, number: int, sides: int) -> None:
    """A count of this hand whose lines and findings can be worded."""
    if counted.number != number:
        raise ValueError("number")
    if len(counted.sides) != sides or len(counted.before) != sides:
        raise ValueError("sides")
    if any(line.item not in ITEMS for side in counted.sides for line in side.lines):
        raise ValueError("item")
    if any(finding.code not in CHECKS for finding in counted.findings):
        raise ValueError("finding")
    for finding in counted.findings:
        for language in LANGUAGES:
            message(finding, SIDE_KEYS[:sides], words(language))


# ---------------------------------------------------------------------------------------------------- storing


def _is_here(rows: Reading, read: _ReadMatch) -> bool:
    """Whether the match is here already. Raises Unusable where part of the file would be lost."""
    record = rows.match(read.state.id)
    if record is None:
        return False
    ours = [entry_json(entry) for entry in rows.entries(record.id)]
    theirs = [entry_json(entry.record) for entry in read.state.log]
    if record.ruleset == read.told["ruleset"]:
        if ours[: len(theirs)] == theirs:
            return True
        if theirs[: len(ours)] == ours:
            raise Unusable("files.further-in-file", match=record.id)
    raise Unusable("files.otherwise-here", match=record.id)


def _check_requests(rows: Reading, fresh: list[_ReadMatch]) -> None:
    """A request id stands for one thing in a data file. Raises Unusable."""
    for read in fresh:
        if any(rows.requested(entry.record.request) is not None for entry in read.state.log):
            raise Unusable("files.damaged", match=read.state.id)


def _put(rows: Writing, read: _ReadMatch, device: DeviceId, now: datetime) -> Keys | None:
    """Store a match; its keys are made anew, for a browser that may show them."""
    state, told = read.state, read.told
    rows.add_match(state.record, read.frozen[state.record.ruleset])
    for digest, frozen in read.frozen.items():
        rows.add_ruleset(digest, frozen)
    *_, last = [rows.append(entry.record) for entry in state.log]
    for each in told["devices"]:
        rows.put_number(state.id, each["device"], each["number"])
    if told["open_hand"]:
        typed = told["open_hand"]
        kept_at = datetime.fromisoformat(typed["kept_at"])
        rows.put_open_hand(
            OpenHandRecord(state.id, typed["id"], typed["version"], typed["draft"], typed["device"], kept_at)
        )
    rows.put_summary(replace(state.summary(), place=last.place))
    if device == KEEPER:
        return None
    rows.grant(state.id, known_as(device), Access.OWN, now)
    return new_keys(rows, state.id, now)
