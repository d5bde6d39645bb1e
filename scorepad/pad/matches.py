"""Matches: started, renamed, listed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from scorepad.pad.access import find
from scorepad.pad.desk import Desk, Sent, saved
from scorepad.pad.labels import read_labels
from scorepad.pad.log import EntryKind, fold
from scorepad.pad.payloads import Labels, labels_json
from scorepad.pad.states import summary_of, summary_record
from scorepad.pad.values import (
    KEEPER,
    Access,
    DeviceId,
    MatchId,
    NameProblem,
    NewMatch,
    NewMatchRefused,
    RequestId,
    Saved,
    Summaries,
)
from scorepad.rules.seats import seating
from scorepad.rules.variants import Ruleset, freeze
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, MatchRecord
from scorepad.storage.writing import Writing

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that are taken for one another when read aloud or copied by hand."""
_LENGTH = 10


def check_new(new: NewMatch, rules: Ruleset) -> Labels | NewMatchRefused:
    """The names that a match starts with, or all that is wrong with them."""
    labels, problems = read_labels(new.names, new.players, new.place, rules.settings)
    if new.dealer not in seating(rules.settings):
        problems = (*problems, NameProblem("dealer-unknown", ("dealer",)))
    return NewMatchRefused(problems) if problems else labels


def start(rows: Writing, sent: Sent, now: datetime, rules: Ruleset, payload: Mapping[str, Any]) -> Saved:
    """A new match by these rules, owned by the device that starts it."""
    match = MatchRecord(_free_id(rows), rules.digest, now)
    rows.add_match(match, freeze(rules))
    entry = rows.append(Entry(match.id, 1, EntryKind.START, now, sent.mark, sent.request, payload, sent=sent.content))
    if sent.device != KEEPER:
        rows.grant(match.id, sent.mark, Access.OWN, now)
    rows.put_summary(summary_record(fold(match, rules, [entry])))
    return saved(entry, rules)


def rename(desk: Desk, request: RequestId, labels: Labels) -> Saved:
    """Other names for the match, its sides and its players. The same names again are no change."""
    if labels == desk.log.labels:
        return Saved(MatchId(desk.log.match.id))
    return saved(desk.append(EntryKind.RENAME, request, labels_json(labels)), desk.log.rules)


def list_matches(rows: Reading, device: DeviceId) -> Summaries:
    """The matches that a device may see."""
    listing = rows.all_summaries() if device == KEEPER else rows.summaries(known_as(device))
    found = tuple(map(summary_of, listing.rows))
    return Summaries(
        tuple(match for match in found if not match.standing.finished),
        tuple(match for match in found if match.standing.finished),
        tuple(map(MatchId, listing.garbled)),
    )


def _free_id(rows: Reading) -> str:
    """A name for a match that no other has."""
    while True:
        name = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        if find(rows, name) is None:
            return name
