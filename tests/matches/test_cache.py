"""A save and the page after it do not read the log again, and what is cached is never shown for
what is not there.
"""

from collections.abc import Iterator

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.storage import Storage
from scorepad.storage.rows import ReadTransaction
from tests.matches.conftest import (
    PHONE,
    Start,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
    steps,
)


def forbid_reading_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a test fails if the log of a match is read from the data file."""

    def fail(*_: object) -> None:
        pytest.fail("the log was read")

    monkeypatch.setattr(ReadTransaction, "entries", fail)
    monkeypatch.setattr(ReadTransaction, "ruleset", fail)


def test_saving_and_showing_the_match_do_not_read_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())
    forbid_reading_the_log(monkeypatch)

    table.play(hand_of_430_and_60())
    assert [hand.sides[0].total for hand in table.state.hands] == [430, 860]

    table.undo()
    assert table.totals == [430, 60]


def test_version_of_match_is_known_without_reading_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())
    forbid_reading_the_log(monkeypatch)
    pad_with_empty_cache = Pad(table.pad.context.storage)

    version = pad_with_empty_cache.version(table.match, PHONE)

    assert version.last_entry == 2  # the start is entry 1


def test_hundredth_hand_takes_hardly_more_steps_than_the_tenth(start: Start) -> None:
    table = start(options={"target": 500_000})
    played = hand(
        side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=200, left=40)
    )

    def save_and_show() -> None:
        table.play(played)
        assert table.state.hands

    steps_by_hand = {number: steps(save_and_show) for number in range(1, 101)}

    assert steps_by_hand[100] < 1.5 * steps_by_hand[10]


@pytest.fixture
def other_process(table: Table) -> Iterator[Table]:
    """The same match as another process sees it, with a cache of its own."""
    with Storage(table.pad.context.storage.path) as storage:
        yield Table(Pad(storage), table.match, numbers=table.numbers)


def test_hand_saved_by_another_process_is_seen(table: Table, other_process: Table) -> None:
    table.play(hand_of_430_and_60())
    assert other_process.totals == [430, 60]

    other_process.play(hand_of_430_and_60())
    assert other_process.totals == [860, 120]
    assert table.totals == [860, 120]

    table.play(hand_of_430_and_60())
    assert other_process.totals == [1290, 180]
    assert table.totals == [1290, 180]


def test_hand_that_could_not_be_saved_is_not_cached(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())

    def fail(_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(table.pad.context.storage, "_commit", fail)
        with pytest.raises(OSError, match="full"):
            table.play(hand_of_430_and_60())

    assert table.totals == [430, 60]
    assert table.pad.state(table.match, ADMIN).sequence == 2
