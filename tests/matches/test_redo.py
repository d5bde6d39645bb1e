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
    # A hand is counted and corrected. The correction is undone, and done again after all.
    table.play(hand_of_430_and_60())
    table.correct(1, hand(side_counted(cards=200), side_counted(cards=100)))
    table.undo()
    table.redo()

    # The entries are numbered from 1: the correction of hand 1 is entry 3, and its undo is entry 4.
    _start, _count, correction, undo, redo = pad.records.audit(table.match, PHONE)
    assert undo.event == Undo(3, "correction", 1)
    assert redo.event == Redo(4, "correction", 1)
    assert correction.undone is None, "what was redone is not struck through"


@pytest.mark.parametrize(
    "change",
    [
        {"entry": 4},  # the first undo
        {"entry": 2},  # a hand, which is no undo
        {"kind": "rename"},  # the undo of a renaming
    ],
)
def test_import_refuses_redo_of_another_entry(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    # The entries of a match are numbered. The start is entry 1, and two hands are 2 and 3.
    table.play(hand_of_430_and_60(), hand_of_430_and_60())
    table.undo()  # entry 4 undoes the second hand
    table.undo()  # entry 5 undoes the first

    # The last entry, 6, takes back the last undo.
    table.redo()
    content = json.loads(export_file(pad, table.match, PHONE))
    last_entry = content["matches"][0]["entries"][-1]
    assert last_entry["payload"]["entry"] == 5

    # Somebody edits the exported file, so that something else was redone.
    last_entry["payload"].update(change)

    with pytest.raises(Unusable):
        pad.imports.import_file(encode(content["rulesets"], content["matches"]), ADMIN)


HAND_WON_BY_FIRST_SIDE = hand(side_counted(cards=900), side_counted())
HAND_WON_BY_SECOND_SIDE = hand(side_counted(), side_counted(cards=900))


@pytest.fixture
def first_match(start: Start) -> Table:
    """Play a match to 500 points, which the first side wins with one hand of 900."""
    table = start(options={"target": 500})
    table.play(HAND_WON_BY_FIRST_SIDE)
    return table


@pytest.fixture
def third_match_won(first_match: Table) -> Table:
    """Play three matches of a best of five, which the first side wins; return the third."""
    second = first_match.rematch(best_of=5)
    second.play(HAND_WON_BY_FIRST_SIDE)
    third = second.rematch(best_of=5)
    third.play(HAND_WON_BY_FIRST_SIDE)
    return third


def test_best_of_five_ends_with_the_third_win(pad: Pad, third_match_won: Table) -> None:
    # The first side has won all three matches that were played.
    series = pad.records.find_series(third_match_won.state)
    assert series.won == (3, 0)
    assert series.winner == 0


def test_rematch_after_a_series_begins_another_one(pad: Pad, third_match_won: Table) -> None:
    # The best of five is decided, 3 to 0. The players go on: they begin at 0 to 0.
    fourth = third_match_won.rematch()
    assert pad.records.find_series(fourth.state).won == (0, 0)


@pytest.fixture
def second_match_won(first_match: Table) -> Table:
    """Play a match and a rematch, which the first side wins; return the rematch.

    The players have not agreed how many matches they will play.
    """
    second = first_match.rematch()
    second.play(HAND_WON_BY_FIRST_SIDE)
    return second


def test_series_is_offered_only_in_lengths_that_are_not_over(
    pad: Pad, second_match_won: Table
) -> None:
    # After two wins of the same side a best of three would be over. A best of five would not.
    assert pad.records.find_series(second_match_won.state).lengths == (5,)


def test_best_of_three_is_not_agreed_on_after_two_wins(pad: Pad, second_match_won: Table) -> None:
    # The first side has won two matches. A best of three is over with two wins of a side: it cannot
    # be agreed on any more. The third match begins all the same.
    third = second_match_won.rematch(best_of=3)

    # It belongs to no series of an agreed length, which is what 0 says.
    assert pad.records.find_series(third.state).best_of == 0


def test_result_corrected_later_counts_in_the_series(pad: Pad, first_match: Table) -> None:
    # The first side won the first match with one hand, and a second match begins.
    second = first_match.rematch(best_of=3)

    # Now somebody sees that the hand was written down for the wrong side.
    first_match.correct(1, HAND_WON_BY_SECOND_SIDE)

    assert pad.records.find_series(second.state).won == (0, 1)


def test_deleted_match_does_not_count_in_the_series(pad: Pad, first_match: Table) -> None:
    # The first side won the first match. It leads 1 to 0, until this match is deleted.
    second = first_match.rematch(best_of=3)
    pad.actions.delete(first_match.match, PHONE)

    assert pad.records.find_series(second.state).won == (0, 0)
