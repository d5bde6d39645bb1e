"""Reading export files: each match is decoded strictly, projected and rendered in words once before
it is stored.

Every exported file can be imported; a file from elsewhere must not harm existing matches. A file is
read match by match: the decoded and projected match is dropped before the next one is read.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeGuard

from pydantic import ValidationError
from pydantic_core import from_json

from scorepad.caches import LruCache
from scorepad.errors import NewerError
from scorepad.i18n import LANGUAGES, words
from scorepad.i18n.findings import describe_finding
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
    build_decoding_context,
    find_event_class,
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
    compute_seal,
)
from scorepad.matches.history import Actors, list_audit_entries
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
_MOST_RULES_KEPT_DECODED = 16
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
    is the id of its rematch.
    """

    record: MatchRecord
    entries: tuple[Entry, ...]
    summary: SummaryRecord
    devices: dict[str, int]
    open_hand: OpenHand | None
    rematch: str | None


VerifiedRow = FrozenRules | VerifiedMatch
"""What a file consists of; the rules of a match come before the first match that refers to them."""


def read_rows_to_store(
    source: bytes, known_variants: Collection[str] | None = None
) -> Iterator[VerifiedRow]:
    """Read an export file, and yield the rows to store in the data file, each once it is verified.

    Matches refer to rules, and many matches share the same ones. So the rules of a match come
    right before it, unless an earlier match had them: rules, match, match, rules, match.

    `known_variants` are the ids of the games on offer here, by default those of this process.
    Raises Unusable for another kind of file, a later format, or a damaged match. Rows before it
    were yielded already, so the caller must not keep them then.
    """
    document = _decode_document(source)
    digests_already_yielded: set[str] = set()
    for match in _read_matches(document, known_variants):
        for digest in match.rulesets:
            if digest not in digests_already_yielded:
                digests_already_yielded.add(digest)
                yield FrozenRules(digest, document["rulesets"][digest])
        yield _convert_to_rows(match)


def read_export(
    source: bytes, known_variants: Collection[str] | None = None
) -> Iterator[ReadMatch]:
    """Read an export file, and yield its matches, each once it is verified.

    `known_variants` are the ids of the games on offer here, by default those of this process.
    Raises Unusable for another kind of file, a later format, or a damaged match. Matches before it
    were yielded already.
    """
    return _read_matches(_decode_document(source), known_variants)


def _convert_to_rows(match: ReadMatch) -> VerifiedMatch:
    """Convert a match of an export file into the rows that are stored in the data file."""
    state = match.state
    open_hand = None  # the round being played: what the players have typed of it so far
    open_hand_of_file = match.data.open_hand
    if open_hand_of_file is not None:
        open_hand = OpenHand(
            match=state.id,
            id=open_hand_of_file.id,
            version=open_hand_of_file.version,
            draft=open_hand_of_file.draft,
            device=open_hand_of_file.device,
            kept_at=open_hand_of_file.kept_at,
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
    """Parse an export file, and check its format and size. Its matches are not checked yet.

    Raises Unusable, an error with a message for the user.
    """
    document = _parse_document(source)
    # The version comes first: a file of a later version may have other parts than this one knows.
    _require_known_version(document)
    _require_known_parts(document)
    return document


def _parse_document(source: bytes) -> dict[str, Any]:
    """Parse the JSON object in a file that this program exported.

    Raises Unusable for any other file, and for one that is too large or cut short.
    """
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)  # in MB
    try:
        document = from_json(source, allow_inf_nan=False)
    except ValueError:
        if _is_export_cut_short(source):
            raise Unusable("files.cut-short") from None
        raise Unusable("files.not-ours") from None  # "This is no file of scorepad matches."
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unusable("files.not-ours")
    return document


def _require_known_version(document: Mapping[str, Any]) -> None:
    """Raise Unusable unless an export file has the version that this program reads."""
    version = document.get("version")
    if not _is_number(version) or version < VERSION:
        raise Unusable("files.not-ours")  # "This is no file of scorepad matches."
    if version > VERSION:
        # "The file comes from a later scorepad."
        raise Unusable("files.newer", version=version, known=VERSION)


def _require_known_parts(document: Mapping[str, Any]) -> None:
    """Raise Unusable unless an export file has exactly the parts that it should have.

    They are `format`, `version`, `rulesets` and `matches`. The last two may not have too many
    items. The message is "The file is damaged, or somebody changed it by hand."
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
    """Tell whether a JSON value is a whole number: `1` → True, `true` → False, `"1"` → False."""
    is_boolean = isinstance(value, bool)  # in Python `True` is an `int` as well
    return isinstance(value, int) and not is_boolean


def _is_export_cut_short(source: bytes) -> bool:
    """Tell whether a file that is no valid JSON begins like an export, so that its end is missing."""
    beginning = f'{{"format":"{FORMAT}"'.encode()
    return source.lstrip().startswith(beginning)


def _read_matches(
    document: dict[str, Any], known_variants: Collection[str] | None
) -> Iterator[ReadMatch]:
    """Verify the matches of an export file, and yield them one by one.

    They are taken out of `document`, so that the memory of each is free before the next one is
    read. Raises Unusable at the first match that is damaged, and at the end if the matches do not
    fit together.
    """
    if known_variants is None:
        known_variants = variant_ids()
    rules = _RulesOfFile(document["rulesets"], known_variants)
    rules.require_valid_rules()
    ids = _IdsOfFile()

    unread_matches = deque(document.pop("matches"))
    while unread_matches:
        data = _validate_match(unread_matches.popleft())
        match = _rebuild_match(data, rules)
        ids.add(data)
        yield match

    # A match may name another one as its rematch, which may come later in the file.
    ids.require_rematches()


class _IdsOfFile:
    """The ids in the matches of a file, which are checked for repetitions.

    A repeated or missing id is damage of the whole file, since each match is well by itself.
    """

    def __init__(self) -> None:
        self._match_ids: set[str] = set()
        self._request_ids: set[str] = set()
        self._rematch_ids: set[str] = set()

    def add(self, match: CarriedMatch) -> None:
        """Add the ids of a match. Raises Unusable if an earlier match of the file has one of them.

        They are its own id and the id of each request: of each form that was sent to save something
        in it. Both are random, so that two matches never share one.
        """
        if match.id in self._match_ids:
            raise Unusable("files.damaged-file")
        self._match_ids.add(match.id)
        for entry in match.entries:
            if entry.request in self._request_ids:
                raise Unusable("files.damaged-file")
            self._request_ids.add(entry.request)
        if match.rematch is not None:
            self._rematch_ids.add(match.rematch)

    def require_rematches(self) -> None:
        """Raise Unusable if a match names a rematch that is not in the file.

        Call it once all matches of the file were added.
        """
        if not self._rematch_ids.issubset(self._match_ids):
            raise Unusable("files.damaged-file")


def _validate_match(match: Any) -> CarriedMatch:
    """Validate the form of a match in an export file, and its checksum (`seal`).

    `match` is any JSON value. Raises Unusable if it is no match, or was changed after the export.
    """
    try:
        data = CarriedMatch.model_validate(match)
    except ValidationError:
        # The errors are not listed: of a match with a hundred thousand wrong entries, they would
        # take gigabytes.
        match_id = None
        if isinstance(match, dict):
            match_id = match.get("id")
        raise _make_damage_error(match_id) from None
    if data.seal != compute_seal(match):
        raise _make_damage_error(data.id)
    return data


def _make_damage_error(match_id: object) -> Unusable:
    """Make the error for a damaged match of the file, with its id in the message.

    "The match 7k2mxq4hba in the file is damaged, or somebody changed it by hand." The id is shown
    as it stands in the file, where it may be too long, or no text at all; `?` if it is missing.
    """
    return Unusable("files.damaged", match=quote(match_id or "?"))


class _RulesOfFile:
    """The rules in a file, as JSON objects. Each is decoded when a match refers to it."""

    def __init__(self, json_by_digest: Mapping[str, Any], known_variants: Collection[str]) -> None:
        """Take the rules of a file; nothing is decoded yet.

        `json_by_digest` has each of them by its digest, which is its key in the file.
        `known_variants` are the ids of the games on offer here.
        """
        self._json_by_digest = json_by_digest
        self._known_variants = known_variants
        self._latest: LruCache[Ruleset] = LruCache(most=_MOST_RULES_KEPT_DECODED)

    def require_valid_rules(self) -> None:
        """Raise Unusable if any rules of the file are damaged, even those that no match uses.

        All are decoded once for that, and dropped again: they might not fit into memory together.
        """
        for digest in self._json_by_digest:
            self._decode(digest)

    def rules_of(self, digest: str) -> Ruleset:
        """Return the rules with this digest. Raises KeyError if they are not in the file."""
        return self._latest.get_or_make(digest, lambda: self._decode(digest))

    def _decode(self, digest: str) -> Ruleset:
        """Decode the rules that stand in the file under this digest.

        Raises Unusable if they are damaged, written by a later version of the program, or those of
        a game that is not known here.
        """
        frozen = self._json_by_digest[digest]
        if not isinstance(frozen, dict):
            raise Unusable("files.damaged-file")
        version = frozen.get("version")
        if _is_number(version) and version > FROZEN_VERSION:
            # "The rules of a match in the file have a later form."
            raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
        try:
            rules = _decode_and_check_rules(frozen, digest)
        except _DAMAGE_ERRORS:
            raise Unusable("files.damaged-rules") from None
        self._require_known_game(rules)
        return rules

    def _require_known_game(self, rules: Ruleset) -> None:
        """Raise Unusable unless the game of these rules is known here, or brings its own names.

        The rules of a game that comes with the program have no names: they are in its messages.
        House rules, made by users, bring theirs, so that no other program has to know them.
        """
        brings_own_names = bool(rules.words)
        if rules.variant not in self._known_variants and not brings_own_names:
            # "The file plays a variant that is not known here."
            raise Unusable("files.unknown-variant", given=quote(rules.variant))


def _decode_and_check_rules(frozen: Mapping[str, Any], digest: str) -> Ruleset:
    """Decode the rules of a match from the JSON object `frozen`, and check them.

    `digest` is the key under which they stand in the file: the hash of their content. It stands in
    `frozen["digest"]` too. Raises one of `_DAMAGE_ERRORS` if anything is wrong.
    """
    # Rules are stored by their digest, once for all matches. Wrong rules under the digest of others
    # would be used for matches that are here already, so the digest is computed anew.
    _require(frozen.get("digest") == digest, "the rules have the digest of their key")
    _require(compute_digest_of_rules(frozen) == digest, "the digest follows from the rules")
    rules = thaw(frozen)
    _check_rules(rules)
    return rules


def compute_digest_of_rules(frozen: Mapping[str, Any]) -> str:
    """Compute the digest of stored rules: the SHA-256 hash of their JSON, in hexadecimal.

    The digest itself stands in them too, under `digest`. It counts as empty there.
    """
    text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _check_rules(rules: Ruleset) -> None:
    """Check that this program can score by these rules and show their table. Raises ValueError."""
    for check in rules.checks:
        _require(check.id in NATURES, "NATURES has all checks of the program")
    for line in rules.lines:
        _require(line.id in LINES, "LINES has all lines of a score that the program knows")

    players_of_sides = rules.settings.sides  # (2, 2): two sides of two players each
    _require(len(players_of_sides) in (2, 3), "two or three sides play")
    _require(min(players_of_sides) >= 1, "each side has a player")
    _require(sum(players_of_sides) <= _MOST_PLAYERS, "not too many play")
    _require(1 <= rules.settings.decks <= _MOST_DECKS, "the number of decks is possible")


# ------------------------------------------------------------------------------------------ a match


def _rebuild_match(data: CarriedMatch, rules: _RulesOfFile) -> ReadMatch:
    """Rebuild a match of the file by applying its log, the list of all that happened in it.

    Raises Unusable if the log is invalid, or has entries that only a later version knows.
    """
    try:
        log = []
        for number, entry_of_file in enumerate(data.entries, 1):
            log.append(_decode_entry(data.id, number, entry_of_file))
        return _apply_log(log, data, rules)
    except UnknownEntry as unknown:
        # "The match … holds something that is not known here."
        raise Unusable("files.newer-entry", match=data.id, given=quote(unknown.kind)) from None
    except _DAMAGE_ERRORS:
        raise _make_damage_error(data.id) from None


def _apply_log(log: Sequence[LogEntry], data: CarriedMatch, rules: _RulesOfFile) -> ReadMatch:
    """Apply the log of a match entry by entry, and check the state to which it leads.

    A log of an earlier version of the program is brought into the form of today first. Raises one
    of `_DAMAGE_ERRORS` if the log is invalid.
    """
    migrated = _remove_typed_penalties(log, data)
    record = MatchRecord(data.id, data.ruleset, data.started)
    first_rules = rules.rules_of(record.ruleset)
    state = MatchState(record, first_rules, rules.rules_of)
    state.apply_log(migrated.log)
    _check_match(state, migrated.data)
    return ReadMatch(migrated.data, state, _list_digests_of_rules(state))


def _list_digests_of_rules(match: MatchState) -> tuple[str, ...]:
    """List the digests of all rules that a match ever had, each once, the first ones first.

    The players may change the rules during a match. Digests are the keys of stored rules.
    """
    digests = [match.record.ruleset]
    for entry in match.log:
        if isinstance(entry.event, RulesChange) and entry.event.ruleset not in digests:
            digests.append(entry.event.ruleset)
    return tuple(digests)


def _decode_entry(match: str, number: int, entry_of_file: EntryInput) -> LogEntry:
    """Decode an entry of the log of a match: what happened in it, such as a counted hand.

    `number` is the position of the entry in the log, from 1. Raises UnknownEntry for a kind of
    event that this program does not know, and ValueError for an invalid payload.
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
    event_class = find_event_class(record)
    event = _decode_payload(event_class, entry_of_file.payload)
    if isinstance(event, AccessChange):
        _check_access_change(event)
    return _replace_event_of_entry(record, event)


def _check_access_change(change: AccessChange) -> None:
    """Check that a decision about a key of a match is about a key that a match can have.

    A match has a key to view it, and one to write in it. A decision may also be about no key.
    Raises ValueError.
    """
    is_possible = change.access in (None, Access.VIEW, Access.WRITE)
    _require(is_possible, "there is such a key")


def _decode_payload(event_class: type[Event], payload: dict[str, Any]) -> Event:
    """Decode the payload of a log entry, a JSON object, into an event of this class.

    Raises ValueError if it has other fields, or one that is too large.
    """
    _check_sizes(payload)
    # Back to text first: the strict decoder accepts a list for a tuple only when it reads JSON.
    text = json.dumps(payload)
    event: Event = event_class.adapter.validate_json(
        text, strict=True, context=build_decoding_context(payload)
    )
    return event


def _replace_event_of_entry(record: Entry, event: Event) -> LogEntry:
    """Make a log entry with this event as its content, and all else from `record`: time, device.

    The JSON that is stored for it (`payload`) is encoded anew from the event.
    """
    payload = event.payload()
    new_record = replace(record, payload=payload, size=len(as_json(payload)))
    return LogEntry(new_record, event)


class _MigratedMatch(NamedTuple):
    """A match of the file, in the form in which this version of the program writes it."""

    data: CarriedMatch
    log: list[LogEntry]


def _remove_typed_penalties(log: Sequence[LogEntry], data: CarriedMatch) -> _MigratedMatch:
    """Remove the penalties that earlier versions of the program stored twice.

    A penalty noted during a hand (a round) is an entry of the log. Earlier versions also wrote it
    into the form of that hand, as `{"b.penalties.draw-out-of-turn": "1"}`. Both would be counted
    now, so it is taken out of the form.
    """
    open_fields: Mapping[str, str] = {}  # those of the hand that is still being played
    if data.open_hand is not None:
        open_fields = data.open_hand.draft
    without_penalties = take_out_penalties(log, open_fields)

    new_log = []
    for entry in log:
        new_entry = entry
        changed_event = without_penalties.changed_events.get(entry.sequence)
        if changed_event is not None:
            new_entry = _replace_event_of_entry(entry.record, changed_event)
        new_log.append(new_entry)
    new_data = _replace_fields_of_open_hand(data, without_penalties.open_fields)
    return _MigratedMatch(new_data, new_log)


def _replace_fields_of_open_hand(data: CarriedMatch, fields: Mapping[str, str]) -> CarriedMatch:
    """Return a copy of a match, with these fields in the form of the hand being played.

    Returns the match itself if nothing is typed of that hand, so that it has no form.
    """
    if data.open_hand is None:
        return data
    open_hand = data.open_hand.model_copy(update={"draft": dict(fields)})
    return data.model_copy(update={"open_hand": open_hand})


def _require(is_met: bool, requirement: str) -> None:
    """Raise ValueError if a requirement is not met, because the file is damaged.

    `requirement` says what must be true, for who reads the code: the user is told only which match
    is damaged.
    """
    if not is_met:
        raise ValueError(requirement)


def _check_sizes(value: object) -> None:
    """Check that no text, number, list or object in a JSON value is too large. Raises ValueError."""
    if isinstance(value, str):
        _require(len(value) <= LONGEST_TEXT, "a text is not too long")
    elif isinstance(value, int):
        _require(-LARGEST <= value <= LARGEST, "a number is not too large")
    elif isinstance(value, list):
        _require(len(value) <= LONGEST_LIST, "a list has not too many items")
        for item in value:
            _check_sizes(item)
    elif isinstance(value, dict):
        _require(len(value) <= LONGEST_LIST, "an object has not too many keys")
        for key, item in value.items():
            _require(len(key) <= LONGEST_WORD, "a key is not too long")
            _check_sizes(item)


def _check_match(match: MatchState, data: CarriedMatch) -> None:
    """Check a match of a file before it is stored. Raises one of `_DAMAGE_ERRORS` if it is invalid.

    `match` is the state to which its log led, `data` the rest of what the file has about it.
    """
    for entry in match.log:
        _check_entry(match, entry)
    _check_players(match)
    _check_devices(match, data)
    for number, hand in enumerate(match.hands, 1):
        for version in hand.versions:  # as it was counted first, and after each correction
            _require(version.event.number == number, "a correction is about its own hand")
            _check_count(match, version.event)
    number_of_sides = len(match.rules.settings.sides)
    for penalty in match.penalties:
        _require(penalty.side < number_of_sides, "a penalty is that of a side")
    _check_pages(match)


def _check_players(match: MatchState) -> None:
    """Check that each side and each player has a name (it may be empty). Raises ValueError.

    Also check that the replacements of players are in the order of the hands (rounds) from which on
    they hold.
    """
    players_of_sides = match.rules.settings.sides  # (2, 2): two sides of two players each
    labels = match.labels
    _require(len(labels.names) == len(players_of_sides), "there is a name for each side")
    names_of_sides = tuple(len(players) for players in labels.players)
    _require(names_of_sides == players_of_sides, "there is a name for each player")
    first_hands = [replacement.number for replacement in match.replacements]
    _require(first_hands == sorted(first_hands), "replacements are in the order of the hands")


def _check_devices(match: MatchState, data: CarriedMatch) -> None:
    """Check the devices and the hand being played, as they stand in a file. Raises ValueError."""
    numbers = list(data.devices.values())
    _require(len(set(numbers)) == len(numbers), "each device has a number of its own")
    if data.open_hand is not None:
        # The id of a hand is that of its match and a number: `7k2mxq4hba-3`.
        is_of_this_match = data.open_hand.id.startswith(f"{match.id}-")
        _require(is_of_this_match, "the open hand is one of this match")


def _check_pages(match: MatchState) -> None:
    """Make all that the pages show of a match, only to see that nothing of it raises an error.

    A match on which a page would fail must not be stored. Raises one of `_DAMAGE_ERRORS`.
    """
    _check_texts_of_rulings(match)
    _lists_of_matches = match.summary()
    _pages_of_players = list(match.list_players_by_seat())
    no_devices = Actors(match.log, devices=(), requesting_device="")
    _page_of_log = list_audit_entries(match, match.rules_of, no_devices)


def _check_texts_of_rulings(match: MatchState) -> None:
    """Write the stored rulings of the referee in each language, only to see that nothing fails."""
    for ruling in match.rulings:
        for language in LANGUAGES:
            words_of_match = words(language).with_rules(match.rules)
            _text = ruling_text(ruling.event, match.rules.variant, words_of_match)


def _check_entry(match: MatchState, entry: LogEntry) -> None:
    """Check that an entry may stand where it is in the log of a match. Raises ValueError.

    The start of the match is the first entry, and no other. An undo or redo comes after the entry
    that it is about.
    """
    is_start = isinstance(entry.event, Start)
    is_first = entry.sequence == 1
    _require(is_start == is_first, "the first entry, and no other, starts the match")
    if isinstance(entry.event, Undo):
        _check_undo(match, entry.event, entry.sequence)
    elif isinstance(entry.event, Redo):
        _check_redo(match, entry.event, entry.sequence)


def _check_undo(match: MatchState, undo: Undo, sequence: int) -> None:
    """Check an undo in the log of a match: it takes back an earlier entry, such as a counted hand.

    `sequence` is the position of the undo in the log, `undo.entry` that of the entry which it takes
    back. Raises ValueError.
    """
    undone = match.get_entry(undo.entry)
    _require(undone.sequence < sequence, "an undo comes after the entry that it takes back")
    _require(undone.record.kind == undo.undone_kind, "an undo names the kind of that entry")
    _require(undone.event.can_be_undone, "that entry can be taken back")


def _check_redo(match: MatchState, redo: Redo, sequence: int) -> None:
    """Check a redo in the log of a match: it reverts an undo, so that a counted hand, say, is back.

    `sequence` is the position of the redo in the log, `redo.entry` that of the undo which it
    reverts. Raises ValueError.
    """
    reverted = match.get_entry(redo.entry)
    _require(reverted.sequence < sequence, "a redo comes after the undo that it reverts")
    _require(isinstance(reverted.event, Undo), "a redo reverts an undo")
    _require(reverted.event.undone_kind == redo.undone_kind, "both name the kind of that entry")


def _check_count(match: MatchState, counted: Counted) -> None:
    """Check that the score of a hand (a round) fits the match, and can be shown.

    Raises one of `_DAMAGE_ERRORS` otherwise.
    """
    number_of_sides = len(match.rules.settings.sides)
    _require(len(counted.hand.sides) == number_of_sides, "each side has its cards")
    _require(len(counted.sides) == number_of_sides, "each side has its score")
    _require(len(counted.before) == number_of_sides, "each side has its total before the hand")
    known_items = {*ITEMS, *match.rules.items}
    for score_lines in counted.lines:  # the lines of each side
        for line in score_lines:
            _require(line.item in known_items, "what a line counts has a name")
    for finding in counted.findings:  # rules that the hand breaks
        _require(finding.code in NATURES, "the program has the check that found it")
        _check_finding_text(finding, match.rules)


def _check_finding_text(finding: Finding, rules: Ruleset) -> None:
    """Write a broken rule as a sentence in each language, only to see that nothing fails.

    In a damaged file it may lack what the sentence says, such as the number of cards. Raises one of
    `_DAMAGE_ERRORS` then.
    """
    number_of_sides = len(rules.settings.sides)
    keys_of_sides = SIDE_KEYS[:number_of_sides]  # ("a", "b") of two sides
    for language in LANGUAGES:
        words_of_match = words(language).with_rules(rules)
        _sentence = describe_finding(finding, keys_of_sides, words_of_match)
