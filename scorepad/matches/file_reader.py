"""Reading export files: each match is decoded strictly, projected and rendered in words once before
it is stored.

Every exported file can be imported; a file from elsewhere must not harm existing matches. A file is
read match by match: the decoded and projected match is dropped before the next one is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

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
from scorepad.matches.history import actors, audit_entries
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.checks import NATURES
from scorepad.rules.definitions import Ruleset
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
_WRONG = (LookupError, TypeError, ValueError, AttributeError, AssertionError, NewerError, Unusable)
"""Exceptions raised by projecting an invalid log."""


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
    """The rows of an export file, each once it is verified. Raises Unusable as `read_export` does."""
    document = _decoded(source)
    written = set[str]()
    for read in _matches_of(document, known_variants):
        for digest in read.rulesets:
            if digest not in written:
                written.add(digest)
                yield FrozenRules(digest, document["rulesets"][digest])
        yield _rows_of(read)


def read_export(
    source: bytes, known_variants: Collection[str] | None = None
) -> Iterator[ReadMatch]:
    """Read an export file. `known_variants` are those on offer here, by default those of this
    process.

    Raises Unusable for another kind of file, a later format, or a damaged match; matches before it
    were returned.
    """
    return _matches_of(_decoded(source), known_variants)


def _rows_of(read: ReadMatch) -> VerifiedMatch:
    state = read.state
    typed = read.data.open_hand
    return VerifiedMatch(
        record=state.record,
        entries=tuple(entry.record for entry in state.log),
        summary=state.summary(),
        devices=read.data.devices,
        open_hand=OpenHand(state.id, **dict(typed)) if typed else None,
        rematch=read.data.rematch,
    )


# ----------------------------------------------------------------------------------------- the file


def _decoded(source: bytes) -> dict[str, Any]:
    """The document, with its format and its size verified, but none of its matches. Raises
    Unusable.
    """
    if len(source) > LARGEST_FILE:
        raise Unusable("files.too-large", most=LARGEST_FILE // 2**20)
    try:
        document = from_json(source, allow_inf_nan=False)
    except ValueError:
        # An invalid document that begins like an export was cut short; anything else is another
        # file.
        begins = source.lstrip()[: len(FORMAT) + 20].startswith(f'{{"format":"{FORMAT}"'.encode())
        raise Unusable("files.cut-short" if begins else "files.not-ours") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unusable("files.not-ours")
    version = document.get("version")
    if type(version) is not int:
        raise Unusable("files.not-ours")
    if version > VERSION:
        raise Unusable("files.newer", version=version, known=VERSION)
    if version < VERSION:
        raise Unusable("files.not-ours")
    rulesets = document.get("rulesets")
    matches = document.get("matches")
    is_whole = document.keys() == ExportFile.model_fields.keys()
    if not (is_whole and isinstance(rulesets, dict) and isinstance(matches, list)):
        raise Unusable("files.damaged-file")
    if max(len(rulesets), len(matches)) > MOST_ENTRIES:
        raise Unusable("files.damaged-file")
    return document


def _matches_of(
    document: dict[str, Any], known_variants: Collection[str] | None
) -> Iterator[ReadMatch]:
    """The matches of a document, which is emptied meanwhile. Raises Unusable."""
    rules = _RulesOfFile(
        document["rulesets"], variant_ids() if known_variants is None else known_variants
    )
    names: set[str] = set()
    linked: set[str] = set()
    requests: set[str] = set()
    matches = document["matches"]
    matches.reverse()
    while matches:
        match = _validated(matches.pop())
        read = _projected(match, rules)
        sent = {entry.request for entry in match.entries}
        if match.id in names or len(sent) < len(match.entries) or not requests.isdisjoint(sent):
            raise Unusable("files.damaged-file")
        names.add(match.id)
        requests |= sent
        if match.rematch is not None:
            linked.add(match.rematch)
        yield read
    if not linked <= names:
        raise Unusable("files.damaged-file")


def _validated(match: Any) -> CarriedMatch:
    """A match with its seal verified. Raises Unusable."""
    try:
        # Errors are not listed: of a match with a hundred thousand wrong entries, they would take
        # gigabytes.
        data = CarriedMatch.model_validate(match)
    except ValidationError:
        raise _damaged(match.get("id") if isinstance(match, dict) else None) from None
    if data.seal != seal_of(match):
        raise _damaged(data.id)
    return data


def _damaged(match: object) -> Unusable:
    return Unusable("files.damaged", match=quote(match or "?"))


class _RulesOfFile:
    """The frozen rules of a file, each verified, and decoded when a match refers to it."""

    def __init__(self, frozen: Mapping[str, Any], known_variants: Collection[str]) -> None:
        self._frozen = frozen
        self._known_variants = known_variants
        self._decoded: dict[str, Ruleset] = {}
        for digest in frozen:
            self._verified(digest)

    def __getitem__(self, digest: str) -> Ruleset:
        found = self._decoded.get(digest)
        if found is None:
            found = self._verified(digest)
            if len(self._decoded) == _RULES_AT_HAND:
                del self._decoded[next(iter(self._decoded))]
            self._decoded[digest] = found
        return found

    def _verified(self, digest: str) -> Ruleset:
        """Frozen rules, verified by their digest because other matches may share them. Raises
        Unusable.
        """
        frozen = self._frozen[digest]
        if not isinstance(frozen, dict):
            raise Unusable("files.damaged-file")
        version = frozen.get("version")
        if type(version) is int and version > FROZEN_VERSION:
            raise Unusable("files.newer-rules", version=version, known=FROZEN_VERSION)
        text = json.dumps({**frozen, "digest": ""}, sort_keys=True, ensure_ascii=True)
        try:
            _require(frozen.get("digest") == digest == hashlib.sha256(text.encode()).hexdigest())
            rules = thaw(frozen)
            sides = rules.settings.sides
            _require(
                all(rule.id in NATURES for rule in rules.checks)
                and all(rule.id in LINES for rule in rules.lines)
            )
            _require(len(sides) in (2, 3) and min(sides) >= 1 and sum(sides) <= _MOST_PLAYERS)
            _require(1 <= rules.settings.decks <= _MOST_DECKS)
        except _WRONG:
            raise Unusable("files.damaged-rules") from None
        # Custom rules contain their names; a variant of the package must be known here.
        if rules.variant not in self._known_variants and not rules.words:
            raise Unusable("files.unknown-variant", given=quote(rules.variant))
        return rules


# ------------------------------------------------------------------------------------------ a match


def _projected(data: CarriedMatch, rules: _RulesOfFile) -> ReadMatch:
    """Project a match of the file. Raises Unusable if it is invalid."""
    try:
        log = [_entry(data.id, number, each) for number, each in enumerate(data.entries, 1)]
        log, data = _without_typed_penalties(log, data)
        digests = [
            data.ruleset,
            *(entry.event.ruleset for entry in log if isinstance(entry.event, RulesChange)),
        ]
        record = MatchRecord(data.id, data.ruleset, data.started)
        state = MatchState(record, rules[record.ruleset], rules.__getitem__)
        state.apply_log(log)
        _check_match(state, data)
        return ReadMatch(data, state, tuple(dict.fromkeys(digests)))
    except UnknownEntry as newer:
        raise Unusable("files.newer-entry", match=data.id, given=quote(newer.kind)) from None
    except _WRONG:
        raise _damaged(data.id) from None


def _entry(match: str, number: int, each: EntryInput) -> LogEntry:
    """An entry of the file. Raises UnknownEntry, and ValueError for an invalid payload."""
    record = Entry(match, number, **dict(each))
    decoder = event_type(record).adapter
    _check_sizes(each.payload)
    context = stored_context(each.payload)
    event: Event = decoder.validate_json(json.dumps(each.payload), strict=True, context=context)
    if isinstance(event, AccessChange):
        _require(event.access not in (Access.NONE, Access.OWN))  # there are no such keys
    return _encoded(record, event)


def _encoded(record: Entry, event: Event) -> LogEntry:
    """An entry with this event as its payload."""
    payload = event.payload()
    return LogEntry(replace(record, payload=payload, size=len(as_json(payload))), event)


def _without_typed_penalties(
    log: list[LogEntry], data: CarriedMatch
) -> tuple[list[LogEntry], CarriedMatch]:
    """The log and the match without penalties among typed fields, as earlier versions had them."""
    open_hand = data.open_hand
    changed, typed = take_out_penalties(log, open_hand.draft if open_hand else {})
    for sequence, event in changed.items():
        log[sequence - 1] = _encoded(log[sequence - 1].record, event)
    if open_hand is None:
        return log, data
    open_hand = open_hand.model_copy(update={"draft": dict(typed)})
    return log, data.model_copy(update={"open_hand": open_hand})


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError


def _check_sizes(value: object) -> None:
    """Limit texts, numbers and lists. Raises ValueError."""
    match value:
        case str():
            _require(len(value) <= LONGEST_TEXT)
        case int():
            _require(-LARGEST <= value <= LARGEST)
        case list() | dict():
            _require(len(value) <= LONGEST_LIST)
            if isinstance(value, dict):
                _require(all(len(key) <= LONGEST_WORD for key in value))
                value = list(value.values())
            for each in value:
                _check_sizes(each)


def _check_match(match: MatchState, data: CarriedMatch) -> None:
    """Compute what the pages show, to detect an invalid log before it is stored. Raises one of
    `_WRONG`.
    """
    for entry in match.log:
        _check_entry(match, entry)
    sides = match.rules.settings.sides
    _require(
        len(match.labels.names) == len(sides) and tuple(map(len, match.labels.players)) == sides
    )
    replaced = [each.number for each in match.replacements]
    _require(replaced == sorted(replaced))
    _require(len(set(data.devices.values())) == len(data.devices))
    _require(data.open_hand is None or data.open_hand.id.startswith(f"{match.id}-"))
    for number, hand in enumerate(match.hands, 1):
        for version in hand.versions:
            _require(version.event.number == number)
            _check_count(match, version.event)
    for penalty in match.penalties:
        _require(penalty.side < len(sides))
    for kept in match.rulings:
        for language in LANGUAGES:
            ruling_text(kept.event, match.rules.variant, words(language).with_rules(match.rules))
    match.summary()
    list(match.parts())
    audit_entries(match, match.rules_of, actors(match.log, (), ""))


def _check_entry(match: MatchState, entry: LogEntry) -> None:
    """Check that an entry may stand at its place of the log."""
    _require(isinstance(entry.event, Start) == (entry.sequence == 1))
    if not isinstance(entry.event, Undo | Redo):
        return
    earlier = match.log[entry.event.entry - 1]
    _require(earlier.sequence < entry.sequence)
    if isinstance(entry.event, Undo):
        _require(earlier.record.kind == entry.event.undone and earlier.event.can_be_undone)
    else:
        _require(isinstance(earlier.event, Undo) and earlier.event.undone == entry.event.undone)


def _check_count(match: MatchState, counted: Counted) -> None:
    """Check a count of a hand, and render its findings."""
    sides = match.rules.settings.sides
    _require(len(counted.sides) == len(counted.before) == len(counted.hand.sides) == len(sides))
    items = {*ITEMS, *match.rules.items}
    for lines in counted.lines:
        _require(all(line.item in items for line in lines))
    for finding in counted.findings:
        _require(finding.code in NATURES)
        for language in LANGUAGES:
            finding_text(finding, SIDE_KEYS[: len(sides)], words(language).with_rules(match.rules))
