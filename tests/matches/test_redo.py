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
    # Of entry 3, which is the correction of hand 1; and of entry 4, which undid it.
    assert undo.event == Undo(3, "correction", 1)
    assert redo.event == Redo(4, "correction", 1)
    assert correction.undone is None, "what was redone is not struck through"


@pytest.mark.parametrize("change", [{"entry": 4}, {"entry": 2}, {"kind": "rename"}])
def test_import_refuses_redo_of_another_entry(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    """Entries 2 and 3 are hands, 4 undoes the second one and 5 the first. What can be redone then
    is entry 5 alone.
    """
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.undo()
    table.undo()
    table.redo()
    content = json.loads(export_file(pad, table.match, PHONE))
    redo = content["matches"][0]["entries"][-1]
    assert redo["payload"]["entry"] == 5

    redo["payload"].update(change)

    with pytest.raises(Unusable):
        pad.imports.import_file(encode(content["rulesets"], content["matches"]), ADMIN)


HAND_WON_BY_FIRST_SIDE = hand(side_counted(cards=900), side_counted())
HAND_WON_BY_SECOND_SIDE = hand(side_counted(), side_counted(cards=900))


@pytest.fixture
def first_match(start: Start) -> Table:
    """The first match of a series, to 500 points, won by the first side with one hand."""
    table = start(options={"target": 500})
    table.play(HAND_WON_BY_FIRST_SIDE)
    return table


@pytest.fixture
def third_match_won(first_match: Table) -> Table:
    """The third match of a best of five; the first side won all three."""
    second = first_match.rematch(best_of=5)
    second.play(HAND_WON_BY_FIRST_SIDE)
    third = second.rematch(best_of=5)
    third.play(HAND_WON_BY_FIRST_SIDE)
    return third


def test_best_of_five_ends_with_the_third_win(pad: Pad, third_match_won: Table) -> None:
    series = pad.records.find_series(third_match_won.state)
    assert series.won == (3, 0)
    assert series.winner == 0


def test_rematch_after_a_series_begins_another_one(pad: Pad, third_match_won: Table) -> None:
    fourth = third_match_won.rematch()
    assert pad.records.find_series(fourth.state).won == (0, 0)


@pytest.fixture
def second_match_won(first_match: Table) -> Table:
    """A rematch that the first side won as well: as a best of three the series would be over."""
    second = first_match.rematch()
    second.play(HAND_WON_BY_FIRST_SIDE)
    return second


def test_series_is_offered_only_in_lengths_that_are_not_over(
    pad: Pad, second_match_won: Table
) -> None:
    best_of_five_only = (5,)
    assert pad.records.find_series(second_match_won.state).lengths == best_of_five_only


def test_length_that_is_over_already_makes_no_series(pad: Pad, second_match_won: Table) -> None:
    third = second_match_won.rematch(best_of=3)
    assert pad.records.find_series(third.state).best_of == 0


def test_result_corrected_later_counts_in_the_series(pad: Pad, first_match: Table) -> None:
    second = first_match.rematch(best_of=3)
    first_match.correct(1, HAND_WON_BY_SECOND_SIDE)
    assert pad.records.find_series(second.state).won == (0, 1)


def test_deleted_match_does_not_count_in_the_series(pad: Pad, first_match: Table) -> None:
    second = first_match.rematch(best_of=3)
    pad.actions.delete(first_match.match, PHONE)
    assert pad.records.find_series(second.state).won == (0, 0)
