"""What was undone is done again; rematches make a series."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN
from scorepad.matches.events import Redo, Undo
from scorepad.matches.file_format import encode
from scorepad.schemas.fields import Unusable
from tests.exported import export_file
from tests.matches.conftest import (
    PHONE,
    TWO_AGAINST_TWO,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
)


def test_the_log_says_what_was_undone_and_done_again(pad: Pad, table: Table) -> None:
    table.play(hand_of_430_and_60())
    table.correct(1, hand(side_counted(cards=200), side_counted(cards=100)))
    table.undo()
    table.redo()

    _start, _count, correction, undo, redo = pad.records.audit(table.match, PHONE)
    assert undo.event == Undo(3, "correction", 1)
    assert redo.event == Redo(4, "correction", 1)
    assert correction.undone is None, "what was done again is not struck through"


@pytest.mark.parametrize("change", [{"entry": 4}, {"entry": 2}, {"kind": "rename"}])
def test_a_redo_of_something_else_is_not_imported(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.undo()
    table.undo()
    table.redo()
    data = json.loads(export_file(pad, table.match, PHONE))
    data["matches"][0]["entries"][-1]["payload"] |= change
    with pytest.raises(Unusable):
        pad.imports.import_file(encode(data["rulesets"], data["matches"]), ADMIN)


@pytest.fixture
def won(start: Callable[..., Table]) -> Table:
    """A short match that the first side won."""
    table = start(replace(TWO_AGAINST_TWO, options={"target": 500}))
    table.play(WON_BY_NOI)
    return table


WON_BY_NOI = hand(side_counted(cards=900), side_counted())


WON_BY_LORO = hand(side_counted(), side_counted(cards=900))


def test_a_best_of_five_ends_with_the_third_win(won: Table) -> None:
    second = won.rematch(best_of=5)
    second.play(WON_BY_NOI)
    third = second.rematch(best_of=5)
    third.play(WON_BY_NOI)

    series = third.pad.records.find_series(third.state)
    assert series.won == (3, 0)
    assert series.winner == 0

    fourth = third.rematch()
    assert fourth.pad.records.find_series(fourth.state).won == (0, 0), "another series begins"


def test_a_series_cannot_be_agreed_shorter_than_it_is(pad: Pad, won: Table) -> None:
    second = won.rematch()
    second.play(WON_BY_NOI)
    assert pad.records.find_series(second.state).lengths == (5,)

    third = second.rematch(best_of=3)
    assert pad.records.find_series(third.state).best_of == 0


def test_a_result_corrected_later_counts_in_the_series(pad: Pad, won: Table) -> None:
    second = won.rematch(best_of=3)
    won.correct(1, WON_BY_LORO)
    assert pad.records.find_series(second.state).won == (0, 1)


def test_a_match_deleted_counts_no_longer(pad: Pad, won: Table) -> None:
    second = won.rematch(best_of=3)
    pad.actions.delete(won.match, PHONE)
    assert pad.records.find_series(second.state).won == (0, 0)
