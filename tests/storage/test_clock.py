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
    """A clock that shows these moments, one after the other, and then the last one for ever.

    A pad looks at it once each time that something is saved.
    """

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def __call__(self) -> datetime:
        """Return the next moment."""
        if len(self.moments) == 1:
            return self.moments[0]
        return self.moments.pop(0)


def start_match(pad: Pad, request: str = "start") -> Table:
    """Start a match on a phone; return the table that plays it."""
    saved = pad.actions.start(RequestId(request), PHONE, TWO_AGAINST_TWO)
    return Table(pad, saved.match, PHONE)


JUMPS_IN_SECONDS = st.integers(-4_000_000, 4_000_000) | st.sampled_from(
    [0, 0, 1, -1, -3600, 3600, 86_400, -31_536_000]
)


def hand_worth(points: int) -> Hand:
    """Return a hand that gives the first side these points, and the other none."""
    return hand(side_counted(cards=points), side_counted())


def points_of_hands(table: Table) -> list[int]:
    """Return what each hand was worth for the first side."""
    return [hand.sides[0].hand for hand in table.state.hands]


@settings(max_examples=examples(8))
@example(jumps=[0] * 8)
@given(jumps=st.lists(JUMPS_IN_SECONDS, min_size=8, max_size=8))
def test_hands_keep_their_order_when_the_clock_jumps(
    tmp_path_factory: pytest.TempPathFactory, jumps: list[int]
) -> None:
    # Before each save the clock jumps by so many seconds, forwards or back.
    now = EVENING
    moments = []
    for seconds in jumps:
        now += timedelta(seconds=seconds)
        moments.append(now)

    # A match is started, and six hands are saved, each worth 5 points more than the one before.
    path = tmp_path_factory.mktemp("clock") / "x.db"
    table = start_match(Pad(Storage(path), JumpingClock(*moments)))
    for points in (100, 105, 110, 115, 120, 125):
        table.play(hand_worth(points))

    # Scorepad is restarted. It reads the log anew, and finds the hands in the same order.
    table.pad = Pad(Storage(path), JumpingClock(EVENING))
    assert points_of_hands(table) == [100, 105, 110, 115, 120, 125]

    # The data file is sound.
    for finding in examine(path, MatchChecker().find_problem):
        assert finding.is_good

    # What is undone is the hand saved last, and hand 1 is the one saved first.
    table.undo()
    assert points_of_hands(table) == [100, 105, 110, 115, 120]
    table.correct(1, hand_worth(50))
    assert points_of_hands(table) == [50, 105, 110, 115, 120]


@pytest.fixture
def rome_time_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the time of this process be that of Rome while a test runs."""
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("rome_time_zone")
def test_hands_keep_their_order_when_summer_time_ends(tmp_path: Path) -> None:
    # In this night it is 2:15 twice: when the match begins, and an hour later, when its first hand is
    # saved. The second hand is saved one more hour later.
    clock = JumpingClock(
        datetime(2026, 10, 25, 0, 15, tzinfo=UTC),  # 2:15 of summer time
        datetime(2026, 10, 25, 1, 15, tzinfo=UTC),  # 2:15 again
        datetime(2026, 10, 25, 2, 15, tzinfo=UTC),  # 3:15
    )
    table = start_match(Pad(Storage(tmp_path / "x.db"), clock))

    table.play(hand_worth(100))
    table.play(hand_worth(105))

    assert points_of_hands(table) == [100, 105]
    times = [hand.versions[0].at.astimezone().strftime("%H:%M") for hand in table.state.hands]
    assert times == ["02:15", "03:15"]


def list_matches_in_progress(pad: Pad) -> list[MatchId]:
    """Return the matches in progress in the order in which they are listed."""
    return [match.id for match in pad.summaries(ADMIN).in_progress]


A_YEAR_EARLIER = EVENING - timedelta(days=365)


@pytest.fixture
def pad_with_slow_clock(tmp_path: Path) -> Pad:
    """Play a hand of 50 points in a first match, and then one of 100 in a second match.

    Whenever the second match is saved, the clock is a year slow.
    """
    # The pad looks at the clock once for each of the four saves below.
    clock = JumpingClock(
        EVENING,  # the first match is started
        A_YEAR_EARLIER,  # the second match is started
        EVENING,  # the hand of the first match is saved
        A_YEAR_EARLIER,  # the hand of the second match is saved
    )
    pad = Pad(Storage(tmp_path / "x.db"), clock)
    first = start_match(pad, "first")
    second = start_match(pad, "second")
    first.play(hand_worth(50))
    second.play(hand_worth(100))
    return pad


def totals_of(pad: Pad, match: MatchId) -> list[int]:
    """Return the totals of the two sides of a match."""
    return Table(pad, match, ADMIN).totals


def test_match_changed_last_is_listed_first_whatever_the_clock_says(
    pad_with_slow_clock: Pad,
) -> None:
    listed = list_matches_in_progress(pad_with_slow_clock)

    # The second match, with a hand of 100 points, was changed last, although the clock showed a time
    # a year earlier.
    assert [totals_of(pad_with_slow_clock, match) for match in listed] == [[100, 0], [50, 0]]


def test_page_of_player_lists_the_match_changed_last_first(pad_with_slow_clock: Pad) -> None:
    # Ada plays in both matches.
    matches_of_ada = pad_with_slow_clock.records.find_player(PHONE, "Ada").matches
    listed = [match.summary.id for match in matches_of_ada]

    # The second match, with a hand of 100 points, was changed last, although the clock showed a time
    # a year earlier.
    assert [totals_of(pad_with_slow_clock, match) for match in listed] == [[100, 0], [50, 0]]


def test_imported_matches_keep_their_order(pad_with_slow_clock: Pad, tmp_path: Path) -> None:
    # The match that was changed last has the earlier time: the file must tell the order itself.
    file = export_file(pad_with_slow_clock)

    other_pad = Pad(Storage(tmp_path / "y.db"), JumpingClock(A_YEAR_EARLIER))
    other_pad.imports.import_file(file, ADMIN)

    assert list_matches_in_progress(other_pad) == list_matches_in_progress(pad_with_slow_clock)
