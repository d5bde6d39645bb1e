"""The keys of a match in the file: made, renewed, read by whoever holds the one to write."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scorepad.matches.keys import LENGTH, digest_of, new_key, unveil, veil
from scorepad.matches.who import Access, Keys
from scorepad.storage.reading import Reading
from scorepad.storage.records import KeyRecord
from scorepad.storage.writing import Writing


def new_keys(rows: Writing, match: str, now: datetime) -> Keys:
    """Both keys of a match, in place of those before. They are told this once: the file keeps their digests."""
    return renew_viewing(rows, match, renew_writing(rows, match, "", now).write, now)


def renew_writing(rows: Writing, match: str, view: str, now: datetime) -> Keys:
    """Another key to write; the one to view stays as it is, read from now on by the new one, where it is known."""
    write, viewing = new_key(), rows.key_of(match, Access.VIEW)
    rows.put_key(KeyRecord(match, Access.WRITE, digest_of(write), now))
    if viewing is not None:
        rows.put_key(replace(viewing, veiled=veil(view, write) if view else None))
    return Keys(write, view)


def renew_viewing(rows: Writing, match: str, write: str, now: datetime) -> Keys:
    """Another key to view, which the key to write can read, where that is known."""
    view = new_key()
    rows.put_key(KeyRecord(match, Access.VIEW, digest_of(view), now, veil(view, write) if write else None))
    return Keys(write, view)


def known_view(rows: Reading, match: str, carried: Keys) -> str:
    """The key to view, for one who carries it or can read it; empty for everybody else."""
    viewing = rows.key_of(match, Access.VIEW)
    if viewing is None:
        return ""
    if fits(carried.view, viewing):
        return carried.view
    return unveil(viewing.veiled or "", viewing.digest, carried.write) or ""


def fits(key: str, kept: KeyRecord | None) -> bool:
    """Whether a key is the one that the file keeps the digest of."""
    return kept is not None and len(key) == LENGTH and digest_of(key) == kept.digest
