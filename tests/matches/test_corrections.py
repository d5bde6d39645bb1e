"""Corrections: every version is kept, scores follow, acknowledged lines never change."""

from __future__ import annotations

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
    usual,
)


@pytest.fixture
def corrected(table: Table) -> Table:
    """A match of five hands whose second one was put right: Noi had 400 points more."""
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


def test_a_corrected_hand_keeps_its_versions_and_the_others_their_lines(corrected: Table) -> None:
    first, second = corrected.state.hands[1].versions
    assert first.event.hand == FIVE_HANDS[1]
    assert second.event.hand == SECOND_HAND_PUT_RIGHT
    assert second.event.reason == "due canaste pure"
    later_lines = [hand.sides[0].lines for hand in corrected.state.hands[2:]]
    corrected.undo()
    assert [hand.sides[0].lines for hand in corrected.state.hands[2:]] == later_lines


def test_a_warning_goes_when_a_correction_takes_its_reason_away(
    start: Callable[..., Table],
) -> None:
    table = start(replace(TWO_AGAINST_TWO, options={"target": 1000}))
    table.play(usual(), usual())
    table.correct(1, SECOND_HAND_PUT_RIGHT)  # 1230: the match was over before the second hand
    assert [doubt.code for doubt in table.state.hands[1].doubts] == ["target-reached"]
    table.correct(2, usual())
    assert [warning.code for warning in table.state.hands[1].warnings] == ["target-reached"]
    assert table.state.hands[1].doubts == ()
    table.correct(1, usual())
    assert table.state.hands[1].warnings == ()
    assert table.state.hands[1].doubts == ()


def test_an_entry_of_an_unknown_kind_is_told(table: Table, storage: Storage, clock: Clock) -> None:
    with storage.writing() as rows:
        rows.append(Entry(table.match, 2, "toast", clock(), "phone", "r", {}, "5e27"))
    with pytest.raises(UnknownEntry) as caught:
        table.pad.state(table.match, table.device)
    assert caught.value.match == table.match
    assert caught.value.sequence == 2
    assert caught.value.kind == "toast"
