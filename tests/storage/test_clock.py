"""Time is not trusted: what happened is in the order in which it was committed, whatever the clock
said.
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorepad.cli.data_file import MatchChecker
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId, RequestId
from scorepad.storage import Storage
from scorepad.storage.doctor import examine
from tests.examples import examples
from tests.exported import export_file
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, hand, side_counted

EVENING = datetime(2026, 10, 24, 21, 0, tzinfo=UTC)


class Jumping:
    """A clock that shows these moments, one after the other, and then the last one for ever."""

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def __call__(self) -> datetime:
        if len(self.moments) == 1:
            return self.moments[0]
        return self.moments.pop(0)


def start(pad: Pad, request: str = "start") -> Table:
    saved = pad.actions.start(RequestId(request), PHONE, TWO_AGAINST_TWO)
    return Table(pad, saved.match, PHONE)


steps = st.integers(-4_000_000, 4_000_000) | st.sampled_from(
    [0, 0, 1, -1, -3600, 3600, 86_400, -31_536_000]
)


def points_of_hands(table: Table) -> list[int]:
    """What each hand was worth for the first side."""
    return [hand.sides[0].hand for hand in table.state.hands]


@settings(max_examples=examples(8))
@example(jumps=[0] * 8)
@given(jumps=st.lists(steps, min_size=8, max_size=8))
def test_a_clock_that_jumps_back_and_forth_changes_no_order(
    tmp_path_factory: pytest.TempPathFactory, jumps: list[int]
) -> None:
    path = tmp_path_factory.mktemp("clock") / "x.db"
    moments = [EVENING]
    for seconds in jumps:
        moments.append(moments[-1] + timedelta(seconds=seconds))
    table = start(Pad(Storage(path), Jumping(*moments[1:])))
    for points in (100, 105, 110, 115, 120, 125):
        table.play(hand(side_counted(cards=points), side_counted()))

    table.pad = Pad(Storage(path), Jumping(EVENING))  # reads the log anew

    assert points_of_hands(table) == [100, 105, 110, 115, 120, 125]
    assert table.totals == [675, 0]
    for finding in examine(path, MatchChecker().find_problem):
        assert finding.is_good
    table.undo()
    assert table.totals == [550, 0], "the last hand is undone"
    table.correct(1, hand(side_counted(cards=50), side_counted()))
    assert table.totals == [500, 0]


@pytest.fixture
def _in_rome(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_in_rome")
def test_the_hour_that_comes_twice_in_october_changes_no_order(tmp_path: Path) -> None:
    quarter_past_midnight = datetime(2026, 10, 25, 0, 15, tzinfo=UTC)
    moments = [quarter_past_midnight + timedelta(hours=hour) for hour in range(4)]
    table = start(Pad(Storage(tmp_path / "x.db"), Jumping(*moments)))

    for points in (100, 105, 110):
        table.play(hand(side_counted(cards=points), side_counted()))

    assert points_of_hands(table) == [100, 105, 110]
    counted_at = [hand.versions[0].at.astimezone() for hand in table.state.hands]
    # At three o'clock of summer time it was two o'clock again.
    assert [f"{moment:%H:%M}" for moment in counted_at] == ["02:15", "03:15", "04:15"]


def matches_in_progress(pad: Pad) -> list[MatchId]:
    return [match.id for match in pad.summaries(ADMIN).in_progress]


def test_of_two_matches_the_one_changed_last_stands_first_whatever_the_clock_says(
    tmp_path: Path,
) -> None:
    early = EVENING - timedelta(days=400)
    pad = Pad(Storage(tmp_path / "x.db"), Jumping(EVENING, early, EVENING, early))
    first = start(pad, "first")
    second = start(pad, "second")
    first.play(hand(side_counted(cards=50), side_counted()))
    second.play(hand(side_counted(cards=50), side_counted()))

    assert matches_in_progress(pad) == [second.match, first.match]
    matches_of_ada = pad.records.find_player(PHONE, "Ada").matches
    assert [match.summary.id for match in matches_of_ada] == [second.match, first.match]

    other_pad = Pad(Storage(tmp_path / "y.db"), Jumping(early))
    other_pad.imports.import_file(export_file(pad), ADMIN)
    assert matches_in_progress(other_pad) == [second.match, first.match]
