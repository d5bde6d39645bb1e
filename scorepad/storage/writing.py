"""What can be written to the data file, inside one transaction: all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from scorepad.storage.digests import seal
from scorepad.storage.reading import Reading
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
            "sent": entry.sent,
        }  # fmt: skip
        return replace(entry, place=self._put("entries", said))

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

    def _put(self, table: str, said: Row, *, instead: bool = False) -> int:
        """A row with its seal, which covers the columns in the order in which `Reading` asks for them; its place.

        `instead`: where the match has such a row already it is written over.
        """
        values = (*said.values(), seal(*said.values()))
        return self._db.execute(_put_statement(table, (*said, "seal"), instead=instead), values).lastrowid or 0


@cache
def _put_statement(table: str, columns: tuple[str, ...], *, instead: bool) -> str:
    # The library's own insert asks for the shape of the file each time and opens a savepoint: as long as all the rest.
    places = ", ".join("?" * len(columns))
    statement = f"insert into {table} ({', '.join(columns)}) values ({places})"  # noqa: S608 - the names are ours
    if instead:
        changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
        statement += f" on conflict (match_id) do update set {changes}"
    return statement


def as_json(value: object) -> str:
    """A value as text for a row, in ASCII throughout: even half an emoji that somebody sent can be kept."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def as_moment(moment: datetime) -> str:
    """A moment in UTC with microseconds. Raises ValueError for one that knows no zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
