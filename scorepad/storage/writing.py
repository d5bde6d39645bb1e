"""What can be written to the data file, inside one transaction: all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlite_utils.db import Table

from scorepad.storage.reading import Reading, seal
from scorepad.storage.records import Entry, MatchRecord, OpenHandRecord, SummaryRecord

Row = dict[str, str | int | None]
"""What a row says, column by column, before it is sealed."""


class Writing(Reading):
    """A transaction that holds the file alone: what it reads stays true until it ends."""

    def add_match(self, match: MatchRecord, frozen: Mapping[str, Any]) -> None:
        """A new match by these frozen rules, which are stored once for all the matches that share them."""
        if not self._db.execute("select 1 from rulesets where digest = ?", [match.ruleset]).fetchone():
            self._put("rulesets", {"digest": match.ruleset, "frozen": as_json(frozen)})
        self._put("matches", {"id": match.id, "ruleset": match.ruleset, "started": as_moment(match.started)})

    def append(self, entry: Entry) -> Entry:
        """The entry as it stands in the log, with the place that it got in the file.

        Its sequence must be the next one of the match. Raises sqlite3.IntegrityError where the request was there.
        """
        said: Row = {
            "match_id": entry.match, "sequence": entry.sequence, "kind": entry.kind, "at": as_moment(entry.at),
            "device": entry.device, "request": entry.request, "payload": as_json(entry.payload),
        }  # fmt: skip
        return replace(entry, place=self._put("entries", said).last_rowid or 0)

    def grant(self, match: str, device: str, access: str, at: datetime) -> None:
        """From now on this device may do that with the match, in place of what it might before."""
        record = {"device": device, "match_id": match, "access": access, "granted": as_moment(at)}
        self._db.table("grants").insert(record, replace=True)

    def put_open_hand(self, hand: OpenHandRecord) -> None:
        """The hand being counted, in place of what was kept of it before."""
        said: Row = {
            "match_id": hand.match, "id": hand.id, "version": hand.version, "draft": as_json(hand.draft),
            "device": hand.device, "kept_at": as_moment(hand.kept_at),
        }  # fmt: skip
        self._put("open_hands", said, instead=True)

    def drop_open_hand(self, match: str) -> None:
        """The hand is counted: nothing is being typed any more."""
        self._db.execute("delete from open_hands where match_id = ?", [match])

    def put_summary(self, summary: SummaryRecord) -> None:
        """What the match adds up to now, in place of what it did before."""
        said: Row = {
            "match_id": summary.match, "variant": summary.variant, "names": as_json(summary.names),
            "totals": as_json(summary.totals), "hands": summary.hands, "target": summary.target,
            "finished": int(summary.finished), "winner": summary.winner, "started": as_moment(summary.started),
            "changed": as_moment(summary.changed), "place": summary.place,
        }  # fmt: skip
        self._put("summaries", said, instead=True)

    def _put(self, table: str, said: Row, *, instead: bool = False) -> Table:
        """A row with its seal, which covers the columns in the order in which `Reading` asks for them."""
        return self._db.table(table).insert(said | {"seal": seal(*said.values())}, replace=instead)


def as_json(value: object) -> str:
    """A value as text for a row, in ASCII throughout: even half an emoji that somebody sent can be kept."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def as_moment(moment: datetime) -> str:
    """A moment in UTC with microseconds. Raises ValueError for one that knows no zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
