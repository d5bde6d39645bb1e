"""Time is not trusted: what happened is in the order in which it was committed, whatever the clock
said.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count as numbers
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorepad.cli.data_file import MatchChecker
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId
from scorepad.storage import Storage
from scorepad.storage.doctor import examine
from tests.examples import examples
from tests.exported import export_file
from tests.matches.conftest import TWO_AGAINST_TWO, Table, counted, hand

PHONE = DeviceId("phone")
EVENING = datetime(2026, 10, 24, 21, 0, tzinfo=UTC)
WORTH = 450, 455, 460, 465, 470, 475


class Jumping:
    """A clock that shows these moments, one after the other."""

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def __call__(self) -> datetime:
        return self.moments.pop(0) if len(self.moments) > 1 else self.moments[0]


def played(path: Path, clock: Jumping, hands: int = 6) -> Table:
    """A match of hands worth 450, 455, 460 …, each saved at the clock's next moment."""
    pad = Pad(Storage(path), clock)
    saved = pad.actions.start("start", PHONE, TWO_AGAINST_TWO)
    table = Table(pad, saved.match, PHONE)
    table.play(
        *(hand(counted(150 + 5 * number, mixed_canasta=1), counted()) for number in range(hands))
    )
    return table


def in_order(path: Path, match: str) -> None:
    """The match read anew: its hands in the order of their saving, the last undone first."""
    pad = Pad(Storage(path), Jumping(EVENING))
    table = Table(pad, MatchId(match), PHONE, numbers(100))
    assert [each.sides[0].hand for each in table.state.hands] == list(WORTH)
    assert table.totals == [sum(WORTH), 0]
    entries = [each.sequence for each in pad.state(table.match, PHONE).log]
    assert entries == sorted(entries)
    assert [
        finding.code
        for finding in examine(path, MatchChecker().find_problem)
        if not finding.is_good
    ] == []
    table.undo()
    assert [each.sides[0].hand for each in table.state.hands] == list(WORTH[:-1])
    table.correct(1, hand(counted(50), counted()))
    assert table.totals == [50 + sum(WORTH[1:-1]), 0]


steps = st.integers(-4_000_000, 4_000_000) | st.sampled_from(
    [0, 0, 1, -1, -3600, 3600, 86_400, -31_536_000]
)


@settings(max_examples=examples(8))
@example(jumps=[0] * 8)
@given(jumps=st.lists(steps, min_size=8, max_size=8))
def test_a_clock_that_jumps_back_and_forth_changes_no_order(
    tmp_path_factory, jumps: list[int]
) -> None:
    path = tmp_path_factory.mktemp("clock") / "x.db"
    moments = [EVENING + timedelta(seconds=sum(jumps[: end + 1])) for end in range(len(jumps))]
    in_order(path, played(path, Jumping(*moments)).match)


@pytest.fixture
def in_rome(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setitem(os.environ, "TZ", "Europe/Rome")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_rome")
@pytest.mark.parametrize(
    "midnight",
    [datetime(2026, 10, 24, 23, 40, tzinfo=UTC), datetime(2026, 3, 29, 0, 40, tzinfo=UTC)],
)
def test_the_night_the_hour_changes_is_a_night_like_any_other(
    tmp_path: Path, midnight: datetime
) -> None:
    """In October the hour from two to three comes twice: 2:10 is 0:10 by the sun, and once more
    1:10.
    """
    path = tmp_path / "x.db"
    moments = [midnight + timedelta(minutes=30 * step) for step in range(8)]
    table = played(path, Jumping(*moments))
    shown = [each.versions[0].at.astimezone().strftime("%H:%M") for each in table.state.hands]
    october = ["02:10", "02:40", "02:10", "02:40", "03:10", "03:40"]
    assert shown == (
        october if midnight.month == 10 else ["03:10", "03:40", "04:10", "04:40", "05:10", "05:40"]
    )
    in_order(path, table.match)


def test_of_two_matches_the_one_changed_last_stands_first_whatever_the_clock_says(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.db"
    early, late = EVENING - timedelta(days=400), EVENING
    pad = Pad(Storage(path), Jumping(late, early, late, early, early))
    first, second = (
        pad.actions.start(f"start-{number}", PHONE, TWO_AGAINST_TWO).match for number in (1, 2)
    )
    assert [each.id for each in pad.summaries(PHONE).in_progress] == [second, first]
    Table(pad, first, PHONE).play(hand(counted(50), counted()))
    Table(pad, second, PHONE).play(hand(counted(50), counted()))
    assert [each.id for each in pad.summaries(PHONE).in_progress] == [second, first]
    played = pad.records.find_player(PHONE, "Ada")
    assert played is not None
    assert [each.summary.id for each in played.matches] == [second, first]
    again = Pad(Storage(tmp_path / "y.db"), Jumping(early))
    again.imports.import_file(export_file(pad), ADMIN)
    assert [each.id for each in again.summaries(ADMIN).in_progress] == [second, first]
