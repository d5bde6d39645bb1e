"""The rows of the data file as values, and the digests in them.

Moments have their zone and are in UTC; ids are opaque text. A `device` is stored as
`known_as` makes it, never by its name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

AT_HOME = "@home:"
"""What stands before the name of a browser with the home privilege."""


def seal(*parts: str | int | None) -> str:
    """A short digest of what a row says, kept beside it: a bit that turned on the disk shows when the row is read."""
    text = "\x1f".join(map(str, parts))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def known_as(device: str) -> str:
    """A device as the file knows it: whoever reads a copy of the file cannot pass for the device.

    Its name is 192 bits of chance, so that a plain digest cannot be guessed back. Names that begin with `@` are the
    program's own, given to no browser, and no secret; `@home:` stands before the name of a browser with the home
    privilege, which is known as it is without it.
    """
    name = device.removeprefix(AT_HOME)
    return name if name.startswith("@") else hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


ANYBODY = "*"
"""The holder of every match of the file, whoever may see them; no device is called so."""


class Kind(StrEnum):
    """Which of its holder's lists a match stands in."""

    IN_PROGRESS = "in-progress"
    FINISHED = "finished"
    PRACTICE = "practice"
    """Of practice matches, whether they are finished or not."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match, before any of its entries: `ruleset` is the digest of the rules that it started with."""

    id: str
    ruleset: str
    started: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing done in a match, for good.

    `sequence` counts from 1 in the match and is its order; `place` is the order among all entries of the file.
    `request` is unique in the file; `sent` is a digest of what was sent under it.
    """

    match: str
    sequence: int
    kind: str
    at: datetime
    device: str
    request: str
    payload: Mapping[str, Any]
    sent: str
    place: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class OpenHandRecord:
    """The hand being counted in a match, as typed: `draft` is opaque, `version` rises with each change kept."""

    match: str
    id: str
    version: int
    draft: Mapping[str, str]
    device: str
    kept_at: datetime


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    """A match in one row, for lists: what its log adds up to, in points. Kept in the transaction of each entry.

    `place` in the file is that of the last entry but for those of who comes in: of two matches, the one with the higher
    changed later.
    """

    match: str
    variant: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    hands: int
    target: int
    finished: bool
    winner: int | None
    started: datetime
    changed: datetime
    place: int
    players: tuple[tuple[str, ...], ...] = ()
    practice: bool = False
    ending: str = ""
    """How it ended where that was not by its rules; empty otherwise."""


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """What opens a match to any device that brings it: `access` is `view` or `write`, `digest` what is kept of it.

    `veiled` is the key to view as the key to write can read it; None where nobody who made it had that one.
    """

    match: str
    access: str
    digest: str
    made: datetime
    veiled: str | None = None


@dataclass(frozen=True, slots=True)
class GrantRecord:
    """What a device may do with a match, when it came in, and the side that it counts for (its position), if any.

    `number` counts the devices of the match from 1 in the order of their coming, and never comes to mean another.
    """

    match: str
    device: str
    access: str
    granted: datetime
    number: int
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of matches: their rows, the last one changed first, and the ids of those garbled."""

    rows: tuple[SummaryRecord, ...]
    garbled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListRecord:
    """The version of a list: how many matches it has, the sum of their places, and the seal of the first.

    Where all three are the same, so is the list. `first` is None where that match's row went from the file.
    """

    kind: str
    matches: int
    places: int
    first: str | None
