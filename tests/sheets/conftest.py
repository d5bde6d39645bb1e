"""The sheets are printed in Italy: days and hours are those of the table. Some are of matches
played on the pad.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import tzset
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Players
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Clock
from tests.sheets.party import Party


@pytest.fixture(autouse=True)
def _in_italy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One hour ahead of the moments that are stored."""
    monkeypatch.setenv("TZ", "CET-1")
    tzset()
    yield
    monkeypatch.undo()
    tzset()


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[Pad]:
    with Storage(tmp_path / "scorepad.db") as storage:
        yield Pad(storage, Clock())


@pytest.fixture
def sit(pad: Pad) -> Any:
    """Sit down at a match: `sit()`, `sit(players=(("", "Ugo"), ("Eva", "Ivo")))`, `sit(ALONE)`."""

    def begin(
        new: NewMatch = TWO_AGAINST_TWO, players: Players | None = None, **more: Any
    ) -> Party:
        if players is not None:
            new = replace(new, labels=replace(new.labels, players=players))
        begun = pad.actions.start(RequestId("start"), PHONE, replace(new, **more))
        assert isinstance(begun, Saved), begun
        assert begun.keys is not None
        pad.devices.enter(begun.keys.write, TABLET)
        clock = pad.context.clock
        assert isinstance(clock, Clock)
        return Party(pad, clock, begun.match)

    return begin
