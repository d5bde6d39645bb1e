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
from scorepad.rules.hand import Hand
from scorepad.storage import Storage
from scorepad.storage.doctor import examine
from tests.examples import examples
from tests.exported import export_file
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, hand, side_counted

EVENING = datetime(2026, 10, 24, 21, 0, tzinfo=UTC)


class JumpingClock:
    """A clock that shows these moments, one after the other, and then the last one for ever."""

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def __call__(self) -> datetime:
        if len(self.moments) == 1:
            return self.moments[0]
        return self.moments.pop(0)


def start_match(pad: Pad, request: str = "start") -> Table:
    saved = pad.actions.start(RequestId(request), PHONE, TWO_AGAINST_TWO)
    return Table(pad, saved.match, PHONE)


JUMPS_IN_SECONDS = st.integers(-4_000_000, 4_000_000) | st.sampled_from(
    [0, 0, 1, -1, -3600, 3600, 86_400, -31_536_000]
)


def hand_worth(points: int) -> Hand:
    """A hand that gives the first side these points, and the other none."""
    return hand(side_counted(cards=points), side_counted())


def points_of_hands(table: Table) -> list[int]:
    """What each hand was worth for the first side."""
    return [hand.sides[0].hand for hand in table.state.hands]


@settings(max_examples=examples(8))
@example(jumps=[0] * 8)
@given(jumps=st.lists(JUMPS_IN_SECONDS, min_size=8, max_size=8))
def test_hands_keep_their_order_when_the_clock_jumps(
    tmp_path_factory: pytest.TempPathFactory, jumps: list[int]
) -> None:
    path = tmp_path_factory.mktemp("clock") / "x.db"
    moments = [EVENING]
    for seconds in jumps:
        moments.append(moments[-1] + timedelta(seconds=seconds))
    table = start_match(Pad(Storage(path), JumpingClock(*moments[1:])))
    for points in (100, 105, 110, 115, 120, 125):
        table.play(hand_worth(points))

    table.pad = Pad(Storage(path), JumpingClock(EVENING))  # reads the log anew

    assert points_of_hands(table) == [100, 105, 110, 115, 120, 125]
    assert table.totals == [675, 0]
    for finding in examine(path, MatchChecker().find_problem):
        assert finding.is_good
    table.undo()
    assert table.totals == [550, 0], "the last hand is undone: 675 − 125"
    table.correct(1, hand_worth(50))
    assert table.totals == [500, 0], "the first hand has 50 points less"


@pytest.fixture
def rome_time_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("rome_time_zone")
def test_hands_keep_their_order_when_summer_time_ends(tmp_path: Path) -> None:
    quarter_past_midnight = datetime(2026, 10, 25, 0, 15, tzinfo=UTC)
    moments = [quarter_past_midnight + timedelta(hours=hour) for hour in range(4)]
    table = start_match(Pad(Storage(tmp_path / "x.db"), JumpingClock(*moments)))

    for points in (100, 105, 110):
        table.play(hand_worth(points))

    assert points_of_hands(table) == [100, 105, 110]
    times = []
    for counted_hand in table.state.hands:
        local_time = counted_hand.versions[0].at.astimezone()
        times.append(f"{local_time:%H:%M}")
    # The match began at 2:15 of summer time, an hour before the first hand.
    assert times == ["02:15", "03:15", "04:15"]


def list_matches_in_progress(pad: Pad) -> list[MatchId]:
    return [match.id for match in pad.summaries(ADMIN).in_progress]


def test_match_changed_last_is_listed_first_whatever_the_clock_says(
    tmp_path: Path,
) -> None:
    early = EVENING - timedelta(days=400)
    pad = Pad(Storage(tmp_path / "x.db"), JumpingClock(EVENING, early, EVENING, early))
    first = start_match(pad, "first")
    second = start_match(pad, "second")
    first.play(hand_worth(50))
    second.play(hand_worth(50))

    assert list_matches_in_progress(pad) == [second.match, first.match]
    newest, older = pad.records.find_player(PHONE, "Ada").matches
    assert newest.summary.id == second.match
    assert older.summary.id == first.match

    other_pad = Pad(Storage(tmp_path / "y.db"), JumpingClock(early))
    other_pad.imports.import_file(export_file(pad), ADMIN)
    assert list_matches_in_progress(other_pad) == [second.match, first.match], "imported"
