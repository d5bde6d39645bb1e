"""The sheets are printed in Italy: days and hours are those of the table."""

from collections.abc import Iterator
from time import tzset

import pytest


@pytest.fixture(autouse=True)
def _in_italy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One hour ahead of the moments that are stored."""
    monkeypatch.setenv("TZ", "CET-1")
    tzset()
    yield
    monkeypatch.undo()
    tzset()
