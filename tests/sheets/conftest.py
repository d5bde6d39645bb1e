"""The sheets are printed in Italy: days and hours are those of the table. Some are of matches
played on the pad.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import tzset
from typing import Any

import pytest

from scorepad.matches.events import Players
from scorepad.matches.projection import NewMatch
from tests.matches.conftest import TWO_AGAINST_TWO, Table
from tests.matches.conftest import clock as clock  # noqa: PLC0414 - a fixture
from tests.matches.conftest import pad as pad  # noqa: PLC0414 - a fixture
from tests.matches.conftest import start as start  # noqa: PLC0414 - a fixture
from tests.matches.conftest import storage as storage  # noqa: PLC0414 - a fixture


@pytest.fixture(autouse=True)
def _in_italy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One hour ahead of the moments that are stored."""
    monkeypatch.setenv("TZ", "CET-1")
    tzset()
    yield
    monkeypatch.undo()
    tzset()


@pytest.fixture
def start_match(start: Callable[..., Table]) -> Any:
    """Sit down at a match: `start_match(THREE_SINGLE_PLAYERS)`, `start_match(practice=True)`."""

    def begin(
        new: NewMatch = TWO_AGAINST_TWO, players: Players | None = None, **more: Any
    ) -> Table:
        if players is not None:
            new = replace(new, labels=replace(new.labels, players=players))
        return start(replace(new, **more))

    return begin
