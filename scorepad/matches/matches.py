"""Matches: started, renamed, listed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from scorepad.matches.access import find, holder_of
from scorepad.matches.answers import NameProblem, NewMatchRefused, RenameRefused, Saved
from scorepad.matches.codes import new_keys
from scorepad.matches.desk import Desk, Sent, saved
from scorepad.matches.folding import fold
from scorepad.matches.keys import LETTERS
from scorepad.matches.kinds import EntryKind
from scorepad.matches.labels import joined, read_labels
from scorepad.matches.payloads import Beginning, Labels, labels_json, start_json
from scorepad.matches.states import summary_of, summary_record
from scorepad.matches.values import NewMatch, Summaries
from scorepad.matches.who import KEEPER, Access, DeviceId, MatchId, RequestId
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.match import LARGEST, seating, standing
from scorepad.rules.variants import Ruleset, freeze
from scorepad.storage.digests import known_as
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, Kind, MatchRecord
from scorepad.storage.writing import Writing

_LENGTH = 10
"""Letters of the name of a match."""


def check_new(new: NewMatch, rules: Ruleset) -> Labels | NewMatchRefused:
    """The names that a match starts with, or all that is wrong with them."""
    labels, problems = read_labels(new.names, new.players, new.place, rules.settings)
    if new.dealer not in seating(rules.settings):
        problems = (*problems, NameProblem("dealer-unknown", ("dealer",)))
    problems = (*problems, *_carried(new, rules))
    return NewMatchRefused(problems) if problems else labels


def _carried(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """What is wrong with the totals that a match brings from paper."""
    settings = rules.settings
    if new.carried and len(new.carried) != len(settings.sides):
        yield NameProblem("carried-number", ("carried",), len(settings.sides))
        return
    for side, total in enumerate(new.carried):
        if abs(total) > LARGEST:
            yield NameProblem("carried-too-large", ("carried", side), LARGEST)
        elif settings.unit == "points" and total % SMALLEST_POINTS:
            yield NameProblem("carried-not-multiple", ("carried", side), SMALLEST_POINTS)
    if settings.match_deals is not None and new.played >= settings.match_deals:
        yield NameProblem("played-all", ("played",), settings.match_deals - 1)
    elif new.carried and standing(new.carried, settings, new.played).finished:
        yield NameProblem("carried-over", ("carried", 0), settings.target)


def start(rows: Writing, sent: Sent, now: datetime, rules: Ruleset, labels: Labels, begins: Beginning) -> Saved:
    """A new match by these rules, owned by the device that starts it."""
    match = MatchRecord(_free_id(rows), rules.digest, now)
    rows.add_match(match, freeze(rules))
    payload = start_json(labels, begins)
    entry = rows.append(Entry(match.id, 1, EntryKind.START, now, sent.mark, sent.request, payload, sent.content))
    if sent.device != KEEPER:
        rows.grant(match.id, sent.mark, Access.OWN, now)
    keys = new_keys(rows, match.id, now)
    rows.put_summary(summary_record(fold(match, [entry], lambda _: rules)))
    return replace(saved(entry, rules), keys=keys)


def rename(desk: Desk, request: RequestId, wanted: Labels, seen: int | None) -> Saved | RenameRefused:
    """Other names for the match, its sides and its players. The same names again are no change."""
    log = desk.log
    labels, overtaken = joined(wanted, log.labels if seen is None else _labels_at(desk, seen), log.labels)
    _, problems = read_labels(labels.names, labels.players, labels.place, log.rules.settings)
    if problems or overtaken:
        return RenameRefused((*problems, *overtaken), labels, log.sequence)
    if labels == log.labels:
        return Saved(MatchId(log.match.id))
    return saved(desk.append(EntryKind.RENAME, request, labels_json(labels)), log.rules)


def _labels_at(desk: Desk, sequence: int) -> Labels | None:
    """The names as they stood after this entry; None where there is no such entry."""
    log = desk.log
    if not 1 <= sequence <= log.sequence:
        return None
    return fold(log.match, log.entries[:sequence], desk.seen.shelf.rules_of(desk.rows)).labels


def list_matches(rows: Reading, device: DeviceId, in_progress: int | None, finished: int | None) -> Summaries:
    """The matches that a device may see, so many of each kind at most."""
    holder = holder_of(device)
    counts = {each.kind: each.matches for each in rows.lists(holder)}
    open_ones = rows.summaries(holder, Kind.IN_PROGRESS, in_progress)
    over = rows.summaries(holder, Kind.FINISHED, finished)
    # Of practice matches only those that the device came into itself, whatever else it may see.
    own = rows.summaries(known_as(device), Kind.PRACTICE)
    return Summaries(
        tuple(map(summary_of, open_ones.rows)),
        tuple(map(summary_of, over.rows)),
        tuple(map(MatchId, (*open_ones.garbled, *over.garbled, *own.garbled))),
        tuple(map(summary_of, own.rows)),
        counts.get(Kind.IN_PROGRESS, 0),
        counts.get(Kind.FINISHED, 0),
    )


def _free_id(rows: Reading) -> str:
    """A name for a match that no other has."""
    while True:
        name = "".join(secrets.choice(LETTERS) for _ in range(_LENGTH))
        if find(rows, name) is None:
            return name
