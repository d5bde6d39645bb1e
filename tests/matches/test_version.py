"""The pulse of a match: the same as long as nothing happens, another whenever something does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, DeviceId, MatchId, MatchNotFound
from scorepad.matches.versions import Version
from scorepad.storage import Storage
from scorepad.storage.rows import ReadTransaction, known_as
from tests.matches.conftest import PHONE, TABLET, Table, usual

EVENING = datetime(2026, 3, 7, 20, 30, tzinfo=UTC)


def let_in(storage: Storage, table: Table, access: str) -> None:
    """Let the tablet do that in the match, and no more."""
    with storage.writing() as rows:
        rows.grant(table.match, known_as(TABLET), access, EVENING)


def test_it_is_the_last_entry_what_is_typed_and_what_the_device_may(table: Table) -> None:
    assert table.pad.version(table.match, PHONE) == Version(1, 0, Access.OWN)
    table.play(usual())
    assert table.pad.version(table.match, PHONE) == Version(2, 0, Access.OWN)
    table.keep({"a.cards": "150"})
    table.keep({"a.cards": "155"})
    assert table.pad.version(table.match, PHONE) == Version(2, 2, Access.OWN)
    assert table.pad.version(table.match, PHONE).tag == "2.own.1"


WAYS: dict[str, Callable[[Table], Any]] = {
    "a hand": lambda table: table.count(usual()),
    "a hand typed": lambda table: table.keep({"a.cards": "150"}),
    "a correction": lambda table: table.correct(1, usual()),
    "an undo": lambda table: table.undo(),
    "a hand again": lambda table: table.count(usual()),
}


def test_whatever_is_done_changes_it_and_it_never_comes_back(table: Table) -> None:
    tags = [table.pad.version(table.match, PHONE).tag]
    table.play(usual())
    for done in WAYS.values():
        done(table)
        tags.append(table.pad.version(table.match, PHONE).tag)
        assert table.pad.version(table.match, PHONE).tag == tags[-1], "looking changes nothing"
    assert len(set(tags)) == len(tags) == 6


def test_a_letter_more_in_what_is_typed_makes_nobody_look_again(table: Table) -> None:
    table.keep({"a.cards": "150"})
    typed = table.pad.version(table.match, PHONE).tag
    table.keep({"a.cards": "1505"})
    assert table.pad.version(table.match, PHONE).tag == typed


def test_it_is_that_of_the_match_as_it_is_shown(table: Table, storage: Storage) -> None:
    let_in(storage, table, "view")
    table.play(usual())
    table.keep({"a.cards": "150"})
    for device in (PHONE, TABLET):
        assert table.pad.version(table.match, device) == Version.of(
            table.pad.state(table.match, device)
        )


def test_a_key_withdrawn_or_raised_shows_in_it(table: Table, storage: Storage) -> None:
    let_in(storage, table, "view")
    looking = table.pad.version(table.match, TABLET)
    assert looking.access is Access.VIEW
    let_in(storage, table, "write")
    assert table.pad.version(table.match, TABLET).tag != looking.tag
    with storage.writing() as rows:
        rows.revoke(table.match, known_as(TABLET))
    with pytest.raises(MatchNotFound):
        table.pad.version(table.match, TABLET)
    assert table.pad.version(table.match, PHONE).access is Access.OWN


@pytest.mark.parametrize("match", ["nosuchmatch", "", "è", "a\nb"])
@pytest.mark.parametrize("device", [PHONE, ADMIN])
def test_of_no_match_there_is_none(pad: Pad, match: str, device: DeviceId) -> None:
    with pytest.raises(MatchNotFound):
        pad.version(MatchId(match), device)


def test_it_is_taken_without_reading_the_log(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.play(usual(), usual())

    def read(*_: object) -> None:
        pytest.fail("the log was read")

    for name in ("entries", "ruleset", "open_hand"):
        monkeypatch.setattr(ReadTransaction, name, read)
    assert Pad(table.pad.context.storage).version(table.match, PHONE).sequence == 3
