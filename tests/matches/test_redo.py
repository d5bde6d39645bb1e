"""What was undone is done again; rematches make a series."""

import json
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
    Start,
    Table,
    hand,
    hand_of_430_and_60,
    side_counted,
)


def test_log_names_the_entries_that_were_undone_and_redone(pad: Pad, table: Table) -> None:
    table.play(hand_of_430_and_60())
    table.correct(1, hand(side_counted(cards=200), side_counted(cards=100)))
    table.undo()
    table.redo()

    _start, _count, correction, undo, redo = pad.records.audit(table.match, PHONE)
    assert undo.event == Undo(3, "correction", 1)
    assert redo.event == Redo(4, "correction", 1)
    assert correction.undone is None, "what was redone is not struck through"


@pytest.mark.parametrize("change", [{"entry": 4}, {"entry": 2}, {"kind": "rename"}])
def test_import_refuses_redo_of_another_entry(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.undo()
    table.undo()
    table.redo()
    content = json.loads(export_file(pad, table.match, PHONE))
    redo = content["matches"][0]["entries"][-1]

    redo["payload"] |= change

    with pytest.raises(Unusable):
        pad.imports.import_file(encode(content["rulesets"], content["matches"]), ADMIN)


HAND_THAT_NOI_WIN = hand(side_counted(cards=900), side_counted())
HAND_THAT_LORO_WIN = hand(side_counted(), side_counted(cards=900))


@pytest.fixture
def first(start: Start) -> Table:
    """The first match of a series, to 500 points, won by Noi with one hand."""
    table = start(options={"target": 500})
    table.play(HAND_THAT_NOI_WIN)
    return table


def test_best_of_five_ends_with_the_third_win(first: Table) -> None:
    second = first.rematch(best_of=5)
    second.play(HAND_THAT_NOI_WIN)
    third = second.rematch(best_of=5)
    third.play(HAND_THAT_NOI_WIN)

    series = third.pad.records.find_series(third.state)
    assert series.won == (3, 0)
    assert series.winner == 0

    fourth = third.rematch()
    assert fourth.pad.records.find_series(fourth.state).won == (0, 0), "another series begins"


def test_series_cannot_become_shorter_than_it_is(pad: Pad, first: Table) -> None:
    second = first.rematch()
    second.play(HAND_THAT_NOI_WIN)
    # Two wins of Noi: as the best of three the series would be over.
    assert pad.records.find_series(second.state).lengths == (5,)

    third = second.rematch(best_of=3)
    assert pad.records.find_series(third.state).best_of == 0


def test_result_corrected_later_counts_in_the_series(pad: Pad, first: Table) -> None:
    second = first.rematch(best_of=3)
    first.correct(1, HAND_THAT_LORO_WIN)
    assert pad.records.find_series(second.state).won == (0, 1)


def test_deleted_match_does_not_count_in_the_series(pad: Pad, first: Table) -> None:
    second = first.rematch(best_of=3)
    pad.actions.delete(first.match, PHONE)
    assert pad.records.find_series(second.state).won == (0, 0)
