"""Corrections: every version is kept, scores follow, acknowledged lines never change."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches.events import UnknownEntry
from scorepad.storage import Storage
from scorepad.storage.rows import Entry
from tests.matches.conftest import (
    FIVE_HANDS,
    SECOND_HAND_PUT_RIGHT,
    TWO_AGAINST_TWO,
    Clock,
    Table,
    hand_of_430_and_60,
)


@pytest.fixture
def corrected(table: Table) -> Table:
    """A match of five hands whose second one was corrected: Noi had 400 points more."""
    table.play(*FIVE_HANDS)
    table.correct(2, SECOND_HAND_PUT_RIGHT, " due canaste pure ")
    return table


def test_a_correction_moves_the_later_totals_and_minimums(corrected: Table) -> None:
    hands = corrected.state.hands
    assert [hand.sides[0].total for hand in hands] == [450, 1680, 1715, 2435, 2520]
    assert [hand.sides[1].total for hand in hands] == [30, 70, 490, 480, 885]
    assert [hand.sides[0].opening_minimum for hand in hands] == [50, 50, 90, 90, 90]


def test_an_opening_that_a_correction_makes_impossible_is_in_doubt(corrected: Table) -> None:
    # The third hand opened with 70 at most, which was enough for 50 and is not for 90.
    (doubt,) = corrected.state.hands[2].doubts
    assert doubt.code == "opening-impossible"
    assert doubt.where == ("sides", 0)
    assert corrected.state.hands[3].doubts == ()


def test_a_corrected_hand_keeps_its_versions(corrected: Table) -> None:
    original, correction = corrected.state.hands[1].versions
    assert original.event.hand == FIVE_HANDS[1]
    assert correction.event.hand == SECOND_HAND_PUT_RIGHT
    assert correction.event.reason == "due canaste pure"


def lines_of_later_hands(table: Table) -> list[object]:
    return [hand.sides[0].lines for hand in table.state.hands[2:]]


def test_the_lines_of_the_other_hands_stay_as_they_were(corrected: Table) -> None:
    lines = lines_of_later_hands(corrected)
    corrected.undo()
    assert lines_of_later_hands(corrected) == lines


def test_a_warning_goes_when_a_correction_takes_its_reason_away(
    start: Callable[..., Table],
) -> None:
    table = start(replace(TWO_AGAINST_TWO, options={"target": 1000}))
    table.play(hand_of_430_and_60(), hand_of_430_and_60())

    # 1230 points: the match was over before the second hand.
    table.correct(1, SECOND_HAND_PUT_RIGHT)
    second_hand = table.state.hands[1]
    assert [doubt.code for doubt in second_hand.doubts] == ["target-reached"]

    table.correct(2, hand_of_430_and_60())
    second_hand = table.state.hands[1]
    assert [warning.code for warning in second_hand.warnings] == ["target-reached"]
    assert second_hand.doubts == ()

    table.correct(1, hand_of_430_and_60())
    second_hand = table.state.hands[1]
    assert second_hand.warnings == ()
    assert second_hand.doubts == ()


def test_an_entry_of_an_unknown_kind_is_named(table: Table, storage: Storage, clock: Clock) -> None:
    entry = Entry(
        match=table.match,
        sequence=2,
        kind="toast",
        at=clock(),
        device="phone",
        request="r",
        payload={},
        sent="5e27",
    )
    with storage.writing() as rows:
        rows.append(entry)

    with pytest.raises(UnknownEntry) as error:
        table.pad.state(table.match, table.device)

    assert error.value.match == table.match
    assert error.value.sequence == 2
    assert error.value.kind == "toast"
