"""What can be written to the data file, inside one transaction: all of it or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from scorepad.storage.digests import seal
from scorepad.storage.errors import NoRoom
from scorepad.storage.files import has_room
from scorepad.storage.reading import Reading
from scorepad.storage.records import Entry, KeyRecord, MatchRecord, OpenHandRecord, SummaryRecord

_GRANT = (
    "insert into grants (device, match_id, access, granted) values (?, ?, ?, ?)"
    " on conflict (device, match_id) do update set access = excluded.access"
)
_NUMBER = (
    "insert or ignore into numbers (match_id, device, number)"
    " select :match, :device, 1 + coalesce(max(number), 0) from numbers where match_id = :match"
)
_FORGET = (
    "delete from numbers where match_id = :match and device = :device"
    # The next number is counted from the highest: that one stays, so that none ever comes to mean another device.
    " and number < (select max(number) from numbers where match_id = :match)"
    " and not exists (select 1 from entries where match_id = :match and device = :device)"
    " and not exists (select 1 from open_hands where match_id = :match and device = :device)"
)
# Rules that a match took before its first hand stand in its log. A garbled entry is none of this match's business.
_TAKEN = "case when kind = 'rules' and json_valid(payload) then json_extract(payload, '$.ruleset') end"
_RULESETS_OF = (
    "select ruleset from matches where id = :match union"  # noqa: S608 - ours
    f" select {_TAKEN} from entries where match_id = :match and kind = 'rules'"
)
_DROP_RULESET = (
    "delete from rulesets where digest = :digest and not exists (select 1 from matches where ruleset = :digest)"  # noqa: S608
    f" and not exists (select 1 from entries where {_TAKEN} = :digest)"
)

Row = dict[str, str | int | None]
"""What a row says, column by column, before it is sealed."""


class Writing(Reading):
    """A transaction that holds the file alone: what it reads stays true until it ends."""

    def add_match(self, match: MatchRecord, frozen: Mapping[str, Any]) -> None:
        """A new match by these frozen rules, which are stored once for all the matches that share them.

        Raises NoRoom.
        """
        if not has_room(self._path):
            raise NoRoom(self._path)
        self.add_ruleset(match.ruleset, frozen)
        self._put("matches", {"id": match.id, "ruleset": match.ruleset, "started": as_moment(match.started)})

    def add_ruleset(self, digest: str, frozen: Mapping[str, Any]) -> None:
        """These frozen rules, unless they are there already. Raises BrokenFile where those are garbled."""
        if self._db.execute("select 1 from rulesets where digest = ?", [digest]).fetchone():
            self.ruleset(digest)
        else:
            self._put("rulesets", {"digest": digest, "frozen": as_json(frozen)})

    def drop_match(self, match: str) -> None:
        """A match and all that hangs on it, overwritten on the disk; its rules too, where no other match has them."""
        used = {digest for (digest,) in self._db.execute(_RULESETS_OF, {"match": match})}
        self._db.execute("delete from matches where id = ?", [match])
        for digest in used:
            self._db.execute(_DROP_RULESET, {"digest": digest})

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
        """From now on this device may do that with the match, in place of what it might before.

        A device that comes for the first time gets the next number; one that is there already came when it came.
        """
        self._db.execute(_GRANT, [device, match, access, as_moment(at)])
        self._db.execute(_NUMBER, {"match": match, "device": device})

    def put_number(self, match: str, device: str, number: int) -> None:
        """The number of a device that came to the match elsewhere, and may do nothing with it here."""
        row = [match, device, number]
        self._db.execute("insert into numbers (match_id, device, number) values (?, ?, ?)", row)

    def revoke(self, match: str, device: str) -> None:
        """From now on this device may do nothing with the match. Its number stays its own."""
        self._db.execute("delete from grants where device = ? and match_id = ?", [device, match])

    def forget(self, match: str, device: str) -> None:
        """Revoke what a device may do; where it wrote nothing in the match, its number goes too."""
        self.revoke(match, device)
        self._db.execute(_FORGET, {"match": match, "device": device})

    def put_rematch(self, match: str, rematch: str) -> None:
        """Which match is the rematch of this one."""
        self._db.execute("insert or replace into rematches (match_id, rematch) values (?, ?)", [match, rematch])

    def put_seat(self, match: str, device: str, side: int | None) -> None:
        """The side that a device of the match counts for."""
        self._db.execute("update grants set side = ? where device = ? and match_id = ?", [side, device, match])

    def put_key(self, key: KeyRecord) -> None:
        """The key that opens a match so far from now on; the one before it opens nothing any more."""
        row = [key.match, key.access, key.digest, as_moment(key.made), key.veiled]
        self._db.execute(
            "insert or replace into keys (match_id, access, digest, made, veiled) values (?, ?, ?, ?, ?)", row
        )

    def drop_key(self, match: str, access: str) -> None:
        """No key opens the match so far any more."""
        self._db.execute("delete from keys where match_id = ? and access = ?", [match, access])

    def put_nonce(self, device: str, nonce: str) -> None:
        """Store the digest of the nonce that the cookie of a device must carry from now on."""
        self._db.execute("insert or replace into devices (device, nonce) values (?, ?)", [device, nonce])

    def put_home_link(self, digest: str, until: datetime) -> None:
        """Store a home link that expires at this moment."""
        self._db.execute("insert into home_links (digest, until) values (?, ?)", [digest, as_moment(until)])

    def drop_home_links(self, digest: str, now: datetime) -> None:
        """Delete the home link with this digest, and all that have expired."""
        self._db.execute("delete from home_links where digest = ? or until <= ?", [digest, as_moment(now)])

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
            "changed": as_moment(summary.changed), "place": summary.place, "players": as_json(summary.players),
            "practice": int(summary.practice), "ending": summary.ending,
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
