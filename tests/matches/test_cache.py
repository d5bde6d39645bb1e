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
    """Fail the test if the log of a match is read from the data file from now on."""

    def fail(*_: object) -> None:
        pytest.fail("the log was read")

    monkeypatch.setattr(ReadTransaction, "entries", fail)
    monkeypatch.setattr(ReadTransaction, "ruleset", fail)


def test_saving_and_showing_the_match_do_not_read_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The log of a match holds all its entries in the data file: its start, hands and corrections.
    # After the first hand the state of the match is in the cache.
    table.play(hand_of_430_and_60())
    forbid_reading_the_log(monkeypatch)

    # The second hand is added to the cached state: the first side has 430 + 430 points.
    table.play(hand_of_430_and_60())
    assert [hand.sides[0].total for hand in table.state.hands] == [430, 860]

    # Undoing it does not need the log either.
    table.undo()
    assert table.totals == [430, 60]


def test_version_of_match_is_known_without_reading_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())
    forbid_reading_the_log(monkeypatch)
    pad_with_empty_cache = Pad(table.pad.context.storage)

    # A page asks every few seconds whether the match has changed. This must be cheap.
    version = pad_with_empty_cache.version(table.match, PHONE)

    # Entry 1 is the start of the match, entry 2 the hand.
    assert version.last_entry == 2


def test_hundredth_hand_takes_hardly_more_steps_than_the_tenth(start: Start) -> None:
    # The match goes on for a hundred hands: the target is far beyond the usual 5000 points.
    table = start(options={"target": 500_000})
    played = hand(
        side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=200, left=40)
    )

    def save_and_show() -> None:
        table.play(played)
        assert table.state.hands

    # A step is a line of Python that is run: unlike a time, it is the same on every machine.
    steps_by_hand = {number: steps(save_and_show) for number in range(1, 101)}

    # If saving a hand read all the hands before, the hundredth would take ten times as many.
    assert steps_by_hand[100] < 1.5 * steps_by_hand[10]


@pytest.fixture
def other_process(table: Table) -> Iterator[Table]:
    """Open the data file once more, as another process does, with a cache of its own."""
    with Storage(table.pad.context.storage.path) as storage:
        yield Table(Pad(storage), table.match, numbers=table.numbers)


def test_hand_saved_by_another_process_is_seen(table: Table, other_process: Table) -> None:
    # This process saves a hand, and the other one sees it.
    table.play(hand_of_430_and_60())
    assert other_process.totals == [430, 60]

    # The other process saves a hand. Both see twice 430 and 60, although both had cached the first.
    other_process.play(hand_of_430_and_60())
    assert other_process.totals == [860, 120]
    assert table.totals == [860, 120]

    # This process, whose cache was behind, saves a third hand.
    table.play(hand_of_430_and_60())
    assert other_process.totals == [1290, 180]
    assert table.totals == [1290, 180]


def test_hand_that_could_not_be_saved_is_not_cached(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())

    def fail(_: object) -> None:
        raise OSError("the disk is full")

    # The disk is full when the second hand is saved.
    with monkeypatch.context() as patch:
        patch.setattr(table.pad.context.storage, "_commit", fail)
        with pytest.raises(OSError, match="full"):
            table.play(hand_of_430_and_60())

    # The match is shown with the first hand alone: entry 1 is the start, entry 2 this hand.
    assert table.totals == [430, 60]
    assert table.pad.state(table.match, ADMIN).sequence == 2
