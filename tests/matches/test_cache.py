"""A save and the page after it do not read the log again, and what is cached is never shown for
what is not there.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.rules.hand import Hand
from scorepad.storage import Storage
from scorepad.storage.rows import ReadTransaction
from tests.matches.conftest import (
    PHONE,
    TWO_AGAINST_TWO,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
    steps,
)


def test_the_version_a_save_and_the_page_after_it_do_not_read_the_log(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(hand_of_430_and_60())

    def fail(*_: object) -> None:
        pytest.fail("the log was read")

    monkeypatch.setattr(ReadTransaction, "entries", fail)
    monkeypatch.setattr(ReadTransaction, "ruleset", fail)
    other_process = Pad(table.pad.context.storage)
    assert other_process.version(table.match, PHONE).last_entry == 2
    table.play(hand_of_430_and_60())
    assert [hand.sides[0].total for hand in table.state.hands] == [430, 860]
    table.undo()
    assert table.totals == [430, 60]


def play_and_look(table: Table, played: Hand) -> None:
    """A hand saved, and the match as the page after it shows it."""
    table.play(played)
    assert table.state.hands


def test_the_hundredth_hand_takes_no_more_steps_than_the_tenth(start: Callable[..., Table]) -> None:
    table = start(replace(TWO_AGAINST_TWO, options={"target": 500_000}))
    played = hand(
        side_counted(cards=150, left=20, mixed_canasta=1), side_counted(cards=200, left=40)
    )
    steps_of_hand = {}
    for number in range(1, 101):
        steps_of_hand[number] = steps(lambda: play_and_look(table, played))
    assert steps_of_hand[100] < 1.5 * steps_of_hand[10]


def test_what_another_process_wrote_is_seen(table: Table) -> None:
    table.play(hand_of_430_and_60())
    with Storage(table.pad.context.storage.path) as storage:
        other = Table(Pad(storage), table.match, numbers=table.numbers)

        other.play(hand_of_430_and_60())
        assert other.totals == [860, 120]
        assert table.totals == [860, 120]

        table.play(hand_of_430_and_60())
        assert other.totals == [1290, 180]
        assert table.totals == [1290, 180]


def test_a_save_that_failed_is_not_cached(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.play(hand_of_430_and_60())

    def fail(_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(table.pad.context.storage, "_commit", fail)
        with pytest.raises(OSError, match="full"):
            table.play(hand_of_430_and_60())

    assert table.totals == [430, 60]
    assert table.pad.state(table.match, ADMIN).sequence == 2
