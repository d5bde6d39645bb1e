"""Reading export files: each match is decoded strictly, projected and rendered in words once before
it is stored.

Every exported file can be imported; a file from elsewhere must not harm existing matches. A file is
read match by match: the decoded and projected match is dropped before the next one is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeGuard

from pydantic import ValidationError
from pydantic_core import from_json

from scorepad.caches import LruCache
from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.findings import finding_text
from scorepad.matches.access import Access
from scorepad.matches.earlier_files import take_out_penalties
from scorepad.matches.events import (
    AccessChange,
    Counted,
    Event,
    LogEntry,
    Redo,
    RulesChange,
    Start,
    Undo,
    UnknownEntry,
    event_type,
    stored_context,
)
from scorepad.matches.file_format import (
    FORMAT,
    LARGEST_FILE,
    LONGEST_LIST,
    LONGEST_TEXT,
    LONGEST_WORD,
    MOST_ENTRIES,
    VERSION,
    CarriedMatch,
    EntryInput,
    ExportFile,
    seal_of,
)
from scorepad.matches.history import Actors, audit_entries
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.checks import NATURES
from scorepad.rules.definitions import Ruleset
from scorepad.rules.judging import Finding
from scorepad.rules.score import LINES
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.settings import LARGEST
from scorepad.rules.variants import FROZEN_VERSION, thaw, variant_ids
from scorepad.schemas.fields import Unusable, quote
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.storage.rows import Entry, FrozenRules, MatchRecord, OpenHand, SummaryRecord, as_json

_MOST_DECKS = 8
_MOST_PLAYERS = 6
_RULES_AT_HAND = 16
"""Rules of matches that are kept decoded; the matches of a file share most of them."""
_DAMAGE_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    NewerError,
    Unusable,
)
"""The exceptions that invalid rules or an invalid log raise when they are decoded and applied."""


class ReadMatch(NamedTuple):
    """A verified match of the file: its data, its projection, and the digests of all rules that it
    ever had.
    """

    data: CarriedMatch
    state: MatchState
    rulesets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VerifiedMatch:
    """The rows of a verified match. `devices` are the numbers of all devices by digest, `rematch`
    its rematch.
    """

    record: MatchRecord
    entries: tuple[Entry, ...]
    summary: SummaryRecord
    devices: dict[str, int]
    open_hand: OpenHand | None
    rematch: str | None


VerifiedRow = FrozenRules | VerifiedMatch
"""What a file consists of; the rules of a match come before the first match that refers to them."""


def verified_rows(
    source: bytes, known_variants: Collection[str] | None = None
) -> Iterator[VerifiedRow]:
    """The rows of an export file as they are to be stored, each as soon as it is verified: each
    match, and before it its rules, unless an earlier match had the same.

    `known_variants` are those on offer here, by default those of this process. Raises Unusable for
    another kind of file, a later format, or a damaged match; rows before it were yielded already.
    """
    document = _decode_document(source)
    yielded_rules: set[str] = set()  # the digests of those that came with an earlier match
    for match in _read_matches(document, known_variants):
        for digest in match.rulesets:
            if digest not in yielded_rules:
                yielded_rules.add(digest)
                yield FrozenRules(digest, document["rulesets"][digest])
        yield _verified_match(match)


def read_export(
    source: bytes, known_variants: Collection[str] | None = None
) -> Iterator[ReadMatch]:
    """Read an export file. `known_variants` are those on offer here, by default those of this
    process.

    Raises Unusable for another kind of file, a later format, or a damaged match; matches before it
    were returned.
    """
    return _read_matches(_decode_document(source), known_variants)


def _verified_match(match: ReadMatch) -> VerifiedMatch:
    """The rows of a match of the file, as they are stored in the data file."""
    state = match.state
    open_hand = None
    typed = match.data.open_hand
    if typed is not None:
        open_hand = OpenHand(
            match=state.id,
            id=typed.id,
            version=typed.version,
            draft=typed.draft,
            device=typed.device,
            kept_at=typed.kept_at,
        )
    return VerifiedMatch(
        record=state.record,
        entries=tuple(entry.record for entry in state.log),
        summary=state.summary(),
        devices=match.data.devices,
        open_hand=open_hand,
        rematch=match.data.rematch,
    )


# ----------------------------------------------------------------------------------------- the file


def _decode_document(source: bytes) -> dict[str, Any]:
    """The document of an export file, with its format and its size verified, but not its matches.

    Raises Unusable.
    """
    document = _parse_document(source)
    # The version comes first: a file of a later version may have other parts than this one knows.
    _require_known_version(document)
    _require_known_parts(document)
    return document


def _parse_document(source: bytes) -> dict[str, Any]:
    """The JSON object in a file that was exported by this program. Raises Unusable for any other
    file, and for one that is too large or cut short.
    """
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)
    try:
        document = from_json(source, allow_inf_nan=False)
    except ValueError:
        if _begins_like_export(source):
            raise Unusable("files.cut-short") from None
        raise Unusable("files.not-ours") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unusable("files.not-ours")
    return document


def _require_known_version(document: Mapping[str, Any]) -> None:
    """Raise Unusable unless a document has the version of the format that this program reads."""
    version = document.get("version")
    if not _is_number(version) or version < VERSION:
        raise Unusable("files.not-ours")
    if version > VERSION:
        raise Unusable("files.newer", version=version, known=VERSION)


def _require_known_parts(document: Mapping[str, Any]) -> None:
    """Raise Unusable unless a document has the parts of an export file, such as `matches`, and no
    others, with as many rules and matches as a file may have.
    """
    if document.keys() != ExportFile.model_fields.keys():
        raise Unusable("files.damaged-file")
    rulesets = document["rulesets"]
    matches = document["matches"]
    if not isinstance(rulesets, dict) or not isinstance(matches, list):
        raise Unusable("files.damaged-file")
    if len(rulesets) > MOST_ENTRIES or len(matches) > MOST_ENTRIES:
        raise Unusable("files.damaged-file")


def _is_number(value: object) -> TypeGuard[int]:
    """Whether a value of the file is a whole number: `true`, which Python also counts as 1, is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _begins_like_export(source: bytes) -> bool:
    """Whether a file that is no valid JSON begins like an export, which then was cut short."""
    beginning = f'{{"format":"{FORMAT}"'.encode()
    return source.lstrip().startswith(beginning)


def _read_matches(
    document: dict[str, Any], known_variants: Collection[str] | None
) -> Iterator[ReadMatch]:
    """Verify the matches of a document, and yield them one by one. Raises Unusable.

    They are taken out of the document, so that each can be freed before the next one is read.
    """
    if known_variants is None:
        known_variants = variant_ids()
    rules = _RulesOfFile(document["rulesets"], known_variants)
    ids = _IdsOfFile()
    unread_matches = document["matches"]
    unread_matches.reverse()  # because only the end of a list can be taken off at no cost
    while unread_matches:
        data = _validate_match(unread_matches.pop())
        match = _project_match(data, rules)
        ids.add(data)
        yield match
    ids.require_rematches()  # a rematch may come later in the file than the match before it


class _IdsOfFile:
    """The ids in the matches of a file, which are checked for repetitions.

    A repeated or missing id is damage of the whole file, since each match is well by itself.
    """

    def __init__(self) -> None:
        self._matches: set[str] = set()
        self._requests: set[str] = set()
        self._rematches: set[str] = set()

    def add(self, match: CarriedMatch) -> None:
        """Add the ids of a match. Raises Unusable if one of them stood in the file before."""
        if match.id in self._matches:
            raise Unusable("files.damaged-file")
        self._matches.add(match.id)
        for entry in match.entries:
            if entry.request in self._requests:
                raise Unusable("files.damaged-file")
            self._requests.add(entry.request)
        if match.rematch is not None:
            self._rematches.add(match.rematch)

    def require_rematches(self) -> None:
        """Raise Unusable if the rematch of a match is not in the file."""
        if not self._rematches.issubset(self._matches):
            raise Unusable("files.damaged-file")


def _validate_match(match: Any) -> CarriedMatch:
    """A match of the document, with its form and its seal verified. Raises Unusable."""
    try:
        # Errors are not listed: of a match with a hundred thousand wrong entries, they would take
        # gigabytes.
        data = CarriedMatch.model_validate(match)
    except ValidationError:
        match_id = match.get("id") if isinstance(match, dict) else None
        raise _damaged(match_id) from None
    if data.seal != seal_of(match):
        raise _damaged(data.id)
    return data


def _damaged(match_id: object) -> Unusable:
    """The error for a damaged match; `match_id` is its id as far as it can be read."""
    return Unusable("files.damaged", match=quote(match_id or "?"))


class _RulesOfFile:
    """The frozen rules of a file, each verified, and decoded when a match refers to it."""

    def __init__(self, frozen: Mapping[str, Any], known_variants: Collection[str]) -> None:
        self._frozen = frozen
        self._known_variants = known_variants
        self._decoded: LruCache[Ruleset] = LruCache(most=_RULES_AT_HAND)
        self._require_valid_rules()

    def _require_valid_rules(self) -> None:
        """Decode all rules of the file once, even those of no match. Raises Unusable for those that
        cannot be decoded.

        The decoded rules are dropped again: all of them might not fit into memory.
        """
        for digest in self._frozen:
            self._decode(digest)

    def rules_of(self, digest: str) -> Ruleset:
        """The rules with this digest. Raises KeyError if they are not in the file."""
        return self._decoded.get_or_make(digest, lambda: self._decode(digest))

    def _decode(self, digest: str) -> Ruleset:
        """Decode the rules with this digest. Raises Unusable for damaged ones, and for those that
        this version of the program does not know.
        """
        frozen = self._frozen[digest]
        if not isinstance(frozen, dict):
            raise Unusable("files.damaged-file")
        version = frozen.get("version")
        if _is_number(version) and version > FROZEN_VERSION:
            raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
        try:
            rules = _thaw_checked(frozen, digest)
        except _DAMAGE_ERRORS:
            raise Unusable("files.damaged-rules") from None
        # House rules bring their names along; a variant of the program must be known here.
        is_house_variant = bool(rules.words)
        if rules.variant not in self._known_variants and not is_house_variant:
            raise Unusable("files.unknown-variant", given=quote(rules.variant))
        return rules


def _thaw_checked(frozen: Mapping[str, Any], digest: str) -> Ruleset:
    """Decode the rules of a match as they are stored (frozen), which stand in the file under this
    digest. Raises one of `_DAMAGE_ERRORS`.

    The digest is verified, because matches that are here already may have the rules with this
    digest: rules that are others than it says would take their place.
    """
    digest_in_rules = frozen.get("digest")
    _require(digest_in_rules == digest)
    _require(_digest_of_rules(frozen) == digest)  # as it follows from their content
    rules = thaw(frozen)
    _check_rules(rules)
    return rules


def _digest_of_rules(frozen: Mapping[str, Any]) -> str:
    """The digest of frozen rules, as it stands in them under `digest`."""
    text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _check_rules(rules: Ruleset) -> None:
    """Check that the program has the checks and score lines of the rules, and that the table is one
    that it can show. Raises ValueError.
    """
    for check in rules.checks:
        _require(check.id in NATURES)
    for line in rules.lines:
        _require(line.id in LINES)
    sides = rules.settings.sides
    _require(len(sides) in (2, 3))
    _require(min(sides) >= 1)
    _require(sum(sides) <= _MOST_PLAYERS)
    _require(1 <= rules.settings.decks <= _MOST_DECKS)


# ------------------------------------------------------------------------------------------ a match


def _project_match(data: CarriedMatch, rules: _RulesOfFile) -> ReadMatch:
    """A match of the file with the state that its log gives. Raises Unusable if it is invalid."""
    try:
        log = []
        for number, entry_of_file in enumerate(data.entries, 1):
            log.append(_decode_entry(data.id, number, entry_of_file))
        return _apply_log(log, data, rules)
    except UnknownEntry as newer:
        raise Unusable("files.newer-entry", match=data.id, given=quote(newer.kind)) from None
    except _DAMAGE_ERRORS:
        raise _damaged(data.id) from None


def _apply_log(log: Sequence[LogEntry], data: CarriedMatch, rules: _RulesOfFile) -> ReadMatch:
    """The match of the file with the state to which its log leads, checked.

    The log may be one of an earlier version of the program, and is brought into the form of today
    first. Raises one of `_DAMAGE_ERRORS` if the log is invalid.
    """
    migrated = _without_typed_penalties(log, data)
    record = MatchRecord(data.id, data.ruleset, data.started)
    first_rules = rules.rules_of(record.ruleset)
    state = MatchState(record, first_rules, rules.rules_of)
    state.apply_log(migrated.log)
    _check_match(state, migrated.data)
    return ReadMatch(migrated.data, state, _rulesets_of(state))


def _rulesets_of(match: MatchState) -> tuple[str, ...]:
    """The digests of all rules that a match ever had, the first ones first."""
    digests = [match.record.ruleset]
    for entry in match.log:
        if isinstance(entry.event, RulesChange) and entry.event.ruleset not in digests:
            digests.append(entry.event.ruleset)
    return tuple(digests)


def _decode_entry(match: str, number: int, entry_of_file: EntryInput) -> LogEntry:
    """An entry of the file with its event; `number` is its position in the log, from 1.

    Raises UnknownEntry for a kind of event that this program does not know, and ValueError for an
    invalid payload.
    """
    record = Entry(
        match=match,
        sequence=number,
        kind=entry_of_file.kind,
        at=entry_of_file.at,
        device=entry_of_file.device,
        request=entry_of_file.request,
        payload=entry_of_file.payload,
        sent=entry_of_file.sent,
    )
    event_class = event_type(record)
    event = _decode_payload(event_class, entry_of_file.payload)
    _require_access_of_key(event)
    return _entry_with_event(record, event)


def _require_access_of_key(event: Event) -> None:
    """Raise ValueError if an event changes the key for a kind of access that no key gives: there are
    keys to view and keys to write.
    """
    if isinstance(event, AccessChange):
        _require(event.access not in (Access.NONE, Access.OWN))


def _decode_payload(kind: type[Event], payload: dict[str, Any]) -> Event:
    """The event of this class that a payload of the file holds. Raises ValueError.

    It is decoded from text, since only then the strict decoder reads lists as tuples.
    """
    _check_sizes(payload)
    text = json.dumps(payload)
    event: Event = kind.adapter.validate_json(text, strict=True, context=stored_context(payload))
    return event


def _entry_with_event(record: Entry, event: Event) -> LogEntry:
    """The entry of a log in this row, with this event as its content.

    The payload of the row is written anew from the event, and its size is that of this payload.
    """
    payload = event.payload()
    new_record = replace(record, payload=payload, size=len(as_json(payload)))
    return LogEntry(new_record, event)


class _MigratedMatch(NamedTuple):
    """A match of the file, in the form in which this version of the program writes it."""

    data: CarriedMatch
    log: list[LogEntry]


def _without_typed_penalties(log: Sequence[LogEntry], data: CarriedMatch) -> _MigratedMatch:
    """A match of the file with each noted penalty in its log alone.

    Earlier versions of the program wrote a penalty noted during a hand into the fields of the form
    of that hand as well: `{"b.penalties.draw-out-of-turn": "1"}`. It is taken out of them here,
    since it would be counted twice otherwise.
    """
    open_fields: Mapping[str, str] = {}  # those of the hand that is still being played
    if data.open_hand is not None:
        open_fields = data.open_hand.draft
    stripped = take_out_penalties(log, open_fields)

    new_log = []
    for entry in log:
        changed_event = stripped.changed_events.get(entry.sequence)
        if changed_event is None:
            new_log.append(entry)
        else:
            new_log.append(_entry_with_event(entry.record, changed_event))
    return _MigratedMatch(_with_open_fields(data, stripped.open_fields), new_log)


def _with_open_fields(data: CarriedMatch, fields: Mapping[str, str]) -> CarriedMatch:
    """A match of the file with these fields in the form of its open hand, the one that is still being
    played. The match itself if it has no such form.
    """
    if data.open_hand is None:
        return data
    open_hand = data.open_hand.model_copy(update={"draft": dict(fields)})
    return data.model_copy(update={"open_hand": open_hand})


def _require(fits: bool) -> None:
    """Raise ValueError if a part of the file does not fit: the match is damaged then."""
    if not fits:
        raise ValueError


def _check_sizes(value: object) -> None:
    """Check that no text, number, list or object in a payload is too large. Raises ValueError."""
    if isinstance(value, str):
        _require(len(value) <= LONGEST_TEXT)
    elif isinstance(value, int):
        _require(-LARGEST <= value <= LARGEST)
    elif isinstance(value, list):
        _require(len(value) <= LONGEST_LIST)
        for item in value:
            _check_sizes(item)
    elif isinstance(value, dict):
        _require(len(value) <= LONGEST_LIST)
        for key, item in value.items():
            _require(len(key) <= LONGEST_WORD)
            _check_sizes(item)


def _check_match(match: MatchState, data: CarriedMatch) -> None:
    """Check a match before it is stored. Raises one of `_DAMAGE_ERRORS` if it is invalid."""
    for entry in match.log:
        _check_entry(match, entry)
    _check_players(match)
    _check_devices(match, data)
    for number, hand in enumerate(match.hands, 1):
        for version in hand.versions:
            _require(version.event.number == number)
            _check_count(match, version.event)
    number_of_sides = len(match.rules.settings.sides)
    for penalty in match.penalties:
        _require(penalty.side < number_of_sides)
    _check_pages(match)


def _check_players(match: MatchState) -> None:
    """Check that there is a name for each side and each seat of the table, and that players were
    replaced in the order of the hands. Raises ValueError.
    """
    sides = match.rules.settings.sides  # the number of players of each side
    _require(len(match.labels.names) == len(sides))
    _require(tuple(map(len, match.labels.players)) == sides)
    hands = [replacement.number for replacement in match.replacements]
    _require(hands == sorted(hands))


def _check_devices(match: MatchState, data: CarriedMatch) -> None:
    """Check that each device has a number of its own, and that the open hand is one of this match.
    Raises ValueError.
    """
    numbers = list(data.devices.values())
    _require(len(set(numbers)) == len(numbers))
    if data.open_hand is not None:
        _require(data.open_hand.id.startswith(f"{match.id}-"))


def _check_pages(match: MatchState) -> None:
    """Check that the pages can show the match. Raises one of `_DAMAGE_ERRORS` otherwise.

    What the pages show is worked out here and dropped: all that matters is that it raises no error.
    """
    for ruling in match.rulings:
        for language in LANGUAGES:
            words_of_match = words(language).with_rules(match.rules)
            ruling_text(ruling.event, match.rules.variant, words_of_match)
    match.summary()  # for the lists of matches
    for _part in match.parts():  # for the pages of the players
        pass
    nobody_known = Actors(match.log, devices=(), requesting_device="")
    audit_entries(match, match.rules_of, nobody_known)  # for the page of the log


def _check_entry(match: MatchState, entry: LogEntry) -> None:
    """Check that an entry may stand where it is in the log of a match. Raises ValueError.

    The start of the match is the first entry, and no other. An undo or redo comes after the entry
    that it is about.
    """
    is_start = isinstance(entry.event, Start)
    is_first = entry.sequence == 1
    _require(is_start == is_first)
    if isinstance(entry.event, Undo):
        _check_undo(match, entry.event, entry.sequence)
    elif isinstance(entry.event, Redo):
        _check_redo(match, entry.event, entry.sequence)


def _check_undo(match: MatchState, undo: Undo, sequence: int) -> None:
    """Check that an undo, the entry of the log with this sequence, takes back an earlier entry that
    can be taken back. Raises ValueError.
    """
    undone = match.entry_at(undo.entry)
    _require(undone.sequence < sequence)
    _require(undone.record.kind == undo.undone_kind)
    _require(undone.event.can_be_undone)


def _check_redo(match: MatchState, redo: Redo, sequence: int) -> None:
    """Check that a redo, the entry of the log with this sequence, reverts an earlier undo. Raises
    ValueError.
    """
    reverted = match.entry_at(redo.entry)
    _require(reverted.sequence < sequence)
    _require(isinstance(reverted.event, Undo))
    _require(reverted.event.undone_kind == redo.undone_kind)


def _check_count(match: MatchState, counted: Counted) -> None:
    """Check that a count of a hand fits the match, and that its findings can be said in words.
    Raises one of `_DAMAGE_ERRORS`.
    """
    number_of_sides = len(match.rules.settings.sides)
    _require(len(counted.hand.sides) == number_of_sides)
    _require(len(counted.sides) == number_of_sides)  # the scores of the sides
    _require(len(counted.before) == number_of_sides)  # their totals before the hand
    known_items = {*ITEMS, *match.rules.items}
    for score_lines in counted.lines:  # the lines of each side
        for line in score_lines:
            _require(line.item in known_items)
    for finding in counted.findings:
        _require(finding.code in NATURES)  # the checks that the program has
        _check_finding_text(finding, match.rules)


def _check_finding_text(finding: Finding, rules: Ruleset) -> None:
    """Check that a finding can be said in each language; its text is not needed here. Raises one of
    `_DAMAGE_ERRORS` otherwise.
    """
    keys_of_sides = SIDE_KEYS[: len(rules.settings.sides)]
    for language in LANGUAGES:
        finding_text(finding, keys_of_sides, words(language).with_rules(rules))
