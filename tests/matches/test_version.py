"""The version of a match, by which an open page notices that something happened."""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, DeviceId, MatchNotFound
from scorepad.matches.keys import NO_KEYS
from scorepad.matches.versions import Version
from scorepad.storage.rows import ReadTransaction
from tests.matches.conftest import PHONE, TABLET, Table, usual


def test_it_is_that_of_the_match_as_it_is_shown(table: Table) -> None:
    key = table.pad.devices.renew_key(table.match, PHONE, Access.VIEW, NO_KEYS).view
    table.pad.devices.enter(key, TABLET)
    table.play(usual())
    table.keep({"a.cards": "150"})
    for device in (PHONE, TABLET):
        state = table.pad.state(table.match, device)
        assert table.pad.version(table.match, device) == Version.from_state(state)
    with pytest.raises(MatchNotFound):
        table.pad.version(table.match, DeviceId("stranger"))


def test_it_is_taken_without_reading_the_log(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.play(usual(), usual())

    def read(*_: object) -> None:
        pytest.fail("the log was read")

    for name in ("entries", "ruleset", "open_hand"):
        monkeypatch.setattr(ReadTransaction, name, read)
    assert Pad(table.pad.context.storage).version(table.match, PHONE).last_entry == 3
