"""A file of very many matches, quickly: two that were really played, written again and again under
other names.

Every row goes through the storage room as a match that is played does: the same schema and
checks.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, MatchId
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.storage.rows import (
    Entry,
    KeyRecord,
    MatchList,
    MatchRecord,
    SummaryRecord,
    WriteTransaction,
    hash_device_id,
)
from tests.matches.conftest import TWO_AGAINST_TWO, Table, hand, side_counted
from tests.web.playing import new_request

EACH = 25
"""Matches that a phone holds: a round that meets every other week for a year."""
_AT_ONCE = 20_000
_IN_HASTE = ("synchronous = off", "cache_size = -3000000")
"""For the making alone, on a connection that closes with it: no power is lost meanwhile, and 3 GB
of pages are kept.
"""
_NAMES = (
    "Ada",
    "Anna",
    "Bruno",
    "Carla",
    "Dino",
    "Elsa",
    "Furio",
    "Gina",
    "Ivo",
    "Lea",
    "Mario",
    "Nella",
    "Otto",
)
HAND = hand(
    side_counted(cards=210, left=130, natural_canasta=1, mixed_canasta=1),
    side_counted(cards=180, left=60, mixed_canasta=1),
)
"""880 points to the one side (500, 300 and 210 less 130), 420 to the other (300 and 180 less 60)."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it stands in the file, to be written again."""

    match: MatchRecord
    rules: Any
    entries: tuple[Entry, ...]
    summary: SummaryRecord


def phone(number: int) -> DeviceId:
    """A phone by its number: as its browser names itself."""
    return DeviceId(f"{number:032d}")


def make(file: Path, count: int, tell: Callable[[int], None] = lambda _: None) -> None:
    """A new file of so many matches, `EACH` for every phone: of these one still being played, the
    others finished.
    """
    kinds = [_play(file.with_name("one.db"), 4), _play(file.with_name("two.db"), 6)]
    storage = Storage(file)
    for pragma in _IN_HASTE:
        storage._connection().db.execute(f"pragma {pragma}")
    for first in range(0, count, _AT_ONCE):
        with storage.writing() as rows:
            for number in range(first, min(count, first + _AT_ONCE)):
                _write(rows, kinds[number % EACH < EACH - 1], number)
        tell(min(count, first + _AT_ONCE))
    storage.close()


def _play(file: Path, hands: int) -> Played:
    """A match of so many hands, of 880 and 420 points each: six of them finish it."""
    storage = Storage(file)
    pad, device = Pad(storage), phone(0)
    told = pad.actions.start(new_request(), device, TWO_AGAINST_TWO)
    assert isinstance(told, Saved)
    for _ in range(hands):
        count(pad, told.match, device)
    with storage.reading() as rows:
        match = rows.match(told.match)
        assert match is not None
        played = Played(
            match, rows.ruleset(match.ruleset), rows.entries(told.match), rows.summary(told.match)
        )
    storage.close()
    file.unlink()
    return played


def count(pad: Pad, match: MatchId, device: DeviceId) -> None:
    """One more hand."""
    told = Table(pad, match, device).count(HAND, request=new_request())
    assert isinstance(told, Saved), told


def _write(rows: WriteTransaction, played: Played, number: int) -> None:
    """The match again under this number: its own id, names, requests and keys, a minute after the
    one before.
    """
    match = secrets.token_hex(5)
    device = hash_device_id(phone(number // EACH))
    players = _players(number // EACH)
    started = played.match.started - timedelta(days=1_000, minutes=-number)
    rows.add_match(MatchRecord(match, played.match.ruleset, started), played.rules)
    row = 0
    for entry in played.entries:
        said = entry.payload
        if entry.kind == "start":
            said = said | {"players": players}
        at = started + (entry.at - played.match.started)
        written = replace(
            entry, match=match, at=at, device=device, request=new_request(), payload=said
        )
        row = rows.append(written).row
    rows.put(
        replace(
            played.summary,
            id=match,
            started=started,
            changed=started,
            last_row=row,
            players=players,
            all_players=sum(players, ()),
        )
    )
    rows.grant(match, device, "own", started)
    rows.put(KeyRecord(match, "write", secrets.token_hex(32), started, counter=1))
    rows.put(KeyRecord(match, "view", secrets.token_hex(32), started))


def _players(household: int) -> tuple[tuple[str, ...], ...]:
    four = [_NAMES[(household * step) % len(_NAMES)] for step in (1, 3, 7, 9)]
    return (tuple(four[:2]), tuple(four[2:]))


def held(storage: Storage, number: int) -> Iterator[MatchId]:
    """The matches of a phone, the last one first."""
    listed = []
    with storage.reading() as rows:
        for kind in MatchList:
            listed += rows.list_matches(hash_device_id(phone(number)), kind)
    for _, match in sorted(listed, reverse=True):
        yield MatchId(match)
