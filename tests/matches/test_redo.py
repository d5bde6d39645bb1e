"""What was undone is done again; rematches make a series."""

from __future__ import annotations

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
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, counted, hand, usual


def test_the_log_says_what_was_undone_and_done_again(pad: Pad, table: Table) -> None:
    table.play(usual())
    table.correct(1, hand(counted(200), counted(100)))
    table.undo()
    table.redo()
    log = pad.records.audit(table.match, PHONE)
    assert log[3].event == Undo(3, "correction", 1)
    assert log[4].event == Redo(4, "correction", 1)
    assert log[2].undone is None, "what was done again is not struck through"


@pytest.mark.parametrize("change", [{"entry": 4}, {"entry": 2}, {"kind": "rename"}])
def test_a_redo_of_something_else_is_not_imported(
    pad: Pad, table: Table, change: dict[str, Any]
) -> None:
    table.play(usual(), usual())
    table.undo()
    table.undo()
    table.redo()
    data = json.loads(export_file(pad, table.match, PHONE))
    data["matches"][0]["entries"][-1]["payload"] |= change
    with pytest.raises(Unusable):
        pad.imports.import_file(encode(data["rulesets"], data["matches"]), ADMIN)


# ------------------------------------------------------------------------------------------- series


@pytest.fixture
def won(start: Callable[..., Table]) -> Table:
    """A short match that the first side won."""
    table = start(replace(TWO_AGAINST_TWO, options={"target": 500}))
    table.play(hand(counted(900), counted()))
    return table


def test_a_best_of_five_ends_with_the_third_win_and_then_another_series_begins(won: Table) -> None:
    second = won.rematch(5)
    second.play(hand(counted(900), counted()))
    third = second.rematch(5)
    third.play(hand(counted(900), counted()))
    series = third.pad.records.find_series(third.state)
    assert series.won == (3, 0)
    assert series.winner == 0
    assert third.pad.records.find_series(third.rematch().state).won == (0, 0)


def test_a_series_cannot_be_agreed_shorter_than_it_is(pad: Pad, won: Table) -> None:
    second = won.rematch()
    second.play(hand(counted(900), counted()))
    assert pad.records.find_series(second.state).lengths == (5,)
    assert pad.records.find_series(second.rematch(3).state).best_of == 0


def test_a_result_put_right_later_counts_in_the_series(pad: Pad, won: Table) -> None:
    second = won.rematch(3)
    won.correct(1, hand(counted(), counted(900)))
    assert pad.records.find_series(second.state).won == (0, 1)


def test_a_match_deleted_counts_no_longer(pad: Pad, won: Table) -> None:
    second = won.rematch(3)
    pad.actions.delete(won.match, PHONE)
    assert pad.records.find_series(second.state).won == (0, 0)
